"""Letters that a PDF names for several glyphs at once, as MuPDF gives them."""

from docparse_fast.pages.clusters import with_clusters


def char(c: str, x0: float, x1: float, *, synthetic: bool = False) -> dict:
    return {"c": c, "bbox": (x0, 0, x1, 10), "origin": (x0, 8), "synthetic": synthetic}


def put_back(*runs: list[dict]) -> list[tuple[str, float, float]]:
    line = with_clusters({"dir": (1, 0), "spans": [{"chars": chars} for chars in runs]})
    return [(each["c"], each["bbox"][0], each["bbox"][2]) for run in line["spans"] for each in run["chars"]]


def test_a_letter_with_a_vowel_sign_stands_where_its_blank_was():
    blank = char(" ", 20, 28, synthetic=True)
    found = put_back([char("ا", 28, 31)], [blank], [char("\u064b", 20, 20), char("ح", 20, 20), char("ا", 17, 20)])
    assert found == [("ا", 28, 31), ("ح", 20, 28), ("\u064b", 20, 28), ("ا", 17, 20)]


def test_the_second_piece_of_a_letter_is_not_another_letter():
    found = put_back([char("ل", 20, 22), char(" ", 18, 20, synthetic=True), char("ل", 18, 18), char("ك", 10, 18)])
    assert "".join(c for c, *_ in found) == "لك"


def test_a_blank_that_is_only_a_gap_stays():
    gap = [char("ل", 20, 22), char(" ", 18, 20, synthetic=True), char("ك", 10, 18)]
    assert len(put_back(gap)) == 3


def test_an_alef_that_was_taken_for_a_copy_of_its_neighbour_is_put_back():
    word = [char("ک", 25, 30), char(" ", 20, 25, synthetic=True), char("ا", 20, 20), char("ل", 12, 20)]
    assert put_back([*word, char(" ", 8, 12)])[:2] == [("ک", 25, 30), ("ا", 20, 25)]


def test_a_blank_before_lam_alef_stays():
    word = [char("ع", 20, 25), char(" ", 16, 20, synthetic=True), char("ا", 16, 16), char("ل", 10, 16)]
    assert [c for c, *_ in put_back(word)] == ["ع", " ", "ا", "ل"]


def test_a_words_first_letter_stands_before_its_vowel_sign():
    """MuPDF makes up no blank for it: the file's own stands there."""
    found = put_back([char(" ", 22, 25), char("\u064f", 19, 19), char("ل", 19, 19)])
    assert found == [(" ", 22, 25), ("ل", 19, 22), ("\u064f", 19, 22)]


def test_letters_of_a_line_that_runs_up_are_put_back_too():
    def up(c: str, y0: float, y1: float, *, synthetic: bool = False) -> dict:
        return {"c": c, "bbox": (0, y0, 10, y1), "origin": (8, y1), "synthetic": synthetic}

    blank = up(" ", 114, 116, synthetic=True)
    line = {"dir": (0, -1), "spans": [{"chars": [up("ا", 111, 114), blank, up("\u0652", 116, 116), up("ل", 116, 116)]}]}
    assert [each["c"] for each in with_clusters(line)["spans"][0]["chars"]] == ["ا", "ل", "\u0652"]
