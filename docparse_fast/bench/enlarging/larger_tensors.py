"""A larger model's tensors, computed from nano's some rows at a time, so that memory stays flat. Knows no layer."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from docparse_fast.bench.enlarging.copies import Copies

SPREAD = 0.02  # of random weights


@dataclass(frozen=True, slots=True)
class NewTensor:
    name: str
    shape: tuple[int, ...]
    rows: Callable[[slice], Tensor]


@dataclass(frozen=True, slots=True)
class NewTensors:
    """Makes the parts of a larger model from nano's weights."""

    nano: Mapping[str, Tensor]

    def gathered(self, source: str, name: str, index: Tensor, gain: Tensor | None = None) -> Iterator[NewTensor]:
        """Copies of a norm's channels, or of a bias."""
        for kind in ("weight", "bias"):
            if (old := self.nano.get(f"{source}.{kind}")) is not None:
                yield NewTensor(f"{name}.{kind}", (len(index), *old.shape[1:]), _taken(old, index, gain))

    def linear(
        self, source: str, name: str, writes: Tensor, reads: Copies, gain: Tensor | None = None
    ) -> Iterator[NewTensor]:
        """A linear layer that writes copies and reads shares of copies."""
        old = self.nano[f"{source}.weight"][:, reads.of] * reads.shares
        yield NewTensor(f"{name}.weight", (len(writes), len(reads.of)), _taken(old, writes, gain))
        if (bias := self.nano.get(f"{source}.bias")) is not None:
            yield NewTensor(f"{name}.bias", (len(writes),), _taken(bias, writes, gain))

    @staticmethod
    def random(name: str, *shape: int) -> NewTensor:
        return NewTensor(name, shape, lambda rows: _noise(name, rows, shape))

    @staticmethod
    def full(name: str, value: float, *shape: int) -> NewTensor:
        return NewTensor(name, shape, lambda rows: torch.full((rows.stop - rows.start, *shape[1:]), value))


def _taken(old: Tensor, index: Tensor, gain: Tensor | None) -> Callable[[slice], Tensor]:
    def rows(some: slice) -> Tensor:
        found = old[index[some]]
        return found if gain is None else found * gain[some].reshape(-1, *[1] * (found.dim() - 1))

    return rows


def _noise(name: str, rows: slice, shape: tuple[int, ...]) -> Tensor:
    """Always the same for the same rows of the same tensor."""
    seeded = torch.Generator().manual_seed(zlib.crc32(f"{name} {rows.start}".encode()))
    return torch.randn(rows.stop - rows.start, *shape[1:], generator=seeded) * SPREAD
