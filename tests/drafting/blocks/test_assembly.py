from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.document import SUPPOSED, Box, Category, Draft, Region
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.lines import LayoutBox, Line, extent


def line(text: str, y: float, x0: float = 100, x1: float = 500, size: float = 10, source: str = "embedded") -> Line:
    return Line(Box(x0, y, x1, y + 14), text, size, source, confidence=0.9)


def body(count: int, y: float = 200) -> list[Line]:
    return [line(f"word{n} of a text that goes on and on", y + 18 * n) for n in range(count)]


def test_a_table_is_placed_between_the_paragraphs_around_it():
    table = Region(Box(100, 300, 500, 400), Category.TABLE, (Draft("<table></table>", "embedded"),))
    regions = assemble([*body(4), *body(4, 420)], 600, 1000, fixed=[table])
    assert [region.category for region in regions] == [Category.TEXT, Category.TABLE, Category.TEXT]


def test_two_lines_between_listings_stand_apart_if_lines_of_the_text_stand_nearer():
    code = [Region(Box(100, y, 500, y + 40), Category.CODE, (Draft("run", "text-layer"),)) for y in (300, 420)]
    pair = [line("getr is a short name.", 350, x1=300), line("machine name says for which one", 372)]
    text = [replace(each, source="text-layer", size=13) for each in [*body(5), *pair]]
    found = [region.text for region in assemble(text, 600, 1000, fixed=code) if region.category is Category.TEXT]
    assert found[1:] == ["getr is a short name.", "machine name says for which one"]


def test_a_heading_label_makes_one_region_of_its_lines():
    lines = [line("A heading of", 100), line("two lines", 118), *body(6)]
    layout = [LayoutBox(Box(90, 95, 510, 135), Category.SECTION_HEADER)]
    first = assemble(lines, 600, 1000, layout=layout)[0]
    assert (first.category, first.text) == (Category.SECTION_HEADER, "A heading of two lines")


def test_two_headings_that_numbers_begin_are_two_whatever_the_label():
    """A paper's `2 Preliminaries 2.1 Web Model` was one heading."""
    lines = [line("2 Preliminaries", 100, x1=250), line("2.1 Web model", 118, x1=240), *body(6)]
    layout = [LayoutBox(Box(90, 95, 510, 135), Category.SECTION_HEADER)]
    found = [region.text for region in assemble(lines, 600, 1000, layout=layout)[:2]]
    assert found == ["2 Preliminaries", "2.1 Web model"]


def test_a_scanned_address_whose_first_lines_are_labelled_as_a_heading_is_none():
    """A bill's `Musikschule Traun, Schulstraße 2` was a heading over its town: the town stands at the same step."""
    address = [
        line("Musikschule Traun", 100, x1=250),
        line("Schulstraße 2", 118, x1=220),
        line("4050 Traun", 136, x1=200),
    ]
    layout = [LayoutBox(Box(90, 95, 510, 133), Category.SECTION_HEADER)]
    assert Category.SECTION_HEADER not in {
        each.category for each in assemble([*address, *body(6)], 600, 1000, layout=layout)
    }
    bold = [replace(each, bold=True, weight=0.4) for each in address[:2]]
    assert assemble([*bold, address[2], *body(6)], 600, 1000, layout=layout)[0].category is Category.SECTION_HEADER


def test_boxes_to_tick_below_a_heading_are_no_part_of_it_whatever_the_labels():
    """A scanned form's question and its answers were one heading."""
    lines = [line("3 How may we write?", 100, size=14), line("☐ by post ☒ by e-mail", 116, size=14), *body(6, 150)]
    layout = [LayoutBox(each.box, Category.SECTION_HEADER) for each in lines[:2]]
    assert assemble(lines, 600, 1000, layout=layout)[0].text == "3 How may we write?"


@pytest.mark.parametrize(("letters", "kind"), [(11.0, Category.TEXT), (16.0, Category.SECTION_HEADER)])
def test_a_scanned_label_in_much_smaller_letters_is_no_heading(letters, kind):
    """A laboratory's `Born`, in pale small letters over its date, was a heading."""
    label = replace(line("Born on", 150, x1=150, size=16), letter_size=letters, paler=0.5)
    value, text = (
        line("20 September 1982", 175, size=16),
        [line("words of a report " * 2, 250 + 20 * n, size=16) for n in range(6)],
    )
    lines = [label, *(replace(each, letter_size=16.0) for each in (value, *text))]
    regions = assemble(lines, 800, 1000, layout=[LayoutBox(label.box, Category.SECTION_HEADER)])
    assert next(region.category for region in regions if region.drafts[0].text.startswith("Born")) is kind


