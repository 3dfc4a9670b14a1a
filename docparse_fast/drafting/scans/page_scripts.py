"""Which script each line of a page is in, where the recogniser does not read it. Knows signs alone, no pixels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from docparse_fast.drafting.measures import MOST
from docparse_fast.drafting.scans.languages import VIETNAMESE

OWN = frozenset({"latin", "han", "none"})  # what the recogniser reads, or nothing at all
UNREAD = 0.12  # part of the ink without a letter, from which a line is looked at again
DOUBTFUL = 0.93  # confidence, the same
LIKELY = 0.5  # probability of a script that the page is known to hold
CERTAIN = 0.9  # of one it isn't
PLAIN = 0.95  # of one that a single line of the page is in
LONG = 5.0  # times its height: a line long enough to be judged alone
BADLY_READ = 0.8  # mean confidence of a page
LITTLE_OWN = 0.2  # of a page's looks
PAGE_SHARE = 0.1  # of the page's text, from which it holds a script
ALIKE = 0.6  # of the likeliest script's probability
LEAST_LIKELY = 0.05  # probability of a script in one line, below which it counts no less
MAINLY = 0.3  # the same, from which Latin lines are likely to hold words of it


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for and against another script in one line."""

    length: float  # in heights of the line
    unread: float  # part of its ink that no letter accounts for
    confidence: float
    scripts: Mapping[str, float]  # empty where nothing made us ask

    @property
    def best(self) -> tuple[str, float]:
        others = {name: p for name, p in self.scripts.items() if name not in OWN}
        return max(others.items(), key=lambda item: item[1], default=("", 0.0))

    @property
    def likely(self) -> str:
        """The script that its unread ink is likely in, if there is one."""
        script, probability = self.best
        return script if probability >= LIKELY and self.unread >= UNREAD else ""


def scripts_of_lines(signs: Sequence[Signs], readable: Callable[[str], bool] = lambda script: True) -> list[str]:
    """Each line's script, where it is one that the recogniser doesn't read; "" where its reading stands.

    One odd line is a logo or a smudge, unless it is long, mostly unread and plainly of one script. A page has a script
    only if lines with unread ink say so: handwriting is read with doubt, but all its ink is read as letters.
    """
    if other := script_of_page(signs, readable):
        return [other if _may_be_other(sign) else "" for sign in signs]
    shares = _shares(signs, [sign.likely for sign in signs])
    held = {script for script, share in shares.items() if share >= PAGE_SHARE and _outweighs_latin(script, signs)}
    main = max(held, key=lambda script: shares[script], default="")
    return [_script_of(sign, held, main) for sign in signs]


def _shares(signs: Sequence[Signs], scripts: Sequence[str]) -> dict[str, float]:
    """The part of the page's text in each of its lines' scripts."""
    total = sum(sign.length for sign in signs)
    shares = dict.fromkeys(filter(None, scripts), 0.0)
    for sign, script in zip(signs, scripts, strict=True):
        if script:
            shares[script] += sign.length / total
    return shares


def _outweighs_latin(script: str, signs: Sequence[Signs]) -> bool:
    """Whether lines with unread ink look more like this script than like Latin. Leaders look a little like Myanmar."""
    lead = sum(
        sign.length * (sign.scripts.get(script, 0.0) - sign.scripts.get("latin", 0.0))
        for sign in signs
        if sign.unread >= UNREAD
    )
    return lead > 0


def _script_of(sign: Signs, held: set[str], main: str) -> str:
    script, probability = sign.best
    if script in held and probability >= (LIKELY if script == main else CERTAIN):
        return script
    if probability >= PLAIN and sign.unread >= MOST and sign.length >= LONG:
        return script
    is_text = bool(sign.scripts) and sign.scripts.get("none", 0.0) < LIKELY
    return main if is_text and sign.unread >= MOST else ""


def script_of_page(signs: Sequence[Signs], readable: Callable[[str], bool]) -> str:
    """The script of a page that is read badly throughout and does not look like any that the recogniser reads.

    Thai without loops looks like Lao: of scripts that look about as likely, one is taken that can be read here.
    """
    total = sum(sign.length for sign in signs) or 1.0
    shares: dict[str, float] = {}
    for sign in signs:
        for name, probability in (sign.scripts or {"latin": 1.0}).items():
            shares[name] = shares.get(name, 0.0) + sign.length * probability / total
    own = sum(shares.get(name, 0.0) for name in OWN)
    if sureness(signs) >= BADLY_READ or own >= LITTLE_OWN:
        return ""
    others = sorted((name for name in shares if name not in OWN), key=lambda name: -shares[name])
    alike = [name for name in others if shares[name] >= ALIKE * shares[others[0]] and readable(name)]
    return next(iter([*alike, *others]), "")


def sureness(signs: Sequence[Signs]) -> float:
    """The recogniser's mean confidence, by the lengths of lines."""
    return sum(sign.length * sign.confidence for sign in signs) / (sum(sign.length for sign in signs) or 1.0)


def lost_lines(signs: Sequence[Signs], scripts: Sequence[str]) -> list[int]:
    """The long lines of which most ink is unread and whose script nothing tells, if much of the page is in them.

    Noise hides how letters look before it hides what they are.
    """
    lost = [
        n
        for n, (sign, script) in enumerate(zip(signs, scripts, strict=True))
        if not script and sign.scripts and sign.unread >= MOST and sign.length >= LONG
    ]
    much = PAGE_SHARE * sum(sign.length for sign in signs)
    return lost if sum(signs[n].length for n in lost) >= much else []


def likeliest(signs: Sequence[Signs]) -> list[str]:
    """The other scripts that lines of the page look like at all, by how much they do."""
    asked = [sign for sign in signs if sign.scripts]
    names = {name for sign in asked for name, p in sign.scripts.items() if p >= LEAST_LIKELY} - OWN
    return sorted(
        names,
        key=lambda name: -sum(sign.length * log(max(LEAST_LIKELY, sign.scripts.get(name, 0.0))) for sign in asked),
    )


def _may_be_other(sign: Signs) -> bool:
    own = sum(probability for name, probability in sign.scripts.items() if name in OWN)
    return bool(sign.scripts) and own < LIKELY and (sign.confidence < DOUBTFUL or sign.unread >= MOST)


def main_script(signs: Sequence[Signs], scripts: Sequence[str]) -> str:
    """The script in which much of a page is: words of it stand in its Latin lines, too."""
    shares = _shares(signs, scripts)
    main = max(shares, key=lambda script: shares[script], default="")
    return main if main != VIETNAMESE and shares.get(main, 0.0) >= MAINLY else ""


def among(scripts: Mapping[str, float], names: frozenset[str]) -> dict[str, float]:
    """Probabilities of some scripts alone.

    >>> among({"thai": 0.2, "lao": 0.6, "latin": 0.05}, frozenset({"thai", "latin"}))
    {'thai': 0.8, 'latin': 0.2}
    """
    kept = {name: p for name, p in scripts.items() if name in names}
    total = sum(kept.values()) or 1.0
    return {name: round(p / total, 3) for name, p in kept.items()}
