"""PP-StructureV3's result, as it is published, to a PageDraft.

{"res": {"parsing_res_list": [{"block_label", "block_content", "block_bbox", "block_order"}, ...],
         "layout_det_res": {"boxes": [{"label", "score", "coordinate"}, ...]},
         "overall_ocr_res": {"rec_texts", "rec_scores", "rec_boxes"},
         "table_res_list": [{"pred_html", "cell_box_list", ...}], "doc_preprocessor_res": {"angle"},
         "formula_res_list": [{"rec_formula", "dt_polys": [x0, y0, x1, y1]}, ...],
         "model_settings": {"use_formula_recognition", ...}}}

The list stands in reading order; `block_order` counts some kinds of blocks only. Lists of tables and formulas are there
where there are any. Formulas are also among the lines of the OCR, with a confidence of 1 that means nothing.

The parsing list leaves things out: page headers, text under what it takes for a picture, whatever no block took. Every
line that its OCR read and no block has is brought back here, under the layout's label where there is one; only a
picture's own few labels stay in the picture.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from docparse_fast.document import FURNITURE, HEADINGS, Box, Category, Draft, PageDraft, Region, TableCell
from docparse_fast.drafting.measures import HELD
from docparse_fast.drafting.scans.figures import full_of_text
from docparse_fast.drafting.tables.table_html import table_html
from docparse_fast.geometry import around
from docparse_fast.text.html_cells import grid_of

FULL = 2.0  # line heights from a block's right edge, beyond which a line ends its paragraph
ENDS = tuple(".!?:;。！？：；…")
BULLET = "•"
LAST_WITH_BLANKS = 0x2E7F
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class OcrLine:
    box: Box
    text: str
    confidence: float


def has(region: Region, line: OcrLine) -> bool:
    """
    >>> table = Region(Box(0, 0, 100, 100), Category.TABLE)
    >>> has(table, OcrLine(Box(10, 10, 50, 20), "Port", 0.9))
    False
    """
    inside = region.box.covers(line.box)
    if region.category is Category.TABLE:
        cells = _TAG.sub(" ", region.text)
        if inside <= HELD:  # its last row may reach below its box
            return inside > 0 and _squeezed(line.text) in _squeezed(cells)
        return _share(line.text, cells) >= HELD
    return inside > HELD or (inside > 0 and _squeezed(line.text).rstrip("-") in _squeezed(region.text))


def respaced(content: str, lines: Sequence[OcrLine]) -> str:
    """With a blank between words of two lines; it writes none behind a full stop.

    >>> here = Box(0, 0, 9, 9)
    >>> respaced("the record.Snow fell", [OcrLine(here, "the record.", 0.9), OcrLine(here, "Snow fell", 0.9)])
    'the record. Snow fell'
    """
    for upper, lower in pairwise(lines):
        last, first = upper.text.split()[-1], lower.text.split()[0]
        if not last.endswith("-") and not _has_no_blanks(last):
            content = content.replace(f"{last}{first}", f"{last} {first}")
    return content


def pieces(content: str, lines: Sequence[OcrLine]) -> list[tuple[str, Box]]:
    """A block's paragraphs and items with their boxes, from its lines in reading order; none where they don't agree.

    It begins a new line of text at each indentation, also within a sentence, and sometimes none at a bullet.
    """
    if not lines:
        return []
    right = max(line.box.x1 for line in lines)
    found: list[tuple[str, list[OcrLine]]] = []
    rest = list(lines)
    for text in filter(None, map(str.strip, re.split(rf"\n|(?={BULLET})", content))):
        count = _lines_of(text, rest)
        if not count:
            return []
        own, rest = rest[:count], rest[count:]
        if found and not text.startswith(BULLET) and _goes_on(found[-1], right):
            before, above = found[-1]
            found[-1] = f"{before}{'' if _has_no_blanks(before) else ' '}{text}", [*above, *own]
        else:
            found.append((text, own))
    return [(text, around(own)) for text, own in found]


def _lines_of(text: str, lines: Sequence[OcrLine]) -> int:
    """How many of the first lines make up the text."""
    wanted, count = len(_squeezed(text)), 0
    while wanted > 0 and count < len(lines):
        wanted -= len(_squeezed(lines[count].text).rstrip("-"))
        count += 1
    return count


def _goes_on(before: tuple[str, list[OcrLine]], right: float) -> bool:
    text, lines = before
    last = lines[-1].box
    return not text.endswith(ENDS) and right - last.x1 < FULL * last.height


def _has_no_blanks(text: str) -> bool:
    """Chinese or Japanese, that is."""
    return ord(text[-1]) > LAST_WITH_BLANKS


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _share(line: str, text: str) -> float:
    """Part of the line's pairs of letters that the text has somewhere; a table's cells may be read anew."""
    wanted, had = _squeezed(line), _squeezed(html.unescape(text))
    pairs = [wanted[n : n + 2] for n in range(max(1, len(wanted) - 1))]
    return sum(pair in had for pair in pairs) / len(pairs)


NAME = "ppstructure"
LABELS = {
    Category.TITLE: "doc_title",
    Category.SECTION_HEADER: "paragraph_title abstract_title reference_title content_title",
    Category.TEXT: "text abstract content reference reference_content aside_text vertical_text formula_number",
    Category.CODE: "algorithm",
    Category.FORMULA: "formula",
    Category.TABLE: "table",
    Category.FIGURE: "image figure chart flowchart seal",
    Category.CAPTION: "table_title chart_title figure_title figure_table_chart_title",
    Category.FOOTNOTE: "footnote vision_footnote",
    Category.PAGE_HEADER: "header header_image",
    Category.PAGE_FOOTER: "footer footer_image",
    Category.PAGE_NUMBER: "number",
}
CATEGORIES = {label: category for category, labels in LABELS.items() for label in labels.split()}
LEVELS = {Category.TITLE: 1, Category.SECTION_HEADER: 2}


def page_draft(result: Mapping[str, Any], number: int, width: int, height: int) -> PageDraft:
    """One page's result, as `result.json` or a saved file gives it."""
    said: Mapping[str, Any] = result.get("res", result)
    turned = _turned(said)
    if turned in (90, 270):
        width, height = height, width
    lines = _ocr_lines(said)
    blocks = [_region(block, said) for block in said.get("parsing_res_list", ())]
    places = [line.box for line in lines]
    blocks = [one for one in blocks if one.category is not Category.FIGURE or not full_of_text(one.box, places)]
    lost = [line for line in lines if not any(has(region, line) for region in blocks)]
    formulas = _lost_formulas(said, blocks)
    lost = [line for line in lost if not any(region.box.covers(line.box) > HELD for region in formulas)]
    regions = [part for region in blocks for part in _in_parts(region, [line for line in lines if has(region, line)])]
    unknown = {str(block["block_label"]) for block in said.get("parsing_res_list", ())} - set(CATEGORIES)
    return PageDraft(
        number,
        width,
        height,
        tuple(_in_place(regions, [*formulas, *_recovered(said, lost)])),
        NAME,
        turned=turned,
        warnings=tuple(f"PP-StructureV3 said {label!r}, taken for text" for label in sorted(unknown)),
    )


