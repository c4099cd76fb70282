"""The state of a campaign in one SQLite file: its cases, and the results of those that ran.

Invariants: everything is written in transactions, so that a process killed at any moment leaves a file that another can
continue; a case has at most one result, even if a worker reports it twice; a file is written by one process at a time (a lock beside it,
which ends with the process)."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from lockstep.campaign.problems import StateError

if TYPE_CHECKING:
    from typing_extensions import Self

VERSION = "2"
_READ = ("1", "2")  # versions; "1" did not note the code that results came from
_SCHEMA = """
create table if not exists campaign (key text primary key, value text not null) without rowid;
create table if not exists cases (id text primary key, number integer not null, text text not null) without rowid;
create index if not exists cases_by_number on cases (number);
create table if not exists results (id text primary key, verdict text not null, text text not null, seconds real not null,
    worker text not null, attempts integer not null, log text not null, origin text not null default '') without rowid;
create table if not exists origins (id text primary key, text text not null) without rowid;
create table if not exists findings (id text not null, number integer not null, code text not null, tier text not null,
    file text not null, line integer not null, kernel text not null, message text not null,
    primary key (id, number)) without rowid;
create index if not exists results_by_verdict on results (verdict);
create index if not exists findings_by_code on findings (code);
insert or ignore into campaign values ('version', '2');
"""
_MOST_LOG = 4000  # characters of a case's log that are kept


@dataclass(frozen=True)
class Result:
    """A case's result as the state file holds it."""

    id: str
    text: str  # canonical JSON: docs/campaigns.md, "A result"
    seconds: float
    worker: str
    attempts: int = 1
    log: str = ""
    origin: str = ""  # of the code: origins.py


