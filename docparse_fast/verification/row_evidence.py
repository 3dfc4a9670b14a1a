"""What a page's rows came to, as evidence: tokens and passes, and how far draft and answer agree. Reads no page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from docparse_fast.evidence import CandidateCount, PageEvidence, StageEvidence
from docparse_fast.speculative import metrics
from docparse_fast.speculative.growing_answer import Decoded
from docparse_fast.verification.agreement import Comparison


def stage_evidence(rows: Sequence[Decoded]) -> StageEvidence:
    origins = {str(origin): count for origin, count in metrics.tokens_by_origin(rows).items()}
    counts = metrics.counts_by_kind(rows)
    return StageEvidence(
        rows=len(rows),
        tokens={"written": sum(len(row.tokens) for row in rows), **origins},
        target_forwards=round(metrics.passes(rows) + len(rows), 2),  # prefilling a row is one pass
        average_acceptance_length=round(metrics.average_acceptance_length(rows), 4),
        tokens_per_step=round(metrics.tokens_per_step(rows), 4),
        finish={str(finish): n for finish, n in sorted(Counter(row.finish for row in rows).items())},
        candidates={str(kind): CandidateCount(count.offered, count.accepted) for kind, count in counts.items()},
    )


def compared(comparison: Comparison, lost: str) -> PageEvidence:
    return PageEvidence(
        agreement=round(comparison.agreed, 4),
        corrections=comparison.corrections,
        omissions=comparison.omissions,
        inventions=comparison.inventions,
        lost=lost,
    )
