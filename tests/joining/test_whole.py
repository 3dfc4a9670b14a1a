"""What the whole document shows: levels that agree, heads that repeat, and text that goes on over a page's end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest
from counted import calls_of

from docparse_fast import ParseOptions, parse
from docparse_fast.cli import run
from docparse_fast.document import Block, Box, Category, OutlineEntry, ParsedDocument, ParsedPage, Provenance
from docparse_fast.joining import flowing, revised, whole
from docparse_fast.joining.continuing import sentence_goes_on
from docparse_fast.joining.notes import with_linked_notes
from docparse_fast.options import DraftOptions
from docparse_fast.rendering.json import read_json, render_json
from docparse_fast.rendering.markdown import render_markdown, render_page

WIDTH, HEIGHT = 600, 800
HEAD = "<table><tr><th>Name</th><th>Size</th></tr>"


def block(text: str, category: Category = Category.TEXT, *, y: float = 400.0, **more) -> Block:
    return Block(category, text, Box(60, y - 10, 540, y + 10), **more)


def heading(text: str, *, level: int = 2, size: float = 12.0) -> Block:
    return block(text, Category.SECTION_HEADER, level=level, type_size=size)


def table(html: str, *, y: float) -> Block:
    return block(html, Category.TABLE, y=y)


def document(*pages: list[Block], options: dict | None = None) -> ParsedDocument:
    made = [ParsedPage(n, WIDTH, HEIGHT, 72.0, blocks=tuple(blocks)) for n, blocks in enumerate(pages, 1)]
    return ParsedDocument("a.pdf", "", tuple(made), options=options or {})


def levels(found: ParsedDocument) -> list[int]:
    return [entry.level for entry in found.outline]


def joined(found: ParsedDocument) -> str:
    return render_markdown(flowing(found))


# ------------------------------------------------------------------------------------------------ levels


def test_numbers_give_headings_their_levels():
    found = whole(
        document([heading("1 Files"), heading("1.1 Names")], [heading("1.1.1 Long names"), heading("2 Ends")])
    )
    assert levels(found) == [2, 3, 4, 2]


def test_bookmarks_give_headings_their_levels():
    bookmarks = [OutlineEntry(1, "Files", 1), OutlineEntry(2, "Names", 2), OutlineEntry(1, "Ends", 2)]
    found = whole(document([heading("Files")], [heading("*Names*"), heading("Ends")]), bookmarks)
    assert levels(found) == [2, 3, 2]


def test_one_bookmark_above_all_others_is_the_title():
    bookmarks = [OutlineEntry(1, "The manual", 1), OutlineEntry(2, "Files", 1), OutlineEntry(3, "Names", 1)]
    found = whole(document([heading("The manual"), heading("Files"), heading("Names")]), bookmarks)
    assert levels(found) == [1, 2, 3]
    assert found.pages[0].blocks[0].category is Category.TITLE


def test_one_bookmark_whose_sections_numbers_count_it_is_a_chapter():
    """A chapter cut out of a manual: its sections stay level with those of the page before it."""
    pages = [heading("4.17 Patches")], [heading("CONTROL FILES", size=24), heading("5.1 Syntax"), heading("5.2 Fields")]
    bookmarks = [
        OutlineEntry(1, "Control files", 2),
        OutlineEntry(2, "5.1 Syntax", 2),
        OutlineEntry(2, "5.2 Fields", 2),
    ]
    assert levels(whole(document(*pages), bookmarks)) == [3, 2, 3, 3]


def test_text_that_says_what_a_bookmark_of_its_page_does_is_a_heading():
    bookmarks = [OutlineEntry(1, "2 Files", 1), OutlineEntry(2, "2.1 Names", 1), OutlineEntry(2, "Fonts", 1)]
    page = [heading("2 Files"), block("*2.1 Names*"), block("Names of fonts follow."), block("Fonts")]
    (found,) = whole(document(page), bookmarks).pages
    assert [(each.category, each.text) for each in found.blocks[1:]] == [
        (Category.SECTION_HEADER, "2.1 Names"),
        (Category.TEXT, "Names of fonts follow."),
        (Category.SECTION_HEADER, "Fonts"),
    ]


@pytest.mark.parametrize(
    "page",
    [
        [heading("Fonts"), block("Fonts")],  # the heading is there
        [block("- fonts", Category.LIST_ITEM)],
        [block("Fonts", spans=(Provenance("Fonts", "own"),))],  # what a target wrote
    ],
)
def test_a_bookmark_makes_no_heading_of_what_is_something_else(page):
    (found,) = whole(document(page), [OutlineEntry(1, "Fonts", 1)]).pages
    assert found.blocks[-1].category is page[-1].category


def test_a_bookmark_far_away_says_nothing_of_a_heading_of_its_name():
    bookmarks = [OutlineEntry(1, "Summary", 1), OutlineEntry(1, "Files", 3), OutlineEntry(3, "Summary", 9)]
    assert levels(whole(document([heading("Summary")]), bookmarks)) == [2]


def test_a_heading_without_number_has_the_level_of_those_in_its_type():
    first = [heading("1 Files", size=18), heading("1.1 Names", size=14), heading("A note on names", level=2, size=14)]
    assert levels(whole(document(first, [heading("1.2 Sizes", size=14), heading("In short", size=11)]))) == [
        2,
        3,
        3,
        3,
        4,
    ]


def test_no_level_is_skipped_below_a_heading_that_tells_its_own():
    """Each smaller size was a level deeper than all levels of the document: a page of its own had ###### at once."""
    chapter = [heading("1 Files", size=18), heading("1.1 Names", size=14), heading("1.1.1 Signs", size=12)]
    flyer = [heading("Our services", size=26), heading("Training", size=11), heading("Highlights", size=9)]
    assert levels(whole(document(chapter, flyer))) == [2, 3, 4, 2, 3, 4]


