"""The service's HTTP: who may ask, how much may arrive, and what each address answers. Knows jobs; reads no page.

Every answer but `/health` and `/openapi.json` needs the token. What a caller names is looked up among what is there;
no path is made of it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from docparse_fast.errors import DocparseError, UsageError
from docparse_fast.options import ParseOptions
from docparse_fast.run.outputs import WHOLE
from docparse_fast.service.jobs import DOCUMENT, OUT, FullError, Job, JobBook
from docparse_fast.service.openapi import description
from docparse_fast.service.runner import JobRunner, options_for

PIECE = 1 << 20
MOST_FIELDS = 20
MOST_LISTED = 1000
HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Content-Security-Policy": "sandbox"}
KINDS = {".md": "text/markdown", ".jsonl": "application/jsonl", ".html": "text/html", ".csv": "text/csv"}

Handler = Callable[[Request], Awaitable[Response]]


class TooLargeError(Exception):
    """More has arrived than may."""


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    most_bytes: int  # of an upload
    upload_seconds: float  # that it may take

    @property
    def most(self) -> str:
        return f"{self.most_bytes / 10**6:g} MB"


class Service:
    """The addresses. Files are written in threads: none of them holds up another caller."""

    def __init__(self, book: JobBook, options: ParseOptions, token: str, limits: ServiceLimits) -> None:
        self._book = book
        self._options = options
        self._token = token.encode()
        self._limits = limits

    def app(self, runner: JobRunner) -> Starlette:
        @asynccontextmanager
        async def running(app: Starlette) -> AsyncIterator[None]:
            runner.start()
            try:
                yield
            finally:
                await run_in_threadpool(runner.stop)

        async def unknown(request: Request, error: Exception) -> Response:
            return _error(404, "not_found", "there is no such address")

        async def unheard_of(request: Request, error: Exception) -> Response:
            return _error(405, "usage", f"{request.method} is not for this address")

        return Starlette(routes=self.routes(), lifespan=running, exception_handlers={404: unknown, 405: unheard_of})

    def routes(self) -> list[Route]:
        open_to_all = {"/health": self.health, "/openapi.json": self.openapi}
        found = [Route(path, _in_json(handler), methods=["GET"]) for path, handler in open_to_all.items()]
        named: list[tuple[str, str, Handler]] = [
            ("POST", "/v1/jobs", self.submit),
            ("GET", "/v1/jobs", self.jobs),
            ("GET", "/v1/jobs/{id}", self.job),
            ("DELETE", "/v1/jobs/{id}", self.remove),
            ("GET", "/v1/jobs/{id}/result", self.result),
            ("GET", "/v1/jobs/{id}/files/{name:path}", self.file),
        ]
        return [*found, *(Route(path, _in_json(self._known(each)), methods=[verb]) for verb, path, each in named)]

    def _known(self, handler: Handler) -> Handler:
        async def known(request: Request) -> Response:
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            given = token.strip().encode("utf-8", "replace")
            if scheme.lower() != "bearer" or not secrets.compare_digest(given, self._token):
                answer = _error(401, "unauthorized", "name the token: Authorization: Bearer TOKEN")
                answer.headers["WWW-Authenticate"] = "Bearer"
                return answer
            return await handler(request)

        return known

    # ---------------------------------------------------------------------------------------------- answers

    async def health(self, request: Request) -> Response:
        jobs = self._book.all()
        return _json({"status": "ok", "waiting": sum(job.status == "queued" for job in jobs)})

    async def openapi(self, request: Request) -> Response:
        return _json(description())

    async def submit(self, request: Request) -> Response:
        arriving = await run_in_threadpool(self._book.arriving)
        try:
            async with asyncio.timeout(self._limits.upload_seconds):
                name, asked = await self._arrived(request, arriving / DOCUMENT)
            options_for(self._options, asked)
            job = await run_in_threadpool(self._book.accept, arriving, name, asked)
        except BaseException:
            self._book.discard(arriving)
            raise
        answer = _json(self._said(job), 202)
        answer.headers["Location"] = f"/v1/jobs/{job.id}"
        return answer

    async def jobs(self, request: Request) -> Response:
        jobs = self._book.all()
        return _json(
            {"jobs": [self._said(job) for job in jobs[-MOST_LISTED:]], "left_out": max(0, len(jobs) - MOST_LISTED)}
        )

    async def job(self, request: Request) -> Response:
        job = self._named(request)
        said = self._said(job)
        if job.has_ended:
            said["files"] = [{"name": name, "bytes": size} for name, size in self._book.files(job)]
        return _json(said)

    async def remove(self, request: Request) -> Response:
        job = self._named(request)
        if not await run_in_threadpool(self._book.remove, job.id):
            return _error(409, "running", "it is being read; wait for its end")
        return Response(status_code=204, headers=HEADERS)

    async def result(self, request: Request) -> Response:
        name = request.query_params.get("format", self._options.formats[0])
        if name not in WHOLE:
            return _error(400, "usage", f"format is one of {', '.join(WHOLE)}")
        return self._file(self._named(request), WHOLE[name])

    async def file(self, request: Request) -> Response:
        return self._file(self._named(request), request.path_params["name"])

    def _file(self, job: Job, name: str) -> Response:
        if not job.has_ended:
            return _error(409, "not_ready", f"it is {job.status}; ask again in a moment")
        if name not in dict(self._book.files(job)):
            said = job.error or {"code": "not_found", "message": f"the job has no {name}"}
            return _error(404, said["code"], said["message"])
        path = self._book.folder(job) / OUT / name
        kind = KINDS.get(Path(name).suffix)
        return FileResponse(path, media_type=kind, headers=HEADERS)

    # ---------------------------------------------------------------------------------------------- requests

    def _named(self, request: Request) -> Job:
        job = self._book.get(request.path_params["id"])
        if job is None:
            raise KeyError(request.path_params["id"])
        return job

    def _said(self, job: Job) -> dict[str, Any]:
        return {
            "id": job.id,
            "name": job.name,
            "status": job.status,
            "options": dict(job.options),
            "pages": job.pages,
            "pages_done": job.pages_done,
            "error": job.error,
            "created": job.created,
            "ended": job.ended,
        }

    async def _arrived(self, request: Request, to: Path) -> tuple[str, Mapping[str, str]]:
        """Stores the document of a form's field `file`, or of the body itself; its name, and the options."""
        asked = dict(request.query_params)
        if int(request.headers.get("Content-Length") or 0) > self._limits.most_bytes:
            raise TooLargeError(self._limits.most)
        if not request.headers.get("Content-Type", "").startswith("multipart/form-data"):
            await _stored(self._counted(request), to)
            return asked.pop("name", "upload"), asked
        parser = MultiPartParser(request.headers, self._counted(request), max_files=1, max_fields=MOST_FIELDS)
        form = await parser.parse()
        try:
            upload = form.get("file")
            if not isinstance(upload, UploadFile):
                raise UsageError("the form has no file", remedy="send the document in its field `file`")
            await _stored(_pieces(upload), to)
            asked |= {name: value for name, value in form.items() if name != "file" and isinstance(value, str)}
            return asked.pop("name", upload.filename or "upload"), asked
        finally:
            await form.close()

    async def _counted(self, request: Request) -> AsyncGenerator[bytes, None]:
        arrived = 0
        async for piece in request.stream():
            arrived += len(piece)
            if arrived > self._limits.most_bytes:
                raise TooLargeError(self._limits.most)
            yield piece


