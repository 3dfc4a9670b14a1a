"""PaddleOCR's PP-StructureV3 as a drafter: its models found, its pipeline asked. Knows no model inside it."""

from __future__ import annotations

import importlib.util
import logging
import os
import re
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from docparse_fast.document import Page, PageDraft
from docparse_fast.drafting.ppstructure_result import NAME, page_draft
from docparse_fast.errors import ModelError, PageError
from docparse_fast.system.onnx import let_nothing_be_reported

ENGINE = "DOCPARSE_FAST_PPSTRUCTURE_ENGINE"  # paddle, onnxruntime, transformers: whatever PaddleOCR can run
MODELS = "DOCPARSE_FAST_PPSTRUCTURE_MODELS"  # a folder with one model a sub-folder, named by its part
NEEDED = ("layout_detection", "text_detection", "text_recognition")
TABLES = (
    "table_classification",
    "wired_table_structure_recognition",
    "wireless_table_structure_recognition",
    "wired_table_cells_detection",
    "wireless_table_cells_detection",
)
FORMATS = {"inference.onnx": "onnxruntime", "model.safetensors": "transformers"}  # else Paddle's own
ELSEWHERE = "let it run once where a model hub can be reached, and copy that home's .paddlex folder to this home"
SWITCHES = {  # parts that may be missing, and what is switched off without them
    "doc_orientation_classify": "use_doc_orientation_classify",
    "textline_orientation": "use_textline_orientation",
    "formula_recognition": "use_formula_recognition",
    "region_detection": "use_region_detection",
}


class PPStructureDrafter:
    """Asks PaddleOCR's own pipeline, opened at the first page.

    >>> PPStructureDrafter(engine="onnxruntime").draft(page)      # doctest: +SKIP
    """

    name = NAME

    def __init__(self, threads: int = 1, lang: str = "", engine: str = "", models: Path | None = None) -> None:
        self._threads = threads
        self._lang = lang
        folder = os.environ.get(MODELS, "")
        self._models = models or (Path(folder) if folder else None)
        self._engine = engine or os.environ.get(ENGINE, "") or engine_for(self._models)
        if self._models is None and os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0"):
            raise ModelError(
                "model_missing",
                "PaddleOCR may ask a hub for its models, and the network is off limits",
                remedy=f"put the models into a folder and name it in {MODELS}",
            )
        if importlib.util.find_spec("paddleocr") is None:
            raise ModelError(
                "model_missing", "PaddleOCR is not installed", remedy="pip install 'docparse-fast[ppstructure]'"
            )

    @cached_property
    def _pipeline(self) -> Any:
        let_nothing_be_reported()  # it may run its models on ONNX Runtime
        from paddleocr import PPStructureV3

        logging.getLogger("paddlex").setLevel(logging.CRITICAL)  # what it has to say is in what it raises
        # the seal and chart models only read what is a figure to us, and unwarped pages have other boxes
        settings: dict[str, Any] = {
            "device": "cpu",
            "use_doc_unwarping": False,
            "use_seal_recognition": False,
            "use_chart_recognition": False,
        }
        if self._engine:
            settings["engine"] = self._engine
        if self._engine == "onnxruntime":
            settings["engine_config"] = {"intra_op_num_threads": self._threads, "log_severity_level": 3}
        else:
            settings["cpu_threads"] = self._threads
        if self._models:
            settings |= local_models(self._models)
        else:
            settings |= {"lang": self._lang} if self._lang else {}
            settings |= {"use_formula_recognition": False} if self._engine == "onnxruntime" else {}  # none is published
        try:
            return PPStructureV3(**settings)
        except Exception as error:  # what it raises without a hub is a bare Exception
            raise ModelError(
                "model_missing",
                f"PP-StructureV3 could not be opened: {(str(error).splitlines() or [type(error).__name__])[0]}",
                remedy=ELSEWHERE if self._models is None else f"look into {self._models}, or unset {MODELS}",
            ) from error

    def draft(self, page: Page) -> PageDraft:
        pipeline = self._pipeline
        image = np.ascontiguousarray(np.asarray(page.image.convert("RGB"))[:, :, ::-1])
        try:
            result = next(iter(pipeline.predict(image, **self._asked()))).json
        except Exception as error:
            raise PageError("draft_failed", f"PP-StructureV3 failed on page {page.number}: {error}") from error
        return page_draft(result, page.number, page.width, page.height)

    def _asked(self) -> dict[str, bool]:
        """It would fetch two more models for tables, where the ones it has are all it may use."""
        if self._models is None:
            return {}
        return {"use_table_orientation_classify": False, "use_ocr_results_with_table_cells": False}


def engine_for(models: Path | None) -> str:
    """The engine that runs the models of a folder, or those of a hub on this machine; "" is Paddle's own."""
    if models is not None:
        held = models / "text_detection"
        return next((engine for file, engine in FORMATS.items() if (held / file).is_file()), "")
    return "" if importlib.util.find_spec("paddle") else "onnxruntime"


def local_models(folder: Path) -> dict[str, Any]:
    """PPStructureV3's settings for the models in `folder`; what isn't there and can be done without is switched off."""
    missing = [part for part in NEEDED if not (folder / part / "inference.yml").is_file()]
    if missing:
        raise ModelError(
            "model_missing",
            f"{folder} holds no {', '.join(missing)}",
            remedy=f"put each model (inference.yml and its weights) into the sub-folder so named, or unset {MODELS}",
        )
    found = {part.parent.name: part.parent for part in sorted(folder.glob("*/inference.yml"))}
    tables = all(part in found for part in TABLES)
    settings: dict[str, Any] = {"use_table_recognition": tables}
    settings |= {switch: part in found for part, switch in SWITCHES.items()}
    for part in (*NEEDED, *SWITCHES, *(TABLES if tables else ())):
        if part in found:
            settings[f"{part}_model_dir"] = str(found[part])
            settings[f"{part}_model_name"] = _model_name(found[part] / "inference.yml")
    return settings


def _model_name(description: Path) -> str:
    named = re.search(r"^\s*model_name:\s*(\S+)", description.read_text("utf-8"), re.MULTILINE)
    if not named:
        raise ModelError("model_missing", f"{description} names no model", remedy="take the file that came with it")
    return named[1].strip("\"'")