def test_a_scanned_line_in_ink_of_another_tone_is_a_block_of_its_own():
    """A scan of a report by Word had its blue headings, in the text's size, at the head of the text below them."""
    lines = [line("By month", 182, x1=160), *body(6)]
    for paler, first in ((0.0, "By month word0"), (0.5, "By month")):
        toned = [replace(lines[0], paler=paler), *lines[1:]]
        assert assemble(toned, 600, 1000)[0].text.startswith(first)
    assert assemble(toned, 600, 1000)[0].text == "By month"


def test_a_long_heading_is_text_whatever_the_label():
    lines = [line("a very long line of text that says a lot of things " * 2, 200 + 18 * n) for n in range(4)]
    layout = [LayoutBox(Box(90, 190, 510, 280), Category.SECTION_HEADER)]
    assert {region.category for region in assemble(lines, 600, 1000, layout=layout)} == {Category.TEXT}


def test_an_address_in_large_bold_type_is_no_heading():
    said = ("ALEXIS MARCHAND", "Marchand et Fils", "27 rue Henri Rolland", "69100 Villeurbanne")
    address = [replace(line(text, 80 + 16 * n, x1=260, size=12.5), bold=True) for n, text in enumerate(said)]
    exact = [replace(each, source="text-layer") for each in [*address, *body(6)]]
    layout = [LayoutBox(Box.around(each.box for each in address).expanded(2), Category.TEXT)]
    (found,) = (each for each in assemble(exact, 600, 1000, layout=layout) if each.text.strip("*").startswith("ALEX"))
    assert found.category is Category.TEXT


def test_a_question_in_two_bold_lines_with_the_number_of_a_part_is_a_heading_where_the_label_agrees():
    asked = [
        line("3.1.10 I have a working desktop with it. How do I", 145, size=12),
        line("know which one I run?", 163, size=12),
    ]
    head = [replace(each, source="text-layer", bold=True) for each in asked]
    above = [line(f"word{n} of a text that goes on and on", 60 + 18 * n) for n in range(4)]
    lines = [*(replace(each, source="text-layer") for each in above), *head]
    lines += [replace(each, source="text-layer") for each in body(6)]
    layout = [LayoutBox(Box.around(each.box for each in head).expanded(2), Category.SECTION_HEADER)]
    (heading,) = (each for each in assemble(lines, 600, 1000, layout=layout) if each.text.startswith("3.1.10"))
    assert heading.category is Category.SECTION_HEADER


def test_three_lines_in_the_text_s_own_type_are_no_heading():
    """A bill's address was one, since the layout model said so."""
    rows = ("Lukas Brandl", "Weinbergweg 9", "76530 Baden-Baden")
    address = [replace(each, box=replace(each.box, x1=180)) for each in exact_lines(rows, 100)]
    label = LayoutBox(Box.around(each.box for each in address), Category.SECTION_HEADER)
    found = assemble([*address, *exact(6, 240)], 600, 1000, layout=[label])
    assert {region.category for region in found} == {Category.TEXT}


def test_what_ends_with_a_colon_in_the_text_s_own_type_is_no_heading():
    lines = [replace(each, source="text-layer") for each in (line("To sum up:", 150, x1=200), *body(6))]
    layout = [LayoutBox(lines[0].box, Category.SECTION_HEADER)]
    assert assemble(lines, 600, 1000, layout=layout)[0].category is Category.TEXT


def test_a_bold_line_that_introduces_a_listing_is_no_heading():
    head = bold("rules (template file):", 290)
    code = Region(Box(100, 310, 500, 400), Category.CODE, (Draft("%:", "text-layer"),))
    label = LayoutBox(head.box, Category.SECTION_HEADER)
    found = assemble([*exact(4, 200), head, *exact(4, 420)], 600, 1000, layout=[label], fixed=[code])
    assert Category.SECTION_HEADER not in {region.category for region in found}
    assert found[1].text.startswith(head.plain)


