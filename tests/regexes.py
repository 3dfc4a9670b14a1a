"""Lists every regular expression of the package, and how its steps grow on the texts that suit it worst.

    python tests/regexes.py [WORD]

prints `linear`, `quadratic`, `cubic` or `exponential`, where the expression stands, how it is used, itself and, if it
is not linear, the text: what stands before, what is repeated, what follows. WORD selects by place or pattern. Exits
with 1 if one is not linear.

Expressions are found in the source, those within functions too. The texts are made of each expression's own
characters, so none of them has to be thought of: every piece that a repeat takes, and every one or two characters that
the expression tells apart, many times over, then something that it refuses.
"""

from __future__ import annotations

import ast
import importlib
import random
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from counted_matching import Counted, TooManyStepsError, holds  # noqa: E402

PACKAGE = ROOT / "docparse_fast"
USES = dict.fromkeys(("finditer", "findall", "sub", "subn", "split"), "all")
USES |= {name: name for name in ("match", "fullmatch", "search")}
CALLED = re.compile(rf"^import re$|\b_?[A-Z][A-Z_]+\.(?:{'|'.join(USES)})\(", re.MULTILINE)
ELSEWHERE = frozenset({"vllm.py"})  # needs another package to be imported, and has no expression
# What stands for the names in expressions that a function makes of what it is given
GIVEN: dict[str, dict[str, Any]] = {
    "drafting/born_digital/layer_tables.py": {"inner": r"w\s*+o\s*+-?\s*+r\s*+d"},
    "joining/notes.py": {"mark": "12"},
    "text/unknown_letters.py": {"known": r"informa(\w*)on"},
    "text/marks.py": {"stand_in": "\U0010ff00"},
    "run/provenance.py": {"package": "torch"},
    "rendering/origins.py": {"before": r"(?<![^\W_])", "parts": ["two", "words"], "after": r"(?![^\W_])"},
    "targets/dialects/markdown.py": {"opening": r"\\\(", "closing": r"\\\)", "inside": r"((?:(?!\\\().)+?)"},
    "verification/boxes.py": {
        "begins": r"<\|det\|>[^<\[]*\[+",
        "between": ", ",
        "numbers": r"(\d+), (\d+)",
        "begun": r"(?:\d+, ){0,3}\d*|(?:\d+, ){0,2}\d+(?:,)?",
        "ends": "]",
        "label": r"<\|ref\|>([\w ]+)",
    },
    "verification/letters.py": {"markup": r"\\[A-Za-z]+|[\W_]", "slash": r"\\", "word": r"[^\W_]+"},
}

ORDINARY = "aA5_ -.,\n\t/é中\u0301\x00"  # stand for all characters that an expression tells apart
REFUSED = "\x01\n\x01x\x01"  # hardly any expression takes it
SIZES = (48, 96, 192)  # characters of the text
GROWS = 2.6  # times as many steps for a text of twice the length: more than linear
NAMES = ("linear", "quadratic", "cubic", "exponential")
RATIOS = (GROWS, 5.6, 11.0)  # from which on it is the next of these
MOST_STEPS = 300_000  # for one text; a cubic expression takes some ten thousand for the shortest
MOST_PAIRS = 30
# How often what is repeated stands in a sample: as seldom as may be; what can't be left out once more; any way
HOW_OFTEN = ("least", "needed", "any", "any more")


@dataclass(slots=True)
class Expression:
    pattern: re.Pattern[Any]
    place: str
    uses: set[str] = field(default_factory=set)

    @property
    def source(self) -> str:
        return self.pattern.pattern if isinstance(self.pattern.pattern, str) else self.pattern.pattern.decode("latin-1")


@dataclass(frozen=True, slots=True)
class Growth:
    """The steps for each size, and the text: what stands before, what is repeated, what follows."""

    steps: tuple[int, ...] = ()
    use: str = ""
    text: tuple[str, str, str] = ("", "", "")

    @property
    def name(self) -> str:
        if len(self.steps) < 2:
            return "exponential" if self.steps else "linear"
        ratio = self.steps[-1] / max(1, self.steps[-2])
        return NAMES[sum(ratio >= each for each in RATIOS)]


