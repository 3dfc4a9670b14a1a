"""Workers on Ray: what an actor and the batch tell each other, and, where Ray is installed, a cluster of two nodes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Client, Connection
from pathlib import Path

import pytest
from kill_resume import make_documents

from docparse_fast.batch import on_ray
from docparse_fast.batch.on_ray import RayProcess
from docparse_fast.cli import run

PATIENCE = 20.0  # seconds


def batch(folder: Path, out: str, *more: str) -> int:
    return run(["batch", str(folder / "in"), "-o", str(folder / out), "-q", "--target", "none", *more])


def written(out: Path) -> dict[Path, bytes]:
    return {path.relative_to(out): path.read_bytes() for path in out.rglob("*.md")}


class ActorInAThread:
    """Stands for Ray's handle of an actor."""

    def __init__(self, answers: Callable[[Connection], None]) -> None:
        self.work = self
        self._answers = answers

    def remote(self, address: tuple[str, int], key: bytes) -> None:
        threading.Thread(target=lambda: self._answers(Client(address, authkey=key)), daemon=True).start()


class NoRay:
    def kill(self, actor: ActorInAThread) -> None:
        pass


def test_an_actor_that_is_lost_ends_the_connection_after_its_last_answer():
    """Its end was not seen while a thread still waited for the batch's next message."""

    def answer_once(batch: Connection) -> None:
        batch.send(batch.recv())
        batch.close()

    process = RayProcess(NoRay(), ActorInAThread(answer_once), "127.0.0.1")
    process.connection.send("a page")
    assert process.connection.recv() == "a page"
    assert process.connection.poll(PATIENCE)
    with pytest.raises(EOFError):
        process.connection.recv()


def test_an_actor_ends_when_the_batch_lets_go_of_it():
    ended = threading.Event()

    def wait_for_more(batch: Connection) -> None:
        with suppress(EOFError, OSError):
            batch.send("ready")
            batch.recv()
        ended.set()

    process = RayProcess(NoRay(), ActorInAThread(wait_for_more), "127.0.0.1")
    assert process.connection.recv() == "ready"
    process.kill()
    assert ended.wait(PATIENCE)


def test_what_is_missing_for_a_cluster_is_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(on_ray, "find_spec", lambda name: None)
    (tmp_path / "in").mkdir()
    assert batch(tmp_path, "out", "--engine", "ray") == 1
    assert "--engine ray needs Ray; pip install 'docparse-fast[ray]'" in capsys.readouterr().err
    assert batch(tmp_path, "out", "--address", "head:6379") == 2
    assert batch(tmp_path, "out", "--engine", "spark") == 2


@pytest.mark.slow
def test_a_cluster_writes_what_this_machine_writes_though_a_node_is_lost(tmp_path):
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    make_documents(tmp_path / "in", 6, seed=3)
    assert batch(tmp_path, "local", "--jobs", "2") == 0
    cluster = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}, shutdown_at_exit=True
    )
    node = cluster.add_node(num_cpus=1)

    def lose() -> None:
        while len(list((tmp_path / "lost").rglob("page-*.md"))) < 2:
            time.sleep(0.05)
        cluster.remove_node(node, allow_graceful=False)

    losing = threading.Thread(target=lose, daemon=True)
    try:
        assert batch(tmp_path, "ray", "--engine", "ray", "--address", cluster.address) == 0
        losing.start()
        assert batch(tmp_path, "lost", "--engine", "ray", "--address", cluster.address) == 0
        losing.join()
    finally:
        cluster.shutdown()
    assert written(tmp_path / "ray") == written(tmp_path / "local")
    assert written(tmp_path / "lost") == written(tmp_path / "local")
