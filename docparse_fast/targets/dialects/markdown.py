"""Writes and reads Markdown as targets write it. Knows the ways in which they differ; knows no model by name.

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
from docparse_fast.targets.dialects.readings import readings

Delimiters = tuple[str, str]

_HEADING = re.compile(r"(#{1,6})[ \t]+")
_MARKER = re.compile(r"([ \t]*)([-*+•]|\d{1,3}[.)])[ \t]+(.*)$", re.DOTALL)
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)[\d,. ]*$")  # some write its box behind it
_ANSWER_FENCE = re.compile(r"\s*```(?:markdown|md)[ \t]*\n")
# As in Pandoc: an opening dollar sign touches what follows, a closing one touches what precedes.
_INLINE_DOLLARS = re.compile(r"(?<![\\$])\$(?=[^\s$])([^$\n]*?[^\s$\\])\$(?![\d$])")
_DISPLAYS: tuple[Delimiters, ...] = (("$$", "$$"), ("\\[", "\\]"))


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
    write_table: Callable[[str], str] = field(default=as_it_is)
    read_table: Callable[[str], str] = field(default=as_it_is)
    write_formula: Callable[[str], str] = field(default=as_it_is)  # one that is displayed
    write_inline: Callable[[str], str] = field(default=as_it_is)  # one within text

    @property
    def examples(self) -> tuple[str, ...]:
        """Formulas within text and displayed."""
        inline = (f"the {self.inline[0]}{self.write_inline(each)}{self.inline[1]} of" for each in FORMULAS[:-1])
        display = (f"\n\n{self.display[0]}{self.write_formula(each)}{self.display[1]}\n\n" for each in FORMULAS)
        return *inline, *display

    def region_prompt(self, category: Category) -> str | None:
        return None if category is Category.FIGURE else self.prompts.get(category, self.page_prompt)

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        written = [n for n, region in enumerate(regions) if region.category not in self.undrafted]
        following = dict(pairwise(written))
        return tuple(
            Phrase(
                self.phrase_region(regions[n], reading.text) + _gap(regions, n, following.get(n)),
                (n,),
                reading.source,
            )
            for n in written
            for reading in readings(regions[n])
        )

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

    def grammar(self, regions: Sequence[Region], size: Size) -> tuple[str, ...]:
        """The tags of tables, and the commands of LaTeX."""
        row = self.write_table("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>")
        return (*(piece for piece in re.split("[abc]", f"{row}\n\n") if piece), *COMMANDS)

    def parse(self, answer: str, size: Size) -> Answer:
        blocks: list[Block] = []
        lost: list[str] = []
        for category, text, rest in _pieces(unwrapped(answer)):
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
        return re.sub(rf"{opening}[ \t]*(.+?)[ \t]*{closing}", lambda found: f"${found[1]}$", text)


def _gap(regions: Sequence[Region], n: int, following: int | None) -> str:
    return "\n" if following is not None and _one_list(regions[n], regions[following]) else "\n\n"


def _one_list(item: Region, following: Region) -> bool:
    """Whether two items are in the same list: a numbered item and a bulleted one are if one of them is nested."""
    if {item.category, following.category} != {Category.LIST_ITEM}:
        return False
    return item.level != following.level or item.text[:1].isdigit() == following.text[:1].isdigit()


# --------------------------------------------------------------------------------------- small parts, also JSON's


def heading_marks(region: Region) -> str:
    """`#` for a title; for a section header as many as its level, or two if it has none.

    >>> from docparse_fast.document import Box
    >>> heading_marks(Region(Box(0, 0, 9, 9), Category.SECTION_HEADER, level=3))
    '###'
    """
    least = 1 if region.category is Category.TITLE else 2
    return "#" * min(max(region.level, least), 6) if region.category in HEADINGS else ""


def split_heading(text: str) -> tuple[int, str]:
    """A heading's level and words; level 0 if nothing marks it.

    >>> split_heading("## 1 Introduction ##"), split_heading("# C#"), split_heading("Results")
    ((2, '1 Introduction'), (1, 'C#'), (0, 'Results'))
    """
    found = _HEADING.match(text)
    if found is None:
        return 0, text
    words = text[found.end() :].strip()
    bare = words.rstrip("#")  # marks may also close a heading, after a blank
    return len(found[1]), bare.rstrip() if bare != bare.rstrip() else words


def with_bullet(text: str, bullet: str) -> str:
    """A list item with this bullet; numbers are kept.

    >>> with_bullet("• one", "-"), with_bullet("2. two", "-")
    ('- one', '2. two')
    """
    found = _MARKER.match(text)
    if found is None or found[2][0].isdigit():
        return text
    return f"{bullet} {found[3]}"


def split_bullet(text: str) -> tuple[str, str]:
    """A list item's marker, if it has one, and its words.

    >>> split_bullet("2. two"), split_bullet("two")
    (('2.', 'two'), ('', 'two'))
    """
    found = _MARKER.match(text)
    return (found[2], found[3]) if found else ("", text)


def list_items(text: str) -> list[tuple[str, int]]:
    """The items of a list, each with its nesting; lines without a marker belong to the item before them.

    >>> list_items("* one\\n  more\\n  * two")
    [('- one\\n  more', 0), ('- two', 1)]
    """
    items: list[tuple[str, int]] = []
    for line in text.split("\n"):
        found = _MARKER.match(line)
        if found is not None:
            items.append((with_bullet(line.strip(), "-"), len(found[1].expandtabs(4)) // 2))
        elif items:
            items[-1] = (f"{items[-1][0]}\n{line}", items[-1][1])
        elif line.strip():
            items.append((line.strip(), 0))
    return [(item.rstrip(), level) for item, level in items]


def bare_formula(text: str) -> str:
    """LaTeX without its delimiters.

    >>> bare_formula("$$ x^2 $$"), bare_formula(r"\\[x\\]"), bare_formula("x")
    ('x^2', 'x', 'x')
    """
    text = text.strip()
    for opening, closing in (*_DISPLAYS, ("\\(", "\\)"), ("$", "$")):
        if len(text) >= len(opening) + len(closing) and text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : -len(closing)].strip()
    return text


def without_fence(text: str) -> str:
    """Code without the fence around it; other text unchanged."""
    if not text.startswith("```"):
        return text
    body = text.split("\n", 1)[1] if "\n" in text else ""
    return body.removesuffix("```").removesuffix("\n")


def unwrapped(answer: str) -> str:
    """The answer without the ```markdown fence that chat models like to add."""
    found = _ANSWER_FENCE.match(answer)
    return answer[found.end() :].rstrip().removesuffix("```") if found else answer


