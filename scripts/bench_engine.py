"""The engine alone, on a random model of real shape: what drafts of any quality make of decoding's speed.

No weights are needed and no page: the answer is planted (see `planted_model`), drafts are corrupted to order until they
give the tokens per step asked for, and every way of decoding must write the same tokens. Prefill is left out of all
figures. Seconds are the process's own CPU seconds on a CPU (other work on the machine does not count) and wall seconds
on a GPU; runs are interleaved and medians taken. The last line of output is the summary as one line of JSON.

    python scripts/bench_engine.py --json engine.json
    python scripts/bench_engine.py --device cuda --shape qwen3-vl-2b --dtypes bf16 --json engine-gpu.json
"""

from __future__ import annotations

import argparse
import copy
import json
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers.generation.candidate_generator import CandidateGenerator

from docparse_fast.speculative.alignment import Alignment, TokenDraft
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.fakes import ScriptedTarget
from docparse_fast.speculative.metrics import tokens_per_step
from docparse_fast.speculative.writing import Decoded, Row
from docparse_fast.targets.machine import device_name
from docparse_fast.targets.vlm import View, VisionLanguageTarget
from docparse_fast.timing import Timer

SHAPES = {  # the text models' own sizes
    "100m": {"hidden_size": 768, "intermediate_size": 2048, "num_hidden_layers": 12, "num_attention_heads": 12,
             "num_key_value_heads": 4, "head_dim": 64, "vocab_size": 32000},
    "qwen3-vl-2b": {"hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 28, "num_attention_heads": 16,
                    "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936},
    "dots.ocr": {"hidden_size": 1536, "intermediate_size": 8960, "num_hidden_layers": 28, "num_attention_heads": 12,
                 "num_key_value_heads": 2, "head_dim": 128, "vocab_size": 151936},
}  # fmt: skip
DTYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}
SEED = 20260
REGION = (24, 80)  # tokens of a region's draft
DECOYS = 0.5  # drafts of nothing on the page, for each region
LEVELS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)  # tokens per step asked for
ROWS_LEVELS = (1, 3, 6, 10)  # ... with many rows at once
CHAIN = 10  # tokens of a chain, as prompt lookup's documentation has it
EXACT = Speculation(tau=1.0)
NO_END = frozenset({0})  # an id that no answer has


# ------------------------------------------------------------------------------------------ model and drafts


