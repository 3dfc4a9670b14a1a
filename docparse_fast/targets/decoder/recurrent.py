r"""Linear attention (the gated delta rule of Qwen3.5) over packed prefix trees. Knows states and ancestry; no token.

Such a layer has no keys and values for each token but one state for a row, and what is written into a state can't be
taken out. So a pass only reads it. With the row's state S, a node's inputs k, v, q and beta, and c the sum of the
logarithms of decay from the tree's root to the node, the state after node i is

    S_i = e^{c_i} S + \sum_j e^{c_i - c_j} k_j d_j^T            over i and its ancestors j
    d_i = beta_i (v_i - e^{c_i} S^T k_i - \sum_j e^{c_i - c_j} (k_i . k_j) d_j)      over its ancestors alone

The d of all nodes are one triangular system, since parents come first, and branches share only S. After verification
`keep` brings the state along the accepted path by the first line. Nothing is replayed and nothing is taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import softplus
from transformers.activations import ACT2FN

from docparse_fast.speculative.prefix_tree import ancestry_of
from docparse_fast.targets.decoder.cache_names import STATES

# the layers that are known: their parts have these names from transformers 5.17 on, in both alike
LINEAR = frozenset({"Qwen3_5GatedDeltaNet", "Qwen3_5MoeGatedDeltaNet"})
HYBRIDS = frozenset({"qwen3_5_text", "qwen3_5_moe_text"})  # text models whose other layers are all of these classes
EPSILON = 1e-6  # as in the layer's own normalisation
TAIL = 3  # inputs before a token that its convolution sees


class RecurrentLayer(Module):
    """Reads trees where a pass has one, and everything else as the layer that it was made of."""

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        tree: object = None,
        **kwargs: Any,
    ) -> Tensor:
        if tree is None:
            plain: Tensor = super().forward(hidden_states, attention_mask=attention_mask, **kwargs)
            return plain
        states: RecurrentStates = kwargs[STATES].recurrent
        layer: Any = self
        inputs = layer.in_proj_qkv(hidden_states)[0]
        decay = -layer.A_log.float().exp() * softplus(layer.in_proj_a(hidden_states)[0].float() + layer.dt_bias)
        beta = layer.in_proj_b(hidden_states)[0].sigmoid()
        out = torch.cat([
            states.attend(layer, group, rows, inputs[rows.tokens], decay[rows.tokens], beta[rows.tokens])
            for group, rows in enumerate(states.groups)
        ])  # fmt: skip
        gate = layer.in_proj_z(hidden_states).reshape(-1, layer.head_v_dim)
        normed = layer.norm(out.reshape(-1, layer.head_v_dim), gate)
        projected: Tensor = layer.out_proj(normed.reshape(1, hidden_states.shape[1], -1))
        return projected


def use_tree_recurrence(language_model: Module) -> None:
    """Makes this text model's linear layers read trees; they share all their parts with the old ones."""
    for part in language_model.modules():
        kind = type(part)
        if kind.__name__ in LINEAR and not isinstance(part, RecurrentLayer):
            part.__class__ = type(kind.__name__, (RecurrentLayer, kind), {})


@dataclass(frozen=True, slots=True)
class TreeRows:
    """Rows of a pass that have trees of one width: row r has the r-th of `slots` and the r-th part of `tokens`."""

    slots: Sequence[int]  # a range if they are the first ones
    tokens: slice
    ancestry: Tensor  # (rows, width, width): whether the second node is an ancestor of the first, or the node itself
    windows: Tensor  # (rows, width, TAIL + 1): the places, in a row's tail and nodes, that a convolution sees


@dataclass(frozen=True, slots=True)
class ReadRows:
    """What `keep` needs of a layer's pass over some rows."""

    inputs: Tensor  # (rows, width, channels) of the convolution
    keys: Tensor  # (rows, heads, width, key size)
    deltas: Tensor  # (rows, heads, width, value size)
    decays: Tensor  # (rows, heads, width), summed from the root

    def along(self, row: int, path: Sequence[int]) -> tuple[Tensor, ...]:
        """The inputs, keys, deltas and decays of a path of nodes; the likeliest branch is packed first."""
        chain = list(path) == list(range(len(path)))
        nodes = slice(len(path)) if chain else list(path)
        return self.inputs[row, nodes], self.keys[row][:, nodes], self.deltas[row][:, nodes], self.decays[row][:, nodes]


