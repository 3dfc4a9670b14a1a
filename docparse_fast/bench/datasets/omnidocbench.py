"""OmniDocBench v1.5: one JSON list of pages with their blocks, beside a folder of images.

Knows the fields of OmniDocBench.json: `layout_dets` (category_type, order, ignore, and text, latex or html),
and `page_info` (image_path, page_attribute). As in the official end-to-end evaluation,
titles, paragraphs, code, references, tables and formulas are the page's text; captions and running heads are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docparse_fast.bench.datasets.bench_page import BenchPage, Dataset
from docparse_fast.bench.datasets.published import (
    OMNIDOCBENCH,
    groups_of,
    read_json,
    text_field,
    with_all_files,
)

# By `data_source`, the columns of the paper's Table 1, in its order.
COLUMNS = {
    "PPT2PDF": "Slides",
    "academic_literature": "Academic Papers",
    "book": "Book",
    "colorful_textbook": "Textbook",
    "exam_paper": "Exam Papers",
    "magazine": "Magazine",
    "newspaper": "Newspaper",
    "note": "Notes",
    "research_report": "Financial Report",
}
FIELDS = {  # by kind of block, the field with its text; other kinds don't count
    **dict.fromkeys(("title", "text_block", "list_merge", "code_txt", "code_txt_caption", "reference"), "text"),
    "table": "html",
    "equation_isolated": "latex",
    "isolate_formula": "latex",
}


def find_list(folder: Path) -> Path | None:
    """The list of pages: OmniDocBench.json, or else the first file whose name starts so."""
    exact = folder / "OmniDocBench.json"
    if exact.is_file():
        return exact
    return next(iter(sorted(folder.glob("OmniDocBench*.json"))), None)


def load_omnidocbench(folder: Path) -> Dataset:
    path = find_list(folder)
    if path is None:
        raise OMNIDOCBENCH.missing(folder)
    records = read_json(path, OMNIDOCBENCH)
    if not isinstance(records, list) or not records:
        raise OMNIDOCBENCH.misshapen(path, "expected a list of pages")
    pages = with_all_files([_page(record, at, path) for at, record in enumerate(records)], OMNIDOCBENCH)
    return Dataset("omnidocbench", folder, pages, groups_of(pages, COLUMNS.values()))


def _page(record: Any, at: int, path: Path) -> BenchPage:
    where = f"page {at} of the list"
    info = record.get("page_info") if isinstance(record, dict) else None
    if not isinstance(info, dict) or not isinstance(record.get("layout_dets"), list):
        raise OMNIDOCBENCH.misshapen(path, f"{where} has no `page_info` and `layout_dets`")
    name = Path(text_field(info, "image_path", where, path, OMNIDOCBENCH)).name
    attributes = info.get("page_attribute") or {}
    source = str(attributes.get("data_source", ""))
    return BenchPage(
        id=Path(name).stem,
        path=path.parent / "images" / name,
        group=COLUMNS.get(source, source),
        language=str(attributes.get("language", "")),
        truth=_truth(record, where, path),
    )


def _truth(record: Mapping[str, Any], where: str, path: Path) -> str:
    blocks = record["layout_dets"]
    if not all(isinstance(block, dict) and "category_type" in block for block in blocks):
        raise OMNIDOCBENCH.misshapen(path, f"{where} has a block without `category_type`")
    counted = [block for block in blocks if block["category_type"] in FIELDS and not block.get("ignore", False)]
    texts = [str(block.get(FIELDS[block["category_type"]]) or "") for block in sorted(counted, key=_order)]
    return "\n\n".join(text for text in texts if text.strip())


def _order(block: Mapping[str, Any]) -> float:
    """The place in reading order; blocks outside it come last."""
    order = block.get("order")
    return float(order) if isinstance(order, int | float) else float("inf")
