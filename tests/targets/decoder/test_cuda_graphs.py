"""Recording and replaying passes, with recorders that stand in for a GPU's: one that works, and some that fail.

What no test here can reach is `CudaRecorder` itself: the tests marked "gpu" do, and `doctor` and `bench gpu-day`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
import torch
from known import TOKENS, Known, known
from spoilt import corrupted, decoded

from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets.decoder.cuda_graphs import RECORDED_AT, GraphedPasses, Recording
from docparse_fast.targets.decoder.passes import Outputs, PassInputs
from docparse_fast.targets.decoder.recurrent import RecurrentStates
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget


class Again:
    """Records nothing: a replay runs the function again, which reads the recording's own buffers."""

    def __init__(self) -> None:
        self.recordings = 0

    def record(self, run: Callable[[], Outputs]) -> Callable[[], Outputs]:
        self.recordings += 1
        run()
        return run

    def copy(self, inputs: PassInputs, buffers: PassInputs) -> None:
        for part, buffer in zip(inputs, buffers, strict=True):
            buffer.copy_(part)

    def forget(self) -> None:
        pass


class Failing(Again):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def record(self, run: Callable[[], Outputs]) -> Callable[[], Outputs]:
        super().record(run)
        raise self._error


class SameMemory(Again):
    """As a graph does: a replay fills the memory that the recording left to `keep`, and changes nothing in Python."""

    def __init__(self, recurrent: RecurrentStates) -> None:
        super().__init__()
        self._recurrent = recurrent

    def record(self, run: Callable[[], Outputs]) -> Callable[[], Outputs]:
        super().record(run)
        _, left = self._recurrent.reading

        def replay() -> Outputs:
            before = self._recurrent.reading
            outputs = run()
            for place, read in self._recurrent.reading[1].items():
                for name in ("inputs", "keys", "deltas", "decays"):
                    getattr(left[place], name).copy_(getattr(read, name))
            self._recurrent.reading = before
            return outputs

        return replay


class Frozen(Again):
    """Replays the pass that it recorded, whatever the inputs: as if a length had become a constant of the graph."""

    def record(self, run: Callable[[], Outputs]) -> Callable[[], Outputs]:
        self.recordings += 1
        outputs = run()
        return lambda: outputs


def graphed(known: Known, recorder: Again, *, slots: int = 2, allowed: bool = True) -> VisionLanguageTarget:
    target = known.target(slots=slots, recording=Recording(allowed))
    target._passes = GraphedPasses(target._passes.model, target.cache, target.recording, recorder)
    return target


def rows(known: Known, rate: float = 0.2) -> list[Row]:
    return [
        Row(view, corrupted(answer, rate, seed), max_tokens=TOKENS)
        for seed, (view, answer) in enumerate(zip(known.views, known.answers, strict=True))
    ]


def assert_written_as_generate_writes(known: Known, target: VisionLanguageTarget) -> None:
    assert [one.tokens for one in decoded(target, rows(known))] == list(known.answers)


def test_replayed_passes_write_what_generate_writes(qwen: Known):
    recorder = Again()
    target = graphed(qwen, recorder)
    assert_written_as_generate_writes(qwen, target)
    assert recorder.recordings > 1
    assert target._passes.recorded
    assert not target.recording.failure


def test_a_state_moves_by_what_the_replayed_pass_read():
    hybrid = known("qwen3_5")
    target = hybrid.target(slots=2, recording=Recording())
    recorder = SameMemory(target.cache.recurrent)
    target._passes = GraphedPasses(target._passes.model, target.cache, target.recording, recorder)
    assert_written_as_generate_writes(hybrid, target)
    assert target._passes.recorded and not target.recording.failure


def test_recordings_are_dropped_when_the_states_have_moved():
    hybrid = known("qwen3_5")
    target = hybrid.target(slots=2)
    target.prefill({0: hybrid.views[0]})
    layouts, arena = target.cache.layouts, target.cache.recurrent.states.data_ptr()
    target.prefill({1: hybrid.views[1]})
    assert target.cache.recurrent.states.data_ptr() != arena
    assert target.cache.layouts > layouts


