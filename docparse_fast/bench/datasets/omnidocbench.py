"""OmniDocBench v1.5: one JSON list of pages with their blocks, beside a folder of images.

Knows the fields of OmniDocBench.json: `layout_dets` (category_type, order, ignore, anno_id, and text, latex or html),
`page_info` (image_path, page_attribute) and `extra.relation`. What counts follows the official end-to-end evaluation:
titles, paragraphs, code and references are text; captions, footnotes and running heads are matched but not counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docparse_fast.bench.datasets.bench_page import BenchPage, BlockKind, Dataset, Truth, TruthBlock
from docparse_fast.bench.datasets.published import (
    OMNIDOCBENCH,
    groups_of,
    read_json,
    text_field,
    with_all_files,
)

# `data_source` as the paper's Table 1 names its columns, in its order.
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
COUNTED_TEXT = frozenset({"title", "text_block", "list_merge", "code_txt", "code_txt_caption", "reference"})
UNCOUNTED_TEXT = frozenset(
    {
        "figure_caption",
        "figure_footnote",
        "table_caption",
        "table_footnote",
        "equation_caption",
        "code_algorithm",
        "code_algorithm_caption",
        "header",
        "footer",
        "page_number",
        "page_footnote",
        "abandon",
    }
)
FORMULAS = frozenset({"equation_isolated", "isolate_formula"})
TRUNCATED = "truncated"  # a paragraph that goes on in another block, and is judged as one


def find_list(folder: Path) -> Path | None:
    """The JSON that makes a folder OmniDocBench: by its name, or else by a name that starts so."""
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


def _truth(record: Mapping[str, Any], where: str, path: Path) -> Truth:
    annotations = record["layout_dets"]
    if not all(isinstance(annotation, dict) and "category_type" in annotation for annotation in annotations):
        raise OMNIDOCBENCH.misshapen(path, f"{where} has a block without `category_type`")
    read = [annotation for annotation in annotations if _kind(annotation) is not None]
    read.sort(key=lambda annotation: _order(annotation))
    blocks = tuple(block for block in map(_block, _joined(read, record)) if block.text.strip())
    return Truth("\n\n".join(_as_markdown(block) for block in blocks if block.counted), blocks)


def _kind(annotation: Mapping[str, Any]) -> BlockKind | None:
    category = annotation["category_type"]
    if category == "table":
        return "table"
    if category in FORMULAS:
        return "formula"
    return "text" if category in COUNTED_TEXT | UNCOUNTED_TEXT else None


def _order(annotation: Mapping[str, Any]) -> float:
    """Blocks that stand outside the reading order have none; they come last."""
    order = annotation.get("order")
    return float(order) if isinstance(order, int | float) else float("inf")


def _joined(annotations: Sequence[dict[str, Any]], record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Annotations in reading order, each paragraph that was cut in two put together at its first part's place."""
    following = _following(record)
    head: dict[Any, dict[str, Any]] = {}  # by the id of a part: the paragraph it belongs to
    joined: list[dict[str, Any]] = []
    for annotation in annotations:
        key = annotation.get("anno_id")
        whole = next((head[other] for other in following.get(key, ()) if other in head), None)
        if whole is None:
            whole = dict(annotation)
            joined.append(whole)
        else:
            whole["text"] = f"{whole.get('text', '')} {annotation.get('text', '')}"
        head[key] = whole
    return joined


def _following(record: Mapping[str, Any]) -> dict[Any, list[Any]]:
    """The parts that each part of a cut paragraph goes with, either way round."""
    relations = (record.get("extra") or {}).get("relation") or []
    parts: dict[Any, list[Any]] = {}
    for relation in relations:
        if TRUNCATED in (relation.get("relation_type"), relation.get("relation")):
            first, second = relation.get("source_anno_id"), relation.get("target_anno_id")
            parts.setdefault(first, []).append(second)
            parts.setdefault(second, []).append(first)
    return parts


def _block(annotation: Mapping[str, Any]) -> TruthBlock:
    kind = _kind(annotation) or "text"
    field = {"text": "text", "table": "html", "formula": "latex"}[kind]
    text = str(annotation.get(field) or "")
    counted = not annotation.get("ignore", False) and annotation["category_type"] not in UNCOUNTED_TEXT
    return TruthBlock(kind, _without_dollars(text) if kind == "formula" else text, counted)


def _without_dollars(latex: str) -> str:
    """
    >>> _without_dollars("$$ x^2 $$"), _without_dollars(r"\\[ y \\]")
    ('x^2', 'y')
    """
    return latex.strip().removeprefix("\\[").removesuffix("\\]").strip("$").strip()


def _as_markdown(block: TruthBlock) -> str:
    return f"$$\n{block.text}\n$$" if block.kind == "formula" else block.text
