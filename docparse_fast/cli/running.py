"""Runs documents from the command line: chooses the output, reports progress, and returns the exit code."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from docparse_fast.cli.arguments import Reporting
from docparse_fast.cli.interruption import INTERRUPTION
from docparse_fast.cli.streams import write_in_utf8
from docparse_fast.cli.watching import ended, watching
from docparse_fast.options import ParseOptions

if TYPE_CHECKING:
    from docparse_fast.conversion import DocumentRecord, OpenSource
    from docparse_fast.inputs import Input
    from docparse_fast.pipeline import Pipeline


def run_documents(
    found: Sequence[Input],
    out: str,
    options: ParseOptions,
    fail_on: str,
    reporting: Reporting,
    pipeline_of: Callable[[Input], Pipeline],
    done: Mapping[str, DocumentRecord] = MappingProxyType({}),
    open_source: OpenSource | None = None,
    options_for: Callable[[Input], ParseOptions] | None = None,
) -> int:
    """`out`: a folder, or - for Markdown on stdout. `done`: finished documents to skip, by output folder.

    `options_for`: those of one document, if they are not all alike.
    """
    from docparse_fast import conversion
    from docparse_fast.outputs import DocumentFolder, MarkdownStream, write_run

    to_stdout = out == "-"

    def output_of(source: Input) -> conversion.Output:
        if to_stdout:
            return MarkdownStream(sys.stdout, options, heading=source.name if len(found) > 1 else "")
        return DocumentFolder(Path(out) / source.output, options_for(source) if options_for else options)

    def save(run: conversion.Run) -> None:
        if not to_stdout:
            write_run(Path(out), run.as_json())

    if to_stdout:
        write_in_utf8()
        if hasattr(signal, "SIGPIPE"):  # `| head` ends this program as it ends any other tool
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with watching(reporting, out) as watcher:
        run = conversion.convert(
            found,
            pipeline_of,
            options,
            output_of,
            watcher,
            save,
            lambda: INTERRUPTION.heard,
            done,
            open_source,
            options_for,
        )
        return ended(run, fail_on, watcher)
