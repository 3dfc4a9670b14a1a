"""A PDF page's own characters, pictures and lines, as MuPDF finds them. Knows PDF; leaves all judgement to its callers.

Positions are turned as the page is displayed and scaled to pixels of the page image. Every span is one word, because
a table's columns, a formula's parts and a link's words can only be separated by the positions of words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from docparse_fast.document import Box, TextLayer, TextLine, TextSpan
from docparse_fast.lattices.drawn_tables import drawn_tables
from docparse_fast.pages.accents import composed
from docparse_fast.pages.cell_starts import part_cells
from docparse_fast.pages.clusters import with_clusters
from docparse_fast.pages.combs import with_combs
from docparse_fast.pages.covered import without_covered
from docparse_fast.pages.directed_runs import DirectedRun, pieces
from docparse_fast.pages.directions import HEBREW, in_reading_order
from docparse_fast.pages.drawn import drawn
from docparse_fast.pages.font_widths import fonts_of_one_width
from docparse_fast.pages.form_fields import with_boxes, with_fields
from docparse_fast.pages.fractions import with_fractions
from docparse_fast.pages.icons import keep_icons
from docparse_fast.pages.inkless import name_blanks
from docparse_fast.pages.justified import with_justified
from docparse_fast.pages.leaders import without_leaders
from docparse_fast.pages.leaning_type import tell_leaning
from docparse_fast.pages.links import Links, links_of
from docparse_fast.pages.pitches import lines_on_grid, square_fonts, typed_fonts
from docparse_fast.pages.struck import with_struck
from docparse_fast.pages.styles import needs_styles
from docparse_fast.pages.superiors import part_superiors
from docparse_fast.pages.symbols import UNKNOWN, meant
from docparse_fast.pages.tex_codes import name_codes
from docparse_fast.pages.tex_signs import is_mathematical, with_ink
from docparse_fast.pages.type_sizes import with_sizes
from docparse_fast.pages.underscores import with_blanks, with_underscores
from docparse_fast.pages.weight import Weight
from docparse_fast.pages.white_text import hide_white
from docparse_fast.pages.word_splitting import words
from docparse_fast.system.mupdf import pymupdf, word_heights
from docparse_fast.text.characters import has_right_to_left

FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE
    | pymupdf.TEXT_MEDIABOX_CLIP
    | pymupdf.TEXT_ACCURATE_BBOXES  # big operators and fences hang far out of their fonts' boxes
)
STYLED_FLAGS = FLAGS | pymupdf.TEXT_COLLECT_STYLES  # says which characters are painted twice, too
ITALIC, MONO, BOLD = 2, 8, 16  # MuPDF's font flags
SUPERSCRIPT = 1
STYLE_BOLD, FILLED, STROKED = 8, 16, 32  # style flags of a character: drawn bold; filled; stroked
PAINTED = FILLED | STROKED  # one of both; both of them make a bold letter of a plain one
BOLD_NAME = re.compile(r"bold|black|heavy|demi(?!.*ital)|[-_,](bd|bld|sb)\b|cmbx|sfbx|Adv\w+\.BI?$", re.IGNORECASE)
ITALIC_NAME = re.compile(r"Adv\w+\.B?I$")  # a typesetter's fonts, else named by numbers
MONO_NAME = re.compile(
    r"courier|mono|nimbusmon|consol|menlo|cm(?:sl|it)?tt|sftt|ectt|txtt|typewriter|inconsolata|monaco", re.IGNORECASE
)
MINUS = "\u2212"
MOST_PICTURES = 2000
BULLET_GAP = 0.2  # of the type's size, between a bullet and its words
LEAST_SIZE = 1.0  # pixels of type: a broken matrix leaves none, and widths are measured in it
THINNEST_PICTURE = 2.5  # points: a lower picture is a drawn line

SLANTED = 0.18  # tangent of about ten degrees
PALEST, MOST_COLOUR = (160, 250), 24  # of 255: how light a grey is, and by how much its colours differ
THIN = 140  # of 255: paint that others show through

PlacedCharacter = tuple[str, int, int, int]  # a word, its size and its place, in steps of that size


@word_heights(corrected=True)
def extract(page: pymupdf.Page, scale: float, weight: Weight) -> TextLayer | None:
    """Extracts the page's text layer; None if nothing of it can be seen on the page, as with attached notes."""
    place = _Place(*map(float, page.rotation_matrix * pymupdf.Matrix(scale, scale)))
    width, height = page.rect.width * scale, page.rect.height * scale
    flags, raw = FLAGS, page.get_text("rawdict", flags=FLAGS)
    if needs_styles(raw, weight):
        flags, raw = STYLED_FLAGS, page.get_text("rawdict", flags=STYLED_FLAGS)
    tell_leaning(raw, page, flags)
    if mathematical := is_mathematical(raw):
        raw = with_ink(raw, page, flags)
    hide_white(raw["blocks"], page)
    part_cells(raw["blocks"])
    part_superiors(raw["blocks"])
    name_codes(raw["blocks"])
    keep_icons(raw["blocks"])
    name_blanks(raw["blocks"])
    pieces = with_sizes(raw["blocks"])
    _tell_typed(pieces, fonts_of_one_width(page))
    found = _blocks(pieces, place, links_of(page, scale), Box(0, 0, width, height), mathematical)
    blocks = with_justified(without_leaders(found))
    images = tuple(_images(page, place, width, height))
    blocks = without_covered(page, blocks, images, Box(0, 0, width, height))
    blocks = with_fields(page, blocks, place.box)
    ink = drawn(page, place.box, scale, weight)
    if not (blocks or images or ink.rules or ink.areas) and page.first_annot is not None:
        return None
    blocks = with_boxes(page, blocks, ink.boxes, place.box)
    blocks, ink = with_combs(blocks, ink)
    blocks, ink = with_struck(with_underscores(blocks, ink.bars), ink)
    blocks = with_blanks(blocks, [*ink.bars, *ink.rules])
    tables = drawn_tables(ink, [line for block in blocks for line in block if not line.slanted])
    bars = (*ink.bars, *(box for box in images if _is_bar(box, scale))) if mathematical else ()
    blocks = with_fractions(blocks, bars)
    return TextLayer(blocks, images, ink.rules, tuple(tables), ink.areas, bars, ink.placed)


