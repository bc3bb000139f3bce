// Splits a configuration into words for syntax colouring.

const KINDS = [
  ["comment", /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|^#[^\n]*/my],
  ["text", /"(?:\\[^]|[^"\\])*"?|'[^']*'?|\\<[^>]*>?/y],
  ["word", /\b(?:elementclass|require|provide|define|input|output|import|var|static|export)\b/y],
  ["variable", /\$\{?\w+\}?/y],
  ["class", /\b[A-Z][\w@]*(?:\/[\w@]+)*/y],
  ["digit", /\b\d[\w.:/]*/y],
  ["name", /\b[a-z_][\w@]*(?=\s*(?:,\s*[\w@]+\s*)*::)/y],
  ["arrow", /->|=>|::|\|\|/y],
  ["plain", /[A-Za-z_]\w*|\s+|[^]/y],
];

// The kinds and texts of all pieces of a text.
export function* pieces(text) {
  let at = 0;
  while (at < text.length) {
    for (const [kind, pattern] of KINDS) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found && found[0]) {
        yield [kind, found[0]];
        at += found[0].length;
        break;
      }
    }
  }
}
