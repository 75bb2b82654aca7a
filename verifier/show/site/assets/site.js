"use strict";
// The three pages that move: the search, the trace and the graph. Everything else is there without a script.

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

const MARKS = { verified: "✓", refuted: "✗", conditional: "~", open: "?", declined: "–" };

function mark(verdict) {
  const made = element("span", undefined, "v " + verdict);
  made.title = verdict;
  const sign = element("span", MARKS[verdict]);
  sign.setAttribute("aria-hidden", "true");
  made.append(sign, element("span", verdict, "hidden"));
  return made;
}

function search() {
  const form = document.getElementById("search");
  if (!form || !window.CLAIMS) return;
  const [PAPER, NAME, SAYS, PLACE, PAGE, TRUE, , , POINTS, FINDINGS, STEP] = Array(11).keys();
  const field = (id) => document.getElementById(id);
  const body = document.querySelector("#claims tbody");
  const texts = window.CLAIMS.map((c) => [c[NAME], c[SAYS], c[PLACE], c[FINDINGS].join(" ")].join(" ").toLowerCase());
  const AT_ONCE = 100;
  let found = [];

  function row(claim) {
    const made = element("tr");
    const name = element("th");
    name.scope = "row";
    const link = element("a", claim[NAME]);
    link.href = claim[PAGE];
    name.append(link);
    made.append(name, element("td", claim[SAYS]));
    for (let k = 0; k < 3; k++) {
      const cell = element("td");
      cell.append(mark(claim[TRUE + k]));
      made.append(cell);
    }
    made.append(element("td", claim[POINTS]));
    return made;
  }

  function more() {
    const shown = body.children.length;
    body.append(...found.slice(shown, shown + AT_ONCE).map(row));
    field("more").hidden = body.children.length >= found.length;
  }

  function show() {
    const words = field("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const edition = TRUE + Number(field("edition").value);
    found = window.CLAIMS.filter((c, k) =>
      (!field("paper").value || c[PAPER] === field("paper").value) &&
      (!field("verdict").value || c[edition] === field("verdict").value) &&
      (field("steps").checked || !c[STEP]) &&
      words.every((w) => texts[k].includes(w)));
    field("count").textContent = found.length + (found.length === 1 ? " claim" : " claims");
    body.replaceChildren();
    more();
  }

  for (const [name, value] of new URLSearchParams(location.search)) {
    if (field(name) && "value" in field(name)) field(name).value = value;
  }
  form.hidden = false;
  for (const moved of ["input", "change"]) form.addEventListener(moved, show);
  form.addEventListener("submit", (event) => event.preventDefault());
  field("more").addEventListener("click", more);
  show();
}

function trace() {
  const slider = document.getElementById("token");
  if (!slider) return;
  const rows = [...document.querySelectorAll("#tokens tbody tr")];
  const heads = [...document.querySelectorAll("#tokens thead th")].map((h) => h.textContent);
  const svg = document.querySelector("#sums svg");
  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", "44");
  cursor.setAttribute("y2", svg.viewBox.baseVal.height - 24);
  svg.append(cursor);
  document.querySelector(".stepper").hidden = false;

  function show() {
    rows.forEach((r) => r.classList.remove("now"));
    const row = rows[Number(slider.value)];
    row.classList.add("now");
    cursor.setAttribute("x1", row.dataset.at);
    cursor.setAttribute("x2", row.dataset.at);
    const cells = [...row.children].map((c, k) => [heads[k], c.textContent.trim()]).filter((c) => c[1]);
    document.getElementById("now").textContent = cells.map((c) => c.join(" ")).join(" · ");
  }

  const departs = rows.findIndex((r) => r.classList.contains("departs"));
  slider.value = String(Math.max(0, departs));
  slider.addEventListener("input", show);
  rows.forEach((r, k) => r.addEventListener("click", () => { slider.value = String(k); show(); }));
  show();
}

function graph() {
  const svg = document.querySelector("svg.graph");
  if (!svg) return;
  const nodes = [...svg.querySelectorAll(".node")];
  const edges = [...svg.querySelectorAll(".edge")];
  const chosen = document.getElementById("chosen");

  function none() {
    svg.classList.remove("chosen");
    nodes.forEach((n) => n.classList.remove("in", "the"));
    edges.forEach((e) => e.classList.remove("in"));
    chosen.textContent = "No statement is chosen.";
  }

  function choose(node) {
    none();
    const inside = new Set(node.dataset.from.split(" ").filter(Boolean));
    const count = inside.size;
    inside.add(node.dataset.name);
    svg.classList.add("chosen");
    node.classList.add("the");
    nodes.filter((n) => inside.has(n.dataset.name)).forEach((n) => n.classList.add("in"));
    edges.filter((e) => inside.has(e.dataset.from) && inside.has(e.dataset.to)).forEach((e) => e.classList.add("in"));
    const link = element("a", node.getAttribute("aria-label"));
    link.href = "statements/" + node.dataset.name + ".html";
    chosen.replaceChildren(link, count ? "." : ": of no other statement here.");
  }

  nodes.forEach((n) => {
    n.addEventListener("click", () => choose(n));
    n.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(n); }
    });
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") none(); });
  const asked = nodes.find((n) => "#" + n.dataset.name === location.hash);
  if (asked) choose(asked);
}

search();
trace();
graph();
