"""The normal form of capabilities."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.inspect import capabilities


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://API.Example.com/v1?x=1", "net:api.example.com"),
        ("https://user:pw@host.example.com:8443/", "net:host.example.com"),
        ("example.com:80", "net:example.com"),
        ("http://192.0.2.7/x", "net:192.0.2.7"),
        ("http://[::1]:80/", "net:::1"),
        ("https://*.example.com/", "net:*.example.com"),
        ("https://b\u00fccher.example/", "net:xn--bcher-kva.example"),
        ("https://real.example.com\\@evil.example.com/", "net:real.example.com"),
        ("", "net:*"),
        ("https://{host}/x", "net:*"),
        ("wss://ws.example.com#frag", "net:ws.example.com"),
    ],
)
def test_hosts(value: str, expected: str) -> None:
    assert capabilities.net(value) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("~/.ssh/id_rsa", "fs:r:~/.ssh/id_rsa"),
        ("$HOME/.ssh/", "fs:r:~/.ssh"),
        ("${HOME}/x", "fs:r:~/x"),
        ("%APPDATA%\\x", "fs:r:~/AppData/Roaming/x"),
        ("C:\\Users\\a", "fs:r:C:/Users/a"),
        ("/etc//passwd", "fs:r:/etc/passwd"),
        ("./a/./b", "fs:r:a/b"),
        ("a/**/**/b", "fs:r:a/**/b"),
        ("a/x***y", "fs:r:a/x*y"),
        ("", "fs:r:*"),
        (".", "fs:r:."),
        ("/", "fs:r:/"),
    ],
)
def test_paths(path: str, expected: str) -> None:
    assert capabilities.read(path) == expected
    assert capabilities.write(path) == expected.replace("fs:r:", "fs:w:")


@pytest.mark.parametrize(
    ("argv0", "expected"),
    [
        ("curl", "cmd:curl"),
        ("/usr/bin/curl", "cmd:curl"),
        ("C:\\Windows\\powershell.EXE", "cmd:powershell"),
        ("'git'", "cmd:git"),
        ("", "cmd:*"),
        ("two words", "cmd:*"),
        (".exe", "cmd:.exe"),
    ],
)
def test_commands(argv0: str, expected: str) -> None:
    assert capabilities.command(argv0) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("HOME", "env:HOME"), ("*", "env:*"), ("", "env:*"), ("a b", "env:*")]
)
def test_environment(name: str, expected: str) -> None:
    assert capabilities.env(name) == expected


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_total_and_printable(text: str) -> None:
    for function in (
        capabilities.net,
        capabilities.read,
        capabilities.write,
        capabilities.command,
        capabilities.env,
    ):
        value = function(text)
        assert value.isprintable()
        assert len(value) <= capabilities.MAX_NAME


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab/.*~\\", max_size=40))
def test_glob_is_idempotent(path: str) -> None:
    once = capabilities.glob(path)
    assert capabilities.glob(once) == once
