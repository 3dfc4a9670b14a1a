"""What the terminal shows beside the events of a run."""

from __future__ import annotations

import logging

import pymupdf
import pytest
from targets.hosts.stub_server import Stub, says, serving

from docparse_fast.cli import run
from docparse_fast.cli.arguments import Display, Reporting
from docparse_fast.cli.watching import NOTICES, watching


@pytest.mark.parametrize(("quiet", "printed"), [(False, "docparse-fast: graphs are left out\n"), (True, "")])
def test_a_notice_is_printed_unless_only_errors_are_asked_for(quiet, printed, capsys, caplog):
    log = logging.getLogger(NOTICES)
    caplog.set_level(logging.CRITICAL, logger="docparse_fast")  # as every command sets it
    with watching(Reporting(Display(quiet=quiet)), "out"):
        log.info("graphs are left out")
    assert capsys.readouterr().err == printed
    assert not log.handlers, "the next run's notices have a display of their own"


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pymupdf.open() as document:
        document.new_page(width=300, height=200).insert_text((30, 60), "one")
        document.save("a.pdf")


@pytest.mark.parametrize("command", ["convert a.pdf", "batch ."])
@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--device", "cuda"), "--device"),
        (("--tau", "0.9", "--check-exact"), "--tau, --check-exact"),
        (("--page-timeout", "60", "--offline"), ""),
    ],
)
def test_options_that_only_a_target_uses_are_named_where_none_reads(page, command, options, named, capsys):
    assert run([*command.split(), "-o", "out", "--target", "none", *options]) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if "without effect" in line]
    told = f"docparse-fast: without effect: {named} (drafts only were asked for); name a --target"
    assert said == ([told] if named else [])


def test_a_device_is_said_to_have_no_effect_on_a_server(page, capsys):
    with serving(Stub(lambda picture, body: says("one"), models=[{"id": "nano"}])) as stub:
        assert run(["convert", "a.pdf", "-o", "out", "--target", stub.url, "--device", "cuda"]) == 0
    assert "docparse-fast: without effect: --device (the target runs on a server)\n" in capsys.readouterr().err
