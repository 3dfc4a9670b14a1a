"""`doctor`: reports what this machine can do, or measures what a target costs here once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.errors import UsageError

if TYPE_CHECKING:
    from docparse_fast.speculative.costs import CostTable

AUTO = "auto"


def doctor(
    measure: Annotated[
        str,
        typer.Option(metavar="TARGET", help="Measure again what this target costs here; best while nothing else runs."),
    ] = "",
    device: Annotated[str, typer.Option(metavar="NAME", help="With --measure: as for convert.")] = AUTO,
    dtype: Annotated[str, typer.Option(metavar="NAME", help="With --measure: as for convert.")] = AUTO,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Report what this machine can do, and what auto would choose."""
    if measure:
        return _measure(measure, device, dtype, json_)
    if (device, dtype) != (AUTO, AUTO):
        raise UsageError("--device and --dtype belong to --measure", remedy="add --measure TARGET")
    import json

    from docparse_fast.doctor.examining import examine
    from docparse_fast.doctor.reporting import report

    found = examine()
    print(json.dumps(found, indent=1) if json_ else report(found))
    return 0 if found["ready"] else 1


def _measure(name: str, device: str, dtype: str, json_: bool) -> int:
    from docparse_fast.system.typed_json import written
    from docparse_fast.targets import open_target

    target = open_target(name, device=device, dtype=dtype)
    target.forget_costs()
    table = target.costs.passes
    print(written(table) if json_ else _in_words(table))
    return 0


def _in_words(table: CostTable) -> str:
    """
    >>> from docparse_fast.speculative.costs import CostTable
    >>> print(_in_words(CostTable((1,), (1, 8), ((1.0, 1.25),), "m", "a GPU", "bfloat16", 0.02)))
    m on a GPU in bfloat16: a plain pass takes 20.00 ms
    so many tokens cost so many plain passes: 1 1.00, 8 1.25
    """
    costs = ", ".join(f"{width} {cost:.2f}" for width, cost in zip(table.widths, table.costs[0], strict=True))
    return (
        f"{table.model} on {table.device} in {table.dtype}: a plain pass takes {1000 * table.seconds:.2f} ms\n"
        f"so many tokens cost so many plain passes: {costs}"
    )
