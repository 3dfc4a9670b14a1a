"""A document as one page of HTML to check it by: each page's picture beside its text, and what changed on the way.

Knows what a parsed document records of itself. The report is yielded piece by piece, so that it is never whole in
memory. It is self-contained: style, script and pictures are inside, and its security policy loads nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources

from docparse_fast.document import ParsedDocument, ParsedPage
from docparse_fast.rendering.html_blocks import escape
from docparse_fast.rendering.html_page import SHOWN, is_draft, lists_of, page_section, ratio_rules, share_bar, tokens_of

ReadPicture = Callable[[int], bytes | None]  # page number -> WebP; None where there is no picture

LEGEND = (
    ("ka", "accepted", "a draft's words that the target chose as well"),
    ("kt", "tolerated", "a draft's words that the target nearly chose (--tau)"),
    ("ko", "own", "written by the target, no draft taken there"),
    ("kc", "corrected", "the draft said something else"),
    ("ku", "unsupported", "the target's, and no draft has it: look twice"),
    ("kd", "draft", "nobody has verified it"),
)


def render_report(
    document: ParsedDocument, read_picture: ReadPicture, *, keep_furniture: bool = False
) -> Iterator[str]:
    style, script = _asset("report.css") + ratio_rules(document.pages), _asset("report.js")
    yield _head(document, style, script)
    yield _bar(document)
    yield f"<main>\n{_summary(document)}"
    for page in document.pages:
        yield page_section(page, read_picture(page.number), _target(document), keep_furniture=keep_furniture)
    yield f"</main>\n{HELP}\n<script>{script}</script>\n</body>\n</html>\n"


@cache
def _asset(name: str) -> str:
    return (resources.files("docparse_fast") / "data" / "report" / name).read_text("utf-8")


def _head(document: ParsedDocument, style: str, script: str) -> str:
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(document.source)} - docparse-fast</title>\n<style>{style}</style>\n</head>\n"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


# ------------------------------------------------------------------------------------------------- frame


def _bar(document: ParsedDocument) -> str:
    legend = "".join(
        f'<label title="{words}"><input type="checkbox" data-kind="{key}" checked>'
        f'<span class="{key}">{name}</span></label>'
        for key, name, words in LEGEND
        if key in _kinds(document)
    )
    count = len(document.pages)
    return (
        f'<body class="{"verified" if _verified(document) else "drafts"}">\n<header class="bar">'
        f'<a class="name" href="#top" title="{escape(document.source)}">{escape(document.source)}</a>'
        f'<div class="legend" role="group" aria-label="Who wrote what">{legend}</div>'
        '<nav aria-label="Pages"><a class="step" data-step="-1" href="#top" title="page before (p)">&#8249;</a>'
        f'<span class="where" aria-live="polite"><b>-</b> / {count}</span>'
        f'<a class="step" data-step="1" href="#p{document.pages[0].number if count else 1}" title="next page (n)">'
        '&#8250;</a><button type="button" class="ask" title="keys (?)" aria-label="Keys">?</button></nav></header>\n'
    )


def _verified(document: ParsedDocument) -> bool:
    return any(page.verified != "none" for page in document.pages)


def _target(document: ParsedDocument) -> str:
    """The name under which blocks list the target among their sources."""
    return document.models.get("target", "").split("@")[0]


def _kinds(document: ParsedDocument) -> set[str]:
    """The kinds of marks that this document shows; the legend explains no others."""
    if not _verified(document):
        return set()
    target = _target(document)
    drafts = any(is_draft(page, block, target) for page in document.pages for block in page.blocks)
    origins = {span.origin for page in document.pages for block in page.blocks for span in block.spans}
    found = {"ka", "ko", "kc", "ku"} | ({"kt"} if "tolerated" in origins else set())
    return found | ({"kd"} if drafts else set())


def _summary(document: ParsedDocument) -> str:
    return (
        f'<section class="summary" id="top"><h1>{escape(document.source)}</h1>\n'
        f'<p class="lead"><b class="status {document.status}">{document.status}</b> {_lead(document)}</p>\n'
        f"{_figures(document)}{_warnings(document)}{_strip(document)}{_provenance(document)}</section>\n"
    )


def _lead(document: ParsedDocument) -> str:
    count = len(document.pages)
    pages = f"{count} page{'s' if count != 1 else ''}"
    if not _verified(document) and any(page.evidence.judge for page in document.pages):
        return f"{pages}. Drafts that the target judged and did not read: nothing here is verified."
    if not _verified(document):
        return f"{pages}. Drafts only: no target has looked at them, nothing here is verified."
    seen = sum(page.verified != "none" for page in document.pages)
    some = "" if seen == count else f" {seen} of them"
    return f"{pages},{some} verified by <b>{escape(document.models.get('target', 'a target'))}</b>."


def _figures(document: ParsedDocument) -> str:
    """The numbers that tell whether a closer look is needed."""
    tokens = sum((tokens_of(page) for page in document.pages), Counter[str]())
    written = tokens.pop("written", 0)
    evidence = {
        name: sum(len(lists_of(page)[key]) for page in document.pages)
        for name, key in (("corrected", "corrections"), ("missing", "omissions"), ("unsupported", "inventions"))
    }
    failed = sum(page.status in ("failed", "partial") for page in document.pages)
    seconds = sum(sum(page.seconds.values()) for page in document.pages) / max(1, len(document.pages))
    figures: list[tuple[str, str]] = [("pages failed or cut off", str(failed))] if failed else []
    agreed = [page.evidence.agreement for page in document.pages if page.evidence.agreement is not None]
    if agreed:
        figures.append(("of the drafts' words stand", f"{100 * sum(agreed) / len(agreed):.1f} %"))
    if written:
        figures.append(("of the tokens came from drafts", f"{100 * (1 - tokens['own'] / written):.1f} %"))
        figures += [(name, str(number)) for name, number in evidence.items()]
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures)
    items += f'<div><dt>a page</dt><dd class="seconds">{seconds:.2f} s</dd></div>'
    return f'<dl class="figures">{items}</dl>{share_bar(tokens, written)}\n'


def _warnings(document: ParsedDocument) -> str:
    return "".join(f'<p class="warning">{escape(warning)}</p>' for warning in document.warnings)


def _strip(document: ParsedDocument) -> str:
    """Every page as a small mark, coloured by how it went: where to look first."""
    if len(document.pages) < 2:
        return ""
    marks = "".join(
        f'<a href="#p{page.number}" class="{_look(page)}" title="{escape(_told(page))}">{page.number}</a>'
        for page in document.pages
    )
    return f'<nav class="strip" aria-label="All pages">{marks}</nav>\n'


def _look(page: ParsedPage) -> str:
    if page.status != "ok":
        return page.status
    if page.verified == "none":
        return "draft"
    return "changed" if any(lists_of(page).values()) else "ok"


def _told(page: ParsedPage) -> str:
    parts = [f"page {page.number}: {page.status}"]
    if page.error:
        parts.append(page.error.code)
    parts.append(page.standing)
    parts += [f"{len(found)} {name}" for name in SHOWN if (found := lists_of(page)[name])]
    return ", ".join(parts)


def _provenance(document: ParsedDocument) -> str:
    rows = [("sha256", document.sha256), *sorted(document.models.items())]
    chosen = [(name, value) for name, value in document.options.items() if value not in ("", None, False)]
    lines = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in [*rows, *chosen]
    )
    return f"<details><summary>Made with</summary><table>{lines}</table></details>\n"


HELP = """<dialog class="help" aria-label="Keys"><h2>Keys</h2><dl>
<div><dt><kbd>n</kbd> <kbd>&#8594;</kbd></dt><dd>next page</dd></div>
<div><dt><kbd>p</kbd> <kbd>&#8592;</kbd></dt><dd>page before</dd></div>
<div><dt><kbd>j</kbd></dt><dd>next block</dd></div>
<div><dt><kbd>k</kbd></dt><dd>block before</dd></div>
<div><dt><kbd>c</kbd> <kbd>C</kbd></dt><dd>next, last correction or doubt</dd></div>
<div><dt><kbd>h</kbd></dt><dd>hide and show the colours</dd></div>
<div><dt><kbd>Esc</kbd></dt><dd>select nothing</dd></div>
<div><dt><kbd>?</kbd></dt><dd>this</dd></div>
</dl><form method="dialog"><button>Close</button></form></dialog>"""
