"""Writes Markdown as targets write it, and reads it as blocks. Knows how they differ; knows no model by name.

A blank line separates blocks, list items have a line each, headings have as many `#` as their level, tables are HTML.
Markdown has no captions, footnotes or boxes: captions and footnotes come back as text, and nothing has a box.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from docparse_fast.document import HEADINGS, Block, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.latex import COMMANDS
from docparse_fast.targets.dialects.latex import EXAMPLES as FORMULAS
from docparse_fast.targets.dialects.markdown_parts import (
    Delimiters,
    bare_formula,
    heading_marks,
    list_items,
    split_heading,
    unwrapped,
    with_bullet,
    without_fence,
)
from docparse_fast.targets.dialects.markdown_reading import pieces
from docparse_fast.targets.dialects.readings import readings
from docparse_fast.targets.dialects.table_forms import forms

FENCE = "```markdown\n"  # in which some models put their answer

MARKS = (  # as one model or another writes them
    "```markdown\n# ",
    "```markdown\n# **",
    "\n\n## **",
    "a.<sup>1</sup> B",
    "a. <sup>1</sup> B",
    "\n\n<sup>1</sup> B",
    "a.[^1] B",
    "\n\n[^1]: B",
    '\n\n<table border="1"><tr><td>',
    '<tr><td colspan="2">',
    '<tr><td rowspan="2">',
    "\n\n```python\n",
    "\n\n```bash\n",
)

NOTED = ("a. ", "a.", "\n\n")  # what stands before a note's number

# As in Pandoc: an opening dollar sign touches what follows, a closing one touches what precedes.
_INLINE_DOLLARS = re.compile(r"(?<![\\$])\$(?=[^\s$])([^$\n]*?[^\s$\\])\$(?![\d$])")


def as_it_is(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class MarkdownDialect:
    """A target that answers in Markdown.

    >>> dialect = MarkdownDialect("mine", page_prompt="Read.", prompts={})
    >>> from docparse_fast.document import Box
    >>> dialect.phrase_region(Region(Box(0, 0, 9, 9), Category.TITLE, level=1), "Results")
    '# Results'
    """

    name: str
    page_prompt: str | None
    prompts: Mapping[Category, str]  # for crops that don't have the page's prompt
    conversation: str | None = None
    stops: tuple[str, ...] = ()
    display: Delimiters = ("$$", "$$")  # around a displayed formula
    inline: Delimiters = ("$", "$")  # around a formula within text
    bullet: str = "-"
    undrafted: frozenset[Category] = frozenset({Category.FIGURE})  # kinds that it doesn't write, or not predictably
    marks_headings: bool = True
    varies: bool = True  # it may write a text with marks or without, a table in one form or another
    write_table: Callable[[str], str] = field(default=as_it_is)
    read_table: Callable[[str], str] = field(default=as_it_is)
    write_formula: Callable[[str], str] = field(default=as_it_is)  # one that is displayed
    vary_formula: Callable[[str], str] = field(default=as_it_is)  # ... as it may write it too
    write_inline: Callable[[str], str] = field(default=as_it_is)  # one within text

    @property
    def examples(self) -> tuple[str, ...]:
        """Marks of Markdown, formulas within text and displayed, notes as formulas, the commands of LaTeX."""
        opening, closing = self.inline
        inline = (f"the {opening}{self.write_inline(each)}{closing} of" for each in FORMULAS[:-1])
        notes = (f"{before}{opening}^{{1}}{closing} B" for before in NOTED)
        display = (f"\n\n{self.display[0]}{self.write_formula(each)}{self.display[1]}\n\n" for each in FORMULAS)
        return *(MARKS if self.varies else ()), *inline, *notes, *display, *COMMANDS

    def region_prompt(self, category: Category) -> str | None:
        return None if category is Category.FIGURE else self.prompts.get(category, self.page_prompt)

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        written = [n for n, region in enumerate(regions) if region.category not in self.undrafted]
        following = dict(pairwise(written))
        return tuple(
            Phrase(text + _gap(regions, n, following.get(n)), (n,), reading.source)
            for n in written
            for reading in readings(regions[n], marked=self.varies)
            for text in self._phrasings(regions[n], reading.text)
        )

    def _phrasings(self, region: Region, text: str) -> Iterator[str]:
        """A reading as the target writes it, and as it may write it too: a table, a formula, a nested item."""
        written = self.phrase_region(region, text)
        yield written
        if self.varies and region.category is Category.LIST_ITEM and region.level:
            yield f"{'  ' * region.level}{written}"
        if self.varies and region.category in HEADINGS and self.marks_headings and not text.startswith("**"):
            yield f"{heading_marks(region)} **{self._with_inline(text)}**"
        if region.category is Category.FORMULA and self.vary_formula(text) != self.write_formula(text):
            yield f"{self.display[0]}{self.vary_formula(text)}{self.display[1]}"
        if region.category is Category.TABLE and self.varies and self.write_table is as_it_is:
            yield from forms(text)

    def phrase_region(self, region: Region, text: str) -> str:
        match region.category:
            case Category.TITLE | Category.SECTION_HEADER if self.marks_headings:
                return f"{heading_marks(region)} {self._with_inline(text)}"
            case Category.LIST_ITEM:
                return f"{'  ' * region.level}{self._with_inline(with_bullet(text, self.bullet))}"
            case Category.TABLE:
                return self.write_table(text)
            case Category.FORMULA:
                return f"{self.display[0]}{self.write_formula(text)}{self.display[1]}"
            case Category.CODE:
                return f"```\n{text}\n```"
            case _:
                return self._with_inline(text)

    def parse(self, answer: str, size: Size) -> Answer:
        blocks: list[Block] = []
        lost: list[str] = []
        for category, text, rest in pieces(unwrapped(answer)):
            blocks += self._blocks(category, text)
            lost.append(rest)
        return Answer(tuple(blocks), "\n".join(filter(None, lost)).strip())

    def read_region(self, region: Region, answer: str) -> str:
        text = unwrapped(answer).strip()
        match region.category:
            case Category.TITLE | Category.SECTION_HEADER:
                return self._plain_inline(split_heading(text)[1])
            case Category.LIST_ITEM:
                return self._plain_inline(with_bullet(text, "-"))
            case Category.TABLE:
                return self.read_table(text)
            case Category.FORMULA:
                return bare_formula(text)
            case Category.CODE:
                return without_fence(text)
            case _:
                return self._plain_inline(text)

    def _blocks(self, category: Category, text: str) -> list[Block]:
        match category:
            case Category.FIGURE:
                return [Block(category, text)]
            case _ if not text:
                return []
            case Category.TITLE:
                level, plain = split_heading(text)
                kind = Category.TITLE if level == 1 else Category.SECTION_HEADER
                return [Block(kind, self._plain_inline(plain), level=level)]
            case Category.LIST_ITEM:
                item, level = list_items(text)[0]
                return [Block(category, self._plain_inline(item), level=level)]
            case Category.TABLE:
                return [Block(category, self.read_table(text))]
            case Category.TEXT:
                return [Block(category, self._plain_inline(text))]
            case _:
                return [Block(category, text)]

    def _with_inline(self, text: str) -> str:
        """Puts formulas within text in the target's delimiters; a draft has them in single dollar signs."""
        if self.inline == ("$", "$"):
            return text
        opening, closing = self.inline
        return _INLINE_DOLLARS.sub(lambda found: f"{opening}{self.write_inline(found[1])}{closing}", text)

    def _plain_inline(self, text: str) -> str:
        if self.inline == ("$", "$"):
            return text
        opening, closing = (re.escape(mark.strip()) for mark in self.inline)
        inside = rf"((?:(?!{opening}).)+?)"  # of two openings the second counts
        return re.sub(f"{opening}{inside}{closing}", lambda found: f"${found[1].strip() or found[1]}$", text)


def _gap(regions: Sequence[Region], n: int, following: int | None) -> str:
    return "\n" if following is not None and _one_list(regions[n], regions[following]) else "\n\n"


def _one_list(item: Region, following: Region) -> bool:
    """Whether two items are in the same list: a numbered item and a bulleted one are if one of them is nested."""
    if {item.category, following.category} != {Category.LIST_ITEM}:
        return False
    return item.level != following.level or item.text[:1].isdigit() == following.text[:1].isdigit()
