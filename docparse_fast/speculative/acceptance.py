"""Decides how much of the tree the target accepts. Knows one tree and one verification; commits nothing.  (Eq. 8-11)"""

from __future__ import annotations

from typing import NamedTuple

from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification


class Acceptance(NamedTuple):
    """`tokens` are the path's without its root, then the target's own next one (Eq. 11)."""

    path: list[int]  # nodes, root first; the cache keeps them
    tokens: list[int]
    tolerated: list[int]  # the path's nodes that are not the target's own choice


def accept(tree: PrefixTree, verification: Verification, tau: float) -> Acceptance:
    """Walks down the tree while the target agrees, or nearly agrees (tau < 1).

    >>> tree = PrefixTree.build(7, [(1, 2), (3,)], budget=4)
    >>> accept(tree, Verification(choices=[1, 9, 5, 5]), tau=1.0)
    Acceptance(path=[0, 1], tokens=[1, 9], tolerated=[])
    """
    choices = verification.choices
    node, path, tokens, tolerated = 0, [0], [], []
    while True:
        # By index first: log p of the choice may be exactly 0, and a tie must not count as agreement.
        child = tree.child(node, choices[node])
        if child is None:
            child = _tolerable(tree, verification, node, tau)
            if child is None:
                break
            tolerated.append(child)
        node = child
        path.append(node)
        tokens.append(tree.tokens[node])
    tokens.append(choices[node])
    return Acceptance(path, tokens, tolerated)


def _tolerable(tree: PrefixTree, verification: Verification, node: int, tau: float) -> int | None:
    """u*, the child that the target finds most probable (Eq. 8), if it is nearly the target's choice (Eq. 10)."""
    logprobs, choice_logprobs = verification.logprobs, verification.choice_logprobs
    if tau >= 1 or logprobs is None or choice_logprobs is None:
        return None
    children = tree.children[node].values()
    if not children:
        return None
    best = max(children, key=logprobs.__getitem__)
    # log p(choice) / log p(best) >= tau, multiplied out: no division, so no 0/0
    return best if choice_logprobs[node] <= tau * logprobs[best] else None
