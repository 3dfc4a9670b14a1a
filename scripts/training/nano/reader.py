"""The model in training: a small Qwen3-VL, what it is shown, and its three losses. Knows no optimiser, no schedule.

Next-token loss alone takes long to discover that reading is looking. Two helps, both dropped at export: every visual
token must name the letters in its cell, and four of the decoder's own heads are told where to look (where the token
just written stands, and where the next one begins and ends).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - as everyone names it
from glyphs import LETTERS
from numpy.typing import NDArray
from pages import Sample
from safetensors.torch import load_file
from tokenizers import Tokenizer
from tokens import Tokens
from torch import Tensor, nn
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration
from transformers.models.qwen3_vl.modeling_qwen3_vl import apply_rotary_pos_emb

PATCH, MERGE = 8, 2
LETTERS_A_CELL = 4
LETTER_IDS = {letter: i + 1 for i, letter in enumerate(LETTERS)}  # 0: nothing
BLANK_WEIGHT = 0.2  # most cells are blank, and easy
HERE, NEXT, NEXT_END = range(3)
LAYERS = 5  # of the decoder
POINTERS = ((1, 0, HERE), (2, 0, NEXT), (2, 2, NEXT_END), (3, 1, NEXT))  # decoder layer, head, what it must look at
LETTER_SHARE, POINTER_SHARE = 0.2, 0.3  # of the whole loss, beside the text's 1
UNKNOWN = -100


def configuration(tokens: Tokens) -> Qwen3VLConfig:
    return Qwen3VLConfig(
        text_config={
            "vocab_size": tokens.tokenizer.get_vocab_size(),
            "hidden_size": 256,
            "intermediate_size": 512,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 64,
            "max_position_embeddings": 4096,
            "rms_norm_eps": 1e-6,
            "tie_word_embeddings": True,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10000.0,
                "mrope_section": [12, 10, 10],
                "mrope_interleaved": True,
            },
            "bos_token_id": None,
            "eos_token_id": tokens.end,
            "pad_token_id": tokens.special("<|endoftext|>"),
        },
        vision_config={
            "depth": 4,
            "hidden_size": 128,
            "intermediate_size": 448,
            "num_heads": 4,
            "patch_size": PATCH,
            "spatial_merge_size": MERGE,
            "temporal_patch_size": 2,
            "in_channels": 3,
            "out_hidden_size": 256,
            "num_position_embeddings": 256,
            "deepstack_visual_indexes": [1],
        },
        image_token_id=tokens.image,
        video_token_id=tokens.special("<|video_pad|>"),
        vision_start_token_id=tokens.special("<|vision_start|>"),
        vision_end_token_id=tokens.special("<|vision_end|>"),
        tie_word_embeddings=True,
    )


# ------------------------------------------------------------------------------------------------- batches


@dataclass(frozen=True, slots=True)
class Lesson:
    """One sample as arrays."""

    patches: NDArray[np.uint8]  # (patches, PATCH * PATCH), four of a cell together
    grid: tuple[int, int, int]
    answer: list[int]
    places: NDArray[np.int64]  # (3, answer): the cell each pointer should find before token i is written
    letters: NDArray[np.int64]  # (cells, LETTERS_A_CELL)

    @property
    def cells(self) -> int:
        return len(self.letters)

    @property
    def cost(self) -> float:
        """GFLOPs of a forward and backward pass, roughly: linear layers, and attention among all patches."""
        linear = 6e-9 * (0.9e6 * 4 * self.cells + 3.2e6 * (self.cells + len(self.answer)))
        return linear + 12e-9 * 128 * 4 * (4 * self.cells) ** 2


def lesson(sample: Sample, tokens: Tokens) -> Lesson:
    height, width = sample.image.shape
    cell = PATCH * MERGE
    patches = sample.image.reshape(height // cell, MERGE, PATCH, width // cell, MERGE, PATCH)
    ids, spans = tokens.encode(sample.text)
    return Lesson(
        patches.transpose(0, 3, 1, 4, 2, 5).reshape(-1, PATCH * PATCH),
        (1, height // PATCH, width // PATCH),
        [*ids, tokens.end],
        _places(sample.cells, spans),
        _letters(sample, (height // cell) * (width // cell)),
    )


def _places(cells: Sequence[int], spans: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """For every token the cells of the last letter before it, of its first, of its last. Tags take what follows."""
    following = [UNKNOWN] * (len(cells) + 1)
    for i in reversed(range(len(cells))):
        following[i] = cells[i] if cells[i] >= 0 else following[i + 1]
    places = np.full((3, len(spans) + 1), UNKNOWN, np.int64)
    here = UNKNOWN
    for i, (start, end) in enumerate(spans):
        drawn = [cell for cell in cells[start:end] if cell >= 0]
        places[:, i] = here, following[start], drawn[-1] if drawn else following[start]
        here = drawn[-1] if drawn else here
    places[HERE, -1] = here
    return places


def _letters(sample: Sample, cells: int) -> NDArray[np.int64]:
    letters = np.zeros((cells, LETTERS_A_CELL), np.int64)
    filled = [0] * cells
    for cell, _, letter in sorted(sample.glyphs):
        if filled[cell] < LETTERS_A_CELL:
            letters[cell, filled[cell]] = LETTER_IDS[letter]
            filled[cell] += 1
    return letters


def pixel_values(patches: NDArray[np.uint8]) -> Tensor:
    """What the image processor makes of a grey page: -1 to 1, the same in three colours and two frames."""
    values = torch.from_numpy(np.ascontiguousarray(patches)).float() / 127.5 - 1
    return values[:, None, None, :].expand(-1, 3, 2, -1).reshape(len(values), -1)


@dataclass(frozen=True, slots=True)
class Batch:
    """Lessons side by side, padded on the right (causal rows never see it)."""

    pixels: Tensor
    grids: Tensor
    letters: Tensor
    ids: Tensor
    kinds: Tensor  # 1 on image tokens
    labels: Tensor
    places: Tensor  # (3, rows, length), at the position that predicts
    cells: list[int]
    first_cell: int

    @staticmethod
    def of(lessons: Sequence[Lesson], tokens: Tokens) -> Batch:
        before, after = len(tokens.before), len(tokens.after)
        length = max(before + x.cells + after + len(x.answer) for x in lessons)
        shape = (len(lessons), length)
        ids, labels = np.full(shape, tokens.special("<|endoftext|>")), np.full(shape, UNKNOWN)
        kinds, places = np.zeros(shape, np.int64), np.full((3, *shape), UNKNOWN)
        for row, x in enumerate(lessons):
            start = before + x.cells + after
            ids[row, : start + len(x.answer)] = [*tokens.prompt(x.cells), *x.answer]
            kinds[row, before : before + x.cells] = 1
            predicts = slice(start - 1, start - 1 + len(x.answer))
            labels[row, predicts] = x.answer
            places[:, row, predicts] = x.places
        letters = np.concatenate([x.letters for x in lessons])
        to = torch.from_numpy
        return Batch(
            pixel_values(np.concatenate([x.patches for x in lessons])),
            torch.tensor([x.grid for x in lessons]),
            to(letters),
            to(ids),
            to(kinds),
            to(labels),
            to(places),
            [x.cells for x in lessons],
            before,
        )


# ------------------------------------------------------------------------------------------------- the model


@dataclass(frozen=True, slots=True)
class Lessened:
    """What one batch cost: a loss to go back through, and how well each part did, as plain numbers."""

    loss: Tensor  # mean over the text's tokens
    tokens: int
    right: int
    exact: int  # rows without a mistake
    figures: dict[str, float]


class Reader(nn.Module):
    def __init__(self, config: Qwen3VLConfig) -> None:
        super().__init__()
        self.model: Any = Qwen3VLForConditionalGeneration._from_config(config, attn_implementation="sdpa")
        self.letters = nn.Linear(config.get_text_config().hidden_size, LETTERS_A_CELL * (len(LETTERS) + 1))
        self._seen: dict[int, tuple[Tensor, tuple[Tensor, Tensor]]] = {}
        for layer in {layer for layer, _, _ in POINTERS}:
            attention = self.model.model.language_model.layers[layer].self_attn
            attention.register_forward_pre_hook(self._remember(layer), with_kwargs=True)

    def _remember(self, layer: int) -> Any:
        def hook(_module: nn.Module, _args: object, kwargs: dict[str, Any]) -> None:
            self._seen[layer] = (kwargs["hidden_states"], kwargs["position_embeddings"])

        return hook

    def forward(self, batch: Batch, see: bool = True, write: bool = True) -> Lessened:
        """`see`: the vision tower learns from this batch too. `write`: the decoder does."""
        with torch.set_grad_enabled(see and torch.is_grad_enabled()):
            vision = self.model.model.get_image_features(batch.pixels, batch.grids, return_dict=True)
            features = torch.cat(vision.pooler_output)
        letter_loss, letter_right = self._letter_loss(features, batch)
        figures = {"letters": float(letter_loss.detach()), "cells_right": letter_right}
        if not write:
            return Lessened(letter_loss, 0, 0, 0, figures)
        hidden = self.model.model(
            input_ids=batch.ids,
            image_grid_thw=batch.grids,
            mm_token_type_ids=batch.kinds,
            mm_encoder_outputs={"image": vision},
            use_cache=False,
        ).last_hidden_state
        self.model.model.rope_deltas = None  # or generate() would take this batch's for its own
        predicts = batch.labels != UNKNOWN
        logits = self.model.lm_head(hidden[predicts]).float()
        text_loss = F.cross_entropy(logits, batch.labels[predicts])
        wrong = torch.zeros_like(predicts)
        wrong[predicts] = logits.argmax(-1) != batch.labels[predicts]
        pointer_loss, found = self._pointer_loss(batch)
        figures |= {"text": float(text_loss.detach()), "pointer": float(pointer_loss.detach()), "found": found}
        loss = text_loss + LETTER_SHARE * letter_loss + POINTER_SHARE * pointer_loss
        count = int(predicts.sum())
        return Lessened(loss, count, count - int(wrong.sum()), int((~wrong.any(1)).sum()), figures)

    def _letter_loss(self, features: Tensor, batch: Batch) -> tuple[Tensor, float]:
        logits = self.letters(features).view(-1, LETTERS_A_CELL, len(LETTERS) + 1).float()
        losses = F.cross_entropy(logits.flatten(0, 1), batch.letters.flatten(), reduction="none")
        inked = batch.letters[:, 0] > 0
        weights = torch.where(inked, 1.0, BLANK_WEIGHT)
        right = (logits.argmax(-1) == batch.letters).all(1)[inked].float().mean()
        return (losses.view(-1, LETTERS_A_CELL).sum(1) * weights).sum() / weights.sum(), float(right)

    def _pointer_loss(self, batch: Batch) -> tuple[Tensor, float]:
        """Cross-entropy of the chosen heads' attention over image cells."""
        cells = torch.tensor(batch.cells)
        widest = int(cells.max())
        beyond = torch.arange(widest) >= cells[:, None]  # (rows, cells)
        losses, found, count = [], 0, 0
        for layer, head, target in POINTERS:
            queries, keys, scaling = self._head(layer, head)
            known = batch.places[target] != UNKNOWN
            places = batch.places[target][known]
            scores = queries @ keys[:, batch.first_cell : batch.first_cell + widest].transpose(1, 2)
            scores = (scores[known].float() * scaling).masked_fill(beyond[known.nonzero()[:, 0]], float("-inf"))
            losses.append(F.cross_entropy(scores, places, reduction="sum"))
            found += int((scores.argmax(-1) == places).sum())
            count += len(places)
        self._seen.clear()
        return torch.stack(losses).sum() / count, found / count

    def _head(self, layer: int, head: int) -> tuple[Tensor, Tensor, float]:
        hidden, (cos, sin) = self._seen[layer]
        attention = self.model.model.language_model.layers[layer].self_attn
        dim, group = attention.head_dim, head // attention.num_key_value_groups
        query = F.linear(hidden, attention.q_proj.weight[head * dim : (head + 1) * dim])
        key = F.linear(hidden, attention.k_proj.weight[group * dim : (group + 1) * dim])
        query, key = attention.q_norm(query).unsqueeze(1), attention.k_norm(key).unsqueeze(1)
        query, key = apply_rotary_pos_emb(query, key, cos, sin)
        return query[:, 0], key[:, 0], attention.scaling


def take_weights(reader: Reader, folder: Path, tokens: Tokens) -> int:
    """Start from another model of this shape. Embeddings go by what a token spells, so its tokenizer may differ."""
    weights = {name.removeprefix("model."): x.float() for name, x in load_file(folder / "model.safetensors").items()}
    old = Tokenizer.from_file(str(folder / "tokenizer.json"))
    table = "language_model.embed_tokens.weight"
    weights[table] = _respelt(weights[table], old, tokens.tokenizer)
    weights.pop("lm_head.weight", None)  # tied
    missing, unexpected = reader.model.model.load_state_dict(weights, strict=False)
    if missing or unexpected:
        raise ValueError(f"{folder} holds another model: missing {missing[:3]}, unexpected {unexpected[:3]}")
    return len(weights)


def _respelt(table: Tensor, old: Tokenizer, new: Tokenizer) -> Tensor:
    known = old.get_vocab()
    rows = []
    for number in range(new.get_vocab_size()):
        name = new.id_to_token(number)
        pieces = [known[name]] if name in known else old.encode(new.decode([number])).ids
        rows.append(table[pieces].mean(0) if pieces else table.mean(0))
    return torch.stack(rows)
