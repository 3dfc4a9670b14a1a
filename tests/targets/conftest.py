"""Small models with the answers that their own generate() gives, for all tests of targets."""

from __future__ import annotations

import pytest
import torch
from known import Known, known
from small_models import ARCHITECTURES

ALIKE = {"qwen2_vl"}  # has another's text model, so one test of its own is enough


@pytest.fixture(scope="session", params=[name for name in ARCHITECTURES if name not in ALIKE])
def any_known(request: pytest.FixtureRequest) -> Known:
    return known(request.param)


@pytest.fixture(scope="session")
def qwen() -> Known:
    return known("qwen3_vl")


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)
