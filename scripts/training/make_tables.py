"""Makes pages with tables of known truth, to fit the judge of tables on: ID.pdf beside ID.json.

    python scripts/training/make_tables.py FOLDER --seed 1 --count 120      # needs chromium

Each page is drawn by chance: columns of words, sentences, figures, amounts, dates and codes; cells over several rows
and columns, groups, sums, heads of two lines; ruled, half ruled, striped, on grounds or bare; alone, side by side or
one over the other; with prose, labels and values, lists, contents and addresses around. The truth is what
`fit_tables.py collect` reads: {"tables": [{"rows": [[text]]}], "pairs": [[label, value]], "producer": "made"}.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "round_trip"))
from material import VOCABULARY

Cell = tuple[str, int, int]  # text, rows and columns
FONTS = ("DejaVu Sans", "DejaVu Serif", "Liberation Sans", "Liberation Serif", "Noto Sans", "Carlito", "Lato")
LANGUAGES = ("en", "en", "de", "fr", "ru", "zh")
PATIENCE = 60  # seconds for a page


@dataclass
class Made:
    """A page as HTML, and its truth."""

    html: list[str] = field(default_factory=list)
    tables: list[dict[str, list[list[str]]]] = field(default_factory=list)
    pairs: list[list[str]] = field(default_factory=list)


class Writer:
    """Draws one page by chance; the same seed draws the same."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.language = self.chance.choice(LANGUAGES)
        self.words = VOCABULARY[self.language].split()
        self.comma = self.language in ("de", "fr", "ru")
        self.narrow = self.chance.random() < 0.15  # two columns
        self.made = Made()

    def page(self) -> Made:
        parts: list[Callable[[], str]] = [
            self.prose, self.label_block, self.two_blocks, self.items, self.contents, self.terms,
        ]  # fmt: skip
        some = self.chance.choices(parts, (5, 3, 2, 2, 1, 2), k=self.chance.randint(1, 4))
        some.insert(self.chance.randint(0, len(some)), self.tables)
        if self.chance.random() < 0.3:
            some.append(self.tables)
        body = f"<h1>{self.phrase(3)}</h1>" + "".join(part() for part in some)
        if self.narrow:
            body = f"<div style='columns:2;column-gap:{self.chance.randint(14, 30)}px'>{body}</div>"
        size, font = self.chance.choice((8, 9, 9.5, 10, 11, 12)), self.chance.choice(FONTS)
        self.made.html = [
            "<!doctype html><meta charset='utf-8'><style>@page{size:A4;margin:18mm} "
            f"body{{font:{size}pt/{self.chance.choice((1.15, 1.3, 1.5))} '{font}',sans-serif}} "
            "table{border-collapse:collapse} td,th{vertical-align:top} h1{font-size:150%}</style>",
            body,
        ]
        return self.made

    # ------------------------------------------------------------------------------------------- words

    def phrase(self, count: int) -> str:
        joint = "" if self.language == "zh" else " "
        text = joint.join(self.chance.choice(self.words) for _ in range(count))
        return text[:1].upper() + text[1:]

    def sentence(self, least: int, most: int) -> str:
        return self.phrase(self.chance.randint(least, most)) + ("。" if self.language == "zh" else ".")

    def number(self, top: float, decimals: int) -> str:
        text = f"{self.chance.uniform(0, top):,.{decimals}f}"
        return text.translate(str.maketrans(",.", ".,")) if self.comma else text

    def date(self) -> str:
        day, month, year = self.chance.randint(1, 28), self.chance.randint(1, 12), self.chance.randint(2019, 2027)
        return self.chance.choice(
            (f"{day:02}.{month:02}.{year}", f"{year}-{month:02}-{day:02}", f"{day}/{month}/{year}")
        )

    def code(self) -> str:
        letters = "".join(self.chance.choices("ABCDEFGHKLMNPRSTX", k=self.chance.randint(1, 3)))
        return f"{letters}-{self.chance.randint(10, 99999)}"

    def column(self) -> tuple[Callable[[], str], str]:
        """What fills a column, and on which side it stands."""
        money = self.chance.choice(("", " €", " kr", "%"))
        decimals = self.chance.choice((0, 1, 2, 2))
        top = self.chance.choice((9, 99, 9999, 500_000))
        dash = self.chance.random() < 0.2
        figures = lambda: "–" if dash and self.chance.random() < 0.2 else self.number(top, decimals) + money  # noqa: E731
        kinds: list[tuple[Callable[[], str], str]] = [
            (lambda: self.phrase(self.chance.randint(1, 3)), "left"),
            (lambda: self.phrase(self.chance.randint(2, 7)), "left"),
            (lambda: " ".join(self.sentence(5, 12) for _ in range(self.chance.randint(1, 4))), "left"),
            (figures, self.chance.choice(("right", "right", "center", "left"))),
            (lambda: self.number(top, decimals), "right"),
            (self.date, "left"),
            (self.code, "left"),
            (lambda: str(self.chance.randint(1, 60)), self.chance.choice(("right", "center"))),
            (lambda: self.chance.choice(("yes", "no", "–", "x", "")), "center"),
        ]
        return self.chance.choices(kinds, (4, 4, 3, 5, 3, 2, 2, 2, 1))[0]

    # ------------------------------------------------------------------------------------------ tables

    def tables(self) -> str:
        """One table, two side by side, or two one over the other."""
        way = self.chance.random()
        if way < 0.15:
            gap = self.chance.randint(10, 60)
            beside = (f"<td style='padding:0 {gap}px 0 0;border:0'>{self.table(narrow=True)}</td>" for _ in range(2))
            return f"<table style='width:100%'><tr>{''.join(beside)}</tr></table>"
        if way < 0.3:
            return self.table() + f"<div style='height:{self.chance.randint(4, 20)}px'></div>" + self.table()
        caption = f"<p>{self.phrase(5)}</p>"
        return self.chance.choice(("", caption)) + self.table() + self.chance.choice(("", "", caption))

    def table(self, *, narrow: bool = False) -> str:
        width = self.chance.randint(2, 3 if narrow or self.narrow else 8)
        columns = [self.column() for _ in range(width)]
        if self.chance.random() < 0.7:
            columns[0] = (lambda: self.phrase(self.chance.randint(1, 3)), "left")
        rows = self.head(width) + self.body(columns, self.chance.randint(2, 7 if narrow else 22))
        self.made.tables.append({"rows": _grid(rows, width)})
        return self.drawn(rows, [side for _, side in columns], narrow=narrow)

    def head(self, width: int) -> list[list[Cell]]:
        if self.chance.random() < 0.12:
            return []
        names = [self.phrase(self.chance.choice((1, 1, 2, 3))) for _ in range(width)]
        if width > 3 and self.chance.random() < 0.2:
            first = self.chance.randint(1, width - 2)
            upper: list[Cell] = [(names[n], 2, 1) for n in range(first)]
            return [[*upper, (self.phrase(2), 1, width - first)], [(name, 1, 1) for name in names[first:]]]
        return [[(name, 1, 1) for name in names]]

    def body(self, columns: list[tuple[Callable[[], str], str]], height: int) -> list[list[Cell]]:
        rows: list[list[Cell]] = []
        way = self.chance.choice(("plain", "plain", "plain", "groups", "spans"))
        while len(rows) < height:
            if way == "groups" and self.chance.random() < 0.3:
                rows.append([(self.phrase(2), 1, len(columns))])
            if way == "spans" and self.chance.random() < 0.5:
                down = self.chance.randint(2, 5)
                label = self.phrase(self.chance.randint(1, 4))
                block: list[list[Cell]] = [[(fill(), 1, 1) for fill, _ in columns[1:]] for _ in range(down)]
                rows += [[(label, down, 1), *block[0]], *block[1:]]
            else:
                rows.append(
                    [("" if self.chance.random() < 0.06 and n else f(), 1, 1) for n, (f, _) in enumerate(columns)]
                )
        return rows

    def drawn(self, rows: list[list[Cell]], sides: list[str], *, narrow: bool) -> str:
        look = self.chance.choice(("grid", "rows", "book", "bare", "striped", "head", "cells"))
        line = f"{self.chance.choice((0.5, 0.75, 1))}pt solid {self.chance.choice(('#000', '#777', '#bbb'))}"
        ground = self.chance.choice(("#eee", "#dde7f3", "#234", "#f6e3c5"))
        pad = f"{self.chance.choice((0, 1, 2, 4))}px {self.chance.choice((2, 4, 6, 10))}px"
        heads = 1 + (len(rows[0]) < len(sides))
        strong = self.chance.random() < 0.7
        made = []
        for n, row in enumerate(rows):
            style = _row_style(look, n, heads, len(rows), line, ground)
            cells = []
            column = len(sides) - sum(across for _, _, across in row)
            for text, down, across in row:
                tag = "b" if strong and n < heads else "span"
                spot = f"padding:{pad};text-align:{sides[min(column, len(sides) - 1)]};{style}"
                cells.append(f"<td rowspan={down} colspan={across} style='{spot}'><{tag}>{escape(text)}</{tag}></td>")
                column += across
            made.append(f"<tr>{''.join(cells)}</tr>")
        wide = "width:100%" if narrow or self.chance.random() < 0.6 else ""
        return f"<table style='{wide}'>{''.join(made)}</table>"

    # ---------------------------------------------------------------------------------- what is no table

    def prose(self) -> str:
        return "".join(
            f"<p>{' '.join(self.sentence(6, 16) for _ in range(self.chance.randint(1, 5)))}</p>" for _ in "ab"
        )

    def items(self) -> str:
        return "<ul>" + "".join(f"<li>{self.sentence(3, 14)}</li>" for _ in range(self.chance.randint(2, 6))) + "</ul>"

    def contents(self) -> str:
        rows = (f"<div>{self.phrase(3)} {'. ' * 40}{self.chance.randint(1, 99)}</div>" for _ in range(5))
        return f"<div style='overflow:hidden'>{''.join(rows)}</div>"

    def terms(self) -> str:
        """Terms, and beside each what it means, in sentences: a list, as manuals have it."""
        letter = self.chance.choice(("-", "\\", "--", ""))
        words = [letter + self.phrase(1).lower() + self.chance.choice(("", " file", "=N")) for _ in "abcdefgh"]
        tag = self.chance.choice(("b", "code", "span", "i"))
        long = self.chance.random() < 0.4
        rows = "".join(
            f"<div><{tag}>{escape(word)}</{tag}></div><div>{self.sentence(3, 9 + 14 * long)}</div>"
            for word in words[: self.chance.randint(3, 8)]
        )
        wide = self.chance.choice(("max-content", "80px", "120px", "160px"))
        gap = f"{self.chance.choice((0, 4))}px 14px"
        return f"<div style='display:grid;grid-template-columns:{wide} 1fr;gap:{gap}'>{rows}</div>"

    def two_blocks(self) -> str:
        """Addresses, or columns of prose, side by side; of a chronicle, with a year now and then beside a column."""
        count, years = self.chance.choice((2, 2, 2, 3, 4)), self.chance.random() < 0.3
        if self.chance.random() < 0.4:
            block = lambda: "<br>".join(self.phrase(2) for _ in range(4))  # noqa: E731
        else:
            most = self.chance.choice((4, 8))
            block = lambda: " ".join(self.noted(years) for _ in range(most))  # noqa: E731
        blocks = "".join(f"<div style='flex:1;padding-left:{40 * years}px'>{block()}</div>" for _ in range(count))
        return f"<div style='display:flex;gap:{self.chance.choice((16, 40))}px'>{blocks}</div>"

    def noted(self, years: bool) -> str:
        """A sentence, some with a year in the margin."""
        year = f"<span style='float:left;margin-left:-40px'>{self.chance.randint(400, 1999)}</span>"
        return (year if years and self.chance.random() < 0.5 else "") + self.sentence(6, 14)

    def label_block(self) -> str:
        """Labels beside their values, or over them."""
        values = [self.code, self.date, lambda: self.phrase(2), lambda: self.number(9999, 2)]
        pairs = [
            [self.phrase(self.chance.choice((1, 2))), self.chance.choice(values)()]
            for _ in range(self.chance.randint(2, 8))
        ]
        self.made.pairs += pairs
        across = self.chance.randint(1, 4)
        over = self.chance.random() < 0.5
        small = self.chance.choice(("", "font-size:75%", "font-size:75%;color:#777", "font-weight:bold"))
        colon = self.chance.choice((":", ""))
        joint = "<br>" if over else " "
        cells = "".join(f"<div><span style='{small}'>{a}{colon}</span>{joint}{b}</div>" for a, b in pairs)
        if not over and self.chance.random() < 0.6:
            across *= 2
            cells = "".join(f"<div style='{small}'>{a}{colon}</div><div>{b}</div>" for a, b in pairs)
        return (
            f"<div style='display:grid;grid-template-columns:repeat({across},auto);gap:4px 16px'>{cells}</div><p></p>"
        )


