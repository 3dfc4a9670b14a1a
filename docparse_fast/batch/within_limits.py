"""Where pages are drafted: here, in a worker from one on that may take any time, or all in workers within limits.

Loads what speaks to workers only where there is one. `apart` drafts there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from docparse_fast.batch.limits import LONGEST_PAGE, Limits, check_system, default_jobs, has_workers
from docparse_fast.drafted import DraftedPage, Wanted, draft_pages
from docparse_fast.drafting import Drafter
from docparse_fast.options import ParseOptions
from docparse_fast.pages import OpenDocument
from docparse_fast.pipeline import Pipeline
from docparse_fast.run.conversion import OpenSource, open_input
from docparse_fast.run.inputs import Input
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from docparse_fast.batch.apart import Apart


class FromLastingPages:
    """Drafts a document's pages here, up to one that may keep native code busy for ever: from it on, in a worker.

    There a page that takes longer than any honest one fails alone. A worker costs a quarter of a second to start.
    """

    def __init__(
        self, options: ParseOptions, wanted: Wanted, is_interrupted: Callable[[], bool], *, quiet: bool = True
    ) -> None:
        self._new = options, Limits(jobs=1, page_timeout=LONGEST_PAGE), wanted, is_interrupted
        self._quiet = quiet
        self._apart: Apart | None = None  # until a page needs it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *why: object) -> None:
        if self._apart is not None:
            self._apart.__exit__(None, None, None)

    def draft_pages(
        self,
        document: OpenDocument,
        numbers: Sequence[int],
        drafter: Drafter,
        wanted: Wanted,
        new_timer: Callable[[], Timer],
    ) -> Iterator[DraftedPage]:
        rest = deque(numbers)

        def quick() -> Iterator[int]:
            while rest and not document.may_last(rest[0]):
                yield rest.popleft()

        yield from draft_pages(document, quick(), drafter, wanted, new_timer)
        if rest:
            apart = self._apart = self._apart or _apart()(*self._new, quiet=self._quiet)
            with apart.open(Input(document.path, document.path.name, "")) as distant:
                yield from apart.draft_pages(distant, rest, drafter, wanted, new_timer)


@contextmanager
def bounded(
    pipeline: Pipeline,
    options: ParseOptions,
    limits: Limits,
    is_interrupted: Callable[[], bool],
    *,
    coming: Iterable[Input] = (),
    for_figures: bool = True,
    quiet: bool = True,
) -> Iterator[tuple[Pipeline, OpenSource]]:
    """The pipeline, and what opens documents: in other processes with a time limit, or beside a target elsewhere.

    Without either, only pages that may take any time are drafted in another process. `coming`: documents that will be
    opened, in this order.
    """

    def here(source: Input) -> OpenDocument:
        return open_input(source.path, source.name, options.raster)

    wanted = Wanted(pipeline.target is not None, for_figures)
    beside = pipeline.target is not None and pipeline.target.leaves_processors and has_workers()
    if limits.of_time or beside:
        check_system("a time limit works")
        limits = replace(limits, jobs=default_jobs()) if beside else limits
        with _apart()(options, limits, wanted, is_interrupted, coming=coming, quiet=quiet) as apart:
            yield replace(pipeline, draft_pages=apart.draft_pages), apart.open
    elif has_workers():
        with FromLastingPages(options, wanted, is_interrupted, quiet=quiet) as partly:
            yield replace(pipeline, draft_pages=partly.draft_pages), here
    else:
        yield pipeline, here


def _apart() -> type[Apart]:
    from docparse_fast.batch.apart import Apart

    return Apart
