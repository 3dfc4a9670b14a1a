"""Captures padded passes once for each shape and replays them. Knows CUDA streams; passes.py decides the shapes.

Written without a GPU at hand: **this file has never been run**. What it adds to `PaddedPasses`, which the tests do run,
is the capture, the replay and the moment to throw the graphs away.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from docparse_fast.targets.decoder.cache import RowCache
from docparse_fast.targets.decoder.passes import Bucket, PaddedPasses, PassInputs, TextModel

WARM_UPS = 2  # passes before a capture, in which libraries choose kernels and allocate workspace


class GraphedPasses(PaddedPasses):
    """Launching a 28-layer model's kernels one by one takes longer than they run; a graph launches them at once."""

    def __init__(self, model: TextModel, cache: RowCache) -> None:
        super().__init__(model, cache)
        cache.steady = True
        self._graphs: dict[Bucket, tuple[torch.cuda.CUDAGraph, PassInputs]] = {}
        self._logits: dict[int, Tensor] = {}  # by rows * width: views share them: logits are the largest tensors
        self._layout = 0  # the cache's layout that the graphs were captured with
        self._pool: Any = None  # the graphs' shared memory
        self._stream: Any = None  # the stream of all captures

    def _run_model(self, bucket: Bucket, inputs: PassInputs) -> Tensor:
        with torch.cuda.device(self._cache.keys.device):
            return self._replayed(bucket, inputs)

    def _replayed(self, bucket: Bucket, inputs: PassInputs) -> Tensor:
        if self._layout != self._cache.layouts:  # the graphs point at freed memory; a pool dies with its last graph
            self._graphs.clear()
            self._layout, self._pool = self._cache.layouts, None
        if bucket not in self._graphs:
            self._graphs[bucket] = self._captured(bucket, inputs)
        graph, buffers = self._graphs[bucket]
        _copy(inputs, buffers)
        graph.replay()
        return self._logits[bucket.rows * bucket.width]

    def _captured(self, bucket: Bucket, inputs: PassInputs) -> tuple[torch.cuda.CUDAGraph, PassInputs]:
        buffers = PassInputs.empty(bucket, self._cache.keys.device)
        _copy(inputs, buffers)
        # One stream for the warm-ups and the captures of all shapes: a library allocates its workspace once for each
        # stream, and it must not lie in the graphs' own memory, which is freed before it.
        self._stream = self._stream or torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch's own
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            for _ in range(WARM_UPS):  # writing the same entries again changes nothing
                logits = self._pass(bucket, buffers)
        torch.cuda.current_stream().wait_stream(self._stream)
        shared = self._logits.setdefault(len(logits), torch.empty_like(logits))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool, stream=self._stream):
            shared.copy_(self._pass(bucket, buffers))
        self._pool = graph.pool()
        return graph, buffers


def _copy(inputs: PassInputs, buffers: PassInputs) -> None:
    for part, buffer in zip(inputs, buffers, strict=True):
        buffer.copy_(part.pin_memory(), non_blocking=True)