@dataclass(frozen=True, slots=True)
class _Place:
    """Maps the file's points, before the page's own rotation, to pixels of the page image."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def box(self, rect: Iterable[float]) -> Box:
        left, top, right, bottom = rect
        (x0, y0), (x1, y1) = self.point((left, top)), self.point((right, bottom))
        return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    def point(self, xy: Iterable[float]) -> tuple[float, float]:
        x, y = xy
        return x * self.a + y * self.c + self.e, x * self.b + y * self.d + self.f

    def direction(self, xy: tuple[float, float]) -> tuple[float, float]:
        return xy[0] * self.a + xy[1] * self.c, xy[0] * self.b + xy[1] * self.d

    @property
    def scale(self) -> float:
        return abs(self.a) + abs(self.b)


def _is_bar(picture: Box, scale: float) -> bool:
    """Some programs draw a line as a picture of one pixel."""
    return picture.height < THINNEST_PICTURE * scale and picture.width > 2 * picture.height


def _images(page: pymupdf.Page, place: _Place, width: float, height: float) -> list[Box]:
    """The boxes of pictures as far as they are seen, also of tiles and strips of scans; thousands count as one."""
    seen = page.get_textpage(flags=pymupdf.TEXT_PRESERVE_IMAGES | pymupdf.TEXT_CLIP).extractIMGINFO()
    boxes = [place.box(info["bbox"]).clipped(width, height) for info in seen]
    boxes = [box for box in boxes if box.area > 0]
    return boxes if len(boxes) <= MOST_PICTURES else [Box.around(boxes)]


# -------------------------------------------------------------------------------------------------- text


def _blocks(
    raw: Iterable[Mapping[str, Any]], place: _Place, links: Links, paper: Box, signs: bool
) -> tuple[tuple[TextLine, ...], ...]:
    raw = [{**block, "lines": [composed(line) for line in block.get("lines", ())]} for block in raw]
    square = square_fonts(raw)
    _tell_typed(raw, typed_fonts(raw) - square)
    for run in (run for block in raw for line in block["lines"] for run in line["spans"]):
        if run["font"] in square:
            run["flags"] &= ~MONO
    typed_lines = (line for block in raw for line in lines_on_grid(block, square)) if square else ()
    for run in (run for line in typed_lines for run in line["spans"]):
        run["flags"] |= MONO
    setting = _Setting(place, links, paper.expanded(1), signs)
    lines = [[(line, setting.line(line)) for line in block.get("lines", ())] for block in raw]
    blocks = [kept for block in lines if (kept := [(raw, line) for raw, line in block if line is not None])]
    letters = _letters_from_right(raw)
    if not letters:
        return tuple(tuple(line for _, line in block) for block in blocks)
    blocks = [[(with_clusters(raw), line) for raw, line in block] for block in blocks]
    hebrew = HEBREW.search(letters) is not None
    return in_reading_order([[(line, setting.pieces(raw, hebrew)) for raw, line in block] for block in blocks])


def _tell_typed(raw: Iterable[Mapping[str, Any]], fonts: Collection[str]) -> None:
    """Flags the words in these fonts as typewritten."""
    for run in (run for block in raw if fonts for line in block.get("lines", ()) for run in line["spans"]):
        if run["font"] in fonts and any(char["c"].isascii() for char in run["chars"]):
            run["flags"] |= MONO


def _letters_from_right(raw: Iterable[Mapping[str, Any]]) -> str:
    """All letters of the page that are written from right to left."""
    runs = (run for block in raw for line in block.get("lines", ()) for run in line["spans"])
    return "".join(char["c"] for run in runs for char in run["chars"] if has_right_to_left(char["c"]))


@dataclass(frozen=True, slots=True)
class _Setting:
    """What is needed to place a line, and the words found on the page so far."""

    place: _Place
    links: Links
    paper: Box
    signs: bool  # whether each character's box is kept
    seen: set[PlacedCharacter] = field(default_factory=set)
    seen_pieces: set[PlacedCharacter] = field(default_factory=set)

    def line(self, raw: Mapping[str, Any]) -> TextLine | None:
        dx, dy = self.place.direction(raw["dir"])
        vertical = abs(dy) > abs(dx)
        raw = with_clusters(raw) if vertical else raw
        own = {id(run): _type_of(run, self.place) for run in raw["spans"]}
        made = (
            _span(own[id(run)], word, self.place, vertical, self.links, blank, self.signs)
            for run, word, blank in words(raw)
        )
        spans = _with_bullet([span for span in made if span is not None and _is_new(span, self.paper, self.seen)])
        if not any(span.text.strip() for span in spans):
            return None
        slanted = min(abs(dx), abs(dy)) > SLANTED * max(abs(dx), abs(dy))
        return TextLine(Box.around(span.box for span in spans), spans, vertical, vertical and dy > 0, slanted)

    def pieces(self, raw: Mapping[str, Any], hebrew: bool) -> list[DirectedRun]:
        origins = [char["origin"][0] for run in raw["spans"] for char in run["chars"] if not char["c"].isspace()]
        types = ((run, _type_of(run, self.place)) for run in raw["spans"])
        parts = ((own, kind, part) for run, own in types for kind, part in pieces(run["chars"], hebrew, origins))
        made = ((_span(own, part, self.place, False, self.links), kind) for own, kind, part in parts)
        return [DirectedRun(span, kind) for span, kind in made if span and _is_new(span, self.paper, self.seen_pieces)]


def _with_bullet(spans: Sequence[TextSpan]) -> tuple[TextSpan, ...]:
    """Replaces a sign without a name that stands alone before a line's words by a bullet."""
    inked = [span for span in spans if span.text.strip()]
    if len(inked) < 2 or not _is_nameless(inked[0].text.strip()) or inked[0].font == inked[1].font:
        return tuple(spans)
    if inked[1].box.x0 - inked[0].box.x1 < BULLET_GAP * inked[0].size:
        return tuple(spans)  # a letter of a formula, before its subscript
    bullet = replace(inked[0], text="• ")
    return tuple(bullet if span is inked[0] else span for span in spans)


