"""One page of the report: its picture with numbered boxes, its text with marks, and the lists of what changed.

Knows a parsed page and where its parts go. The report's security policy forbids inline styles, so boxes are placed
by attributes of SVG.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docparse_fast.document import FURNITURE, Block, Box, Category, ParsedPage
from docparse_fast.evidence import Correction, Invention, Omission
from docparse_fast.rendering.html_blocks import MarkedBlock, Note, element, escape
from docparse_fast.rendering.origins import MarkKind
from docparse_fast.rendering.picture import MEDIA_TYPE

SHOWN = ("corrections", "omissions", "inventions")
SAME_PLACE = 0.5  # of two boxes' area shared, from which they are of the same thing
MANY = 12  # lines of a list, from which it is folded

HEADLINES = {
    "corrections": ("correction", "the draft said one thing, the target another"),
    "omissions": ("missing", "drafted, and nowhere in the answer"),
    "inventions": ("unsupported", "written by the target, and in no draft"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of one of the lists."""

    name: str  # its id in the page
    drafted: str
    written: str
    box: Box | None
    block: int | None  # that it is about, by its place in the page


@dataclass(slots=True)
class _Page:
    """A page being written."""

    page: ParsedPage
    target: str
    marked: list[MarkedBlock] = field(default_factory=list)
    findings: dict[str, list[Finding]] = field(default_factory=dict)


def page_section(page: ParsedPage, picture: bytes | None, target: str, *, keep_furniture: bool) -> str:
    """`target`: the name under which blocks list the target among their sources."""
    made = _Page(page, target, [MarkedBlock(block) for block in page.blocks])
    made.findings = {name: list(_found(made, name)) for name in SHOWN}
    return (
        f'<section class="page {page.status}" id="p{page.number}" data-number="{page.number}">\n'
        f"{_heading(page)}\n"
        f'<div class="sides"><div class="sheet">{_sheet(made, picture)}</div>\n'
        f'<div class="text" dir="auto">{_text(made, keep_furniture=keep_furniture)}{_lists(made)}</div></div>\n'
        "</section>\n"
    )


# ------------------------------------------------------------------------------------------------ numbers


def tokens_of(page: ParsedPage) -> Counter[str]:
    """Token counts of the final answer: Stage 2's, or Stage 1's where there was no Stage 2.

    Tokens accepted from the target's own earlier words count as its own: no draft held them.
    """
    stage = page.evidence.stage_2 or page.evidence.stage_1
    if stage is None:
        return Counter()
    found = Counter(stage.tokens)
    by_itself = stage.candidates["own"].accepted if "own" in stage.candidates else 0
    return found + Counter(own=by_itself) - Counter(accepted=by_itself)


def share_bar(tokens: Mapping[str, int], written: int) -> str:
    """A bar that shows how many tokens each source wrote."""
    if not written:
        return ""
    x = 0.0
    parts = ""
    told = []
    for key, name in (("ka", "accepted"), ("kt", "tolerated"), ("ko", "own")):
        width = 100 * tokens.get(name, 0) / written
        parts += f'<rect class="{key}" x="{x:.2f}" y="0" width="{width:.2f}" height="1"/>'
        x += width
        told.append(f"{width:.1f} % {name}")
    words = f"{written} tokens: {', '.join(told)}"
    return (
        f'<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="{words}">'
        f"<title>{words}</title>{parts}</svg>"
    )


def _heading(page: ParsedPage) -> str:
    label = f' <span class="label">({escape(page.label)})</span>' if page.label else ""
    facts = [f'<b class="status {page.status}">{page.status}</b>']
    if page.blocks:
        facts.append(page.standing)
    if page.exact is not None:
        facts.append("exact" if page.exact else '<b class="status partial">not exact</b>')
    if page.confidence is not None:
        facts.append(
            f'<span title="expected share of its words that are right">confidence {page.confidence:.2f}</span>'
        )
    if page.structure is not None:
        facts.append(
            f'<span title="how likely all rows and their order are as printed">structure {page.structure:.2f}</span>'
        )
    if page.left_out:
        facts.append(f'<span title="words of running heads and feet">{page.left_out} left out</span>')
    agreed = page.evidence.agreement
    if agreed is not None:
        facts.append(
            f'<span title="of the draft\'s words, the target wrote as well">{100 * agreed:.1f} % agreed</span>'
        )
    tokens = tokens_of(page)
    written = tokens.pop("written", 0)
    facts.append(_seconds(page.seconds))
    error = ""
    if page.error is not None:
        error = f'<p class="error"><b>{escape(page.error.code)}</b> {escape(page.error.message)}</p>'
    error += "".join(f'<p class="warning">{escape(warning)}</p>' for warning in page.evidence.warnings)
    return (
        f'<header><h2>Page {page.number}{label}</h2><p class="facts">{"".join(f"<span>{f}</span>" for f in facts)}</p>'
        f"{share_bar(tokens, written)}{error}</header>"
    )


