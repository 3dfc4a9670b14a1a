"""Small models, built once, with the answers of their own generate(): our engine must give the same."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from filelock import FileLock
from packaging.version import Version
from small_models import ARCHITECTURES

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget

TOKENS = 64
needs_images = pytest.mark.skipif(
    Version(transformers.__version__) < Version("5.23") and find_spec("torchvision") is None,
    reason="this transformers reads images with torchvision only",
)
SHARED: list[Path] = []  # the folder where the workers of one run keep answers for each other
LENGTHS = (9, 31, 17, 24, 12)  # of the views' texts
# Wide trees cost nothing: tests want them wide. Wide passes read other layers than narrow ones, as on some processors.
FLAT = CostTable((1,), (1, 4, 64), ((1.0, 1.0, 1.0),), blocked=(4, 64))


@dataclass(frozen=True)
class Known:
    """A model, views for it, and the greedy answers of an untouched copy."""

    name: str
    views: tuple[View, ...]
    answers: tuple[tuple[int, ...], ...]

    @property
    def model(self) -> Any:
        """Always the same weights, in a model of its own: our engine changes how one attends."""
        return ARCHITECTURES[self.name].model()

    def target(self, **options: Any) -> VisionLanguageTarget:
        return VisionLanguageTarget(self.model, **{"costs": FLAT, "eos": frozenset(), "slots": 3, **options})


def path_along(tree: PrefixTree, tokens: Iterable[int]) -> list[int]:
    """The nodes of a tree from its root that hold these tokens."""
    path = [0]
    for token in tokens:
        path.append(tree.children[path[-1]][token])
    return path


def generate(model: Any, view: View, tokens: int = TOKENS, **options: Any) -> tuple[int, ...]:
    options = {"max_new_tokens": tokens, "do_sample": False, **options}
    with torch.no_grad():
        written = model.generate(**view.inputs, **options)
    return tuple(written[0, len(view.ids) :].tolist())


@cache
def known(name: str) -> Known:
    architecture = ARCHITECTURES[name]
    views = tuple(architecture.view(length, seed) for seed, length in enumerate(LENGTHS))
    if not SHARED:
        return Known(name, views, _answers(name, views))
    kept = SHARED[0] / f"answers-of-{name}.json"
    with FileLock(f"{kept}.lock"):
        if not kept.is_file():
            kept.write_text(json.dumps(_answers(name, views)), "utf-8")
        return Known(name, views, tuple(map(tuple, json.loads(kept.read_text("utf-8")))))


def _answers(name: str, views: tuple[View, ...]) -> tuple[tuple[int, ...], ...]:
    model = ARCHITECTURES[name].model()
    return tuple(generate(model, view) for view in views)
