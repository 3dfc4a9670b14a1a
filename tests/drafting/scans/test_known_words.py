"""Words that a file of Tesseract's data knows: a small file of the same make, written here."""

import pytest
from tesseract_files import data_file

from docparse_fast.drafting.scans.known_words import KnownWords


def test_the_share_of_letters_in_known_words_tells_text_from_rubbish(tmp_path):
    known = KnownWords(data_file(tmp_path / "rus.traineddata", ["глава", "третья", "письмо", "море", "он"]))
    assert known.share(["Глава третья письмо", "море глава третья письмо море"]) > 0.9
    assert known.share(["главаморе писмо треья мире галва", "ршгл фыва олдж смить"]) == 0.0
    assert known.share(["он " * 30]) == 0.0, "short words prove nothing"


def test_a_words_vowel_signs_do_not_part_it(tmp_path):
    """Flat scans of Bengali became Latin: of its words no four letters stand without a sign between them."""
    known = KnownWords(data_file(tmp_path / "ben.traineddata", ["বাংলা", "ভাষিবাং"]))
    assert known.share(["বাংলা ভাষিবাং " * 5]) > 0.9


def test_a_few_letters_tell_nothing(tmp_path):
    assert KnownWords(data_file(tmp_path / "rus.traineddata", ["глава"])).share(["Глава глава"]) is None


def test_words_without_blanks_between_them_are_known_one_after_another(tmp_path):
    known = KnownWords(data_file(tmp_path / "tha.traineddata", ["คนไทย", "คนดี"]))
    assert known.share(["คนไทยคนดี" * 6]) == 1.0
    assert known.share(["ไยทนคดคนี" * 6]) == 0.0


@pytest.mark.parametrize("content", [b"", b"\x01", b"\x02\0\0\0" + b"\xff" * 16, bytes(range(256))])
def test_data_of_another_kind_knows_no_words(tmp_path, content):
    file = tmp_path / "rus.traineddata"
    file.write_bytes(content)
    assert KnownWords(file).share(["глава третья " * 10]) is None


def test_letters_that_stand_below_others_are_one_sign_of_the_data(tmp_path):
    """Kannada's words with such a letter were never known: pages of it were judged rubbish."""
    signs = ["ಆ", "ಸ", "ಿ", "ನ", "್ತ", "್ನ", "್"]
    known = KnownWords(data_file(tmp_path / "kan.traineddata", [["ಆ", "ಸ", "್ತ", "ಿ", "ನ", "್ನ"]], signs))
    assert known.share(["ಆಸ್ತಿನ್ನ " * 10]) == 1.0
    assert known.share(["ಆಸ್ನಿನ್ತ " * 10]) == 0.0
