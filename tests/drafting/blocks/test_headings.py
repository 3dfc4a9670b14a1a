from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.headings import MEASURES, explained_below, is_heading, levels, looks_like_heading
from docparse_fast.drafting.lines import Line


def line(text: str, size: float = 10, source: str = "text-layer", **kind) -> Line:
    return Line(Box(0, 0, 300, size), text, size, source, **kind)


def test_larger_type_makes_a_heading_and_a_sentence_in_bold_does_not():
    assert looks_like_heading([line("Results", 13)], body=10)
    assert looks_like_heading([line("Results", 10, bold=True)], body=10)
    assert not looks_like_heading([line("This is what matters.", 10, bold=True)], body=10)
    assert not looks_like_heading([line("Results", 10)], body=10)


def test_an_ocrs_sizes_must_differ_by_more():
    assert not looks_like_heading([line("Results", 12.5, "embedded")], body=10)
    assert looks_like_heading([line("Results", 14, "embedded")], body=10)


def test_a_price_in_large_figures_is_no_heading():
    assert not looks_like_heading([line("$ 1,299.00", 20)], body=10)


def test_numbering_tells_the_level_and_the_title_is_the_first():
    headings = [[line(text, size)] for text, size in (("A Title", 20), ("1 One", 13), ("1.2 Two", 13), ("1.2.3 x", 13))]
    assert levels(headings, [False] * 4, body=10) == [1, 2, 3, 4]


def test_without_numbers_size_tells_the_level():
    headings = [[line(text, size)] for text, size in (("Big", 14), ("Small", 12), ("Big again", 14.1))]
    assert levels(headings, [False] * 3, body=10) == [2, 3, 2]


def test_a_label_makes_a_title_whatever_its_size():
    assert levels([[line("A Title", 11)], [line("Part", 12)]], [True, False], body=10) == [1, 2]


def test_a_number_set_apart_from_its_heading_tells_the_level_too():
    headings = [[line("3.1.2", 13), line("Which one", 13)], [line("4.2", 17), line("Another", 17)]]
    assert levels(headings, [False] * 2, body=10) == [4, 3]


def test_a_numbered_heading_is_no_title_however_large():
    assert levels([[line("6 Containers", 20)]], [False], body=10) == [2]


def test_a_bold_question_of_three_lines_with_its_number_is_a_heading():
    number = line("3.1.12", 12, bold=True)
    rows = [
        Line(
            Box(0, 20 * n, 300, 20 * n + 12),
            "I am tracking testing. What will happen when a release is made?",
            12,
            "text-layer",
            bold=True,
        )
        for n in range(3)
    ]
    assert looks_like_heading([number, *rows], body=10)
    assert not looks_like_heading(rows * 2, body=10)


def test_a_bold_line_explained_right_below_is_a_term():
    term = line("package.install", bold=True)

    def below(x0: float, y0: float) -> list[Line]:
        return [Line(Box(x0, y0, 300, y0 + 10), "Files to install.", 10, "text-layer")]

    assert explained_below([term], below(20, 14))
    assert not explained_below([term], below(0, 14))
    assert not explained_below([term], below(20, 30))


def test_a_bold_section_number_makes_a_heading_in_small_type_too():
    heading = Line(
        Box(60, 100, 200, 109), "**4.5.1 upsdrv_info**", 8.5, "text-layer", bold=True, plain="4.5.1 upsdrv_info"
    )
    assert looks_like_heading([heading], 10)
    assert not looks_like_heading([replace(heading, plain="upsdrv_info")], 10)


def test_a_clause_has_the_level_that_its_number_says():
    """Of a contract's bold `§ 2 Rent`, labelled a heading, the judge asked more than of `2 Rent`."""
    clause = [line("§ 2 Rent", 10, bold=True)]
    assert levels([[line("Terms of the lease", 13)], clause], [False, False], 10) == [2, 2]


def test_a_heavy_line_in_white_that_the_model_calls_a_heading_is_one_on_a_scan():
    """A journal's headings in the middle of their columns were text: `DATA COLLECTION`, judged 0.3."""
    said = {"heavier": 0.3, "white_above": 2.9, "white_below": 1.8, "rows": 1.0, "label_section_header": 1.0}
    told = [said.get(name, 0.0) for name in MEASURES]
    light = [0.0 if name == "heavier" else value for name, value in zip(MEASURES, told, strict=True)]
    assert is_heading(told, exact=False)
    assert not is_heading(told, exact=True) and not is_heading(light, exact=False)
