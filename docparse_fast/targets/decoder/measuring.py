"""Measures what a model's passes cost here, over rows filled with made-up entries. Knows costs; no page."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification
from docparse_fast.targets.decoder.layouts import Layout, quicker_blocked
from docparse_fast.targets.decoder.machine import Machine
from docparse_fast.targets.decoder.pass_costs import NARROW, WIDE, measure
from docparse_fast.targets.decoder.passes import plain_model

PREFIX = 1536  # entries of a timed row: a page's prompt and half its answer


class Pretending(Protocol):
    slots: int

    def pretend(self, prefix: int) -> None:
        """Fills every slot with this many made-up entries."""

    def verify(self, trees: Mapping[int, PrefixTree]) -> Mapping[int, Verification]: ...


def measured_costs(beside: Callable[[CostTable], Pretending], model: Any, layout: Layout) -> CostTable:
    """`beside` makes a target over `model` with rows of its own, and with the layers that a table names."""
    on_cpu = model.device.type == "cpu"
    # a CPU may be shared, so its own seconds count; for a GPU the host's waiting counts
    clock = time.process_time if on_cpu else time.perf_counter
    widths = NARROW if on_cpu else WIDE
    blocked = quicker_blocked(plain_model(model), widths, clock) if layout is Layout.QUICKER else ()
    assumed = layout.forced_on(CostTable((1,), widths, (tuple(map(float, widths)),), blocked=blocked))
    target = beside(assumed)
    target.pretend(min(PREFIX, model.config.get_text_config().max_position_embeddings - max(widths)))

    def run(rows: int, width: int) -> None:
        tree = PrefixTree.build(0, [range(1, width)], budget=width)
        target.verify(dict.fromkeys(range(rows), tree))

    rows, costs, seconds = measure(run, target.slots, widths, clock, captures=not on_cpu)
    machine = Machine.of(model)
    return CostTable(
        rows, widths, costs, machine.model, machine.device, machine.dtype, seconds, on_cpu, assumed.blocked
    )
