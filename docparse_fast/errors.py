"""All errors that a user can meet. Knows codes and remedies; knows neither callers nor printing.

DocparseError
├── UsageError                 options that make no sense together (exit 2)
├── InputError                 one input can't be read:  not_found, encrypted, corrupt, empty, unsupported, too_large,
│                                                        timeout
├── PageError                  one page can't be done:   render_failed, draft_failed, timeout, out_of_memory,
│                                                        truncated, repetition, worker_crashed, low_confidence,
│                                                        unauthorized, too_large
├── ModelError                 weights or hardware:      model_missing, device_missing, unsupported, unauthorized
└── OutputError                the result can't be kept: write_failed

A code never changes (scripts match on it). The message says what failed and where, the remedy what to do.
"""

from __future__ import annotations

import re
from typing import ClassVar


class DocparseError(Exception):
    """An expected failure, reported in one line: ``str(error)`` is that line without the code.

    >>> error = InputError("encrypted", "report.pdf needs a password", remedy="give one with --password")
    >>> error.code, str(error)
    ('encrypted', 'report.pdf needs a password; give one with --password')
    """

    codes: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, code: str, message: str, *, remedy: str = "") -> None:
        if code not in self.codes:
            raise ValueError(f"{type(self).__name__} has no code {code!r}; it has {sorted(self.codes)}")
        super().__init__(message)
        self.code = code
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message

    def __reduce__(self) -> tuple[object, ...]:  # errors come back from worker processes
        return _rebuild, (type(self), self.code, self.message, self.remedy)


class UsageError(DocparseError):
    codes = frozenset({"usage"})

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__("usage", message, remedy=remedy)


class InputError(DocparseError):
    codes = frozenset({"not_found", "encrypted", "corrupt", "empty", "unsupported", "too_large", "timeout"})


class PageError(DocparseError):
    codes = frozenset(
        {
            "render_failed",
            "draft_failed",
            "timeout",
            "out_of_memory",
            "truncated",
            "repetition",
            "worker_crashed",
            "low_confidence",
            "unauthorized",
            "too_large",
        }
    )


class TargetGoneError(PageError):
    """The target itself is gone, so no later page can be read either."""


class ModelError(DocparseError):
    codes = frozenset({"model_missing", "device_missing", "unsupported", "unauthorized"})


class OutputError(DocparseError):
    codes = frozenset({"write_failed"})


_NUMBERED = re.compile(r"\[Errno -?\d+\] ([^:<>')]+)")


def in_words(error: BaseException) -> str:
    """What went wrong, in one line, without the number, the path and the wrapping that Python adds.

    >>> in_words(FileNotFoundError(2, "No such file or directory", "a")), in_words(ValueError("no\\nnumber"))
    ('No such file or directory', 'no number')
    """
    numbered = _NUMBERED.search(str(error))
    return numbered[1].strip() if numbered else " ".join(str(error).split()) or type(error).__name__


def recalled(code: str, message: str) -> DocparseError:
    """The error that a record tells of.

    >>> error = recalled("model_missing", "there is no Tesseract")
    >>> type(error).__name__, error.code, recalled("usage", "page 9 is not there").code
    ('ModelError', 'model_missing', 'usage')
    """
    kinds = (UsageError, InputError, PageError, ModelError, OutputError)
    return _rebuild(next(kind for kind in kinds if code in kind.codes), code, message, "")


def renamed(error: DocparseError, old: str, new: str) -> DocparseError:
    """The same error about `new`: a document from standard input lies in a file whose name says nothing to the user.

    >>> str(renamed(InputError("empty", "tmp/a has no pages"), "tmp/a", "-"))
    '- has no pages'
    """
    return _rebuild(type(error), error.code, error.message.replace(old, new), error.remedy)


def _rebuild(kind: type[DocparseError], code: str, message: str, remedy: str) -> DocparseError:
    if issubclass(kind, UsageError):
        return kind(message, remedy=remedy)
    return kind(code, message, remedy=remedy)
