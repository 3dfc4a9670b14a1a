"""Where targets are searched, and the errors for missing ones. The network is never used."""

from __future__ import annotations

import json
import socket

import pytest

from docparse_fast.cli import run
from docparse_fast.errors import ModelError, UsageError
from docparse_fast.targets import best_here
from docparse_fast.targets.loading import checkpoint
from docparse_fast.targets.loading.checkpoint import find, here


@pytest.fixture(autouse=True)
def no_network(monkeypatch, tmp_path):
    """An empty hub cache, and sockets that refuse."""
    import huggingface_hub.constants

    asked = []

    def refuse(*address: object) -> None:
        asked.append(address)
        raise OSError("no network")

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    yield
    assert asked == []  # the hub's client keeps what it could not reach to itself


def folder(path, files=("model.safetensors",), **config):
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps({"model_type": "qwen3_vl", **config}))
    for name in files:
        (path / name).write_bytes(name.encode())
    return path


def told(name: str, **options: bool) -> str:
    with pytest.raises(ModelError) as caught:
        find(name, **options)
    assert caught.value.code == "model_missing"
    return str(caught.value)


def test_a_folder_is_known_by_its_architecture(tmp_path):
    where = find(str(folder(tmp_path / "mine")))
    assert (where.name, where.recipe.model_type, where.weight_bytes) == ("mine", "qwen3_vl", len("model.safetensors"))


def test_a_folder_may_say_which_target_it_is(tmp_path):
    assert find(str(folder(tmp_path / "mine", docparse_fast_target="nano"))).recipe.name == "nano"


def test_a_folders_revision_changes_with_its_weights(tmp_path):
    mine = folder(tmp_path / "mine")
    before = find(str(mine)).revision
    assert find(str(mine)).revision == before
    (mine / "model.safetensors").write_bytes(b"model.safetensorZ")
    assert find(str(mine)).revision != before


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.pkl"])
def test_pickles_are_refused(tmp_path, name):
    mine = folder(tmp_path / "mine", files=(name,))
    assert told(str(mine)) == f"{mine} holds no safetensors, and nothing else is loaded; convert its weights"


def test_an_architecture_without_a_dialect_is_refused(tmp_path):
    mine = folder(tmp_path / "mine", model_type="bert")
    assert told(str(mine)).startswith(f"{mine} is a 'bert', which no dialect here knows; known are deepseek_ocr2, ")


def test_a_folder_without_a_config_is_no_checkpoint(tmp_path):
    assert told(str(tmp_path)) == f"{tmp_path} has no readable config.json; name the folder of a whole checkpoint"


def test_a_folder_that_is_not_there():
    assert told("./weights/none") == "--target ./weights/none: there is no such folder; check the path"


def test_a_target_that_is_not_on_this_machine_says_how_to_get_it():
    assert told("dots.ocr") == (
        "--target dots.ocr: rednote-hilab/dots.ocr is not on this machine, and the network is off limits; "
        "where there is a network, run `docparse-fast models download dots.ocr --to FOLDER`; then copy the folder here "
        "and name it"
    )


def test_offline_is_honoured_where_the_environment_allows_the_network(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    assert "the network is off limits" in told("some/model", offline=True)


def test_a_misspelt_target_is_a_usage_error_with_a_suggestion():
    with pytest.raises(UsageError, match=r"did you mean 'dots\.ocr'"):
        find("dots.ocrr")


def test_a_hub_snapshot_is_found_and_known_by_its_commit(tmp_path):
    commit = "0123456789abcdef0123456789abcdef01234567"
    repository = tmp_path / "hub" / "models--Qwen--Qwen3-VL-2B-Instruct"
    folder(repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    where = find("qwen3-vl-2b")
    assert (where.name, where.revision) == ("qwen3-vl-2b", commit)
    assert "qwen3-vl-2b" in {found.name for found in here()}


def test_auto_says_why_there_are_drafts_only(monkeypatch):
    monkeypatch.setattr(checkpoint, "CATALOG", tuple(r for r in checkpoint.CATALOG if r.name != "nano"))
    assert best_here() == (None, "no target's weights are on this machine")


def test_convert_prints_one_line_and_writes_nothing(tmp_path, capsys):
    (tmp_path / "in.png").write_bytes(b"")
    code = run(["convert", str(tmp_path / "in.png"), "-o", str(tmp_path / "out"), "--target", "glm-ocr", "--offline"])
    lines = capsys.readouterr().err.splitlines()
    assert (code, len(lines)) == (1, 1)
    assert "model_missing" in lines[0]
    assert "models download glm-ocr --to FOLDER" in lines[0]
    assert not (tmp_path / "out").exists()
