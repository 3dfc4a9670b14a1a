"""README's section "What it gains": what the kept figures say, all of it, losses too, and nothing else."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest

from docparse_fast.bench.engine.figures import summary_of
from docparse_fast.bench.engine.run import EngineOptions
from docparse_fast.bench.record import DraftRecord, Measurement, PageRecord, Settings, Steps, WayRecord, to_json
from docparse_fast.cli.bench_engine import numbers

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts/what_it_gains.py"))
MARKS = f"# A\n\n## What it gains\n\n{SCRIPT['BEGIN']}\n{SCRIPT['END']}\n\n## B\n"


def line(way, level=None, rows=1, seconds=1.0, per_step=1.0):
    ours = way in ("plain", "speculative")
    return {
        "way": way,
        "level": level,
        "rows": rows,
        "seconds": seconds,
        "tokens_per_step": per_step,
        "vs_plain": 1 / seconds,
        "efficiency": 1 / seconds / per_step,
        "step_cost": per_step * seconds,
        "step_ms": {"mean": 12.34, "p95": 15.0} if ours else None,
        "host_us_per_step": 77.0 if ours else None,
        "warm_host_us_per_step": 55.0 if ours else None,
        "of_bandwidth_limit": 0.5,
    }


def engine_record(clock="cpu", worst=1.05):
    lines = [line("plain"), line("speculative", 1, seconds=worst), line("speculative", 6, seconds=0.25, per_step=6.1)]
    lines += [line("generate", seconds=1.25), line("prompt lookup", seconds=2), line("chain", 6, seconds=0.5)]
    lines += [line("plain", rows=8), line("speculative", 6, rows=8, seconds=0.5, per_step=5.9)]
    return {
        "format": "docparse-fast/bench-engine",
        "shape": "100m",
        "sizes": {"layers": 12, "hidden": 768},
        "device": "A CPU" if clock == "cpu" else "A GPU",
        "clock": clock,
        "prefix": 1500,
        "tokens": 512,
        "torch": "2.13.0",
        "transformers": "5.23.0",
        "options": {
            "shape": "100m",
            "device": "cpu",
            "dtypes": ["bf16"],
            "prefix": 1500,
            "tokens": 512,
            "rows": [1, 8],
            "levels": [1, 6],
            "repeats": 3,
            "threads": 2,
            "minutes": None,
        },
        "dtypes": {"bf16": {"lines": lines, "summary": summary_of(lines)}},
    }


def pages_record():
    def way(decode, drafts=""):
        seconds = {"full": 1 + decode, "prefill": 0.5, "decode": decode}
        steps = Steps((1,) * 4, (3,) * 4, (1,) * 4, (0,) * 4, (2,) * 4)
        return WayRecord(
            (1,) * 9, rounds=(seconds,), drafts=drafts, written=8, passes=4, steps=steps, same_as_plain=True
        )

    pages = [
        PageRecord(
            "samples/a.png",
            drafts={"drafts": DraftRecord(0.1)},
            ways={"plain": way(4.0), "speculative": way(1.0, "drafts")},
        ),
        PageRecord(
            "samples/b.png",
            drafts={"drafts": DraftRecord(3.9)},
            ways={"plain": way(4.0), "speculative": way(2.0, "drafts")},
        ),
    ]
    options = {"tau": 1.0, "target": "nano", "stages": "auto", "window": 3, "baselines": ["chain"], "repeats": 3}
    versions = {"torch": "2.13.0", "transformers": "5.23.0"}
    settings = Settings("nano", "r", "A CPU", "float32", "cpu", 3, options, versions)
    return json.loads(to_json(Measurement(settings, tuple(pages)), {}))


@pytest.fixture
def figures(tmp_path):
    folder = tmp_path / "figures"
    folder.mkdir()
    (folder / "b-engine.json").write_text(json.dumps(engine_record()))
    (folder / "c-pages.json").write_text(json.dumps(pages_record()))
    return folder


@pytest.fixture
def script(tmp_path, figures, monkeypatch):
    readme = tmp_path / "README.md"
    readme.write_text(MARKS)

    def run(*flags):
        monkeypatch.setattr(
            sys, "argv", ["what_it_gains.py", "--readme", str(readme), "--figures", str(figures), *flags]
        )
        return SCRIPT["main"]()

    run.readme = readme
    return run


def test_the_readme_says_what_the_kept_figures_say():
    """Until figures are kept, there is no such section."""
    readme = (ROOT / "README.md").read_text()
    if list((ROOT / "docs/figures").glob("*.json")):
        assert SCRIPT["with_section"](readme, SCRIPT["section"](SCRIPT["kept"](ROOT / "docs/figures"))) == readme
    else:
        assert SCRIPT["BEGIN"] not in readme


def test_writing_it_twice_changes_nothing_and_leaves_the_rest_alone(script):
    assert script("--check") == 1
    assert script() == 0
    assert script("--check") == 0
    written = script.readme.read_text()
    assert script() == 0
    assert script.readme.read_text() == written
    assert written.startswith(MARKS.partition(SCRIPT["BEGIN"])[0]) and written.endswith(
        MARKS.partition(SCRIPT["END"])[2]
    )


def test_a_changed_figure_is_noticed(script, figures):
    script()
    changed = engine_record(worst=1.5)
    (figures / "b-engine.json").write_text(json.dumps(changed))
    assert script("--check") == 1


def test_figures_stand_with_their_hardware_and_the_papers_with_its_own(script):
    script()
    text = script.readme.read_text()
    assert "nano` on A CPU, float32, tau 1" in text and "on A CPU; prompt 1500 tokens" in text
    assert "| drafts for 6 | 6.10 | 4.00x | 0.66 | 1.52 | 2.00x at 5.90 |" in text
    assert "NVIDIA A100" in text and "| dots.ocr | 4.98x | 2.44x | 2.42x |" in text
    assert text.index("Whole pages") < text.index("The engine alone") < text.index("The paper's")


def test_losses_are_said(script):
    """Drafts that are no good, transformers' ways, and the page whose drafts took longer than they saved."""
    script()
    text = script.readme.read_text()
    assert "**0.95x, slower**" in text and "prompt lookup **0.50x, slower**" in text
    assert "at worst 0.68x (b.png)" in text or "at worst 0.68x (samples/b.png)" in text