def test_a_letters_parts_are_text_whatever_the_label():
    lines = [line("14 March 2026", 60), line("Dear Ms Okafor,", 100), *body(6), line("Yours sincerely,", 350)]
    layout = [LayoutBox(each.box, Category.SECTION_HEADER) for each in (lines[0], lines[1], lines[-1])]
    assert {region.category for region in assemble(lines, 600, 1000, layout=layout)} == {Category.TEXT}


def test_a_name_under_a_letter_is_no_list_item():
    lines = [*body(6), line("M. Okafor", 350), line("Harbour Master", 380)]
    assert {region.category for region in assemble(lines, 600, 1000)} == {Category.TEXT}


def test_initials_of_authors_are_no_list_items():
    title = line("A Title of a Paper in Large Type", 60, size=24)
    authors = line("S. Sund, B. Orrin and C. Vale", 110), line("M. Hagen and A. Lunde", 130)
    categories = [region.category for region in assemble([title, *authors, *body(6)], 600, 1000)]
    assert Category.LIST_ITEM not in categories


def test_an_initial_at_a_lines_start_begins_no_paragraph():
    lines = [
        line("The marsh was surveyed twice, in May by", 200),
        line("J. Orrin and again in autumn by somebody", 218),
    ]
    entry = [line("Sund, A., Vale, B., Lunde, C., Orrin, D., Berg, E., & Dahl,", 260)]
    rest = [line("F. G., Hagen, K. (2020). A survey of the marsh.", 278, x0=120)]
    texts = [region.text for region in assemble([*lines, *entry, *rest], 600, 1000)]
    assert texts == [f"{lines[0].text} {lines[1].text}", f"{entry[0].text} {rest[0].text}"]


def test_answers_that_look_like_names_are_list_items():
    lines = [line("A. Lisbon", 100), line("B. Porto", 130), line("C. Faro", 160)]
    assert {region.category for region in assemble(lines, 600, 1000)} == {Category.LIST_ITEM}


def test_chinese_list_items_need_no_blank_after_their_marker():
    lines = [line("（1）打开电源", 100), line("（2）检查仪表", 130), line("③记录读数", 160)]
    regions = assemble(lines, 600, 1000)
    assert [region.text for region in regions] == ["- （1）打开电源", "- （2）检查仪表", "- ③记录读数"]


def test_list_items_nest_by_where_they_stand():
    lines = [line("• one", 200), line("– inner", 218, x0=130), line("• two", 236), *body(4, 300)]
    items = [region for region in assemble(lines, 600, 1000) if region.category is Category.LIST_ITEM]
    assert [(item.text, item.level) for item in items] == [("- one", 0), ("- inner", 1), ("- two", 0)]


def test_the_next_columns_list_begins_anew():
    left = [line(f"{n}. one thing to be done here", 200 + 18 * n, 50, 280) for n in range(1, 7)]
    right = [line(f"{n}. one thing to be done there", 200 + 18 * (n - 6), 320, 560) for n in range(7, 13)]
    assert {region.level for region in assemble([*left, *right], 600, 1000)} == {0}


def test_a_marker_detected_apart_joins_its_text():
    lines = [
        line("1.", 200, 100, 112),
        line("first", 200, 130, 200),
        line("2.", 218, 100, 112),
        line("b", 218, 130, 140),
    ]
    assert [region.text for region in assemble(lines, 600, 1000)] == ["1. first", "2. b"]


def test_a_region_knows_its_source_and_its_mean_confidence():
    draft = assemble(body(3), 600, 1000)[0].drafts[0]
    assert (draft.source, draft.confidence) == ("embedded", 0.9)


def test_a_terms_hyphen_at_a_lines_end_is_kept_where_another_paragraph_has_it_within_a_line():
    below = [
        line("The tool is found in each pack-", 300),
        line("age that has the update-", 312),
        line("alternatives.", 324, x1=200),
    ]
    _, second = assemble([line("The update-alternatives are links.", 200, x1=300), *below], 600, 800)
    assert second.drafts[0].text == "The tool is found in each package that has the update-alternatives."


def test_an_option_broken_behind_its_dashes_is_whole_where_another_paragraph_has_it_within_a_line():
    below = [line("All that it did is said in the file that is named by --", 300), line("log-file.", 312, x1=200)]
    _, second = assemble([line("It takes --log-dir and more.", 200, x1=300), *below], 600, 800)
    assert second.drafts[0].text.endswith("named by --log-file.")


