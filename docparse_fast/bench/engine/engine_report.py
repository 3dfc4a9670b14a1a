"""Shows `bench engine`'s record as paragraphs and tables. Derives no figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from docparse_fast.bench.engine.options import EngineOptions
from docparse_fast.bench.engine.record import GENERATE, PLAIN, SPECULATIVE, DtypeRecord, EngineLine, EngineRecord
from docparse_fast.bench.engine.shapes import SIX
from docparse_fast.bench.engine.ways import name_of
from docparse_fast.bench.tables import LOSS, Heading, Part, Remarks, Table, command, times

SECONDS_OF = {"cpu": "the process's own seconds", "wall": "wall seconds, the device waited for"}
COLUMNS = (
    Heading("tokens a step"),
    Heading("tokens/s", spared=True),
    Heading("decoding"),
    Heading("efficiency", spared=True),
    Heading("step cost", spared=True),
    Heading("ms a step"),
    Heading("p95", spared=True),
    Heading("host µs", spared=True),
    Heading("prefill share", spared=True),
)


def report(record: EngineRecord) -> Iterator[Part]:
    yield heading(record)
    for dtype, found in record.dtypes.items():
        yield table(dtype, found)
        yield Remarks(tuple(remarks(found)))
    usual = {field.name: field.default for field in fields(EngineOptions)}
    yield command("bench engine", "", record.options, usual)


def heading(record: EngineRecord) -> str:
    return (
        f"{record.shape}, random weights ({record.sizes.layers} layers of {record.sizes.hidden}), on {record.device}; "
        f"torch {record.versions['torch']}, transformers {record.versions['transformers']}\n"
        f"prompt {record.prefix} tokens, answer {record.tokens}; {SECONDS_OF[record.clock]}; looking at the prompt is "
        f"not in them.\nDrafts are spoilt until they give the tokens a step wanted."
    )


def table(dtype: str, found: DtypeRecord) -> Table:
    """A line per way for one row, with further columns for many rows at once."""
    many = sorted({line.rows for line in found.lines} - {1})
    names = dict.fromkeys((line.way, line.level) for line in sorted(found.lines, key=lambda line: line.rows))
    columns = (Heading(dtype), *COLUMNS, *(Heading(f"{rows} rows at once") for rows in many), Heading("= plain"))
    return Table(columns, tuple(_row(found, way, level, many) for way, level in names))


def _row(found: DtypeRecord, way: str, level: int | None, many: Sequence[int]) -> tuple[str, ...]:
    one = found.line(way, level)
    others = [found.line(way, level, rows) for rows in many]
    same = all(line.same_as_plain for line in (one, *others) if line is not None)
    cells = _cells(one) if one is not None else [""] * len(COLUMNS)
    return (name_of(way, level), *cells, *map(_of_many, others), "yes" if same else "no")


def _cells(line: EngineLine) -> list[str]:
    step = line.step_ms
    return [
        f"{line.tokens_per_step:.2f}",
        f"{line.tokens_per_second:.1f}",
        times(line.vs_plain),
        f"{line.efficiency:.2f}",
        f"{line.step_cost:.2f}",
        f"{step.mean:.2f}" if step else "",
        f"{step.p95:.2f}" if step else "",
        f"{line.host_us_per_step:.0f}" if line.host_us_per_step else "",
        f"{line.prefill_share:.0%}",
    ]


def _of_many(line: EngineLine | None) -> str:
    return times(line.vs_plain, f" at {line.tokens_per_step:.2f}") if line else ""


def remarks(found: DtypeRecord) -> Iterator[str]:
    """Remarks that fit no column."""
    if found.interrupted:
        yield "Interrupted: not every way was reached, nor every round."
    plain, generate, six = found.line(PLAIN), found.line(GENERATE), found.line(SPECULATIVE, SIX)
    if plain and plain.of_bandwidth_limit and generate:
        least = plain.of_bandwidth_limit * 1e3 * plain.seconds / plain.steps
        yield (
            f"The memory copies {found.copy_bytes_per_second / 1e9:.1f} GB/s, and a plain step reads "
            f"{found.bytes_a_plain_step['1'] / 1e9:.3f} GB: at least {least:.2f} ms. Of that limit, plain reaches "
            f"{plain.of_bandwidth_limit:.2f}, transformers' generate() {generate.of_bandwidth_limit:.2f}."
        )
    if six and six.warm_host_us_per_step:
        yield (
            f"At {six.tokens_per_step:.1f} tokens a step the host works {six.host_us_per_step:.0f} µs: the "
            f"model's weights flush its caches. With the model left out it works {six.warm_host_us_per_step:.0f} µs."
        )
    slower = [
        f"{name_of(line.way, line.level)}, {line.rows} row{'s' if line.rows > 1 else ''} ({line.vs_plain:.2f}x)"
        for line in found.lines
        if line.way == SPECULATIVE and line.vs_plain < LOSS
    ]
    if slower:
        yield f"Slower than plain decoding: {'; '.join(slower)}."
