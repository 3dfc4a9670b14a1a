"""Finds what a reader should look at on a finished page, from its blocks alone. Reads no pixels and no file.

Each doubt has a kind, which a run counts, and a message, which is one of the page's warnings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from docparse_fast.document import FURNITURE, Block, Category, PageDraft, Region
from docparse_fast.evidence import Certainty, Doubt
from docparse_fast.joining.continuing import unbegun
from docparse_fast.quality.finished_page import FinishedPage
from docparse_fast.quality.odd_cells import odd_cells
from docparse_fast.quality.torn_rows import torn_row
from docparse_fast.quality.unlikely_tables import unlikely_tables
from docparse_fast.rendering.html_table import row_widths
from docparse_fast.sums.table_sums import BrokenCell
from docparse_fast.text.compared_words import words
from docparse_fast.text.html_cells import rows_of

LETTER = r"[^\W\d_]"
PRIVATE = "[\ue000-\uf8ff]"  # a font's own codes: of symbols, and of parts of words in some files
MEANINGLESS = re.compile(f"\ufffd|(?<={LETTER}){PRIVATE}+|(?<!{PRIVATE}){PRIVATE}++(?={LETTER})")
COMMAND = re.compile(r"\\(?:text|mathrm|mathbf|mathit|operatorname\*?)\s*\{[^{}]*\}|\\[A-Za-z]+|\\.")
WORD = re.compile(r"[^\W\d_]{3,}")
RUBBISH = 0.4  # confidence of a block
RUBBISH_WORDS = 5  # on a page; fewer are a logo
SHOWN = 60  # characters of it
LOOK = 0.85  # confidence of a page, below which it needs a look
WHOLE = 0.75  # likelihood that rows and order are as printed, below which a page needs a look
POOR = 0.4  # likelihood that a table stands below which it is doubtful, whatever else it may be
SURE = 0.9  # from which other readings leave no doubt
LEAST_WRONG = 2.0  # words of such a page: of a photograph's one or two, one is soon a third
PROSE_WORDS = 8  # in one formula, beside those it marks as words
LETTERS_OF_A_WORD = 6  # of prose that was set as mathematics, which has no blanks
FIGURE_WORDS = 60  # in one figure, from which it may be a piece of text
OFTEN_UNSAID = FURNITURE | {Category.FIGURE, Category.FORMULA}  # targets leave it out, or write it in other signs
FEWEST_SURE = 10  # words of a page, by which an answer may be judged
MOST = 0.5  # of those; whole answers of real models left out at most 0.44
FLOWING = 0.6  # of a figure's words in small letters and without figures: labels are shorter and have capitals


def doubts_of(
    blocks: Sequence[Block],
    draft: PageDraft,
    expected: Certainty | None,
    structure: float | None,
    *,
    cut_off: bool,
    answered: bool = False,
) -> tuple[Doubt, ...]:
    """`expected` is what is to be expected of the page's words, `structure` of its rows and its order, if it is known.

    Where the page as a whole is likely to stand, only a table is doubted that hardly does. Where a target `answered`
    with the whole page, its tables are not the draft's.

    >>> doubts_of([Block(Category.TEXT, "na\ufffdve")], PageDraft(1, 9, 9), None, None, cut_off=False)[0].kind
    'replaced_character'
    """
    stands = structure is not None and structure >= WHOLE
    found = [*draft.doubts, *(() if answered else _doubtful_tables(draft, blocks, stands=stands))]
    if draft.failure is not None and draft.failure.code == "model_missing":
        found.append(Doubt("unread_script", draft.failure.message))
    if cut_off:
        found.append(Doubt("undecoded_picture", "a picture on the page can't be decoded, or not all of it"))
    if rubbish := _rubbish(draft):
        found.append(rubbish)
    if expected is not None and expected.share < LOOK and expected.words - expected.right >= LEAST_WRONG:
        share = 100 * (1 - expected.share)
        found.append(Doubt("low_confidence", f"about {share:.0f} of 100 words are wrong or missing"))
    if structure is not None and not stands:
        chance = f"{100 * structure:.0f} of 100 pages like this one"
        found.append(Doubt("doubtful_structure", f"{chance} have each row whole and all in order; look at both"))
    found += _of_places(FinishedPage(blocks))
    found += [Doubt("torn_sentence", _unbegun(blocks[number]), number) for number in unbegun(blocks)]
    for number, block in enumerate(blocks):
        found += [Doubt(kind, message, number) for kind, message in _of_block(block)]
        found += [Doubt("broken_sum", _broken(each), number) for each in (block.sums.misfits if block.sums else ())]
    return tuple(found)


def unanswered(blocks: Sequence[Block], draft: PageDraft) -> tuple[Doubt, ...]:
    """A doubt if a target's `blocks` leave out most of the words that the draft is sure of: its answer may be a part.

    >>> unanswered([Block(Category.TITLE, "Catch")], PageDraft(1, 9, 9))
    ()
    """
    sure = Counter(word for region in draft.regions if _is_sure(region) for word in _folded(region.text))
    missing = (sure - Counter(word for block in blocks for word in _folded(block.text))).total()
    if sure.total() < FEWEST_SURE or missing <= MOST * sure.total():
        return ()
    what = f"{missing} of {sure.total()} words that were surely read on the page"
    return (Doubt("unanswered_words", f"the target's answer leaves out {what}"),)


def _is_sure(region: Region) -> bool:
    certainty = region.drafts[0].certainty if region.drafts else None
    return region.category not in OFTEN_UNSAID and certainty is not None and certainty.share >= LOOK


def _folded(text: str) -> Iterable[str]:
    return (word.casefold() for word in words(text))


def _doubtful_tables(draft: PageDraft, blocks: Sequence[Block], *, stands: bool) -> Iterator[Doubt]:
    """Tables that hardly stand, or have a column without a word; where the page doesn't, those that may be another."""
    for table in (region for region in draft.regions if region.structure is not None):
        likely = table.structure or 0.0
        other = (not stands and len(table.drafts) > 1) or _has_empty_column(table.text)
        if likely < POOR or (likely < SURE and other):
            where = f"at {table.box.center[0]:.0f}, {table.box.center[1]:.0f}"
            block = next((n for n, each in enumerate(blocks) if each.box == table.box), None)
            yield Doubt("doubtful_table", f"rows and columns of the table {where} may be other than read", block)


