"""What a part raises if it doesn't end well."""

from __future__ import annotations

from typing import Any


class NotHereError(Exception):
    """What this part needs is not on this machine."""


class WrongError(Exception):
    """The part ran, and what it found is not as it should be."""

    def __init__(self, reason: str, found: dict[str, Any]) -> None:
        super().__init__(reason)
        self.found = found
