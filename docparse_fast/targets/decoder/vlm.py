"""A vision-language model as a target: views in, verified tokens out. Knows a model's parts and rows; no text, no page.

The model is one of transformers' own classes, unmodified, or has the same parts: a text model in `model.model`,
`lm_head`, `get_input_embeddings()` and `config.get_text_config()`. Prefill is the model's own forward, of short rows
together where that is right (in HunyuanOCR up to transformers 5.23 an image's number in the batch leaks into its
positions). Verification runs the text model alone, over all rows' trees at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import torch
from torch import Tensor
from transformers.cache_utils import LinearAttentionLayer

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.judged_tokens import Judgements
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification
from docparse_fast.targets.decoder.attention import use_tree_attention
from docparse_fast.targets.decoder.cache import RowCache
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.cuda_graphs import GraphedPasses, Recording
from docparse_fast.targets.decoder.judging_pass import judged, stretches
from docparse_fast.targets.decoder.layouts import Layout, laid_out
from docparse_fast.targets.decoder.machine import Machine, torch_installed
from docparse_fast.targets.decoder.measuring_passes import measured_costs
from docparse_fast.targets.decoder.network import (
    empty_cache,
    ends_of,
    hold_rope,
    inputs_for,
    refuse_what_trees_break,
    text_model_of,
    window_of,
)
from docparse_fast.targets.decoder.norms import use_fused_norms
from docparse_fast.targets.decoder.pass_costs import default_folder, stored
from docparse_fast.targets.decoder.passes import PackedPasses, PaddedPasses, Passes, plain_model
from docparse_fast.targets.decoder.prefilling import Prefill, PrefilledRow
from docparse_fast.targets.decoder.recurrent import use_tree_recurrence
from docparse_fast.targets.decoder.sampling import (
    GREEDY,
    Decoding,
    Uniforms,
    chooser,
    penalised,
    seen_along_paths,
    without,
)
from docparse_fast.targets.decoder.taps import TappedRow, Taps
from docparse_fast.targets.decoder.verifications import tolerant_verifications, verifications


@dataclass(frozen=True, slots=True)
class View:
    """A prepared input: the tensors that the model's own forward and generate() take, one row.

    >>> view = View(dict(processor(images=image, text=prompt, return_tensors="pt")))      # doctest: +SKIP
    >>> model.generate(**view.inputs)                                                     # doctest: +SKIP
    """

    inputs: Mapping[str, Tensor]
    seed: int = 0  # distinguishes views when the target draws
    read: list[PrefilledRow] = field(default_factory=list, compare=False)  # if it was looked at before its row began

    @property
    def ids(self) -> Tensor:
        return self.inputs["input_ids"][0]


def _view(view: object) -> View:
    if not isinstance(view, View):
        raise TypeError(f"a {type(view).__name__} is not a View")
    return view


def _along(states: Tensor, path: Sequence[int]) -> Tensor:
    """A copy: a recorded pass writes to the same memory each time."""
    chain = list(path) == list(range(len(path)))  # the likeliest branch is packed first
    return states[: len(path)].clone() if chain else states[list(path)]


@dataclass(slots=True)
class SlotState:
    """What a filled slot remembers beside its keys and values."""

    prompt: int  # its length
    delta: int  # the difference between a place in the cache and a rope position
    uniforms: Uniforms
    seen: Tensor | None  # (vocab,) tokens that the repetition penalty counts as seen
    tokens: list[int] = field(default_factory=list)  # the last ones, if none of their sequences may come again
    view: View | None = None  # that it was filled with
    tapped: TappedRow | None = None  # what the target's own head reads


class VisionLanguageTarget:
    """Implements `speculative.target.Target` with a transformers model.

    >>> model = Qwen3VLForConditionalGeneration.from_pretrained(folder, use_safetensors=True)      # doctest: +SKIP
    >>> target = VisionLanguageTarget(model, slots=8)                                             # doctest: +SKIP
    """

    def __init__(
        self,
        model: Any,
        *,
        slots: int = 8,
        eos: frozenset[int] | None = None,
        decoding: Decoding = GREEDY,
        costs: CostTable | None = None,
        costs_folder: Path | None = None,
        layout: Layout = Layout.QUICKER,
        recording: Recording | None = None,
        taps: Taps | None = None,
    ) -> None:
        refuse_what_trees_break(model)
        self.network = model.eval()
        self.slots = slots
        self.eos = ends_of(model) if eos is None else eos
        self.decoding = decoding
        self._costs = layout.forced_on(costs) if costs else None
        self._costs_folder = costs_folder
        self._layout = layout
        self.recording = recording or Recording()
        self._taps = taps
        self._tapping: WeakValueDictionary[int, object] = WeakValueDictionary()  # who reads states, by the view's id
        config = model.config.get_text_config()
        text = text_model_of(model)
        use_tree_attention(text)
        use_tree_recurrence(text)
        hold_rope(text)
        if model.device.type == "cuda":
            use_fused_norms(text)
        self.cache = RowCache(limit=config.max_position_embeddings, window=window_of(model))
        self._choose = chooser(decoding)
        self._rows: dict[int, SlotState] = {}
        self._trees: Mapping[int, PrefixTree] = {}  # of the last pass

    @property
    def costs(self) -> CostTable:
        if self._costs is None:
            measured = partial(measured_costs, self._beside, self.network, self._layout)
            self._costs = stored(self.costs_path, measured, since=torch_installed())
        return self._costs

    @property
    def costs_path(self) -> Path:
        name = Machine.of(self.network, self._layout, records=self.recording.allowed).file_name
        return (self._costs_folder or default_folder()) / name

    @cached_property
    def _passes(self) -> Passes:
        """Made at the first pass: the costs say which layers it reads, and may have to be measured first."""
        text = laid_out(plain_model(self.network, self._taps), self.costs)
        if self.network.device.type == "cuda":
            return GraphedPasses(text, self.cache, self.recording)
        return (PackedPasses if self.network.device.type == "cpu" else PaddedPasses)(text, self.cache)

    # --------------------------------------------------------------------------------------------- the verbs

    @torch.inference_mode()
    def prefill(self, views: Mapping[int, object], expected: Mapping[int, int] | None = None) -> dict[int, int]:
        return {
            slot: int(self._choose(logits, [self._rows[slot].uniforms[0]]).item())
            for slot, logits in self.begin_rows(views, expected or {})
        }

    @torch.inference_mode()
    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        logits = self._allowed(self.logits(trees), trees)
        choices = self._choose(logits, self._uniforms(trees))
        self._trees = trees
        if tolerant and not self.decoding.temperature:  # the draw is the answer, however likely a draft's token is
            return tolerant_verifications(logits, choices, trees)
        return verifications(choices.tolist(), trees)  # the one transfer from the device

    def logits(self, trees: Mapping[int, PrefixTree]) -> Tensor:
        """(nodes, vocab): what `verify` chooses from, before any penalty. The trees may be committed afterwards."""
        return self._passes.logits(trees, {slot: self._rows[slot].delta for slot in trees})

    @torch.inference_mode()
    def judge(self, views: Mapping[int, object], texts: Mapping[int, Sequence[int]]) -> dict[int, Judgements]:
        before = dict(self.begin_rows(views, {slot: len(text) for slot, text in texts.items()}))
        texts = {slot: text[: self.room(slot)] for slot, text in texts.items()}
        begun = {slot: text[:1] for slot, text in texts.items() if text}
        found = judged(torch.cat([before[slot] for slot in begun]), begun) if begun else {}
        for start, chains in stretches(texts):
            logits = self._allowed(self.logits(chains), chains)
            self._trees = chains
            self.commit({slot: range(len(chain)) for slot, chain in chains.items()})
            after = {slot: texts[slot][start + 1 : start + 1 + len(chain)] for slot, chain in chains.items()}
            for slot, judgements in judged(logits, after).items():
                found[slot] += judgements
        return {slot: found.get(slot, ()) for slot in texts}

    def room(self, slot: int) -> int:
        """The last token of an answer is never read, so it needs no place."""
        return self.cache.limit - self._rows[slot].prompt + 1

    def tap(self, view: View, reader: object) -> None:
        """Keeps states of the row that will be filled with this view, which the reader holds, as long as it lives."""
        self._tapping[id(view)] = reader

    def tapped(self, view: View) -> TappedRow:
        """What the target's own head may read of the row that was filled with this view."""
        for row in self._rows.values():
            if row.view is view and row.tapped:
                return row.tapped
        raise LookupError("no row was filled with this view")

    def commit(self, paths: Mapping[int, Sequence[int]]) -> None:
        self.cache.keep(paths)
        if self._passes.states is not None:
            self._keep_states(self._passes.states, paths)
        if self.decoding.repetition_penalty != 1:
            self._see(paths)
        if self.decoding.no_repeats is not None:
            for slot, path in paths.items():
                row, tree = self._rows[slot], self._trees[slot]
                row.tokens = self.decoding.no_repeats.kept([*row.tokens, *(tree.tokens[node] for node in path)])

    @torch.inference_mode()
    def _keep_states(self, states: Tensor, paths: Mapping[int, Sequence[int]]) -> None:
        for span in self.cache.spans:
            tapped, path = self._rows[span.slot].tapped, paths.get(span.slot)
            if tapped and path:
                tapped.keep(_along(states[span.offset : span.offset + span.width], path))

    def release(self, slot: int) -> None:
        self.cache.release(slot)
        self._rows.pop(slot, None)  # a row whose deadline passed while it waited was never filled

    # ----------------------------------------------------------------------------------------------- prefill

    @torch.inference_mode()
    def look(self, view: View) -> None:
        """Reads it now; the row that begins with it takes over what was read."""
        view.read[:] = self._read([view], self._taps)

    def begin_rows(self, views: Mapping[int, object], expected: Mapping[int, int]) -> Iterator[tuple[int, Tensor]]:
        """Fills the slots; yields each one's logits, (1, vocab), of its first token."""
        known = {slot: _view(view) for slot, view in views.items()}
        early = {slot: view.read.pop() for slot, view in known.items() if view.read}
        taps = self._taps if any(id(view) in self._tapping for view in known.values()) else None
        now = self._read([view for slot, view in known.items() if slot not in early], taps)
        for slot, view in known.items():
            row = early.pop(slot) if slot in early else next(now)
            yield slot, self._begin_row(slot, view, row, expected.get(slot, 0))

    def _read(self, views: Sequence[View], taps: Taps | None) -> Iterator[PrefilledRow]:
        return Prefill(self.network, taps).rows([inputs_for(self.network, view.inputs) for view in views])

    def _begin_row(self, slot: int, view: View, read: PrefilledRow, expected: int) -> Tensor:
        self.cache.fill(slot, read, expected)
        row = SlotState(
            prompt=len(view.ids),
            delta=read.delta,
            uniforms=Uniforms(self.decoding.seed, view.seed),
            seen=self._seen(view.ids.to(self.network.device)),
            tokens=self.decoding.no_repeats.kept(view.ids.tolist()) if self.decoding.no_repeats else [],
            view=view,
            tapped=read.tapped if id(view) in self._tapping else None,
        )
        self._rows[slot] = row
        return self.allowed_after(view.ids.to(self.network.device), read.logits)

    def _seen(self, ids: Tensor) -> Tensor | None:
        if self.decoding.repetition_penalty == 1:
            return None
        seen = torch.zeros(self.network.lm_head.out_features, dtype=torch.bool, device=ids.device)
        seen[ids] = True
        return seen

    @torch.inference_mode()
    def _see(self, paths: Mapping[int, Sequence[int]]) -> None:
        for slot, path in paths.items():
            seen = self._rows[slot].seen
            if seen is not None:
                seen[[self._trees[slot].tokens[node] for node in path]] = True

    # ---------------------------------------------------------------------------------------------- choosing

    def _allowed(self, logits: Tensor, trees: Mapping[int, PrefixTree]) -> Tensor:
        """With the penalty, and without what would be written a second time."""
        logits = self._penalised(logits, trees)
        rule, banned, start = self.decoding.no_repeats, [], 0
        if rule is None:
            return logits
        for slot, tree in trees.items():
            along = rule.along(self._rows[slot].tokens, tree.tokens, tree.parents)
            banned += [(start + node, token) for node, token in along]
            start += len(tree)
        return without(logits, banned)

    def _penalised(self, logits: Tensor, trees: Mapping[int, PrefixTree]) -> Tensor:
        if self.decoding.repetition_penalty == 1:
            return logits
        seen = [
            seen_along_paths(row.seen, tree.tokens, tree.ancestry())
            for slot, tree in trees.items()
            if (row := self._rows[slot]).seen is not None
        ]
        return penalised(logits, torch.cat(seen), self.decoding.repetition_penalty)

    def allowed_after(self, ids: Tensor, logits: Tensor) -> Tensor:
        """The same for (1, vocab) logits of what follows a prompt and, possibly, a whole answer: `ids` has both."""
        seen, rule = self._seen(ids), self.decoding.no_repeats
        if seen is not None:
            logits = penalised(logits, seen[None], self.decoding.repetition_penalty)
        return logits if rule is None else without(logits, [(0, token) for token in rule.banned(ids.tolist())])

    def _uniforms(self, trees: Mapping[int, PrefixTree]) -> list[float]:
        """One number for each node: that of the answer's place which its choice takes."""
        if not self.decoding.temperature:
            return []
        numbers = []
        for slot, tree in trees.items():
            row = self._rows[slot]
            place = self.cache.lengths[slot] - row.prompt + 1  # of the token after the root
            numbers += [row.uniforms[place + depth] for depth in tree.depths]
        return numbers

    # ------------------------------------------------------------------------------------------------- costs

    def _beside(self, costs: CostTable) -> VisionLanguageTarget:
        """A target over the same model with rows of its own."""
        return VisionLanguageTarget(
            self.network,
            slots=self.slots,
            eos=self.eos,
            decoding=self.decoding,
            costs=costs,
            recording=self.recording,
        )

    @torch.inference_mode()
    def pretend(self, prefix: int) -> None:
        """Fills every slot with copies of one token's entries; their values don't change what a pass costs."""
        for slot in range(self.slots):
            one = empty_cache(self.network)
            token = torch.zeros(1, 1, dtype=torch.long, device=self.network.device)
            text_model_of(self.network)(
                inputs_embeds=self.network.get_input_embeddings()(token), **{CACHE: one}, use_cache=True
            )
            for layer in one.layers:
                if isinstance(layer, LinearAttentionLayer):
                    continue
                layer.keys, layer.values = (part.expand(-1, -1, prefix, -1) for part in (layer.keys, layer.values))
            self.cache.fill(slot, one)
            self._rows[slot] = SlotState(prefix, 0, Uniforms(0, 0), self._seen(token[0]))