# ------------------------------------------------------------------------------------- found in the source


def expressions() -> tuple[list[Expression], list[str]]:
    """All expressions, and the places whose expressions can't be told from the source."""
    found: dict[tuple[Any, int], Expression] = {}
    unknown: list[str] = []

    def seen(pattern: re.Pattern[Any], place: str) -> Expression:
        return found.setdefault((pattern.pattern, pattern.flags), Expression(pattern, place))

    for path, source in ((path, path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))):
        if not CALLED.search(source) or path.name in ELSEWHERE:
            continue
        here = str(path.relative_to(PACKAGE))
        known = vars(importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)))
        for name, value in known.items():
            for pattern in _patterns_in(value):
                seen(pattern, f"{here} {name}")
        known = {**known, **GIVEN.get(here, {})}
        for call, in_function in _calls(ast.parse(source)):
            owner, use = call.func.value, USES.get(call.func.attr)
            is_inline = isinstance(owner, ast.Name) and owner.id == "re"
            value = _value(call.args[0], known) if is_inline and call.args else _value(owner, known)
            if is_inline and isinstance(value, (str, bytes)):
                value = re.compile(value, *_flags(call, known))
            if isinstance(value, re.Pattern):
                seen(value, f"{here}:{call.lineno}").uses |= {use} if use else set()
            elif is_inline and in_function:
                unknown.append(f"{here}:{call.lineno}")
    return list(found.values()), unknown


def _calls(tree: ast.AST, *, in_function: bool = False) -> Iterator[tuple[Any, bool]]:
    """Calls of methods that expressions have, and whether they stand in a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {*USES, "compile"}:
            yield node, in_function
        inside = in_function or isinstance(node, (ast.FunctionDef, ast.Lambda))
        yield from _calls(node, in_function=inside)


def _flags(call: ast.Call, known: Mapping[str, Any]) -> list[Any]:
    named = [each.value for each in call.keywords if each.arg == "flags"]
    return [value for node in [*named, *call.args[1:]] if isinstance(value := _value(node, known), re.RegexFlag)]


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """What the expression is at the module's top; None if it has names of a function."""
    try:
        return eval(compile(ast.Expression(node), "", "eval"), dict(known))
    except NameError:
        return None


def _patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list, frozenset, set, dict)) and depth < 3:
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        for part in parts:
            yield from _patterns_in(part, depth + 1)


# ------------------------------------------------------------------------------------------------ the texts


def worst(expression: Expression) -> Growth:
    """How the steps grow, and on which text they grow fastest."""
    return max(growths(expression), key=lambda growth: NAMES.index(growth.name), default=Growth())


def growths(expression: Expression) -> Iterator[Growth]:
    """On one text after the other."""
    counted = Counted(expression.pattern)
    uses = expression.uses or {"all"}
    if "all" in uses:
        uses = uses - {"search", "match"}  # what these do is done by it as well
    elif "search" in uses:
        uses = uses - {"match"}
    if not any(most > counted.limit for _, most in _repeats(counted.tree)):
        return
    for use, text in product(sorted(uses), dict.fromkeys(texts(counted))):
        yield _growth(counted, use, text)


