"""The service over HTTP: what is sent, refused, asked for and given back."""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("python_multipart")

import uvicorn
from page_files import text_pdf

from docparse_fast.batch.limits import Limits
from docparse_fast.options import ParseOptions, TargetOptions
from docparse_fast.service.app import Service, ServiceLimits
from docparse_fast.service.jobs import JobBook
from docparse_fast.service.openapi import OPTIONS, description
from docparse_fast.service.runner import ASKABLE, JobRunner, options_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no worker processes")

TOKEN = "a token of some length"
MOST = 1_000_000
OPTIONS_HERE = ParseOptions(target=TargetOptions(name="none"))


class Client:
    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, path: str, body: bytes | None = None, *, verb: str = "", **headers: str) -> tuple[int, bytes]:
        said = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/octet-stream", **headers}
        request = urllib.request.Request(self.address + path, body, said, method=verb or None)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def said(self, path: str, body: bytes | None = None, **more: str) -> tuple[int, dict]:
        status, answer = self.ask(path, body, **more)
        return status, json.loads(answer or b"{}")

    def done(self, job: str) -> dict:
        while not (found := self.said(f"/v1/jobs/{job}")[1])["ended"]:
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[Client]:
    book = JobBook(tmp_path_factory.mktemp("spool"), most_waiting=20)
    runner = JobRunner(book, OPTIONS_HERE, Limits(jobs=1, page_timeout=60.0), keep=3600.0)
    app = Service(book, OPTIONS_HERE, TOKEN, ServiceLimits(MOST, 60.0)).app(runner)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield Client(f"http://127.0.0.1:{listener.getsockname()[1]}")
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def letter(tmp_path_factory) -> bytes:
    return text_pdf(tmp_path_factory.mktemp("letter") / "a.pdf", "Dear reader").read_bytes()


def form(file: bytes, name: str, **fields: str) -> tuple[bytes, str]:
    parts = [f'--x\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in fields.items()]
    head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return "".join(parts).encode() + head.encode() + file + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


def test_a_document_is_sent_read_and_given_back(client, letter):
    body, kind = form(letter, "letter.pdf", tables="pipe")
    status, job = client.said("/v1/jobs", body, **{"Content-Type": kind})
    assert (status, job["name"], job["options"]) == (202, "letter.pdf", {"tables": "pipe"})
    done = client.done(job["id"])
    assert (done["status"], done["pages"], done["pages_done"]) == ("ok", 1, 1)
    assert {file["name"] for file in done["files"]} == {"document.md", "document.json", "page-0001.md"}
    status, text = client.ask(f"/v1/jobs/{job['id']}/result")
    assert (status, text.decode()) == (200, "<!-- page 1 -->\n\nDear reader\n")
    status, found = client.said(f"/v1/jobs/{job['id']}/result?format=json")
    assert (status, found["source"]["name"]) == (200, "letter.pdf")
    assert client.ask(f"/v1/jobs/{job['id']}/files/page-0001.md")[0] == 200


def test_a_body_without_a_form_is_the_document(client, letter):
    status, job = client.said("/v1/jobs?name=letter&no_join=true", letter)
    assert (status, job["name"], job["options"]) == (202, "letter", {"no_join": "true"})
    assert client.done(job["id"])["status"] == "ok"


def test_a_bad_file_fails_alone_and_says_why(client):
    _, job = client.said("/v1/jobs?name=note.txt", b"neither a PDF nor an image")
    done = client.done(job["id"])
    assert (done["status"], done["error"]["code"]) == ("failed", "unsupported")
    assert "note.txt" in done["error"]["message"]
    assert client.said(f"/v1/jobs/{job['id']}/result") == (404, {"error": done["error"]})


def test_who_has_no_token_learns_nothing(client):
    for given in ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}"):
        for path in ("/v1/jobs", "/v1/jobs/x", "/v1/jobs/x/result", "/v1/jobs/x/files/document.md"):
            assert client.ask(path, Authorization=given)[0] == 401
    assert client.ask("/v1/jobs", b"%PDF", Authorization="")[0] == 401
    assert client.ask("/health", Authorization="")[0] == 200


