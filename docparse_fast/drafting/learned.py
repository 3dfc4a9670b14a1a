"""The trained readers of structure that both kinds of page share, each opened when a page first needs it."""

from __future__ import annotations

from functools import cache, cached_property

from docparse_fast.drafting.layout import PageLayout
from docparse_fast.drafting.tables.structure import GridLines, TableReader
from docparse_fast.system.providers import CPU, chosen


class LearnedReaders:
    """What stands where on a page, and a table's grid."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    @cached_property
    def layout(self) -> PageLayout:
        return PageLayout(self._threads)

    @cached_property
    def tables(self) -> TableReader:
        return TableReader(self._threads)

    @cached_property
    def grid_lines(self) -> GridLines:
        return GridLines(self._threads)


@cache
def kept_readers() -> list[LearnedReaders]:
    """Where a process that waits for work keeps its readers, opened; empty in others, whose threads may be several."""
    return []


def readers(threads: int) -> LearnedReaders:
    kept = kept_readers() if chosen() == CPU else []
    return kept[0] if kept else LearnedReaders(threads)
