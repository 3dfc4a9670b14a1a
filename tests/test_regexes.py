"""Every regular expression of the package takes steps in proportion to its text, whatever the text."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from random import Random

import pytest
import regexes

ROOT = Path(__file__).parents[1]
COUNTED = ROOT / "tests/golden/linear_expressions.txt"
NAME, DOMAIN = r"[\w.+-]{1,64}", r"[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
ADDRESS = rf"(?:[{{(\[]?\s?{NAME}(?:\s?[,;|/]\s?{NAME}){{0,12}}\s?[}})\]]?\s?@\s?{DOMAIN})"
FORMER = {  # expressions that this package had: a page could make each of them take for ever
    "exponential": ("fullmatch", rf"\W{{0,2}}{ADDRESS}(?:[\s,;|/]*{ADDRESS})*\W{{0,2}}"),
    "cubic": ("match", r"^(?P<title>.*?\w.*?)\s*(?:(?:[.·]\s?){4,})[.…\s]*(?P<page>[\w-]{1,8})?\s*$"),
    "quadratic": ("fullmatch", r"(?P<title>\S.*?)[\s.…·_-]*\s(?P<page>\d{1,4}|[ivxlc]{1,7})$"),
}


def key(expression) -> str:
    """Of the expression, how it is used, and how steps are counted."""
    way = [(ROOT / "tests" / name).read_bytes() for name in ("regexes.py", "counted_matching.py")]
    told = repr((expression.source, expression.pattern.flags, sorted(expression.uses), way))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


@pytest.mark.e2e  # it takes twenty seconds to count all of them
def test_no_expression_takes_more_steps_than_its_text_is_long(request):
    """If one does: tests/regexes.py names the text. A possessive repeat or plain code mends most.

    Those in COUNTED were linear, and are not counted in each run; --update-golden adds the others.
    """
    found, unknown = regexes.expressions()
    assert unknown == [], "say in GIVEN what stands for the names in these"
    assert len(found) > 300
    counted = COUNTED.read_text("utf-8").split()
    growths = {f"{each.place}: {each.source}": regexes.worst(each) for each in found if key(each) not in counted}
    assert {place: growth for place, growth in growths.items() if growth.name != "linear"} == {}
    if request.config.getoption("--update-golden"):
        COUNTED.write_text("\n".join(sorted(map(key, found))) + "\n", "utf-8")


@pytest.mark.parametrize("growth", FORMER)
def test_an_expression_that_grows_faster_is_found(growth):
    use, source = FORMER[growth]
    names = regexes.NAMES if growth == "quadratic" else regexes.NAMES[1:]
    found = regexes.growths(regexes.Expression(re.compile(source), "", {use}))
    assert any(each.name in names[1:] for each in found)


@pytest.mark.parametrize(
    "source",
    [
        r"(a|ab)(c|bcd)(d*)", r"a*?b|(?:ab)+c", r"(?<=a)b+(?!c)", r"^\s*(?P<m>`+)(.+?)(?P=m)$", r"(?i)[^\W\d_]{2}[-‐]$",
        r"(?>a+)b|a++c", r"\b\w+\b", r"(?s).*?\n.", r"(?m)^a$", r"(?:a{2,3}){1,2}?b?", r"[^ab]|\d\D\s\S\w\W",
        r"\\.|a\Z",
    ],
)  # fmt: skip
@pytest.mark.parametrize("use", ["match", "fullmatch", "search"])
def test_the_counted_matching_finds_what_the_engine_finds(source, use):
    choose = Random(source)
    counted = regexes.Counted(re.compile(source))
    for _ in range(300):
        text = "".join(choose.choice("aAbcd`1 \n-_\\é") for _ in range(choose.randrange(9)))
        assert counted.count(use, text)[0] == (getattr(re.compile(source), use)(text) is not None), text


def test_a_part_that_cant_be_counted_is_named():
    with pytest.raises(ValueError, match=r"^GROUPREF_EXISTS can't be counted yet"):
        regexes.Counted(re.compile("(a)?(?(1)b|c)"))
