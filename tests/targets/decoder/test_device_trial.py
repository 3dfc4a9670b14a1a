"""What `doctor` tries of a device, with stand-ins for a GPU that captures and for one that can't."""

from __future__ import annotations

from dataclasses import asdict

import torch
from test_cuda_graphs import Again, Failing

from docparse_fast.doctor import reporting
from docparse_fast.targets.decoder.device_trial import try_device

CPU, FP32 = torch.device("cpu"), torch.float32


def in_words(trial):
    return reporting._trial_in_words(asdict(trial))


def test_a_device_without_graphs_is_tried_with_plain_passes():
    trial = try_device(CPU, FP32)
    assert trial.error == ""
    assert trial.cold_start_seconds > trial.pass_seconds > 0
    assert trial.replay_seconds is None
    assert set(in_words(trial)) == {"tried"}
    assert f"attention: {trial.attention}" in in_words(trial)["tried"]


def test_a_capture_that_works_is_said_with_its_time():
    recorder = Again()
    trial = try_device(CPU, FP32, recorder)
    assert (recorder.recordings, trial.graphs) == (1, "")
    assert in_words(trial)["CUDA graphs"].startswith("work; replayed, the pass took ")


def test_a_capture_that_fails_is_said_with_the_reason():
    trial = try_device(CPU, FP32, Failing(RuntimeError("operation not permitted when stream is capturing")))
    assert trial.error == ""
    assert in_words(trial)["CUDA graphs"] == (
        "don't work, so passes are slower: RuntimeError: operation not permitted when stream is capturing"
    )


def test_a_device_that_fails_is_reported_and_ends_nothing():
    trial = try_device(torch.device("cuda"), torch.bfloat16) if not torch.cuda.is_available() else None
    if trial is not None:
        assert trial.error
        assert in_words(trial) == {"tried": f"a pass fails there: {trial.error}"}
