"""The review page over plain HTTP: who is let in, what comes first, and that corrections reach the files."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pymupdf
import pytest
from hostile import HOSTILE, TERMINAL

from docparse_fast.cli import run
from docparse_fast.document import Block, Box, Category, Failure, ParsedDocument, ParsedPage
from docparse_fast.errors import InputError
from docparse_fast.evidence import Doubt, PageEvidence
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import recorded
from docparse_fast.review.concerns import concerns_of, urgency
from docparse_fast.review.review_server import ReviewServer
from docparse_fast.review.shelf import Shelf
from docparse_fast.run.edits import FILE, read_edits
from docparse_fast.run.outputs import DocumentFolder

ROOT = Path(__file__).parents[2]
SHOWN = {"p", "div", "span", "h3", "h4", "h5", "h6", "pre", "table", "thead", "tbody", "tr", "td", "th", "caption"}
SHOWN |= {"a", "b", "i", "u", "em", "strong", "sup", "sub", "br", "code", "del"}
SAFE = re.compile(r"https?:|mailto:")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def converted(command: str, *lines: str, options: tuple[str, ...] = ()) -> Path:
    """A PDF with a page for each line, converted into out/a."""
    Path("in").mkdir(exist_ok=True)
    with pymupdf.open() as file:
        for line in lines:
            file.new_page().insert_text((72, 72), line)
        file.save("in/a.pdf")
    assert run([command, "in", "-o", "out", "--target", "none", "-q", *options]) == 0
    return Path("out/a")


def stored(*pages: ParsedPage, source: str = "gone.pdf") -> Path:
    folder = Path("out/a")
    output = DocumentFolder(folder, ParseOptions())
    output.begin()
    for page in pages:
        output.page(page)
    output.end(ParsedDocument(source, "", pages, options=recorded(ParseOptions())))
    return folder


class Client:
    def __init__(self, server: ReviewServer) -> None:
        self.server = server
        self.base = f"/{server.token}/"

    def ask(
        self, path: str, body: object = None, *, base: str | None = None, **headers: str
    ) -> tuple[int, bytes, dict]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        data = None if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} if data else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("POST" if data else "GET", (self.base if base is None else base) + path, data, sent)
        answer = connection.getresponse()
        found = answer.status, answer.read(), dict(answer.getheaders())
        connection.close()
        return found

    def json(self, path: str, body: object = None) -> dict:
        status, found, _ = self.ask(path, body)
        assert status == 200, found
        return json.loads(found)


@pytest.fixture
def serve():
    """A function that serves out/ and returns a client."""
    servers = []

    def start() -> Client:
        server = ReviewServer(Shelf(Path("out")))
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return Client(server)

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


# --------------------------------------------------------------------------------------------- what comes first


def doubtful(number: int, *confidences: float, doubts: tuple[Doubt, ...] = ()) -> ParsedPage:
    blocks = tuple(Block(Category.TEXT, "several words to read", Box(0, 0, 9, 9), confidence=c) for c in confidences)
    return ParsedPage(number, 100, 100, blocks=blocks, evidence=PageEvidence(doubts=doubts))


def test_failed_pages_come_first_then_those_with_doubts_then_the_least_certain():
    failed = ParsedPage(1, status="failed", error=Failure("render_failed", "it can't be rendered"))
    pages = [doubtful(2, 0.99), doubtful(3, 0.5), doubtful(4, 0.9, doubts=(Doubt("odd_table", "?", 0),)), failed]
    assert [page.number for page in sorted(pages, key=urgency, reverse=True)] == [1, 4, 3, 2]


def test_pages_whose_rows_or_order_are_doubtful_come_before_other_doubts():
    pages = [
        doubtful(1, 0.2, doubts=(Doubt("rubbish", "?"),)),
        doubtful(2, 0.9, doubts=(Doubt("ragged_table", "?", 0),)),
    ]
    assert [page.number for page in sorted(pages, key=urgency, reverse=True)] == [2, 1]


def test_a_doubt_names_its_block_and_a_good_page_has_none():
    assert concerns_of(doubtful(1, 0.99)) == []
    assert [look.block for look in concerns_of(doubtful(1, 0.99, 0.4, doubts=(Doubt("x", "odd", 0),)))] == [0, 1]


def test_the_list_has_every_page_of_every_document(serve):
    stored(doubtful(1, 0.99), doubtful(2, 0.3))
    queue = serve().json("queue")
    assert [(page["page"], len(page["looks"])) for page in queue["pages"]] == [(2, 1), (1, 0)]


# ------------------------------------------------------------------------------------------------ who is let in


def test_only_the_token_opens_the_page(serve):
    stored(doubtful(1, 0.5))
    client = serve()
    assert client.server.server_address[0] == "127.0.0.1"
    for base in ("/", "//", "/wrong/", f"/{client.server.token}x/", f"/{client.server.token[:-1]}/"):
        for path in ("", "queue", "page/0/1", "review.js"):
            assert client.ask(path, base=base)[0] == 404, (base, path)
    assert client.ask("")[0] == 200


def test_another_site_can_neither_name_us_nor_send_to_us(serve):
    """A name that is made to lead to 127.0.0.1 has another Host; another site's script has another Origin."""
    stored(doubtful(1, 0.5))
    client = serve()
    assert client.ask("queue", Host="evil.example")[0] == 404
    body = {"block": 0, "text": "theirs"}
    assert client.ask("edit/0/1", body, Origin="http://evil.example")[0] == 404
    assert client.ask("edit/0/1", body, Origin="null")[0] == 404
    assert client.ask("edit/0/1", body, Content_Type="text/plain")[0] == 400
    assert not Path("out/a", FILE).exists()


