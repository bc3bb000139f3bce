// The panel about an element: its placement, current rates, handlers, and manual page.

import { get, post } from "./api.js";
import { html, rate } from "./make.js";

// Milliseconds after which the values of open handlers are read again.
const AGAIN = 2000;

export class ElementPanel {
  // `shared` has what the page shows: subject, mayWrite, live, and choose(name), follow(direction).
  constructor(shared) {
    this.shared = shared;
    this.root = html("div", { class: "panel" });
    this.open = new Map();
    setInterval(() => this.#readAgain(), AGAIN);
    this.empty();
  }

  empty() {
    this.name = null;
    this.root.replaceChildren(html("p", { class: "under" }, "Choose an element in the graph: what it is, what it does now, and its handlers are shown here."));
  }

  async show(name) {
    this.name = name;
    this.open.clear();
    const { subject } = this.shared;
    let known;
    try {
      known = await get(`subjects/${subject.number}/element`, { name });
    } catch (error) {
      if (this.name === name) this.root.replaceChildren(html("h2", {}, name), html("p", { class: "error" }, error.message));
      return;
    }
    if (this.name !== name || this.shared.subject !== subject) return;
    this.live = html("div", {});
    this.handlers = html("div", {});
    this.root.replaceChildren(
      html("h2", {}, known.name),
      html("p", { class: "under" }, known.class, " · ", html("span", { class: `tag ${known.where}`, title: known.reason }, known.runs)),
      html("dl", {},
        ...(known.config ? [html("dt", {}, "Arguments"), html("dd", {}, html("code", {}, known.config))] : []),
        html("dt", {}, "Runs there"), html("dd", {}, `because ${known.reason}`),
        ...(known.place ? [html("dt", {}, "Written in"), html("dd", {}, html("code", {}, known.place))] : []),
        ...this.#neighbours("Packets from", known.from, true),
        ...this.#neighbours("Packets to", known.to, false)),
      this.#ways(), this.live, this.handlers,
      html("h3", {}, "Manual"), html("pre", { class: "page" }, known.manual));
    this.measure();
    if (subject.kind === "router") await this.#list();
  }

  #neighbours(title, ends, inwards) {
    if (!ends.length) return [];
    const links = ends.map(([name, output, input]) => html("div", {},
      html("span", { class: "quiet" }, inwards ? `[${input}] ← ` : `[${output}] → `),
      html("button", { type: "button", class: "link", onclick: () => this.shared.choose(name, true) }, name)));
    return [html("dt", {}, title), html("dd", {}, ...links)];
  }

  #ways() {
    const buttons = [["Before it", -1], ["After it", 1], ["Both", 0]].map(([text, direction]) =>
      html("button", { type: "button", "aria-pressed": "false", onclick: (event) => {
        const pressed = event.target.getAttribute("aria-pressed") === "true";
        for (const button of buttons) button.setAttribute("aria-pressed", "false");
        event.target.setAttribute("aria-pressed", String(!pressed));
        this.shared.follow(pressed ? null : this.name, direction);
      } }, text));
    return html("div", { class: "actions" }, html("span", { class: "quiet" }, "Follow packets:"), ...buttons);
  }

  // The element's measurements.
  measure() {
    const now = this.name !== null && this.shared.live?.get(this.name);
    if (!this.live) return;
    if (!now) return this.live.replaceChildren();
    const rows = [];
    const row = (title, ...what) => rows.push(html("dt", {}, title), html("dd", { class: "numbers" }, ...what));
    if (now.kernel !== null) row("Packets", `${rate(now.kernel)}/s in the kernel, ${rate(now.runtime)}/s in the runtime`);
    if (now.holds !== null) row("Holds", `${now.holds}${now.size ? ` of ${now.size}` : ""} packets`);
    if (now.dropped) row("Drops", html("span", { class: now.dropRate ? "bad" : "" }, `${rate(now.dropRate)}/s, ${now.dropped} in all`));
    for (const [reason, count] of Object.entries(now.reasons)) row("", html("span", { title: this.shared.graph.reasons[reason] || "" }, `${count} ${reason}`));
    this.live.replaceChildren(...(rows.length ? [html("h3", {}, "Now"), html("dl", {}, ...rows)] : []));
  }

  // ---- handlers ----

  async #list() {
    const name = this.name, subject = this.shared.subject;
    let found;
    try {
      found = (await get(`subjects/${subject.number}/handlers`, { element: name })).handlers;
    } catch (error) {
      if (this.name === name) this.handlers.replaceChildren(html("h3", {}, "Handlers"), html("p", { class: "error" }, error.message));
      return;
    }
    if (this.name !== name) return;
    const own = found.filter((each) => !["name", "class", "handlers", "ports"].includes(each.name));
    this.handlers.replaceChildren(html("h3", {}, "Handlers"), html("ul", { class: "handlers" }, ...own.map((each) => this.#handler(each))));
  }

  #handler(handler) {
    const short = html("span", { class: "value mono" }), more = html("div", { class: "more", hidden: true });
    const toggle = html("button", { type: "button", class: "link mono", "aria-expanded": "false", "data-handler": handler.name, onclick: () => {
      more.hidden = !more.hidden;
      toggle.setAttribute("aria-expanded", String(!more.hidden));
      if (more.hidden) this.open.delete(handler.name);
      else this.#unfold(handler, more, short);
    } }, handler.name);
    const kind = handler.read ? (handler.write ? "read, write" : "") : "write";
    return html("li", {}, html("div", { class: "head" }, toggle, short, html("span", { class: "quiet" }, kind)), more);
  }

  #unfold(handler, more, short) {
    const value = html("pre", { class: "page" }), said = html("div", { role: "status" });
    more.replaceChildren(...(handler.read ? [value] : []));
    if (handler.read && handler.argument) more.prepend(this.#form("argument", "Read", (text) => this.#read(handler, value, short, text)));
    if (handler.write) {
      more.append(this.#form(handler.read ? "new value" : "value, if it takes one", "Write", (text) => this.#write(handler, text, said)), said);
    }
    if (handler.read) {
      this.open.set(handler.name, () => this.#read(handler, value, short, ""));
      this.#read(handler, value, short, "");
    }
  }

  #form(placeholder, text, done) {
    const field = html("input", { class: "mono", placeholder, "aria-label": placeholder, autocomplete: "off", spellcheck: "false" });
    return html("form", { onsubmit: (event) => {
      event.preventDefault();
      done(field.value);
    } }, field, html("button", { type: "submit" }, text));
  }

  async #read(handler, value, short, argument) {
    const name = this.name;
    try {
      const found = await get(`subjects/${this.shared.subject.number}/handler`, { element: name, name: handler.name, argument });
      if (this.name !== name) return;
      value.classList.remove("error");
      value.textContent = found.value + (found.cut ? "\n… (cut)" : "");
      short.textContent = found.value.trimEnd().includes("\n") ? "" : found.value.trim();
    } catch (error) {
      value.classList.add("error");
      value.textContent = error.message;
    }
  }

  async #write(handler, text, said) {
    try {
      await post(`subjects/${this.shared.subject.number}/handler`, { element: this.name, name: handler.name, text });
      said.className = "quiet";
      said.textContent = "written";
      this.#readAgain();
    } catch (error) {
      said.className = "error";
      said.textContent = error.message;
    }
  }

  #readAgain() {
    if (document.hidden || !this.root.isConnected) return;
    for (const read of this.open.values()) read();
  }
}
