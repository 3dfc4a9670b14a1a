"""Ocean-OCR-Bench's scores, on words."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from docparse_fast.bench.datasets import BenchPage, Truth
from docparse_fast.bench.scores import score_page
from docparse_fast.bench.scores.plain_text import word_pairs, words
from docparse_fast.bench.scores.words import bleu, edit_similarity, meteor, precision_recall_f1

WORD = st.text(alphabet="abcdefgh", min_size=1, max_size=6)
SENTENCE = st.lists(WORD, min_size=1, max_size=30)
CHINESE = st.text(alphabet="潮汐是海水在月球和太阳引力作用下的涨落港口位每天升降两次", min_size=6, max_size=40)
MEASURES = {"edit", "f1", "precision", "recall", "bleu", "meteor"}


def scored(truth: str, answer: str, tmp_path=None) -> dict[str, float]:
    page = BenchPage("a", tmp_path, truth=Truth(truth))
    return {measure: one for measure, (one,) in score_page("ocean-ocr-bench", page, answer).measures.items()}


@given(SENTENCE | CHINESE.map(lambda text: [text]))
def test_the_truth_has_100_and_nothing_has_0_by_every_measure(sentence):
    text = " ".join(sentence)
    assert scored(text, text) == pytest.approx(dict.fromkeys(MEASURES, 100.0))
    assert scored(text, "") == dict.fromkeys(MEASURES, 0.0)


@given(st.lists(WORD, min_size=4, max_size=30), st.integers(0, 99))
def test_letters_shuffled_among_the_words_cost_by_every_measure(sentence, seed):
    letters = "".join(sentence)
    mixed = iter(random.Random(seed).sample(letters, len(letters)))
    answer = ["".join(next(mixed) for _ in word) for word in sentence]
    assume(set(answer) - set(sentence) and set(sentence) - set(answer))
    assert max(scored(" ".join(sentence), " ".join(answer)).values()) < 100


@given(CHINESE, st.integers(0, 99))
def test_shuffled_chinese_costs_although_every_character_is_there(text, seed):
    mixed = "".join(random.Random(seed).sample(text, len(text)))
    assume(set(word_pairs(mixed)) != set(word_pairs(text)) and len(set(text)) > 4)
    found = scored(text, mixed)
    assert max(found["edit"], found["f1"], found["bleu"], found["meteor"]) < 100


@given(SENTENCE, SENTENCE)
def test_every_figure_lies_between_0_and_100(truth, answer):
    assert all(-1e-9 <= figure <= 100 + 1e-9 for figure in scored(" ".join(truth), " ".join(answer)).values())


def test_precision_recall_and_f1_are_of_sets_of_words():
    precision, recall, f1 = precision_recall_f1(["a", "b", "c", "d"], ["b", "a", "a", "x"])
    assert (precision, recall, f1) == pytest.approx((200 / 3, 50, 400 / 7))


def test_bleu_of_a_known_pair():
    """By hand: 5/6, 3/5, 1/4 and no run of four right; 0 without smoothing. With the last word right: 4 runs of 3."""
    truth = ["the", "cat", "is", "on", "the", "mat"]
    assert bleu(truth, ["the", "cat", "sat", "on", "the", "mat"]) == 0
    assert bleu(truth, ["the", "cat", "is", "on", "the", "rug"]) == pytest.approx(
        100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25
    )


def test_bleu_costs_what_is_left_out():
    truth = ["the", "cat", "is", "on", "the", "mat"]
    assert bleu(truth, truth[:5]) == pytest.approx(100 * 2.718281828 ** (1 - 6 / 5))


def test_meteor_of_a_known_pair():
    """Five of six words in two pieces: mean 5/6, penalty half of (2/5)^3."""
    truth = ["the", "cat", "is", "on", "the", "mat"]
    assert meteor(truth, ["the", "cat", "sat", "on", "the", "mat"]) == pytest.approx(
        100 * 5 / 6 * (1 - 0.5 * (2 / 5) ** 3)
    )


def test_meteor_weighs_recall_nine_times_precision():
    """Three of six words, all right: 1 * 0.5 / (0.9 * 1 + 0.1 * 0.5), in one piece of three."""
    truth = ["a", "cat", "is", "on", "the", "mat"]
    assert meteor(truth, truth[:3]) == pytest.approx(100 * 0.5 / 0.95 * (1 - 0.5 * (1 / 3) ** 3))


def test_edit_similarity_counts_letters():
    assert edit_similarity("abcd", "abxd") == 75


def test_markup_and_line_breaks_are_not_part_of_the_text():
    assert scored("Two lines of a text", "# Two\nlines *of* a\n\ntext")["edit"] == 100


def test_chinese_is_cut_into_characters_and_the_rest_into_words():
    assert words("SA8000 标准, FLA。") == ["SA8000", "标", "准", ",", "FLA", "。"]
