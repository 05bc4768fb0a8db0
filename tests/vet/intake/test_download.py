"""Downloads: addresses and redirects that are refused, and a real one over loopback."""

from __future__ import annotations

import pytest

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.download import checked_addresses, download, is_public, next_url


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
        "::1",
        "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1",
        "ff02::1",
        "192.0.2.1",
    ],
)  # fmt: skip
def test_private_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


def test_a_host_at_a_private_address_is_refused() -> None:
    with pytest.raises(SourceError, match="private"):
        checked_addresses("127.0.0.1", 443)
    with pytest.raises(SourceError, match="private"):
        download("https://127.0.0.1:1/x", 100)
    assert checked_addresses("127.0.0.1", 443, private=True) == ["127.0.0.1"]


def test_redirects() -> None:
    assert next_url("https://example.com/a", "/b") == "https://example.com/b"
    assert next_url("https://example.com/a", "https://example.org/b") == "https://example.org/b"
    for location in (
        "http://example.com/b",
        "file:///etc/passwd",
        "https://u:p@example.com/",
        "ftp://x/",
    ):
        with pytest.raises(SourceError):
            next_url("https://example.com/a", location)


def test_a_host_that_does_not_answer() -> None:
    with pytest.raises(SourceError, match="cannot download"):
        download("https://127.0.0.1:1/x", 100, private=True)
