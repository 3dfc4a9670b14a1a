"""Scores Markdown against the document that a PDF was made of. Knows blocks; knows no tool.

words      F1 of the words; Chinese goes by characters
order      paragraphs and headings that are found, in the longest run that keeps their order
headings   F1 of headings; `level`: those found whose level is right after the best constant shift
paragraphs the share that stands as one paragraph; items: the share of list items that stand as one item
tables     F1 of pairs of a cell and its right or lower neighbour, the mean over the tables
code       the share of code blocks that stand in one fence, line by line
emphasis   the share of bold and italic words that are bold or italic; mono: the same for inline code
repeated   words said more often than they are printed, in a hundred (less is better)

Texts are compared without blanks, hyphens, digits and signs: a list's number or a note's mark doesn't count as a
mistake.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from html_reader import HtmlReader, spread
from likeness import nearest, place_in
from markdown_it import MarkdownIt

SCORES = (
    "words",
    "order",
    "headings",
    "level",
    "paragraphs",
    "items",
    "tables",
    "code",
    "emphasis",
    "mono",
    "repeated",
)
HAN = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+")
Blocks = list[tuple[str, Any, Any]]  # kind, text or rows, level or a table's words


def squashed(text: str, keep: str = "") -> str:
    """Letters alone, and the signs in `keep`; digits too if it has one."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in text if char.isalpha() or (char in keep) or (keep and char.isdigit()))


def words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in HAN.findall(unicodedata.normalize("NFKC", text).casefold()))


# ------------------------------------------------------------------------------------------ the two sides


def truth(document: Mapping[str, Any]) -> tuple[Blocks, list[str], list[str]]:
    """Blocks, emphasised words, and words in code."""
    blocks: Blocks = []
    marks: dict[str, list[str]] = {"strong": [], "code": []}
    for block in document["blocks"]:
        cells = [cell for row in block["rows"] for cell in row]
        for run in (run for runs in (block["runs"], *cells) for run in runs):
            kind = {"bold": "strong", "italic": "strong", "code": "code"}.get(run["style"])
            marks.get(kind or "", []).append(run["text"])
            if run["style"] == "note":
                blocks.append(("note", run["aside"], 0))
        if block["kind"] == "table":
            width = max(map(len, block["rows"]))
            rows = [[_said(cell) for cell in row] * (width if len(row) < width else 1) for row in block["rows"]]
            blocks.append(("table", rows, " ".join(map(_said, cells))))
        elif block["kind"] == "code":
            blocks.append(("code", "\n".join(block["lines"]), 0))
        else:
            blocks.append((block["kind"], _said(block["runs"]), block["level"]))
    return blocks, marks["strong"], marks["code"]


def _said(runs: Sequence[Mapping[str, str]]) -> str:
    return "".join(run["text"] for run in runs)


def read(markdown: str) -> tuple[Blocks, list[str], list[str]]:
    """The same of a Markdown text."""
    blocks: Blocks = []
    strong: list[str] = []
    code: list[str] = []
    kind, level, item = "paragraph", 0, False
    row: list[str] | None = None
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        match token.type:
            case "heading_open":
                kind, level = "heading", int(token.tag[1])
            case "list_item_open":
                item = True
            case "paragraph_open":
                kind, item = ("item" if item else "paragraph"), False
            case "fence" | "code_block":
                blocks.append(("code", token.content, 0))
            case "table_open":
                blocks.append(("table", [], ""))
            case "tr_open":
                row = []
                blocks[-1][1].append(row)
            case "tr_close":
                row = None
            case "html_block":
                _read_html(token.content, blocks, strong, code)
            case "inline":
                text = _inline(token.children or [], strong, code)
                if row is not None:
                    row.append(text)
                elif text.strip():
                    blocks.append((kind, text, level))
    return blocks, strong, code


def _inline(tokens: Iterable[Any], strong: list[str], code: list[str]) -> str:
    text, depth, start = "", 0, 0
    for token in tokens:
        opens = token.type in ("strong_open", "em_open") or re.fullmatch(r"<(b|i|strong|em)>", token.content or "")
        closes = token.type in ("strong_close", "em_close") or re.fullmatch(r"</(b|i|strong|em)>", token.content or "")
        if opens:
            start = start if depth else len(text)
            depth += 1
        elif closes and depth:
            depth -= 1
            if not depth:
                strong.append(text[start:])
        elif token.type == "code_inline":
            code.append(token.content)
            text += token.content
        elif token.type in ("softbreak", "hardbreak") or token.content == "<br>":
            text += " "
        elif token.type in ("text", "text_special"):
            text += token.content
    return text


def _read_html(text: str, blocks: Blocks, strong: list[str], code: list[str]) -> None:
    reader = HtmlReader()
    reader.feed(text)
    blocks += [("table", spread(rows), " ".join(cell[0] for row in rows for cell in row)) for rows in reader.tables]
    strong += reader.strong
    code += reader.code
    if reader.rest.strip():
        blocks.append(("paragraph", reader.rest, 0))


