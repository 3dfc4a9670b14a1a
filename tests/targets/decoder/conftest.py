"""Small models of every architecture with the answers that their own generate() gives."""

from __future__ import annotations

import pytest
from known import Known, known
from small_models import ARCHITECTURES

ALIKE = {"qwen2_vl"}  # has another's text model, so one test of its own is enough


@pytest.fixture(scope="session", params=[name for name in ARCHITECTURES if name not in ALIKE])
def any_known(request: pytest.FixtureRequest) -> Known:
    return known(request.param)