def _is_nameless(text: str) -> bool:
    return text == UNKNOWN or (len(text) == 1 and unicodedata.category(text) == "Co")


def _is_new(span: TextSpan, paper: Box, seen: set[PlacedCharacter]) -> bool:
    """Leaves out words off the page, and copies drawn over a word to make it look bold."""
    x, y = span.box.center
    step = max(2.0, 0.2 * span.size)
    key = (span.text.strip(), round(span.size), round(x / step), round(y / step))  # a step counts for one size only
    if (key in seen and key[0]) or not paper.intersection(span.box.expanded(0.5)):
        return False
    seen.add(key)
    return True


def _around(boxes: Sequence[Sequence[float]]) -> tuple[float, ...]:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


class _Type(NamedTuple):
    """What all words of a run have in common."""

    font: str
    size: float
    bold: bool
    italic: bool
    mono: bool
    superscript: bool
    visible: bool
    pale: bool


def _type_of(run: Mapping[str, Any], place: _Place) -> _Type:
    font, flags, style = run["font"], run["flags"], run["char_flags"]
    return _Type(
        font,
        size=max(run["size"] * place.scale, LEAST_SIZE),
        bold=bool(flags & BOLD or style & STYLE_BOLD) or style & PAINTED == PAINTED or _is_named(BOLD_NAME, font),
        italic=bool(flags & ITALIC) or _is_named(ITALIC_NAME, font),
        mono=bool(flags & MONO) or _is_named(MONO_NAME, font),
        superscript=bool(flags & SUPERSCRIPT),
        visible=bool(style & PAINTED) and run.get("alpha", 255) > 0,
        pale=_is_pale(run),
    )


