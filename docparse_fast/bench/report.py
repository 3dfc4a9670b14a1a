"""A measurement as tables for people: gains and losses alike, and what they are of. Knows rich; works nothing out.

A speed-up below 1 is a loss: red in the table, and said once more in words below it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from docparse_fast.bench.figures import Figures, pages_of, summary
from docparse_fast.bench.record import PLAIN, Measurement, PageRecord, WayRecord
from docparse_fast.bench.tables import LOSS, times
from docparse_fast.bench.ways import SPECULATIVE

WIDTH = 120  # of what goes to no terminal, and what all columns need
SPARED = ("p95", "pages/s", "MB", "SR\ndecode", "plain s", "decode s")  # where there is less room
PAGES_SHOWN = 60  # with a line each; the JSON has all
MEGABYTE = 1e6
SECONDS_OF = {
    "cpu": "CPU seconds of this process, all threads",
    "wall": "wall seconds, the device waited for",
}
LEGEND = (
    "decoding: plain's seconds over this way's, for decoding the page alone; efficiency: that over tokens a step.\n"
    "SR decode, SR e2e: as the paper counts them (its section 4.2), drafting and Stage 1 included.\n"
    "s/page, p95, pages/s: end to end, drafting and Stage 1 included. AAL: drafts' tokens accepted a step."
)


def show(measurement: Measurement, console: Console) -> None:
    found = summary(measurement)
    console.print(heading(measurement), highlight=False, markup=False, soft_wrap=True)
    if found["counted"]:
        console.print(overall(found, console.width))
        console.print(LEGEND, highlight=False, markup=False, style="dim", soft_wrap=True)
        console.print(page_by_page(measurement, console.width))
    for line in remarks(measurement, found):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def heading(measurement: Measurement) -> str:
    settings = measurement.settings
    versions = "".join(f", {name} {settings.versions[name]}" for name in ("torch", "transformers"))
    chosen = ", ".join(f"{name} {settings.options[name]}" for name in ("tau", "stages", "window"))
    return (
        f"{settings.target} on {settings.device}, {settings.dtype}{versions}; {chosen}\n"
        f"{SECONDS_OF[settings.clock]}; medians of {settings.repeats} interleaved rounds"
    )


# -------------------------------------------------------------------------------------------------- tables


def overall(found: Mapping[str, Any], width: int = WIDTH) -> Table:
    """A line a way, over all counted pages."""
    speed = ("tokens\na step", "AAL", "decoding", "effi-\nciency", "SR\ndecode", "SR\ne2e")
    rows = []
    for name, way in found["ways"].items():
        rows.append(_overall_cells(name, way))
        if name == PLAIN and found["together"]:
            rows.append(_together_cells(found["together"]))
    pages = f"{found['counted']} page{'s' if found['counted'] != 1 else ''}"
    headers = (pages, *speed, "s/page", "p95", "pages/s", "=\nplain", "= gen-\nerate", "MB")
    return _table(headers, rows, width)


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> Table:
    """Names left, numbers right; on a narrow terminal fewer columns rather than broken ones."""
    kept = [place for place, name in enumerate(headers) if width >= WIDTH or name not in SPARED]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for place in kept:
        table.add_column(headers[place], justify="right" if place else "left", no_wrap=bool(place))
    for row in rows:
        cells = dict(zip(headers, row, strict=True))
        table.add_row(*(cells[headers[place]] for place in kept))
    return table


def _overall_cells(name: str, way: Mapping[str, Any]) -> list[str]:
    speedups = [times(way[key]) for key in ("engine_speedup", "decode_speedup", "end_to_end_speedup")]
    decoding, decode, end_to_end = speedups if name != PLAIN else [""] * 3
    return [
        escape(name),
        f"{way['tokens_per_step']:.2f}",
        f"{way['average_acceptance_length']:.2f}",
        decoding,
        f"{way['efficiency']:.2f}" if way["accepted"] else "",
        decode,
        end_to_end,
        f"{way['seconds_per_page']['mean']:.2f}",
        f"{way['seconds_per_page']['p95']:.2f}",
        f"{way['pages_per_second']:.3f}",
        of(way["same_as_plain"]),
        of(way["same_as_generate"]),
        f"{max(way['peak_bytes'], way['device_peak_bytes'] or 0) / MEGABYTE:.0f}",
    ]


def _together_cells(found: Mapping[str, Any]) -> list[str]:
    """What batching alone brings: a step of many pages is still one token a page."""
    decoding = times(found["engine_speedup"])
    return [
        f"plain, {found['rows']} pages at once",
        "1.00",
        "0.00",
        decoding,
        "",
        decoding,
        times(found["end_to_end_speedup"]),
        f"{found['seconds_per_page']:.2f}",
        "",
        f"{found['pages_per_second']:.3f}",
        of(found["same_as_plain"]),
        "",
        "",
    ]


def page_by_page(measurement: Measurement, width: int = WIDTH) -> Table:
    """A line a page, of the way that this is all about."""
    pages = pages_of(measurement, SPECULATIVE)
    called = _short_names([page.name for page in pages])
    seconds = ("draft s", "plain s", "decode s")
    speed = ("AAL", "tokens\na step", "decoding", "effi-\nciency", "SR\ndecode", "SR\ne2e")
    rows = [_page_cells(page, called[page.name]) for page in pages[:PAGES_SHOWN]]
    table = _table((SPECULATIVE, "tokens", *seconds, *speed, "=\nplain"), rows, width)
    if len(pages) > PAGES_SHOWN:
        table.caption = f"and {len(pages) - PAGES_SHOWN} more, in the JSON"
    return table


def _page_cells(page: PageRecord, called: str) -> list[str]:
    figures, way = Figures.of(page, SPECULATIVE), page.ways[SPECULATIVE]
    return [
        escape(called),
        str(len(way.tokens)),
        f"{page.drafts[way.drafts].seconds:.2f}",
        f"{figures.plain_decode_seconds:.2f}",
        f"{figures.decode_seconds:.2f}",
        f"{figures.average_acceptance_length:.2f}",
        f"{figures.tokens_per_step:.2f}",
        times(figures.engine_speedup),
        f"{figures.efficiency:.2f}",
        times(figures.decode_speedup),
        times(figures.end_to_end_speedup),
        "" if way.same_as_plain is None else "yes" if way.same_as_plain else "no",
    ]


def _short_names(names: Sequence[str]) -> dict[str, str]:
    """Without the folder that they share.

    >>> _short_names(["a/b/1.png", "a/c.pdf, page 2"])
    {'a/b/1.png': 'b/1.png', 'a/c.pdf, page 2': 'c.pdf, page 2'}
    """
    folders = [name.rpartition("/")[0] for name in names]
    shared = os.path.commonpath(folders) if folders and all(folders) else ""
    return {name: name.removeprefix(shared).lstrip("/") if shared else name for name in names}


def of(count: Mapping[str, int]) -> str:
    """
    >>> of({"pages": 11, "of": 12}), of({"pages": 0, "of": 0})
    ('11/12', '')
    """
    return f"{count['pages']}/{count['of']}" if count["of"] else ""


# ------------------------------------------------------------------------------------------------- remarks


def remarks(measurement: Measurement, found: Mapping[str, Any]) -> Iterator[str]:
    """What a table hides: losses, other answers, what was left out and why."""
    if found["interrupted"]:
        yield "Interrupted: not every page was come to, nor every round."
    yield from _losses(measurement)
    yield from _differences(measurement)
    if found["looping"]:
        yield f"Left out, as their answer goes round in circles: {', '.join(found['looping'])}."
    if found["blank"]:
        yield f"Blank, with nothing to read: {found['blank']}."
    for page in measurement.pages:
        for name, error in ((page.name, page.error), *((f"{page.name}, {n}", w.error) for n, w in page.ways.items())):
            if error is not None:
                yield f"Failed, and left out: {name}: {error.code}: {error.message}"


def _losses(measurement: Measurement) -> Iterator[str]:
    """Page by page, which sums hide; of the baselines the table says enough."""
    kinds = {"engine_speedup": "decoding", "decode_speedup": "SR decode", "end_to_end_speedup": "SR e2e"}
    pages = pages_of(measurement, SPECULATIVE)
    called = _short_names([page.name for page in pages])
    for kind, shown in kinds.items():
        speeds = {page.name: getattr(Figures.of(page, SPECULATIVE), kind) for page in pages}
        slower = [name for name, speed in speeds.items() if speed < LOSS]
        if slower:
            worst = min(slower, key=lambda name: speeds[name])
            yield (
                f"Slower than plain in {shown}: {len(slower)} of {len(pages)} pages, "
                f"at worst {speeds[worst]:.2f}x ({called[worst]})."
            )


def _differences(measurement: Measurement) -> Iterator[str]:
    tau = measurement.settings.options["tau"]
    for name in measurement.ways:
        ways = [(page.name, page.ways[name]) for page in pages_of(measurement, name)]
        other = [f"{page} {_where(way)}" for page, way in ways if way.same_as_plain is False]
        if other:
            allowed = f", as it may at tau {tau:g}" if name == SPECULATIVE and tau < 1 else ""
            yield f"{name} writes otherwise than plain{allowed}: {'; '.join(other)}."
        unsteady = [page for page, way in ways if not way.steady]
        if unsteady:
            yield f"{name} wrote differently from round to round: {', '.join(unsteady)}."


def _where(way: WayRecord) -> str:
    by = "" if way.margin is None else f", by {way.margin:.3g} of a logit"
    return f"from token {way.first_difference} on{by}"
