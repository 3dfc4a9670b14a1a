"""How counts, times and names are written in one line of text. Knows nothing of what is told."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text on one line, without control characters: a file's name may hold any."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """
    >>> duration(0), duration(75), duration(3723)
    ('0:00', '1:15', '1:02:03')
    """
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
