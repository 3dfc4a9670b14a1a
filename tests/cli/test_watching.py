"""What the terminal shows beside the events of a run."""

from __future__ import annotations

import logging

import pytest

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
