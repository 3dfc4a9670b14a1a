"""What a pass says of the tokens that follow in a given text. Knows logits and chains of tokens; no model, no row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import torch
from torch import Tensor

from docparse_fast.speculative.judged_tokens import Judgements, TokenJudgement
from docparse_fast.speculative.prefix_tree import PrefixTree

STRETCH = 256  # tokens of a row in a pass: as quick as all at once, and their logits fit any device


def judged(logits: Tensor, texts: Mapping[int, Sequence[int]]) -> dict[int, Judgements]:
    """Of each slot's tokens, by (tokens, vocab) logits: each before its token, the slots' one after another."""
    given = torch.tensor([token for text in texts.values() for token in text], device=logits.device)
    best = logits.float().topk(2)
    first = (best.indices[:, 0] == given).long()[:, None]  # the column of the best other token
    over = logits.float().gather(1, given[:, None]) - best.values.gather(1, first)
    both = torch.cat([over.sigmoid().double(), best.indices.gather(1, first).double()], 1)
    rows = iter(both.tolist())  # the one transfer from the device
    return {
        slot: tuple(TokenJudgement(share, int(other)) for share, other in islice(rows, len(text)))
        for slot, text in texts.items()
    }


def stretches(texts: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, dict[int, PrefixTree]]]:
    """All tokens but each text's last, which nothing follows, as chains: where they begin, and one for each slot."""
    longest = max((len(text) for text in texts.values()), default=0)
    for start in range(0, longest - 1, STRETCH):
        parts = {slot: list(text[start : min(start + STRETCH, len(text) - 1)]) for slot, text in texts.items()}
        yield start, {slot: chain(part) for slot, part in parts.items() if part}


def chain(tokens: list[int]) -> PrefixTree:
    size = len(tokens)
    return PrefixTree(tokens, list(range(-1, size - 1)), list(range(size)), [-1] * size)
