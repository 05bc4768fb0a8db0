"""What the tests of the whole gateway share."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from gateway_client import Client


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Any]:
    clients: list[Client] = []
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "work" / ".git").mkdir(parents=True)

    def begin(*words: str) -> Client:
        client = Client(tmp_path, *words)
        clients.append(client)
        return client

    yield begin
    for client in clients:
        client.process.kill()
        client.process.wait()
        for pipe in (client.process.stdin, client.process.stdout):
            with suppress(OSError):
                pipe.close()
        client.error.close()
