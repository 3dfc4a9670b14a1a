"""Teaches nano a head of the kinds that published targets carry, and measures what it saves beside OCR's drafts.

    python scripts/training/nano/head.py teach mtp docparse_fast/data/nano HEAD --core-seconds 240
    python scripts/training/nano/head.py measure HEAD PAGES --count 12 --misread 0.1

A head learns nano's choices over true texts of made pages, at the places that it will draft from: a layer of
multi-token prediction three tokens deep, a block drafter (DFlash) from beginnings drawn at random. One process
with one thread. PAGES are drawn by `samples.py`. Passes are counted at costs assumed for a GPU, and all answers of a
page must be alike.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone names it
from held_out import Examined
from pages import Sample, press
from reader import POINTERS, UNKNOWN, lesson
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import Qwen3Config

from docparse_fast.bench.datasets import load
from docparse_fast.bench.replay.stored import GPU_LIKE
from docparse_fast.bench.reproduction.subjects import subjects
from docparse_fast.bench.spoiling import misread
from docparse_fast.drafted import DraftedPage
from docparse_fast.drafting import open_drafter
from docparse_fast.options import DraftOptions, SpeculationOptions
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.drafting import DraftingCosts, DraftingModel
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.targets import open_target
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.taps import TappedRow, Taps
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.heads.dflash import DFlashLayers, _rotated
from docparse_fast.targets.heads.entries import Entries
from docparse_fast.targets.heads.head import Shared
from docparse_fast.targets.heads.mtp import MtpLayer
from docparse_fast.targets.loading.heads import mtp_head, open_head
from docparse_fast.timing import Timer
from docparse_fast.verification.page import verify_page

SEED = 50_000_017
TAPPED = (0, 2, 4)  # layers that a block drafter reads
BLOCK, BLOCKS = 6, 64  # tokens of a block; blocks of a lesson
BLOCK_LAYERS = (1, 2, 3)  # of nano, as which a block drafter's begin: those that find where on the page to read
DEEP = 3  # tokens of multi-token prediction, each from the thought before
FADES = 0.8  # the weight of each further token
POINTING = 0.3  # the weight of where a block drafter looks, as for nano itself
RATE, WARM = 2e-3, 40  # learning rate, lessons until it is reached
LOOKING = 2  # nano's layers from this one on look for what comes next: a head begins as they are
KINDS = ("mtp", "dflash")


@dataclass(frozen=True, slots=True)
class Read:
    """A true text as nano read it."""

    row: TappedRow
    states: Tensor  # (tokens, size)
    ids: list[int]
    first: int  # the answer's place
    choices: Tensor  # (tokens,) nano's, after each token; only those from the answer on count
    image: slice  # the cells' places
    cells: Tensor  # (kinds, answer): as in `reader.Lesson`, where each token stands on the page


@torch.no_grad()
def read(examined: Examined, sample: Sample, taps: Taps) -> Read:
    shown = lesson(sample, examined.tokens)
    answer, before = shown.answer, len(examined.tokens.before)
    inputs = examined.inputs(sample, answer)
    examined.model.model.rope_deltas = None
    with taps.on_prompt(examined.model.model.language_model) as tapped:
        logits = examined.model(**inputs).logits[0]
    ids = inputs["input_ids"][0].tolist()
    row = tapped[0].row(0, len(ids), 0)
    image = slice(before, before + shown.cells)
    first, cells = len(ids) - len(answer), torch.from_numpy(shown.places)
    return Read(row, row.take(), ids, first, logits.argmax(-1), image, cells)


# ---------------------------------------------------------------------------------------- multi-token prediction


class MtpCourse:
    taps = Taps()

    def __init__(self, examined: Examined) -> None:
        self.shared = Shared.of(examined.model)
        self.module = MtpLayer(self.shared.text)
        self.module.block.load_state_dict(self.shared.text.layers[LOOKING].state_dict())
        size = self.module.joint.in_features // 2
        with torch.no_grad():
            self.module.joint.weight.copy_(torch.cat([0.3 * torch.eye(size), torch.eye(size)], 1))

    def loss(self, lesson: Read, chance: random.Random) -> tuple[Tensor, list[float]]:
        states, embeds, before = lesson.states[:-1], lesson.row.embeds, len(lesson.ids) - 1
        entries, places = Entries(), self.shared.text.rotary_emb(states[None], lesson.row.placed(0, before))
        total, right = states.new_zeros(()), []
        for depth in range(DEEP):
            joined = torch.cat([self.module.embed_norm(embeds[1:]), self.module.state_norm(states)], -1)
            thoughts = self.module.block(
                self.module.joint(joined)[None],
                position_embeddings=places,
                attention_mask=_seen(before, depth),
                **{CACHE: entries},
            )[0]
            entries.length += before
            normed = self.module.norm(thoughts)
            said = self.shared.last(normed[lesson.first - 1 :])
            wanted = lesson.choices[lesson.first :]
            said, wanted = said[:-1], wanted[:-1]  # nothing follows an end
            if depth:  # behind a thought there was none
                said, wanted = said[depth:], wanted[depth:]
            total = total + FADES**depth * F.cross_entropy(said, wanted)
            right.append(float((said.argmax(-1) == wanted).float().mean()))
            states = torch.cat([normed[:1], normed[:-1]])
        return total, right

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        save_file(self.module.state_dict(), folder / "mtp.safetensors")


def _seen(tokens: int, depth: int) -> Tensor:
    """A token at its depth sees what was read before its chain begins, and its own chain: at each depth one place."""
    read = torch.ones(tokens, tokens, dtype=torch.bool).tril(-depth)
    chain = [torch.diag(torch.ones(tokens - back), -back).bool() for back in range(depth - 1, -1, -1)]
    return torch.cat([read, *chain], 1)[None, None]


# ------------------------------------------------------------------------------------------------ block drafting


class DFlashCourse:
    taps = Taps(TAPPED)

    def __init__(self, examined: Examined) -> None:
        self.shared = Shared.of(examined.model)
        text = examined.model.config.text_config
        self.config = {
            **{name: getattr(text, name) for name in (
                "hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads", "head_dim",
                "vocab_size", "rms_norm_eps",
            )},
            "num_hidden_layers": len(BLOCK_LAYERS), "rope_theta": 10000.0, "block_size": BLOCK, "model_type": "qwen3",
            "dflash_config": {"mask_token_id": text.pad_token_id, "target_layer_ids": list(TAPPED)},
        }  # fmt: skip
        config = Qwen3Config(**self.config)
        self.module = DFlashLayers(config)
        for layer, own in zip(self.module.layers, BLOCK_LAYERS, strict=True):
            layer.load_state_dict(self.shared.text.layers[own].state_dict())
        self.module.hidden_norm.load_state_dict(self.shared.text.layers[BLOCK_LAYERS[0]].input_layernorm.state_dict())
        with torch.no_grad():
            size = self.module.fc.out_features
            self.module.fc.weight.copy_(torch.cat([torch.eye(size) / len(TAPPED)] * len(TAPPED), 1))
        from transformers.models.qwen3.modeling_qwen3 import Qwen3RotaryEmbedding

        self.rotary = Qwen3RotaryEmbedding(config)

    def loss(self, lesson: Read, chance: random.Random) -> tuple[Tensor, list[float]]:
        module, count = self.module, len(lesson.ids)
        starts = sorted(chance.randrange(lesson.first, count) for _ in range(BLOCKS))
        mask = self.config["dflash_config"]["mask_token_id"]
        ids = [[lesson.ids[start], *[mask] * (BLOCK - 1)] for start in starts]
        blocks = self.shared.embed(torch.tensor(ids)).flatten(0, 1)[None]
        context = module.hidden_norm(module.fc(lesson.states))[None]
        places = torch.tensor([*range(count), *(start + at for start in starts for at in range(BLOCK))])[None]
        rotation = self.rotary(blocks, places)
        seen = _seen_by_blocks(count, starts)
        pointed = []
        for layer, own in zip(module.layers, BLOCK_LAYERS, strict=True):
            attended, scores = _attended(layer.self_attn, context, layer.input_layernorm(blocks), rotation, seen)
            blocks = blocks + attended
            blocks = blocks + layer.mlp(layer.post_attention_layernorm(blocks))
            pointed += [_pointed(scores[head], lesson, kind, starts) for at, head, kind in POINTERS if at == own]
        said = self.shared.last(module.norm(blocks))[0].view(len(starts), BLOCK, -1)[:, 1:]
        wanted = torch.tensor([
            [int(lesson.choices[start + at]) if start + at < count - 1 else -100 for at in range(BLOCK - 1)]
            for start in starts
        ])  # fmt: skip
        each = F.cross_entropy(said.flatten(0, 1), wanted.flatten(), ignore_index=-100, reduction="none")
        weights = FADES ** torch.arange(BLOCK - 1)
        right = ((said.argmax(-1) == wanted) & (wanted >= 0)).float().sum(0) / (wanted >= 0).float().sum(0).clamp(min=1)
        return (each.view_as(wanted) * weights).mean() + POINTING * torch.stack(pointed).mean(), right.tolist()

    def save(self, folder: Path) -> None:
        (folder / "dflash").mkdir(parents=True, exist_ok=True)
        (folder / "dflash" / "config.json").write_text(json.dumps(self.config))
        save_file(self.module.state_dict(), folder / "dflash" / "model.safetensors")


def _seen_by_blocks(count: int, starts: list[int]) -> Tensor:
    number = torch.arange(len(starts)).repeat_interleave(BLOCK)
    before = torch.arange(count)[None] < torch.tensor(starts)[number][:, None]
    return torch.cat([before, number[:, None] == number[None]], 1)[None, None]


def _attended(
    attention: Any, context: Tensor, blocks: Tensor, rotation: tuple[Tensor, Tensor], seen: Tensor
) -> tuple[Tensor, Tensor]:
    """What it gives, and each head's scores of the context: (heads, tokens of all blocks, tokens)."""
    both = torch.cat([context, blocks], 1)
    keys = _rotated(attention.k_norm(attention._apart(attention.k_proj(both))), rotation)
    own = tuple(part[:, context.shape[1] :] for part in rotation)
    queries = _rotated(attention.q_norm(attention._apart(attention.q_proj(blocks))), own)
    values = attention._apart(attention.v_proj(both))
    queries, keys, values = (part.transpose(1, 2) for part in (queries, keys, values))
    out = F.scaled_dot_product_attention(queries, keys, values, attn_mask=seen, enable_gqa=True)
    groups = queries.shape[1] // keys.shape[1]
    known = keys[0, :, : context.shape[1]].repeat_interleave(groups, 0).transpose(1, 2)
    return attention.o_proj(out.transpose(1, 2).flatten(2)), queries[0] @ known / attention.size**0.5


