"""Hosts: what is this machine or its network, and what only begins like it."""

from __future__ import annotations

import pytest

from sluicegate.known.hosts import Host, classify


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8080", "127.0.0.1", "0.0.0.0:3000", "[::1]:80", "10.1.2.3", "192.168.1.x", "172.16.0.1",
     "192.168.1.{last}", "host.docker.internal", "printer.local", "app.localhost", "localhost.localdomain"],
)  # fmt: skip
def test_this_machine_and_its_network_are_local(host: str) -> None:
    assert classify(f"http://{host}/x") is Host.LOCAL


@pytest.mark.parametrize(
    "host",
    ["localhost.acme.io", "localhost-acme.io", "127.acme.io", "127.0.0.1.acme.io", "10.acme.io", "192.168.acme.io",
     "0.0.0.0.acme.io", "host.docker.internal.acme.io", "172.16.acme.xn--p1ai"],
)  # fmt: skip
def test_a_name_that_only_begins_like_this_machine_is_anybodys(host: str) -> None:
    assert classify(f"https://{host}/x") is Host.UNKNOWN
