"""A batch with a target on a server: killed and resumed, and with a server that fails and comes back."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from kill_resume import make_documents, trial
from PIL import Image
from targets.hosts.stub_server import Stub, says, serving

from docparse_fast.cli import run

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks for orphans in /proc")


def reader(picture: Image.Image, body: dict[str, Any]) -> dict[str, Any]:
    """The same words for the same picture, whenever and beside whatever it is asked."""
    return says(
        f"A picture of {picture.width} by {picture.height}, {sum(picture.convert('L').histogram()[:128])} dark."
    )


@needs_proc
def test_a_killed_batch_leaves_what_an_undisturbed_one_leaves(tmp_path: Path) -> None:
    with serving(Stub(reader, models=[{"id": "nano"}])) as stub:
        account = trial(tmp_path, kills=3, documents=3, jobs=2, seed=7, target=stub.url, say=False)
    assert (account.orphans, account.differences) == (0, [])


def test_documents_of_one_page_are_asked_for_at_once(tmp_path: Path) -> None:
    make_documents(tmp_path / "in", 8, seed=1)
    with serving(Stub(reader, models=[{"id": "nano"}], wait=0.5)) as stub:
        code = run(
            ["batch", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--jobs", "2", "-q", "--target", stub.url]
        )
    assert code == 0
    assert stub.most_at_once > 1


def test_a_server_that_dies_in_mid_batch_leaves_its_pages_to_the_other(tmp_path: Path) -> None:
    make_documents(tmp_path / "in", 6, seed=2)
    arguments = ["batch", str(tmp_path / "in"), "--jobs", "2", "-q", "--in-flight", "2"]
    with serving(Stub(reader, models=[{"id": "nano"}])) as stays:
        assert run([*arguments, "-o", str(tmp_path / "calm"), "--target", stays.url]) == 0
        stays.asked.clear()
        with ExitStack() as stack:
            dies = Stub(reader, models=[{"id": "nano"}])
            dies.reader = lambda picture, body: stack.close() or reader(picture, body)  # with its first page in hand
            stack.enter_context(serving(dies))
            assert run([*arguments, "-o", str(tmp_path / "out"), "--target", f"{dies.url},{stays.url}"]) == 0
    assert len(dies.asked) >= 1
    pages = [path.relative_to(tmp_path / "calm") for path in (tmp_path / "calm").rglob("page-*.md")]
    assert len(pages) > 1
    assert [(tmp_path / "out" / page).read_bytes() for page in pages] == [
        (tmp_path / "calm" / page).read_bytes() for page in pages
    ]


def test_faults_on_the_way_lose_no_page_and_write_none_twice(tmp_path: Path) -> None:
    make_documents(tmp_path / "in", 6, seed=2)
    faults = ["500", "hang up", "", "429", "half", "", "503"]
    with serving(Stub(reader, models=[{"id": "nano"}], faults=faults)) as stub:
        run(["batch", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--jobs", "2", "-q", "--target", stub.url])
        url, port = stub.url, stub.port
    with serving(Stub(reader, models=[{"id": "nano"}], port=port)) as calm:
        assert calm.url == url
        run(["batch", str(tmp_path / "in"), "-o", str(tmp_path / "calm"), "--jobs", "2", "-q", "--target", url])
    pages = {path.relative_to(tmp_path / "calm") for path in (tmp_path / "calm").rglob("page-*.md")}
    assert pages
    for page in pages:
        assert (tmp_path / "out" / page).read_bytes() == (tmp_path / "calm" / page).read_bytes()
