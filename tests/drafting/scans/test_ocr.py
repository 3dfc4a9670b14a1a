"""The detector and the recogniser on small images drawn here."""

import hashlib

import cv2
import numpy as np
import pymupdf
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.scans import ocr
from docparse_fast.drafting.scans.ocr import Ocr, TextRecognizer
from docparse_fast.drafting.scans.quads import Quad, crop
from docparse_fast.system.onnx import open_session, packaged


def drawn(*lines, width=420, size=14, font="helv", dpi=150):
    """Lines of text on white, from the top, as an image."""
    with pymupdf.open() as document:
        page = document.new_page(width=width, height=30 + 2 * size * len(lines))
        writer = pymupdf.TextWriter(page.rect)
        for number, line in enumerate(lines):
            writer.append((20, 15 + size + 2 * size * number), line, pymupdf.Font(font), size)
        writer.write_text(page)
        pixmap = page.get_pixmap(dpi=dpi)
        return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)


@pytest.fixture(scope="module")
def reader():
    return Ocr()


def read(reader, image):
    return [line.text for line in sorted(reader.read(image).lines, key=lambda line: line.box.y0)]


def test_printed_lines_are_read_letter_for_letter(reader):
    lines = ["The annual report for 2023 was published in March.", "Revenue rose by 12.5% to $48,300."]
    assert read(reader, drawn(*lines)) == lines


def test_chinese_and_latin_are_read_by_one_model(reader):
    assert read(reader, drawn("机器学习 2024 report", font="cjk")) in (
        ["机器学习 2024 report"],
        ["机器学习2024 report"],
    )


def test_white_paper_has_no_lines(reader):
    assert reader.read(np.full((400, 600, 3), 255, np.uint8)).lines == []


def test_a_lines_box_holds_its_ink(reader):
    image = drawn("A line of text")
    (line,) = reader.read(image).lines
    rows, columns = np.nonzero(image.min(axis=2) < 128)
    assert line.box.expanded(2).covers(Box(columns.min(), rows.min(), columns.max(), rows.max())) == 1.0


def test_word_boxes_stand_where_the_words_do(reader):
    (line,) = reader.read(drawn("left middle right")).lines
    assert [text for _, text in line.words] == ["left", "middle", "right"]
    left, middle, right = (box for box, _ in line.words)
    assert left.x1 < middle.x0 < line.box.center[0] < middle.x1 < right.x0


def test_a_photographs_blurred_letters_are_seen_from_nearer(reader):
    """With the box's white above and below they were too small: `1.285` for `1,285`. Which grain hides the comma
    depends on the processor.
    """
    page = cv2.GaussianBlur(drawn("Escabeau 6 marches 1,285", dpi=60).copy(), (0, 0), 0.9)
    rows, columns = np.nonzero(page.min(axis=2) < 200)
    line = page[rows.min() - 9 : rows.max() + 9, columns.min() - 4 : columns.max() + 4]
    grains = [np.random.default_rng(seed).normal(0, 7, line.shape) for seed in range(1, 13)]
    crops = [np.uint8(60 + 0.5 * line + grain) for grain in grains]

    recognizer = reader.recognizer
    nearer = [reading.text for reading in recognizer.read(crops, photographed=True)]
    whole = [recognizer._seen(crop).text for crop in crops]
    assert nearer.count("Escabeau 6 marches 1,285") >= whole.count("Escabeau 6 marches 1,285") + 4


def test_what_a_photographs_grain_hides_is_read_again_without_it(reader):
    """What a telephone sharpens looks like strokes: `10 ρ≠e5ona mm la 8amva` for `se presenta en la llanura`."""
    said = "se presenta en la llanura y conquista la ciudad"
    page = cv2.GaussianBlur(drawn(said, dpi=150).copy(), (0, 0), 2.5)
    rows, columns = np.nonzero(page.min(axis=2) < 200)
    line = 0.7 * page[rows.min() - 4 : rows.max() + 4, columns.min() - 4 : columns.max() + 4] + 30
    grains = [np.random.default_rng(seed).normal(0, 30, line.shape[:2])[..., None] for seed in range(8)]
    grainy = [cv2.GaussianBlur(np.clip(line + grain, 0, 255), (0, 0), 0.6) for grain in grains]
    crops = [np.uint8(np.clip(2 * one - cv2.GaussianBlur(one, (0, 0), 1.3), 0, 255)) for one in grainy]
    readings = reader.recognizer.read(crops, photographed=True)
    assert sum(len({*reading.text.split()} & {*said.split()}) for reading in readings) > 20


