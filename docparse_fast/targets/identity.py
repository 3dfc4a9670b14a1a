"""Which model it was, and how close its choice was: values for other packages. Knows no tensor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Identity:
    name: str
    revision: str  # the hub's commit, or a fingerprint of a local folder
    device: str
    dtype: str  # "float32", "bfloat16", ...


@dataclass(frozen=True, slots=True)
class TieBreak:
    """Where two answers differ: the model's best token, and how far the other's logit is below it."""

    best: int
    margin: float
