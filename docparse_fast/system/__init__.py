"""Files, memory, processes, connections, providers: the machine below us. Knows no document."""