def test_dashes_at_a_lines_end_stay_a_dash_where_no_option_has_the_next_word():
    below = [line("All that it did is said in the file that it takes --", 300), line("log it.", 312, x1=200)]
    _, second = assemble([line("It takes --file and more.", 200, x1=300), *below], 600, 800)
    assert second.drafts[0].text.endswith("that it takes -- log it.")


def test_a_number_broken_at_its_hyphen_in_a_paragraph_has_no_blank():
    below = [
        line("The parts of the older kind that are named K7255-", 200),
        line("69 are still in stock.", 212, x1=200),
    ]
    assert "named K7255-69 are" in assemble(below, 600, 800)[0].drafts[0].text


def test_columns_written_downwards_are_read_from_the_right():
    def downwards(text: str, x: float) -> Line:
        return Line(Box(x, 100, x + 30, 100 + 34 * len(text)), text, 22, "embedded")

    lines = [
        downwards("人们在河边散步。", 420),
        downwards("今天的天气很好很好", 500),
        downwards("风从山上吹来到河边", 460),
    ]
    (region,) = assemble(lines, 600, 1000)
    assert region.text == "今天的天气很好很好风从山上吹来到河边人们在河边散步。"
    assert region.box == Box(420, 100, 530, 406)


def test_a_footnote_does_not_interrupt_a_sentence_between_columns():
    def set_in(x0: float, word: str) -> list[Line]:
        return [line(f"{word} goes on and on and on", 200 + 18 * n, x0, x0 + 220) for n in range(12)]

    note = line("1 A note.", 440, 100, 180, size=8)
    layout = [LayoutBox(Box(95, 435, 320, 456), Category.FOOTNOTE)]
    regions = assemble([*set_in(100, "left"), note, *set_in(340, "right")], 600, 1000, layout=layout)
    assert [region.text.split()[0] for region in regions] == ["left", "right", "1"]


def test_a_journals_foot_below_one_column_does_not_interrupt_it_either():
    """`MNRAS 000, 1-15` stood between the columns: only another page proves that it is a foot."""

    def set_in(x0: float, word: str) -> list[Line]:
        return [line(f"{word} goes on and on and on", 200 + 18 * n, x0, x0 + 220) for n in range(36)]

    foot = line("Journal of Things, 2021", 905, 60, 190)
    regions = assemble([*set_in(60, "left"), foot, *set_in(340, "right")], 600, 1000)
    assert [region.text.split()[0] for region in regions] == ["left", "right", "Journal"]
    assert regions[-1].because == SUPPOSED


def test_a_line_that_a_number_counts_is_no_running_head():
    """A pleading lost its first line, which stands apart at the page's top, as a case's name does."""
    lines = [replace(line("HALL VALLEY SCHOOLS,", 60, x1=260), source="text-layer"), *body(20, 110)]
    counts = [Box(60, y, 70, y + 14) for y in range(60, 480, 18)]
    for numbers, kind in (((), Category.PAGE_HEADER), (counts, Category.TEXT)):
        assert assemble(lines, 600, 1000, counts=numbers)[0].category is kind


lines_strategy = st.lists(
    st.tuples(
        st.integers(0, 500),
        st.integers(0, 950),
        st.integers(5, 300),
        st.sampled_from(["a", "• b", "12", "Fig. 1", "O"]),
    ),
    max_size=20,
)
layout_strategy = st.lists(
    st.tuples(st.integers(0, 500), st.integers(0, 900), st.integers(20, 500), st.sampled_from(list(Category))),
    max_size=5,
)


@given(lines_strategy, layout_strategy)
def test_every_line_lands_in_exactly_one_region(drawn, labelled):
    lines = [line(f"{text} w{n}w", y, x, x + w) for n, (x, y, w, text) in enumerate(drawn)]
    layout = [LayoutBox(Box(x, y, x + w, y + 100), category) for x, y, w, category in labelled]
    text = " ".join(region.text for region in assemble(lines, 800, 1000, layout=layout))
    assert all(text.count(f"w{n}w") == 1 for n in range(len(lines)))


def test_a_bullet_twice_as_large_as_its_words_begins_an_item():
    bullet = Line(Box(50, 96, 60, 118), "\u2022", 22, "text-layer")
    words = Line(Box(70, 102, 300, 112), "what the item says", 10, "text-layer")
    rest = [
        Line(Box(50, y, 550, y + 10), "Prose that stands below it and runs on.", 10, "text-layer") for y in (200, 214)
    ]
    regions = assemble([bullet, words, *rest], 600, 1000)
    assert [region.text for region in regions if region.category is Category.LIST_ITEM] == ["- what the item says"]


