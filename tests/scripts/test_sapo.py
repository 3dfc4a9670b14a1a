"""Training mini by rewards: what is rewarded, that it leads to what is wanted, and that blocks don't see each other."""

from __future__ import annotations

import sys
from pathlib import Path

import torch

ROOT = Path(__file__).parents[2]
NANO = ROOT / "docparse_fast" / "data" / "nano"
sys.path.insert(0, str(ROOT / "scripts" / "training" / "nano"))  # the scripts are no package

from lessons import Seen  # noqa: E402
from sapo import Page, Sapo, advantages, clipped_loss, rewards  # noqa: E402
from tokens import Tokens  # noqa: E402


def test_a_block_is_rewarded_for_what_the_target_would_accept():
    drawn = torch.tensor([[[1, 2, 3, 4], [1, 2, 9, 4], [9, 2, 3, 4]]])
    assert rewards(drawn, torch.tensor([[1, 2, 3, 4]])).tolist() == [[2.0, 0.5, 0.0]]


def test_rewards_lead_to_the_wanted_block():
    torch.manual_seed(1)
    wanted = torch.tensor([[3, 1]])
    logits = torch.zeros(2, 5, requires_grad=True)
    for _ in range(200):
        chances = logits.log_softmax(-1)
        drawn = chances.detach().exp().multinomial(8, replacement=True).T[None]  # (1, draws, block)
        now = chances[torch.arange(2), drawn]
        loss = clipped_loss(now, now.detach(), advantages(rewards(drawn, wanted)))
        (step,) = torch.autograd.grad(loss, logits)
        logits.data -= 2.0 * step
    chances = logits.softmax(-1)
    assert chances[0, 3] * chances[1, 1] > 0.9


def test_a_block_is_read_as_if_it_stood_alone_in_the_answer():
    """Blocks share a pass with the whole answer, and see only what is before them."""
    tokens = Tokens(NANO / "tokenizer.json")
    course = Sapo(tokens, NANO, 1.0)
    answer = [*tokens.encode("A heading, and then a line")[0], tokens.end]
    features = torch.randn(2, 6, 256, generator=torch.Generator().manual_seed(1)).half()
    one = Seen("", answer, answer, torch.zeros(3, len(answer), dtype=torch.long), (2, 3), features)
    blocks = torch.tensor([[answer[1:3], [7, 8]], [answer[4:6], [9, 9]]])
    with torch.no_grad():
        page = Page(course, one)
        found = page.logits(torch.tensor([1, 4]), blocks)
        torch.testing.assert_close(found[0, 0], page.own()[1:4], atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(found[1, 0], page.own()[4:7], atol=1e-4, rtol=1e-4)
        other = page.logits(torch.tensor([4]), torch.tensor([[[9, 9]]]))
        torch.testing.assert_close(found[1, 1], other[0, 0], atol=1e-4, rtol=1e-4)
