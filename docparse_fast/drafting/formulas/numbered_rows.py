"""Parts the rows of a displayed formula that have numbers of their own. Knows lines and places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse_fast.document import TextLine

NUMBER_ASIDE = 30.0  # of the type's size: how far from a formula its number stands
NUMBERED = re.compile(r"^\(?(?P<number>[A-Z]?\.?\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?)\)$")


def by_number(cluster: Sequence[int], lines: Sequence[TextLine]) -> list[list[int]]:
    """The cluster's lines, in a part for each number at the right if there are several."""
    numbers = [i for i in cluster if NUMBERED.match(lines[i].text.strip())]
    others = [i for i in cluster if i not in numbers]
    if len(numbers) < 2 or not others or min(lines[i].box.x0 for i in numbers) < max(lines[i].box.x1 for i in others):
        return [list(cluster)]
    parts = {number: [number] for number in numbers}
    for i in others:
        parts[min(numbers, key=lambda n: abs(lines[n].box.center[1] - lines[i].box.center[1]))].append(i)
    return (
        [sorted(part) for part in parts.values()] if all(len(part) > 1 for part in parts.values()) else [list(cluster)]
    )
