"""What holds a page back, by the paper's supplement B, and speed against the length of the output. Runs nothing.

The paper tells two kinds of slow pages apart: *draft-limited* ones, whose drafts are rejected so that decoding still
takes the most of the time, and *prefill-dominated* ones, where looking at the page does. A third is ours: where making
the drafts costs more than either (a light target on the same processor as the drafter), no better draft would help.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docparse_fast.bench.figures import Figures, seconds
from docparse_fast.bench.record import PLAIN, PageRecord

Limit = Literal["draft-limited", "prefill-dominated", "drafting-dominated"]

LENGTHS = (128, 256, 512, 1024, 2048, 4096)  # tokens of the plain output: where one bucket ends and the next begins


@dataclass(frozen=True, slots=True)
class SlowPage:
    name: str
    limit: Limit
    figures: Figures


@dataclass(frozen=True, slots=True)
class Bucket:
    label: str
    figures: Figures


def costs(page: PageRecord, name: str) -> Mapping[Limit, float]:
    """The page's seconds by what would have to be better for them to go away.

    Stage 1 counts with decoding: perfect drafts would need neither. What is left of the page's seconds is looking at
    it and turning the answer into blocks.
    """
    way = page.ways[name]
    verifying = seconds(way, "decode") + seconds(way, "stage_1")
    return {
        "draft-limited": verifying,
        "prefill-dominated": max(0.0, seconds(way, "full") - verifying),
        "drafting-dominated": page.drafts[way.drafts].seconds if way.drafts else 0.0,
    }


def limit(page: PageRecord, name: str) -> Limit:
    """Whatever costs the most."""
    found = costs(page, name)
    return max(found, key=found.__getitem__)


def slow_pages(pages: Sequence[PageRecord], name: str) -> list[SlowPage]:
    """Those that gain less than all pages together, slowest first."""
    each = [SlowPage(page.name, limit(page, name), Figures.of(page, name)) for page in pages]
    overall = Figures.sum(page.figures for page in each).end_to_end_speedup if each else 0.0
    slow = [page for page in each if page.figures.end_to_end_speedup < overall]
    return sorted(slow, key=lambda page: page.figures.end_to_end_speedup)


def by_length(pages: Iterable[PageRecord], name: str) -> list[Bucket]:
    """Shortest plain outputs first; buckets without a page are left out."""
    inside: dict[str, list[Figures]] = {}
    for page in sorted(pages, key=_length):
        inside.setdefault(_bucket(_length(page)), []).append(Figures.of(page, name))
    return [Bucket(label, Figures.sum(each)) for label, each in inside.items()]


def _length(page: PageRecord) -> int:
    return len(page.ways[PLAIN].tokens)


def _bucket(tokens: int) -> str:
    """
    >>> _bucket(128), _bucket(129), _bucket(5000)
    ('1-128', '129-256', 'over 4096')
    """
    low = max((edge for edge in (0, *LENGTHS) if edge < tokens), default=0)
    high = next((edge for edge in LENGTHS if tokens <= edge), None)
    return f"over {low}" if high is None else f"{low + 1}-{high}"