def bold(text: str, y: float, size: float = 10) -> Line:
    return replace(line(text, y, size=size, source="text-layer"), bold=True)


def exact_lines(texts: Sequence[str], y: float) -> list[Line]:
    return [line(text, y + 18 * n, source="text-layer") for n, text in enumerate(texts)]


def exact(count: int, y: float) -> list[Line]:
    return [replace(each, source="text-layer") for each in body(count, y)]


def test_a_bold_line_behind_a_lists_number_is_a_heading_where_text_follows():
    regions = assemble([bold("1. Introduction", 150), *exact(4, 190), bold("2. Files", 290), *exact(4, 330)], 600, 1000)
    kinds = [(region.category, region.text) for region in regions if region.category is not Category.TEXT]
    assert kinds == [(Category.SECTION_HEADER, "1. Introduction"), (Category.SECTION_HEADER, "2. Files")]


def test_bold_items_one_below_the_other_are_a_list():
    regions = assemble([bold("1. Open the box", 150), bold("2. Close it again", 180), *exact(4, 230)], 600, 1000)
    assert [region.category for region in regions[:2]] == [Category.LIST_ITEM, Category.LIST_ITEM]


def test_a_numbered_heading_may_end_with_a_full_stop():
    regions = assemble([bold("2.15 Support, help, etc.", 60), *exact(4, 100)], 600, 1000)
    assert regions[0].category is Category.SECTION_HEADER


def test_small_words_behind_a_raised_mark_at_the_foot_of_a_page_are_a_footnote():
    note = replace(
        line("1 A note, which is set small", 900, size=8, source="text-layer"), text="¹ A note, which is small"
    )
    regions = assemble([*exact(12, 200), note], 600, 1000)
    assert [region.category for region in regions] == [Category.TEXT, Category.FOOTNOTE]


def test_small_bold_words_at_the_foot_of_a_page_are_no_footnote():
    slip = replace(
        line("Payment slip, set small", 900, size=8, source="text-layer"), text="**Payment slip**, set small"
    )
    regions = assemble([*exact(12, 200), slip], 600, 1000)
    assert {region.category for region in regions} == {Category.TEXT}


def test_small_words_behind_a_raised_mark_above_other_text_are_text():
    note = replace(
        line("1 A note, which is set small", 600, size=8, source="text-layer"), text="¹ A note, which is small"
    )
    regions = assemble([*exact(12, 200), note, *exact(12, 650)], 600, 1000)
    assert {region.category for region in regions} == {Category.TEXT}


def test_labels_that_cut_a_sentence_are_not_believed():
    above, below = (
        line("Snow explains most of what varies between", 100),
        line("summers, and height the rest.", 112, x1=320),
    )
    labels = [LayoutBox(each.box, Category.TEXT) for each in (above, below)]
    (whole,) = assemble([above, below], 600, 800, layout=labels)
    assert whole.text == f"{above.plain} {below.plain}"


def test_labels_that_cut_a_sentence_in_wide_leading_are_not_believed():
    """Of Hebrew paragraphs in which lines stand 1.4 times their height apart the last line stood alone."""
    lines = [replace(each, box=replace(each.box, y0=each.box.y0, y1=each.box.y0 + 12)) for each in exact(6, 100)]
    layout = [LayoutBox(Box.around(each.box for each in part), Category.TEXT) for part in (lines[:5], lines[5:])]
    assert len(assemble(lines, 600, 800, layout=layout)) == 1


def test_a_labelled_boxs_lines_end_where_their_columns_do():
    """Two lines in one box, each a sentence, became one paragraph: nothing in the box told that they leave room."""
    pair = [line("There are several other files.", 300, x1=400), line("Templates below it:", 318, x1=220)]
    lines = [replace(each, source="text-layer") for each in (*body(5), *pair)]
    layout = [LayoutBox(Box.around(each.box for each in part), Category.TEXT) for part in (lines[:5], lines[5:])]
    assert [region.text for region in assemble(lines, 600, 800, layout=layout)][1:] == [each.plain for each in pair]


