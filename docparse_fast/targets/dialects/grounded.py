"""What dialects share that write each block under its label and box. Knows Markdown blocks; no model, no mark."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from docparse_fast.document import Block, Box, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.on_markdown import OnMarkdown

SCALE = 999  # the number of a box's far edge
# labels that say more than the text under them
_TELLING = {
    "image": Category.FIGURE,
    "image_caption": Category.CAPTION,
    "table_caption": Category.CAPTION,
    "footnote": Category.FOOTNOTE,
    "table_footnote": Category.FOOTNOTE,
    "header": Category.PAGE_HEADER,
    "footer": Category.PAGE_FOOTER,
    "page_number": Category.PAGE_NUMBER,
}


class GroundedDialect(OnMarkdown, ABC):
    __slots__ = ()

    labels: ClassVar[Mapping[Category, str]]
    head: ClassVar[str]  # with {label} and {box}; a phrase's beginning
    box_from: ClassVar[str]  # what the part of a head begins with that is the same for every label
    pattern: ClassVar[re.Pattern[str]]  # of a head, with the groups label and box
    begins: ClassVar[str]  # what every head begins with
    ends: ClassVar[str]  # what follows every box

    @abstractmethod
    def tail(self, region: Region) -> str:
        """What stands between a block's text and the next head."""

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        phrases: list[Phrase] = []
        for n, region in enumerate(regions):
            head = self._head(region, size)
            if region.category is Category.FIGURE:
                phrases.append(Phrase(f"{head}{self.tail(region)}", (n,), "layout"))
                continue
            phrases += [
                Phrase(
                    f"{head}{self.phrase_region(region, region.printed(draft))}{self.tail(region)}", (n,), draft.source
                )
                for draft in region.drafts
            ]
        return tuple(phrases)

    def parse(self, answer: str, size: Size) -> Answer:
        blocks: list[Block] = []
        whole, cut = self._without_cut_head(answer)
        lost = [cut]
        for label, box, text in self._sections(whole, size):
            read = super().parse(text, size)
            lost.append(read.lost)
            found = read.blocks or ((Block(Category.FIGURE, ""),) if label == "image" else ())
            blocks += [self.labelled(block, label, box) for block in found]
        return Answer(tuple(blocks), "\n".join(filter(None, lost)).strip())

    def labelled(self, block: Block, label: str, box: Box | None) -> Block:
        category = _TELLING.get(label, block.category) if block.category is Category.TEXT else block.category
        return replace(block, category=category, box=box)

    def _head(self, region: Region, size: Size) -> str:
        x, y = SCALE / size[0], SCALE / size[1]
        box = region.box
        corners = [round(box.x0 * x), round(box.y0 * y), round(box.x1 * x), round(box.y1 * y)]
        return self.head.replace("{label}", self.labels[region.category]).replace("{box}", str(corners))

    def _without_cut_head(self, answer: str) -> tuple[str, str]:
        """The answer up to a last label whose box is incomplete, and the rest."""
        start = answer.find(self.begins, answer.rfind(self.ends) + 1)
        return (answer, "") if start < 0 else (answer[:start], answer[start:])

    def _sections(self, answer: str, size: Size) -> Iterator[tuple[str, Box | None, str]]:
        """Label, box and text of each block; text before the first label has none."""
        heads = list(self.pattern.finditer(answer))
        starts = [head.start() for head in heads] + [len(answer)]
        if answer[: starts[0]].strip():
            yield "", None, answer[: starts[0]]
        for head, end in zip(heads, starts[1:], strict=True):
            yield head["label"], _page_box(head["box"], size), answer[head.end() : end]


def _page_box(corners: str, size: Size) -> Box | None:
    numbers = [int(number) for number in re.findall(r"\d+", corners)]
    if len(numbers) != 4:
        return None
    x, y = size[0] / SCALE, size[1] / SCALE
    x0, y0, x1, y1 = numbers
    return Box(x0 * x, y0 * y, x1 * x, y1 * y).clipped(*size)