def test_nothing_is_loaded_from_elsewhere(serve):
    stored(doubtful(1, 0.5))
    client = serve()
    _, page, headers = client.ask("")
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    for name in ("", "review.css", "review.js"):
        _, text, _ = client.ask(name)
        assert set(re.findall(rb"https?://[^\s\"'`]+", text)) <= {b"http://www.w3.org/2000/svg"}
    assert not re.search(rb"<script>|style=|\son\w+=", page)  # the policy would refuse them


@pytest.mark.parametrize(
    "path", ["page/7/1", "page/0/9", "page/-1/1", "page/0", "x", "../../etc/passwd", "picture/0/1", "page/999999/1"]
)
def test_what_is_not_there_is_one_line_of_json(serve, path):
    stored(doubtful(1, 0.5))
    status, found, _ = serve().ask(path)
    assert status in (400, 409)
    assert json.loads(found)["error"]


def test_a_document_that_is_gone_by_now_is_one_line_of_json(serve):
    folder = stored(doubtful(1, 0.5))
    client = serve()
    (folder / "document.json").unlink()
    status, found, _ = client.ask("page/0/1")
    assert (status, json.loads(found)["error"]) == (409, "out/a/document.json is gone; call review again")


@pytest.mark.parametrize(
    "body",
    [{}, [], 3, {"block": 9, "text": "x"}, {"block": "x", "text": ""}, {"block": 0, "text": "x", "category": "y"}],
)
def test_a_senseless_correction_changes_nothing(serve, body):
    folder = stored(doubtful(1, 0.5))
    before = (folder / "document.md").read_bytes()
    assert serve().ask("edit/0/1", body)[0] in (400, 409)
    assert (folder / "document.md").read_bytes() == before
    assert not (folder / FILE).exists()


def test_a_page_s_text_comes_escaped(serve):
    """The page puts it in as HTML; its policy would stop what acts, but nothing must get so far."""
    words = (*HOSTILE, *TERMINAL)
    blocks = [Block(category, text) for text in words for category in Category]
    blocks += [Block(Category.TABLE, f"<table><tr><td title='{text}'>{text}</table>") for text in words]
    stored(ParsedPage(1, 9, 9, blocks=tuple(blocks)))
    client = serve()
    for block in client.json("page/0/1")["blocks"]:
        assert set(re.findall(r"<([a-z0-9!?]+)", block["html"])) <= SHOWN
        assert not re.search(r"<[^>]*\s(?:on\w+|src|style)\s*=|[\x00-\x08\x0b-\x1f\x7f-\x9f]", block["html"])
        assert all(SAFE.match(address) for address in re.findall(r'href="([^"]*)"', block["html"]))


def test_a_correction_may_hold_anything_and_comes_back_escaped(serve):
    folder = stored(doubtful(1, 0.5))
    client = serve()
    for words in HOSTILE:
        page = client.json("edit/0/1", {"block": 0, "text": words})
        assert set(re.findall(r"<([a-z0-9!?]+)", page["blocks"][0]["html"])) <= SHOWN, words
        assert page["blocks"][0]["text"] == words.strip()
    assert "<script" not in (folder / "page-0001.md").read_text()


# ------------------------------------------------------------------------------------------------- correcting


def test_a_correction_goes_into_markdown_and_outlives_a_new_run(serve):
    folder = converted("convert", "Tow boats left.", "The other page.", options=("--format", "md,json,chunks"))
    serve().json("edit/0/1", {"block": 0, "text": "Two boats left."})
    for _ in range(2):
        for name in ("page-0001.md", "document.md", "chunks.jsonl"):
            assert "Two boats left." in (folder / name).read_text(), name
        assert "Tow boats left." in (folder / "document.json").read_text()
        converted("convert", "Tow boats left.", "The other page.", options=("--format", "md,json,chunks"))


