"""Where targets are searched, and the errors for missing ones. The network is never used."""

from __future__ import annotations

import json
import socket

import pytest

from docparse_fast.cli import run
from docparse_fast.errors import ModelError, UsageError
from docparse_fast.targets import best_here
from docparse_fast.targets.loading import checkpoint
from docparse_fast.targets.loading.catalog import BY_NAME, CATALOG
from docparse_fast.targets.loading.checkpoint import find, here
from docparse_fast.targets.loading.unsupported import BY_MODEL_TYPE, refuse_name


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


@pytest.mark.parametrize(
    ("config", "told_reason"),
    [
        ({"model_type": "qwen3_next"}, "(qwen3_next) can't be a target: its linear-attention layers are not those of "),
        ({"model_type": "gemma3"}, "(gemma3) can't be a target: its layers attend to a sliding window, "),
        ({"model_type": "qianfan_ocr"}, "(qianfan_ocr) can't be a target: docparse-fast doesn't know how it is asked"),
        ({"quantization_config": {"quant_method": "awq"}}, " can't be a target: its weights are quantized (awq), "),
    ],
)
def test_what_cannot_be_a_target_is_refused_with_the_reason_and_another(tmp_path, config, told_reason):
    mine = folder(tmp_path / "mine", **config)
    with pytest.raises(ModelError) as caught:
        find(str(mine))
    assert caught.value.code == "unsupported"
    assert str(caught.value).startswith(str(mine)) and told_reason in str(caught.value)
    assert caught.value.remedy.removeprefix("try ") in BY_NAME or caught.value.remedy.startswith("take the checkpoint")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("datalab-to/chandra", "chandra-ocr-2"),
        ("reducto/RolmOCR", "olmocr-2"),
        ("deepseek-ai/DeepSeek-OCR", "deepseek-ocr2"),
        ("stepfun-ai/GOT-OCR2_0", "got-ocr2"),
        ("datalab-to/surya-2.5", "chandra-ocr-2"),
        ("openbmb/MiniCPM-OCR", "ovis-ocr2"),
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", "qwen3.5-35b-a3b"),
    ],
)
def test_an_unusable_model_is_refused_by_name_before_it_is_downloaded(name, nearest):
    with pytest.raises(ModelError) as caught:
        find(name)
    assert (caught.value.code, caught.value.remedy) == ("unsupported", f"try {nearest}")
    assert nearest in BY_NAME


@pytest.mark.parametrize(
    ("name", "kind", "nearest"), [("surya-2.5", "qwen3_5", "chandra-ocr-2"), ("RolmOCR", "qwen2_5_vl", "olmocr-2")]
)
def test_a_folder_of_a_fine_tune_with_other_prompts_is_refused_too(tmp_path, name, kind, nearest):
    with pytest.raises(ModelError) as caught:
        find(str(folder(tmp_path / name, model_type=kind)))
    assert (caught.value.code, caught.value.remedy) == ("unsupported", f"try {nearest}")


def test_no_model_of_the_catalogue_is_refused():
    for recipe in CATALOG:
        refuse_name(recipe.name)
        refuse_name(recipe.hub)
    assert not BY_MODEL_TYPE.keys() & {recipe.model_type for recipe in CATALOG if not recipe.only_by_name}


def test_a_folder_named_as_a_model_does_not_shadow_it(tmp_path, monkeypatch):
    """A clone of the model's repository has its name, and no weights."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dots.ocr").mkdir()
    assert "rednote-hilab/dots.ocr is not on this machine" in told("dots.ocr")
    folder(tmp_path / "dots.ocr" / "weights", model_type="dots_ocr")
    assert find("./dots.ocr/weights").recipe.name == "dots.ocr"


def test_lightonocr_is_known_by_its_class(tmp_path):
    """Releases 1 and 2 are published as a mistral3; loaded as one, their eye would be drawn at random."""
    mine = folder(tmp_path / "mine", model_type="mistral3", architectures=["LightOnOCRForConditionalGeneration"])
    assert find(str(mine)).recipe.name == "lighton-ocr"


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


def test_an_unknown_target_is_told_what_else_can_be_named():
    with pytest.raises(UsageError, match=r"a hub id .* a folder .* a server"):
        find("gpt4")


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
