"""TABED's Table 13 and its remarks on latency, from the stored costs of two models of our own."""

from __future__ import annotations

from collections.abc import Mapping

from docparse_fast.bench.reproduction.comparing import Column, Compared, ComparedRow, ComparedTable
from docparse_fast.bench.reproduction.table_request import TableRequest

TABLE = "tabed13"
BLOCKS = (1, 3, 5, 7)  # tokens of a pass of the target: their Remark 1
ROWS = (1, 2, 3, 4)  # rows of a pass of the draft model: their Remark 3
THEIRS: Mapping[str, str] = {
    "LLaVA-1.5 7B, 68M": "0.063",
    "LLaVA-1.5 7B, 160M": "0.206",
    "LLaVA-1.5 13B, 68M": "0.042",
    "LLaVA-1.5 13B, 160M": "0.137",
}
FLAT = "under 1.05"  # on an A100
TITLE = (
    "TABED, Table 13. The time of a draft model's token to that of the target's.\n"
    "Ours are models of our own, or whichever are named, on this machine ({device}); theirs ran on an A100."
)
NOTE = (
    "From the costs that were measured once for each model on this machine. Where passes of more tokens or rows cost\n"
    "more, as on a CPU, speed-ups computed from block efficiency (tables 1 to 4) are above what a clock shows."
)


def measured(request: TableRequest) -> Compared:
    target = request.open_target()
    smaller = request.open_smaller(target)
    names, ratio = (target.identity.name, smaller.draft.identity.name), smaller.ratio()
    passes = [(f"target, {block} tokens", target.decoder.costs.cost(1, block)) for block in BLOCKS]
    passes += [(f"draft model, {rows} rows", smaller.ratio(rows) / ratio) for rows in ROWS]
    return Compared(
        request.table,
        TITLE.format(device=target.decoder.network.device),
        [
            ComparedTable(
                (Column("T_q/T_p", "ratio"),),
                ("T_q/T_p",),
                (
                    ComparedRow(", ".join(names), (ratio,)),
                    *(ComparedRow(name, (None,), (theirs,)) for name, theirs in THEIRS.items()),
                ),
                "target, draft model",
            ),
            ComparedTable(
                (Column(""),),
                ("",),
                tuple(ComparedRow(name, (cost,), (FLAT,)) for name, cost in passes),
                "a pass, to one of one token",
            ),
        ],
        [NOTE],
        {"target": names[0], "draft": names[1]},
    )