StateReading = tuple[Sequence[TreeRows], dict[tuple[int, int], ReadRows]]  # of a pass: its rows, and by layer and group


class RecurrentStates:
    """The states of all rows, and of a pass what moves them.

    >>> states.fill(0, {layer: prefilled.layers[layer] for layer in linear})      # doctest: +SKIP
    >>> states.begin([rows_alike([0], 0, tree.parents)])                          # doctest: +SKIP
    >>> language_model(..., tree=attention)                                       # doctest: +SKIP
    >>> states.keep({0: [0, 1, 3]})                                               # doctest: +SKIP
    """

    states: Tensor  # (layers, slots, heads, key size, value size), in fp32
    tails: Tensor  # (layers, slots, TAIL, channels): the convolutions' last inputs

    def __init__(self) -> None:
        self.groups: Sequence[TreeRows] = ()  # of the pass
        self._places: dict[int, int] = {}  # of the model's layers in `states`
        self._read: dict[tuple[int, int], ReadRows] = {}  # by layer and group

    @property
    def in_use(self) -> bool:
        return bool(self._places)

    def fill(self, slot: int, layers: Mapping[int, Any]) -> bool:
        """Takes over a prefilled row's states; whether all rows' states had to move for it."""
        if not layers:
            return False
        states = torch.stack([layer.recurrent_states[0][0].float() for layer in layers.values()])
        tails = torch.stack([layer.conv_states[0][0, :, -TAIL:].T for layer in layers.values()])
        moved = self._make_room(slot, layers, states, tails)
        self.states[:, slot], self.tails[:, slot] = states, tails
        return moved

    def begin(self, groups: Sequence[TreeRows]) -> None:
        self.groups = groups
        self._read = {}

    @property
    def reading(self) -> StateReading:
        """What `keep` will look at. A recorded pass writes to the same memory each time, so its reading is kept too."""
        return self.groups, self._read

    @reading.setter
    def reading(self, reading: StateReading) -> None:
        self.groups, self._read = reading

    def attend(self, layer: Any, group: int, rows: TreeRows, inputs: Tensor, decay: Tensor, beta: Tensor) -> Tensor:
        """One layer's pass over some rows: (rows * width, heads, value size)."""
        place, count = self._places[layer.layer_idx], len(rows.slots)
        inputs, decay, beta = (part.view(count, -1, part.shape[-1]) for part in (inputs, decay, beta))
        slots = slice(len(rows.slots)) if isinstance(rows.slots, range) else list(rows.slots)
        mixed = _convolved(layer, torch.cat([self.tails[place, slots], inputs], 1), rows.windows)
        query, key, value = _heads(layer, mixed)
        out, deltas, decays = tree_delta_rule(
            query, key, value, decay.mT, beta.float().mT, self.states[place, slots], rows.ancestry
        )
        self._read[place, group] = ReadRows(inputs, key, deltas, decays)
        return out.transpose(1, 2).flatten(0, 1).to(inputs.dtype)

    @torch.inference_mode()
    def keep(self, paths: Mapping[int, Sequence[int]]) -> None:
        """Moves the states of these rows along paths of the last pass's trees."""
        for group, rows in enumerate(self.groups):
            for row, slot in enumerate(rows.slots):
                if paths.get(slot):
                    self._move(slot, group, row, paths[slot])

    def _move(self, slot: int, group: int, row: int, path: Sequence[int]) -> None:
        """All layers at once: each has little to do."""
        layers = (self._read[place, group].along(row, path) for place in range(len(self._places)))
        inputs, keys, deltas, decays = map(torch.stack, zip(*layers, strict=True))
        moved = (keys * (decays[..., -1:] - decays).exp()[..., None]).mT @ deltas
        self.states[:, slot] = decays[..., -1].exp()[..., None, None] * self.states[:, slot] + moved
        self.tails[:, slot] = torch.cat([self.tails[:, slot], inputs], 1)[:, -TAIL:]

    def _make_room(self, slot: int, layers: Mapping[int, Any], states: Tensor, tails: Tensor) -> bool:
        if not self._places:
            self._places = {layer: place for place, layer in enumerate(layers)}
            self.states, self.tails = states[:, None, ...][:, :0], tails[:, None, ...][:, :0]
        more = slot + 1 - self.states.shape[1]
        if more > 0:
            self.states, self.tails = (
                torch.cat([arena, arena.new_zeros(arena.shape[0], more, *arena.shape[2:])], 1)
                for arena in (self.states, self.tails)
            )
        return more > 0


