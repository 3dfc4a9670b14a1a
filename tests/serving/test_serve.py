"""`serve`: the command that starts vLLM with our plug-in."""

from __future__ import annotations

import json
import shlex
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from docparse_fast.cli import run
from docparse_fast.errors import ModelError
from docparse_fast.serving.command import LONGEST, check_vllm, command


def test_the_printed_command_names_the_plug_in_and_the_model(capsys: Any) -> None:
    assert run(["serve", "--model", "dots.ocr", "--port", "9000", "--print", "--", "--dtype", "float32"]) == 0
    words = shlex.split(capsys.readouterr().out)
    assert words[words.index("--model") + 1] == "rednote-hilab/dots.ocr"
    assert words[words.index("--served-model-name") + 1] == "dots.ocr"
    assert words[words.index("--port") + 1] == "9000"
    assert words[-2:] == ["--dtype", "float32"]
    assert json.loads(words[words.index("--speculative-config") + 1])["num_speculative_tokens"] == LONGEST


def test_the_classes_that_the_command_names_exist() -> None:
    words = command("nano", 8000)
    module, _, name = words[words.index("--scheduler-cls") + 1].rpartition(".")
    source = Path(*module.split(".")).with_suffix(".py")
    assert f"class {name}(" in (Path(__file__).parents[2] / source).read_text("utf-8")


def test_a_folder_is_served_under_the_name_of_its_target() -> None:
    words = command("nano", 8000)
    assert words[words.index("--served-model-name") + 1] == "nano"
    assert Path(words[words.index("--model") + 1]).is_dir()


def test_a_version_that_was_not_tried_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda name: "0.99.0")
    with pytest.raises(ModelError, match=r"0\.99\.0 was not tried"):
        check_vllm()


def test_without_vllm_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(ModelError, match="pip install vllm=="):
        check_vllm()
