"""What an option is: a field of a dataclass that says its flag, help, default, bounds and users.

A wrong value raises a UsageError that names the option, the bound, and the nearest valid name.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from docparse_fast.errors import UsageError

T = TypeVar("T")
MOST_PORT = 65535
KINDS: dict[type, tuple[tuple[type[Any], ...], str]] = {
    bool: ((bool,), "True or False"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    str: ((str,), "a text"),
    tuple: ((tuple,), "a tuple of texts"),
}


def one_of(option: str, value: str, names: Iterable[str], *, remedy: str = "") -> str:
    """Returns `value` if it is one of `names`. The remedy is said where no name is like it.

    >>> from docparse_fast.options import DRAFTERS
    >>> one_of("--drafter", "embeded", DRAFTERS)
    Traceback (most recent call last):
    docparse_fast.errors.UsageError: --drafter 'embeded' is not one of auto, embedded, ppstructure, text-layer, none; \
did you mean 'embedded'?
    """
    names = tuple(names)
    if value in names:
        return value
    close = difflib.get_close_matches(value, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else remedy
    raise UsageError(f"{option} {value!r} is not one of {', '.join(names)}", remedy=hint)


def within(option: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise UsageError(f"{option} {value:g} is out of range", remedy=f"give a value from {low:,.12g} to {high:,.12g}")


@dataclass(frozen=True, slots=True)
class Option:
    """The declaration of an option, beside its type and its default."""

    key: str  # the flag is --key with dashes; runs record the option under this name
    metavar: str
    help: str
    among: tuple[str, ...] = ()
    bounds: tuple[float, float] | None = None
    decides: bool = True  # changes the output: if it has changed, `batch` converts a document again
    measured: bool = True  # benchmarks have it
    recorded: bool = True
    kind: Any = None  # the field's type

    @property
    def flag(self) -> str:
        return "--" + self.key.replace("_", "-")

    def check(self, value: Any) -> None:
        if value is None and type(None) in get_args(self.kind):
            return
        plain = next(each for each in (self.kind, *get_args(self.kind)) if (get_origin(each) or each) in KINDS)
        allowed, called = KINDS[get_origin(plain) or plain]
        if not isinstance(value, allowed):
            raise UsageError(f"{self.flag} takes {called}, not {value!r}")
        for name in (value if isinstance(value, tuple) else (value,)) if self.among else ():
            one_of(self.flag, name, self.among)
        if self.bounds is not None:
            within(self.flag, value, *self.bounds)


def option(default: T, metavar: str, help: str, *, key: str = "", **said: Any) -> T:
    """Declares a field as an option. Its name is the field's, unless `key` gives another."""
    found: T = field(default=default, metadata={Option: Option(key, metavar, help, **said)})
    return found


def options_in(kind: type) -> Mapping[str, Option]:
    """The options among the fields of `kind`, by field name.

    >>> from docparse_fast.options import DraftOptions
    >>> options_in(DraftOptions)["ocr"].flag
    '--ocr'
    """
    return _options_in(kind)


@cache
def _options_in(kind: type) -> Mapping[str, Option]:
    said = {each.name: each.metadata[Option] for each in fields(kind) if Option in each.metadata}
    kinds = get_type_hints(kind)
    return {name: replace(option, key=option.key or name, kind=kinds[name]) for name, option in said.items()}


def check(options: Any) -> None:
    for name, said in options_in(type(options)).items():
        said.check(getattr(options, name))


def leaves(options: Any) -> Iterator[tuple[Option, Any]]:
    said = options_in(type(options))
    for each in fields(options):
        value = getattr(options, each.name)
        if is_dataclass(value):
            yield from leaves(value)
        elif each.name in said:
            yield said[each.name], value
