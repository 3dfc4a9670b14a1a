"""How much work a page may cost, counted in steps and in this place only; past it, rules take a plain way out.

A rule asks before it begins what grows faster than the page does: pairs of boxes to compare, places to cut at. Steps
are counted and not seconds, so that the same page ends the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

# Some 5 CPU seconds, and 20 times what the costliest page of three kits took: a table of 700 words of `us-024`
MOST_STEPS = 500_000_000


@dataclass(slots=True, eq=False)
class PageWork:
    """What is left for a page, and what was read in a plain way because it was not enough."""

    left: int = MOST_STEPS
    given_up: dict[str, None] = field(default_factory=dict)  # in the order in which it came up

    @property
    def warnings(self) -> tuple[str, ...]:
        """
        >>> PageWork(given_up={"the reading order": None}).warnings
        ('more on it than a page may cost; read in a plain way: the reading order',)
        """
        given_up = ", ".join(self.given_up)
        return (f"more on it than a page may cost; read in a plain way: {given_up}",) if given_up else ()


_page: ContextVar[PageWork | None] = ContextVar("work", default=None)


@contextmanager
def one_page(most: int = MOST_STEPS) -> Iterator[PageWork]:
    """What is done within it is done for one page."""
    work = PageWork(most)
    token = _page.set(work)
    try:
        yield work
    finally:
        _page.reset(token)


def current() -> PageWork | None:
    """That of the page that is read."""
    return _page.get()


def may_cost(steps: int, what: str) -> bool:
    """Whether so many steps are left for the page that is read, which are then taken; `what` is what they are for.

    >>> with one_page(most=100) as page:
    ...     may_cost(80, "tables"), may_cost(30, "tables"), may_cost(20, "headings"), page.warnings
    (True, False, True, ('more on it than a page may cost; read in a plain way: tables',))
    """
    work = _page.get()
    if work is None:
        return True
    if steps > work.left:
        work.given_up[what] = None
        return False
    work.left -= steps
    return True
