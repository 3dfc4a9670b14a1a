"""What is measured once on a page, for all rules that read it: the numbers that say what is level, alike or wide."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measures:
    """Of one page, in pixels."""

    body: float  # the size of the type that most of the text is set in
    height: float  # of the page
