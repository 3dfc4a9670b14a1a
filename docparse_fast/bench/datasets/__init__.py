"""Reads published data sets from a local folder, as pages in groups.

`load` recognises the data set by its layout. Knows files and field names; reads no page and judges no answer: the
official tools judge the files that `export_predictions` writes.
"""

from docparse_fast.bench.datasets.bench_page import BenchPage, Dataset, DatasetName
from docparse_fast.bench.datasets.export import export_predictions
from docparse_fast.bench.datasets.loading import load

__all__ = ["BenchPage", "Dataset", "DatasetName", "export_predictions", "load"]
