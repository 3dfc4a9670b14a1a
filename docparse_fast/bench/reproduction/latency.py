"""TABED's Table 13 and its remarks on latency, from the stored costs of two models of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docparse_fast.bench.reproduction.table_request import TableRequest
from docparse_fast.bench.tables import NONE, Heading, Part, Table

FORMAT = "docparse-fast/latency"
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


@dataclass(frozen=True, slots=True)
class LatencyRatios:
    target: str
    draft: str
    device: str
    ratio: float  # T_q / T_p
    blocks: Mapping[int, float]  # a pass of the target over so many tokens, in plain passes
    rows: Mapping[int, float]  # a pass of the draft model in so many rows, in passes of one


def measured(request: TableRequest) -> LatencyRatios:
    target = request.open_target()
    smaller = request.open_smaller(target)
    return LatencyRatios(
        target.identity.name,
        smaller.draft.identity.name,
        str(target.decoder.network.device),
        smaller.ratio(),
        {block: target.decoder.costs.cost(1, block) for block in BLOCKS},
        {rows: smaller.ratio(rows) / smaller.ratio() for rows in ROWS},
    )


def report(found: LatencyRatios) -> Iterator[Part]:
    yield TITLE.format(device=found.device)
    ours = (f"{found.target}, {found.draft}", f"{found.ratio:.3f}", NONE)
    theirs = tuple((name, NONE, ratio) for name, ratio in THEIRS.items())
    yield Table(
        (Heading("target, draft model"), Heading("T_q/T_p", "ours"), Heading("T_q/T_p", "theirs")), (ours, *theirs)
    )
    cells = [(f"target, {block} tokens", cost) for block, cost in found.blocks.items()]
    cells += [(f"draft model, {rows} rows", cost) for rows, cost in found.rows.items()]
    yield Table(
        (Heading("a pass, to one of one token"), Heading("ours"), Heading("theirs")),
        tuple((name, f"{cost:.2f}", FLAT) for name, cost in cells),
    )
    yield NOTE
