"""The words that synthetic pages are written with: lexicon.json.gz. Knows no page and no model.

Two worlds that never meet: the *training* words are those of a small word list, chained as they follow each other in
manual pages and documentation; the *held-out* words are those that only a much larger list knows, and the chain comes
from documents the training chain was not counted on. The file was collected once, from Debian's word lists and
documents, by this script as it stands in commit 3a86a2bf.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("lexicon.json.gz")


@dataclass(frozen=True, slots=True)
class Chain:
    """Which word follows which, how often (damped). Words are positions in `words`, the commonest first."""

    words: list[str]
    counts: list[int]
    followers: list[list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    words: list[str]  # drawn evenly: most of them are rare
    names: list[str]  # capitalised ones
    chain: Chain


@cache
def load(held_out: bool) -> Lexicon:
    with gzip.open(FILE, "rt") as file:
        part = json.load(file)["held_out" if held_out else "training"]
    followers = [list(zip(pairs[::2], pairs[1::2], strict=True)) for pairs in part["followers"]]
    return Lexicon(part["words"], part["names"], Chain(part["chain"], part["counts"], followers))