def _turned(said: Mapping[str, Any]) -> int:
    """It says by how much the page had been turned clockwise, or -1 for not asked."""
    angle = int((said.get("doc_preprocessor_res") or {}).get("angle", 0))
    return (360 - angle) % 360 if angle > 0 else 0


def _ocr_lines(said: Mapping[str, Any]) -> list[OcrLine]:
    read = said.get("overall_ocr_res") or {}
    return [
        OcrLine(_box(box), text, round(float(score), 4))
        for text, score, box in zip(
            read.get("rec_texts", ()), read.get("rec_scores", ()), read.get("rec_boxes", ()), strict=False
        )
        if text.strip()
    ]


def _region(block: Mapping[str, Any], said: Mapping[str, Any]) -> Region:
    category = _category(block["block_label"], said)
    box = _box(block["block_bbox"])
    content = str(block.get("block_content") or "").strip()
    if category is Category.TABLE:
        content = _table(content) or _nearest_table(box, said)
    elif category is Category.FORMULA:
        content = content.strip("$").strip()
    elif category is Category.FIGURE:
        content = ""
    elif category in HEADINGS:
        content = " ".join(content.lstrip("# ").split())
    return Region(box, category, (Draft(content, NAME),) if content else (), LEVELS.get(category, 0))


def _category(label: str, said: Mapping[str, Any]) -> Category:
    """Where no model of its own reads formulas, the text of a formula is no LaTeX."""
    category = CATEGORIES.get(label, Category.TEXT)
    reads_formulas = (said.get("model_settings") or {}).get("use_formula_recognition", True)
    return Category.TEXT if category is Category.FORMULA and not reads_formulas else category


