"""The parts of `gpu_day.py`. Each returns what it found; it raises NotHereError if it can't be tried, or WrongError."""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gpu_day_hybrids import hybrids as hybrids
from gpu_day_outcomes import NotHereError, WrongError

ROOT = Path(__file__).resolve().parents[1]
PAPERS = (("dots.ocr", "table7"), ("hunyuan-ocr", "table2"), ("qwen3-vl-2b", "table1"), ("qwen3-vl-8b", "table1"))
ROWS_OF_THE_PAPER = 2
PREFIX = 1500
SPARE = 30.0  # seconds of a part's time that are left for loading and writing
HOG_LEAVES = 64 << 20  # bytes of a full GPU
LARGE = 4096  # places of a long row


def trial(asked: argparse.Namespace) -> dict[str, Any]:
    import torch
    import transformers

    from docparse_fast.targets.decoder.device_trial import try_device
    from docparse_fast.targets.decoder.machine import device_name
    from docparse_fast.targets.decoder.memory import free_bytes
    from docparse_fast.targets.loading.devices import choose

    choice = choose(asked.device, "auto")
    found = {
        "device": device_name(choice.device),
        "dtype": str(choice.dtype),
        "torch": torch.__version__,
        "CUDA": torch.version.cuda,
        "transformers": transformers.__version__,
        "free bytes": free_bytes(choice.device),
        **asdict(try_device(choice.device, choice.dtype)),
    }
    if found["error"] or found["graphs"] not in ("", "no GPU"):
        raise WrongError(found["error"] or found["graphs"], found)
    return found


def gpu_tests(asked: argparse.Namespace) -> dict[str, Any]:
    if importlib.util.find_spec("pytest") is None or not (ROOT / "tests").is_dir():
        raise NotHereError("pytest or the tests are not here")
    if asked.small:
        raise NotHereError("there is no GPU for them")
    return said_by([sys.executable, "-m", "pytest", "-q", "-m", "gpu", str(ROOT / "tests/targets")], asked)


def captures(asked: argparse.Namespace) -> dict[str, Any]:
    """All shapes of one to eight rows and one to 64 tokens: recorded, and replayed against the plain pass."""
    import torch

    from docparse_fast.targets.decoder.cuda_graphs import RECORDED_AT, GraphedPasses, Recording
    from docparse_fast.targets.decoder.passes import WIDTHS, PaddedPasses

    model = random_model(asked, "tiny" if asked.small else "qwen3-vl-2b", slots=4 if asked.small else 8)
    target, recording = model.target, Recording()
    target.pretend(256 if asked.small else PREFIX)
    text = target._passes.model
    plain = PaddedPasses(text, target.cache)
    graphed = GraphedPasses(text, target.cache, recording, StandIn() if model.model.device.type == "cpu" else None)
    worst, seconds = 0.0, {}
    for rows in (count for count in (1, 2, 4, 8) if count <= target.slots):
        for width in (1, 8) if asked.small else WIDTHS:
            trees, deltas = dict.fromkeys(range(rows), tree_of(width)), dict.fromkeys(range(rows), 0)
            with torch.inference_mode():
                expected = plain.logits(trees, deltas).clone()
                start = time.perf_counter()
                for _ in range(RECORDED_AT + 1):
                    got = graphed.logits(trees, deltas)
                worst = max(worst, float((got - expected).abs().max() / expected.abs().max()))
            seconds[f"{rows} x {width}"] = round(time.perf_counter() - start, 3)
    found = {
        "recorded": len(graphed.recorded),
        "shapes": len(seconds),
        "largest difference": worst,
        "seconds": seconds,
        "memory": peak(model),
        "why not": recording.failure,
    }
    if recording.failure or len(graphed.recorded) != len(seconds):
        raise WrongError(recording.failure or "some shapes were not recorded", found)
    return found


