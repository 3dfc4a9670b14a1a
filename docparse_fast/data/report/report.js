// Moves about the report: from page to page, block to block, and between a box and its text. Reads nothing but this
// document, changes nothing but classes; without it every link still leads where it says.
(() => {
  "use strict";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const named = (name) => document.getElementById(name);
  const pages = all("section.page");
  const blocks = all(".block");
  const findings = all(".notes a");
  const where = document.querySelector(".where b");
  const help = document.querySelector(".help");
  const marks = new Map(all(".strip a").map((mark) => [mark.hash.slice(1), mark]));
  let page = -1;
  let block = null;
  let finding = null;

  function arrive(index) {
    if (index === page) return;
    marks.get(pages[page]?.id)?.classList.remove("here");
    page = index;
    marks.get(pages[page]?.id)?.classList.add("here");
    where.textContent = page < 0 ? "-" : pages[page].dataset.number;
  }

  function step(by) {
    const next = page + by;
    if (next >= pages.length) return;
    select(null);
    arrive(Math.max(-1, next));
    (next < 0 ? document.querySelector("main") : pages[next]).scrollIntoView({ block: "start" });
    if (next < 0) scrollTo(0, 0);
  }

  const boxOf = (of) => named("r" + of.id.slice(1));

  function select(next, scroll = true) {
    for (const old of all(".on, .flash")) old.classList.remove("on", "flash");
    block = next;
    finding = null;
    if (!next) return;
    next.classList.add("on");
    boxOf(next)?.classList.add("on");
    next.focus({ preventScroll: true });
    if (scroll) reveal(next);
    arrive(pages.indexOf(next.closest("section")));
  }

  // Into the middle, unless it is in sight already.
  function reveal(element) {
    const { top, bottom } = element.getBoundingClientRect();
    if (top < 60 || bottom > innerHeight) element.scrollIntoView({ block: "center" });
  }

  function walk(by) {
    if (block) return select(blocks[blocks.indexOf(block) + by] ?? block);
    const within = pages[Math.max(page, 0)];
    const first = within && within.querySelector(".block");
    if (first) select(first);
    else step(by);
  }

  function show(link) {
    const name = link.hash.slice(1);
    const words = all(`[data-note="${name}"]`);
    select(words[0]?.closest(".block") ?? null, false);
    finding = link;
    link.classList.add("on");
    for (const word of words) word.classList.add("flash");
    const box = words.length ? null : named(name);
    box?.classList.add("on");
    const target = words[0] ?? (box?.closest(".sheet") || link);
    reveal(target);
    arrive(pages.indexOf(link.closest("section")));
  }

  function nextFinding(by) {
    const here = findings.indexOf(finding);
    const from = here >= 0 ? here + by
      : by > 0 ? findings.findIndex((link) => pages.indexOf(link.closest("section")) >= page)
        : findings.findLastIndex((link) => pages.indexOf(link.closest("section")) <= page);
    const link = findings[from];
    if (!link) return;
    link.closest("details").open = true;
    show(link);
  }

  addEventListener("click", (event) => {
    const target = event.target;
    if (target.closest(".ask")) return help.showModal();
    const link = target.closest("a");
    if (link?.matches(".step")) {
      event.preventDefault();
      return step(Number(link.dataset.step));
    }
    if (link?.closest(".notes")) {
      event.preventDefault();
      return show(link);
    }
    const box = link?.closest(".boxes") && !link.classList.contains("missing") && named("b" + link.id.slice(1));
    if (box) {
      event.preventDefault();
      return select(box);
    }
    if (link?.matches(".number")) {
      event.preventDefault();
      select(link.closest(".block"), false);
      return reveal(boxOf(block));
    }
    const word = target.closest("[data-note]");
    if (word && !link) {
      const line = findings.find((found) => found.hash === "#" + word.dataset.note);
      if (line) return show(line);
    }
    if (!link && target.closest(".block") && getSelection().isCollapsed) select(target.closest(".block"), false);
  });

  for (const kind of ["mouseover", "mouseout"])
    addEventListener(kind, (event) => {
      const over = event.target.closest?.(".block, .boxes a");
      const partner = over && named((over.matches(".block") ? "r" : "b") + over.id.slice(1));
      partner?.classList.toggle("hover", kind === "mouseover");
    });

  const keys = {
    n: () => step(1), ArrowRight: () => step(1), p: () => step(-1), ArrowLeft: () => step(-1),
    j: () => walk(1), k: () => walk(-1), c: () => nextFinding(1), C: () => nextFinding(-1),
    h: () => document.body.classList.toggle("plain"), Escape: () => select(null), "?": () => help.showModal(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || help.open || event.target.matches("input")) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  for (const input of all(".legend input"))
    input.addEventListener("change", () => {
      document.body.classList.toggle("no-" + input.dataset.kind, !input.checked);
      input.blur();
    });

  // The page at a line a quarter down the window is the one that is being read.
  const line = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) arrive(pages.indexOf(entry.target));
  }, { rootMargin: "-25% 0px -74% 0px" });
  for (const section of pages) line.observe(section);

  const asked = named(location.hash.slice(1));
  if (asked?.matches(".block")) select(asked);
})();
