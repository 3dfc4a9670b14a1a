"""Linear layers with weights in the layout of a CPU's matrix kernels. Knows layers and one kernel; no pass, no row.

On some processors torch reads a plain weight matrix, for the few tokens of a pass, at a third of the memory's speed,
and the same matrix in oneDNN's blocks at nearly all of it. On other processors the blocks are slower (layouts.py
decides). The model itself is unchanged: a twin shares all its parts except these layers, whose weights are then in
memory twice. A twin adds in another order than the plain layer, as passes of another width do.
"""

from __future__ import annotations

import platform
from copy import deepcopy

import torch
from torch import Tensor
from torch.nn import Linear, Module

TRIED = ("x86_64", "AMD64")  # processors elsewhere have other kernels, which have not been timed
ROWS = 8  # that the layout is made for; one made for a single row is slower for all others, and from 8 on all are alike


class BlockedLinear(Module):
    def __init__(self, linear: Linear) -> None:
        super().__init__()
        self._weight = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), ROWS)
        self._bias = linear.bias

    def forward(self, rows: Tensor) -> Tensor:
        out: Tensor = torch.ops.mkldnn._linear_pointwise(rows, self._weight, self._bias, "none", [], "")
        return out


def twin(module: Module) -> Module:
    """A copy of `module` with blocked layers, or `module` itself if there are none for its device or dtype.

    Later changes of a weight have no effect on the copy.

    >>> twin(torch.nn.Linear(768, 768))
    BlockedLinear()
    """
    linears = blockable(module)
    if not linears:
        return module
    configs = [part.config for part in module.modules() if hasattr(part, "config")]
    known: dict[int, object] = {id(part): part for part in (*module.parameters(), *module.buffers(), *configs)}
    return deepcopy(module, known | {id(linear): BlockedLinear(linear) for linear in linears})


def blockable(module: Module) -> list[Linear]:
    """The layers that can be blocked, if this device and dtype have the kernel."""
    return [part for part in module.modules() if type(part) is Linear and _has_kernel(part.weight)]


def _has_kernel(weight: Tensor) -> bool:
    here = platform.machine() in TRIED and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if weight.device.type != "cpu" or not here:
        return False
    return weight.dtype == torch.float32 or (
        weight.dtype == torch.bfloat16 and torch.ops.mkldnn._is_mkldnn_bf16_supported()
    )
