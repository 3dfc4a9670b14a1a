from dataclasses import replace

import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.paragraphs import item_text, paragraphs, runs_on
from docparse_fast.drafting.lines import Line
from docparse_fast.text.joined_text import joined


def line(text: str, row: float, x0: float = 0, x1: float = 400, size: float = 10, **kind) -> Line:
    return Line(Box(x0, row * 14, x1, row * 14 + 10), text, size, "text-layer", **kind)


def texts(lines: list[Line]) -> list[str]:
    return [joined([member.text for member in group]) for group in paragraphs(lines)]


def test_an_indent_after_a_full_stop_begins_a_paragraph():
    lines = [line("One ends here.", 0), line("Two begins", 1, x0=20), line("and goes on.", 2)]
    assert texts(lines) == ["One ends here.", "Two begins and goes on."]


def test_a_short_last_line_ends_a_paragraph():
    lines = [line("A line that fills it all", 0), line("and ends.", 1, x1=100), line("Another begins here", 2)]
    assert texts(lines) == ["A line that fills it all and ends.", "Another begins here"]


def test_a_ragged_line_in_the_middle_of_a_sentence_ends_nothing():
    lines = [line("a line that is", 0, x1=300), line("Ragged on its right", 1), line("side only.", 2, x1=200)]
    assert len(paragraphs(lines)) == 1


@pytest.mark.parametrize(("right", "count"), [("Name: A. Quill", 2), ("A. Quill", 1)])
def test_the_same_label_far_behind_another_begins_a_paragraph(right, count):
    """Two people sign beside each other: `Name: J. Lund Name: A. Quill`."""
    assert len(texts([line("Name: J. Lund", 0, x1=80), line(right, 0, x0=160, x1=240)])) == count


def test_a_gap_parts_paragraphs():
    lines = [line("a", 0), line("b", 1), line("c", 2.8), line("d", 3.8)]
    assert [len(group) for group in paragraphs(lines)] == [2, 2]


def test_a_part_and_its_first_section_are_two_headings():
    """Journals set the one 1.12 times as large as the other, right above it: they became one heading."""
    lines = [line("Methods", 0, x1=40, size=10.3), line("DNA extraction", 1, x1=70, size=9.2)]
    assert texts(lines) == ["Methods", "DNA extraction"]


def test_bold_lines_of_nearly_one_size_are_two_headings():
    """A paper's title and the name of its first part were one: a file sets one heading in one size exactly."""
    lines = [line("Stock list", 0, x1=90, size=30.4, bold=True), line("Positions", 1.7, x1=80, size=28.8, bold=True)]
    assert texts(lines) == ["Stock list", "Positions"]
    assert len(paragraphs([replace(each, size=30.4) for each in lines])) == 1


def test_list_items_are_apart_and_keep_their_second_lines():
    lines = [
        line("• first item that", 0, x0=10),
        line("runs on", 1, x0=20),
        line("• second", 2, x0=10),
        line("3) third", 3, x0=10),
    ]
    assert texts(lines) == ["• first item that runs on", "• second", "3) third"]


def test_references_with_hanging_indents_are_apart():
    lines = [
        line("Knuth, D. The art of", 0),
        line("computer programming. 1968.", 1, x0=20, x1=390),
        line("Lamport, L. LaTeX.", 2),
    ]
    assert len(paragraphs(lines)) == 2


def test_a_second_paragraph_of_what_a_term_means_stays_apart_below_a_larger_step():
    lines = [
        line("control: what the package is called and", 0),
        line("what it depends on.", 1, x0=20, x1=200),
        line("docs: the files that are put there.", 2.4, x1=395),
        line("See installdocs(1) and the manual.", 3.8, x0=20, x1=300),
        line("dirs: the folders that are made.", 5.2, x1=395),
        line("See installdirs(1) and the manual.", 6.6, x0=20, x1=300),
        line("examples: what is shown there.", 8, x1=395),
    ]
    assert [len(group) for group in paragraphs(lines)] == [2, 1, 1, 1, 1, 1]


def test_short_lines_as_far_apart_as_paragraphs_are_paragraphs():
    """A page of terms and what they mean, all of one line, was one paragraph: their step was taken for its leading."""
    words = ["TABLES", "What the tables are", "USERS", "All users of it", "TYPES", "Each type with its name"]
    lines = [line(text, 1.6 * n, x1=40 + 8 * len(text)) for n, text in enumerate(words)]
    lines += [line("What is said of the last of them fills a line and", 10), line("ends here.", 10.9, x1=80)]
    assert [len(group) for group in paragraphs(lines)] == [1, 1, 1, 1, 1, 1, 2]


