"""Writes predictions as files that the data sets' own tools read. Knows their names and folders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from docparse_fast.bench.datasets.bench_page import Dataset
from docparse_fast.errors import OutputError, in_words
from docparse_fast.system.files import write


def export_predictions(dataset: Dataset, predictions: Mapping[str, str], out: Path) -> list[Path]:
    """Writes a Markdown file per page below `out`, named by page id; pages without a prediction get no file.

    For OmniDocBench the file has the name of the page's image; for olmOCR-Bench it is `<pdf>_pg<page>_repeat1.md`, in
    the folders of the PDFs.
    """
    written = []
    for page in dataset.pages:
        if page.id in predictions:
            path = out / (f"{page.id}_repeat1.md" if dataset.name == "olmocr-bench" else f"{page.id}.md")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise OutputError(
                    "write_failed", f"{path.parent}: {in_words(error)}", remedy="check the folder"
                ) from error
            write(path, predictions[page.id])
            written.append(path)
    return written
