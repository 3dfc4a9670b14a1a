"""The server through the SDK's own client: the tools, their answers, and their failures."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="needs the extra [mcp]")

import anyio
import pymupdf
from mcp import Client, StdioServerParameters

from docparse_fast.options import MAX_PIXELS

ROOT = Path(__file__).parents[2]
TOOLS = ["convert", "list_documents", "page_picture", "read_blocks", "read_chunks", "read_page", "search"]


@pytest.fixture
def server(tmp_path, monkeypatch):
    """The command as an agent's program starts it."""
    monkeypatch.chdir(tmp_path)
    Path("papers").mkdir()
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "Seven boats left the harbour.")
        file.save("papers/a.pdf")
    arguments = ["-m", "docparse_fast", "mcp", "papers", "-o", "out", "--target", "none"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))}
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment)


def test_an_agent_lists_converts_reads_and_searches(server):
    async def work() -> None:
        async with Client(server) as client:
            assert sorted(tool.name for tool in (await client.list_tools()).tools) == TOOLS
            listed = await client.call_tool("list_documents", {})
            (first,) = listed.structured_content["documents"]
            assert (first["document"], first["converted"], first["bytes"] > 0) == ("a.pdf", False, True)
            converted = await client.call_tool("convert", {"document": "a.pdf"})
            assert converted.structured_content["status"] == "ok"
            record = json.loads(Path("out/a.pdf/document.json").read_text("utf-8"))
            assert record["options"]["max_pixels"] == MAX_PIXELS  # as by `convert`
            page = await client.call_tool("read_page", {"document": "a.pdf", "page": 1})
            assert page.structured_content["markdown"] == "Seven boats left the harbour.\n"
            picture = await client.call_tool("page_picture", {"document": "a.pdf", "page": 1})
            assert picture.content[0].mime_type == "image/webp"
            blocks = await client.call_tool("read_blocks", {"document": "a.pdf", "page": 1})
            assert blocks.structured_content["blocks"][0]["box"][0] == pytest.approx(200, abs=3)
            chunks = await client.call_tool("read_chunks", {"document": "a.pdf"})
            assert chunks.structured_content["chunks"][0]["pages"] == [1]
            found = await client.call_tool("search", {"words": "harbour"})
            assert found.structured_content["passages"][0]["page"] == 1
            refused = await client.call_tool("convert", {"document": "/etc/passwd"})
            assert refused.is_error
            assert "not_found: '/etc/passwd' is in none of the folders" in refused.content[0].text

            wrong = await client.call_tool("read_page", {"document": "a.pdf", "page": "last"})
            assert wrong.is_error
            assert wrong.content[0].text.startswith("usage: read_page: page: ")
            assert "http" not in wrong.content[0].text

    anyio.run(work)


def test_the_skill_names_the_tools_that_there_are():
    text = (ROOT / "docs/skill/SKILL.md").read_text("utf-8")
    assert text.startswith("---\nname: docparse-fast\ndescription: ")
    assert set(TOOLS) <= set(re.findall(r"`([a-z_]+)`", text))
