"""Splits a pass's choices into its rows. Knows logits and trees; no model, no row's memory."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification


def verifications(choices: list[int], trees: Mapping[int, PrefixTree]) -> dict[int, Verification]:
    verifications, start = {}, 0
    for slot, tree in trees.items():
        verifications[slot] = Verification(choices[start : start + len(tree)])
        start += len(tree)
    return verifications


def tolerant_verifications(logits: Tensor, choices: Tensor, trees: Mapping[int, PrefixTree]) -> dict[int, Verification]:
    """Adds log-probabilities, all in one transfer: of the choice after each node, and of each node after its parent."""
    tokens: list[int] = []
    parents: list[int] = []
    for tree in trees.values():
        first = len(tokens)
        tokens += tree.tokens
        parents += [first + max(parent, 0) for parent in tree.parents]
    logits = logits.float()
    mass = logits.logsumexp(-1)
    token, parent = torch.tensor([tokens, parents], device=logits.device)
    chosen = logits.gather(1, choices[:, None])[:, 0] - mass
    written = logits[parent, token] - mass[parent]
    numbers = torch.stack([choices.to(chosen.dtype), chosen, written]).tolist()  # token ids are exact up to 2^24
    verifications, start = {}, 0
    for slot, tree in trees.items():
        part = slice(start, start + len(tree))
        written_here = [0.0, *numbers[2][start + 1 : start + len(tree)]]  # the root was written before
        verifications[slot] = Verification([int(i) for i in numbers[0][part]], numbers[1][part], written_here)
        start += len(tree)
    return verifications
