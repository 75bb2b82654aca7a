"""Results that are kept between commands, each under the digest of everything that can change it.

The module has two halves. :data:`READ` records all files that this process and its workers read from the start of the program: the
interpreter reports every file that is opened (:func:`sys.addaudithook`), so no reader has to record it. :class:`Store` is a file of results
(SQLite). A kept result is valid if these are unchanged since it was made:

* the files of the program that decide verdicts, Python, and the name and version of every installed library; * the question: a claim or
  paper with its limits and knobs, ``--trust`` and ``--memory``; * each file that was read, and the names of all files of the papers used,
  so that an added file counts too.

A result without a complete digest is not kept: one for which something opened a pipe, a device or a connection, listed a folder outside its
papers, started a process, was refused memory, or asked Coq's kernel. Only one thing escapes: a variable of the environment that a paper's
own Python reads.

Each result carries a digest of its content as a seal. It detects damage: a flipped bit, an edited file. It is not a signature: whoever can
write the file can also write a seal. Damaged results are named on standard error and computed again.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import re
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.running.errors import InputError
from verifier.running.limits import ALLOWANCE
from verifier.running.shelf import SHELF

if TYPE_CHECKING:
    import sqlite3

Manifest = Mapping[str, str]
"""Files by name, each with the digest of its content: ``every-bit-counts:tables/table-6.toml``. The name ``every-bit-counts:`` stands for
the names of all files of a paper; a file that is in no paper has its path."""

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ("verifier", "lowerbounds")
"""The packages of the program itself; papers are recorded as they are read."""
EVERY_PART = ("",)
SHOWING = ("commands", "interface", "show", "sweep")
"""Rooms of :mod:`verifier` that show verdicts and decide none: nothing that judges imports them."""
INSTALLED = tuple(
    f"{os.path.abspath(each)}{os.sep}"
    for each in (os.path.dirname(os.__file__), *(p for p in sys.path if p.endswith(("site-packages", "dist-packages"))))
)
"""Folders of libraries. The versions of the libraries replace the digests of their files."""
WRITTEN = (f"{ROOT}{os.sep}constructions{os.sep}answers{os.sep}", f"{ROOT}{os.sep}reports{os.sep}")
"""Files that the gate writes and compares. No result depends on them."""
OF_THE_SYSTEM = ("/proc/", "/sys/", "/dev/null")
TICK = 50_000_000
"""Nanoseconds in which a file may change twice and show one time of change."""
UNDIGESTED = "?"
"""In place of a paper: what was asked cannot be digested."""
OUTWARD = frozenset(("socket.connect", "socket.bind", "subprocess.Popen", "os.system", "os.posix_spawn", "os.exec"))
LISTED = frozenset(("os.listdir", "os.scandir"))

Seen = tuple[tuple[int, ...], str]
"""A file when it was opened, by its identity, size and times (nothing if it was absent), and its digest if it was just written."""


class Reading:
    """The files that a process has read, as they were when they were opened, and which paper used which."""

    def __init__(self) -> None:
        self._begun = self._late = False
        self._since: float = math.inf  # nanoseconds
        self._files: dict[str, Seen | None] = {}  # None: it has changed since, or is no regular file
        self._folders: dict[str, str] = {}
        self._places: dict[str, tuple[str, str] | None] = {}  # what :meth:`_name` found
        self._listings: dict[str, str] = {}
        self._asked: set[tuple[str, str]] = set()
        self._asker: ContextVar[str | None] = ContextVar("asker", default=None)
        self._own = threading.local()

    def begin(self) -> None:
        """Record from now on, for as long as the process lives."""
        if not self._begun:
            self._begun, self._since = True, time.time_ns()
            self._late |= sys.pycache_prefix is not None  # else a module's source is beside it
            sys.addaudithook(self._heard)

    def shelve(self, paper: str, folder: Path) -> None:
        """Register the folder of a paper, of which only ``paper.toml`` has been read."""
        self._late |= not self._begun
        if self._folders.get(paper) != str(folder):
            if paper in self._folders:
                for path in [p for p in self._files if p.startswith(self._folders[paper] + os.sep)]:
                    del self._files[path]
            self._folders[paper] = str(folder)
            self._places.clear()
            self._listings.pop(paper, None)

    @contextmanager
    def on_behalf_of(self, paper: str) -> Iterator[None]:
        """While a question about a paper is decided: papers used inside count as used by it."""
        token = self._asker.set(paper)
        self.asks(paper)
        try:
            yield
        finally:
            self._asker.reset(token)

    def asks(self, paper: str) -> None:
        """Record that a statement of the paper is used, for another paper or its own."""
        asker = self._asker.get()
        if asker is None or not self._begun:
            return
        self._asked.add((asker, paper))
        if paper not in self._listings and paper in self._folders:
            self._listings[paper] = _names(self._folders[paper])

    def undigested(self) -> None:
        """Record that the current decision depends on something without a digest."""
        self.asks(UNDIGESTED)

    def manifest(self, paper: str | None) -> Manifest | None:
        """Everything on which a result about a paper can depend: all files read of the papers that it used, and all files of no paper.

        The manifest is None if a file has no digest, or may have changed since it was read.
        """
        if not self._begun or self._late:
            return None
        asked = self._asked_by(paper)
        if UNDIGESTED in asked:
            return None
        found: dict[str, str] = {}
        for name in asked & self._listings.keys():
            found[f"{name}:"] = _names(self._folders[name])
            if found[f"{name}:"] != self._listings[name]:
                return None
        for path, seen in list(self._files.items()):
            if path not in self._places:
                self._places[path] = self._name(path)
            of = self._places[path]
            if of is None or (of[0] and of[0] not in asked):
                continue
            if seen is None or _seen(path) != seen[0]:
                return None
            found[":".join(filter(None, of))] = now = _digest(path, seen[0])
            if seen[1] not in ("", now):
                return None
        return found

    def holds(self, manifest: Manifest) -> bool:
        """Whether every file is unchanged."""
        for name, digest in manifest.items():
            paper, colon, place = name.partition(":")
            if colon and paper in self._folders:
                folder = self._folders[paper]
                path = os.path.join(folder, place)
                now = _digest(path, _seen(path)) if place else _names(folder)
            else:
                now = _digest(name, _seen(name)) if name.startswith(os.sep) else ""
            if now != digest:
                return False
        return True

    def changed(self) -> str:
        """``FILE changed while the command ran; run it again`` if a file of the program or of a paper beside it that was read changed since
        the command began, or empty.

        Files that the gate writes do not count.
        """
        own = tuple(f"{ROOT}{os.sep}{package}{os.sep}" for package in (*PROGRAM, "bitreferee", "constructions"))
        for path, seen in list(self._files.items()):
            if not path.startswith(own) or path.startswith(WRITTEN):
                continue
            if seen is None or _seen(path) != seen[0] or (0, *seen[0])[-1] > self._since:
                return f"{path} changed while the command ran; run it again"
        return ""

    def _asked_by(self, paper: str | None) -> set[str]:
        reached = set() if paper is None else {paper}
        while further := {asked for asker, asked in list(self._asked) if asker in reached} - reached:
            reached |= further
        return reached

    def _name(self, path: str) -> tuple[str, str] | None:
        """The paper of a file and its place there; no paper and the path; None if digests and versions cover it."""
        for paper, folder in self._folders.items():
            if path.startswith(folder + os.sep):
                return paper, path[len(folder) + 1 :]
        if any(path.startswith(f"{ROOT}{os.sep}{package}{os.sep}") for package in (*PROGRAM, "bitreferee")):
            return None
        if path.startswith(WRITTEN):
            return None
        if path.startswith(INSTALLED) and not path.startswith(f"{ROOT}{os.sep}constructions{os.sep}"):
            return None
        return "", path

    def _heard(self, event: str, given: tuple[Any, ...]) -> None:
        """Receive the interpreter's report of an event."""
        if event != "open" and event not in OUTWARD and event not in LISTED:
            return
        if getattr(self._own, "reading", False):
            return
        self._own.reading = True
        try:
            self._record(event, given)
        except Exception:  # a report must not end what it reports on
            self._late = True
        finally:
            self._own.reading = False

    def _record(self, event: str, given: tuple[Any, ...]) -> None:
        if event in OUTWARD:
            self.undigested()
            return
        path = given[0] if given[0] is not None else "."
        if isinstance(path, int):
            return
        path = os.path.abspath(os.fsdecode(path))
        if event in LISTED:
            of = self._name(path + os.sep)
            imports = (str(ROOT / "constructions"), *map(os.path.abspath, sys.path))
            if of is not None and not of[0] and path not in imports:
                self.undigested()
            return
        if given[2] & (os.O_TRUNC | os.O_EXCL) or given[2] & os.O_ACCMODE == os.O_WRONLY:
            return
        if "__pycache__" in path:
            if not path.endswith(".pyc"):
                return
            path = os.path.join(os.path.dirname(path).removesuffix("__pycache__"), f"{os.path.basename(path).partition('.')[0]}.py")
        if path.startswith(OF_THE_SYSTEM):
            return
        now = _seen(path)
        regular = not now or stat.S_ISREG(now[0])
        before = self._files.get(path, ((), "") if regular else None)
        if path in self._files and (before is None or before[0] != now):
            self._files[path] = None
        elif path not in self._files:
            just_written = bool(now) and time.time_ns() - now[-1] < TICK
            self._files[path] = (now, _digest(path, now) if just_written else "") if regular else None

    def state(self) -> dict[str, Any]:
        """The state that another process needs from this one."""
        return {name: getattr(self, name) for name in ("_files", "_listings", "_asked", "_late")}

    def take(self, other: Mapping[str, Any]) -> None:
        """Count the files that a worker has read as read here."""
        for path, seen in other["_files"].items():
            mine = self._files.get(path, seen)
            alike = mine is not None and seen is not None and mine[0] == seen[0]
            self._files[path] = max(mine, seen) if mine is not None and seen is not None and alike else None
        for paper, names in other["_listings"].items():
            if self._listings.setdefault(paper, names) != names:
                self._listings[paper] = ""
        self._asked |= other["_asked"]
        self._late |= other["_late"]