def test_the_map_follows_a_correction(serve):
    folder = converted("convert", "Tow boats left.", options=("--format", "md,json,map"))
    serve().json("edit/0/1", {"block": 0, "text": "Two long boats left."})
    (span,) = json.loads((folder / "document.map.json").read_text())["spans"]
    assert (folder / "document.md").read_text()[span["start"] : span["end"]] == "Two long boats left."


def test_taking_a_correction_back_leaves_the_files_as_they_were(serve):
    folder = converted("convert", "Tow boats left.")
    before = {name: (folder / name).read_bytes() for name in ("page-0001.md", "document.md", "document.json")}
    client = serve()
    client.json("edit/0/1", {"block": 0, "text": "Two boats left."})
    client.json("edit/0/1", {"block": 0, "text": None})
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert read_edits(folder).edits == ()


def test_a_reader_can_add_take_away_and_change_the_kind(serve):
    folder = stored(doubtful(1, 0.5, 0.6))
    client = serve()
    client.json("edit/0/1", {"block": 0, "text": "Results", "category": "section_header", "level": 2})
    client.json("edit/0/1", {"block": 1, "text": ""})
    page = client.json("edit/0/1", {"block": None, "text": "by hand"})
    assert page["own"] == "by hand"
    assert (folder / "page-0001.md").read_text() == "## Results\n\nby hand\n"


TABLE = "<table><tr><th>Port</th><th>Tons</th></tr><tr><td><b>Low Head</b></td><td>8.4</td></tr></table>"


def tables_and_a_foot() -> Path:
    blocks = (
        Block(Category.TABLE, TABLE, Box(0, 0, 9, 9)),
        Block(Category.TEXT, "Between.", Box(0, 10, 9, 19)),
        Block(Category.TABLE, TABLE.replace("Low Head", "Korvik").replace("8.4", "63.5"), Box(0, 20, 9, 29)),
        Block(Category.PAGE_FOOTER, "Given in tonnes, gutted.", Box(0, 90, 9, 99)),
    )
    return stored(ParsedPage(1, 100, 100, blocks=blocks))


def test_a_table_is_put_right_row_by_row_and_keeps_the_emphasis_of_what_stays(serve):
    folder = tables_and_a_foot()
    rows = [[{"cell": 0}, "Tonnes"], [{"cell": 2}, {"cell": 3}], ["Ellery", "41 < 42"]]
    serve().json("edit/0/1", {"block": 0, "rows": rows})
    text = (folder / "document.md").read_text()
    assert "<tr><th>Port</th><th>Tonnes</th></tr><tr><td><b>Low Head</b></td><td>8.4</td></tr>" in text
    assert "<tr><td>Ellery</td><td>41 &lt; 42</td></tr>" in text


def test_two_tables_become_one_under_one_head(serve):
    folder = tables_and_a_foot()
    page = serve().json("edit/0/1", {"block": 0, "join": 2})
    text = (folder / "document.md").read_text()
    assert (text.count("<table>"), text.count("Port"), text.count("Korvik")) == (1, 1, 1)
    assert page["blocks"][2]["text"] == ""


def test_a_block_is_moved_and_what_was_left_out_is_taken_in(serve):
    folder = tables_and_a_foot()
    client = serve()
    page = client.json("page/0/1")
    assert [block["left_out"] for block in page["blocks"]] == [False, False, False, True]
    assert client.json("edit/0/1", {"block": 3, "category": "text", "to": 0})["order"] == [3, 0, 1, 2]
    assert (folder / "document.md").read_text().startswith("<!-- page 1 -->\n\nGiven in tonnes, gutted.\n\n<table>")
    client.json("edit/0/1", {"block": 3, "text": None})
    assert "Given" not in (folder / "document.md").read_text()


# ------------------------------------------------------------------------------------------------ by a program


