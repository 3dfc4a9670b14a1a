"""A short version of tests/kill_resume.py."""

from __future__ import annotations

import sys

import pytest
from kill_resume import trial

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for orphans in /proc")


def test_a_batch_killed_again_and_again_leaves_what_an_undisturbed_one_leaves(tmp_path):
    account = trial(tmp_path, kills=4, documents=4, jobs=2, seed=5, say=False)
    assert account.kills == 4
    assert account.orphans == 0
    assert account.differences == []
