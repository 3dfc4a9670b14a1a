"""PaddleOCR's PP-StructureV3 as a drafter: its result, as it is published, to a PageDraft. Knows no model inside it.

{"res": {"parsing_res_list": [{"block_label", "block_content", "block_bbox", "block_order"}, ...],
         "layout_det_res": {"boxes": [{"label", "score", "coordinate"}, ...]},
         "overall_ocr_res": {"rec_texts", "rec_scores", "rec_boxes"},
         "table_res_list": [{"pred_html", "cell_box_list", ...}], "doc_preprocessor_res": {"angle"}}}

The parsing list leaves things out: page headers, text under what it takes for a picture, whatever no block took. Every
line that its OCR read and no block holds is brought back here, under the layout's label where there is one; only a
picture's own few labels stay in the picture.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

from docparse_fast.document import FURNITURE, HEADINGS, Box, Category, Draft, Page, PageDraft, Region, TableCell
from docparse_fast.drafting.tables.table_html import table_html
from docparse_fast.errors import ModelError, PageError

ENGINE = "DOCPARSE_FAST_PPSTRUCTURE_ENGINE"  # paddle, onnxruntime, transformers: whatever PaddleOCR can run
MODELS = "DOCPARSE_FAST_PPSTRUCTURE_MODELS"  # a folder with one model a sub-folder, named by its part
NEEDED = ("layout_detection", "text_detection", "text_recognition")
TABLES = (
    "table_classification",
    "wired_table_structure_recognition",
    "wireless_table_structure_recognition",
    "wired_table_cells_detection",
    "wireless_table_cells_detection",
)
SWITCHES = {  # parts that may be missing, and what is switched off without them
    "doc_orientation_classify": "use_doc_orientation_classify",
    "textline_orientation": "use_textline_orientation",
    "formula_recognition": "use_formula_recognition",
    "region_detection": "use_region_detection",
}
FULL_OF_TEXT = 0.25  # part of a picture's area under text from which it is none
HELD = 0.5  # part of a line that lies in the block which has its text

CATEGORIES = {
    "doc_title": Category.TITLE,
    "paragraph_title": Category.SECTION_HEADER,
    "abstract_title": Category.SECTION_HEADER,
    "reference_title": Category.SECTION_HEADER,
    "content_title": Category.SECTION_HEADER,
    "text": Category.TEXT,
    "abstract": Category.TEXT,
    "content": Category.TEXT,
    "reference": Category.TEXT,
    "reference_content": Category.TEXT,
    "aside_text": Category.TEXT,
    "vertical_text": Category.TEXT,
    "formula_number": Category.TEXT,
    "algorithm": Category.CODE,
    "formula": Category.FORMULA,
    "table": Category.TABLE,
    "image": Category.FIGURE,
    "figure": Category.FIGURE,
    "chart": Category.FIGURE,
    "flowchart": Category.FIGURE,
    "seal": Category.FIGURE,
    "table_title": Category.CAPTION,
    "chart_title": Category.CAPTION,
    "figure_title": Category.CAPTION,
    "figure_table_chart_title": Category.CAPTION,
    "footnote": Category.FOOTNOTE,
    "vision_footnote": Category.FOOTNOTE,
    "header": Category.PAGE_HEADER,
    "header_image": Category.PAGE_HEADER,
    "footer": Category.PAGE_FOOTER,
    "footer_image": Category.PAGE_FOOTER,
    "number": Category.PAGE_NUMBER,
}
LEVELS = {Category.TITLE: 1, Category.SECTION_HEADER: 2}


@dataclass(frozen=True, slots=True)
class OcrLine:
    box: Box
    text: str
    confidence: float


class PPStructureDrafter:
    """Asks PaddleOCR's own pipeline, opened at the first page.

    >>> PPStructureDrafter(engine="onnxruntime").draft(page)      # doctest: +SKIP
    """

    name = "ppstructure"

    def __init__(self, threads: int = 1, lang: str = "", engine: str = "", models: Path | None = None) -> None:
        self._threads = threads
        self._lang = lang
        self._engine = engine or os.environ.get(ENGINE, "")
        folder = os.environ.get(MODELS, "")
        self._models = models or (Path(folder) if folder else None)
        if self._models is None and os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0"):
            raise ModelError(
                "model_missing",
                "PaddleOCR may ask a hub for its models, and the network is off limits",
                remedy=f"put the models into a folder and name it in {MODELS}",
            )
        if importlib.util.find_spec("paddleocr") is None:
            raise ModelError(
                "model_missing", "PaddleOCR is not installed", remedy="pip install 'docparse-fast[ppstructure]'"
            )

    @cached_property
    def _pipeline(self) -> Any:
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # as in onnx.py: it may run its models on the same library
        from paddleocr import PPStructureV3

        # the seal and chart models only read what is a figure to us, and unwarped pages have other boxes
        settings: dict[str, Any] = {
            "device": "cpu",
            "use_doc_unwarping": False,
            "use_seal_recognition": False,
            "use_chart_recognition": False,
        }
        if self._engine:
            settings["engine"] = self._engine
        if self._engine == "onnxruntime":
            settings["engine_config"] = {"intra_op_num_threads": self._threads, "log_severity_level": 3}
        else:
            settings["cpu_threads"] = self._threads
        if self._models:
            settings |= local_models(self._models)
        elif self._lang:
            settings["lang"] = self._lang
        try:
            return PPStructureV3(**settings)
        except Exception as error:  # what it raises without a hub is a bare Exception
            raise ModelError(
                "model_missing",
                f"PP-StructureV3 could not be opened: {_first_line(error)}",
                remedy=f"connect to a model hub once, or put the models into a folder and name it in {MODELS}",
            ) from error

    def draft(self, page: Page) -> PageDraft:
        pipeline = self._pipeline
        image = np.ascontiguousarray(np.asarray(page.image.convert("RGB"))[:, :, ::-1])
        try:
            result = next(iter(pipeline.predict(image, **self._asked()))).json
        except Exception as error:
            raise PageError("draft_failed", f"PP-StructureV3 failed on page {page.number}: {error}") from error
        return page_draft(result, page.number, page.width, page.height)

    def _asked(self) -> dict[str, bool]:
        """It would fetch two more models for tables, where the ones it has are all it may use."""
        if self._models is None:
            return {}
        return {"use_table_orientation_classify": False, "use_ocr_results_with_table_cells": False}


def local_models(folder: Path) -> dict[str, Any]:
    """PPStructureV3's settings for the models in `folder`; what isn't there and can be done without is switched off."""
    missing = [part for part in NEEDED if not (folder / part / "inference.yml").is_file()]
    if missing:
        raise ModelError(
            "model_missing",
            f"{folder} holds no {', '.join(missing)}",
            remedy=f"put each model (inference.yml and its weights) into the sub-folder so named, or unset {MODELS}",
        )
    found = {part.parent.name: part.parent for part in sorted(folder.glob("*/inference.yml"))}
    tables = all(part in found for part in TABLES)
    settings: dict[str, Any] = {"use_table_recognition": tables}
    settings |= {switch: part in found for part, switch in SWITCHES.items()}
    for part in (*NEEDED, *SWITCHES, *(TABLES if tables else ())):
        if part in found:
            settings[f"{part}_model_dir"] = str(found[part])
            settings[f"{part}_model_name"] = _model_name(found[part] / "inference.yml")
    return settings


def _model_name(description: Path) -> str:
    named = re.search(r"^\s*model_name:\s*(\S+)", description.read_text("utf-8"), re.MULTILINE)
    if not named:
        raise ModelError("model_missing", f"{description} names no model", remedy="take the file that came with it")
    return named[1].strip("\"'")


# ------------------------------------------------------------------------------------------- its result


def page_draft(result: Mapping[str, Any], number: int, width: int, height: int) -> PageDraft:
    """One page's result, as `result.json` or a saved file gives it."""
    said: Mapping[str, Any] = result.get("res", result)
    turned = _turned(said)
    if turned in (90, 270):
        width, height = height, width
    lines = _ocr_lines(said)
    regions = [_region(block, said, lines) for block in said.get("parsing_res_list", ())]
    regions = [region for region in regions if not _false_picture(region, lines)]
    lost = [line for line in lines if not any(region.box.covers(line.box) > HELD for region in regions)]
    unknown = {str(block["block_label"]) for block in said.get("parsing_res_list", ())} - set(CATEGORIES)
    return PageDraft(
        number,
        width,
        height,
        tuple(_in_place(regions, _recovered(said, lost))),
        PPStructureDrafter.name,
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


def _region(block: Mapping[str, Any], said: Mapping[str, Any], lines: Sequence[OcrLine]) -> Region:
    category = CATEGORIES.get(block["block_label"], Category.TEXT)
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
    held = [line.confidence for line in lines if box.covers(line.box) > HELD]
    confidence = round(sum(held) / len(held), 4) if held else None
    drafts = (Draft(content, PPStructureDrafter.name, confidence),) if content else ()
    return Region(box, category, drafts, LEVELS.get(category, 0))


def _false_picture(region: Region, lines: Sequence[OcrLine]) -> bool:
    if region.category is not Category.FIGURE:
        return False
    return sum(region.box.intersection(line.box) for line in lines) > FULL_OF_TEXT * region.box.area


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
    box = Box.around(line.box for line in lines)
    return Region(box, category, (Draft(text, PPStructureDrafter.name, confidence),))


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


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


# ------------------------------------------------------------------------------------------- its tables


def _nearest_table(box: Box, said: Mapping[str, Any]) -> str:
    """The table whose cells lie in the box, for a block that came without its HTML."""
    for table in said.get("table_res_list") or ():
        cells = [_box(cell) for cell in table.get("cell_box_list", ())]
        if cells and box.covers(Box.around(cells)) > HELD:
            return _table(table.get("pred_html", ""))
    return ""


def _table(html: str) -> str:
    """Its HTML in our one form."""
    reader = _TableReader()
    reader.feed(html)
    reader.close()
    return table_html(reader.cells)


class _TableReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.cells: list[TableCell] = []
        self._taken: set[tuple[int, int]] = set()
        self._row = -1
        self._head = False
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "thead":
            self._head = True
        elif tag == "tr":
            self._row += 1
        elif tag in ("td", "th"):
            self._begin(dict(attrs), header=self._head or tag == "th")

    def handle_endtag(self, tag: str) -> None:
        if tag == "thead":
            self._head = False
        elif tag in ("td", "th"):
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.cells[-1] = replace(self.cells[-1], text=self.cells[-1].text + data)

    def _begin(self, attributes: Mapping[str, str | None], *, header: bool) -> None:
        row, column = max(0, self._row), 0
        while (row, column) in self._taken:
            column += 1
        rows, columns = (_span(attributes.get(name)) for name in ("rowspan", "colspan"))
        self._taken |= {(row + down, column + across) for down in range(rows) for across in range(columns)}
        self.cells.append(TableCell(row, column, "", rows, columns, header))
        self._open = True


def _span(value: str | None) -> int:
    return min(100, max(1, int(value))) if value and value.isdecimal() else 1
