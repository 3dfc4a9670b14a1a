"""Block efficiency of the verification rules with two models of our own that draw: `bench reproduce hsd-models`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from docparse_fast.bench.datasets import load
from docparse_fast.bench.reproduction.comparing import Column, Compared, ComparedRow, ComparedTable
from docparse_fast.bench.reproduction.rules_table import DATA, THEIRS
from docparse_fast.bench.reproduction.subjects import subjects
from docparse_fast.bench.reproduction.table_request import TableRequest
from docparse_fast.bench.trial import Subject
from docparse_fast.speculative.verification_rules import RULES, VerificationRule

if TYPE_CHECKING:
    from docparse_fast.targets.draft_traits import DraftingReader

TABLE = "hsd-models"
TEMPERATURES = (1.0, 2.0)
BLOCK = 10  # tokens that are drawn before each pass of the target
LONGEST = 200  # tokens of an answer
SEED = 1
TITLE = (
    "Lossless hierarchical speculative decoding: block efficiency of the verification rules at a temperature.\n"
    "Ours are models of our own, or whichever are named: {target}, for which {draft} draws blocks of {block} tokens,\n"
    "on {pages} pages, the first {longest} tokens of each. Theirs are Qwen2.5 of 14 and 32 billion weights, at 1."
)
NOTE = (
    "Block efficiency: tokens written for each pass of the target, its own included; no OCR drafts. Pages are read\n"
    "surely at temperature 1, and rules differ by what the target is unsure of. hierarchical is not exact (hsd-rules)."
)


def measured(request: TableRequest) -> Compared:
    target, [folder] = request.open_target(), request.folders
    draft = request.open_smaller(target).draft
    pages = list(subjects(load(folder), request.max_pages))
    rows = []
    for rule in RULES:
        found = []
        for temperature in TEMPERATURES:
            request.watch(f"{rule.name}, {temperature:g}")
            found.append(_efficiency(target, draft, pages, rule, temperature))
        rows.append(ComparedRow(rule.name, tuple(found), THEIRS[rule.name]))
    names = {"target": target.identity.name, "draft": draft.identity.name}
    title = TITLE.format(**names, pages=len(pages), block=BLOCK, longest=LONGEST)
    columns = tuple(Column(f"temperature {each:g}") for each in TEMPERATURES)
    return Compared(request.table, title, [ComparedTable(columns, DATA, tuple(rows))], [NOTE], names)


def _efficiency(
    target: DraftingReader, draft: DraftingReader, pages: Sequence[Subject], rule: VerificationRule, temperature: float
) -> float:
    from docparse_fast.targets.drawn_decoding import DrawnRow, draw_answer  # imported late: it needs torch

    tokens = passes = 0
    for number, subject in enumerate(pages):
        rows = [DrawnRow(model.decoder, model.page_view(subject.page.image), temperature) for model in (target, draft)]
        generator = np.random.default_rng([SEED, number])
        ends = target.decoder.eos
        answer = draw_answer(rows[0], rows[1], rule, generator, block=BLOCK, longest=LONGEST, ends=ends)
        tokens += len(answer.tokens) - 1  # the first is the prefill's
        passes += answer.passes
    return tokens / max(1, passes)
