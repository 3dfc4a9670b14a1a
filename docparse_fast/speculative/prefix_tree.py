"""Merges candidates into one tree that a single pass can verify. Knows tokens and chances; not where they come from.

Node 0 is the root: the last accepted token, which the target has not read yet. Nodes are packed parent first and in
depth-first order with the likeliest branch first, so that accepting that branch leaves nothing to move in the cache.
                                                                                                                (Eq. 6)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from docparse_fast.speculative.draft_index import agreement
from docparse_fast.speculative.guess_tree import Guess, GuessTree


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

    __slots__ = ("_apart", "depths", "parents", "sources", "tokens")

    def __init__(self, tokens: list[int], parents: list[int], depths: list[int], sources: list[int]) -> None:
        self.tokens = tokens
        self.parents = parents  # -1 for the root
        self.depths = depths
        self.sources = sources  # the likeliest candidate through the node; -1 for the root
        self._apart = {  # children that don't stand right after their parent
            (parent, tokens[node]): node for node, parent in enumerate(parents) if parent != node - 1
        }

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

    def child(self, node: int, token: int) -> int | None:
        """The child of a node that has this token."""
        following = node + 1
        if following < len(self.tokens) and self.tokens[following] == token and self.parents[following] == node:
            return following
        return self._apart.get((node, token))

    @property
    def children(self) -> list[dict[int, int]]:
        """Next(v) of each node: token -> node."""
        found: list[dict[int, int]] = [{} for _ in self.tokens]
        for node in range(1, len(self.tokens)):
            found[self.parents[node]][self.tokens[node]] = node
        return found

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


LEAD, STAY = 0.75, 0.5  # a front begins or goes on until another has so much of a lead: turns take time


_Run = tuple[int, int, int]  # nodes made one after another, each the child of the one before: parent, start, stop
_Front = tuple[float, int, int, int, Sequence[Guess]]  # negative chance, source, node; of guesses their next


class TreeBuilder:
    """Adds nodes nearly in order of falling chance; a tree of any size up to the limit can be cut from it.

    Siblings share their parent's chance: if a branch has the chance p, the next one has at most 1 - p. Guesses are made
    where they are likely enough; the last candidate, without tokens, stands for them.
    """

    __slots__ = ("_branches", "_depths", "_left", "_parents", "_runs", "_sources", "_stops", "_tokens", "chances")

    def __init__(
        self,
        candidates: Sequence[Sequence[int]],
        chances: Sequence[Chance],
        limit: int,
        least: float = 0.0,
        guesses: GuessTree | None = None,
    ) -> None:
        self._tokens = [-1]
        self._parents = [-1]
        self._depths = [0]
        self._sources = [-1]
        self._stops = [1]  # where each node's run ends: its children before that are the next nodes
        self._branches: dict[tuple[int, int], int] = {}  # (node, token) -> the first node of another run
        self._left = [1.0]  # each node's chance that no child has taken
        self._runs: list[_Run] = []
        self.chances = [1.0]  # the chance that the answer goes through the node
        fronts: list[_Front] = [(-chance.first, source, 0, 0, ()) for source, chance in enumerate(chances)]
        if guesses:
            fronts[-1] = (fronts[-1][0] * guesses.first[0].chance, len(chances) - 1, 0, 0, guesses.first)
        heapify(fronts)
        self._grow(fronts, candidates, chances, limit, least, guesses)

    def __len__(self) -> int:
        return len(self._tokens)

    def _grow(
        self,
        fronts: list[_Front],
        candidates: Sequence[Sequence[int]],
        chances: Sequence[Chance],
        limit: int,
        least: float,
        guesses: GuessTree | None,
    ) -> None:
        """Moves the likeliest front along existing nodes, then over new ones, until another front is likelier."""
        while fronts and len(self._tokens) < limit:
            _, source, node, rank, siblings = heappop(fronts)
            rival = -fronts[0][0] if fronts else 0.0
            lead = max(rival * LEAD, least)
            if siblings and guesses:
                moved = self._guess(chances[source].first, source, node, rank, siblings, lead, guesses)
            else:
                moved = self._follow(
                    candidates[source], chances[source], source, node, lead, max(rival * STAY, least), limit
                )
            for front in moved:
                if -front[0] >= least:
                    heappush(fronts, front)

    def _follow(
        self,
        candidate: Sequence[int],
        chance: Chance,
        source: int,
        node: int,
        lead: float,
        stay: float,
        limit: int,
    ) -> Sequence[_Front]:
        """Moves a candidate's front over nodes: the first new one is as likely as `lead`, later ones as `stay`."""
        node, depth = self._walk(candidate, node)
        end = len(candidate)
        if depth == end:
            return ()
        first, keep, at = chance
        reach, lefts = self.chances, self._left
        share = (at.get(depth, keep) if depth else first) * lefts[node]
        ahead = reach[node] * share
        if ahead < lead:
            return ((-ahead, source, node, 0, ()),)
        lefts[node] -= share
        begin, stop = depth, min(end, depth + limit - len(reach))
        while depth < stop and ahead >= stay:
            reach.append(ahead)
            depth += 1
            share = at.get(depth, keep) if at else keep
            ahead *= share
            lefts.append(1.0 - share)
        lefts[-1] = 1.0
        if depth == begin + 1:
            self._enter_one(candidate[begin], source, node)
        else:
            self._enter(candidate[begin:depth], source, node)
        return ((-ahead, source, len(reach) - 1, 0, ()),) if depth < end else ()

    def _walk(self, candidate: Sequence[int], node: int) -> tuple[int, int]:
        """The last node that the candidate has from `node` on, and its depth."""
        tokens, stops, branches = self._tokens, self._stops, self._branches
        depth, end = self._depths[node], len(candidate)
        while depth < end:
            ahead = tokens[node + 1 : min(stops[node], node + 1 + end - depth)]
            if ahead:
                agreed = agreement(candidate[depth : depth + len(ahead)], ahead)
                node, depth = node + agreed, depth + agreed
                if depth == end:
                    break
            branch = branches.get((node, candidate[depth]))
            if branch is None:
                break
            node, depth = branch, depth + 1
        return node, depth

    def _guess(
        self,
        first: float,
        source: int,
        node: int,
        rank: int,
        siblings: Sequence[Guess],
        lead: float,
        guesses: GuessTree,
    ) -> Sequence[_Front]:
        """Adds a guess below a node; then the next one may be added there, and others below this one."""
        guess = siblings[rank]
        child = node + 1
        if child == self._stops[node] or self._tokens[child] != guess.token:
            child = self._branches.get((node, guess.token), 0)
        if not child:
            share = guess.chance * self._left[node] * (1.0 if node else first)
            ahead = self.chances[node] * share
            if ahead < lead:
                return ((-ahead, source, node, rank, siblings),)
            self._left[node] -= share
            self._left.append(1.0)
            self.chances.append(ahead)
            child = self._enter_one(guess.token, source, node)
        fronts = []
        rank += 1
        if rank < len(siblings):
            fronts.append(
                (-self.chances[node] * self._left[node] * siblings[rank].chance, source, node, rank, siblings)
            )
        ahead = self.chances[child] * self._left[child]
        following = guesses.after(guess, ahead)
        if following:
            fronts.append((-ahead * following[0].chance, source, child, 0, following))
        return fronts

    def _enter(self, tokens: Sequence[int], source: int, parent: int) -> None:
        """Adds nodes for these tokens, each the child of the one before."""
        start, depth, count = len(self._tokens), self._depths[parent] + 1, len(tokens)
        stop = start + count
        self._branches[parent, tokens[0]] = start
        self._runs.append((parent, start, stop))
        self._tokens += tokens
        self._parents.append(parent)
        self._parents += range(start, stop - 1)
        self._depths += range(depth, depth + count)
        self._sources += [source] * count
        self._stops += [stop] * count

    def _enter_one(self, token: int, source: int, parent: int) -> int:
        node = len(self._tokens)
        self._branches[parent, token] = node
        self._runs.append((parent, node, node + 1))
        self._tokens.append(token)
        self._parents.append(parent)
        self._depths.append(self._depths[parent] + 1)
        self._sources.append(source)
        self._stops.append(node + 1)
        return node

    def likeliest(self, most: int) -> list[int]:
        """The tokens of the likeliest path: a node's first child is its likeliest."""
        tokens: list[int] = []
        end = 0
        for node, parent in enumerate(self._parents):
            if parent == end and len(tokens) < most:
                tokens.append(self._tokens[node])
                end = node
        return tokens

    def tree(self, root: int, size: int) -> PrefixTree:
        """The tree of the `size` likeliest nodes."""
        size = min(size, len(self._tokens))
        if len(self._runs) < 2 or self._runs[1][1] >= size:  # a chain is already in packed order
            tokens, parents, depths, sources = self._tokens[:size], self._parents[:size], self._depths, self._sources
            tokens[0] = root
            return PrefixTree(tokens, parents, depths[:size], sources[:size])
        tokens, parents, depths, sources = [root], [-1], [0], [-1]
        for parent, start, stop in self._depth_first(size):
            at = len(tokens)
            tokens += self._tokens[start:stop]
            parents.append(parent)
            parents += range(at, at + stop - start - 1)
            depths += self._depths[start:stop]
            sources += self._sources[start:stop]
        return PrefixTree(tokens, parents, depths, sources)

    def _depth_first(self, size: int) -> Iterator[_Run]:
        """Each run as a whole, then its branches, deepest first; a run's parent by its place in the packed tree."""
        branches: dict[int, list[_Run]] = {}
        for run in self._runs:
            if run[1] < size:
                branches.setdefault(run[0], []).append(run)
        stack: list[_Run] = [(-1, 0, 1)]
        packed = 0
        while stack:
            parent, start, stop = stack.pop()
            stop = min(stop, size)
            if start:
                yield parent, start, stop
            for node in range(start, stop):  # last pushed, first visited: the deepest node's likeliest branch
                if node in branches:
                    place = packed + node - start
                    stack += [(place, begin, end) for _, begin, end in reversed(branches[node])]
            packed += stop - start
