"""mini: the first three of nano's five text layers on nano's eyes, what it is shown, and its losses. Trains nothing.

As cut off, it makes 73 % of nano's choices. It learns the others from four inputs, those of TABED's drafts: the image
(M), no image (T), what an OCR read in its place (C), and the image's cells pooled four to one (P).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone names it
from lessons import Seen
from reader import POINTER_SHARE, POINTERS, UNKNOWN, Lessened, Reader, configuration
from safetensors.torch import load_file
from tokens import Tokens
from torch import Tensor, nn
from transformers import Qwen3VLConfig

from docparse_fast.targets.page_inputs import Sight, pooled_cells, pooled_grid

SIGHTS: tuple[Sight, ...] = ("M", "T", "C", "P")
LAYERS = 3
KEPT = tuple(pointer for pointer in POINTERS if pointer[0] < LAYERS)
MOST_MISREAD = 0.08  # of an OCR text's letters
LINE_LOST = 0.03


def mini_configuration(tokens: Tokens) -> Qwen3VLConfig:
    config = configuration(tokens)
    text = config.text_config
    text.num_hidden_layers, text.layer_types = LAYERS, ["full_attention"] * LAYERS
    return config


def misread(text: str, chance: random.Random) -> str:
    """The text as an OCR may give it: letters mistaken, lost or doubled, at times a line left out."""
    level = chance.random() * MOST_MISREAD
    letters = sorted({letter for letter in text if letter.isalnum()}) or ["a"]
    lines = [line for line in text.split("\n") if not line or chance.random() > LINE_LOST]
    return "\n".join("".join(_misread(letter, level, letters, chance) for letter in line) for line in lines)


def _misread(letter: str, level: float, letters: Sequence[str], chance: random.Random) -> str:
    if not letter.isalnum() or chance.random() > level:
        return letter
    return chance.choice((chance.choice(letters), chance.choice(letters), "", letter * 2))


@dataclass(frozen=True, slots=True)
class Shown:
    """Lessons side by side, all shown alike, padded on the right."""

    sight: Sight
    features: Tensor | None  # (2, cells of all rows, hidden)
    grids: Tensor | None
    ids: Tensor
    kinds: Tensor
    labels: Tensor
    places: Tensor  # (3, rows, length)
    cells: list[int]
    first_cell: int

    @staticmethod
    def of(lessons: Sequence[Seen], sight: Sight, tokens: Tokens, chance: random.Random) -> Shown:
        prompts, features, grids = [], [], []
        for one in lessons:
            prompt = [*tokens.before, *_instead(one, sight, tokens, chance), *tokens.after]
            if sight in "MP":
                cells, grid = one.features.float(), one.grid
                if sight == "P":
                    cells, grid = torch.stack([pooled_cells(each, grid) for each in cells]), pooled_grid(grid)
                features.append(cells)
                grids.append((1, 2 * grid[0], 2 * grid[1]))
                prompt = tokens.prompt(cells.shape[1])
            prompts.append(prompt)
        length = max(len(prompt) + len(one.answer) for prompt, one in zip(prompts, lessons, strict=True))
        shape = (len(lessons), length)
        ids = torch.full(shape, tokens.special("<|endoftext|>"))
        labels, places = torch.full(shape, UNKNOWN), torch.full((3, *shape), UNKNOWN)
        for row, (prompt, one) in enumerate(zip(prompts, lessons, strict=True)):
            ids[row, : len(prompt) + len(one.answer)] = torch.tensor([*prompt, *one.answer])
            predicts = slice(len(prompt) - 1, len(prompt) - 1 + len(one.answer))
            labels[row, predicts] = torch.tensor(one.choices)
            places[:, row, predicts] = one.places
        return Shown(
            sight,
            torch.cat(features, 1) if features else None,
            torch.tensor(grids) if grids else None,
            ids,
            (ids == tokens.image).long(),
            labels,
            places,
            [one.features.shape[1] for one in lessons],
            len(tokens.before),
        )


def _instead(one: Seen, sight: Sight, tokens: Tokens, chance: random.Random) -> list[int]:
    """What stands where the image would: a line's end, or the OCR's text."""
    return tokens.encode(misread(one.text, chance) if sight == "C" else "\n")[0]


class Mini(Reader):
    def __init__(self, tokens: Tokens, nano: Path) -> None:
        """With nano's weights."""
        super().__init__(mini_configuration(tokens), KEPT)
        weights = {name: one.float() for name, one in load_file(nano / "model.safetensors").items()}
        self.model.load_state_dict(weights, strict=False)

    def learnt(self) -> dict[str, nn.Parameter]:
        """The parameters that are trained: the text model's."""
        return {name: one for name, one in self.named_parameters() if "language_model" in name}

    def forward(self, shown: Shown) -> Lessened:
        reader = self.model.model
        seen = {}
        if shown.features is not None:
            vision = SimpleNamespace(pooler_output=[shown.features[0]], deepstack_features=[[shown.features[1]]])
            seen = {"mm_encoder_outputs": {"image": vision}, "image_grid_thw": shown.grids}
        hidden = reader(input_ids=shown.ids, mm_token_type_ids=shown.kinds, use_cache=False, **seen).last_hidden_state
        reader.rope_deltas = None
        predicts = shown.labels != UNKNOWN
        logits = self.model.lm_head(hidden[predicts]).float()
        loss = F.cross_entropy(logits, shown.labels[predicts])
        right = int((logits.argmax(-1) == shown.labels[predicts]).sum())
        figures = {f"text_{shown.sight}": float(loss.detach())}
        if shown.sight == "M":
            pointing, found = self._pointer_loss(shown)
            figures |= {"pointer": float(pointing.detach()), "found": found}
            loss = loss + POINTER_SHARE * pointing
        self._seen.clear()
        return Lessened(loss, int(predicts.sum()), right, 0, figures)
