"""Lists Tesseract's data for languages, where it lies on this machine, and what of it reads a script. Opens none.

The files are those of tessdata_fast 4.1.0 (Apache-2.0), as Debian packages it; of these sizes and digests were taken.
PyMuPDF contains Tesseract and none of its data.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

SUFFIX = ".traineddata"
RELEASE = "4.1.0"
LICENCE = "Apache-2.0"
SYSTEM_FOLDERS = (
    "/usr/share/tesseract-ocr/*/tessdata",
    "/usr/share/tesseract-ocr/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "/opt/local/share/tessdata",
)


@dataclass(frozen=True, slots=True)
class LanguageData:
    code: str  # Tesseract's name: "rus"
    language: str  # as --lang has it: "ru"
    name: str
    script: str
    bytes: int
    sha256: str

    @property
    def file(self) -> str:
        return self.code + SUFFIX

    @property
    def remedy(self) -> str:
        """The command that brings it.

        >>> DATA[0].remedy
        'apt-get install tesseract-ocr-rus, or docparse-fast models download rus'
        """
        return f"apt-get install tesseract-ocr-{self.code}, or docparse-fast models download {self.code}"

    def find(self) -> Path | None:
        """The folder where it lies."""
        return next((folder for folder in data_folders() if (folder / self.file).is_file()), None)


# Code, language, name, script, bytes, SHA-256. The first of a script that is here reads it, if --lang names no other.
TABLE = """
rus ru Russian    cyrillic   3861738 e16e5e036cce1d9ec2b00063cf8b54472625b9e14d893a169e2b0dedeb4df225
ukr uk Ukrainian  cyrillic   3825102 d59e53e2bded32f4445f124b4b00240fcac7e8044c003ab822ccb94f0b3db59b
bel be Belarusian cyrillic   3692098 9c6668a0b202f3dcfe074b64620d108e1902ca7498a40b5a11b4a3da6112d58f
bul bg Bulgarian  cyrillic   1675212 aebc9b0fcc8cfaf8a9f38a02bb7b85052bd850744696a2c11cf0081820e5b21e
srp sr Serbian    cyrillic   2149931 aa41ae3d9cc705e60d398ab38a5c3cc8b772c0d420c7d4f0859beb13d0e321b6
mkd mk Macedonian cyrillic   1600188 58622bf154830fa62103359938564aeb8112b929759e22a48224f3ecfaac34c6
ell el Greek      greek      1419514 4fba8a0b461038d51f1c20d043d4f2ac38c4e778f1b90830847f7bd8fa3ba726
kor ko Korean     hangul     1677415 6b85e11d9bbf07863b97b3523b1b112844c43e713df8b66418a081fd1060b3b2
ara ar Arabic     arabic     1432056 e3206d3dc87fd50c24a0fb9f01838615911d25168f4e64415244b67d2bb3e729
fas fa Persian    arabic      431500 db1c0a91208aff00d3cf1ed2c1d23f76419afd5f024688b4f71adc3f2ce4a505
urd ur Urdu       arabic     1398718 62e8250ce2a994106e313a82e26a516a39e2cf159d0ce3c5b5008387fd0d555f
heb he Hebrew     hebrew      961404 11f9e43ab227f786352a50f75c94c2e9906f1baba86d93276da19da7ce0904db
hin hi Hindi      devanagari 1122751 4c73ffc59d497c186b19d1e90f5d721d678ea6b2e277b719bee4e2af12271825
mar mr Marathi    devanagari 2118233 0ba3f2d116972e72fe9e176bc84c38e81dfb6670f4ed1f7f6c8e16a27da7cb61
nep ne Nepali     devanagari 1002911 280ba9450b4f21afbf5985e0de87857b75a972577c50ef0603c141ddde4f1cb8
tha th Thai       thai       1072600 294227cc2d1292b0acb28d61d4115c88252b96d466ca90b417cf4cf0c67bf07c
vie vi Vietnamese vietnamese  531275 79df64caf7bcfb2a27df5042ecb6121e196eada34da774956995747636d5bfa1
ben bn Bengali    bengali     855841 31163084c279aaebd376216f0c3d5c17ad4b5fee8db49dae79c20000b5de5964
tam ta Tamil      tamil      3237963 d02fbec24be4b07e32e80d0ccfc3b6b67a3c5d61c9d0a7c8532677990912c6ec
tel te Telugu     telugu     2769654 d10691fddd5b67802e1c12800ebb321d3b8bcd8d24a2ac3ff206f93188c04ab5
kan kn Kannada    kannada    3608331 bd31e6b6ae93271e3bcf5383d306d8eefbb91542937cd6d735a5930c970e61d8
mal ml Malayalam  malayalam  5275996 bd05cbf1b197e7810d2903419aedb06f9ef77bfedf50b358673c1d18d707cdb4
guj gu Gujarati   gujarati   1418394 fa69658614b4946a9afae8853d67e0689838803dfa3d12c2e35ec53ee6f8df34
pan pa Punjabi    gurmukhi    497721 1ec0907fc3534065ea9ae190c6bb7ec9e5c74fd9d2fa996aaec7407f11ad8131
sin si Sinhala    sinhala    1727413 bc75c6df2375a30c9f7e759fa7d4b58ae3ecf9ce72668a702d01acb13e551422
hye hy Armenian   armenian   3463717 b701d0d95799a716143dedb0197504e56f27a1bb133d6607ff5778c6988cb67c
kat ka Georgian   georgian   2524769 557abb6f1c68bc1b286f1bdd00bb6b82f85a427a91899807dab6c2f6c7986731
amh am Amharic    ethiopic   5470094 3ec3311833a108e07d58a1152b00c0cf1848752e4f85769d46e8ca2b718a2ccc
khm km Khmer      khmer      1446926 47f110575341b322052f3becbefee61a3ecf1ef549352b5d4d33d28afe30d099
lao lo Lao        lao        6386744 20124962e93e68121e02c49a949d1f9df5db87dd62e5e4aa578362ca532444f8
mya my Burmese    myanmar    4640561 02aa6c25cfe9e583fa7b5d4131eac948f962308983f0f397df077dea58212b03
"""


def _parsed(row: str) -> LanguageData:
    code, language, name, script, size, sha256 = row.split()
    return LanguageData(code, language, name, script, int(size), sha256)


DATA = tuple(map(_parsed, TABLE.strip().splitlines()))
BY_LANGUAGE = {data.language: data for data in DATA}
BY_CODE = {data.code: data for data in DATA}


def own_folder() -> Path:
    """Where `models download` puts language data."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "docparse-fast" / "tessdata"


