"""docs/results.md: what the kept figures say, losses too, and nothing else."""

from __future__ import annotations

import json
import runpy
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from docparse_fast.bench.engine.options import EngineOptions
from docparse_fast.bench.engine.record import from_json
from docparse_fast.bench.record import from_json as read_pages
from docparse_fast.cli.bench_engine import numbers

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs/figures"
SCRIPT = runpy.run_path(str(ROOT / "scripts/what_it_gains.py"))
MARKS = f"# A\n\n## What it gains\n\n{SCRIPT['BEGIN']}\n{SCRIPT['END']}\n\n## B\n"


@pytest.fixture
def figures(tmp_path):
    folder = tmp_path / "figures"
    folder.mkdir()
    for file in KEPT.glob("*.json"):
        shutil.copy(file, folder)
    return folder


@pytest.fixture
def script(tmp_path, figures, monkeypatch):
    page = tmp_path / "results.md"
    page.write_text(MARKS)

    def run(*flags):
        given = ["what_it_gains.py", "--page", str(page), "--figures", str(figures), *flags]
        monkeypatch.setattr(sys, "argv", given)
        return SCRIPT["main"]()

    run.page = page
    return run


def test_the_results_are_what_the_kept_figures_say():
    page = (ROOT / "docs/results.md").read_text()
    assert SCRIPT["with_section"](page, SCRIPT["section"](KEPT)) == page


def test_writing_it_twice_changes_nothing_and_leaves_the_rest_alone(script):
    assert script("--check") == 1
    assert script() == 0
    assert script("--check") == 0
    written = script.page.read_text()
    assert script() == 0
    assert script.page.read_text() == written
    begin, end = MARKS.partition(SCRIPT["BEGIN"])[0], MARKS.partition(SCRIPT["END"])[2]
    assert written.startswith(begin) and written.endswith(end)


def test_figures_stand_with_their_hardware_and_the_papers_with_its_own(script):
    script()
    text = script.page.read_text()
    for file in KEPT.glob("bench-run*.json"):
        kept = read_pages(file.read_text()).settings
        assert f"{kept.target} on {kept.device}, {kept.dtype}" in text
    assert "On a GPU: [what an H200 said]" in text
    assert "NVIDIA A100" in text and "| dots.ocr | 4.98x | 2.44x | 2.42x |" in text
    assert text.index("Whole pages") < text.index("The engine alone") < text.index("The paper's")


def test_losses_are_reported(script, figures):
    engine = figures / "bench-engine-cpu.json"
    shown = from_json(engine.read_text()).dtypes["bf16"].line("prompt lookup").vs_plain
    pages = next(figures.glob("bench-run*.json"))
    kept = json.loads(pages.read_text())
    for page in kept["pages"]:
        for spans in page["ways"]["plain"]["rounds"]:
            spans.update(dict.fromkeys(spans, 0.001))
    pages.write_text(json.dumps(kept))
    script()
    assert f"**{shown:.2f}x, slower**" in script.page.read_text()
    assert f"Slower than plain in SR e2e: {len(kept['pages'])} of" in script.page.read_text()


def test_a_gpus_figures_stand_behind_a_cpus(script, figures):
    engine = (figures / "bench-engine-cpu.json").read_text()
    (figures / "a-gpu.json").write_text(
        engine.replace('"clock": "cpu"', '"clock": "wall"').replace("AMD EPYC", "A GPU")
    )
    script()
    text = script.page.read_text()
    assert "None of this" not in text and text.index("on AMD EPYC, 1 thread; torch") < text.index("on A GPU")


def test_a_command_is_given_that_measures_the_same_again(script, figures):
    script()
    lines = [line.strip("`") for line in script.page.read_text().splitlines() if line.startswith("`docparse-fast")]
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


def test_a_readme_without_marks_and_a_folder_without_figures_are_refused(script, figures, capsys):
    script.page.write_text("# A\n")
    assert script() == 2
    assert "no place" in capsys.readouterr().err and script.page.read_text() == "# A\n"
    (figures / "d.json").write_text("{}")
    assert script() == 2
    for file in figures.iterdir():
        file.unlink()
    assert script() == 2
