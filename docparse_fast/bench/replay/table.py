"""A replay as a table for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docparse_fast.bench.replay.causes import Cause
from docparse_fast.bench.replay.run import Replayed, by_set, summary
from docparse_fast.bench.tables import Heading, Line, text_table

EXAMPLES = 8  # of each cause and page

_HEADINGS = [Heading(name) for name in ("pages", "tokens", "steps", "tokens a step", "median page", "worst page")]


def table(pages: Sequence[Replayed], *, examples: bool = False) -> str:
    """Pages, then sets, then where the steps went."""
    width = max(map(len, ["page", *(page.name for page in pages)]))
    each = [f"{page.name:{width}}  {page.tokens_per_step:6.2f} tokens a step{_said(page)}" for page in pages]
    sets = {**by_set(pages), "all": summary(pages)}
    parts = ["\n".join(each), text_table(_HEADINGS, [_line(*of) for of in sets.items()]), _causes(sets)]
    if examples:
        parts += [_examples(page) for page in pages]
    return "\n\n".join(parts) + "\n"


def _said(page: Replayed) -> str:
    return "" if page.same else "  NOT THE STORED ANSWER"


def _line(name: str, figures: Mapping[str, Any]) -> Line:
    counts = [str(figures[key]) for key in ("pages", "tokens", "steps")]
    return Line(name, "", (*counts, *(f"{figures[key]:.2f}" for key in ("tokens_per_step", "median", "worst"))))


def _causes(sets: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [Line(cause, "", tuple(str(of["causes"].get(cause, 0)) for of in sets.values())) for cause in Cause]
    return "Steps by why they ended\n" + text_table([Heading(name) for name in sets], lines)


def _examples(page: Replayed) -> str:
    lines = [f"  {cause}: {place!r}" for cause, places in page.examples.items() for place in places[:EXAMPLES]]
    return "\n".join([page.name, *lines])
