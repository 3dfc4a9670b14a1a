"""The fonts in which nano's pages are set come from Debian packages that a machine may lack."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "training" / "nano"))  # the scripts are no package

import glyphs  # noqa: E402


def test_a_font_that_is_not_here_is_named_with_its_package(monkeypatch, tmp_path):
    absent = replace(glyphs.FAMILIES["DejaVu Serif"], regular=tmp_path / "absent.ttf")
    monkeypatch.setitem(glyphs.FAMILIES, "Absent", absent)
    with pytest.raises(SystemExit, match=r"absent\.ttf.*apt-get install fonts-dejavu-core"):
        glyphs.face("Absent", bold=False, size=12)
