"""Language data for Tesseract: found in folders, fetched from a mirror, compared with the digests we know."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from docparse_fast.cli import run
from docparse_fast.errors import ModelError, OutputError
from docparse_fast.models import fetching_languages, model_named, verify
from docparse_fast.models.fetching_languages import fetch_language
from docparse_fast.system import language_data
from docparse_fast.system.language_data import BY_CODE, DATA, best_for, data_here, own_folder, wanted_for

CONTENT = b"not really Russian"
SMALL = replace(BY_CODE["rus"], bytes=len(CONTENT), sha256=hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture(autouse=True)
def _bare_machine(monkeypatch, tmp_path):
    monkeypatch.setattr(language_data, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)


@pytest.fixture
def mirror(monkeypatch, tmp_path):
    folder = tmp_path / "mirror"
    folder.mkdir()
    monkeypatch.setenv(fetching_languages.SOURCE, folder.as_uri())
    return folder


def put(folder, *codes):
    folder.mkdir(parents=True, exist_ok=True)
    for code in codes:
        (folder / f"{code}.traineddata").write_bytes(CONTENT)
    return folder


def test_a_bare_machine_has_no_data():
    assert data_here() == []
    assert best_for("cyrillic") is None


def test_data_is_found_in_the_folder_that_tessdata_prefix_names_or_below_it(monkeypatch, tmp_path):
    folder = put(tmp_path / "tesseract" / "tessdata", "rus")
    for named in (folder, folder.parent):
        monkeypatch.setenv("TESSDATA_PREFIX", str(named))
        assert BY_CODE["rus"].find() == folder


def test_data_is_found_in_a_system_folder_and_in_our_own(monkeypatch, tmp_path):
    monkeypatch.setattr(language_data, "SYSTEM_FOLDERS", (f"{tmp_path}/*/tessdata",))
    put(tmp_path / "5" / "tessdata", "ell")
    put(own_folder(), "kor")
    assert [data.code for data in data_here()] == ["ell", "kor"]


def test_the_language_that_is_named_reads_its_script_before_the_usual_one():
    put(own_folder(), "rus", "ukr")
    assert [data.code for data in (best_for("cyrillic"), best_for("cyrillic", ["uk"])) if data] == ["rus", "ukr"]


def test_another_language_of_the_script_is_better_than_none():
    put(own_folder(), "bul")
    assert best_for("cyrillic", ["ru"]) is BY_CODE["bul"]


def test_what_to_fetch_for_a_script_nothing_reads_is_known_only_where_there_is_data_for_it():
    assert wanted_for("thai") is BY_CODE["tha"]
    assert wanted_for("cyrillic", ["uk"]) is BY_CODE["ukr"]
    assert wanted_for("runic") is None


def test_every_language_has_one_row_and_a_whole_digest():
    assert len({data.language for data in DATA}) == len({data.code for data in DATA}) == len(DATA)
    assert {len(data.sha256) for data in DATA} == {64}


def test_a_file_is_fetched_compared_and_kept(mirror):
    put(mirror, "rus")
    assert fetch_language(SMALL) == own_folder()
    assert [path.name for path in own_folder().iterdir()] == ["rus.traineddata"]


def test_a_file_that_is_here_and_whole_is_not_fetched_again(tmp_path, monkeypatch):
    put(own_folder(), "rus")
    monkeypatch.setenv(fetching_languages.SOURCE, (tmp_path / "nothing").as_uri())
    assert fetch_language(SMALL) == own_folder()


def test_what_is_not_the_known_file_is_not_kept(mirror):
    put(mirror, "rus")
    with pytest.raises(ModelError, match=r"not tessdata_fast 4\.1\.0's; apt-get install tesseract-ocr-rus"):
        fetch_language(BY_CODE["rus"])
    assert list(own_folder().iterdir()) == []


def test_an_address_without_the_file_names_another_way(mirror):
    with pytest.raises(ModelError, match="apt-get install tesseract-ocr-rus, or name a mirror"):
        fetch_language(SMALL)


def test_a_folder_that_cannot_be_made_is_an_output_error(mirror, tmp_path):
    put(mirror, "rus")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match="file"):
        fetch_language(SMALL, tmp_path / "file" / "below")


def test_a_language_is_named_as_lang_has_it_and_takes_no_revision(capsys):
    assert run(["models", "download", "ru", "--revision", "1"]) == 2
    assert "Russian always comes from tessdata_fast" in capsys.readouterr().err


def test_the_list_says_how_to_have_a_language(capsys):
    assert run(["models", "list"]) == 0
    out = capsys.readouterr().out
    assert "apt-get install tesseract-ocr-ell, or docparse-fast models download ell" in out


def test_a_file_of_another_size_is_another_release_and_not_damaged():
    put(own_folder(), "rus")
    assert verify(model_named("rus")).in_words == "nothing was recorded to compare with"


def test_a_file_of_the_right_size_with_other_content_is_changed():
    folder = put(own_folder())
    (folder / "rus.traineddata").write_bytes(b"\0" * BY_CODE["rus"].bytes)
    assert verify(model_named("rus")).in_words == "changed: rus.traineddata"
