from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console

from docparse_fast.bench import paper
from docparse_fast.bench.datasets import Dataset
from docparse_fast.bench.datasets.published import OCEAN_OCR_BENCH, OLMOCR_BENCH, OMNIDOCBENCH
from docparse_fast.bench.record import PLAIN, DraftRecord, Measurement, PageRecord, RunSettings, Steps, WayRecord
from docparse_fast.bench.reproduction import reproduction_report as reports
from docparse_fast.bench.reproduction.reproduce import Asked, Reproduction, reproduce
from docparse_fast.bench.reproduction.reproduction_report import to_json
from docparse_fast.bench.reproduction.rows import columns_of, filled
from docparse_fast.bench.reproduction.sessions import Session
from docparse_fast.bench.reproduction.sources import find_data, weights_need
from docparse_fast.bench.tables import show
from docparse_fast.bench.ways import DRAFTS
from docparse_fast.cli import run
from docparse_fast.document import Box, Category, Draft, PageDraft, Region
from docparse_fast.errors import InputError, UsageError
from docparse_fast.options import TargetOptions
from docparse_fast.system.typed_json import written
from docparse_fast.targets import open_target
from docparse_fast.targets.decoder.measuring_passes import assumed_costs

DATA = Path(__file__).parent / "bench_data"
NANO = Path(__file__).parents[2] / "docparse_fast" / "data" / "nano"
SAMPLES = Path(__file__).parents[2] / "samples" / "nano"
OFFLINE = TargetOptions(offline=True)
PUBLISHED = {"omnidocbench": OMNIDOCBENCH, "olmocr-bench": OLMOCR_BENCH, "ocean-ocr-bench": OCEAN_OCR_BENCH}
tables = pytest.mark.parametrize("key", paper.names())


@pytest.fixture(scope="module", autouse=True)
def known_costs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nano's passes as on a quiet machine: measured on a busy one, they may say that no draft pays."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        decoder = open_target("nano", offline=True).decoder
        costs = replace(assumed_costs(decoder.network), widths=(1, 32), costs=((1.0, 2.0),))
        decoder.costs_path.parent.mkdir(parents=True)
        decoder.costs_path.write_text(written(costs))
        yield


def report(found: Reproduction) -> str:
    stream = io.StringIO()
    show(reports.report(found), Console(file=stream, width=200))
    return stream.getvalue()


# ------------------------------------------------------------------------------------------ by hand


def way(tokens: int, steps: int, accepted: int, seconds: dict[str, float], **more: object) -> WayRecord:
    drafts = DRAFTS if "stage_1" in seconds else ""
    return WayRecord(
        tokens=tuple(range(tokens)),
        finish="eos",
        drafts=drafts,
        rounds=(seconds,),
        written=tokens - 1,
        passes=steps,
        accepted=accepted,
        steps=Steps(),
        same_as_plain=True,
        **more,  # type: ignore[arg-type]
    )


def page(name: str, *, group: str = "", drafting: float = 0.5, front: float = 1.0, decode: float = 1.0) -> PageRecord:
    """201 tokens, plainly in 4 s of decoding; with drafts in `decode`, of which 0.5 s for Stage 1 beside."""
    region = Region(Box(0, 0, 90, 20), Category.TEXT, (Draft("a draught", "x"),))
    return PageRecord(
        name,
        group,
        drafts={DRAFTS: DraftRecord(drafting, "embedded", 1, PageDraft(1, 100, 100, (region,)))},
        ways={
            PLAIN: way(201, 200, 0, {"full": front + 4, "prefill": front, "decode": 4.0}, markdown="a draft"),
            "hsd": way(
                201, 50, 150, {"full": front + 0.5 + decode, "stage_1": 0.5, "decode": decode}, markdown="a draft"
            ),
        },
        truth="a draft",
    )


SETTINGS = RunSettings("dots.ocr", "r", "a machine", "float32", "cpu", 1)


def session(model: str, *pages: PageRecord, name: str = "omnidocbench", folder: str = "OmniDocBench") -> Session:
    return Session(model, Dataset(name, Path(folder), ()), Measurement(SETTINGS, pages))  # type: ignore[arg-type]


def reproduction(key: str, *sessions: Session) -> Reproduction:
    table = paper.paper_table(key)
    columns = columns_of(table, [s.dataset for s in sessions if s.dataset.name not in table.datasets])
    return Reproduction(table, columns, tuple(filled(table, columns, sessions)), sessions, (), (), "embedded")


