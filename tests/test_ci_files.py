"""The GitHub Action and the GitLab template: that they are sound, and that their commands work."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest
from markdown_it import MarkdownIt

from docparse_fast.cli import run

ROOT = Path(__file__).parents[1]
yaml = pytest.importorskip("yaml", reason="reads the files")
ACTION = yaml.safe_load((ROOT / ".ci/action/action.yml").read_text("utf-8"))
spec = importlib.util.spec_from_file_location("summary", ROOT / ".ci/action/summary.py")
assert spec is not None and spec.loader is not None
summary = importlib.util.module_from_spec(spec)
spec.loader.exec_module(summary)


def step(name: str) -> dict:
    return next(each for each in ACTION["runs"]["steps"] if each.get("id") == name)


def acted(tmp_path: Path, **inputs: str) -> tuple[int, str, str, str]:
    """Runs the action's own step as the runner does: its exit code, log, outputs and summary."""
    given = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()} | inputs
    environment = os.environ | {
        "SOURCE": str(ROOT),
        "FOLDER": given["folder"],
        "OUT": given["out"],
        "OPTIONS": given["options"],
        "FAIL_ON": given["fail-on"],
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "PYTHONPATH": str(ROOT),
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step("convert")["run"]]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    texts = [(tmp_path / name).read_text() for name in ("outputs", "summary")]
    return done.returncode, done.stdout + done.stderr, *texts


@pytest.fixture
def documents(tmp_path):
    (tmp_path / "in").mkdir()
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "words")
        file.save(tmp_path / "in/a.pdf")
    return tmp_path


def test_the_action_converts_and_sums_up(documents):
    code, log, outputs, told = acted(documents, folder="in")
    assert (code, outputs) == (0, "exit-code=0\n"), log
    assert (documents / "text/a/page-0001.md").read_text() == "words\n"
    assert "| <code>in/a.pdf</code> | ok | 1 |  |" in told


def test_a_document_that_fails_fails_the_step_unless_it_may(documents):
    (documents / "in/broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    code, _, outputs, told = acted(documents, folder="in")
    assert (code, outputs) == (3, "exit-code=3\n")
    assert "failed (corrupt)" in told
    assert acted(documents, folder="in", **{"fail-on": "never"})[0] == 0


def test_a_file_s_name_is_no_command_to_the_runner(documents):
    (documents / "in/a.pdf").rename(documents / "::error::a.pdf")
    code, log, _, told = acted(documents, folder=".")
    assert code == 0, log
    (stop,) = [line for line in log.splitlines() if line.startswith("::stop-commands::")]
    before, _, after = log.partition(f"::{stop.removeprefix('::stop-commands::')}::")
    assert "::error::" in before
    assert "::error::" not in after + told


def test_an_input_stays_one_word_and_is_no_shell(documents):
    code, log, _, _ = acted(documents, folder="in; touch pwned", out="$(touch pwned)")
    assert code == 2, log
    assert not (documents / "pwned").exists()
    assert "${{ inputs" not in step("convert")["run"]


@pytest.mark.parametrize("name", ["a|b`c`.pdf", "<img src=x>.pdf", "![x](http://evil.example).pdf", "**a**\n| b |.pdf"])
def test_a_name_is_text_in_the_summary(name):
    row = {"input": name, "status": "ok", "error": None, "pages": 1, "to_look_at": []}
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(summary.summary({"inputs": [row]}))
    assert html.count("<td") == 4
    assert all(tag not in html for tag in ("<img", "<strong", "<a "))


def test_the_gitlab_template_names_options_that_there_are(capsys):
    inputs, job = yaml.safe_load_all(
        (ROOT / ".ci/gitlab.yml").read_text("utf-8").replace("$[[", "'").replace("]]", "'")
    )
    assert job["docparse-fast"]["allow_failure"]["exit_codes"] == 3
    options = inputs["spec"]["inputs"]["options"]["default"]
    assert options == ACTION["inputs"]["options"]["default"]
    assert run(["batch", "--help"]) == 0
    said = capsys.readouterr().out
    assert all(word in said for word in options.split() if word.startswith("--"))
    script = "\n".join(job["docparse-fast"]["script"])
    assert subprocess.run(["sh", "-n"], input=script, text=True).returncode == 0


def test_the_summary_of_no_run_says_so(tmp_path):
    path = ROOT / ".ci/action/summary.py"
    done = subprocess.run([sys.executable, path, tmp_path / "run.json"], capture_output=True, text=True, check=True)
    assert done.stdout == "Nothing was converted.\n"
    assert json.dumps(ACTION["outputs"])


def test_the_workflow_for_other_systems_calls_what_there_is():
    workflow = yaml.safe_load((ROOT / ".ci/systems.yml").read_text("utf-8"))
    job = workflow["jobs"]["test"]
    assert {"ubuntu-latest", "macos-latest", "windows-latest"} <= set(job["strategy"]["matrix"]["os"])
    commands = [step["run"].split() for step in job["steps"] if "run" in step]
    assert [word for command in commands for word in command if word.startswith("samples/")] == [
        "samples/scanned-table.pdf"
    ]
    assert (ROOT / "samples/scanned-table.pdf").is_file()
    assert commands[-1][:3] == ["python", "-m", "pytest"]


def test_the_files_to_copy_are_sound():
    jobs = yaml.safe_load((ROOT / ".ci/release.yml").read_text("utf-8"))["jobs"]
    assert [name for name, job in jobs.items() if job["permissions"].get("id-token")] == ["publish"]
    (container,) = yaml.safe_load((ROOT / "docs/kubernetes-job.yaml").read_text("utf-8"))["spec"]["template"]["spec"][
        "containers"
    ]
    assert container["args"][0] == "batch"