async def _pieces(upload: UploadFile) -> AsyncIterator[bytes]:
    while piece := await upload.read(PIECE):
        yield piece


async def _stored(pieces: AsyncIterator[bytes], to: Path) -> None:
    with await run_in_threadpool(to.open, "xb") as file:
        async for piece in pieces:
            if piece:
                await run_in_threadpool(file.write, piece)


# ------------------------------------------------------------------------------------------------- errors


def _in_json(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """What goes wrong as a status and a body that says it."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except KeyError:
            return _error(404, "not_found", "there is no such job")
        except TooLargeError as error:
            return _error(413, "too_large", f"the document is larger than {error}, the most that this service takes")
        except TimeoutError:
            return _error(408, "timeout", "the document took too long to arrive")
        except FullError as error:
            full = _error(503, error.code, str(error))
            full.headers["Retry-After"] = "5"
            return full
        except (MultiPartException, ValueError):
            return _error(400, "usage", "the request makes no sense")
        except ClientDisconnect:
            return Response(status_code=400)  # to nobody
        except DocparseError as error:
            return _error(400 if isinstance(error, UsageError) else 500, error.code, str(error))

    return answer


def _error(status: int, code: str, message: str) -> Response:
    return _json({"error": {"code": code, "message": message}}, status)


def _json(said: Any, status: int = 200) -> Response:
    body = json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, status, media_type="application/json", headers=HEADERS)
