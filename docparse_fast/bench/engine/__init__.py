"""What benchmarks alone need of torch: random models of real size, and other ways to decode. Imported when used."""
