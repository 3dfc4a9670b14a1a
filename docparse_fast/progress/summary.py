"""What came of a batch, in a few aligned lines: counts, failures by code, the slowest documents. Knows no stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from docparse_fast.progress.phrases import duration, plural, printable
from docparse_fast.progress.tally import Tally
from docparse_fast.run.run_record import Run

DOCUMENTS = ("ok", "partial", "failed", "interrupted", "pending")
PAGES = ("ok", "blank", "partial", "failed")


def summary_lines(tally: Tally, run: Run) -> Iterator[str]:
    documents: Counter[str] = Counter(record.status for record in run.records)
    pages: Counter[str] = Counter()
    for record in run.records:
        pages.update(record.pages)
    rows = [_counts("documents", documents, DOCUMENTS), _counts("pages", pages, PAGES)]
    yield ""
    yield from _aligned(rows)
    read = sum(tally.pages.values())
    yield (
        f"time       {duration(tally.seconds)}, {plural(read, 'page')} read at {tally.pages_per_second:.2f} a second"
        + (f"; {plural(tally.plan.done, 'document')} done before" if tally.plan.done else "")
    )
    yield from _failures(tally)
    yield from _slowest(tally)


def _counts(name: str, counts: Mapping[str, int], order: tuple[str, ...]) -> list[str]:
    return [name, str(sum(counts.values())), *(f"{counts[key]} {key}" for key in order if counts.get(key))]


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(len(row[n]) for row in rows if n < len(row)) for n in range(max(map(len, rows)))]
    for row in rows:
        cells = [
            cell.rjust(width) if n else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        yield "  ".join(cells).rstrip()


def _failures(tally: Tally) -> Iterator[str]:
    if not tally.failures:
        return
    yield "failures"
    width = max(map(len, tally.failures))
    for code, found in sorted(tally.failures.items(), key=lambda item: (-item[1].count, item[0])):
        more = found.count - len(found.places)
        places = "; ".join(map(printable, found.places)) + (f"; and {more} more" if more else "")
        yield f"  {code.ljust(width)}  {found.count:4}  {places}"


def _slowest(tally: Tally) -> Iterator[str]:
    slow = sorted(tally.slowest, reverse=True)
    if len(slow) < 2:
        return
    yield "slowest"
    for seconds, name, pages in slow:
        a_page = f"{seconds / pages:6.2f} s/page" if pages else " " * 13
        yield f"  {seconds:7.1f} s  {plural(pages, 'page'):>10}  {a_page}  {printable(name)}"