def _pointed(scores: Tensor, lesson: Read, kind: int, starts: list[int]) -> Tensor:
    """How far a head is from looking where the page has the token that is drafted there."""
    answer = lesson.cells.shape[1]
    places = [
        int(lesson.cells[kind, number]) if (number := start + at + 1 - lesson.first) < answer else UNKNOWN
        for start in starts
        for at in range(BLOCK)
    ]
    return F.cross_entropy(scores[:, lesson.image], torch.tensor(places), ignore_index=UNKNOWN)


# ------------------------------------------------------------------------------------------------------ teaching


def lessons(examined: Examined, taps: Taps, seconds: float) -> list[Read]:
    """As many as there is time for: pages, and four crops of each other one."""
    maker, found, start = press(SEED), [], time.process_time()
    while time.process_time() - start < seconds:
        samples = [maker.page()] if len(found) % 5 else maker.regions()
        found += [read(examined, sample, taps) for sample in samples]
    return found


def teach(kind: str, nano: Path, out: Path, core_seconds: float) -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    examined, chance = Examined(nano), random.Random(SEED)
    examined.model.requires_grad_(False)
    course = (MtpCourse if kind == "mtp" else DFlashCourse)(examined)
    seen = lessons(examined, course.taps, core_seconds / 3)
    held, learnt = seen[:8], seen[8:]
    print(f"{len(learnt)} lessons, {sum(len(one.choices) - one.first for one in learnt)} tokens of answers", flush=True)
    optimisers = _optimisers(course.module)
    start, spent, done = time.process_time(), 0.0, 0
    while spent < core_seconds * 2 / 3:
        left = 1 - spent / (core_seconds * 2 / 3)
        loss, _ = course.loss(chance.choice(learnt), chance)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(course.module.parameters(), 1.0)
        for optimiser in optimisers:
            for group in optimiser.param_groups:
                group["lr"] = RATE * min(1.0, (done + 1) / WARM) * left
            optimiser.step()
            optimiser.zero_grad()
        done, spent = done + 1, time.process_time() - start
        if done % 200 == 0:
            print(f"{spent:.0f} s, {done} lessons: {_examined(course.loss, held)}", flush=True)
    course.save(out)
    print(f"{done} lessons: {_examined(course.loss, held)}; in {out}")


