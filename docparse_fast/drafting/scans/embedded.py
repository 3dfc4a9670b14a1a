"""The embedded drafter: a page image to a PageDraft, with models that ship in wheels. Knows no PDF and no target.

Turn it upright, read its lines, set them level, ask what stands where, read the tables, find the pictures, assemble.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docparse_fast.document import Box, Category, Failure, FlatPage, Page, PageDraft, Region, with_instead
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.formulas.finding import FormulaReader, with_text
from docparse_fast.drafting.learned import LearnedReaders
from docparse_fast.drafting.lines import Line, draft_of
from docparse_fast.drafting.scans.bending import (
    BENT,
    FANNED,
    SLIGHTLY_BENT,
    Bend,
    MidLine,
    bend_of,
    bend_of_rows,
    bow,
    fan,
    flattened,
    lean_of,
    usual_height,
)
from docparse_fast.drafting.scans.bullets import with_bullets
from docparse_fast.drafting.scans.certainty import nothing_read
from docparse_fast.drafting.scans.column_gutters import parted_at_gutters
from docparse_fast.drafting.scans.drawn_lines import DrawnLines
from docparse_fast.drafting.scans.figures import figures
from docparse_fast.drafting.scans.languages import check_languages
from docparse_fast.drafting.scans.light import darkened, despecked, evened, faint_print, is_ill_lit, lightened, shades
from docparse_fast.drafting.scans.lone_signs import lone_signs
from docparse_fast.drafting.scans.ocr import Ocr
from docparse_fast.drafting.scans.orientation import SURE, PageOrientation, Stand, WayUp, is_read, upright, way_up
from docparse_fast.drafting.scans.printed_code import printed_code
from docparse_fast.drafting.scans.quads import Quad
from docparse_fast.drafting.scans.scanned_tables import scanned_tables
from docparse_fast.drafting.scans.sheets import PaperSheet, gutter, sheet_of
from docparse_fast.drafting.scans.ticks import with_ticks
from docparse_fast.drafting.scans.word_ink import with_letter_sizes
from docparse_fast.evidence import Certainty, summed
from docparse_fast.geometry import parted
from docparse_fast.lattices.frames import parted_frames

LIKELY_TURNED = 0.4  # confidence of a turn, from which it is tried; its lines must read better so
WORSE = 1.0  # heights by which a flattened sheet's lines may bend: that much is taken out by them
LEANING = 0.2  # degrees, from which a page is set level before anything is measured on it
ReadParts = list[tuple[int, "ReadImage"]]  # pages beside each other, with their left ends
RegionsOf = Callable[["ReadImage"], Sequence[Region]]


@dataclass(frozen=True, slots=True)
class UprightImage:
    """An upright image, and where lines stand on it."""

    pixels: Pixels
    quads: Sequence[Quad]
    turned: int  # degrees clockwise to upright
    midlines: Sequence[MidLine] = ()  # of long lines
    sheet: PaperSheet | None = None  # the flattened one that this is, of a photograph

    @property
    def is_photo(self) -> bool:
        return self.sheet is not None or fan(self.quads) > FANNED

    def pages(self) -> list[tuple[int, UprightImage]]:
        """Two facing pages, each by itself, with its left end; or this one."""
        middle = gutter([quad.box for quad in self.quads], self.pixels)
        if middle is None:
            return [(0, self)]
        at = round(middle)
        left, right = parted(self.quads, lambda quad: quad.x < at)
        right = [replace(quad, x=quad.x - at) for quad in right]
        before = [line for line in self.midlines if line.points[-1, 0] < at]
        behind = [replace(line, points=line.points - (at, 0)) for line in self.midlines if line.points[0, 0] >= at]
        return [
            (0, replace(self, pixels=self.pixels[:, :at], quads=left, midlines=before)),
            (at, replace(self, pixels=self.pixels[:, at:], quads=right, midlines=behind)),
        ]


@dataclass(frozen=True, slots=True)
class ReadImage:
    """An upright, level image and the lines read on it."""

    pixels: Pixels
    lines: list[Line]
    turned: int  # degrees clockwise to upright
    lean: float  # degrees it leaned after that
    failure: Failure | None = None  # what to say of lines that nothing here can read
    found: int = 0  # lines, read or not
    unread_words: float = 0.0  # about how many words stand in lines that were left out
    bends: Sequence[Bend] = ()  # that were taken out before it was set level, one after another


class EmbeddedDrafter:
    """Reads page images with PP-OCRv6, PyMuPDF's layout model and SLANet+, on the CPU."""

    name = "embedded"

    def __init__(self, threads: int = 1, lang: str = "", learned: LearnedReaders | None = None) -> None:
        check_languages(lang)
        self._threads = threads
        self._learned = learned or LearnedReaders(threads)
        self._ocr = Ocr(threads, lang)
        self._formulas = FormulaReader(threads)

    @cached_property
    def _orientation(self) -> PageOrientation:
        return PageOrientation(self._threads)

    def draft(self, page: Page) -> PageDraft:
        return self._draft(page, self.regions)

    def draft_of_lines(self, page: Page) -> PageDraft:
        """Line by line, as they were read."""
        return self._draft(page, _as_lines)

    def _draft(self, page: Page, regions_of: RegionsOf) -> PageDraft:
        found = self._upright(despecked(lightened(np.asarray(page.image))), may_bend=True)
        read = self._parts(found)
        if _is_rubbish(read):
            found, read = self._another_way(found) or (found, read)
        flat = self._flat_page(read, found.sheet, regions_of)
        regions = tuple(region.moved(flat.placed) for region in flat.regions)
        width, height = found.sheet.seen if found.sheet else flat.image.size
        unread = sum(reading.unread_words for _, reading in read)
        draft = PageDraft(page.number, width, height, regions, self.name, turned=found.turned, unread_words=unread)
        if any(reading.bends or found.sheet for _, reading in read):
            draft = replace(draft, flat=flat)
        failures = [*(reading.failure for _, reading in read), nothing_read(draft, found.pixels)]
        return draft.failed(next(filter(None, failures), None))

    def _parts(self, found: UprightImage) -> ReadParts:
        return [(left, self._read(part)) for left, part in found.pages()]

    def _another_way(self, found: UprightImage) -> tuple[UprightImage, ReadParts] | None:
        """A page that reads as rubbish, in the way in which it reads well, if there is one."""
        for degrees in (180, 90, 270):
            again = self._turned(found.pixels, degrees)
            known = is_read(again.pixels, again.quads, self._ocr.recognizer)
            if known or degrees == 180:  # in other scripts it is told by reading all of it
                sheet = found.sheet.turned(degrees) if found.sheet else None
                again = replace(again, turned=(found.turned + degrees) % 360, sheet=sheet)
                if not _is_rubbish(read := self._parts(again)) or known:
                    return again, read
        return None

    def _flat_page(self, read: ReadParts, sheet: PaperSheet | None, regions_of: RegionsOf) -> FlatPage:
        regions, parts = list[Region](), list[tuple[float, tuple[Callable[[Box], Box], ...]]]()
        for left, reading in read:
            height, width = reading.pixels.shape[:2]
            regions += [region.moved(partial(Box.shifted, dx=left, dy=0)) for region in regions_of(reading)]
            lean = partial(_leaning, lean=reading.lean, width=width, height=height)
            steps = [*([lean] if reading.lean else ()), *(bend.bent for bend in reversed(reading.bends))]
            steps = [partial(Box.shifted, dx=-left, dy=0), *steps, partial(Box.shifted, dx=left, dy=0)]
            parts.append((left, (*steps, *([sheet.bent] if sheet is not None else ()))))
        return FlatPage(Image.fromarray(np.hstack([one.pixels for _, one in read])), tuple(regions), tuple(parts))

    def read(self, image: Image.Image) -> ReadImage:
        """The lines of an image, whichever way up it stands."""
        return self._read(self._upright(np.asarray(image), may_bend=False))

    def _upright(self, image: Pixels, *, may_bend: bool) -> UprightImage:
        """`may_bend`: a sheet that a photograph shows is flattened."""
        ways = self._orientation.ways(image)
        degrees = max(ways, key=lambda way: ways[way])
        found = self._turned(image, degrees if ways[degrees] >= LIKELY_TURNED else 0)
        if may_bend and (flat := self._flattened(found)) is not None:
            return flat
        image, found = self._mended(image, found) if may_bend else (image, found)
        return self._standing(image, found, ways)

    def _mended(self, image: Pixels, found: UprightImage) -> tuple[Pixels, UprightImage]:
        """In even light, and print as dark as print is."""
        papers, inks = shades(found.pixels, found.quads)
        if is_ill_lit(papers):
            image = evened(image)
            found = self._turned(image, found.turned)
            papers, inks = shades(found.pixels, found.quads)
        if depth := faint_print(papers, inks):
            image = darkened(image, depth)
            found = self._turned(image, found.turned)
        return image, found

    def _standing(self, image: Pixels, found: UprightImage, ways: Mapping[int, float]) -> UprightImage:
        """Turned so that its lines stand upright: what is not plain in this way is looked at in the others."""
        stands = self._stand(found, ways)
        if not stands.is_plain and ways[found.turned] < SURE:
            likely = [way for way in {*ways} - {found.turned} if found.quads or ways[way] > ways[found.turned]]
            tried = ((self._stand(each, ways), each) for each in (self._turned(image, way) for way in likely))
            stands, found = max([(stands, found), *tried], key=lambda it: it[0].likely)
            if stands.way is WayUp.UNKNOWN:
                return self._turned(image, 0)
        turned = (found.turned + 180) % 360
        return self._turned(image, turned) if stands.way is WayUp.UPSIDE_DOWN else found

    def _flattened(self, found: UprightImage) -> UprightImage | None:
        """The sheet on a ground that a photograph shows, if its lines don't come out more bent than they were."""
        sheet = sheet_of(found.pixels, found.quads)
        if sheet is None:
            return None
        flat = self._upright(evened(sheet.flattened(found.pixels)), may_bend=False)
        times = sheet.width / float(np.ptp(sheet.grid[..., 0]))
        finer = min(1.0, usual_height(flat.midlines) / (times * usual_height(found.midlines) or 1.0))
        if finer * bow(flat.midlines) > max(bow(found.midlines), WORSE):
            return None
        return replace(flat, turned=(found.turned + flat.turned) % 360, sheet=sheet.turned(flat.turned))

    def _stand(self, found: UprightImage, ways: Mapping[int, float]) -> Stand:
        ocr, chances = self._ocr, (ways[found.turned], ways[(found.turned + 180) % 360])
        return way_up(found.pixels, found.quads, ocr.recognizer, ocr.looks, chances, ocr.other_scripts.words)

    def _turned(self, image: Pixels, degrees: int) -> UprightImage:
        pixels = upright(image, degrees)
        found = self._ocr.detector.look(pixels)
        return UprightImage(pixels, found.quads, degrees, found.midlines)

    def _read(self, found: UprightImage) -> ReadImage:
        flat, bends = self._unbent(found)
        return replace(self._read_level(flat, photographed=bool(bends or found.sheet)), bends=bends)

    def _unbent(self, found: UprightImage) -> tuple[UprightImage, list[Bend]]:
        bent, bends, is_photo = found.pixels, list[Bend](), found.is_photo
        for n, bend_in in enumerate((_by_rows, _by_lines, _by_lines, _by_rows)):
            if bend_in is _by_rows and not (is_photo and (n == 0 or len(bends) > 1)):
                continue  # a flat scan has nothing to gain; a second look pays where lines moved the rows
            if (bend := bend_in(found, is_photo or bool(bends))) is None:
                continue
            pixels = flattened(bent, [*bends, bend])
            flat = self._ocr.detector.look(pixels)
            if bend_in is _by_rows or bow(flat.midlines) <= max(bow(found.midlines), BENT):
                found = replace(found, pixels=pixels, quads=flat.quads, midlines=flat.midlines)
                bends.append(bend)
        return found, bends

    def _read_level(self, found: UprightImage, *, photographed: bool) -> ReadImage:
        pixels, quads = found.pixels, found.quads
        leans = lean_of(pixels, quads)
        lean = leans if abs(leans) >= LEANING else 0.0
        if lean:
            size = pixels.shape[1::-1]
            turn = np.asarray(cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), lean, 1.0))
            pixels = cv2.warpAffine(pixels, turn, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
            quads = [_levelled(quad, turn, lean) for quad in quads]
        read = self._ocr.read(pixels, parted_at_gutters(pixels, quads), photographed=photographed)
        lines = with_ticks(pixels, with_letter_sizes(pixels, read.lines, leans - lean))
        return ReadImage(pixels, lines, found.turned, lean, read.failure, len(quads), read.unread_words)

    def regions(self, reading: ReadImage) -> tuple[Region, ...]:
        """What was read, assembled."""
        pixels, seen = reading.pixels, DrawnLines(reading.pixels, reading.lines)
        ink = list(seen.pieces_of_ink())
        lines = with_bullets(ink, reading.lines, seen.unit)
        read, signed = partial(self._ocr.read_in, pixels), [*ink, *seen.light_pieces()]
        signs = lone_signs(signed, lines, seen.unit, read, seen.drawn.rules, seen.pale_pieces())
        layout = self._learned.layout.find(pixels, [*lines, *signs])
        grounds = [*seen.drawn.areas, *parted_frames(seen.drawn.rules)]
        tables, lines, beaten = scanned_tables(pixels, lines, signs, layout, self._learned, seen.drawn, grounds)
        layout = [labelled for labelled in layout if labelled.category is not Category.TABLE]
        pictures, lines = figures(pixels, layout, lines, tables)
        formulas, lines = self._formulas.regions(pixels, layout, lines)
        layout = with_text(layout, lines)
        code, lines = printed_code(lines, pixels.shape[0])
        lines = self._formulas.within(pixels, lines, mathematical=bool(formulas))
        fixed = [*tables, *pictures, *formulas, *code]
        size, rules = pixels.shape[1::-1], seen.drawn.rules
        return with_instead(assemble(lines, *size, layout=layout, fixed=fixed, grounds=grounds, rules=rules), beaten)


def _as_lines(reading: ReadImage) -> list[Region]:
    """From top to bottom, each a region: no rule looks at them."""
    lines = sorted(reading.lines, key=lambda line: (line.box.y0, line.box.x0))
    return [Region(line.box, Category.TEXT, (draft_of([line], line.text, line.source),)) for line in lines]


def _is_rubbish(read: ReadParts) -> bool:
    certainties = [line.certainty for _, reading in read for line in reading.lines]
    unread = Certainty(sum(reading.unread_words for _, reading in read), 0.0)
    return 2 * certainties.count(None) <= len(certainties) and (summed([*certainties, unread]) or unread).is_rubbish


# ------------------------------------------------------------------------------------------------- level


def _by_lines(found: UprightImage, is_photo: bool) -> Bend | None:
    height, width = found.pixels.shape[:2]
    return bend_of(found.midlines, width, height, SLIGHTLY_BENT if is_photo else BENT)


def _by_rows(found: UprightImage, _: bool) -> Bend | None:
    return bend_of_rows(found.pixels, median(quad.height for quad in found.quads)) if found.quads else None


def _levelled(quad: Quad, turn: NDArray[np.float64], lean: float) -> Quad:
    x, y = turn @ (quad.x, quad.y, 1.0)
    return replace(quad, x=float(x), y=float(y), angle=quad.angle - lean)


def _leaning(box: Box, lean: float, width: int, height: int) -> Box:
    """A box of the level image, where it stood on the leaning one."""
    back = cv2.getRotationMatrix2D((width / 2, height / 2), -lean, 1.0)
    x, y = back @ (*box.center, 1.0)
    half_width, half_height = box.width / 2, box.height / 2
    return Box(x - half_width, y - half_height, x + half_width, y + half_height).clipped(width, height)
