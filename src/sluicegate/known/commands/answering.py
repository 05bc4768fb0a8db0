"""Programs that are asked for what other machines say, and print it or keep it in a file.

What packages, pushes and pulls say beside their work is none of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_ALWAYS: Final = frozenset(
    """
    curl wget wget2 http https httpie xh xhs curlie axel aria2c aria2 lwp-request lwp-download GET fetch
    lynx w3m links elinks telnet websocat wscat grpcurl tftp ftp lftp ncftp nc ncat netcat socat
    dig drill kdig doggo whois finger mutt neomutt fetchmail newsboat
    yt-dlp youtube-dl gallery-dl
    """.split()
)
_FORGES: Final = frozenset("gh glab hub tea jira linear".split())
_OWN: Final = frozenset(
    """
    auth alias config completion extension help version ssh-key gpg-key codespace cache secret variable set-default
    create comment note edit close reopen delete merge ready lock unlock pin unpin transfer develop upload rename archive
    fork sync checkout clone cancel rerun enable disable approve revoke checks watch
    """.split()
)
"""Words of forges that say what is one's own, or do something."""

SERVERS: Final = frozenset(
    """
    psql pgcli mysql mariadb mycli redis-cli valkey-cli mongosh mongo cqlsh sqlcmd isql usql clickhouse clickhouse-client influx
    etcdctl consul pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport mongoimport pg_restore
    """.split()
)
"""Programs that give something to a server, which keeps it, and get it out again."""


def answers(name: str, words: Sequence[str]) -> bool:
    """Whether a program with these plain words tells what another machine says."""
    if name in _ALWAYS:
        return True
    return name in _FORGES and bool(words) and _OWN.isdisjoint(words[:2])
