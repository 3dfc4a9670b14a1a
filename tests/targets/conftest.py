"""A small model with the answers that its own generate() gives. Only tests that ask for it load torch."""

from __future__ import annotations

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