def applied(*lines: object) -> int:
    Path("edits.jsonl").write_text(
        "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    )
    return run(["apply", "edits.jsonl", "out"])


def test_a_programs_edits_are_kept_as_a_readers_and_counted(capsys):
    folder = tables_and_a_foot()
    lines = [
        {"document": "a", "page": 1, "block": 0, "cells": [{"row": 1, "column": 1, "text": "8.5"}]},
        {"page": 1, "block": 1, "was": "Between.", "text": "Between the two.", "category": "caption"},
        {"page": 1, "block": None, "text": "Seen by us.", "checked": True},
    ]
    assert applied(*lines) == 0
    assert capsys.readouterr().out == "3 edits applied to 1 document\n"
    text = (folder / "document.md").read_text()
    assert all(words in text for words in ("<td>8.5</td>", "Between the two.", "Seen by us.", "<b>Low Head</b>"))
    assert read_edits(folder).checked


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"page": 1, "block": 1, "was": "Betwixt.", "text": "x"}, "doesn't read as the edit says that it did"),
        ({"page": 1, "block": 9, "text": "x"}, "page 1 has no block 9"),
        ({"page": 2, "block": 0, "text": "x"}, "a has no page 2"),
        ({"document": "b", "page": 1, "block": 0, "text": "x"}, "no document 'b' is in out; one is a"),
        ({"page": 1, "block": 1, "join": 0}, "only two tables can be joined"),
        ({"page": 1, "block": 0, "rows": [["a"], ["b", "c"]]}, "rows are empty or differ in length"),
        ({"page": 1, "block": 0, "cells": [{"row": 7, "column": 0, "text": ""}]}, "no cell that begins in row 7"),
        ({"page": 1, "block": 0, "text": "a", "remove": True}, "an edit says one of"),
        ({"page": 1, "block": 0, "category": "poem"}, "an edit makes no sense"),
        ({"page": 1, "text": "x"}, "an edit makes no sense"),
        ({"block": 0}, "line 2 of edits.jsonl names no page"),
        ("[1]", "line 2 of edits.jsonl is no edit"),
        ("{", "line 2 of edits.jsonl is no edit"),
    ],
)
def test_one_senseless_line_and_nothing_is_changed(line, said, capsys):
    folder = tables_and_a_foot()
    before = (folder / "document.md").read_bytes()
    assert applied({"page": 1, "block": 1, "text": "Good."}, line) == 2
    assert said in capsys.readouterr().err
    assert (folder / "document.md").read_bytes() == before
    assert not (folder / FILE).exists()


def test_a_checked_page_is_no_longer_to_be_looked_at(serve):
    stored(doubtful(1, 0.5))
    serve().json("check/0/1", {"checked": True})
    assert serve().json("queue")["pages"][0]["checked"]
    serve().json("check/0/1", {"checked": False})
    assert not serve().json("queue")["pages"][0]["checked"]


def test_a_batch_leaves_a_corrected_document_as_it_is(serve):
    folder = converted("batch", "Tow boats left.")
    serve().json("edit/0/1", {"block": 0, "text": "Two boats left."})
    written = (folder / "document.json").stat().st_mtime_ns
    assert run(["batch", "in", "-o", "out", "--target", "none", "-q"]) == 0
    assert (folder / "document.json").stat().st_mtime_ns == written
    assert "Two boats left." in (folder / "page-0001.md").read_text()


# --------------------------------------------------------------------------------------------------- pictures


def test_the_picture_is_the_page_that_was_read(serve):
    converted("convert", "One.", "Two.")
    status, picture, headers = serve().ask("picture/0/2")
    assert (status, headers["Content-Type"], picture[8:12]) == (200, "image/webp", b"WEBP")


def test_without_the_input_there_are_words_and_a_reason(serve):
    converted("convert", "One.")
    client = serve()
    with pymupdf.open() as file:
        file.new_page()
        file.save("in/a.pdf")
    assert "has changed since" in json.loads(client.ask("picture/0/1")[1])["error"]
    Path("in/a.pdf").unlink()
    assert "call review from the folder" in json.loads(client.ask("picture/0/1")[1])["error"]
    assert client.json("page/0/1")["blocks"][0]["text"] == "One."


# ------------------------------------------------------------------------------------------------- the command


def test_a_folder_without_documents_is_one_line(capsys):
    Path("out").mkdir()
    assert run(["review", "out"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("docparse-fast: error: not_found: out holds no document.json; name a folder")
    assert said.count("\n") == 1


def test_a_broken_file_of_edits_is_named_before_anything_is_overwritten():
    folder = stored(doubtful(1, 0.5))
    (folder / FILE).write_text("mine")
    with pytest.raises(InputError, match=r"edits\.json can't be read"):
        Shelf(Path("out"))


def test_a_port_in_use_is_one_line(serve, capsys):
    stored(doubtful(1, 0.5))
    port = str(serve().server.server_port)
    assert run(["review", "out", "--port", port]) == 2
    assert f"--port {port} can't be opened" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="sends signals")
def test_ctrl_c_ends_the_command_with_0():
    stored(doubtful(1, 0.5))
    command = [sys.executable, "-m", "docparse_fast", "review", "out"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1 page to look at, of 1 in 1 document\n"
        assert re.match(r"http://127\.0\.0\.1:\d+/[\w-]{20,}/", process.stdout.readline())
        process.send_signal(signal.SIGINT)
        said, trouble = process.communicate(timeout=60)
    assert (process.returncode, said, trouble) == (0, "0 corrections saved\n", "")
