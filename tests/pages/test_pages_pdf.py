"""PDF pages: geometry, the pixel cap, passwords, labels, damage."""

from __future__ import annotations

import sys
from collections import Counter

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_files import drawing, image_pdf, is_drawing, raw_pdf, saved, text_pdf

from docparse_fast.document import Box
from docparse_fast.errors import InputError, PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.pages.labels import PageLabels

CALLS_A_PAGE = 1000  # ours take 250, PyMuPDF's own labels over 9,000
CALLS_A_LINK = 100
LETTER_INCHES = (8.5, 11)


def first_page(path, **options):
    """The first page, rendered while its document was open."""
    with open_pages(path, RasterOptions(**options)) as document:
        page = next(document.pages())
        assert page.image.size == (page.width, page.height)
        assert page.image.mode == "RGB"
        return page


def write(tmp_path, data: bytes):
    (tmp_path / "a.pdf").write_bytes(data)
    return tmp_path / "a.pdf"


def test_a_page_has_as_many_pixels_as_its_inches_at_the_dpi(tmp_path):
    page = first_page(write(tmp_path, raw_pdf(b"/MediaBox[0 0 612 792]")), dpi=100)
    assert (page.width, page.height, page.dpi) == (850, 1100, pytest.approx(100))


@pytest.mark.parametrize(
    "page",
    [
        b"/MediaBox[0 0 14400 14400]",
        b"/MediaBox[0 0 100 100]/UserUnit 75000",
        b"/MediaBox[0 0 595 2147483647]",
        b"/MediaBox[0 0 14400 0.5]",
    ],
)
def test_the_pixel_cap_wins_over_the_dpi(tmp_path, page):
    """A 2^31 pt page was once 4.6 million pixels high and, by rounding, one pixel off what had been announced."""
    page = first_page(write(tmp_path, raw_pdf(page)), max_pixels=1_000_000)
    assert page.width * page.height <= 1_010_000
    assert max(page.width, page.height) <= 20_000


@pytest.mark.parametrize("box", [b"0 0 0 0", b"0 0 nan 3", b"-1e30 -1e30 1e30 1e30", b"(a) (b) (c) (d)"])
def test_a_page_without_a_sensible_size_gets_letter_paper(tmp_path, box):
    page = first_page(write(tmp_path, raw_pdf(b"/MediaBox[%s]" % box)), dpi=100)
    assert (page.width / 100, page.height / 100) == LETTER_INCHES


def test_rotate_is_obeyed(tmp_path):
    path = tmp_path / "a.pdf"
    with pymupdf.open() as file:
        page = file.new_page(width=160, height=240)  # the drawing lies on its side, and /Rotate sets it up
        page.insert_image(page.rect, stream=saved(drawing().rotate(90, expand=True), "PNG"))
        page.set_rotation(90)
        file.save(path)
    page = first_page(path)
    assert page.width > page.height
    assert is_drawing(page.image)


def test_a_page_is_cut_to_its_crop_box(tmp_path):
    path = tmp_path / "a.pdf"
    with pymupdf.open() as file:
        page = file.new_page(width=440, height=360)
        page.draw_rect(page.rect, fill=(0, 0, 0))
        page.insert_image((100, 100, 340, 260), stream=saved(drawing(), "PNG"))
        page.set_cropbox(pymupdf.Rect(100, 100, 340, 260))
        file.save(path)
    page = first_page(path, dpi=72)
    assert (page.width, page.height) == (240, 160)
    assert is_drawing(page.image)


@given(
    size=st.tuples(st.floats(0.5, 900), st.floats(0.5, 900)),
    at=st.floats(-50, 200),
    turned=st.sampled_from([0, 90, 180, 270]),
    dpi=st.integers(20, 300),
)
def test_the_image_has_the_size_that_was_announced(tmp_path_factory, size, at, turned, dpi):
    box = b"/MediaBox[%f %f %f %f]/Rotate %d" % (at, at, at + size[0], at + size[1], turned)
    path = write(tmp_path_factory.mktemp("size"), raw_pdf(box))
    first_page(path, dpi=dpi, max_pixels=200_000)


def test_the_text_layer_is_in_the_image_s_pixels(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", "hello")
    with open_pages(path, RasterOptions(dpi=144)) as document:
        page = next(document.pages())
        (line,) = page.text_layer.lines
        assert line.text.strip() == "hello"
        assert line.box.x0 == pytest.approx(30 * 2, abs=2)
        assert line.box.y1 == pytest.approx(60 * 2, abs=10)
        assert "image" not in vars(page), "the words were had without rendering"


# ---------------------------------------------------------------------------------------------- passwords

LOCKED = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "chef", "user_pw": "geheim"}


