"""What all tests share. Hypothesis finds the same examples in every run; set HYPOTHESIS_PROFILE=search for new ones."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

PATIENCE = 120  # seconds

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(autouse=True)
def _own_log_level():
    """The command line sets how much is logged, for the whole process; the next test starts without that."""
    yield
    logging.getLogger("docparse_fast").setLevel(logging.NOTSET)


@pytest.fixture
def patience() -> Iterator[None]:
    """Ends a test that hangs. It measures nothing: what it guards takes a second, and its failure takes for ever."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"not done after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite what is expected; the run then fails")
    parser.addoption("--blocked", choices=("always", "never"), help="which layers every target's passes read")


@pytest.fixture(scope="session", autouse=True)
def _layout(request: pytest.FixtureRequest) -> None:
    """Which layers passes read is decided on the machine at hand; all tests must hold with either."""
    asked = request.config.getoption("--blocked")
    if asked:
        from docparse_fast.targets.decoder.layouts import Layout
        from docparse_fast.targets.decoder.vlm import VisionLanguageTarget

        layout = Layout.BLOCKED if asked == "always" else Layout.PLAIN
        VisionLanguageTarget.__init__.__kwdefaults__["layout"] = layout


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.getoption("--update-golden"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED  # so that no CI ever passes by rewriting


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Holds a text against the file of what is expected: a changed file is a changed promise."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8")

    return check
