"""A born-digital page from its own characters: exact. Knows what the file says; trained readers see its picture.

`FINDERS` take what is no running text off the page; what is left are lines, and assembly makes regions of them as it
does of an OCR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Category, Page, PageDraft, Region, TextLayer, with_instead
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.born_digital.finders import FINDERS
from docparse_fast.drafting.born_digital.sheet import PageSheet, PageSight, alone, painted, sheet_of
from docparse_fast.drafting.born_digital.soundness import doubt_about
from docparse_fast.drafting.born_digital.text_lines import SOURCE
from docparse_fast.drafting.born_digital.turning import turned_upright
from docparse_fast.drafting.learned import LearnedReaders
from docparse_fast.drafting.lines import Line


class TextLayerDrafter:
    """`learned` readers see tables and headings that type and rules don't show; without them no picture is made.

    They are asked where a page may hold more than one flow of lines, or `always`.
    """

    name = SOURCE

    def __init__(self, learned: LearnedReaders | None = None, *, always: bool = False) -> None:
        self._learned = learned
        self._always = always

    def draft(self, page: Page, *, read: Sequence[Line] = ()) -> PageDraft:
        """`read` are lines that an OCR found where the layer is silent, on a page that stands upright."""
        layer = page.text_layer or TextLayer()
        upright = turned_upright(layer, page.width, page.height)
        sight = PageSight(page, upright.turned, self._learned, always=self._always) if self._learned else None
        regions = reading_of(upright.layer, upright.width, upright.height, read=read, sight=sight)
        return PageDraft(
            page.number,
            upright.drafted_width,
            upright.drafted_height,
            tuple(region.moved(upright.place) for region in regions),
            self.name,
            turned=upright.turned,
            doubts=tuple(doubt_about(painted(upright.layer.lines), regions)),
        )


def as_it_stands(layer: TextLayer, page: Page) -> PageDraft:
    """The layer's lines from top to bottom, each a region: no rule looks at them."""
    lines = sorted(painted(layer.lines), key=lambda line: (line.box.y0, line.box.x0))
    regions = (alone(line, Category.TEXT) for line in lines if line.text.strip())
    return PageDraft(page.number, page.width, page.height, tuple(regions), SOURCE)


def reading_of(
    layer: TextLayer, width: float, height: float, *, read: Sequence[Line] = (), sight: PageSight | None = None
) -> tuple[Region, ...]:
    """The page's regions in reading order."""
    sheet = sheet_of(layer, width, height, read, sight)
    for find in FINDERS:
        sheet = find(sheet)
    return (*with_instead(_assembled(sheet), sheet.beaten), *sheet.slanted, *sheet.margins)


def _assembled(sheet: PageSheet) -> list[Region]:
    """What stands already and the lines that are left, in reading order."""
    mirror = sheet.mirror
    lines = [line.moved(mirror) for line in (*sheet.flow, *sheet.standing, *sheet.read)]
    placed = [region.moved(mirror) for region in sheet.fixed]
    labels = [label for label in sheet.labels if label.category is not Category.TABLE]
    layout, grounds = [replace(label, box=mirror(label.box)) for label in labels], list(map(mirror, sheet.grounds))
    rules = list(map(mirror, sheet.layer.rules))
    made = assemble(lines, sheet.width, sheet.height, layout=layout, fixed=placed, grounds=grounds, rules=rules)
    return [region.moved(mirror) for region in made]
