"""`docparse-fast bench engine` by its older name: the same measurement, the same JSON, the options as they were.

    python scripts/bench_engine.py --json engine.json
    python scripts/bench_engine.py --device cuda --shape qwen3-vl-2b --dtypes bf16 --json engine-gpu.json

The last line of output is the summary as one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from docparse_fast.bench.engine import DTYPES, EngineOptions
from docparse_fast.cli.bench_engine import exit_code, measured
from docparse_fast.cli.interruption import INTERRUPTION
from docparse_fast.errors import DocparseError, UsageError
from docparse_fast.targets.shapes import SHAPES

DEFAULTS = EngineOptions(shape="100m", device="cpu", dtypes=DTYPES, rows=(8,))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=SHAPES, default=DEFAULTS.shape)
    parser.add_argument("--device", default=DEFAULTS.device)
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES, default=DEFAULTS.dtypes)
    parser.add_argument("--prefix", type=int, default=DEFAULTS.prefix)
    parser.add_argument("--tokens", type=int, default=DEFAULTS.tokens)
    parser.add_argument("--rows", nargs="+", type=int, default=DEFAULTS.rows, help="at once, beside one row")
    parser.add_argument(
        "--levels", nargs="+", type=int, default=DEFAULTS.levels, help="tokens per step to corrupt the drafts for"
    )
    parser.add_argument("--repeats", type=int, default=DEFAULTS.repeats)
    parser.add_argument("--threads", type=int, default=DEFAULTS.threads)
    parser.add_argument("--json", type=Path)
    given = vars(parser.parse_args())
    file = given.pop("json")
    INTERRUPTION.listen()
    try:
        lists: dict[str, Any] = {name: tuple(given.pop(name)) for name in ("dtypes", "rows", "levels")}
        record = measured(EngineOptions(**given, **lists), file)
    except DocparseError as error:
        print(f"{error.code}: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    print(json.dumps(record["summary"]))
    return exit_code(record)


if __name__ == "__main__":
    sys.exit(main())
