"""The parts. Each returns what it found; it raises NotHereError if it can't be tried, or WrongError."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import docparse_fast
from docparse_fast.bench.gpu_day.asked import Given
from docparse_fast.bench.gpu_day.ends import NotHereError, WrongError
from docparse_fast.bench.gpu_day.hybrids import hybrids as hybrids
from docparse_fast.bench.reproduction.sources import is_here, samples

TESTS = Path(docparse_fast.__file__).resolve().parents[1] / "tests"
PAPERS = (("dots.ocr", "table7"), ("hunyuan-ocr", "table2"), ("qwen3-vl-2b", "table1"), ("qwen3-vl-8b", "table1"))
ROWS_OF_THE_PAPER = 2
PREFIX = 1500
SPARE = 30.0  # seconds of a part's time that are left for loading and writing
HOG_LEAVES = 64 << 20  # bytes of a full GPU
LARGE = 4096  # places of a long row


def trial(given: Given) -> dict[str, Any]:
    import torch
    import transformers

    from docparse_fast.targets.decoder.device_trial import try_device
    from docparse_fast.targets.decoder.machine import device_name
    from docparse_fast.targets.decoder.memory import free_bytes
    from docparse_fast.targets.loading.devices import choose

    choice = choose(given.device, "auto")
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


def gpu_tests(given: Given) -> dict[str, Any]:
    if importlib.util.find_spec("pytest") is None or not TESTS.is_dir():
        raise NotHereError("pytest or the tests are not here")
    if given.small:
        raise NotHereError("there is no GPU for them")
    return said_by([sys.executable, "-m", "pytest", "-q", "-m", "gpu", str(TESTS / "targets")], given)


def captures(given: Given) -> dict[str, Any]:
    """All shapes of one to eight rows and one to 64 tokens: recorded, and replayed against the plain pass."""
    import torch

    from docparse_fast.targets.decoder.cuda_graphs import RECORDED_AT, GraphedPasses, Recording
    from docparse_fast.targets.decoder.passes import WIDTHS, PaddedPasses

    model = random_model(given, "tiny" if given.small else "qwen3-vl-2b", slots=4 if given.small else 8)
    target, recording = model.target, Recording()
    target.pretend(256 if given.small else PREFIX)
    text = target._passes.model
    plain = PaddedPasses(text, target.cache)
    graphed = GraphedPasses(text, target.cache, recording, StandIn() if model.model.device.type == "cpu" else None)
    worst, seconds = 0.0, {}
    for rows in (count for count in (1, 2, 4, 8) if count <= target.slots):
        for width in (1, 8) if given.small else WIDTHS:
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


def identity(given: Given) -> dict[str, Any]:
    """nano has trained weights and ships with the package, so its answers are text."""
    pages = sample_pages(1 if given.small else 6)
    how = ["--target", "nano", "--dtype", "float32" if given.small else "bfloat16", "--baselines", "hf-generate"]
    record = bench(given, "run", *pages, *how, "--tau", "1", "--repeats", "1")
    ways = record["summary"]["ways"]
    found = {name: {key: way[key] for key in ("same_as_plain", "same_as_generate")} for name, way in ways.items()}
    same = found["speculative"]["same_as_plain"]
    if same["pages"] != same["of"]:
        raise WrongError("speculative answers differ from plain ones (in bfloat16 look for near ties)", found)
    return found


def convert(given: Given) -> dict[str, Any]:
    """Whole pages, with drafters in processes of their own and looks before drafts; bits don't matter in float32."""
    out, pages = given.folder / "out", sample_pages(1 if given.small else 6)
    how = ["--target", "nano", "--dtype", "float32", "--device", given.device, "--check-exact", "-q"]
    ended = said_by([sys.executable, "-m", "docparse_fast", "convert", *pages, "-o", str(out), *how], given, (0, 3))
    read = [json.loads(path.read_text("utf-8"))["pages"][0] for path in sorted(out.glob("*/document.json"))]
    exact = sum(page["exact"] is True for page in read)
    found = {"exact": {"pages": exact, "of": len(pages)}, "seconds": [page["seconds"] for page in read], **ended}
    if exact != len(pages):
        raise WrongError("an answer in float32 is not the model's own", found)
    return found


def cost_tables(given: Given) -> dict[str, Any]:
    """Whole tables, without the limit of a user's first page, and how long that limit's own takes."""
    found = {}
    for shape in ("tiny",) if given.small else ("qwen3-vl-2b", "dots.ocr", "qwen3-vl-8b"):
        start = time.perf_counter()
        model = random_model(given, shape, slots=2 if given.small else 8)
        made = time.perf_counter() - start
        table = model.target.costs
        took = round(time.perf_counter() - start - made, 2)
        found[shape] = {"rows": table.rows, "widths": table.widths, "costs": table.costs, "plain pass": table.seconds}
        found[shape] |= {"seconds": took, "graphs": model.target.recording.failure or "no failure"}
        del model
        forget()
    return found