def test_a_thesis_keeps_its_paragraphs_though_its_lines_stand_far_apart():
    lines = [line("A line of a thesis that fills it", 1.9 * n) for n in range(5)]
    assert [len(group) for group in paragraphs(lines)] == [5]


def test_a_heading_in_larger_type_stands_alone():
    lines = [line("Heading", 0, size=14, x1=80), line("text below it", 1), line("goes on", 2)]
    assert [len(group) for group in paragraphs(lines)] == [1, 2]


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        (["infor-", "mation"], "information"),
        (["Franco-", "German"], "Franco-German"),
        (["1990-", "1995"], "1990-1995"),
        (["a", "", "b"], "a b"),
        (["第一行", "第二行"], "第一行第二行"),
        (["mixed 中", "text"], "mixed 中 text"),
    ],
)
def test_broken_words_are_made_whole(lines: list[str], whole: str):
    assert joined(lines) == whole


@pytest.mark.parametrize("text", ["1.5 kg of flour", "A. Smith", "Plain text", "-5 degrees", "(see below)"])
def test_prose_is_no_list_item(text: str):
    assert item_text(text) is None or text == "A. Smith"


def test_a_label_and_what_was_filled_in_beside_it_stay_together():
    lines = [line("Name:", 0, x1=60), line("Aino", 0, x0=100, x1=140, mono=True), line("Street:", 1.2, x1=60)]
    assert texts(lines) == ["Name: Aino", "Street:"]


def worded(text: str, row: float, x0: float = 0, x1: float = 400) -> Line:
    """A line that says where its words stand: evenly over its width."""
    words = text.split()
    step = (x1 - x0) / len(words)
    places = [(Box(x0 + n * step, row * 14, x0 + n * step + 0.9 * step, row * 14 + 10), w) for n, w in enumerate(words)]
    return (
        line(text, row, x0, x1)
        if len(words) < 2
        else Line(Box(x0, row * 14, x1, row * 14 + 10), text, 10, "text-layer", words=tuple(places))
    )


def test_an_indent_alone_begins_a_paragraph():
    """No full stop before it, and one line of its own: what comes after it stands in as far."""
    lines = [
        worded("see the list of them in Section", 0),
        worded("five of this", 1, x1=120),
        worded("See also the other part", 2, x0=20, x1=200),
        worded("Another of these begins here and", 3, x0=20),
        worded("goes on", 4, x1=80),
    ]
    assert [len(group) for group in paragraphs(lines)] == [2, 1, 2]


def test_words_left_of_an_items_words_are_no_part_of_it():
    lines = [
        worded("the words before the list that run on", 0),
        worded("• an item of some words", 1, x0=20, x1=220),
        worded("After the list the text goes on in", 2, x0=18),
        worded("its own lines", 3, x1=150),
    ]
    assert [len(group) for group in paragraphs(lines)] == [1, 1, 2]


def test_a_term_and_the_words_that_explain_it_are_apart():
    lines = [
        worded("--force", 0, x1=60),
        worded("It does what was asked for, come what", 1, x0=20),
        worded("may come.", 2, x0=20, x1=90),
        worded("--help", 3, x1=55),
        worded("It says what there is", 4, x0=20, x1=180),
    ]
    assert [len(group) for group in paragraphs(lines)] == [1, 2, 1, 1]


def test_paragraphs_of_one_line_are_parted_by_a_gap_as_any_are():
    lines = [worded("one line and no more of it", 2 * n, x1=150) for n in range(5)]
    lines += [worded("a line that fills all of it here", 10), worded("and ends", 11, x1=60)]
    lines += [worded("a line that fills all of it here", 13), worded("and ends", 14, x1=60)]
    assert [len(group) for group in paragraphs(lines)] == [1, 1, 1, 1, 1, 2, 2]


def test_a_title_in_the_middle_stays_whole():
    lines = [worded("A long title over two", 0, x0=100, x1=300), worded("short lines", 1, x0=150, x1=250)]
    assert len(paragraphs(lines)) == 1


def test_bold_words_that_fill_a_line_stay_in_their_sentence():
    lines = [worded("first the name of the thing, then", 0), worded("a bold name of two", 1)]
    lines.append(worded("more words", 2, x1=90))
    lines[1] = replace(lines[1], bold=True)
    assert len(paragraphs(lines)) == 1


