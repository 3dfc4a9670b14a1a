"""Underscores that are drawn as short lines, as TeX draws them, and blanks to be filled in, that longer ones are.

Knows lines of type and drawn lines. A short line at the foot of the type, in a gap beside a word, is an underscore; one
beneath a word is an underline, and a longer one between two words of a line is a blank to be filled in.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.text.characters import has_right_to_left

SHORTEST, LONGEST = 0.2, 0.65  # of the type's size
FLAT = 0.12  # of the type's size: the most that one is high, or stands off the baseline
TOUCH = 0.2  # of the type's size between it and its word
COVERED = 0.5  # of a blank's width, from which the underscore takes its place
BENEATH = 0.25  # of its length that may lie beneath a word
BLANK = 1.5, 25.0  # of the type's size: how long a blank to be filled in is
LOW = 0.35  # of the type's size: how far such a line may lie below the baseline
FILLED = "____"
ENDS = frozenset(".,;:!?)]。，；：！？）")  # what stands behind a blank at the end of what is said

WITH_BARS = frozenset("⏞⏟√")  # lying braces are made of tips and short lines, and a root has one over what it is of

_Blocks = tuple[tuple[TextLine, ...], ...]


def with_underscores(blocks: _Blocks, bars: Sequence[Box]) -> _Blocks:
    """The same lines, with an underscore as a word of its own, without blanks, wherever one is drawn."""
    level = sorted((bar for bar in bars if bar.width > bar.height), key=lambda bar: bar.y0)
    if not level:
        return blocks
    return tuple(tuple(_with_drawn(line, level) for line in block) for block in blocks)


def _with_drawn(line: TextLine, bars: Sequence[Box]) -> TextLine:
    first = line.spans[0]
    if line.vertical or line.slanted:
        return line
    near = FLAT * max(span.size for span in line.spans)
    low, high = (bisect_left(bars, first.baseline + off, key=lambda bar: bar.y0) for off in (-2 * near, 2 * near))
    if low == high or has_right_to_left(line.text):
        return line
    spans = list(line.spans)
    reach = line.box.expanded(TOUCH * near / FLAT)
    beside = [bar for bar in bars[low:high] if bar.x1 >= reach.x0 and bar.x0 <= reach.x1]
    for bar in sorted(beside, key=lambda bar: bar.x0):
        at = _place(bar, spans)
        if at is not None:
            spans = _inserted(bar, at, spans)
    return replace(line, spans=tuple(spans))


def _place(bar: Box, spans: Sequence[TextSpan]) -> int | None:
    """Of the word beside which an underscore is drawn; None if `bar` is none."""
    inked = [n for n, span in enumerate(spans) if span.text.strip()]
    beside = min(inked, key=lambda n: _gap(spans[n].box, bar), default=None)
    if beside is None:
        return None
    span = spans[beside]
    if span.text.strip() in WITH_BARS:
        return None
    long = SHORTEST * span.size <= bar.width <= LONGEST * span.size
    flat = bar.height <= FLAT * span.size and abs(bar.y1 - span.baseline) <= FLAT * span.size
    free = all(spans[n].box.overlap_x(bar) <= BENEATH * bar.width for n in inked)
    return beside if long and flat and free and _gap(span.box, bar) <= TOUCH * span.size else None


def _gap(word: Box, bar: Box) -> float:
    return max(bar.x0 - word.x1, word.x0 - bar.x1)


def _inserted(bar: Box, at: int, spans: Sequence[TextSpan]) -> list[TextSpan]:
    """With the underscore in its place, and without the blank that a reader of the file put there."""
    word = spans[at]
    box = replace(word.box, x0=bar.x0, x1=bar.x1)
    drawn = replace(word, text="_", box=box, signs=(("_", bar),) if word.signs else (), superscript=False)
    kept = [span for span in spans if span.text.strip() or span.box.overlap_x(bar) < COVERED * span.box.width]
    before = [span for span in kept if span.box.center[0] <= bar.center[0]]
    after = kept[len(before) :]
    if before and _gap(before[-1].box, bar) <= TOUCH * word.size:
        before[-1] = replace(before[-1], text=before[-1].text.rstrip() or before[-1].text)
    return [*before, drawn, *after]


def with_blanks(blocks: _Blocks, rules: Sequence[Box]) -> _Blocks:
    """The same lines, with `____` as a word where a drawn line stands for one: `pays ____ euros`."""
    lines = [line for block in blocks for line in block if not (line.vertical or line.slanted)]
    words = sorted((span for line in lines for span in line.spans if span.text.strip()), key=lambda word: word.baseline)
    feet = [word.baseline for word in words]
    largest = LOW * max((word.size for word in words), default=0.0)
    after: dict[int, tuple[Box, str]] = {}
    for rule in rules if words else ():
        if rule.width > rule.height:
            level = words[bisect_left(feet, rule.y0 - largest) : bisect_right(feet, rule.y1 + largest)]
            if (found := _missing_between(rule, level)) is not None:
                after[id(found[0])] = rule, FILLED if _ends(found[1]) else f"{FILLED} "
    if not after:
        return blocks
    return tuple(tuple(_with_blanks(line, after) for line in block) for block in blocks)


def _missing_between(rule: Box, level: Sequence[TextSpan]) -> tuple[TextSpan, TextSpan] | None:
    """The words between which one is left out: the rule runs from the first to the second, below nothing else."""
    beside = [word for word in level if -FLAT < (rule.center[1] - word.baseline) / word.size < LOW]
    left = max((word for word in beside if word.box.center[0] < rule.x0), key=lambda word: word.box.x1, default=None)
    right = min((word for word in beside if word.box.center[0] > rule.x1), key=lambda word: word.box.x0, default=None)
    if left is None or right is None or any(rule.x0 <= word.box.center[0] <= rule.x1 for word in beside):
        return None
    size, alike = left.size, abs(left.baseline - right.baseline) < FLAT * left.size
    leader = not any(map(str.isalpha, right.text)) and not _ends(right)  # to a price or a page's number
    long = not leader and BLANK[0] * size < rule.width < BLANK[1] * size
    near = max(rule.x0 - left.box.x1, right.box.x0 - rule.x1) < size
    return (left, right) if alike and long and near and not has_right_to_left(left.text) else None


def _ends(word: TextSpan) -> bool:
    return set(word.text.strip()) <= ENDS


def _with_blanks(line: TextLine, after: Mapping[int, tuple[Box, str]]) -> TextLine:
    if not any(id(span) in after for span in line.spans):
        return line
    spans: list[TextSpan] = []
    for span in line.spans:
        spans.append(span)
        if found := after.get(id(span)):
            rule, text = found
            box = replace(span.box, x0=rule.x0, x1=rule.x1)
            blank = TextSpan(box, text, span.font, span.size, span.baseline, visible=span.visible)
            spans[-1:] = [replace(span, text=span.text.rstrip() + " "), blank]
    return replace(line, box=Box.around((line.box, *(span.box for span in spans))), spans=tuple(spans))