def _growth(counted: Counted, use: str, text: tuple[str, str, str]) -> Growth:
    before, piece, after = text
    steps: list[int] = []
    for size in SIZES:
        whole = before + piece * max(2, size // len(piece)) + after
        try:
            steps.append(counted.count(use, whole, MOST_STEPS)[1])
        except TooManyStepsError:
            break
        if len(steps) == 2 and steps[1] < GROWS * steps[0]:
            return Growth()
    return Growth(tuple(steps) or (MOST_STEPS,), use, text)


def texts(counted: Counted) -> Iterator[tuple[str, str, str]]:
    choose = random.Random(7)
    chars = told_apart(counted)
    singles = list(dict.fromkeys(chars.values()))
    pairs = ["".join(pair) for pair in product(singles, singles) if pair[0] != pair[1]]
    pieces = [*singles, *(pairs if len(pairs) <= MOST_PAIRS else choose.sample(pairs, MOST_PAIRS))]
    for before, body in _repeated(counted.tree, []):
        starts = {_sample(before, choose, chars, counted.flags, how) for how in HOW_OFTEN}
        for piece in sorted({_sample(body, choose, chars, counted.flags, how) for how in HOW_OFTEN} - {""}):
            for start, end in product(sorted({"", *starts}), ("", REFUSED)):
                yield start, piece, end
        for piece, start in product(singles, sorted(starts - {""})):
            yield start, piece, REFUSED
    for piece in pieces:
        yield "", piece, REFUSED


def told_apart(counted: Counted) -> dict[str, str]:
    """Characters by the character that stands for all that the expression doesn't tell from it."""
    tests = [holds(op, value, counted.flags) for op, value in _characters(counted.tree)]
    named = [chr(code) for op, value in _characters(counted.tree) for code in _codes(op, value)]
    stands: dict[tuple[bool, ...], str] = {}
    return {char: stands.setdefault(tuple(t(char) for t in tests), char) for char in [*ORDINARY, *named]}


def _codes(op: Any, value: Any) -> Iterator[int]:
    if op in (sre.LITERAL, sre.NOT_LITERAL):
        yield value
    elif op is sre.IN:
        for kind, what in value:
            if kind is sre.LITERAL:
                yield what
            elif kind is sre.RANGE:
                yield what[0]


def _children(op: Any, value: Any) -> list[Any]:
    """The sequences within a node."""
    if op is sre.BRANCH:
        return list(value[1])
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return [value[2]]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    return [value] if op is sre.ATOMIC_GROUP else []


def _most(value: Any) -> int:
    return sys.maxsize if value[1] is sre.MAXREPEAT else value[1]


def _characters(nodes: Any) -> Iterator[tuple[Any, Any]]:
    for op, value in nodes:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            yield op, value
        for child in _children(op, value):
            yield from _characters(child)


def _repeats(nodes: Any) -> Iterator[tuple[int, int]]:
    for op, value in nodes:
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            yield value[0], _most(value)
        for child in _children(op, value):
            yield from _repeats(child)


def _repeated(nodes: Any, before: list[Any]) -> Iterator[tuple[list[Any], Any]]:
    """Each part that is repeated without a low limit, and what stands before it."""
    so_far = list(before)
    for op, value in nodes:
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT) and _most(value) > 1:
            yield so_far, value[2]
        for child in _children(op, value):
            yield from _repeated(child, so_far)
        so_far = [*so_far, (op, value)]


def _sample(nodes: Any, choose: random.Random, chars: Mapping[str, str], flags: int, how: str) -> str:
    return "".join(_sample_of(op, value, choose, chars, flags, how) for op, value in nodes)


def _sample_of(op: Any, value: Any, choose: random.Random, chars: Mapping[str, str], flags: int, how: str) -> str:
    """A text that the node takes, but for what it looks ahead or back to."""
    if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
        test = holds(op, value, flags)
        fitting = sorted({char for char in chars.values() if test(char)})
        return choose.choice(fitting) if fitting else ""
    if op is sre.BRANCH:
        return _sample(choose.choice(value[1]), choose, chars, flags, how)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        more = {"least": 0, "needed": int(value[0] > 0)}.get(how, choose.randrange(3))
        times = min(_most(value), value[0] + more)
        return "".join(_sample(value[2], choose, chars, flags, how) for _ in range(times))
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return ""
    return "".join(_sample(child, choose, chars, flags, how) for child in _children(op, value))


def main() -> int:
    found, unknown = expressions()
    words = sys.argv[1:]
    slow = 0
    for each in found:
        if words and not any(word in each.place or word in each.source for word in words):
            continue
        growth = worst(each)
        slow += growth.name != "linear"
        told = "" if growth.name == "linear" else f"  {growth.use} {growth.text} {growth.steps}"
        print(f"{growth.name:12}{each.place}  {'/'.join(sorted(each.uses))}  {each.source[:200]!r}{told}", flush=True)
    print(f"{len(found)} expressions, {slow} not linear; not found out: {', '.join(unknown) or 'none'}")
    return int(bool(slow or unknown))


if __name__ == "__main__":
    sys.exit(main())