def _in_parts(region: Region, lines: Sequence[OcrLine]) -> list[Region]:
    """Its paragraphs and items, each around its own lines; of what isn't running text the one region that it is."""
    if not lines or not region.drafts or region.category in (Category.FORMULA, Category.FIGURE):
        return [region]
    confidence = round(sum(line.confidence for line in lines) / len(lines), 4)
    if region.category is Category.TABLE:
        return [replace(region, drafts=(Draft(region.text, NAME, confidence),))]
    text = respaced(region.text, lines)
    whole = [(text, Box.around((region.box, around(lines))))]
    found = pieces(text, lines) if region.category is Category.TEXT else []
    return [
        replace(region, box=box, category=category, drafts=(Draft(words, NAME, confidence),))
        for part, box in (found if len(found) > 1 else whole)
        for category, words in [_as_item(region.category, part)]
    ]


def _as_item(category: Category, text: str) -> tuple[Category, str]:
    """Behind a bullet of ours, if it is an item."""
    if category is not Category.TEXT or not text.startswith(BULLET):
        return category, text
    return Category.LIST_ITEM, f"- {text.removeprefix(BULLET).strip()}"


def _lost_formulas(said: Mapping[str, Any], blocks: Sequence[Region]) -> list[Region]:
    """Formulas that no block has: as lines of the OCR they would come back as text."""
    found = [(_box(one["dt_polys"]), str(one["rec_formula"])) for one in said.get("formula_res_list") or ()]
    return [
        Region(box, Category.FORMULA, (Draft(latex.strip("$").strip(), NAME),))
        for box, latex in found
        if latex.strip("$ ") and not any(region.box.covers(box) > HELD for region in blocks)
    ]


def _recovered(said: Mapping[str, Any], lost: Sequence[OcrLine]) -> list[Region]:
    """The lines that no block has, gathered under the layout's boxes; those without one stand alone, as text."""
    regions = []
    rest = list(lost)
    for found in (said.get("layout_det_res") or {}).get("boxes", ()):
        box, category = _box(found["coordinate"]), CATEGORIES.get(found["label"], Category.TEXT)
        held = [line for line in rest if box.covers(line.box) > HELD]
        if held:
            rest = [line for line in rest if line not in held]
            regions.append(_of_lines(held, category if category in FURNITURE else Category.TEXT))
    return [*regions, *(_of_lines([line], Category.TEXT) for line in rest)]


def _of_lines(lines: Sequence[OcrLine], category: Category) -> Region:
    ordered = sorted(lines, key=lambda line: (line.box.center[1], line.box.x0))
    confidence = round(sum(line.confidence for line in lines) / len(lines), 4)
    text = " ".join(line.text for line in ordered)
    box = around(lines)
    return Region(box, category, (Draft(text, NAME, confidence),))


def _in_place(regions: Sequence[Region], recovered: Iterable[Region]) -> list[Region]:
    """Its own order kept; each region that was brought back goes before the first that begins below it."""
    ordered = list(regions)
    for region in sorted(recovered, key=lambda region: (region.box.y0, region.box.x0)):
        below = (n for n, other in enumerate(ordered) if other.box.y0 >= region.box.y1 and _shares(other, region))
        ordered.insert(next(below, len(ordered)), region)
    return ordered


def _shares(one: Region, other: Region) -> bool:
    """A column, that is; page headers and footers stand over all columns."""
    return other.category in FURNITURE or one.box.overlap_x(other.box) > 0


def _box(corners: Sequence[float]) -> Box:
    x0, y0, x1, y1 = (float(value) for value in corners)
    return Box(x0, y0, x1, y1)


def _nearest_table(box: Box, said: Mapping[str, Any]) -> str:
    """The table whose cells lie in the box, for a block that came without its HTML."""
    for table in said.get("table_res_list") or ():
        cells = [_box(cell) for cell in table.get("cell_box_list", ())]
        if cells and box.covers(Box.around(cells)) > HELD:
            return _table(table.get("pred_html", ""))
    return ""


def _table(html: str) -> str:
    """Its HTML in our one form."""
    cells = grid_of(html)
    return table_html(TableCell(c.row, c.column, c.text, c.rows, c.columns, c.header) for c in cells)
