"""Regular expressions matched as Python's engine matches them, each step counted. Knows patterns and texts only.

    Counted(re.compile("(a+)+b")).count("search", "a" * 20)  # no, and the steps: they double with each letter

Steps are the same on every machine, so that a test may ask how they grow. A repeat with a high limit (`{1,400}`) is
followed to `LIMIT` times only: what such a limit costs does not grow with the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

LIMIT = 8  # times that a repeat is followed whose limit is higher
MOST_STEPS = 200_000
Then = Callable[[int], bool]  # what is left to match, from this place
Matcher = Callable[[int, Then], bool]


class TooManyStepsError(Exception):
    """More steps than any text of this length should take."""


@contextmanager
def _recursion(depth: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Counted:
    """A pattern that counts what it takes to match a text."""

    def __init__(self, pattern: re.Pattern[Any], limit: int = LIMIT) -> None:
        source = pattern.pattern
        self.tree = sre_parser.parse(source, pattern.flags & ~re.DEBUG)
        self.flags = self.tree.state.flags | (0 if isinstance(source, str) else re.ASCII)
        self.limit, self.steps, self.text = limit, 0, ""
        self.groups: dict[int, tuple[int, int]] = {}
        self.run = self._sequence(self.tree, self.flags)

    def count(self, how: str, text: str, most: int = MOST_STEPS) -> tuple[bool, int]:
        """Whether it matched, and the steps; `how` is match, fullmatch, search or all."""
        self.text, self.steps, self.most = text, 0, most
        with _recursion(50 * len(text) + 10_000):
            return self._count(how)

    def _count(self, how: str) -> tuple[bool, int]:
        text = self.text
        if how in ("match", "fullmatch"):
            return self._ends(0, whole=how == "fullmatch") is not None, self.steps
        at, found = 0, False
        while at <= len(text):
            end = self._ends(at, whole=False)
            found = found or end is not None
            if found and how == "search":
                break
            at = at + 1 if end is None or end == at else end
        return found, self.steps

    def _ends(self, at: int, *, whole: bool) -> int | None:
        ends: list[int] = []

        def done(i: int) -> bool:
            if whole and i != len(self.text):
                return False
            ends.append(i)
            return True

        self.groups = {}
        return ends[0] if self.run(at, done) else None

    def _step(self, steps: int = 1) -> None:
        self.steps += steps
        if self.steps > self.most:
            raise TooManyStepsError

    # ------------------------------------------------------------------------------------ one matcher a node

    def _sequence(self, nodes: Any, flags: int) -> Matcher:
        matchers = [self._node(op, value, flags) for op, value in nodes]
        if not matchers:
            return lambda i, then: then(i)
        *firsts, run = matchers
        for first in reversed(firsts):
            run = _both(first, run)
        return run

    def _node(self, op: Any, value: Any, flags: int) -> Matcher:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return self._single(holds(op, value, flags))
        if op is sre.AT:
            return self._at(value, flags)
        if op is sre.BRANCH:
            return self._branch([self._sequence(each, flags) for each in value[1]])
        if op is sre.SUBPATTERN:
            group, added, taken, nodes = value
            return self._group(group, self._sequence(nodes, (flags | added) & ~taken))
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            return self._repeat(op, value, flags)
        if op is sre.ATOMIC_GROUP:
            return self._atomic(self._sequence(value, flags))
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            return self._look(value, self._sequence(value[1], flags), wanted=op is sre.ASSERT)
        if op is sre.GROUPREF:
            return self._reference(value)
        raise ValueError(f"{op} can't be counted yet: write its matcher in tests/counted_matching.py")

    def _single(self, test: Callable[[str], bool]) -> Matcher:
        def run(i: int, then: Then) -> bool:
            self.steps += 1  # most steps are these, so no call is made for them
            if self.steps > self.most:
                raise TooManyStepsError
            return i < len(self.text) and test(self.text[i]) and then(i + 1)

        return run

    def _branch(self, ways: list[Matcher]) -> Matcher:
        return lambda i, then: any(way(i, then) for way in ways)

    def _group(self, group: int | None, inner: Matcher) -> Matcher:
        if group is None:
            return inner

        def run(i: int, then: Then) -> bool:
            before = self.groups.get(group)

            def closed(j: int) -> bool:
                kept = self.groups.get(group)
                self.groups[group] = (i, j)
                if then(j):
                    return True
                self.groups[group] = kept  # type: ignore[assignment]
                return False

            if inner(i, closed):
                return True
            self.groups[group] = before  # type: ignore[assignment]
            return False

        return run

    def _reference(self, group: int) -> Matcher:
        def run(i: int, then: Then) -> bool:
            span = self.groups.get(group)
            said = None if span is None else self.text[span[0] : span[1]]
            self._step(len(said or "") + 1)
            return said is not None and self.text.startswith(said, i) and then(i + len(said))

        return run

    def _repeat(self, op: Any, value: Any, flags: int) -> Matcher:
        least, most, nodes = value
        if most is not sre.MAXREPEAT and most > self.limit:
            most = max(least, self.limit)
        most = sys.maxsize if most is sre.MAXREPEAT else most
        if len(nodes) == 1 and nodes[0][0] in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return self._run_of(op, holds(*nodes[0], flags), least, most)
        inner = self._sequence(nodes, flags)

        def more(i: int, then: Then, times: int) -> bool:
            def again(j: int) -> bool:
                return (j > i or times < least) and more(j, then, times + 1)

            self._step()
            if op is sre.MIN_REPEAT:
                return (times >= least and then(i)) or (times < most and inner(i, again))
            return (times < most and inner(i, again)) or (times >= least and then(i))

        repeated: Matcher = lambda i, then: more(i, then, 0)  # noqa: E731
        return self._atomic(repeated) if op is sre.POSSESSIVE_REPEAT else repeated

    def _run_of(self, op: Any, test: Callable[[str], bool], least: int, most: int) -> Matcher:
        """A repeat of one character, which needs no call for each."""

        def run(i: int, then: Then) -> bool:
            last = min(len(self.text), i + most)
            at = i
            if op is sre.MIN_REPEAT:
                while at - i < least or not then(at):
                    self._step()
                    if at >= last or not test(self.text[at]):
                        return False
                    at += 1
                return True
            text = self.text
            while at < last and test(text[at]):
                at += 1
            self._step(at - i)
            if op is sre.POSSESSIVE_REPEAT:
                return at - i >= least and then(at)
            while at - i >= least:
                self._step()
                if then(at):
                    return True
                at -= 1
            return False

        return run

    def _atomic(self, inner: Matcher) -> Matcher:
        def run(i: int, then: Then) -> bool:
            ends: list[int] = []
            return inner(i, lambda j: not ends.append(j)) and then(ends[0])  # type: ignore[func-returns-value]

        return run

    def _look(self, value: Any, inner: Matcher, *, wanted: bool) -> Matcher:
        direction, nodes = value
        back = nodes.getwidth()[0] if direction < 0 else 0

        def run(i: int, then: Then) -> bool:
            self._step()
            seen = i >= back and inner(i - back, lambda j: direction > 0 or j == i)
            return seen is wanted and then(i)

        return run

    def _at(self, where: Any, flags: int) -> Matcher:
        def run(i: int, then: Then) -> bool:
            self._step()
            return _stands(self.text, i, where, flags) and then(i)

        return run


def _both(first: Matcher, second: Matcher) -> Matcher:
    return lambda i, then: first(i, lambda j: second(j, then))


def _stands(text: str, i: int, where: Any, flags: int) -> bool:
    at_line, at_end = bool(flags & re.MULTILINE), i == len(text)
    if where is sre.AT_BEGINNING:
        return i == 0 or (at_line and text[i - 1] == "\n")
    if where is sre.AT_BEGINNING_STRING:
        return i == 0
    if where is sre.AT_END:
        return at_end or (text[i] == "\n" and (at_line or i == len(text) - 1))
    if where is sre.AT_END_STRING:
        return at_end
    word = [0 <= n < len(text) and _in_category(sre.CATEGORY_WORD, text[n], flags) for n in (i - 1, i)]
    return (word[0] != word[1]) == (where is sre.AT_BOUNDARY)


# ------------------------------------------------------------------------------------------- one character


def holds(op: Any, value: Any, flags: int) -> Callable[[str], bool]:
    """Whether a node that stands for one character is the given one."""

    class Known(dict[str, bool]):
        def __missing__(self, char: str) -> bool:
            forms = {char, char.lower(), char.upper()} if flags & re.IGNORECASE else {char}
            self[char] = _is_one(op, value, char, {form for form in forms if len(form) == 1}, flags)
            return self[char]

    return Known().__getitem__


def _is_one(op: Any, value: Any, char: str, forms: set[str], flags: int) -> bool:
    if op is sre.ANY:
        return bool(flags & re.DOTALL) or char != "\n"
    if op in (sre.LITERAL, sre.NOT_LITERAL):
        return (chr(value) in forms) is (op is sre.LITERAL)
    negated = bool(value) and value[0][0] is sre.NEGATE
    return any(_in_set(kind, what, forms, flags) for kind, what in value[negated:]) is not negated


def _in_set(kind: Any, what: Any, forms: set[str], flags: int) -> bool:
    if kind is sre.LITERAL:
        return chr(what) in forms
    if kind is sre.RANGE:
        return any(what[0] <= ord(form) <= what[1] for form in forms)
    return any(_in_category(what, form, flags) for form in forms)


def _in_category(category: Any, char: str, flags: int) -> bool:
    name = str(category).removeprefix("CATEGORY_")
    positive = name.removeprefix("NOT_")
    only_ascii = bool(flags & re.ASCII) and not char.isascii()
    tests = {"DIGIT": char.isdecimal(), "SPACE": char.isspace(), "WORD": char.isalnum() or char == "_"}
    return (tests[positive] and not only_ascii) is not name.startswith("NOT_")