def test_what_begins_with_a_bullet_is_an_item_whatever_the_label():
    item = line("\u2022 what the item says", 400, source="text-layer")
    note = replace(item, text="1 what the note says", plain="")
    for said, kind in ((item, Category.LIST_ITEM), (note, Category.FOOTNOTE)):
        label = LayoutBox(said.box.expanded(2), Category.FOOTNOTE)
        assert assemble([*exact(8, 200), said], 600, 1000, layout=[label])[-1].category is kind


def test_labels_part_what_left_room_on_its_line():
    above, below = line("Snow explains", 100, x1=220), line("summers, and height the rest of it all", 112)
    labels = [LayoutBox(each.box, Category.TEXT) for each in (above, below)]
    assert len(assemble([above, below], 600, 800, layout=labels)) == 2


def test_a_paragraph_says_where_its_printed_lines_end():
    texts = ("The hier-", "archy of 3 *things", "that are known")
    lines = [Line(Box(50, 100 + 20 * n, 500, 112 + 20 * n), text, 12, "text-layer") for n, text in enumerate(texts)]
    (region,) = assemble(lines, 600, 800)
    assert region.text == "The hierarchy of 3 \\*things that are known"
    assert region.line_ends == (7, 21, 33)


def test_a_drop_cap_joins_its_line():
    capital = Line(Box(100, 200, 128, 232), "O", 30, "embedded")
    lines = [capital, line("ver the past", 200, 130), line("three decades", 218, 130), *body(3, 240)]
    assert assemble(lines, 600, 1000)[0].text.startswith("Over the past three decades")


def test_a_headings_label_holds_no_smaller_line_below_it():
    text = [replace(each, source="text-layer") for each in body(6, y=124)]
    heading = line("New house opens", 98, x1=250, size=14, source="text-layer")
    layout = [
        LayoutBox(Box(90, 95, 510, 141), Category.SECTION_HEADER),
        LayoutBox(Box(90, 141, 510, 240), Category.TEXT),
    ]
    assert assemble([heading, *text], 600, 1000, layout=layout)[0].text == "New house opens"


def test_a_titles_smaller_second_line_stays_with_it_where_it_is_larger_than_the_text():
    title = [
        line("Access to rows", 90, size=18, source="text-layer"),
        line("and columns", 112, size=14, source="text-layer"),
    ]
    text = [replace(each, source="text-layer") for each in body(6)]
    layout = [LayoutBox(Box(90, 85, 510, 130), Category.SECTION_HEADER)]
    assert assemble([*title, *text], 600, 1000, layout=layout)[0].text == "Access to rows and columns"


def test_a_star_alone_marks_a_note_and_two_mark_items():
    alone = assemble([*body(4), line("* without the east wing", 300)], 600, 1000)
    assert (alone[-1].category, alone[-1].text) == (Category.TEXT, "* without the east wing")
    two = assemble([line("* bread", 100), line("* milk", 118)], 600, 1000)
    assert [region.category for region in two] == [Category.LIST_ITEM] * 2


def test_a_small_caption_above_a_heading_is_no_part_of_it_though_one_label_holds_both():
    lines = [line("The lamp as it was drawn by a guest.", 100, size=8), line("Safety on board", 118, size=13), *body(6)]
    exact = [replace(each, source="text-layer", bold=each.size > 12) for each in lines]
    layout = [LayoutBox(Box(90, 95, 510, 135), Category.SECTION_HEADER)]
    found = assemble(exact, 600, 1000, layout=layout)
    assert [each.text for each in found if each.category is Category.SECTION_HEADER] == ["Safety on board"]


@pytest.mark.parametrize(("second", "parts"), [("and columns of a page", 1), ("Columns of a page", 2)])
def test_a_titles_second_line_in_small_letters_stays_with_it_though_lines_are_set_wide(second, parts):
    """A manuscript's title was a title and a heading, each with a label of its own."""
    title = [replace(line(text, y, size=16), source="text-layer") for text, y in (("Access to rows", 60), (second, 92))]
    layout = [LayoutBox(each.box.expanded(2), Category.SECTION_HEADER) for each in title]
    text = [replace(each, source="text-layer") for each in body(12)]
    found = assemble([*title, *text], 600, 1000, layout=layout)
    assert [each.text for each in found[:parts]] == (
        [f"Access to rows {second}"] if parts == 1 else ["Access to rows", second]
    )