def test_a_short_bold_line_stands_alone():
    lines = [worded("A heading", 0, x1=90), worded("and text below it that runs on", 1), worded("words", 2, x1=50)]
    lines[0] = replace(lines[0], bold=True)
    assert [len(group) for group in paragraphs(lines)] == [1, 2]


def test_two_choices_below_each_other_are_no_paragraph():
    """They were joined: the steps of a form, none like another, passed for its leading."""
    lines = [
        worded("An application", 0, x1=300),
        worded("Number of stands:", 4, x1=100),
        worded("I own the house.", 7, x0=22, x1=100),
        worded("I rent the house.", 8.6, x0=22, x1=99),
    ]
    assert len(paragraphs(lines)) == 4


@pytest.mark.parametrize("box", "□☐☑☒")
def test_a_box_to_be_ticked_stays_before_its_words(box):
    assert item_text(f"{box} by post") == f"- {box} by post"


def test_terms_beside_their_meanings_stay_rows():
    lines = [
        line(text, row, x0=x0, x1=x1)
        for row in range(3)
        for text, x0, x1 in ((f"term {row}", 0, 60), ("for what it means", 72, 250 + 20 * row))
    ]
    assert len(texts(lines)) == 3


def test_a_number_left_of_a_clause_is_no_end_of_a_line():
    clauses = [line("7.4.1 A seam that bears a load is made of", 0), line("silicone.", 1, x1=60)]
    clauses += [line("7.4.2", 2, x1=60), line("The load of a seam is", 2, x0=80, x1=300)]
    assert [len(group) for group in paragraphs(clauses)] == [2, 2]


def test_a_chinese_paragraph_ends_with_a_short_line_whatever_letter_follows():
    lines = [line("胶缝宽度取玻璃面板截面厚度应符合下列规定的要求", 0), line("取玻璃面板截面厚度；", 1, x1=200)]
    lines += [line("t2——胶缝宽度", 2, x1=100)]
    assert [len(group) for group in paragraphs(lines)] == [2, 1]


def test_a_note_little_narrower_than_the_text_around_it_is_one_paragraph():
    text = [worded("Words of the text that fill it all", row) for row in range(3)]
    names = replace(worded("The names of some files in bold type", 4, 25, 330), bold=True)
    note = [names, worded("are meant to be found there, or", 5, 25, 330), worded("elsewhere.", 6, 25, 80)]
    assert len(texts([*text, *note])) == 2


def test_upright_words_below_a_slanted_line_without_a_stop_begin_a_paragraph():
    """A heading that filled its column, `B. Data and preprocessing`, was joined with its text."""
    head = line("B. *Data of very long sequences*", 0, italic=True, plain="B. Data of very long sequences")
    assert len(paragraphs([head, line("New words follow here", 1, x0=20), line("and go on.", 2)])) == 2
    theorem = line("*Every map of this kind*", 0, italic=True, plain="Every map of this kind")
    assert len(paragraphs([theorem, line("*is one* that goes on", 1, plain="is one that goes on")])) == 1


def test_a_row_with_a_wide_gap_ends_where_the_next_line_comes_back():
    """Heads of definitions: `mean sample        [Function]`, and below it what it does."""
    head = [line("mean sample", 0, x1=90), line("[Function]", 0, x0=350)]
    below = [line("Returns the mean of sample, which is a", 1, x0=20), line("sequence.", 2, x0=20, x1=60)]
    assert texts([*head, *below]) == ["mean sample [Function]", "Returns the mean of sample, which is a sequence."]


def test_a_number_beside_a_hanging_paragraph_does_not_part_its_lines():
    lines = [line("1", 0, x1=8), line("Get the values of all keywords from the", 0, x0=12)]
    lines += [line("header of an image, which may be", 1, x0=30), line("passed on.", 2, x0=30, x1=90)]
    assert texts(lines) == ["1 Get the values of all keywords from the header of an image, which may be passed on."]


def test_notes_in_small_type_do_not_tell_how_far_apart_the_lines_of_the_text_stand():
    rows = [
        "The first line of a text ends a sentence.",
        "It fills its line, and so it",
        "goes on in the next one and",
        "ends",
    ]
    text = [line(words, 1.4 * n, x0=20 if n == 0 else 0) for n, words in enumerate(rows)]
    notes = [line("a note's line runs on and", 8 + n, size=7) for n in range(6)]
    assert [len(group) for group in paragraphs([*text, *notes])] == [4, 6]


