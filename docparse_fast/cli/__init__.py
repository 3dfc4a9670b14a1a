"""The command line: the only place that reads flags, prints, or exits.

Each command has its own file: it builds options, passes them on and returns an exit code. Every expected failure is one
line on stderr. Commands import what they need when they run: `--help` must not load PyMuPDF or NumPy.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from docparse_fast.cli.commands import COMPLETING, EXIT_CODES, Commands, named
from docparse_fast.cli.interruption import INTERRUPTION
from docparse_fast.cli.streams import give_up_stdout, is_about_stdout, reopen_closed, write_what_fits
from docparse_fast.errors import DocparseError, UsageError
from docparse_fast.version import __version__

WrongUsage: Any = typer.BadParameter.__bases__[0]  # Typer has its name where versions differ

app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """The console script. SIGTERM ends it as Ctrl-C does: half-written files are removed."""
    INTERRUPTION.listen()
    reopen_closed()
    write_what_fits()
    if COMPLETING in os.environ:
        from docparse_fast.cli.completion import answer_shell

        answer_shell()
    try:
        code = run(sys.argv[1:])
        _flush(code)
    except OSError as error:
        if not is_about_stdout(error):
            raise
        code = _unwritten(error)
    sys.exit(code)


def _flush(code: int) -> None:
    try:
        sys.stdout.flush()
    except OSError:
        if code == 0:
            raise
        give_up_stdout()  # the failed run has said why


def run(arguments: list[str]) -> int:
    """Runs one command and returns its exit code."""
    try:
        return int(app(arguments, prog_name="docparse-fast", standalone_mode=False) or 0)
    except WrongUsage as error:
        message = error.format_message()
        if message.startswith("Usage:"):  # no command was given: Typer answers with the help
            print(message, file=sys.stderr)
            return int(error.exit_code)
        context = getattr(error, "ctx", None)
        command = context.command_path if context else " ".join(("docparse-fast", *named(arguments)))
        return _refuse("usage", _with_a_hint(message, command), int(error.exit_code))
    except UsageError as error:
        return _refuse(error.code, str(error), 2)
    except DocparseError as error:
        return _refuse(error.code, str(error), 1)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # Typer's own way to deal with it
            raise end.__context__ from None
        raise
    except KeyboardInterrupt:
        return 130
    except Exception:
        if INTERRUPTION.heard:  # a library that was being loaded turned it into an error of its own
            return 130
        raise


def _with_a_hint(message: str, command: str) -> str:
    """
    >>> _with_a_hint("No such command 'convrt'. Did you mean 'convert'?", "docparse-fast")
    "No such command 'convrt'; did you mean 'convert'?"
    >>> _with_a_hint("Missing argument 'FOLDER'.", "docparse-fast batch")
    "Missing argument 'FOLDER'; see docparse-fast batch --help"
    """
    if message.endswith("?"):
        return message.replace(". Did you mean", "; did you mean")
    return f"{message.rstrip('.')}; see {command} --help"


def _unwritten(error: OSError) -> int:
    """Reports a full disk; says nothing if the reader, such as `head`, has closed the pipe: it has what it wanted."""
    give_up_stdout()
    if isinstance(error, BrokenPipeError):
        return 0
    return _refuse("write_failed", f"standard output: {error.strerror}; check the space left", 1)


def _refuse(code: str, message: str, exit_code: int) -> int:
    from docparse_fast.progress import error_line

    print(error_line(code, message), file=sys.stderr)
    return exit_code


def _version(asked: bool) -> None:
    if asked:
        print(f"docparse-fast {__version__}")
        raise typer.Exit


@app.callback(epilog=EXIT_CODES)
def _docparse_fast(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """PDFs and scans to Markdown."""