def planted_model(shape: str, device: str, dtype: torch.dtype) -> Any:
    """Random weights whose greedy answer walks along one great cycle through the whole vocabulary.

    The head's row for a token's successor is the token's own embedding, which the residual stream still carries at the
    end. So the answer never repeats itself, and its margins are so wide that rounding to bf16 changes nothing: every
    way of decoding writes the same tokens, at the full cost of the real shape.
    """
    torch.manual_seed(SEED)
    text = {
        **SHAPES[shape], "max_position_embeddings": 32768, "pad_token_id": 0, "eos_token_id": None,
        "bos_token_id": None,
    }  # fmt: skip
    half = text["head_dim"] // 2
    sections = [half - 2 * (half // 3), half // 3, half // 3]
    text["rope_parameters"] = {
        "rope_type": "default", "rope_theta": 5e6, "mrope_section": sections, "mrope_interleaved": True,
    }  # fmt: skip
    vision = {
        "depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2, "num_position_embeddings": 16,
        "out_hidden_size": text["hidden_size"], "deepstack_visual_indexes": [0],
    }  # fmt: skip
    config = transformers.Qwen3VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=False)
    with torch.device(device):
        model = transformers.Qwen3VLForConditionalGeneration(config).eval()
        with torch.no_grad():
            embedding = model.get_input_embeddings().weight.normal_()
            cycle = torch.randperm(text["vocab_size"])
            model.lm_head.weight[cycle.roll(-1)] = embedding[cycle]
    model.generation_config.eos_token_id = None
    model.generation_config.pad_token_id = 0
    return model.to(dtype)


@dataclass(frozen=True)
class Sheet:
    """A page's regions as the answer cuts it, with decoys among them, to be corrupted at any rate."""

    answer: Sequence[int]
    seed: int
    vocabulary: int

    def drafts(self, rate: float) -> list[TokenDraft]:
        """Each token substituted, dropped or doubled up with chance `rate`; the same cuts and decoys at any rate."""
        cuts, noise = random.Random(self.seed), random.Random(self.seed + 1)
        drafts: list[list[int]] = []
        start = 0
        while start < len(self.answer):
            if cuts.random() < DECOYS:
                drafts.append([self._token(cuts) for _ in range(cuts.randint(*REGION))])
            length = cuts.randint(*REGION)
            drafts.append(
                [out for token in self.answer[start : start + length] for out in self._read(token, rate, noise)]
            )
            start += length
        return [TokenDraft(tokens, region) for region, tokens in enumerate(drafts)]

    def _read(self, token: int, rate: float, noise: random.Random) -> list[int]:
        if noise.random() >= rate:
            return [token]
        kind = noise.choice(("substitution", "substitution", "insertion", "deletion"))
        return {"substitution": [self._token(noise)], "insertion": [self._token(noise), token], "deletion": []}[kind]

    def _token(self, source: random.Random) -> int:
        return source.randrange(8, self.vocabulary)


def rate_for(sheet: Sheet, wanted: float, costs: CostTable) -> float:
    """The corruption that gives so many tokens a step; found without the model, which the answer stands in for."""
    if wanted <= 1:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(12):
        rate = (low + high) / 2
        target = ScriptedTarget({"page": sheet.answer}, eos=NO_END, costs=costs)
        row = Row("page", drafts=sheet.drafts(rate), max_tokens=len(sheet.answer))
        reached = tokens_per_step(list(spec_decode(target, [row], EXACT)))
        low, high = (rate, high) if reached > wanted else (low, rate)
    return (low + high) / 2


# --------------------------------------------------------------------------------------------- ways to decode


@dataclass
class Run:
    """One way's seconds for a whole answer, and what it wrote."""

    seconds: float
    answers: list[list[int]]
    steps: int = 0
    tokens_per_step: float = 1.0
    host_seconds: float = 0.0  # a step


class DraftChain(CandidateGenerator):
    """Our drafts through transformers' own assisted decoding: the likeliest candidate, as a chain of fixed length."""

    requires_model_outputs = False

    def __init__(self, drafts: Sequence[TokenDraft], prompt: int) -> None:
        self._alignment = Alignment(drafts)
        self._prompt = prompt
        self._candidates: list[Any] = []

    def get_candidates(self, input_ids: torch.Tensor, **_: object) -> tuple[torch.Tensor, None]:
        fresh = input_ids[0, self._prompt + len(self._alignment.written) :].tolist()
        self._alignment.follow(self._candidates, fresh)
        self._candidates = self._alignment.candidates(CHAIN)
        chain = list(self._candidates[0].tokens[:CHAIN]) if self._candidates else []
        return torch.cat([input_ids, torch.tensor([chain], dtype=torch.long, device=input_ids.device)], dim=1), None

    def update_candidate_strategy(self, input_ids: torch.Tensor, scores: torch.Tensor, num_matches: int) -> None:
        """The next call sees what was accepted by itself."""


class Stopwatch:
    """When the device works, for the model and for the choice from its logits; the rest of a step is the host's."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.stretches: list[tuple[float, float]] = []

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*inputs: Any) -> Any:
            start = self._clock()
            result = call(*inputs)
            self.stretches.append((start, self._clock()))
            return result

        return timed

    def host_seconds(self, steps: int) -> float:
        """A step's, the median of all: from a choice to the next model, and from there to its choice."""
        last = self.stretches[-2 * steps - 1 :]  # the last choice of the prefills, then model and choice in turn
        waits = [start - stop for (_, stop), (start, _) in pairwise(last)]
        return statistics.median(a + b for a, b in zip(waits[::2], waits[1::2], strict=True))


class Bench:
    """One model in one dtype, decoded every way. transformers keeps its own attention, we ours, over equal weights."""

    def __init__(self, shape: str, device: str, dtype: str, prefix: int, tokens: int, rows: int) -> None:
        self.device, self.tokens = device, tokens
        self.clock: Callable[[], float] = time.process_time if device == "cpu" else self._device_clock
        self.theirs = planted_model(shape, device, DTYPES[dtype])
        self.vocabulary = self.theirs.config.text_config.vocab_size
        self.target = VisionLanguageTarget(
            copy.deepcopy(self.theirs), slots=rows, eos=NO_END, costs_folder=Path(tempfile.mkdtemp())
        )
        self.on_device = Stopwatch(self.clock)
        passes: Any = self.target._passes
        passes._run_model = self.on_device.around(passes._run_model)
        self.target._choose = self.on_device.around(self.target._choose)
        generator = torch.Generator().manual_seed(SEED)
        self.prompts = torch.randint(8, self.vocabulary, (rows, prefix), generator=generator).to(device)
        self._prefilled = {count: self._prefill(self.prompts[:count]) for count in {1, rows}}

    def _device_clock(self) -> float:
        torch.cuda.synchronize()
        return time.perf_counter()

    @torch.no_grad()
    def _prefill(self, prompts: torch.Tensor) -> Any:
        """All but the last token: generate() goes on from there, and so its prefill costs one token."""
        cache = transformers.DynamicCache(config=self.theirs.config.get_text_config())
        self.theirs(prompts[:, :-1], past_key_values=cache, use_cache=True, logits_to_keep=1)
        return cache

    def theirs_with(self, rows: int, **options: Any) -> Run:
        """transformers' generate(), as it is or with its own lookup."""
        prompts, cache = self.prompts[:rows], copy.deepcopy(self._prefilled[rows])
        passes = 0

        def count(*_: object) -> None:
            nonlocal passes
            passes += 1

        hook = self.theirs.model.language_model.register_forward_pre_hook(count)
        start = self.clock()
        written = self.theirs.generate(
            prompts, attention_mask=torch.ones_like(prompts), past_key_values=cache, max_new_tokens=self.tokens,
            do_sample=False, **options,
        )  # fmt: skip
        seconds = self.clock() - start
        hook.remove()
        return Run(seconds, written[:, prompts.shape[1] :].tolist(), passes, self.tokens / passes)

    def chain(self, drafts: Sequence[TokenDraft]) -> Run:
        chain = DraftChain(drafts, self.prompts.shape[1])
        self.theirs._get_candidate_generator = lambda **_: chain
        try:
            return self.theirs_with(1, prompt_lookup_num_tokens=CHAIN)
        finally:
            del self.theirs._get_candidate_generator

    def ours(self, drafts: Sequence[Sequence[TokenDraft]]) -> Run:
        """Our loop: a row for each of the drafts' lists. Plain decoding is the same with empty ones."""
        rows = [
            Row(View({"input_ids": self.prompts[index : index + 1]}), list(given), max_tokens=self.tokens, name=index)
            for index, given in enumerate(drafts)
        ]
        timer = Timer(clock=self.clock)
        self.on_device.stretches.clear()
        decoded: list[Decoded] = sorted(spec_decode(self.target, rows, EXACT, timer), key=lambda one: one.row.name)
        seconds = timer.seconds["decode"]
        steps = max(len(one.steps) for one in decoded)
        host = self.on_device.host_seconds(steps)
        return Run(seconds, [list(one.tokens) for one in decoded], steps, tokens_per_step(decoded), host)


# ------------------------------------------------------------------------------------------------- measuring


def measure(
    bench: Bench, levels: Sequence[int], repeats: int, rows: int
) -> tuple[dict[str, list[Run]], dict[str, float]]:
    """Every way in turn, over and over; plain decoding more often, as everything is held against it."""
    none: list[TokenDraft] = []
    answers = bench.ours([none] * rows).answers  # also the warm-up
    sheets = [Sheet(answer, SEED + 10 * row, bench.vocabulary) for row, answer in enumerate(answers)]
    rates = {level: rate_for(sheets[0], level, bench.target.costs) for level in levels}
    ways: dict[str, Callable[[], Run]] = {}
    for level in levels:
        drafts = sheets[0].drafts(rates[level])
        ways[f"speculative@{level}"] = lambda drafts=drafts: bench.ours([drafts])
        ways[f"chain@{level}"] = lambda drafts=drafts: bench.chain(drafts)
        if level % 3 == 1:
            ways[f"plain~{level}"] = lambda: bench.ours([none])
    ways["generate"] = lambda: bench.theirs_with(1)
    ways["prompt lookup"] = lambda: bench.theirs_with(1, prompt_lookup_num_tokens=CHAIN)
    runs: dict[str, list[Run]] = {}
    for way in [way for _ in range(repeats) for way in ways]:
        runs.setdefault(way.partition("~")[0], []).append(ways[way]())
    if rows > 1:
        ways = {f"generate, {rows} rows": lambda: bench.theirs_with(rows)}
        ways[f"plain, {rows} rows"] = lambda: bench.ours([none] * rows)
        for level in set(ROWS_LEVELS).intersection(levels):
            many = [sheet.drafts(rates[level]) for sheet in sheets]
            ways[f"speculative, {rows} rows@{level}"] = lambda many=many: bench.ours(many)
        for way in list(ways) * max(1, repeats - 1):
            runs.setdefault(way, []).append(ways[way]())
    for way, results in runs.items():
        if any(run.answers != answers[: len(run.answers)] for run in results):
            print(f"  {way} wrote something else")
    return runs, {str(level): rate for level, rate in rates.items()}


def median(runs: Sequence[Run]) -> float:
    return statistics.median(run.seconds for run in runs)


def lines_of(runs: dict[str, list[Run]], rows: int) -> list[dict[str, Any]]:
    """A line a way: speed, speed-up over plain decoding of as many rows, and what part of the steps saved it is."""
    lines = []
    for way, results in runs.items():
        base, _, level = way.partition("@")
        many = rows if "rows" in base else 1
        plain = median(runs[f"plain, {rows} rows" if many > 1 else "plain"])
        seconds, one = median(results), results[0]
        host = statistics.median(run.host_seconds for run in results)
        speedup = plain / seconds
        lines.append({
            "way": base, "level": int(level) if level else None, "rows": many, "runs": len(results),
            "seconds": seconds, "tokens_per_second": many * len(one.answers[0]) / seconds,
            "tokens_per_step": one.tokens_per_step, "vs_plain": speedup, "efficiency": speedup / one.tokens_per_step,
            "host_us_per_step": 1e6 * host or None,
            "spread": max(run.seconds for run in results) / min(run.seconds for run in results),
        })  # fmt: skip
    return lines


def summary_of(lines: Sequence[dict[str, Any]]) -> dict[str, float | None]:
    by = {(line["way"], line["level"]): line for line in lines}
    at_six, plain = by["speculative", 6], by["plain", None]
    many = [line["vs_plain"] for line in lines if line["way"].startswith("speculative,")]
    return {
        "worst_vs_plain": min(line["vs_plain"] for line in lines if line["way"] == "speculative"),
        "worst_vs_plain_many_rows": min(many, default=None),
        "speedup_at_6_tokens": at_six["vs_plain"],
        "efficiency_at_6_tokens": at_six["efficiency"],
        "host_us_per_step": at_six["host_us_per_step"],
        "plain_vs_hf_generate": by["generate", None]["seconds"] / plain["seconds"],
        "speedup_vs_chain": by["chain", 6]["seconds"] / at_six["seconds"],
    }


def table_of(lines: Sequence[dict[str, Any]]) -> str:
    head = f"  {'':28}{'tokens/s':>9}{'a step':>8}{'vs plain':>10}{'efficiency':>12}{'host us':>9}{'spread':>8}"
    rows = [head]
    for line in sorted(lines, key=lambda line: (line["rows"], line["way"], line["level"] or 0)):
        name = line["way"] + (f" at {line['level']}" if line["level"] else "")
        host = f"{line['host_us_per_step']:.0f}" if line["host_us_per_step"] else "-"
        rows.append(
            f"  {name:28}{line['tokens_per_second']:9.1f}{line['tokens_per_step']:8.2f}{line['vs_plain']:9.2f}x"
            f"{line['efficiency']:12.2f}{host:>9}{line['spread']:8.2f}"
        )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=SHAPES, default="100m")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES, default=["bf16", "fp32"])
    parser.add_argument("--prefix", type=int, default=1500)
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--rows", type=int, default=8, help="at once, beside one row")
    parser.add_argument(
        "--levels", nargs="+", type=int, default=LEVELS, help="tokens per step to corrupt the drafts for"
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    transformers.logging.set_verbosity_error()
    report: dict[str, Any] = {
        "shape": options.shape, "device": device_name(torch.device(options.device)), "prefix": options.prefix,
        "tokens": options.tokens, "repeats": options.repeats, "torch": torch.__version__,
        "transformers": transformers.__version__, "python": platform.python_version(), "dtypes": {},
    }  # fmt: skip
    for dtype in options.dtypes:
        bench = Bench(options.shape, options.device, dtype, options.prefix, options.tokens, options.rows)
        runs, rates = measure(bench, sorted({6, *options.levels}), options.repeats, options.rows)
        lines = lines_of(runs, options.rows)
        report["dtypes"][dtype] = {
            "costs": asdict(bench.target.costs), "corruption": rates, "lines": lines, "summary": summary_of(lines),
        }  # fmt: skip
        print(f"{options.shape}, {dtype}, {report['device']}: prefix {options.prefix}, {options.tokens} new tokens")
        print(table_of(lines), flush=True)
    report["summary"] = report["dtypes"][options.dtypes[0]]["summary"]
    if options.json:
        part = options.json.with_suffix(".part")
        part.write_text(json.dumps(report, indent=1), encoding="utf-8")
        part.replace(options.json)
    print(json.dumps(report["summary"]))


if __name__ == "__main__":
    main()
