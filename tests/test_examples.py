"""The examples in docstrings hold, of the package and of what tests share."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOAD_TORCH = re.compile(r"docparse_fast/(?:bench/(?:engine|enlarging)|targets/(?:decoder|loading|models))/")
EXAMPLE = re.compile(r"^\s+>>> ", re.MULTILINE)


def modules() -> list[object]:
    files = [path for path in ROOT.glob("docparse_fast/**/*.py") if EXAMPLE.search(path.read_text("utf-8"))]
    names = sorted(path.relative_to(ROOT).as_posix() for path in files)
    marked = [pytest.param(name, marks=pytest.mark.e2e if LOAD_TORCH.match(name) else ()) for name in names]
    return [*marked, "fake_document_target.py", "fake_targets.py"]


@pytest.mark.parametrize("name", modules())
def test_the_examples_hold(name):
    module = importlib.import_module(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    told: list[str] = []
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder().find(module):
        runner.run(example, out=told.append)
    assert runner.failures == 0, "".join(told)
