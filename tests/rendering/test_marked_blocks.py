"""Words of a block that something is said about."""

from docparse_fast.document import Block, Category
from docparse_fast.rendering.html_blocks import MarkedBlock, MarkKind, Note


def test_words_in_two_pieces_have_one_place_to_jump_to():
    block = MarkedBlock(Block(Category.TEXT, "a **made** up word"))
    assert block.annotate(Note("u1-1", MarkKind.UNSUPPORTED, "made up", "in no draft"))
    html = block.html()
    assert html.count('data-note="u1-1"') == 2
    assert html.index('id="u1-1"') < html.index("made") and html.count('id="u1-1"') == 1
