// The panel about the whole router: its state, its drops, its busiest elements.

import { html, rate, time } from "./make.js";

const MOST = 12;

export class RouterPanel {
  constructor(shared) {
    this.shared = shared;
    this.root = html("div", { class: "panel" });
  }

  show() {
    const { subject } = this.shared;
    this.numbers = html("div", {});
    this.root.replaceChildren(html("h2", {}, subject.name), html("p", { class: "under" }, this.#about(subject)), this.numbers);
    this.measure();
  }

  #about(subject) {
    const elements = this.shared.graph ? `${this.shared.graph.elements.length} elements` : "";
    if (subject.kind === "file") return `a configuration in a file · ${elements}`;
    return [elements, subject.devices?.length ? `on ${subject.devices.join(", ")}` : "", subject.mode ? `${subject.mode} mode` : ""].filter(Boolean).join(" · ");
  }

  measure() {
    if (!this.numbers) return;
    const { live, state } = this.shared;
    if (!live) return this.numbers.replaceChildren();
    const all = [...live].map(([name, each]) => ({ name, ...each }));
    const busy = all.filter((each) => each.kernel + each.runtime > 0).sort((a, b) => b.kernel + b.runtime - a.kernel - a.runtime).slice(0, MOST);
    const drops = all.flatMap((each) => Object.entries(each.reasons).map(([reason, count]) => ({ ...each, reason, count })));
    drops.sort((a, b) => b.dropRate - a.dropRate || b.count - a.count);
    this.numbers.replaceChildren(
      html("dl", {},
        ...(state.uptime !== null && state.uptime !== undefined ? [html("dt", {}, "Up"), html("dd", {}, time(state.uptime))] : []),
        html("dt", {}, "Runtime"), html("dd", { class: "numbers" }, `${(100 * (state.cpu || 0)).toFixed(0)} % of a CPU`)),
      ...this.#table("Busiest elements", ["Element", "kernel/s", "runtime/s"], busy.map((each) => [each.name, rate(each.kernel), rate(each.runtime)])),
      ...this.#table("Drops", ["Element", "Reason", "in all", "/s"], drops.slice(0, MOST).map((each) => [each.name, each.reason, String(each.count), rate(each.dropRate)]), this.shared.graph?.reasons));
  }

  #table(title, heads, rows, reasons = {}) {
    if (!rows.length) return [];
    const cell = (text, at) => {
      if (at === 0) return html("td", {}, html("button", { type: "button", class: "link", onclick: () => this.shared.choose(text, true) }, text));
      return html("td", { class: /^[\d.]/.test(text) ? "number" : "", title: reasons[text] || null }, text);
    };
    return [html("h3", {}, title), html("table", {}, html("tr", {}, ...heads.map((head) => html("th", { class: ["Element", "Reason"].includes(head) ? null : "number" }, head))), ...rows.map((row) => html("tr", {}, ...row.map(cell))))];
  }
}