def test_a_gpu_is_spoken_of_where_one_was_measured_alone(script, figures):
    script()
    assert "None of this was measured on a GPU." in script.readme.read_text()
    (figures / "a-gpu.json").write_text(json.dumps(engine_record("wall")))
    script()
    text = script.readme.read_text()
    assert "None of this" not in text and text.index("on A CPU; prompt") < text.index("on A GPU; prompt")


def test_a_command_is_given_that_measures_the_same_again(script):
    script()
    (command,) = [
        row for row in script.readme.read_text().splitlines() if row.startswith("`docparse-fast bench engine")
    ]
    words = command.strip("`").split()[3:]
    given = dict(zip(words[::2], words[1::2], strict=True))
    assert given.keys() == {"--shape", "--device", "--dtypes", "--rows", "--levels", "--threads"}
    again = EngineOptions(
        given["--shape"],
        given["--device"],
        tuple(given["--dtypes"].split(",")),
        rows=numbers("--rows", given["--rows"]),
        levels=numbers("--levels", given["--levels"]),
        threads=int(given["--threads"]),
    )
    kept = engine_record()["options"]
    assert again == EngineOptions(**{name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()})
    assert "`docparse-fast bench run samples --target nano --tau 1 --baselines chain`" in script.readme.read_text()


def test_a_readme_without_a_place_is_refused(script, capsys):
    script.readme.write_text("# A\n")
    assert script() == 2
    assert "no place" in capsys.readouterr().err and script.readme.read_text() == "# A\n"


def test_files_that_are_no_figures_are_refused(script, figures, capsys):
    (figures / "d.json").write_text("{}")
    assert script() == 2
    assert "d.json" in capsys.readouterr().err
    for file in figures.iterdir():
        file.unlink()
    assert script() == 2