def tree_delta_rule(
    query: Tensor, key: Tensor, value: Tensor, decay: Tensor, beta: Tensor, state: Tensor, ancestry: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Outputs, d, and c (see above), all in fp32: (rows, heads, width, ...), as the inputs; `state` is only read."""
    seen = ancestry[:, None]  # the same for all heads
    summed = (seen * decay[:, :, None]).sum(-1)  # (rows, heads, width)
    between = (summed[..., None] - summed[..., None, :]).masked_fill(~seen, -torch.inf).exp()
    from_start = summed.exp()[..., None]
    weights = beta[..., None] * between * (key @ key.mT)
    wanted = beta[..., None] * (value - from_start * (key @ state))
    # the diagonal counts as ones, and nothing above it is read
    deltas = torch.linalg.solve_triangular(weights, wanted, upper=False, unitriangular=True)
    out = from_start * (query @ state) + (between * (query @ key.mT)) @ deltas
    return out, deltas, summed


def rows_alike(slots: Sequence[int], offset: int, parents: Sequence[int]) -> TreeRows:
    """Rows whose trees have one shape, packed one after another from `offset` on."""
    ancestry, windows = _shape(tuple(parents))
    count, width = len(slots), len(parents)
    tokens = slice(offset, offset + count * width)
    return TreeRows(slots, tokens, ancestry.expand(count, -1, -1), windows.expand(count, -1, -1))


def rows_padded(count: int, ancestry: Tensor) -> TreeRows:
    """Rows of all slots up to `count`, each with a tree of its own and padding after it."""
    return TreeRows(range(count), slice(None), ancestry, windows_of(ancestry))


def windows_of(ancestry: Tensor) -> Tensor:
    """For each node the places of its last ancestors and itself, where a row's tail comes before its nodes.

    >>> chain = torch.ones(1, 2, 2, dtype=torch.bool).tril()
    >>> windows_of(chain)[0].tolist()
    [[0, 1, 2, 3], [1, 2, 3, 4]]
    """
    depth = ancestry.sum(-1) - 1  # (rows, width)
    steps = torch.arange(TAIL, -1, -1, device=ancestry.device)
    at = depth[..., None] - steps  # (rows, width, TAIL + 1): negative within the tail
    found = ancestry[:, :, None] & (depth[:, None, None] == at[..., None])
    return torch.where(at < 0, (TAIL + at).clamp(min=0), TAIL + found.int().argmax(-1))


@lru_cache(maxsize=64)  # most trees are chains of few lengths
def _shape(parents: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    ancestry = torch.from_numpy(ancestry_of(parents))[None]
    return ancestry, windows_of(ancestry)


def _convolved(layer: Any, inputs: Tensor, windows: Tensor) -> Tensor:
    """(rows, width, channels), from the rows' tails and nodes."""
    rows = torch.arange(len(inputs), device=inputs.device)[:, None, None]
    weight = layer.conv1d.weight[:, 0].T.float()  # (TAIL + 1, channels)
    summed = (inputs[rows, windows].float() * weight).sum(2)
    if layer.conv1d.bias is not None:
        summed = summed + layer.conv1d.bias
    mixed: Tensor = ACT2FN[layer.activation](summed.to(inputs.dtype))
    return mixed


def _heads(layer: Any, mixed: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values in fp32, (rows, heads, width, size); queries and keys normed, as the layer does it."""
    query, key, value = torch.split(mixed.float(), [layer.key_dim, layer.key_dim, layer.value_dim], -1)
    query, key = (_apart(part, layer.head_k_dim) for part in (query, key))
    query, key = (part * torch.rsqrt(part.square().sum(-1, keepdim=True) + EPSILON) for part in (query, key))
    shared = layer.num_v_heads // layer.num_k_heads
    query, key = (part.repeat_interleave(shared, 2).transpose(1, 2) for part in (query, key))
    value = _apart(value, layer.head_v_dim).transpose(1, 2)
    return query * layer.head_k_dim**-0.5, key, value


def _apart(packed: Tensor, size: int) -> Tensor:
    """(rows, width, heads * size) to (rows, width, heads, size)."""
    return packed.view(*packed.shape[:2], -1, size)
