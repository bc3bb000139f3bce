// Making pieces of the page.

const SVG = "http://www.w3.org/2000/svg";

function finish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function html(tag, attributes = {}, ...children) {
  return finish(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return finish(document.createElementNS(SVG, tag), attributes, children);
}

// A rate as people read it: 12, 3.4k, 1.20M.
export function rate(value) {
  if (value >= 1e9) return `${(value / 1e9).toFixed(2)}G`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)}M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(1)}k`;
  return value >= 10 || value === 0 ? value.toFixed(0) : value.toFixed(1);
}

// A duration in its two largest units.
export function time(seconds) {
  const parts = [];
  let rest = Math.floor(seconds);
  for (const [unit, size] of [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]]) {
    const number = Math.floor(rest / size);
    rest %= size;
    if (number || parts.length || size === 1) parts.push(`${number}${unit}`);
  }
  return parts.slice(0, 2).join(" ");
}
