"use strict";
// The details of the elements are in the page as JSON; they are only ever shown as text.
const known = JSON.parse(document.getElementById("known").textContent);
const side = document.getElementById("side");

function make(parent, tag, text, fragment) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (fragment !== undefined) made.href = "#" + encodeURIComponent(fragment);
  parent.append(made);
  return made;
}

function row(list, name, text) {
  if (!text) return;
  make(list, "dt", name);
  make(list, "dd", text);
}

function links(list, name, others) {
  if (!others.length) return;
  make(list, "dt", name);
  for (const other of others) make(make(list, "dd", ""), "a", other, other);
}

function describe(name) {
  const element = known.elements[name];
  side.replaceChildren();
  make(side, "h2", element ? name : name + " { … }");
  const list = make(side, "dl", "");
  if (!element) {
    links(list, "Inside", Object.keys(known.elements).filter((each) => each.startsWith(name + "/")));
    return;
  }
  row(list, "Class", element.class);
  row(list, "Arguments", element.config);
  row(list, "Runs", element.where + ": " + element.reason);
  row(list, "Written", element.place);
  links(list, "Packets come from", element.from);
  links(list, "Packets go to", element.to);
  make(side, "pre", known.manuals[element.class] || "");
}

// The drawing of the innermost compound around a name, or of the compound itself.
function drawing(name) {
  let around = name in known.elements ? name : name + "/";
  while (around) {
    around = around.slice(0, Math.max(0, around.lastIndexOf("/")));
    const found = document.querySelector(`section[data-compound="${CSS.escape(around)}"]`);
    if (found) return found;
  }
  return document.querySelector("section");
}

function path(section) {
  const here = document.getElementById("here");
  here.replaceChildren();
  make(here, "a", known.title, "");
  let name = "";
  for (const part of section.dataset.compound.split("/").filter(Boolean)) {
    name = name ? name + "/" + part : part;
    here.append(" / ");
    make(here, "a", part, name);
  }
}

function show() {
  const name = decodeURIComponent(location.hash.slice(1));
  const section = drawing(name);
  for (const each of document.querySelectorAll("section")) each.classList.toggle("shown", each === section);
  for (const each of document.querySelectorAll(".chosen, .beside")) each.classList.remove("chosen", "beside");
  path(section);
  if (!name) return;
  describe(name);
  const boxes = [...section.querySelectorAll(".box")];
  const chosen = boxes.findIndex((box) => box.dataset.name === name);
  if (chosen < 0) return;
  boxes[chosen].classList.add("chosen");
  boxes[chosen].scrollIntoView({ block: "nearest", inline: "nearest" });
  for (const line of section.querySelectorAll(`.line[data-from="${chosen}"], .line[data-to="${chosen}"]`)) line.classList.add("beside");
}

function choose(box) {
  location.hash = encodeURIComponent(box.dataset.name);
}

for (const box of document.querySelectorAll(".box")) {
  box.addEventListener("click", () => choose(box));
  box.addEventListener("keydown", (event) => event.key === "Enter" && choose(box));
  box.addEventListener("mouseenter", () => location.hash.length < 2 && describe(box.dataset.name));
}
document.getElementById("search").addEventListener("input", (event) => {
  const text = event.target.value.toLowerCase();
  for (const box of document.querySelectorAll(".box")) {
    const element = known.elements[box.dataset.name];
    const words = (box.dataset.name + " " + (element ? element.class + " " + element.config : "")).toLowerCase();
    box.classList.toggle("found", text !== "" && words.includes(text));
  }
});
window.addEventListener("hashchange", show);
show();
