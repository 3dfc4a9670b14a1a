"""The inputs that the user named, as a list of documents with their output folders. Opens no document."""

from __future__ import annotations

import logging
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from docparse_fast.errors import InputError, UsageError
from docparse_fast.pages.kinds import kind_of

UNREAD = (  # documents that people put into such folders, too
    frozenset({".doc", ".docx", ".odt", ".rtf", ".pages", ".xls", ".xlsx", ".ods", ".ppt", ".pptx", ".odp"})
    | frozenset({".epub", ".djvu", ".xps", ".heic", ".heif", ".eml", ".msg"})
)
SUFFIXES = frozenset(
    {".pdf", ".png", ".jpg", ".jpeg", ".jpe", ".tif", ".tiff", ".webp", ".bmp", ".gif"}
)  # taken at their word in a folder, so that a broken one is reported and not passed over
LONGEST_NAME = 245  # bytes of a folder's name that we make up
OURS = re.compile(
    r"document\.(?:md|json|html|pdf)|document\.docling\.json|chunks\.jsonl|edits\.json|proofread\.json|page-\d{4,}\.md|images|tables"
)  # what stands in a document's folder
IN_FOLDERS = re.compile(r"/(?:images/page-\d{4,}-figure-\d+\.png|tables/page-\d{4,}-table-\d+\.csv)$")  # and below it

notices = logging.getLogger("docparse_fast.notices")


@dataclass(frozen=True, slots=True)
class Input:
    """One document: its path, the name the user gave it, and its output folder below OUT."""

    path: Path
    name: str
    output: str

    def __post_init__(self) -> None:
        output = PurePosixPath(self.output)  # an account that we read may come from anywhere
        if output.is_absolute() or ".." in output.parts:
            raise ValueError(f"the output of {self.name} lies outside OUT: {self.output}")


def find_inputs(
    arguments: Sequence[Path], out: Path | None, names: Mapping[Path, str] = MappingProxyType({})
) -> list[Input]:
    """The named files, and all PDFs and images in the named folders; each file once. `out` is never searched.

    Missing files and empty folders are in the list too: they fail alone, and the other inputs are still read.
    `names` are those of files that the user calls otherwise.
    """
    members = []
    for argument in arguments:
        below = told_documents_below(argument, out) if is_folder(argument) else []
        members += below or [(argument, PurePosixPath(_name_of(argument)))]
    return [replace(found, name=names.get(found.path, found.name)) for found in inputs_of(members)]


def check_places(inputs: Sequence[Input], out: Path, folders: Sequence[Path] = ()) -> None:
    """Raises UsageError if an output would take the place of an input, or lie among those of the next run.

    `folders` are those that the inputs were found in.
    """
    root = _real_key(out)
    places = {f"{root}/{_key(source.output)}": source for source in inputs}
    for folder in folders:
        searched = _real_key(folder) + "/"  # but not OUT, if it lies there
        if not root.startswith(searched) and any(f"{place}/".startswith(searched) for place in places):
            reason = f"the output would lie among the inputs in {readable(folder)}"
            raise UsageError(reason, remedy="name another folder with -o")
    for source in inputs:
        place = _place_it_takes(source, places)
        if place is not None:
            reason = f"{source.name} lies where the output of {places[place].name} goes"
            raise UsageError(reason, remedy="name another folder with -o")


def _place_it_takes(source: Input, places: Mapping[str, Input]) -> str | None:
    """The output folder in which the input has the name of a file that may be written or removed there."""
    path = _real_key(source.path)
    folder, _, name = path.rpartition("/")
    if found := IN_FOLDERS.search(path):
        folder = path[: found.start()]
    elif not OURS.fullmatch(name):
        return None
    return folder if folder in places else None


def _real_key(path: Path) -> str:
    return _key(Path(os.path.realpath(path)).as_posix())


def _name_of(argument: Path) -> str:
    """As the user named it, be it a link or not."""
    return Path(os.path.realpath(argument)).name if argument.name in ("", "..") else argument.name


def inputs_of(members: Iterable[tuple[Path, PurePosixPath]]) -> list[Input]:
    """Documents from pairs of a path and the path that its output mirrors: each file once, preferably by its own name.

    A symbolic link is its file; hard links and copies are documents of their own.
    """
    found: dict[str, tuple[Path, PurePosixPath]] = {}
    for path, relative in members:
        file = os.path.realpath(path)
        if file not in found or (found[file][0].is_symlink() and not path.is_symlink()):
            found[file] = (path, relative)
    outputs = output_folders([relative for _, relative in found.values()])
    return [Input(path, readable(path), output) for (path, _), output in zip(found.values(), outputs, strict=True)]


def readable(path: Path) -> str:
    """The path as text that can be printed and stored, whatever bytes its name has."""
    return os.fsencode(path).decode("utf-8", "replace")


