"""Accents chosen by the words of a language, whose data is made here."""

import numpy as np
import pytest
from tesseract_files import data_file

from docparse_fast.drafting.scans import language_data
from docparse_fast.drafting.scans.accents import AccentedForms, DoubtedText, with_accents
from docparse_fast.drafting.scans.language_data import own_folder

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
    *_, text = with_accents([DoubtedText("ciudades contra persas", {}), DoubtedText(word, {place: (other, chance)})])
    return text


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


def test_a_page_in_a_language_without_data_stays_as_it_was_read():
    texts = [DoubtedText("the towns against the foe hegemonia", {33: ("í", 0.5)})]
    assert with_accents(texts) == [texts[0].text]
    assert with_accents([DoubtedText("contra hegemonia", {14: ("í", 0.5)})], ["fr"]) == ["contra hegemonia"]


def test_the_other_forms_of_a_letter_are_seen_beside_it():
    letters = ["", "a", "i", "í", "ñ"]
    probabilities = np.array([[0.9, 0, 0, 0, 0], [0, 0, 0.8, 0.08, 0.1], [0.1, 0.9, 0, 0, 0]], np.float32)
    found = AccentedForms(letters).beside(probabilities, probabilities.argmax(axis=1), np.array([1, 2]))
    assert list(found) == [0]
    assert found[0] == ("í", pytest.approx(0.1))
