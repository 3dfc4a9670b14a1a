"""What all tests share. Hypothesis finds the same examples in every run; set HYPOTHESIS_PROFILE=search for new ones."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

PATIENCE = 120  # seconds
TESTS = Path(__file__).parent
# What starts processes, reads real pages, loads weights or torch: folders and files. All else is a unit test.
E2E = (
    "agents/",
    "batch/",
    "bench/test_bench_engine.py",
    "bench/test_bench_run_nano.py",
    "bench/test_enlarging.py",
    "bench/test_generate.py",
    "bench/test_gpu_day.py",
    "bench/test_reproduce.py",
    "bench/test_what_it_gains.py",
    "cli/",
    "drafting/born_digital/test_page_tables.py",
    "drafting/test_auto.py",
    "drafting/test_layout.py",
    "drafting/test_said_once.py",
    "drafting/test_scripts_end_to_end.py",
    "drafting/scans/test_embedded.py",
    "drafting/scans/test_layout.py",
    "drafting/scans/test_ocr.py",
    "drafting/scans/test_orientation.py",
    "drafting/scans/test_printed_code.py",
    "drafting/scans/test_scanned_tables.py",
    "drafting/scans/test_sheets.py",
    "drafting/scans/test_unread.py",
    "models/test_models.py",
    "proofreading/test_proofreading.py",
    "pages/test_pages_bombs.py",
    "pages/test_pages_fuzz.py",
    "progress/",
    "rendering/test_html_report.py",
    "review/test_review.py",
    "review/test_review_browser.py",
    "run/test_stored.py",
    "scripts/",
    "searchable/test_searchable_pdf.py",
    "serving/test_batch_on_a_server.py",
    "serving/test_with_nano.py",
    "targets/decoder/",
    "targets/heads/",
    "targets/loading/",
    "targets/models/",
    "targets/test_drafting_model.py",
    "targets/test_far_model.py",
    "targets/test_waiting_threads.py",
    "test_ci_files.py",
    "test_docs.py",
    "test_docs_figures.py",
    "test_doctor.py",
    "test_files_of_others.py",
    "test_fuzz.py",
    "test_layers.py",
    "test_nano.py",
    "test_samples.py",
    "test_security.py",
    "test_security_network.py",
    "test_work.py",
    "warm/test_keeper.py",
)
OTHERS = ("e2e", "slow", "independent", "gpu")  # marks that a test gives itself

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure(config: pytest.Config) -> None:
    """What passes cost on this machine is measured anew: a table kept from a busy hour let a test fail for ever."""
    if not hasattr(config, "workerinput"):  # workers inherit it
        os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="docparse-fast-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["XDG_CACHE_HOME"], ignore_errors=True)


@pytest.fixture(autouse=True)
def _own_settings():
    """The command line sets the log level and `--offline` for the whole process; the next test starts without them."""
    offline = os.environ.get("HF_HUB_OFFLINE")
    yield
    logging.getLogger("docparse_fast").setLevel(logging.NOTSET)
    os.environ.pop("HF_HUB_OFFLINE", None)
    if offline is not None:
        os.environ["HF_HUB_OFFLINE"] = offline


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


@pytest.fixture
def workers_nearby(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch's worker in a thread of this process: a process takes half a second to start."""
    from nearby import Nearby

    monkeypatch.setattr("docparse_fast.batch.crew.LocalEngine", Nearby)


@pytest.fixture(scope="module")
def pass_costs() -> Iterator[None]:
    """What passes cost on a quiet CPU, in place of timing them, which takes seconds for each model."""
    from docparse_fast.targets.decoder import measuring_passes
    from docparse_fast.targets.decoder.pass_costs import Measured

    def measured(_, __, widths, *___):
        return Measured((1,), (tuple(1 + (width - 1) / 16 for width in widths),), 0.001, is_whole=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring_passes, "measure", measured)
        yield


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


def is_e2e(path: Path) -> bool:
    place = f"{path.relative_to(TESTS).as_posix()}{'' if path.suffix else '/'}" if path.is_relative_to(TESTS) else ""
    return place.startswith(E2E)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """For unit tests alone no other is imported: that, and torch for it, would take longer than they do."""
    return (config.getoption("markexpr") == "unit" and is_e2e(collection_path)) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks them. The dear ones come first, so that no worker is left alone with one at the end."""
    for item in items:
        if is_e2e(item.path):
            item.add_marker(pytest.mark.e2e)
        elif not any(item.get_closest_marker(name) for name in OTHERS):
            item.add_marker(pytest.mark.unit)
    items.sort(key=lambda item: not is_e2e(item.path))


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: Python's collector needn't look at it again and again."""
    gc.collect()
    gc.freeze()


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
