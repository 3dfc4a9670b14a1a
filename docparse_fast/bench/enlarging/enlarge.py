"""Writes nano, enlarged, as a folder for `--target`. Knows files; the towers know what is in them.

The larger model computes what nano computes: every channel becomes several copies, added layers write nothing. So its
answers are nano's, at the cost of the larger size.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import IO, Any

import torch
from safetensors.torch import load_file

from docparse_fast.bench.enlarging.larger_tensors import NewTensor, NewTensors
from docparse_fast.bench.enlarging.sizes import ModelSize
from docparse_fast.bench.enlarging.text import EnlargedText
from docparse_fast.bench.enlarging.vision import EnlargedVision, feature

NANO = Path(str(resources.files("docparse_fast") / "data" / "nano"))
BLOCK = 1 << 22  # numbers that are computed and written at a time
COPIED = ("generation_config.json", "preprocessor_config.json", "tokenizer.json", "tokenizer_config.json")
STORED = {"bfloat16": (torch.bfloat16, "BF16"), "float32": (torch.float32, "F32")}
ALIGNMENT = 8  # bytes, of a safetensors file's header


def enlarge(size: ModelSize, folder: Path, dtype: str, watch: Callable[[str], None] = lambda what: None) -> int:
    """Returns the number of parameters. Memory stays flat: a tensor's rows exist only until they are written."""
    config, parts = model(size)
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        shutil.copy(NANO / name, folder / name)
    (folder / "config.json").write_text(json.dumps({**config, "dtype": dtype}, indent=2) + "\n", encoding="utf-8")
    unfinished = folder / "model.part"
    with unfinished.open("wb") as file:
        _write(file, parts, dtype, watch)
    unfinished.replace(folder / "model.safetensors")
    return sum(math.prod(part.shape) for part in parts)


def model(size: ModelSize) -> tuple[dict[str, Any], list[NewTensor]]:
    """The larger model's config and its tensors."""
    config = json.loads((NANO / "config.json").read_text(encoding="utf-8"))
    weights = {name: old.double() for name, old in load_file(NANO / "model.safetensors").items()}
    make, old_text, old_vision = NewTensors(weights), config["text_config"], config["vision_config"]
    after = feature(old_vision, size.vision)
    text = EnlargedText(make, old_text, size.text, config["video_token_id"], size.tied, after)
    vision = EnlargedVision(make, old_vision, size.vision, text.hidden)
    towers = {"text_config": text.config(), "vision_config": vision.config(), "tie_word_embeddings": size.tied}
    return {**config, **towers}, [*text.parts(), *vision.parts()]


def _write(file: IO[bytes], parts: Sequence[NewTensor], dtype: str, watch: Callable[[str], None]) -> None:
    """A safetensors file: the header's length, the header, then all tensors one after the other."""
    kind, name = STORED[dtype]
    header = json.dumps(_header(parts, name, kind.itemsize)).encode()
    header += b" " * (-len(header) % ALIGNMENT)
    file.write(len(header).to_bytes(8, "little") + header)
    for part in parts:
        watch(part.name)
        for rows in _blocks(part):
            file.write(part.rows(rows).to(kind).contiguous().view(torch.uint8).numpy().tobytes())


def _header(parts: Iterable[NewTensor], dtype: str, itemsize: int) -> dict[str, Any]:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for part in parts:
        begin, end = end, end + math.prod(part.shape) * itemsize
        header[part.name] = {"dtype": dtype, "shape": part.shape, "data_offsets": [begin, end]}
    return header


def _blocks(part: NewTensor) -> Iterator[slice]:
    count, *rest = part.shape
    many = max(1, BLOCK // math.prod(rest))
    for start in range(0, count, many):
        yield slice(start, min(count, start + many))
