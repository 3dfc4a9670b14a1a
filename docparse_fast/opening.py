"""Opens the drafter and the target that the options name. Knows names; reads no page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docparse_fast.drafting import open_drafter
from docparse_fast.errors import UsageError
from docparse_fast.options import ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.pipeline import Pipeline
from docparse_fast.targets import best_here, open_target

if TYPE_CHECKING:
    from docparse_fast.targets.drafting_model import SmallerModel
    from docparse_fast.targets.loading.document_model import DocumentModel
    from docparse_fast.verification.target import DocumentTarget


def open_pipeline(options: ParseOptions) -> Pipeline:
    """Loads what the options name; raises ModelError if it is not on this machine."""
    target, reason = open_target_of(options)
    return Pipeline(
        open_drafter(options.drafting),
        target,
        options.speculation,
        why_target=reason,
        min_confidence=options.min_confidence,
    )


def usable(options: ParseOptions) -> ParseOptions:
    """The options of a run that writes files; raises UsageError if a format needs a package that is not here."""
    if "docling" in options.formats:
        from docparse_fast.rendering.docling import check_docling

        check_docling()
    return with_makers_pixels(options)


def with_makers_pixels(options: ParseOptions) -> ParseOptions:
    """With pages as large as the named target's makers show them, unless the user has said how large."""
    named = options.target.dialect or options.target.target_model if options.target.is_remote else options.target.name
    if named in ("none", "auto"):
        return replace(options, raster=options.raster.shown_to(None))
    from docparse_fast.targets.loading.catalog import most_pixels  # imported late: it knows every target's dialect

    return replace(options, raster=options.raster.shown_to(most_pixels(named)))


def open_target_of(options: ParseOptions) -> tuple[DocumentTarget | None, str]:
    """The target that the options choose on this machine, if any, and the reason."""
    target, reason = _open_target(options.target, options.speculation)
    if options.drafting.drafter == "none" and target is None:
        raise UsageError("--drafter none needs a target to read the pages", remedy="choose a drafter, or a target")
    return target, reason


def _open_target(options: TargetOptions, speculation: SpeculationOptions) -> tuple[DocumentTarget | None, str]:
    if options.name == "none":
        return None, "drafts only were asked for"
    if options.is_remote:
        return _open_server(options, speculation)
    name, reason = options.name, "asked for"
    if name == "auto":
        best, reason = best_here(options.device, options.dtype)
        if best is None:
            return None, f"drafts only: {reason}"
        name = best.name
    target: DocumentModel = open_target(
        name,
        device=options.device,
        dtype=options.dtype,
        offline=options.offline,
        temperature=speculation.temperature,
        repetition_penalty=speculation.repetition_penalty,
        cuda_graphs=options.cuda_graphs,
    )
    if options.draft_model:
        target.smaller = open_smaller(target, options.draft_model, options)
    return target, reason


def open_smaller(target: DocumentModel, name: str, options: TargetOptions) -> SmallerModel:
    """A smaller model that drafts for the target; raises UsageError if it can't."""
    from docparse_fast.targets.drafting_model import SmallerModel  # imported late: it needs torch

    draft = open_target(
        name, device=options.device, dtype=options.dtype, offline=options.offline, repetition_penalty=1.0
    )
    return SmallerModel(target, draft)


def _open_server(options: TargetOptions, speculation: SpeculationOptions) -> tuple[DocumentTarget, str]:
    from docparse_fast.targets.hosts.remote import open_remote  # imported late: few runs ask a server

    target = open_remote(
        options.name,
        model=options.target_model,
        dialect=options.dialect,
        in_flight=options.in_flight,
        temperature=speculation.temperature,
        repetition_penalty=speculation.repetition_penalty,
    )
    return target, "asked for; a server's answers are its own, as with --tau 1"
