"""What is doubted on a page, and what is only written otherwise; and the command, with the model that ships."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from fake_document_target import FakeDocumentTarget
from PIL import Image

from docparse_fast.cli import run
from docparse_fast.cli.proofread import exit_code
from docparse_fast.document import Block, Box, Category, Failure, ParsedPage
from docparse_fast.errors import PageError
from docparse_fast.proofreading.folders import ProofreadDocument
from docparse_fast.proofreading.judged_words import judged_word, words_in
from docparse_fast.proofreading.kept import doubts_of_page, keep, read_kept
from docparse_fast.proofreading.proofreader import Proofreader, ProofreadPage
from docparse_fast.proofreading.spots import word_boxes
from docparse_fast.rendering.json import read_json
from docparse_fast.review.concerns import concerns_of
from docparse_fast.run.edits import digest_of
from docparse_fast.speculative.judged_tokens import TokenJudgement
from docparse_fast.targets.dialects.dots_ocr import DotsOcrDialect
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.verification.failures import Device
from docparse_fast.verification.judged_regions import JudgedPiece

SAMPLE = Path(__file__).parents[2] / "samples/nano/page-01.png"
ROWS = (Box(10, 10, 110, 20), Box(10, 30, 60, 40))


def page(*texts: str, category: Category = Category.TEXT, level: int = 0) -> ParsedPage:
    blocks = (Block(category, text, Box(0, 0, 200, 50), level, ("embedded",)) for text in texts)
    return ParsedPage(1, 200, 100, blocks=tuple(blocks))


def proofread(answer: str, of: ParsedPage, **options: object) -> ProofreadPage:
    target = FakeDocumentTarget(lambda image, category: answer, **options)
    return Proofreader(target, 0.1, Device()).page(of, Image.new("RGB", (200, 100), "white"))


# ---------------------------------------------------------------------------------------------------- a page


def test_a_misread_word_is_doubted_and_the_targets_reading_is_named():
    found = proofread("Two boats left the port.\n\n", page("Two goats left the port."))
    (doubt,) = found.doubts
    assert (doubt.word, doubt.instead, doubt.block, doubt.share) == ("goats", "boats", 0, 0.0)
    assert found.words == 5


def test_what_the_target_would_write_itself_is_not_doubted():
    found = proofread("Two boats left.\n\nThey came back.\n\n", page("Two boats left.", "They came back."))
    assert (found.doubts, found.words, found.unjudged) == ((), 6, ())


def test_words_missing_at_the_end_of_a_page_are_named():
    (doubt,) = proofread("Two boats left the port", page("Two boats left")).doubts
    assert (doubt.block, doubt.word, doubt.share) == (0, "", 0.0)


def test_a_paragraph_that_the_target_would_not_have_parted_misses_nothing():
    found = proofread("Two boats left the port", page("Two boats left", "the port"))
    assert [doubt for doubt in found.doubts if not doubt.word] == []


def test_a_heading_is_judged_as_the_target_marks_headings():
    heading = page("Two boats", category=Category.SECTION_HEADER, level=1)
    assert proofread("# Two boats\n\n", heading).doubts == ()


def test_blocks_in_another_order_are_not_doubted_for_it():
    found = proofread("one\n\nsix\n\n", page("six", "one"))
    assert found.doubts == ()


def test_a_target_of_single_elements_judges_each_crop():
    dialect = MarkdownDialect("elements", page_prompt=None, prompts=dict.fromkeys(Category, "Read."))
    found = proofread("Two boats", page("Two boats", "Two goats"), dialect=dialect)
    assert [(doubt.block, doubt.word) for doubt in found.doubts] == [(1, "goats")]


def test_an_error_of_the_target_costs_its_page_and_is_named():
    def broken(image: object, category: object) -> str:
        raise PageError("out_of_memory", "the page has too many pixels")

    target = FakeDocumentTarget(broken)
    found = Proofreader(target, 0.1, Device()).page(page("Two boats"), Image.new("RGB", (200, 100)))
    assert found.error is not None
    assert found.error.code == "out_of_memory"


def test_a_page_of_figures_alone_has_nothing_to_judge():
    found = proofread("", page("", category=Category.FIGURE))
    assert (found.words, found.doubts, found.unjudged) == (0, (), ())


# ---------------------------------------------------------------------------------------------------- its words


def judged(shares: dict[int, tuple[float, int]], tokens: str) -> JudgedPiece:
    """Each letter is a token; others are named by their number."""
    judgements = [TokenJudgement(*shares.get(n, (1.0, ord("?")))) for n in range(len(tokens))]
    return JudgedPiece([*map(ord, tokens)], judgements, lambda ids: "".join(map(chr, ids)))


def test_a_word_is_as_sure_as_its_least_likely_token():
    text = judged({4: (0.3, ord("u")), 6: (0.01, ord("x"))}, "a boats b")
    word = judged_word(text, words_in(text.text)[1])
    assert (word.text, word.share, word.instead) == ("boats", 0.01, "boatx")


@pytest.mark.parametrize(("following", "is_missing"), [("last", True), ("- the port", False), ("", True)])
def test_a_block_ends_too_early_where_the_target_writes_another_word(following, is_missing):
    """'t' for the line's end; before 'the port' it would only not have parted the two."""
    piece = judged({3: (0.1, ord("t"))}, "two\n")
    assert (piece.more(3, following) is not None) == is_missing


