"""The loader and the reader of docs/retrieval.md, with the frameworks' own classes where these are installed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from page_files import pdf

PAGE = (Path(__file__).parents[1] / "docs/retrieval.md").read_text("utf-8")


def from_the_page(name: str):
    """What the block of code that defines it defines."""
    (code,) = [text for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if f"class {name}" in text]
    defined: dict = {"__name__": "retrieval"}
    exec(code, defined)
    return defined[name]


@pytest.fixture
def boats(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    pdf("in/a.pdf", "Seven boats left the harbour.", "Two boats came back.")
    Path("in/bad.pdf").write_bytes(b"%PDF-1.7 nothing")


def test_langchains_loader_yields_chunks_and_goes_on_after_a_bad_file(boats):
    base = pytest.importorskip("langchain_core.document_loaders").BaseLoader
    loader = from_the_page("DocparseFastLoader")("in/bad.pdf", "in/a.pdf")
    assert isinstance(loader, base)
    (found,) = loader.load()
    assert found.page_content == "Seven boats left the harbour.\n\nTwo boats came back."
    assert (found.metadata["source"], found.metadata["page"], found.id) == ("in/a.pdf", 1, "in/a.pdf#0")
    assert [place["page"] for place in json.loads(found.metadata["places"])] == [1, 2]
    assert {type(value) for value in found.metadata.values()} <= {str, int}
    assert loader.failed == {"in/bad.pdf": "corrupt"}


def test_llamaindex_reads_a_folder_with_the_reader(boats):
    core = pytest.importorskip("llama_index.core")
    Path("in/bad.pdf").unlink()
    reader = from_the_page("DocparseFastReader")()
    assert "BaseReader" in [each.__name__ for each in type(reader).__mro__]
    (found,) = core.SimpleDirectoryReader("in", file_extractor={".pdf": reader}).load_data()
    assert found.text == "Seven boats left the harbour.\n\nTwo boats came back."
    assert (found.metadata["page"], found.metadata["file_name"]) == (1, "a.pdf")
    shown = found.get_content(core.schema.MetadataMode.EMBED)
    assert "harbour" in shown
    assert "places" not in shown
