"""A random model of real shape, and all ways to decode it. Knows torch and the engine; no draft and no table.

Prompts are rows of random tokens that differ only in the last one. The common part is prefilled once, and each way of
decoding continues from a copy of that cache, so that a benchmark spends little time on prefill. (transformers' assisted
decoding can't continue from a cache; its prefill is not counted in its seconds.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
import transformers
from torch import Tensor
from transformers import DynamicCache

from docparse_fast.bench.engine.bandwidth import bytes_a_step, copy_bandwidth
from docparse_fast.bench.engine.generate import Baseline, chain, hf_generate, prompt_lookup
from docparse_fast.bench.engine.planted_model import NEVER, SEED, planted_model
from docparse_fast.bench.engine.shapes import Shape
from docparse_fast.bench.engine.stopwatch import Stopwatch
from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.clocks import device_clock
from docparse_fast.targets.decoder.cuda_graphs import Recording
from docparse_fast.targets.decoder.machine import device_name
from docparse_fast.targets.decoder.passes import Outputs
from docparse_fast.targets.decoder.sampling import Uniforms
from docparse_fast.targets.decoder.vlm import SlotState, View, VisionLanguageTarget
from docparse_fast.targets.loading.devices import choose

DTYPES = {"bf16": "bfloat16", "fp32": "float32"}
LOWEST = 8  # prompt tokens from this id on
EOS = frozenset({NEVER})


class RandomModel:
    """One model in one dtype on one device.

    >>> model = RandomModel(SHAPES["100m"], "cpu", "bf16", prefix=1500, slots=8, costs_folder=folder)  # doctest: +SKIP
    >>> model.generate(rows=1, tokens=64).tokens_per_step                                           # doctest: +SKIP
    1.0
    """

    def __init__(self, shape: Shape, device: str, dtype: str, *, prefix: int, slots: int, costs_folder: Path) -> None:
        transformers.logging.set_verbosity_error()
        choice = choose(device, DTYPES[dtype])
        self.model = planted_model(shape, choice.device, choice.dtype)
        self.device = device_name(choice.device)
        self.vocabulary = shape.vocabulary
        self.clock = device_clock(choice.device)
        self.prompts = _prompts(slots, prefix, shape.vocabulary).to(choice.device)
        self.target = PrefilledTarget(self.model, self.prompts, costs_folder=costs_folder)

    # ----------------------------------------------------------------------------------------------- decoding

    def views(self, rows: int) -> list[View]:
        """The prompts as views for our own loop."""
        return [View({"input_ids": self.prompts[row : row + 1]}, seed=row) for row in range(rows)]

    def generate(self, rows: int, tokens: int) -> Baseline:
        seen = {CACHE: self.target.begun(rows)}
        return hf_generate(self.model, {"input_ids": self.prompts[:rows], **seen}, tokens, eos=EOS)

    def prompt_lookup(self, tokens: int) -> Baseline:
        return prompt_lookup(self.model, {"input_ids": self.prompts[:1]}, tokens, eos=EOS)

    def chain(self, tokens: int, drafts: Sequence[TokenDraft]) -> Baseline:
        return chain(self.model, {"input_ids": self.prompts[:1]}, tokens, eos=EOS, drafts=drafts)

    # ---------------------------------------------------------------------------------------------- measuring

    def prefill_seconds(self) -> float:
        """Seconds of prefilling one whole prompt."""
        slot, view = 0, self.views(1)[0]
        start = self.clock()
        VisionLanguageTarget.prefill(self.target, {slot: view})
        seconds = self.clock() - start
        self.target.release(slot)
        return seconds

    def copy_bandwidth(self) -> float:
        """Bytes per second, read and written together."""
        return copy_bandwidth(self.model.device, self.clock)

    def bytes_a_step(self, rows: int, tokens: int) -> int:
        """Bytes that a plain step must read, in the middle of an answer of so many tokens."""
        return bytes_a_step(self.model, rows, self.prompts.shape[1] + tokens // 2)

    @contextmanager
    def watched(self) -> Iterator[Stopwatch]:
        """Times the device's part of every step. It waits for the device more often, so don't time such a run."""
        passes: Any = self.target._passes
        watch = Stopwatch(self.clock)
        with self._deciding(watch.around(passes._run_model), watch.around(self.target._choose)):
            yield watch

    @contextmanager
    def read_out(self, answers: Iterable[Sequence[int]]) -> Iterator[None]:
        """Replaces the model's passes by known answers, on a CPU: only the host's work remains, with warm caches.

        Each token of the answers has one successor, and no other token is ever asked for.
        """
        successors = torch.zeros(self.vocabulary, dtype=torch.long)
        for answer in answers:
            successors[list(answer[:-1])] = torch.tensor(answer[1:])
        with self._deciding(lambda packed, attention: (packed[0],), lambda tokens, uniforms: successors[tokens]):
            yield

    @contextmanager
    def _deciding(self, run_model: Callable[..., Outputs], choose: Callable[..., Tensor]) -> Iterator[None]:
        """While entered, these two replace the model's pass and the choice from its output."""
        target, passes = self.target, self.target._passes
        before = passes._run_model, target._choose  # type: ignore[attr-defined]
        passes._run_model, target._choose = run_model, choose  # type: ignore[attr-defined]
        try:
            yield
        finally:
            passes._run_model, target._choose = before  # type: ignore[attr-defined]


