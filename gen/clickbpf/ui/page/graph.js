// The drawing of a router: boxes, ports and lines with measurements; moving, zooming and searching.

import { rate, svg } from "./make.js";

// Below the first scale some texts are left out, below the second all.
const FAR = 0.5, FARTHER = 0.22;
// At this scale all texts are readable.
const READABLE = 0.8;

function round(number) {
  return Math.round(number * 10) / 10;
}

export class Graph {
  // `chosen` is called with a clicked box, `opened` with a compound to fold or unfold.
  constructor(root, { chosen, opened }) {
    this.root = root;
    this.chosen = chosen;
    this.opened = opened;
    this.world = svg("g");
    root.append(this.world);
    this.view = { x: 0, y: 0, scale: 1 };
    this.clear();
    this.#listen();
  }

  clear() {
    this.drawn = { boxes: [], lines: [], width: 0, height: 0 };
    this.boxes = [];
    this.lines = [];
    this.byName = new Map();
    this.world.replaceChildren();
  }

  // ---- drawing ----

  draw(graph, keepView) {
    this.clear();
    this.drawn = graph;
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${graph.drawing}</svg>`, "image/svg+xml");
    this.labels = svg("g", {});
    this.world.append(...parsed.documentElement.children, this.labels);
    this.lines = [...this.world.querySelectorAll(".line")].map((element) => ({ element, path: element.querySelector("path"), label: null, known: true, shown: "" }));
    this.boxes = [...this.world.querySelectorAll(".box")].map((element, number) => this.#box(element, graph.boxes[number], number));
    for (const group of this.world.querySelectorAll(".unfolded")) group.append(svg("title", {}, `${group.dataset.name}: double-click folds it`));
    graph.boxes.forEach((box, number) => this.byName.set(box.name, number));
    this.elementBox = new Map(graph.elements.map((name, index) => [index, this.#boxOf(name)]));
    this.byConnection = new Map(graph.lines.map((line, number) => [line.connection, number]));
    if (!keepView) this.begin();
    this.#place();
  }

  // The number of the box that an element is in: its own, or that of a folded compound around it.
  #boxOf(name) {
    for (let part = name; part; part = part.slice(0, Math.max(0, part.lastIndexOf("/")))) {
      if (this.byName.has(part)) return this.byName.get(part);
    }
    return undefined;
  }

  boxOf(name) {
    return this.#boxOf(name);
  }

  #box(element, box, number) {
    element.dataset.number = number;
    element.setAttribute("aria-label", box.compound ? `${box.name}, compound` : `${box.name}, ${box.class}`);
    element.append(svg("title", {}, element.getAttribute("aria-label")));
    const last = [...element.querySelectorAll("text")].slice(1).at(-1);
    if (last && !box.compound && last.textContent !== box.class) last.classList.add("config");
    const frame = element.querySelector(".frame"), [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(frame.getAttribute(name)));
    return { element, x, y, width, height, dropped: null, tank: null, shown: "" };
  }

  // ---- measurements ----

  // Rates of connections and of elements, by number; null if unknown.
  measure(lines, elements) {
    for (const { number, value } of lines) {
      const line = this.byConnection.get(number);
      if (line !== undefined) this.#flow(line, value);
    }
    const boxes = new Map();
    for (const each of elements) {
      const number = this.elementBox.get(each.index);
      if (number === undefined) continue;
      const sum = boxes.get(number) || { dropRate: 0, holds: null, size: null };
      sum.dropRate += each.dropRate;
      if (each.size && !this.drawn.boxes[number].compound) Object.assign(sum, { holds: each.holds, size: each.size });
      boxes.set(number, sum);
    }
    this.boxes.forEach((box, number) => this.#state(box, number, boxes.get(number)));
  }

  #flow(number, value) {
    const line = this.lines[number];
    const text = value ? rate(value) : "", known = value !== null;
    if (text === line.shown && known === line.known) return;
    Object.assign(line, { shown: text, known });
    line.element.classList.toggle("unknown", !known);
    line.element.classList.toggle("flows", value > 0);
    line.path.style.strokeWidth = value > 0 ? (1 + 0.85 * Math.log10(1 + value)).toFixed(1) : "";
    if (!line.label) {
      const points = this.drawn.lines[number].points, [x, y] = middle(points);
      line.label = svg("text", { class: "rate", x: round(x), y: round(y + 3) });
      this.labels.append(line.label);
    }
    line.label.textContent = text;
  }

  #state(box, number, state) {
    const drops = state?.dropRate || 0, fill = state?.size ? Math.min(1, state.holds / state.size) : null;
    const text = `${drops ? rate(drops) : ""} ${fill === null ? "" : fill.toFixed(3)}`;
    if (text === box.shown) return;
    box.shown = text;
    box.element.classList.toggle("drops", drops > 0);
    if (drops || box.dropped) {
      box.dropped ||= box.element.appendChild(svg("text", { class: "dropped", x: box.x + box.width + 4, y: box.y + box.height / 2 + 3 }));
      box.dropped.textContent = drops ? `✕ ${rate(drops)}/s` : "";
    }
    if (fill !== null) this.#tank(box, fill);
  }

  // A queue's level, at the left edge of its box.
  #tank(box, fill) {
    const x = box.x + 4, y = box.y + 3, height = box.height - 6;
    box.tank ||= [
      box.element.appendChild(svg("rect", { class: "level", x, width: 5 })),
      box.element.appendChild(svg("rect", { class: "tank", x, y, width: 5, height, rx: 1 })),
    ];
    box.tank[0].setAttribute("y", round(y + height * (1 - fill)));
    box.tank[0].setAttribute("height", round(height * fill));
    box.tank[0].classList.toggle("full", fill >= 0.9);
  }

  // ---- selecting, finding, following ----

  choose(name) {
    for (const box of this.boxes) box.element.classList.remove("chosen");
    for (const line of this.lines) line.element.classList.remove("beside");
    const number = name === null ? undefined : this.#boxOf(name);
    if (number === undefined) return;
    this.boxes[number].element.classList.add("chosen");
    this.drawn.lines.forEach((line, at) => {
      if (line.source === number || line.target === number) this.lines[at].element.classList.add("beside");
    });
  }

  // Mark the boxes that a function accepts; none for null. Returns their number.
  find(takes) {
    this.root.classList.toggle("searching", takes !== null);
    let count = 0;
    this.drawn.boxes.forEach((box, number) => {
      const found = takes !== null && takes(box);
      count += found;
      this.boxes[number].element.classList.toggle("found", found);
    });
    return count;
  }

  // Show only what packets meet after a box (1), before it (-1) or both (0); everything for null.
  follow(name, direction) {
    const on = name === null ? null : this.#reach(this.#boxOf(name), direction);
    this.show(on && on.boxes, on && on.lines);
  }

  // Show only these boxes and lines (sets of numbers); everything for null.
  show(boxes, lines) {
    this.root.classList.toggle("following", boxes !== null);
    this.boxes.forEach((box, number) => box.element.classList.toggle("on", boxes !== null && boxes.has(number)));
    this.lines.forEach((line, number) => line.element.classList.toggle("on", boxes !== null && lines.has(number)));
  }

  // Show only the path of a packet through these elements, in this order.
  highlight(elements) {
    const met = elements.map((name) => this.#boxOf(name));
    const boxes = new Set(met.filter((number) => number !== undefined)), lines = new Set();
    this.drawn.lines.forEach((line, number) => {
      if (met.some((box, at) => box === line.source && met.slice(at + 1).includes(line.target) && this.#follows(met, at, line))) lines.add(number);
    });
    this.show(boxes, lines);
    if (boxes.size) this.frame([...boxes].map((number) => this.drawn.boxes[number]));
  }

  // Whether a line leads from a step of a path to the next step, or may lead to a later one because none does: copies branch off.
  #follows(met, at, line) {
    const next = met[at + 1];
    if (next === line.target) return true;
    return !this.drawn.lines.some((other) => other.source === met[at] && other.target === next);
  }

  #reach(start, direction) {
    const boxes = new Set([start]), lines = new Set();
    for (const [from, to] of [["source", "target"], ["target", "source"]]) {
      if ((direction > 0 && from === "target") || (direction < 0 && from === "source")) continue;
      const next = new Map();
      this.drawn.lines.forEach((line, number) => next.set(line[from], [...(next.get(line[from]) || []), number]));
      const pending = [start], seen = new Set([start]);
      while (pending.length) {
        for (const number of next.get(pending.pop()) || []) {
          lines.add(number);
          const other = this.drawn.lines[number][to];
          boxes.add(other);
          if (!seen.has(other)) seen.add(other) && pending.push(other);
        }
      }
    }
    return { boxes, lines };
  }

  // ---- moving ----

  #place() {
    const { x, y, scale } = this.view;
    this.world.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`);
    this.root.classList.toggle("far", scale < FAR);
    this.root.classList.toggle("farther", scale < FARTHER);
  }

  zoom(factor, at) {
    const box = this.root.getBoundingClientRect();
    const [x, y] = at || [box.width / 2, box.height / 2];
    const scale = Math.min(4, Math.max(0.01, this.view.scale * factor)), real = scale / this.view.scale;
    this.view = { x: x - (x - this.view.x) * real, y: y - (y - this.view.y) * real, scale };
    this.#place();
  }

  // Show the whole graph or, if names would be too small to read, the surroundings of the first input.
  begin() {
    this.fit();
    if (this.view.scale >= READABLE || !this.drawn.lines.length) return;
    const sources = this.drawn.lines.map((line) => this.drawn.boxes[line.source]);
    const first = sources.reduce((one, other) => (other.centre[1] < one.centre[1] ? other : one));
    const middle = this.root.getBoundingClientRect().width / 2, top = first.centre[1] - first.size[1] / 2;
    this.view = { x: middle - first.centre[0] * READABLE, y: 24 - top * READABLE, scale: READABLE };
    this.#place();
  }

  fit() {
    this.#fit(0, 0, this.drawn.width, this.drawn.height);
  }

  // Zoom in as far as some boxes all stay visible.
  frame(boxes) {
    const edges = (axis, side) => boxes.map((box) => box.centre[axis] + (side * box.size[axis]) / 2);
    this.#fit(Math.min(...edges(0, -1)), Math.min(...edges(1, -1)), Math.max(...edges(0, 1)), Math.max(...edges(1, 1)));
  }

  // Centre this part of the drawing.
  #fit(left, top, right, bottom) {
    const box = this.root.getBoundingClientRect(), width = right - left || 1, height = bottom - top || 1;
    const scale = Math.max(0.005, Math.min(1.25, (box.width - 48) / width, (box.height - 32) / height));
    this.view = { x: (box.width - width * scale) / 2 - left * scale, y: (box.height - height * scale) / 2 - top * scale, scale };
    this.#place();
  }

  // Centre a box, at a readable size.
  reveal(name) {
    const number = this.#boxOf(name);
    if (number === undefined) return;
    const box = this.root.getBoundingClientRect(), [x, y] = this.drawn.boxes[number].centre;
    const scale = Math.max(this.view.scale, READABLE);
    this.view = { x: box.width / 2 - x * scale, y: box.height / 2 - y * scale, scale };
    this.#place();
  }

  #listen() {
    const root = this.root;
    let held = null;
    root.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = root.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), [event.clientX - box.left, event.clientY - box.top]);
    }, { passive: false });
    root.addEventListener("pointerdown", (event) => {
      if (event.button === 0) held = { x: event.clientX, y: event.clientY, moved: false };
    });
    root.addEventListener("pointermove", (event) => {
      if (!held) return;
      const dx = event.clientX - held.x, dy = event.clientY - held.y;
      if (!held.moved && Math.hypot(dx, dy) < 4) return;
      if (!held.moved) root.setPointerCapture(event.pointerId);
      root.classList.add("held");
      held = { x: event.clientX, y: event.clientY, moved: true };
      this.view = { ...this.view, x: this.view.x + dx, y: this.view.y + dy };
      this.#place();
    });
    const release = () => {
      root.classList.remove("held");
      setTimeout(() => (held = null));
    };
    root.addEventListener("pointerup", release);
    root.addEventListener("pointercancel", release);
    root.addEventListener("click", (event) => {
      if (held?.moved) return;
      const box = event.target.closest(".box");
      this.chosen(box ? this.drawn.boxes[box.dataset.number] : null);
    });
    root.addEventListener("dblclick", (event) => {
      const box = event.target.closest(".box"), group = event.target.closest(".unfolded");
      const drawn = box && this.drawn.boxes[box.dataset.number];
      if (drawn?.compound) this.opened(drawn.name);
      else if (!box && group) this.opened(group.dataset.name);
    });
    root.addEventListener("keydown", (event) => {
      const box = event.target.closest(".box");
      if (box && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        this.chosen(this.drawn.boxes[box.dataset.number]);
      }
    });
  }
}

// The middle of joined Bézier curves.
function middle(points) {
  const curves = (points.length - 1) / 3, at = Math.floor(curves / 2);
  if (curves < 1) return points[0];
  if (curves % 2 === 0) return points[at * 3];
  const [a, b, c, d] = points.slice(at * 3, at * 3 + 4);
  return [0, 1].map((axis) => (a[axis] + 3 * b[axis] + 3 * c[axis] + d[axis]) / 8);
}
