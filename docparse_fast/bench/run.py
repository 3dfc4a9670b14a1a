"""`bench run`: decodes the user's pages plainly, speculatively and with baselines. Knows options and files; no table.

A page or document that can't be read is recorded with the reason, and the others are still measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from docparse_fast.bench.baselines import baseline_ways, check_baselines
from docparse_fast.bench.draft_model import WithoutModel
from docparse_fast.bench.measuring_pages import measure
from docparse_fast.bench.record import Measurement, PageRecord
from docparse_fast.bench.speedups import pages_of
from docparse_fast.bench.surroundings import clock_of, settings_of
from docparse_fast.bench.trial import Subject, by
from docparse_fast.bench.ways import DRAFTS, SPECULATIVE, PageWay, Plain, Speculative
from docparse_fast.document import Failure
from docparse_fast.errors import InputError, ModelError, UsageError
from docparse_fast.opening import open_pipeline
from docparse_fast.options import ParseOptions
from docparse_fast.options.declaring import within
from docparse_fast.options.recording import recorded
from docparse_fast.pages import OpenDocument, open_pages
from docparse_fast.run.inputs import Input

if TYPE_CHECKING:
    from docparse_fast.targets.loading.document_model import DocumentModel

REPEATS = 3


@dataclass(frozen=True, slots=True)
class RunOptions:
    parse: ParseOptions = field(default_factory=ParseOptions)
    baselines: tuple[str, ...] = ()
    repeats: int = REPEATS
    together: bool = True

    def __post_init__(self) -> None:
        check_baselines(self.baselines)
        within("--repeats", self.repeats, 1, 1000)

    def recorded(self) -> dict[str, Any]:
        kept = recorded(self.parse, lambda option: option.measured)
        return {**kept, "baselines": list(self.baselines), "repeats": self.repeats, "together": self.together}


NO_PENALTY = 1.0  # the baselines have none either


def run(
    inputs: Sequence[Input],
    options: RunOptions,
    done: Callable[[PageRecord], None] = lambda page: None,
    watch: Callable[[str], None] = lambda what: None,
) -> Measurement:
    """Calls `done` with every measured page and every unreadable document."""
    if options.parse.target.is_remote:
        raise UsageError("a server's passes can't be measured from here", remedy="name a target of this process")
    unpenalised = replace(options.parse.speculation, repetition_penalty=NO_PENALTY)
    pipeline = open_pipeline(replace(options.parse, speculation=unpenalised))
    target: DocumentModel | None = pipeline.target  # type: ignore[assignment]  # open_target returns one
    if target is None:
        raise ModelError("model_missing", f"nothing to measure: {pipeline.why_target}", remedy="name a --target")
    target.decoder.recording.at = 1  # in the warm-up, not in a round that counts
    speculation = options.parse.speculation.limited_by(target.longest)
    ways: list[PageWay] = [Plain(speculation), Speculative(speculation)]
    if target.smaller or target.head:
        ways.append(WithoutModel(target, speculation))
    ways += baseline_ways(options.baselines, target, replace(options.parse, speculation=speculation))
    clock = clock_of(target)
    with Pages(inputs, options.parse, done) as pages:
        found = measure(
            pages,
            target,
            ways,
            drafts={DRAFTS: by(pipeline.drafter)},
            settings=settings_of(target, clock, options.repeats, options.recorded()),
            options=speculation,
            clock=clock,
            together=options.together,
            done=pages.done,
            watch=watch,
        )
        return replace(found, pages=(*found.pages, *pages.unreadable))


def exit_code(found: Measurement) -> int:
    """0: every page was measured; 1: none; 3: some were not, or an answer that must equal plain's differs."""
    if found.settings.interrupted:
        return 130
    if not any(page.measured for page in found.pages if not page.blank):
        return 1
    return 3 if failures(found) or broken_promises(found) else 0


def failures(found: Measurement) -> list[str]:
    """Pages that could not be measured in every way."""
    return [
        page.name
        for page in found.pages
        if not page.blank and (not page.measured or any(way.error is not None for way in page.ways.values()))
    ]


def broken_promises(found: Measurement) -> list[str]:
    """Pages that differ from plain decoding's, or between rounds, although tau is 1 and the dtype float32."""
    if found.settings.options.get("tau") != 1 or found.settings.dtype != "float32":
        return []
    ways = {page.name: page.ways[SPECULATIVE] for page in pages_of(found, SPECULATIVE)}
    return [name for name, way in ways.items() if way.same_as_plain is False or not way.steady]


class Pages:
    """The inputs' pages in order; a document is closed when its last page is done."""

    def __init__(self, inputs: Sequence[Input], options: ParseOptions, done: Callable[[PageRecord], None]) -> None:
        self.unreadable: list[PageRecord] = []
        self._inputs = inputs
        self._options = options
        self._done = done
        self._open: dict[str, OpenDocument] = {}  # by the name of its last page

    def __iter__(self) -> Iterator[Subject]:
        for source in self._inputs:
            try:
                document = open_pages(source.path, self._options.raster)
            except (InputError, UsageError) as error:
                why = str(error).removeprefix(f"{source.name} ")  # the record has the name, and so has its line
                self.unreadable.append(PageRecord(source.name, error=Failure(error.code, why)))
                self._done(self.unreadable[-1])
                continue
            self._open[_name(source, document, document.numbers[-1])] = document
            for page in document.pages():
                yield Subject(_name(source, document, page.number), page)

    def done(self, record: PageRecord) -> None:
        self._done(record)
        if record.name in self._open:
            self._open.pop(record.name).close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for document in self._open.values():
            document.close()


def _name(source: Input, document: OpenDocument, number: int) -> str:
    return source.name if document.page_count == 1 else f"{source.name}, page {number}"
