"""Rules of verification with real models: what is written follows the target's own distribution."""

from __future__ import annotations

import shutil
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import transformers
from PIL import Image

from docparse_fast.speculative.verification_rules import BLOCKWISE, TOKENWISE
from docparse_fast.targets import open_target
from docparse_fast.targets.drawn_decoding import DrawnRow, draw_answer

ROOT = Path(__file__).parents[2]
NANO = ROOT / "docparse_fast/data/nano"
WARM = 1.7  # at which nano is unsure of its letters, and its first layers are of more
WRITTEN = 2  # tokens of a draw
BLOCK = 2
DRAWS = 8_000
EXPECTED = 5.0  # draws of a text; rarer ones are counted together
RULES = [TOKENWISE, BLOCKWISE]


@pytest.fixture(scope="module")
def nano():
    return open_target("nano", device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def cut(tmp_path_factory):
    """nano without its last layer."""
    folder = tmp_path_factory.mktemp("weights") / "cut"
    config = transformers.AutoConfig.from_pretrained(NANO)
    config.text_config.num_hidden_layers -= 1
    transformers.Qwen3VLForConditionalGeneration.from_pretrained(NANO, config=config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "preprocessor_config.json", "generation_config.json"):
        shutil.copy(NANO / name, folder / name)
    return open_target(str(folder), device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def view(nano):
    page = Image.open(ROOT / "samples/nano/page-01.png").convert("L")
    return nano.page_view(page.crop((0, 0, page.width, page.height // 4)))


class Remembering:
    """A row that makes each pass once: the models say the same after the same text."""

    def __init__(self, row):
        self.first = row.first
        self.after = cache(row.after)


@pytest.fixture(scope="module")
def rows(nano, cut, view):
    """The target's row and the draft's, for all tests: what a rule decides, no pass knows of."""
    return [Remembering(DrawnRow(model.decoder, view, WARM)) for model in (nano, cut)]


@pytest.fixture(scope="module")
def begun(view):
    return tuple(open_target("nano", device="cpu", dtype="float32").generate(view, 8))


def chi_square(rows, begun, rule, draws):
    """Of the two tokens behind nano's own first eight; and the degrees of freedom."""
    target, draft = rows
    expected = {}
    first = target.after(begun)[0]
    for token in np.flatnonzero(first * draws >= EXPECTED):
        second = target.after((*begun, int(token)))[0]
        expected |= {(int(token), int(other)): first[token] * second[other] * draws for other in range(len(second))}
    likely = {text: count for text, count in expected.items() if count >= EXPECTED}
    generator = np.random.default_rng(7)
    seen = Counter(
        draw_answer(target, draft, rule, generator, block=BLOCK, longest=WRITTEN, ends=frozenset(), begun=begun).tokens
        for _ in range(draws)
    )
    rare = draws - sum(likely.values())
    others = draws - sum(seen[text] for text in likely)
    found = sum((seen[text] - count) ** 2 / count for text, count in likely.items()) + (others - rare) ** 2 / rare
    return found, len(likely)


def beyond(degrees):
    """The 0.1 % point of chi-square, by Wilson and Hilferty."""
    return degrees * (1 - 2 / (9 * degrees) + 3.09 * (2 / (9 * degrees)) ** 0.5) ** 3


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_two_real_models_draw_what_the_target_would_alone(rows, begun, rule):
    found, degrees = chi_square(rows, begun, rule, DRAWS)
    print(f"{rule.name}: chi-square {found:.1f} of {degrees} degrees, 0.1 % point {beyond(degrees):.1f}")
    assert degrees > 10
    assert found < beyond(degrees)


def test_drafts_that_are_taken_whole_are_not_the_targets_distribution(rows, begun):
    """The test above can tell: without a rule it fails, with half of the draws already."""

    class Credulous:
        name, exact = "credulous", False

        def chances(self, block):
            return np.array([0.0] * len(block.tokens) + [1.0])

        def following(self, block, accepted):
            return block.p[accepted]

    found, degrees = chi_square(rows, begun, Credulous(), DRAWS // 2)
    print(f"credulous: chi-square {found:.1f} of {degrees} degrees, 0.1 % point {beyond(degrees):.1f}")
    assert found > beyond(degrees)


def test_a_model_that_drafts_for_itself_writes_its_whole_block_and_one_token_more(view):
    twins = [open_target("nano", device="cpu", dtype="float32") for _ in range(2)]
    target, draft = (DrawnRow(twin.decoder, view, 1.0) for twin in twins)
    answer = draw_answer(
        target, draft, BLOCKWISE, np.random.default_rng(1), block=5, longest=25, ends=frozenset(twins[0].decoder.eos)
    )
    assert len(answer.tokens) == 25
    assert answer.passes == 4  # the first token has no pass