def is_folder(path: Path) -> bool:
    """False also where the system refuses to say, as of a path that is too long."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """False also where the system refuses to say."""
    try:
        return path.is_file()
    except OSError:
        return False


def told_documents_below(folder: Path, out: Path | None) -> list[tuple[Path, PurePosixPath]]:
    """As `documents_below`; what its links would have added, and documents of other kinds, are told."""
    elsewhere: list[Path] = []
    unread: list[Path] = []
    found = list(documents_below(folder, out, elsewhere, unread))
    if unread:
        first = f"{readable(unread[0])}{f' and {len(unread) - 1} more' if unread[1:] else ''}"
        notices.warning("not read, as only PDFs and images are: %s; convert them to PDF first", first)
    if elsewhere:
        first = f"{readable(elsewhere[0])}{' and others' if elsewhere[1:] else ''}"
        notices.warning(
            "links that lead out of %s are not followed: %s; convert takes them by name", readable(folder), first
        )
    return found


def documents_below(
    folder: Path, out: Path | None, elsewhere: list[Path] | None = None, unread: list[Path] | None = None
) -> Iterator[tuple[Path, PurePosixPath]]:
    """The PDFs and images below a folder, in order, with their relative paths; hidden files and OUT are left out.

    A subfolder that can't be read is in the list too and fails there, so that its files are not missed silently. Links
    that lead out of the folder are not followed; `elsewhere` gets those that seem to matter,
    and `unread` the documents of other kinds.
    """
    root, skipped = os.path.realpath(folder), os.path.realpath(out) if out else None
    closed: list[OSError] = []
    for at, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and os.path.realpath(Path(at, name)) != skipped
        )
        if elsewhere is not None:
            named = [name for name in files if Path(name).suffix.lower() in SUFFIXES and not name.startswith(".")]
            elsewhere += (path for name in folders + named if not _within(root, path := Path(at, name)))
        for name in sorted(files):
            path = Path(at, name)
            if name.startswith(".") or not _within(root, path) or _is_in(skipped, path):
                continue
            if _is_document(path):
                yield path, PurePosixPath(path.relative_to(folder).as_posix())
            elif unread is not None and path.suffix.lower() in UNREAD:
                unread.append(path)
    for path in (Path(error.filename) for error in closed):
        if path != folder:
            yield path, PurePosixPath(path.relative_to(folder).as_posix())


def _is_in(out: str | None, path: Path) -> bool:
    """Whether a link leads into OUT."""
    return out is not None and path.is_symlink() and _within(out, path)


def _within(root: str, path: Path) -> bool:
    """False of links that lead out of the folder."""
    return (os.path.realpath(path) + os.sep).startswith(root + os.sep)


def is_document(path: Path) -> bool:
    """Whether the file is a PDF or an image; False where that can't be told."""
    try:
        return path.is_file() and bool(kind_of(path))
    except (OSError, InputError):
        return False


def _is_document(path: Path) -> bool:
    if path.suffix.lower() in SUFFIXES:
        return True
    try:
        return path.is_file() and bool(kind_of(path))
    except OSError:
        return not path.suffix  # nothing can be told of it, and it may be a document
    except InputError as error:
        return error.code == "not_found" and not path.suffix


# --------------------------------------------------------------------------------------------- names


def output_folders(paths: Sequence[PurePosixPath]) -> list[str]:
    """Each path without its suffix; where two would be equal the suffix stays, and if need be a number is added.

    >>> output_folders([PurePosixPath(p) for p in ("a.pdf", "b/c.pdf", "b/C.png")])
    ['a', 'b/c.pdf', 'b/C.png']
    >>> output_folders([PurePosixPath("scan.pdf"), PurePosixPath("scan.pdf")])
    ['scan.pdf', 'scan.pdf-2']
    """
    names = [_without_suffix(path) for path in paths]
    # A name that grows by its suffix may meet another one, which then grows too: until nothing moves.
    for _ in paths:
        taken = Counter(map(_key, names))
        grown = [str(path) if _meets(name, taken) else name for path, name in zip(paths, names, strict=True)]
        if grown == names:
            break
        names = grown
    return _numbered(names)


def _without_suffix(path: PurePosixPath) -> str:
    return str(path.with_suffix("")) if path.stem.strip(". ") else str(path)


def _key(name: str) -> str:
    """Two names with the same key may be the same folder on a disk that ignores case or composes accents."""
    return unicodedata.normalize("NFC", name).casefold()


def _meets(name: str, taken: Counter[str]) -> bool:
    """Whether this folder would also be another document's, or take the place of one of our own files."""
    key = _key(name)
    parent, _, last = key.rpartition("/")
    in_the_way = OURS.fullmatch(last) is not None if parent in taken else key == "run.json"
    return taken[key] > 1 or in_the_way


def _numbered(names: Sequence[str]) -> list[str]:
    taken: set[str] = set()
    last: dict[str, int] = {}  # number that a name was given
    numbered = []
    for name in names:
        key = _key(name)
        number, free = last.get(key, 1), name
        while _key(free) in taken:
            number += 1
            free = f"{_shortened(name)}-{number}"
        last[key] = number
        taken.add(_key(free))
        numbered.append(free)
    return numbered


def _shortened(name: str) -> str:
    folder, slash, last = name.rpartition("/")
    return folder + slash + os.fsencode(last)[:LONGEST_NAME].decode("utf-8", "ignore")
