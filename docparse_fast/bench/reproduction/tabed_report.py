"""Shows TABED's tables with our figures beside the paper's. Measures nothing."""

from __future__ import annotations

from collections.abc import Iterator

from docparse_fast.bench.reproduction.tabed import BLOCK, TABLES, Blocks, Method, Tabed
from docparse_fast.bench.tables import NONE, Heading, Part, Table, figure, times

FORMAT = "docparse-fast/tabed"
TITLES = {
    "tabed1": "TABED, Table 1. One draft with the image (M), one without (T), and both weighed at test time.",
    "tabed3": "TABED, Table 3. Text in the place of the image (C), pooled cells (P), and all four.",
    "tabed4": "TABED, Table 4. Random, even and adapted weights of M and T.",
}
THEIRS = ("first turn", "second turn", "OOD")
THEIR_RATIO = 0.063  # of their draft model's token to their target's (Table 13)
OURS_IN_WORDS = (
    "Ours are small models of our own on small synthetic pages; theirs are LLaVA-1.5 of 7 billion and 68 million\n"
    "weights on questions about photographs. So compare the order of the rows, not the figures."
)
NOTES = (
    "Block efficiency: tokens a pass of the target, {block} drafted. Speed-up: efficiency / ({block} T_q/T_p + 1), as\n"
    "they compute it; no clock is read. C is what our OCR read; theirs is a caption. Weights adapt by hard labels,\n"
    "which are the target's tokens. MTCP's errors are shares of misses; theirs are sums of divergences."
)


def report(found: Tabed) -> Iterator[Part]:
    yield f"{TITLES[found.table]}\n{OURS_IN_WORDS}"
    columns = [Heading(""), *(Heading(name, "ours") for name in found.datasets), Heading("speed-up", "ours")]
    columns += [Heading(name, "theirs") for name in THEIRS]
    yield Table(tuple(columns), tuple(_row(found, method, theirs) for method, theirs in TABLES[found.table].items()))
    ratios = ", ".join(f"{ratio:.3f}" for ratio in dict.fromkeys(found.ratios.values()))
    yield (
        f"Target {found.target}, draft model {found.draft}: T_q/T_p {ratios}, by rows (theirs {THEIR_RATIO});\n"
        f"at tau 1 {_same(found)} of the answers are those of the target alone, token for token."
    )
    yield NOTES.format(block=BLOCK)


def _row(found: Tabed, method: Method, theirs: tuple[float, ...]) -> tuple[str, ...]:
    ours = found.found[method.name]
    cells = [figure(blocks.efficiency, "score") for blocks in ours]
    total = sum(blocks.tokens for blocks in ours) / sum(blocks.passes for blocks in ours)
    printed = [figure(value, "score") for value in theirs] or [NONE] * len(THEIRS)
    return (method.name, *cells, times(total / (BLOCK * found.ratios[method.name] + 1)), *printed)


def _same(found: Tabed) -> str:
    blocks: list[Blocks] = [each for row in found.found.values() for each in row]
    return f"{sum(each.same for each in blocks)} of {sum(each.pages for each in blocks)}"
