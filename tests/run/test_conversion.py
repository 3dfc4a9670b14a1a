"""Many documents in one run: what is done for each costs no more where they are many."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from counted import calls_of
from recorded_drafts import RecordedDrafter

from docparse_fast.document import ParsedDocument, ParsedPage
from docparse_fast.evidence import Doubt, PageEvidence
from docparse_fast.options import ParseOptions
from docparse_fast.pipeline import Pipeline
from docparse_fast.progress import Watchers
from docparse_fast.run.conversion import Conversion, convert
from docparse_fast.run.inputs import Input, find_inputs, output_folders
from docparse_fast.run.outputs import DocumentFolder
from docparse_fast.run.run_record import DocumentRecord, count_joined


def test_the_run_is_not_saved_after_each_document(tmp_path):
    saved = []
    inputs = find_inputs([tmp_path / f"{n}.pdf" for n in range(50)], tmp_path / "out")
    what = Conversion(
        inputs,
        ParseOptions(),
        lambda _: Pipeline(RecordedDrafter([])),
        lambda source: DocumentFolder(tmp_path / "out" / source.output, ParseOptions()),
    )
    run = convert(what, Watchers([]), lambda run: saved.append(run.status))
    assert len(run.records) == 50
    assert 2 <= len(saved) < 25
    assert (saved[0], saved[-1]) == ("interrupted", "failed")


def test_equal_names_are_numbered_in_one_go():
    some, more = ([PurePosixPath("scan.pdf")] * count for count in (200, 400))
    assert calls_of(lambda: output_folders(more)) < 2.5 * calls_of(lambda: output_folders(some))
    assert len(set(output_folders(more))) == 400
    assert output_folders(more)[-1] == "scan.pdf-400"


def test_a_number_that_is_taken_is_passed_over():
    names = ["a/x.pdf", "b/x.pdf", "x.pdf-2.pdf", "c/x.pdf"]
    assert output_folders([PurePosixPath(Path(name).name) for name in names]) == [
        "x.pdf", "x.pdf-2", "x.pdf-2-2", "x.pdf-3",
    ]  # fmt: skip


def test_a_doubt_that_comparing_pages_brings_is_counted_once():
    one, two = Doubt("torn_row", "a row"), Doubt("doubtful_table", "a rest")
    read, joined = (
        ParsedDocument("a.pdf", "", (ParsedPage(1), ParsedPage(2, evidence=PageEvidence(doubts=doubts))))
        for doubts in ((one,), (one, two))
    )
    record = DocumentRecord(Input(Path("a.pdf"), "a.pdf", "a"))
    count_joined(record, read, joined)
    assert record.doubts == {"doubtful_table": 1} and record.to_look_at == [2]
