"""A rendered Cyrillic page through the command: without language data here, and with it where it is."""

from __future__ import annotations

import json
from difflib import SequenceMatcher

import numpy as np
import pytest
from PIL import Image

from docparse_fast.cli import run
from docparse_fast.system import language_data
from docparse_fast.system.language_data import BY_CODE
from docparse_fast.system.mupdf import pymupdf

TEXT = (
    "Программа читает строку за строкой и записывает текст в файл.",
    "Если данных для языка нет, об этом сказано на странице.",
    "Садовник поливает деревья вечером, пока не стало холодно.",
)
RUSSIAN = BY_CODE["rus"].find()


@pytest.fixture
def page(tmp_path):
    """An image: PyMuPDF's own font, and no text layer."""
    document = pymupdf.open()
    sheet = document.new_page(width=420, height=140)
    sheet.insert_htmlbox(pymupdf.Rect(20, 20, 400, 120), "".join(f"<p>{line}</p>" for line in TEXT))
    path = tmp_path / "page.png"
    sheet.get_pixmap(dpi=200).save(path)
    return path


@pytest.fixture
def bare(monkeypatch, tmp_path):
    monkeypatch.setattr(language_data, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)


def convert(path, *more):
    code = run(["convert", str(path), "-o", str(path.parent / "out"), "--target", "none", *more])
    found = path.parent / "out" / "page" / "document.json"
    return code, json.loads(found.read_text("utf-8"))["pages"][0] if found.is_file() else None


@pytest.mark.usefixtures("bare")
def test_a_page_in_a_script_that_nothing_reads_is_partial_with_the_remedy(page, capsys):
    code, found = convert(page)
    assert code == 3
    assert (found["status"], found["error"]["code"]) == ("partial", "model_missing")
    assert "apt-get install tesseract-ocr-rus" in found["error"]["message"]
    assert any("in Cyrillic script" in warning for warning in found["stats"]["warnings"])
    assert found["blocks"] == []
    assert "model_missing" in capsys.readouterr().err


@pytest.mark.usefixtures("bare")
def test_a_language_without_data_is_a_usage_error(page, capsys):
    code, _ = convert(page, "--lang", "ru")
    assert code == 2
    assert "nothing here reads Russian; here are en," in capsys.readouterr().err


@pytest.mark.skipif(RUSSIAN is None, reason="needs tesseract-ocr-rus")
@pytest.mark.parametrize("lang", [(), ("--lang", "ru")], ids=["unasked", "asked"])
def test_with_data_the_page_is_read(page, lang):
    code, found = convert(page, *lang)
    assert code == 0
    text = " ".join(" ".join(block["text"] for block in found["blocks"]).split())
    assert text == " ".join(TEXT)


@pytest.mark.skipif(RUSSIAN is None, reason="needs tesseract-ocr-rus")
def test_faint_type_on_grainy_paper_is_read_as_well(page):
    black = np.asarray(Image.open(page).convert("L"), np.float32)
    grain = np.random.default_rng(1).normal(0, 6, black.shape)
    Image.fromarray(np.clip(195 + black / 255 * 30 + grain, 0, 255).astype(np.uint8)).save(page)
    code, found = convert(page)
    assert code == 0
    text = " ".join(" ".join(block["text"] for block in found["blocks"]).split())
    assert SequenceMatcher(None, text, " ".join(TEXT)).ratio() > 0.97
