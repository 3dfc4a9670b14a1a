"""What doctor finds, and the remedies it names; each on a machine that lacks one thing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docparse_fast.cli import run
from docparse_fast.doctor import examining
from docparse_fast.doctor.examining import examine
from docparse_fast.doctor.reporting import report
from docparse_fast.drafting.scans.recognizer_weights import EIGHT_BITS, FLOATS, recognizer_identity
from docparse_fast.models import inventory
from docparse_fast.run.provenance import models
from docparse_fast.system import language_data


@pytest.fixture(scope="module")
def found():
    return examine()


def test_the_findings_are_written_as_json_and_as_text(found, capsys):
    assert json.loads(json.dumps(found)) == found
    assert run(["doctor"]) == 0
    out = capsys.readouterr().out
    for title in ("packages", "machine", "drafters", "their weights", "targets", "limits", "network", "languages"):
        assert f"\n\n{title}\n" in out


def test_the_machine_is_measured(found):
    machine = found["machine"]
    assert 0 < machine["memory_free"] <= machine["memory"]
    assert machine["temporary"]["writable"]
    assert machine["temporary"]["private"]
    assert machine["drafting_threads"] >= 1
    assert machine["target"]["dtype"] in ("float32", "bfloat16")


def test_the_drafters_weights_are_read_and_compared(found):
    weights = found["weights"]
    assert {name for name, state in weights.items() if state["intact"]} >= {
        "text-detection",
        "layout",
        "page-orientation",
    }


def test_weights_that_were_changed_are_named_with_what_to_do(tmp_path, monkeypatch):
    data = tmp_path / "data"
    (data / "models").mkdir(parents=True)
    for path in (inventory.OWN / "models").iterdir():
        (data / "models" / path.name).write_bytes(path.read_bytes())
    (data / "models" / "slanet_plus.onnx").write_bytes(b"something else")
    monkeypatch.setattr(inventory, "OWN", data)
    found = examine()
    assert "weights table-structure: changed: slanet_plus.onnx; reinstall docparse-fast" in found["advice"]
    said = report(found)
    assert said.index("  - weights table-structure: changed") < said.index("packages")  # first what to do
    assert run(["doctor"]) == 1


def test_a_temporary_folder_that_cannot_be_written_is_named(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(examining.tempfile, "gettempdir", refuse)
    assert "no temporary folder can be written to; name one in TMPDIR" in examine()["advice"]


def test_little_free_memory_is_reported(monkeypatch):
    monkeypatch.setattr(examining, "LEAST_MEMORY", 10**15)
    assert any("of memory is free; take a smaller --max-pixels" in line for line in examine()["advice"])


def test_the_containers_limit_counts_where_it_is_the_smaller(monkeypatch):
    monkeypatch.setattr(
        examining, "_number_in", lambda path: {"memory.max": 10**9, "memory.current": 4 * 10**8}[path.name]
    )
    assert examining._memory() == (10**9, 6 * 10**8)


def test_the_reported_limits_are_in_force(found):
    from docparse_fast.options import RasterOptions
    from docparse_fast.pages.weight import MOST_DRAWN

    assert found["limits"]["pixels of a page (--max-pixels)"] == RasterOptions().pixel_cap
    assert MOST_DRAWN in found["limits"].values()


def test_an_address_is_shown_without_its_password(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "https://me:secret@hub.example")
    assert examine()["network"]["HF_ENDPOINT"] == "https://hub.example"


def test_a_language_without_data_is_named_with_the_command_that_brings_it(monkeypatch, tmp_path):
    monkeypatch.setattr(language_data, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    found = examine()
    assert found["languages"]["data"]["Greek"]["remedy"].startswith("apt-get install tesseract-ocr-ell")
    assert "Greek (ell)" in report(found)
    assert "no folder of Tesseract's is here" in report(found)


def test_a_language_with_data_is_named_with_its_folder(monkeypatch, tmp_path):
    (tmp_path / "ell.traineddata").write_bytes(b"x")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    found = examine()["languages"]
    assert found["data"]["Greek"]["folder"] == str(tmp_path)
    assert str(tmp_path) in found["folders"]


def test_a_document_records_which_recogniser_would_have_read_it():
    assert models()["recogniser"] == recognizer_identity()
    name, _, digest = recognizer_identity().partition(" sha256:")
    assert name in (EIGHT_BITS, FLOATS)
    weights = [model for model in inventory.all_models() if name in {Path(file).name for file in model.files}]
    assert [next(iter(model.recorded.values()))[:12] for model in weights] == [digest]


def test_the_kernel_and_opencv_report_the_same_processor():
    import cv2

    from docparse_fast.drafting.scans.recognizer_weights import VNNI, recognizer_weights

    assert (recognizer_weights() == EIGHT_BITS) == bool(cv2.checkHardwareSupport(VNNI))
