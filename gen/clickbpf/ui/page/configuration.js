// The panel with the configuration: the editor, the checker's diagnostics, the plan, and changing a running router.

import { get, post } from "./api.js";
import { Editor } from "./editor.js";
import { html } from "./make.js";

// Milliseconds without typing after which a text is checked.
const PAUSE = 350;
// Seconds within which a swap has to be confirmed.
const TRIAL = 60;

export class ConfigurationPanel {
  // `shared` has what the page shows: subject, subjects, mayWrite, unfolded(), preview(graph), choose(name).
  constructor(shared) {
    this.shared = shared;
    this.editor = new Editor(() => this.#typed(), (text, at) => post(`subjects/${shared.subject.number}/completions`, { text, at }));
    this.said = html("div", { class: "said", role: "status" });
    this.actions = html("div", { class: "actions" });
    this.change = html("div", { class: "change", hidden: true });
    this.given = html("p", { class: "quiet mono" });
    this.root = html("div", { class: "panel configuration" }, this.actions, this.given, this.editor.root, this.change, this.said);
    this.sent = 0;
  }

  subject() {
    this.text = null;
    this.editor.text = "";
    this.said.replaceChildren();
    this.#close();
    if (this.root.isConnected) this.opened();
  }

  // Called when the panel becomes visible.
  async opened() {
    const subject = this.shared.subject;
    if (!subject || this.text !== null) return;
    try {
      const found = await get(`subjects/${subject.number}/text`);
      if (this.shared.subject !== subject) return;
      this.editor.text = found.text;
      this.text = this.editor.text;  // with the line ends of the browser
      this.version = found.version;
      const given = Object.entries(found.given);
      this.given.hidden = !given.length;
      this.given.textContent = `With ${given.map(([name, value]) => `${name}=${value}`).join(" ")}`;
      this.#tools();
      await this.#check();
    } catch (error) {
      this.#say(html("p", { class: "error" }, error.message));
    }
  }

  // Whether the text differs from the subject's own.
  get edited() {
    return this.text !== null && this.editor.text !== this.text;
  }

  #typed() {
    this.#close();
    this.#tools();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#check(), PAUSE);
  }

