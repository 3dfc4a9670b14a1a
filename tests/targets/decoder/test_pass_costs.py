"""Costs are measured quickly, stored completely, read back unchanged, and never used on another machine."""

from __future__ import annotations

import dataclasses
import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest
import torch
from known import Known
from small_models import ARCHITECTURES

from docparse_fast.speculative.costs import CostTable
from docparse_fast.targets.decoder import measuring_passes, pass_costs
from docparse_fast.targets.decoder.layouts import Layout
from docparse_fast.targets.decoder.machine import Machine

TABLE = CostTable((1,), (1, 2), ((1.0, 1.5),), "model", "device", "dtype", 0.25)


class Machinery:
    """A clock that each pass advances by its cost; every other pass of a cell is disturbed by `noise`."""

    def __init__(self, noise: float = 0.0) -> None:
        self.now = 0.0
        self.noise = noise
        self.runs: list[tuple[int, int]] = []

    def run(self, rows: int, width: int) -> None:
        self.runs.append((rows, width))
        self.now += 1.0 + 0.1 * rows * width + self.noise * (self.runs.count((rows, width)) % 2)

    def clock(self) -> float:
        return self.now


HURRIED = pass_costs.Effort(seconds=0.0, alone=2, beside=1)


def measured(machinery: Machinery, slots: int, widths: tuple[int, ...], **how: Any) -> pass_costs.Measured:
    return pass_costs.measure(machinery.run, slots, widths, machinery.clock, **how)


def test_costs_are_relative_to_the_plain_pass():
    found = measured(Machinery(), 4, (1, 2, 8))
    assert found.rows == (1, 2, 4)
    assert found.seconds == pytest.approx(1.1)
    assert found.costs[0] == pytest.approx((1.0, 1.2 / 1.1, 1.8 / 1.1))
    assert found.costs[2][2] == pytest.approx(4.2 / 1.1)


def test_disturbed_passes_are_forgotten_when_a_quicker_one_was_seen():
    found = measured(Machinery(noise=30.0), 1, (1, 2, 8))
    assert found.costs[0] == pytest.approx((1.0, 1.2 / 1.1, 1.8 / 1.1))


def test_passes_before_a_shape_is_recorded_do_not_count():
    machinery = Machinery(noise=1000.0)  # on the first pass of each shape, and on its third
    effort = pass_costs.Effort(seconds=60.0, alone=1, beside=1, warm_ups=3)
    found = measured(machinery, 4, (1, 2, 8), effort=effort)
    assert found.costs[0] == pytest.approx((1.0, 1.2 / 1.1, 1.8 / 1.1))


def test_passes_too_wide_to_pay_are_extended_from_the_last_two():
    machinery = Machinery()
    found = measured(machinery, 16, (1, 8, 32, 64))
    assert max(count * width for count, width in machinery.runs if count > 1) <= pass_costs.TOKENS
    assert found.costs[-1] == pytest.approx([(1 + 1.6 * width) / 1.1 for width in (1, 8, 32, 64)])


def test_a_slow_model_is_measured_by_passes_not_by_seconds():
    """Six seconds are two or three passes of a model of 8B: all other widths were a straight line."""
    machinery = Machinery()
    measured(machinery, 2, (1, 2, 8), effort=HURRIED)
    one_row, two_rows = ([width for rows, width in machinery.runs if rows == count] for count in (1, 2))
    assert one_row == [1, 1, 2, 8, 1, 2, 8], "one row first, and a first pass that does not count"
    assert two_rows == [1, 8]
    assert machinery.runs.index((2, 1)) > machinery.runs.index((1, 8))


def test_a_busy_machine_gets_a_second_look():
    quiet, busy = Machinery(), Machinery(noise=30.0)
    effort = pass_costs.Effort(seconds=0.0, alone=2, beside=1)
    for machinery in (quiet, busy):
        measured(machinery, 1, (1, 2, 8), effort=effort)
    assert len(busy.runs) == 1 + 2 * (len(quiet.runs) - 1)


def test_what_there_was_no_time_for_on_a_gpu_is_as_assumed():
    assumed = CostTable((1, 2), (1, 2, 8), ((1.0, 1.1, 1.5), (1.2, 1.3, 2.0)))
    effort = pass_costs.Effort(seconds=0.0, alone=0, beside=0, warm_ups=1)
    found = measured(Machinery(), 2, (1, 2, 8), effort=effort, assumed=assumed)
    assert found.costs[0] == pytest.approx((1.0, 1.2 / 1.1, 1.5 * 1.2 / 1.1 / 1.1))
    assert found.costs[1] == pytest.approx([cost * 1.2 / 1.1 / 1.1 for cost in (1.2, 1.3, 2.0)])
    assert not found.is_whole, "the next run measures the rest"


def test_a_table_with_assumed_widths_is_not_stored(tmp_path: Path):
    path = tmp_path / "table.json"
    assert pass_costs.stored(path, lambda: (TABLE, False)) == TABLE
    assert not path.exists()


