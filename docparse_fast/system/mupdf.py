"""Imports PyMuPDF without its layout model, which takes a second of CPU time to load. Knows nothing of documents.

`import pymupdf` tries `import pymupdf.layout` and `import pymupdf4llm`, and the first opens three ONNX models at once.
Most pages need none of them. So both are hidden while PyMuPDF is imported (None in sys.modules makes Python's import
fail) and made available again afterwards; code that needs the layout model imports it itself.
"""

from __future__ import annotations

import importlib
import sys
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
