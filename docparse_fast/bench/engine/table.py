"""`bench engine`'s record as a table for people. Knows rich and the record's names; works nothing out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

from docparse_fast.bench.engine.figures import SIX
from docparse_fast.bench.engine.race import SPECULATIVE
from docparse_fast.bench.tables import LOSS, times

WIDTH = 100  # where there is no terminal to ask
SECONDS_OF = {"cpu": "the process's own seconds", "wall": "wall seconds, the device waited for"}
COLUMNS = ("tokens\na step", "tokens\n/s", "against\nplain", "effi-\nciency", "step\ncost")
STEP_COLUMNS = ("ms a step\nmean", "\np95", "host\nµs", "host\nshare", "prefill\nshare", "=\nplain")


class EngineTables:
    """
    >>> Console(width=WIDTH).print(EngineTables(record))      # doctest: +SKIP
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = record

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield heading(self._record)
        for dtype, found in self._record["dtypes"].items():
            yield ""
            yield _table(dtype, found["lines"])
            yield from remarks(found)


def heading(record: Mapping[str, Any]) -> str:
    return (
        f"{record['shape']}, random weights, on {record['device']}; torch {record['torch']}, "
        f"transformers {record['transformers']}\n"
        f"prompt {record['prefix']} tokens; {SECONDS_OF[record['clock']]}; looking at the prompt is not in them"
    )


def _table(dtype: str, lines: Iterable[Mapping[str, Any]]) -> Table:
    table = Table(title=dtype, title_justify="left", box=box.SIMPLE_HEAD, padding=0, show_edge=False)
    table.add_column("", no_wrap=True)
    for name in (*COLUMNS, *STEP_COLUMNS):
        table.add_column(name, justify="right", no_wrap=True)
    rows = 0
    for line in sorted(lines, key=lambda line: line["rows"]):
        if rows and line["rows"] != rows:
            table.add_row()
        rows = line["rows"]
        table.add_row(*_cells(line))
    return table


def _cells(line: Mapping[str, Any]) -> list[str]:
    step = line["step_ms"]
    known = step is not None
    return [
        name_of(line),
        f"{line['tokens_per_step']:.2f}",
        f"{line['tokens_per_second']:.1f}",
        times(line["vs_plain"]),
        f"{line['efficiency']:.2f}",
        f"{line['step_cost']:.2f}",
        f"{step['mean']:.2f}" if known else "",
        f"{step['p95']:.2f}" if known else "",
        f"{line['host_us_per_step']:.0f}" if known else "",
        f"{line['host_share']:.0%}" if known else "",
        f"{line['prefill_share']:.0%}",
        "yes" if line["same_as_plain"] else "[red]no[/red]",
    ]


def name_of(line: Mapping[str, Any]) -> str:
    """
    >>> name_of({"way": "chain", "level": 6, "rows": 1}), name_of({"way": "plain", "level": None, "rows": 8})
    ('chain, for 6', 'plain, 8 rows')
    """
    level = f", for {line['level']}" if line["level"] else ""
    rows = f", {line['rows']} rows" if line["rows"] > 1 else ""
    return f"{line['way']}{rows}{level}"


def remarks(found: Mapping[str, Any]) -> Iterable[str]:
    """What no column has."""
    by_name = {name_of(line): line for line in found["lines"]}
    if found["interrupted"]:
        yield "Interrupted: not every way was come to, nor every round."
    if not {"plain", "generate"} <= by_name.keys():
        return
    plain, generate = by_name["plain"], by_name["generate"]
    least = plain["of_bandwidth_limit"] * 1e3 * plain["seconds"] / plain["steps"]
    yield (
        f"The memory copies {found['copy_bytes_per_second'] / 1e9:.1f} GB/s, and a plain step reads "
        f"{found['bytes_a_plain_step']['1'] / 1e9:.3f} GB: at least {least:.2f} ms. "
        f"Of that limit, plain reaches {plain['of_bandwidth_limit']:.2f}, "
        f"transformers' generate() {generate['of_bandwidth_limit']:.2f}."
    )
    six = by_name.get(name_of({"way": SPECULATIVE, "level": SIX, "rows": 1}))
    if six and six["warm_host_us_per_step"]:
        yield (
            f"At {six['tokens_per_step']:.1f} tokens a step the host works {six['host_us_per_step']:.0f} µs: the "
            f"model's weights flush its caches. With the model left out it works {six['warm_host_us_per_step']:.0f} µs."
        )
    slower = [
        f"{name} ({line['vs_plain']:.2f}x)"
        for name, line in by_name.items()
        if line["way"] == SPECULATIVE and line["vs_plain"] < LOSS
    ]
    if slower:
        yield f"Slower than plain decoding: {'; '.join(slower)}."
