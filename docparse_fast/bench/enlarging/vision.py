"""nano's vision tower, enlarged: its blocks among others that write nothing. Knows names and sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from docparse_fast.bench.enlarging.copies import Copies, HeadDims, within_heads
from docparse_fast.bench.enlarging.larger_tensors import NewTensor, NewTensors
from docparse_fast.bench.enlarging.sizes import VisionShape

PREFIX = "model.visual."
AXES = 4  # parts of a head's dimensions: by height, by width, and their partners in the rotation
MERGED = 4  # patches become one token


@dataclass(frozen=True)
class EnlargedVision:
    make: NewTensors
    old: Mapping[str, Any]  # nano's vision_config
    new: VisionShape
    text: Copies  # the text model's hidden channels

    @property
    def hidden(self) -> Copies:
        return Copies.evenly(self.new.hidden, self.old["hidden_size"])

    def config(self) -> dict[str, Any]:
        rope = self.old["rope_parameters"]
        return {
            **self.old,
            "hidden_size": self.new.hidden,
            "depth": self.new.depth,
            "intermediate_size": self.new.intermediate,
            "num_heads": self.new.heads,
            "out_hidden_size": len(self.text.of),
            "deepstack_visual_indexes": list(self.new.deepstack),
            "rope_parameters": {**rope, "rope_theta": self._dims.base(rope["rope_theta"])},
        }

    def parts(self) -> Iterator[NewTensor]:
        make, columns = self.make, self.hidden.of
        yield from make.gathered(f"{PREFIX}patch_embed.proj", f"{PREFIX}patch_embed.proj", columns)
        positions = make.nano[f"{PREFIX}pos_embed.weight"][:, columns]
        yield NewTensor(f"{PREFIX}pos_embed.weight", tuple(positions.shape), lambda rows: positions[rows])
        numbers = {place: number for number, place in enumerate(places(self.old, self.new))}
        for block in range(self.new.depth):
            name = f"{PREFIX}blocks.{block}."
            number = numbers.get(block)
            yield from self._silent(name) if number is None else self._block(f"{PREFIX}blocks.{number}.", name)
        yield from self._merger(f"{PREFIX}merger.", f"{PREFIX}merger.", columns)
        for number in range(len(self.new.deepstack)):
            name = f"{PREFIX}deepstack_merger_list.{number}."
            if number == feature(self.old, self.new):
                yield from self._merger(f"{PREFIX}deepstack_merger_list.0.", name, self._merged.of)
            else:
                yield from self._silent_merger(name)

    @property
    def _dims(self) -> HeadDims:
        return HeadDims(self.new.head_size, self.old["hidden_size"] // self.old["num_heads"], AXES)

    @property
    def _merged(self) -> Copies:
        """The channels of merged patches, one patch after the other."""
        old = self.old["hidden_size"]
        return Copies((torch.arange(MERGED)[:, None] * old + self.hidden.of).flatten())

    def _block(self, source: str, name: str) -> Iterator[NewTensor]:
        make, hidden = self.make, self.hidden
        for norm in ("norm1", "norm2"):
            yield from make.gathered(source + norm, name + norm, hidden.of)
        rows, values, gain = self._attention_rows()
        yield from make.linear(f"{source}attn.qkv", f"{name}attn.qkv", rows, hidden, gain)
        yield from make.linear(f"{source}attn.proj", f"{name}attn.proj", hidden.of, Copies(values))
        inner = Copies.tiled(self.new.intermediate, self.old["intermediate_size"])
        yield from make.linear(f"{source}mlp.linear_fc1", f"{name}mlp.linear_fc1", inner.of, hidden)
        yield from make.linear(f"{source}mlp.linear_fc2", f"{name}mlp.linear_fc2", hidden.of, inner)

    def _attention_rows(self) -> tuple[Tensor, Tensor, Tensor]:
        """The old rows of queries, keys and values; the old channels of values alone; each row's gain."""
        old, dims = self._dims.old, self._dims
        heads = torch.arange(self.new.heads) % int(self.old["num_heads"])
        turned = within_heads(heads, old, dims.copies)
        values = within_heads(heads, old, torch.arange(dims.new) % old)
        width = int(self.old["hidden_size"])
        ones = torch.ones(2 * self.new.hidden, dtype=torch.float64)
        gain = torch.cat([dims.gain.repeat(self.new.heads), ones])
        return torch.cat([turned, width + turned, 2 * width + values]), values, gain

    def _merger(self, source: str, name: str, normed: Tensor) -> Iterator[NewTensor]:
        merged, wide = self._merged, Copies.tiled(MERGED * self.new.hidden, MERGED * self.old["hidden_size"])
        yield from self.make.gathered(f"{source}norm", f"{name}norm", normed)
        yield from self.make.linear(f"{source}linear_fc1", f"{name}linear_fc1", wide.of, merged)
        yield from self.make.linear(f"{source}linear_fc2", f"{name}linear_fc2", self.text.of, wide)

    def _silent(self, name: str) -> Iterator[NewTensor]:
        """A block with random insides that adds nothing to what passes it."""
        make, hidden, inner = self.make, self.new.hidden, self.new.intermediate
        for norm in ("norm1", "norm2"):
            yield from _unit_norm(make, name + norm, hidden)
        yield from _random(make, f"{name}attn.qkv", 3 * hidden, hidden)
        yield from _zero(make, f"{name}attn.proj", hidden, hidden)
        yield from _random(make, f"{name}mlp.linear_fc1", inner, hidden)
        yield from _zero(make, f"{name}mlp.linear_fc2", hidden, inner)

    def _silent_merger(self, name: str) -> Iterator[NewTensor]:
        wide = MERGED * self.new.hidden
        yield from _unit_norm(self.make, f"{name}norm", wide)
        yield from _random(self.make, f"{name}linear_fc1", wide, wide)
        yield from _zero(self.make, f"{name}linear_fc2", len(self.text.of), wide)


def places(old: Mapping[str, Any], new: VisionShape) -> list[int]:
    """The blocks that are nano's: each ends an equal part of the tower."""
    return [(number + 1) * new.depth // old["depth"] - 1 for number in range(old["depth"])]


def feature(old: Mapping[str, Any], new: VisionShape) -> int:
    """Which deepstack feature is nano's only one: one that is taken after the right block, and before nano's next."""
    (block,) = old["deepstack_visual_indexes"]
    begin, end = places(old, new)[block : block + 2]
    return next(number for number, at in enumerate(new.deepstack) if begin <= at < end)


def _unit_norm(make: NewTensors, name: str, width: int) -> Iterator[NewTensor]:
    yield make.full(f"{name}.weight", 1.0, width)
    yield make.full(f"{name}.bias", 0.0, width)


def _random(make: NewTensors, name: str, rows: int, columns: int) -> Iterator[NewTensor]:
    yield make.random(f"{name}.weight", rows, columns)
    yield make.random(f"{name}.bias", rows)


def _zero(make: NewTensors, name: str, rows: int, columns: int) -> Iterator[NewTensor]:
    yield make.full(f"{name}.weight", 0.0, rows, columns)
    yield make.full(f"{name}.bias", 0.0, rows)
