"use strict";
// The search, the trace and the graph; buttons that copy, and tables that sort. Everything is there to read without a script.

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

const MARKS = {
  "true": ["✓", "verified"], "false": ["✗", "refuted"], "conditional": ["~", "conditional"], "open": ["?", "open"],
  "not judged": ["–", "declined"], "true in one order only": ["◐", "mixed"], "false in one order only": ["◐", "mixed"],
};

function mark(status) {
  const made = element("span", undefined, "v " + MARKS[status][1]);
  made.title = status;
  const sign = element("span", MARKS[status][0]);
  sign.setAttribute("aria-hidden", "true");
  made.append(sign, element("span", status, "hidden"));
  return made;
}

function search() {
  const form = document.getElementById("search");
  if (!form || !window.CLAIMS) return;
  const [PAPER, NAME, SAYS, PLACE, PAGE, STATUS, ANSWER, FINDINGS, STEP] = Array(9).keys();
  const field = (id) => document.getElementById(id);
  const body = document.querySelector("#claims tbody");
  const typed = (page) => page.replace(/^.*\//, "").replace(".html#", ":").replace(".html", "");
  const texts = window.CLAIMS.map((c) => [c[NAME], c[SAYS], c[PLACE], typed(c[PAGE]), c[FINDINGS].join(" ")].join(" ").toLowerCase());
  const AT_ONCE = 100, LONG = 400, BEFORE = 120;
  let found = [];

  function row(claim) {
    const made = element("tr");
    const name = element("th");
    name.scope = "row";
    const link = element("a", claim[NAME]);
    link.href = claim[PAGE];
    name.append(link);
    made.append(name, element("td", excerpt(claim[SAYS])));
    const cell = element("td");
    if (claim[STATUS]) cell.append(mark(claim[STATUS]));
    made.append(cell, element("td", claim[ANSWER]));
    return made;
  }

  // A long text from a little before the first word that is searched.
  function excerpt(text) {
    const [word] = field("words").value.toLowerCase().split(/\s+/);
    const from = text.length > LONG ? Math.max(0, text.toLowerCase().indexOf(word) - BEFORE) : 0;
    return (from ? "… " : "") + text.slice(from, from + LONG) + (from + LONG < text.length ? " …" : "");
  }

  // The whole name first, then names that begin with the words or have them all, then sentences, then the rest.
  function ranked(claim, words) {
    if (!words.length) return 0;
    const name = claim[NAME].toLowerCase(), asked = words.join(" "), says = claim[SAYS].toLowerCase();
    const kind = claim[STEP] / 10;
    if (name === asked || typed(claim[PAGE]).toLowerCase() === asked || claim[FINDINGS].includes(asked) && claim[STEP] === 2) return kind;
    if (name.startsWith(asked)) return 1 + kind;
    if (words.every((w) => name.includes(w))) return 2 + kind;
    if (says.includes(asked)) return 3 + kind;
    return (words.every((w) => says.includes(w)) ? 4 : 5) + kind;
  }

  function more() {
    const shown = body.children.length;
    body.append(...found.slice(shown, shown + AT_ONCE).map(row));
    field("more").hidden = body.children.length >= found.length;
  }

  function show() {
    const words = field("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    found = window.CLAIMS.filter((c, k) =>
      (!field("paper").value || c[PAPER] === field("paper").value) &&
      (!field("status").value || c[STATUS] === field("status").value) &&
      (field("steps").checked || c[STEP] !== 1) &&
      words.every((w) => texts[k].includes(w)));
    const rank = new Map(found.map((c) => [c, ranked(c, words)]));
    found.sort((a, b) => rank.get(a) - rank.get(b));
    field("count").textContent = found.length + (found.length === 1 ? " result" : " results");
    body.replaceChildren();
    more();
  }

  for (const [name, value] of new URLSearchParams(location.search)) {
    const asked = field(name === "q" ? "words" : name);
    if (asked && "value" in asked) asked.value = value;
  }
  form.hidden = false;
  for (const moved of ["input", "change"]) form.addEventListener(moved, show);
  form.addEventListener("submit", (event) => event.preventDefault());
  field("more").addEventListener("click", more);
  show();
}

// "/" leads to the search, or into its field.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || /INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  const words = document.getElementById("words");
  if (words) words.focus();
  else location.href = document.body.dataset.root + "search.html";
});

// A button beside each command; without a clipboard the command is selected instead.
function copies() {
  for (const command of document.querySelectorAll("code.command")) {
    const button = element("button", "copy", "copy");
    button.type = "button";
    button.setAttribute("aria-label", "Copy the command");
    button.addEventListener("click", () => {
      const done = () => { button.textContent = "copied"; };
      getSelection().selectAllChildren(command);
      if (navigator.clipboard) navigator.clipboard.writeText(command.textContent).then(done, () => {});
      else if (document.execCommand("copy")) done();
    });
    command.after(button);
  }
}

// Tables whose last row of heads sorts: a click orders by that column, a second one the other way round.
function sortable() {
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    [...table.tHead.rows[table.tHead.rows.length - 1].cells].forEach((head, k) => {
      const button = element("button", undefined, "sort");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const value = (row) => Number(row.cells[k + 1].textContent);
        body.append(...[...body.rows].sort((a, b) => (down ? value(b) - value(a) : value(a) - value(b))));
      });
    });
  }
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
  const edges = [...svg.querySelectorAll(".edge, .arrow")];
  const chosen = document.getElementById("chosen");

  function none() {
    svg.classList.remove("chosen");
    nodes.forEach((n) => n.classList.remove("in", "the"));
    edges.forEach((e) => e.classList.remove("in"));
    chosen.textContent = "Hover over a statement to read it, or choose one.";
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
    const says = node.querySelector("title").textContent.replace(/^[^:]*: /, "");
    chosen.replaceChildren(link, count ? ". " : ": on no other statement here. ", says);
  }

  nodes.forEach((n) => {
    n.addEventListener("click", () => choose(n));
    n.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(n); }
    });
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") none(); });
  function focused() {
    const asked = nodes.find((n) => "#" + n.dataset.name === location.hash);
    if (asked) choose(asked);
  }
  window.addEventListener("hashchange", focused);
  focused();
}

// An address that ends with a step's name opens that step.
function unfold() {
  const asked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!asked) return;
  for (let folded = asked.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
  asked.scrollIntoView();
}

window.addEventListener("hashchange", unfold);
unfold();
// Print opens what is folded.
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
copies();
sortable();
search();
trace();
graph();
