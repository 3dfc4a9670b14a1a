"""How long torch's threads look before they sleep, as its own OpenMP library reports it when it is loaded."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("given", "looks"),
    [({}, "10000"), ({"GOMP_SPINCOUNT": "77"}, "77"), ({"OMP_WAIT_POLICY": "PASSIVE"}, "0")],
    ids=["nothing said", "a count", "a policy"],
)
def test_threads_that_wait_soon_sleep_unless_the_user_said_otherwise(given, looks):
    told = {name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    report = subprocess.run(
        [sys.executable, "-c", "import docparse_fast.targets, torch"],
        env=told | given | {"OMP_DISPLAY_ENV": "verbose"},
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    if "GOMP_" not in report:
        pytest.skip("torch's OpenMP library is another one here")
    assert re.search(r"GOMP_SPINCOUNT = '(\d+)'", report)[1] == looks
