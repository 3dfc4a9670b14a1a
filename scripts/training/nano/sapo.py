"""Trains mini by the rewards of DREAM-R's SAPO, beside distillation (`distil.py`) that takes as many core-seconds.

    python scripts/training/nano/sapo.py checkpoints/lessons NANO --out checkpoints/sapo --core-seconds 950

OUT holds a copy of distil.py's last.pt, from which it goes on. In the place of a step of reasoning there is a block of
tokens: mini draws some after one beginning, and is rewarded for a block that is the target's (R_outcome, Eq. 1) and
for the share of its tokens that the target would accept (R_draft). R_length (Eq. 2) is left out: blocks are of one
length. Blocks are drawn where mini is unsure: where all draws are right nothing is learnt.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import SimpleNamespace

import torch
from distil import SEED, Course, main
from lessons import Seen
from mini import Shown
from torch import Tensor

RATE = 1e-4  # learning rate where distillation has 1e-3
BLOCK = 5  # tokens, as in the tables with draft models
DRAWN = 8  # blocks after one beginning
BEGINNINGS = 8  # of a page
TWICE = 2  # steps on the same draws
NEAR = 0.2  # how far a step may move a token's chance: epsilon of Eq. 4
UNSURE = (0.05, 0.95)  # mini's chance of the target's block


def rewards(drawn: Tensor, wanted: Tensor) -> Tensor:  # (beginnings, draws)
    """R_outcome + R_draft of blocks of tokens, (beginnings, draws, block), beside (beginnings, block)."""
    accepted = (drawn == wanted[:, None]).long().cumprod(-1).float()
    return accepted[..., -1] + accepted.mean(-1)


def advantages(found: Tensor) -> Tensor:
    """How much better each draw is than the others after its beginning."""
    return (found - found.mean(1, keepdim=True)) / (found.std(1, keepdim=True) + 1e-4)


def clipped_loss(now: Tensor, before: Tensor, advantage: Tensor) -> Tensor:
    """Eq. 4; log-probabilities of tokens, (beginnings, draws, block), and advantages of draws."""
    ratio, gain = (now - before).exp(), advantage[..., None]
    return -torch.minimum(ratio * gain, ratio.clamp(1 - NEAR, 1 + NEAR) * gain).mean()


class Page:
    """One lesson, and blocks that go on from some of its places, all in one pass."""

    def __init__(self, course: Course, one: Seen) -> None:
        self.shown = Shown.of([one], "M", course.tokens, random.Random(SEED))
        self._model = course.mini.model
        self._model.set_attn_implementation("sdpa")  # the one of training knows no mask
        reader = self._model.model
        self._places = reader.get_rope_index(self.shown.ids, self.shown.kinds, self.shown.grids)[0]
        self._first = len(self.shown.ids[0]) - len(one.answer) - 1  # the token after which the answer begins

    def logits(self, begun: Tensor, blocks: Tensor) -> Tensor:  # (beginnings, draws, drawn + 1, vocabulary)
        """After each beginning and each token of the blocks, (beginnings, draws, drawn), behind it."""
        count, draws, drawn = blocks.shape
        length, more = self.shown.ids.shape[1], blocks.numel()
        at = (self._first + begun).repeat_interleave(draws)  # by block
        depth = torch.arange(drawn)
        places = self._places[:, 0, at][..., None] + 1 + depth  # (3, blocks, drawn)
        block = torch.arange(count * draws).repeat_interleave(drawn)
        mask = torch.ones(length + more, length + more, dtype=torch.bool).tril()
        mask[length:, :length] = torch.arange(length) <= at[block][:, None]
        mask[length:, length:] &= block == block[:, None]
        hidden = self._hidden(blocks.flatten()[None], places.flatten(1)[:, None], mask[None, None])
        behind = hidden[length:].unflatten(0, (count, draws, drawn))
        before = hidden[at].unflatten(0, (count, draws, 1))
        return self._model.lm_head(torch.cat([before, behind], 2)).float()

    def own(self) -> Tensor:  # (answer, vocabulary)
        """The logits along the true answer."""
        none = torch.empty(1, 0, dtype=torch.long)
        hidden = self._hidden(none, torch.empty(3, 1, 0, dtype=torch.long), None)
        return self._model.lm_head(hidden[self._first : -1]).float()

    def _hidden(self, more: Tensor, places: Tensor, mask: Tensor | None) -> Tensor:
        shown = self.shown
        assert shown.features is not None
        vision = SimpleNamespace(pooler_output=[shown.features[0]], deepstack_features=[[shown.features[1]]])
        found: Tensor = self._model.model(
            input_ids=torch.cat([shown.ids, more], 1),
            mm_token_type_ids=torch.cat([shown.kinds, torch.zeros_like(more)], 1),
            image_grid_thw=shown.grids,
            mm_encoder_outputs={"image": vision},
            position_ids=torch.cat([self._places, places], 2),
            attention_mask=mask,
            use_cache=False,
        ).last_hidden_state[0]
        return found


class Sapo(Course):
    def step(self, pages: Sequence[Seen], regions: Sequence[Seen]) -> dict[str, float]:
        chance = random.Random(SEED * 1_000_003 + self.batches)
        torch.manual_seed(SEED * 1_000_003 + self.batches)
        self.batches += 1
        one = chance.choice(pages)
        with torch.autocast("cpu", torch.bfloat16):
            page = Page(self, one)
            begun, wanted = self._beginnings(page, one, chance)
            if not len(begun):
                return {}
            drawn = self._drawn_blocks(page, begun)
            found = rewards(drawn, wanted)
            before = None
            for _ in range(TWICE):
                now = _chances(page.logits(begun, drawn[..., :-1]), drawn)
                before = now.detach() if before is None else before
                clipped_loss(now, before, advantages(found)).backward()
                self.descend(RATE * max(0.0, 1.0 - self.spent / self.end + 0.002))
        self.mini._seen.clear()
        return {"reward": float(found.mean()), "places": len(begun)}

    @torch.no_grad()
    def _beginnings(self, page: Page, one: Seen, chance: random.Random) -> tuple[Tensor, Tensor]:
        """Places where mini may or may not draw what nano writes, and the blocks that nano writes there."""
        choices, answer = torch.tensor(one.choices), torch.tensor(one.answer)
        sure = page.own().log_softmax(-1).gather(1, choices[:, None])[:, 0].unfold(0, BLOCK, 1).sum(1).exp()
        known = (choices == answer).unfold(0, BLOCK, 1)[:, :-1].all(1)  # only its last token may part from the text
        places = (known & (sure > UNSURE[0]) & (sure < UNSURE[1])).nonzero()[:, 0].tolist()
        begun = torch.tensor(sorted(chance.sample(places, min(BEGINNINGS, len(places)))), dtype=torch.long)
        return begun, choices.unfold(0, BLOCK, 1)[begun]

    @torch.no_grad()
    def _drawn_blocks(self, page: Page, begun: Tensor) -> Tensor:
        drawn = torch.empty(len(begun), DRAWN, 0, dtype=torch.long)
        while drawn.shape[2] < BLOCK:
            chances = page.logits(begun, drawn)[:, :, -1].softmax(-1)
            drawn = torch.cat([drawn, chances.flatten(0, 1).multinomial(1).view(len(begun), DRAWN, 1)], 2)
        return drawn


def _chances(logits: Tensor, drawn: Tensor) -> Tensor:
    """Log-probabilities of the drawn tokens."""
    return logits.log_softmax(-1).gather(-1, drawn[..., None])[..., 0]


if __name__ == "__main__":
    main(Sapo)