def test_a_size_of_type_has_one_level_over_the_document_without_numbers_or_bookmarks():
    first = [heading("The handbook", level=1, size=24), heading("Files", size=16)]
    assert levels(whole(document(first, [heading("Names", size=12)], [heading("Ends", size=16)]))) == [1, 2, 3, 2]


def test_sizes_measured_on_a_scan_tell_levels_unless_they_are_nearly_alike():
    sized = [heading("Files", size=16), heading("Names", size=14), heading("Ends", size=13.4)]
    scanned = [[replace(each, sources=("embedded",))] for each in sized]
    assert levels(whole(document(*scanned))) == [1, 2, 2]


def test_the_largest_heading_of_the_first_page_is_the_title():
    first = [heading("A series of papers", level=2, size=12), heading("Files and names", level=2, size=30)]
    assert levels(whole(document(first, [heading("Chapter 1. Files", size=18)]))) == [2, 1, 2]


def test_a_chapter_is_above_its_sections():
    pages = [heading("Chapter 2. Names", size=18), heading("2.1 Signs", size=14), heading("Appendix B: Sizes", size=18)]
    assert levels(whole(document(pages))) == [2, 3, 2]


def test_a_heading_in_the_type_of_several_levels_is_beside_the_one_before_it():
    sizes = [heading(f"{number} Names") for number in ("1", "1.1", "1.1.1")]
    assert levels(whole(document([*sizes, heading("Important")]))) == [2, 3, 4, 4]


def test_a_targets_headings_keep_their_levels():
    spans = (Provenance("1.1 Names", "own"),)
    written = replace(heading("1.1 Names", level=2), spans=spans)
    assert levels(whole(document([written]))) == [2]


# ------------------------------------------------------------------------------------------------ contents


def contents(*, title: str = "Contents") -> list[Block]:
    rows = ("1.1 What it is", "1"), ("1.2 Who reads it", "2"), ("1.4 Thanks", "3")
    cells = "".join(f"<tr><td>{title}</td><td>{page}</td></tr>" for title, page in rows)
    return [
        heading(title, level=1),
        heading("1 Welcome 1"),
        table(f"<table>{cells}</table>", y=300),
        block("1.3 Its history . . . . . . 3"),
        block("2 Requirements 5"),
        block("2.1 Memory and *disks* 5"),
    ]


