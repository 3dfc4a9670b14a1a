"""The scores of Ocean-OCR-Bench: words found, BLEU, METEOR and edit distance. Knows words; knows no Markdown.

Precision, recall and F1 compare sets of words, so order and repetition don't count. BLEU is that of one sentence, up
to four words, without smoothing. METEOR matches equal words only: no synonyms and no stems, which the official figure
has from a dictionary that must be downloaded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log

from rapidfuzz.distance import Levenshtein

LONGEST_RUN = 4  # words, BLEU's N
RECALL_WEIGHT = 0.9  # METEOR's alpha
PENALTY, PENALTY_POWER = 0.5, 3.0  # METEOR's gamma and beta


def edit_similarity(truth: str, answer: str) -> float:
    return 100 * float(Levenshtein.normalized_similarity(truth, answer))


def precision_recall_f1(truth: Sequence[str], answer: Sequence[str]) -> tuple[float, float, float]:
    """
    >>> precision_recall_f1(["a", "b", "c", "d"], ["a", "b", "b"])[:2]
    (100.0, 50.0)
    """
    expected, written = set(truth), set(answer)
    both = len(expected & written)
    if not both:
        same = float(not expected and not written) * 100
        return same, same, same
    precision, recall = both / len(written), both / len(expected)
    return 100 * precision, 100 * recall, 200 * precision * recall / (precision + recall)


def bleu(truth: Sequence[str], answer: Sequence[str]) -> float:
    """Runs longer than the truth has words are not asked for: a short text that is right has 100.

    >>> bleu("one two three".split(), "one two three".split())
    100.0
    """
    if not truth or not answer:
        return 100.0 * (not truth and not answer)
    longest = min(LONGEST_RUN, len(truth))
    logs = 0.0
    for length in range(1, longest + 1):
        expected, written = _runs(truth, length), _runs(answer, length)
        right = (expected & written).total()
        if not right:
            return 0.0
        logs += log(right / written.total())
    brevity = min(0.0, 1 - len(truth) / len(answer))
    return 100 * exp(logs / longest + brevity)


def meteor(truth: Sequence[str], answer: Sequence[str]) -> float:
    """Recall before precision, and less where the words that match stand in many pieces; a copy in one piece has 100.

    >>> round(meteor("the cat sat on the mat".split(), "on the mat sat the cat".split()), 1)
    50.0
    """
    places = _places(truth, answer)
    if not places:
        return 100.0 * (not truth and not answer)
    chunks = 1 + sum((to[0] - at[0], to[1] - at[1]) != (1, 1) for at, to in pairwise(places))
    precision, recall = len(places) / len(answer), len(places) / len(truth)
    mean = precision * recall / (RECALL_WEIGHT * precision + (1 - RECALL_WEIGHT) * recall)
    if chunks == 1 and len(places) == len(answer) == len(truth):
        return 100.0
    return float(100 * mean * (1 - PENALTY * (chunks / len(places)) ** PENALTY_POWER))


def _runs(words: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + length]) for at in range(len(words) - length + 1))


def _places(truth: Sequence[str], answer: Sequence[str]) -> list[tuple[int, int]]:
    """Whose word is whose: from the answer's end on, each takes the last one that is free, as NLTK does."""
    free: defaultdict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(truth):
        free[word].append(at)
    found = [(at, free[word].pop()) for at, word in reversed(list(enumerate(answer))) if free[word]]
    return found[::-1]