def test_a_title_that_the_model_takes_for_a_running_head_is_a_title_until_other_pages_say_so():
    title = replace(line("Mill bulletin", 60, x0=250, x1=350, size=18), bold=True, source="text-layer")
    lines = [title, *(replace(each, source="text-layer") for each in body(12))]
    layout = [LayoutBox(title.box.expanded(2), Category.PAGE_HEADER)]
    first = assemble(lines, 600, 1000, layout=layout)[0]
    assert (first.category, first.because, first.text) == (Category.TITLE, SUPPOSED, "Mill bulletin")


def test_a_paragraphs_last_line_that_no_gutter_crosses_stays_with_it():
    """It was a paragraph of its own, above columns that begin right below it."""
    wide = [line(f"word{n} of a text that goes on and on", 100 + 18 * n, x1=560, size=10) for n in range(3)]
    last = line("while the tide was out, though it rained.", 154, x1=300)
    left = [line(f"Left{n} of a column that goes on", 172 + 18 * n, x0=100 + 15 * (n == 0), x1=300) for n in range(9)]
    right = [line(f"Right{n} of a column that goes on", 172 + 18 * n, x0=340, x1=560) for n in range(9)]
    exact = [replace(each, source="text-layer") for each in (*wide, last, *left, *right)]
    assert assemble(exact, 600, 1000)[0].text.endswith("on and on while the tide was out, though it rained.")


def test_a_line_that_names_the_figure_above_it_is_its_caption():
    figure = Region(Box(100, 300, 500, 400), Category.FIGURE)
    named, said = (
        line(text, 410, source="text-layer") for text in ("Figure 1-2 The parts", "Figure 1-2 shows the parts")
    )
    kinds = [
        [r.category for r in assemble([*exact(4, 200), each], 600, 1000, fixed=[figure])] for each in (named, said)
    ]
    assert [kind[-1] for kind in kinds] == [Category.CAPTION, Category.TEXT]


def test_each_party_of_a_bill_is_read_whole_with_its_lines_apart():
    """Names stood first, then addresses: a narrow seller's lines alone made a column."""
    parties = (
        ("Absender", "Brandt GmbH", "Hauptstr. 7", "1010 Wien", "+43 386 591", "post@brandt.example", "IBAN DE90 4951"),
        ("Rechnungsempfänger", "Studio Nord", "Am Graben 15", "75011 Paris"),
        ("Lieferadresse", "Obra Nueva", "12 Mill Lane", "+42 879 931"),
    )
    lines = [
        replace(line(text, 100 + 14 * m, x0, x0 + 6 * len(text), source="text-layer"), size=11)
        for x0, party in zip((60, 220, 380), parties, strict=True)
        for m, text in enumerate(party)
    ]
    found = assemble([line("Delivery note", 50, 60, 200, 20, "text-layer"), *lines, *body(4, 300)], 600, 1000)
    assert [region.text.splitlines() for region in found[1:4]] == list(map(list, parties))


def test_the_lines_of_an_address_that_begins_with_an_initial_stay_apart():
    """`M. Léon Client` was an item, then text again, in one line with the street."""
    address = ["M. Léon Client", "SA La Cliance", "Rue Haute 25", "4321 Bruxelles"]
    lines = [line(text, 100 + 18 * n, 100, 100 + 7 * len(text), source="text-layer") for n, text in enumerate(address)]
    assert assemble([*lines, *body(4, 300)], 600, 1000)[0].text.splitlines() == address


def test_words_alone_between_two_formulas_are_text_whatever_the_label():
    """`can be determined as:` was a displayed formula."""
    label = [LayoutBox(Box(90, 90, 510, 140), Category.FORMULA)]
    for said, category in (("can be determined as:", Category.TEXT), ("a + b = c", Category.FORMULA)):
        assert assemble([line(said, 100, source="text-layer")], 600, 1000, layout=label)[0].category is category


def test_a_scans_columns_are_told_by_the_height_of_its_type():
    """A news page's narrow column was read across with the one beside it: an OCR's boxes are half as high again."""

    def scanned(text: str, x: float, y: float, width: float) -> Line:
        return Line(Box(x, y, x + width, y + 43), text, 31, "embedded")

    left = [scanned(f"left {n} goes on and on", 100, 200 + 32 * n, 435 - n % 3) for n in range(12)]
    widths = (300, 208, 207, 187, 230, 167, 171, 310, 190)
    right = [scanned(f"Right {n}", 620, 211 + 32 * n, width) for n, width in enumerate(widths)]
    said = " ".join(region.text for region in assemble([*left, *right], 1000, 1400)).split()
    assert said.index("Right") > max(n for n, word in enumerate(said) if word == "left")


