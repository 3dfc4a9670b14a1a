"""Records the files and digests of the weights that ship with the package, in data/*/SHA256SUMS.

python scripts/training/record_weights.py            after new weights have been put there on purpose
python scripts/training/record_weights.py --check    only compare
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "docparse_fast" / "data"
WEIGHTS = {"models": ("*.onnx",), "nano": ("*.safetensors", "*.json")}


def sums(folder: Path, patterns: tuple[str, ...]) -> str:
    paths = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    only_check = parser.parse_args().check
    differ = False
    for name, patterns in WEIGHTS.items():
        record, found = DATA / name / "SHA256SUMS", sums(DATA / name, patterns)
        if not record.is_file() or record.read_text("utf-8") != found:
            differ = True
            print(f"{record}: {'differs from the files' if only_check else 'written'}")
            if not only_check:
                record.write_text(found, "utf-8")
    return 1 if differ and only_check else 0


if __name__ == "__main__":
    sys.exit(main())
