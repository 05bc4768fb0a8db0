"""Files of statements that a client of a database runs: by an option, as its input, by an order of its own among its words."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from sluicegate.vet.lazy import lazy

_FILE = ("-f", "--file")
_OPTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("psql", "cockroach", "usql", "trino", "presto", "vsql", "impala-shell", "mongosh"), _FILE),
    **dict.fromkeys(("sqlite3", "sqlite"), ("-init", "--init")), "duckdb": ("-init", "--init", "-f", "--file"), "sqlcmd": ("-i", "--input-file"),
    **dict.fromkeys(("clickhouse", "clickhouse-client", "clickhouse-local"), ("--queries-file",)), "snowsql": ("-f", "--filename"),
    **dict.fromkeys(("hive", "beeline", "spark-sql"), ("-f", "-i")), "redis-cli": ("--eval",), "wrangler": ("--file",),
}  # fmt: skip
"""Options of clients that name a file of statements."""
_INSTEAD = frozenset("-c --command -e --execute -Q -q --query --csv --pipe".split())
"""Options behind which the input is data for the statement that they give."""
_PROGRAM = lazy(r"\.(?:js|mongodb)$")
_ORDERED = lazy(
    r"(?:^|[;\s\"'])(?:\.(?:read|load)|\\ir?|\\\.|source)\s{1,4}[\"']?([\w.~$/-]+)|\bload_extension\(\s{0,4}[\"']([^\"'\n]{1,200})[\"']|^@{1,2}([\w./~-]+)"
)
"""How a statement has a file run, or machine code loaded, in the ways of these clients."""
_STATEMENTS = lazy(r"\.(?:sql|psql|pgsql|ddl|dml|hql|cql)$")
_OF_USERS = lazy(
    r"(?:^|[_.-])(?:dump|backup|bak|export|restore|snapshot)s?(?:[_.\d-]|$)|^(?:schema|structure|quer(?:y|ies))\.sql$|(?:^|/)migrations?/"
)
"""Files of statements that are a database of the user's, or a step of the user's project."""


def of_client(name: str, words: Sequence[str], stdin: Sequence[str]) -> Iterator[str]:
    """The files that a client of a database runs; ``words`` stand behind its name, ``stdin`` are what it reads as its input."""
    options = _OPTIONS.get(name, ())
    for place, word in enumerate(words):
        option, mark, value = word.partition("=")
        if option in options:
            yield from [value] if mark else words[place + 1 : place + 2]
        elif name in ("mongosh", "mongo") and _PROGRAM.search(word) is not None and "://" not in word:
            yield word
        for found in _ORDERED.finditer(word):
            yield found[1] or found[2] or found[3]
    if _INSTEAD.isdisjoint(words):
        yield from stdin


def statements_of_user(path: str) -> bool:
    """Whether a file of statements is taken for the user's: a dump, a migration, the schema of a project."""
    if _STATEMENTS.search(path) is None:
        return False
    return _OF_USERS.search(posixpath.basename(path)) is not None or _OF_USERS.search(path) is not None