class State:
    """An open state file. Use as a context manager; only one process may open it for writing."""

    def __init__(self, path: str | Path, *, writes: bool = True, must_exist: bool = False) -> None:
        self.path = Path(path)
        if (must_exist or not writes) and not self.path.is_file():
            raise StateError(f"{path}: there is no such state file")
        self._lock = _lock(self.path) if writes else None
        try:
            self.connection = _open(self.path, writes)
            self._check_version(writes)
        except BaseException:
            self._unlock()
            raise

    def _check_version(self, writes: bool) -> None:
        try:
            if writes:
                self.connection.executescript(f"begin immediate; {_SCHEMA} commit;")
            found = self.value("version")
            if found == "1" and writes:
                self._migrate()
                found = VERSION
        except sqlite3.DatabaseError as error:
            self.connection.close()
            raise StateError(f"{self.path}: not a campaign's state file: {error}") from None
        if found not in _READ:
            self.connection.close()
            raise StateError(f"{self.path}: a state file of version {found}; this Lockstep writes version {VERSION}")
        self._origin = "results.origin" if found == VERSION else "''"
        self.judge(lambda _: True)

    def _migrate(self) -> None:
        """Results of a file of version 1 have no origin, so they count as old."""
        with self.transaction() as connection:
            connection.execute("alter table results add column origin text not null default ''")
            connection.execute("update campaign set value = ? where key = 'version'", (VERSION,))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, also where the process is killed inside."""
        self.connection.execute("begin immediate")
        try:
            yield self.connection
        except BaseException:
            self.connection.execute("rollback")
            raise
        self.connection.execute("commit")

    # ---- old results ----

    def judge(self, is_current: Callable[[str], bool]) -> None:
        """Sets which results count: those whose origin is current. Also SQL's is_current(origin). Without a call, all count."""
        self.connection.create_function("is_current", 1, is_current)

    @property
    def is_current(self) -> str:
        """A condition on a row of `results`."""
        return f"is_current({self._origin})"

    def origins(self) -> dict[str, str]:
        """id -> canonical text."""
        return dict(self.connection.execute("select id, text from origins")) if self._origin != "''" else {}

    def old_origins(self) -> list[str]:
        query = f"select distinct {self._origin} from results where not {self.is_current} order by 1"
        return [str(key) for (key,) in self.connection.execute(query)]

    def old_verdicts(self) -> dict[str, int]:
        query = f"select verdict, count(*) from results where not {self.is_current} group by verdict order by verdict"
        return dict(self.connection.execute(query))

    def disown(self, ids: Iterable[str]) -> None:
        """Marks these results: their code changed while they ran."""
        with self.transaction() as connection:
            connection.executemany("update results set origin = '' where id = ?", [(one,) for one in ids])

    # ---- the campaign ----

    def value(self, key: str) -> str | None:
        """A fact of the campaign: name, plan (the TOML's text), path, root, seconds, ..."""
        row = self.connection.execute("select value from campaign where key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_values(self, **values: object) -> None:
        with self.transaction() as connection:
            connection.executemany("insert or replace into campaign values (?, ?)", [(k, str(v)) for k, v in values.items()])

    def add_cases(self, cases: Iterable[tuple[str, str]], **facts: object) -> int:
        """Stores all cases of a plan and the facts about them, in one transaction; returns how many there are."""
        with self.transaction() as connection:
            rows = ((key, number, text) for number, (key, text) in enumerate(cases))
            connection.executemany("insert or ignore into cases values (?, ?, ?)", rows)
            connection.executemany("insert or replace into campaign values (?, ?)", [(k, str(v)) for k, v in facts.items()])
        return self.count("cases")

    def replace_cases(self, cases: Iterable[tuple[str, str]], **facts: object) -> int:
        """Stores a plan that was listed again: removes cases that it no longer has, with their results; returns how many."""
        with self.transaction() as connection:
            before = self.count("cases")
            connection.execute("create temp table there as select id from cases")
            connection.execute("delete from cases")
            rows = ((key, number, text) for number, (key, text) in enumerate(cases))
            connection.executemany("insert or ignore into cases values (?, ?, ?)", rows)
            kept = connection.execute("select count(*) from there where id in (select id from cases)").fetchone()[0]
            for table in ("results", "findings"):
                connection.execute(f"delete from {table} where id not in (select id from cases)")
            connection.execute("drop table there")
            connection.executemany("insert or replace into campaign values (?, ?)", [(k, str(v)) for k, v in facts.items()])
        return before - int(kept)

    def open_cases(self, limit: int = -1, after: int = -1) -> list[tuple[int, str, str]]:
        """(number, id, text) of cases without a current result, in the plan's order."""
        query = f"""select number, id, text from cases where number > ? and not exists
                   (select 1 from results where results.id = cases.id and {self.is_current}) order by number limit ?"""
        return self.connection.execute(query, (after, limit)).fetchall()

    def count(self, table: str) -> int:
        """Rows of "cases", "results" or "findings"."""
        return int(self.connection.execute(f"select count(*) from {table}").fetchone()[0])

    def done(self) -> int:
        """Cases with a current result."""
        return int(self.connection.execute(f"select count(*) from results where {self.is_current}").fetchone()[0])

    def verdicts(self) -> dict[str, int]:
        """Of current results."""
        query = f"select verdict, count(*) from results where {self.is_current} group by verdict order by verdict"
        return dict(self.connection.execute(query))

    def results(self, where: str = "1") -> Iterator[tuple[str, str, float]]:
        """(the case's text, the result's, seconds) of current results, by id."""
        query = f"""select cases.text, results.text, results.seconds from results join cases using (id)
                    where {self.is_current} and {where} order by results.id"""
        yield from self.connection.execute(query)

    # ---- results ----

    def add_results(self, results: Sequence[Result], origins: Mapping[str, str] | None = None) -> Counter[str]:
        """Stores results in one transaction; returns how many of each verdict were new. A current result stays. origins: their texts."""
        with self.transaction() as connection:
            connection.executemany("insert or ignore into origins values (?, ?)", (origins or {}).items())
            for result in results:
                old = (result.id,)
                if connection.execute(f"select 1 from results where id = ? and not {self.is_current}", old).fetchone():
                    connection.execute("delete from results where id = ?", old)
                    connection.execute("delete from findings where id = ?", old)
            return Counter(verdict for result in results if (verdict := _insert(connection, result)))

    def export(self, out: TextIO) -> None:
        """Every result as a JSON line, sorted by id: {"case", "result"}, and "old" for old ones, without times, workers and logs."""
        query = f"select {self.is_current}, cases.text, results.text from results join cases using (id) order by results.id"
        for is_current, case, result in self.connection.execute(query):
            out.write(f'{{"case":{case},' + ("" if is_current else '"old":true,') + f'"result":{result}}}\n')

    def query(self, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Column names and rows. Raises StateError for a query that SQLite refuses; the file is open for reading only."""
        try:
            cursor = self.connection.execute(sql)
            return [column[0] for column in cursor.description or ()], cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise StateError(f"the query failed: {error}") from None


def _insert(connection: sqlite3.Connection, result: Result) -> str:
    """The verdict; "" where the case has a result already."""
    said = json.loads(result.text)
    row = (result.id, said["verdict"], result.text, result.seconds, result.worker, result.attempts, result.log[-_MOST_LOG:],
           result.origin)  # fmt: skip
    is_new = connection.execute("insert or ignore into results values (?, ?, ?, ?, ?, ?, ?, ?)", row).rowcount
    if is_new:
        rows = [(result.id, number, one["code"], one["tier"], one["file"], one["line"], one["kernel"], one["message"])
                for number, one in enumerate(said["findings"])]  # fmt: skip
        connection.executemany("insert into findings values (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return str(said["verdict"]) if is_new else ""


def _open(path: Path, writes: bool) -> sqlite3.Connection:
    if writes:
        connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    else:
        connection = sqlite3.connect(f"file:{path.resolve().as_posix()}?mode=ro", uri=True, isolation_level=None, timeout=30)
    try:
        if writes:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")  # WAL: a killed process loses nothing, a power cut the last moments
        else:
            connection.execute("pragma query_only = on")
    except sqlite3.DatabaseError as error:
        connection.close()
        raise StateError(f"{path}: not a campaign's state file: {error}") from None
    return connection


def _lock(path: Path) -> int:
    """Held until it is closed or the process ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise StateError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise StateError(f"{path}: another process runs this campaign") from None
    return descriptor


def merge(parts: Sequence[str | Path], target: str | Path) -> tuple[int, int]:
    """Cases and results of several files in a new one; how many of each. The first file's facts and results win.

    Raises StateError where a part cannot be read, or where two parts hold different results of one case."""
    if Path(target).exists():
        raise StateError(f"{target}: this file exists already")
    with State(target) as merged:
        for part in parts:
            _merge_one(merged, part)
        return merged.count("cases"), merged.count("results")


def _merge_one(merged: State, part: str | Path) -> None:
    with State(part, writes=False) as source:
        offset = merged.count("cases")
        with merged.transaction() as connection:
            connection.executemany("insert or ignore into campaign values (?, ?)",
                                   source.connection.execute("select key, value from campaign"))  # fmt: skip
            connection.execute("insert or replace into campaign values ('merged', '1')")
            rows = source.connection.execute("select id, number + ?, text from cases order by number", (offset,))
            connection.executemany("insert or ignore into cases values (?, ?, ?)", rows)
            connection.executemany("insert or ignore into origins values (?, ?)", source.origins().items())
            for row in source.connection.execute(f"select id, text, seconds, worker, attempts, log, {source._origin} from results"):
                _merge_result(connection, Result(*row), str(part))


def _merge_result(connection: sqlite3.Connection, result: Result, part: str) -> None:
    if _insert(connection, result):
        return
    there = connection.execute("select text from results where id = ?", (result.id,)).fetchone()[0]
    if there != result.text:
        raise StateError(f"{part}: case {result.id} has another result in an earlier file; results of one commit merge")
