// An editor for configurations: a text field on top of the same text in colours, with line numbers and underlined mistakes.

import { pieces } from "./colours.js";
import { Completion } from "./completion.js";
import { html } from "./make.js";

// Longer texts, in characters, have no colours.
const MOST_COLOURED = 200_000;

export class Editor {
  // `changed` is called with the text whenever it has changed; `propose` is called with a text and an offset, and returns proposals.
  constructor(changed, propose) {
    this.field = html("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "Configuration" });
    this.under = html("pre", { class: "colours", "aria-hidden": "true" });
    this.lines = html("pre", { class: "numbering", "aria-hidden": "true" });
    this.root = html("div", { class: "editor" }, this.lines, html("div", { class: "sheet" }, this.under, this.field));
    this.mistakes = [];
    this.field.addEventListener("input", () => {
      this.#paint();
      changed(this.field.value);
    });
    this.field.addEventListener("scroll", () => this.#follow());
    this.completion = new Completion(this.field, propose);
    this.root.querySelector(".sheet").append(this.completion.root);
    this.field.addEventListener("keydown", (event) => this.completion.key(event) || this.#key(event));
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    this.field.value = text;
    this.mistakes = [];
    this.#paint();
  }

  // Show the checker's diagnostics: {line, column, severity, message}; lines and columns count from 1.
  mark(mistakes) {
    this.mistakes = mistakes.filter((each) => each.line !== null);
    this.#paint();
  }

  goTo(line, column = 1) {
    const before = this.field.value.split("\n").slice(0, line - 1).join("\n");
    const at = Math.min(this.field.value.length, (line > 1 ? before.length + 1 : 0) + column - 1);
    this.field.focus();
    this.field.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(this.field).lineHeight);
    this.field.scrollTop = Math.max(0, (line - 4) * height);
  }

  #key(event) {
    if (event.key === "Tab" && !event.shiftKey && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      this.field.setRangeText("\t", this.field.selectionStart, this.field.selectionEnd, "end");
      this.field.dispatchEvent(new Event("input"));
    } else if (event.key === "Escape") {
      this.field.blur();
    }
  }

  #follow() {
    this.under.scrollTop = this.lines.scrollTop = this.field.scrollTop;
    this.under.scrollLeft = this.field.scrollLeft;
  }

  #paint() {
    const text = this.field.value;
    const marks = this.#marks(text);
    const whole = text.length > MOST_COLOURED ? [["plain", text]] : pieces(text);
    const made = document.createDocumentFragment();
    let at = 0;
    for (const [kind, piece] of whole) {
      for (const [part, severity] of parts(piece, at, marks)) made.append(span(part, kind, severity));
      at += piece.length;
    }
    made.append("\n ");
    this.under.replaceChildren(made);
    const wrong = new Map(this.mistakes.map((each) => [each.line, each.severity]));
    const count = text.split("\n").length;
    this.lines.replaceChildren(...Array.from({ length: count }, (_, index) => {
      const number = html("span", wrong.has(index + 1) ? { class: wrong.get(index + 1) } : {}, String(index + 1));
      return [number, "\n"];
    }).flat());
    this.#follow();
  }

  // The ranges of mistakes to underline: [begin, end, severity], as offsets. The checker counts characters, this field UTF-16 units.
  #marks(text) {
    const lines = text.split("\n");
    const starts = [0];
    for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
    return this.mistakes.filter((each) => each.line <= lines.length).map((each) => {
      const line = lines[each.line - 1], column = [...line].slice(0, each.column - 1).join("").length;
      const word = /^(?:[\w@/$]+|->|=>|::|[^\s])/.exec(line.slice(column));
      const begin = starts[each.line - 1] + Math.min(column, Math.max(0, line.length - 1));
      return [begin, begin + (word ? word[0].length : 1), each.severity];
    });
  }
}

function span(text, kind, severity) {
  if (kind === "plain" && !severity) return document.createTextNode(text);
  return html("span", { class: `${kind}${severity ? ` wrong-${severity}` : ""}` }, text);
}

// A piece that begins at an offset, divided at the borders of marks.
function* parts(piece, at, marks) {
  const cuts = new Set([0, piece.length]);
  for (const [begin, end] of marks) for (const cut of [begin - at, end - at]) if (cut > 0 && cut < piece.length) cuts.add(cut);
  const places = [...cuts].sort((a, b) => a - b);
  for (let number = 0; number + 1 < places.length; number++) {
    const begin = at + places[number];
    const mark = marks.find(([from, to]) => from <= begin && begin < to);
    yield [piece.slice(places[number], places[number + 1]), mark ? mark[2] : null];
  }
}
