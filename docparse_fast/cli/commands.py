"""The program's commands by name. A command's module is loaded when the command is called."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from docparse_fast.cli.flags import Command, expanded
from docparse_fast.cli.settings import Setting, settings_of
from docparse_fast.errors import UsageError

EXIT_CODES = """
Exit codes: 0 all good; 1 nothing could be done; 2 usage; 3 partial: a document or a page failed or was cut off;
130 interrupted, finished work is kept.
"""

READING = ("convert", "batch", "watch", "verify", "proofread")  # these have our exit codes in their help
SETTABLE = (*READING, "service", "mcp")  # whose options may be set in docparse-fast.toml and in the environment
COMPLETING = "_DOCPARSE_FAST_COMPLETE"  # set by a shell's script when it asks for completions
SUMMARIES = {  # what a command says of itself: the list of commands loads none of them
    "convert": "Turn PDFs and images into Markdown, one file per page.",
    "batch": "Turn a folder into Markdown; go on where a run stopped.",
    "watch": "Convert a folder's documents as they arrive, until Ctrl-C.",
    "verify": "Have a target check what earlier runs drafted.",
    "proofread": "List the words of converted documents that a target doubts.",
    "review": "Look at doubtful pages beside their pictures; correct them.",
    "apply": "Apply corrections that a program has written.",
    "config": "Show which options are set, and where.",
    "doctor": "Report what this machine can do, and what auto would choose.",
    "serve": "Start a vLLM server that verifies our drafts.",
    "service": "Take documents over HTTP and give back what was read.",
    "mcp": "Serve folders of documents to an agent, over MCP.",
    "completion": "Print the script that lets a shell complete commands.",
    "bench": "Measure speed: speculative decoding against plain.",
    "models": "List, download and check model weights.",
}
NAMES = tuple(SUMMARIES)


class Commands(TyperGroup):
    """Each of `NAMES` is a module beside this one, and in it a function or a Typer application of that name."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(NAMES)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in NAMES and cmd_name not in self.commands:
            self.commands[cmd_name] = loaded(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in NAMES:  # what is suggested instead are loaded commands
            if os.path.lexists(args[0]):
                raise UsageError(
                    f"{args[0]!r} is no command", remedy=f"docparse-fast convert {args[0]} -o OUT reads it"
                )
            for name in NAMES:
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)


class SettableCommand(Command):
    """A command whose options can be set in docparse-fast.toml and in the environment."""

    def settings(self) -> dict[str, Setting]:
        found = settings_of(str(self.name), [str(each.name) for each in self.params], options_of_all)
        several = {each.name for each in self.params if each.multiple}
        return {
            key: replace(setting, value=str(setting.value).split(",")) if key in several else setting
            for key, setting in found.items()
        }


@cache
def loaded(name: str) -> Any:
    part = getattr(import_module(f"docparse_fast.cli.{name}"), name)
    if isinstance(part, typer.Typer):
        group = typer.main.get_command(part)
        group.name = name
        return group
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    kind = SettableCommand if name in SETTABLE else Command
    alone.command(name, cls=kind, epilog=EXIT_CODES if name in READING else None)(
        part if name == "completion" else expanded(part)
    )
    return typer.main.get_command(alone)


def options_of_all() -> dict[str, list[str]]:
    """The keys of the options of each command that can have them set."""
    return {name: [each.name for each in loaded(name).params] for name in SETTABLE}


def named(arguments: list[str]) -> list[str]:
    """The command that the arguments begin with, such as ["bench", "run"]; some of Typer's errors don't name it."""
    if not arguments or arguments[0] not in NAMES:
        return []
    inner = getattr(loaded(arguments[0]), "commands", {})
    return arguments[: 2 if arguments[1:] and arguments[1] in inner else 1]