@pytest.mark.parametrize("mark", "#\n|*")
def test_a_mark_before_a_word_is_no_doubt_of_the_word(mark):
    """The target would begin a heading or a table here; it says nothing of the letters that follow."""
    text = judged({0: (0.0, ord(mark)), 5: (0.0, ord(mark))}, "two boats")
    assert [judged_word(text, word).share for word in words_in(text.text)] == [1.0, 0.0]


def test_a_word_that_the_target_would_end_earlier_shows_where():
    text = judged({6: (0.0, ord(" "))}, "two boats")
    assert judged_word(text, words_in(text.text)[1]).instead == "bo"


def test_words_beyond_the_models_room_are_not_judged():
    text = JudgedPiece([*map(ord, "ab cd")], [TokenJudgement(1.0, 0)] * 4, lambda ids: "".join(map(chr, ids)))
    assert [judged_word(text, word) for word in words_in(text.text)][1] is None


def test_marks_and_tags_are_no_words():
    assert [word.text for word in words_in('<td>"-5 %"</td> | **x**')] == ["-5", "x"]


def test_boxes_and_keys_of_an_answer_in_json_are_no_words_of_its_block():
    """The page differs from the answer in its box, its category and one word; only the word is doubted."""
    of = page('Two "goats" left the port.')
    element = {"bbox": [3, 0, 200, 50], "category": "Caption", "text": 'Two "boats" left the port.'}
    answer = json.dumps([element])
    found = proofread(answer, of, dialect=DotsOcrDialect())
    assert [(doubt.word, doubt.block) for doubt in found.doubts] == [("goats", 0)]
    assert found.words == 5


def test_a_words_place_is_on_its_row_and_after_the_words_before_it():
    block = Block(Category.TEXT, "some ten letters here", Box(0, 0, 120, 50))
    first, *_, last = word_boxes(block, lambda box: ROWS)
    assert (first.x0, first.y0, first.y1) == (10, 10, 20)
    assert (last.y0, last.y1) == (30, 40)


def test_a_cells_place_is_its_row():
    table = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>"
    boxes = word_boxes(Block(Category.TABLE, table, Box(0, 0, 100, 40)), lambda box: ())
    assert boxes == [Box(0, 0, 100, 20), Box(0, 0, 100, 20), Box(0, 20, 100, 40)]


# ---------------------------------------------------------------------------------------------------- kept


def test_doubts_are_kept_for_the_page_as_it_reads(tmp_path):
    of = page("Two goats left")
    found = proofread("Two boats left", of)
    keep(tmp_path, "fake", [replace(found, digest=digest_of(of))])
    kept = read_kept(tmp_path)
    assert doubts_of_page(kept, of) == found.doubts
    assert doubts_of_page(kept, page("Two boats left")) == ()


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "docparse-fast/proofread", "version": 9}'])
def test_a_file_that_is_not_ours_says_nothing(tmp_path, text):
    (tmp_path / "proofread.json").write_text(text)
    assert read_kept(tmp_path) == {}


