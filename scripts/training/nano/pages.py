"""Sets synthetic pages and their truth: an image, its Markdown, and where every letter of it stands. Knows no model.

A page is a title, headings, paragraphs, lists and tables in one or two columns. A region is cut from a page the way a
crop around a detected region is cut: a margin, and at times a sliver of its neighbours.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from glyphs import BULLET, FAMILIES, HELD_OUT, TRAINED, Face, face
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from writing import FIGURES, PROSE, RARE, Writer

CELL = 16  # pixels of the page that one visual token covers, each way
PAGE_SIZES = ((320, 416), (336, 448), (352, 464), (368, 480), (384, 480), (384, 512))
H1_SIZES, H2_SIZES = (18, 19, 20, 21), (15, 16, 17)
RULE = 150  # ink of a drawn line

Kind = Literal["line", "region", "block", "page"]
Subject = Literal["any", "prose", "figures", "table", "two columns"]
Box = tuple[float, float, float, float]
Spot = tuple[float, float]


@dataclass(slots=True)
class Block:
    """A heading, paragraph, list or table. `spots[i]` is the middle of letter i of `text`, None where none is drawn."""

    kind: str
    text: str = ""
    spots: list[Spot | None] = field(default_factory=list)
    box: Box = (1e9, 1e9, 0.0, 0.0)
    items: list[Block] = field(default_factory=list)

    def mark(self, text: str) -> None:
        """Write what is in the Markdown but not on the paper."""
        self.text += text
        self.spots += [None] * len(text)

    def cover(self, x0: float, y0: float, x1: float, y1: float) -> None:
        a, b, c, d = self.box
        self.box = (min(a, x0), min(b, y0), max(c, x1), max(d, y1))

    def join(self, other: Block, separator: str) -> None:
        if self.text:
            self.mark(separator)
        self.text += other.text
        self.spots += other.spots
        self.cover(*other.box)


@dataclass(slots=True)
class Sheet:
    """Ink on paper, before any scanner saw it."""

    ink: NDArray[np.uint8]
    width: int
    height: int
    blocks: list[Block] = field(default_factory=list)

    @staticmethod
    def blank(width: int, height: int) -> Sheet:
        return Sheet(np.zeros((height + 48, width + 48), np.uint8), width, height)

    def paint(self, block: Block, word: str, x: float, y: int, type_: Face, text: bool = True) -> float:
        """Draw one word with the top of its line at y; return where it ends."""
        middle = y + type_.middle
        start = x
        for letter in word:
            glyph = type_.glyphs[letter]
            if glyph.bitmap is not None:
                left, top = int(x + 0.5) + glyph.dx, y + glyph.dy
                rows, columns = glyph.bitmap.shape
                below = self.ink[max(0, top) : top + rows, max(0, left) : left + columns]
                if below.shape == glyph.bitmap.shape:
                    np.maximum(below, glyph.bitmap, out=below)
            if text:
                block.text += letter
                block.spots.append((x + glyph.advance / 2, middle))
            x += glyph.advance
        block.cover(start, y + 1, x, y + type_.ascent + type_.descent - 1)
        return x

    def line(self, block: Block, words: Sequence[str], x: float, y: int, type_: Face, stretch: float = 0.0) -> None:
        for i, word in enumerate(words):
            if i:
                block.mark(" ")
                x += type_.space + stretch
            x = self.paint(block, word, x, y, type_)

    def rule(self, x0: int, y0: int, x1: int, y1: int) -> None:
        self.ink[y0:y1, x0:x1] = np.maximum(self.ink[y0:y1, x0:x1], RULE)


@dataclass(frozen=True, slots=True)
class Sample:
    """What the model sees and should say, with the two helps to learning: places and letters by cell."""

    image: NDArray[np.uint8]  # (height, width), multiples of CELL
    text: str
    cells: list[int]  # of each letter of `text`; -1 where it is not drawn
    glyphs: list[tuple[int, float, str]]  # cell, x, letter: of everything this sample is to read
    kind: str  # page, heading, paragraph, list, item, table
    worn: bool  # a bad copy


@dataclass(frozen=True, slots=True)
class Style:
    family: str
    size: int
    pitch: int
    indent: int
    justified: bool
    centred: bool

    @property
    def body(self) -> Face:
        return face(self.family, False, self.size)

    @property
    def strong(self) -> Face:
        return face(self.family, True, self.size)


def wrap(words: Sequence[str], type_: Face, width: float, indent: float = 0.0) -> list[list[str]]:
    lines: list[list[str]] = []
    room = -1.0
    for word in words:
        needed = type_.width(word)
        if needed > width:
            continue
        if room < needed + type_.space:
            room = width - (0.0 if lines else indent)
            lines.append([])
        else:
            room -= type_.space
        lines[-1].append(word)
        room -= needed
    return lines


class Press:
    """Makes samples from one seed. `held_out` pages use the words, layouts and font that training never sees."""

    def __init__(
        self, seed: int, writer: Writer, held_out: bool = False, families: Sequence[str] | None = None
    ) -> None:
        self.random = random.Random(seed)
        self.noise = np.random.default_rng(seed)
        self.writer = writer
        self.held_out = held_out
        self.families = tuple(families or TRAINED)
        # left to itself an image processor stretches a crop to whole cells; we pad, but should read those too
        self.resized = 0.0 if held_out else 0.3

    # ------------------------------------------------------------------------------------------ samples

    def line(self) -> Sample:
        r = self.random
        sheet = Sheet.blank(r.randint(80, 384), 40)
        style = self._style()
        x, y = r.randint(3, 14), r.randint(2, 12)
        if r.random() < 0.2:
            self._heading(sheet, style, x, y, sheet.width - x, r.choice((1, 2)))
        else:
            self._paragraph(sheet, style, x, y, sheet.width - x - 4, 1)
        return self._cut(sheet, sheet.blocks[0])

    def block(self) -> Sample:
        """A scrap of a page: a few blocks, at times two columns."""
        r = self.random
        sheet = self._compose(r.randint(200, 384), r.randint(112, 272), "two columns" if r.random() < 0.25 else "any")
        return self._whole(sheet)

    def page(self, subject: Subject = "any", worn: bool | None = None) -> Sample:
        return self._whole(self.sheet(subject), worn)

    def regions(self, subject: Subject = "any", count: int = 4) -> list[Sample]:
        """Crops of some regions of one page."""
        sheet = self.sheet(subject)
        blocks = [part for block in sheet.blocks for part in self._parts(block)]
        chosen = self.random.sample(blocks, min(count, len(blocks)))
        return [self._cut(sheet, block) for block in chosen]

    def sheet(self, subject: Subject = "any") -> Sheet:
        """A whole page, set in a layout of the side (trained on, or held out) that this press serves."""
        while True:
            width, height = self.random.choice(PAGE_SIZES)
            if self.random.random() < 0.25:
                width, height = self.random.randint(320, 384), self.random.randint(416, 512)
            sheet = self._compose(width, height, subject)
            if is_held_out(sheet) == self.held_out:
                return sheet

    def _parts(self, block: Block) -> list[Block]:
        """A list is one region or one a item, as detectors differ."""
        return block.items if block.items and self.random.random() < 0.4 else [block]

    # ------------------------------------------------------------------------------------------- layout

    def _style(self) -> Style:
        r = self.random
        family = r.choice(self.families)
        size = r.choice(FAMILIES[family].body)
        return Style(
            family,
            size,
            pitch=max(16, size + r.randint(3, 6)),
            indent=r.choice((0, 0, 0, 12)),
            justified=r.random() < 0.2,
            centred=r.random() < 0.2,
        )

    def _compose(self, width: int, height: int, subject: Subject) -> Sheet:
        r = self.random
        self.writer.fresh_page()
        sheet = Sheet.blank(width, height)
        style = self._style()
        margin = r.randint(8, 20)
        top = r.randint(6, 20)
        if height > 300 or r.random() < 0.4:
            for _ in range(r.choice((1, 1, 1, 2)) if height > 300 else 1):
                top = self._title(sheet, style, margin, top, width - 2 * margin)
        columns = 2 if subject == "two columns" or (subject == "any" and r.random() < 0.3) else 1
        gutter = r.randint(12, 22)
        span = (width - 2 * margin - gutter * (columns - 1)) // columns
        for column in range(columns):
            bottom = height - r.randint(8, 40 if r.random() < 0.7 else max(41, height // 2))
            self._column(sheet, style, margin + column * (span + gutter), top, span, bottom, subject)
        return sheet

    def _title(self, sheet: Sheet, style: Style, x: int, y: int, width: int) -> int:
        """The title; called again, the next line under it is a byline."""
        if not sheet.blocks:
            return self._heading(sheet, style, x, y, width, 1) + self.random.randint(2, 8)
        return self._paragraph(sheet, style, x, y, width, 1) + self.random.randint(4, 10)

    def _column(self, sheet: Sheet, style: Style, x: int, y: int, width: int, bottom: int, subject: Subject) -> None:
        r = self.random
        while (left := bottom - y) >= style.pitch + 6:
            lines = left // (style.pitch + 1)
            draw = r.random() * (0.8 if subject == "prose" else 1.0)
            if subject == "table" and lines >= 4 and r.random() < 0.35:
                draw = 1.0
            if draw < 0.17 and lines >= 4:
                y = self._heading(sheet, style, x, y, width, 2) + r.randint(1, 5)
            elif draw >= 0.8 and lines >= 4:
                y = self._table(sheet, style, x, y, width, min(lines - 1, r.randint(2, 6)))
            elif draw >= 0.62 and lines >= 3 and not _ends_in_list(sheet):
                # two lists in a row would be one list to whoever reads only their items
                y = self._list(sheet, style, x, y, width, min(lines, r.randint(2, 8)))
            else:
                y = self._paragraph(sheet, style, x, y, width, min(lines, r.randint(1, 7)), subject)
            y += r.randint(6, 13)

    def _heading(self, sheet: Sheet, style: Style, x: int, y: int, width: int, level: int) -> int:
        size = self.random.choice(H1_SIZES if level == 1 else H2_SIZES)
        type_ = face(style.family, True, size)
        words: list[str] = []
        while not words:
            words = (wrap(self.writer.title(self.random.randint(1, 5)), type_, width) or [[]])[0]
        block = Block("heading")
        block.mark("#" * level + " ")
        if style.centred:
            x += int(width - type_.width(" ".join(words))) // 2
        sheet.line(block, words, x, y, type_)
        sheet.blocks.append(block)
        return y + size + self.random.randint(6, 9)

    def _paragraph(
        self, sheet: Sheet, style: Style, x: int, y: int, width: int, lines: int, subject: Subject = "any"
    ) -> int:
        r = self.random
        type_ = style.body
        taste = FIGURES if subject == "figures" else r.choice((PROSE, RARE)) if subject == "prose" else None
        setting: list[list[str]] = []
        while not setting:
            words = self.writer.sentences(max(3, int(lines * width / (style.size * 2.9))), taste)
            setting = wrap(words, type_, width, style.indent)[:lines]
        if r.random() < 0.6 and len(setting[-1]) > 2:
            del setting[-1][r.randint(1, len(setting[-1])) :]
        block = Block("paragraph")
        for i, line in enumerate(setting):
            if i:
                block.mark(" ")
            indent = style.indent if i == 0 and len(setting) > 1 else 0
            spare = width - indent - type_.width(" ".join(line))
            full = style.justified and i < len(setting) - 1 and len(line) > 2 and spare < 0.25 * width
            sheet.line(block, line, x + indent, y, type_, spare / (len(line) - 1) if full else 0.0)
            y += style.pitch
        sheet.blocks.append(block)
        return y

    def _list(self, sheet: Sheet, style: Style, x: int, y: int, width: int, lines: int) -> int:
        r = self.random
        numbered = r.random() < 0.4
        indent = int(style.body.width("10. ")) if numbered else r.randint(11, 15)
        x += r.choice((0, 0, 6))
        marker = r.choice((BULLET, BULLET, "-"))
        block = Block("list")
        while lines > 0 and len(block.items) < 9:
            item = Block("item")
            setting = wrap(self.writer.item(r.randint(1, 9)), style.body, width - indent - 6)[: min(3, lines)]
            if not setting:
                continue
            if numbered:
                sheet.paint(item, f"{len(block.items) + 1}.", x, y, style.body)
                item.mark(" ")
            else:
                item.mark("- ")
                sheet.paint(item, marker, x + 2, y, style.body, text=False)
            for i, line in enumerate(setting):
                if i:
                    item.mark(" ")
                sheet.line(item, line, x + indent, y, style.body)
                y += style.pitch
            lines -= len(setting)
            block.items.append(item)
            block.join(item, "\n")
        sheet.blocks.append(block)
        return y

    def _table(self, sheet: Sheet, style: Style, x: int, y: int, width: int, rows: int) -> int:
        table = self._table_text(style, width, rows)
        return _Grid(self.random, sheet, style, table, x, y, width).draw()

    def _table_text(self, style: Style, width: int, rows: int) -> list[list[list[str]]]:
        """Cells that fit side by side, the first row the header's."""
        r = self.random
        columns = r.randint(2, 3 if width < 200 else 5)
        figures = r.choice((0.2, 0.6, 0.8))
        header = [[w for w in self.writer.title(1) if not w[0].isdigit()][-1:] or ["No"] for _ in range(columns)]
        table = [header]
        for _ in range(rows - 1):
            row = [self.writer.cell(figures if c else 0.15) for c in range(columns)]
            table.append([[] if c and r.random() < 0.04 else cell for c, cell in enumerate(row)])
        while columns > 2 and sum(_natural_widths(table, style)) > width:
            columns -= 1
            table = [row[:columns] for row in table]
        room = width / columns - 10
        for row in table:
            for cell in row:
                while len(cell) > 1 and style.strong.width(" ".join(cell)) > room:
                    cell.pop()
                while cell and style.strong.width(cell[0]) > room:
                    cell[0] = cell[0][:-1]
        return table

    # -------------------------------------------------------------------------------------------- scans

    def _whole(self, sheet: Sheet, worn: bool | None = None) -> Sample:
        page = Block("page")
        for block in sheet.blocks:
            page.join(block, "\n\n")
        return self._scan(sheet, page, (0, 0, sheet.width, sheet.height), worn)

    def _cut(self, sheet: Sheet, block: Block) -> Sample:
        r = self.random
        x0, y0, x1, y1 = block.box
        left = 14 if block.kind in ("item", "list") else 0  # the bullet is within, whatever the detector thought
        box = (
            max(0, int(x0 - r.randint(0, 9) - (r.randint(0, 2) if left else 0))),
            max(0, int(y0 - r.randint(0, 6))),
            min(sheet.width, int(x1 + r.randint(1, 10))),
            min(sheet.height, int(y1 + r.randint(0, 6))),
        )
        return self._scan(sheet, block, box)

    def _scan(self, sheet: Sheet, block: Block, box: tuple[int, int, int, int], worn: bool | None = None) -> Sample:
        """The paper seen by a scanner: cut, grey and noisy, brought to whole cells."""
        x0, y0, x1, y1 = box
        worn = self.random.random() < 0.5 if worn is None else worn
        image = self._grey(sheet.ink[y0:y1, x0:x1], worn)
        if self.random.random() < self.resized:
            height, width = (max(CELL, round(side / CELL) * CELL) for side in image.shape)
            across, down = width / (x1 - x0) / CELL, height / (y1 - y0) / CELL
            image = np.asarray(Image.fromarray(image).resize((width, height), Image.Resampling.BICUBIC))
        else:
            image = padded(image)
            across = down = 1 / CELL
        rows, columns = (side // CELL for side in image.shape)
        cells, glyphs = [], []
        for letter, spot in zip(block.text, block.spots, strict=True):
            cell = -1
            if spot is not None:
                column = min(columns - 1, max(0, int((spot[0] - x0) * across)))
                cell = min(rows - 1, max(0, int((spot[1] - y0) * down))) * columns + column
                glyphs.append((cell, spot[0], letter))
            cells.append(cell)
        return Sample(image, block.text, cells, glyphs, block.kind, worn)

    def _grey(self, ink: NDArray[np.uint8], worn: bool) -> NDArray[np.uint8]:
        r = self.random
        paper, print_ = r.uniform(220, 255), r.uniform(0, 70)
        page = ink.astype(np.float32)
        page *= (print_ - paper) / 255.0
        page += paper
        if worn:
            self._wear(page)
        else:
            page += self.noise.standard_normal(page.shape, dtype=np.float32) * r.uniform(0, 4)
        image = np.clip(page, 0, 255).astype(np.uint8)
        if r.random() < 0.25:
            blurred = Image.fromarray(image).filter(ImageFilter.GaussianBlur(r.uniform(0.2, 0.55)))
            image = np.asarray(blurred)
        return image

    def _wear(self, page: NDArray[np.float32]) -> None:
        """A bad copy: strong grain, uneven light, specks."""
        r = self.random
        height, width = page.shape
        page += self.noise.standard_normal(page.shape, dtype=np.float32) * r.uniform(3, 10)
        page += np.linspace(r.uniform(-20, 0), r.uniform(-20, 0), width, dtype=np.float32)
        page += np.linspace(r.uniform(-15, 0), r.uniform(-15, 0), height, dtype=np.float32)[:, None]
        specks = r.randint(0, width * height // 1500)
        page[self.noise.integers(0, height, specks), self.noise.integers(0, width, specks)] -= r.uniform(40, 160)


def padded(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The image with paper added below and to the right until its sides are whole cells."""
    height, width = image.shape
    below, right = -height % CELL, -width % CELL
    return np.pad(image, ((0, below), (0, right)), constant_values=int(np.median(image)))


def is_held_out(sheet: Sheet) -> bool:
    """A fifth of all layouts, told by the order of their blocks, is kept from training."""
    order = " ".join(block.kind for block in sheet.blocks)
    return zlib.crc32(order.encode()) % 5 == 0


def _ends_in_list(sheet: Sheet) -> bool:
    return bool(sheet.blocks) and sheet.blocks[-1].kind == "list"


def _natural_widths(table: list[list[list[str]]], style: Style) -> list[float]:
    return [max(style.strong.width(" ".join(cell)) for cell in column) + 10 for column in zip(*table, strict=True)]


@dataclass
class _Grid:
    """One table on the sheet: how its columns stand and which of its lines are drawn."""

    random: random.Random
    sheet: Sheet
    style: Style
    table: list[list[list[str]]]
    x: int
    y: int
    width: int

    def draw(self) -> int:
        r = self.random
        pitch = self.style.pitch + r.randint(1, 5)
        edges = self._edges()
        bold_header = r.random() < 0.7
        alignment = [r.choice(("left", "left", "centre", "right")) for _ in edges[1:]]
        block = Block("table")
        block.mark("<table>")
        top, y = self.y, self.y
        for i, row in enumerate(self.table):
            type_ = self.style.strong if i == 0 and bold_header else self.style.body
            block.mark("<tr>")
            for j, cell in enumerate(row):
                block.mark("<td>")
                left, spare = edges[j] + 5, edges[j + 1] - edges[j] - 10 - type_.width(" ".join(cell))
                shift = {"left": 0.0, "centre": spare / 2, "right": spare}[alignment[j]]
                self.sheet.line(block, cell, int(left + max(0.0, shift)), y + 2, type_)
                block.mark("</td>")
            block.mark("</tr>")
            y += pitch
        block.mark("</table>")
        self._rules(edges, top, pitch)
        block.cover(edges[0], top, edges[-1], y)
        self.sheet.blocks.append(block)
        return y + 2

    def _edges(self) -> list[int]:
        widths = [w + self.random.randint(0, 14) for w in _natural_widths(self.table, self.style)]
        if self.random.random() < 0.4 or sum(widths) > self.width:  # the full width
            factor = self.width / sum(widths)
            widths = [w * factor for w in widths] if factor > 1 else [self.width / len(widths)] * len(widths)
        edges = [self.x]
        for width in widths:
            edges.append(int(edges[-1] + width))
        return edges

    def _rules(self, edges: list[int], top: int, pitch: int) -> None:
        ruling = self.random.choice(("grid", "grid", "rows", "head", "none"))
        left, right = edges[0], edges[-1]
        count = len(self.table)
        lines = {"grid": range(count + 1), "rows": range(count + 1), "head": (0, 1, count), "none": ()}[ruling]
        for i in lines:
            self.sheet.rule(left, top + i * pitch - 1, right, top + i * pitch)
        if ruling == "grid":
            for x in edges:
                self.sheet.rule(x, top - 1, x + 1, top + count * pitch)


def press(seed: int, *, held_out: bool = False, font: str | None = None, rare: float = 0.0) -> Press:
    """A press with its own writer. `font` sets everything in one family, such as the held-out one."""
    from lexicon import load

    writer = Writer(random.Random(seed * 2 + 1), load(held_out), rare)
    return Press(seed, writer, held_out, [font] if font else None)


HELD_OUT_FONT = next(iter(HELD_OUT))
