"""Measures what a model's passes cost here, over rows filled with made-up entries. Knows costs; no page."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification
from docparse_fast.targets.decoder.layouts import Layout, quicker_blocked
from docparse_fast.targets.decoder.machine import Machine
from docparse_fast.targets.decoder.pass_costs import NARROW, ON_CPU, ON_GPU, WIDE, measure
from docparse_fast.targets.decoder.passes import plain_model

PREFIX = 1536  # entries of a timed row: a page's prompt and half its answer
# Until a GPU's own costs are known: the middle of three models' on one H200 (docs/gpu-day.md).
ON_A_GPU = CostTable(
    rows=(1, 8),
    widths=WIDE,
    costs=((1.0, 1.066, 1.066, 1.081, 1.102, 1.161, 1.24), (1.274, 1.303, 1.361, 1.396, 1.466, 1.954, 3.127)),
)

log = logging.getLogger("docparse_fast.notices")


class Pretending(Protocol):
    slots: int

    def pretend(self, prefix: int) -> None:
        """Fills every slot with this many made-up entries."""

    def verify(self, trees: Mapping[int, PrefixTree]) -> Mapping[int, Verification]: ...


def measured_costs(beside: Callable[[CostTable], Pretending], model: Any, layout: Layout) -> tuple[CostTable, bool]:
    """The table, and whether it is worth keeping. If measuring fails, the costs are assumed.

    `beside` makes a target over `model` with rows of its own, and with the layers that a table names.
    """
    assumed = assumed_costs(model, layout)
    log.info("measuring what passes of %s cost here, once (%s)", assumed.model, _how_long(model))
    try:
        return _measured(beside, model, assumed)
    except Exception as error:
        log.warning("what a pass costs can't be measured (%s: %s); it is assumed", type(error).__name__, error)
        return assumed, False


def assumed_costs(model: Any, layout: Layout = Layout.QUICKER) -> CostTable:
    """Costs as they usually are on such a device, and the layers that its passes read."""
    machine = Machine.of(model)
    if model.device.type != "cpu":
        return replace(ON_A_GPU, model=machine.model, device=machine.device, dtype=machine.dtype)
    blocked = quicker_blocked(plain_model(model), NARROW, time.process_time) if layout is Layout.QUICKER else ()
    assumed = CostTable((1,), NARROW, (tuple(map(float, NARROW)),), machine.model, machine.device, machine.dtype)
    return layout.forced_on(replace(assumed, packed=True, blocked=blocked))


def _measured(beside: Callable[[CostTable], Pretending], model: Any, assumed: CostTable) -> tuple[CostTable, bool]:
    on_cpu = model.device.type == "cpu"
    # a CPU may be shared, so its own seconds count; for a GPU the host's waiting counts
    clock = time.process_time if on_cpu else time.perf_counter
    target = beside(assumed)
    target.pretend(min(PREFIX, model.config.get_text_config().max_position_embeddings - max(assumed.widths)))

    def run(rows: int, width: int) -> None:
        tree = PrefixTree.build(0, [range(1, width)], budget=width)
        target.verify(dict.fromkeys(range(rows), tree))

    effort = ON_CPU if on_cpu else ON_GPU
    found = measure(run, target.slots, assumed.widths, clock, effort, None if on_cpu else assumed)
    return replace(assumed, rows=found.rows, costs=found.costs, seconds=found.seconds), found.is_whole


def _how_long(model: Any) -> str:
    return "a few dozen passes" if model.device.type == "cpu" else f"at most {ON_GPU.seconds:g} s"
