"""Runs documents from the command line: chooses the output, reports progress, and returns the exit code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from docparse_fast.cli.arguments import Reporting
from docparse_fast.cli.interruption import INTERRUPTION
from docparse_fast.cli.watching import ended, watching
from docparse_fast.options import ParseOptions
from docparse_fast.run.run_record import Run

if TYPE_CHECKING:
    from docparse_fast.pipeline import Pipeline
    from docparse_fast.run.conversion import OpenSource, Output
    from docparse_fast.run.inputs import Input
    from docparse_fast.run.run_record import DocumentRecord

    PrintTo = Callable[[Input], "Output"]


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
    print_to: PrintTo | None = None,
) -> int:
    """`out`: a folder, or - for stdout, to which `print_to` prints. `done`: finished documents, by output folder.

    `options_for`: those of one document, if they are not all alike.
    """
    from docparse_fast.run import conversion
    from docparse_fast.run.outputs import RUN, DocumentFolder, clear_unfinished, write_run
    from docparse_fast.run.run_record import check_record

    def output_of(source: Input) -> conversion.Output:
        if print_to is not None:
            return print_to(source)
        return DocumentFolder(Path(out) / source.output, options_for(source) if options_for else options, source.path)

    def save(run: Run) -> None:
        if print_to is None:
            write_run(Path(out), run.as_json())

    if print_to is None:
        check_record(Path(out))
        clear_unfinished(Path(out), (RUN,))
    with watching(reporting, out) as watcher:
        what = conversion.Conversion(found, options, pipeline_of, output_of, done, open_source, options_for)
        run = conversion.convert(what, watcher, save, lambda: INTERRUPTION.heard)
        return ended(run, fail_on, watcher)
