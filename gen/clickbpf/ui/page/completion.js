// Completion in a text field: a list below the caret, by Ctrl-Space or while a word is typed.

import { html } from "./make.js";

// Characters of a word, and milliseconds without typing, after which the list appears by itself.
const WORD = 2, PAUSE = 120;

export class Completion {
  // `propose` is called with the field's text and an offset in characters; it returns {begin, proposals: [[text, kind, about]]}.
  constructor(field, propose) {
    this.field = field;
    this.propose = propose;
    this.root = html("ul", { class: "completion", role: "listbox", id: "completion", "aria-label": "What may be typed", hidden: true });
    this.asked = 0;
    field.setAttribute("aria-controls", "completion");
    field.addEventListener("input", (event) => this.#typed(event));
    for (const kind of ["blur", "scroll", "click"]) field.addEventListener(kind, () => this.close());
  }

  get open() {
    return !this.root.hidden;
  }

  close() {
    this.asked++;
    clearTimeout(this.timer);
    this.root.hidden = true;
    this.field.removeAttribute("aria-activedescendant");
  }

  // Whether a key was for the list.
  key(event) {
    if (event.key === " " && event.ctrlKey) this.#ask();
    else if (!this.open) return false;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.#choose(this.chosen + (event.key === "ArrowDown" ? 1 : -1));
    else if (event.key === "Enter" || event.key === "Tab") this.#take(this.rows[this.chosen]);
    else if (event.key === "Escape") this.close();
    else return false;
    event.preventDefault();
    return true;
  }

  #typed(event) {
    this.close();
    const word = /[\w@]*$/.exec(this.field.value.slice(0, this.field.selectionStart))[0];
    if (event.inputType === "insertText" && (word.length >= WORD || event.data === ".")) this.timer = setTimeout(() => this.#ask(), PAUSE);
  }

  async #ask() {
    const number = ++this.asked, text = this.field.value, at = this.field.selectionStart;
    let found;
    try {
      found = await this.propose(text, [...text.slice(0, at)].length);
    } catch {
      return;
    }
    if (number !== this.asked || this.field.value !== text || this.field.selectionStart !== at) return;
    this.begin = [...text].slice(0, found.begin).join("").length;
    this.rows = found.proposals;
    if (!this.rows.length) return this.close();
    this.root.replaceChildren(...this.rows.map((row, at) => html("li", { role: "option", id: `proposal-${at}`, class: row[1], onmousedown: (event) => {
      event.preventDefault();
      this.#take(row);
    } }, html("b", {}, row[0]), html("span", { class: "quiet" }, row[2] || row[1]))));
    this.root.hidden = false;
    this.#place();
    this.#choose(0);
  }

  #choose(at) {
    this.chosen = (at + this.rows.length) % this.rows.length;
    [...this.root.children].forEach((row, number) => row.setAttribute("aria-selected", String(number === this.chosen)));
    this.root.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", `proposal-${this.chosen}`);
  }

  #take([text]) {
    this.field.setRangeText(text, this.begin, this.field.selectionStart, "end");
    this.close();
    this.field.dispatchEvent(new Event("input"));
  }

  // Below the word's first character, or above if there is no room.
  #place() {
    const style = getComputedStyle(this.field), pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const before = this.field.value.slice(0, this.begin), line = before.slice(before.lastIndexOf("\n") + 1);
    let column = 0;
    for (const character of line) column += character === "\t" ? 4 - (column % 4) : 1;
    const height = parseFloat(style.lineHeight), left = parseFloat(style.paddingLeft) + column * pen.measureText("x").width - this.field.scrollLeft;
    const below = parseFloat(style.paddingTop) + before.split("\n").length * height - this.field.scrollTop;
    const room = this.field.clientHeight - below >= this.root.offsetHeight;
    this.root.style.left = `${Math.max(0, Math.min(left, this.field.clientWidth - this.root.offsetWidth))}px`;
    this.root.style.top = `${room ? below : Math.max(0, below - height - this.root.offsetHeight)}px`;
  }
}
