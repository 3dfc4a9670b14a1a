"""What looking at images costs is measured once and then stays, so that plans repeat."""

from __future__ import annotations

import os

from docparse_fast.targets import open_target
from docparse_fast.targets.loading.reading_costs import reading_costs
from docparse_fast.targets.reading import ReadingCosts


def test_costs_are_measured_once_and_used_unchanged(tmp_path):
    first = reading_costs(open_target("nano", device="cpu"), tmp_path)
    assert reading_costs(open_target("nano", device="cpu"), tmp_path) == first
    (stored,) = tmp_path.glob("*reading*")
    stored.write_text(ReadingCosts(7.0, 3.0, 0.5).to_json())
    assert reading_costs(open_target("nano", device="cpu"), tmp_path) == ReadingCosts(7.0, 3.0, 0.5)


def test_damaged_costs_are_measured_again(tmp_path):
    nano = open_target("nano", device="cpu")
    reading_costs(nano, tmp_path)
    (stored,) = tmp_path.glob("*reading*")
    stored.write_text("{")
    assert reading_costs(nano, tmp_path).each >= 0
    assert stored.read_text() != "{"


def test_measuring_leaves_no_row_behind(tmp_path):
    nano = open_target("nano", device="cpu")
    reading_costs(nano, tmp_path)
    assert not nano.decoder.cache.lengths


def test_costs_that_are_older_than_the_installed_torch_are_measured_again(tmp_path):
    nano = open_target("nano", device="cpu")
    reading_costs(nano, tmp_path)
    (stored,) = tmp_path.glob("*reading*")
    stored.write_text(ReadingCosts(7.0, 3.0, 0.5).to_json())
    os.utime(stored, (1000, 1000))
    assert reading_costs(nano, tmp_path) != ReadingCosts(7.0, 3.0, 0.5)