def test_review_names_the_doubted_words_of_a_block():
    of = page("Two goats left", "sure")
    (concern,) = concerns_of(of, proofread("Two boats left\n\nsure\n\n", of).doubts)
    assert (concern.block, concern.why) == (0, "the target doubts “goats” (boats...?)")


# ---------------------------------------------------------------------------------------------------- the command


@pytest.fixture(scope="module")
def one_wrong_word(tmp_path_factory) -> tuple[Path, str]:
    """A converted page in whose stored text a word is wrong, and that word."""
    folder = tmp_path_factory.mktemp("converted")
    shutil.copy(SAMPLE, folder / "page.png")
    return folder, "Quorbled"


@pytest.fixture
def converted(one_wrong_word, tmp_path, monkeypatch) -> str:
    source, wrong = one_wrong_word
    monkeypatch.chdir(tmp_path)
    shutil.copy(source / "page.png", "page.png")
    if not (source / "out").exists():
        assert run(["convert", "page.png", "-o", str(source / "out"), "--target", "none", "-q"]) == 0
    shutil.copytree(source / "out", "out")
    file = Path("out/page/document.json")
    document = json.loads(file.read_text())
    text = max((block for block in document["pages"][0]["blocks"]), key=lambda block: len(block["text"]))
    words = text["text"].split()
    words[len(words) // 2] = wrong
    text["text"] = " ".join(words)
    file.write_text(json.dumps(document))
    return wrong


def test_the_wrong_word_of_a_document_comes_first(converted, capsys):
    assert run(["proofread", "out", "--target", "nano", "-q", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    doubts = found["documents"][0]["pages"][0]["doubts"]
    assert doubts[0]["word"] == converted
    assert doubts[0]["rho"] < 0.01
    (block,) = [
        block
        for block in read_json(Path("out/page/document.json").read_text()).pages[0].blocks
        if converted in block.text
    ]
    assert doubts[0]["box"] == pytest.approx([block.box.x0, block.box.y0, block.box.x1, block.box.y1], abs=0.01)
    assert read_kept(Path("out/page"))[1].doubts[0].word == converted


def test_the_table_has_a_line_for_each_doubtful_word(converted, capsys):
    assert run(["proofread", "out", "--target", "nano", "--most", "1"]) == 0
    head, columns, first, *_ = capsys.readouterr().out.splitlines()
    assert "doubtful to nano" in head
    assert columns.split() == ["rho", "word", "instead", "page", "block", "about", "where", "document"]
    assert first.split()[:2] == ["0.000", converted]


def test_converting_again_takes_the_doubts_away(converted):
    keep(Path("out/page"), "nano", [])
    assert run(["convert", "page.png", "-o", "out", "--target", "none", "-q"]) == 0
    assert not Path("out/page/proofread.json").exists()


def refusal(capsys, code: int, *arguments: str) -> str:
    assert run(["proofread", *arguments]) == code
    return capsys.readouterr().err


def test_a_changed_source_is_refused_by_name(converted, capsys):
    Path("page.png").write_bytes(b"another")
    assert "page: page.png has changed since; convert it again" in refusal(capsys, 1, "out", "--target", "nano")


def test_a_folder_that_is_not_ours_is_refused(tmp_path, capsys):
    assert "not_found" in refusal(capsys, 1, str(tmp_path), "--target", "nano")


def test_without_a_target_there_is_no_proofreading(converted, capsys):
    assert "model_missing" in refusal(capsys, 1, "out", "--target", "none")


def test_a_server_is_refused_because_it_tells_nothing_of_a_text(converted, capsys):
    assert "a server tells nothing" in refusal(capsys, 2, "out", "--target", "http://127.0.0.1:9/v1")


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ([ProofreadPage(1), ProofreadPage(2)], 0),
        ([ProofreadPage(1), ProofreadPage(2, error=Failure("out_of_memory", "too large"))], 3),
        ([ProofreadPage(1, error=Failure("out_of_memory", "too large"))], 1),
        ([], 0),
    ],
)
def test_the_exit_code_says_whether_all_pages_were_read(pages, code):
    assert exit_code([ProofreadDocument("a", "a.pdf", tuple(pages))]) == code