def test_sentences_that_end_with_a_line_of_wide_spacing_end_no_paragraph():
    rows = ["a text set with wide spacing goes", "on in small letters and ends.", "The next sentence begins a line and"]
    lines = [line(words, 1.8 * n) for n, words in enumerate([*rows, "goes on", "in small letters again"])]
    labels = [line("label", 12 + n, x0=300, x1=340) for n in range(3)]
    assert next(len(group) for group in paragraphs([*lines, *labels])) == 5


def test_commands_that_stand_far_apart_are_not_joined_by_the_text_around_them():
    rows = ["text set with wide spacing goes", "on in small letters and then", "goes on in the third line."]
    text = [line(words, 1.8 * n) for n, words in enumerate(rows)]
    commands = [line(f"send port {n}.", 5.4 + 1.8 * n, mono=True) for n in range(3)]
    assert [len(group) for group in paragraphs([*text, *commands])] == [3, 1, 1, 1]


def test_a_heading_whose_first_line_is_full_goes_on_in_the_second():
    heading = [
        line("4.2 Of things that are said in a heading", 0, size=15),
        line("of two lines", 1.6, x0=30, x1=90, size=15),
    ]
    text = [line("the text below it has", 4 + n, size=11) for n in range(4)]
    assert [len(group) for group in paragraphs([*heading, *text])] == [2, 4]


def test_terms_that_end_alike_by_chance_end_their_lines():
    rows = [
        ("Dokumentation (doc)", "alles, um es zu lesen"),
        ("Editoren (ed)", "zum Schreiben"),
        ("Elektrotechnik", "zum Bauen"),
    ]
    ends = [100, 330, 70, 280, 102, 350]
    words = [text for row in rows for text in row]
    lines = [
        line(text, n + n // 2, x0=20 * (n % 2), x1=end) for n, (text, end) in enumerate(zip(words, ends, strict=True))
    ]
    assert [len(group) for group in paragraphs(lines)] == [1] * 6


def test_a_flower_before_words_is_a_bullet():
    lines = [line("❅ a variable that moves in the", 0), line("basis", 1, x0=20), line("❅ one that leaves", 2)]
    assert [item_text(text) for text in texts(lines)] == ["- a variable that moves in the basis", "- one that leaves"]


def test_parameters_named_in_small_letters_do_not_tell_how_far_apart_lines_stand():
    rows = [
        ("crl has a list that was read before", 300),
        ("index says which of them to copy", 290),
        ("serial is its number and", 400),
    ]
    lines = [line(text, 1.7 * n, x1=end) for n, (text, end) in enumerate(rows)]
    lines += [line("goes on here", 4.6, x1=90), line("size tells how large its number is", 6.3, x1=310)]
    assert [len(group) for group in paragraphs(lines)] == [1, 1, 2, 1]


def test_a_numbered_clause_after_a_numbered_clause_is_a_paragraph():
    clauses = [line("8.1.4 A hole is sealed.", 0), line("8.1.5 Wind bends a pane", 1), line("and its frame.", 2)]
    assert texts(clauses) == ["8.1.4 A hole is sealed.", "8.1.5 Wind bends a pane and its frame."]


def test_a_section_s_first_part_is_a_heading_of_its_own():
    lines = [line("A.2 Rivers and lakes", 0, x1=150, bold=True), line("A.2.1 Rivers", 1, x1=90, bold=True)]
    assert texts([*lines, line("Rain falls on the hills and fills this line.", 2.2)])[:2] == [
        "A.2 Rivers and lakes",
        "A.2.1 Rivers",
    ]


def test_each_note_of_one_line_is_a_note():
    notes = [
        line("³\\[37\\]", 0, x1=40, size=8),
        line("⁴\\[49, chapters 1", 1, x1=120, size=8),
        line("and 2\\]", 2, x1=40, size=8),
    ]
    assert [len(group) for group in paragraphs(notes)] == [1, 2]


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        (["where $a =$", "$b + c$ and", "so $x$", "$y$"], "where $a = b + c$ and so $x$ $y$"),
        (["at `ftp:`", "`//a.org`"], "at `ftp://a.org`"),
        (["at https:", "//a.org"], "at https://a.org"),
        (["文档解析", "是一项任务"], "文档解析是一项任务"),
        (["in /usr/share/man/", "en_GB.10646 or /srv/", "and"], "in /usr/share/man/en_GB.10646 or /srv/ and"),
        (["with `--`", "`log-file`"], "with `--log-file`"),
        (["the update-alternatives of update-", "alternatives"], "the update-alternatives of update-alternatives"),
        (["take --log-file or **--**", "**log-dir**"], "take --log-file or **--log-dir**"),
        (["his take --", "log it"], "his take -- log it"),
        (["light- and heavy-", "duty trucks"], "light- and heavy-duty trucks"),
        (["a large and power-", "ful engine"], "a large and powerful engine"),
    ],
)
def test_what_a_lines_end_breaks_is_joined(lines, whole):
    assert joined(lines) == whole


