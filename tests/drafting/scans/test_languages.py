"""Which characters a named language may be written in."""

import pytest

from docparse_fast.drafting.scans.languages import LANGUAGES, SCRIPTS, is_vietnamese, is_written_in, scripts_of
from docparse_fast.errors import UsageError


def written(text, lang):
    return [is_written_in(character, scripts_of(lang)) for character in text]


def test_digits_and_signs_belong_to_every_language():
    for lang in LANGUAGES:
        assert all(written("0123,.%€→(", lang))


def test_a_language_has_its_own_letters_and_no_others():
    assert written("éя", "fr") == [True, False]
    assert written("ωя", "ru") == [False, True]
    assert written("ωя", "el") == [True, False]


def test_every_other_script_quotes_latin():
    assert written("яa", "ru") == written("ωa", "el") == [True, True]


def test_chinese_and_japanese_may_quote_latin():
    assert written("中a", "zh") == [True, True]
    assert written("かカ漢a", "ja") == [True, True, True, True]
    assert written("か", "zh") == [False]


def test_languages_are_joined_with_a_plus():
    assert written("aΩя", "en+el") == [True, True, False]


def test_regions_and_capitals_of_a_language_are_ignored():
    assert scripts_of("zh-Hans") == scripts_of("zh") == scripts_of("ZH_tw")


def test_a_letter_of_no_listed_script_is_nobodys():
    assert written("ᚠ", "en") == [True]  # no language here is written in runes: nothing is known against it


def test_an_unknown_language_is_a_usage_error_that_names_it():
    with pytest.raises(UsageError, match="--lang 'xx'"):
        scripts_of("xx")


def test_every_language_has_a_script():
    assert set(LANGUAGES.values()) <= set(SCRIPTS)


def test_vietnamese_is_told_from_the_letters_that_the_recogniser_knows():
    assert is_vietnamese("Chưong trình đc tùng dòng, tư liu đư")
    assert not is_vietnamese("Đorđe è andato in România")
