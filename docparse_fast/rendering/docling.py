"""A document as docling's DoclingDocument, which LangChain, LlamaIndex and docling's own chunkers read.

Needs docling-core, the extra `docling`. Boxes are in points from the top left of the upright page.
"""

from __future__ import annotations

import importlib.util
import json
from typing import TYPE_CHECKING, Any

from docparse_fast.document import FURNITURE, HEADINGS, Block, Category, ParsedDocument, ParsedPage
from docparse_fast.errors import UsageError
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read
from docparse_fast.rendering import harmless
from docparse_fast.rendering.html_cells import grid_of
from docparse_fast.rendering.markdown import LIST_MARKER, heading_level

if TYPE_CHECKING:
    from docling_core.types.doc import DoclingDocument

POINTS_PER_INCH = 72
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
                    made.add_text(label=_label("text"), text=_plain(text), prov=where)
            case Category.CODE:
                made.add_code(text=text, prov=where)
            case Category.FORMULA:
                made.add_formula(text=harmless.formula(text), prov=where)
            case category:
                layer = {"content_layer": _furniture()} if category in FURNITURE else {}
                made.add_text(label=_label(LABELS.get(category, "text")), text=_plain(text), prov=where, **layer)

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
        self._made.add_list_item(
            text=_plain(rest), enumerated=is_numbered, marker=marker, parent=self._list, prov=where
        )

    def _where(self, block: Block) -> Any:
        from docling_core.types.doc import BoundingBox, CoordOrigin, ProvenanceItem

        if block.box is None:
            return None
        box, scale = block.box.rounded(), _scale(self._page)
        sides = {"l": box.x0 * scale, "t": box.y0 * scale, "r": box.x1 * scale, "b": box.y1 * scale}
        place = BoundingBox(**sides, coord_origin=CoordOrigin.TOPLEFT)
        return ProvenanceItem(page_no=self._page.number, bbox=place, charspan=(0, len(block.text)))


def _plain(markdown: str) -> str:
    return as_read(unmarked(harmless.formulas_within(markdown)))


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