def test_a_picture_is_as_large_as_it_is_seen(tmp_path):
    """Cropped pictures lay over the text around them, which became the picture's words."""
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=200, height=200)
        page.insert_image(pymupdf.Rect(20, 0, 120, 200), stream=saved(drawing(), "PNG"), keep_proportion=False)
        page.insert_text((30, 190), "Below the picture")
        first, *_ = page.get_contents()
        pdf.update_stream(first, pdf.xref_stream(first).replace(b"q", b"q 20 80 100 60 re W n", 1))
        pdf.save(tmp_path / "a.pdf")
    with open_pages(tmp_path / "a.pdf", RasterOptions(dpi=72)) as document:
        (picture,) = next(document.pages()).text_layer.images
    assert picture.rounded() == Box(20, 60, 120, 120)


@pytest.mark.parametrize(("password", "said"), [(None, "needs a password"), ("", "needs"), ("falsch", "does not open")])
def test_the_error_of_a_locked_file_never_shows_the_password(tmp_path, password, said):
    path = text_pdf(tmp_path / "a.pdf", "a", **LOCKED)
    options = RasterOptions(password=password)
    with pytest.raises(InputError, match=said) as caught:
        open_pages(path, options)
    assert caught.value.code == "encrypted"
    assert "falsch" not in str(caught.value) + repr(options)


@pytest.mark.parametrize("password", ["geheim", "chef"])
def test_either_password_opens_it(tmp_path, password):
    path = text_pdf(tmp_path / "a.pdf", "a", **LOCKED)
    assert first_page(path, password=password).width