def test_a_table_is_measured_once_and_then_read(tmp_path: Path):
    path = tmp_path / "new" / "table.json"
    assert pass_costs.stored(path, lambda: (TABLE, True)) == TABLE
    assert pass_costs.stored(path, lambda: pytest.fail("it is there")) == TABLE
    assert [left.name for left in path.parent.iterdir()] == ["table.json"]


def test_a_table_that_is_older_than_the_installed_torch_is_measured_again(tmp_path: Path):
    path = tmp_path / "table.json"
    pass_costs.stored(path, lambda: (dataclasses.replace(TABLE, seconds=9.0), True))
    os.utime(path, (1000, 1000))
    assert pass_costs.stored(path, lambda: pytest.fail("it is as old as torch"), since=1000).seconds == 9.0
    assert pass_costs.stored(path, lambda: (TABLE, True), since=1001) == TABLE
    assert pass_costs.stored(path, lambda: pytest.fail("it is new"), since=1001) == TABLE


@pytest.mark.parametrize("broken", ["", "{", '{"rows": [1]}', "[]"])
def test_a_broken_table_is_reported_and_measured_again(tmp_path: Path, broken: str, caplog: pytest.LogCaptureFixture):
    path = tmp_path / "table.json"
    path.write_text(broken)
    assert pass_costs.stored(path, lambda: (TABLE, True)) == TABLE
    assert "measuring again" in caplog.text
    assert pass_costs.stored(path, lambda: pytest.fail("it was repaired")) == TABLE


def test_an_unwritable_folder_is_reported_and_costs_no_page(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "file").write_text("")
    assert pass_costs.stored(tmp_path / "file" / "table.json", lambda: (TABLE, True)) == TABLE
    assert "can't be kept" in caplog.text or "can't be read" in caplog.text


def test_the_cache_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert pass_costs.default_folder() == tmp_path / "docparse-fast" / "costs"


def test_a_model_is_priced_and_no_row_notices(qwen: Known, tmp_path: Path):
    target = qwen.target(costs=None, costs_folder=tmp_path, slots=2)
    target.prefill({0: qwen.views[0]})
    before = target.cache.keys.clone()
    table = target.costs
    assert torch.equal(target.cache.keys, before)
    assert table.costs[0][0] == 1.0
    assert table.costs[-1][-1] > table.costs[0][0]
    (stored,) = tmp_path.iterdir()
    assert json.loads(stored.read_text())["dtype"] == "float32"
    assert qwen.target(costs=None, costs_folder=tmp_path, slots=2).costs == table


def test_measuring_is_announced_and_costs_are_assumed_if_it_fails(qwen: Known, caplog: pytest.LogCaptureFixture):
    def full(costs: CostTable) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory")

    with caplog.at_level(logging.INFO, logger="docparse_fast.notices"):
        table, is_whole = measuring_passes.measured_costs(full, qwen.model, Layout.PLAIN)
    announced, warned = caplog.messages
    assert announced.startswith("measuring what passes of ") and announced.endswith(
        "cost here, once (a few dozen passes)"
    )
    assert "it is assumed" in warned
    assert table.cost(1, 8) == 8.0, "on a CPU a pass costs its tokens"
    assert not is_whole, "the next run tries again"


def test_a_gpus_costs_are_assumed_to_rise_little():
    assert measuring_passes.ON_A_GPU.cost(1, 64) < 1.5
    assert measuring_passes.ON_A_GPU.cost(8, 16) < measuring_passes.ON_A_GPU.cost(8, 64) < 8
    assert pass_costs.ON_GPU.seconds <= 3.0


def test_a_table_remembers_which_layers_it_was_measured_with(tmp_path: Path):
    path = tmp_path / "table.json"
    decided = dataclasses.replace(TABLE, blocked=(2,))
    pass_costs.stored(path, lambda: (decided, True))
    assert pass_costs.stored(path, lambda: pytest.fail("it is there")).blocked == (2,)


def test_a_measurement_ends_after_its_rounds():
    machinery = Machinery()
    measured(machinery, 1, (1, 2, 8))
    assert len(machinery.runs) == 1 + 3 * pass_costs.ROUNDS


def test_what_changes_the_costs_changes_the_tables_name():
    model = ARCHITECTURES["qwen3_vl"].model()
    names = {Machine.of(model).file_name, Machine.of(ARCHITECTURES["glm_ocr"].model()).file_name}
    torch.set_num_threads(2)
    names.add(Machine.of(model).file_name)
    torch.set_num_threads(1)
    names.add(Machine.of(model, Layout.PLAIN).file_name)
    names.add(Machine.of(model.bfloat16()).file_name)
    assert len(names) == 5
    assert all("/" not in name for name in names)
    odd = dataclasses.replace(Machine.of(model), model="../a b")
    assert odd.file_name.startswith("..-a-b-")


def test_a_cell_that_never_had_a_quiet_moment_costs_no_more_than_a_wider_one():
    """On a busy machine two tokens seemed to cost eight passes, and decoding with drafts never widened."""
    assert pass_costs.without_noise({(1, 1): 1.0, (1, 2): 8.0, (1, 6): 1.1, (2, 6): 1.9}) == {
        (1, 1): 1.0,
        (1, 2): 1.1,
        (1, 6): 1.1,
        (2, 6): 1.9,
    }