def _of_places(page: FinishedPage) -> Iterator[Doubt]:
    """Tables whose words show by their places that they are read wrong."""
    number = {id(block): n for n, block in enumerate(page.blocks)}
    return (Doubt("doubtful_table", what, number[id(block)]) for block, what in unlikely_tables(page))


def _unbegun(block: Block) -> str:
    return f"a text begins within a sentence, whose beginning stands elsewhere: {' '.join(block.text.split())[:SHOWN]}"


def _has_empty_column(html: str) -> bool:
    """Its words stand in the column beside it, two of them in a cell: on 3 of 11 torn pages, and on no whole one.

    >>> _has_empty_column("<table><tr><td>Qty Price</td><td></td></tr><tr><td>4 9.50</td><td></td></tr></table>")
    True
    """
    return not all(map(any, zip(*rows_of(html), strict=True)))


def _broken(cell: BrokenCell) -> str:
    """
    >>> _broken(BrokenCell(3, 2, "1,204.50", "1264.50", ((3, 1),)))
    'the sums of a table break at row 4, column 3: 1,204.50 would have to be 1264.50, or another of 2 is misread'
    """
    others = f", or another of {len(cell.others) + 1} is misread" if cell.others else ""
    where = f"row {cell.row + 1}, column {cell.column + 1}"
    return f"the sums of a table break at {where}: {cell.printed} would have to be {cell.needed}{others}"


def _rubbish(draft: PageDraft) -> Doubt | None:
    """What is likely wrong word by word: a script that was taken for another, a pattern taken for text."""
    first = [region.drafts[0] for region in draft.regions if region.drafts]
    bad = [each for each in first if each.certainty and each.certainty.share < RUBBISH]
    words = sum(each.certainty.words for each in bad if each.certainty)
    if words < RUBBISH_WORDS:
        return None
    return Doubt("rubbish", f"about {words:.0f} words are likely none: {' '.join(bad[0].text.split())[:SHOWN]}")


def _of_block(block: Block) -> Iterator[tuple[str, str]]:
    if count := len(MEANINGLESS.findall(block.text)):
        yield "replaced_character", f"{count} characters in the text have no meaning (U+FFFD, or a font's own codes)"
    look = LOOKS.get(block.category)
    if look is not None:
        yield from look(block.text)


def _formula(latex: str) -> Iterable[tuple[str, str]]:
    """
    >>> [kind for kind, _ in _formula(r"\\frac{distancecoveredbetweenbothmarkedpoints}{timetakenwhilemovingthere}")]
    ['prose_in_formula']
    """
    words = WORD.findall(COMMAND.sub(" ", latex))
    count = sum(max(1, len(word) // LETTERS_OF_A_WORD) for word in words)
    if count >= PROSE_WORDS:
        yield "prose_in_formula", f"about {count} words stand in a formula: it may be text"


def _figure(text: str) -> Iterable[tuple[str, str]]:
    words = text.split()
    flowing = sum(word.strip(".,;:()").isalpha() and word.islower() for word in words)
    if len(words) >= FIGURE_WORDS and flowing >= FLOWING * len(words):
        yield "figure_full_of_text", f"{len(words)} words stand in a figure: it may be text"


def _table(html: str) -> Iterable[tuple[str, str]]:
    widths = row_widths(html)
    if len(set(widths)) > 1:
        odd = sum(width != max(widths, key=widths.count) for width in widths)
        yield "ragged_table", f"{odd} of {len(widths)} rows of a table have more or fewer cells than the others"
    if row := torn_row(rows := rows_of(html)):
        yield "torn_row", f"row {row} of a table may go on in the row below, or be several"
    for odd, column, what in odd_cells(rows):
        yield "odd_cell", f"row {odd}, column {column} of a table: {what}"


LOOKS: dict[Category, Callable[[str], Iterable[tuple[str, str]]]] = {
    Category.FORMULA: _formula,
    Category.FIGURE: _figure,
    Category.TABLE: _table,
}
