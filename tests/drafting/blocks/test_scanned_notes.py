"""Footnotes of scanned pages, whose raised figures were read as common ones."""

from docparse_fast.document import Box, Category, Draft, Region
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.scanned_notes import with_scanned_notes
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import Measures


def made(text: str, x: float, y: float, size: float = 10.0):
    line = Line(Box(x, y, x + 200, y + 12), text, size, "embedded")
    return DraftedBlock(Region(line.box, Category.TEXT, (Draft(text, "embedded"),)), [line])


def read(*blocks):
    found = with_scanned_notes(blocks, Measures(body=10.0, height=800.0))
    return [(block.category.value, block.region.text) for block in found]


NOTES = made("1or valves for some of us", 0, 700, 8), made("2as do most of them", 0, 714, 8)


def test_notes_that_end_a_column_and_their_marks_in_the_text_are_raised():
    words = made("Audio equipment used tubes1 and, unlike one,2 other things.", 0, 400)
    assert read(words, *NOTES, made("The second column goes on.", 300, 100)) == [
        ("text", "Audio equipment used tubes¹ and, unlike one,² other things."),
        ("footnote", "¹ or valves for some of us"),
        ("footnote", "² as do most of them"),
        ("text", "The second column goes on."),
    ]


def test_a_line_with_a_number_is_no_note_without_its_mark_or_above_other_text():
    assert {kind for kind, _ in read(made("No mark stands in this.", 0, 400), *NOTES)} == {"text"}
    words = made("Audio equipment used tubes1 and one,2 too.", 0, 400)
    assert {kind for kind, _ in read(words, *NOTES, made("Text goes on below.", 0, 760))} == {"text"}
    twice = made("The tubes1 and valves1 of old.", 0, 400)
    assert {kind for kind, _ in read(twice, NOTES[0])} == {"text"}
