"""Where the small models that draft run: ONNX Runtime's execution providers. Knows names and files; opens no model.

One choice holds for a process, and for every model that it opens from then on.
"""

from __future__ import annotations

import importlib.util
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from docparse_fast.errors import UsageError

T = TypeVar("T")
CPU, AUTO = "cpu", "auto"
NAMES: Mapping[str, str] = {  # as ONNX Runtime says them; first those that `auto` may take, in their order
    "cuda": "CUDAExecutionProvider",
    "directml": "DmlExecutionProvider",
    "coreml": "CoreMLExecutionProvider",
    "openvino": "OpenVINOExecutionProvider",
    "tensorrt": "TensorrtExecutionProvider",
    CPU: "CPUExecutionProvider",
}
NEVER_AUTO = ("tensorrt", CPU)  # TensorRT builds an engine for each size of a line, for minutes
PACKAGES = {"cuda": "onnxruntime-gpu", "tensorrt": "onnxruntime-gpu", "directml": "onnxruntime-directml"}
PACKAGES |= {"openvino": "onnxruntime-openvino"}
PROVIDERS = (AUTO, CPU, *(name for name in NAMES if name != CPU))

_chosen = CPU


def choose(name: str) -> None:
    """For models that are opened from now on."""
    global _chosen
    _chosen = CPU if name == AUTO else name


def chosen() -> str:
    return _chosen


def opened(open_with: Callable[[list[str]], T]) -> T:
    """A session on the chosen provider; a model, or a part of one, that it can't run stays on the processor.

    >>> opened(lambda names: names)
    ['CPUExecutionProvider']
    """
    if _chosen != CPU:
        try:
            return open_with([NAMES[_chosen], NAMES[CPU]])
        except Exception:  # OpenVINO loads no graph whose ranks vary, such as the layout model's
            pass
    return open_with([NAMES[CPU]])


def installed(folder: Path | None = None) -> tuple[str, ...]:
    """The providers of the runtime that is installed, told by its files: loading it takes a fifth of a second.

    A provider that is there may still find no device.
    """
    folder = folder or _runtime()
    if folder is None:
        return ()
    names = {path.name.lower() for path in (folder / "capi").glob("*")}
    found = [
        name for name in NAMES if any(f"providers_{name}." in each for each in names)
    ]  # libonnxruntime_providers_cuda.so, onnxruntime_providers_cuda.dll
    if "directml.dll" in names:
        found.append("directml")
    if platform.system() == "Darwin":
        found.append("coreml")  # in every wheel for it
    return tuple(name for name in NAMES if name in found)


def checked(name: str, there: tuple[str, ...]) -> str:
    """The provider, or for `auto` the one that should be tried; UsageError for one that isn't installed.

    >>> checked("auto", ("openvino", "tensorrt")), checked("auto", ("tensorrt",)), checked("tensorrt", ("tensorrt",))
    ('openvino', 'cpu', 'tensorrt')
    """
    if name == AUTO:
        return next((each for each in there if each not in NEVER_AUTO), CPU)
    if name != CPU and name not in there:
        package = PACKAGES.get(name)
        raise UsageError(
            f"--draft-provider {name}: this ONNX Runtime has no such provider",
            remedy=f"pip uninstall onnxruntime, then pip install {package}" if package else "choose another",
        )
    return name


def _runtime() -> Path | None:
    found = importlib.util.find_spec("onnxruntime")
    folders = found.submodule_search_locations if found else None
    return Path(next(iter(folders))) if folders else None