# -------------------------------------------------------------------------------------------------- reading


def _pieces(text: str) -> Iterator[tuple[Category, str, str]]:
    """Each block's category and text, and what of it was cut off."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
            continue
        read = next(reader for starts, reader in _READERS if starts(line))
        category, block, rest, at = read(lines, at)
        yield category, block, rest


_Read = tuple[Category, str, str, int]  # category, text, what was cut off, the line after


def _read_code(lines: list[str], at: int) -> _Read:
    end = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == "```"), len(lines))
    return Category.CODE, "\n".join(lines[at + 1 : end]), "", end + 1


def _read_table(lines: list[str], at: int) -> _Read:
    """Reads to `</table>`; keeps the complete rows of a table that was cut off."""
    text, closed, after = _up_to("</table>", lines, at)
    if closed:
        return Category.TABLE, text.strip(), "", after
    row_end = text.rfind("</tr>") + len("</tr>")
    if row_end < len("</tr>"):
        return Category.TABLE, "", text, after
    return Category.TABLE, f"{text[:row_end]}</table>", text[row_end:], after


def _read_formula(lines: list[str], at: int) -> _Read:
    lines[at] = lines[at].lstrip()
    opening, closing = next(pair for pair in _DISPLAYS if lines[at].startswith(pair[0]))
    lines[at] = lines[at][len(opening) :]
    text, closed, after = _up_to(closing, lines, at)
    if closed:
        return Category.FORMULA, text.removesuffix(closing).strip(), "", after
    return Category.FORMULA, "", opening + text, after


def _up_to(closing: str, lines: list[str], at: int) -> tuple[str, bool, int]:
    """The text up to the first `closing`, whether there is one, and the next line; drops the rest of its line."""
    for n in range(at, len(lines)):
        end = lines[n].find(closing) + len(closing)
        if end >= len(closing):
            text = "\n".join([*lines[at:n], lines[n][:end]])
            lines[n] = lines[n][end:].lstrip()
            return text, True, n
    return "\n".join(lines[at:]), False, len(lines)


def _read_heading(lines: list[str], at: int) -> _Read:
    return Category.TITLE, lines[at].strip(), "", at + 1


def _read_image(lines: list[str], at: int) -> _Read:
    return Category.FIGURE, _IMAGE.sub(r"\1", lines[at].strip()), "", at + 1


def _read_list_item(lines: list[str], at: int) -> _Read:
    """Reads an item's line and the indented lines that continue it."""
    end = at + 1
    while end < len(lines) and lines[end][:2] == "  " and lines[end].strip() and not _starts_block(lines[end]):
        end += 1
    return Category.LIST_ITEM, "\n".join(lines[at:end]), "", end


def _read_text(lines: list[str], at: int) -> _Read:
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts_block(lines[end]):
        end += 1
    return Category.TEXT, "\n".join(line.strip() for line in lines[at:end]), "", end


def _starts_block(line: str) -> bool:
    return any(starts(line) for starts, _ in _READERS[:-1])


_READERS: tuple[tuple[Callable[[str], object], Callable[[list[str], int], _Read]], ...] = (
    (lambda line: line.lstrip().startswith("```"), _read_code),
    (lambda line: line.lstrip().startswith("<table"), _read_table),
    (lambda line: line.lstrip().startswith(tuple(opening for opening, _ in _DISPLAYS)), _read_formula),
    (lambda line: _HEADING.match(line.strip()), _read_heading),
    (lambda line: _IMAGE.match(line.strip()), _read_image),
    (lambda line: _MARKER.match(line), _read_list_item),
    (lambda line: True, _read_text),
)
