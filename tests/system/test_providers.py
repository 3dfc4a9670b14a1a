"""Where the models that draft run: named, found by files, tried once against the processor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from docparse_fast.drafting.scans.recognizer_weights import FLOATS, recognizer_weights
from docparse_fast.errors import UsageError
from docparse_fast.options import DraftOptions
from docparse_fast.provider_trial import ProviderTrial, kept_trial, tried, with_provider
from docparse_fast.system import providers

SOONER = ProviderTrial(works=True, same=True, seconds=0.1, on_cpu=0.4)


@pytest.fixture(autouse=True)
def _on_the_processor_again():
    yield
    providers.choose(providers.CPU)


def settled(asked: str, there: tuple[str, ...], trial: ProviderTrial = SOONER) -> str:
    return with_provider(DraftOptions(provider=asked), there, lambda name: trial).provider


def test_a_runtimes_providers_are_told_by_its_files(tmp_path: Path):
    (tmp_path / "capi").mkdir()
    assert "cuda" not in providers.installed(tmp_path)
    for name in ("libonnxruntime_providers_cuda.so", "onnxruntime_providers_tensorrt.dll", "libonnxruntime.so.1"):
        (tmp_path / "capi" / name).touch()
    assert {"cuda", "tensorrt"} <= set(providers.installed(tmp_path))
    assert not {"openvino", "directml"} & set(providers.installed(tmp_path))


def test_auto_takes_what_is_installed_and_never_what_builds_an_engine_for_each_size():
    assert settled("auto", ("cuda", "tensorrt")) == "cuda"
    assert settled("auto", ("tensorrt",)) == settled("auto", ()) == "cpu"


@pytest.mark.parametrize(
    "trial",
    [ProviderTrial(works=False), replace(SOONER, same=False), replace(SOONER, seconds=0.5)],
    ids=["finds no device", "reads otherwise", "takes longer"],
)
def test_auto_stays_on_the_processor_where_a_provider(trial: ProviderTrial):
    assert settled("auto", ("cuda",), trial) == "cpu"


def test_one_that_is_named_is_taken_and_what_it_reads_otherwise_is_said(caplog):
    assert settled("openvino", ("openvino",), replace(SOONER, same=False)) == "openvino"
    assert "read a sample page otherwise" in caplog.text


def test_one_that_is_not_installed_or_finds_no_device_is_refused():
    with pytest.raises(UsageError, match="has no such provider") as caught:
        settled("cuda", ())
    assert "onnxruntime-gpu" in caught.value.remedy
    with pytest.raises(UsageError, match="finds no device"):
        settled("cuda", ("cuda",), ProviderTrial(works=False))


def test_a_provider_is_tried_once(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked: list[str] = []

    def run(name: str) -> ProviderTrial:
        asked.append(name)
        return SOONER

    assert kept_trial("cuda", run) == kept_trial("cuda", run) == SOONER
    assert asked == ["cuda"]


def test_a_model_that_a_provider_cannot_load_stays_on_the_processor():
    """OpenVINO can't load the layout model, and all drafting failed with it."""

    def open_with(names: list[str]) -> list[str]:
        if len(names) > 1:
            raise RuntimeError("a rank varies")
        return names

    providers.choose("openvino")
    assert providers.opened(open_with) == ["CPUExecutionProvider"]


def test_other_providers_read_with_the_weights_that_were_not_made_for_this_processor():
    providers.choose("cuda")
    assert recognizer_weights() == FLOATS


def test_a_provider_that_is_not_there_does_not_work_and_the_choice_stays():
    assert not tried("tensorrt").works
    assert providers.chosen() == providers.CPU
