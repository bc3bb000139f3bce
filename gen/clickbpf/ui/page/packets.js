// The panel about packets: one sent into a test instance, those of a running router, and their paths on the graph.

import { follow, get, post } from "./api.js";
import { KINDS, frame } from "./frames.js";
import { html } from "./make.js";

export class PacketsPanel {
  // `shared` has what the page shows: subject, graph, mayWrite, written() (a text that isn't the subject's own, or null), highlight(elements), reveal(name).
  constructor(shared) {
    this.shared = shared;
    this.device = html("select", { "aria-label": "Device" });
    this.kind = html("select", { "aria-label": "Kind of packet" }, ...Object.keys(KINDS).map((kind) => html("option", {}, kind)));
    const field = (name, value, label) => (this[name] = html("input", { class: "mono", value, "aria-label": label, size: 15, spellcheck: "false" }));
    field("to", "02:00:00:00:00:01", "To the Ethernet address");
    field("sender", "10.0.0.2", "From the IP address");
    field("target", "10.0.1.2", "To the IP address");
    this.hex = html("textarea", { class: "hex", rows: 6, spellcheck: "false", "aria-label": "The packet's bytes", placeholder: "bytes, hexadecimal, from the Ethernet header on" });
    this.filter = html("input", { class: "mono", placeholder: "icmp and host 10.0.0.2", "aria-label": "Filter", spellcheck: "false" });
    this.start = html("button", { type: "button", id: "trace", onclick: () => (this.tracing ? this.stop() : this.trace()) }, "Trace");
    this.costs = html("button", { type: "button", id: "costs", title: "What elements cost, of packets that are traced for a second", onclick: () => this.cost() }, "Costs");
    this.said = html("div", { role: "status" });
    this.list = html("div", { class: "paths" });
    this.root = html("div", { class: "panel packets" });
    for (const each of [this.kind, this.to, this.sender, this.target]) each.addEventListener("input", () => this.#fill());
    this.#fill();
  }

  subject() {
    this.stop();
    this.said.replaceChildren();
    this.list.replaceChildren();
    if (this.root.isConnected) this.opened();
  }

  opened() {
    const { subject, graph, mayWrite } = this.shared;
    if (!subject || !graph) return;
    this.device.replaceChildren(...graph.entries.map((device) => html("option", {}, device)));
    const live = subject.kind === "router" && mayWrite;
    this.root.replaceChildren(
      html("h3", {}, "Send a packet into a test instance"),
      html("p", { class: "under" }, subject.kind === "router" ? "The router that runs doesn't notice; the instance begins with empty tables." : "Its devices and its time are simulated."),
      html("div", { class: "grid" }, html("label", {}, "on ", this.device), html("label", {}, "a ", this.kind), html("label", {}, "to ", this.to),
        html("label", {}, "from ", this.sender), html("label", {}, "to ", this.target)),
      this.hex,
      html("div", { class: "actions" }, html("button", { type: "button", id: "send", class: "main", disabled: !graph.entries.length, onclick: () => this.send() }, "Send and follow it")),
      ...(live ? [html("h3", {}, "Packets of the running router"),
        html("form", { class: "row", onsubmit: (event) => {
          event.preventDefault();
          if (!this.tracing) this.trace();
        } }, this.filter, this.start, this.costs)] : []),
      this.said, this.list);
  }

  #fill() {
    try {
      this.hex.value = frame(this.kind.value, this.to.value, this.sender.value, this.target.value);
      this.said?.replaceChildren();
    } catch (error) {
      this.#say(error.message, "error");
    }
  }

  #say(text, kind = "quiet") {
    this.said.replaceChildren(html("p", { class: kind }, text));
  }

  // ---- a test instance ----

  async send() {
    const { subject } = this.shared, text = this.shared.mayWrite ? this.shared.written() : null;
    this.list.replaceChildren();
    this.#say(text === null ? "Compiling and running …" : "Compiling and running what is written …");
    try {
      const found = await post(`subjects/${subject.number}/packet`, { device: this.device.value, packet: this.hex.value, text });
      if (this.shared.subject !== subject) return;
      this.#say(found.sent.length ? `${found.sent.length} packet${found.sent.length > 1 ? "s" : ""} left by devices within a second.` : "No packet left by a device within a second.");
      found.paths.forEach((path) => this.#add(path));
      if (found.paths.length) this.#show(this.list.firstChild, found.paths[0]);
    } catch (error) {
      this.#say(error.message, "error");
    }
  }

  // ---- the running router ----

  trace() {
    const { subject } = this.shared;
    this.list.replaceChildren();
    this.#say("Building the instrumented kernel path …");
    const words = new URLSearchParams({ filter: this.filter.value, count: 100 });
    this.tracing = follow(`subjects/${subject.number}/trace?${words}`, (told) => {
      if (told.begun) this.#say("Packets appear as they come.");
      if (told.path) this.#add(told.path);
      if (told.error) this.#say(told.error, "error");
      if (told.error || told.end) this.stop();
    }, () => this.stop());
    this.start.textContent = "Stop";
  }

  async cost() {
    const { subject } = this.shared;
    this.stop();
    this.list.replaceChildren();
    this.#say("Building the instrumented kernel path, and tracing for a second …");
    this.costs.disabled = true;
    try {
      const { costs } = await get(`subjects/${subject.number}/costs`);
      if (this.shared.subject !== subject) return;
      this.#say(costs.length ? "Nanoseconds a packet, and the share of all, of at most 20,000 packets." : "No packets came.");
      if (costs.length) this.list.replaceChildren(this.#costs(costs));
    } catch (error) {
      this.#say(error.message, "error");
    } finally {
      this.costs.disabled = false;
    }
  }

  #costs(costs) {
    const number = (text) => html("td", { class: "number" }, text);
    const rows = costs.map((each) => html("tr", {},
      html("td", {}, html("button", { type: "button", class: "link", onclick: () => this.shared.reveal(each.element) }, each.element)),
      html("td", {}, html("span", { class: "quiet" }, each.runs)), number(String(each.packets)),
      number(each.nanoseconds === null ? "" : each.nanoseconds.toFixed(0)), number(each.nanoseconds === null ? "" : `${(100 * each.share).toFixed(0)} %`)));
    return html("table", { class: "costs" }, html("tr", {}, ...["Element", "in the", "packets", "ns", "share"].map((head) => html("th", {}, head))), ...rows);
  }

  stop() {
    this.tracing?.close();
    this.tracing = null;
    this.start.textContent = "Trace";
  }

  // ---- paths ----

  #add(path) {
    const entry = html("div", { class: "path" }, html("button", { type: "button", class: "link", onclick: () => this.#show(entry, path) },
      html("span", { class: "mono" }, `${path.packet}${path.goes_on ? " goes on" : ""}  `), path.summary));
    entry.append(html("div", { class: "quiet" }, `from ${path.from} · ${path.ends.join("; ") || "under way"}`));
    this.list.append(entry);
  }

  #show(entry, path) {
    for (const each of this.list.children) each.querySelector("ol")?.remove(), each.classList.remove("shown");
    entry.classList.add("shown");
    entry.append(html("ol", {}, ...path.steps.map(([element, port, where, changes]) => html("li", {},
      html("button", { type: "button", class: "link", onclick: () => this.shared.reveal(element) }, element),
      html("span", { class: "quiet" }, `${port ? ` [${port}]` : ""} ${where}`),
      ...changes.map((change) => html("div", { class: "mono change-of" }, change))))));
    this.shared.highlight(path.steps.map(([element]) => element));
  }
}