# ------------------------------------------------------------------------------------------ cells


def test_a_row_has_the_papers_figures_and_ours_for_the_same_columns() -> None:
    pages = [page("a", group="Slides"), page("b", group="Notes", decode=3.0)]
    row = reproduction("table1", session("dots.ocr", *pages)).rows[-1]
    assert row.name == "dots.ocr" and row.paper is not None and row.ours is not None
    aal, decode, end_to_end, slides, *_, notes, _ = row.ours
    assert (row.paper[0], aal) == (4.98, 3.0)
    assert decode == pytest.approx(8 / (1 + 1 + 4))  # drafting and Stage 1 are counted
    assert end_to_end == pytest.approx(10 / (2.5 + 4.5 + 1))
    assert slides == pytest.approx(5 / 3) and notes == pytest.approx(5 / 5)
    assert sum(figure is not None for figure in row.ours) == 5  # no page of the other seven categories


def test_rows_of_models_that_were_not_run_keep_the_papers_figures() -> None:
    found = reproduction("table1", session("dots.ocr", page("a")))
    assert [row.ours is None for row in found.rows] == [True] * 5 + [False]
    assert all(row.paper is not None for row in found.rows)
    assert found.rows[0].why_not == "--target qwen3-vl-8b was not run"


@pytest.mark.parametrize("finish", ["length", "repetition"])
@pytest.mark.parametrize("who", [PLAIN, "hsd"])
def test_a_starred_row_leaves_out_what_did_not_end_and_says_so(finish: str, who: str) -> None:
    looping = page("b", decode=9.0)
    looping = replace(looping, ways={**looping.ways, who: replace(looping.ways[who], finish=finish)})
    found = reproduction("table1", session("qwen3-vl-8b", page("a"), looping))
    every, starred = found.rows[0], found.rows[1]
    assert starred.name == "Qwen3-VL-8B*" and starred.left_out == ("b",) and not every.left_out
    assert every.ours is not None and starred.ours is not None
    assert starred.ours[2] == pytest.approx(5 / 3) and every.ours[2] < starred.ours[2]
    assert "Qwen3-VL-8B*: left out, as the output did not end within the cap: b." in report(found)


def test_a_model_that_is_not_the_papers_gets_a_row_of_its_own() -> None:
    found = reproduction("table1", session("nano", page("a"), name="folder", folder="pages"))
    assert found.rows[-1].name == "nano (not in the paper)" and found.rows[-1].paper is None
    assert all(row.ours is None for row in found.rows[:-1])


def test_in_a_table_of_one_model_another_stands_in_for_it() -> None:
    found = reproduction("table8", session("nano", page("a"), name="folder", folder="pages"))
    assert found.rows[3].ours is not None and found.rows[3].paper == (4.98, 2.44, 2.42)


def test_other_pages_get_a_column_beside_the_papers_data_sets() -> None:
    found = reproduction("table7", session("nano", page("a"), name="folder", folder="pages"))
    assert [column.name for column in found.columns][-1] == "pages"
    draft, plain, _, both = found.rows
    assert draft.ours is not None and plain.ours is not None and both.ours is not None
    assert draft.ours[:3] == (None, None, None) and draft.paper == (86.73, 65.8, 85.2, None)
    assert plain.ours[3] == both.ours[3] == 100 > (draft.ours[3] or 0) > 0


def test_a_table_shows_ours_above_theirs_and_what_is_lost_of_the_paper() -> None:
    text = report(reproduction("table7", session("dots.ocr", page("a"))))
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(" Baseline"))
    assert lines[at].split() == ["Baseline", "ours", "-", "-", "-"]
    assert lines[at + 1].split() == ["paper", "88.41", "79.90", "91.45"]
    assert lines[at + 3].split() == ["paper", "70.47", "67.30", "?"]


@tables
def test_every_figure_of_the_paper_is_shown_where_nothing_can_be_run(key: str) -> None:
    found = reproduce(Asked(key, targets=("dots.ocr",), target=OFFLINE))
    shown = report(found)
    for row in found.table.rows:
        for value, column in zip(row.figures, found.table.columns, strict=True):
            assert value is None or f"{value:.2f}{'' if column.unit == 'score' else column.unit}" in shown
    assert found.exit_code == 3 and not found.sessions


# ------------------------------------------------------------------------------------------ what is missing