def _optimisers(module: torch.nn.Module) -> list[torch.optim.Optimizer]:
    matrices = [weight for weight in module.parameters() if weight.dim() == 2]
    others = [weight for weight in module.parameters() if weight.dim() != 2]
    return [
        torch.optim.Muon(matrices, lr=0.0, weight_decay=0.01, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, lr=0.0, betas=(0.9, 0.98), weight_decay=0.0),
    ]


@torch.no_grad()
def _examined(loss: Callable[[Read, random.Random], tuple[Tensor, list[float]]], held: list[Read]) -> str:
    rights = [loss(one, random.Random(1))[1] for one in held]
    shares = [sum(column) / len(held) for column in zip(*rights, strict=True)]
    return "right of held-out lessons, by depth: " + ", ".join(f"{share:.3f}" for share in shares)


# ----------------------------------------------------------------------------------------------------- measuring


class Measured:
    """`token`: what a pass of the head costs; None: as much of a plain pass as its weights are of nano's few layers."""

    def __init__(self, head: Path, token: float | None) -> None:
        self._token = token
        self.target: Any = open_target("nano", device="cpu", dtype="float32")
        network, eos = self.target.decoder.network, self.target.decoder.eos
        if (head / "mtp.safetensors").is_file():
            self.head: Any = mtp_head(network, load_file(head / "mtp.safetensors"), goes_on_normed=True)
        else:
            self.head = open_head(head, network)
        self.target.decoder = VisionLanguageTarget(network, slots=1, eos=eos, costs=GPU_LIKE, taps=self.head.taps)

    def run(self, way: str, job: DraftedPage) -> Decoded:
        self.target.head = self if "head" in way else None
        if "OCR" in way:
            decoded = verify_page(job, {}, self.target, SpeculationOptions(tau=1.0), Timer()).decoded
        else:
            view = self.target.page_view(job.image)
            row = Row(view, drafting=self.target.page_drafting(job.image, view))
            decoded = next(iter(spec_decode(self.target.decoder, [row], Speculation(1.0))))
        if decoded.model and decoded.model.failure:
            raise RuntimeError(decoded.model.failure)
        return decoded

    def drafts(self, decoder: VisionLanguageTarget, view: View) -> DraftingModel:
        drafts: Any = self.head.drafts(decoder, view)
        if self._token is not None:
            drafts.__dict__["costs"] = self._costs(len(view.ids))
        return drafts

    def _costs(self, prompt: int) -> DraftingCosts:
        costs: DraftingCosts = self.head.share.costs(GPU_LIKE, prompt, getattr(self.head, "block", 1))
        if self._token is None:
            return costs
        part = self._token / costs.token
        return replace(costs, reading=costs.reading * part, token=self._token, further=costs.further * part)

    def cost(self, decoded: Decoded, prompt: int) -> float:
        passes = sum(GPU_LIKE.cost(1, step.nodes) for step in decoded.steps)
        if not decoded.model or not decoded.model.passes:
            return passes
        costs = self._costs(prompt)
        return passes + costs.reading + decoded.model.passes * costs.token


