"""The rule that no sequence of n tokens may be written twice. Knows tokens; no tensor, no model.

Some makers have their models decode so. It is applied along each path of a draft tree, to what stands before each node
in prompt, answer and tree: so drafts change nothing in what may be written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NoRepeats:
    """
    >>> NoRepeats(3).banned([1, 2, 5, 1, 2]), NoRepeats(3, window=4).banned([1, 2, 5, 1, 2])
    ([5], [])
    """

    size: int  # n
    window: int | None = None  # the last tokens, of prompt and answer, that are looked at; None: all

    def kept(self, tokens: Sequence[int]) -> list[int]:
        """What of a row's tokens still matters."""
        return list(tokens if self.window is None else tokens[-self.window :])

    def banned(self, tokens: Sequence[int]) -> list[int]:
        """What may not follow these tokens."""
        before = self.size - 1
        seen = self.kept(tokens)
        if len(seen) <= before:
            return []
        last = seen[len(seen) - before :]
        starts = range(len(seen) - before)
        return [seen[start + before] for start in starts if seen[start : start + before] == last]

    def along(self, row: Sequence[int], tokens: Sequence[int], parents: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Each node of a tree that follows a row, and each token that may not follow that node."""
        paths: list[list[int]] = []
        for node, (token, parent) in enumerate(zip(tokens, parents, strict=True)):
            path = [*(paths[parent] if parent >= 0 else ()), token]
            paths.append(path)
            for banned in self.banned([*row, *path]):
                yield node, banned
