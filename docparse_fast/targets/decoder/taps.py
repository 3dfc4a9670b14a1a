"""What a target's own head reads of it: states of the text model, token by token. Knows layers, rows; no draft.

A head is a part of the checkpoint that guesses tokens from what the target thought at the tokens before. The target
keeps these states for each row, prompt first, then along each path that was accepted, until the head reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Taps:
    """The layers whose outputs a head reads, side by side; without layers what the last norm gives."""

    layers: tuple[int, ...] = ()

    @contextmanager
    def on(self, text: Any) -> Iterator[list[Tensor]]:
        """Collects these layers' outputs while the text model runs."""
        taken: list[Tensor] = []

        def take(_: object, __: object, output: Tensor) -> None:
            taken.append(output)

        hooks = [text.layers[number].register_forward_hook(take) for number in self.layers]
        try:
            yield taken
        finally:
            for hook in hooks:
                hook.remove()

    def states(self, taken: list[Tensor], last: Tensor) -> Tensor:
        """(rows, tokens, size)"""
        return torch.cat(taken, -1) if self.layers else last

    @contextmanager
    def on_prompt(self, text: Any) -> Iterator[list[TappedPrompt]]:
        """The same for a prompt, which the model's own forward embeds and places; one item once it has run."""
        found: list[TappedPrompt] = []
        with self.on(text) as taken:

            def take(_: object, __: object, given: dict[str, Any], output: Any) -> None:
                states = self.states(taken, output.last_hidden_state)
                found.append(TappedPrompt(states, given["inputs_embeds"], given.get("position_ids")))

            hook = text.register_forward_hook(take, with_kwargs=True)
            try:
                yield found
            finally:
                hook.remove()


@dataclass(frozen=True, slots=True)
class TappedPrompt:
    """Of rows that were read together."""

    states: Tensor  # (rows, tokens, size)
    embeds: Tensor  # (rows, tokens, hidden): what the text model was given, images included
    positions: Tensor | None  # (axes, rows, tokens), or (rows, tokens); None: tokens are counted

    def row(self, number: int, length: int, delta: int) -> TappedRow:
        return TappedRow(
            self.embeds[number, :length],
            self._places(number)[:, :length],
            delta,
            [self.states[number, :length]],
            length,
        )

    def _places(self, number: int) -> Tensor:
        """(3, tokens): the last axes, of four where the first counts the text alone."""
        if self.positions is None:
            return torch.arange(self.states.shape[1], device=self.states.device).expand(3, -1)
        if self.positions.dim() == 2:
            return self.positions[number % len(self.positions)].expand(3, -1)
        return self.positions[-3:, number]


@dataclass(slots=True)
class TappedRow:
    """One row's states that its head has not read yet, and how its tokens are placed."""

    embeds: Tensor  # (tokens, hidden) of the prompt
    positions: Tensor  # (3, tokens) of the prompt
    delta: int  # the difference between a later token's place and its position
    pieces: list[Tensor] = field(default_factory=list)  # (tokens, size) each, in order
    length: int = 0  # tokens that the target keeps, the head's included

    @property
    def prompt(self) -> int:
        return self.embeds.shape[0]

    def keep(self, states: Tensor) -> None:
        self.pieces.append(states)
        self.length += len(states)

    def take(self) -> Tensor:
        """(tokens, size): what was kept since the last call."""
        taken = torch.cat(self.pieces) if self.pieces else self.embeds.new_empty(0, 0)
        self.pieces = []
        return taken

    def placed(self, start: int, stop: int) -> Tensor:
        """(3, 1, tokens): the positions of these tokens of the row."""
        before = self.positions[:, start : min(stop, self.prompt)]
        after = torch.arange(max(start, self.prompt), max(stop, self.prompt), device=before.device) + self.delta
        return torch.cat([before, after.expand(3, -1).to(before.dtype)], 1)[:, None]
