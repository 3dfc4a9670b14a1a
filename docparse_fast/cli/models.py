"""`models list|download|verify`: manages the weights of drafters and targets, also for machines without a network."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.cli.flags import Command

if TYPE_CHECKING:
    from docparse_fast.models import Model, WeightsVerdict
    from docparse_fast.system.language_data import LanguageData

EXIT_CODES = """
Exit codes: 0 all good; 1 nothing could be done, or no model is intact; 2 usage; 3 some models are not intact.
"""

models = typer.Typer(
    add_completion=False, rich_markup_mode=None, no_args_is_help=True, help="List, download and check model weights."
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@models.command("list", cls=Command)
def list_(json_: AsJson = False) -> int:
    """List the known weights: their purpose, licence, and folder on this machine."""
    from docparse_fast.models import all_models

    found = all_models()
    print(json.dumps([_as_json(model) for model in found], indent=1) if json_ else _table(found))
    return 0


@models.command(cls=Command, epilog=EXIT_CODES)
def download(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of a target, hub id or language.", show_default=False)
    ],
    to: Annotated[
        Path | None,
        typer.Option(
            "--to", metavar="FOLDER", help="Folder to download to; default: the hub's cache.", show_default=False
        ),
    ] = None,
    revision: Annotated[
        str, typer.Option(metavar="COMMIT", help="Version to download; default: the newest.", show_default=False)
    ] = "",
) -> int:
    """Download a target's weights or a language's data, and record its digests. Continues a broken download."""
    from docparse_fast.models.downloading import Published, download
    from docparse_fast.system.language_data import BY_CODE, BY_LANGUAGE

    def begun(published: Published) -> None:
        print(
            f"{published.hub} at {published.commit[:12]}: {len(published.sizes)} files, {_size(published.bytes)}, "
            f"licence {published.licence or 'not stated'}",
            file=sys.stderr,
        )

    if not sys.stderr.isatty():
        os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    if data := BY_CODE.get(name) or BY_LANGUAGE.get(name):
        return _fetched(data, to, revision)
    folder, record = download(name, to, revision, begun)
    print(f"{folder}: {len(record.files)} files, {_size(record.bytes)}, recorded")
    if to is not None:
        print(f"after copying it, run: docparse-fast models verify ./{folder.name}", file=sys.stderr)
    return 0


def _fetched(data: LanguageData, to: Path | None, revision: str) -> int:
    from docparse_fast.errors import UsageError
    from docparse_fast.models.fetching_languages import fetch_language
    from docparse_fast.system.language_data import RELEASE

    if revision:
        raise UsageError(f"--revision: {data.name} always comes from tessdata_fast {RELEASE}", remedy="drop the option")
    folder = fetch_language(data, to)
    print(f"{folder / data.file}: {_size(data.bytes)}, intact")
    if to is not None:
        print(
            f"after copying it, set TESSDATA_PREFIX to the folder and run: models verify {data.code}", file=sys.stderr
        )
    return 0


@models.command(cls=Command, epilog=EXIT_CODES)
def verify(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME|FOLDER...", help="Models or folders; default: all on this machine.", show_default=False
        ),
    ] = None,
    json_: AsJson = False,
) -> int:
    """Read weights again, and report every file that is missing, changed or extra."""
    from docparse_fast.models import all_models, model_named, verify

    chosen = list(map(model_named, names)) if names else [model for model in all_models() if model.recorded]
    verdicts = []
    for model in chosen:
        verdicts.append(verify(model))
        if not json_:
            print(f"{model.name:<21} {verdicts[-1].in_words}", flush=True)
    if json_:
        print(json.dumps([_verdict_json(verdict) for verdict in verdicts], indent=1))
    bad = [verdict for verdict in verdicts if not verdict.intact]
    for verdict in bad:
        _complain(verdict)
    return 0 if not bad else 1 if len(bad) == len(verdicts) else 3


def _complain(verdict: WeightsVerdict) -> None:
    from docparse_fast.progress import error_line

    remedy = verdict.model.remedy or "fetch it again with docparse-fast models download"
    print(error_line("model_missing", f"{verdict.model.name}: {verdict.in_words}; {remedy}"), file=sys.stderr)


def _table(found: list[Model]) -> str:
    lines = []
    for kind, title in (("drafter", "drafters"), ("language", "languages"), ("target", "targets")):
        lines += [title]
        for model in (model for model in found if model.kind == kind):
            size = _size(model.bytes) if model.here else ""
            lines += [
                f"  {model.name:<22}{size:>9}  {model.purpose}",
                f"  {'':<22}{'':>9}  {_where(model)}",
            ]
    lines += ["", "get a target or a language: docparse-fast models download NAME [--to FOLDER]"]
    return "\n".join(lines)


def _where(model: Model) -> str:
    if not model.here:
        how = f"; {model.remedy}" if model.kind == "language" else ""
        return f"not here; from {model.source}; licence: {model.licence}{how}"
    count = len(model.recorded or ())
    digests = f"{count} digest{'' if count == 1 else 's'} recorded" if count else "no digest recorded"
    return f"{model.folder}; from {model.source}; licence: {model.licence}; {digests}"


def _size(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _as_json(model: Model) -> dict[str, object]:
    return {
        "name": model.name,
        "kind": model.kind,
        "purpose": model.purpose,
        "source": model.source,
        "licence": model.licence,
        "here": model.here,
        "folder": str(model.folder) if model.folder else None,
        "revision": model.revision,
        "bytes": model.bytes if model.here else None,
        "sha256": dict(model.recorded) if model.recorded else None,
        "remedy": None if model.here else model.remedy,
    }


def _verdict_json(verdict: WeightsVerdict) -> dict[str, object]:
    from docparse_fast.system.digests import Differences

    found = Differences() if verdict.found is None else verdict.found
    return {
        "name": verdict.model.name,
        "folder": str(verdict.model.folder) if verdict.model.folder else None,
        "intact": verdict.intact,
        "files": found.intact,
        "missing": list(found.missing),
        "changed": list(found.changed),
        "extra": list(found.extra),
        "verdict": verdict.in_words,
    }
