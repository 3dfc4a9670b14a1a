"""A block while its page is drafted, and the words that it says as what it is. Knows lines; decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from docparse_fast.document import HEADINGS, NOT_MARKDOWN, Box, Category, Region
from docparse_fast.drafting.blocks.line_ends import goes_on_in_row
from docparse_fast.drafting.blocks.paragraphs import item_text
from docparse_fast.drafting.lines import Line, plain_of, words_of
from docparse_fast.geometry import runs
from docparse_fast.text.joined_text import joined
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read, parted_at_formulas


@dataclass(frozen=True, slots=True)
class DraftedBlock:
    """A region and the lines that it was made of: none, if it was found as a whole, as a table is."""

    region: Region
    lines: Sequence[Line] = ()
    terms: frozenset[str] = frozenset()  # with a hyphen, within the page's lines
    by_line: bool = False  # as text: whether its lines stay apart, each on its own

    @property
    def box(self) -> Box:
        return self.region.box

    @property
    def category(self) -> Category:
        return self.region.category

    @property
    def plain(self) -> str:
        return plain_of(self.lines)

    @property
    def is_exact(self) -> bool:
        """Whether its words are the file's own."""
        return bool(self.lines) and self.lines[0].is_exact

    @property
    def finished(self) -> Region:
        """The region, where its words stand and where its printed lines end."""
        region = replace(self.region, words=words_of(self.lines)) if self.lines else self.region
        if len(self.lines) < 2 or self.category in NOT_MARKDOWN:
            return region
        letters = (sum(map(str.isalnum, as_read(unmarked(line.text)))) for line in self.lines)
        return replace(region, line_ends=tuple(accumulate(letters)))

    def labelled(self, category: Category) -> DraftedBlock:
        """The same words, as something else."""
        return replace(self, region=replace(self.region, category=category))

    def retyped(self, category: Category) -> DraftedBlock:
        """As something else, its words made of its lines again."""
        return self.saying(
            text_of(self.lines, category, self.terms, by_line=self.by_line and category is Category.TEXT)
        ).labelled(category)

    def because(self, rule: str) -> DraftedBlock:
        return replace(self, region=replace(self.region, because=rule))

    def saying(self, text: str) -> DraftedBlock:
        first, *others = self.region.drafts
        return replace(self, region=replace(self.region, drafts=(replace(first, text=text), *others)))


def text_of(members: Sequence[Line], category: Category, terms: Iterable[str] = (), *, by_line: bool = False) -> str:
    """`by_line`: the lines stay apart, each on its own."""
    if category is Category.FORMULA:
        return " \\\\ ".join(_as_latex(line.text) for line in members)
    if by_line:
        rows = runs(members, lambda row, line: goes_on_in_row(row[-1], line))
        return "\n".join(map(_row_text, rows))
    text = joined([line.text for line in members], terms)
    if category in HEADINGS:
        return unmarked(text, code=all(line.mono for line in members), struck=False)
    return (item_text(text) or text) if category is Category.LIST_ITEM else text


def _row_text(row: Sequence[Line]) -> str:
    return " ".join(line.text for line in row)


def _as_latex(text: str) -> str:
    """A line of a formula: what was read as LaTeX is, the rest as it was read."""
    parts = parted_at_formulas(text)
    return "".join(part.strip("$") if n % 2 else as_read(unmarked(part)) for n, part in enumerate(parts))
