"""Computes figures of merit from finished rows. Knows steps; keeps no counts of its own.

Accepted drafts count draft tokens only, so a step that accepts none counts 0; tokens per step also count the target's
own token, so plain decoding has 1. The paper's tables show plain decoding as 1.00: compare them with tokens per step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docparse_fast.speculative.candidates import CandidateKind
from docparse_fast.speculative.growing_answer import Decoded, TokenOrigin


@dataclass(frozen=True, slots=True)
class KindCount:
    offered: int  # tree nodes
    accepted: int  # of those


def average_acceptance_length(rows: Iterable[Decoded]) -> float:
    """AAL: accepted draft tokens in a step, averaged over all steps of all rows.                           (Eq. 14)"""
    accepted = [step.accepted for decoded in rows for step in decoded.steps]
    return sum(accepted) / len(accepted) if accepted else 0.0


def tokens_per_step(rows: Iterable[Decoded]) -> float:
    """Tokens written in a step. A row's first token, written in its prefill, belongs to no step."""
    written = [step.written for decoded in rows for step in decoded.steps]
    return sum(written) / len(written) if written else 0.0


def passes(rows: Iterable[Decoded]) -> float:
    """Forward passes of the target: a pass over several rows is a step of each, but counts once."""
    return sum(1 / step.rows for decoded in rows for step in decoded.steps)


def tokens_by_origin(rows: Iterable[Decoded]) -> Mapping[TokenOrigin, int]:
    """Accepted + tolerated + own = tokens written."""
    counts = dict.fromkeys(TokenOrigin, 0)
    for decoded in rows:
        for span in decoded.spans:
            counts[span.origin] += span.stop - span.start
    return counts


def counts_by_kind(rows: Iterable[Decoded]) -> Mapping[CandidateKind, KindCount]:
    """How many tokens each kind of candidate offered, and how many of them were accepted."""
    offered: Counter[CandidateKind] = Counter()
    accepted: Counter[CandidateKind] = Counter()
    for decoded in rows:
        offered.update(decoded.offered)
        accepted.update(decoded.accepted)
    return {kind: KindCount(offered[kind], accepted[kind]) for kind in CandidateKind if offered[kind]}
