"""`convert --pages-together`: the same letters, from a real model."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]
HOW = ["--target", "nano", "--device", "cpu", "--dtype", "float32", "--stages", "2", "-q"]


def test_pages_read_together_have_the_text_that_they_have_apart(tmp_path):
    whole = Image.open(ROOT / "samples/nano/page-02.png").convert("L")
    first, *others = (whole.crop((0, top, whole.width, top + 112)) for top in (0, 112))
    path = tmp_path / "pages.tiff"
    first.save(path, save_all=True, append_images=others)
    written = []
    for name, more in (("apart", []), ("together", ["--pages-together"])):
        assert run(["convert", str(path), "-o", str(tmp_path / name), *HOW, *more]) == 0
        written.append((tmp_path / name / "pages" / "document.md").read_text("utf-8"))
    assert written[0] == written[1]
