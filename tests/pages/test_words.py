"""Lines as MuPDF returns them, made by hand with known gaps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf

from docparse_fast.pages import open_pages
from docparse_fast.pages.word_splitting import words

SIZE = 10.0


def line_of(*parts: str | float, width: float = 0.5) -> dict[str, Any]:
    """Characters of one width; a number is a gap in type sizes, `~` a blank that MuPDF added in such a gap."""
    characters: list[dict[str, Any]] = []
    x = 0.0
    for part in parts:
        for char in part if isinstance(part, str) else "":
            advance = 0.0 if char == "~" else width * SIZE
            box, made = (x, 0.0, x + advance, SIZE), char == "~"
            characters.append({"c": " " if made else char, "bbox": box, "origin": (x, SIZE), "synthetic": made})
            x += advance
        x += part * SIZE if isinstance(part, float) else 0.0
    return {"dir": (1.0, 0.0), "spans": [{"size": SIZE, "chars": characters}]}


def read(line: dict[str, Any]) -> str:
    return "".join("".join(c["c"] for c in word) + " " * blank for _, word, blank in words(line))


def test_korean_words_are_parted_by_gaps():
    assert read(line_of("새로운", 0.26, "데비안", 0.26, "시스템으로", 0.26, "부팅")) == "새로운 데비안 시스템으로 부팅"


def test_a_tight_korean_line_has_narrow_gaps():
    line = line_of("이", 0.03, "제", 0.13, "때", 0.03, "는", 0.13, "약", 0.03, "간", 0.13, "다르다")
    assert read(line) == "이제 때는 약간 다르다"


def test_a_gap_behind_a_letter_that_mupdf_expects_none_behind_is_a_blank():
    assert read(line_of("HỆ", 0.25, "THỐNG", 0.25, "MỚI")) == "HỆ THỐNG MỚI"


def test_chinese_characters_stand_apart_without_a_blank():
    assert read(line_of("文档", 0.25, "解析", 0.3, "任务")) == "文档解析任务"


def test_letters_spaced_out_are_one_word_and_their_words_stay_apart():
    letters = [part for char in "CONTENTS" for part in (char, 0.3, "~")][:-2]
    assert read(line_of(*letters, 0.9, "~", "O", 0.3, "~", "F", 0.9, "~", "I", 0.3, "~", "T")) == "CONTENTS OF IT"


def test_a_spaced_out_line_may_have_figures():
    spaced = [part for char in "STREET" for part in (char, 0.3, "~")][:-2]
    assert read(line_of(*spaced, 0.9, "~", "1", 0.3, "~", "4", 0.9, "~", "N", 0.3, "~", "W")) == "STREET 14 NW"


def test_a_columns_of_single_figures_stay_apart():
    assert read(line_of("3", 0.9, "~", "5", 0.9, "~", "7", 0.9, "~", "9", 0.9, "~", "1")) == "3 5 7 9 1"


def test_characters_at_one_pitch_are_parted_where_a_place_is_free():
    widths = [("dpkg", 0.45), ("-", 0.2), ("run", 0.45)]
    x, characters = 0.0, []
    for text, width in [*widths, ("", 0.0), *widths]:
        for char in text:
            characters.append({"c": char, "bbox": (x, 0, x + width * SIZE, SIZE), "origin": (x, SIZE)})
            x += 0.6 * SIZE
        x += 0.6 * SIZE * (not text)
    line = {"dir": (1.0, 0.0), "spans": [{"size": SIZE, "chars": characters}]}
    assert read(line) == "dpkg-run dpkg-run"


def test_a_line_without_any_blank_is_parted_where_its_gaps_jump():
    line = line_of("Composition", 0.12, "of", 0.13, "the", 0.12, "pretraining", 0.12, "data")
    assert read(line) == "Composition of the pretraining data"


def test_a_long_word_is_left_whole():
    assert read(line_of("Donaudampfschiff", 0.02, "fahrtsgesellschaft")) == "Donaudampfschifffahrtsgesellschaft"


def test_gaps_become_blanks_in_a_file_without_blanks(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    x = 72.0
    for word in ("새로운", "데비안", "시스템으로", "부팅하기"):
        page.insert_text((x, 100), word, fontname="korea", fontsize=12)
        x += 12 * len(word) + 3
    document.save(tmp_path / "made.pdf")
    with open_pages(tmp_path / "made.pdf") as pages:
        layer = next(pages.pages()).text_layer
    assert " ".join(line.text for line in layer.lines).split() == ["새로운", "데비안", "시스템으로", "부팅하기"]


def test_a_root_is_a_word_by_itself():
    assert ["".join(char["c"] for char in word) for _, word, _ in words(line_of("√x+y"))] == ["√", "x+y"]


def test_a_stop_without_a_width_parts_no_number():
    """A yearbook's bold figures read `11,062. 6`: their font says that a stop has no width."""
    line = line_of("11,062", 0.27, "6")
    x = 6 * 0.5 * SIZE
    stop = {"c": ".", "bbox": (x, 0.0, x, 1.2 * SIZE), "origin": (x, SIZE), "synthetic": False}
    line["spans"][0]["chars"][6:6] = [stop, {**stop, "c": " ", "synthetic": True}]
    assert read(line) == "11,062.6"


def test_the_words_of_a_line_that_is_set_tight_are_parted():
    """A court's line read `Samuel Cleveland haspassedaway,hiswife`: half of its gaps are no wider than narrow ones."""
    tight = line_of("Samuel", 0.17, "~", "Cleveland", 0.16, "~", "has", 0.14, "passed", 0.13, "away,", 0.14, "his")
    assert read(tight) == "Samuel Cleveland has passed away, his"


def test_narrow_gaps_at_signs_and_between_all_letters_part_nothing():
    spread = [part for char in "rightarrow" for part in (char, 0.14)]
    assert read(line_of("see", 0.17, "~", "e-", 0.13, "mail", 0.17, "~", "soon")) == "see e-mail soon"
    assert read(line_of("in", 0.17, "~", *spread[:-1])).endswith("rightarrow")