READ = Reading()


class Told:
    """The value that a worker returns. When it arrives, the files that the worker has read count as read by this process."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, dict[str, Any]]]:
        return _arrived, (self.value, READ.state())


def _arrived(value: Any, read: Mapping[str, Any]) -> Any:
    READ.take(read)
    return value


def _seen(path: str) -> tuple[int, ...]:
    """The identity of this file, its size and times, or nothing if it does not exist."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ()
    return found.st_mode, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


_DIGESTS: dict[str, tuple[tuple[int, ...], str]] = {}
"""Digests of files that have not changed for longer than a clock's tick, each with what was seen of its file."""


def _digest(path: str, seen: tuple[int, ...]) -> str:
    """The digest of a regular file; other words for an absent file, or one without a digest."""
    if not seen:
        return "absent"
    if not stat.S_ISREG(seen[0]):
        return ""
    known = _DIGESTS.get(path)
    if known is not None and known[0] == seen:
        return known[1]
    outer, READ._own.reading = getattr(READ._own, "reading", False), True
    try:
        with open(path, "rb") as file:
            made = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
    finally:
        READ._own.reading = outer
    if time.time_ns() - seen[-1] > TICK and _seen(path) == seen:
        _DIGESTS[path] = seen, made
    return made


def _names(folder: str) -> str:
    """The digest of the names of all files below a folder, also through links, except hidden ones and those that Python compiled."""
    names, inside, within = [], {(0, 0)}, [folder]
    while within:
        here = within.pop()
        outer, READ._own.reading = getattr(READ._own, "reading", False), True
        try:
            entries = [each for each in os.scandir(here) if not each.name.startswith(".") and each.name != "__pycache__"]
        except OSError:
            entries = []
        finally:
            READ._own.reading = outer
        for entry in entries:
            names.append(os.path.relpath(entry.path, folder))
            with suppress(OSError):
                place = os.stat(entry.path)
                if stat.S_ISDIR(place.st_mode) and (place.st_dev, place.st_ino) not in inside:
                    inside.add((place.st_dev, place.st_ino))
                    within.append(entry.path)
    return hashlib.sha256("\0".join(sorted(names)).encode(errors="surrogateescape")).hexdigest()


