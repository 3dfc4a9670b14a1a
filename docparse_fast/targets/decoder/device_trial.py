"""Tries what a target needs of a device, with a small random text model. Knows passes; loads no weights."""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import SimpleNamespace

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend
from transformers import Qwen3Config, Qwen3Model

from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.attention import use_tree_attention
from docparse_fast.targets.decoder.cache import RowCache
from docparse_fast.targets.decoder.clocks import device_clock
from docparse_fast.targets.decoder.cuda_graphs import RECORDED_AT, GraphedPasses, Recorder, Recording
from docparse_fast.targets.decoder.passes import PackedPasses, PaddedPasses, PlainModel

WIDTH = 64  # the widest tree
PREFIX = 1536
SIZES = {
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 128,  # as the targets have: attention kernels are chosen by it
    "vocab_size": 1024,
}
NO_GPU = "no GPU"


@dataclass(frozen=True, slots=True)
class DeviceTrial:
    """What came of it. `graphs` and `error` are empty if all went well; `graphs` is otherwise why there are none."""

    attention: str  # the kernel that torch chooses for a pass with the widest tree
    cold_start_seconds: float  # until the first pass was done
    pass_seconds: float  # of a later one
    replay_seconds: float | None  # of one that is replayed as a graph
    graphs: str
    error: str = ""


def try_device(device: torch.device, dtype: torch.dtype, recorder: Recorder | None = None) -> DeviceTrial:
    """Never raises: a device that can't do it says so. `recorder` stands in for the GPU's own."""
    try:
        return _tried(device, dtype, recorder)
    except Exception as error:
        reason = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
        return DeviceTrial("none", 0.0, 0.0, None, reason, reason)


@torch.inference_mode()
def _tried(device: torch.device, dtype: torch.dtype, recorder: Recorder | None) -> DeviceTrial:
    clock = device_clock(device) if device.type == "cuda" else time.perf_counter
    start = clock()
    model, cache = _model(device, dtype), RowCache(limit=4 * PREFIX)
    tree = PrefixTree.build(0, [range(1, WIDTH)], budget=WIDTH)
    records = device.type == "cuda" or recorder is not None
    recording = Recording()
    passes: PackedPasses | PaddedPasses = PackedPasses(model, cache)
    if records:
        passes = GraphedPasses(model, cache, recording, recorder)
    cache.fill(0, _row(device, dtype))

    def seconds() -> float:
        begin = clock()
        passes.logits({0: tree}, {0: 0})
        return clock() - begin

    seconds()
    cold = clock() - start
    plain = seconds()
    for _ in range(RECORDED_AT):
        last = seconds()
    replayed = last if isinstance(passes, GraphedPasses) and passes.recorded else None
    graphs = recording.failure if records else NO_GPU
    return DeviceTrial(_attention(device, dtype), cold, plain, replayed, graphs)


def _model(device: torch.device, dtype: torch.dtype) -> PlainModel:
    with device:
        layers = Qwen3Model(Qwen3Config(**SIZES)).to(dtype).eval()
        head = torch.nn.Linear(SIZES["hidden_size"], SIZES["vocab_size"], bias=False, dtype=dtype)
    use_tree_attention(layers)
    return PlainModel(layers.get_input_embeddings(), layers, head, _group())


def _group() -> int:
    return SIZES["num_attention_heads"] // SIZES["num_key_value_heads"]


def _row(device: torch.device, dtype: torch.dtype) -> SimpleNamespace:
    def entries() -> Tensor:
        return torch.randn(1, SIZES["num_key_value_heads"], PREFIX, SIZES["head_dim"], device=device, dtype=dtype)

    layers = [SimpleNamespace(keys=entries(), values=entries()) for _ in range(SIZES["num_hidden_layers"])]
    return SimpleNamespace(layers=layers)


def _attention(device: torch.device, dtype: torch.dtype) -> str:
    """torch's own choice for one masked call, by the name that torch has for it."""
    heads, size = SIZES["num_key_value_heads"], SIZES["head_dim"]
    query = torch.zeros(1, heads, _group() * WIDTH, size, device=device, dtype=dtype)
    keys = torch.zeros(1, heads, PREFIX, size, device=device, dtype=dtype)
    mask = torch.ones(1, 1, _group() * WIDTH, PREFIX, device=device, dtype=torch.bool)
    chosen = torch._fused_sdp_choice(query, keys, keys, mask)
    return str(SDPBackend(int(chosen)).name).lower().replace("_", " ")
