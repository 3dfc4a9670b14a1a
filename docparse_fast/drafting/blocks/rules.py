"""What a block is in view of the whole page: all rules, in their order. Knows no rule's reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.headings import with_levels
from docparse_fast.drafting.blocks.neighbours import (
    with_bare_numbers,
    with_captions,
    with_footnotes,
    with_nesting,
    with_numbered,
    with_sections,
    without_initials,
    without_terms,
)
from docparse_fast.drafting.measures import Measures

Rule = Callable[[Sequence[DraftedBlock], Measures], list[DraftedBlock]]

RULES: tuple[Rule, ...] = (
    without_terms,  # a heading that the words below explain is a term
    without_initials,  # `M. Okafor` is no item M
    with_bare_numbers,  # items whose numbers have no dot
    with_numbered,  # bold items that stand alone are headings: items must be known
    with_captions,
    with_sections,  # lines that only a section's number makes headings
    with_footnotes,
    with_levels,  # of headings: all must be known
    with_nesting,  # of items
)


def ruled(blocks: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """The blocks after all rules. One that became something else bears the name of the rule that made it so."""
    found = list(blocks)
    for rule in RULES:
        kinds = {id(block.box): block.category for block in found}
        made = rule(found, measures)
        found = [one if kinds.get(id(one.box)) is one.category else one.because(rule.__name__) for one in made]
    return found
