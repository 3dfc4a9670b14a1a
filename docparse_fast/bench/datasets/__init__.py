"""Data sets from a local folder, each in the layout it is published in, as pages with what is known of them.

`load` tells which data set a folder holds. Knows files and field names; reads no page, runs no model, scores nothing.
"""

from docparse_fast.bench.datasets.bench_page import (
    BaselineTest,
    BenchPage,
    Dataset,
    DatasetName,
    MathTest,
    OrderTest,
    PresenceTest,
    TableTest,
    Truth,
    TruthBlock,
    UnitTest,
)
from docparse_fast.bench.datasets.export import export_predictions
from docparse_fast.bench.datasets.loading import load

__all__ = [
    "BaselineTest",
    "BenchPage",
    "Dataset",
    "DatasetName",
    "MathTest",
    "OrderTest",
    "PresenceTest",
    "TableTest",
    "Truth",
    "TruthBlock",
    "UnitTest",
    "export_predictions",
    "load",
]