def measure(head: Path, pages: Path, count: int, spoilt: float, token: float | None) -> Iterator[str]:
    torch.set_num_threads(1)
    measured, drafter = Measured(head, token), open_drafter(DraftOptions("embedded", ocr="always"))
    ways = ("plain", "OCR", "head", "OCR+head")
    sums = {way: [0, 0, 0.0] for way in ways}
    tokens = alike = 0
    for subject in list(subjects(load(pages)))[:count]:
        draft = misread(drafter.draft(subject.page), spoilt)
        job = DraftedPage(draft.number, draft, picture=subject.page.image)
        found = {way: measured.run(way, job) for way in ways}
        prompt = len(measured.target.page_view(job.image).ids)
        tokens += len(found["plain"].tokens) - 1
        alike += len({one.tokens for one in found.values()}) == 1
        for way, one in found.items():
            figures = len(one.steps), one.model.passes if one.model else 0, measured.cost(one, prompt)
            sums[way] = [before + figure for before, figure in zip(sums[way], figures, strict=True)]
    yield f"{tokens} tokens of {count} pages, {spoilt:.0%} of letters spoilt; answers alike: {alike} of {count}"
    for way, (steps, passes, cost) in sums.items():
        yield (
            f"{way}: {steps} passes, {tokens / steps:.2f} tokens each; {passes} of the head; "
            f"{tokens / cost:.2f} tokens for each plain pass's cost"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    does = parser.add_subparsers(dest="does", required=True)
    teaching = does.add_parser("teach")
    teaching.add_argument("kind", choices=KINDS)
    teaching.add_argument("nano", type=Path)
    teaching.add_argument("out", type=Path)
    teaching.add_argument("--core-seconds", type=float, default=240.0)
    measuring = does.add_parser("measure")
    measuring.add_argument("head", type=Path)
    measuring.add_argument("pages", type=Path)
    measuring.add_argument("--count", type=int, default=12)
    measuring.add_argument("--misread", type=float, default=0.0, help="share of the drafts' letters that are spoilt")
    measuring.add_argument("--token", type=float, help="plain passes that a pass of the head costs")
    arguments = parser.parse_args()
    if arguments.does == "teach":
        teach(arguments.kind, arguments.nano, arguments.out, arguments.core_seconds)
    else:
        how = arguments.count, arguments.misread, arguments.token
        print(*measure(arguments.head, arguments.pages, *how), sep="\n")


if __name__ == "__main__":
    main()
