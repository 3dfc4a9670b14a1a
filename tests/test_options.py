"""An option is a field; its flag, its check and its record follow from it."""

from __future__ import annotations

import inspect
import os
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from docparse_fast.cli.convert import convert
from docparse_fast.cli.flags import Command, Group, Without, expanded
from docparse_fast.errors import UsageError
from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions, SpeculationOptions, TargetOptions
from docparse_fast.options.declaring import check, option
from docparse_fast.options.recording import options_of, recorded

OF_0_1 = {"target", "drafter", "ocr", "lang", "pages", "max_pages", "dpi", "max_pixels", "format", "tables", "stages"}
OF_0_1 |= {"keep_furniture", "device", "dtype", "tau", "window", "temperature", "repetition_penalty", "check_exact"}
OF_0_1 |= {"max_new_tokens", "page_timeout", "min_acceptance"}

CHOICES = st.builds(
    ParseOptions,
    raster=st.builds(RasterOptions, pages=st.sampled_from([None, "1-3"]), max_pages=st.none() | st.integers(1, 99)),
    drafting=st.builds(DraftOptions, lang=st.text(max_size=3)),
    target=st.builds(TargetOptions, name=st.text(max_size=5), dtype=st.sampled_from(["auto", "float32"])),
    speculation=st.builds(SpeculationOptions, tau=st.floats(0.01, 1), check_exact=st.booleans()),
    formats=st.sampled_from([("md",), ("md", "json"), ("html",)]),
    keep_furniture=st.booleans(),
)


@dataclass(frozen=True)
class Inner:
    title: ClassVar[str] = "Colours"

    paper: str = option("white", "COLOUR", "Of the paper.", among=("white", "cream"))
    inks: tuple[str, ...] = option(("black",), "LIST", "Of the type.", key="ink")
    secret: str | None = None

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Outer:
    title: ClassVar[str] = "Sizes"

    inner: Inner = field(default_factory=Inner)
    width: int = option(3, "N", "How wide.", bounds=(1, 9), decides=False)
    bold: bool = option(False, "", "Whether it is bold.")

    def __post_init__(self) -> None:
        check(self)


def shown(*arguments: str) -> tuple[int, str]:
    app = typer.Typer(rich_markup_mode=None)

    def show(outer: Outer) -> None:
        print(outer)

    app.command(cls=Command)(expanded(vars_evaluated(show)))
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.output if not done.exception else str(done.exception)


def vars_evaluated(function):
    function.__annotations__ = {"outer": Outer}
    return function


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: RasterOptions(dpi="150"), "--dpi takes a whole number, not '150'"),
        (lambda: RasterOptions(pages=1), "--pages takes a text, not 1"),
        (lambda: SpeculationOptions(tau="1"), "--tau takes a number, not '1'"),
        (lambda: DraftOptions(lang=None), "--lang takes a text, not None"),
        (lambda: ParseOptions(formats="md"), "--format takes a tuple of texts, not 'md'"),
        (lambda: ParseOptions(keep_furniture="no"), "--keep-furniture takes True or False, not 'no'"),
    ],
)
def test_a_value_of_another_kind_is_refused_with_words(make, said):
    with pytest.raises(UsageError) as caught:
        make()
    assert str(caught.value) == said


def test_every_recorded_option_is_a_flag_of_convert_with_the_same_default():
    flags = inspect.signature(expanded(convert)).parameters
    defaults = {name: flags[name].default for name in recorded(ParseOptions())}
    defaults["format"] = defaults["format"].split(",")
    assert defaults == recorded(ParseOptions())


def test_what_earlier_versions_recorded_is_still_recorded_by_the_same_names():
    assert recorded(ParseOptions()).keys() >= OF_0_1


@given(CHOICES)
def test_what_is_recorded_reads_back(options):
    assert options_of(recorded(options)) == options


def test_an_option_missing_from_an_older_record_gets_its_default():
    known = recorded(ParseOptions(tables="pipe"))
    del known["window"]
    assert options_of(known) == ParseOptions(tables="pipe")


def test_a_record_of_all_pages_from_an_earlier_version_still_reads():
    assert options_of(recorded(ParseOptions()) | {"pages": ""}) == ParseOptions()


def test_a_password_is_never_recorded():
    options = ParseOptions(raster=RasterOptions(password="geheim"))
    assert "geheim" not in str(recorded(options))
    assert options_of(recorded(options), "geheim") == options


def test_a_field_is_a_flag_and_a_value():
    assert shown() == (0, f"{Outer()}\n")
    given = shown("--width", "5", "--bold", "--paper", "cream", "--ink", "red, blue")
    assert given == (0, f"{Outer(Inner('cream', ('red', 'blue')), 5, True)}\n")


def test_a_field_is_checked_by_its_flags_name():
    assert shown("--width", "10") == (1, "--width 10 is out of range; give a value from 1 to 9")
    with pytest.raises(UsageError, match="--paper 'crem' is not one of white, cream; did you mean 'cream'"):
        Inner("crem")


def test_help_shows_options_in_the_panels_of_their_groups():
    _, text = shown("--help")
    assert text.index("Options:") < text.index("Colours:") < text.index("--paper COLOUR") < text.index("Sizes:")
    assert "secret" not in text


def test_some_options_decide_what_a_document_becomes_and_others_do_not():
    later = replace(ParseOptions(), speculation=SpeculationOptions(page_timeout=5))
    assert recorded(later, lambda said: said.decides) == recorded(ParseOptions(), lambda said: said.decides)


def test_a_command_may_leave_options_out():
    def run(target: TargetOptions) -> TargetOptions:
        return target

    run.__annotations__ = {
        "target": Annotated[TargetOptions, Without("name", "dtype", "target_model", "dialect", "prompt", "in_flight")]
    }
    command = expanded(run)
    assert list(inspect.signature(command).parameters) == [
        "device",
        "cuda_graphs",
        "draft_model",
        "draft_device",
        "offline",
    ]
    assert command(device="cpu") == TargetOptions(device="cpu")


def test_making_options_changes_nothing_else(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    before = dict(os.environ)
    assert Group(ParseOptions).made({"offline": True}).target.offline
    assert dict(os.environ) == before


def test_a_server_words_drafts_by_itself():
    with pytest.raises(UsageError, match="--carry-habits needs a target in this process"):
        ParseOptions(target=TargetOptions("http://localhost:9/v1"), speculation=SpeculationOptions(carry_habits=True))


@pytest.mark.parametrize("target", [{"name": "http://localhost:9/v1"}, {"name": "nano", "draft_model": "nano"}])
def test_pages_are_read_together_by_one_model_in_this_process(target):
    with pytest.raises(UsageError, match="--pages-together needs a target in this process"):
        ParseOptions(target=TargetOptions(**target), speculation=SpeculationOptions(pages_together=True))