@tables
def test_missing_data_are_named_with_the_command_that_fetches_them(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", "reproduce", key, "--target", "dots.ocr", "--offline"]) == 3
    said = capsys.readouterr().out
    for name in paper.paper_table(key).datasets:
        assert PUBLISHED[name].fetch in said and PUBLISHED[name].expected in said


def test_missing_weights_are_named_with_their_hub_id(capsys: pytest.CaptureFixture[str]) -> None:
    data = str(DATA / "OmniDocBench")
    assert run(["bench", "reproduce", "table1", "--target", "dots.ocr", "--data", data, "--offline"]) == 3
    said = capsys.readouterr().out
    assert "weights of dots.ocr (rednote-hilab/dots.ocr)" in said and "models download dots.ocr" in said
    missing = said.partition("Missing here:")[2].partition("For the rest")[0]
    assert "dots.ocr" in missing and "qwen3-vl-8b" not in missing and "OmniDocBench" not in missing
    assert "4.89x" in said


def test_table_4_names_the_rows_that_are_never_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "reproduce", "table4", "--target", "all", "--offline"]) == 3
    said = capsys.readouterr().out
    assert "ViSpec drafter for Qwen3-VL-2B" in said and "weights of qwen3-vl-2b (Qwen/Qwen3-VL-2B-Instruct)" in said
    assert "ViSpec, fine-tuned" in said and "1.29x" in said


def test_an_unknown_target_is_named_as_what_it_needs() -> None:
    assert "--target FOLDER" in weights_need("some/folder").fetch


def test_a_missing_device_is_not_reported_as_missing_weights() -> None:
    found = reproduce(Asked("table8", target=TargetOptions(device="abacus", offline=True)))
    assert [need.what for need in found.needs] == ["a machine that runs nano"] and found.exit_code == 3


def test_a_wrong_table_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "reproduce", "tabel8"]) == 2
    assert "did you mean" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------ data


def test_one_folder_may_hold_all_data_sets_of_a_table() -> None:
    found = find_data(paper.paper_table("table7"), [DATA], ["dots.ocr"])
    assert [dataset.name for dataset in found.found] == ["omnidocbench", "olmocr-bench", "ocean-ocr-bench"]
    assert not found.others and not found.needs


def test_another_data_set_stands_for_none_of_the_tables_own() -> None:
    found = find_data(paper.paper_table("table3"), [DATA / "olmOCR-bench"], ["dots.ocr"])
    assert [dataset.name for dataset in found.others] == ["olmocr-bench"]
    assert [need.what for need in found.needs] == ["Ocean-OCR-Bench"]


def test_a_data_set_that_is_there_and_broken_is_no_missing_one(tmp_path: Path) -> None:
    (tmp_path / "OmniDocBench.json").write_text("{")
    with pytest.raises(InputError, match="can't be read as JSON"):
        find_data(paper.paper_table("table1"), [tmp_path], ["dots.ocr"])


def test_a_data_set_without_its_images_is_no_missing_one(tmp_path: Path) -> None:
    (tmp_path / "OmniDocBench.json").write_text((DATA / "OmniDocBench" / "OmniDocBench.json").read_text())
    with pytest.raises(InputError, match="is missing, one of"):
        find_data(paper.paper_table("table1"), [tmp_path], ["dots.ocr"])


def test_nano_reads_its_samples_only_where_they_say_something() -> None:
    assert find_data(paper.paper_table("table8"), [], ["nano"]).others[0].folder.name == "nano"
    assert not find_data(paper.paper_table("table1"), [], ["nano"]).all
    assert not find_data(paper.paper_table("table8"), [], ["dots.ocr"]).all


def test_json_goes_nowhere_before_anything_is_run(tmp_path: Path) -> None:
    assert run(["bench", "reproduce", "table8", "--json", str(tmp_path / "no" / "a.json")]) == 2


# ------------------------------------------------------------------------------------------ with a real model


@pytest.mark.slow
def test_a_smaller_model_drafts_where_the_paper_has_one_draft(tmp_path: Path) -> None:
    """nano plays both models, so nearly every drafted token is accepted."""
    target, draft = (tmp_path / f"Qwen3-VL-{size}-Instruct" for size in ("8B", "2B"))
    for folder in (target, draft):
        folder.symlink_to(NANO, target_is_directory=True)
    found = reproduce(Asked("table5", targets=(str(target), str(draft)), data=(SAMPLES,), target=OFFLINE, max_pages=1))
    vsd, ours = found.rows
    assert vsd.ours is not None and ours.ours is None
    seconds, aal = vsd.ours
    assert seconds is not None and aal is not None and seconds > 0.1 and aal > 5
    assert [session.model for session in found.sessions] == ["qwen3-vl-8b"]
    assert found.exit_code == 0 and "dots.ocr" in found.rows[1].why_not  # neither it nor OmniDocBench was asked for


