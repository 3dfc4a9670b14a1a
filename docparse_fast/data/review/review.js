// Shows one page at a time, its picture beside its text, the most doubtful first; sends each correction as it is saved.
// Asks this server for pages, by addresses below its own; keeps nothing.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const CATEGORIES = ["title", "section_header", "text", "list_item", "table", "caption", "figure", "formula", "code",
    "footnote", "page_header", "page_footer", "page_number"];
  const HEADINGS = ["title", "section_header"];
  const narrow = matchMedia("(max-width: 760px)");
  let queue = { documents: [], pages: [] };
  let at = -1; // of the queue
  let page = null;
  let block = -1; // of the page; page.blocks.length is the reader's own
  let editor = null;
  let zoomed = narrow.matches;

  function make(tag, content = "", attributes = {}) {
    const made = document.createElement(tag);
    made.textContent = content;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  function draw(tag, attributes) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  async function ask(path, said) {
    const how = said && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(said) };
    let answer;
    try {
      answer = await fetch(path, how);
    } catch {
      throw new Error("docparse-fast review has ended: nothing can be saved. Start it again.");
    }
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error);
    return found;
  }

  function tell(words, bad = false) {
    byId("saved").textContent = words;
    byId("saved").classList.toggle("bad", bad);
  }

  const path = (what) => `${what}/${page.document}/${page.page}`;

  // ---------------------------------------------------------------------------------------------- the list

  function isOpen(entry) {
    return !entry.checked && (entry.why.length > 0 || entry.looks.length > 0);
  }

  function showQueue() {
    const nav = byId("queue");
    nav.replaceChildren(make("p", `${queue.pages.filter(isOpen).length} of ${queue.pages.length} pages to look at`));
    queue.pages.forEach((entry, index) => {
      const button = make("button", "", { type: "button", "data-index": index });
      const title = make("span", "", { class: "title" });
      const several = queue.documents.length > 1 ? `${queue.documents[entry.document].name}, ` : "";
      title.append(make("span", entry.checked ? "\u2713" : isOpen(entry) ? "\u25cf" : "\u00a0", { class: "mark" }));
      title.append(make("b", `${several}page ${entry.page}`));
      button.append(title);
      for (const why of entry.why.slice(0, 2)) button.append(make("span", why, { class: "why" }));
      for (const look of entry.looks.slice(0, 3)) button.append(make("span", look.text || "...", { class: "look" }));
      if (entry.looks.length > 3) button.append(make("span", `and ${entry.looks.length - 3} more`, { class: "why" }));
      button.classList.toggle("open", isOpen(entry));
      button.classList.toggle("here", index === at);
      button.addEventListener("click", () => { toggleList(false); open(index); });
      nav.append(button);
    });
  }

  function markHere() {
    for (const button of byId("queue").querySelectorAll("button")) {
      const here = Number(button.dataset.index) === at;
      button.classList.toggle("here", here);
      if (here) button.scrollIntoView({ block: "nearest" });
    }
  }

  function toggleList(to = !document.body.classList.contains("listing")) {
    document.body.classList.toggle("listing", to);
    byId("list").setAttribute("aria-expanded", String(to));
  }

  // ---------------------------------------------------------------------------------------------- the page

  async function open(index, last = false) {
    if (index < 0 || index >= queue.pages.length || !leave()) return;
    const entry = queue.pages[index];
    try {
      page = await ask(`page/${entry.document}/${entry.page}`);
    } catch (error) {
      tell(error.message, true);
      return;
    }
    at = index;
    tell("");
    showPage();
    const places = doubtful();
    select(places.length ? (last ? places.at(-1) : places[0]) : page.blocks.length ? 0 : -1);
    markHere();
  }

  function showPage() {
    const { name, source } = queue.documents[page.document];
    byId("name").textContent = name;
    byId("name").title = source;
    byId("where").textContent = `page ${page.page}, ${at + 1} of ${queue.pages.length}`;
    byId("right").classList.toggle("on", page.checked);
    byId("right").setAttribute("aria-pressed", String(page.checked));
    document.title = `${name}, page ${page.page} - docparse-fast`;
    showSheet();
    showText();
  }

  function showSheet() {
    const sheet = byId("sheet");
    sheet.replaceChildren();
    if (!page.width) {
      sheet.append(make("p", "no picture", { class: "none" }));
      return;
    }
    const svg = draw("svg", { viewBox: `0 0 ${page.width} ${page.height}`, role: "img" });
    svg.setAttribute("aria-label", `Page ${page.page} as it looks`);
    const image = draw("image", { width: page.width, height: page.height, href: path("picture") });
    image.addEventListener("error", () => ask(path("picture")).catch((error) => {
      image.remove();
      sheet.prepend(make("p", `no picture: ${error.message}`, { class: "none" }));
    }), { once: true });
    svg.append(image);
    page.blocks.forEach((each, n) => {
      if (!each.box) return;
      const [x0, y0, x1, y1] = each.box;
      const box = draw("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, "data-block": n });
      box.classList.toggle("doubtful", each.why.length > 0);
      box.classList.toggle("edited", each.edited);
      box.addEventListener("click", () => select(n));
      svg.append(box);
    });
    sheet.append(svg);
  }

  function showText() {
    const text = byId("text");
    text.replaceChildren();
    for (const why of page.why) text.append(make("p", why, { class: "why" }));
    for (const n of page.order) text.append(shown(page.blocks[n], n));
    const own = make("div", "", { class: "block own", "data-block": page.blocks.length, tabindex: "-1" });
    if (page.own) own.append(make("p", page.own, { class: "words typed" }));
    const write = make("button", page.own ? "Correct" : "Write what the page lacks", { type: "button", title: "o" });
    write.addEventListener("click", () => { select(page.blocks.length, false); edit(); });
    own.append(write);
    text.append(own);
  }

  function shown(each, n) {
    const made = make("div", "", { class: "block", "data-block": n, tabindex: "-1", dir: "auto" });
    made.classList.toggle("doubtful", each.why.length > 0);
    made.classList.toggle("edited", each.edited);
    const said = make("p", "", { class: "about" });
    said.append(make("span", each.category.replaceAll("_", " ")));
    if (each.edited) said.append(make("span", "corrected", { class: "by" }));
    if (each.left_out) {
      said.append(make("span", "left out of the Markdown", { class: "by" }));
      const back = make("button", "Take in", { type: "button", title: "f" });
      back.addEventListener("click", () => { select(n, false); takeIn(); });
      said.append(back);
    }
    for (const why of each.why) said.append(make("span", why, { class: "why" }));
    const correct = make("button", "Correct", { type: "button", title: "e" });
    correct.addEventListener("click", () => { select(n, false); edit(); });
    said.append(correct);
    const words = make("div", "", { class: "words" });
    words.innerHTML = each.html; // escaped where it is made; the policy lets nothing in it act
    const without = each.edited ? "taken away" : each.category === "figure" ? "figure" : "no words";
    if (!each.html) words.append(make("p", without, { class: "none" }));
    made.append(said, words);
    made.addEventListener("click", () => { if (!editor) select(n, false); });
    made.addEventListener("dblclick", edit);
    return made;
  }

  // ---------------------------------------------------------------------------------------------- selecting

  const node = (n) => byId("text").querySelector(`[data-block="${n}"]`);
  const doubtful = () => page.blocks.flatMap((each, n) => each.why.length && !each.edited ? [n] : []);

  function select(n, scroll = true) {
    if (!leave()) return;
    for (const old of document.querySelectorAll(".on")) old.classList.remove("on");
    block = n;
    node(n)?.classList.add("on");
    byId("sheet").querySelector(`rect[data-block="${n}"]`)?.classList.add("on");
    if (scroll) node(n)?.scrollIntoView({ block: "nearest" });
    focusPicture();
  }

  function focusPicture() {
    const svg = byId("sheet").querySelector("svg");
    if (!svg) return;
    const box = page.blocks[block]?.box;
    byId("sheet").classList.toggle("zoomed", zoomed && Boolean(box));
    if (!zoomed || !box) {
      svg.setAttribute("viewBox", `0 0 ${page.width} ${page.height}`);
      return;
    }
    const margin = 0.04 * page.width;
    const width = Math.max(box[2] - box[0] + 2 * margin, page.width / 3);
    const height = Math.max(box[3] - box[1] + 2 * margin, 4 * margin);
    const x = Math.max(0, Math.min(page.width - width, (box[0] + box[2] - width) / 2));
    svg.setAttribute("viewBox", `${x} ${(box[1] + box[3] - height) / 2} ${width} ${height}`);
  }

  function step(by) {
    const order = [...page.order, page.blocks.length];
    select(order[Math.max(0, Math.min(order.length - 1, order.indexOf(block) + by))]);
  }

  // To before the block that stands there now, or after all others.
  function move(by) {
    const here = page.order.indexOf(block) + by;
    if (!page.blocks[block] || here < 0 || here >= page.order.length) return;
    const before = page.order[by > 0 ? here + 1 : here];
    send({ to: before === undefined ? page.blocks.length : page.blocks[before].to ?? before });
  }

  function takeIn() {
    if (page.blocks[block]?.left_out) send({ category: "text" });
  }

  function stepDoubt(by) {
    const places = doubtful();
    const next = by > 0 ? places.find((n) => n > block) : places.findLast((n) => n < block);
    if (next !== undefined) {
      select(next);
      return;
    }
    for (let index = at + by; index >= 0 && index < queue.pages.length; index += by) {
      if (isOpen(queue.pages[index])) {
        open(index, by < 0);
        return;
      }
    }
    tell(by > 0 ? "no more doubtful places" : "no doubtful place before this");
  }

  // ---------------------------------------------------------------------------------------------- correcting

  function edit() {
    if (editor || block < 0 || !node(block)) return;
    const each = page.blocks[block] ?? { text: page.own, category: "", edited: Boolean(page.own) };
    const form = make("form", "", { class: "editor" });
    const area = make("textarea", "", { "aria-label": "The block's Markdown", spellcheck: "true", dir: "auto" });
    area.value = each.text;
    const kind = make("select", "", { "aria-label": "What the block is" });
    for (const name of CATEGORIES) {
      const option = make("option", name.replaceAll("_", " "), { value: name });
      option.selected = name === each.category;
      kind.append(option);
    }
    const depth = make("select", "", { "aria-label": "The heading's level" });
    for (let level = 1; level <= 6; level += 1) depth.append(make("option", `level ${level}`, { value: level }));
    depth.value = String(each.level || (each.category === "title" ? 1 : 2));
    const showDepth = () => { depth.hidden = !HEADINGS.includes(kind.value); };
    kind.addEventListener("change", showDepth);
    showDepth();
    const save = make("button", "Save", { type: "submit", title: "Ctrl+Enter" });
    const cancel = make("button", "Cancel", { type: "button", title: "Esc" });
    const row = make("p");
    row.append(...(each.category ? [kind, depth] : []), save, cancel);
    if (each.edited) {
      const back = make("button", "As it was read", { type: "button", title: "u" });
      back.addEventListener("click", () => { close(); send({ text: null }); });
      row.append(back);
    }
    const grid = each.category === "table" ? gridOf(each) : null;
    area.hidden = Boolean(grid);
    form.append(...(grid ? [grid.bar, grid.table] : []), area, row);
    form.addEventListener("submit", (event) => { event.preventDefault(); submit(); });
    cancel.addEventListener("click", close);
    area.addEventListener("input", () => grow(area));
    editor = { form, area, kind, depth, grid, was: each.text, category: each.category, level: depth.value };
    node(block).append(form);
    node(block).classList.add("editing");
    grow(area);
    (grid ? grid.table.querySelector("td, th") : area).focus();
    form.scrollIntoView({ block: "nearest" });
  }

  // A table without spans as a grid to type in: cells that stay are named by their number, so they keep their emphasis.
  function gridOf(each) {
    const table = make("table", "", { class: "grid" });
    const shownTable = make("div");
    shownTable.innerHTML = each.html; // as in `shown`
    const cells = [...shownTable.querySelectorAll("td, th")];
    if (!cells.length || cells.length !== (each.text.match(/<t[dh]\b/g) ?? []).length) return null;
    if (cells.some((cell) => cell.colSpan > 1 || cell.rowSpan > 1)) return null;
    let changed = false;
    let here = null;
    const cellOf = (text, n, tag) => {
      const made = make(tag, text, { contenteditable: "plaintext-only", dir: "auto", tabindex: "0" });
      if (n !== null) made.dataset.cell = n;
      made.addEventListener("focus", () => { here = made; });
      made.addEventListener("input", () => { changed = true; delete made.dataset.cell; });
      return made;
    };
    for (const row of shownTable.querySelectorAll("tr")) {
      const made = make("tr");
      for (const cell of row.cells) made.append(cellOf(cell.textContent, cells.indexOf(cell), cell.localName));
      table.append(made);
    }
    const acts = {
      "Row below": (row) => {
        const made = make("tr");
        for (const _ of row.cells) made.append(cellOf("", null, "td"));
        row.after(made);
      },
      "Take row": (row) => { if (table.rows.length > 1) row.remove(); },
      "Column after": (row, at) => {
        for (const each of table.rows) each.cells[at]?.after(cellOf("", null, each.cells[at].localName));
      },
      "Take column": (row, at) => { if (row.cells.length > 1) for (const each of table.rows) each.cells[at]?.remove(); },
    };
    const bar = make("p", "", { class: "grid-bar" });
    for (const [name, act] of Object.entries(acts)) {
      const button = make("button", name, { type: "button" });
      button.addEventListener("click", () => {
        if (!here?.isConnected) return;
        changed = true;
        act(here.parentElement, here.cellIndex);
      });
      bar.append(button);
    }
    const next = page.order.slice(page.order.indexOf(block) + 1).find((n) => page.blocks[n].category === "table");
    if (next !== undefined) {
      const join = make("button", "Join the next table", { type: "button" });
      join.addEventListener("click", () => { close(); send({ join: next }); });
      bar.append(join);
    }
    const source = make("button", "HTML", { type: "button" });
    source.addEventListener("click", () => {
      if (changed) { tell("save first (Ctrl+Enter), or cancel (Esc)", true); return; }
      bar.remove();
      table.remove();
      editor.grid = null;
      editor.area.hidden = false;
      grow(editor.area);
    });
    bar.append(source);
    const said = (cell) => cell.dataset.cell === undefined ? cell.textContent.trim() : { cell: Number(cell.dataset.cell) };
    return { table, bar, isChanged: () => changed, rows: () => [...table.rows].map((row) => [...row.cells].map(said)) };
  }

  function grow(area) {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 4}px`;
  }

  function isChanged() {
    if (editor.grid?.isChanged() || editor.area.value !== editor.was) return true;
    return Boolean(editor.category) && (editor.kind.value !== editor.category || isDeeper());
  }

  function isDeeper() {
    return HEADINGS.includes(editor.kind.value) && editor.depth.value !== editor.level;
  }

  function close() {
    editor?.form.remove();
    for (const old of document.querySelectorAll(".editing")) old.classList.remove("editing");
    editor = null;
  }

  // What was typed is not thrown away by a stray key or click.
  function leave() {
    if (!editor) return true;
    if (isChanged()) {
      tell("save first (Ctrl+Enter), or cancel (Esc)", true);
      editor.area.focus();
      return false;
    }
    close();
    return true;
  }

  async function submit() {
    if (!isChanged()) {
      close();
      return;
    }
    const said = editor.grid?.isChanged() ? { rows: editor.grid.rows() } : { text: editor.area.value };
    if (editor.category) said.category = editor.kind.value;
    if (HEADINGS.includes(said.category)) said.level = Number(editor.depth.value);
    if (await send(said)) close();
  }

  async function send(said) {
    const n = block;
    try {
      tell("saving ...");
      page = await ask(path("edit"), { ...said, block: n < page.blocks.length ? n : null });
    } catch (error) {
      tell(error.message, true);
      return false;
    }
    editor = null;
    showPage();
    select(n, false);
    tell("saved");
    return true;
  }

  async function right() {
    if (!leave()) return;
    try {
      page = await ask(path("check"), { checked: !page.checked });
    } catch (error) {
      tell(error.message, true);
      return;
    }
    queue.pages[at].checked = page.checked;
    showQueue();
    showPage();
    select(block, false);
    if (page.checked && at + 1 < queue.pages.length) open(at + 1);
  }

  // ---------------------------------------------------------------------------------------------- keys

  const KEYS = {
    n: () => stepDoubt(1),
    N: () => stepDoubt(-1),
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    e: edit,
    Enter: edit,
    x: () => { if (page.blocks[block]) send({ text: "" }); },
    u: () => send({ text: null }),
    f: takeIn,
    J: () => move(1),
    K: () => move(-1),
    o: () => { select(page.blocks.length); edit(); },
    a: right,
    "]": () => open(at + 1),
    ArrowRight: () => open(at + 1),
    "[": () => open(at - 1),
    ArrowLeft: () => open(at - 1),
    z: () => { zoomed = !zoomed; focusPicture(); },
    l: () => toggleList(),
    "?": () => byId("keys").showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (byId("keys").open) return;
    if (editor?.form.contains(event.target)) {
      if (event.key === "Escape") close();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
      else return;
      event.preventDefault();
      return;
    }
    const isButton = event.target.closest?.("button, select, a") && (event.key === "Enter" || event.key === " ");
    const act = event.ctrlKey || event.metaKey || event.altKey || isButton ? undefined : KEYS[event.key];
    if (!act || !page) return;
    event.preventDefault();
    act();
  });

  byId("list").addEventListener("click", () => toggleList());
  byId("before").addEventListener("click", () => open(at - 1));
  byId("after").addEventListener("click", () => open(at + 1));
  byId("right").addEventListener("click", right);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("sheet").addEventListener("dblclick", () => KEYS.z());
  narrow.addEventListener("change", () => { zoomed = narrow.matches; if (page) focusPicture(); });
  addEventListener("beforeunload", (event) => { if (editor && isChanged()) event.preventDefault(); });

  ask("queue").then((found) => {
    queue = found;
    showQueue();
    if (queue.pages.length) open(0);
  }).catch((error) => tell(error.message, true));
})();
