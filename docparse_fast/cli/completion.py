"""`completion`: the script by which a shell completes our commands and options at the Tab key.

The script calls docparse-fast again with the words typed so far; `answer_shell` prepares Typer for that call.
"""

from __future__ import annotations

from typing import Annotated

import typer

from docparse_fast.cli.commands import COMPLETING
from docparse_fast.options.declaring import one_of

PROGRAM = "docparse-fast"
SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help=f"One of {', '.join(SHELLS)}.", show_default=False)],
) -> int:
    """Print the script that lets a shell complete commands.

    For bash: eval "$(docparse-fast completion bash)" in ~/.bashrc; for zsh the same in ~/.zshrc, after compinit; for
    fish: docparse-fast completion fish > ~/.config/fish/completions/docparse-fast.fish
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # it is there, not declared

    print(get_completion_script(prog_name=PROGRAM, complete_var=COMPLETING, shell=one_of("SHELL", shell, SHELLS)))
    return 0


def answer_shell() -> None:
    """Lets Typer answer the shell that calls."""
    from typer.completion import completion_init  # type: ignore[attr-defined]

    completion_init()