def test_a_page_of_contents_is_a_list_in_order():
    (page,) = whole(document(contents())).pages
    assert render_page(page).splitlines()[2:] == [
        "- 1 Welcome 1",
        "  - 1.1 What it is 1",
        "  - 1.2 Who reads it 2",
        "  - 1.3 Its history 3",
        "  - 1.4 Thanks 3",
        "- 2 Requirements 5",
        "  - 2.1 Memory and disks 5",
    ]


def test_a_page_of_contents_may_go_on():
    more = [block(f"3.{n} More of it {n + 5}") for n in range(1, 7)]
    found = whole(document(contents(), more))
    assert {each.category for each in found.pages[1].blocks} == {Category.LIST_ITEM}
    assert [entry.title for entry in found.outline] == ["Contents"]


def test_a_page_of_figures_is_no_page_of_contents():
    read = document(contents(title="Results of the year"))
    kinds = [each.category for each in whole(read).pages[0].blocks]
    assert kinds == [each.category for each in read.pages[0].blocks]


def test_bookmarks_tell_a_page_of_contents_without_a_heading():
    entries = ["Files", "Names", "Sizes", "Ends", "Beginnings"]
    bookmarks = [OutlineEntry(1 + n % 2, title, 3) for n, title in enumerate(entries)]
    (page,) = whole(document([block(f"{title} 3") for title in entries]), bookmarks).pages
    assert [each.level for each in page.blocks] == [0, 1, 0, 1, 0]


# ------------------------------------------------------------------------------------------------ furniture


def test_a_line_that_repeats_at_the_head_of_pages_is_no_text():
    pages = [[block(f"The Manual, page {n}", y=40), block("Some text.")] for n in (1, 2, 3)]
    found = whole(document(*pages))
    assert [page.blocks[0].category for page in found.pages] == 3 * [Category.PAGE_HEADER]
    assert "The Manual" not in joined(found)


def test_a_line_at_the_head_of_both_pages_of_two_is_no_text_and_a_table_goes_on_behind_it():
    first, rest = f"{HEAD}<tr><td>a</td><td>1</td></tr></table>", f"{HEAD}<tr><td>b</td><td>2</td></tr></table>"
    pages = [block("Harbour Office", y=30), table(first, y=600)], [block("Harbour Office", y=30), table(rest, y=100)]
    assert joined(whole(document(*pages))).count("<table>") == 1


def test_two_pages_that_begin_with_other_words_keep_them():
    pages = [block("Letter 1", y=30), block("One.")], [block("Letter 2", y=30), block("Two.")]
    assert "Letter 1" in joined(whole(document(*pages)))


def test_what_other_pages_have_as_their_head_is_no_text():
    """A page of one listing shows too little to tell its head by."""
    head = block("Pitfalls of Counting", Category.PAGE_HEADER, y=40)
    pages = [[head, block("Some text.")], [block("8 Pitfalls of Counting", y=40), block("x = 1", Category.CODE)]]
    found = whole(document(*pages, pages[0]))
    assert found.pages[1].blocks[0].category is Category.PAGE_HEADER
    assert "8 Pitfalls" in joined(whole(document(*pages)))
    assert "Pitfalls" in joined(whole(document(pages[0], [block("Pitfalls of Counting"), *pages[1][1:]], pages[0])))


def test_what_other_pages_have_as_their_foot_is_no_heading():
    foot = block("Chapter 3. Duties", Category.PAGE_FOOTER, y=770)
    ends = replace(heading("14 Chapter 3. Duties"), box=Box(60, 760, 540, 780))
    pages = [[block("Some text."), foot], [block("It ends."), ends], [block("More text."), foot]]
    assert whole(document(*pages)).pages[1].blocks[1].category is Category.PAGE_FOOTER


