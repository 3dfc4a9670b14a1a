"""Finds the weights and data of a table on this machine. Knows names and folders; loads no weights.

Everything missing becomes a `Need` with the command that fetches it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import docparse_fast
from docparse_fast.bench.datasets import Dataset, DatasetName, load
from docparse_fast.bench.datasets.loading import READERS
from docparse_fast.bench.paper import PaperRow, PaperTable
from docparse_fast.errors import InputError, ModelError, UsageError
from docparse_fast.pages.kinds import shown
from docparse_fast.targets.loading.catalog import BY_NAME
from docparse_fast.targets.loading.checkpoint import find

ALL = "all"  # every model of the table
NANO = "nano"
NANO_TABLES = ("table7", "table8", "figure3")  # tables that nano's samples can show something of
SAMPLES = Path("samples") / "nano"

VISPEC = "ViSpec drafter for Qwen3-VL-2B"
VISPEC_FETCH = (
    "not run by docparse-fast: a trained draft head with code of its own, https://github.com/KangJialiang/ViSpec; the "
    "paper's fine-tuned one is not published"
)


@dataclass(frozen=True, slots=True)
class Need:
    """Something missing that a row or a column needs."""

    what: str  # "weights of dots.ocr"
    fetch: str  # the command to get it, or one line of advice
    why_not: str = ""  # why it could not be used


@dataclass(frozen=True, slots=True)
class Data:
    """`found` are data sets of the table; `others` are data sets that the table does not have."""

    found: tuple[Dataset, ...] = ()
    others: tuple[Dataset, ...] = ()
    needs: tuple[Need, ...] = ()  # for missing data sets of the table

    @property
    def all(self) -> tuple[Dataset, ...]:
        return (*self.found, *self.others)


def find_data(table: PaperTable, folders: Sequence[Path], targets: Sequence[str]) -> Data:
    """The data sets in the folders; nano's samples if no folder is named and nano is the only target."""
    if not folders and table.key in NANO_TABLES and tuple(targets) == (NANO,):
        folders = [samples()]
    found: dict[str, Dataset] = {}
    others: list[Dataset] = []
    for folder in folders:
        here = list(_of_the_table(table, folder))
        found |= {dataset.name: dataset for dataset in here}
        if not here:
            others.append(load(folder))
    needs = tuple(data_need(name) for name in table.datasets if name not in found)
    return Data(tuple(found[name] for name in table.datasets if name in found), tuple(others), needs)


def data_need(name: str) -> Need:
    publication = READERS[cast(DatasetName, name)].publication
    return Need(publication.title, f"{publication.fetch}; then --data FOLDER, with {publication.expected}")


def weights_need(model: str, why_not: str = "") -> Need:
    recipe = BY_NAME.get(model)
    if recipe is None or not recipe.hub:
        return Need(f"weights of {model}", "name a folder of safetensors with --target FOLDER", why_not)
    return Need(
        f"weights of {model} ({recipe.hub})",
        f"docparse-fast models download {model} (or: hf download {recipe.hub}); then --target {model}",
        why_not,
    )


def need_of(error: ModelError, model: str) -> Need:
    """What is needed to open the target that failed with this error."""
    if error.code == "model_missing":
        return weights_need(model, error.message)
    return Need(f"a machine that runs {model}", error.remedy, error.message)


def model_needs(table: PaperTable) -> list[Need]:
    """The table's models that are not on this machine."""
    wanted = dict.fromkeys([*table.models, *(row.draft_model for row in table.rows if row.way == "draft-model")])
    needs = [weights_need(model) for model in wanted if not is_here(model)]
    return [*needs, Need(VISPEC, VISPEC_FETCH)] if any(row.way == "vispec" for row in table.rows) else needs


def needs_of(
    table: PaperTable, targets: Sequence[str], data: Data, met: Sequence[Need]
) -> tuple[tuple[Need, ...], tuple[Need, ...]]:
    """The needs of what was asked (including `met`, those found while running), and of the rest of the table.

    If neither a model of the table nor data was named, the whole table counts as asked.
    """
    theirs = [model for model in wanted_models(table, targets) if model_of(model) in table.models]
    absent = model_needs(table)
    if not theirs and not data.all:
        return (*data.needs, *absent), ()
    asked_too = [weights_need(model_of(model)) for model in theirs if not data.all and not is_here(model)]
    needs = [*(data.needs if theirs and not data.others else ()), *met, *asked_too]
    known = {need.what for need in needs}
    return tuple(needs), tuple(need for need in (*absent, *data.needs) if need.what not in known)


def is_here(model: str) -> bool:
    """Whether the model's weights are on this machine."""
    try:
        find(model, offline=True)
    except ModelError:
        return False
    return True


def wanted_models(table: PaperTable, targets: Sequence[str]) -> list[str]:
    """The models to run as targets; not those that the table uses only for drafting.

    >>> from docparse_fast.bench.paper import paper_table
    >>> wanted_models(paper_table("table3"), ["all"])
    ['qwen3-vl-8b', 'qwen3-vl-2b', 'dots.ocr']
    >>> wanted_models(paper_table("table4"), ["Qwen/Qwen3-VL-8B-Instruct", "Qwen/Qwen3-VL-2B-Instruct"])
    ['Qwen/Qwen3-VL-8B-Instruct']
    """
    drafting = {row.draft_model for row in table.rows} - set(table.models)
    named = [name for target in targets for name in (table.models if target == ALL else (target,))]
    return [name for name in dict.fromkeys(named) if model_of(name) not in drafting]


def draft_model_of(row: PaperRow, targets: Sequence[str]) -> str:
    """The name or folder of the smaller model that drafts: one of the targets named, or the catalogue's."""
    return next((target for target in targets if model_of(target) == row.draft_model), row.draft_model)


def model_of(target: str) -> str:
    """The paper's model with this catalogue name, hub name, or folder name equal to the hub's; else `target`.

    >>> model_of("Qwen/Qwen3-VL-2B-Instruct"), model_of("weights/Qwen3-VL-2B-Instruct/"), model_of("nano")
    ('qwen3-vl-2b', 'qwen3-vl-2b', 'nano')
    """
    last = Path(target).name.lower()
    for recipe in BY_NAME.values():
        if recipe.name == target or (recipe.hub and last == recipe.hub.split("/")[-1].lower()):
            return recipe.name
    return target


def _of_the_table(table: PaperTable, folder: Path) -> Iterable[Dataset]:
    for name in table.datasets:
        try:
            yield load(folder, cast(DatasetName, name))
        except InputError as error:
            if error.code != "not_found" or "holds no" not in error.message:
                raise  # the data set is there but broken


def samples() -> Path:
    """The folder of samples: a wheel has it among its data, a checkout beside the package."""
    package = Path(docparse_fast.__file__).parent
    places = (package / "data" / SAMPLES, package.parent / SAMPLES, SAMPLES)
    found = next((folder for folder in places if folder.is_dir()), None)
    if found is None:
        raise UsageError(f"nano's samples are missing: there is no {shown(SAMPLES)}", remedy="name --data and --target")
    return found
