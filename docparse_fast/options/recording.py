"""Options as a run records them, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_type_hints

from docparse_fast.options import ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.options.declaring import Option, leaves, options_in

T = TypeVar("T")


def recorded(
    options: ParseOptions | TargetOptions | SpeculationOptions, keep: Callable[[Option], bool] = lambda option: True
) -> dict[str, Any]:
    """The options by their names on the command line. A password is never recorded.

    >>> recorded(ParseOptions(), lambda option: not option.decides)
    {'cuda_graphs': 'auto', 'in_flight': None, 'page_timeout': None}
    """
    return {
        said.key: list(value) if isinstance(value, tuple) else value
        for said, value in leaves(options)
        if said.recorded and keep(said)
    }


def options_of(recorded: Mapping[str, Any], password: str | None = None) -> ParseOptions:
    """Rebuilds options from a run's record; options that it doesn't have get their defaults."""
    if not isinstance(recorded, Mapping) or not recorded:
        raise ValueError("no options were recorded")
    return _read(ParseOptions, recorded, password)


def _read(kind: type[T], recorded: Mapping[str, Any], password: str | None) -> T:
    said, kinds = options_in(kind), get_type_hints(kind)
    found: dict[str, Any] = {"password": password} if "password" in kinds else {}
    for each in fields(kind):  # type: ignore[arg-type]  # a dataclass of this module
        if is_dataclass(kinds[each.name]):
            found[each.name] = _read(kinds[each.name], recorded, password)
        elif each.name in said and said[each.name].key in recorded:
            value = recorded[said[each.name].key]
            if value == "" and each.default is None:  # earlier records of pages
                value = None
            found[each.name] = tuple(value) if isinstance(value, list) else value
    return kind(**found)