@pytest.mark.parametrize(("said", "is_softened"), [("£", False), ("71.7 ± 0.0", False), ("salary of £", True)])
def test_a_photographs_signs_alone_keep_their_strokes(monkeypatch, said, is_softened):
    """Without its grain a photographed payslip's `£` was read as `E`."""
    looks = []

    def seen(_, look, *, blurred):
        looks.append(look)
        return ocr.LineReading(said, 0.8, ())

    monkeypatch.setattr(TextRecognizer, "_seen", seen)
    line = drawn(said)
    TextRecognizer(1).read([line], photographed=True)
    assert (looks[1].shape != line.shape) == is_softened


@pytest.mark.parametrize(("seen", "said"), [("Ｎo．５（a）", "No.5(a)"), ("中（a）", "中（a）"), ("N.°", "N.º")])
def test_full_width_signs_become_ordinary_ones_outside_chinese(seen, said):
    """In words, too, of which a table's cells are made: a column's head was `＃`."""
    marks = tuple((sign, (n + 0.5) / len(seen)) for n, sign in enumerate(seen))
    blank = np.full((40, 30 * len(seen), 3), 255, np.uint8)
    line = ocr._line(
        Quad(200, 20, 30 * len(seen), 40, 0.0), ocr.LineReading(seen, 0.9, marks, (0.9,) * len(seen)), 0.0, blank
    )
    assert (line.plain, "".join(text for _, text in line.words)) == (said, said)


def test_a_language_bars_other_scripts():
    image = drawn("机器学习", font="cjk", width=100)
    quads = ocr.TextDetector(1).find(image)
    (free,) = TextRecognizer(1).read([crop(image, quads[0])])
    (english,) = TextRecognizer(1, "en").read([crop(image, quads[0])])
    assert any(character in "机器学习" for character in free.text)
    assert not any("\u3400" <= character <= "\u9fff" for character in english.text)


def test_a_slanted_line_is_cut_out_level(reader):
    image = drawn("Set at a slant, and level again", width=300)
    slanted = ocr.cv2.warpAffine(
        image, ocr.cv2.getRotationMatrix2D((300, 45), -4, 1.0), (625, 150), borderValue=(255, 255, 255)
    )
    (quad,) = reader.detector.find(slanted)
    assert 2.5 < quad.angle < 5.5
    assert reader.read(slanted, [quad]).lines[0].text == "Set at a slant, and level again"


def test_a_quad_that_stands_upright_is_its_own_box():
    assert Quad(50, 20, 80, 10, 0.0).box == Box(10, 15, 90, 25)


def test_words_end_at_blanks():
    line = np.full((10, 100, 3), 255, np.uint8)
    line[3:6, 5:40] = line[3:6, 70:90] = 0
    words = ocr._words(Box(0, 0, 100, 10), (("a", 0.1), ("b", 0.3), (" ", 0.5), ("c", 0.8)), line)
    assert [(text, round(box.x0), round(box.x1)) for box, text in words] == [("ab", 5, 40), ("c", 70, 90)]


def test_eight_bits_read_what_thirty_two_do():
    """Both recognisers, whichever this processor would choose."""
    lines = ["Speculative decoding proposes and verifies.", "Tables, figures: 1,024 cells (48%)", "谢谢阅读这一页文字"]
    images = [drawn(line, font="cjk" if line[0] > "z" else "tiro") for line in lines]
    crops = [crop(image, ocr.TextDetector(1).find(image)[0]) for image in images]
    recognizer = TextRecognizer(1)
    texts = []
    for weights in (packaged("PP-OCRv6_rec_small_int8.onnx"), ocr._weights("PP-OCRv6_rec_small.onnx")):
        recognizer._session = open_session(weights, 1)
        texts.append([reading.text.replace(" ", "") for reading in recognizer.read(crops)])
    assert texts[0] == texts[1] == [line.replace(" ", "") for line in lines]


def test_the_packaged_detector_finds_what_the_published_one_does():
    image = drawn("Speculative decoding proposes", "and verifies.")
    ours, published = ocr.TextDetector(1), ocr.TextDetector(1)
    published._session = open_session(ocr._weights("PP-OCRv6_det_small.onnx"), 1)
    assert ours.find(image) == published.find(image)
    assert len(ours.find(image)) == 2


def test_words_of_blurred_print_keep_their_blanks(reader):
    lines = [
        "of the file is printed, and the command proceeds. This option is used by interactive shells.",
        "All of it is done again in September 19 or later, as it was done in the years before that.",
    ]
    image = cv2.GaussianBlur(drawn(*lines, width=520, size=11, font="tiro", dpi=200), (0, 0), 1.8)
    grain = np.random.default_rng(1).normal(0, 4, image.shape[:2])[..., None]
    assert read(reader, (image + grain).clip(0, 255).astype(np.uint8)) == lines


@pytest.mark.parametrize("name", ["PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small_int8.onnx"])
def test_packaged_weights_are_the_ones_their_notice_names(name):
    digest = hashlib.sha256(packaged(name).read_bytes()).hexdigest()
    assert f"SHA-256 {digest}" in packaged("NOTICE").read_text()
