"""Copies of Tesseract's data in which each of its signs is one character."""

from tesseract_files import data_file

from docparse_fast.system.tessdata import LanguageFile, parts_of, signs_in

SIGNS = ["ಆ", "ಸ", "ಿ", "್ತ", "್", "್\u200c"]


def test_each_sign_of_the_copy_is_one_character_and_can_be_written_back(tmp_path):
    file = data_file(tmp_path / "kan.traineddata", [["ಆ", "ಸ", "್ತ"]], SIGNS)
    signed = LanguageFile(file)
    with signed.folder() as folder:
        copied = signs_in(parts_of((folder / file.name).read_bytes()))
    assert [len(sign) for sign in copied] == [1] * len(SIGNS)
    assert [signed.stand_ins.written_out(sign) for sign in copied] == SIGNS


def test_the_copy_differs_in_the_names_of_its_signs_alone(tmp_path):
    file = data_file(tmp_path / "kan.traineddata", [["ಆ", "ಸ", "್ತ"]], SIGNS)
    with LanguageFile(file).folder() as folder:
        own, copied = (parts_of((each / file.name).read_bytes()) for each in (tmp_path, folder))
    rows = [[row.partition(" ")[2] for row in parts.pop(21).decode().splitlines()] for parts in (own, copied)]
    assert rows[0] == rows[1]
    assert own == copied


def test_data_whose_signs_are_single_characters_is_used_where_it_lies(tmp_path):
    with LanguageFile(data_file(tmp_path / "rus.traineddata", ["глава"])).folder() as folder:
        assert folder == tmp_path


def test_damaged_data_is_left_to_tesseract(tmp_path):
    (tmp_path / "kan.traineddata").write_bytes(b"\x02\0\0\0" + b"\xff" * 16)
    with LanguageFile(tmp_path / "kan.traineddata").folder() as folder:
        assert folder == tmp_path


def test_a_copy_is_gone_when_it_was_read(tmp_path):
    with LanguageFile(data_file(tmp_path / "kan.traineddata", [["ಆ", "ಸ", "್ತ"]], SIGNS)).folder() as folder:
        assert folder != tmp_path
    assert not folder.exists()
