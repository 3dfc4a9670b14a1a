"""Drafts reworded as the answer would write them: found by letters, in its own habits, without changing the answer."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest
from fake_targets import ScriptedTarget
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.candidates import CandidateKind, TokenDraft
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.verification.boxes import Boxes
from docparse_fast.verification.habits import Habits, site
from docparse_fast.verification.letters import END, PLAIN_TEXT, Letters, fold, pieces
from docparse_fast.verification.rephrasing import Rephrasing
from docparse_fast.verification.signs import RewrittenSigns, signs_of

EOS = 0
_PIECE = re.compile(r" ?[^\W_]+|\s+|[^\w\s]|_")


class Pieces:
    """A tokenizer of words, each with the blank before it, and signs."""

    def __init__(self):
        self.texts = [""]  # the first is the end
        self.numbers = {}

    def encode(self, text):
        return tuple(self.numbers.setdefault(piece, self._new(piece)) for piece in _PIECE.findall(text))

    def _new(self, piece):
        if piece not in self.numbers:
            self.texts.append(piece)
        return self.numbers.get(piece, len(self.texts) - 1)

    def decode(self, tokens):
        return "".join(self.texts[token] for token in tokens)


def rephrasing(words, *texts, margins=()):
    drafts = [TokenDraft(words.encode(text), region) for region, text in enumerate(texts)]
    return Rephrasing(texts, drafts, words.encode, words.decode, margins=margins)


def said(written, *texts, kind=None, margins=()):
    """The candidates after this much of an answer, as text."""
    words = Pieces()
    offered = rephrasing(words, *texts, margins=margins)
    tokens = words.encode(written)
    found = []
    for end in range(1, len(tokens) + 1):
        found = offered.candidates(tokens[:end], limit=8)
    return [words.decode(each.tokens) for each in found if kind is None or each.kind is kind]


def decoded(answer, *texts):
    words = Pieces()
    tokens = words.encode(answer)
    target = ScriptedTarget({"page": tokens}, eos=(EOS,))
    drafts = [TokenDraft(words.encode(text), region) for region, text in enumerate(texts)]
    row = Row("page", drafts, rephrasing=rephrasing(words, *texts), max_tokens=500)
    return words.decode, next(spec_decode(target, [row], Speculation(tau=1.0)))


letters = st.text('ab ÄäA1²|$_{}<td>\\n\n"[],', max_size=40)
boxed = st.lists(st.sampled_from(["<|det|>", "[1, 2, 3, 4]", "[[", "1", ", ", "]", "<|/det|>", "<|", "a", " ", "\n"]))


def assert_is_its_own(answer, drafts):
    words = Pieces()
    tokens = words.encode(answer)
    _, done = decoded(answer, *drafts)
    assert done.tokens == (*tokens, EOS)


@given(answer=letters, drafts=st.lists(letters, max_size=4))
def test_the_answer_is_the_targets_own_whatever_is_offered(answer, drafts):
    assert_is_its_own(answer, drafts)


@given(answer=boxed.map("".join), drafts=st.lists(boxed.map("".join), max_size=4))
def test_an_answer_with_boxes_is_the_targets_own_whatever_is_offered(answer, drafts):
    assert_is_its_own(answer, drafts)


doctags = st.lists(
    st.sampled_from(["<text>", "</text>", "<loc_1>", "<loc_", "><", "loc", "<", "12", ">", "a", " ", "\n"])
)


@given(answer=doctags.map("".join), drafts=st.lists(doctags.map("".join), max_size=4))
def test_an_answer_in_doctags_is_the_targets_own_whatever_is_offered(answer, drafts):
    assert_is_its_own(answer, drafts)


@given(written=letters, drafts=st.lists(letters, max_size=4))
def test_the_same_answer_gets_the_same_candidates(written, drafts):
    assert said(written, *drafts) == said(written, *drafts)


@given(written=letters, drafts=st.lists(letters, max_size=4), limit=st.integers(1, 9))
def test_no_candidate_is_empty_or_longer_than_asked(written, drafts, limit):
    words = Pieces()
    tokens = words.encode(written)
    for each in rephrasing(words, *drafts).candidates(tokens, limit):
        assert 0 < len(each.tokens) <= limit


@pytest.mark.parametrize(
    ("written", "draft", "goes_on"),
    [
        ("The CAT", "the cat sat on the mat", " sat on"),  # case
        ("un café", "un cafe noir", " noir"),  # accents
        ("one tvvo", "one two three four", " three four"),  # a word misread
        ("in $x_{1}$ we", "in x1 we see the sum", " see the"),  # a formula
        ("<b>The</b> cat", "The cat sat", " sat"),  # tags
        ("the ﬁne", "the fine day", " day"),  # a ligature
        ("the １２", "the 12 days", " days"),  # full width
        ("let $ \\alpha", "let α be small", " be small"),  # a sign of mathematics by its command
    ],
)
def test_the_draft_goes_on_after_what_was_written_otherwise(written, draft, goes_on):
    assert any(text.startswith(goes_on) for text in said(written, draft))


def test_what_stood_between_two_cells_is_offered_between_the_next():
    draft = "<table><tr><td>ab</td><td>cd</td><td>ef</td><td>gh</td></tr></table>"
    assert said("| ab | cd", draft)[0].startswith(" | ef | gh")


def test_a_heading_is_marked_like_the_previous_heading():
    drafts = ["## One\n\n", "body text\n\n", "## Two\n\n", "more text\n\n"]
    assert said("# One\n\nbody text\n\n# Two\n\nmore", *drafts)
    assert said("**One**\n\nbody text\n\n**Two**\n\n", *drafts, "## Three\n\n", "last words")[0].startswith(
        "more text\n\n"
    )


def test_a_respelt_character_keeps_its_new_spelling():
    assert said("Shaffer1, Grant", "Shaffer¹, Grant², Moses³")[0].startswith("2, Moses")


def test_strokes_that_only_stretch_a_line_are_left_out():
    assert said("این", "ایـن پـژوهش")[0].startswith(" پژوهش")


def test_an_unequal_sign_is_no_equals_sign():
    assert fold("≠") == fold("\\neq") == "≠"


def test_a_dash_between_digits_is_remembered_for_digits():
    assert said("pages 1–2 and 3", "pages 1-2 and 3-4 of well-known")[0].startswith("–4 of well-known")


def test_blanks_between_words_are_left_as_they_are_drafted():
    assert said("one, two", "one two three four")[0].startswith(" three four")


def test_the_next_region_alone_is_offered_where_one_ends():
    assert [text.split() for text in said("first\n\n", "first\n\n", "second\n\n", "third\n\n")] == [["second", "third"]]


def test_a_region_that_shares_its_first_word_with_another_is_still_to_be_read():
    drafts = ["Cases of CI here and there again\n\n", "OR of all cases\n\n", "Next words\n\n"]
    assert said("Cases of OR here and there again\n\n", *drafts)[0].startswith("OR of all cases")


def test_a_gap_begun_otherwise_goes_on_with_what_the_draft_still_has_of_it():
    drafted = '<table><tr><th></th><th colspan="4">Beef</th></tr></table>'
    assert said('<table><tr><th rowspan="2"></th><th colspan', drafted)[0].startswith('="4">Beef')


def test_a_blank_may_follow_a_mark_that_nothing_drafted():
    """Behind a note's mark only the draft's next word alone was offered, and none of what follows it."""
    assert {text[:10] for text in said("one]", "one two three four")} == {"two three ", " two three"}


def test_a_character_of_several_tokens_goes_on_as_the_draft_has_it():
    """Where a pass ended within a syllable of Korean, the next one had no draft."""
    drafted = "결과 음악 종이".encode()

    def offered(written):
        draft = TokenDraft(tuple(drafted), 0)
        rephrased = Rephrasing(
            [drafted.decode()], [draft], str.encode, lambda each: bytes(each).decode("utf-8", "replace")
        )
        return [bytes(each.tokens) for each in rephrased.candidates(list(written), limit=99)]

    begun = "결과 음악".encode()[:-2]
    assert offered(begun)[0] == drafted[len(begun) :]
    assert offered("결과 한".encode()[:-2]) == []


def test_a_dot_that_marks_an_item_is_no_letter():
    """It is multiplied with, too; the item behind it was looked for in vain."""
    assert said("· first", "- first words\n", "- second words\n")[0].startswith(" words\n· second")
    assert said("so… on", "so... on we go")[0].startswith(" we go")


def test_a_region_is_found_out_of_order():
    assert said("third words", "first\n\n", "second\n\n", "third words here")[0].startswith(" here")


def test_a_short_word_within_a_region_is_not_taken_for_the_next_one():
    """A letter that was written otherwise began a later region, whose draft alone was then offered."""
    drafts = "one two b four five\n\n", "c next words here"
    assert {" next words here", " four five\n\nc next"} <= {each[:18] for each in said("one two c", *drafts)}


def test_a_block_is_looked_for_among_all_regions_that_are_still_to_be_read():
    """Only the next few regions' first words were looked for, others' words only once there were eight letters."""
    others = [f"{letter} ah oh eh and so on and on\n\n" for letter in "bcdefg"]
    assert any(each.startswith(" words here") for each in said("aa bb\n\nz", "aa bb\n\n", *others, "z words here"))


def test_a_rephrased_draft_saves_passes_that_the_window_cannot():
    cells = [f"w{n}" for n in range(30)]
    draft = "<table><tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr></table>"
    answer = "| " + " | ".join(cells) + " |"
    _, done = decoded(answer, draft)
    assert len(done.steps) <= len(cells) / 3
    assert done.accepted[CandidateKind.REPHRASED] > 20


# ------------------------------------------------------------------------------------------------- guesses


def guess_tree(written, *texts, examples=(), share=1.0):
    words = Pieces()
    drafts = [TokenDraft(words.encode(text), region) for region, text in enumerate(texts)]
    offered = Rephrasing(texts, drafts, words.encode, words.decode, examples)
    tokens = words.encode(written)
    offered.candidates(tokens, limit=8)
    return offered.guesses(tokens, share), words


def guessed(written, *texts, **how):
    """The texts of the likeliest guesses, each with what comes before it."""
    tree, words = guess_tree(written, *texts, **how)
    found, waiting = [], [(-guess.chance, [guess.token], guess) for guess in (tree.first if tree else ())]
    while waiting and len(found) < 60:
        waiting.sort(key=lambda each: each[0])
        chance, tokens, guess = waiting.pop(0)
        found.append(words.decode(tokens))
        following = tree.after(guess, -chance)
        waiting += [(chance * each.chance, [*tokens, each.token], each) for each in following]
    return found


def test_letters_come_from_the_draft_and_markup_from_the_answer():
    assert "_{4}+" in guessed("$a_{1}+b_{2}+c_{3}+d", "a1+b2+c3+d4+e5")


def test_an_example_shows_what_follows_what():
    assert any(text.startswith("{1}{2") for text in guessed("\\frac", "1 2", examples=["\\frac{7}{8}"]))


def test_a_command_is_guessed_from_its_sign_in_the_draft():
    examples = ["\\alpha=\\beta", "\\alpha=\\gamma", "\\alpha=\\delta"]
    assert guessed("\\alpha=\\", "α=δ", examples=examples)[0] == "delta"


def test_guesses_are_offered_likeliest_first():
    tree, _ = guess_tree("$a_{1}+b_{2}-c", "a1+b2-c3+d4")
    chances, left = [], 1.0
    for guess in tree.first:
        assert 0 < guess.chance <= 1
        chances.append(guess.chance * left)
        left *= 1 - guess.chance
    assert chances == sorted(chances, reverse=True)


def test_nothing_is_guessed_after_an_unlikely_guess():
    tree, _ = guess_tree("$a_{1}+b_{2}+c", "a1+b2+c3+d4")
    assert tree.after(tree.first[0], 0.5)
    assert not tree.after(tree.first[0], 0.001)


def test_the_likelier_a_draft_is_the_fewer_guesses_are_made():
    many, few = (len(guessed("$a_{1}+b_{2}-c", "a1+b2-c3+d4", share=share)) for share in (1.0, 0.02))
    assert few < many


def test_without_drafts_nothing_is_guessed():
    assert guessed("a b a b a", examples=["a b a b"]) == []


# ------------------------------------------------------------------------------------------- its parts


def test_markup_is_no_letter_and_other_tags_are():
    assert [word for _, word in pieces("<td>a</td> \\frac{b}{c} <jndi>")] == ["", "a", "", "b", "", "c", "", "jndi", ""]


def test_a_place_knows_its_word_and_what_stands_before_it():
    found = Letters(["a Bc", "d"], PLAIN_TEXT)
    assert found.text == f"abc{END}d{END}"
    assert [found.words[found.word_at[place]] for place in (0, 1, 2, 4)] == ["a", "Bc", "Bc", "d"]
    assert (found.within[2], found.gaps[1], found.starts) == (1, " ", [0, 4])


@given(text=st.text(max_size=30))
def test_folding_twice_is_folding_once(text):
    text = "".join(word for _, word in pieces(text))
    assert fold(fold(text)) == fold(text)


def test_a_gap_counts_most_between_the_same_characters():
    habits = Habits()
    habits.learn(" ", ", ", site("1", "day"))
    assert ", " in [gap.text for gap in habits.likely(" ", site("1", "day"))[:2]]
    assert habits.likely(" ", site("one", "two"))[0].text == " "


def test_a_blank_beside_a_single_letter_says_nothing_of_those_between_words():
    habits = Habits()
    for name in "PQRSTU":
        habits.learn(" ", " $ ", site("let", name))
    assert habits.likely(" ", site("put", "X"))[0].text == " $ "
    assert habits.likely(" ", site("put", "one"))[0].text == " "


def test_a_break_is_learnt_apart_from_the_indentation_behind_it():
    habits = Habits()
    habits.learn(">\n    <", ">\n\n  <", site("a", "b"))
    assert habits.likely(">\n</", site("x", "y"))[0].text == ">\n\n</"


def test_a_gap_within_a_formula_is_learnt_apart_from_those_outside():
    habits = Habits()
    for _ in range(3):
        habits.learn(" = ", "=", site("x", "y", math=True))
    assert habits.likely(" = ", site("a", "b", math=True))[0].text == "="
    assert habits.likely(" = ", site("a", "b"))[0].text == " = "


def test_chances_of_gaps_are_chances():
    habits = Habits()
    for written in (" | ", " |\n| ", " | ", "</td><td>"):
        habits.learn("</td><td>", written, site("a", "b"))
    assert all(0 < gap.chance <= 1 for gap in habits.likely("</td><td>", site("a", "b")))


def test_a_box_is_as_far_off_as_the_last_one_of_its_kind():
    """A table's box was taken to be as much wider as the paragraph's before it, which began on the same line."""
    kinds, tops = ("Text", "Table", "Text", "Table"), (10, 110, 210, 310)
    drafts = [
        f'{{"bbox": [50, {top}, 90, {top + 50}], "category": "{kind}", "text": "a'
        for kind, top in zip(kinds, tops, strict=True)
    ]
    boxes = Boxes(drafts)
    boxes.learn('{"bbox": [51, 10, 90, 60]')
    boxes.learn('{"bbox": [30, 110, 90, 160]')
    assert boxes.expected(2) == (51, 210, 90, 260)
    assert boxes.expected(3) == (30, 310, 90, 360)


def test_the_next_number_varies_after_one_that_was_not_the_expected_one():
    boxes = Boxes(['{"bbox": [10, 20, 90, 40]'])
    found = [guess.text for guess in boxes.guesses('{"bbox": [11', [0])]
    assert found[0] == ", 20, 90, 40"
    assert {", 21, 90, 40", ", 20, 89, 40", ", 20, 90, 41"} <= {*found}


def test_a_box_goes_on_with_the_numbers_of_the_next_region_as_far_off_as_the_last():
    boxes = Boxes(['{"bbox": [10, 20, 90, 40]', '{"bbox": [10, 50, 90, 70]', '{"bbox": [200, 50, 290, 70]'])
    assert boxes.learn('[{"bbox": [12, 20, 90, 39]') == 0
    assert boxes.guesses('"}, {"bbox": [', [1])[0].text == "12, 50, 90, 69"
    assert boxes.guesses('"}, {"bbox": [12, 5', [1, 2])[0].text == "0, 90, 69"
    assert boxes.guesses('"}, {"bbox": [20', [1, 2])[0].draft == 2
    assert boxes.guesses('"}, {"bbox": [12, 50]', [1]) == []


def test_several_drafts_of_a_region_leave_room_for_the_next_regions_boxes():
    boxes = Boxes([*['{"bbox": [10, 20, 90, 40]'] * 4, '{"bbox": [10, 60, 90, 80]'])
    assert boxes.guesses('"}, {"bbox": [10, 6', [0, 1, 2, 3, 4])[0].text == "0, 90, 80"


def test_a_number_that_is_not_near_goes_on_with_the_nearest_that_begins_so():
    boxes = Boxes(['{"bbox": [10, 60, 90, 80]'])
    assert boxes.guesses('"}, {"bbox": [10, 7', [0])[0].text == "0, 90, 80"


def test_a_box_identifies_its_region():
    drafts = [
        f'{{"bbox": [10, {y}, 90, {y + 20}], "category": "Text", "text": "{word} words"}},'
        for y, word in ((10, "first"), (50, "second"), (90, "third"))
    ]
    assert said('[{"bbox": [11, 91, 90, 110], "category": "Text", "text": "', *drafts)[0].startswith("third words")


BOXED = {
    "deepseek": "<|ref|>text<|/ref|><|det|>[[{0}, {1}, {2}, {3}]]<|/det|>\n{4} goes on. \n\n",
    "unlimited": "<|det|>text [{0}, {1}, {2}, {3}]<|/det|>{4} goes on.\n",
    "chandra": '<div data-bbox="{0} {1} {2} {3}" data-label="Text"><p>{4} goes on.</p></div>\n',
    "doctags": "<text><loc_{0}><loc_{1}><loc_{2}><loc_{3}>{4} goes on.</text>\n",
    "dots": '{{"bbox": [{0}, {1}, {2}, {3}], "category": "Text", "text": "{4} goes on."}}, ',
}
PARAGRAPHS = [(100, 100 * n, 900, 100 * n + 60, word) for n, word in enumerate(("One", "Two", "Three", "Four"), 1)]


@pytest.mark.parametrize("form", BOXED.values(), ids=BOXED)
def test_boxes_of_any_form_differ_from_ours_as_the_last_one_did(form):
    drafts = [form.format(*paragraph) for paragraph in PARAGRAPHS]
    others = [form.format(x0 - 4, y0 - 2, x1 + 3, y1 + 1, word) for x0, y0, x1, y1, word in PARAGRAPHS]
    written = "".join(others[:2])[: -len(form) + form.index("goes")]
    assert any(others[2][:60] in written + text for text in said_at_length(written, *drafts))


def test_a_number_beside_the_expected_one_is_offered_where_its_digits_differ():
    boxes = Boxes(['{"bbox": [10, 39, 90, 60]'])
    by_text = {guess.text: guess.chances for guess in boxes.guesses('{"bbox": [10, ', [0])}
    assert by_text["40, 90, 60"][0] > 0.1  # 39 and 40 part at their first digit


def said_at_length(written, *texts):
    words = Pieces()
    offered = rephrasing(words, *texts)
    tokens = words.encode(written)
    found = []
    for end in range(1, len(tokens) + 1):
        found = offered.candidates(tokens[:end], limit=80)
    return [words.decode(each.tokens) for each in found]


def test_a_blank_alone_stays_a_blank_whatever_became_of_one_beside_a_sign():
    habits = Habits()
    habits.learn(". ", ". [^", site("a", "1"))
    assert habits.likeliest((" ",), site("a", "b")).text == " "
    assert habits.likeliest((", ",), site("a", "1")).text == ", [^"


def test_what_was_rewritten_for_a_while_is_written_as_drafted_again():
    draft = "a; b; c; d; e *; f"
    assert said_at_length("a, b", draft)[0].endswith("e *, f")
    assert said_at_length("a, b; c; d", draft)[0] == "; e *; f"


def test_an_open_box_goes_on_with_the_expected_numbers_wherever_it_was_cut():
    form = BOXED["chandra"]
    drafts = [form.format(*paragraph) for paragraph in PARAGRAPHS]
    for written in ('<div data-bbox="', '<div data-bbox="1', '<div data-bbox="100 ', '<div data-bbox="100 100 900'):
        whole = (written + text for text in said_at_length(written, *drafts))
        assert any(text.startswith('<div data-bbox="100 100 900 160" data-label="Text"><p>One goes') for text in whole)


def test_a_box_between_tags_goes_on_within_the_tag_and_is_closed_after_four():
    drafts = [BOXED["doctags"].format(*paragraph) for paragraph in PARAGRAPHS]
    whole = "<text><loc_100><loc_100><loc_900><loc_160>"
    for end in range(whole.index("_") + 1, len(whole)):
        assert any((whole[:end] + text).startswith(f"{whole}One") for text in said_at_length(whole[:end], *drafts)), end
    boxes = Boxes(drafts)
    assert [boxes.is_open(whole[:end]) for end in (len(whole) - 2, len(whole))] == [True, False]


def test_what_stands_between_two_boxed_regions_is_learnt_whatever_their_boxes_are():
    form = BOXED["deepseek"]
    drafts = [form.format(*paragraph) for paragraph in PARAGRAPHS]
    others = [draft.replace("text", "paragraph").replace(". \n\n", ".\n\n") for draft in drafts]
    written = "".join(others[:2]) + others[2][: others[2].index("goes")].rstrip()
    assert said_at_length(written, *drafts)[0].startswith(" goes on.\n\n<|ref|>paragraph<|/ref|><|det|>[[100, 400")


def test_two_readings_of_a_boxed_region_are_one_place():
    """The second had no letters of its own to go on with, and an open box raised an error."""
    head = "<|ref|>text<|/ref|><|det|>[[10, 10, 90, 40]]<|/det|>\n"
    found = rephrased_with_forms(head[: head.index("40")], f"{head}one, two", f"{head}one two")
    assert found.startswith("40]]<|/det|>\none, two")


def test_a_gap_once_begun_goes_on_as_it_most_often_did():
    habits = Habits()
    for written in ("} $ ", "} $ ", "} $ .", "}"):
        habits.learn(" ", written, site("a", "b"))
    assert [gap.text for gap in habits.begun("} $", "")[:2]] == ["} $ ", "} $ ."]
    assert [gap.text for gap in habits.begun("}", "")[:2]] == ["} $ ", "}"]


def test_no_gap_is_sure_and_one_that_no_one_expected_least():
    habits = Habits()
    habits.learn(" ", " | ", site("a", "b"))
    chances = [gap.chance for gap in habits.likely(" ", site("a", "b"))]
    begun = habits.begun(" |", "")
    assert max(chances) < 1 and begun[0].chance < 0.7


def test_a_region_in_the_same_words_between_other_marks_is_searched_once():
    found = Letters(["| a | b |", "<td>a</td><td>b</td>", "a b c", "a b"], PLAIN_TEXT, [0, 0, 0, 1])
    assert found.text == f"ab{END}{END}abc{END}ab{END}"
    assert found.others(1) == ("</td><td>",)


TABLE = "<table><tr><td>ab</td><td>cd</td></tr><tr><td>ef</td><td>gh</td></tr></table>"
PIPES = "| ab | cd |\n| --- | --- |\n| ef | gh |"


def rephrased_with_forms(written, *texts, region=None):
    """The first candidate after this much of an answer, where the texts are of one region unless said."""
    words = Pieces()
    drafts = [TokenDraft(words.encode(text), region[n] if region else 0) for n, text in enumerate(texts)]
    offered = Rephrasing(texts, drafts, words.encode, words.decode)
    tokens = words.encode(written)
    found = []
    for end in range(1, len(tokens) + 1):
        found = offered.candidates(tokens[:end], limit=16)
    return words.decode(found[0].tokens)


def test_a_table_goes_on_in_the_form_in_which_it_began():
    """Rows end as in the form that wrote the first cells, though no row has ended yet."""
    assert rephrased_with_forms("| ab | cd", TABLE, PIPES).startswith(" |\n| --- | --- |")


def test_a_heading_ends_as_it_began():
    """Its level is another than in the draft; its marks tell the form."""
    texts = "### Forest\n\n", "### **Forest**\n\n", "Walnut"
    assert rephrased_with_forms("# **Forest", *texts, region=[0, 0, 1]).startswith("**\n\nWalnut")


def test_lines_that_may_be_a_table_go_on_as_one_once_its_marks_were_written():
    texts = ("Walnut.\n\n", "Name\n\n", "Age\n\n", "Birch\n\n", "7\n\n", "Juniper.\n\n")
    table = "<table><tr><td>Name</td><td>Birch</td></tr><tr><td>Age</td><td>7</td></tr></table>\n\n"
    words = Pieces()
    drafts = [
        *(TokenDraft(words.encode(text), n) for n, text in enumerate(texts)),
        TokenDraft(words.encode(table), 1, 4),
    ]
    offered = Rephrasing([*texts, table], drafts, words.encode, words.decode)
    as_text, as_table = words.encode("Walnut.\n\nName"), words.encode("Walnut.\n\n<table><tr><td>Name")
    assert words.decode(offered.candidates(as_text, limit=16)[0].tokens).startswith("\n\nAge\n\nBirch")
    offered = Rephrasing([*texts, table], drafts, words.encode, words.decode)
    found = words.decode(offered.candidates(as_table, limit=64)[0].tokens)
    assert found == f"{table[table.index('Name') + 4 :]}Juniper."


def test_words_are_marked_where_their_other_form_is_once_one_was():
    plain, marked = "one two three four five six", "one **two** three four **five** six"
    assert rephrased_with_forms("one **two** three", plain, marked).startswith(" four **five** six")
    assert rephrased_with_forms("one two three", plain, marked).startswith(" four five six")


def rephrased_with_lines(written, lines, draft=None):
    """The first candidate after this much of an answer to a draft that was printed in these lines."""
    draft = draft or " ".join(lines)
    ends = list(accumulate(sum(map(str.isalnum, line)) for line in lines))
    words = Pieces()
    offered = Rephrasing([draft], [TokenDraft(words.encode(draft), 0)], words.encode, words.decode, line_ends=[ends])
    tokens = words.encode(written)
    found = []
    for end in range(1, len(tokens) + 1):
        found = offered.candidates(tokens[:end], limit=16)
    return words.decode(found[0].tokens)


LINES = ("one two three,", "four five six", "seven eight nine", "ten eleven")


def test_an_answer_that_kept_one_printed_line_keeps_the_next():
    assert rephrased_with_lines("one two three, four five", LINES).startswith(" six seven")
    assert rephrased_with_lines("one two three,\nfour five", LINES).startswith(" six\nseven eight nine\nten eleven")


def test_lines_are_kept_only_as_long_as_the_answer_keeps_them():
    assert rephrased_with_lines("one two three,\nfour five six seven eight nine ten", LINES).startswith(" eleven")
    written = "one two three,\nfour five six seven"
    assert rephrased_with_lines(written, LINES).startswith(" eight nine ten")


def test_a_printed_line_ends_as_the_last_one_did():
    assert rephrased_with_lines("one two three, \nfour five six \nseven", LINES).startswith(" eight nine \nten")


def test_an_answer_that_kept_one_hyphen_at_a_lines_end_keeps_the_next():
    lines = ("a hier-", "archy of docu-", "ments and para-", "graphs")
    joined = "a hierarchy of documents and paragraphs"
    assert rephrased_with_lines("a hierarchy of", lines, joined).startswith(" documents and paragraphs")
    assert rephrased_with_lines("a hier-\narchy of", lines, joined).startswith(" docu-\nments and para-\ngraphs")


def test_lines_of_chinese_are_kept_without_blanks_and_hyphens():
    lines = ("文档解析是一", "项任务它由许", "多步骤组成")
    written = "文档解析是一\n项任务它"
    assert rephrased_with_lines(written, lines, "".join(lines)) == "由许\n多步骤组成"


def test_lines_that_hold_other_letters_than_the_draft_are_no_lines_of_it():
    assert Letters(["a b"], PLAIN_TEXT, [0], [[5, 9]]).line_starts == set()


def test_gaps_that_are_likely_go_before_those_that_only_began_alike():
    words = Pieces()
    offered = rephrasing(words, "a -- b -- c -- d -- e")
    tokens = words.encode("a --- b --- c --- d -")
    for end in range(1, len(tokens) + 1):
        found = offered.candidates(tokens[:end], limit=8)
    assert words.decode(found[0].tokens).startswith("-- e")


def test_that_signs_are_rewritten_is_not_forgotten_where_nothing_was_to_rewrite():
    habits = Habits()
    plain, others = site("a", "b"), ("<td>", "| ")
    habits.learn("</tr><tr>", "</tr>\n<tr>", plain, ("</tr><tr>", "|\n"))
    for _ in range(20):
        habits.learn("<td>", "<td>", plain, others)
    likeliest = habits.likely(".</tr><tr>", plain, (".</tr><tr>", ".|\n"))[0]
    assert likeliest.text == ".</tr>\n<tr>"
    assert likeliest.chance > 0.7


def test_marks_of_another_form_are_rewritten_as_they_were_before():
    plain, marked = "one two three, (four), five", "one **two** three, **(four)**, five"
    assert rephrased_with_forms("one __two__ three,", plain, marked).startswith(" __(four)__, five")


# ------------------------------------------------------------------------------------------------- ends


def test_no_blank_line_is_offered_where_no_region_is_left():
    assert said("The cat", "The cat sat.\n\n") == [" sat."]


def test_an_answer_that_began_with_a_fence_ends_with_one():
    assert said("```markdown\nThe cat", "The cat sat.\n\n") == [" sat.\n```"]


def test_a_fence_around_an_answer_is_not_learnt_as_what_stands_before_its_first_word():
    assert said("```markdown\n", "The cat sat.\n\n") == ["The cat sat.\n```"]


def test_margins_are_left_out_until_one_was_written():
    page = "Head\n\n", "The cat sat.\n\n", "17\n\n"
    assert said("The cat", *page, margins=(0, 2)) == [" sat."]
    assert said("Head\n\nThe cat", *page, margins=(0, 2)) == [" sat.\n\n17"]


# -------------------------------------------------------------------------------------- markup with words in it


FISH = ["Cod is cheap.\n\n", "```\nEel is not.\n```\n\n", "Ling is.\n\n", "```\nHake too.\n```\n\n"]


def test_a_name_of_markup_does_not_lose_the_place_in_the_draft():
    assert said("Cod is cheap.\n\n\\begin{verbatim}\n", *FISH)[0].startswith("Eel is not.")
    assert said("Cod is cheap.\n\n[source,text]\n----\n", *FISH)[0].startswith("Eel is not.")


def test_markup_with_words_is_learnt_like_any_other():
    listed = "Cod is cheap.\n\n[source]\n----\nEel is not.\n----\n\nLing is."
    assert "[source]\n----" in said(listed + "\n\n", *FISH)
    assert "source]\n----\n" in said(listed + "\n\n[", *FISH)


def test_another_word_than_the_drafts_is_no_markup():
    assert "[Hake" not in "".join(said("Cod [was cheap] not Eel [was cheap]", "Cod [is cheap] not Eel [is cheap] Hake"))


def test_a_sign_whose_name_is_written_is_finished_outside_formulas():
    assert any(each.startswith(">Cod") for each in said("<p", *FISH))
    assert any(each.startswith("{Cod") for each in said("\\section", *FISH))
    assert any(each.startswith(";b") for each in said("a &lt", "a < b c"))
    assert not any(each.startswith("{Cod") for each in said("$\\section", *FISH))


def test_a_line_under_a_heading_is_as_long_as_the_heading():
    assert said("Cod soup\n===", "# Cod soup\n\n", "Eel.\n\n")[0] == "=====\n\nEel."
    assert said("Cod soup\n--------", "# Cod soup\n\n", "Eel.\n\n")[0] == "\n\nEel."


# ----------------------------------------------------------------------------------------------- closing


def test_what_an_answer_opened_is_closed_at_the_end_of_its_region():
    assert " soup</h1>\n" in said("<h1>Fish", "Fish soup\n\n", "Cod is cheap.\n\n")
    assert ".</p>\n" in said("<p>Cod is cheap", "Cod is cheap.\n\n", "Eel is not.\n\n")
    assert "h1>\n" in said("<h1>Fish</", "# Fish\n\n", "Cod is cheap.\n\n")


def test_marked_words_are_closed_at_the_mark_that_the_draft_has():
    assert " soup</b>" in said("<p>Cod <b>fish", "Cod **fish soup** is cheap.\n\n")


def test_an_answer_in_other_markup_takes_fewer_passes_for_what_it_closes():
    drafts = [f"# Fish {name} soup\n\n" for name in ("cod", "eel", "ling")]
    closed = "<h1>Fish cod soup</h1>\n<h2>Fish eel soup</h2>\n<h3>Fish ling soup</h3>\n"
    _, found = decoded(closed, *drafts)
    _, other = decoded(closed.replace("</", "<+"), *drafts)
    assert len(found.steps) < len(other.steps)


# ------------------------------------------------------------------------------------------------ signs


def test_what_became_of_a_sign_becomes_of_it_in_gaps_never_seen():
    signs = RewrittenSigns()
    signs.learn("**.\n\n", "__.\n")
    assert signs.rewritten("** (\n\n") == "__ (\n"
    assert signs.rewritten(" - ") == " - "


def test_a_tag_that_begins_by_another_name_ends_by_it():
    signs = RewrittenSigns()
    signs.learn("<tr><th>", "<tr><td>")
    assert signs.rewritten('</th><th colspan="2">') == '</td><td colspan="2">'
    assert signs.faded(0.5).rewritten("</th>") == "</td>"


def test_a_sign_that_stays_most_of_the_time_is_left_as_it_is():
    signs = RewrittenSigns()
    signs.learn(", ", "; ")
    for _ in range(3):
        signs.learn(", ", ", ")
    assert signs.rewritten(" , ") == " , "


def test_between_the_same_two_others_a_sign_is_rewritten_as_it_was_there():
    signs = RewrittenSigns()
    for _ in range(3):
        signs.learn("## ", "## **")
        signs.learn(". ", ". ")
    assert (signs.rewritten("## "), signs.rewritten(". ")) == ("## **", ". ")


@given(gap=st.text(" \n*`.<>td/|\\a", max_size=12), written=st.text(" \n*`.<>td/|\\a", max_size=12))
def test_a_gap_learnt_is_rewritten_as_it_was_written(gap, written):
    signs = RewrittenSigns()
    assert "".join(signs_of(gap)) == gap
    signs.learn(gap, written)
    assert not gap or signs.rewritten(gap) in (written, gap) or len(signs_of(gap)) > len(set(signs_of(gap)))