def test_white_parts_the_paragraphs_of_a_scan_though_their_last_lines_are_full():
    """An OCR's boxes are so high that white of half a line did not count."""

    def read(text: str, y: float) -> Line:
        return Line(Box(0, y, 400, y + 20), text, 14, "embedded")

    said = ["Each of them has a right to a place that", "is safe and not too far from the rest of it."]
    lines = [read(text, 8 * part + 18 * n) for part in range(3) for n, text in enumerate(said, 2 * part)]
    assert list(map(len, paragraphs(lines))) == [2, 2, 2]
    assert len(paragraphs([read(text, 18 * n) for n, text in enumerate(said * 3)])) == 1
    names = [read(f"{name} Quill of Ely, " * 3, 120 + 26 * n) for n, name in enumerate(("Ada", "Ben", "Cy"))]
    assert len(paragraphs([*lines[:4], *names])) == 3


def test_a_clause_goes_on_flush_with_its_number_and_in_capitals():
    """German writes nouns so: each second line of a law was a paragraph of its own."""
    words = ((Box(0, 0, 12, 10), "(1)"), (Box(16, 0, 400, 10), "Wer"))
    clause = line("(1) Wer einen Platz hat, zeigt dies vier", 0, words=words), line("Wochen vorher an.", 1, x1=200)
    assert texts(list(clause)) == ["(1) Wer einen Platz hat, zeigt dies vier Wochen vorher an."]


def test_terms_in_bold_begin_entries_each():
    """A glossary's entries of one full line were one paragraph, since none left room for the next one's term."""
    terms = [
        replace(line(f"{term} what it means, to the end of the line", n), text=f"**{term}** what it means")
        for n, term in enumerate(("aft", "bow", "cleat"))
    ]
    assert len(paragraphs([*terms, line("and one line more", 3, x0=20)])) == 3
    assert len(paragraphs([*terms[:2], *(replace(terms[2], text=f"some **{n}** words") for n in "abc")])) == 1


def test_words_behind_a_clauses_number_do_not_make_it_hang():
    """A standard's clauses, notes and examples lost their first lines: the one below came back to the number."""
    first = [line("NOTE", 0, x1=24), line("Safety goals are what an item has to reach, and they lead", 0, x0=44)]
    lines = [*first, line("to what it has to do.", 1, x1=120)]
    assert texts(lines) == ["NOTE Safety goals are what an item has to reach, and they lead to what it has to do."]


def test_an_abbreviation_ends_no_line_of_an_address():
    """`Inc.` and `Rd.` parted a letter's addresses."""
    lines = [line(text, n, x1=6 * len(text)) for n, text in enumerate(("Lowe & Co.", "9 Long Meadow Rd.", "Hexham"))]
    assert len(paragraphs([*lines, line("A line of prose that fills its column and says much", 4)])[0]) == 3


def test_lines_in_the_middle_of_a_letters_head_are_one_block():
    """A line that was little shorter than the one above it began another paragraph."""
    ends = ((150, 250), (156, 244), (162, 238))
    lines = [line(f"Head {n}", n, x0, x1) for n, (x0, x1) in enumerate(ends)]
    prose = [line("A line of prose that fills its column and says much", n, 130, 400) for n in (4, 5, 6)]
    assert len(paragraphs([*lines, *prose])[0]) == 3


def test_a_line_left_of_all_above_it_goes_on_from_nothing():
    """The parties of a case: one at the right, and what is said of it in the middle of the next line."""
    lines = [line("Plaintiff", 0, x0=350), line("and", 1, x0=190, x1=210), line("THE CITY", 2, x0=170, x1=230)]
    assert texts(lines)[0] == "Plaintiff"


def test_a_value_beside_its_label_does_not_part_the_lines_below():
    lines = [line("Engineers of the city", 0), line("Tel.", 1, x1=20), line("416-487", 1, x0=80), line("Fax", 2, x1=15)]
    assert len(paragraphs(lines)) == 1


