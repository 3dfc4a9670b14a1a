"""A loaded model that reads documents: dialect, tokenizer, processor and decoder in one. Knows no stage and no file.

It implements `verification.target.DocumentTarget`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import torch
from PIL import Image

from docparse_fast.document import Category
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.drafting import DraftingModel
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.cuda_graphs import Recording
from docparse_fast.targets.decoder.machine import device_name
from docparse_fast.targets.decoder.network import ends_of, follow, forget_rope_deltas, inputs_for, reading_cache
from docparse_fast.targets.decoder.sampling import GREEDY, Decoding
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.dialects.dialect import Dialect, user_message
from docparse_fast.targets.heads.head import Head
from docparse_fast.targets.identity import Identity, TieBreak
from docparse_fast.targets.loading.checkpoint import Checkpoint
from docparse_fast.targets.loading.devices import check_room, choose, notice_unused, rows_that_fit
from docparse_fast.targets.loading.heads import open_head
from docparse_fast.targets.loading.processing import ToInputs, check_tokenizer, decoder_of, encoder_of, open_processor
from docparse_fast.targets.loading.reading_costs import reading_costs, reading_costs_path
from docparse_fast.targets.loading.vision_room import check_vision_room
from docparse_fast.targets.loading.weights import load
from docparse_fast.targets.paper import shrunk, with_paper
from docparse_fast.targets.reading import StageCosts
from docparse_fast.timing import Timer


class DraftsPages(Protocol):
    """A smaller model, in this process or in another."""

    def of_page(self, image: Image.Image) -> DraftingModel: ...


class DocumentModel:
    """
    >>> target = open_document_model(find("qwen3-vl-2b"), device="auto", dtype="auto")      # doctest: +SKIP
    """

    def __init__(
        self,
        where: Checkpoint,
        model: Any,
        tokenizer: Any,
        to_inputs: ToInputs,
        *,
        slots: int = 8,
        decoding: Decoding = GREEDY,
        costs_folder: Path | None = None,
        recording: Recording | None = None,
        head: Head | None = None,
    ) -> None:
        self.dialect: Dialect = where.recipe.dialect()
        follow(model, decoding)
        self._tokenizer = tokenizer
        self._encoded = encoder_of(tokenizer)
        self._decoded = decoder_of(tokenizer)
        self._to_inputs = to_inputs
        self._recipe = where.recipe
        self.longest = where.recipe.longest
        system = where.recipe.system
        self._system: list[dict[str, object]] = [] if system is None else [{"role": "system", "content": system}]
        stops = self._stops()
        eos = ends_of(model) | frozenset(stops)
        self.decoder = VisionLanguageTarget(
            model,
            slots=slots,
            eos=eos,
            decoding=decoding,
            costs_folder=costs_folder,
            recording=recording,
            taps=head.taps if head else None,
        )
        likely = [end for end in (*stops, tokenizer.eos_token_id) if end in eos]
        self.end = likely[0] if likely else min(eos)
        self.in_flight = 1  # rows share its passes; pages come one after the other
        self.leaves_processors = self.looks_early = model.device.type != "cpu"
        self.smaller: DraftsPages | None = None  # drafts for this one, if it was opened with it
        self.head = head  # its own, which drafts if there is no smaller model
        self._costs_folder = costs_folder
        self.identity = Identity(
            where.name, where.revision, device_name(model.device), str(model.dtype).removeprefix("torch.")
        )

    @cached_property
    def costs(self) -> StageCosts:
        return StageCosts(self.decoder.costs, reading_costs(self, self._costs_folder), self.decoder.slots)

    def forget_costs(self) -> None:
        """What passes and looks cost is measured anew when it is asked for next."""
        self.decoder.costs_path.unlink(missing_ok=True)
        reading_costs_path(self, self._costs_folder).unlink(missing_ok=True)

    def _stops(self) -> list[int]:
        ids = (self._tokenizer.convert_tokens_to_ids(token) for token in self.dialect.stops)
        unknown = self._tokenizer.unk_token_id
        return [token for token in ids if token is not None and token != unknown]

    def encode(self, text: str) -> tuple[int, ...]:
        return self._encoded(text)

    def decode(self, tokens: Sequence[int]) -> str:
        ended = bool(tokens) and tokens[-1] in self.decoder.eos
        return self._decoded(tokens[:-1] if ended else tokens)

    def vocabulary(self) -> dict[str, int]:
        return dict(self._tokenizer.get_vocab())

    def decode_rows(self, rows: Iterable[Row], speculation: Speculation, timer: Timer) -> Iterator[Decoded]:
        return spec_decode(self.decoder, rows, speculation, timer)

    def look(self, image: Image.Image) -> View | None:
        view = self.page_view(image)
        if view is not None:
            self.decoder.look(view)
        return view

    def page_view(self, image: Image.Image) -> View | None:
        prompt = self.dialect.page_prompt
        return None if prompt is None else self._view(image, prompt)

    def region_view(self, image: Image.Image, category: Category) -> View | None:
        prompt = self.dialect.region_prompt(category)
        return None if prompt is None else self._view(image, prompt)

    def _view(self, image: Image.Image, prompt: str) -> View:
        conversation = self.dialect.conversation
        if conversation is not None:
            text = conversation.replace("{prompt}", prompt)
        else:
            messages = [*self._system, *user_message(prompt, prompt_first=self._recipe.prompt_first)]
            thinking = {} if self._recipe.thinks is None else {"enable_thinking": self._recipe.thinks}
            text = self._tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False, **thinking)
        image = image.convert("RGB")
        shown = shrunk(with_paper(image, self._recipe.whole), self._recipe.longer_side)
        inputs = dict(self._to_inputs(shown, text))
        check_vision_room(self.decoder.network, inputs)
        return View(inputs, seed=zlib.crc32(image.tobytes()))

    def give_up(self) -> None:
        """It reads on the caller's own thread, which is interrupted itself."""

    def page_drafting(self, image: Image.Image, view: object) -> DraftingModel | None:
        if self.smaller:
            return self.smaller.of_page(image)
        return self.head.drafts(self.decoder, view) if self.head and isinstance(view, View) else None

    @torch.inference_mode()
    def generate(self, view: object, max_tokens: int) -> tuple[int, ...]:
        inputs = self.inputs_of(view)
        model = self.decoder.network
        length = inputs["input_ids"].shape[1]
        written = model.generate(
            **inputs,
            max_new_tokens=max_tokens,
            do_sample=False,
            num_beams=1,
            eos_token_id=sorted(self.decoder.eos),
            repetition_penalty=self.decoder.decoding.repetition_penalty,
        )
        return tuple(written[0, length:].tolist())

    @torch.inference_mode()
    def tie_break(self, view: object, written: Sequence[int], other: int) -> TieBreak:
        inputs = self.inputs_of(view)
        more = torch.tensor([list(written)], device=inputs["input_ids"].device, dtype=torch.long)
        shape, prompt = inputs["input_ids"].shape, inputs["input_ids"].shape[1]
        for name, value in inputs.items():
            if getattr(value, "shape", None) == shape and name != "input_ids":  # masks and kinds, one for each token
                fill = torch.ones_like(more) if name == "attention_mask" else torch.zeros_like(more)
                inputs[name] = torch.cat([value, fill.to(value.dtype)], 1)
        inputs["input_ids"] = torch.cat([inputs["input_ids"], more], 1)
        forget_rope_deltas(self.decoder.network)
        cache = reading_cache(self.decoder.network, prompt)
        read = self.decoder.network(**inputs, **{CACHE: cache}, use_cache=cache is not None, logits_to_keep=1)
        logits = self.decoder.allowed_after(inputs["input_ids"][0], read.logits[0, -1:].float())[0]
        best = int(logits.argmax())
        return TieBreak(best, float(logits[best] - logits[other]))

    def inputs_of(self, view: object) -> dict[str, torch.Tensor]:
        """The inputs of the model's own forward and generate(), on its device."""
        if not isinstance(view, View):
            raise TypeError(f"a {type(view).__name__} is not a View")
        return inputs_for(self.decoder.network, view.inputs)


def open_document_model(
    where: Checkpoint,
    *,
    device: str = "auto",
    dtype: str = "auto",
    decoding: Decoding = GREEDY,
    costs_folder: Path | None = None,
    recording: Recording | None = None,
    with_head: bool = True,
) -> DocumentModel:
    """Loads weights onto the device; raises ModelError if that fails."""
    choice = choose(device, dtype)
    if device == "auto":
        notice_unused(choice)
    check_room(where, choice)
    tokenizer, to_inputs = open_processor(where.folder, where.recipe.model_type, where.recipe.pixels)
    check_tokenizer(tokenizer, where.folder, chats=where.recipe.dialect().conversation is None)
    model = load(where, choice)
    return DocumentModel(
        where,
        model,
        tokenizer,
        to_inputs,
        slots=rows_that_fit(model),
        decoding=decoding,
        costs_folder=costs_folder,
        recording=recording,
        head=open_head(where.folder, model) if with_head else None,
    )