def test_an_emblem_at_the_head_of_each_page_is_no_picture():
    emblem = Block(Category.FIGURE, "9", Box(500, 20, 540, 60), image="images/a.png")
    found = whole(document(*([replace(emblem, text=str(n)), block("Some text.")] for n in (1, 2, 3))))
    assert "images" not in joined(found)
    apart = [replace(emblem, box=Box(60, 20 + 40 * n, 540, 300 + 40 * n)) for n in range(3)]
    assert joined(whole(document(*([each] for each in apart)))).count("images/a.png") == 3


def test_lines_that_stand_alone_on_their_pages_are_text():
    """Labels, each on a page of its own: a document of five pages came out empty, and ok."""
    labels = [[block(f"Box {n}", y=40)] for n in range(1, 6)]
    assert whole(document(*labels)).pages == document(*labels).pages
    filled = [[block(f"The Manual, page {n}", y=40), block("Some text.")] for n in (1, 2, 3)]
    found = whole(document(*filled, [block("The Manual, page 4", y=40)]))
    assert {page.blocks[0].category for page in found.pages} == {Category.PAGE_HEADER}


def test_headings_that_repeat_at_the_head_of_pages_stay():
    pages = [[replace(heading(f"Chapter {n}"), box=Box(60, 30, 540, 50)), block("Some text.")] for n in (1, 2, 3)]
    assert whole(document(*pages)).pages == document(*pages).pages


def test_lines_that_repeat_in_the_middle_or_at_other_heights_are_text():
    pages = [[block("Some text.", y=300 + 50 * n), block("See above.", y=500)] for n in (1, 2, 3)]
    assert whole(document(*pages)).pages == document(*pages).pages


def test_what_says_that_code_goes_on_overleaf_is_furniture():
    first = [block("Text."), block("a = 1", Category.CODE, y=600), block("(continues on next page)", y=720)]
    second = [block("(continued from previous page)", y=70), block("b = 2", Category.CODE, y=120), block("Text.")]
    found = whole(document(first, second))
    assert [found.pages[0].blocks[-1].category, found.pages[1].blocks[0].category] == [
        Category.PAGE_FOOTER,
        Category.PAGE_HEADER,
    ]
    prose = whole(
        document([block("Text."), block("(see the next page)", y=720)], [block("(as said)", y=70), block("Text.")])
    )
    assert all(each.category is Category.TEXT for page in prose.pages for each in page.blocks)


def test_a_page_with_a_head_and_a_foot_alone_keeps_them_out_of_the_text():
    """A chapter that ended on a page before left one with nothing but these: they were two headings."""

    def page(text: str, number: int) -> list[Block]:
        feet = [block(f"{number} Chapter 3", Category.PAGE_FOOTER, y=760)]
        return [block("The Reference", Category.PAGE_HEADER, y=30), block(text), *feet]

    blank = [replace(heading("The Reference"), box=Box(60, 20, 540, 40)), block("6 Chapter 4. Files", y=760)]
    found = whole(document(page("One.", 2), page("Two.", 4), blank))
    assert [each.category for each in found.pages[2].blocks] == [Category.PAGE_HEADER, Category.PAGE_FOOTER]


# ------------------------------------------------------------------------------------------------ going on


def test_a_sentence_goes_on_over_the_end_of_a_page():
    found = whole(document([block("It keeps what it has")], [block("read so far. Then it stops.")]))
    assert joined(found) == "<!-- page 1 -->\n\nIt keeps what it has read so far. Then it stops.\n\n<!-- page 2 -->\n"


def test_a_word_broken_at_the_end_of_a_page_is_made_whole():
    found = whole(document([block("It shows the hier-")], [block("archy of pages.")]))
    assert "hierarchy of pages." in joined(found)


def test_a_paragraph_may_go_on_over_a_whole_page():
    found = whole(document([block("It begins with a word")], [block("and goes on and")], [block("ends here.")]))
    assert "It begins with a word and goes on and ends here." in joined(found)


def test_a_sentence_goes_on_behind_a_figure_and_a_note():
    figure = block("", Category.FIGURE, image="images/page-0002-figure-1.png")
    note = block("1 A note.", Category.FOOTNOTE)
    foot = block("12", Category.PAGE_NUMBER)
    found = whole(document([block("It keeps what it"), note, foot], [figure, block("has read.")]))
    assert "It keeps what it has read." in joined(found)