  async #check() {
    const { subject } = this.shared, number = ++this.sent;
    let found;
    try {
      found = await post(`subjects/${subject.number}/check`, { text: this.editor.text, unfolded: this.shared.unfolded() });
    } catch (error) {
      return this.#say(html("p", { class: "error" }, error.message));
    }
    if (number !== this.sent || this.shared.subject !== subject) return;
    this.sound = found.plan !== null;
    this.editor.mark(found.diagnostics);
    this.#tools();
    this.#say(...found.diagnostics.map((each) => this.#mistake(each)), ...(found.plan ? this.#plan(found.plan) : []));
    if (found.graph && this.edited) this.shared.preview(found.graph);
    else if (!this.edited) this.shared.preview(null);
  }

  #mistake(each) {
    const place = each.line === null ? "" : `${each.line}:${each.column}  `;
    return html("div", { class: `mistake ${each.severity}` },
      html("button", { type: "button", class: "link mono", onclick: () => each.line !== null && this.editor.goTo(each.line, each.column) }, place),
      html("span", { class: each.severity }, each.message), ...(each.hint ? [html("div", { class: "quiet" }, each.hint)] : []));
  }

  #plan(plan) {
    const rows = plan.map(([name, kind, where, reason, line]) => html("tr", {},
      html("td", {}, html("button", { type: "button", class: "link", onclick: () => line && this.editor.goTo(line) }, name)),
      html("td", {}, kind), html("td", {}, html("span", { class: `tag ${where}`, title: reason }, where))));
    return [html("details", {}, html("summary", {}, `Plan: ${plan.length} elements`), html("table", {}, ...rows))];
  }

  #say(...what) {
    this.said.replaceChildren(...what);
  }

  // ---- changing a running router ----

  #tools() {
    const { subject, subjects, mayWrite } = this.shared;
    const routers = subjects.filter((each) => each.kind === "router" && (subject.kind === "file" || each.number === subject.number));
    const made = [];
    if (this.edited) made.push(html("button", { type: "button", onclick: () => {
      this.editor.text = this.text;
      this.#typed();
    } }, "Undo all changes"));
    if (this.edited && mayWrite && subject.kind === "file") made.push(html("button", { type: "button", id: "save", title: subject.name, onclick: () => this.#save() }, "Save"));
    if (mayWrite && routers.length) {
      this.target ??= html("select", { "aria-label": "Router" });
      const kept = this.target.value;
      this.target.replaceChildren(...routers.map((each) => html("option", { value: each.number }, each.name)));
      if (routers.some((each) => String(each.number) === kept)) this.target.value = kept;
      made.push(html("button", { type: "button", id: "prepare", class: "main", disabled: !this.sound, onclick: () => this.#prepare() }, "Show what a swap changes"));
      if (subject.kind === "file") made.push(html("span", { class: "quiet" }, "in"), this.target);
    }
    if (!made.length) made.push(html("span", { class: "quiet" }, subject.kind === "router" ? "The configuration that runs." : "Typing changes nothing but this page."));
    this.actions.replaceChildren(...made);
  }

  async #save() {
    const { subject } = this.shared, text = this.editor.text;
    try {
      const { version } = await post(`subjects/${subject.number}/save`, { text, version: this.version });
      if (this.shared.subject !== subject) return;
      Object.assign(this, { text, version });
      this.#tools();
      await this.shared.saved();
    } catch (error) {
      this.change.hidden = false;
      this.change.replaceChildren(html("p", { class: "error" }, error.message));
    }
  }

  #close() {
    this.change.hidden = true;
    this.change.replaceChildren();
  }

  async #prepare() {
    const text = this.editor.text, number = Number(this.target.value);
    this.change.hidden = false;
    this.change.replaceChildren(html("p", { class: "quiet" }, "Compiling …"));
    try {
      const found = await post(`subjects/${number}/change`, { text, from: this.shared.subject.number });
      if (text === this.editor.text) this.#offer(found);
    } catch (error) {
      this.change.replaceChildren(html("p", { class: "error" }, error.message));
    }
  }

  #offer(found) {
    const name = this.target.selectedOptions[0].textContent, proof = html("pre", { id: "proof", role: "status" });
    this.change.replaceChildren(
      html("h3", {}, `What changes in ${name}`),
      html("ul", {}, ...found.lines.map((line) => html("li", {}, line))),
      ...found.warnings.map((line) => html("p", { class: "warning" }, line)),
      html("div", { class: "actions" },
        html("button", { type: "button", id: "swap", class: "main", onclick: () => this.#swap(found.ticket, name, null) }, `Swap ${name}`),
        html("button", { type: "button", id: "try", title: "Unless you press Keep it within that time, the router of now comes back",
          onclick: () => this.#swap(found.ticket, name, TRIAL) }, `Swap for ${TRIAL} seconds`),
        html("button", { type: "button", id: "differ", title: "Proves it, as clickbpf load --replace --diff does; takes from seconds to minutes",
          onclick: () => this.#differ(found.ticket, proof) }, "Which packets differ?"),
        html("button", { type: "button", onclick: () => this.#close() }, "Leave it as it is")), proof);
  }

  async #differ(ticket, proof) {
    proof.textContent = "Proving …";
    try {
      proof.textContent = (await post("difference", { ticket })).text;
    } catch (error) {
      proof.textContent = error.message;
    }
  }

  async #swap(ticket, name, seconds) {
    this.change.replaceChildren(html("p", { class: "quiet" }, "Swapping …"));
    try {
      const done = await post("change", seconds ? { ticket, seconds } : { ticket });
      if (this.shared.subject.kind === "router") this.text = this.editor.text;
      this.change.replaceChildren(html("p", { class: "done" }, `${name} runs the new configuration${seconds ? `. Unless you keep it, the one before comes back after ${seconds} seconds` : ""}.`), ...done.lines.map((line) => html("p", { class: "quiet" }, line)));
      this.#tools();
    } catch (error) {
      this.change.replaceChildren(html("p", { class: "error" }, error.message));
    }
  }
}
