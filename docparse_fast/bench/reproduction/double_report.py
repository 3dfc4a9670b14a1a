"""Shows DOUBLE's tables with our figures beside the paper's. Measures nothing."""

from __future__ import annotations

from collections.abc import Iterator

from docparse_fast.bench.reproduction.double import TABLES, Double, StoreMethod
from docparse_fast.bench.tables import Heading, Part, Table, figure, times

FORMAT = "docparse-fast/double"
TITLES = {
    "double-figure5": "DOUBLE, Figure 5. A store of n-grams read by the draft model, by the target, by both.",
    "double3": "DOUBLE, Table 3. A prior in the store: answers to other pages.",
    "double9": "DOUBLE, Table 9. Refused tokens in the store.",
}
THEIRS = {
    "double-figure5": ("HumanEval",),
    "double3": ("HumanEval", "GSM8K", "MT-Bench"),
    "double9": ("MT-Bench",),
}
OURS_IN_WORDS = (
    "Ours are small models of our own on small synthetic pages, which take turns; theirs are LLaMA-3.3 of 70 and\n"
    "Qwen3 of 32 billion weights, which run at once on several GPUs. So compare the order of the rows."
)
NOTES = (
    "Tokens: for each pass of the target. Draft passes: of the draft model, for each of the target. By passes: tokens\n"
    "in the time of a plain pass, from both models' passes and T_q/T_p. Measured: plain decoding's {clock} seconds\n"
    "over the method's, with its wider passes, all of the loop, and the draft model's look at the page; worst: the\n"
    "same of a page.\n"
    "A prior is the target's answers to the first pages of the data set, which are not measured."
)


def report(found: Double) -> Iterator[Part]:
    yield f"{TITLES[found.table]}\n{OURS_IN_WORDS}"
    columns = [
        Heading(""),
        *(Heading(name, "ours") for name in ("tokens", "draft passes", "by passes", "measured", "worst")),
    ]
    columns += [Heading(name, "theirs") for name in THEIRS[found.table]]
    yield Table(tuple(columns), tuple(_row(found, method, theirs) for method, theirs in TABLES[found.table].items()))
    each = list(found.found.values())
    yield (
        f"Target {found.target}, draft model {found.draft}, T_q/T_p {found.ratio:.3f}, {found.dataset}, "
        f"{each[0].pages} pages;\n"
        f"at tau 1 {sum(one.same for one in each)} of {sum(one.pages for one in each)} answers are those of the target "
        "alone, token for token."
    )
    yield NOTES.format(clock=found.clock)


def _row(found: Double, method: StoreMethod, theirs: tuple[str, ...]) -> tuple[str, ...]:
    ours = found.found[method.name]
    return (
        method.name,
        figure(ours.tokens / ours.passes, "score"),
        figure(ours.draft_passes / ours.passes, "score"),
        times(ours.speed(found.ratio)),
        times(found.plain_seconds / ours.seconds),
        times(ours.worst),
        *theirs,
    )
