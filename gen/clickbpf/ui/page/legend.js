// What colours and ports mean, of those that the drawing has.

import { html, svg } from "./make.js";
import { ports } from "./graph.js";

// `live`: whether rates are measured.
export function legend(root, meanings, live) {
  const entry = (picture, text) => html("span", {}, svg("svg", { viewBox: "0 0 14 12" }, ...picture), text);
  const colours = Object.entries(meanings).map(([where, text]) =>
    entry([svg("rect", { class: `in-${where}`, width: 14, height: 12, rx: 2 }), svg("rect", { class: "frame", width: 14, height: 12, rx: 2 })], text));
  const port = (mode, agnostic) => ports({ inputs: [[mode, agnostic]], outputs: [] }, 14, 12);
  const kinds = [["push", false, "push"], ["pull", false, "pull"], ["push", true, "agnostic"]].map(([mode, agnostic, text]) => entry(port(mode, agnostic), text));
  const unknown = svg("g", { class: "line unknown" }, svg("path", { d: "M0 6H14" }));
  root.replaceChildren(...colours, ...kinds, ...(live ? [entry([unknown], "rate unknown")] : []));
}
