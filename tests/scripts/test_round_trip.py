"""The round trip's documents and scores; its producers and the tools it compares are not needed here."""

import re
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pymupdf
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "round_trip"))
    before = set(sys.modules)
    import material
    import scoring
    import styles

    yield material, scoring, styles
    for name in set(sys.modules) - before:
        del sys.modules[name]


def markdown(document):
    notes = [run.aside for block in document.blocks for run in block.runs if run.style == "note"]
    return "\n\n".join([*map(block_text, document.blocks), *notes])


def block_text(block):
    words = "".join(map(run_text, block.runs))
    match block.kind:
        case "heading":
            return "#" * block.level + " " + words
        case "item":
            return "  " * (block.level - 1) + "- " + words
        case "code":
            return "```\n" + "\n".join(block.lines) + "\n```"
        case "table":
            return f"<table>{''.join(row_html(row, max(map(len, block.rows))) for row in block.rows)}</table>"
    return words


def row_html(row, width):
    span = f' colspan="{width}"' if len(row) == 1 else ""
    tags = {"bold": "b", "italic": "i", "code": "code"}
    cells = ((tags.get(cell[0].style), cell[0].text) for cell in row)
    texts = (f"<{tag}>{text}</{tag}>" if tag else text for tag, text in cells)
    return "<tr>" + "".join(f"<td{span}>{text}</td>" for text in texts) + "</tr>"


def run_text(run):
    marks = {"bold": "**", "italic": "*", "code": "`"}
    return f"{marks.get(run.style, '')}{run.text}{marks.get(run.style, '')}"


@pytest.mark.parametrize("alike", [1.0, 0.9])
@pytest.mark.parametrize("language", ["en", "ru", "ar", "zh", "ko"])
def test_a_document_that_comes_back_whole_scores_a_hundred(scripts, language, alike):
    material, scoring, _ = scripts
    document = material.Author(language, "7").document(8)
    scores = scoring.scores(asdict(document), markdown(document), alike)
    assert scores.pop("repeated") == 0
    assert {name: round(score, 1) for name, score in scores.items()} == dict.fromkeys(scores, 100.0)


def test_a_lost_table_costs_its_score_and_no_other_but_words(scripts):
    material, scoring, _ = scripts
    document = material.Author("en", "7").document(8)
    kept = [block_text(block) for block in document.blocks if block.kind != "table"]
    scores = scoring.scores(asdict(document), "\n\n".join(kept))
    assert scores["tables"] == 0
    assert scores["words"] < 100
    assert scores["headings"] == scores["code"] == 100


def test_the_same_seed_writes_the_same_document(scripts):
    material, _, _ = scripts
    assert material.Author("he", "3").document() == material.Author("he", "3").document()


def test_every_producer_has_styles_to_tune_on_or_is_held_out(scripts):
    _, _, styles = scripts
    for producer in styles.LANGUAGES:
        tuned = [style for style in styles.STYLES if not styles.is_held_out(producer, style.name)]
        assert bool(tuned) != (producer in styles.HELD_OUT_PRODUCERS)


def test_a_misread_letter_costs_a_word_and_no_structure_where_likeness_will_do(scripts):
    material, scoring, _ = scripts
    document = material.Author("en", "7").document(8)
    misread = re.sub("([a-z ]{30})e", r"\1c", markdown(document))
    exact, alike = (scoring.scores(asdict(document), misread, least) for least in (1.0, 0.9))
    assert exact["words"] == alike["words"] < 100
    assert exact["paragraphs"] < alike["paragraphs"] == alike["headings"] == alike["tables"] == alike["order"] == 100


def test_every_way_of_scanning_gives_the_same_picture_for_the_same_seed(scripts, tmp_path):
    import spoiling

    with pymupdf.open() as document:
        document.new_page(width=200, height=200).insert_text((20, 90), "Printed and scanned")
        document.save(tmp_path / "a.pdf")
    for way in spoiling.WAYS:
        first, again, other = (picture(spoiling.scanned(tmp_path / "a.pdf", way, seed)) for seed in "112")
        assert (first == again).all()
        assert first.shape != other.shape or (first != other).any()


def picture(scan):
    with pymupdf.open(stream=scan) as document:
        pixels = document[0].get_pixmap(dpi=100)
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, -1)
