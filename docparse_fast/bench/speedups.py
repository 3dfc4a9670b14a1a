"""Derives figures from records: speed-ups, acceptance, means (Eq. 12-14). Pure functions; measures nothing.

There are three speed-ups, each plain decoding's seconds divided by a way's:

- `engine_speedup`: decoding the page alone. Divided by tokens per step it gives `efficiency`, the part of the saved
  steps that became saved time.
- `decode_speedup`, the paper's SR_decode: also counts drafting and all of Stage 1, because both are done only for
  speculation (§4.2).
- `end_to_end_speedup`, the paper's SR_e2e: from the page image to the finished blocks. It counts the page's prefill on
  both sides, drafting and Stage 1 on one.

A page's seconds are the medians of its rounds. Overall figures divide sums over pages, so that long pages count more,
as they do for a user who waits. Means over pages, as in a paper's tables, are given too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import ceil
from statistics import fmean, median
from typing import Any

from docparse_fast.bench.record import PLAIN, Measurement, PageRecord, TogetherRecord, WayRecord
from docparse_fast.speculative.growing_answer import Finish

PER_CENT = 95  # per cent of pages that are not slower
COUNTED = ("tokens", "steps", "accepted")
MEANS = ("average_acceptance_length", "tokens_per_step", "engine_speedup", "decode_speedup", "end_to_end_speedup")
DERIVED = (*MEANS, "efficiency")


@dataclass(frozen=True, slots=True)
class Figures:
    """One way on one page or several; all fields are sums.

    >>> one = Figures(1, 6, 2, 4, 1.0, 1.5, 2.0, 3.0, 4.0)
    >>> one.tokens_per_step, one.engine_speedup, one.efficiency, one.decode_speedup, one.end_to_end_speedup
    (3.0, 3.0, 1.0, 2.0, 2.0)
    >>> Figures.sum([one, one]).tokens
    12
    """

    pages: int
    tokens: int  # written in steps: a page's first token comes with the prefill
    steps: int
    accepted: int  # draft tokens
    decode_seconds: float  # decoding alone
    counted_seconds: float  # with drafting and Stage 1
    full_seconds: float  # end to end
    plain_decode_seconds: float
    plain_full_seconds: float

    @staticmethod
    def of(page: PageRecord, name: str) -> Figures:
        way, plain = page.ways[name], page.ways[PLAIN]
        drafting = page.drafts[way.drafts].seconds if way.drafts else 0.0
        stage_1 = seconds(way, "stage_1")
        decode = seconds(way, "decode") if way.tokens else seconds(way, "stage_1_decode")
        return Figures(
            pages=1,
            tokens=way.written,
            steps=way.passes,
            accepted=way.accepted,
            decode_seconds=decode,
            counted_seconds=drafting + stage_1 + seconds(way, "decode"),
            full_seconds=drafting + seconds(way, "full"),
            plain_decode_seconds=seconds(plain, "decode"),
            plain_full_seconds=seconds(plain, "full"),
        )

    @staticmethod
    def sum(several: Iterable[Figures]) -> Figures:
        several = list(several)
        return Figures(*(sum(getattr(one, field.name) for one in several) for field in fields(Figures)))

    @property
    def tokens_per_step(self) -> float:
        return ratio(self.tokens, self.steps)

    @property
    def average_acceptance_length(self) -> float:
        return ratio(self.accepted, self.steps)

    @property
    def engine_speedup(self) -> float:
        return ratio(self.plain_decode_seconds, self.decode_seconds)

    @property
    def efficiency(self) -> float:
        return ratio(self.engine_speedup, self.tokens_per_step)

    @property
    def decode_speedup(self) -> float:
        return ratio(self.plain_decode_seconds, self.counted_seconds)

    @property
    def end_to_end_speedup(self) -> float:
        return ratio(self.plain_full_seconds, self.full_seconds)


def ratio(number: float, of: float) -> float:
    return number / of if of else 0.0


def seconds(record: WayRecord | TogetherRecord, span: str) -> float:
    """The median over rounds; 0 for a span that was never entered."""
    return median(found.get(span, 0.0) for found in record.rounds) if record.rounds else 0.0


# ------------------------------------------------------------------------------------------------- overall


def counted(measurement: Measurement) -> list[PageRecord]:
    """The pages that count in overall figures: plain decoding wrote them without repeating itself endlessly.

    An endless repetition says nothing about speed; the paper leaves such pages out as well.
    """
    return [page for page in measurement.pages if page.measured and page.ways[PLAIN].finish != Finish.REPETITION]


def pages_of(measurement: Measurement, name: str) -> list[PageRecord]:
    """The counted pages that this way wrote too."""
    return [page for page in counted(measurement) if (way := page.ways.get(name)) and way.rounds and way.error is None]


def summary(measurement: Measurement) -> dict[str, Any]:
    """All derived figures, ready for JSON."""
    kept = counted(measurement)
    return {
        "pages": len(measurement.pages),
        "counted": len(kept),
        "interrupted": measurement.settings.interrupted,
        "blank": sum(page.blank for page in measurement.pages),
        "failed": [page.name for page in measurement.pages if not page.blank and not page.measured],
        "looping": [page.name for page in measurement.pages if page.measured and page not in kept],
        "ways": {name: way_summary(measurement, name) for name in measurement.ways if pages_of(measurement, name)},
        "together": together_summary(measurement),
    }


def way_summary(measurement: Measurement, name: str) -> dict[str, Any]:
    pages = pages_of(measurement, name)
    ways = [page.ways[name] for page in pages]
    each = [Figures.of(page, name) for page in pages]
    total = Figures.sum(each)
    device = [way.device_peak_bytes for way in ways if way.device_peak_bytes is not None]
    derived = {name: getattr(total, name) for name in (*COUNTED, *DERIVED, "decode_seconds")}
    return {
        "pages": total.pages,
        "failed": sum(page.ways[name].error is not None for page in counted(measurement) if name in page.ways),
        **derived,
        "mean_of_pages": {name: fmean(getattr(figures, name) for figures in each) for name in MEANS},
        "slowest_page": _slowest(pages, each),
        "seconds_per_page": {
            "mean": ratio(total.full_seconds, total.pages),
            "p95": percentile([figures.full_seconds for figures in each], PER_CENT),
        },
        "pages_per_second": ratio(total.pages, total.full_seconds),
        "same_as_plain": _true(way.same_as_plain for way in ways),
        "same_as_generate": _true(way.same_as_generate for way in ways),
        "steady": _true(way.steady for way in ways),
        "peak_bytes": max(way.peak_bytes or 0 for way in ways),
        "device_peak_bytes": max(device) if device else None,
    }


def together_summary(measurement: Measurement) -> dict[str, Any] | None:
    """Pages decoded side by side, compared with the same pages one by one; None if there are none."""
    groups = [group for group in measurement.together if group.error is None and group.rounds]
    if not groups:
        return None
    names = {name for group in groups for name in group.pages}
    plain = [page.ways[PLAIN] for page in measurement.pages if page.name in names and page.measured]
    decode, full = (sum(seconds(group, span) for group in groups) for span in ("decode", "full"))
    return {
        "pages": len(names),
        "rows": max(group.rows for group in groups),
        "engine_speedup": ratio(sum(seconds(way, "decode") for way in plain), decode),
        "end_to_end_speedup": ratio(sum(seconds(way, "full") for way in plain), full),
        "seconds_per_page": ratio(full, len(names)),
        "pages_per_second": ratio(len(names), full),
        "same_as_plain": {"pages": sum(group.same_as_plain for group in groups), "of": len(names)},
    }


def percentile(values: Sequence[float], per_cent: int) -> float:
    """The smallest of `values` that at least so many per cent of them don't exceed.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 50), percentile([1.0], 95)
    (2.0, 1.0)
    """
    ranked = sorted(values)
    return ranked[max(0, ceil(len(ranked) * per_cent / 100) - 1)]


def _slowest(pages: Sequence[PageRecord], each: Sequence[Figures]) -> dict[str, Any]:
    """The page where decoding gained least."""
    page, figures = min(zip(pages, each, strict=True), key=lambda pair: pair[1].engine_speedup)
    return {"name": page.name, "engine_speedup": figures.engine_speedup}


def _true(answers: Iterable[bool | None]) -> dict[str, int]:
    known = [answer for answer in answers if answer is not None]
    return {"pages": sum(known), "of": len(known)}
