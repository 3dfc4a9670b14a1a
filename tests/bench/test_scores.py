"""Scores of whole pages and data sets: the truth has 100, a shuffled answer less, an empty one 0."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from docparse_fast.bench.datasets import BenchPage, Truth, TruthBlock, load
from docparse_fast.bench.scores import MEASURES, PageScores, UnitTestResult, score_page, summarise
from docparse_fast.bench.scores.content import read_blocks
from docparse_fast.bench.scores.latex import latex_tokens
from docparse_fast.bench.scores.pairing import pair
from docparse_fast.bench.scores.plain_text import letters

DATA = Path(__file__).parent / "bench_data"

NAMES = "harbour rope tide lamp ferry knot wave channel moon boat sail anchor buoy pier gull"
WORDS = st.sampled_from(NAMES.split())
PARAGRAPH = st.lists(WORDS, min_size=5, max_size=30).map(" ".join)
PARAGRAPHS = st.lists(PARAGRAPH, min_size=2, max_size=8, unique=True)
CELL = st.sampled_from(["", "12", "1,136", "North", "per line", "**bold**", "$x_1$", "a & b"])
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=2, max_size=5)
)
FORMULA = st.lists(
    st.sampled_from([r"\frac{a}{b}", "x^{2}", r"\alpha", "+", "=", r"\sum_{i=1}^{n}", "y", "(", ")", r"\sqrt{z}"]),
    min_size=3,
    max_size=10,
).map(" ".join)


def page(*blocks: TruthBlock, markdown: str = "") -> BenchPage:
    return BenchPage("a", Path("a.png"), group="Book", truth=Truth(markdown, blocks))


def as_markdown(blocks) -> str:
    return "\n\n".join(f"$$\n{block.text}\n$$" if block.kind == "formula" else block.text for block in blocks)


def figures(blocks, markdown: str) -> dict[str, tuple[float, ...]]:
    return dict(score_page("omnidocbench", page(*blocks), markdown).measures)


def html(rows) -> str:
    return "<table>" + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows) + "</table>"


def shuffled(text: str, seed: int = 0) -> str:
    mixed = list(text)
    random.Random(seed).shuffle(mixed)
    return "".join(mixed)


# --------------------------------------------------------------------------- truth, shuffled and empty


@given(PARAGRAPHS, st.lists(ROWS, max_size=2), st.lists(FORMULA, max_size=2))
def test_the_truth_has_100_by_every_measure(texts, tables, formulas):
    assume(all(any(cell for row in rows for cell in row) for rows in tables))
    assume(all(latex_tokens(formula) for formula in formulas))
    blocks = [TruthBlock("text", text) for text in texts]
    blocks += [TruthBlock("table", html(rows)) for rows in tables]
    blocks += [TruthBlock("formula", formula) for formula in formulas]
    for measure, found in figures(blocks, as_markdown(blocks)).items():
        assert found == pytest.approx([100.0] * len(found)), measure


@given(PARAGRAPHS, ROWS, FORMULA)
def test_an_empty_answer_has_0_by_every_measure(texts, rows, formula):
    assume(any(cell for row in rows for cell in row))
    assume(latex_tokens(formula))
    blocks = [TruthBlock("text", text) for text in texts]
    blocks += [TruthBlock("table", html(rows)), TruthBlock("formula", formula)]
    found = figures(blocks, "")
    assert set(found) == {"text", "text_in_order", "teds", "teds_s", "formula", "order"}
    assert {figure for measured in found.values() for figure in measured} == {0.0}


@given(PARAGRAPHS, st.integers(0, 99))
def test_shuffled_letters_cost_text(texts, seed):
    blocks = [TruthBlock("text", text) for text in texts]
    found = figures(blocks, "\n\n".join(shuffled(text, seed) for text in texts))
    assert found["text"][0] < 100
    assert found["text_in_order"][0] < 100


@given(PARAGRAPHS, st.integers(0, 99))
@example(["rope rope rope rope tide", "boat boat boat sail sail"], 1)
def test_shuffled_paragraphs_cost_order_and_not_text(texts, seed):
    assume(len({frozenset(text.split()) for text in texts}) == len(texts))
    mixed = random.Random(seed).sample(texts, len(texts))
    assume(mixed != texts)
    blocks = [TruthBlock("text", text) for text in texts]
    found = figures(blocks, "\n\n".join(mixed))
    assert found["text"] == (100.0,)
    assert found["order"][0] < 100
    assert found["text_in_order"][0] < 100


@given(FORMULA)
def test_a_formula_turned_round_is_worth_less(formula):
    turned = " ".join(reversed(formula.split()))
    assume(latex_tokens(turned) != latex_tokens(formula))
    assert figures([TruthBlock("formula", formula)], f"$$ {turned} $$")["formula"][0] < 100


@pytest.mark.parametrize("name", ["omnidocbench", "ocean-ocr-bench"])
@pytest.mark.parametrize(("answer", "least", "most"), [("truth", 100, 100), ("shuffled", 0, 50), ("empty", 0, 0)])
def test_data_sets_are_scored_as_a_whole(name, answer, least, most):
    dataset = load(DATA, name)
    answers = {
        "truth": lambda text: text,
        "shuffled": shuffled,
        "empty": lambda text: "",
    }
    scores = [score_page(name, page, answers[answer](page.truth.markdown)) for page in dataset.pages]
    whole = summarise(name, scores)
    assert whole.pages == len(dataset.pages)
    assert least <= whole.overall <= most
    assert set(whole.groups) == set(dataset.groups)
    assert all(least <= figure <= most for figure in whole.groups.values())
    assert set(whole.measures) <= set(MEASURES)


# ------------------------------------------------------------------------------------- text and order


def test_a_paragraph_cut_in_two_and_two_run_into_one_cost_nothing():
    blocks = [
        TruthBlock("text", "Hemp rots from the inside, so sailors cut a strand."),
        TruthBlock("text", "Nylon does not rot."),
        TruthBlock("text", "The sun eats it in ten summers."),
    ]
    answer = (
        "Hemp rots from the inside,\n\nso sailors cut a strand.\n\nNylon does not rot. The sun eats it in ten summers."
    )
    found = figures(blocks, answer)
    assert (found["text"], found["order"]) == ((100.0,), (100.0,))


def test_what_is_not_counted_may_be_written_or_left_out():
    blocks = [
        TruthBlock("text", "Journal of Small Waves", counted=False),
        TruthBlock("text", "Long waves slow down where the ground rises."),
    ]
    without = figures(blocks, "Long waves slow down where the ground rises.")
    with_it = figures(blocks, "Journal of Small Waves\n\nLong waves slow down where the ground rises.")
    assert without == with_it == {"text": (100.0,), "text_in_order": (100.0,), "order": (100.0,)}


def test_invented_text_costs_its_length():
    blocks = [TruthBlock("text", "abcdefghij" * 3)]
    assert figures(blocks, "abcdefghij" * 3 + "\n\n" + "0123456789")["text"] == (75.0,)


def test_marks_spaces_and_hyphens_cost_nothing():
    blocks = [TruthBlock("text", "Two hyphenated words & a number: $10^{5}$")]
    assert figures(blocks, "**Two** hyphen-\nated *words* &amp; a number: 105")["text"] == (100.0,)


def test_a_piece_that_is_not_found_is_missing_from_the_order():
    texts = ["the first of them all", "a second one follows", "third and last it is"]
    blocks = [TruthBlock("text", text) for text in texts]
    assert figures(blocks, f"{texts[0]}\n\n{texts[2]}")["order"][0] == pytest.approx(200 / 3)


def test_order_within_one_long_paragraph_is_seen():
    texts = ["the first of them all", "a second one follows", "third and last it is"]
    blocks = [TruthBlock("text", text) for text in texts]
    assert figures(blocks, " ".join(texts))["order"] == (100.0,)
    assert figures(blocks, " ".join(reversed(texts)))["order"][0] < 100


def test_a_blank_page_wants_a_blank_answer():
    assert figures([], "") == {"text": (100.0,), "text_in_order": (100.0,)}
    assert figures([], "something") == {"text": (0.0,), "text_in_order": (0.0,)}


def test_a_page_of_pictures_has_no_text_score():
    assert figures([TruthBlock("text", "Figure 1", counted=False)], "Figure 1") == {}


def test_a_page_of_which_nothing_is_known_has_no_figures():
    assert score_page("folder", BenchPage("a", Path("a.png")), "text") == PageScores("a", "", {})
    assert summarise("folder", [PageScores("a", "", {})]).overall is None


def test_of_equal_pieces_those_at_the_same_place_go_together():
    likeness = {True: 1.0, False: 0.0}
    assert pair(["a", "b", "a"], ["c", "a"], lambda one, other: likeness[one == other], least=0.5) == {2: 1}


# ------------------------------------------------------------------------------------------- formulas


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\frac{1}{2}", r"\dfrac12"),
        (r"x_{i}^{2}", "x^2_i"),
        (r"\left( a \right) \leq b", r"(a)\le b."),
        (r"\operatorname{sin} x", r"\sin x"),
        (r"\mathrm{d}x \, \text{ } dy", "dxdy"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a=b c=d"),
        (r"E = mc^2 \tag{3}", "E=mc^{2}"),
        (r"\begin{array}{cc} 1 & 2 \end{array}", "1 2"),
    ],
)
def test_ways_to_write_one_formula_are_one(one, other):
    assert latex_tokens(one) == latex_tokens(other)


@pytest.mark.parametrize(("one", "other"), [("x^2", "x_2"), (r"\frac{ab}{c}", r"\frac{a}{bc}"), (r"\alpha", "a")])
def test_formulas_that_mean_something_else_are_not_one(one, other):
    assert latex_tokens(one) != latex_tokens(other)


def test_a_formula_within_a_line_will_do_and_a_missing_one_is_0():
    blocks = [TruthBlock("formula", r"a^{2}+b^{2}=c^{2}"), TruthBlock("formula", r"\int_0^1 f(x) dx")]
    assert figures(blocks, "as $a^2+b^2=c^2$ says")["formula"] == (100.0, 0.0)


# ------------------------------------------------------------------------------------ reading Markdown


@given(st.text(alphabet="a |-\n$#*<>_\\[]{}()`0tabler/d", max_size=80))
@example("a$\\$")
def test_no_markdown_is_too_strange_to_be_read(markdown):
    blocks = read_blocks(markdown)
    score_page("omnidocbench", page(TruthBlock("text", "something")), markdown)
    assert all(block.text.strip() for block in blocks)


def test_tables_in_a_text_about_tables_are_not_taken_for_tables():
    kinds = [block.kind for block in read_blocks("a `<table name>` and \\<table> <table><tr><td>b</td></tr></table>")]
    assert kinds == ["text", "table"]


def test_an_answer_that_breaks_off_in_a_table_has_that_table():
    (block,) = read_blocks("<table><tr><td>a</td></tr><tr><td>b</td>")
    assert block.kind == "table"


def test_pictures_and_comments_are_not_text():
    assert read_blocks("<!-- page 1 -->\n\n![a ferry](images/1.png)") == ()


def test_prices_are_no_formulas_where_their_dollars_are_escaped():
    assert letters("from \\$5_a to \\$6") == "from5ato6"
    assert letters("from $5_a$ to") == "from5ato"


def test_letters_are_what_the_official_tool_keeps():
    assert letters("# **A**-1\n\n- _b_ [c](d.html) 港口。") == "A1bc港口"


# ----------------------------------------------------------------------------------------- data sets


def test_overall_is_the_mean_of_text_tables_and_formulas():
    measures = {"text": (90.0,), "teds": (50.0, 70.0), "formula": (30.0,), "order": (0.0,)}
    whole = summarise("omnidocbench", [PageScores("a", "Book", measures)])
    assert whole.overall == pytest.approx((90 + 60 + 30) / 3)
    assert whole.groups == {"Book": whole.overall}


def test_tables_count_by_themselves_and_not_by_page():
    pages = [PageScores("a", "", {"teds": (100.0, 100.0, 100.0)}), PageScores("b", "", {"teds": (0.0,)})]
    assert summarise("omnidocbench", pages).measures["teds"] == 75.0


def test_unit_tests_count_by_group():
    """Ten tests of one group and one of another: the official figure is the mean over groups, not over tests."""
    results = [UnitTestResult(str(at), "Tables", "table", True) for at in range(10)]
    results.append(UnitTestResult("x", "Base", "baseline", False))
    whole = summarise("olmocr-bench", [PageScores("a", "Tables", {}, tuple(results))])
    assert (whole.overall, whole.groups) == (50.0, {"Tables": 100.0, "Base": 0.0})
    assert whole.measures["tests"] == pytest.approx(1000 / 11)


# ------------------------------------------------------------------------------------------- the extra


def test_without_the_extra_scores_say_what_to_install():
    code = """
import sys
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name == "apted" else find(name, *rest)
from docparse_fast.errors import UsageError
try:
    import docparse_fast.bench.scores
except UsageError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "scores need apted; run `pip install 'docparse-fast[bench]'`"


def test_data_sets_are_read_without_the_extra_and_without_anything_heavy():
    code = """
import sys
import docparse_fast.bench.datasets
print([name for name in ("rapidfuzz", "lxml", "apted", "torch", "pymupdf", "PIL", "numpy") if name in sys.modules])
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"
