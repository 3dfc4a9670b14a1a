"""Pages of one thing many times over: labels, boxes, rules. A page of twice as many may cost about twice as much.

`page(name, count)` is a PDF, `words_of(count)` what stands on it. The fuzz converts them in all sizes; a test compares
what two sizes cost.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

SYLLABLES = ["".join(pair) for pair in product("bdfglmnprst", "aeiou")]
WIDTH, HEIGHT = 612, 792
PROSE = "These plain words stand on the page so that its letters form words of English."
Drawn = tuple[bytes, int]  # the commands, and the height of the page


def words_of(count: int) -> list[str]:
    """Different words, always the same."""
    choose = Random(count)
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(choose.choices(SYLLABLES, k=choose.choice((2, 3, 3))))] = None
    return list(found)


def text(x: float, y: float, words: str, *, size: float = 9, font: int = 0) -> bytes:
    shown = words.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /F%d %g Tf 1 0 0 1 %.6g %.6g Tm (%s) Tj ET\n" % (font, size, x, y, shown)


def box(x: float, y: float, width: float, height: float, how: str = "S") -> bytes:
    return b"%.6g %.6g %.6g %.6g re %s\n" % (x, y, width, height, how.encode())


def prose(height: float = HEIGHT) -> bytes:
    return b"".join(text(40, height - 20 - 12 * n, PROSE) for n in range(5))


def labels(words: list[str]) -> Drawn:
    """In 20 columns, their ends ragged."""
    step = min(7.0, 600 / (len(words) / 20 + 1))
    drawn = (text(20 + n % 20 * 29, 680 - n // 20 * step, word, size=0.8 * step) for n, word in enumerate(words))
    return prose() + b"".join(drawn), HEIGHT


def scattered(words: list[str]) -> Drawn:
    place = Random(3)
    return prose() + b"".join(text(590 * place.random(), 690 * place.random(), word, size=3) for word in words), HEIGHT


def underlined(words: list[str]) -> Drawn:
    drawn, height = labels(words)
    step = min(7.0, 600 / (len(words) / 20 + 1))
    lines = (box(20 + n % 20 * 29, 679.5 - n // 20 * step, 20, 0.3, "f") for n in range(len(words)))
    return drawn + b"".join(lines), height


def headings(words: list[str]) -> Drawn:
    height = 30 * len(words) + 60
    return b"".join(
        text(30, height - 30 - 30 * n, f"{n // 9 + 1}.{n % 9 + 1} {word}", size=12 + n % 5)
        + text(30, height - 44 - 30 * n, "A line of words stands below it and says what it is about.")
        for n, word in enumerate(words)
    ), height


def items(words: list[str]) -> Drawn:
    """Of a list, farther and farther in."""
    height = 11 * len(words) + 60
    drawn = (text(30 + 8 * (n % 30), height - 30 - 11 * n, f"\u2022 point {word}") for n, word in enumerate(words))
    return b"".join(drawn), height


def fractions(words: list[str]) -> Drawn:
    return prose() + b"".join(
        text(x := 20 + n % 60 * 9.4, y := 690 - n // 60 * 24, word[0], size=7, font=2)
        + box(x - 1, y - 2, 6, 0.5, "f")
        + text(x, y - 9, word[1], size=7, font=2)
        for n, word in enumerate(words)
    ), HEIGHT


def cells(words: list[str]) -> Drawn:
    """Of a ruled table in five columns."""
    height = 14 * (len(words) // 5 + 1) + 120
    return prose(height) + b"".join(
        box(x := 20 + n % 5 * 110, y := height - 110 - n // 5 * 14, 110, 14) + text(x + 3, y + 4, word)
        for n, word in enumerate(words)
    ), height


def numbers(words: list[str]) -> Drawn:
    """In 12 columns without rules, a word before each row."""
    height = 11 * (len(words) // 12 + 1) + 120
    drawn = (
        text(20 + n % 12 * 47, height - 100 - n // 12 * 11, str(37 * n % 9973) if n % 12 else word)
        for n, word in enumerate(words)
    )
    return prose(height) + b"".join(drawn), height


def frames(words: list[str]) -> Drawn:
    place = Random(5)
    sides = ((550 * place.random(), 680 * place.random()) for _ in words)
    return prose() + b"".join(box(x, y, 5 + 30 * place.random(), 5 + 20 * place.random()) for x, y in sides), HEIGHT


def rules(words: list[str]) -> Drawn:
    place = Random(6)
    sides = ((500 * place.random(), 680 * place.random()) for _ in words)
    both = (box(x, y, *((90, 0.4) if n % 2 else (0.4, 40)), "f") for n, (x, y) in enumerate(sides))
    return prose() + b"".join(both), HEIGHT


def lines(words: list[str]) -> Drawn:
    """Of prose, on a page as high as they need."""
    rows = [" ".join(words[n : n + 12]) for n in range(0, len(words), 12)]
    height = 12 * len(rows) + 80
    return b"".join(text(20, height - 40 - 12 * n, row) for n, row in enumerate(rows)), height


def code(words: list[str]) -> Drawn:
    height = 10 * len(words) + 60
    return b"".join(
        text(30 + 6 * (n % 20), height - 30 - 10 * n, f"if ({word} == {n}) {{ a[{n}] = b({n}); }}", size=8, font=1)
        for n, word in enumerate(words)
    ), height


def leaders(words: list[str]) -> Drawn:
    """Forms: names with dots to write on."""
    height = 12 * (len(words) // 2 + 1) + 100
    drawn = (
        text(30 + n % 2 * 280, height - 90 - n // 2 * 12, f"{word} {'. ' * 25}_____ x y")
        for n, word in enumerate(words)
    )
    return prose(height) + b"".join(drawn), height


def addresses(words: list[str]) -> Drawn:
    """In one line of typewriter type, one behind the other."""
    line = "root@" + "@".join(f"{word}.example" for word in words) + " = x!"
    return prose() + text(30, 400, line, size=2, font=1), HEIGHT


def turned(words: list[str]) -> Drawn:
    place = Random(9)
    ways = ((0, 1, -1, 0), (0, -1, 1, 0), (0.8, 0.6, -0.6, 0.8))
    drawn = (
        b"BT /F0 6 Tf %g %g %g %g %.5g %.5g Tm (%s) Tj ET\n"
        % (*ways[n % 3], 600 * place.random(), 680 * place.random(), word.encode())
        for n, word in enumerate(words)
    )
    return prose() + b"".join(drawn), HEIGHT


def raised(words: list[str]) -> Drawn:
    """Words with a mark of a note each."""
    drawn = (
        text(x := 20 + n % 15 * 38, y := 690 - n // 15 * 9, word, size=6) + text(x + 24, y + 2.5, str(n % 99), size=3.5)
        for n, word in enumerate(words)
    )
    return prose() + b"".join(drawn), HEIGHT


SHAPES: dict[str, Callable[[list[str]], Drawn]] = {
    shape.__name__: shape
    for shape in (
        labels, scattered, underlined, headings, items, fractions, cells, numbers, frames, rules, lines, code, leaders,
        addresses, turned, raised,
    )
}  # fmt: skip
READABLE = frozenset({"labels", "underlined", "headings", "items", "cells", "lines", "leaders"})  # all of their words


def page(name: str, count: int) -> bytes:
    content, height = SHAPES[name](words_of(count))
    fonts = b"".join(
        b"/F%d<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>" % (n, font)
        for n, font in enumerate((b"Helvetica", b"Courier", b"Times-Italic"))
    )
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</Font<<%s>>>>>>"
        % (WIDTH, height, fonts),
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
    )
    data, table = b"%PDF-1.7\n", b""
    for number, each in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    end = b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(data)
    return data + b"xref\n0 5\n0000000000 65535 f \n" + table + end
