"""Teaching nano a head: which tokens see which while several are learnt at once."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "training" / "nano"))  # the scripts are no package

import torch  # noqa: E402
from head import BLOCK, Read, _pointed, _seen, _seen_by_blocks  # noqa: E402


def seen_by(mask, token: int) -> list[int]:
    return mask[0, 0, token].nonzero().flatten().tolist()


def test_a_chains_token_sees_what_was_read_before_it_and_its_own_chain():
    """Behind the four that were read stand those of the first step, then those of the second."""
    assert seen_by(_seen(4, 0), 2) == [0, 1, 2]
    assert seen_by(_seen(4, 1), 2) == [0, 1, 4 + 2]
    assert seen_by(_seen(4, 2), 3) == [0, 1, 4 + 2, 8 + 3]


def test_a_block_sees_what_stands_before_it_and_itself():
    mask = _seen_by_blocks(5, [2, 4])
    first, second = seen_by(mask, 0), seen_by(mask, BLOCK)
    assert first == [0, 1, *range(5, 5 + BLOCK)]
    assert second == [0, 1, 2, 3, *range(5 + BLOCK, 5 + 2 * BLOCK)]


def test_a_head_is_right_where_it_looks_at_the_cell_of_the_token_that_is_drafted():
    """Three tokens of a prompt, two of them cells, then an answer of three, of which the last stands nowhere."""
    cells = torch.tensor([[0, 1, -100]])
    lesson = Read(None, torch.empty(0), [0] * 6, 3, torch.empty(0), slice(1, 3), cells)
    right = torch.zeros(BLOCK, 6)
    right[0, 1 + 1] = 50.0  # the block begins with the answer's first token, and drafts its second
    assert _pointed(right, lesson, 0, [3]) < 1e-3
    assert _pointed(right.roll(-1, 1), lesson, 0, [3]) > 1
