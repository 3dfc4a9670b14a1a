"""Imports PyMuPDF without its layout model, which takes a second of CPU time to load. Knows nothing of documents.

`import pymupdf` tries `import pymupdf.layout` and `import pymupdf4llm`, and the first opens three ONNX models at once.
Most pages need none of them. So both are hidden while PyMuPDF is imported (None in sys.modules makes Python's import
fail) and made available again afterwards; code that needs the layout model imports it itself.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

LEFT_OUT = ("pymupdf.layout", "pymupdf4llm")


def _imported() -> ModuleType:
    kept_out = [name for name in LEFT_OUT if name not in sys.modules]
    sys.modules.update(dict.fromkeys(kept_out))  # type: ignore[arg-type]
    try:
        return importlib.import_module("pymupdf")
    finally:
        for name in kept_out:
            del sys.modules[name]


if TYPE_CHECKING:
    import pymupdf as pymupdf
else:
    pymupdf = _imported()


@contextmanager
def word_heights(*, corrected: bool) -> Iterator[None]:
    """Whether PyMuPDF corrects the heights of words where a font's own can't be right; then as it was before.

    It is one switch for the whole process. pymupdf4llm turns the correction off, and `import pymupdf` loads that.
    """
    before = pymupdf.TOOLS.unset_quad_corrections()
    pymupdf.TOOLS.unset_quad_corrections(not corrected)
    try:
        yield
    finally:
        pymupdf.TOOLS.unset_quad_corrections(before)
