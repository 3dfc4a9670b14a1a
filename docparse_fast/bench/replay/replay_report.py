"""Shows a replay as paragraphs and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docparse_fast.bench.replay.causes import Cause
from docparse_fast.bench.replay.replaying import Replayed, by_set, summary
from docparse_fast.bench.tables import Heading, Part, Remarks, Table

EXAMPLES = 8  # per cause and page
CAUSES = "Steps by why they ended"
ASSUMED = "Trees are as wide as pays at costs that are assumed for a GPU."
HEADINGS = ("pages", "tokens", "steps", "tokens a step", "median page", "worst page")


def report(pages: Sequence[Replayed], *, examples: bool = False) -> Iterator[Part]:
    """A table of pages, a table of sets, and the causes that ended steps."""
    sets = {**by_set(pages), "all": summary(pages)}
    yield ASSUMED
    yield Table((Heading("page"), Heading("tokens a step")), tuple(_page(page) for page in pages), detail=True)
    yield Table((Heading("set"), *map(Heading, HEADINGS)), tuple(_set(*of) for of in sets.items()))
    yield CAUSES
    causes = ((str(cause), *(str(of["causes"].get(cause, 0)) for of in sets.values())) for cause in Cause)
    yield Table((Heading("cause"), *map(Heading, sets)), tuple(causes))
    yield Remarks(tuple(f"{page.name} was not written as stored." for page in pages if not page.same))
    for page in pages if examples else ():
        yield page.name
        found = (f"  {cause}: {place!r}" for cause, places in page.examples.items() for place in places[:EXAMPLES])
        yield Remarks(tuple(found))


def _page(page: Replayed) -> tuple[str, ...]:
    return page.name, f"{page.tokens_per_step:.2f}"


def _set(name: str, figures: Mapping[str, Any]) -> tuple[str, ...]:
    counts = (str(figures[key]) for key in ("pages", "tokens", "steps"))
    return (name, *counts, *(f"{figures[key]:.2f}" for key in ("tokens_per_step", "median", "worst")))
