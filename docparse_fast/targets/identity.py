"""Which model it was, and how sure of a token: values that leave this package. No tensor."""

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
    """Where two answers part: the model's best token, and how far the other's logit lies behind it."""

    best: int
    margin: float
