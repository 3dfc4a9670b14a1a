"""Merges candidates into one tree that a single pass can verify. Knows tokens and chances; not where they come from.

Node 0 is the root: the last accepted token, which the target has not read yet. Nodes are packed parent first and in
depth-first order with the likeliest branch first, so that accepting that branch leaves nothing to move in the cache.
                                                                                                                (Eq. 6)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Chance(NamedTuple):
    """How likely a candidate's first token is if no likelier branch is right, and each later one after a right one.

    Node chances never rise along a path, so the best tree of any size is a prefix of the order of falling chance.
    """

    first: float
    keep: float = 1.0
    at: Mapping[int, float] = MappingProxyType({})  # of some tokens, instead of `keep`


class PrefixTree:
    """A packed tree; all lists are indexed by node.

    >>> tree = PrefixTree.build(7, [(1, 2, 3), (1, 4)], budget=8)
    >>> tree.tokens, tree.parents, tree.depths
    ([7, 1, 2, 3, 4], [-1, 0, 1, 2, 1], [0, 1, 2, 3, 2])
    >>> tree.children[1], tree.path(4), tree.sources
    ({2: 2, 4: 4}, [0, 1, 4], [-1, 0, 0, 0, 1])
    """

    __slots__ = ("children", "depths", "parents", "sources", "tokens")

    def __init__(self, tokens: list[int], parents: list[int], depths: list[int], sources: list[int]) -> None:
        self.tokens = tokens
        self.parents = parents  # -1 for the root
        self.depths = depths
        self.sources = sources  # the likeliest candidate through the node; -1 for the root
        self.children: list[dict[int, int]] = [{} for _ in tokens]  # Next(v): token -> node
        for node in range(1, len(tokens)):
            self.children[parents[node]][tokens[node]] = node

    @classmethod
    def build(
        cls,
        root: int,
        candidates: Sequence[Sequence[int]],
        budget: int,
        chances: Sequence[Chance] | None = None,
    ) -> PrefixTree:
        """The likeliest `budget` nodes, root included. Without `chances`, earlier candidates go first, each whole."""
        chances = chances or [Chance(0.5**rank) for rank in range(1, len(candidates) + 1)]
        return TreeBuilder(candidates, chances, budget).tree(root, budget)

    def __len__(self) -> int:
        return len(self.tokens)

    def path(self, node: int) -> list[int]:
        """The nodes from the root to `node`, both included."""
        path = []
        while node >= 0:
            path.append(node)
            node = self.parents[node]
        return path[::-1]

    def ancestry(self) -> npt.NDArray[np.bool_]:  # (nodes, nodes)
        """Which nodes each node sees: row v is true at v and at its ancestors."""
        return ancestry_of(self.parents)


def ancestry_of(parents: Sequence[int]) -> npt.NDArray[np.bool_]:  # (nodes, nodes)
    """The same as `PrefixTree.ancestry`, for nodes packed parent first."""
    size = len(parents)
    seen = [1]  # a row is a number, column v its bit v; parents come first, so the parent's row is complete
    for node in range(1, size):
        seen.append(seen[parents[node]] | 1 << node)
    width = -(-size // 8)
    rows = np.frombuffer(b"".join(row.to_bytes(width, "little") for row in seen), dtype=np.uint8)
    return np.unpackbits(rows.reshape(size, width), axis=1, count=size, bitorder="little").view(np.bool_)


LEAD = 0.75  # a front goes on until another is this many times likelier: turns take time, and chances are guesses


class _Run(NamedTuple):
    """Nodes made one after another, each the child of the one before."""

    parent: int
    start: int
    stop: int


class TreeBuilder:
    """Adds nodes nearly in order of falling chance; a tree of any size up to the limit can be cut from it.

    Siblings share their parent's chance: if a branch has the chance p, the next one has at most 1 - p.
    """

    __slots__ = ("_branches", "_chances_of", "_depths", "_left", "_parents", "_runs", "_sources", "_tokens", "chances")

    def __init__(
        self, candidates: Sequence[Sequence[int]], chances: Sequence[Chance], limit: int, least: float = 0.0
    ) -> None:
        self._tokens = [-1]
        self._parents = [-1]
        self._depths = [0]
        self._sources = [-1]
        self._branches: dict[tuple[int, int], int] = {}  # (parent, token) -> the first node of a run
        self._left: dict[int, float] = {}  # a node's chance that no child has taken, for nodes where a run began
        self._chances_of = chances
        self._runs: list[_Run] = []
        self.chances = [1.0]  # the chance that the answer goes through the node
        self._grow(candidates, limit, least)

    def __len__(self) -> int:
        return len(self._tokens)

    def _grow(self, candidates: Sequence[Sequence[int]], limit: int, least: float) -> None:
        """Moves the likeliest front along existing nodes, then over new ones, until another front is likelier."""
        fronts = [(-chance.first, source, 0) for source, chance in enumerate(self._chances_of)]  # chance, source, node
        heapify(fronts)
        while fronts and len(self._tokens) < limit:
            _, source, node = heappop(fronts)
            candidate = candidates[source]
            depth = self._depths[node]
            while depth < len(candidate) and (child := self._child(node, candidate[depth])):
                node, depth = child, depth + 1
            rival = max(-fronts[0][0] * LEAD, least) if fronts else least
            tip, chance = self._run(candidate, source, node, rival, limit)
            if self._depths[tip] < len(candidate) and chance >= least:
                heappush(fronts, (-chance, source, tip))

    def _run(self, candidate: Sequence[int], source: int, node: int, rival: float, limit: int) -> tuple[int, float]:
        """Adds nodes of a candidate below `node` while likelier than `rival`; returns the last, and the next chance."""
        first, keep, at = self._chances_of[source]
        reach, left = self.chances, self._left_of(node)
        begin = depth = self._depths[node]
        stop = min(len(candidate), begin + limit - len(reach))
        share = (at.get(depth, keep) if depth else first) * left
        ahead = reach[node] * share
        if depth == stop or ahead < rival:
            return node, ahead
        self._left[node] = left - share
        while depth < stop and ahead >= rival:
            reach.append(ahead)
            depth += 1
            ahead *= at.get(depth, keep) if at else keep
        self._enter(candidate[begin:depth], source, node)
        return len(reach) - 1, ahead

    def _child(self, node: int, token: int) -> int | None:
        after = node + 1
        if after < len(self._tokens) and self._parents[after] == node and self._tokens[after] == token:
            return after
        return self._branches.get((node, token))

    def _left_of(self, node: int) -> float:
        after = node + 1
        if node in self._left or after == len(self._tokens) or self._parents[after] != node:
            return self._left.get(node, 1.0)
        _, keep, at = self._chances_of[self._sources[after]]  # the run goes on through the node
        return 1.0 - at.get(self._depths[node], keep)

    def _enter(self, tokens: Sequence[int], source: int, parent: int) -> None:
        start, depth = len(self._tokens), self._depths[parent] + 1
        stop = start + len(tokens)
        self._runs.append(_Run(parent, start, stop))
        self._branches[parent, tokens[0]] = start
        self._tokens += tokens
        self._parents += (parent, *range(start, stop - 1))
        self._depths += range(depth, depth + len(tokens))
        self._sources += [source] * len(tokens)

    def tree(self, root: int, size: int) -> PrefixTree:
        """The tree of the `size` likeliest nodes."""
        size = min(size, len(self._tokens))
        columns = (self._tokens, self._parents, self._depths, self._sources)
        if len(self._runs) < 2 or self._runs[1].start >= size:  # a chain is already in packed order
            tokens, parents, depths, sources = (column[:size] for column in columns)
        else:
            order = self._depth_first(size)
            place = [0] * size + [-1]  # so that the root's parent stays -1
            for new, node in enumerate(order):
                place[node] = new
            tokens, parents, depths, sources = ([column[node] for node in order] for column in columns)
            parents = [place[parent] for parent in parents]
        tokens[0] = root
        return PrefixTree(tokens, parents, depths, sources)

    def _depth_first(self, size: int) -> list[int]:
        """Each run as a whole, then its branches, deepest first. A run's next node is always the first child."""
        branches: dict[int, list[_Run]] = {}
        for run in self._runs:
            if run.start < size:
                branches.setdefault(run.parent, []).append(run)
        order: list[int] = []
        stack = [_Run(-1, 0, 1)]
        while stack:
            _, start, stop = stack.pop()
            order += range(start, min(stop, size))
            if len(order) == size:
                break
            for node in range(start, stop):  # last pushed, first visited: the deepest node's likeliest branch
                if node in branches:
                    stack += reversed(branches[node])
        return order
