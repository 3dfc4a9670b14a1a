"""Reads frozen dataclasses from their JSON by their types. Knows no benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import repeat
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def read(kind: type[T], found: Any) -> T:
    """
    >>> from docparse_fast.document import Failure
    >>> read(tuple[Failure | None, ...], [{"code": "a", "message": "b"}, None])
    (Failure(code='a', message='b'), None)
    """
    return _read(kind, found)  # type: ignore[no-any-return]


def _read(kind: Any, found: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        other = [one for one in inner if one is not NoneType]
        return None if found is None else _read(other[0], found) if len(other) == 1 else found
    if origin is tuple:
        kinds = repeat(inner[0]) if inner[-1] is Ellipsis else inner
        return tuple(_read(kind, one) for kind, one in zip(kinds, found, strict=False))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {name: _read(inner[1], one) for name, one in found.items()}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(found)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        known = [field.name for field in fields(kind) if field.name in found]
        return kind(**{name: _read(hints[name], found[name]) for name in known})
    return found
