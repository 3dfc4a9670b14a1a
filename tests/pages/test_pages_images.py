"""Images as pages: every format and kind of pixel upright, in RGB, over white."""

from __future__ import annotations

import io

import numpy as np
import pytest
from page_files import drawing, is_drawing, saved
from PIL import Image, ImageCms, TiffImagePlugin

from docparse_fast.errors import InputError, PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages


def pages_of(tmp_path, data: bytes, **options):
    """All pages, rendered, and what was said about each."""
    path = tmp_path / "a"
    path.write_bytes(data)
    with open_pages(path, RasterOptions(**options)) as document:
        pages = list(document.pages())
        for page in pages:
            assert page.image.size == (page.width, page.height)
            assert page.image.mode == "RGB"
            assert page.text_layer is None
        return pages, document


def only_page(tmp_path, data: bytes, **options):
    (page,), _ = pages_of(tmp_path, data, **options)
    return page


FORMATS = [
    ("PNG", ("RGB", "L", "1", "P", "RGBA", "LA")),
    ("JPEG", ("RGB", "L", "CMYK")),
    ("TIFF", ("RGB", "L", "1", "P", "RGBA", "CMYK", "LAB")),
    ("WEBP", ("RGB", "RGBA")),
    ("BMP", ("RGB", "L", "1", "P")),
    ("GIF", ("L", "P")),
]


@pytest.mark.parametrize(("kind", "mode"), [(kind, mode) for kind, modes in FORMATS for mode in modes])
def test_every_format_and_mode_shows_the_drawing(tmp_path, kind, mode):
    image = drawing() if mode == "LAB" else drawing(mode)
    if mode == "LAB":
        srgb, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
        image = ImageCms.profileToProfile(image, srgb, lab, outputMode="LAB")
    page = only_page(tmp_path, saved(image, kind))
    assert (page.width, page.height) == (240, 160)
    assert is_drawing(page.image)


@pytest.mark.parametrize(
    "compression", ["raw", "group3", "group4", "tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg"]
)
def test_every_tiff_compression_shows_the_drawing(tmp_path, compression):
    mode = "1" if compression.startswith("group") else "L"
    assert is_drawing(only_page(tmp_path, saved(drawing(mode), "TIFF", compression=compression)).image)


def test_of_a_jpeg_with_all_channels_in_one_scan_no_coefficients_are_held(tmp_path, monkeypatch):
    monkeypatch.setattr("docparse_fast.pages.images.MAX_DECODED_BYTES", 10_000)
    assert is_drawing(only_page(tmp_path, saved(drawing(), "JPEG")).image)
    with pytest.raises(InputError, match="decode"):
        only_page(tmp_path, saved(drawing(), "JPEG", progressive=True))


def deep(dtype: str, white: float, black: float = 0) -> Image.Image:
    values = np.where(np.asarray(drawing("L")) > 128, white, black)
    return Image.fromarray(values.astype(dtype))


@pytest.mark.parametrize(
    ("dtype", "white", "black"),
    [
        ("u2", 65535, 0),
        ("u2", 4095, 0),
        ("u2", 255, 0),
        ("i4", 1_000_000, -1_000_000),
        ("f4", 1.0, 0.0),
        ("f4", 255.0, 0.0),
        ("f4", 65535.0, 10.0),
        ("f4", 3.5, -8.0),
        ("f4", np.nan, 0.0),
    ],
)
def test_deep_pixels_are_brought_to_eight_bits(tmp_path, dtype, white, black):
    """Pillow's own conversion clips at 255: a 16-bit page came out all white."""
    assert is_drawing(only_page(tmp_path, saved(deep(dtype, white, black), "TIFF")).image)


def test_a_sixteen_bit_png_is_brought_to_eight_bits(tmp_path):
    assert is_drawing(only_page(tmp_path, saved(deep("u2", 65535), "PNG")).image)


def test_sixteen_bits_with_white_as_zero_are_turned_round(tmp_path):
    data = saved(deep("u2", 0, 65535), "TIFF", tiffinfo={262: 0})
    assert TiffImagePlugin.TiffImageFile(io.BytesIO(data)).tag_v2[262] == 0
    assert is_drawing(only_page(tmp_path, data).image)


def test_a_black_deep_page_stays_black(tmp_path):
    page = only_page(tmp_path, saved(deep("u2", 0), "TIFF"))
    assert page.image.getextrema() == ((0, 0),) * 3


