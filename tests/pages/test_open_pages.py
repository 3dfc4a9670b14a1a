"""Opening files: their kinds, the errors of unreadable ones, and the order of pages."""

from __future__ import annotations

import hashlib
import os

import pymupdf
import pytest
from page_files import drawing, is_drawing, raw_pdf, saved, text_pdf

from docparse_fast.errors import InputError, PageError, UsageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages


def code_of(path) -> str:
    with pytest.raises(InputError) as caught:
        open_pages(path)
    assert "\n" not in str(caught.value)
    assert caught.value.remedy
    return caught.value.code


def test_the_content_decides_the_kind_and_not_the_suffix(tmp_path):
    path = tmp_path / "scan.pdf"
    path.write_bytes(saved(drawing(), "PNG"))
    with open_pages(path) as document:
        assert document.kind == "png"
        assert is_drawing(next(document.pages()).image)


def test_a_missing_file_is_not_found(tmp_path):
    assert code_of(tmp_path / "none.pdf") == "not_found"


def test_a_dangling_link_is_not_found(tmp_path):
    (tmp_path / "link.pdf").symlink_to(tmp_path / "none.pdf")
    assert code_of(tmp_path / "link.pdf") == "not_found"


def test_a_nul_in_the_name_is_not_found(tmp_path):
    assert code_of(f"{tmp_path}/a\0b.pdf") == "not_found"


def test_a_folder_is_unsupported(tmp_path):
    assert code_of(tmp_path) == "unsupported"


def test_a_pipe_is_unsupported_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.pdf")
    assert code_of(tmp_path / "pipe.pdf") == "unsupported"


def test_a_file_of_no_bytes_is_empty(tmp_path):
    (tmp_path / "a.pdf").touch()
    assert code_of(tmp_path / "a.pdf") == "empty"


@pytest.mark.parametrize(
    "content",
    [b"<html><body>hello</body></html>", b"PK\x03\x04zip", b"just words", b"\0" * 5000, bytes(range(256)) * 20],
)
def test_other_content_is_unsupported_even_where_mupdf_could_open_it(tmp_path, content):
    (tmp_path / "a.pdf").write_bytes(content)
    assert code_of(tmp_path / "a.pdf") == "unsupported"


def test_a_pdf_without_pages_is_empty(tmp_path):
    (tmp_path / "a.pdf").write_bytes(raw_pdf().replace(b"[3 0 R]/Count 1", b"[     ]/Count 0"))
    assert code_of(tmp_path / "a.pdf") == "empty"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF"])
def test_an_image_with_only_a_signature_is_corrupt(tmp_path, kind):
    (tmp_path / "a").write_bytes(saved(drawing(), kind)[:20])
    assert code_of(tmp_path / "a") == "corrupt"


def test_a_pdf_with_only_a_header_is_corrupt(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nnothing of use")
    assert code_of(tmp_path / "a.pdf") == "corrupt"


def test_a_control_character_in_the_name_does_not_break_the_line(tmp_path):
    (tmp_path / "a\nb.pdf").touch()
    assert code_of(tmp_path / "a\nb.pdf") == "empty"


def test_a_name_that_is_no_utf8_can_be_opened(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.pdf")
    path.write_bytes(raw_pdf())
    with open_pages(path) as document:
        assert document.page_count == 1


def test_the_pages_asked_for_come_in_that_order_with_their_numbers_in_the_source(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", *"abcde")
    with open_pages(path, RasterOptions(pages="r1,2-3")) as document:
        assert [page.number for page in document.pages()] == [5, 2, 3] == document.numbers
        assert document.page_count == 5


def test_max_pages_cuts_the_selection(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", *"abcde")
    with open_pages(path, RasterOptions(pages="3-5", max_pages=2)) as document:
        assert document.numbers == [3, 4]


def test_a_page_out_of_range_is_a_usage_error(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", "a")
    with pytest.raises(UsageError, match="has 1 page;"):
        open_pages(path, RasterOptions(pages="2"))


def test_the_hash_is_that_of_the_file(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", "a")
    with open_pages(path) as document:
        assert document.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_nothing_is_rendered_before_its_image_is_used(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", "a", "b")
    with open_pages(path) as document:
        pages = list(document.pages())
        assert not any("image" in vars(page) for page in pages)
        assert pages[1].image.size == (pages[1].width, pages[1].height)
        assert "image" not in vars(pages[0])


@pytest.mark.parametrize("intruder", ["999 0 R", "1 0 R", "2 0 R", "(abc)", "null", "5"])
def test_a_broken_page_comes_as_a_page_and_leaves_the_others_alone(tmp_path, intruder):
    """MuPDF makes a blank page of anything in the page tree, so a page was lost silently."""
    path = text_pdf(tmp_path / "a.pdf", "a", "b", "c")
    with pymupdf.open(path) as file:
        tree = int(file.xref_get_key(file.pdf_catalog(), "Pages")[1].split()[0])
        file.xref_set_key(tree, "Kids", f"[{file.page_xref(0)} 0 R {file.page_xref(2)} 0 R {intruder}]")
        file.save(tmp_path / "broken.pdf")
    with open_pages(tmp_path / "broken.pdf") as document:
        first, second, broken = document.pages()
        assert first.image and second.image
        assert (broken.number, broken.width) == (3, 0)
        for part in ("image", "text_layer"):
            with pytest.raises(PageError, match="it is broken") as caught:
                getattr(broken, part)
            assert caught.value.code == "render_failed"


def test_a_page_without_its_type_is_a_page_all_the_same(tmp_path):
    (tmp_path / "a.pdf").write_bytes(raw_pdf().replace(b"/Type/Page/Parent", b"/Parent"))
    with open_pages(tmp_path / "a.pdf") as document:
        assert next(document.pages()).width == 278
