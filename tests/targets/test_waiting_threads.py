"""How often waiting threads of torch check before they sleep, as its OpenMP library reports when it is loaded."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

COUNT = "GOMP_SPINCOUNT"
TELL = f"print(os.environ.get('{COUNT}'))"
given = pytest.mark.parametrize("given", [{}, {COUNT: "77"}, {"OMP_WAIT_POLICY": "PASSIVE"}], ids=str)


def python(code: str, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in (COUNT, "OMP_WAIT_POLICY")}
    return subprocess.run(
        [sys.executable, "-c", code], env=inherited | settings, capture_output=True, text=True, check=True
    )


@given
def test_a_users_own_setting_of_waiting_threads_is_kept(given):
    code = f"from docparse_fast.targets import let_waiting_threads_sleep as told; import os; told()\n{TELL}"
    assert python(code, given).stdout.strip() == ("10000" if not given else given.get(COUNT, "None"))


def test_importing_changes_no_environment_variable():
    code = "import os; before = dict(os.environ); import docparse_fast.targets, docparse_fast.system.onnx"
    python(f"{code}\nassert dict(os.environ) == before", {})


def test_torch_reads_the_setting_when_it_loads():
    report = python(
        "from docparse_fast.targets import runner_here; runner_here()", {"OMP_DISPLAY_ENV": "verbose"}
    ).stderr
    if "GOMP_" not in report:
        pytest.skip("torch's OpenMP library is another one here, which has no such setting")
    assert re.search(rf"{COUNT} = '(\d+)'", report)[1] == "10000"
