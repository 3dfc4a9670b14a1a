"""What looking at images costs is measured once and then stays, so that plans repeat."""

from __future__ import annotations

import os

import pytest

from docparse_fast.system.typed_json import written
from docparse_fast.targets import open_target
from docparse_fast.targets.loading.reading_costs import reading_costs, reading_costs_path
from docparse_fast.targets.reading import ReadingCosts

KEPT = ReadingCosts(7.0, 3.0, 0.5)


@pytest.fixture(scope="module")
def nano():
    return open_target("nano", device="cpu")


@pytest.fixture
def stored(nano, tmp_path, monkeypatch):
    """The file in which costs are kept; one round measures them again."""
    monkeypatch.setattr("docparse_fast.targets.loading.reading_costs.ROUNDS", 1)
    path = reading_costs_path(nano, tmp_path)
    path.write_text(written(KEPT))
    return path


def test_costs_are_measured_once_and_used_unchanged_and_leave_no_row_behind(nano, tmp_path):
    first = reading_costs(nano, tmp_path)
    assert not nano.decoder.cache.lengths
    assert reading_costs(open_target("nano", device="cpu"), tmp_path) == first


def test_kept_costs_are_used(nano, tmp_path, stored):
    assert reading_costs(nano, tmp_path) == KEPT


def test_damaged_costs_are_measured_again(nano, tmp_path, stored):
    stored.write_text("{")
    assert reading_costs(nano, tmp_path).each >= 0
    assert stored.read_text() != "{"


def test_costs_that_are_older_than_the_installed_torch_are_measured_again(nano, tmp_path, stored):
    os.utime(stored, (1000, 1000))
    assert reading_costs(nano, tmp_path) != KEPT
