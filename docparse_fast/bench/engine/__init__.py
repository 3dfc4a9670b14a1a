"""The torch code that only benchmarks need: random models of real size, and baselines. Imported when used."""
