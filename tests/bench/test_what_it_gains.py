"""What docs/results.md says of the kept figures: losses too, and nothing else."""

from __future__ import annotations

import json
import runpy
import shlex
import shutil
from pathlib import Path

import pytest

from docparse_fast.bench.engine.options import EngineOptions
from docparse_fast.bench.engine.record import from_json
from docparse_fast.bench.record import from_json as read_pages
from docparse_fast.cli.bench_engine import numbers

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs/figures"
WHAT_IT_GAINS = runpy.run_path(str(ROOT / "scripts/docs_tables.py"))["what_it_gains"]


@pytest.fixture
def figures(tmp_path):
    folder = tmp_path / "figures"
    folder.mkdir()
    for file in KEPT.glob("*.json"):
        shutil.copy(file, folder)
    return folder


def test_figures_stand_with_their_hardware_and_the_papers_with_its_own():
    text = WHAT_IT_GAINS(KEPT)
    for file in KEPT.glob("bench-run*.json"):
        kept = read_pages(file.read_text()).settings
        assert f"{kept.target} on {kept.device}, {kept.dtype}" in text
    assert "On a GPU: [what an H200 said]" in text
    assert "NVIDIA A100" in text and "| dots.ocr | 4.98x | 2.44x | 2.42x |" in text
    assert text.index("Whole pages") < text.index("The engine alone") < text.index("The paper's")


def test_losses_are_reported(figures):
    engine = figures / "bench-engine-cpu.json"
    shown = from_json(engine.read_text()).dtypes["bf16"].line("prompt lookup").vs_plain
    pages = next(figures.glob("bench-run*.json"))
    kept = json.loads(pages.read_text())
    for page in kept["pages"]:
        for spans in page["ways"]["plain"]["rounds"]:
            spans.update(dict.fromkeys(spans, 0.001))
    pages.write_text(json.dumps(kept))
    text = WHAT_IT_GAINS(figures)
    assert f"**{shown:.2f}x, slower**" in text
    assert f"Slower than plain in SR e2e: {len(kept['pages'])} of" in text


def test_a_gpus_figures_stand_behind_a_cpus(figures):
    engine = (figures / "bench-engine-cpu.json").read_text()
    (figures / "a-gpu.json").write_text(
        engine.replace('"clock": "cpu"', '"clock": "wall"').replace("AMD EPYC", "A GPU")
    )
    text = WHAT_IT_GAINS(figures)
    assert "None of this" not in text and text.index("on AMD EPYC, 1 thread; torch") < text.index("on A GPU")


def test_a_command_is_given_that_measures_the_same_again(figures):
    lines = [line.strip("`") for line in WHAT_IT_GAINS(figures).splitlines() if line.startswith("`docparse-fast")]
    words = shlex.split(next(line for line in lines if "bench engine" in line))[3:]
    given = dict(zip(words[::2], words[1::2], strict=True))
    again = EngineOptions(
        given["--shape"],
        given["--device"],
        tuple(given["--dtypes"].split(",")),
        rows=numbers("--rows", given["--rows"]),
    )
    kept = from_json((figures / "bench-engine-cpu.json").read_text()).options
    assert again == EngineOptions(**{name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()})
    for file in KEPT.glob("bench-run*.json"):
        options = read_pages(file.read_text()).settings.options
        assert any(f"--target {options['target']} " in line for line in lines)
