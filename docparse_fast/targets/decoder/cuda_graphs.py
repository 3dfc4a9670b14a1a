"""Records padded passes once for each shape and replays them; goes on without recordings if that fails.

Knows when to record, and what to do when it can't be done. How a device records is a `Recorder`'s business.

A recording is trusted only after it has given what the plain pass gives, on inputs that it was not made with, and any
failure drops all recordings for good.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from docparse_fast.targets.decoder.cache import RowCache
from docparse_fast.targets.decoder.passes import Bucket, Outputs, PaddedPasses, PassInputs, TextModel
from docparse_fast.targets.decoder.recurrent import StateReading

RECORDED_AT = 3  # use of a shape: recording takes as long as ten passes, and many shapes are used once or twice
ALIKE = 0.05  # of the largest number: by how much a replayed pass may differ from the plain one, in any number format

log = logging.getLogger("docparse_fast.notices")


class Recorder(Protocol):
    """Records what a function does on a device."""

    def record(self, run: Callable[[], Outputs]) -> Callable[[], Outputs]:
        """Returns a function that does the same at once, over the same memory. It may run `run` a few times."""

    def copy(self, inputs: PassInputs, buffers: PassInputs) -> None:
        """Copies the host's inputs into the buffers of a recording."""

    def forget(self) -> None:
        """Called when all recordings are dropped: their shared memory is free."""


@dataclass
class Recording:
    """Whether passes may be recorded. All targets over one model share it, so a failure is reported once."""

    allowed: bool = True
    at: int = RECORDED_AT  # use of a shape; a benchmark, which warms up once, takes the first
    failure: str = field(default="", init=False)  # why recording ended

    def give_up(self, error: Exception) -> None:
        self.allowed = False
        self.failure = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
        log.warning("CUDA graphs are left out, so passes are slower (%s); --cuda-graphs never says so", self.failure)


class Replay(NamedTuple):
    """A recorded pass: what runs it, and the memory that it reads and, for layers with a state, leaves to `keep`."""

    run: Callable[[], Outputs]
    buffers: PassInputs
    reading: StateReading


class GraphedPasses(PaddedPasses):
    """Launching a 28-layer model's kernels one by one takes longer than they run; a graph launches them at once."""

    def __init__(
        self, model: TextModel, cache: RowCache, recording: Recording | None = None, recorder: Recorder | None = None
    ) -> None:
        super().__init__(model, cache)
        cache.steady = True
        self._recording = recording or Recording()
        self._given = recorder
        self._replays: dict[Bucket, Replay] = {}
        self._uses: Counter[Bucket] = Counter()  # in the cache's present layout
        self._layout = 0  # the cache's layout that the recordings were made with

    @property
    def recorded(self) -> tuple[Bucket, ...]:
        """The shapes that are replayed."""
        return tuple(self._replays)

    @cached_property
    def _recorder(self) -> Recorder:
        return self._given or CudaRecorder(self._cache.keys.device)

    def _run_model(self, bucket: Bucket, inputs: PassInputs) -> Outputs:
        if self._layout != self._cache.layouts:  # the recordings point at freed memory
            self._forget()
        self._uses[bucket] += 1
        if not self._recording.allowed or self._uses[bucket] < self._recording.at:
            return super()._run_model(bucket, inputs)
        if bucket not in self._replays:
            return self._recorded(bucket, inputs)
        replay = self._replays[bucket]
        try:
            self._recorder.copy(inputs, replay.buffers)
            self._cache.recurrent.reading = replay.reading
            return replay.run()
        except RuntimeError as error:  # such as no pinned memory for the inputs; the plain pass has the last word
            self._drop(error)
        return super()._run_model(bucket, inputs)

    def _recorded(self, bucket: Bucket, inputs: PassInputs) -> Outputs:
        """Records the shape. Whatever happens, the result is the plain pass's."""
        made = self._try(bucket, inputs)
        outputs = super()._run_model(bucket, inputs)
        if made is None:
            return outputs
        replay, replayed = made
        if all(map(_alike, replayed, outputs)):
            self._replays[bucket] = replay
        else:
            self._drop(RuntimeError(f"a graph of {bucket.rows} x {bucket.width} tokens gave other numbers"))
        return outputs

    def _try(self, bucket: Bucket, inputs: PassInputs) -> tuple[Replay, Outputs] | None:
        """The recording, and what it gives for these inputs; None if it can't be made."""
        try:
            buffers = PassInputs.empty(bucket, self._cache.keys.device, self._cache.scrap)
            run = self._recorder.record(lambda: self._pass(bucket, buffers))
            replay = Replay(run, buffers, self._cache.recurrent.reading)
            self._recorder.copy(inputs, buffers)
            return replay, tuple(part.clone() for part in run())
        except Exception as error:
            self._drop(error)
        return None

    def _drop(self, error: Exception) -> None:
        self._recording.give_up(error)
        self._forget()

    def _forget(self) -> None:
        self._replays.clear()
        self._uses.clear()
        self._layout = self._cache.layouts
        self._recorder.forget()


def _alike(replayed: Tensor, plain: Tensor) -> bool:
    """Not a number is like nothing."""
    return bool(((replayed - plain).abs().max() <= ALIKE * plain.abs().max()).item())


class CudaRecorder:
    """Captures CUDA graphs. All share one pool of memory, and one stream for warm-ups and captures.

    A library allocates its workspace once for each stream, and it must not lie in the pool, which is freed before it.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._pool: Any = None
        self._stream: Any = None
        self._outputs: dict[tuple[int, ...], Tensor] = {}  # by shape; views share them: logits are the largest tensors

    def record(self, run: Callable[[], Outputs]) -> Callable[[], Outputs]:
        with torch.cuda.device(self._device):
            stream = torch.cuda.current_stream()
            try:
                return self._captured(run)
            finally:  # a capture that fails leaves its own stream as the current one
                torch.cuda.set_stream(stream)

    def _captured(self, run: Callable[[], Outputs]) -> Callable[[], Outputs]:
        self._stream = self._stream or torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch's own
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):  # a warm-up: libraries choose kernels and allocate workspace
            outputs = run()
        torch.cuda.current_stream().wait_stream(self._stream)
        shared = tuple(self._outputs.setdefault(tuple(part.shape), torch.empty_like(part)) for part in outputs)
        graph = torch.cuda.CUDAGraph()
        # other threads may use CUDA meanwhile
        with torch.cuda.graph(graph, pool=self._pool, stream=self._stream, capture_error_mode="thread_local"):
            for buffer, part in zip(shared, run(), strict=True):
                buffer.copy_(part)
        self._pool = graph.pool()

        def replay() -> Outputs:
            with torch.cuda.device(self._device):
                graph.replay()
            return shared

        return replay

    def copy(self, inputs: PassInputs, buffers: PassInputs) -> None:
        for part, buffer in zip(inputs, buffers, strict=True):
            buffer.copy_(part.pin_memory(), non_blocking=True)

    def forget(self) -> None:
        """A pool dies with its last graph, so the next graphs need another."""
        self._pool = None
        self._outputs.clear()
        torch.cuda.empty_cache()