@pytest.mark.parametrize(("end", "count"), [(400, 1), (385, 2)])
def test_short_lines_that_end_at_one_place_are_one_paragraph_wherever_they_begin(end, count):
    """An invoice's number, its date and when it is due stand at the right: the last was a paragraph by itself."""
    lines = [line("Report 26-087", 0, x0=330), line("Trip: Aalborg, 9 to 12 May", 1, x0=270)]
    assert len(paragraphs([*lines, line("Sent: 16 May", 2, x0=end - 65, x1=end)])) == count


@pytest.mark.parametrize(("step", "goes_on"), [(34, True), (59, False)])
def test_words_far_below_a_scans_line_do_not_go_on_in_it(step, goes_on):
    """A letter's salutation and its first sentence were one: an OCR's boxes are half as high again as the type."""
    above, below = (
        Line(Box(130, y, 700, y + 44), text, 31, "embedded") for y, text in ((0, "Dear Dr Reuter,"), (step, "we"))
    )
    assert runs_on(above, below, 0.0, 14.0) is goes_on


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("which is found by the rule of eq.", "(3) for all of them."),
        ("a long way from the town", "– and from the sea."),
    ],
)
def test_a_number_or_a_dash_that_begins_a_full_paragraphs_line_begins_no_item(above, below):
    """`eq.` and `(3)` on two lines were a paragraph and a list."""
    lines = [line("1) Ships: A line that fills it all", 0), line(above, 1), line(below, 2)]
    assert len(paragraphs(lines)) == 1
    assert len(paragraphs([lines[0], line("and ends.", 1, x1=120), line(below, 2)])) == 2


def test_an_item_whose_last_line_is_full_ends_at_a_short_word():
    """`... the end of it.` and `2. Books` were one item: not each short word with a full stop is `eq.`"""
    lines = [line("1. Coats are left at the door with a card", 0), line("of the porter, who knows the end of it.", 1)]
    assert len(paragraphs([*lines, line("2. Books that are lent for the day are", 2)])) == 2


def test_an_items_lines_may_begin_left_of_it_with_a_capital_where_its_first_is_full():
    """In German every noun has one: items with their first line set in were in two parts."""
    first = line("(ii) Die Messung an der Wand mit dem neuen", 0, x0=20)
    marked = replace(first, words=((Box(20, 0, 32, 10), "(ii)"), (Box(38, 0, 400, 10), "Die Messung")))
    assert len(paragraphs([marked, line("Verfahren ist nicht genau.", 1, x1=200)])) == 1


@pytest.mark.parametrize(
    ("text", "count"), [("the sum R<sup>2</sup> of all of them", 1), ("the sum of all of them", 2)]
)
def test_lines_with_raised_signs_may_stand_farther_apart(text, count):
    """Web pages make room for each; a paragraph was in as many parts as it has such lines."""
    lines = [line(f"line {n} of a text that goes on", n) for n in range(5)]
    lines += [line(text, 5.7), line("and goes on here.", 6.7)]
    assert len(paragraphs(lines)) == count


def test_small_letters_behind_a_full_line_that_a_colon_ends_go_on_however_far_down():
    lines = [line("which is the weight of the catch, in tonnes:", 0, x0=10), line("of all of the harbours", 1.2)]
    assert len(paragraphs([*lines, *(line(f"words {n} go on", n) for n in range(2, 7))])) == 1


def test_an_abstract_begins_a_paragraph_right_below_the_writers():
    lines = [line("Harbour Institute, University of the Coast", 0, x1=250), line("Zusammenfassung. Das Gewicht", 1)]
    assert len(paragraphs([*lines, line("der Fische an der Küste", 2)])) == 2


def test_the_second_line_of_a_caption_in_the_middle_goes_on():
    lines = [line("Figure 1: The weights. They are given in tonnes.", 0), line("So are the prices.", 1, x0=130, x1=270)]
    assert len(paragraphs(lines)) == 1


@pytest.mark.parametrize(
    ("text", "goes_on"), [("<sup>b</sup>Of fish", False), ("bOf fish", False), ("of fish", True), ("Of fish", False)]
)
def test_small_letters_behind_an_abbreviation_go_on_but_for_a_notes_mark(text, goes_on):
    above, below = line("The weights as given by Holm et al.", 0), line(text, 1, plain="b" * ("<" in text) + text[-7:])
    assert runs_on(above, below, 0.0, 14.0) is goes_on
