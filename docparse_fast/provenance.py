"""Where a document came from, as it is recorded: the options and everything that decides what is read, by version."""

from __future__ import annotations

from contextlib import suppress
from importlib import metadata
from typing import TYPE_CHECKING, Any

from docparse_fast.document import ParsedDocument, ParsedPage
from docparse_fast.drafting.recognizer_weights import recognizer_identity
from docparse_fast.options import ParseOptions
from docparse_fast.pages import OpenDocument
from docparse_fast.version import __version__

if TYPE_CHECKING:
    from docparse_fast.verification.target import DocumentTarget


def parsed_document(
    document: OpenDocument,
    name: str,
    pages: tuple[ParsedPage, ...],
    options: ParseOptions,
    target: DocumentTarget | None,
) -> ParsedDocument:
    return ParsedDocument(
        source=name,
        sha256=document.sha256,
        pages=pages,
        options=recorded_options(options),
        models=models_used(target),
        warnings=document.warnings(),
    )


def recorded_options(options: ParseOptions) -> dict[str, Any]:
    """By the names the command line has for them. A password is recorded nowhere."""
    raster, drafting, speculation = options.raster, options.drafting, options.speculation
    return {
        "target": options.target.name,
        "drafter": drafting.drafter,
        "ocr": drafting.ocr,
        "lang": drafting.lang,
        "pages": raster.pages,
        "max_pages": raster.max_pages,
        "dpi": raster.dpi,
        "max_pixels": raster.max_pixels,
        "format": list(options.formats),
        "tables": options.tables,
        "keep_furniture": options.keep_furniture,
        "device": options.target.device,
        "dtype": options.target.dtype,
        "stages": speculation.stages,
        "tau": speculation.tau,
        "window": speculation.window,
        "temperature": speculation.temperature,
        "repetition_penalty": speculation.repetition_penalty,
        "max_new_tokens": speculation.max_new_tokens,
        "page_timeout": speculation.page_timeout,
        "check_exact": speculation.check_exact,
        "min_acceptance": speculation.min_acceptance,
    }


def models_used(target: DocumentTarget | None) -> dict[str, str]:
    """Everything that decides what is read, by version; the target by its revision, device and dtype."""
    found = models(target)
    if target is not None:
        identity = target.identity
        found["target"] = f"{identity.name}@{identity.revision} on {identity.device} in {identity.dtype}"
    return found


def models(target: DocumentTarget | None = None) -> dict[str, str]:
    """The packages whose weights or rules decide what is read, by version; the recogniser by its own weights."""
    found = {"docparse-fast": __version__}
    for name in ("pymupdf", "rapidocr", "onnxruntime", *(("torch", "transformers") if target is not None else ())):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    found["recogniser"] = recognizer_identity()
    return found