# -------------------------------------------------------------------------------- transparency, orientation


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_transparent_pixels_become_white_paper(tmp_path, kind):
    image = drawing("RGBA", paper="black")
    image.putalpha(drawing("L").point(lambda value: 255 - value))
    assert is_drawing(only_page(tmp_path, saved(image, kind)).image)


def test_a_transparent_palette_entry_is_white_paper(tmp_path):
    image = drawing("L").point(lambda value: value > 128).convert("P")
    image.putpalette([0, 0, 0, 0, 0, 0])
    assert is_drawing(only_page(tmp_path, saved(image, "PNG", transparency=1)).image)


TURNS = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("max_pixels", [6_000_000, 10_000])
@pytest.mark.parametrize("orientation", TURNS)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_exif_orientation_is_obeyed(tmp_path, kind, orientation, max_pixels):
    turn = TURNS[orientation]
    stored = drawing() if turn is None else drawing().transpose(turn)
    if kind == "TIFF":
        data = saved(stored, kind, tiffinfo={274: orientation})
    else:
        exif = Image.Exif()
        exif[274] = orientation
        data = saved(stored, kind, exif=exif)
    page = only_page(tmp_path, data, max_pixels=max_pixels)
    assert page.width > page.height
    assert is_drawing(page.image)


def test_an_orientation_that_does_not_exist_is_ignored(tmp_path):
    exif = Image.Exif()
    exif[274] = 77
    assert is_drawing(only_page(tmp_path, saved(drawing(), "JPEG", exif=exif)).image)


# --------------------------------------------------------------------------------------- size and resolution


def test_a_small_image_is_left_as_it_is(tmp_path):
    page = only_page(tmp_path, saved(Image.new("RGB", (1, 1), "red"), "PNG"), dpi=600)
    assert page.image.getpixel((0, 0)) == (255, 0, 0)
    assert (page.width, page.height) == (1, 1)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF"])
def test_a_large_image_is_brought_within_the_pixel_cap(tmp_path, kind):
    page = only_page(tmp_path, saved(drawing(size=(1200, 800)), kind), max_pixels=90_000)
    assert 85_000 < page.width * page.height <= 90_000
    assert is_drawing(page.image)


def test_the_resolution_shrinks_with_the_image(tmp_path):
    data = saved(drawing(size=(1200, 800)), "PNG", dpi=(300, 300))
    assert only_page(tmp_path, data).dpi == pytest.approx(300, rel=0.01)
    assert only_page(tmp_path, data, max_pixels=240_000).dpi == pytest.approx(150, rel=0.01)


@pytest.mark.parametrize("said", [None, (1, 1), (72, 72)])
def test_a_resolution_missing_or_not_to_be_believed_is_taken_from_the_size(tmp_path, said):
    """A camera writes 72 dpi, which would make a poster of 1.5 m of its photos."""
    data = saved(drawing(size=(4400, 3400)), "JPEG", **({"dpi": said} if said else {}))
    page = only_page(tmp_path, data, max_pixels=200_000_000)
    assert page.dpi == pytest.approx(4400 / 11.69, rel=0.01)


def test_a_fax_of_half_the_lines_is_stretched_to_square_pixels(tmp_path):
    data = saved(drawing("1", size=(1728, 1100)), "TIFF", compression="group4", dpi=(204, 98))
    page = only_page(tmp_path, data)
    assert page.height == pytest.approx(1100 * 204 / 98, abs=2)
    assert page.dpi == pytest.approx(204, rel=0.01)
    assert is_drawing(page.image)


# ----------------------------------------------------------------------------------------- several images


def test_every_image_of_a_tiff_is_a_page_of_its_own_size(tmp_path):
    images = [drawing(), drawing("L", size=(300, 200)), drawing("1", size=(120, 80))]
    pages, document = pages_of(tmp_path, saved(images[0], "TIFF", save_all=True, append_images=images[1:]))
    assert document.page_count == 3
    assert [page.width for page in pages] == [240, 300, 120]
    assert all(is_drawing(page.image) for page in pages)


def test_pages_of_a_tiff_come_in_any_order(tmp_path):
    sizes = [(240, 160), (300, 200), (360, 240)]
    images = [drawing(size=size) for size in sizes]
    data = saved(images[0], "TIFF", save_all=True, append_images=images[1:])
    pages, _ = pages_of(tmp_path, data, pages="3,1,2")
    assert [page.width for page in pages] == [360, 240, 300]