def engine_2b(given: Given) -> dict[str, Any]:
    return engine(given, "qwen3-vl-2b")


def engine_8b(given: Given) -> dict[str, Any]:
    return engine(given, "qwen3-vl-8b")


def engine_dots(given: Given) -> dict[str, Any]:
    return engine(given, "dots.ocr")


def enlarged(given: Given) -> dict[str, Any]:
    """nano's own pages and answers, at the cost of a real model."""
    folder = given.folder / "model"
    if not folder.is_dir():
        size = "tiny" if given.small else "qwen3-vl-2b"
        said_by([sys.executable, "-m", "docparse_fast", "bench", "enlarge", size, str(folder), "-q"], given)
    how = ["--target", str(folder), "--tau", "1", "--repeats", "1", "--max-new-tokens", "60" if given.small else "2000"]
    record = bench(given, "run", *sample_pages(1 if given.small else 4), *how)
    return speeds(record)


def memory(given: Given) -> dict[str, Any]:
    import torch

    model = random_model(given, "tiny" if given.small else "qwen3-vl-2b", slots=4 if given.small else 8)
    target = model.target
    long = 512 if given.small else LARGE
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


def paper(given: Given) -> dict[str, Any]:
    """Two rows where weights are here; small: the toy model on its samples, to see that the command runs."""
    if given.small:
        return said_by(reproduce(given, "table8"), given, allowed=(0, 3))
    here = [pair for pair in PAPERS if is_here(pair[0])][:ROWS_OF_THE_PAPER]
    if not here:
        raise NotHereError("no weights of the paper's models are on this machine")
    more = ["--data", str(given.asked.data)] if given.asked.data else []
    return {
        f"{name}, {table}": said_by([*reproduce(given, table), "--target", name, *more], given, allowed=(0, 3))
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


def random_model(given: Given, shape: str, slots: int) -> Any:
    from docparse_fast.bench.engine.planted import RandomModel
    from docparse_fast.bench.engine.shapes import SHAPES

    prefix = 64 if given.small else PREFIX
    costs = given.folder / "costs"
    dtype = "fp32" if given.small else "bf16"
    return RandomModel(SHAPES[shape], given.device, dtype, prefix=prefix, slots=slots, costs_folder=costs)


def tree_of(width: int) -> Any:
    from docparse_fast.speculative.prefix_tree import PrefixTree

    return PrefixTree.build(1, [range(2, width + 1)], budget=width)


def engine(given: Given, shape: str) -> dict[str, Any]:
    how = ["--shape", shape, "--minutes", str(max(0.5, (given.seconds - SPARE) / 60)), "--levels", "2,6"]
    if given.small:
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
    record = bench(given, "engine", *how)
    return {"summary": record["summary"], "interrupted": record["interrupted"], "device": record["device"]}


def bench(given: Given, command: str, *how: str) -> dict[str, Any]:
    if command != "engine" and importlib.util.find_spec("pymupdf") is None:
        raise NotHereError("pymupdf is not installed, so no page can be read")
    path = given.folder / f"{command}.json"
    argv = [sys.executable, "-m", "docparse_fast", "bench", command, *how, "--device", given.device]
    said_by([*argv, "--json", str(path)], given, allowed=(0, 3))
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record


def reproduce(given: Given, table: str) -> list[str]:
    argv = [sys.executable, "-m", "docparse_fast", "bench", "reproduce", table, "--device", given.device]
    return [*argv, "--max-pages", "1" if given.small else "3", "--json", str(given.folder / f"{table}.json")]


def said_by(argv: list[str], given: Given, allowed: tuple[int, ...] = (0,)) -> dict[str, Any]:
    """What a command printed last. Its output is kept in the part's log as well."""
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, flush=True)
    last = [line for line in done.stdout.strip().splitlines()[-20:] if line.strip()]
    if done.returncode not in allowed:
        raise WrongError(f"exit code {done.returncode}: {last[-1] if last else 'it said nothing'}", {"said": last})
    return {"exit code": done.returncode, "said": last}


def sample_pages(count: int) -> list[str]:
    return [str(path) for path in sorted(samples().glob("*.png"))[:count]]


def speeds(record: dict[str, Any]) -> dict[str, Any]:
    wanted = ("tokens_per_step", "decode_speedup", "end_to_end_speedup", "same_as_plain", "seconds_per_page")
    ways = record["summary"]["ways"]
    return {name: {key: way[key] for key in wanted} for name, way in ways.items()}


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
