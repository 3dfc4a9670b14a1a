"""The stand-in for a device notes when it waits for drafts; the workers it simulates are the product's own."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("drafters", ["thread", "2"])
def test_a_device_reads_all_pages_whoever_drafts_them(tmp_path, monkeypatch, drafters):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    monkeypatch.setenv("PYTHONPATH", "")
    import idle_device

    monkeypatch.setattr(idle_device, "FIRST", 0)
    monkeypatch.setattr(idle_device, "DRAFTING", 0.0)  # here; a worker's own pages take their time
    with pymupdf.open() as document:
        for _ in range(3):
            document.new_page(width=300, height=200).insert_text((30, 60), "words")
        document.save(tmp_path / "a.pdf")
    found = idle_device.simulated(tmp_path / "a.pdf", drafters, 0.01, early=True)
    assert found["drafters"] == drafters and 0 <= found["idle"] <= 1


def test_idle_is_the_time_between_pages(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import idle_device

    device = idle_device.SleepingDevice(1.0, early=True)
    device._ends = [float(n) for n in range(1, idle_device.FIRST + 1)] + [8.0, 10.0, 13.0]
    device._busy = [(7.0, 8.0), (8.5, 9.0), (9.0, 10.0), (12.0, 13.0)]
    assert device.idle == pytest.approx(1 - 2.5 / 5)