def test_an_item_goes_on_over_the_end_of_a_page():
    item = block("- what it has", Category.LIST_ITEM)
    assert "- what it has read" in joined(whole(document([item], [block("read so far")])))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It ends here.", "The next begins."),
        ("It ends here.", "next begins in small letters."),
        ("It lists:", "what it lists"),
        ("It keeps what it has", "- an item"),
        ("A short line", "Another One"),
        ("one", "two"),
        ("It prints the value of the name that was given to it", "`++name` adds one to the name that was given to it"),
    ],
)
def test_what_has_ended_does_not_go_on(before, after):
    found = whole(document([block(before)], [block(after)]))
    assert not any(each.goes_on or each.continues for page in found.pages for each in page.blocks)


def test_pages_that_are_not_neighbours_are_not_joined():
    found = document([block("It keeps what it has")], [block("read so far.")])
    apart = replace(found, pages=(found.pages[0], replace(found.pages[1], number=7)))
    assert whole(apart).pages == apart.pages


def test_a_table_that_goes_on_gets_one_head():
    one, other = HEAD + "<tr><td>a</td><td>1</td></tr></table>", HEAD + "<tr><td>b</td><td>2</td></tr></table>"
    text = joined(whole(document([table(one, y=700)], [table(other, y=60)])))
    assert HEAD + "<tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>" in text
    assert text.count("<table>") == 1


def test_a_table_without_a_head_goes_on_where_its_edges_meet():
    rest = "<table><tr><td>b</td><td>2</td></tr></table>"
    one = HEAD + "<tr><td>a</td><td>1</td></tr></table>"
    assert joined(whole(document([table(one, y=700)], [table(rest, y=60)]))).count("<table>") == 1
    assert joined(whole(document([table(one, y=200)], [table(rest, y=60)]))).count("<table>") == 2


def test_tables_of_other_widths_or_with_a_caption_between_stay_apart():
    one = HEAD + "<tr><td>a</td><td>1</td></tr></table>"
    narrow = "<table><tr><td>b</td></tr></table>"
    caption = block("Table 2: Sizes", Category.CAPTION)
    assert joined(whole(document([table(one, y=700)], [table(narrow, y=60)]))).count("<table>") == 2
    assert joined(whole(document([table(one, y=700)], [caption, table(one, y=60)]))).count("<table>") == 2


# ------------------------------------------------------------------------------------------------ what is written


def test_a_pages_own_text_stays_on_it_and_it_says_what_goes_on():
    first, second = whole(document([block("It keeps what it has")], [block("read so far.")])).pages
    assert render_page(first) == "It keeps what it has\n\n<!-- continued on page 2 -->\n"
    assert render_page(second) == "<!-- continued from page 1 -->\n\nread so far.\n"


def test_only_pages_that_changed_are_written_again():
    read = document([block("It keeps what it has")], [block("read so far.")], [block("The end.")])
    assert [page.number for page in revised(read, whole(read))] == [1, 2]


def test_the_pass_changes_nothing_that_it_has_done():
    once = whole(document([heading("1 Files", size=18), block("It keeps what it has")], [block("read so far.")]))
    assert whole(once) == once


def test_the_outline_and_what_goes_on_are_stored():
    found = whole(document([heading("1 Files"), block("It keeps what it has")], [block("read so far.")]))
    assert found.outline == (OutlineEntry(2, "1 Files", 1),)
    assert read_json(render_json(found)) == found


def test_no_join_leaves_pages_as_they_are():
    read = document([heading("1.1 Files"), block("It keeps")], [block("what it has.")], options={"no_join": True})
    assert whole(read) is read


