"""Sends many documents, good and bad, to a service of our own from several clients; kills it once in the middle.

Says how many jobs were lost, how many ended otherwise than they must, and how much memory the service took. A good
document holds words of its own, so a mixed-up answer is seen.

    python scripts/service_trial.py [UPLOADS [CLIENTS]]
"""

from __future__ import annotations

import collections
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pymupdf

TOKEN = "a token for this trial"
BAD = {"empty": b"", "unsupported": b"neither a PDF nor a picture\n", "corrupt": b"%PDF-1.7\n1 0 obj\n<< /Type"}


def document(number: int) -> tuple[bytes, str]:
    """A document and what must come of it: a word that stands in it, or the code of its error."""
    if number % 5 == 4:
        code = list(BAD)[number // 5 % len(BAD)]
        return BAD[code], code
    with pymupdf.open() as file:
        word = f"harbour{number}"
        file.new_page().insert_textbox((72, 72, 400, 400), f"Seven boats left {word}. " * 5)
        return file.tobytes(), word


class Service:
    """The command, started anew where it was killed."""

    def __init__(self, spool: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.spool, self.most = spool, 0
        self.start()

    def start(self) -> None:
        command = ["-m", "docparse_fast", "service", str(self.spool), "--port", str(self.port), "--target", "none"]
        environment = os.environ | {"DOCPARSE_FAST_TOKEN": TOKEN}
        command += ["--max-waiting", "2000"]
        self.process = subprocess.Popen([sys.executable, *command], env=environment, stdout=subprocess.DEVNULL)
        for _ in range(600):
            try:
                self.asked("GET", "/health")
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the service doesn't answer")

    def asked(self, method: str, path: str, body: bytes | None = None) -> bytes:
        address = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(address, body, {"Authorization": f"Bearer {TOKEN}"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return bytes(answer.read())

    def look(self) -> None:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        self.most = max(self.most, next(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line))


def main() -> int:
    uploads, clients = int((sys.argv[1:] or ["1000"])[0]), int((sys.argv[2:] or ["8"])[0])
    with tempfile.TemporaryDirectory() as folder:
        return tried(Service(Path(folder) / "spool"), uploads, clients)


def tried(service: Service, uploads: int, clients: int) -> int:
    jobs: dict[int, str] = {}
    again, numbers, turn = collections.Counter[str](), iter(range(uploads)), threading.Lock()

    def client() -> None:
        while True:
            with turn:
                number = next(numbers, None)
            if number is None:
                return
            body, _ = document(number)
            while number not in jobs:
                try:
                    jobs[number] = json.loads(service.asked("POST", "/v1/jobs", body))["id"]
                except urllib.error.HTTPError as error:
                    again[f"{error.code}"] += 1
                    time.sleep(0.5)
                except OSError as error:
                    again[type(error).__name__] += 1
                    time.sleep(0.5)

    def gone() -> None:
        """A client that dies in the middle of its upload."""
        with socket.create_connection(("127.0.0.1", service.port)) as half:
            head = (
                f"POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 100000\r\n\r\n"
            )
            half.sendall(head.encode() + b"%PDF-1.7 half of it")

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    while len(jobs) < uploads // 2:
        service.look()
        time.sleep(0.2)
    gone()
    service.look()
    service.process.send_signal(signal.SIGKILL)
    service.process.wait()
    service.start()
    for thread in threads:
        while thread.is_alive():
            service.look()
            thread.join(0.5)
    ended = collections.Counter[str]()
    wrong = [number for number, job in jobs.items() if not right(service, number, job, ended)]
    service.look()
    half = list(service.spool.rglob("*.part"))
    service.process.terminate()
    code = service.process.wait(30)
    print(
        json.dumps(
            {
                "uploads": uploads,
                "clients": clients,
                "jobs": len(set(jobs.values())),
                "ended": dict(ended),
                "wrong": wrong,
                "sent_again": dict(again),
                "half_left": len(half),
                "most_memory_mb": service.most // 1024,
                "exit": code,
            }
        )
    )
    return bool(wrong) or len(set(jobs.values())) != uploads


def right(service: Service, number: int, job: str, ended: collections.Counter[str]) -> bool:
    """Waits until the job has ended; whether it ended as its document must."""
    while True:
        try:
            said = json.loads(service.asked("GET", f"/v1/jobs/{job}"))
        except OSError as error:
            ended[f"lost ({error})"] += 1
            return False
        if said["status"] not in ("queued", "running"):
            break
        time.sleep(0.2)
        service.look()
    _, expected = document(number)
    code = (said.get("error") or {}).get("code", said["status"])
    ended[code] += 1
    if code != "ok":
        return bool(code == expected)
    return expected in service.asked("GET", f"/v1/jobs/{job}/result").decode()


if __name__ == "__main__":
    random.seed(0)
    sys.exit(main())
