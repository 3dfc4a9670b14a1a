"""Fetches one language's data for Tesseract, compares it with the digest we know, and keeps it whole or not at all.

Knows one address, or the one in DOCPARSE_FAST_TESSDATA_URL, where files lie under their own names.
"""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path

from docparse_fast.errors import ModelError, OutputError, in_words
from docparse_fast.system.digests import sha256_of
from docparse_fast.system.files import part_of
from docparse_fast.system.language_data import RELEASE, LanguageData, own_folder

SOURCE = "DOCPARSE_FAST_TESSDATA_URL"
PUBLISHED = f"https://github.com/tesseract-ocr/tessdata_fast/raw/{RELEASE}"
MOST_BYTES = 50_000_000
PATIENCE = 20  # seconds without a byte


def fetch_language(data: LanguageData, to: Path | None = None) -> Path:
    """The folder where it lies."""
    folder = to or own_folder()
    address = f"{os.environ.get(SOURCE) or PUBLISHED}/{data.file}"
    path = folder / data.file
    if not (path.is_file() and sha256_of(path) == data.sha256):
        _keep(_fetched(address, data), path, data)
    return folder


def _fetched(address: str, data: LanguageData) -> bytes:
    if os.environ.get("HF_HUB_OFFLINE", "").lower() in {"1", "true", "yes", "on"}:
        raise ModelError("model_missing", f"{data.code} can't be fetched: HF_HUB_OFFLINE is set", remedy="unset it")
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            found: bytes = answer.read(MOST_BYTES)
    except (urllib.error.URLError, HTTPException, OSError, ValueError) as error:
        raise ModelError(
            "model_missing",
            f"{data.file} can't be fetched from {address} ({in_words(error)})",
            remedy=f"apt-get install tesseract-ocr-{data.code}, or name a mirror in {SOURCE}",
        ) from error
    return found


def _keep(content: bytes, path: Path, data: LanguageData) -> None:
    part = part_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError("write_failed", f"{path.parent}: {error.strerror}", remedy="name another folder") from error
    try:
        with part.open("xb") as file:
            file.write(content)
        if sha256_of(part) != data.sha256:
            raise ModelError(
                "model_missing",
                f"{data.file}: what came is not tessdata_fast {RELEASE}'s",
                remedy=f"apt-get install tesseract-ocr-{data.code}",
            )
        part.replace(path)
    except OSError as error:
        raise OutputError("write_failed", f"{path}: {error.strerror}", remedy="check its rights") from error
    finally:
        part.unlink(missing_ok=True)
