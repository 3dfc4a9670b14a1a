"""`bench engine` at a tiny size: it writes the planted answers, and its figures follow from its measurements."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from fake_targets import FREE, ScriptedTarget

from docparse_fast.bench.engine import bandwidth
from docparse_fast.bench.engine.drafts import EXACT, Sheet, rate_for, stand_in
from docparse_fast.bench.engine.engine_report import report
from docparse_fast.bench.engine.measuring_engine import run
from docparse_fast.bench.engine.options import EngineOptions
from docparse_fast.bench.engine.planted import RandomModel
from docparse_fast.bench.engine.planted_model import NEVER, planted_model
from docparse_fast.bench.engine.record import CHAIN, GENERATE, LOOKUP, PLAIN, SPECULATIVE, from_json, to_json
from docparse_fast.bench.engine.shapes import SHAPES, Shape
from docparse_fast.bench.tables import markdown
from docparse_fast.cli import run as cli
from docparse_fast.errors import UsageError
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.metrics import tokens_per_step
from docparse_fast.targets.decoder.pass_costs import Measured
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget

ROOT = Path(__file__).parents[2]
TINY = SHAPES["tiny"]
SMALL = {"tiny": TINY, "a small dots.ocr": Shape("dots_ocr", 2, 64, 96, 4, 2, 16, 2048)}
SMALL_COPY = 32 * 2**20  # bytes: a larger one takes seconds
OPTIONS = EngineOptions("tiny", "cpu", ("fp32", "bf16"), prefix=60, tokens=24, rows=(3,), levels=(1, 3), repeats=2)
FLAGS = [
    *("--shape", "tiny", "--device", "cpu", "--dtypes", "fp32", "--prefix", "40", "--tokens", "24"),
    *("--rows", "2", "--levels", "3", "--repeats", "1"),
]
PROMISED = (  # other scripts read these
    "worst_vs_plain",
    "speedup_at_6_tokens",
    "efficiency_at_6_tokens",
    "host_us_per_step",
    "plain_vs_hf_generate",
    "speedup_vs_chain",
)


@pytest.fixture(scope="module", autouse=True)
def flat_costs():
    """Replaces the timing of passes, which takes seconds and is noise at this size: all passes cost the same."""

    def measured(run, slots, widths, clock, *_):
        return Measured((1,), ((1.0,) * len(widths),), 0.001, is_whole=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("docparse_fast.targets.decoder.measuring_passes.measure", measured)
        patch.setattr(bandwidth, "CPU_BYTES", SMALL_COPY)
        threads = torch.get_num_threads()
        yield
        torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def record(flat_costs):
    return run(OPTIONS)


@pytest.fixture(scope="module")
def lines(record):
    return [line for found in record.dtypes.values() for line in found.lines]


@pytest.fixture
def planted(flat_costs, tmp_path):
    return RandomModel(TINY, "cpu", "fp32", prefix=40, slots=3, costs_folder=tmp_path)


# ------------------------------------------------------------------------------------------------ the record


def test_the_record_says_how_it_was_made_and_reads_back_from_its_json(record):
    assert record.options == {
        "shape": "tiny",
        "device": "cpu",
        "dtypes": ("fp32", "bf16"),
        "prefix": 60,
        "tokens": 24,
        "rows": (1, 3),
        "levels": (1, 3, 6),
        "repeats": 2,
        "threads": 1,
        "minutes": None,
    }
    assert record.versions["torch"] in (torch.__version__, torch.__version__.partition("+")[0])
    assert (record.clock, record.sizes.layers) == ("cpu", TINY.layers)
    assert record.device.endswith("1 thread")
    again = from_json(to_json(record))
    assert (again.dtypes["fp32"].lines, again.sizes) == (record.dtypes["fp32"].lines, record.sizes)
    assert to_json(again) == to_json(record)


def test_the_promised_figures_are_in_every_summary_and_the_first_dtypes_stand_on_top(record):
    for found in record.dtypes.values():
        assert all(found.summary[name] > 0 for name in PROMISED)
    assert record.summary == record.dtypes["fp32"].summary


def test_every_way_was_tried_at_every_level_it_is_meant_for(record):
    for found in record.dtypes.values():
        tried = {(line.way, line.level, line.rows) for line in found.lines}
        assert tried == {
            *((way, None, 1) for way in (PLAIN, GENERATE, LOOKUP)),
            *((SPECULATIVE, level, rows) for level in (1, 3, 6) for rows in (1, 3)),
            *((CHAIN, level, 1) for level in (1, 3, 6)),
            *((way, None, 3) for way in (PLAIN, GENERATE)),
        }


def test_every_way_writes_the_same(record):
    assert record.exact
    found = record.dtypes["fp32"]
    lines = (replace(found.lines[0], same_as_plain=False), *found.lines[1:])
    assert not replace(record, dtypes={"fp32": replace(found, lines=lines)}).exact


def test_derived_figures_follow_from_measured_ones(record):
    for found in record.dtypes.values():
        for line in found.lines:
            base = found.line(PLAIN, rows=line.rows)
            assert line.vs_plain == pytest.approx(base.seconds / line.seconds)
            assert line.efficiency == pytest.approx(line.vs_plain / line.tokens_per_step)
            assert line.step_cost == pytest.approx(1 / line.efficiency)
            assert line.tokens_per_second == pytest.approx(line.rows * 23 / line.seconds)
            assert 0 < line.prefill_share < 1


def test_only_steps_of_our_own_loop_are_timed(lines):
    for line in lines:
        if line.way in (PLAIN, SPECULATIVE):
            assert line.step_ms.mean > 0 and line.step_ms.p95 > 0 and 0 < line.host_share < 1
            assert line.step_ms.mean * line.steps == pytest.approx(1e3 * line.seconds, rel=0.6)
        else:
            assert line.step_ms is None and line.host_us_per_step is None
        assert (line.warm_host_us_per_step is None) == (line.host_us_per_step is None)


def test_answers_can_be_read_out_instead_of_the_model(planted):
    """The loop walks as it does with the model, step for step."""
    found = []
    answer = planted.generate(rows=1, tokens=30).answers
    drafts = Sheet(answer[0], seed=2, vocabulary=2048).drafts(0.2)
    for deciding in (nullcontext(), planted.read_out(answer)):
        with deciding, planted.watched() as watch:
            row = Row(planted.views(1)[0], list(drafts), max_tokens=30)
            found += [(one.tokens, one.steps) for one in spec_decode(planted.target, [row], EXACT)]
        assert watch.host_seconds() > 0
    assert found[0] == found[1] and found[0][0] == answer[0]


def test_plain_decoding_takes_a_step_a_token_and_better_drafts_save_steps(record):
    for found in record.dtypes.values():
        for rows in (1, 3):
            assert found.line(PLAIN, rows=rows).steps == found.line(GENERATE, rows=rows).steps == 23
            assert found.line(SPECULATIVE, 6, rows).steps < found.line(SPECULATIVE, 1, rows).steps


def test_the_bandwidth_limit_is_not_passed(record):
    for found in record.dtypes.values():
        assert found.copy_bytes_per_second > 0
        shares = [line.of_bandwidth_limit for line in found.lines if line.way in (PLAIN, GENERATE)]
        assert len(shares) == 4 and all(0 < share <= 1.2 for share in shares)


def test_an_interrupted_engine_benchmark_keeps_its_finished_rounds():
    def interrupt(what):
        if what == "bf16: 1 rows at once, round 2 of 2":
            raise KeyboardInterrupt

    record = run(OPTIONS, interrupt)
    assert record.interrupted and not record.dtypes["fp32"].interrupted
    assert record.dtypes["bf16"].interrupted
    for name, runs in (("fp32", 2), ("bf16", 1)):
        found = record.dtypes[name]
        assert {line.runs for line in found.lines if line.rows == 1 and line.way != PLAIN} == {runs}
        assert all(found.summary[name] > 0 for name in PROMISED)


def test_an_engine_benchmark_interrupted_at_many_rows_reports_missing_figures():
    def interrupt(what):
        if what == "fp32: 1 rows at once, warming up":
            raise KeyboardInterrupt

    record = run(OPTIONS, interrupt)
    assert list(record.dtypes) == ["fp32"] and record.interrupted
    assert record.summary["worst_vs_plain"] is None and record.summary["worst_vs_plain_many_rows"] > 0
    assert "Interrupted" in markdown(report(record))


def test_an_interrupt_before_the_first_round_is_raised():
    def interrupt(what):
        if what == "fp32: 3 rows at once, warming up":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(OPTIONS, interrupt)


# ----------------------------------------------------------------------------------- what is planted, and read


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("dtype", ["fp32", "bf16"])
def test_every_way_of_decoding_writes_the_planted_answer(name, dtype, tmp_path):
    planted = RandomModel(SMALL[name], "cpu", dtype, prefix=40, slots=2, costs_folder=tmp_path)
    answers = planted.generate(rows=2, tokens=60).answers
    assert len(set(answers[0])) == 60 and NEVER not in answers[0] and answers[0] != answers[1]
    rows = [Row(view, max_tokens=60, name=number) for number, view in enumerate(planted.views(2))]
    ours = {one.row.name: one.tokens for one in spec_decode(planted.target, rows, Speculation(tau=1.0))}
    assert (ours[0], ours[1]) == answers
    assert planted.prompt_lookup(60).tokens == answers[0]


def test_a_copied_prompt_cache_equals_a_fresh_prefill(planted):
    """Entry for entry, and the first token: what is copied is what a prefill leaves."""
    view = planted.views(3)[2]
    firsts = []
    kept = []
    for prefill in (VisionLanguageTarget.prefill, type(planted.target).prefill):
        firsts.append(prefill(planted.target, {0: view})[0])
        length = planted.target.cache.lengths[0]
        kept.append(
            (planted.target.cache.keys[:, :, :length].clone(), planted.target.cache.values[:, :, :length].clone())
        )
        planted.target.release(0)
    assert firsts[0] == firsts[1]
    torch.testing.assert_close(kept[0], kept[1])


def test_the_large_shapes_have_the_sizes_of_the_models_they_are_named_for():
    """Published numbers of text parameters: 1.72 billion, 8.19 and 1.78 (embeddings tied or not counted twice)."""
    billions = {"qwen3-vl-2b": 1.72, "qwen3-vl-8b": 8.19, "dots.ocr": 1.78}
    for name, published in billions.items():
        shape = SHAPES[name]
        with torch.device("meta"):
            model = _meta(shape)
        text = sum(weight.numel() for weight in model.model.language_model.parameters())
        head = model.lm_head.weight.numel()
        assert (text if published < 1.75 else text + head) / 1e9 == pytest.approx(published, rel=0.01), name


def _meta(shape):
    from docparse_fast.bench.engine import planted_model as module

    return (module._qwen3_vl if shape.family == "qwen3_vl" else module._dots_ocr)(shape)


def test_a_step_reads_every_weight_but_the_embedding_and_every_entry_kept():
    model = planted_model(TINY, torch.device("cpu"), torch.bfloat16)
    hidden, inner, head = 64, 96, 16
    layer = hidden * (4 + 2 + 2) * head + 4 * head * hidden + 3 * hidden * inner + 2 * hidden + 2 * head
    weights = 2 * layer + hidden + hidden * 2048
    assert bandwidth.weight_bytes(model) == 2 * weights
    assert bandwidth.bytes_a_step(model, rows=3, length=10) == 2 * weights + 3 * 10 * 2 * (2 * 2 * 2 * head)


def test_a_tied_head_is_read_although_it_is_the_embedding():
    model = planted_model(TINY, torch.device("cpu"), torch.float32)
    apart = bandwidth.weight_bytes(model)
    model.lm_head.weight = model.get_input_embeddings().weight
    assert bandwidth.weight_bytes(model) == apart


# ------------------------------------------------------------------------------------------------- the drafts


def test_drafts_without_faults_hold_the_answer_among_decoys():
    sheet = Sheet(range(100, 600), seed=3, vocabulary=10_000)
    drafts = sheet.drafts(0)
    ours = [draft.tokens for draft in drafts if draft.tokens[0] in sheet.answer]
    assert [token for tokens in ours for token in tokens] == list(sheet.answer)
    assert len(ours) < len(drafts)


def test_the_same_rate_gives_the_same_drafts_and_a_higher_one_more_faults():
    sheet = Sheet(range(100, 600), seed=3, vocabulary=10_000)
    written = [{token for draft in sheet.drafts(rate) for token in draft.tokens} for rate in (0.0, 0.3, 1.0)]
    kept = [len(tokens & set(sheet.answer)) for tokens in written]
    assert sheet.drafts(0.3) == sheet.drafts(0.3)
    assert kept[0] == 500 > kept[1] > 350 > 250 > kept[2]  # at 1, a quarter is doubled up, and so stays


@pytest.mark.parametrize("wanted", [2, 4, 8])
def test_the_error_rate_gives_the_wanted_tokens_per_step(wanted):
    sheet = Sheet(range(100, 600), seed=3, vocabulary=10_000)
    rate = rate_for(sheet, wanted, FREE, frozenset({NEVER}))
    target = ScriptedTarget({"page": sheet.answer}, eos={NEVER}, costs=FREE)
    row = Row("page", drafts=sheet.drafts(rate), max_tokens=500)
    assert tokens_per_step(list(spec_decode(target, [row], Speculation(tau=1.0)))) == pytest.approx(wanted, rel=0.1)


@pytest.mark.parametrize("wanted", [1, 3, 6])
def test_a_rate_found_with_a_stand_in_holds_for_any_answer(wanted):
    """Its tokens once came from the sheet's generator and so appeared in the decoys: drafts were spoilt too much."""
    vocabulary, seed = 10_000, 3
    rate = rate_for(Sheet(stand_in(500, seed, vocabulary), seed, vocabulary), wanted, FREE, frozenset({NEVER}))
    answer = stand_in(500, 99, vocabulary)
    target = ScriptedTarget({"page": answer}, eos={NEVER}, costs=FREE)
    row = Row("page", drafts=Sheet(answer, seed, vocabulary).drafts(rate), max_tokens=500)
    assert tokens_per_step(list(spec_decode(target, [row], EXACT))) == pytest.approx(wanted, rel=0.15)