def _seconds(seconds: Mapping[str, float]) -> str:
    spans = ", ".join(f"{escape(name)} {took:.2f}" for name, took in seconds.items() if took >= 0.005)
    return f'<span class="seconds" title="{spans}">{sum(seconds.values()):.2f} s</span>'


# ------------------------------------------------------------------------------------------------ picture


def _sheet(made: _Page, picture: bytes | None) -> str:
    page = made.page
    if not page.width or not page.height or (picture is None and not page.blocks):
        return '<p class="none">no picture</p>'
    image, words = "", '<p class="none">no picture</p>'
    if picture is not None:
        data = base64.b64encode(picture).decode()
        image = (
            f'<image id="i{page.number}" width="{page.width}" height="{page.height}" '
            f'href="data:{MEDIA_TYPE};base64,{data}"/>'
        )
        words = ""
    boxes = "".join(
        _box(page, f"{page.number}-{n}", str(n), marked.block.box, _look(made, marked))
        for n, marked in enumerate(made.marked, 1)
        if marked.block.box is not None
    )
    missing = "".join(
        _box(page, finding.name, "", finding.box, "missing")
        for finding in made.findings["omissions"]
        if finding.box is not None
    )
    return (
        f'<div class="picture {ratio_class(page)}"><svg class="image" viewBox="0 0 {page.width} {page.height}" '
        f'role="img" aria-label="Page {page.number} as it looks">{image}</svg>{words}'
        f'<svg class="boxes">{boxes}{missing}</svg></div>'
    )


def ratio_class(page: ParsedPage) -> str:
    return f"ratio-{_ratio(page)}"


def ratio_rules(pages: Sequence[ParsedPage]) -> str:
    """Style rules for the aspect ratios of the pictures: one rule for each ratio, since inline styles are forbidden."""
    ratios = sorted({_ratio(page) for page in pages})
    return "".join(f".ratio-{ratio} {{ --ratio: {ratio / 1000}; }}\n" for ratio in ratios)


def _ratio(page: ParsedPage) -> int:
    return max(1, round(1000 * page.width / page.height)) if page.height else 1000


def _look(made: _Page, marked: MarkedBlock) -> str:
    if MarkKind.CORRECTED in marked.kinds or MarkKind.UNSUPPORTED in marked.kinds:
        return "changed"
    return "draft" if is_draft(made.page, marked.block, made.target) else "seen"


def is_draft(page: ParsedPage, block: Block, target: str) -> bool:
    """Blocks that no target wrote: all blocks of an unverified page, and the drafts that replace a cut-off answer."""
    return page.verified == "none" or target not in block.sources


def _box(page: ParsedPage, name: str, number: str, box: Box, look: str) -> str:
    """Coordinates in percent, so that boxes scale with the picture while strokes and numbers keep their size."""
    box = box.clipped(page.width, page.height)
    x, y = f'x="{100 * box.x0 / page.width:.2f}%"', f'y="{100 * box.y0 / page.height:.2f}%"'
    size = f'width="{100 * box.width / page.width:.2f}%" height="{100 * box.height / page.height:.2f}%"'
    wide = 8 + 7 * len(number)
    badge = f'<rect x="{-wide}" width="{wide}" height="15"/><text x="{-wide / 2}" y="11.5">{number}</text>'
    badge = f"<svg {x} {y}>{badge}</svg>" if number else ""
    return f'<a id="r{name}" href="#b{name}" class="{look}"><rect {x} {y} {size}/>{badge}</a>'


# --------------------------------------------------------------------------------------------------- text


def _text(made: _Page, *, keep_furniture: bool) -> str:
    if not made.marked:
        said = "nothing could be read of this page" if made.page.status == "failed" else "nothing stands on this page"
        return f'<p class="none">{said}</p>'
    return "".join(_block(made, n, marked, keep_furniture) for n, marked in enumerate(made.marked, 1))


