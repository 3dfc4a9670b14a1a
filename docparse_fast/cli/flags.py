"""Builds a command's flags from the types of its parameters, and prints its help in panels.

A command declares the options it takes: `def verify(out: Path, target: TargetOptions, ...)`. `expanded` replaces such a
parameter by the flags of the dataclass's fields, and builds the dataclass from the given values. Knows dataclasses and
Typer; knows no option by name.
"""

from __future__ import annotations

import copy
import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperArgument, TyperCommand
from typer.models import OptionInfo

from docparse_fast.cli.settings import Setting
from docparse_fast.errors import UsageError
from docparse_fast.options import LISTED
from docparse_fast.options.declaring import Option, options_in

WRONG: Any = typer.BadParameter.__bases__[:1]  # Typer's own error about an option
OTHERS = "Options"  # the panel of flags that belong to the command alone


class Without:
    """`Annotated[TargetOptions, Without("name")]`: the command takes the group's options except these."""

    def __init__(self, *names: str) -> None:
        self.names = frozenset(names)


@dataclass(frozen=True, slots=True)
class Group:
    """A dataclass whose fields become flags: those with an `Option`, those annotated for Typer, and nested groups."""

    kind: type[Any]
    without: frozenset[str] = frozenset()

    def flags(self) -> Iterator[inspect.Parameter]:
        for name, inner in self._inner().items():
            if isinstance(inner, Group):
                yield from inner.flags()
            else:
                yield _flag(inner, getattr(self.kind, "title", OTHERS), self._default(name))

    def made(self, given: Mapping[str, Any]) -> Any:
        """The dataclass; fields that aren't given keep their defaults."""
        found = {}
        for name, inner in self._inner().items():
            if isinstance(inner, Group):
                found[name] = inner.made(given)
            elif inner.key in given:
                found[name] = _value(given[inner.key], inner.annotation)
        return self.kind(**found)

    def _inner(self) -> Mapping[str, Group | _Field]:
        return _inner(self.kind, self.without)  # type: ignore[arg-type]  # a type can be hashed

    def _default(self, name: str) -> Any:
        return next(each.default for each in fields(self.kind) if each.name == name)


@dataclass(frozen=True, slots=True)
class _Field:
    key: str
    annotation: Any
    option: Option | None


def expanded(command: Callable[..., Any]) -> Callable[..., Any]:
    """`command` with flags in place of its dataclass parameters.

    >>> from docparse_fast.options import DraftOptions
    >>> @expanded
    ... def draft(name: str, drafting: DraftOptions) -> str:
    ...     return f"{name}: {drafting.drafter}"
    >>> draft(name="a", drafter="embedded")
    'a: embedded'
    >>> list(inspect.signature(draft).parameters)
    ['name', 'drafter', 'ocr', 'layout', 'lang', 'draft_provider']
    """
    signature = inspect.signature(command, eval_str=True)
    groups = {name: _group(parameter.annotation) for name, parameter in signature.parameters.items()}
    flags: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        group = groups[name]
        flags += group.flags() if group else [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]

    @functools.wraps(command)
    def taking_flags(**given: Any) -> Any:
        made = {name: group.made(given) for name, group in groups.items() if group is not None}
        return command(**made, **{name: given[name] for name in groups.keys() - made.keys() if name in given})

    vars(taking_flags)["__signature__"] = signature.replace(parameters=flags)
    taking_flags.__annotations__ = {flag.name: flag.annotation for flag in flags}
    del taking_flags.__wrapped__  # inspect must see the flags
    return taking_flags


@functools.cache  # a process that stays loaded asks at each call, and names of types take long to look up
def _inner(kind: type[Any], without: frozenset[str]) -> Mapping[str, Group | _Field]:
    hints, options = get_type_hints(kind, include_extras=True), options_in(kind)
    found: dict[str, Group | _Field] = {}
    for name in (each.name for each in fields(kind) if each.name not in without):
        group = _group(hints[name])
        if group is not None:
            found[name] = group
        elif name in options or _info(hints[name]) is not None:
            option = options.get(name)
            found[name] = _Field(option.key if option else name, hints[name], option)
    return found


def _group(annotation: Any) -> Group | None:
    if is_dataclass(annotation) and isinstance(annotation, type):
        return Group(annotation)
    if get_origin(annotation) is Annotated and is_dataclass(get_args(annotation)[0]):
        kind, *rest = get_args(annotation)
        return Group(kind, next((each.names for each in rest if isinstance(each, Without)), frozenset()))
    return None