def _row_style(look: str, n: int, heads: int, height: int, line: str, ground: str) -> str:
    if look == "grid":
        return f"border:{line}"
    if look == "rows":
        return f"border-bottom:{line}"
    if look == "book":
        return f"border-top:{line};" * (n in (0, heads)) + f"border-bottom:{line};" * (n == height - 1)
    painted = n < heads if look == "head" else look == "cells" or (look == "striped" and n % 2 == 0)
    if not painted:
        return ""
    white = ";border:2px solid #fff" if look == "cells" else ""
    return f"background:{ground};color:{'#fff' if ground == '#234' else '#000'}{white}"


def _grid(rows: list[list[Cell]], width: int) -> list[list[str]]:
    """The texts by place: a cell over several places is in its first."""
    grid: list[list[str | None]] = [[None] * width for _ in rows]
    for n, row in enumerate(rows):
        for text, down, across in row:
            column = grid[n].index(None)
            for y in range(n, min(n + down, len(rows))):
                grid[y][column : column + across] = [""] * across
            grid[n][column] = text
    return [[text or "" for text in row] for row in grid]


def printed(html: str, pdf: Path) -> None:
    browser = shutil.which("chromium") or "chromium"
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(html, "utf-8")
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
        subprocess.run([browser, *flags, str(page)], check=True, capture_output=True, timeout=PATIENCE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=120)
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    for n in range(told.count):
        made = Writer(f"{told.seed} {n}").page()
        name = told.folder / f"made-{told.seed}-{n:03}"
        printed("".join(made.html), name.with_suffix(".pdf"))
        truth = {"tables": made.tables, "pairs": made.pairs, "producer": f"made-{n % 5}"}
        name.with_suffix(".json").write_text(json.dumps(truth, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
