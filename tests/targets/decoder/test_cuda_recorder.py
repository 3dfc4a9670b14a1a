"""What `CudaRecorder` asks of torch.cuda, with stubs in its place: order, streams, pools, and failures."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
import torch

from docparse_fast.targets.decoder.cuda_graphs import CudaRecorder
from docparse_fast.targets.decoder.passes import Bucket, PassInputs


class Stream:
    def __init__(self, name: str = "own") -> None:
        self.name = name

    def wait_stream(self, other: Stream) -> None:
        pass


class Cuda:
    """The current stream, and a capture that may fail at its end as torch's does: then its stream stays current."""

    def __init__(self, error: Exception | None) -> None:
        self.stream = Stream("callers")
        self.error = error
        self.pools: list[object] = []
        self.streams: list[Stream] = []

    @contextmanager
    def on(self, stream: Stream):
        before, self.stream = self.stream, stream
        yield
        self.stream = before

    @contextmanager
    def capture(self, graph, pool, stream, capture_error_mode):
        self.pools.append(pool)
        self.streams.append(stream)
        self.stream = stream
        yield
        if self.error:
            raise self.error
        self.stream = Stream("callers")


class Graph:
    def pool(self) -> str:
        return "the pool"

    def replay(self) -> None:
        pass


@pytest.fixture
def cuda(request, monkeypatch) -> Cuda:
    stub = Cuda(getattr(request, "param", None))
    replaced = {
        "device": lambda device: torch.inference_mode(),  # any context
        "current_stream": lambda: stub.stream,
        "set_stream": lambda stream: setattr(stub, "stream", stream),
        "stream": stub.on,
        "Stream": Stream,
        "CUDAGraph": Graph,
        "graph": stub.capture,
        "empty_cache": lambda: None,
    }
    for name, stand_in in replaced.items():
        monkeypatch.setattr(torch.cuda, name, stand_in)
    monkeypatch.setattr(torch.Tensor, "pin_memory", lambda tensor: tensor)
    return stub


def test_captures_share_a_pool_a_stream_and_the_logits_of_a_shape(cuda):
    recorder = CudaRecorder(torch.device("cpu"))
    with torch.inference_mode():
        first, second = (recorder.record(lambda n=n: (torch.full((2, 3), n),))() for n in (1.0, 2.0))
    assert cuda.pools == [None, "the pool"]
    assert cuda.streams[0] is cuda.streams[1] and cuda.stream.name == "callers"
    assert first[0] is second[0], "logits are the largest tensors"
    recorder.forget()
    with torch.inference_mode():
        recorder.record(lambda: (torch.zeros(2, 3),))
    assert cuda.pools[-1] is None, "a pool dies with its last graph"


@pytest.mark.parametrize("cuda", [RuntimeError("CUDA error: capture invalidated")], indirect=True)
def test_after_a_capture_that_failed_the_callers_stream_is_current(cuda):
    """torch leaves the capture's stream current where ending the capture raises."""
    with pytest.raises(RuntimeError, match="capture invalidated"), torch.inference_mode():
        CudaRecorder(torch.device("cpu")).record(lambda: (torch.zeros(2, 3),))
    assert cuda.stream.name == "callers"


def test_inputs_are_copied_into_the_buffers_that_a_graph_reads(cuda):
    bucket, device = Bucket(2, 4, 256), torch.device("cpu")
    buffers = PassInputs.empty(bucket, device, scrap=512)
    assert buffers.packed[2].tolist() == [512] * 8, "a capture writes nowhere else"
    inputs = PassInputs(*(torch.ones_like(part) for part in buffers))
    CudaRecorder(device).copy(inputs, buffers)
    assert all(torch.equal(part, buffer) for part, buffer in zip(inputs, buffers, strict=True))
