"""Opens small ONNX models where they are to run, with a given number of threads and without memory that grows."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docparse_fast.errors import ModelError
from docparse_fast.system.providers import opened

if TYPE_CHECKING:
    import onnxruntime as ort


def let_nothing_be_reported() -> None:
    """To be called before anything loads ONNX Runtime.

    Its published wheels report to their maker over the network, under a lasting id, unless they are told not to before
    they load. What reads people's documents reports to nobody.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def open_session(weights: Path | bytes, threads: int) -> ort.InferenceSession:
    let_nothing_be_reported()
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what fails is raised
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # which is CPU time for nothing
    options.enable_cpu_mem_arena = False  # pages differ in size; an arena keeps the largest of each shape
    options.enable_mem_pattern = False  # nor is a plan kept for each size of a line that was ever read
    model = str(weights) if isinstance(weights, Path) else weights
    return opened(lambda names: ort.InferenceSession(model, options, providers=names))


def packaged(name: str) -> Path:
    """The path of weights inside the package, under data/models."""
    path = Path(__file__).parents[1] / "data" / "models" / name
    if not path.is_file():
        raise ModelError(
            "model_missing", f"the packaged weights {name} are not there", remedy="reinstall docparse-fast"
        )
    return path


class Network:
    """A packaged network, opened when it is first asked."""

    weights: ClassVar[str]

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    @property
    def _path(self) -> Path:
        return packaged(self.weights)

    @cached_property
    def _session(self) -> Any:
        return open_session(self._path, self._threads)

    def _noted(self, key: str) -> str:
        """What its file says of its answers."""
        return str(self._session.get_modelmeta().custom_metadata_map[key])