@lru_cache(maxsize=8)
def program_digest(parts: tuple[str, ...] = EVERY_PART, showing: bool = False) -> str:
    """The digest of the program's files, read once a process (8 ms); the arguments are those of :func:`program_files`."""
    return digest_of_files(program_files(parts, showing))


@lru_cache(maxsize=1)
def installation() -> list[str]:
    """Python, the machine, and the name and version of every installed library."""
    return [sys.version, platform.machine(), *libraries()]


def entry_points(group: str) -> list[tuple[str, str]]:
    """The names and values of a group of entry points; of a library that is found twice, those found first.

    :mod:`importlib.metadata` finds the same in many times the time: it imports what reads e-mail messages.
    """
    found: list[tuple[str, str]] = []
    known = set()
    for place in filter(os.path.isdir, sys.path):
        for name in sorted(os.listdir(place)):
            stem, dot, ending = name.rpartition(".")
            library = re.sub(r"[-_.]+", "-", stem.partition("-")[0]).lower()
            if ending not in ("dist-info", "egg-info") or not dot or library in known:
                continue
            known.add(library)
            with suppress(OSError, UnicodeError):
                found += _in_group(Path(place, name, "entry_points.txt").read_text(encoding="utf-8"), group)
    return found


def _in_group(text: str, group: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == group and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()


def libraries(wanted: Iterable[str] = ("",)) -> list[str]:
    """The installed libraries whose names begin with this text, each with its version."""
    begin = tuple(wanted)
    present = {name for place in sys.path if os.path.isdir(place) for name in os.listdir(place)}
    return sorted(name for name in present if name.startswith(begin) and name.endswith((".dist-info", ".egg-info")))


def digest_of_files(paths: Iterable[Path]) -> str:
    """One digest of files of the program or of a paper: of their paths below :data:`ROOT` and their contents."""
    made = hashlib.sha256()
    for path in map(str, paths):
        made.update(f"{path[len(str(ROOT)) :]}\0{_digest(path, _seen(path))}\n".encode())
    return made.hexdigest()


def program_files(parts: tuple[str, ...] = EVERY_PART, showing: bool = False) -> list[Path]:
    """The files of the program that decide verdicts.

    Args:
        parts: path prefixes below :data:`ROOT`, to restrict the search.
        showing: whether to include the modules that print verdicts.
    """
    begin = tuple(f"{ROOT}{os.sep}{part}" for part in parts)
    left_out = tuple(f"{ROOT}{os.sep}verifier{os.sep}{room}{os.sep}" for room in SHOWING if not (showing and room in ("commands", "show")))
    every = (path for package in PROGRAM for path in files_below(ROOT / package))
    return [path for path in every if (text := str(path)).startswith(begin) and not text.startswith(left_out)]


def files_below(folder: Path) -> list[Path]:
    """The files of a package, without hidden ones and what Python compiled."""
    found = []
    for here, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each != "__pycache__"]
        found += [f"{here}{os.sep}{name}" for name in names if not name.startswith(".")]
    return [Path(path) for path in sorted(found)]


