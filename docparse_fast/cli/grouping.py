"""Options that belong together, said once and taken by every command that names their type.

A *maker* is a function from flags to a value: `@makes def target_options(device="auto", ...) -> TargetOptions`. A
command that is `@expanded` and has a parameter of that type shows the maker's flags in its place. Makers may take what
other makers make. Knows signatures; knows no option.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Maker = TypeVar("Maker", bound=Callable[..., object])

_MAKERS: dict[type, Callable[..., Any]] = {}


def makes(maker: Maker) -> Maker:
    """Registers a maker by what it returns."""
    made = inspect.signature(maker, eval_str=True).return_annotation
    _MAKERS[made] = expanded(maker)
    return maker


def expanded(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, taking flags where it has a parameter that a maker makes.

    >>> @makes
    ... def size(width: int = 2, height: int = 3) -> complex:
    ...     return complex(width, height)
    >>> @expanded
    ... def show(name: str, size: complex) -> str:
    ...     return f"{name}: {size}"
    >>> show(name="a", width=5)
    'a: (5+3j)'
    >>> list(inspect.signature(show).parameters)
    ['name', 'width', 'height']
    """
    signature = inspect.signature(function, eval_str=True)
    flags: dict[str, inspect.Parameter] = {}
    for name, parameter in signature.parameters.items():
        maker = _maker_of(parameter)
        flags |= inspect.signature(maker).parameters if maker else {name: parameter}

    @functools.wraps(function)
    def taking_flags(**given: Any) -> Any:
        return function(**_arguments(signature.parameters, given))

    parameters = [flag.replace(kind=inspect.Parameter.KEYWORD_ONLY) for flag in flags.values()]
    vars(taking_flags)["__signature__"] = signature.replace(parameters=parameters)
    taking_flags.__annotations__ = {flag.name: flag.annotation for flag in parameters}
    del taking_flags.__wrapped__  # whoever asks must see the flags
    return taking_flags


def _arguments(parameters: Mapping[str, inspect.Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    made = {}
    for name, parameter in parameters.items():
        maker = _maker_of(parameter)
        if maker:
            made[name] = maker(**{flag: given[flag] for flag in inspect.signature(maker).parameters if flag in given})
        elif name in given:
            made[name] = given[name]
    return made


def _maker_of(parameter: inspect.Parameter) -> Callable[..., Any] | None:
    return _MAKERS.get(parameter.annotation) if isinstance(parameter.annotation, type) else None