def test_a_preview_inside_a_tiff_is_no_page(tmp_path):
    buffer = io.BytesIO()
    with TiffImagePlugin.AppendingTiffWriter(buffer, True) as writer:
        drawing().save(writer, "TIFF")
        writer.newFrame()
        drawing(size=(48, 44)).save(writer, "TIFF", tiffinfo={254: 1})
        writer.newFrame()
        drawing(size=(300, 200)).save(writer, "TIFF")
        writer.newFrame()
    pages, _ = pages_of(tmp_path, buffer.getvalue())
    assert [page.width for page in pages] == [240, 300]


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_frame_is_the_page(tmp_path, kind):
    blank = Image.new("RGB", (240, 160), "black")
    page = only_page(tmp_path, saved(drawing(), kind, save_all=True, append_images=[blank], duration=100))
    assert is_drawing(page.image)


def test_a_tiff_with_a_circular_chain_of_images_ends(tmp_path):
    data = bytearray(saved(drawing(), "TIFF"))
    directory = int.from_bytes(data[4:8], "little")
    entries = int.from_bytes(data[directory : directory + 2], "little")
    data[directory + 2 + 12 * entries : directory + 6 + 12 * entries] = data[4:8]
    _, document = pages_of(tmp_path, bytes(data))
    assert document.page_count == 1


# ------------------------------------------------------------------------------------------------- damage


def tall_drawing() -> Image.Image:
    """The drawing, and below it noise for which a file needs most of its bytes."""
    image = Image.new("RGB", (240, 480), "white")
    image.paste(drawing())
    noise = np.random.default_rng(0).integers(0, 256, (320, 240, 3), dtype=np.uint8)
    image.paste(Image.fromarray(noise), (0, 160))
    return image


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF"])
def test_an_image_cut_off_is_read_as_far_as_it_goes_and_says_so(tmp_path, kind):
    data = saved(tall_drawing(), kind)
    (page,), document = pages_of(tmp_path, data[: len(data) // 2])
    assert is_drawing(page.image.crop((0, 0, 240, 160)))
    assert page.image.getpixel((120, 479)) == (255, 255, 255), "the part that is missing is white paper"
    assert document.is_cut_off(1)
    assert "missing" in document.warnings(1)[0]


def test_a_whole_image_is_not_called_cut_off(tmp_path):
    _, document = pages_of(tmp_path, saved(drawing(), "JPEG"))
    assert not document.is_cut_off(1)
    assert not document.warnings(1)


def test_a_bmp_cut_off_lacks_its_upper_rows(tmp_path):
    data = saved(tall_drawing().transpose(Image.Transpose.FLIP_TOP_BOTTOM), "BMP")
    (page,), document = pages_of(tmp_path, data[: len(data) // 2])
    assert page.image.getpixel((120, 0)) == (255, 255, 255)
    assert document.is_cut_off(1)


def test_an_image_without_any_pixels_left_fails(tmp_path):
    path = tmp_path / "a"
    data = saved(tall_drawing(), "PNG")
    path.write_bytes(data[: data.index(b"IDAT") + 12])
    with open_pages(path) as document, pytest.raises(PageError) as caught:
        _ = next(document.pages()).image
    assert caught.value.code == "render_failed"


def test_a_broken_page_of_a_tiff_leaves_the_next_one_alone(tmp_path):
    data = bytearray(saved(tall_drawing(), "TIFF", compression="tiff_lzw", save_all=True, append_images=[drawing()]))
    tags = TiffImagePlugin.TiffImageFile(io.BytesIO(bytes(data))).tag_v2
    start = tags[273][0]
    data[start : start + 64] = b"\xff" * 64
    path = tmp_path / "a"
    path.write_bytes(data)
    with open_pages(path) as document:
        first, second = document.pages()
        with pytest.raises(PageError):
            _ = first.image
        assert is_drawing(second.image)


def test_libtiff_prints_nothing(tmp_path, capfd):
    """It writes to stderr from C, past Python's own."""
    data = bytearray(saved(tall_drawing(), "TIFF", compression="tiff_adobe_deflate"))
    start = TiffImagePlugin.TiffImageFile(io.BytesIO(bytes(data))).tag_v2[273][0]
    data[start + 8 : start + 64] = b"\xff" * 56
    path = tmp_path / "a"
    path.write_bytes(data)
    with open_pages(path) as document, pytest.raises(PageError):
        _ = next(document.pages()).image
    assert capfd.readouterr() == ("", "")


def test_a_webp_cut_off_is_corrupt(tmp_path):
    """libwebp gives all or nothing."""
    data = saved(tall_drawing(), "WEBP")
    (tmp_path / "a").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError) as caught:
        open_pages(tmp_path / "a")
    assert caught.value.code == "corrupt"