def _span(
    own: _Type,
    chars: list[Mapping[str, Any]],
    place: _Place,
    vertical: bool,
    links: Links,
    blank: bool = False,
    signs: bool = False,
) -> TextSpan | None:
    text = meant("".join([char["c"] for char in chars]), own.font)
    if own.mono:
        text = text.replace(MINUS, "-")  # some drivers call the hyphen so
    inked = [char for char in chars if not char["c"].isspace()]
    if not text:
        return None
    box = place.box(_around([char["bbox"] for char in inked or chars]))
    x, y = place.point((inked or chars)[0]["origin"])
    return TextSpan(
        box,
        text + " " * blank,
        baseline=x if vertical else y,
        link=links.at(box),
        signs=_signs(inked, own.font, place) if signs else (),
        **own._asdict(),
    )


def _is_pale(run: Mapping[str, Any]) -> bool:
    """A light grey, or paint that others show through. White is not pale: it stands on a dark ground."""
    shades = int(run["color"]).to_bytes(4, "big")[1:]
    grey = max(shades) - min(shades) <= MOST_COLOUR and PALEST[0] <= min(shades) < PALEST[1]
    return grey or int(run.get("alpha", 255)) <= THIN


@lru_cache(maxsize=1024)
def _is_named(pattern: re.Pattern[str], font: str) -> bool:
    return pattern.search(font) is not None


def _signs(chars: Iterable[Mapping[str, Any]], font: str, place: _Place) -> tuple[tuple[str, Box], ...]:
    named = ((meant(char["c"], font), char.get("ink", char["bbox"])) for char in chars)
    return tuple((sign, place.box(ink)) for sign, ink in named if sign)