# ------------------------------------------------------------------------------------------------ scores


def scores(document: Mapping[str, Any], markdown: str, alike: float = 1.0) -> dict[str, float]:
    wanted, strong, mono = truth(document)
    found, found_strong, found_mono = read(markdown)
    need, got = words(_texts(wanted)), words(_texts(found))
    head = words([document["running_head"]])
    got = Counter({word: n for word, n in got.items() if word in need or word not in head})
    headings = _matched(_of(wanted, "heading"), _of(found, "heading"), alike)
    score = {
        "words": 200 * (need & got).total() / max(1, need.total() + got.total()),
        "repeated": 100 * (got - need).total() / max(1, need.total()),
        "order": _order(wanted, found, alike),
        "headings": _f1(len(headings), len(_of(wanted, "heading")), len(_of(found, "heading"))),
        "level": _level(headings),
    }
    score["paragraphs"] = _share(_of(wanted, "paragraph"), [*_of(found, "paragraph"), *_of(found, "item")], alike)
    score["items"] = _share(_of(wanted, "item"), _of(found, "item"), alike)
    score["code"] = _share(_of(wanted, "code"), _of(found, "code"), alike, '()={}#/"-_$;:<>.')
    tables = [rows for _, rows, _ in _of(wanted, "table")]
    score["tables"] = _mean(_best_table(rows, [rows for _, rows, _ in _of(found, "table")], alike) for rows in tables)
    for name, marks, seen in (("emphasis", strong, found_strong), ("mono", mono, found_mono)):
        all_seen = "\n".join(squashed(text, "-") for text in seen)
        score[name] = _mean(100.0 * (squashed(mark, "-") in all_seen) for mark in marks)
    return {name: value for name, value in score.items() if value is not None}


def _of(blocks: Blocks, kind: str) -> Blocks:
    return [block for block in blocks if block[0] == kind]


def _texts(blocks: Blocks) -> Iterable[str]:
    for kind, text, words_ in blocks:
        if kind == "table":  # its rows say a cell that spans more than once
            yield words_ or " ".join(cell for row in text for cell in row)
        else:
            yield text


def _f1(hits: int, wanted: int, found: int) -> float:
    return 200 * hits / max(1, wanted + found)


def _mean(values: Iterable[float]) -> Any:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None


def _matched(wanted: Blocks, found: Blocks, alike: float) -> list[tuple[int, int]]:
    """The levels of headings that are on both sides."""
    left = [(squashed(text), level) for _, text, level in found]
    pairs = []
    for _, text, level in wanted:
        at = nearest(squashed(text), [words for words, _ in left], alike)
        if at is not None:
            pairs.append((level, left.pop(at)[1]))
    return pairs


def _level(pairs: Sequence[tuple[int, int]]) -> Any:
    return 100 * max(Counter(a - b for a, b in pairs).values()) / len(pairs) if pairs else None


def _share(wanted: Blocks, found: Blocks, alike: float, keep: str = "") -> Any:
    left = [squashed(text, keep) for _, text, _ in found]
    for _, text, _ in wanted:
        at = nearest(squashed(text, keep), left, alike)
        if at is not None:
            left.pop(at)
    return 100 * (len(found) - len(left)) / len(wanted) if wanted else None


def _order(wanted: Blocks, found: Blocks, alike: float) -> Any:
    whole = squashed(" ".join(_texts(found)))
    keys = [squashed(text) for kind, text, _ in wanted if kind in ("heading", "paragraph")]
    places = [place for place in (place_in(whole, key, alike) for key in keys) if place is not None]
    ends: list[int] = []
    for place in places:
        at = bisect.bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return 100 * len(ends) / len(places) if places else None


def _best_table(rows: Sequence[Sequence[str]], found: Sequence[Sequence[Sequence[str]]], alike: float) -> float:
    cells = _cells(rows)
    want, known = _pairs(cells), sorted({cell for row in cells for cell in row})
    likened = ([[_likened(cell, known, alike) for cell in row] for row in _cells(other)] for other in found)
    return max(
        (_f1((want & (got := _pairs(other))).total(), want.total(), got.total()) for other in likened), default=0.0
    )


def _likened(cell: str, known: Sequence[str], alike: float) -> str:
    at = nearest(cell, known, alike)
    return cell if at is None else known[at]


def _cells(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[squashed(cell, "-.") for cell in row] for row in rows]


def _pairs(cells: Sequence[Sequence[str]]) -> Counter[tuple[str, str, str]]:
    across = [("right", a, b) for row in cells for a, b in pairwise(row)]
    down = [("below", a, b) for row, below in pairwise(cells) for a, b in zip(row, below, strict=False)]
    return Counter(across + down)
