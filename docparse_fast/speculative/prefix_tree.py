"""Candidates merged into one tree that a single pass can verify. Knows tokens and chances; not where they come from.

Node 0 is the root: the last accepted token, which the target has not read yet. Nodes are packed parent first and in
depth-first order with the likeliest branch first, so that accepting that branch leaves nothing to move in the cache.
                                                                                                                (Eq. 6)
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Chance(NamedTuple):
    """How likely a candidate is: its first token, if no likelier branch is right there, and each one after a right one.

    Node chances never rise along a path, so the best tree of any size is a prefix of the order of falling chance.
    """

    first: float = 0.5
    keep: float = 1.0
    turns: Sequence[int] = ()  # places where it goes on in another draft
    turn: float = 1.0  # the chance that it is right to


class PrefixTree:
    """A packed tree; all lists are indexed by node.

    >>> tree = PrefixTree.build(7, [(1, 2, 3), (1, 4)], budget=8)
    >>> tree.tokens, tree.parents, tree.depths
    ([7, 1, 2, 3, 4], [-1, 0, 1, 2, 1], [0, 1, 2, 3, 2])
    >>> tree.children[1], tree.path(4), tree.sources
    ({2: 2, 4: 4}, [0, 1, 4], [-1, 0, 0, 0, 1])
    """

    __slots__ = ("children", "depths", "parents", "sources", "tokens")

    def __init__(self, tokens: list[int], parents: list[int], sources: list[int]) -> None:
        self.tokens = tokens
        self.parents = parents  # -1 for the root
        self.sources = sources  # the likeliest candidate through the node; -1 for the root
        self.depths = [0] * len(tokens)
        self.children: list[dict[int, int]] = [{} for _ in tokens]  # Next(v): token -> node
        for node in range(1, len(tokens)):
            parent = parents[node]
            self.depths[node] = self.depths[parent] + 1
            self.children[parent][tokens[node]] = node

    @classmethod
    def build(
        cls,
        root: int,
        candidates: Sequence[Sequence[int]],
        budget: int,
        chances: Sequence[Chance] | None = None,
    ) -> PrefixTree:
        """The likeliest `budget` nodes, root included. Without `chances`, earlier candidates go first, whole."""
        return Growth(candidates, chances or [Chance()] * len(candidates), budget).tree(root, budget)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def is_chain(self) -> bool:
        """Nothing branches: plain causal order is the tree's own."""
        return self.depths[-1] == len(self.tokens) - 1

    def path(self, node: int) -> list[int]:
        """The nodes from the root to `node`, both included."""
        path = []
        while node >= 0:
            path.append(node)
            node = self.parents[node]
        return path[::-1]

    def ancestry(self) -> npt.NDArray[np.bool_]:  # (nodes, nodes)
        """Who may look at whom: row v is true at v and at its ancestors."""
        size = len(self.tokens)
        if self.is_chain:
            return np.tri(size, dtype=np.bool_)
        seen = np.eye(size, dtype=np.bool_)
        for node in range(1, size):  # parents first, so the parent's row is whole
            seen[node] |= seen[self.parents[node]]
        return seen


class Growth:
    """Nodes in order of falling chance, up to a limit; a tree can be cut from it at any size below.

    Siblings share what their parent can give: once a branch with chance p stands, the next one gets at most 1 - p.
    """

    __slots__ = ("_children", "_parents", "_sources", "_tokens", "chances")

    def __init__(self, candidates: Sequence[Sequence[int]], chances: Sequence[Chance], limit: int) -> None:
        self._tokens = [-1]
        self._parents = [-1]
        self._sources = [-1]
        self._children: list[dict[int, int]] = [{}]
        self.chances = [1.0]  # that the walk comes through the node
        self._grow(candidates, chances, limit)

    def __len__(self) -> int:
        return len(self._tokens)

    def _grow(self, candidates: Sequence[Sequence[int]], chances: Sequence[Chance], limit: int) -> None:
        tokens, parents, sources, children, reach = (
            self._tokens,
            self._parents,
            self._sources,
            self._children,
            self.chances,
        )
        left = [1.0]  # the part of a node's chance that no child has taken
        fronts = [
            (-chances[source].first, source, 0, 0) for source in range(len(candidates))
        ]  # (-chance, _, node, depth)
        heapify(fronts)
        while fronts:
            _, source, node, start = heappop(fronts)
            candidate, (first, keep, turns, turn) = candidates[source], chances[source]
            for depth in range(start, len(candidate)):
                child = children[node].get(candidate[depth])
                if child is None:
                    share = (turn if depth in turns else keep if depth else first) * left[node]
                    chance = reach[node] * share
                    if fronts and chance < -fronts[0][0]:  # another front is likelier: it goes first
                        heappush(fronts, (-chance, source, node, depth))
                        break
                    child = len(tokens)
                    if child >= limit:
                        return
                    left[node] -= share
                    children[node][candidate[depth]] = child
                    tokens.append(candidate[depth])
                    parents.append(node)
                    sources.append(source)
                    children.append({})
                    reach.append(chance)
                    left.append(1.0)
                node = child

    def tree(self, root: int, size: int) -> PrefixTree:
        """The tree of the `size` likeliest nodes."""
        order = self._depth_first(min(size, len(self._tokens)))
        place = {node: new for new, node in enumerate(order)}
        place[-1] = -1
        tokens = [self._tokens[node] for node in order]
        tokens[0] = root
        return PrefixTree(
            tokens, [place[self._parents[node]] for node in order], [self._sources[node] for node in order]
        )

    def _depth_first(self, size: int) -> list[int]:
        order, stack = [], [0]
        while stack:
            node = stack.pop()
            order.append(node)
            # a node's children were made in order of falling chance; the last pushed is visited first
            stack.extend(child for child in reversed(self._children[node].values()) if child < size)
        return order
