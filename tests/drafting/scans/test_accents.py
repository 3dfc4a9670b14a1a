"""Accents chosen by the words of a language, whose data is made here."""

from dataclasses import replace

import numpy as np
import pytest
from tesseract_files import data_file

from docparse_fast.drafting.scans.known_words import (
    RIVAL,
    AccentedForms,
    LineReading,
    in_known_words,
    language_of,
    sure_words,
)
from docparse_fast.drafting.scans.ocr import Ocr
from docparse_fast.system import language_data
from docparse_fast.system.language_data import own_folder

WORDS = ["hegemonía", "campana", "campaña", "ciudades", "contra", "persas", "valle", "península"]


@pytest.fixture(autouse=True)
def _spanish(monkeypatch, tmp_path):
    monkeypatch.setattr(language_data, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    own_folder().mkdir(parents=True)
    data_file(own_folder() / "spa.traineddata", WORDS)


def chosen(word, place, other, chance):
    """On a page of Spanish."""
    return in_known_words(word, [(place, other, chance)], language_of(["ciudades contra persas", word]).knows)


def doubted(word, *rivals):
    """On a photographed page of Spanish."""
    return in_known_words(word, rivals, language_of(["ciudades contra persas"]).knows, RIVAL)


def test_a_letter_has_the_accent_that_makes_a_word_of_it():
    """A photographed page had `hegemonia`: the recogniser gave its accent four in a hundred."""
    assert chosen("hegemonia", 7, "í", 0.04) == "hegemonía"
    assert chosen("cíudades", 1, "i", 0.04) == "ciudades"


def test_of_two_words_the_one_without_an_accent_stands_unless_its_accent_was_nearly_seen():
    assert chosen("campana", 5, "ñ", 0.05) == "campana"
    assert chosen("campana", 5, "ñ", 0.4) == "campaña"


def test_nothing_changes_a_word_that_is_known_or_becomes_none_or_goes_on_in_the_next_line():
    assert chosen("península", 3, "i", 0.9) == "península"
    assert chosen("platea", 2, "á", 0.9) == "platea"
    assert chosen("hegemonia-", 7, "í", 0.9) == "hegemonia-"


@pytest.mark.parametrize(("dotted", "said"), [("Müller, Köln", "Fällig"), ("Rīga", "Fāllig")])
def test_a_line_above_a_letter_is_two_dots_where_the_page_has_dots(dotted, said):
    """On a German page, whose data isn't here: the blurred dots of `Fällig` were one line."""
    lines = [LineReading(text, 0.9, tuple((sign, 0.5) for sign in text)) for text in (dotted, "Fāllig")]
    assert [each.text for each in Ocr().in_language(lines, photographed=False)][1] == said


def test_a_language_without_data_is_none():
    assert language_of(["the towns against the foe hegemonia"]) is None
    assert language_of(["contra hegemonia"], ["fr"]) is None


def test_a_photographs_doubted_word_becomes_the_known_one_that_was_nearly_seen():
    """A blurred page had `cludados`; each wrong letter's right one had been the recogniser's second choice."""
    assert doubted("cludados", (1, "i", 0.4), (6, "e", 0.3), (6, "a", 0.2)) == "ciudades"
    assert doubted("cludados", (1, "i", 0.4), (6, "e", 0.1)) == "cludados"
    assert doubted("cludados", (1, "i", 0.4)) == "cludados"


def test_a_known_word_stands_however_nearly_another_was_seen():
    assert doubted("campana", (5, "ñ", 0.9)) == "campana"


def line(text, sure, rivals=()):
    return LineReading(text, sure, tuple((letter, 0.5) for letter in text), (sure,) * len(text), rivals=rivals)


def test_what_every_letter_is_sure_of_is_a_sure_word_of_a_photograph():
    blurred = replace(line("Mileto contra persas", 0.9), sureness=(*[0.9] * 19, 0.7))
    assert sure_words([blurred, line("Maratón", 0.9)]) == ["Mileto", "contra", "Maratón"]


def test_a_photographs_doubted_name_becomes_the_one_that_is_surely_read_elsewhere_on_its_page():
    """A page had `Macedonia` thirteen times, and eight more as `Macadonia`, `Macodonia`, `Mscedonia`."""
    lines = [line("Macedonia contra persas", 0.99), line("Macadonia", 0.7, [(3, "e", 0.4)])]
    assert [each.text for each in Ocr().in_language(lines, photographed=True)][1] == "Macedonia"
    assert [each.text for each in Ocr().in_language(lines, photographed=False)][1] == "Macadonia"


def test_a_flat_scans_doubted_words_stand():
    lines = [line("ciudades contra persas", 0.99), line("cludades", 0.7, [(1, "i", 0.4)])]
    assert [each.text for each in Ocr().in_language(lines, photographed=True)][1] == "ciudades"
    assert [each.text for each in Ocr().in_language(lines, photographed=False)][1] == "cludades"


def test_the_other_forms_of_a_letter_are_seen_beside_it():
    letters = ["", "a", "i", "í", "ñ"]
    probabilities = np.array([[0.9, 0, 0, 0, 0], [0, 0, 0.8, 0.08, 0.1], [0.1, 0.9, 0, 0, 0]], np.float32)
    found = AccentedForms(letters).beside(probabilities, probabilities.argmax(axis=1), np.array([1, 2]))
    assert found == [(0, "í", pytest.approx(0.1))]


def figure(text, points):
    return LineReading(text, 0.9, tuple((letter, 0.1) for letter in text), points=points)


def test_a_pages_figures_have_one_sign_where_it_may_have_been_misread():
    """In the dark, of 30 sums of thousands 16 were read with a point, and no column added up."""
    sums = [figure("66,267", {}), figure("53.167", {}), figure("9.117", {1: 0.3}), figure("88.751", {})]
    said = [each.text for each in Ocr().in_language([*sums, figure("1.200", {})], photographed=False)]
    assert said == ["66,267", "53.167", "9.117", "88.751", "1.200"], "one comma may be misread"
    said = [each.text for each in Ocr().in_language([*sums, figure("1,200", {})], photographed=False)]
    assert said == ["66,267", "53.167", "9,117", "88.751", "1,200"], "a point that is no comma at all stands"


def test_a_few_commas_seen_in_the_dark_tell_more_than_many_points():
    """`6.635,19` was read `6,635.19` on a whole statement, since a blurred comma looks like a point."""
    blurred = [figure(text, {}) for text in ("6.635.19", "5.692,64", "3.431,36", "942.55")]
    said = [each.text for each in Ocr().in_language(blurred, photographed=True)]
    assert said == ["6.635,19", "5.692,64", "3.431,36", "942,55"]
    flat = [*(figure(text, {}) for text in ("6.635,19", "5.692,64", "942,55")), figure("2.1", {})]
    assert [each.text for each in Ocr().in_language(flat, photographed=False)][-1] == "2.1", "a section's number"
    plain = [figure(text, {}) for text in ("6,635.19", "942.55", "21.08")]
    assert [each.text for each in Ocr().in_language(plain, photographed=True)] == ["6,635.19", "942.55", "21.08"]


def test_points_and_commas_that_are_as_likely_stand_as_they_were_read():
    mixed = [figure("66,267", {2: 0.5}), figure("9.117", {1: 0.3})]
    assert [each.text for each in Ocr().in_language(mixed, photographed=False)] == ["66,267", "9.117"]


def test_dates_and_shares_below_one_say_nothing_of_thousands():
    lines = [figure("04.08.2026", {}), figure("0.953", {}), figure("12,500", {2: 0.9})]
    assert [each.text for each in Ocr().in_language(lines, photographed=False)][2] == "12,500"