def test_errors_everywhere_give_one_token_per_step():
    dear = CostTable(rows=(1,), widths=(1, 2), costs=((1.0, 2.0),))
    assert rate_for(Sheet(range(100, 200), 3, 10_000), 1, dear, frozenset({NEVER})) == 1.0


# -------------------------------------------------------------------------------------------- the command line


def test_the_command_prints_a_table_and_keeps_it_and_the_record(tmp_path, capsys):
    files = ["--json", str(tmp_path / "engine.json"), "--markdown", str(tmp_path / "engine.md")]
    assert cli(["bench", "engine", *FLAGS, *files]) == 0
    printed = capsys.readouterr().out
    assert "speculative, for 6" in printed and "of that limit" in " ".join(printed.split()).lower()
    kept = from_json((tmp_path / "engine.json").read_text())
    assert (kept.options["levels"], kept.options["rows"]) == ([3, 6], [1, 2])
    assert (tmp_path / "engine.md").read_text() == markdown(report(kept)) + "\n"


def test_an_unknown_shape_is_a_usage_error_that_names_the_nearest(capsys):
    assert cli(["bench", "engine", "--shape", "dots-ocr"]) == 2
    assert "did you mean 'dots.ocr'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "flags",
    [
        ["--dtypes", "fp16"],
        ["--levels", "many"],
        ["--levels", "0"],
        ["--rows", "1,,2"],
        ["--tokens", "1"],
        ["--prefix", "40000"],
        ["--repeats", "0"],
        ["--minutes", "-1"],
        ["--shape", "tiny", "--device", "cpu", "--tokens", "2048"],  # longer than its vocabulary
        ["--json", "nowhere/engine.json"],
    ],
)
def test_senseless_options_are_usage_errors(flags, capsys):
    assert cli(["bench", "engine", *flags]) == 2
    assert capsys.readouterr().err.startswith("docparse-fast: error: usage: --")


