"""What `verify` goes on from: an earlier run's inputs, options and unverified drafts."""

import json
import shutil
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from docparse_fast.cli import run
from docparse_fast.document import Page, PageDraft, PageSource
from docparse_fast.errors import InputError
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import options_of
from docparse_fast.run.conversion import Conversion, convert
from docparse_fast.run.events import DocumentDone, RunPlan
from docparse_fast.run.inputs import Input
from docparse_fast.run.run_record import DocumentRecord
from docparse_fast.run.stored import StoredDocument, StoredDrafter, StoredRun, stored_run

FORM = Path(__file__).parents[2] / "samples" / "form.pdf"


@pytest.fixture(scope="module")
def converted(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("converted")
        patch.chdir(folder)
        shutil.copy(FORM, "form.pdf")
        assert run(["convert", "form.pdf", "-o", "out", "-q", "--target", "none", "--dpi", "120", "--pages", "1"]) == 0
        return folder


@pytest.fixture
def out(converted, tmp_path, monkeypatch):
    """A copy for each test."""
    shutil.copytree(converted, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "out"


def test_drafts_come_back_as_they_were(out):
    stored = stored_run(out)
    draft = stored.documents["form"].drafts[1]
    assert (draft.number, draft.drafter) == (1, "text-layer")
    assert draft.regions[0].text == "Application for a bicycle stand"
    assert "<td>Aino Heikkinen</td>" in draft.regions[1].text
    assert {region.drafts[0].source for region in draft.regions if region.drafts} == {"text-layer"}


def test_options_come_back_so_that_boxes_mean_the_same_pixels(out):
    options = options_of(stored_run(out).options, None)
    assert (options.raster.dpi, options.raster.pages) == (120, "1")


def test_drafts_of_a_file_that_has_changed_are_not_used(out):
    Path("form.pdf").write_bytes(FORM.read_bytes() + b"\n")
    stored = stored_run(out).documents["form"]
    assert (stored.drafts, stored.record, stored.options["dpi"]) == ({}, None, 120)


def test_a_page_without_stored_drafts_is_drafted_anew():
    class Fresh:
        name = "fresh"

        def draft(self, page: Page) -> PageDraft:
            return PageDraft(page.number, 1, 1, drafter="fresh")

    def page(number: int) -> Page:
        return Page(number, 1, 1, 72, PageSource(lambda: None, lambda: None))

    kept = PageDraft(1, 1, 1, drafter="kept")
    drafter = StoredDrafter({1: kept}, Fresh)
    assert [drafter.draft(page(n)).drafter for n in (1, 2)] == ["kept", "fresh"]


def test_called_from_another_folder_it_says_so_and_leaves_the_account(out, capsys, monkeypatch):
    before = (out / "run.json").read_bytes()
    monkeypatch.chdir("/")
    assert run(["verify", str(out), "--target", "nano"]) == 1
    assert "from the folder where they were converted" in capsys.readouterr().err
    assert (out / "run.json").read_bytes() == before


def test_a_folder_that_convert_did_not_write_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"holds no run\.json"):
        stored_run(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", '{"inputs": []}', '{"inputs": [], "options": {}}', "\udcff"])
def test_an_account_that_is_not_ours_is_refused(tmp_path, content):
    (tmp_path / "run.json").write_text(content, "utf-8", "surrogateescape")
    with pytest.raises(InputError, match=r"run\.json can't be read"):
        stored_run(tmp_path)


@pytest.mark.parametrize("output", ["../elsewhere", "a/../../b", "/tmp/elsewhere"])
def test_an_account_that_leads_out_of_its_folder_is_refused(out, output):
    account = json.loads((out / "run.json").read_text("utf-8"))
    account["inputs"][0]["output"] = output
    (out / "run.json").write_text(json.dumps(account), "utf-8")
    with pytest.raises(InputError, match=r"run\.json can't be read"):
        stored_run(out)


def test_documents_of_earlier_runs_are_known_with_their_own_options(out):
    shutil.copy(FORM, "later.pdf")
    assert run(["convert", "later.pdf", "-o", "out", "-q", "--target", "none", "--dpi", "90"]) == 0
    stored = stored_run(out)
    assert [source.output for source in stored.inputs] == ["later", "form"]
    assert [stored.options_for(source, None).raster.dpi for source in stored.inputs] == [90, 120]
    assert stored.documents["form"].drafts.keys() == {1}


def top_of_a_page(path: str) -> None:
    """Of nano's world: whole pages take it seconds."""
    with Image.open(FORM.parent / "nano" / "page-02.png") as page:
        page.crop((0, 0, page.width, 112)).save(path)


def test_every_document_in_the_folder_is_verified(out, monkeypatch):
    pytest.importorskip("torch")
    for name in ("first.png", "second.png"):
        top_of_a_page(name)
        assert run(["convert", name, "-o", "both", "-q", "--target", "none", "--max-pixels", f"{len(name)}00000"]) == 0
    assert run(["verify", "both", "-q", "--target", "nano"]) == 0
    written = [json.loads(path.read_text("utf-8")) for path in sorted(Path("both").rglob("document.json"))]
    assert [document["options"]["max_pixels"] for document in written] == [900_000, 1_000_000]
    assert {document["pages"][0]["verified"] for document in written} == {"page"}


def test_verify_without_a_target_says_so_and_leaves_what_is_there(out, capsys, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    before = (out / "form" / "document.json").read_bytes()
    assert run(["verify", str(out)]) == 1
    assert "model_missing" in capsys.readouterr().err
    assert (out / "form" / "document.json").read_bytes() == before


def test_what_a_target_has_looked_at_is_left_as_it_is(tmp_path, capsys, monkeypatch):
    """So that a run over many documents that was broken off can be begun again."""
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    for name in ("first.png", "second.png"):
        top_of_a_page(name)
    assert run(["convert", "first.png", "second.png", "-o", "out", "-q", "--target", "none"]) == 0
    verify = ["verify", "out", "--target", "nano", "--tau", "1"]
    assert run([*verify, "-q"]) == 0
    files = {path: path.stat().st_mtime_ns for path in Path("out").rglob("*.*") if path.name != "run.json"}
    account = Path("out/run.json")
    whole = account.read_text("utf-8")

    assert run(verify) == 0
    assert capsys.readouterr().err.splitlines() == ["2 documents, 0.0 MB; 2 are done, 0 to do"]
    assert {path: path.stat().st_mtime_ns for path in files} == files
    assert account.read_text("utf-8") == whole

    broken_off = json.loads(whole)
    broken_off["inputs"][1]["status"] = "pending"
    account.write_text(json.dumps(broken_off), "utf-8")
    assert run(verify) == 0
    plan, line = capsys.readouterr().err.splitlines()
    assert plan.endswith("1 is done, 1 to do") and line.startswith("second.png: ok")
    changed = {path.parent.name for path in files if path.stat().st_mtime_ns != files[path]}
    assert changed == {"second"}


def test_a_document_that_is_done_is_neither_opened_nor_told_of(tmp_path):
    class Watcher:
        told = ()

        def tell(self, event):
            self.told += (event,)

    inputs = [Input(tmp_path / name, name, name) for name in ("before.pdf", "missing.pdf")]
    (tmp_path / "before.pdf").write_bytes(b"12345")
    before, watcher = DocumentRecord(inputs[0], status="ok"), Watcher()
    done = {"before.pdf": before}
    opened = SimpleNamespace(interruptible=nullcontext)  # asked for nothing else: its document is missing
    run = convert(Conversion(inputs, ParseOptions(), lambda _: opened, lambda _: None, done), watcher)
    assert run.records[0] is before
    assert watcher.told == (RunPlan(2, 5, done=1, bytes_done=5), DocumentDone(run.records[1]))
    assert (run.records[1].input.name, run.records[1].status) == ("missing.pdf", "failed")


def test_a_document_is_done_with_the_options_and_models_it_was_made_with_alone():
    record = DocumentRecord(Input(Path("a.pdf"), "a.pdf", "a"), status="ok")
    made = StoredDocument({}, record, {"tau": 1.0}, {"target": "nano@1"})
    stored = StoredRun((record.input,), {}, {"a": made, "b": StoredDocument(options={"tau": 1.0})})
    assert stored.done({"tau": 1.0}, {"target": "nano@1"}) == {"a": record}
    assert stored.done({"tau": 0.9}, {"target": "nano@1"}) == stored.done({"tau": 1.0}, {"target": "nano@2"}) == {}


def test_drafts_alone_and_pages_that_failed_leave_something_to_do(out):
    file = out / "form" / "document.json"
    assert stored_run(out).documents["form"].record is None  # drafts alone
    document = json.loads(file.read_text("utf-8"))
    document["pages"][0] |= {"verified": "page", "status": "partial", "error": {"code": "timeout", "message": "late"}}
    file.write_text(json.dumps(document), "utf-8")
    account = json.loads((out / "run.json").read_text("utf-8"))
    account["inputs"][0] |= {"status": "partial", "unverified": 0}
    (out / "run.json").write_text(json.dumps(account), "utf-8")
    assert stored_run(out).documents["form"].record is None
