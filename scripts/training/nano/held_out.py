"""What a finished model is examined with: the model folder ready to answer, and samples that training never saw.

Knows the generator and the library's own model class; no score. Held out are words (those only a much larger word list
knows), the chain of the others (counted on other documents), layouts (a fifth of all orders of blocks) and a typeface.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from pages import Sample, Subject, press
from reader import lesson, pixel_values
from tokens import Tokens
from transformers import Qwen3VLForConditionalGeneration

SUBJECTS: tuple[Subject, ...] = ("prose", "figures", "table", "two columns")
RARE = 0.4  # of prose words drawn evenly from the held-out list
BEYOND = 64  # tokens an answer may be longer than the truth before it is cut off
SEEDS = {"pages": 5_000_011, "regions": 6_000_011, "font": 7_000_011}


class Examined:
    """A model folder, ready to answer. Weights are fp16 on disk, arithmetic is fp32."""

    def __init__(self, folder: Path) -> None:
        self.tokens = Tokens(folder / "tokenizer.json")
        self.model: Any = Qwen3VLForConditionalGeneration.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="sdpa", use_safetensors=True
        ).eval()

    def inputs(self, sample: Sample, written: Sequence[int] = ()) -> dict[str, torch.Tensor]:
        """What generate() takes, with some of the answer written already."""
        shown = lesson(sample, self.tokens)
        prompt = self.tokens.prompt(shown.cells)
        ids = torch.tensor([[*prompt, *written]])
        return {
            "input_ids": ids,
            "attention_mask": torch.ones_like(ids),
            "mm_token_type_ids": (ids == self.tokens.image).int(),
            "pixel_values": pixel_values(shown.patches),
            "image_grid_thw": torch.tensor([shown.grid]),
        }

    @torch.inference_mode()
    def read(self, sample: Sample) -> str:
        """The greedy answer. What one pass over the truth shows to be written right is not written again: generation
        starts where the model first disagrees, which comes to the same."""
        truth = [*self.tokens.encode(sample.text)[0], self.tokens.end]
        right = self._agreed(sample, truth)
        if right == len(truth):
            return sample.text
        self.model.model.rope_deltas = None
        inputs = self.inputs(sample, truth[:right])
        limit = len(truth) - right + BEYOND
        output = self.model.generate(**inputs, max_new_tokens=limit, do_sample=False)[0]
        return self.tokens.decode(output[len(inputs["input_ids"][0]) - right :].tolist())

    def _agreed(self, sample: Sample, truth: list[int]) -> int:
        """How many of the truth's tokens, from the first on, the model would write itself."""
        self.model.model.rope_deltas = None
        logits = self.model(**self.inputs(sample, truth[:-1]), logits_to_keep=len(truth)).logits[0]
        wrong = (logits.argmax(-1) != torch.tensor(truth)).nonzero()
        return int(wrong[0]) if len(wrong) else len(truth)


# ------------------------------------------------------------------------------------------------- samples


def pages(count: int, font: str | None = None) -> list[tuple[str, Sample]]:
    """Held-out pages, as many of each subject."""
    chosen: list[tuple[str, Sample]] = []
    for number, subject in enumerate(SUBJECTS):
        seed = (SEEDS["font"] if font else SEEDS["pages"]) + number
        maker = press(seed, held_out=True, font=font, rare=RARE)
        chosen += [(subject, maker.page(subject)) for _ in range(count // len(SUBJECTS))]
    return chosen


def regions(count: int, font: str | None = None) -> list[tuple[str, Sample]]:
    """Crops of regions of held-out pages of all subjects, by what they are."""
    chosen: list[tuple[str, Sample]] = []
    for number, subject in enumerate(SUBJECTS):
        maker = press(SEEDS["regions"] + number + (100 if font else 0), held_out=True, font=font, rare=RARE)
        crops: list[Sample] = []
        while len(crops) < count // len(SUBJECTS):
            crops += maker.regions(subject)
        chosen += [(crop.kind, crop) for crop in crops[: count // len(SUBJECTS)]]
    return chosen
