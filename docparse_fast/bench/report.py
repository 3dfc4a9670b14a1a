"""Shows `bench run`'s measurement as paragraphs and tables, losses as well as gains. Derives no figure.

A speed-up below 1 is a loss: the table marks it, and a remark below repeats it in words.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from docparse_fast.bench.record import PLAIN, Measurement, PageRecord, WayRecord
from docparse_fast.bench.speedups import Figures, pages_of, summary
from docparse_fast.bench.tables import LOSS, Heading, Part, Remarks, Table, command, times
from docparse_fast.bench.ways import SPECULATIVE

PAGES_SHOWN = 60  # the JSON has all pages
MEGABYTE = 1e6
SECONDS_OF = {
    "cpu": "CPU seconds of this process, all threads",
    "wall": "wall seconds, the device waited for",
}
LEGEND = (
    "decoding: of the page alone; efficiency: that over tokens a step. AAL: drafts' tokens accepted a step.\n"
    "SR decode, SR e2e: as the paper counts them (its section 4.2), s/page: drafting and Stage 1 included."
)
SPEED = (Heading("tokens a step"), Heading("AAL", spared=True), Heading("decoding"), Heading("efficiency", spared=True))
SPEED_AS_THE_PAPER_HAS_IT = (Heading("SR decode"), Heading("SR e2e"))
USUAL = {
    "target": "auto",
    "dtype": "auto",
    "tau": 1.0,
    "stages": "auto",
    "baselines": (),
    "repeats": 3,
    "together": True,
}  # defaults, which the printed command leaves out


def _inputs(names: Sequence[str]) -> str:
    """A few files by name, else their folders.

    >>> _inputs(["in/a.png", "in/b.pdf, page 1", "in/b.pdf, page 2"]), _inputs([f"in/{n}.png" for n in range(9)])
    ('in/a.png in/b.pdf', 'in')
    """
    files = list(dict.fromkeys(name.partition(", page ")[0] for name in names))
    if len(files) <= FEW and all("/" in file for file in files):
        return " ".join(files)
    folders = dict.fromkeys(str(Path(file).parent) for file in files)
    return " ".join(folder for folder in folders if folder != ".") or "PAGES"


FEW = 4  # files that the printed command names


def report(measurement: Measurement) -> Iterator[Part]:
    found = summary(measurement)
    yield heading(measurement)
    if found["counted"]:
        yield overall(found)
        yield LEGEND
        yield page_by_page(measurement)
    yield Remarks(tuple(remarks(measurement, found)))
    yield command("bench run", _inputs([page.name for page in measurement.pages]), measurement.settings.options, USUAL)


def heading(measurement: Measurement) -> str:
    settings = measurement.settings
    versions = "".join(f", {name} {settings.versions[name]}" for name in ("torch", "transformers"))
    chosen = ", ".join(f"{name} {settings.options[name]}" for name in ("tau", "stages", "window"))
    return (
        f"{settings.target} on {settings.device}, {settings.dtype}{versions}; {chosen}\n"
        f"{SECONDS_OF[settings.clock]}; medians of {settings.repeats} interleaved rounds"
    )


# -------------------------------------------------------------------------------------------------- tables


def overall(found: Mapping[str, Any]) -> Table:
    """A line per way, over all counted pages."""
    rows = []
    for name, way in found["ways"].items():
        rows.append(_overall_cells(name, way))
        if name == PLAIN and found["together"]:
            rows.append(_together_cells(found["together"]))
    pages = Heading(f"{found['counted']} page{'s' if found['counted'] != 1 else ''}")
    seconds = (Heading("s/page"), Heading("p95", spared=True), Heading("pages/s", spared=True))
    same = (Heading("= plain"), Heading("= generate"), Heading("MB", spared=True))
    return Table((pages, *SPEED, *SPEED_AS_THE_PAPER_HAS_IT, *seconds, *same), tuple(rows))


def _overall_cells(name: str, way: Mapping[str, Any]) -> tuple[str, ...]:
    speedups = [times(way[key]) for key in ("engine_speedup", "decode_speedup", "end_to_end_speedup")]
    decoding, decode, end_to_end = speedups if name != PLAIN else [""] * 3
    return (
        name,
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
    )


def _together_cells(found: Mapping[str, Any]) -> tuple[str, ...]:
    """The gain of batching alone: a step of many pages still writes one token per page."""
    decoding, full = times(found["engine_speedup"]), times(found["end_to_end_speedup"])
    a_page, a_second = f"{found['seconds_per_page']:.2f}", f"{found['pages_per_second']:.3f}"
    cells = ("1.00", "0.00", decoding, "", decoding, full, a_page, "", a_second, of(found["same_as_plain"]), "", "")
    return (f"plain, {found['rows']} pages at once", *cells)


def page_by_page(measurement: Measurement) -> Table:
    """A line per page for speculative decoding."""
    pages = pages_of(measurement, SPECULATIVE)
    called = _short_names([page.name for page in pages])
    rows = [_page_cells(page, called[page.name]) for page in pages[:PAGES_SHOWN]]
    if len(pages) > PAGES_SHOWN:
        rows.append((f"and {len(pages) - PAGES_SHOWN} more, in the JSON", *[""] * 11))
    seconds = (Heading("draft s"), Heading("plain s", spared=True), Heading("decode s", spared=True))
    columns = (
        Heading(SPECULATIVE),
        Heading("tokens"),
        *seconds,
        *SPEED,
        *SPEED_AS_THE_PAPER_HAS_IT,
        Heading("= plain"),
    )
    return Table(columns, tuple(rows), detail=True)


def _page_cells(page: PageRecord, called: str) -> tuple[str, ...]:
    figures, way = Figures.of(page, SPECULATIVE), page.ways[SPECULATIVE]
    return (
        called,
        str(len(way.tokens)),
        f"{page.drafts[way.drafts].seconds:.2f}",
        f"{figures.plain_decode_seconds:.2f}",
        f"{figures.decode_seconds:.2f}",
        f"{figures.tokens_per_step:.2f}",
        f"{figures.average_acceptance_length:.2f}",
        times(figures.engine_speedup),
        f"{figures.efficiency:.2f}",
        times(figures.decode_speedup),
        times(figures.end_to_end_speedup),
        "" if way.same_as_plain is None else "yes" if way.same_as_plain else "no",
    )


def _short_names(names: Sequence[str]) -> dict[str, str]:
    """The names without their common folder.

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
    """Remarks on what the tables hide: losses, different answers, and left-out pages with the reason."""
    if found["interrupted"]:
        yield "Interrupted: not every page was reached, nor every round."
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
    """Pages where speculative decoding is slower than plain, which sums hide."""
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
