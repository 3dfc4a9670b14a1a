"""Ocean-OCR-Bench: English and Chinese document pages, whose text is the answer in a conversation.

Knows `OCR_eval_data`: document_en.json and document_zh.json, each a list of `image` and `conversations`, beside a
folder of images of the same name. Handwriting and street scenes are left out, as in the paper: they are no documents.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docparse_fast.bench.datasets.bench_page import BenchPage, Dataset
from docparse_fast.bench.datasets.published import (
    OCEAN_OCR_BENCH,
    groups_of,
    read_json,
    text_field,
    with_all_files,
)

COLUMNS = {"en": "English", "zh": "Chinese"}


def find_eval_data(folder: Path) -> Path | None:
    """The folder with the lists: `folder` itself or its `OCR_eval_data`."""
    for at in (folder, folder / "OCR_eval_data"):
        if any((at / f"document_{language}.json").is_file() for language in COLUMNS):
            return at
    return None


def load_ocean_ocr_bench(folder: Path) -> Dataset:
    data = find_eval_data(folder)
    if data is None:
        raise OCEAN_OCR_BENCH.missing(folder)
    lists = {language: data / f"document_{language}.json" for language in COLUMNS}
    absent = [path.name for path in lists.values() if not path.is_file()]
    pages = [page for language, path in lists.items() if path.is_file() for page in _pages(path, language)]
    complete = with_all_files(pages, OCEAN_OCR_BENCH)
    notes = tuple(f"{name} is missing: its pages are left out" for name in absent)
    return Dataset("ocean-ocr-bench", folder, complete, groups_of(complete, COLUMNS.values()), notes)


def _pages(path: Path, language: str) -> list[BenchPage]:
    records = read_json(path, OCEAN_OCR_BENCH)
    if not isinstance(records, list) or not records:
        raise OCEAN_OCR_BENCH.misshapen(path, "expected a list of images with their conversations")
    return [_page(record, f"entry {at}", path, language) for at, record in enumerate(records)]


def _page(record: Any, where: str, path: Path, language: str) -> BenchPage:
    image = text_field(record, "image", where, path, OCEAN_OCR_BENCH)
    answers = [turn for turn in record.get("conversations") or () if turn.get("from") == "gpt"]
    if not answers:
        raise OCEAN_OCR_BENCH.misshapen(path, f'{where} has no answer (`from` "gpt") in its `conversations`')
    return BenchPage(
        id=f"{path.stem}/{Path(image).stem}",
        path=path.with_suffix("") / image,
        group=COLUMNS[language],
        language=language,
        truth=text_field(answers[0], "value", where, path, OCEAN_OCR_BENCH).strip(),
    )
