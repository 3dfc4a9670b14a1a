"""Exact softmax attention in cache-sized pieces, for training on a CPU. Knows tensors only: no model, no page.

The framework's CPU kernel is slow for the many small heads of a page (3,072 patches), and all scores at once fall out
of the cache. Here each head takes its queries a few hundred at a time, in the dtype of its inputs, and the backward
pass computes the probabilities again instead of keeping them.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

SCORES_IN_CACHE = 400_000  # elements of one piece's score matrix; more spills out of a core's second-level cache
SHORT = 640  # up to this length all heads at once are faster than pieces, however large the scores


def _pieces(length: int, keys: int) -> list[tuple[int, int]]:
    step = max(32, min(length, SCORES_IN_CACHE // keys))
    count = math.ceil(length / step)
    edges = [round(i * length / count) for i in range(count + 1)]
    return list(pairwise(edges))


def _probabilities(q: Tensor, k: Tensor, scale: float, start: int, causal: bool) -> Tensor:
    scores = torch.mm(q, k.t()).mul_(scale)
    if causal:
        # only the last rows' own keys lie in the future; everything before `start` is visible to all
        square = scores[:, start:]
        square.masked_fill_(torch.ones_like(square, dtype=torch.bool).triu_(1), float("-inf"))
    return torch.softmax(scores, dim=-1)


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, scale: float, causal: bool) -> Tensor:
        ctx.save_for_backward(q, k, v)
        ctx.scale, ctx.causal = scale, causal
        out = torch.empty_like(q)
        for head in range(q.shape[0]):
            for a, b in _pieces(q.shape[1], k.shape[1]):
                n = b if causal else k.shape[1]
                p = _probabilities(q[head, a:b], k[head, :n], scale, a, causal)
                torch.mm(p, v[head, :n], out=out[head, a:b])
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None]:
        q, k, v = ctx.saved_tensors
        dq = torch.empty_like(q)
        dk = torch.zeros(k.shape, dtype=torch.float32)
        dv = torch.zeros(v.shape, dtype=torch.float32)
        for head in range(q.shape[0]):
            for a, b in _pieces(q.shape[1], k.shape[1]):
                n = b if ctx.causal else k.shape[1]
                keys, g = k[head, :n], grad[head, a:b]
                p = _probabilities(q[head, a:b], keys, ctx.scale, a, ctx.causal)
                dv[head, :n] += p.t() @ g
                ds = torch._softmax_backward_data(g @ v[head, :n].t(), p, -1, p.dtype).mul_(ctx.scale)
                torch.mm(ds, keys, out=dq[head, a:b])
                dk[head, :n] += ds.t() @ q[head, a:b]
        return dq, dk.to(k.dtype), dv.to(v.dtype), None, None


def _at_once(q: Tensor, k: Tensor, v: Tensor, scale: float, causal: bool) -> Tensor:
    scores = torch.bmm(q * scale, k.transpose(1, 2))
    if causal:
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu_(1)
        scores = scores.masked_fill(future, float("-inf"))
    return torch.bmm(torch.softmax(scores, dim=-1), v)


def attend(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: object, scaling: float, **_: object
) -> tuple[Tensor, None]:
    """What the model library calls in place of its own attention: (rows, heads, length, dim) in, length first out.

    Right padding needs no mask: a causal row never looks ahead, and what padding itself says is not read.
    """
    rows, heads, length, dim = query.shape
    groups = heads // key.shape[1]
    key, value = (x.repeat_interleave(groups, dim=1) if groups > 1 else x for x in (key, value))
    causal = bool(module.is_causal)
    q, k, v = (x.to(value.dtype).reshape(rows * heads, length, dim) for x in (query, key, value))
    out = _at_once(q, k, v, scaling, causal) if length <= SHORT else _Attention.apply(q, k, v, scaling, causal)
    return out.view(rows, heads, length, dim).transpose(1, 2), None