@pytest.fixture
def manual(tmp_path, monkeypatch) -> Path:
    """Two pages, and a sentence that goes on from the first to the second."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    with pymupdf.open() as made:
        for title, lines in (("1 Files", ["The program keeps", "what it has"]), ("1.1 Names", ["read so far."])):
            page = made.new_page(width=300, height=300)
            page.insert_text((40, 60), title, fontsize=18, fontname="hebo")
            for n, line in enumerate(lines):
                page.insert_text((40, 100 + 14 * n), line)
        made.set_toc([[1, "Files", 1], [2, "Names", 2]])
        made.save("in/a.pdf")
    with pymupdf.open("in/a.pdf") as made:
        made[1].insert_text((40, 40), "")
    return Path("in/a.pdf")


def of(kind: str) -> str:
    return Path(f"out/a/{kind}").read_text("utf-8")


@pytest.mark.usefixtures("workers_nearby")
@pytest.mark.parametrize("command", ["convert", pytest.param("batch", marks=pytest.mark.e2e)])
def test_a_run_writes_the_joined_document_and_its_outline(command, manual):
    assert run([command, str(manual) if command == "convert" else "in", "-o", "out", "--drafter", "text-layer"]) == 0
    outline = json.loads(of("document.json"))["outline"]
    assert [(entry["level"], entry["title"], entry["page"]) for entry in outline] == [
        (2, "1 Files", 1),
        (3, "1.1 Names", 2),
    ]
    assert "### 1.1 Names" in of("page-0002.md")


def test_python_users_get_the_joined_document_too(manual):
    found = parse(manual, ParseOptions(drafting=DraftOptions(drafter="text-layer")))
    assert [entry.level for entry in found.outline] == [2, 3]


# ------------------------------------------------------------------------------------------------- notes


def test_a_footnotes_mark_leads_to_it_in_the_joined_document():
    note = block("¹ So it seems.", Category.FOOTNOTE, y=760)
    read = whole(document([block("It is so.¹ And more.", y=100, sources=("text-layer",)), note]))
    assert "It is so.[¹](#note-1-1) And more." in joined(read)
    assert '<a id="note-1-1"></a>¹ So it seems.' in joined(read)
    assert "#note" not in render_markdown(read)


def test_a_mark_that_stands_twice_may_be_an_exponent_and_is_left_alone():
    note = block("² So it seems.", Category.FOOTNOTE, y=760)
    assert "note-" not in joined(whole(document([block("An area of 5 m², it is said.²", y=100), note])))


def test_of_two_notes_with_one_mark_the_first_is_led_to():
    notes = [block(f"¹ {said}", Category.FOOTNOTE, y=y) for said, y in (("So it seems.", 760), ("Not so.", 780))]
    read = joined(whole(document([block("It is so.¹ And more.", y=100), *notes])))
    assert (read.count("#note-1-1"), '<a id="note-1-1"></a>¹ So' in read) == (1, True)


def test_twice_as_many_notes_are_linked_in_twice_the_steps():
    """1,600 notes on a page cost four times what 800 do."""

    def steps(count: int) -> int:
        marks = ["".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(n + 1)) for n in range(count)]
        notes = tuple(Block(Category.FOOTNOTE, f"{mark} a note") for mark in marks)
        page = ParsedPage(1, blocks=(Block(Category.TEXT, "".join(f"word{mark} " for mark in marks)), *notes))
        return calls_of(lambda: with_linked_notes([page]))

    steps(10)
    assert steps(400) < 2.5 * steps(200)


def test_a_word_broken_before_a_capital_goes_on_over_a_pages_end_alone():
    before, after = (
        block("What is sought is found in the papers of the Reg-"),
        block("Ex of the year before, and in no other"),
    )
    first, second = document([before], [after]).pages
    assert sentence_goes_on(first, before, second, after)
    assert not sentence_goes_on(first, before, first, after)


def test_a_sentence_that_ended_does_not_go_on_in_small_letters_unless_its_end_is_a_short_form():
    first, second = document([], []).pages
    goes_on = [
        sentence_goes_on(
            first, block(f"It is said in the papers of the year, {end}"), second, block("page nine of them")
        )
        for end in ("and", "and it is.", "cf.")
    ]
    assert goes_on == [True, False, True]