def key_of(question: object, parts: tuple[str, ...] = EVERY_PART) -> str:
    """The digest of a question in plain data, and of everything that can change its answer besides the paper: parts of the program, trust
    and memory."""
    asked = [installation(), program_digest(parts), SHELF.trusted, ALLOWANCE.bytes, question]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def cache_folder() -> Path:
    """``$BITREFEREE_CACHE``, else ``bitreferee`` in the user's cache folder."""
    own = os.environ.get("BITREFEREE_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(own) if own else Path(base) / "bitreferee"


FILE = "results.sqlite"
MARK = 0x62726631
"""SQLite's ``application_id`` of such a file."""
MOST = 4
"""Results of one question that are kept, of different programs, files or libraries."""
WAIT = 30.0
"""Seconds for which a process waits while another one writes."""
TABLES = """
CREATE TABLE IF NOT EXISTS read (id TEXT PRIMARY KEY, files BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (number INTEGER PRIMARY KEY, key TEXT, question TEXT, read TEXT, content BLOB, seal TEXT);
CREATE INDEX IF NOT EXISTS by_key ON kept (key);
CREATE INDEX IF NOT EXISTS by_question ON kept (question);
CREATE INDEX IF NOT EXISTS by_read ON kept (read);
"""
UNUSABLE = frozenset((3, 5, 6, 7, 8, 10, 13, 14, 15, 23))
"""SQLite's codes for a file that cannot be opened, locked, read or written for now, which says nothing about its content."""


class Store:
    """A file of kept results. Several processes may use it at a time; a killed one leaves it as it was before its last result.

    Args:
        path: the file, which is created with the first result.
        named: the option with which the user named it; the user is then told if the file cannot be used.  Without it the file belongs to
        the program: if it cannot be used, nothing is kept and nothing found.
        parts: the beginnings of the paths of the program files that decide the results kept here.
    """

    fresh = False
    """Whether nothing that is kept is to be used (``--fresh``)."""

    def __init__(self, path: Path, named: str = "", parts: tuple[str, ...] = EVERY_PART) -> None:
        self.path, self.named, self.parts = path, named, parts
        self._open: sqlite3.Connection | None = None
        self._held: dict[str, bool] = {}

    @classmethod
    def usual(cls, parts: tuple[str, ...] = EVERY_PART) -> Store:
        """The program's own store, in :func:`cache_folder`."""
        return cls(cache_folder() / FILE, parts=parts)

    def find(self, question: object) -> bytes | None:
        """The kept answer to a question in plain data, if everything is unchanged since it was made."""
        key = key_of(question, self.parts)

        def look(base: sqlite3.Connection) -> bytes | None:
            rows = base.execute("SELECT number, read, content, seal FROM kept WHERE key = ? ORDER BY number DESC", (key,)).fetchall()
            for number, read, content, seal in rows:
                if not isinstance(content, bytes) or seal != _seal(key, read, content):
                    self._say(f"result {number} was changed after it was kept; it is made again")
                    base.execute("DELETE FROM kept WHERE number = ?", (number,))
                elif self._holds(base, read):
                    return content
            return None

        return self._with(look) if self.path.exists() and not self.fresh else None

    def prepare(self) -> None:
        """Create the file.

        Raises:
            InputError: the user named a file that cannot be used.
        """
        self._with(lambda base: None)

    def keep(self, question: object, content: bytes, read: Manifest | None) -> None:
        """Keep a result.

        Args:
            question: plain data that :func:`json.dumps` knows.
            read: the files on which the result depends besides the question, or None if they cannot be digested. Then nothing is kept, nor
            after a change of the program that computed it.
        """
        if read is None or READ.changed():
            return
        files = json.dumps(read, sort_keys=True).encode()
        key, id, name = (
            key_of(question, self.parts),
            hashlib.sha256(files).hexdigest(),
            hashlib.sha256(json.dumps(question).encode()).hexdigest(),
        )

        def write(base: sqlite3.Connection) -> None:
            base.execute("BEGIN IMMEDIATE")
            base.execute("INSERT OR REPLACE INTO read VALUES (?, ?)", (id, files))
            base.execute("DELETE FROM kept WHERE key = ? AND read = ?", (key, id))
            row = (key, name, id, content, _seal(key, id, content))
            base.execute("INSERT INTO kept (key, question, read, content, seal) VALUES (?, ?, ?, ?, ?)", row)
            old = base.execute("SELECT number FROM kept WHERE question = ? ORDER BY number DESC LIMIT -1 OFFSET ?", (name, MOST)).fetchall()
            if old:
                base.executemany("DELETE FROM kept WHERE number = ?", old)
                base.execute("DELETE FROM read WHERE NOT EXISTS (SELECT 1 FROM kept WHERE kept.read = read.id)")
            base.execute("COMMIT")

        self._with(write)

    def _holds(self, base: sqlite3.Connection, read: str) -> bool:
        """Whether the files of a manifest are unchanged, as this command first sees them."""
        if read not in self._held:
            found = base.execute("SELECT files FROM read WHERE id = ?", (read,)).fetchone()
            sound = found is not None and isinstance(found[0], bytes) and hashlib.sha256(found[0]).hexdigest() == read
            if not sound:
                self._say("a list of files was changed after it was kept; what rests on it is made again")
            self._held[read] = sound and READ.holds(json.loads(found[0]))
        return self._held[read]

    def _with(self, use: Callable[[sqlite3.Connection], Any]) -> Any:
        """Run an operation on the file. If the file is damaged, run it once more on a new file, or None if the file cannot be used."""
        import sqlite3

        for _ in range(2):
            try:
                return use(self._connected())
            except InputError:
                raise
            except (sqlite3.Error, OSError, MemoryError, UnicodeError) as error:
                self._close()
                code = getattr(error, "sqlite_errorcode", None)
                if isinstance(error, OSError) or (
                    isinstance(error, sqlite3.OperationalError) and code is not None and code & 255 in UNUSABLE
                ):
                    if self.named:
                        said = getattr(error, "strerror", None) or str(error)
                        raise InputError(f"{self.named} {self.path}: cannot be used: {said}") from None
                    return None
                self._say(f"damaged ({error}); what was kept there is made again")
                for path in (self.path, Path(f"{self.path}-journal")):
                    with suppress(OSError):
                        path.unlink()
        return None

    def _connected(self) -> sqlite3.Connection:
        import sqlite3

        if self._open is None:
            self._check()
            if not self.named:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            base = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None, check_same_thread=False)
            try:
                base.execute("PRAGMA trusted_schema = OFF")
                base.execute("PRAGMA cell_size_check = ON")
                if base.execute("PRAGMA application_id").fetchone()[0] != MARK:
                    base.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {MARK}; COMMIT;")
            except BaseException:
                base.close()
                raise
            self._open = base
        return self._open

    def _check(self) -> None:
        """Leave a file alone that the user named and that contains something else.

        Raises:
            InputError: it is such a file.
        """
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{self.named or 'kept results'} {self.path}: no regular file")
        if self.named and found.st_size:
            with self.path.open("rb") as file:
                head = file.read(100)
            if not head.startswith(b"SQLite format 3\0") or int.from_bytes(head[68:72]) != MARK:
                raise InputError(f"{self.named} {self.path}: a file of kept results was expected; remove it, or name another")

    def _close(self) -> None:
        import sqlite3

        base, self._open = self._open, None
        if base is not None:
            with suppress(sqlite3.Error), closing(base):
                pass

    def _say(self, what: str) -> None:
        print(" ".join(f"verify: {self.path}: {what}".split()), file=sys.stderr)


def _seal(key: str, read: object, content: bytes) -> str:
    return hashlib.sha256(f"{key} {read} ".encode() + content).hexdigest()
