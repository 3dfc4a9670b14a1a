"""Options from docparse-fast.toml and from the environment, for the commands that read documents or serve them.

What a command line says wins; then DOCPARSE_FAST_<OPTION>; then the file's table of the command; then the file's own
keys; then the default. The file is looked for in the current folder and in those above it, or named by
DOCPARSE_FAST_CONFIG. A file that was only found may not send pages to a server. Knows names; what a value means, its
option says.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docparse_fast.errors import UsageError, in_words
from docparse_fast.text.urls import is_url

FILE = "docparse-fast.toml"
PREFIX = "DOCPARSE_FAST_"
NAMED = "DOCPARSE_FAST_CONFIG"
OTHERS = (
    "CONFIG",
    "COMPLETE",
    "FAULT",
    "PPSTRUCTURE_ENGINE",
    "PPSTRUCTURE_MODELS",
    "TESSDATA_URL",
    "TOKEN",
)  # no options
OF_ONE_CALL = ("warm",)  # no file sets these
# Kubernetes tells each container of a service named docparse-fast, by variables that would be options
OF_KUBERNETES = re.compile(r"SERVICE_(HOST|PORT\w*)=.*|PORT(_\d+_\w+)?=(tcp|udp|sctp)://.*|PORT_\d+_\w+=.*")
# What a file that was only found may not set
TO_BE_NAMED = ("allow_net", "password_file", "log_json", "host", "token_file")

Keys = Callable[[], Mapping[str, Collection[str]]]  # the options of every command that can have them set


@dataclass(frozen=True, slots=True)
class Setting:
    value: Any
    origin: str  # a file's path or a variable's name


def settings_of(command: str, own: Collection[str], keys_of_all: Keys) -> dict[str, Setting]:
    """The options that are set for a command, by their keys; raises UsageError about one that no command has."""
    found = {key: setting for key, setting in _from_file(command, keys_of_all) if key in own}
    return found | {key: setting for key, setting in _from_environment(keys_of_all) if key in own}


def _from_environment(keys_of_all: Keys) -> Iterator[tuple[str, Setting]]:
    for name in sorted(os.environ):
        rest = name.removeprefix(PREFIX)
        value = os.environ[name]
        if rest == name or rest in OTHERS or not value or OF_KUBERNETES.fullmatch(f"{rest}={value}"):
            continue
        yield _known(rest.lower(), name, keys_of_all), Setting(value, name)


def _from_file(command: str, keys_of_all: Keys) -> Iterator[tuple[str, Setting]]:
    path, is_named = _file()
    if path is None:
        return
    said = _read(path)
    commands = keys_of_all()
    tables = {name: table for name, table in said.items() if isinstance(table, dict)}
    for name in tables:
        if name not in commands:
            raise UsageError(
                f"[{name}] in {path} is no command that reads or serves documents", remedy=", ".join(commands)
            )
    for name, table in ({"": {key: value for key, value in said.items() if key not in tables}} | tables).items():
        for given, value in table.items():
            known = {name: commands[name]} if name else commands
            key = _known(given.replace("-", "_"), str(path), lambda known=known: known)  # type: ignore[misc]
            if not is_named:
                _check_harmless(key, value, path)
            if key in OF_ONE_CALL:
                raise UsageError(
                    f"{path} sets {key}, which is read before it", remedy=f"{PREFIX}{key.upper()}=1 sets it"
                )
            if name in ("", command):
                yield key, Setting(_as_given(value), str(path))


def _file() -> tuple[Path | None, bool]:
    """The file, and whether the user named it."""
    if (named := os.environ.get(NAMED)) is not None:
        return (Path(named) if named else None), True
    here = Path.cwd()
    return next((at / FILE for at in (here, *here.parents) if (at / FILE).is_file()), None), False


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise UsageError(f"{path} can't be read ({in_words(error)})", remedy=f"check {NAMED}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is no TOML ({in_words(error)})", remedy="correct it") from error


def _known(key: str, origin: str, keys_of_all: Keys) -> str:
    keys = sorted({key for keys in keys_of_all().values() for key in keys})
    if key in keys:
        return key
    close = difflib.get_close_matches(key, keys, n=1)
    hint = f"did you mean {close[0]}?" if close else "docparse-fast config lists the options"
    raise UsageError(f"{origin} sets {key}, which is no option", remedy=hint)


def _check_harmless(key: str, value: Any, path: Path) -> None:
    """Somebody else's file, found above or in a folder of theirs, must not send pages away."""
    if key == "password":
        raise UsageError(f"{path} holds a password", remedy="put it into a file, or into DOCPARSE_PASSWORD")
    if key in TO_BE_NAMED or (key == "target" and any(map(is_url, str(_as_given(value)).split(",")))):
        raise UsageError(f"{path} sets {key}, and was only found", remedy=f"if you trust it: {NAMED}={path}")


def _as_given(value: Any) -> Any:
    """As it would stand on a command line: a list with commas."""
    return ",".join(map(str, value)) if isinstance(value, list) else value
