"""One page's scores, and a data set's. Knows which scores belong to which data set, and how each tool takes the mean.

OmniDocBench: overall is the mean of text, TEDS and formulas (text a mean over pages, the others over tables and
formulas). olmOCR-Bench: the mean over groups of the part of tests passed. Ocean-OCR-Bench: the mean of its six, which
is ours: the paper prints one figure and does not say which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from docparse_fast.bench.datasets import BenchPage, DatasetName, UnitTest
from docparse_fast.bench.scores.content import read_blocks, truth_blocks
from docparse_fast.bench.scores.formulas import formula_scores
from docparse_fast.bench.scores.plain_text import running_text, word_pairs, words
from docparse_fast.bench.scores.reading_order import order_score
from docparse_fast.bench.scores.table_scores import table_scores
from docparse_fast.bench.scores.text import paragraphs, text_in_order, text_places, text_score
from docparse_fast.bench.scores.unit_tests import passes
from docparse_fast.bench.scores.words import bleu, edit_similarity, meteor, precision_recall_f1

OVERALL_OF_BLOCKS = ("text", "teds", "formula")
OVERALL_OF_WORDS = ("edit", "f1", "precision", "recall", "bleu", "meteor")
MEASURES = {
    "text": "text, paragraph by paragraph",
    "text_in_order": "text in reading order",
    "teds": "TEDS",
    "teds_s": "TEDS-S",
    "formula": "formulas (ours, not CDM)",
    "order": "reading order",
    "edit": "edit similarity",
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "bleu": "BLEU",
    "meteor": "METEOR (equal words only)",
    "tests": "unit tests passed",
}


@dataclass(frozen=True, slots=True)
class UnitTestResult:
    id: str
    group: str
    kind: str  # "presence", "order", "table", "math", "baseline"
    passed: bool


@dataclass(frozen=True, slots=True)
class PageScores:
    """A page's figures by measure, 0 to 100: one for the page, or one for each of its tables or formulas."""

    page: str
    group: str
    measures: Mapping[str, tuple[float, ...]]
    tests: tuple[UnitTestResult, ...] = ()


@dataclass(frozen=True, slots=True)
class SetScores:
    """A data set's figures: overall, by measure over all its pages, and overall by group. None where nothing counts."""

    pages: int
    overall: float | None
    measures: Mapping[str, float]
    groups: Mapping[str, float]


def score_page(dataset: DatasetName, page: BenchPage, markdown: str) -> PageScores:
    """What a page's Markdown is worth; no measures where nothing is known of the page."""
    if page.tests:
        return PageScores(page.id, page.group, {}, tuple(_result(test, markdown) for test in page.tests))
    if page.truth is None:
        return PageScores(page.id, page.group, {})
    measured = _of_words(page.truth.markdown, markdown) if dataset == "ocean-ocr-bench" else _of_blocks(page, markdown)
    return PageScores(page.id, page.group, measured)


def summarise(dataset: DatasetName, scores: Sequence[PageScores]) -> SetScores:
    groups = dict.fromkeys(group for score in scores for group in _groups(score))
    by_group = {group: _overall(dataset, [_only(score, group) for score in scores]) for group in groups if group}
    return SetScores(
        pages=len(scores),
        overall=_overall(dataset, scores),
        measures=_means(scores),
        groups={group: overall for group, overall in by_group.items() if overall is not None},
    )


# ----------------------------------------------------------------------------------------------- page


def _result(test: UnitTest, markdown: str) -> UnitTestResult:
    kind = type(test).__name__.removesuffix("Test").lower()
    return UnitTestResult(test.id, test.group, kind, passes(test, markdown))


def _of_words(truth: str, markdown: str) -> dict[str, tuple[float, ...]]:
    expected, written = running_text(truth), running_text(markdown)
    precision, recall, f1 = precision_recall_f1(word_pairs(expected), word_pairs(written))
    return {
        "edit": (edit_similarity(expected, written),),
        "f1": (f1,),
        "precision": (precision,),
        "recall": (recall,),
        "bleu": (bleu(words(expected), words(written)),),
        "meteor": (meteor(words(expected), words(written)),),
    }


def _of_blocks(page: BenchPage, markdown: str) -> dict[str, tuple[float, ...]]:
    truth, answer = truth_blocks(page), read_blocks(markdown)
    if not any(block.text.strip() for block in truth):
        blank = 100.0 * (not running_text(markdown))
        return {"text": (blank,), "text_in_order": (blank,)}
    text = paragraphs(truth, answer)
    tables = table_scores(truth, answer)
    formulas = formula_scores(truth, answer)
    expected = [at for at, block in enumerate(truth) if block.counted and (at in text.truths or block.kind != "text")]
    measured = {
        "text": _one(text_score(text)),
        "text_in_order": _one(text_in_order(text)),
        "teds": tables.teds,
        "teds_s": tables.teds_s,
        "formula": formulas.scores,
        "order": _one(order_score(expected, text_places(text) | tables.places | formulas.places)),
    }
    return {measure: figures for measure, figures in measured.items() if figures}


def _one(figure: float | None) -> tuple[float, ...]:
    return () if figure is None else (figure,)


# ------------------------------------------------------------------------------------------- data set


def _groups(score: PageScores) -> list[str]:
    return [test.group for test in score.tests] or [score.group]


def _only(score: PageScores, group: str) -> PageScores:
    """What of a page belongs to a group: some of its tests, or all of it, or nothing."""
    tests = tuple(test for test in score.tests if test.group == group)
    return PageScores(score.page, group, score.measures if score.group == group else {}, tests)


def _means(scores: Sequence[PageScores]) -> dict[str, float]:
    figures: dict[str, list[float]] = {}
    for score in scores:
        for measure, page in score.measures.items():
            figures.setdefault(measure, []).extend(page)
    figures["tests"] = [100.0 * test.passed for score in scores for test in score.tests]
    return {measure: fmean(figures[measure]) for measure in MEASURES if figures.get(measure)}


def _overall(dataset: DatasetName, scores: Sequence[PageScores]) -> float | None:
    if any(score.tests for score in scores):
        return _mean_over_groups(score.tests for score in scores)
    means = _means(scores)
    names = OVERALL_OF_WORDS if dataset == "ocean-ocr-bench" else OVERALL_OF_BLOCKS
    counted = [means[measure] for measure in names if measure in means]
    return fmean(counted) if counted else None


def _mean_over_groups(pages: Iterable[Sequence[UnitTestResult]]) -> float:
    groups: dict[str, list[float]] = {}
    for test in (test for tests in pages for test in tests):
        groups.setdefault(test.group, []).append(100.0 * test.passed)
    return fmean(map(fmean, groups.values()))
