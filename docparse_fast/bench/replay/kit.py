"""A replay kit: pages and a real model's answers. Knows the folder's format; replays nothing.

KIT/pages.json       [{"id": "set/page", "input": "inputs/a.pdf", "page": 1, "answer": "answers/a.txt",
                       "dialect": "dots.ocr", "model": "...", "source": "...", "dpi": 144}, ...]
KIT/tokenizer.json   the model's, in the format of the tokenizers library
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docparse_fast.errors import InputError, ModelError, UsageError
from docparse_fast.options import RasterOptions
from docparse_fast.options.declaring import one_of
from docparse_fast.targets.dialects.dialect import Dialect
from docparse_fast.targets.loading.catalog import BY_NAME

ANY_SIZE = {"qwen3-vl": "qwen3-vl-8b"}  # names of model families that share a dialect
NANO = Path(__file__).parents[2] / "data" / "nano" / "tokenizer.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored answer. Its set is the part of its name before the first slash."""

    name: str
    input: Path
    page: int
    answer: str
    dialect: Dialect
    model: str
    raster: RasterOptions

    @property
    def set(self) -> str:
        return self.name.split("/")[0]


def read_kit(folder: Path) -> list[Entry]:
    """The kit's entries, in its order."""
    try:
        listed = json.loads((folder / "pages.json").read_text("utf-8"))
        return [_entry(folder, fields) for fields in listed]
    except FileNotFoundError as error:
        raise InputError("not_found", f"{error.filename} is not there", remedy="see docs/bench.md for a kit") from error
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UsageError(
            f"{folder / 'pages.json'} is not a kit: {error}", remedy="see docs/bench.md for its keys"
        ) from error


def _entry(folder: Path, fields: Mapping[str, Any]) -> Entry:
    name = ANY_SIZE.get(fields["dialect"], fields["dialect"])
    return Entry(
        fields["id"],
        folder / fields["input"],
        int(fields.get("page", 1)),
        (folder / fields["answer"]).read_text("utf-8"),
        BY_NAME[one_of("dialect", name, BY_NAME)].dialect(),
        fields.get("model", ""),
        RasterOptions(dpi=fields["dpi"]) if "dpi" in fields else RasterOptions(),
    )


class Words:
    """A tokenizer: text to ids and back, and the place of each token in its text."""

    def __init__(self, path: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ModelError("model_missing", "tokenizers is not installed", remedy="pip install tokenizers") from error
        self._tokenizer = Tokenizer.from_file(str(path))
        self.end = self._tokenizer.get_vocab_size()  # no text has this id

    def encode(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def decode(self, tokens: Sequence[int]) -> str:
        return str(self._tokenizer.decode([t for t in tokens if t < self.end], skip_special_tokens=False))

    def places(self, text: str) -> list[tuple[int, int]]:
        """The start and end of each token in `text`."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)


def words_of(kit: Path, named: Path | None) -> Words:
    """The named tokenizer, else the kit's own, else nano's, whose tokens are short."""
    path = named or kit / "tokenizer.json"
    if named is None and not path.exists():
        path = NANO
    if not path.exists():
        raise InputError("not_found", f"{path} is not there", remedy="give a tokenizer.json")
    return Words(path)
