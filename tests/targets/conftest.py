"""A small model with the answers that its own generate() gives. Only tests that ask for it load torch."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from known import Known


@pytest.fixture(scope="session")
def qwen() -> Known:
    from known import known

    return known("qwen3_vl")


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def _shared_answers(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One worker asks generate(), the others read what it said: the folder above theirs is that of the run."""
    if "PYTEST_XDIST_WORKER" in os.environ and (known := sys.modules.get("known")):
        known.SHARED[:] = [tmp_path_factory.getbasetemp().parent]