def test_lines_of_two_columns_that_stand_between_each_other_tell_no_step():
    """Half a step seemed usual, and each sentence at a line's end was the last of its paragraph."""
    left = [line(f"left{n} of a column that goes on and on", 100 + 18 * n, 60, 300) for n in range(12)]
    right = [line(f"right{n} of a column that goes on and on", 109 + 18 * n, 320, 560) for n in range(12)]
    first, second = line("It is high.", 400, 60, 300), line("So it is said.", 418, 60, 200)
    table = Region(Box(60, 330, 560, 390), Category.TABLE, (Draft("<table></table>", "text-layer"),))
    made = [replace(each, source="text-layer") for each in (*left, *right, first, second)]
    assert len(assemble(made, 620, 1000, fixed=[table])) == 4


def test_a_captions_first_line_with_a_label_of_its_own_goes_on_in_the_next():
    lines = [line("Figure 2: The weights of the catch in the har-", 100, source="text-layer")]
    lines += [line("bour of the town, in tonnes.", 118, x1=400, source="text-layer")]
    layout = [LayoutBox(each.box, kind) for each, kind in zip(lines, (Category.CAPTION, Category.TEXT), strict=True)]
    (found,) = assemble(lines, 600, 1000, layout=layout)
    assert found.text.endswith("in the harbour of the town, in tonnes.")


@pytest.mark.parametrize(
    "words", [("Rysunek 2: Waga ryb w porcie.",), ("Tabelle II", "Das Gewicht der Fische im Hafen.")]
)
def test_words_beside_a_table_that_name_it_or_stand_below_its_number_are_its_caption(words):
    """They were taken for the sentence that goes on behind the table."""
    table = Region(Box(100, 300, 500, 400), Category.TABLE, (Draft("<table></table>", "text-layer"),))
    above = [line(text, 300 - 18 * (len(words) - n), source="text-layer") for n, text in enumerate(words)]
    kinds = (Category.CAPTION, Category.TEXT)[-len(words) :]
    layout = [LayoutBox(each.box, kind) for each, kind in zip(above, kinds, strict=True)]
    found = assemble([*exact(4, 100), *above], 600, 1000, fixed=[table], layout=layout)
    assert found[-2].category is Category.CAPTION


def test_what_stands_at_the_top_of_a_tickets_frame_is_no_running_head():
    """A ticket's name and number were left out of the text: they stood level, above white."""
    name, number = line("Ferrara & Sons", 40, x1=200), line("2544", 42, x0=400, x1=440)
    tables = [
        Region(Box(100, y, 500, y + 30), Category.TABLE, (Draft("<table></table>", "embedded"),)) for y in (90, 140)
    ]
    page = [name, number, *body(12, 300)]
    first = assemble(page, 600, 1000, fixed=tables, grounds=[Box(90, 30, 510, 180)])[0]
    assert (first.category, assemble(page, 600, 1000, fixed=tables)[0].category) == (
        Category.TEXT,
        Category.PAGE_HEADER,
    )


def test_a_scans_heading_is_one_though_half_of_it_is_labelled_as_text():
    """A newsletter's `The stores will be` and `enlarged in spring` were two headings."""
    upper = replace(line("The stores will be", 100, x1=360, size=16), bold=True, letter_size=18.0)
    lower = replace(line("enlarged in spring", 118, x1=350, size=18), bold=True, letter_size=18.0)
    labels = [LayoutBox(upper.box, Category.TEXT), LayoutBox(lower.box, Category.SECTION_HEADER)]
    found = assemble([upper, lower, *body(6)], 600, 1000, layout=labels)
    assert found[0].category in (Category.TITLE, Category.SECTION_HEADER)
    assert found[0].text == "The stores will be enlarged in spring"


def test_a_scans_line_is_as_high_as_its_letters_however_high_its_box_is():
    """A newspaper's four columns were read in bands: beside such high boxes their lines looked too short."""
    seen = replace(line("words of a column", 100, size=30), box=Box(100, 100, 400, 142), letter_size=26.0)
    assert extent(seen).height == pytest.approx(extent(replace(seen, size=26.0, letter_size=0.0)).height)
