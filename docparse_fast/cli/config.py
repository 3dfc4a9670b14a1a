"""`config`: the options that a command would run with, and where each was set."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from docparse_fast.cli import commands
from docparse_fast.options.declaring import one_of


def config(
    command: Annotated[
        str, typer.Argument(metavar="COMMAND", help=f"One of {', '.join(commands.SETTABLE)}.", show_default=True)
    ] = "convert",
    is_set: Annotated[bool, typer.Option("--set", help="Only the options that are set somewhere.")] = False,
) -> int:
    """Show which options are set, and where.

    A line an option, as docparse-fast.toml has it. That file is found in the current folder or above it, or named by
    DOCPARSE_FAST_CONFIG. DOCPARSE_FAST_DPI and the like win over it, and the command line over both.
    """
    one_of("COMMAND", command, commands.SETTABLE)
    found = commands.loaded(command)
    settings = found.settings()
    context: Any = found.context_class(found, info_name=command)
    for each in found.params:
        if each.param_type_name != "option" or each.name in ("help", "password"):
            continue
        setting = settings.get(each.name)
        value = each.type_cast_value(context, setting.value if setting else each.get_default(context))
        if setting or not is_set:
            print(f"{each.name} = {_as_toml(value)}  # {setting.origin if setting else 'default'}")
    return 0


def _as_toml(value: Any) -> str:
    """
    >>> _as_toml("a"), _as_toml(True), _as_toml(None)
    ('"a"', 'true', '""')
    """
    return json.dumps("" if value is None else value, ensure_ascii=False)
