"""Makes the package's text detector and its eight-bit text recogniser from those in rapidocr's wheel.

    pip install onnx
    python scripts/training/make_ocr_weights.py               writes both to docparse_fast/data/models

The detector's numbers too small for a processor's fast path are set to zero: they change no answer, and two layers full
of them took two thirds of its time.

Most of the recogniser's convolutions get eight-bit weights and activations. Cheap or sensitive parts stay in 32 bits:
the stem, the gates of squeeze-and-excitation and the neck. The ranges of the activations come from lines of text that
this script draws with PyMuPDF's fonts, so that it needs no data and no installed fonts. The head, which compares each
frame with 18,710 characters, finds the range of its input anew for each line.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import onnxruntime as ort
import pymupdf
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static

from docparse_fast.drafting.scans.light import LINE_HEIGHT

OUT = Path(__file__).resolve().parents[2] / "docparse_fast" / "data" / "models"
DETECTOR = "PP-OCRv6_det_small.onnx"
RECOGNIZER = "PP-OCRv6_rec_small.onnx"
EIGHT_BITS = "PP-OCRv6_rec_small_int8.onnx"
TOO_SMALL = 1e-30  # of a weight: squared it is no normal number in 32 bits
OPSET = 20  # the first with Gelu
STEM = (0, 1, 2, 3)
GATES = (6, 7, 20, 21, 28, 29, 36, 37, 47, 48)
DEPTHWISE = (5, 10, 13, 16, 19, 24, 27, 32, 35, 40, 43, 46, 51)
WIDENING = (17, 18, 44, 45)
NECK = (54, 55, 56)
HEAD = "MatMul.12"
IN_FULL = [f"Conv.{number}" for number in (*STEM, *GATES, *DEPTHWISE, *WIDENING, *NECK)]

LINES = 80
LATIN_FONTS = ("helv", "hebo", "heit", "tiro", "tibo", "tiit", "cour", "cobo")
CHINESE_FONT = "cjk"
LATIN = "etaoinshrdlcumwfgypbvkjxqzéèêëàâäöüßçñøåæóíú"
CHINESE = [bytes((row, cell)).decode("gb2312") for row in range(0xB0, 0xD7) for cell in range(0xA1, 0xFF)]
KANA = [chr(code) for code in (*range(0x3041, 0x3094), *range(0x30A1, 0x30F5))]

Pixels = NDArray[np.uint8]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=OUT)
    out = parser.parse_args().out
    onnx.save(_without_specks(onnx.load(_published(DETECTOR))), out / DETECTOR)
    with tempfile.TemporaryDirectory() as folder:
        plain, convolved = Path(folder) / "plain.onnx", Path(folder) / "convolved.onnx"
        onnx.save(_with_gelu(_folded(_published(RECOGNIZER), Path(folder))), plain)
        _quantize(plain, convolved)
        _quantize_head(convolved, out / EIGHT_BITS)
    for name in (DETECTOR, EIGHT_BITS):
        print(f"{out / name}: {(out / name).stat().st_size / 1e6:.1f} MB")
    return 0


def _published(name: str) -> Path:
    found = importlib.util.find_spec("rapidocr")
    folders = found.submodule_search_locations if found else None
    if not folders:
        sys.exit("rapidocr is not installed: its wheel holds the weights")
    return Path(next(iter(folders))) / "models" / name


# -------------------------------------------------------------------------------------------------- the graph


def _without_specks(model: onnx.ModelProto) -> onnx.ModelProto:
    for weights in model.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT:
            values = onnx.numpy_helper.to_array(weights)
            weights.CopyFrom(onnx.numpy_helper.from_array(np.where(abs(values) < TOO_SMALL, 0, values), weights.name))
    return model


def _folded(weights: Path, folder: Path) -> onnx.ModelProto:
    """The model after ONNX Runtime folded its constants and batch norms, in an operator set with per-channel scales."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(folder / "folded.onnx")
    options.log_severity_level = 3
    ort.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    model = onnx.load(folder / "folded.onnx")
    standard = [entry for entry in model.opset_import if not entry.domain]
    del model.opset_import[:]
    model.opset_import.extend(standard)
    return onnx.version_converter.convert_version(model, OPSET)


def _with_gelu(model: onnx.ModelProto) -> onnx.ModelProto:
    """Replaces x / sqrt 2, erf, + 1, * x, * 0.5 by one Gelu; after quantisation they could not be fused."""
    reader = {name: node for node in model.graph.node for name in node.input}
    writer = {name: node for node in model.graph.node for name in node.output}
    gone: set[str] = set()
    fused: dict[str, onnx.NodeProto] = {}
    for erf in [node for node in model.graph.node if node.op_type == "Erf"]:
        divided = writer[erf.input[0]]
        run = [divided, erf]
        while len(run) < 5:
            run.append(reader[run[-1].output[0]])
        if [node.op_type for node in run] != ["Div", "Erf", "Add", "Mul", "Mul"]:
            sys.exit(f"{erf.name} is not part of a GELU: the weights are not those that this script expects")
        gone.update(node.name for node in run[:-1])
        fused[run[-1].name] = onnx.helper.make_node("Gelu", divided.input[:1], run[-1].output, f"Gelu.{erf.name}")
    nodes = [fused.get(node.name, node) for node in model.graph.node if node.name not in gone]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model


