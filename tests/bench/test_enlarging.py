"""`bench enlarge`: nano at a larger size answers as nano does."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import torch
from PIL import Image

from docparse_fast.bench.enlarging.copies import Copies
from docparse_fast.bench.enlarging.enlarge import enlarge
from docparse_fast.bench.enlarging.sizes import SIZES
from docparse_fast.cli import run
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets import open_target
from docparse_fast.targets.loading.document_model import DocumentModel

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("pass_costs")
TOKENS = 20
NOISE = 1e-3  # between logits: sums of copies are rounded otherwise


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "larger"
    enlarge(SIZES["tiny"], folder, "float32")
    return folder


@pytest.fixture(scope="module")
def larger(folder) -> DocumentModel:
    return open_target(str(folder), device="cpu")


@pytest.fixture(scope="module")
def nano() -> DocumentModel:
    return open_target("nano", device="cpu")


@pytest.fixture(scope="module")
def page() -> Image.Image:
    """A part of a page with a table and lists."""
    whole = Image.open(ROOT / "samples/nano/page-02.png").convert("RGB")
    return whole.crop((0, whole.height // 2, whole.width, 3 * whole.height // 4))


def written(target: DocumentModel, page: Image.Image) -> tuple[int, ...]:
    rows = [Row(target.page_view(page), max_tokens=TOKENS)]
    return next(spec_decode(target.decoder, rows, Speculation(1.0))).tokens


def test_an_enlarged_model_writes_nanos_tokens(nano, larger, page):
    answer = written(nano, page)
    assert len(set(answer)) > 10
    assert written(larger, page) == answer
    assert larger.generate(larger.page_view(page), TOKENS) == nano.generate(nano.page_view(page), TOKENS) == answer


@torch.inference_mode()
def test_an_enlarged_model_has_nanos_logits(nano, larger, page):
    logits = []
    for target in (nano, larger):
        target.decoder.network.model.rope_deltas = None
        logits.append(target.decoder.network(**target.inputs_of(target.page_view(page))).logits[0])
    few = logits[0].shape[-1]
    torch.testing.assert_close(logits[1][:, :few], logits[0], atol=NOISE, rtol=0)
    last = logits[1][-1]
    assert last[few:].max() < last.max() - 10  # added tokens are never the best


@torch.inference_mode()
def test_a_deeper_nano_has_nanos_logits_to_the_bit(nano, page, tmp_path):
    """Its own layers are unchanged, and the others add nothing."""
    enlarge(SIZES["deep"], tmp_path / "deep", "float32")
    deep = open_target(str(tmp_path / "deep"), device="cpu")
    assert len(deep.decoder.network.model.language_model.layers) == SIZES["deep"].text.layers
    inputs = nano.inputs_of(nano.page_view(page))
    found = [target.decoder.network(**inputs).logits for target in (nano, deep) if not _forget(target)]
    assert torch.equal(*found)


def _forget(target: DocumentModel) -> None:
    target.decoder.network.model.rope_deltas = None


def test_the_folder_has_the_size_that_was_asked_for(larger):
    text = larger.decoder.network.model.language_model
    size = SIZES["tiny"].text
    assert len(text.layers) == size.layers
    assert text.embed_tokens.weight.shape == (size.vocabulary, size.hidden)
    assert text.layers[3].mlp.gate_proj.weight.shape == (size.intermediate, size.hidden)


def test_weights_of_added_layers_are_not_all_zero(larger):
    """A processor could skip zeros; only what writes to the residual may be zero."""
    text = larger.decoder.network.model.language_model
    silent = [layer for layer in text.layers if not layer.self_attn.o_proj.weight.any()]
    assert len(silent) == SIZES["tiny"].text.layers - 5
    assert all(layer.mlp.gate_proj.weight.std() > 0.01 for layer in silent)


@pytest.mark.parametrize("name", SIZES)
def test_every_size_has_tensors_for_a_whole_model(name):
    """Checked without weights: names and shapes are those of transformers' own class."""
    from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

    from docparse_fast.bench.enlarging.enlarge import model

    config, parts = model(SIZES[name])
    with torch.device("meta"):
        network = Qwen3VLForConditionalGeneration(Qwen3VLConfig.from_dict(config))
    expected = {key: tuple(value.shape) for key, value in network.state_dict().items()}
    if SIZES[name].tied:
        expected.pop("lm_head.weight")
    assert {part.name: part.shape for part in parts} == expected


@pytest.mark.parametrize("new", [6, 7, 12, 15, 16])
def test_shares_of_a_channel_are_powers_of_two_and_add_up_to_one(new):
    copies = Copies.tiled(new, 5)
    sums = torch.zeros(5, dtype=torch.float64).index_add(0, copies.of, copies.shares)
    assert sums.tolist() == [1.0] * 5
    assert (copies.shares.log2() % 1 == 0).all()


def test_a_channel_without_a_copy_is_refused():
    with pytest.raises(ValueError, match="no copy"):
        _ = Copies(torch.tensor([0, 2])).shares


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_memory_does_not_hold_the_whole_model(tmp_path):
    """In a process of its own: the weights on disk are larger than its peak."""
    code = (
        "import sys; from docparse_fast.cli import run; code = run(sys.argv[1:]);"
        "print([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])"
    )
    command = [sys.executable, "-c", code, "bench", "enlarge", "0.3b", str(tmp_path / "m"), "--dtype", "float32", "-q"]
    done = subprocess.run(command, check=True, timeout=300, capture_output=True, text=True)
    assert int(done.stdout) * 1024 < (tmp_path / "m/model.safetensors").stat().st_size / 2


def test_an_unknown_size_and_a_full_folder_are_usage_errors(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    errors = io.StringIO()
    with redirect_stderr(errors), redirect_stdout(io.StringIO()):
        assert run(["bench", "enlarge", "3b", str(tmp_path / "new")]) == 2
        assert run(["bench", "enlarge", "tiny", str(tmp_path / "full")]) == 2
    assert "did you mean '0.3b'?" in errors.getvalue()
    assert "is not empty" in errors.getvalue()
