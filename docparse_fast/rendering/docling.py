"""A document as docling's DoclingDocument, which LangChain, LlamaIndex and docling's own chunkers read.

Needs docling-core, the extra `docling`. Boxes are in points from the top left of the upright page.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from docparse_fast.document import FURNITURE, HEADINGS, Block, Category, ParsedDocument, ParsedPage
from docparse_fast.errors import UsageError
from docparse_fast.rendering import harmless
from docparse_fast.rendering.html_inline import inline
from docparse_fast.rendering.markdown import LIST_MARKER, heading_level
from docparse_fast.text.html_cells import grid_of

if TYPE_CHECKING:
    from docling_core.types.doc import DoclingDocument

POINTS_PER_INCH = 72
FORMATTED = {"b": "bold", "i": "italic", "u": "underline", "del": "strikethrough", "sup": "", "sub": ""}
Styles = tuple[str, ...]

_WORD = re.compile(r"\S+")

LABELS = {  # ours to theirs, of blocks that are added as text
    Category.CAPTION: "caption",
    Category.FOOTNOTE: "footnote",
    Category.PAGE_HEADER: "page_header",
    Category.PAGE_FOOTER: "page_footer",
    Category.PAGE_NUMBER: "page_footer",
}


def check_docling() -> None:
    """Raises if docling-core is not installed; loads nothing."""
    if importlib.util.find_spec("docling_core") is None:
        raise UsageError("--format docling needs docling-core", remedy="pip install 'docparse-fast[docling]'")


def render_docling(document: ParsedDocument) -> str:
    check_docling()
    from docling_core.types.doc import DoclingDocument, Size

    made = DoclingDocument(name=document.source.rpartition("/")[2] or "document")
    for page in document.pages:
        scale = _scale(page)
        made.add_page(page_no=page.number, size=Size(width=page.width * scale, height=page.height * scale))
        _Writer(made, page).write()
    return json.dumps(made.export_to_dict(), ensure_ascii=False, indent=1) + "\n"


def _scale(page: ParsedPage) -> float:
    return POINTS_PER_INCH / page.dpi if page.dpi else 1.0


class _Writer:
    """Adds the blocks of one page; items that follow one another make a list."""

    def __init__(self, made: DoclingDocument, page: ParsedPage) -> None:
        self._made = made
        self._page = page
        self._list: Any = None

    def write(self) -> None:
        for block in self._page.blocks:
            if block.category is not Category.LIST_ITEM:
                self._list = None
            if block.text.strip() or block.category is Category.FIGURE:
                self._add(block)

    def _add(self, block: Block) -> None:
        made, where = self._made, self._where(block)
        text = block.text.strip()
        match block.category:
            case category if category in HEADINGS:
                self._add_heading(block, where)
            case Category.LIST_ITEM:
                self._add_item(block, where)
            case Category.TABLE:
                made.add_table(data=_table(harmless.formulas_in_cells(text)), prov=where)
            case Category.FIGURE:
                made.add_picture(prov=where)
                if text:
                    self._add_text(text, where)
            case Category.CODE:
                made.add_code(text=text, prov=where)
            case Category.FORMULA:
                made.add_formula(text=harmless.formula(text), prov=where)
            case category:
                layer = _furniture() if category in FURNITURE else None
                self._add_text(text, where, LABELS.get(category, "text"), layer)

    def _add_text(self, text: str, where: Any, label: str = "text", layer: Any = None) -> None:
        """One text, or where only a part of it is emphasised, a text for each part in a group."""
        pieces = _styled(text)
        group = self._made.add_inline_group(content_layer=layer) if len(pieces) > 1 else None
        for piece, formatting in pieces:
            label_of = _label("text" if group else label)
            style = {"formatting": formatting, "content_layer": layer, "parent": group}
            self._made.add_text(label=label_of, text=piece, prov=where, **style)

    def _add_heading(self, block: Block, where: Any) -> None:
        text = _plain(" ".join(block.text.split()))
        if block.category is Category.TITLE:
            self._made.add_title(text=text, prov=where)
        else:  # docling writes level 1 with two marks
            self._made.add_heading(text=text, level=max(1, heading_level(block) - 1), prov=where)

    def _add_item(self, block: Block, where: Any) -> None:
        if self._list is None:
            self._list = self._made.add_list_group()
        text = block.text.strip()
        found = LIST_MARKER.match(text)
        marker = found[0].strip() if found else "-"
        rest = text[found.end() :] if found else text
        is_numbered = marker[0].isdigit()
        pieces = _styled(rest)
        text, formatting = pieces[0] if len(pieces) == 1 else ("", None)
        shown = {"enumerated": is_numbered, "marker": marker, "formatting": formatting}
        item = self._made.add_list_item(text=text, parent=self._list, prov=where, **shown)
        if len(pieces) > 1:
            group = self._made.add_inline_group(parent=item)
            for piece, style in pieces:
                self._made.add_text(label=_label("text"), text=piece, prov=where, formatting=style, parent=group)

    def _where(self, block: Block) -> Any:
        from docling_core.types.doc import BoundingBox, CoordOrigin, ProvenanceItem

        if block.box is None:
            return None
        box, scale = block.box.rounded(), _scale(self._page)
        sides = {"l": box.x0 * scale, "t": box.y0 * scale, "r": box.x1 * scale, "b": box.y1 * scale}
        place = BoundingBox(**sides, coord_origin=CoordOrigin.TOPLEFT)
        return ProvenanceItem(page_no=self._page.number, bbox=place, charspan=(0, len(block.text)))


def _plain(markdown: str) -> str:
    return "".join(text for text, _ in _pieces(markdown))


def _pieces(markdown: str) -> Iterator[tuple[str, Styles]]:
    """What is printed, and its styles; formulas keep their dollar signs, as docling has no place for them in a line."""
    for piece in inline(harmless.formulas_within(markdown)):
        text = " " if piece.at < 0 else f"${piece.text}$" if "math" in piece.styles else piece.text
        yield text, tuple(style for style in piece.styles if style in FORMATTED)


def _styled(markdown: str) -> list[tuple[str, Any]]:
    """Words of one style together, with docling's name for it. It sets a blank between two, so no word is parted."""
    pieces = list(_pieces(markdown))
    text = "".join(text for text, _ in pieces)
    styles = [styles for text, styles in pieces for _ in text]
    words = [(found, _style_of(found, styles)) for found in _WORD.finditer(text)]
    runs = [(list(run), style) for style, run in groupby(words, lambda each: each[1])]
    parts = [(text[run[0][0].start() : run[-1][0].end()], _formatting(style)) for run, style in runs]
    return parts or [("", None)]


