"""A paragraph's lines into one text. Knows what a line's end breaks: hyphens, paths, links, formulas. No geometry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from docparse_fast.text.characters import CJK
from docparse_fast.text.codes import goes_on_in
from docparse_fast.text.marks import seamless

LOOKED_AT = 2000  # characters before a line's end, in which a link or a formula begins that goes on in the next
SCHEME = re.compile(r"\b(?:https?|ftp|file): //\w$")
LINK = r"(?<!\\)\[(?P<words>(?:[^\[\]\\]|\\.)+)\]\((?P<target>[^\s()]+)\)"
LINK_START, LINK_END = re.compile(LINK), re.compile(LINK + "$")
FORMULA = r"(?<![\\$])\$(?P<body>[^$\n]+?)(?<!\\)\$"
FORMULA_START, FORMULA_END = re.compile(FORMULA), re.compile(FORMULA + "$")
BETWEEN_SIGNS = (
    r"(?:[=<>+*-]|\\(?:leq|geq|neq|ll|gg|approx|equiv|sim|simeq|cong|propto|in|subset|subseteq|cup|cap|vee|wedge|times|cdot"
    r"|pm|mp|oplus|otimes|to|mapsto|[A-Za-z]*arrow)(?![A-Za-z]))"
)
ENDS_OPEN, GOES_ON = re.compile(BETWEEN_SIGNS + r"\s*$"), re.compile(r"\s*" + BETWEEN_SIGNS)
BROKEN_CODE = re.compile(r"[\w>}][/_-]$|\w\.$|/$|[\s`]--$")
HYPHENATED = re.compile(r"(?<![\w-])--[^\W\d_]++(?:-[^\W\d_]++)*+|(?<![^\W\d_])[^\W\d_]++(?:[-‐][^\W\d_]++)++")
LAST_PART = re.compile(r"(?:(?<![^\W\d_])([^\W\d_]++)|(?<![\w-])-)[-‐]$")
FIRST_PART = re.compile(r"[*`]*([^\W\d_]+)")
OF_TWO = re.compile(r"[^\W\d_][-‐] (?:and|or|to) [^\W\d_]+[-‐]$")  # the first leaves out what the second ends with
LONGEST_WORD = 60  # letters
BROKEN_PATH, REST_OF_PATH = re.compile(r"/[^\s/]+/$"), re.compile(r"\w[^\s/]*[\w>}]?[/_.\d]\w")


def _one_link(before: str, after: str) -> str | None:
    """Both lines, if a link's words begin on the first and end on the second."""
    if not (before.endswith(")") and after.startswith("[")):
        return None
    end, start = LINK_END.search(before), LINK_START.match(after)
    if end is None or start is None or end["target"] != start["target"]:
        return None
    words = joined([end["words"], start["words"]])
    return f"{before[: end.start()]}[{words}]({end['target']}){after[start.end() :]}"


def _one_formula(before: str, after: str) -> str | None:
    """Both lines, if a formula is broken between them at a relation or an operator."""
    if not (before.endswith("$") and after.startswith("$")):
        return None
    end, start = FORMULA_END.search(before), FORMULA_START.match(after)
    if end is None or start is None or not (ENDS_OPEN.search(end["body"]) or GOES_ON.match(start["body"])):
        return None
    return f"{before[:-1]} {after[1:]}"


def _in_code(whole: str) -> bool:
    """
    >>> _in_code("a `word` and `/usr/"), _in_code("a `word` and /usr/")
    (True, False)
    """
    return whole.replace("\\`", "").count("`") % 2 == 1


def hyphenated(texts: Iterable[str]) -> frozenset[str]:
    """Neighbouring parts of the words that have their hyphen within a line, and of options.

    >>> sorted(hyphenated(["the update-alternatives of well-to-do", "with --log-file"]))
    ['-', '-log', 'log-file', 'to-do', 'update-alternatives', 'well-to']
    """
    words = (word.replace("‐", "-").split("-") for text in texts for word in HYPHENATED.findall(text))
    return frozenset("-".join(pair) for parts in words for pair in pairwise(parts))


def _ends(before: str, after: str) -> str:
    """The part of a word before a line's end, and the one behind it."""
    end, start = LAST_PART.search(before[-LONGEST_WORD:]), FIRST_PART.match(after)
    return f"{end[1] or ''}-{start[1]}" if end and start else ""


def joined(texts: Sequence[str], terms: Iterable[str] = ()) -> str:
    """A paragraph's lines as one: broken words whole (`terms` have a hyphen of their own), Chinese without blanks.

    >>> joined(["The hier-", "archy of", "well-", "Known things"])
    'The hierarchy of well-Known things'
    >>> joined(["in `/usr/share/`", "`doc` and `--with-`", "`beagle`"])
    'in `/usr/share/doc` and `--with-beagle`'
    >>> joined(["light- and heavy-", "duty trucks"])
    'light- and heavy-duty trucks'
    >>> joined(["see [the man-](https://a.org)", "[ual](https://a.org) for more"])
    'see [the manual](https://a.org) for more'
    """
    settled: list[str] = []  # so far before the end that nothing looks at it; it is not searched again for each line
    in_code, whole = "", ""
    known: list[frozenset[str]] = []

    def has(term: str) -> bool:
        if not known:
            known.append(hyphenated(texts).union(terms))
        return term in known[0]

    for text in map(str.strip, texts):
        if len(whole) > 2 * LOOKED_AT and (cut := whole.rfind(" ", 0, -LOOKED_AT)) > 0:
            settled.append(whole[:cut])
            in_code = "`" if _in_code(in_code + whole[:cut]) else ""
            whole = whole[cut:]
        whole = _one(whole, text, in_code, has) if whole and text else whole + text
    return "".join([*settled, whole])


def _one(before: str, after: str, in_code: str, has: Callable[[str], bool]) -> str:
    """Two lines as one. `in_code`: what was settled ends within code. `has`: whether the page has such a term."""
    before, after = seamless(before, after)
    if (one := _one_link(before, after) or _one_formula(before, after)) is not None:
        return one
    if _is_one_word(before, after, in_code):
        return before + after
    if before.endswith("--") and has(_ends(before, after)):
        return before + after  # another option of that name stands on the page
    if re.search(r"[^\W\d_]{2}[-‐]$", before) and after[0].isalpha():
        of_its_own = not after[0].islower() or has(_ends(before, after)) or OF_TWO.search(before[-2 * LONGEST_WORD :])
        return (before if of_its_own else before[:-1]) + after
    tight = CJK.match(before.rstrip("*`")[-1:]) and CJK.match(after.lstrip("*`")[:1])
    return before + after if tight or goes_on_in(before, after) else f"{before} {after}"


def _is_one_word(before: str, after: str, in_code: str) -> bool:
    """A path, an address or a name in code, which has no hyphen but its own."""
    if BROKEN_CODE.search(before) and after[0].isalnum() and _in_code(in_code + before):
        return True
    path = BROKEN_PATH.search(before) and REST_OF_PATH.match(after)
    return bool(path or SCHEME.search(f"{before} {after[:3]}"))
