"""Kills nodes and drivers of a batch on Ray; its final output must equal that of an undisturbed local run.

    python scripts/kill_resume_ray.py                   20 kills, in turn of a node in mid-batch and of the driver
    python scripts/kill_resume_ray.py --kills 4 --documents 8 --rounds 3

Needs Ray. The cluster has two nodes of one processor each, on this machine. Each kill comes after a random number of
pages (SIGKILL); a lost node is replaced for the next round, a killed driver's batch is continued by the next round. At
the end local batches and batches on Ray run in turns, to compare their times a page. Exit code 1: something differed.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from kill_resume import PAGE, differences, make_documents, start, tree

LONGEST = 600.0  # seconds a batch may take on a busy machine
JOBS = 2


class Cluster:
    """A head, and a node that can be lost."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 1, "include_dashboard": False}
        self._cluster = Cluster(initialize_head=True, head_node_args=head, shutdown_at_exit=True)
        self._node: Any = self._cluster.add_node(num_cpus=1)
        self.address: str = self._cluster.address

    def lose_a_node(self) -> None:
        self._cluster.remove_node(self._node, allow_graceful=False)

    def replace_the_node(self) -> None:
        self._node = self._cluster.add_node(num_cpus=1)

    def close(self) -> None:
        self._cluster.shutdown()


def started(documents: Path, out: Path, address: str) -> subprocess.Popen[bytes]:
    more = ("--engine", "ray", "--address", address) if address else ()
    return start(documents, out, JOBS, "none", "", *more)


def to_the_end(batch: subprocess.Popen[bytes]) -> list[str]:
    code = batch.wait(LONGEST)
    return [] if code == 0 else [f"a batch ended with {code}"]


def wait_for_pages(batch: subprocess.Popen[bytes], out: Path, pages: int) -> bool:
    """Whether so many pages were written while the batch ran."""
    while batch.poll() is None:
        if len(list(out.rglob("page-*.md"))) >= pages:
            return True
        time.sleep(0.02)
    return False


def trial(folder: Path, kills: int, documents: int, rounds: int, seed: int) -> list[str]:
    """What was lost, different, or done twice."""
    chance = random.Random(seed)
    source, out = folder / "documents", folder / "out"
    make_documents(source, documents, seed)
    odd = to_the_end(started(source, folder / "local", ""))
    expected = tree(folder / "local")
    pages = sum(map(bool, map(PAGE.search, expected)))
    cluster = Cluster()
    try:
        nodes = drivers = 0
        while nodes + drivers < kills:
            batch = started(source, out, cluster.address)
            there = len(list(out.rglob("page-*.md")))
            reached = wait_for_pages(batch, out, min(pages - 1, there + chance.randint(1, pages // 3)))
            if reached and nodes <= drivers:
                cluster.lose_a_node()
                nodes += 1
                odd += [*to_the_end(batch), *differences(tree(out), expected)]
                cluster.replace_the_node()
                shutil.rmtree(out)
            elif reached:
                batch.kill()
                batch.wait()
                drivers += 1
            else:
                odd += [*to_the_end(batch), *differences(tree(out), expected)]
                shutil.rmtree(out)
            print(f"{nodes} nodes and {drivers} drivers killed, {len(odd)} differences", flush=True)
        odd += [*to_the_end(started(source, out, cluster.address)), *differences(tree(out), expected)]
        compare(source, folder, cluster.address, pages, rounds)
    finally:
        cluster.close()
    return odd


def compare(source: Path, folder: Path, address: str, pages: int, rounds: int) -> None:
    """Times of whole batches, in turns; the start of Python and of Ray's driver counts."""
    for _ in range(rounds):
        for name, where in (("local", ""), ("ray", address)):
            shutil.rmtree(folder / name, ignore_errors=True)
            before, begun = _children_seconds(), time.monotonic()
            to_the_end(started(source, folder / name, where))
            seconds, driver = time.monotonic() - begun, _children_seconds() - before
            print(
                f"{name:5}: {seconds:5.1f} s, {seconds / pages:.3f} s a page; {driver:.1f} CPU s of its own processes"
            )


def _children_seconds() -> float:
    """CPU seconds of processes that have ended and were waited for; Ray's workers are not among them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--documents", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kill-resume-ray-") as folder:
        odd = trial(Path(folder), given.kills, given.documents, given.rounds, given.seed)
    print("\n".join(odd[:20]) or "every file as in the local run")
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