def _style_of(word: re.Match[str], styles: Sequence[Styles]) -> Styles:
    """That of its letters, whatever the signs beside them have; none where they differ."""
    places = range(word.start(), word.end())
    found = {styles[at] for at in places if word.string[at].isalnum()} or {styles[at] for at in places}
    return found.pop() if len(found) == 1 else ()


def _formatting(styles: Styles) -> Any:
    from docling_core.types.doc import Formatting, Script

    if not styles:
        return None
    script = Script.SUPER if "sup" in styles else Script.SUB if "sub" in styles else Script.BASELINE
    return Formatting(**{FORMATTED[each]: True for each in styles if FORMATTED[each]}, script=script)


def _label(name: str) -> Any:
    from docling_core.types.doc import DocItemLabel

    return DocItemLabel(name)


def _furniture() -> Any:
    from docling_core.types.doc import ContentLayer

    return ContentLayer.FURNITURE


def _table(html: str) -> Any:
    from docling_core.types.doc import TableCell, TableData

    cells = grid_of(html)
    return TableData(
        num_rows=max((cell.row + cell.rows for cell in cells), default=0),
        num_cols=max((cell.column + cell.columns for cell in cells), default=0),
        table_cells=[
            TableCell(
                text=cell.text,
                row_span=cell.rows,
                col_span=cell.columns,
                start_row_offset_idx=cell.row,
                end_row_offset_idx=cell.row + cell.rows,
                start_col_offset_idx=cell.column,
                end_col_offset_idx=cell.column + cell.columns,
                column_header=cell.header,
            )
            for cell in cells
        ],
    )