def test_a_file_that_only_its_owner_locked_opens_by_itself(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", "a", **{**LOCKED, "user_pw": ""})
    assert first_page(path).width


def test_a_password_for_an_unlocked_file_is_ignored(tmp_path):
    assert first_page(text_pdf(tmp_path / "a.pdf", "a"), password="geheim").width


# ------------------------------------------------------------------------------------------------- labels


def test_pages_carry_their_printed_numbers(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", *"abcd")
    with pymupdf.open(path) as file:
        file.set_page_labels(
            [{"startpage": 0, "style": "r"}, {"startpage": 2, "style": "D", "prefix": "A-", "firstpagenum": 9}]
        )
        file.save(tmp_path / "labelled.pdf")
    with open_pages(tmp_path / "labelled.pdf") as document:
        assert [page.label for page in document.pages()] == ["i", "ii", "A-9", "A-10"]


@pytest.mark.parametrize(
    ("style", "number", "label"),
    [("R", 1994, "MCMXCIV"), ("a", 26, "z"), ("A", 28, "BB"), ("D", 0, "0"), ("", 5, ""), ("r", 0, "0")],
)
def test_each_style_of_label_is_written_out(style, number, label):
    assert PageLabels([{"startpage": 0, "style": style, "firstpagenum": number}])[0] == label


def test_pages_before_the_first_rule_have_no_label():
    assert PageLabels([{"startpage": 3, "style": "D"}])[1] == ""


def test_many_pages_open_in_few_calls_even_with_a_label_rule_each(tmp_path):
    """With PyMuPDF's own labels every rule was walked for every page: millions of calls."""
    with pymupdf.open() as file:
        for _ in range(300):
            file.new_page()
        file.set_page_labels([{"startpage": at, "style": "D", "prefix": f"{at}-"} for at in range(300)])
        file.save(tmp_path / "many.pdf")
    calls = Counter()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    with open_pages(tmp_path / "many.pdf") as document:
        labels = [page.label for page in document.pages()]
    sys.setprofile(None)
    assert labels[-1] == "299-1"
    assert calls["call"] + calls["c_call"] < 300 * CALLS_A_PAGE


# -------------------------------------------------------------------------------------------------- links


def linked_pdf(path, count: int, rotation: int = 0):
    with pymupdf.open() as file:
        page = file.new_page(width=300, height=200)
        page.insert_text((30, 60), "words to follow")
        numbers = [file.get_new_xref() for _ in range(count)]
        for number in numbers:
            address = f"/A<</S/URI/URI(https://a.org/{number})>>"
            file.update_object(number, f"<</Type/Annot/Subtype/Link/Rect[20 130 200 160]{address}>>")
        file.xref_set_key(page.xref, "Annots", f"[{' '.join(f'{number} 0 R' for number in numbers)}]")
        page.set_rotation(rotation)
        file.save(path)
    return path


def words_of(path):
    with open_pages(path) as document:
        return [span for line in next(document.pages()).text_layer.lines for span in line.spans]


def test_thousands_of_links_are_read_in_one_pass(tmp_path):
    """PyMuPDF's get_links walks all of a page's annotations for each link: 32,768 took minutes."""
    path = linked_pdf(tmp_path / "many.pdf", 2000)
    calls = Counter()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    words = words_of(path)
    sys.setprofile(None)
    assert all(word.link.startswith("https://a.org/") for word in words)
    assert calls["call"] + calls["c_call"] < 2000 * CALLS_A_LINK


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_link_lies_on_its_words_however_the_page_is_turned(tmp_path, rotation):
    assert all(word.link for word in words_of(linked_pdf(tmp_path / "a.pdf", 1, rotation)))


# ------------------------------------------------------------------------------------------------- damage


def test_a_page_whose_commands_are_cut_off_says_so(tmp_path):
    whole = text_pdf(tmp_path / "whole.pdf", "a", "b").read_bytes()
    with open_pages(write(tmp_path, whole[: whole.rindex(b"stream", 0, whole.rindex(b"endstream"))])) as document:
        for page in document.pages():
            assert page.image
        assert [document.is_cut_off(number) for number in range(1, document.page_count + 1)] == [False, True]


def test_a_lost_cross_reference_is_repaired_and_said_so(tmp_path):
    whole = text_pdf(tmp_path / "whole.pdf", "a", "b").read_bytes()
    path = write(tmp_path, whole[: whole.rindex(b"xref")])
    with open_pages(path) as document:
        assert all(page.image for page in document.pages())
        assert document.page_count == 2
        assert not document.is_cut_off(1)
        assert any("repaired" in warning for warning in document.warnings())


def test_junk_before_the_header_is_allowed(tmp_path):
    assert first_page(write(tmp_path, b"Content-Type: application/pdf\r\n\r\n" + raw_pdf())).width


def test_a_file_with_a_false_page_count_is_corrupt(tmp_path):
    with pytest.raises(InputError) as caught:
        open_pages(write(tmp_path, raw_pdf(count=999_999_999)))
    assert caught.value.code == "corrupt"


def test_an_image_that_would_have_to_be_decoded_whole_fails_its_page_alone(tmp_path):
    entries = b"/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 1<000000ffffff>]/Filter/FlateDecode"
    with open_pages(write(tmp_path, image_pdf(30_000, 30_000, entries, b""))) as document:
        page = next(document.pages())
        with pytest.raises(PageError, match="30000 x 30000"):
            _ = page.image


def test_mupdf_prints_nothing(tmp_path, capfd):
    broken = raw_pdf(b"/MediaBox[0 0 100 100]/Contents 9 0 R")[:-60]
    with open_pages(write(tmp_path, broken)) as document:
        for page in document.pages():
            _ = page.image
        assert document.warnings()
    assert capfd.readouterr() == ("", "")


def test_each_file_has_only_its_own_warnings(tmp_path):
    with open_pages(write(tmp_path, raw_pdf()[:-60])) as document:
        assert document.warnings()
    with open_pages(text_pdf(tmp_path / "good.pdf", "a")) as document:
        assert not document.warnings()


def test_a_word_in_small_type_is_no_copy_of_the_same_word_in_large_type(tmp_path):
    """Places were counted in steps of the type's size: at double the size and double the distance they are the same."""
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=300)
        page.insert_text((50, 60), "Note", fontsize=12)
        page.insert_text((100, 120), "Note", fontsize=24)
        document.save(tmp_path / "a.pdf")
    with open_pages(tmp_path / "a.pdf") as opened:
        layer = next(opened.pages()).text_layer
        assert [line.text.strip() for line in layer.lines] == ["Note", "Note"]


def test_type_of_a_broken_matrix_has_a_size_that_can_be_divided_by(tmp_path):
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_font(fontname="helv")
        page.insert_text((72, 100), "x")
        content = page.get_contents()[-1]
        flat = b"\nBT /helv 1 Tf 12 3 12 3 72 700 Tm (words of no height) Tj ET"
        document.update_stream(content, document.xref_stream(content) + flat)
        document.save(tmp_path / "flat.pdf")
    with open_pages(tmp_path / "flat.pdf", RasterOptions()) as pages:
        lines = next(iter(pages.pages([1]))).text_layer.lines
    assert len(lines) > 1
    assert all(span.size >= 1 for line in lines for span in line.spans)