def _quantize(plain: Path, out: Path) -> None:
    quantize_static(
        plain,
        out,
        _Lines(),
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=["Conv"],
        nodes_to_exclude=IN_FULL,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        extra_options={"CalibMovingAverage": True},  # average extremes: the absolute ones would waste the eight bits
    )


def _quantize_head(convolved: Path, out: Path) -> None:
    quantize_dynamic(
        convolved,
        out,
        op_types_to_quantize=["MatMul"],
        nodes_to_quantize=[HEAD],
        per_channel=True,
        weight_type=QuantType.QInt8,
    )


# -------------------------------------------------------------------------------------------------- the lines


class _Lines(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self) -> None:
        self._lines = _drawn_lines(random.Random(11))

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        line = next(self._lines, None)
        return None if line is None else {"x": _input(line)}


def _drawn_lines(chance: random.Random) -> Iterator[Pixels]:
    for number in range(LINES):
        if number % 2:
            yield _worn(_drawn(_chinese(chance), CHINESE_FONT, chance), chance)
        else:
            yield _worn(_drawn(_latin(chance), chance.choice(LATIN_FONTS), chance), chance)


def _latin(chance: random.Random) -> str:
    return " ".join(_number(chance) if chance.random() < 0.15 else _word(chance) for _ in range(chance.randint(2, 13)))


def _word(chance: random.Random) -> str:
    letters = (LATIN[min(int(chance.expovariate(0.1)), len(LATIN) - 1)] for _ in range(chance.randint(1, 10)))
    word = "".join(letters) + chance.choice(["", "", "", "", ",", ".", ";", ":", "?"])
    return chance.choice([str.lower, str.lower, str.lower, str.capitalize, str.upper])(word)


def _number(chance: random.Random) -> str:
    digits = chance.randrange(10 ** chance.randint(1, 6))
    return chance.choice(["{}", "{}.5", "{}%", "({})", "${}", "{},000"]).format(digits)


def _chinese(chance: random.Random) -> str:
    pool = chance.choice([CHINESE, CHINESE, [*KANA, *CHINESE[:80]]])
    return "".join(chance.choice("，。、；：") if chance.random() < 0.08 else chance.choice(pool) for _ in range(20))


def _drawn(text: str, font: str, chance: random.Random) -> Pixels:
    size = chance.choice([7, 8, 9, 10, 11, 12, 14, 18, 24])
    face = pymupdf.Font(font)
    with pymupdf.open() as document:
        margin = size * chance.uniform(0.05, 0.3)
        page = document.new_page(width=face.text_length(text, size) + 2 * margin, height=1.25 * size + 2 * margin)
        paper, ink = chance.choice([(1.0, 0.0), (1.0, 0.0), (0.95, 0.2), (0.85, 0.1), (0.1, 0.95)])
        page.draw_rect(page.rect, fill=(paper,) * 3, color=None)
        writer = pymupdf.TextWriter(page.rect, color=(ink,) * 3)
        writer.append((margin, margin + size), text, face, size)
        writer.write_text(page)
        pixmap = page.get_pixmap(dpi=chance.choice([100, 150, 200, 300]))
        return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)


def _worn(line: Pixels, chance: random.Random) -> Pixels:
    """The line as from a scanner or camera: blurred, noisy, compressed."""
    if chance.random() < 0.4:
        line = cv2.GaussianBlur(line, (0, 0), chance.uniform(0.3, 0.9)).astype(np.uint8)
    if chance.random() < 0.4:
        noise = np.random.default_rng(chance.randrange(1 << 30)).normal(0, chance.uniform(3, 14), line.shape)
        line = (line + noise).clip(0, 255).astype(np.uint8)
    if chance.random() < 0.4:
        _, encoded = cv2.imencode(".jpg", line, [cv2.IMWRITE_JPEG_QUALITY, chance.choice([40, 60, 80])])
        line = cv2.imdecode(encoded, cv2.IMREAD_COLOR).astype(np.uint8)
    return line


def _input(line: Pixels) -> NDArray[Any]:
    height, width = line.shape[:2]
    columns = max(64, math.ceil(LINE_HEIGHT * width / height / 16) * 16)
    resized = cv2.resize(line, (columns, LINE_HEIGHT)).astype(np.float32)
    return np.ascontiguousarray((resized / 127.5 - 1.0).transpose(2, 0, 1)[None])


if __name__ == "__main__":
    sys.exit(main())