def identity(asked: argparse.Namespace) -> dict[str, Any]:
    """nano has trained weights and ships with the package, so its answers are text."""
    pages = sample_pages(1 if asked.small else 6)
    how = ["--target", "nano", "--dtype", "float32" if asked.small else "bfloat16", "--baselines", "hf-generate"]
    record = bench(asked, "run", *pages, *how, "--tau", "1", "--repeats", "1")
    ways = record["summary"]["ways"]
    found = {name: {key: way[key] for key in ("same_as_plain", "same_as_generate")} for name, way in ways.items()}
    same = found["speculative"]["same_as_plain"]
    if same["pages"] != same["of"]:
        raise WrongError("speculative answers differ from plain ones (in bfloat16 look for near ties)", found)
    return found


def cost_tables(asked: argparse.Namespace) -> dict[str, Any]:
    """Whole tables, without the limit of a user's first page, and how long that limit's own takes."""
    found = {}
    for shape in ("tiny",) if asked.small else ("qwen3-vl-2b", "dots.ocr", "qwen3-vl-8b"):
        start = time.perf_counter()
        model = random_model(asked, shape, slots=2 if asked.small else 8)
        made = time.perf_counter() - start
        table = model.target.costs
        took = round(time.perf_counter() - start - made, 2)
        found[shape] = {"rows": table.rows, "widths": table.widths, "costs": table.costs, "plain pass": table.seconds}
        found[shape] |= {"seconds": took, "graphs": model.target.recording.failure or "no failure"}
        del model
        forget()
    return found


def engine_2b(asked: argparse.Namespace) -> dict[str, Any]:
    return engine(asked, "qwen3-vl-2b")


def engine_8b(asked: argparse.Namespace) -> dict[str, Any]:
    return engine(asked, "qwen3-vl-8b")


def engine_dots(asked: argparse.Namespace) -> dict[str, Any]:
    return engine(asked, "dots.ocr")


def enlarged(asked: argparse.Namespace) -> dict[str, Any]:
    """nano's own pages and answers, at the cost of a real model."""
    folder = asked.out / "enlarged" / "model"
    if not folder.is_dir():
        size = "tiny" if asked.small else "qwen3-vl-2b"
        said_by([sys.executable, "-m", "docparse_fast", "bench", "enlarge", size, str(folder), "-q"], asked)
    how = ["--target", str(folder), "--tau", "1", "--repeats", "1", "--max-new-tokens", "60" if asked.small else "2000"]
    record = bench(asked, "run", *sample_pages(1 if asked.small else 4), *how)
    return speeds(record)


def memory(asked: argparse.Namespace) -> dict[str, Any]:
    import torch

    model = random_model(asked, "tiny" if asked.small else "qwen3-vl-2b", slots=4 if asked.small else 8)
    target = model.target
    long = 512 if asked.small else LARGE
    target.pretend(long)
    found: dict[str, Any] = {f"{target.slots} rows of {long}": peak(model)}
    if model.model.device.type == "cuda":
        free, _ = torch.cuda.mem_get_info()
        hog = torch.empty(max(1, free - HOG_LEAVES), dtype=torch.uint8, device=model.model.device)
        found["with a full GPU"] = outcome_of(lambda: target.pretend(2 * long))
        del hog
        forget()
    found["a pass after that"] = outcome_of(lambda: target.verify({0: tree_of(8)}))
    if found["a pass after that"] != "done":
        raise WrongError("the target is not usable after its memory ran out", found)
    return found


def paper(asked: argparse.Namespace) -> dict[str, Any]:
    """Two rows where weights are here; small: the toy model on its samples, to see that the command runs."""
    if asked.small:
        return said_by(reproduce(asked, "table8"), asked, allowed=(0, 3))
    here = [pair for pair in PAPERS if is_here(pair[0])][:ROWS_OF_THE_PAPER]
    if not here:
        raise NotHereError("no weights of the paper's models are on this machine")
    more = ["--data", str(asked.data)] if asked.data else []
    return {
        f"{name}, {table}": said_by([*reproduce(asked, table), "--target", name, *more], asked, allowed=(0, 3))
        for name, table in here
    }


