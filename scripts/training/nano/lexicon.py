"""Collects the words that synthetic pages are written with, from text this machine has. Knows no page and no model.

Two worlds that never meet: the *training* words are those of a small word list, chained as they follow each other in
manual pages and documentation; the *held-out* words are those that only a much larger list knows, and the chain comes
from documents the training chain was not counted on. Run it once; the result is a file beside this one:

    python scripts/training/nano/lexicon.py        # needs Debian's wamerican, wamerican-huge, wbritish-huge
"""

from __future__ import annotations

import gzip
import json
import math
import random
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

FILE = Path(__file__).with_name("lexicon.json.gz")
SMALL_LIST = Path("/usr/share/dict/american-english")
LARGE_LISTS = (Path("/usr/share/dict/american-english-huge"), Path("/usr/share/dict/british-english-huge"))
DOCUMENTS = (
    ("/usr/share/man", "man[1-8]/*.gz"),
    ("/usr/share/perl", "**/*.pod"),
    ("/usr/share/doc", "**/*.txt*"),
    ("/usr/share/doc", "**/README*"),
    ("/usr/share/doc", "**/changelog*.gz"),
    ("/usr/lib/python3", "**/*.py"),
    ("/usr/lib/python3.11", "**/*.py"),
)
HELD_OUT_WORDS = 12_000
CHAIN_WORDS, FOLLOWERS = 6_000, 40
MIN_LENGTH, MAX_LENGTH = 2, 12
# The pages are shown to people. Stems, so a few harmless words go too.
UNWELCOME = re.compile(
    "arse|ass$|bastard|bitch|bollock|boob|bugger|coon|crap|cripple|cunt|dago|darkie|dyke|faggot|fuck|genocid|gook|"
    "gringo|hitler|honk(y|ie)|incest|jew|kike|lesb|lynch|mulatto|nazi|negr|nigg|nude|orgasm|orgi|paed|pedo|penis|"
    "piss|poof|porn|pric?k|prostit|pube|queer|rac(is|ial)|rap(e|ed|es|ing|ist|ists)$|semit|sex|shit|slav|slut|sodom|"
    "spic|suicid|testic|tit(s|ty)?$|tort|transves|turd|twat|vagin|wank|whor|wog",
    re.IGNORECASE,
)
LICENCE = re.compile(r"licensed under|permission is hereby|warrant(y|ies)|redistribut", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chain:
    """Which word follows which, how often (damped). Words are positions in `words`, the commonest first."""

    words: list[str]
    counts: list[int]
    followers: list[list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    words: list[str]  # drawn evenly: most of them are rare
    names: list[str]  # capitalised ones
    chain: Chain


@cache
def load(held_out: bool) -> Lexicon:
    with gzip.open(FILE, "rt") as file:
        part = json.load(file)["held_out" if held_out else "training"]
    followers = [list(zip(pairs[::2], pairs[1::2], strict=True)) for pairs in part["followers"]]
    return Lexicon(part["words"], part["names"], Chain(part["chain"], part["counts"], followers))


def _plain_words(path: Path) -> set[str]:
    words = path.read_text(encoding="utf-8").split()
    plain = {w for w in words if w.isascii() and w.isalpha() and MIN_LENGTH <= len(w) <= MAX_LENGTH}
    return {w for w in plain if not UNWELCOME.search(w)}


def _documents() -> Iterator[tuple[str, str]]:
    for folder, pattern in DOCUMENTS:
        paths = sorted(p for p in Path(folder).glob(pattern) if p.is_file() and not p.is_symlink())
        random.Random(folder).shuffle(paths)
        for path in paths[:3000]:
            opener = gzip.open if path.suffix == ".gz" else open
            try:
                with opener(path, "rt", encoding="utf-8", errors="ignore") as file:
                    text = file.read(200_000)
            except OSError:
                continue
            yield path.name, _prose(path, text)


def _prose(path: Path, text: str) -> str:
    """The part of a file that people wrote for people."""
    if path.suffix == ".py":
        text = "\n".join(re.findall(r'"""(.*?)"""', text, re.DOTALL))
    lines = (line for line in text.splitlines() if not line.startswith((".\\", "'\\")) and not LICENCE.search(line))
    return "\n".join(line[4:] if re.match(r"\.[A-Z]{2} ", line) else line for line in lines)


def _count(documents: list[str], known: set[str]) -> Chain:
    singles: Counter[str] = Counter()
    pairs: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in documents:
        seen = set()
        words = [w for w in re.findall(r"[a-z]+", text.lower()) if w in known or w in ("a", "i")]
        for pair in pairwise(words):
            if pair in seen:  # once per document, or boilerplate would rule
                continue
            seen.add(pair)
            singles[pair[0]] += 1
            pairs[pair[0]][pair[1]] += 1
    words = [w for w, _ in singles.most_common(CHAIN_WORDS)]
    number = {w: i for i, w in enumerate(words)}
    followers = [[(number[b], _damped(n)) for b, n in pairs[a].most_common(FOLLOWERS) if b in number] for a in words]
    return Chain(words, [_damped(singles[w]) for w in words], followers)


def _damped(count: int) -> int:
    return max(1, round(10 * math.pow(count, 0.6)))


def build() -> dict[str, dict[str, object]]:
    small = _plain_words(SMALL_LIST)
    common = {w for w in small if w.islower()}
    names = {w for w in small if w.istitle() and w.lower() not in common}
    familiar = {w.lower() for w in small}
    rare = {w for path in LARGE_LISTS for w in _plain_words(path) if w.lower() not in familiar}
    documents = list(_documents())
    halves: dict[bool, list[str]] = {False: [], True: []}
    for name, text in documents:
        halves[zlib.crc32(name.encode()) % 8 == 0].append(text)
    pick = random.Random(7).sample
    rare_words = pick(sorted(w for w in rare if w.islower()), HELD_OUT_WORDS)
    rare_names = pick(sorted(w for w in rare if w.istitle()), 1500)
    return {
        "training": _part(sorted(common), sorted(names), _count(halves[False], common)),
        "held_out": _part(sorted(rare_words), sorted(rare_names), _count(halves[True], common)),
    }


def _part(words: list[str], names: list[str], chain: Chain) -> dict[str, object]:
    flat = [[x for pair in pairs for x in pair] for pairs in chain.followers]
    return {"words": words, "names": names, "chain": chain.words, "counts": chain.counts, "followers": flat}


def main() -> None:
    parts = build()
    with gzip.GzipFile(FILE, "wb", mtime=0) as file:
        file.write(json.dumps(parts, separators=(",", ":")).encode())
    for name, part in parts.items():
        print(name, {key: len(value) for key, value in part.items() if isinstance(value, list)})
    print(f"{FILE.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
