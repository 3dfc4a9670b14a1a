"""Padded passes have few shapes, each large enough, and give the same results as packed ones."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from known import FLAT, TOKENS, Known
from spoilt import corrupted, decoded

from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.cache import CacheSpan
from docparse_fast.targets.decoder.cuda_graphs import GraphedPasses, Recording
from docparse_fast.targets.decoder.passes import WIDTHS, Bucket, PaddedPasses, view_of
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget

CAPACITY = 1024
VIEWS = (256, 384, 512, 768, 1024)
spans = st.lists(
    st.builds(
        CacheSpan,
        slot=st.integers(0, 7),
        offset=st.just(0),
        width=st.integers(1, 64),
        length=st.integers(1, CAPACITY - 64),
        start=st.just(0),
    ),
    min_size=1,
    max_size=8,
)


@given(spans)
def test_a_bucket_holds_its_rows_and_exceeds_nothing_there_is(given_spans: list[CacheSpan]):
    rows, width, view = Bucket.around(given_spans, slots=8, capacity=CAPACITY)
    for span in given_spans:
        assert span.slot < rows <= 8
        assert span.width <= width
        assert span.length + span.width <= view <= CAPACITY
    assert rows in (1, 2, 4, 8) and width in WIDTHS and view in VIEWS, "shapes are few"


def test_a_view_ends_where_the_rows_do():
    span = CacheSpan(slot=0, offset=0, width=8, length=985, start=0)
    assert Bucket.around([span], slots=1, capacity=1000).view == 1000


def test_a_long_answer_crosses_few_views():
    """A page of dots.ocr has a prompt of 5,096 places and an answer of 4,634: by steps of 256 it had 18."""
    assert len({view_of(length) for length in range(5096, 5096 + 4634)}) == 3
    assert all(view_of(length) <= 1.5 * length for length in range(256, 20000))


def test_a_plain_step_is_the_narrowest_bucket():
    span = CacheSpan(slot=0, offset=0, width=1, length=255, start=0)
    assert Bucket.around([span], slots=8, capacity=CAPACITY) == (1, 1, 256)


def test_a_lone_row_in_a_late_slot_is_found_among_padding(qwen: Known):
    target = qwen.target(slots=3)
    padded = PaddedPasses(target._passes.model, target.cache)
    target.prefill({0: qwen.views[0], 2: qwen.views[1]})
    answer = qwen.answers[1]
    trees = {2: PrefixTree.build(answer[0], [answer[1:4], (9, 10), (11,)], budget=7)}
    deltas = {2: target._rows[2].delta}
    with torch.inference_mode():
        kept = target.cache.keys[:, :, : target.cache.lengths[0]].clone()
        packed = target._passes.logits(trees, deltas)
        torch.testing.assert_close(padded.logits(trees, deltas), packed, atol=1e-3, rtol=0)
        assert torch.equal(target.cache.keys[:, :, : target.cache.lengths[0]], kept)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("slots", [1, 3])
def test_captured_passes_write_what_generate_writes(qwen: Known, slots: int):
    """Plain rows and drafted ones, growing past a view and out of the arena's first capacity."""
    target = qwen.target(slots=slots)
    target = type(target)(target.network.cuda(), slots=slots, eos=frozenset(), costs=target.costs)
    for rate in (1.0, 0.2):
        limits = (13, TOKENS, TOKENS, 29, TOKENS)  # so that slots are taken again in another order
        rows = [
            Row(view, corrupted(answer, rate, seed) if rate < 1 else [], max_tokens=limit)
            for seed, (view, answer, limit) in enumerate(zip(qwen.views, qwen.answers, limits, strict=True))
        ]
        answers = [answer[:limit] for answer, limit in zip(qwen.answers, limits, strict=True)]
        assert [one.tokens for one in decoded(target, rows)] == answers


# models with experts: torch's product of many groups asks the host for the groups' sizes in float32, not in bfloat16
MIXTURES = ("deepseek_ocr2", "unlimited_ocr", "qwen3_5_moe")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_every_architecture_is_read_and_captured_on_a_gpu(any_known: Known, dtype: torch.dtype):
    """In bfloat16 answers may part at near ties: there it must only run."""
    recording = Recording()
    recording.at = 1
    target = VisionLanguageTarget(
        any_known.model.to("cuda", dtype), slots=2, eos=frozenset(), costs=FLAT, recording=recording
    )
    rows = [
        Row(view, corrupted(answer, 0.2, seed), max_tokens=40)
        for seed, (view, answer) in enumerate(zip(any_known.views, any_known.answers, strict=True))
    ]
    written = [one.tokens for one in decoded(target, rows)]
    if dtype is torch.float32:
        assert written == [answer[:40] for answer in any_known.answers]
        if any_known.name in MIXTURES and "CPU and CUDA" in recording.failure:
            return
    assert recording.failure == ""
    assert not isinstance(target._passes, GraphedPasses) or target._passes.recorded
