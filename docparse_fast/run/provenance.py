"""What made a document: the options that were recorded, and the versions of everything that decides its text."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docparse_fast.document import ParsedDocument, ParsedPage
from docparse_fast.drafted import Source
from docparse_fast.drafting.scans.recognizer_weights import recognizer_identity
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import recorded
from docparse_fast.system.providers import CPU, chosen
from docparse_fast.version import __version__

if TYPE_CHECKING:
    from docparse_fast.verification.target import DocumentTarget


def parsed_document(
    document: Source,
    name: str,
    pages: tuple[ParsedPage, ...],
    options: ParseOptions,
    target: DocumentTarget | None,
) -> ParsedDocument:
    return ParsedDocument(
        source=name,
        sha256=document.sha256,
        pages=pages,
        options=recorded(options),
        models=models_used(target),
        warnings=document.warnings(),
    )


def models_used(target: DocumentTarget | None) -> dict[str, str]:
    """Versions of everything that decides the text; for the target its revision, device and dtype."""
    found = models(target)
    if target is not None:
        identity = target.identity
        found["target"] = f"{identity.name}@{identity.revision} on {identity.device} in {identity.dtype}"
    return found


def models(target: DocumentTarget | None = None) -> dict[str, str]:
    """Versions of the packages whose weights or rules decide the text; for the recogniser its own weights."""
    found = {"docparse-fast": __version__}
    for name in ("pymupdf", "rapidocr", "onnxruntime", *(("torch", "transformers") if target is not None else ())):
        if version := _version(name):
            found[name] = version
    found["recogniser"] = recognizer_identity()
    if chosen() != CPU:
        found["drafts"] = f"on {chosen()}"
    return found


@cache
def _version(package: str) -> str:
    """As importlib.metadata finds it, by the names of folders alone: loading that takes a thirtieth of a start."""
    folder_name = re.compile(rf"{package}-([^-]+)\.(?:dist|egg)-info", re.IGNORECASE)
    for folder in sys.path:
        with suppress(OSError):
            names = (folder_name.fullmatch(each.name) for each in Path(folder).iterdir())
            if found := next(filter(None, names), None):
                return found[1]
    return ""
