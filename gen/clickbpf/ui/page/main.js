// The page: its state, and the connections between its parts.

import { follow, get, post } from "./api.js";
import { ConfigurationPanel } from "./configuration.js";
import { ElementPanel } from "./element.js";
import { Graph } from "./graph.js";
import { legend } from "./legend.js";
import { html, rate } from "./make.js";
import { PacketsPanel } from "./packets.js";
import { RouterPanel } from "./router.js";

const at = (id) => document.getElementById(id);
// Milliseconds after which the list of routers is requested again.
const AGAIN = 5000;

// The state shared by all parts of the page: the subject shown, its graph, and the latest measurements of its elements, by name.
const shared = {
  subject: null, graph: null, live: null, state: {}, mayWrite: false, subjects: [],
  choose, follow: (name, direction) => graph.follow(name, direction), unfolded: () => [...unfolded], preview, saved,
  written: () => (panels.Configuration.edited ? panels.Configuration.editor.text : null), highlight: (elements) => graph.highlight(elements), reveal: (name) => graph.reveal(name),
};
const graph = new Graph(at("graph"), { chosen: (box) => choose(box ? box.name : null), opened: fold });
const panels = { Router: new RouterPanel(shared), Element: new ElementPanel(shared), Configuration: new ConfigurationPanel(shared), Packets: new PacketsPanel(shared) };
// Measurements by the numbers of elements and connections; one that isn't whole only has the changes.
let rows = { elements: new Map(), lines: new Map() };
let source = null, unfolded = new Set(), shown = "Router", previewed = false;

// ---- subjects ----

async function list() {
  const found = await get("subjects");
  shared.mayWrite = found.may_write;
  shared.subjects = found.subjects;
  const choice = at("subject"), text = JSON.stringify(found.subjects.map((each) => [each.number, each.name]));
  if (choice.dataset.shown !== text) {
    choice.dataset.shown = text;
    choice.replaceChildren(...found.subjects.map((each) => html("option", { value: each.number }, each.kind === "file" ? `${each.name} (file)` : each.name)));
    if (shared.subject) choice.value = shared.subject.number;
  }
  const first = found.subjects.find((each) => String(each.number) === location.hash.slice(1)) || found.subjects[0];
  if (!found.subjects.some((each) => each.number === shared.subject?.number)) {
    if (first) await open(first.number);
    else nothing();
  }
}

function nothing() {
  source?.close();
  shared.subject = shared.graph = shared.live = null;
  graph.clear();
  notice("No router is loaded. Those that are loaded from now on appear here: clickbpf load FILE");
}

async function open(number) {
  const subject = shared.subjects.find((each) => each.number === Number(number));
  if (!subject) return;
  source?.close();
  Object.assign(shared, { subject, graph: null, live: null, state: {} });
  at("subject").value = subject.number;
  history.replaceState(null, "", `#${subject.number}`);
  document.title = `${subject.name} – clickbpf`;
  unfolded = new Set();
  panels.Element.empty();
  preview(null);
  state(subject.state);
  trial(null);
  at("totals").textContent = "";
  await draw(false);
  panels.Configuration.subject();
  panels.Packets.subject();
  if (subject.kind === "router") {
    source = follow(`subjects/${subject.number}/live`, measured, () => state("no answer"));
  }
}

async function draw(keepView) {
  const subject = shared.subject;
  try {
    const found = await get(`subjects/${subject.number}/graph`, { unfolded: [...unfolded] });
    if (shared.subject !== subject) return;
    shared.graph = found;
    notice(null);
    if (!previewed) picture(found, keepView);
  } catch (error) {
    if (shared.subject !== subject) return;
    shared.graph = null;
    graph.clear();
    notice(error.message);
  }
  panels.Router.show();
}

function picture(found, keepView) {
  legend(at("legend"), found.meanings, shared.subject.kind === "router");
  graph.draw(found, keepView);
  at("fold").hidden = !found.compounds.length;
  at("fold").textContent = found.unfolded.length ? "Fold all" : "Unfold all";
  graph.choose(panels.Element.name);
  search();
}

// Draw the graph of an edited text, or the subject's own again for null.
function preview(found) {
  if (!found && !shared.graph) previewed = false;
  at("stage").classList.toggle("previews", found !== null);
  if (found) {
    notice(null);
    picture(found, previewed);
  } else if (previewed) {
    picture(shared.graph, false);
  }
  previewed = found !== null;
}

// The file shown has a new text.
function saved() {
  preview(null);
  return draw(true);
}

function notice(text) {
  at("notice").hidden = text === null;
  at("notice").textContent = text || "";
}

function state(text) {
  at("state").className = `state ${text || ""}`;
  at("state").textContent = text || "";
}

// ---- measurements ----

function measured(now) {
  if (now.error) return state(now.error);
  if (now.whole) rows = { elements: new Map(), lines: new Map() };
  for (const [index, kernel, runtime, dropRate, dropped, reasons, holds, size] of now.elements) rows.elements.set(index, { index, kernel, runtime, dropRate, dropped, reasons, holds, size });
  for (const [number, value] of now.lines) rows.lines.set(number, { number, value });
  if (!shared.graph) return;
  if (now.version !== shared.graph.version) return void replaced();
  state(now.state);
  trial(now.trial);
  const names = shared.graph.elements, elements = [...rows.elements.values()], lines = [...rows.lines.values()];
  shared.state = { uptime: now.uptime, cpu: now.cpu };
  shared.live = new Map(elements.map((each) => [names[each.index], each]));
  if (document.hidden || previewed) return;
  graph.measure(lines, elements);
  const drops = elements.reduce((sum, each) => sum + each.dropRate, 0);
  const busiest = lines.reduce((most, { value }) => Math.max(most, value ?? 0), 0);
  at("totals").textContent = `${rate(busiest)} packets/s${drops ? `, ${rate(drops)} dropped/s` : ""}`;
  panels[shown].measure?.();
}

