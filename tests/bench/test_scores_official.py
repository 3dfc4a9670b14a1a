"""Our scores held against the official tools' own, if somebody installs them: `pip install olmocr[bench] nltk`."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from docparse_fast.bench.datasets import load
from docparse_fast.bench.scores.unit_tests import passes
from docparse_fast.bench.scores.words import bleu, meteor

pytestmark = pytest.mark.independent

DATA = Path(__file__).parent / "bench_data" / "olmOCR-bench" / "bench_data"
ANSWER = """# The harbour, 3rd of May

Hemp rots from the inside, **Nylon** does not rot. Journal of Small Waves

I write in haste, for the boat is leaving. hawser, n. A thick rope for towing. heaving line 12
"""


def spoilt(text: str, seed: int) -> str:
    """With some letters changed, its lines in another order, or a piece cut off; never without a letter."""
    chance = random.Random(seed)
    lines = text.split("\n")
    chance.shuffle(lines)
    mixed = list("\n".join(lines))
    for at in chance.sample(range(len(mixed)), len(mixed) // 40):
        mixed[at] = chance.choice("abc ,.–’*_1")
    return "".join(mixed)[: chance.randrange(40, len(mixed))] + "a"


def test_unit_tests_of_text_pass_where_the_official_ones_do():
    official = pytest.importorskip("olmocr.bench.tests")
    ours = {test.id: test for page in load(DATA).pages for test in page.tests}
    lines = [line for path in DATA.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    theirs = [json.loads(line) for line in lines]
    for test in theirs:
        if test["type"] in ("present", "absent", "order", "baseline"):
            for seed in range(200):
                answer = spoilt(ANSWER, seed)
                assert passes(ours[test["id"]], answer) == official.load_single_test(test).run(answer)[0], (
                    test,
                    answer,
                )


def test_bleu_and_meteor_are_those_of_nltk_without_its_dictionary():
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    meteor_score = pytest.importorskip("nltk.translate.meteor_score")
    chance = random.Random(0)
    for _ in range(200):
        truth = [chance.choice("abcdefghijklmnop") for _ in range(chance.randrange(5, 60))]
        answer = [word if chance.random() > 0.2 else "x" for word in truth] + ["y"]
        expected = 100 * bleu_score.sentence_bleu([truth], answer)
        assert bleu(truth, answer) == pytest.approx(expected if expected > 1e-6 else 0)
        pairs, _, _ = meteor_score._match_enums(list(enumerate(answer)), list(enumerate(truth)))
        pairs = sorted(pairs)
        precision, recall = len(pairs) / len(answer), len(pairs) / len(truth)
        mean = precision * recall / (0.9 * precision + 0.1 * recall)
        chunks = meteor_score._count_chunks(pairs)
        assert meteor(truth, answer) == pytest.approx(100 * mean * (1 - 0.5 * (chunks / len(pairs)) ** 3))
