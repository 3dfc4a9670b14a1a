"""A target on a server: what it is asked, what its answers become, and what its failures cost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counted import calls_of
from fake_document_target import MARKDOWN
from PIL import Image, ImageDraw
from targets.hosts.stub_server import Stub, says, serving

from docparse_fast.cli import run
from docparse_fast.document import Box, Category, Draft, PageDraft, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.errors import ModelError, UsageError
from docparse_fast.options import ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.pipeline import verified
from docparse_fast.targets.dialects.general import read_prompt
from docparse_fast.targets.hosts.openai_server import Server, checked_url
from docparse_fast.targets.hosts.remote import DRAFTS, KEY, WORDS_A_TOKEN, RemoteTarget, open_remote
from docparse_fast.targets.hosts.servers import Seat, Servers
from docparse_fast.targets.loading.catalog import Recipe
from docparse_fast.verification.stages import Stages

FAKE = Recipe("fake", "fake", "", lambda: MARKDOWN)
LINES = ("The first line of the page.", "The second line of it.", "A third one, at the end.")
PAGE = "\n\n".join(LINES)


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving(Stub(lambda picture, body: says(PAGE))) as found:
        yield found


def target_of(stub: Stub, **more: Any) -> RemoteTarget:
    return RemoteTarget(servers_of(stub), FAKE, **more)


def servers_of(*stubs: Stub) -> Servers:
    servers = [Server(stub.url, None) for stub in stubs]
    return Servers([Seat(server, server.models()[0]) for server in servers], pause=0.001)


def drafted(number: int = 1, lines: tuple[str, ...] = LINES, width: int = 300) -> DraftedPage:
    regions = tuple(
        Region(Box(0, 40 * n, 300, 40 * n + 20), Category.TEXT, drafts=(Draft(line, "ocr", 0.9),))
        for n, line in enumerate(lines)
    )
    return DraftedPage(number, PageDraft(number, 300, 200, regions), picture=Image.new("RGB", (width, 200), "white"))


def read(stub: Stub, *pages: DraftedPage, options: SpeculationOptions | None = None, **more: Any) -> list[Any]:
    stages = Stages(target_of(stub, **more), options or SpeculationOptions(stages="2"))
    return list(verified(pages, stages))


# -------------------------------------------------------------------------------------------------- answers


def test_a_servers_answer_becomes_the_page(stub: Stub) -> None:
    [page] = read(stub, drafted())
    assert [block.text for block in page.blocks] == list(LINES)
    assert (page.status, page.verified) == ("ok", "page")


def test_what_came_from_a_draft_is_told_apart_from_what_did_not(stub: Stub) -> None:
    [page] = read(stub, drafted(lines=("The first line of the page.", "The sekond line of it.", LINES[2])))
    origins = [(span.text, span.origin) for span in page.blocks[1].spans]
    assert ("second", "own") in [(text.strip(), origin) for text, origin in origins]
    assert "one, at the end" in "".join(span.text for span in page.blocks[2].spans if span.origin == "accepted")
    assert [each.target for each in page.evidence.corrections] == ["second"]


def test_an_answer_cut_off_for_its_length_is_partial(stub: Stub) -> None:
    stub.reader = lambda picture, body: says(LINES[0] + "\n\nThe second", finish="length")
    [page] = read(stub, drafted())
    assert (page.status, page.error and page.error.code) == ("partial", "truncated")
    assert LINES[2] in page.blocks[-1].text  # its draft stands


def test_an_empty_answer_is_an_empty_page_and_no_crash(stub: Stub) -> None:
    stub.reader = lambda picture, body: says("")
    [page] = read(stub, drafted())
    assert page.status in ("ok", "partial")


def test_an_answer_longer_than_the_model_has_room_for_is_asked_for_without_a_limit(stub: Stub) -> None:
    stub.faults = ["too long"]
    [page] = read(stub, drafted())
    assert page.status == "ok"
    assert ["max_tokens" in body for body in stub.asked] == [True, False]


def test_the_steps_are_the_servers_own_if_it_counts_them(stub: Stub) -> None:
    counted = {"num_spec_steps": 4, "num_draft_tokens": 12, "num_accepted_draft_tokens": 10}
    answer = says(PAGE)
    stub.reader = lambda picture, body: {**answer, "metrics": {"speculative_decoding": counted}}
    [page] = read(stub, drafted())
    written = answer["usage"]["completion_tokens"]
    assert page.evidence.stage_2 is not None
    assert page.evidence.stage_2.target_forwards == written - 10


@pytest.mark.parametrize(
    ("dialect", "parts", "told"),
    [
        ("olmocr-2", ["text", "image_url"], None),
        ("ovis-ocr2", ["image_url", "text"], {"enable_thinking": False}),
        ("nanonets-ocr2", ["image_url", "text"], None),
    ],
)
def test_a_model_is_asked_in_its_makers_order(stub: Stub, dialect: str, parts: list[str], told: object) -> None:
    stages = Stages(open_remote(stub.url, dialect=dialect), SpeculationOptions(stages="2"))
    [_] = verified([drafted()], stages)
    body = stub.asked[-1]
    assert [part["type"] for part in body["messages"][-1]["content"]] == parts
    assert body.get("chat_template_kwargs") == told
    assert ("system" in [message["role"] for message in body["messages"]]) == (dialect == "nanonets-ocr2")


def test_a_picture_is_as_large_as_the_makers_send_it(stub: Stub) -> None:
    sizes = []
    stub.reader = lambda picture, body: sizes.append(picture.size) or says(PAGE)
    stages = Stages(open_remote(stub.url, dialect="olmocr-2"), SpeculationOptions(stages="2"))
    [_] = verified([drafted(width=2576)], stages)
    assert sizes == [(1288, 100)]


# --------------------------------------------------------------------------------------------- many at once


def test_several_pages_are_asked_for_at_once_and_come_back_in_order(stub: Stub) -> None:
    stub.wait = 0.05
    stub.reader = lambda picture, body: says(f"Page with {picture.width} pixels across.")
    pages = [drafted(n, width=299 + n) for n in range(1, 9)]
    found = read(stub, *pages, in_flight=4)
    assert [page.number for page in found] == list(range(1, 9))
    assert [page.blocks[0].text for page in found] == [f"Page with {300 + n} pixels across." for n in range(8)]
    assert 1 < stub.most_at_once <= 4


def test_no_more_pages_are_on_their_way_than_asked_for(stub: Stub) -> None:
    stub.wait = 0.02
    read(stub, *(drafted(n) for n in range(1, 7)), in_flight=1)
    assert stub.most_at_once == 1


# ------------------------------------------------------------------------------------------------- failures


@pytest.mark.parametrize("fault", ["429", "500", "503", "hang up", "half"])
def test_a_passing_fault_is_tried_again(stub: Stub, fault: str) -> None:
    stub.faults = [fault]
    [page] = read(stub, drafted())
    assert page.status == "ok"
    assert len(stub.asked) == 2


@pytest.mark.parametrize("fault", ["400", "401", "404", "rubbish"])
def test_a_lasting_refusal_costs_the_page_and_leaves_its_drafts(stub: Stub, fault: str) -> None:
    stub.faults = [fault]
    first, second = read(stub, drafted(1), drafted(2), in_flight=1)
    assert (first.status, first.verified) == ("partial", "none")
    assert [block.text for block in first.blocks] == list(LINES)
    assert first.error is not None and stub.url in first.error.message
    assert second.status == "ok"


def test_a_server_that_says_how_long_it_is_busy_is_left_alone_for_so_long(stub: Stub) -> None:
    """Without that the second question comes a millisecond later, and is answered."""
    stub.faults, stub.retry_after = ["429"], "30"
    [page] = read(stub, drafted(), options=SpeculationOptions(stages="2", page_timeout=1.5))
    assert (page.status, len(stub.asked)) == ("partial", 1)


@pytest.mark.parametrize("fault", ["401", "403"])
def test_a_refused_key_is_no_crash(stub: Stub, fault: str) -> None:
    stub.faults = [fault]
    [page] = read(stub, drafted())
    assert page.error is not None
    assert (page.error.code, "DOCPARSE_API_KEY" in page.error.message) == ("unauthorized", True)


def test_a_server_that_wants_a_key_says_where_to_put_it() -> None:
    with serving(Stub(lambda *_: says(PAGE), key="secret")) as stub, pytest.raises(ModelError) as caught:
        open_remote(stub.url)
    assert (caught.value.code, "DOCPARSE_API_KEY" in caught.value.remedy) == ("unauthorized", True)


def test_thoughts_are_no_part_of_the_page() -> None:
    with serving(Stub(lambda *_: says(f"<think>Is it three lines?\n</think>\n\n{PAGE}"))) as stub:
        [page] = read(stub, drafted())
    assert [block.text for block in page.blocks] == list(LINES)


def test_thoughts_without_an_end_are_a_cut_off_answer() -> None:
    with serving(Stub(lambda *_: says("<think>Is it three lines?"))) as stub:
        [page] = read(stub, drafted())
    assert page.status == "partial"
    assert "think" not in "".join(block.text for block in page.blocks)


def test_a_server_that_is_gone_is_asked_no_more(stub: Stub) -> None:
    with serving(Stub(stub.reader)) as gone:
        target = target_of(gone)
    stages = Stages(target, SpeculationOptions(stages="2"))
    pages = list(verified([drafted(1), drafted(2)], stages))
    assert [page.status for page in pages] == ["partial", "partial"]
    assert stages.device.lost is not None and gone.url in stages.device.lost.message


def test_a_server_that_comes_back_is_asked_again(stub: Stub) -> None:
    with serving(Stub(stub.reader)) as first:
        target = target_of(first)
    with serving(Stub(stub.reader, port=first.port)):
        stages = Stages(target, SpeculationOptions(stages="2"))
        [page] = verified([drafted()], stages)
    assert page.status == "ok"


def test_a_page_out_of_time_is_not_waited_for(stub: Stub) -> None:
    stub.wait = 1.0
    [page] = read(stub, drafted(), options=SpeculationOptions(stages="2", page_timeout=0.05))
    assert (page.status, page.error and page.error.code) == ("partial", "timeout")


def test_an_answer_far_longer_than_was_asked_for_is_cut_off(stub: Stub) -> None:
    stub.reader = lambda picture, body: says(" ".join(f"word{n}" for n in range(5000)))
    [page] = read(stub, drafted(), options=SpeculationOptions(stages="2", max_new_tokens=100))
    assert (page.status, page.error and page.error.code) == ("partial", "truncated")
    assert len(page.blocks[0].text.split()) < WORDS_A_TOKEN * 100


def test_twice_the_blocks_of_an_answer_are_at_most_twice_the_work(stub: Stub) -> None:
    def read_all(count: int) -> int:
        lines = tuple(f"Line {n} of the page." for n in range(count))
        stub.reader = lambda picture, body: says("\n\n".join(lines))
        return calls_of(lambda: read(stub, drafted(lines=lines), in_flight=1))

    assert read_all(240) < 2.2 * read_all(120)


# -------------------------------------------------------------------------------------------- what is sent


def test_drafts_are_sent_to_a_server_that_may_use_them(stub: Stub) -> None:
    read(stub, drafted(), is_vllm=True)
    sent = json.loads(stub.asked[0]["vllm_xargs"][DRAFTS])
    assert sent["drafts"][0][:2] == [0, LINES[0] + "\n\n"]
    assert any(ends for _, _, ends in sent["drafts"])


def test_drafts_are_not_sent_to_any_other_server(stub: Stub) -> None:
    read(stub, drafted())
    assert "vllm_xargs" not in stub.asked[0]


def test_drafts_that_are_never_used_are_sent_no_more(stub: Stub) -> None:
    read(stub, *(drafted(n) for n in range(1, 6)), is_vllm=True, in_flight=1)
    assert ["vllm_xargs" in body for body in stub.asked] == [True, True, True, False, False]


def test_the_key_is_sent_and_never_written_down(stub: Stub, tmp_path: Path, monkeypatch: Any, capfd: Any) -> None:
    monkeypatch.setenv(KEY, "a-secret-key")
    picture = tmp_path / "page.png"
    Image.new("RGB", (300, 200), "white").save(picture)
    stub.models = [{"id": "nano"}]
    stub.reader = lambda picture, body: says("a line")
    assert (
        run(
            [
                "convert",
                str(picture),
                "-o",
                str(tmp_path / "out"),
                "--target",
                stub.url,
                "--stages",
                "2",
                "--drafter",
                "none",
            ]
        )
        == 0
    )
    assert stub.asked and stub.headers[0]["Authorization"] == "Bearer a-secret-key"
    written = "".join(path.read_text("utf-8", "ignore") for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert "a-secret-key" not in written + "".join(capfd.readouterr())


def test_check_exact_asks_again_without_drafts(stub: Stub) -> None:
    [page] = read(stub, drafted(), options=SpeculationOptions(stages="2", tau=1.0, check_exact=True), is_vllm=True)
    assert page.exact is True
    assert ["vllm_xargs" in body for body in stub.asked] == [True, False, False]


# -------------------------------------------------------------------------------------------------- opening


def test_a_model_is_known_by_the_name_or_folder_it_is_served_from() -> None:
    for served in ({"id": "rednote-hilab/dots.ocr"}, {"id": "ocr", "root": "/weights/dots.ocr"}, {"id": "dots.ocr"}):
        with serving(Stub(lambda *_: says(""), models=[served])) as stub:
            assert open_remote(stub.url).identity.name == "dots.ocr"


@pytest.mark.parametrize(
    ("served", "asked_as"),
    [
        ("my-ocr", "markdown"),
        ("acme/dots-ocr-invoices", "dots.ocr"),
        ("Qwen/Qwen3-VL-30B-A3B-Instruct", "qwen3-vl-8b"),
        ("GLM-OCR-awq", "glm-ocr"),
    ],
)
def test_how_a_model_of_another_name_is_asked_is_guessed_and_said(served: str, asked_as: str, caplog: Any) -> None:
    with serving(Stub(lambda *_: says(""), models=[{"id": served}])) as stub:
        assert open_remote(stub.url).identity.name == asked_as
        (said,) = caplog.messages
        assert f"{served!r} is none that is known here: it is asked as {asked_as}" in said
        caplog.clear()
        assert open_remote(stub.url, dialect="dots.ocr").identity.name == "dots.ocr"
        assert not caplog.messages


def test_any_model_can_be_asked_for_markdown_in_the_users_words(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("Lies die Seite.\n")
    with serving(Stub(lambda *_: says("# A heading\n\nSome text."), models=[{"id": "my-ocr"}])) as stub:
        words = [
            "--target",
            stub.url,
            "--dialect",
            "markdown",
            "--prompt",
            str(tmp_path / "prompt.txt"),
            "--drafter",
            "none",
        ]
        page = tmp_path / "page.png"
        image = Image.new("RGB", (400, 200), "white")
        ImageDraw.Draw(image).text((20, 20), "Some text.", fill="black")
        image.save(page)
        assert run(["convert", str(page), "-o", str(tmp_path / "out"), *words]) == 0
        asked = stub.asked[-1]["messages"][-1]["content"]
        assert [part["text"] for part in asked if part["type"] == "text"] == ["Lies die Seite.\n"]
        assert (tmp_path / "out/page/page-0001.md").read_text() == "# A heading\n\nSome text.\n"
        first = json.loads((tmp_path / "out/page/document.json").read_text())["models"]["target"]
        (tmp_path / "prompt.txt").write_text("Read.")
        assert run(["convert", str(page), "-o", str(tmp_path / "out"), *words]) == 0
        second = json.loads((tmp_path / "out/page/document.json").read_text())["models"]["target"]
        assert first.startswith("markdown") and first != second, "other words are another target's"


@pytest.mark.parametrize(("text", "why"), [(None, "can't be read"), (b"", "empty"), (b"\xff\xfe", "no text")])
def test_a_prompt_that_cannot_be_read_is_one_line(tmp_path: Path, text: bytes | None, why: str) -> None:
    if text is not None:
        (tmp_path / "prompt.txt").write_bytes(text)
    with pytest.raises(UsageError, match=why):
        read_prompt(str(tmp_path / "prompt.txt"))


def test_of_several_models_one_must_be_chosen() -> None:
    with serving(Stub(lambda *_: says(""), models=[{"id": "a"}, {"id": "nano"}])) as stub:
        with pytest.raises(UsageError, match="--target-model: a, nano"):
            open_remote(stub.url)
        assert open_remote(stub.url, model="nano").identity.name == "nano"


def test_a_server_that_is_not_there_is_one_line() -> None:
    with serving(Stub(lambda *_: says(""))) as stub:
        pass
    with pytest.raises(ModelError, match="can't be asked"):
        open_remote(stub.url)


@pytest.mark.parametrize("url", ["http://", "http://user:word@host/v1", "http://host/v1?key=1"])
def test_an_address_with_a_password_or_without_a_host_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        checked_url(url)


def test_what_a_server_cannot_do_is_refused() -> None:
    server = TargetOptions(name="http://localhost:1/v1")
    with pytest.raises(UsageError, match="--tau"):
        ParseOptions(target=server, speculation=SpeculationOptions(tau=0.75))
    with pytest.raises(UsageError, match="--offline"):
        TargetOptions(name="http://localhost:1/v1", offline=True)
    with pytest.raises(UsageError, match="about a server"):
        TargetOptions(name="nano", target_model="x")
    with pytest.raises(UsageError, match="--dialect markdown"):
        TargetOptions(name="http://localhost:1/v1", dialect="dots.ocr", prompt="words.txt")


@pytest.mark.e2e
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the processes below this one")
def test_pages_are_drafted_in_other_processes_while_a_server_reads(tmp_path: Path) -> None:
    """This process's lock is left to what asks the server."""
    seen = []

    def reader(*_: Any) -> dict[str, Any]:
        words = ["ps", "-o", "args=", "--ppid", str(os.getpid())]
        seen.append(subprocess.run(words, capture_output=True, text=True).stdout.count("docparse_fast.batch.worker"))
        return says("Some text.")

    for name in ("1.png", "2.png"):
        image = Image.new("RGB", (400, 200), "white")
        ImageDraw.Draw(image).text((20, 20), "Some text.", fill="black")
        image.save(tmp_path / name)
    with serving(Stub(reader, models=[{"id": "nano"}])) as stub:
        words = [str(tmp_path / "1.png"), str(tmp_path / "2.png"), "-o", str(tmp_path / "out"), "--target", stub.url]
        assert run(["convert", *words, "-q"]) == 0
    assert len(seen) == 2 and min(seen) >= 1