def test_interrupted_it_begins_no_other_data_set_and_says_so() -> None:
    told: list[str] = []

    def interrupt(what: str) -> None:
        told.append(what)
        raise KeyboardInterrupt

    asked = Asked("table8", data=(SAMPLES, SAMPLES), target=OFFLINE, max_pages=1)
    found = reproduce(asked, watch=interrupt)
    assert len(told) == 1 and len(found.sessions) == 1
    assert found.exit_code == 130 and json.loads(to_json(found))["exit_code"] == 130
    assert "Interrupted: not every page was reached" in report(found)


def test_answers_are_written_as_the_official_tool_looks_for_them(tmp_path: Path) -> None:
    dataset = find_data(paper.paper_table("table1"), [DATA], ["dots.ocr"]).found[0]
    pages = tuple(page(one.id) for one in dataset.pages)
    Session("dots.ocr", dataset, Measurement(SETTINGS, pages)).export(tmp_path)
    images = {path.with_suffix(".md").name for path in (DATA / "OmniDocBench" / "images").iterdir()}
    for way, text in (("hsd", "a draft"), (PLAIN, "a draft"), ("draft", "a draught")):
        written = {path.name: path.read_text() for path in (tmp_path / "dots.ocr" / "OmniDocBench" / way).iterdir()}
        assert set(written) == images and {answer.strip() for answer in written.values()} == {text}


@pytest.fixture(scope="module")
def figure_3(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    """On the top of one of nano's pages (a title, a heading, two lines of a paragraph), with few levels."""
    folder = tmp_path_factory.mktemp("pages")
    page = Image.open(SAMPLES / "page-01.png")
    page.crop((0, 0, page.width, 107)).save(folder / "top.png")
    (folder / "top.md").write_text((SAMPLES / "page-01.md").read_text().partition("shlepper")[0].rstrip())
    levels = {"blur": [2.0], "misreading": [0.3], "box jitter": [0.2]}
    return reproduce(Asked("figure3", data=(folder,), levels=levels, target=OFFLINE))


def test_figure_3_has_a_row_for_every_kind_of_draft(figure_3: Reproduction) -> None:
    assert [row.name for row in figure_3.rows] == ["Unspoilt", "blur 2", "misreading 0.3", "box jitter 0.2"]
    assert all(row.ours is not None and None not in row.ours for row in figure_3.rows)
    assert figure_3.exit_code == 0


def test_at_tau_1_spoilt_drafts_change_no_answer(figure_3: Reproduction) -> None:
    exact = {row.name: row.exact for row in figure_3.rows if row.exact is not None}
    assert exact == dict.fromkeys(["Unspoilt", "misreading 0.3", "box jitter 0.2"], (1, 1))


def test_misread_drafts_are_less_like_the_page_and_accepted_less(figure_3: Reproduction) -> None:
    """Measured in Stage 1, because Stage 2 gets its corrected text."""
    alike = {row.way: row.ours[0] for row in figure_3.rows if row.ours}
    accepted = {
        name: sum(sum(page.ways[name].stage_1.accepted) for page in figure_3.sessions[0].measurement.pages)
        for name in alike
    }
    for found in (alike, accepted):
        assert (found["unspoilt"] or 0) > (found["misreading 0.3"] or 0) > 0


def test_the_json_says_all_that_the_report_says(figure_3: Reproduction) -> None:
    found = json.loads(to_json(figure_3))
    assert (found["format"], found["version"], found["table"]) == ("docparse-fast/reproduction", 2, "figure3")
    assert [row["name"] for row in found["rows"]] == [row.name for row in figure_3.rows]
    assert found["rows"][0]["paper"] == [86.73, 5.55, 2.82, 2.78] and found["rows"][0]["exact"] == {"pages": 1, "of": 1}
    (session,) = found["sessions"]
    assert session["measurement"]["format"] == "docparse-fast/bench"
    said = report(figure_3)
    assert "nano is a toy" in said and "NVIDIA A100" in said


def test_no_page_may_be_asked_for_less_than_once() -> None:
    with pytest.raises(UsageError, match="--repeats"):
        Asked("table8", repeats=0)
