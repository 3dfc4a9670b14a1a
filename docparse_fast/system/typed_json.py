"""Dataclasses to JSON, and back by their types. Knows none of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from enum import Enum
from functools import cache
from itertools import repeat
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


def written(value: DataclassInstance, **before: object) -> str:
    """A line; `before` are further keys, which stand first.

    >>> from docparse_fast.document import Failure
    >>> written(Failure("a", "b"), format="c")
    '{"format": "c", "code": "a", "message": "b"}'
    """
    return json.dumps({**before, **asdict(value)}, default=sorted)  # sets have no order


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
        hints = _hints(kind)
        known = [field.name for field in fields(kind) if field.name in found]
        return kind(**{name: _read(hints[name], found[name]) for name in known})
    return found


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)
