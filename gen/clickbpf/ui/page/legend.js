// The meanings of the colours and ports in the drawing.

import { html, svg } from "./make.js";

// `live`: whether rates are measured.
export function legend(root, meanings, live) {
  const entry = (picture, text) => html("span", {}, svg("svg", { viewBox: "0 0 14 12" }, ...picture), text);
  const colours = Object.entries(meanings).map(([where, text]) =>
    entry([svg("rect", { class: `in-${where}`, width: 14, height: 12, rx: 2 }), svg("rect", { class: "frame", width: 14, height: 12, rx: 2 })], text));
  const port = (mode, agnostic) => [
    ...(agnostic ? [svg("path", { class: "agnostic", d: "M-1.5 -2H15.5L7 11Z" })] : []), svg("path", { class: mode, d: "M2.5 0H11.5L7 7Z" }),
  ];
  const kinds = [["push", false, "push"], ["pull", false, "pull"], ["push", true, "agnostic"]].map(([mode, agnostic, text]) => entry(port(mode, agnostic), text));
  const unknown = svg("g", { class: "line unknown" }, svg("path", { d: "M0 6H14" }));
  root.replaceChildren(...colours, ...kinds, ...(live ? [entry([unknown], "rate unknown")] : []));
}
