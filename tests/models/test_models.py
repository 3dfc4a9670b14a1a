"""`models`: what is listed, what is fetched from a hub that runs on this machine, and what `verify` finds amiss."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fake_hub import COMMIT, serving

from docparse_fast.cli import run
from docparse_fast.models import all_models, model_named, verify
from docparse_fast.models.downloading import Published, arrived_bytes, is_wanted
from docparse_fast.system.digests import RECORD, packaged_digests, record_in, sha256_of
from docparse_fast.targets.loading.checkpoint import ELSEWHERE, NEEDED, find

ROOT = Path(__file__).parents[2]
DATA = ROOT / "docparse_fast" / "data"
NANO = DATA / "nano"
WEIGHTS = b"weights" * 5000
CHECKPOINT = {
    "config.json": json.dumps({"model_type": "qwen3_vl"}).encode(),
    "tokenizer.json": b'{"a": 1}',
    "model.safetensors": WEIGHTS,
}
UNWANTED = {"modeling_evil.py": b"import os", "pytorch_model.bin": b"\x80pickle" * 500, "README.md": b"words"}


@pytest.fixture
def cli(tmp_path):
    """docparse-fast in a process of its own (the hub's client reads its settings when it is imported)."""

    def call(*arguments: object, hub: str = "http://127.0.0.1:9", **environment: str) -> subprocess.CompletedProcess:
        settings = {"HF_ENDPOINT": hub, "HF_HOME": str(tmp_path / "hf"), "PYTHONPATH": str(ROOT)}
        dropped = ("HF_HUB_OFFLINE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")
        inherited = {name: value for name, value in os.environ.items() if name not in dropped}
        command = [sys.executable, "-m", "docparse_fast", *map(str, arguments)]
        return subprocess.run(
            command, env=inherited | settings | environment, capture_output=True, text=True, timeout=120
        )

    return call


@pytest.fixture
def copied(cli, tmp_path):
    """A target fetched into a folder."""
    with serving(CHECKPOINT | UNWANTED) as hub:
        done = cli("models", "download", "owner/model", "--to", tmp_path / "weights", hub=hub.url)
    assert done.returncode == 0, done.stderr
    return tmp_path / "weights"


# ------------------------------------------------------------------------------------------------- the list


def test_every_target_of_the_catalogue_and_every_drafters_weights_are_listed(capsys):
    assert run(["models", "list", "--json"]) == 0
    found = {model["name"]: model for model in json.loads(capsys.readouterr().out)}
    assert {"dots.ocr", "nano", "qwen3-vl-2b", "text-detection", "layout", "ppstructure"} <= set(found)
    assert found["nano"]["here"]
    assert found["nano"]["bytes"] > 9_000_000
    assert found["text-recognition"]["sha256"].keys() == {"rapidocr/models/PP-OCRv6_rec_small.onnx"}
    assert all(model["licence"] for model in found.values())


def test_what_is_not_here_has_no_size_and_no_digest(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    absent = model_named("dots.ocr")
    assert (absent.here, absent.bytes, absent.recorded) == (False, 0, None)


def test_the_table_names_what_is_here_and_what_is_not(capsys):
    assert run(["models", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "drafters"
    assert any(line.split()[:1] == ["page-orientation"] and "6.8 MB" in line for line in lines)
    assert max(map(len, lines)) < 300


def test_the_digests_that_ship_are_those_of_the_files():
    """After new weights: python scripts/training/record_weights.py."""
    for folder in (DATA / "models", NANO):
        recorded = packaged_digests(folder)
        assert {name: sha256_of(folder / name) for name in recorded} == recorded
    assert {path.name for path in (DATA / "models").glob("*.onnx")} == set(packaged_digests(DATA / "models"))


def test_the_weights_in_wheels_and_in_the_package_are_intact():
    verdicts = [verify(model) for model in all_models() if model.kind == "drafter" and model.recorded]
    assert len(verdicts) == 8
    assert [verdict.in_words for verdict in verdicts if not verdict.intact] == []


# ------------------------------------------------------------------------------------------------ download


def test_a_download_brings_weights_settings_and_tokenizers_and_nothing_that_runs(copied):
    assert {path.name for path in copied.iterdir() if not path.name.startswith(".")} == {*CHECKPOINT, RECORD}


def test_a_download_records_commit_licence_and_what_came(copied):
    record = record_in(copied)
    assert (record.source, record.revision, record.licence) == ("owner/model", COMMIT, "mit")
    assert record.files == {name: hashlib.sha256(data).hexdigest() for name, data in CHECKPOINT.items()}
    assert record.bytes == sum(map(len, CHECKPOINT.values()))


def test_a_folder_that_was_downloaded_is_known_by_the_hubs_commit(copied):
    assert find(str(copied), offline=True).revision == COMMIT
    (copied / "model.safetensors").write_bytes(WEIGHTS + b"more")
    assert find(str(copied), offline=True).revision.startswith("local-")


def test_without_a_folder_it_goes_where_the_name_finds_it(cli, tmp_path):
    with serving(CHECKPOINT | UNWANTED) as hub:
        assert cli("models", "download", "qwen3-vl-2b", hub=hub.url).returncode == 0
    listed = json.loads(cli("models", "list", "--json").stdout)
    (found,) = [model for model in listed if model["name"] == "qwen3-vl-2b"]
    assert found["here"]
    assert found["revision"] == COMMIT
    assert cli("models", "verify", "qwen3-vl-2b").returncode == 0
    blob = next(path for path in (tmp_path / "hf").rglob("blobs/*") if path.stat().st_size == len(WEIGHTS))
    blob.write_bytes(b"W" + WEIGHTS[1:])
    assert "changed: model.safetensors" in cli("models", "verify", "qwen3-vl-2b").stdout


def test_a_cache_that_another_tool_filled_is_verified_by_the_hubs_own_digests(cli, tmp_path):
    with serving(CHECKPOINT) as hub:
        assert cli("models", "download", "qwen3-vl-2b", hub=hub.url).returncode == 0
    snapshot = next((tmp_path / "hf").rglob(f"snapshots/{COMMIT}"))
    (snapshot / RECORD).unlink()
    assert "intact, 3 files" in cli("models", "verify", "qwen3-vl-2b").stdout
    (snapshot / "tokenizer.json").resolve().write_bytes(b'{"a": 2}')
    assert "changed: tokenizer.json" in cli("models", "verify", "qwen3-vl-2b").stdout


def test_a_download_that_broke_off_goes_on_where_it_was(cli, tmp_path):
    weights = os.urandom(40_000_000)
    with serving(CHECKPOINT | {"model.safetensors": weights}, breaks_off={"model.safetensors": 30_000_000}) as hub:
        asked = ("models", "download", "owner/model", "--to", tmp_path / "weights")
        first = cli(*asked, hub=hub.url)
        assert (first.returncode == 0) or not (tmp_path / "weights" / RECORD).exists()
        assert cli(*asked, hub=hub.url).returncode == 0
        assert hub.sent["model.safetensors"] < 1.5 * len(weights)
    assert (tmp_path / "weights" / "model.safetensors").read_bytes() == weights


def test_what_has_arrived_needs_no_room(tmp_path):
    published = Published("owner/model", COMMIT, "mit", {"a.safetensors": 4, "sub/b.json": 3, "c.json": 2}, {})
    assert arrived_bytes(published, tmp_path / "weights") == 0
    (tmp_path / "weights" / "sub").mkdir(parents=True)
    (tmp_path / "weights" / "sub" / "b.json").write_bytes(b"123")
    (tmp_path / "weights" / "c.json").write_bytes(b"1")  # broken off
    assert arrived_bytes(published, tmp_path / "weights") == 3


def test_a_file_that_is_not_what_the_hub_says_is_refused_and_not_recorded(cli, tmp_path):
    with serving(CHECKPOINT, lies={"model.safetensors": "0" * 64}) as hub:
        done = cli("models", "download", "owner/model", "--to", tmp_path / "weights", hub=hub.url)
    assert done.returncode == 1
    assert "model.safetensors" in done.stderr.splitlines()[-1]
    assert "model_missing" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "weights" / RECORD).exists()


def test_a_model_without_safetensors_is_refused(cli, tmp_path):
    with serving({"config.json": b"{}", **UNWANTED}) as hub:
        done = cli("models", "download", "owner/model", "--to", tmp_path / "weights", hub=hub.url)
    assert done.stderr == (
        "docparse-fast: error: model_missing: owner/model publishes no safetensors, and nothing else is loaded; "
        "choose another\n"
    )
    assert (done.returncode, (tmp_path / "weights").exists()) == (1, False)


def test_a_hub_that_names_files_elsewhere_gets_none_of_them_written(cli, tmp_path):
    with serving(CHECKPOINT | {"../../outside.json": b"{}", "/tmp/outside.json": b"{}"}) as hub:
        assert cli("models", "download", "owner/model", "--to", tmp_path / "a" / "b", hub=hub.url).returncode == 0
    assert not list(tmp_path.glob("**/outside.json"))


def test_without_a_hub_it_is_one_line_and_exit_1(cli, tmp_path):
    done = cli("models", "download", "dots.ocr", "--to", tmp_path / "weights")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("docparse-fast: error: model_missing: rednote-hilab/dots.ocr can't be fetched (")
    assert not (tmp_path / "weights").exists()


def test_where_the_environment_forbids_the_network_nothing_is_asked(cli):
    done = cli("models", "download", "dots.ocr", HF_HUB_OFFLINE="1")
    assert (done.returncode, done.stderr.splitlines()) == (
        1,
        [
            "docparse-fast: error: model_missing: rednote-hilab/dots.ocr can't be fetched: HF_HUB_OFFLINE is set; "
            "unset it"
        ],
    )


@pytest.mark.parametrize("name", ["nano", "layout", "../up", "a/b/c"])
def test_what_no_hub_has_is_a_usage_error(name, capsys):
    assert run(["models", "download", name]) == 2
    assert capsys.readouterr().err.startswith("docparse-fast: error: usage: ")


# -------------------------------------------------------------------------------------------------- verify


def verified(capsys, *names: object) -> tuple[int, list[dict]]:
    code = run(["models", "verify", "--json", *map(str, names)])
    return code, json.loads(capsys.readouterr().out)


def test_an_untouched_folder_is_intact_wherever_it_is_copied(copied, tmp_path, capsys):
    moved = shutil.copytree(copied, tmp_path / "elsewhere")
    code, (verdict,) = verified(capsys, moved)
    assert (code, verdict["intact"], verdict["files"]) == (0, True, 3)


def test_every_file_missing_changed_or_extra_is_named(copied, capsys):
    (copied / "tokenizer.json").unlink()
    (copied / "model.safetensors").write_bytes(WEIGHTS[:-1] + b"!")
    (copied / "modeling.py").write_text("import os")
    code, (verdict,) = verified(capsys, copied)
    assert code == 1
    assert (verdict["missing"], verdict["changed"], verdict["extra"]) == (
        ["tokenizer.json"],
        ["model.safetensors"],
        ["modeling.py"],
    )


def test_some_that_differ_are_exit_3_and_a_line_each_on_stderr(copied, capsys):
    (copied / "config.json").write_text("{}")
    assert run(["models", "verify", str(copied), "page-orientation"]) == 3
    out, err = capsys.readouterr()
    assert f"{copied} changed: config.json" in out
    assert "page-orientation      intact, 1 file" in out
    (line,) = err.splitlines()
    assert line.startswith(f"docparse-fast: error: model_missing: {copied}: changed: config.json; ")


def test_weights_of_unknown_origin_are_not_called_intact(tmp_path, capsys):
    folder = tmp_path / "found"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    code, (verdict,) = verified(capsys, folder)
    assert (code, verdict["intact"], verdict["verdict"]) == (1, False, "nothing was recorded to compare with")


def test_a_record_that_is_torn_proves_nothing(copied, capsys):
    (copied / RECORD).write_text((copied / RECORD).read_text()[:100])
    code, (verdict,) = verified(capsys, copied)
    assert (code, verdict["verdict"]) == (1, "nothing was recorded to compare with")


def test_a_folder_that_is_not_there_and_a_name_misspelt(tmp_path, capsys):
    assert run(["models", "verify", str(tmp_path / "none")]) == 1
    assert "there is no such folder" in capsys.readouterr().err
    assert run(["models", "verify", "nanoo"]) == 2
    assert "did you mean 'nano'" in capsys.readouterr().err


def test_verifying_all_that_is_here_passes_on_a_sound_installation(capsys):
    assert run(["models", "verify"]) == 0
    assert "nano                  intact, 6 files" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", [[], ["list"], ["download"], ["verify"]], ids=lambda words: "-".join(words) or "all"
)
def test_help_reads_as_it_was_agreed(command, monkeypatch, capsys, golden):
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["models", *command, "--help"]) == 0
    golden(ROOT / "tests" / "golden" / "help" / f"{'-'.join(['models', *command])}.txt", capsys.readouterr().out)


def test_the_hubs_client_and_models_download_fetch_the_same_files():
    """HunyuanOCR's release before stands in a folder of its own, and the head that drafts for it in another."""
    from huggingface_hub.utils import filter_repo_objects

    names = [f"{folder}model.safetensors" for folder in ("", "dflash/", "v1.0/", "dist/")]
    names += ["config.json", "dflash/config.json", "v1.0/config.json", "modeling.py"]
    fetched = filter_repo_objects(names, allow_patterns=list(NEEDED), ignore_patterns=list(ELSEWHERE))
    assert list(fetched) == ["model.safetensors", "dflash/model.safetensors", "config.json", "dflash/config.json"]
    assert [name for name in names if is_wanted(name)] == [
        "model.safetensors", "dflash/model.safetensors", "config.json", "dflash/config.json"
    ]  # fmt: skip
