"""`doctor`: reports what this machine can do."""

from __future__ import annotations

from typing import Annotated

import typer


def doctor(
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Report what this machine can do, and what auto would choose."""
    import json

    from docparse_fast.doctor.examining import examine
    from docparse_fast.doctor.reporting import report

    found = examine()
    print(json.dumps(found, indent=1) if json_ else report(found))
    return 0 if found["ready"] else 1