// The trial of the router shown, while it waits for confirmation, otherwise null. A confirmation is for this trial, not for a later one.
function trial(token) {
  const keep = at("trial");
  if ((keep.dataset.token ?? null) === token) return;
  if (token === null) delete keep.dataset.token;
  else keep.dataset.token = token;
  keep.hidden = token === null;
  const confirm = () => post(`subjects/${shared.subject.number}/confirm`, { trial: token }).then(() => trial(null), (error) => notice(error.message));
  keep.replaceChildren("On trial", ...(shared.mayWrite ? [html("button", { type: "button", id: "keep", class: "main", onclick: confirm }, "Keep it")] : []));
}

// The router shown has been replaced.
async function replaced() {
  preview(null);
  await draw(false);
  if (panels.Element.name) panels.Element.show(panels.Element.name);
  if (!panels.Configuration.edited) panels.Configuration.subject();
}

// ---- selection ----

function choose(name, reveal = false) {
  graph.follow(null);
  graph.choose(name);
  if (name === null) {
    panels.Element.empty();
    return;
  }
  if (reveal) graph.reveal(name);
  tab("Element");
  if (shared.graph?.compounds.includes(name)) compound(name);
  else panels.Element.show(name);
}

function compound(name) {
  const inside = shared.graph.elements.filter((each) => each.startsWith(`${name}/`));
  panels.Element.empty();
  panels.Element.root.replaceChildren(
    html("h2", {}, name), html("p", { class: "under" }, `compound of ${inside.length} elements`),
    html("div", { class: "actions" }, html("button", { type: "button", onclick: () => fold(name) }, shared.graph.unfolded.includes(name) ? "Fold" : "Unfold")),
    html("h3", {}, "Inside"),
    ...inside.map((each) => html("div", {}, html("button", { type: "button", class: "link", onclick: () => choose(each, true) }, each))));
}

function fold(name) {
  if (unfolded.has(name)) for (const each of [...unfolded]) (each === name || each.startsWith(`${name}/`)) && unfolded.delete(each);
  else unfolded.add(name);
  draw(false);
}

function tab(name) {
  shown = name;
  for (const button of at("tabs").children) button.setAttribute("aria-selected", String(button.textContent === name));
  at("panels").replaceChildren(panels[name].root);
  panels[name].opened?.();
  panels[name].measure?.();
}

function search() {
  const text = at("search").value.trim().toLowerCase();
  const takes = (box) => `${box.name} ${box.lines.join(" ")}`.toLowerCase().includes(text) || (box.compound && shared.graph.elements.some((name) => name.startsWith(`${box.name}/`) && name.toLowerCase().includes(text)));
  const count = graph.find(text ? takes : null);
  at("found").textContent = text ? String(count) : "";
}

// ---- the page's own ----

at("tabs").addEventListener("keydown", (event) => {
  const all = [...at("tabs").children], step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const next = step && all[(all.indexOf(event.target) + step + all.length) % all.length];
  if (next) tab(next.textContent), next.focus();
});
at("tabs").append(...Object.keys(panels).map((name) => html("button", { type: "button", role: "tab", onclick: () => tab(name) }, name)));
at("subject").addEventListener("change", (event) => open(event.target.value));
at("search").addEventListener("input", search);
at("search").addEventListener("keydown", (event) => {
  const first = graph.drawn.boxes.find((box, number) => graph.boxes[number].element.classList.contains("found"));
  if (event.key === "Enter" && first) choose(first.name, true);
  if (event.key === "Escape") {
    event.target.value = "";
    search();
  }
});
at("fit").addEventListener("click", () => graph.fit());
at("larger").addEventListener("click", () => graph.zoom(1.3));
at("smaller").addEventListener("click", () => graph.zoom(1 / 1.3));
at("fold").addEventListener("click", () => {
  unfolded = new Set(shared.graph.unfolded.length ? [] : shared.graph.compounds);
  draw(false);
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = { "/": () => at("search").focus(), "+": () => graph.zoom(1.3), "-": () => graph.zoom(1 / 1.3), 0: () => graph.fit() }[event.key];
  if (act) event.preventDefault(), act();
});
at("divider").addEventListener("pointerdown", (event) => {
  event.target.setPointerCapture(event.pointerId);
  const move = (moved) => document.body.style.setProperty("--panel-width", `${Math.max(200, innerWidth - moved.clientX)}px`);
  event.target.addEventListener("pointermove", move);
  event.target.addEventListener("pointerup", () => event.target.removeEventListener("pointermove", move), { once: true });
});
at("divider").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: 32, ArrowRight: -32 }[event.key];
  if (step) document.body.style.setProperty("--panel-width", `${document.querySelector("aside").offsetWidth + step}px`);
});

tab("Router");
const again = () => list().catch((error) => notice(error.message));
again().then(() => setInterval(() => document.hidden || again(), AGAIN));
