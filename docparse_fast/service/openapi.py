"""The service's description in OpenAPI 3.1, of which clients in other languages are made. Knows addresses and keys."""

from __future__ import annotations

from typing import Any

from docparse_fast.options import LAYOUT_MODES, OCR_MODES, TABLE_STYLES
from docparse_fast.run.outputs import WHOLE
from docparse_fast.version import __version__

TEXT, NUMBER, SWITCH = {"type": "string"}, {"type": "integer", "minimum": 1}, {"type": "boolean"}
OPTIONS: dict[str, Any] = {
    "name": {**TEXT, "description": "What the document is called; unless said, the file's name."},
    "pages": {**TEXT, "description": "Pages, as 1-3,7."},
    "max_pages": NUMBER,
    "lang": {**TEXT, "description": "Language of the text, for the recogniser."},
    "ocr": {"enum": list(OCR_MODES)},
    "layout": {"enum": list(LAYOUT_MODES)},
    "tables": {"enum": list(TABLE_STYLES)},
    "keep_furniture": SWITCH,
    "no_join": SWITCH,
    "dpi": NUMBER,
}
NULLABLE_NUMBER = {"type": ["number", "null"]}
ERROR = {
    "type": "object",
    "required": ["code", "message"],
    "properties": {"code": TEXT, "message": TEXT},
}
JOB = {
    "type": "object",
    "required": ["id", "name", "status", "pages_done"],
    "properties": {
        "id": TEXT,
        "name": TEXT,
        "status": {"enum": ["queued", "running", "ok", "partial", "failed"]},
        "options": {"type": "object", "additionalProperties": TEXT},
        "pages": {"type": ["integer", "null"]},
        "pages_done": {"type": "integer"},
        "error": {"oneOf": [{"$ref": "#/components/schemas/Error"}, {"type": "null"}]},
        "created": {"type": "number", "description": "Seconds since 1970."},
        "ended": NULLABLE_NUMBER,
        "files": {
            "type": "array",
            "description": "Of a job that has ended.",
            "items": {"type": "object", "properties": {"name": TEXT, "bytes": {"type": "integer"}}},
        },
    },
}
BINARY = {"schema": {"type": "string", "format": "binary"}}
ID = {"name": "id", "in": "path", "required": True, "schema": TEXT}
FAILED = {
    "description": "What went wrong.",
    "content": {
        "application/json": {
            "schema": {"type": "object", "properties": {"error": {"$ref": "#/components/schemas/Error"}}}
        }
    },
}


def description() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "docparse-fast",
            "version": __version__,
            "description": "PDFs and images to Markdown: send a document, ask for its job until it has ended, fetch.",
        },
        "security": [{"token": []}],
        "paths": _paths(),
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Job": JOB, "Error": ERROR},
        },
    }


def _paths() -> dict[str, Any]:
    job = {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
    jobs = {"type": "object", "properties": {"jobs": {"type": "array", "items": {"$ref": "#/components/schemas/Job"}}}}
    whole = {"name": "format", "in": "query", "schema": {"enum": list(WHOLE)}}
    name = {"name": "name", "in": "path", "required": True, "schema": TEXT}
    return {
        "/health": {"get": {"summary": "Whether it answers.", "security": [], "responses": {"200": _ok("It does.")}}},
        "/openapi.json": {"get": {"summary": "This.", "security": [], "responses": {"200": _ok("OpenAPI 3.1.")}}},
        "/v1/jobs": {
            "post": {
                "summary": "Send a document: as a form's field `file`, or as the body.",
                "parameters": [{"name": key, "in": "query", "schema": value} for key, value in OPTIONS.items()],
                "requestBody": {"required": True, "content": {"multipart/form-data": _form(), "application/*": BINARY}},
                "responses": {
                    "202": {"description": "Accepted.", "content": job},
                    **_failing("400", "401", "408", "413", "503"),
                },
            },
            "get": {
                "summary": "The latest jobs.",
                "responses": {
                    "200": {"description": "Jobs.", "content": {"application/json": {"schema": jobs}}},
                    **_failing("401"),
                },
            },
        },
        "/v1/jobs/{id}": {
            "parameters": [ID],
            "get": {
                "summary": "How far a job is.",
                "responses": {"200": {"description": "The job.", "content": job}, **_failing("401", "404")},
            },
            "delete": {
                "summary": "Remove a job and its files.",
                "responses": {"204": _ok("Removed."), **_failing("401", "404", "409")},
            },
        },
        "/v1/jobs/{id}/result": {
            "parameters": [ID, whole],
            "get": {"summary": "The whole document in one format.", "responses": _file()},
        },
        "/v1/jobs/{id}/files/{name}": {
            "parameters": [ID, name],
            "get": {"summary": "A file of the job's, such as a figure.", "responses": _file()},
        },
    }


def _form() -> dict[str, Any]:
    file = {"type": "string", "format": "binary"}
    return {"schema": {"type": "object", "required": ["file"], "properties": {"file": file, **OPTIONS}}}


def _file() -> dict[str, Any]:
    return {"200": {"description": "The file.", "content": {"*/*": BINARY}}, **_failing("401", "404", "409")}


def _ok(words: str) -> dict[str, Any]:
    return {"description": words}


def _failing(*codes: str) -> dict[str, Any]:
    return dict.fromkeys(codes, FAILED)