def data_folders() -> list[Path]:
    """Every folder where language data may lie, the one to be preferred first."""
    named = os.environ.get("TESSDATA_PREFIX")
    told = [Path(named), Path(named) / "tessdata"] if named else []
    return [folder for folder in (*told, own_folder(), *_system_folders()) if folder.is_dir()]


def data_here() -> list[LanguageData]:
    return [data for data in DATA if data.find() is not None]


def best_for(script: str, languages: Collection[str] = ()) -> LanguageData | None:
    """What reads a script here: the data of one of these languages, if that is here, or else the first there is."""
    return wanted_for(script, languages, [data for data in DATA if data.script == script and data.find() is not None])


def wanted_for(
    script: str, languages: Collection[str] = (), known: Sequence[LanguageData] = DATA
) -> LanguageData | None:
    """What should be fetched to read a script; None where we know of nothing."""
    told = sorted((data for data in known if data.script == script), key=lambda data: data.language not in languages)
    return next(iter(told), None)


def _system_folders() -> list[Path]:
    if sys.platform == "win32":
        roots = (os.environ.get(name) for name in ("ProgramFiles", "LOCALAPPDATA"))
        return [Path(root) / "Tesseract-OCR" / "tessdata" for root in roots if root]
    root = Path("/")
    return [folder for pattern in SYSTEM_FOLDERS for folder in sorted(root.glob(pattern[1:]), reverse=True)]