def test_too_large_a_document_is_refused_whether_or_not_it_says_so(client):
    error = client.said("/v1/jobs", bytes(MOST + 1))[1]["error"]
    assert (error["code"], f"larger than {MOST / 10**6:g} MB" in error["message"]) == ("too_large", True)

    def pieces() -> Iterator[bytes]:
        for _ in range(20):
            yield bytes(MOST // 10)

    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/pdf"}
    request = urllib.request.Request(f"{client.address}/v1/jobs", pieces(), headers, method="POST")
    with pytest.raises((urllib.error.HTTPError, ConnectionError, urllib.error.URLError)) as refused:
        urllib.request.urlopen(request)
    assert getattr(refused.value, "code", 413) == 413
    if isinstance(refused.value, urllib.error.HTTPError):
        refused.value.close()


@pytest.mark.parametrize(
    "query",
    [
        *("target=http://elsewhere", "format=pdf", "password=x", "dpi=much", "ocr=perhaps", "prompt=/etc/passwd"),
        *("lang=xx", "pages=abc", "pages=", "keep_furniture=perhaps"),
    ],
)
def test_an_option_that_callers_may_not_choose_or_that_makes_no_sense_is_refused(client, query):
    before = len(client.said("/v1/jobs")[1]["jobs"])
    status, said = client.said(f"/v1/jobs?{query}", b"%PDF")
    assert (status, said["error"]["code"]) == (400, "usage")
    assert len(client.said("/v1/jobs")[1]["jobs"]) == before


@pytest.mark.parametrize("body", [b"", b"--x\r\n", b"rubbish", b"--x--\r\n"])
def test_a_form_without_a_file_is_refused(client, body):
    assert client.ask("/v1/jobs", body, **{"Content-Type": "multipart/form-data; boundary=x"})[0] == 400


@pytest.mark.parametrize(
    "name", ["../job.json", "..%2Fjob.json", "%2e%2e/document", "/etc/passwd", ".docparse-fast.sha256"]
)
def test_no_other_file_is_given_away(client, name):
    _, job = client.said("/v1/jobs?name=x", b"no document")
    client.done(job["id"])
    assert client.ask(f"/v1/jobs/{job['id']}/files/{name}")[0] == 404


def test_a_name_never_becomes_a_path(client):
    body, kind = form(b"no document", "../../../outside.pdf")
    _, job = client.said("/v1/jobs", body, **{"Content-Type": kind})
    assert client.done(job["id"])["name"].endswith("outside.pdf")
    assert re.fullmatch(r"[\w-]{22}", job["id"])


def test_a_removed_job_is_gone(client):
    _, job = client.said("/v1/jobs?name=x", b"no document")
    client.done(job["id"])
    assert client.ask(f"/v1/jobs/{job['id']}", verb="DELETE")[0] == 204
    assert client.said(f"/v1/jobs/{job['id']}")[0] == 404


def test_a_caller_that_leaves_in_the_middle_leaves_nothing(client):
    before = client.said("/v1/jobs")[1]["jobs"]
    host, port = client.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        head = f"POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 900\r\n\r\n"
        connection.sendall(head.encode() + b"%PDF")
    assert client.said("/v1/jobs")[1]["jobs"] == before


def test_the_description_names_every_address_and_every_option(client):
    said = client.said("/openapi.json", Authorization="")[1]
    assert said == json.loads(json.dumps(description()))
    described = {(path, verb) for path, each in said["paths"].items() for verb in each if verb != "parameters"}
    routes = Service(None, OPTIONS_HERE, TOKEN, ServiceLimits(1, 1.0)).routes()
    served = {
        (route.path.replace(":path", ""), verb.lower()) for route in routes for verb in route.methods if verb != "HEAD"
    }
    assert described == served
    assert set(OPTIONS) == {*ASKABLE, "name"}


def test_other_addresses_and_verbs_are_answered_in_json(client):
    assert client.said("/nothing")[0] == 404
    assert client.said("/v1/jobs", b"x", verb="PUT")[0] == 405


@pytest.mark.e2e
def test_a_caller_chooses_how_its_document_is_read():
    asked = {"pages": "2-3", "max_pages": "2", "lang": "de", "ocr": "never", "keep_furniture": "true", "dpi": "150"}
    options = options_for(OPTIONS_HERE, asked)
    assert (options.raster.pages, options.raster.max_pages, options.raster.dpi) == ("2-3", 2, 150)
    assert (options.drafting.lang, options.drafting.ocr, options.keep_furniture) == ("de", "never", True)
