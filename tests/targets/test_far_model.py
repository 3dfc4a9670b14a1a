"""A draft model in a process of its own: killed, stopped or failing, it takes no page along and leaves nothing."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.errors import DocparseError
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.drafting import NO_COSTS
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets import open_target
from docparse_fast.targets.far_messages import FarSetup
from docparse_fast.targets.far_model import FarModel

ROOT = Path(__file__).parents[2]
TOKENS = 40
SETUP = FarSetup("nano", "cpu", "float32", offline=True)
PROC = Path("/proc")
pytestmark = pytest.mark.skipif(not PROC.exists(), reason="reads /proc")


@pytest.fixture(scope="module")
def nano():
    return open_target("nano", device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def image():
    page = Image.open(ROOT / "samples/nano/page-01.png").convert("L")
    return page.crop((0, 0, page.width, page.height // 4))


@pytest.fixture(scope="module")
def answer(nano, image):
    return nano.generate(nano.page_view(image), TOKENS)


@pytest.fixture
def far(nano):
    return FarModel(nano, SETUP, patience=2.0)


@pytest.fixture(scope="module")
def unharmed(nano):
    """One for the tests that leave its process alone, the last of which has it end."""
    return [FarModel(nano, SETUP, patience=2.0)]


def drafts(far, image):
    """Asked whatever it costs: it is as large as its target here."""
    found = far.of_page(image)
    found.costs = NO_COSTS
    return found


def decode(nano, image, far, between=lambda: None):
    """`between` is called once the first proposal was made."""
    drafting = drafts(far, image)
    propose = drafting.propose

    def watched(written):
        for at, drafted in enumerate(propose(written)):
            yield drafted
            if not at:
                between()

    drafting.propose = watched
    row = Row(nano.page_view(image), max_tokens=TOKENS, drafting=drafting)
    [decoded] = spec_decode(nano.decoder, [row], Speculation(tau=1.0))
    return decoded


def children():
    return set(map(int, (PROC / f"self/task/{os.getpid()}/children").read_text().split()))


def open_files():
    return len(list((PROC / "self/fd").iterdir()))


def test_what_it_drafts_is_accepted_and_the_same_twice(nano, image, answer, unharmed):
    first, again = (decode(nano, image, *unharmed) for _ in range(2))
    assert first.tokens == again.tokens == answer
    assert (first.steps, first.model) == (again.steps, again.model)
    assert len(first.steps) < TOKENS / 2
    assert not first.model.failure


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_a_page_ends_without_its_drafting_process(nano, image, answer, far, number):
    pid = far.process.pid
    decoded = decode(nano, image, far, lambda: os.kill(pid, number))
    assert decoded.tokens == answer
    wanted = "its process ended: killed by SIGKILL" if number == signal.SIGKILL else "its process did not answer"
    assert decoded.model.failure == f"RuntimeError: {wanted}"
    assert not (PROC / str(pid)).exists()
    after = decode(nano, image, far)  # the next page
    assert (after.tokens, after.model.failure) == (answer, f"RuntimeError: {wanted}")


def test_a_process_that_stops_before_a_large_page_is_sent_holds_up_no_page(nano, image, answer, far):
    os.kill(far.process.pid, signal.SIGSTOP)
    large = image.resize((4000, 1000))  # more than a socket takes unread
    drafting = drafts(far, large)
    row = Row(nano.page_view(image), max_tokens=TOKENS, drafting=drafting)
    [decoded] = spec_decode(nano.decoder, [row], Speculation(tau=1.0))
    assert (decoded.tokens, decoded.model.failure) == (answer, "RuntimeError: its process did not answer")


def test_a_model_that_can_t_see_the_page_is_a_failure_of_that_page_alone(nano, image, answer, unharmed):
    failed = drafts(*unharmed, "no image")
    row = Row(nano.page_view(image), max_tokens=TOKENS, drafting=failed)
    [decoded] = spec_decode(nano.decoder, [row], Speculation(tau=1.0))
    assert decoded.tokens == answer
    assert "AttributeError" in decoded.model.failure
    assert not decode(nano, image, *unharmed).model.failure


def test_nothing_is_left_behind(unharmed):
    shared = set(Path("/dev/shm").iterdir())
    process = unharmed[0].process.pid
    gc.collect()
    before, files = children(), open_files()
    unharmed.clear()
    gc.collect()
    assert before - children() == {process}
    assert open_files() == files - 1, "its connection is closed"
    assert set(Path("/dev/shm").iterdir()) <= shared


OPENED = """
import os, signal
from docparse_fast.system.child_process import ChildProcess
from docparse_fast.targets.far_messages import FarReady, FarSetup
from docparse_fast.targets.far_model import MODULE

process = ChildProcess(MODULE, quiet=True)
process.connection.send(FarSetup("nano", "cpu", "float32", offline=True))
assert isinstance(process.connection.recv(), FarReady)
print(process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_it_ends_when_the_targets_process_is_killed():
    run = subprocess.run([sys.executable, "-c", OPENED], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == -signal.SIGKILL
    process = PROC / run.stdout.strip()
    end = time.monotonic() + 30
    while process.exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert not process.exists()


def test_a_model_that_is_not_there_is_refused_and_leaves_no_process(nano):
    before = children()
    with pytest.raises(DocparseError, match="nowhere"):
        FarModel(nano, FarSetup("./nowhere", "cpu", "float32", offline=True))
    gc.collect()
    assert children() == before
