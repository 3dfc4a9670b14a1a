"""What was found out about a machine, as text for people."""

from __future__ import annotations

from typing import Any

TESTED = {"transformers": ("5.17.0", "5.23.0")}  # each architecture against its own generate()


def report(found: dict[str, Any]) -> str:
    """The findings as text for people."""
    return "\n".join(
        (
            f"docparse-fast {found['version']}, Python {found['python']}, {found['platform']}, {found['cpus']} CPUs",
            "",
            *_next(found),
            *_section("packages", {name: _in_words(name, version) for name, version in found["packages"].items()}),
            *_section("machine", _machine_in_words(found["machine"])),
            *_section("drafters", {name: _usable(state) for name, state in found["drafters"].items()}),
            *_section("their weights", {name: state["verdict"] for name, state in found["weights"].items()}),
            *_section("targets", {name: _where(state) for name, state in found["targets"].items()}),
            *_section("limits", {name: f"{value:,}" for name, value in found["limits"].items()}),
            *_section("network", found["network"]),
            *_section("languages", _languages_in_words(found["languages"])),
        )
    )


def _next(found: dict[str, Any]) -> list[str]:
    """What a user does now, before all that was found."""
    command = "docparse-fast convert FILE -o OUT"
    first = f"ready: {command}" if found["ready"] else "not ready: see below"
    auto = f"--target auto picks {found['auto']['target']}: {found['auto']['reason']}"
    return [
        first,
        *(["what to do next", *(f"  - {line}" for line in found["advice"])] if found["advice"] else []),
        auto,
    ]


def _section(title: str, rows: dict[str, str]) -> list[str]:
    width = max(14, *(len(name) + 2 for name in rows))
    return ["", title, *(f"  {name:<{width}}{value}" for name, value in rows.items())]


def _in_words(package: str, version: str | None) -> str:
    """
    >>> _in_words("transformers", "5.19.0")
    '5.19.0 (tested: 5.17.0, 5.23.0)'
    """
    if version is None:
        return "not installed"
    tested = TESTED.get(package, (version,))
    return version if version in tested else f"{version} (tested: {', '.join(tested)})"


def _usable(state: dict[str, Any]) -> str:
    return "usable" if state["usable"] else f"{state['error']['code']}: {state['error']['message']}"


def _where(state: dict[str, Any]) -> str:
    if not state["here"]:
        return f"not here: {state['hub']}"
    return f"here, {gigabytes(state['bytes'])}: {state['folder']}"


def _machine_in_words(machine: dict[str, Any]) -> dict[str, str]:
    runner = machine["target"]
    temporary = machine["temporary"]
    state = "writable, private" if temporary["private"] else "writable" if temporary["writable"] else "not writable"
    return {
        "processors": f"{machine['drafting_threads']} threads for a drafter; nothing else is needed, no browser either",
        "memory": f"{gigabytes(machine['memory_free'])} free of {gigabytes(machine['memory'])}",
        "temporary": f"{temporary['folder']}: {state}, {gigabytes(temporary['free'])} free",
        "a target runs": (
            f"on {runner['device']} ({runner['name']}) in {runner['dtype']}, {gigabytes(runner['free_bytes'])} free"
            if runner
            else "nowhere: torch and transformers are not installed"
        ),
        **_trial_in_words(machine["trial"]),
    }


def _trial_in_words(trial: dict[str, Any] | None) -> dict[str, str]:
    """What a small random model did on the target's device: nothing is said of a real one's speed."""
    if trial is None:
        return {}
    if trial["error"]:
        return {"tried": f"a pass fails there: {trial['error']}"}
    times = f"the first pass came after {trial['cold_start_seconds']:.1f} s, a later one of 64 tokens took "
    rows = {"tried": f"{times}{1000 * trial['pass_seconds']:.1f} ms; attention: {trial['attention']}"}
    if trial["replay_seconds"] is not None:
        rows["CUDA graphs"] = f"work; replayed, the pass took {1000 * trial['replay_seconds']:.1f} ms"
    elif trial["graphs"] != "no GPU":
        rows["CUDA graphs"] = f"don't work, so passes are slower: {trial['graphs']}"
    return rows


def _languages_in_words(languages: dict[str, Any]) -> dict[str, str]:
    here = [name for name, state in languages["data"].items() if state["here"]]
    missing = [f"{name} ({state['code']})" for name, state in languages["data"].items() if not state["here"]]
    rows = {
        "read": "every language in Latin script but Vietnamese, Chinese, Japanese",
        "data found for": ", ".join(here) or "no other language",
        "looked in": ", ".join(languages["folders"]) or "no folder of Tesseract's is here",
    }
    if missing:
        rows["not read"] = ", ".join(missing)
        rows["to read one"] = "apt-get install tesseract-ocr-CODE, or docparse-fast models download CODE"
    return rows


def gigabytes(count: int | None) -> str:
    if count is None:
        return "unknown"
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
