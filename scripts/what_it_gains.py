"""README's section "What it gains", made of the figures kept in docs/figures/. Nothing in it is typed by hand.

    python scripts/what_it_gains.py              # writes it between its two marks in README.md
    python scripts/what_it_gains.py --check      # exit 1 if README.md says anything else
    python scripts/what_it_gains.py --print      # shows it

`docs/figures/` holds what `docparse-fast bench run --json` and `docparse-fast bench engine --json` wrote, as it was
written. Each file becomes a table with its hardware and its command; the paper's figures stand beside, with theirs. A
GPU's figures are there if a GPU's file is. What is slower than plain decoding is said in the table and below it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from docparse_fast.bench.engine.race import CHAIN, GENERATE, LOOKUP, PLAIN, SPECULATIVE
from docparse_fast.bench.engine.run import FORMAT as ENGINE_FORMAT
from docparse_fast.bench.engine.run import EngineOptions
from docparse_fast.bench.figures import summary
from docparse_fast.bench.paper import PaperTable, citation, hardware, paper_table
from docparse_fast.bench.record import FORMAT as PAGES_FORMAT
from docparse_fast.bench.record import Measurement, from_json
from docparse_fast.bench.report import remarks
from docparse_fast.errors import UsageError

ROOT = Path(__file__).resolve().parents[1]
README, FIGURES = ROOT / "README.md", ROOT / "docs/figures"
BEGIN = "<!-- scripts/what_it_gains.py makes what follows of docs/figures/ -->"
END = "<!-- what it gains ends here -->"
SECONDS_OF = {"cpu": "the process's own CPU seconds", "wall": "wall seconds"}
LOSS = 0.995  # what is printed as 1.00x is none

Line = Mapping[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--print", action="store_true", dest="show")
    parser.add_argument("--readme", type=Path, default=README)
    parser.add_argument("--figures", type=Path, default=FIGURES)
    given = parser.parse_args()
    try:
        made = section(kept(given.figures))
        if given.show:
            print(made)
            return 0
        before = given.readme.read_text(encoding="utf-8")
        after = with_section(before, made)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    if given.check:
        if before != after:
            print(f"{given.readme.name} is not what scripts/what_it_gains.py makes of {given.figures}", file=sys.stderr)
        return int(before != after)
    given.readme.write_text(after, encoding="utf-8")
    return 0


def with_section(readme: str, made: str) -> str:
    """
    >>> with_section(f"a\\n{BEGIN}\\nold\\n{END}\\nb\\n", "new") == f"a\\n{BEGIN}\\n\\nnew\\n\\n{END}\\nb\\n"
    True
    """
    head, begin, rest = readme.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise UsageError("there is no place for it", remedy=f"put these two lines where it shall stand: {BEGIN} {END}")
    return f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}"


def kept(folder: Path) -> list[dict[str, Any]]:
    """All files, those of pages first, CPUs before GPUs, else by name."""
    files = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}
    known = {PAGES_FORMAT: 0, ENGINE_FORMAT: 1}
    for name, found in files.items():
        if found.get("format") not in known:
            raise UsageError(f"{folder / name} is no figures of ours", remedy="keep what bench run or engine wrote")
    if not files:
        raise UsageError(f"{folder} holds no figures", remedy="keep there what bench run and bench engine --json write")
    return sorted(files.values(), key=lambda found: (known[found["format"]], clock_of(found) == "wall"))


def clock_of(found: Mapping[str, Any]) -> str:
    return str(found["clock"] if found["format"] == ENGINE_FORMAT else found["settings"]["clock"])


def section(files: Sequence[Mapping[str, Any]]) -> str:
    parts: list[str] = []
    for found in files:
        parts += engine(found) if found["format"] == ENGINE_FORMAT else pages(found)
    if not any(clock_of(found) == "wall" for found in files):
        parts.append("None of this was measured on a GPU.")
    parts += paper(paper_table("table1"))
    return "\n\n".join(parts)


# ------------------------------------------------------------------------------------------------- whole pages


def pages(found: Mapping[str, Any]) -> Iterator[str]:
    measurement = from_json(json.dumps(found))
    settings, figures = measurement.settings, summary(measurement)
    yield (
        f"**Whole pages**: {figures['counted']} pages, `{settings.target}` on {settings.device}, {settings.dtype}, "
        f"tau {settings.options['tau']:g}; torch {settings.versions['torch']}, transformers "
        f"{settings.versions['transformers']}; {SECONDS_OF[settings.clock]}, medians of {settings.repeats} rounds in "
        f"which all ways took turns. SR as the paper counts it: drafting and Stage 1 included."
    )
    rows = [[name, *_page_cells(way)] for name, way in figures["ways"].items()]
    yield table(
        ["", "tokens a step", "decoding", "efficiency", "SR decode", "SR e2e", "pages written as plain's"], rows
    )
    yield from _said_below(measurement, figures)
    yield f"`{pages_command(measurement)}`"


def _page_cells(way: Line) -> list[str]:
    same = way["same_as_plain"]
    return [
        f"{way['tokens_per_step']:.2f}",
        times(way["engine_speedup"]),
        f"{way['efficiency']:.2f}",
        times(way["decode_speedup"]),
        times(way["end_to_end_speedup"]),
        f"{same['pages']} of {same['of']}",
    ]


def _said_below(measurement: Measurement, figures: Mapping[str, Any]) -> Iterator[str]:
    said = list(remarks(measurement, figures))
    if said:
        yield "\n".join(f"- {line}" for line in said)


def pages_command(measurement: Measurement) -> str:
    options = measurement.settings.options
    folders = dict.fromkeys(str(Path(page.name).parent) for page in measurement.pages)
    inputs = " ".join(folder for folder in folders if folder != ".") or "PAGES"
    words = [f"docparse-fast bench run {inputs} --target {options['target']} --tau {options['tau']:g}"]
    words += [f"--stages {options['stages']}"] if options["stages"] != "auto" else []
    words += [f"--baselines {','.join(options['baselines'])}"] if options["baselines"] else []
    words += [f"--repeats {options['repeats']}"] if options["repeats"] != 3 else []
    return " ".join(words)


# -------------------------------------------------------------------------------------------------- the engine


def engine(found: Mapping[str, Any]) -> Iterator[str]:
    sizes = found["sizes"]
    yield (
        f"**The engine alone**: random weights of {found['shape']}'s size ({sizes['layers']} layers of "
        f"{sizes['hidden']}), on {found['device']}; prompt {found['prefix']} tokens, answer {found['tokens']}, drafts "
        f"spoilt until they give the tokens a step wanted; torch {found['torch']}, transformers "
        f"{found['transformers']}; {SECONDS_OF[found['clock']]}, looking at the prompt left out."
    )
    for dtype, measured in found["dtypes"].items():
        yield from _engine_dtype(dtype, measured)
    yield f"`{engine_command(found)}`"


def _engine_dtype(dtype: str, measured: Mapping[str, Any]) -> Iterator[str]:
    lines = {(line["way"], line["level"], line["rows"]): line for line in measured["lines"]}
    many = sorted({rows for _, _, rows in lines} - {1})
    levels = sorted(level for way, level, rows in lines if way == SPECULATIVE and rows == 1)
    heads = [dtype, "tokens a step", "decoding", "efficiency", "step cost"]
    heads += [f"{rows} rows at once" for rows in many]
    rows_of_table = []
    for level in levels:
        one = lines[SPECULATIVE, level, 1]
        cells = [f"drafts for {level}", f"{one['tokens_per_step']:.2f}", times(one["vs_plain"])]
        cells += [f"{one['efficiency']:.2f}", f"{one['step_cost']:.2f}"]
        rows_of_table.append(cells + [_of_many(lines.get((SPECULATIVE, level, rows))) for rows in many])
    yield table(heads, rows_of_table)
    yield _beside(lines, measured)


def _of_many(line: Line | None) -> str:
    return f"{times(line['vs_plain'])} at {line['tokens_per_step']:.2f}" if line else ""


def _beside(lines: Mapping[tuple[str, int | None, int], Line], measured: Mapping[str, Any]) -> str:
    plain, generate, lookup = (lines[way, None, 1] for way in (PLAIN, GENERATE, LOOKUP))
    chains = [
        f"{times(line['vs_plain'])} (for {level})"
        for (way, level, _), line in lines.items()
        if way == CHAIN and level is not None and level > 1
    ]
    others = [
        f"transformers' `generate()` {times(generate['vs_plain'])}",
        f"its prompt lookup {times(lookup['vs_plain'])}",
        f"our drafts as a chain through its assisted decoding {', '.join(chains)}",
    ]
    figures = measured["summary"]
    warm, worst_of_many = figures["warm_host_us_per_step"], figures["worst_vs_plain_many_rows"]
    flushed = f" ({warm:.0f} with the model left out: its weights flush the caches)" if warm else ""
    many = f", many rows at once {times(worst_of_many)}" if worst_of_many else ""
    return (
        f"Plain decoding is 1.00x. Beside it: {'; '.join(others)}. A step of plain decoding takes "
        f"{plain['step_ms']['mean']:.2f} ms (95 of 100 at most {plain['step_ms']['p95']:.2f}); of what the memory's "
        f"bandwidth allows it reaches {plain['of_bandwidth_limit']:.2f}, `generate()` "
        f"{generate['of_bandwidth_limit']:.2f}. The host takes {figures['host_us_per_step']:.0f} µs of a step for 6"
        f"{flushed}. At worst, drafts make it {times(figures['worst_vs_plain'])}{many}."
    )


def engine_command(found: Mapping[str, Any]) -> str:
    """With every option that isn't as it would be if nothing were said."""
    words = ["docparse-fast bench engine"]
    for field in fields(EngineOptions):
        value = found["options"][field.name]
        usual = list(field.default) if isinstance(field.default, tuple) else field.default
        if value == usual or value is None:
            continue
        words.append(f"--{field.name} {','.join(map(str, value)) if isinstance(value, list) else value}")
    return " ".join(words)


# --------------------------------------------------------------------------------------------------- the paper


def paper(printed: PaperTable) -> Iterator[str]:
    overall = [at for at, column in enumerate(printed.columns) if column.group == "Overall"]
    yield f"**The paper's** ({citation()}; {printed.label}, {printed.title}), on {hardware()}:"
    rows = [
        [_escaped(row.name), *(_printed(row.figures[at]) for at in overall)]
        for row in printed.rows
        if row.way in ("hsd", "hsd-exact")
    ]
    yield table(["", *(printed.columns[at].name for at in overall)], rows)
    yield "\n".join(map(_escaped, printed.notes))


def _escaped(text: str) -> str:
    return text.replace("*", r"\*")


def _printed(figure: float | None) -> str:
    return "?" if figure is None else f"{figure:.2f}x"


# ------------------------------------------------------------------------------------------------------ tables


def times(speedup: float) -> str:
    """
    >>> times(2.04), times(0.87)
    ('2.04x', '**0.87x, slower**')
    """
    return f"{speedup:.2f}x" if speedup >= LOSS else f"**{speedup:.2f}x, slower**"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
