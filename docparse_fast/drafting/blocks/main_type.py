"""The type that most of a line is set in."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import TextSpan


def main_type(spans: Sequence[TextSpan]) -> tuple[float, float]:
    """Size and baseline of most of the characters."""
    counts: dict[tuple[float, float], int] = {}
    for span in spans:
        key = round(span.size, 1), round(span.baseline, 1)
        counts[key] = counts.get(key, 0) + len(span.text.strip())
    return max(counts, key=lambda key: (counts[key], key[0]))
