"""A pass asks the device for no number and no place: else no graph could be captured, and layers would wait."""

from __future__ import annotations

import warnings

import pytest
import torch
from known import Known
from torch.utils._python_dispatch import TorchDispatchMode

from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.passes import Bucket, PaddedPasses, PlainModel, plain_model

ASKING = ("_local_scalar_dense", "nonzero", "masked_select", "is_nonzero", "_unique", "aten::equal")


class Watch(TorchDispatchMode):
    """Notes the operations whose result's size or branch depends on values, which a GPU has to hand over first."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = str(func)
        picks = args[1] if "index.Tensor" in name or "index_put" in name else ()
        by_mask = any(isinstance(pick, torch.Tensor) and pick.dtype is torch.bool for pick in picks)
        if by_mask or any(part in name for part in ASKING):
            self.asked.append(name)
        return func(*args, **(kwargs or {}))


@torch.inference_mode()
def test_a_pass_of_fixed_shape_never_waits_for_the_device(any_known: Known):
    target = any_known.target(slots=2)
    target.prefill(dict(enumerate(any_known.views[:2])))
    tree = PrefixTree.build(any_known.answers[0][0], [any_known.answers[0][1:6], [9, 10]], budget=8)
    passes = PaddedPasses(plain_model(target.network), target.cache)
    spans = target.cache.place({0: len(tree), 1: len(tree)})
    bucket = Bucket.around(spans, target.cache.slots, target.cache.capacity)
    inputs = passes._filled(bucket, spans, {0: tree, 1: tree}, {0: 0, 1: 0})
    with Watch() as watch:
        passes._pass(bucket, inputs)
    assert watch.asked == []


def test_the_watch_sees_what_waits():
    with Watch() as watch:
        values = torch.tensor([1.0, -1.0])
        values[values > 0].sum().item()
        values.nonzero()
    assert len(watch.asked) >= 3


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@torch.inference_mode()
def test_on_a_gpu_no_pass_waits_for_it(any_known: Known):
    target = any_known.target(slots=2)
    target.network.to("cuda", torch.bfloat16)
    target.prefill(dict(enumerate(any_known.views[:2])))
    tree = PrefixTree.build(any_known.answers[0][0], [any_known.answers[0][1:6]], budget=8)
    passes = PaddedPasses(plain_model(target.network), target.cache)
    assert isinstance(passes.model, PlainModel)
    spans = target.cache.place({0: len(tree)})
    bucket = Bucket.around(spans, target.cache.slots, target.cache.capacity)
    inputs = passes._filled(bucket, spans, {0: tree}, {0: 0})
    inputs = type(inputs)(*(part.to("cuda") for part in inputs))
    passes._pass(bucket, inputs)  # kernels are loaded at their first use
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns that this watch is young
        torch.cuda.set_sync_debug_mode("error")
    try:
        passes._pass(bucket, inputs)
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.cuda.set_sync_debug_mode("default")