class StandIn:
    """A recorder for machines without a GPU: a replay runs the pass again."""

    def record(self, run: Callable[[], Any]) -> Callable[[], Any]:
        run()
        return run

    def copy(self, inputs: Any, buffers: Any) -> None:
        for part, buffer in zip(inputs, buffers, strict=True):
            buffer.copy_(part)

    def forget(self) -> None:
        pass


def random_model(asked: argparse.Namespace, shape: str, slots: int) -> Any:
    from docparse_fast.bench.engine.planted import RandomModel
    from docparse_fast.bench.engine.shapes import SHAPES

    prefix = 64 if asked.small else PREFIX
    costs = asked.out / asked.part / "costs"
    dtype = "fp32" if asked.small else "bf16"
    return RandomModel(SHAPES[shape], asked.device, dtype, prefix=prefix, slots=slots, costs_folder=costs)


def tree_of(width: int) -> Any:
    from docparse_fast.speculative.prefix_tree import PrefixTree

    return PrefixTree.build(1, [range(2, width + 1)], budget=width)


def engine(asked: argparse.Namespace, shape: str) -> dict[str, Any]:
    how = ["--shape", shape, "--minutes", str(max(0.5, (asked.seconds - SPARE) / 60)), "--levels", "2,6"]
    if asked.small:
        how = [
            "--shape",
            "tiny",
            "--tokens",
            "32",
            "--prefix",
            "64",
            "--rows",
            "1,2",
            "--levels",
            "6",
            "--repeats",
            "1",
        ]
        how += ["--dtypes", "fp32"]
    record = bench(asked, "engine", *how)
    return {"summary": record["summary"], "interrupted": record["interrupted"], "device": record["device"]}


def bench(asked: argparse.Namespace, command: str, *how: str) -> dict[str, Any]:
    if command != "engine" and importlib.util.find_spec("pymupdf") is None:
        raise NotHereError("pymupdf is not installed, so no page can be read")
    path = asked.out / asked.part / f"{command}.json"
    argv = [sys.executable, "-m", "docparse_fast", "bench", command, *how, "--device", asked.device]
    said_by([*argv, "--json", str(path)], asked, allowed=(0, 3))
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record


def reproduce(asked: argparse.Namespace, table: str) -> list[str]:
    argv = [sys.executable, "-m", "docparse_fast", "bench", "reproduce", table, "--device", asked.device]
    return [*argv, "--max-pages", "1" if asked.small else "3", "--json", str(asked.out / asked.part / f"{table}.json")]


def said_by(argv: list[str], asked: argparse.Namespace, allowed: tuple[int, ...] = (0,)) -> dict[str, Any]:
    """What a command printed last. Its output is kept in the part's log as well."""
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, check=False)
    print(done.stdout, flush=True)
    last = [line for line in done.stdout.strip().splitlines()[-20:] if line.strip()]
    if done.returncode not in allowed:
        raise WrongError(f"exit code {done.returncode}: {last[-1] if last else 'it said nothing'}", {"said": last})
    return {"exit code": done.returncode, "said": last}


def sample_pages(count: int) -> list[str]:
    return [str(path) for path in sorted((ROOT / "samples/nano").glob("*.png"))[:count]]


def speeds(record: dict[str, Any]) -> dict[str, Any]:
    wanted = ("tokens_per_step", "decode_speedup", "end_to_end_speedup", "same_as_plain", "seconds_per_page")
    ways = record["summary"]["ways"]
    return {name: {key: way[key] for key in wanted} for name, way in ways.items()}


def is_here(name: str) -> bool:
    from docparse_fast.errors import ModelError
    from docparse_fast.targets.loading.checkpoint import find

    try:
        find(name, offline=True)
    except ModelError:
        return False
    return True


def outcome_of(run: Callable[[], object]) -> str:
    try:
        run()
    except Exception as error:
        return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    return "done"


def peak(model: Any) -> int | None:
    from docparse_fast.targets.decoder.memory import device_peak_bytes

    return device_peak_bytes(model.model.device)


def forget() -> None:
    import gc

    import torch

    gc.collect()
    torch.cuda.empty_cache()
