"""Which characters a named language may be written in."""

import pytest

from docparse_fast.drafting.languages import LANGUAGES, SCRIPTS, is_written_in, misread, scripts_of
from docparse_fast.errors import UsageError


def written(text, lang):
    return [is_written_in(character, scripts_of(lang)) for character in text]


def test_digits_and_signs_belong_to_every_language():
    for lang in LANGUAGES:
        assert all(written("0123,.%€→(", lang))


def test_a_language_has_its_own_letters_and_no_others():
    assert written("éя", "fr") == [True, False]
    assert written("éя", "ru") == [False, True]
    assert written("ωa", "el") == [True, False]


def test_chinese_and_japanese_may_quote_latin():
    assert written("中a", "zh") == [True, True]
    assert written("かカ漢a", "ja") == [True, True, True, True]
    assert written("か", "zh") == [False]


def test_languages_are_joined_with_a_plus():
    assert written("aΩя", "en+el") == [True, True, False]


def test_regions_and_capitals_of_a_language_are_ignored():
    assert scripts_of("zh-Hans") == scripts_of("zh") == scripts_of("ZH_tw")


def test_a_letter_of_no_listed_script_is_nobodys():
    assert written("א", "en") == [True]  # no language here is written in Hebrew: nothing is known against it


def test_an_unknown_language_is_a_usage_error_that_names_it():
    with pytest.raises(UsageError, match="--lang 'xx'"):
        scripts_of("xx")


def test_every_language_has_a_script():
    assert set(LANGUAGES.values()) <= set(SCRIPTS)


def test_what_the_recogniser_misreads_is_said_where_it_is_asked_for_or_comes_out():
    cyrillic = "Съешь же ещё этих мягких французских булок"
    assert "in Cyrillic" in misread("ru", "")
    assert "in Cyrillic" in misread("", cyrillic)
    assert "in Greek and Korean" in misread("el+ko", "")
    assert misread("", "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다").startswith(
        "the recogniser misreads 42"
    )


def test_latin_and_chinese_pages_with_a_little_greek_carry_no_warning():
    formula = "where α and β are the angles between the axes and the principal directions of the tensor"
    assert misread("", formula) == misread("en", "") == misread("zh", "中文") == ""
