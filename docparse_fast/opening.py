"""Opens the drafter and the target that the options name. Knows names; reads no page."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from docparse_fast.drafting import open_drafter
from docparse_fast.errors import UsageError
from docparse_fast.options import ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.options.declaring import options_in
from docparse_fast.pipeline import Pipeline
from docparse_fast.provider_trial import with_provider
from docparse_fast.targets import best_here, open_target

if TYPE_CHECKING:
    from docparse_fast.targets.drafting_model import SmallerModel
    from docparse_fast.targets.far_model import FarModel
    from docparse_fast.targets.loading.document_model import DocumentModel
    from docparse_fast.verification.target import DocumentTarget

FOR_DRAFTS_TOO = ("target", "offline", "page_timeout")
IN_THIS_PROCESS = ("device", "dtype", "cuda_graphs")  # a server has its own

notices = logging.getLogger("docparse_fast.notices")


def open_pipeline(options: ParseOptions) -> Pipeline:
    """Loads what the options name; raises ModelError if it is not on this machine."""
    target, reason = open_target_of(options)
    return Pipeline(
        open_drafter(with_provider(options.drafting)),
        target,
        options.speculation,
        why_target=reason,
        min_confidence=options.min_confidence,
        min_structure=options.min_structure,
    )


def usable(options: ParseOptions) -> ParseOptions:
    """The options of a run that writes files; raises UsageError if a format needs a package that is not here."""
    if "docling" in options.formats:
        from docparse_fast.rendering.docling import check_docling

        check_docling()
    return with_makers_pixels(replace(options, drafting=with_provider(options.drafting)))


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
    idle = _without_effect(options, has_target=target is not None)
    if idle and target is None:
        notices.warning("without effect: %s (%s); name a --target", ", ".join(idle), reason)
    elif idle:
        notices.warning("without effect: %s (the target runs on a server)", ", ".join(idle))
    return target, reason


def _without_effect(options: ParseOptions, *, has_target: bool) -> list[str]:
    """The flags that were set for a target although there is none, or none in this process."""
    if not has_target:
        return [flag for part in (options.target, options.speculation) for flag in _set_in(part, but=FOR_DRAFTS_TOO)]
    return list(_set_in(options.target, only=IN_THIS_PROCESS)) if options.target.is_remote else []


def _set_in(part: Any, only: tuple[str, ...] = (), but: tuple[str, ...] = ()) -> Iterator[str]:
    said = options_in(type(part))
    for each in fields(part):
        option = said[each.name]
        if option.key not in but and (not only or option.key in only) and getattr(part, each.name) != each.default:
            yield option.flag


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
        with_head=not options.draft_model,
    )
    if options.smaller:
        opened = open_far if options.draft_device else open_smaller
        target.smaller = opened(target, options.smaller, options)
    return target, reason


def open_smaller(target: DocumentModel, name: str, options: TargetOptions) -> SmallerModel:
    """A smaller model that drafts for the target; raises UsageError if it can't."""
    from docparse_fast.targets.drafting_model import SmallerModel  # imported late: it needs torch

    draft = open_target(
        name,
        device=options.device,
        dtype=options.dtype,
        offline=options.offline,
        repetition_penalty=1.0,
        with_head=False,
    )
    return SmallerModel(target, draft)


def open_far(target: DocumentModel, name: str, options: TargetOptions) -> FarModel:
    """The same in a process of its own, which drafts on while the target verifies."""
    from docparse_fast.targets.far_messages import FarSetup
    from docparse_fast.targets.far_model import FarModel

    return FarModel(target, FarSetup(name, options.draft_device, options.dtype, options.offline))


def _open_server(options: TargetOptions, speculation: SpeculationOptions) -> tuple[DocumentTarget, str]:
    from docparse_fast.targets.dialects.general import read_prompt  # imported late: few runs ask a server
    from docparse_fast.targets.hosts.remote import open_remote

    target = open_remote(
        options.name,
        model=options.target_model,
        dialect=options.dialect,
        prompt=read_prompt(options.prompt) if options.prompt else "",
        in_flight=options.in_flight,
        temperature=speculation.temperature,
        repetition_penalty=speculation.repetition_penalty,
    )
    return target, "asked for; a server's answers are its own, as with --tau 1"
