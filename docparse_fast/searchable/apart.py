"""Makes the searchable PDF in another process: MuPDF writes it, and a crash there must not cost the run.

The request goes through the process's standard input, because it holds the password.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from docparse_fast.document import ParsedDocument
from docparse_fast.errors import DocparseError, OutputError
from docparse_fast.options import RasterOptions

SECONDS, SECONDS_A_PAGE = 120, 20  # the longest it may take


@dataclass(frozen=True, slots=True)
class SearchableRequest:
    path: Path
    raster: RasterOptions
    document: ParsedDocument
    to: Path


def make_searchable(request: SearchableRequest) -> None:
    """Writes the file; raises OutputError, and then there is none."""
    limit = SECONDS + SECONDS_A_PAGE * len(request.document.pages)
    command = [sys.executable, "-m", "docparse_fast.searchable.apart"]
    try:
        done = subprocess.run(command, input=pickle.dumps(request), capture_output=True, timeout=limit, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failed(request, str(error)) from error
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise _failed(request, lines[-1])


def _failed(request: SearchableRequest, reason: str) -> OutputError:
    return OutputError(
        "write_failed", f"{request.document.source} can't be made a searchable PDF ({reason})", remedy="leave pdf out"
    )


def main() -> int:
    from docparse_fast.searchable.making import write_searchable

    request: SearchableRequest = pickle.load(sys.stdin.buffer)  # from our own parent
    try:
        write_searchable(request.path, request.raster, request.document, request.to)
    except (DocparseError, OSError, ValueError, RuntimeError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
