"""`bench enlarge SIZE OUT`: writes nano at the size of a real model, to measure whole pages at a real cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.errors import ModelError, OutputError, UsageError
from docparse_fast.options.declaring import one_of

EXIT_CODES = """
Exit codes: 0 written; 1 torch is missing or the folder can't be written; 2 usage; 130 interrupted.
"""
DTYPES = ("bfloat16", "float32")


def enlarge(
    size: Annotated[
        str,
        typer.Argument(
            metavar="SIZE", help="deep, deep-12, deep-44, 0.3b, qwen3-vl-2b, qwen3-vl-8b; tiny for a trial."
        ),
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="New folder, for --target.", show_default=False)],
    dtype: Annotated[
        str, typer.Option(metavar="NAME", help="bfloat16, or float32, in which answers are exactly nano's.")
    ] = DTYPES[0],
    *,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Write nano at the size of a real model: the same answers at a real cost."""
    from docparse_fast.bench.enlarging.sizes import SIZES

    one_of("SIZE", size, SIZES)
    one_of("--dtype", dtype, DTYPES)
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty", remedy="name a new folder")
    try:
        from docparse_fast.bench.enlarging.enlarge import enlarge as write
    except ImportError as error:
        raise ModelError(
            "model_missing", f"{error.name} is missing", remedy="pip install 'docparse-fast[vlm]'"
        ) from error
    from rich.console import Console

    try:
        with Console(stderr=True).status("", spinner="line") as spinner:
            parameters = write(SIZES[size], out, dtype, spinner.update)
    except OSError as error:
        raise OutputError("write_failed", f"{out}: {error.strerror}", remedy="name another folder") from error
    if not quiet:
        print(f"{out}: {parameters / 1e9:.3g} billion parameters in {dtype}; use it as --target {out}")
    return 0
