"""The models that verify. Only this package imports torch and transformers, and only when a target is opened."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse_fast.errors import ModelError

if TYPE_CHECKING:
    from docparse_fast.targets.decoder.device_trial import DeviceTrial
    from docparse_fast.targets.loading.checkpoint import Checkpoint
    from docparse_fast.targets.loading.document_model import DocumentModel

SPINS = "10000"
NONE_HERE = "no target's weights are on this machine"


def open_target(
    name: str,
    *,
    device: str = "auto",
    dtype: str = "auto",
    offline: bool = False,
    temperature: float = 0.0,
    repetition_penalty: float | None = None,
    cuda_graphs: str = "auto",
    with_head: bool = True,
) -> DocumentModel:
    """Opens a target by name, hub id or folder. Above temperature 0 it draws, always the same for the same image.

    Unless it is to be left out, a head that the checkpoint carries drafts too.

    >>> open_target("dots.ocr").identity.name                      # doctest: +SKIP
    'dots.ocr'
    """
    from docparse_fast.targets.loading.checkpoint import find

    let_waiting_threads_sleep()
    where = find(name, offline=offline)
    return _opened(where, device, dtype, temperature, repetition_penalty, cuda_graphs, with_head)


def best_here(device: str = "auto", dtype: str = "auto") -> tuple[Checkpoint | None, str]:
    """The target that `auto` chooses, the best on this machine that fits one of its GPUs, and the reason in words."""
    from docparse_fast.targets.loading.hub_cache import holds_models

    if not holds_models():
        return None, NONE_HERE  # without loading the catalogue, which knows every target's dialect
    from docparse_fast.targets.loading.checkpoint import here

    candidates = [where for where in here() if where.recipe.may_be_auto]
    if not candidates:
        return None, NONE_HERE
    let_waiting_threads_sleep()
    try:
        from docparse_fast.targets.decoder.memory import free_bytes
        from docparse_fast.targets.loading.devices import choose, needed_bytes, why_unused
    except ImportError:
        return None, "torch and transformers are not installed (pip install 'docparse-fast[vlm]')"
    choice = choose(device, dtype)
    if choice.device.type == "cpu":
        unused = why_unused()
        why = unused[0] if unused else "there is no GPU to run it on"
        return None, f"{candidates[0].name} is on this machine, but {why}; name it to have it run"
    free = free_bytes(choice.device)
    for where in candidates:
        if needed_bytes(where, choice) <= free:
            return where, f"{where.name} is the best target on this machine that fits {choice.device}"
    return None, f"none of {', '.join(where.name for where in candidates)} fits the {free / 1e9:.1f} GB free"


@dataclass(frozen=True, slots=True)
class Runner:
    """The device and dtype that `--device auto --dtype auto` choose."""

    device: str
    name: str
    dtype: str
    free_bytes: int
    unused: str = ""  # why a GPU of this machine isn't used, and what to do


def runner_here() -> Runner | None:
    """None if torch and transformers are not installed or can't be imported."""
    let_waiting_threads_sleep()
    try:
        from docparse_fast.targets.decoder.machine import device_name
        from docparse_fast.targets.decoder.memory import free_bytes
        from docparse_fast.targets.loading.devices import choose, why_unused
    except ImportError:
        return None
    choice = choose("auto", "auto")
    dtype = str(choice.dtype).removeprefix("torch.")
    unused = "; ".join(why_unused() or ())
    return Runner(str(choice.device), device_name(choice.device), dtype, free_bytes(choice.device), unused)


def try_runner(device: str = "auto") -> DeviceTrial | None:
    """What a target needs of the device, tried with a small random model; None if there is nothing to try it with."""
    let_waiting_threads_sleep()
    try:
        from docparse_fast.targets.decoder.device_trial import try_device
        from docparse_fast.targets.loading.devices import choose
    except ImportError:
        return None
    choice = choose(device, "auto")
    return try_device(choice.device, choice.dtype)


def let_waiting_threads_sleep() -> None:
    """Sets a variable that torch's OpenMP library reads when torch is first imported.

    A thread that waits for the others checks 300,000 times before it sleeps, which takes most of the time on a machine
    that also does other work.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)


def _opened(
    where: Checkpoint,
    device: str,
    dtype: str,
    temperature: float,
    repetition_penalty: float | None,
    cuda_graphs: str,
    with_head: bool,
) -> DocumentModel:
    try:
        from docparse_fast.targets.decoder.cuda_graphs import Recording
        from docparse_fast.targets.decoder.sampling import Decoding
        from docparse_fast.targets.loading.document_model import open_document_model
        from docparse_fast.targets.loading.weights import no_repeats_of, penalty_of
    except ImportError as error:
        raise ModelError(
            "model_missing",
            f"targets need torch and transformers ({error.name} is missing)",
            remedy="pip install 'docparse-fast[vlm]'",
        ) from error
    penalty = penalty_of(where) if repetition_penalty is None else repetition_penalty
    decoding = Decoding(temperature=temperature, repetition_penalty=penalty, no_repeats=no_repeats_of(where))
    recording = Recording(allowed=cuda_graphs != "never")
    return open_document_model(
        where, device=device, dtype=dtype, decoding=decoding, recording=recording, with_head=with_head
    )