def use_threads(count: int) -> None:
    torch.set_num_threads(count)


class PrefilledTarget(VisionLanguageTarget):
    """A target for these prompts, with their prefill done in advance."""

    def __init__(self, model: Any, prompts: Tensor, *, costs_folder: Path) -> None:
        super().__init__(model, slots=len(prompts), eos=EOS, costs_folder=costs_folder, recording=Recording(at=1))
        self._prompts = prompts
        self._begin = self._entries(prompts[:1, :-1], DynamicCache())
        self._last, self._firsts = self._look_at_the_last()

    def begun(self, rows: int) -> DynamicCache:
        """A transformers cache with all but the last token of so many prompts."""
        cache = DynamicCache()
        for number, (keys, values) in enumerate(self._begin):
            cache.update(keys.repeat(rows, 1, 1, 1), values.repeat(rows, 1, 1, 1), number)
        return cache

    @torch.inference_mode()
    def prefill(self, views: Mapping[int, object], expected: Mapping[int, int] | None = None) -> dict[int, int]:
        return {
            slot: self._fill(slot, view.seed, (expected or {}).get(slot, 0))
            for slot, view in views.items()
            if isinstance(view, View)
        }

    def _fill(self, slot: int, row: int, expected: int) -> int:
        layers = [
            SimpleNamespace(
                keys=torch.cat([keys, last_keys[row : row + 1]], dim=2),
                values=torch.cat([values, last_values[row : row + 1]], dim=2),
            )
            for (keys, values), (last_keys, last_values) in zip(self._begin, self._last, strict=True)
        ]
        self.cache.fill(slot, SimpleNamespace(layers=layers), expected)
        self._rows[slot] = SlotState(self._prompts.shape[1], 0, Uniforms(0, row), None)
        return self._firsts[row]

    @torch.inference_mode()
    def _look_at_the_last(self) -> tuple[list[tuple[Tensor, Tensor]], list[int]]:
        """Each prompt's last entry, (prompts, heads, 1, size) twice a layer, and the first token after it."""
        entries, firsts = [], []
        for prompt in self._prompts:
            cache = self.begun(1)
            hidden = self._hidden(prompt[None, -1:], cache)
            firsts.append(int(self.network.lm_head(hidden[0, -1]).argmax()))
            entries.append([(layer.keys[:, :, -1:].clone(), layer.values[:, :, -1:].clone()) for layer in cache.layers])
        last = [
            (torch.cat([keys for keys, _ in layer]), torch.cat([values for _, values in layer]))
            for layer in zip(*entries, strict=True)
        ]
        return last, firsts

    @torch.inference_mode()
    def _entries(self, ids: Tensor, cache: DynamicCache) -> list[tuple[Tensor, Tensor]]:
        self._hidden(ids, cache)
        return [(layer.keys, layer.values) for layer in cache.layers]

    def _hidden(self, ids: Tensor, cache: DynamicCache) -> Tensor:
        start = cache.get_seq_length()
        positions = torch.arange(start, start + ids.shape[1], device=ids.device)[None]
        output = self.network.model.language_model(
            inputs_embeds=self.network.get_input_embeddings()(ids),
            position_ids=positions,
            **{CACHE: cache},
            use_cache=True,
        )
        hidden: Tensor = output.last_hidden_state
        return hidden


def _prompts(count: int, length: int, vocabulary: int) -> Tensor:
    """(prompts, length): equal except for the last token."""
    random = torch.Generator().manual_seed(SEED)
    begin = torch.randint(LOWEST, vocabulary, (1, length - 1), generator=random).expand(count, -1)
    last = LOWEST + torch.randperm(vocabulary - LOWEST, generator=random)[:count, None]
    return torch.cat([begin, last], dim=1)
