"""Forms are made with PyMuPDF; what was filled in and ticked must be read where it stands."""

from pathlib import Path

import pymupdf
import pytest

from docparse_fast import parse
from docparse_fast.drafting.born_digital.text_layer import TextLayerDrafter
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.rendering.json import page_as_json, read_page

CHECKBOX, TEXT, CHOICE = (
    pymupdf.PDF_WIDGET_TYPE_CHECKBOX,
    pymupdf.PDF_WIDGET_TYPE_TEXT,
    pymupdf.PDF_WIDGET_TYPE_COMBOBOX,
)


@pytest.fixture
def page():
    with pymupdf.open() as document:
        yield document.new_page(width=595, height=842)


def add(page, kind, box, value, **more) -> None:
    field = pymupdf.Widget()
    field.field_name, field.field_type, field.rect, field.field_value = f"f{box}", kind, pymupdf.Rect(box), value
    for name, each in more.items():
        setattr(field, name, each)
    page.add_widget(field)


def read(page, tmp_path: Path) -> list[str]:
    page.parent.save(tmp_path / "form.pdf")
    with open_pages(tmp_path / "form.pdf", RasterOptions()) as pages:
        return [region.text for made in pages.pages() for region in TextLayerDrafter().draft(made).regions]


def test_boxes_are_read_as_ticked_or_not(page, tmp_path):
    for n, (words, ticked) in enumerate((("I agree to all this", True), ("Send me some news", False))):
        page.insert_text((80, 100 + 40 * n), words, fontsize=11)
        add(page, CHECKBOX, (60, 90 + 40 * n, 72, 102 + 40 * n), ticked)
    assert read(page, tmp_path) == ["- ☒ I agree to all this", "- ☐ Send me some news"]


def test_a_button_says_itself_whether_it_is_ticked_where_its_frame_is_drawn(page, tmp_path):
    for n, (words, ticked) in enumerate((("I agree to all this", True), ("Send me some news", False))):
        page.insert_text((80, 100 + 40 * n), words, fontsize=11)
        page.draw_rect((59, 89 + 40 * n, 73, 103 + 40 * n), width=1)  # on the page, below the field's own
        add(page, CHECKBOX, (60, 90 + 40 * n, 72, 102 + 40 * n), ticked, border_color=(0, 0, 0), border_width=1)
    assert read(page, tmp_path) == ["- ☒ I agree to all this", "- ☐ Send me some news"]


def test_a_box_behind_its_words_is_read_behind_them(page, tmp_path):
    page.insert_text((60, 100), "I agree", fontsize=11)
    add(page, CHECKBOX, (105, 90, 117, 102), True)
    assert read(page, tmp_path) == ["I agree ☒"]


@pytest.mark.parametrize("drawn", [True, False])
def test_a_value_stands_beside_its_label_whether_it_is_drawn_or_not(page, tmp_path, drawn):
    page.insert_text((60, 100), "Country:", fontsize=11)
    add(page, CHOICE, (130, 86, 300, 104), "Portugal", choice_values=["Spain", "Portugal"])
    if not drawn:
        page.parent.xref_set_key(page.first_widget.xref, "AP", "null")
    assert read(page, tmp_path) == ["Country: Portugal"]


def test_fields_within_the_pages_own_list_cost_it_no_word(page, tmp_path):
    """They have no number; asking the file for its hidden ones failed, and the page was left to an OCR."""
    for n, (words, ticked) in enumerate((("I agree to all this", True), ("Send me some news", False))):
        page.insert_text((80, 100 + 40 * n), words, fontsize=11)
        add(page, CHECKBOX, (60, 90 + 40 * n, 72, 102 + 40 * n), ticked)
    own = [page.parent.xref_object(field.xref) for field in page.widgets()]
    page.parent.xref_set_key(page.xref, "Annots", f"[{' '.join(own)}]")
    assert read(page, tmp_path) == ["- ☒ I agree to all this", "- ☐ Send me some news"]


def test_hidden_fields_and_passwords_are_not_read(page, tmp_path):
    page.insert_text((60, 100), "Words", fontsize=11)
    add(page, TEXT, (60, 150, 300, 170), "unseen", field_display=1)
    add(page, TEXT, (60, 200, 300, 220), "secret", field_flags=1 << 13)
    for field in page.widgets():
        page.parent.xref_set_key(field.xref, "AP", "null")
    assert read(page, tmp_path) == ["Words"]


def test_a_files_fields_are_told_with_the_words_beside_them_and_empty_ones_as_empty(page, tmp_path):
    for words, at in (
        ("Owner's name:", (60, 100)),
        ("Length in m", (60, 140)),
        ("on board", (96, 200)),
        ("Mail", (60, 240)),
    ):
        page.insert_text(at, words, fontsize=11)
    add(page, TEXT, (150, 86, 300, 104), "Ann Lee")
    add(page, TEXT, (60, 145, 150, 162), "7.4")
    add(page, CHECKBOX, (80, 190, 92, 202), True)
    add(page, TEXT, (150, 226, 300, 244), "")
    page.parent.save(tmp_path / "form.pdf")
    fields = page_as_json(parse(tmp_path / "form.pdf").pages[0])["fields"]
    assert [
        (field["label"], field["value"], field["kind"]) for field in sorted(fields, key=lambda field: field["box"][1])
    ] == [
        ("Owner's name", "Ann Lee", "text"),
        ("Length in m", "7.4", "text"),
        ("on board", True, "checkbox"),
        ("Mail", "", "text"),
    ]
    assert all(field["name"] and field["box"] for field in fields)


def test_a_files_fields_come_back_from_the_json(page, tmp_path):
    page.insert_text((60, 100), "Name", fontsize=11)
    add(page, TEXT, (100, 86, 300, 104), "Ann Lee")
    page.parent.save(tmp_path / "form.pdf")
    made = parse(tmp_path / "form.pdf").pages[0]
    assert read_page(page_as_json(made)).form == made.form != ()
