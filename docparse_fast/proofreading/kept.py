"""OUT/<path>/proofread.json: what a target made of a converted document's words. Knows the file; asks no target.

It belongs to the pages as they read then: where a page has other words by now, nothing is said of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docparse_fast.document import Box, Failure, ParsedPage
from docparse_fast.proofreading.proofreader import DoubtfulWord, ProofreadPage
from docparse_fast.run.edits import digest_of
from docparse_fast.run.outputs import PROOFREAD, store_beside

FORMAT = "docparse-fast/proofread"
VERSION = 1


def pages_as_json(pages: Sequence[ProofreadPage]) -> list[dict[str, Any]]:
    return [_page_json(page) for page in pages]


def keep(folder: Path, target: str, pages: Sequence[ProofreadPage]) -> None:
    found = {"format": FORMAT, "version": VERSION, "target": target, "pages": pages_as_json(pages)}
    store_beside(folder, PROOFREAD, json.dumps(found, ensure_ascii=False, indent=1) + "\n")


def doubts_of_page(kept: Mapping[int, ProofreadPage], page: ParsedPage) -> Sequence[DoubtfulWord]:
    """None of them if it was not proofread, or reads otherwise now."""
    found = kept.get(page.number)
    return found.doubts if found is not None and found.digest == digest_of(page) else ()


def read_kept(folder: Path) -> Mapping[int, ProofreadPage]:
    """By page number; empty if there is no such file, or it can't be understood: proofreading again replaces it."""
    try:
        found = json.loads((folder / PROOFREAD).read_text("utf-8"))
        if found["format"] != FORMAT or found["version"] != VERSION:
            return {}
        return {page.number: page for page in map(_read_page, found["pages"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _page_json(page: ProofreadPage) -> dict[str, Any]:
    return {
        "page": page.number,
        "digest": page.digest,
        "words": page.words,
        "doubts": [_doubt_json(doubt) for doubt in page.doubts],
        "unjudged": list(page.unjudged),
        "error": None if page.error is None else asdict(page.error),
    }


def _doubt_json(doubt: DoubtfulWord) -> dict[str, Any]:
    return {
        "block": doubt.block,
        "word": doubt.word,
        "rho": doubt.share,
        "instead": doubt.instead,
        "box": _box_json(doubt.box),
        "spot": _box_json(doubt.spot),
    }


def _box_json(box: Box | None) -> list[float] | None:
    return None if box is None else [box.x0, box.y0, box.x1, box.y1]


def _read_page(found: Mapping[str, Any]) -> ProofreadPage:
    error = found["error"]
    return ProofreadPage(
        int(found["page"]),
        int(found["words"]),
        tuple(map(_read_doubt, found["doubts"])),
        tuple(found["unjudged"]),
        None if error is None else Failure(**error),
        str(found["digest"]),
    )


def _read_doubt(found: Mapping[str, Any]) -> DoubtfulWord:
    box, spot = (None if found[name] is None else Box(*found[name]) for name in ("box", "spot"))
    return DoubtfulWord(int(found["block"]), str(found["word"]), float(found["rho"]), str(found["instead"]), box, spot)