@pytest.mark.skipif(torch.cuda.is_available(), reason="says what happens without a GPU")
def test_a_missing_gpu_gives_one_error_line(capsys):
    assert cli(["bench", "engine", "--device", "cuda"]) == 1
    assert "device_missing" in capsys.readouterr().err


def test_no_round_begins_that_would_end_too_late_but_the_first():
    record = run(EngineOptions("tiny", "cpu", ("fp32",), 40, 32, (1,), (6,), repeats=5, minutes=0.0))
    assert record.dtypes["fp32"].line(SPECULATIVE, 6).runs == 1


def test_bench_engine_needs_no_package_that_reads_pages(tmp_path):
    """Machines with GPUs often have torch and transformers, but no package that reads PDFs or images."""
    missing = ("pymupdf", "rapidocr", "onnxruntime", "cv2", "rapidfuzz", "apted", "lxml", "fuzzysearch")
    arguments = ["bench", "engine", *FLAGS, "--json", str(tmp_path / "engine.json")]
    code = f"""
import sys
sys.modules.update(dict.fromkeys({missing!r}))
from docparse_fast.bench.engine import bandwidth
from docparse_fast.cli import run
from docparse_fast.targets.decoder import measuring_passes
from docparse_fast.targets.decoder.pass_costs import Measured
bandwidth.CPU_BYTES = {SMALL_COPY}
measuring_passes.measure = lambda _, __, widths, *___: Measured((1,), ((1.0,) * len(widths),), 0.001, is_whole=True)
sys.exit(run({arguments!r}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert set(PROMISED) <= json.loads((tmp_path / "engine.json").read_text())["summary"].keys()


def test_asking_for_help_loads_no_torch():
    code = "import sys; from docparse_fast.cli import run; run(['bench', 'engine', '--help'])"
    code += "\nassert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT).returncode == 0


def test_options_refuse_a_shape_before_anything_is_made():
    with pytest.raises(UsageError, match="--shape"):
        EngineOptions(shape="huge")
