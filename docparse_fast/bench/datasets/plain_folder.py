"""Any folder of PDFs and images; a file's true text may be beside it as `name.md` or `name.txt`.

The text of a PDF with several pages has `<!-- page N -->` marks, as `convert` writes them into document.md. Without
marks the text is ignored, and a note says so.
"""

from __future__ import annotations

import re
from pathlib import Path

from docparse_fast.bench.datasets.bench_page import BenchPage, Dataset
from docparse_fast.errors import InputError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.pages.kinds import shown
from docparse_fast.run.inputs import find_inputs

PAGE_MARK = re.compile(r"<!-- page (\d+) -->")
TRUTHS = (".md", ".txt")


def load_plain_folder(folder: Path) -> Dataset:
    """Every page of every file below the folder, in the order of their names."""
    pages: list[BenchPage] = []
    notes: list[str] = []
    for source in find_inputs([folder], None):
        if source.path != folder:  # find_inputs returns the folder itself if it is empty
            try:
                pages += _pages(source.path, source.output, notes)
            except InputError as error:
                notes.append(f"left out: {error}")
    if not pages:
        without = "no PDF and no image in it" if not notes else f"none that can be read ({notes[0]})"
        raise InputError("empty", f"{shown(folder)} has {without}", remedy="name a folder with pages to read")
    return Dataset("folder", folder, tuple(pages), notes=tuple(notes))


def _pages(path: Path, name: str, notes: list[str]) -> list[BenchPage]:
    with open_pages(path, RasterOptions()) as document:
        numbers = list(document.numbers)
    truths = _truths(path, numbers, notes)
    ids = {number: name if len(numbers) == 1 else f"{name}_pg{number}" for number in numbers}
    return [BenchPage(ids[number], path, number, truth=truths.get(number)) for number in numbers]


def _truths(path: Path, numbers: list[int], notes: list[str]) -> dict[int, str]:
    beside = next((path.with_suffix(suffix) for suffix in TRUTHS if path.with_suffix(suffix).is_file()), None)
    if beside is None:
        return {}
    text = beside.read_text("utf-8", "replace")
    marked = _by_page(text)
    if marked:
        return marked
    if len(numbers) == 1:
        return {numbers[0]: text.strip()}
    notes.append(f"{beside.name} has no `<!-- page N -->` marks: the {len(numbers)} pages of {path.name} have no truth")
    return {}


def _by_page(text: str) -> dict[int, str]:
    """
    >>> _by_page("<!-- page 1 -->\\n\\nOne.\\n\\n<!-- page 2 -->\\n\\nTwo.")
    {1: 'One.', 2: 'Two.'}
    """
    _, *parts = PAGE_MARK.split(text)
    return {int(number): part.strip() for number, part in zip(parts[::2], parts[1::2], strict=True)}