def _block(made: _Page, n: int, marked: MarkedBlock, keep_furniture: bool) -> str:
    page, block = made.page, marked.block
    name = f"{page.number}-{n}"
    classes = ["block", _look(made, marked)]
    about = [str(block.category).replace("_", " "), *block.sources]
    if block.because:
        about.append(f"because of {block.because}")
    if block.confidence is not None:
        about.append(f"confidence {block.confidence:.2f}")
    if block.category in FURNITURE:
        classes.append("furniture")
        about += [] if keep_furniture else ["not in the Markdown"]
    told = escape(", ".join(about))
    number = f'<a class="number" href="#r{name}" title="{told}">{n}</a>'
    if block.box is None:
        number = f'<span class="number" title="{told}, no box">{n}</span>'
    inner = _figure(page, block) if block.category is Category.FIGURE else ""
    if block.text:
        tag = element(block)
        inner += f"<{tag}>{marked.html()}</{tag.split()[0]}>"
    return f'<div class="{" ".join(classes)}" id="b{name}" tabindex="-1">{number}{inner}</div>\n'


def _figure(page: ParsedPage, block: Block) -> str:
    """The page's picture again, clipped to the figure: this needs no second copy of the pixels."""
    if block.box is None or not page.width:
        return '<p class="none">figure</p>'
    box = block.box.clipped(page.width, page.height)
    view = f"{box.x0:.1f} {box.y0:.1f} {max(1.0, box.width):.1f} {max(1.0, box.height):.1f}"
    return f'<svg class="figure" viewBox="{view}" role="img" aria-label="figure"><use href="#i{page.number}"/></svg>'


# -------------------------------------------------------------------------------------------------- lists


def lists_of(page: ParsedPage) -> Mapping[str, Sequence[Correction | Omission | Invention]]:
    evidence = page.evidence
    return dict(zip(SHOWN, (evidence.corrections, evidence.omissions, evidence.inventions), strict=True))


def _found(made: _Page, name: str) -> Iterator[Finding]:
    number = made.page.number
    for n, item in enumerate(lists_of(made.page)[name], 1):
        match item:
            case Correction():
                note = Note(f"c{number}-{n}", MarkKind.CORRECTED, item.target, f"drafted: {item.drafted}")
                yield Finding(note.name, item.drafted, item.target, item.box, _mark(made, note, item.box))
            case Omission():
                yield Finding(f"m{number}-{n}", item.text, "", item.box, None)
            case Invention():
                note = Note(f"u{number}-{n}", MarkKind.UNSUPPORTED, item.text, "in no draft")
                yield Finding(note.name, "", item.text, None, _mark(made, note, None, item.block))


def _mark(made: _Page, note: Note, box: Box | None, first: int = 0) -> int | None:
    """Marks the words in the block at that place or with that number, or else in the first block that has them."""
    order = sorted(
        range(len(made.marked)), key=lambda n: (not _same_place(made.marked[n].block.box, box), n < first, n)
    )
    return next((n for n in order if made.marked[n].annotate(note)), None)


def _same_place(one: Box | None, other: Box | None) -> bool:
    return one is not None and other is not None and one.iou(other) >= SAME_PLACE


def _lists(made: _Page) -> str:
    return "".join(_findings(made, name, made.findings[name]) for name in SHOWN if made.findings[name])


def _findings(made: _Page, name: str, findings: Sequence[Finding]) -> str:
    title, words = HEADLINES[name]
    headline = f"{len(findings)} {title}{'s' if name == 'corrections' and len(findings) > 1 else ''}"
    opened = "" if len(findings) > MANY else " open"
    lines = "".join(f"<li>{_finding(made, finding)}</li>" for finding in findings)
    return (
        f'<details class="notes {name}"{opened}><summary><b>{headline}</b> <span>{words}</span></summary>'
        f"<ol>{lines}</ol></details>\n"
    )


def _finding(made: _Page, finding: Finding) -> str:
    page = made.page.number
    place = f"#{finding.name}"
    if finding.block is None:  # nothing of the text is marked: its box is all there is to show
        place = f"#r{finding.name}" if finding.name.startswith("m") and finding.box else f"#p{page}"
    block = "" if finding.block is None else f'<span class="at">{finding.block + 1}</span>'
    drafted = f"<del>{escape(finding.drafted)}</del>" if finding.drafted else ""
    written = f"<ins>{escape(finding.written)}</ins>" if finding.written else ""
    arrow = '<span class="to">&#8594;</span>' if drafted and written else ""
    return f'<a href="{place}">{block}{drafted}{arrow}{written}</a>'
