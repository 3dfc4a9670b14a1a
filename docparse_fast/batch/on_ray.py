"""Workers as Ray actors, on any node of a cluster. The only file that imports ray.

An actor runs the same worker as a local process does, and calls the batch back over TCP. A thread passes messages on
between that connection and the batch's own, because an actor is placed some time after it was asked for.
"""

from __future__ import annotations

import logging
import secrets
import socket
import threading
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from typing import Any

from docparse_fast.batch.processes import WorkerProcess
from docparse_fast.errors import ModelError

PLACED = 90.0  # seconds until an actor that was not placed counts as failed; its task goes elsewhere
KEY_BYTES = 32


def open_ray(address: str | None) -> RayEngine:
    """A cluster by its address, or RAY_ADDRESS's; without either one of this machine alone."""
    if find_spec("ray") is None:
        raise ModelError("model_missing", "--engine ray needs Ray", remedy="pip install 'docparse-fast[ray]'")
    import ray

    try:
        ray.init(address, logging_level=logging.ERROR, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ModelError("model_missing", f"no Ray cluster answers ({reason})", remedy="check --address") from error
    return RayEngine(ray)


class RayEngine:
    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._host = ray.util.get_node_ip_address()
        self._actor = ray.remote(num_cpus=1, max_restarts=0)(_Actor)

    @property
    def places(self) -> int:
        """One for each processor of the nodes that live."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    def start(self, *, quiet: bool) -> WorkerProcess:
        return RayProcess(self._ray, self._actor.remote(), self._host)

    def close(self) -> None:
        self._ray.shutdown()


class _Actor:
    def work(self, address: tuple[str, int], key: bytes) -> None:
        from docparse_fast.batch.worker import serve

        serve(Client(address, authkey=key))


class RayProcess:
    may_vanish = True

    def __init__(self, ray: Any, actor: Any, host: str) -> None:
        self._ray = ray
        self._actor = actor
        self._key = secrets.token_bytes(KEY_BYTES)
        self._server = socket.create_server((host, 0))
        self._server.settimeout(PLACED)
        ours, theirs = socket.socketpair()
        self.connection = Connection(ours.detach())
        actor.work.remote(self._server.getsockname(), self._key)
        threading.Thread(target=self._connect, args=(theirs,), name="ray", daemon=True).start()

    def kill(self) -> None:
        self._server.close()
        with suppress(Exception):  # it or the whole cluster is gone
            self._ray.kill(self._actor)
        self.connection.close()

    def ending(self) -> str:
        return "its node or its process was lost"

    def resident_bytes(self) -> int:
        return 0

    def _connect(self, batch: socket.socket) -> None:
        """Waits for the actor's call, then passes messages on until one side ends."""
        with batch, suppress(OSError, EOFError):
            with self._server:
                worker, _ = self._server.accept()
            with worker, _connection(batch) as to_batch, _connection(worker) as to_worker:
                worker.settimeout(None)
                deliver_challenge(to_worker, self._key)
                answer_challenge(to_worker, self._key)
                there = threading.Thread(target=_pass_on, args=(to_batch, to_worker, worker), name="ray", daemon=True)
                there.start()
                _pass_on(to_worker, to_batch, batch)
                _end(worker)
                there.join()


def _connection(end: socket.socket) -> Connection:
    return Connection(end.dup().detach())


def _pass_on(source: Connection, target: Connection, behind: socket.socket) -> None:
    with suppress(OSError, EOFError):
        while True:
            target.send_bytes(source.recv_bytes())
    _end(behind)


def _end(end: socket.socket) -> None:
    """Closing it would not wake a thread that reads from it, nor tell the other side."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