def _info(annotation: Any) -> OptionInfo | None:
    return next((each for each in get_args(annotation)[1:] if isinstance(each, OptionInfo)), None)


def _flag(field: _Field, panel: str, default: Any) -> inspect.Parameter:
    if field.option is None:
        kind, info = get_args(field.annotation)[0], copy.copy(_info(field.annotation))
    elif field.annotation is bool:
        kind, info = bool, typer.Option(field.option.flag, help=field.option.help)
    else:
        kind = str if isinstance(default, tuple) else field.annotation
        info = typer.Option(field.option.flag, metavar=field.option.metavar, help=field.option.help)
        info.show_default = default != ""
        if field.option.among:
            info.autocompletion = _completing(field.option.among)
    assert info is not None
    info.rich_help_panel = panel
    default = ",".join(default) if isinstance(default, tuple) else default
    return inspect.Parameter(
        field.key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )


def completed(names: tuple[str, ...], incomplete: str) -> list[str]:
    """The values that a shell offers; of a list with commas the last one is completed.

    >>> completed(("md", "json", "html"), "md,j")
    ['md,json']
    """
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in names if name.startswith(last)]


def _completing(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return completed(names, incomplete)

    return complete


def _value(given: Any, annotation: Any) -> Any:
    """The value of a field; a tuple of names is written with commas on the command line."""
    if get_origin(annotation) is not tuple:
        return given
    return tuple(name.strip() for name in given.split(",") if name.strip())


class Command(TyperCommand):
    """Prints help in panels, without Typer's types and braces around arguments, which tell a user nothing."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _refuse_doubled(self.make_parser(ctx).parse_args(list(args))[2])
        settings = self.settings()
        ctx.default_map = {key: setting.value for key, setting in settings.items()}
        with self._naming(settings):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with self._naming({} if not ctx.default_map else self.settings()):
            return super().invoke(ctx)

    def settings(self) -> dict[str, Setting]:
        """The options that a file or the environment set for this command."""
        return {}

    @contextmanager
    def _naming(self, settings: Mapping[str, Setting]) -> Iterator[None]:
        """Errors about an option that was not given on the command line say where it was set."""
        try:
            yield
        except (UsageError, *WRONG) as error:
            said = error.message if isinstance(error, UsageError) else error.format_message()
            named = ((settings.get(str(each.name)), each.opts) for each in self.params)
            flags = {flag: setting for setting, flags in named if setting is not None for flag in flags}
            setting = next((flags[flag] for flag in sorted(flags, key=len, reverse=True) if flag in said), None)
            if setting is None:
                raise
            remedy = error.remedy if isinstance(error, UsageError) else ""
            raise UsageError(f"{said.rstrip('.')} (set by {setting.origin})", remedy=remedy) from error

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        pieces = (piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx))
        pieces = (re.sub(r"(\.{3}\]?)\.{3}$", r"\1", piece) for piece in pieces)
        return [re.sub(r"^\[(\[.*\])\](?:\.{3})?$", r"\1", piece) for piece in pieces]  # older Typer's

    def format_options(self, ctx: Any, formatter: Any) -> None:
        parameters = [(each, each.get_help_record(ctx)) for each in self.get_params(ctx)]
        arguments = [
            (re.sub(r"^\[(.*)\]$", r"\1", record[0].split(" <")[0]), record[1])
            for each, record in parameters
            if record and _is_argument(each)
        ]
        options = [(_panel(each), record) for each, record in parameters if record and not _is_argument(each)]
        panels: dict[str, list[tuple[str, str]]] = {OTHERS: [], **{panel: [] for panel, _ in options}}
        for panel, record in options:
            panels[panel].append(record)
        for title, records in {"Arguments": arguments, **panels}.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _refuse_doubled(given: list[Any]) -> None:
    """Of a list that is given twice the first one would be lost without a word."""
    for each in given:
        if each.name in LISTED and not each.multiple and given.count(each) > 1:
            raise UsageError(f"{each.opts[0]} is given twice", remedy="put its values into one, with commas")


def _is_argument(parameter: Any) -> bool:
    return isinstance(parameter, TyperArgument)


def _panel(parameter: Any) -> str:
    return getattr(parameter, "rich_help_panel", None) or OTHERS
