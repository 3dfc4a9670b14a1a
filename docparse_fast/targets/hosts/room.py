"""How many pages a server has in hand, and how many it may have. Knows counts and times; no server."""

from __future__ import annotations

from dataclasses import dataclass

FEWEST, MOST = 4, 16  # pages at once with which the search begins, and at which it ends
GAIN = 1.05  # tokens a second against the best so far: with less, more pages only wait longer


@dataclass(slots=True)
class Room:
    """A fixed number of pages, or one that grows for as long as the server writes more in the same time.

    >>> Room(limit=2, is_fixed=True).has_place, Room(limit=2, taken=2, is_fixed=True).has_place
    (True, False)
    """

    limit: int = FEWEST
    is_fixed: bool = False
    taken: int = 0
    since: float = 0.0  # of the answers counted: the time of the one before
    answers: int = 0
    tokens: int = 0
    was_full: bool = True  # with places left over, an answer says nothing of the limit
    best: float = 0.0  # tokens a second
    smaller: int = FEWEST  # the limit that was best

    @property
    def has_place(self) -> bool:
        return self.taken < self.limit

    @property
    def share(self) -> float:
        return self.taken / self.limit

    def take(self) -> None:
        self.taken += 1

    def give_back(self) -> None:
        self.was_full = self.was_full and not self.has_place
        self.taken -= 1

    def answered(self, tokens: int, now: float) -> None:
        """An answer of so many tokens has come; called before its place is given back."""
        if self.is_fixed:
            return
        self.answers += 1
        self.tokens += tokens
        if self.answers > self.limit:  # a whole round of answers at this limit
            self._judge(self.tokens / max(now - self.since, 1e-9))
            self._begin(now)
        elif self.answers == 1 or not self.was_full:
            self._begin(now)

    def refused(self) -> None:
        """The server has no room for so many."""
        self.limit = max(1, min(self.limit, self.taken) // 2)
        self.is_fixed = True

    def _begin(self, now: float) -> None:
        self.since, self.answers, self.tokens, self.was_full = now, 1, 0, True

    def _judge(self, rate: float) -> None:
        if rate < GAIN * self.best:
            self.limit, self.is_fixed = self.smaller, True
            return
        self.best, self.smaller = rate, self.limit
        self.limit = min(MOST, self.limit + max(1, self.limit // 2))
        self.is_fixed = self.limit == self.smaller