def test_a_shape_is_recorded_at_its_third_use(qwen: Known):
    recorder = Again()
    target = graphed(qwen, recorder, slots=1)
    uses = []
    row = Row(qwen.views[0], max_tokens=RECORDED_AT + 3)
    run_model = target._passes._run_model

    def watched(bucket, inputs):
        outputs = run_model(bucket, inputs)
        uses.append(recorder.recordings)
        return outputs

    target._passes._run_model = watched
    decoded(target, [row])
    assert uses == [0, 0, 1, 1, 1]


def test_a_benchmark_records_a_shape_at_its_first_use(qwen: Known):
    """Its warm-up runs everything once: what counts must not record."""
    target = graphed(qwen, Again(), slots=1)
    target.recording.at = 1
    decoded(target, [Row(qwen.views[0], max_tokens=3)])
    assert target._passes.recorded


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"),
        RuntimeError("CUDA error: operation not permitted when stream is capturing\nCompile with ..."),
        NotImplementedError("nonzero can't be captured"),
    ],
    ids=["memory", "operation", "not implemented"],
)
def test_a_recording_that_fails_drops_all_and_warns_once(qwen: Known, error: Exception, caplog):
    recorder = Failing(error)
    target = graphed(qwen, recorder)
    with caplog.at_level(logging.WARNING, logger="docparse_fast.notices"):
        assert_written_as_generate_writes(qwen, target)
    assert recorder.recordings == 1
    assert not target._passes.recorded
    (warning,) = caplog.messages
    assert warning.startswith("CUDA graphs are left out, so passes are slower (")
    assert str(error).splitlines()[0] in warning and "\n" not in warning


def test_a_recording_that_gives_other_numbers_is_never_used(qwen: Known):
    target = graphed(qwen, Frozen())
    assert_written_as_generate_writes(qwen, target)
    assert "gave other numbers" in target.recording.failure


def test_a_later_failure_drops_the_earlier_recordings(qwen: Known):
    class FailingLater(Again):
        def record(self, run: Callable[[], Outputs]) -> Callable[[], Outputs]:
            if self.recordings:
                raise torch.OutOfMemoryError("CUDA out of memory")
            return super().record(run)

    target = graphed(qwen, FailingLater())
    assert_written_as_generate_writes(qwen, target)
    assert not target._passes.recorded


def test_a_replay_that_fails_costs_no_page(qwen: Known):
    class FailingCopies(Again):
        copies = 0

        def copy(self, inputs: PassInputs, buffers: PassInputs) -> None:
            self.copies += 1
            if self.copies == 4:
                raise RuntimeError("CUDA error: OS call failed or operation not supported on this OS")
            super().copy(inputs, buffers)

    target = graphed(qwen, FailingCopies())
    assert_written_as_generate_writes(qwen, target)
    assert "OS call failed" in target.recording.failure and not target._passes.recorded


def test_without_graphs_nothing_is_recorded(qwen: Known):
    recorder = Again()
    assert_written_as_generate_writes(qwen, graphed(qwen, recorder, allowed=False))
    assert recorder.recordings == 0


def test_after_the_arena_has_moved_no_recording_is_replayed(qwen: Known):
    recorder = Again()
    target = graphed(qwen, recorder, slots=1)
    decoded(target, rows(qwen)[:1])
    assert target._passes.recorded
    target.cache.layouts += 1
    target.prefill({0: qwen.views[0]})
    target._passes._forget()
    assert not target._passes.recorded


def test_an_arena_with_room_for_the_expected_answer_never_moves(qwen: Known):
    """Every move drops all recordings."""
    target = graphed(qwen, Again(), slots=1)
    long = Row(qwen.views[0], corrupted(qwen.answers[0] * 6, 0.2, 0), max_tokens=400)
    assert long.expected == 400
    decoded(target, [long])
    assert target.cache.layouts == 1


def test_an_arena_that_need_not_stay_reserves_no_room(qwen: Known):
    """On a CPU nothing points into it, and memory matters more."""
    target = qwen.target(slots=1)
    target.prefill({0: qwen.views[0]}, {0: 600})
    assert target.cache.capacity < 600
