"""What a target's process and its draft model's say to each other before the first page. Knows plain values."""

from __future__ import annotations

from dataclasses import dataclass

from docparse_fast.errors import DocparseError
from docparse_fast.targets.draft_traits import DraftTraits
from docparse_fast.targets.reading import StageCosts


@dataclass(frozen=True, slots=True)
class FarSetup:
    name: str
    device: str
    dtype: str
    offline: bool


@dataclass(frozen=True, slots=True)
class FarReady:
    traits: DraftTraits
    costs: StageCosts


@dataclass(frozen=True, slots=True)
class FarRefused:
    error: DocparseError
