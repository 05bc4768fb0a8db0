"""Operations of every kind: their labels, what goes into them, and what of them is ever shown."""

from __future__ import annotations

import pickle

import pytest
from operation_samples import CWD, HERE, MACHINE, operation, operation_of

from sluicegate.flow import operations as ops
from sluicegate.flow.errors import CommandError, LabelError
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.labels.names import check
from sluicegate.flow.operations import Channel, OperationKind, command, fill, sketch, to_requests
from sluicegate.flow.operations.leaves import leaf, segment
from sluicegate.flow.policy.request import RequestHole
from sluicegate.flow.values import Labeled
from sluicegate.flow.values.labeled import lift, open_content

SECRET = Labeled("sk-live-12345678", Labels.of("secret"))
WEB = Labeled("-rf /", Labels.of("src:mcp", "untrusted"))


def reveal(value: object) -> object:
    return open_content(lift(value))


@pytest.mark.parametrize(
    ("made", "kind", "leaves"),
    [
        (ops.show(1), "show", ("op:show",)),
        (ops.log(1), "log", ("op:log",)),
        (ops.stream(1), "stream", ("op:stream",)),
        (ops.output(1, "stdout"), "output", ("op:output:stdout", "op:show")),
        (ops.output(1, "stderr"), "output", ("op:output:stderr", "op:show")),
        (ops.output(1, "file.txt"), "output", ("op:output:file",)),
        (ops.append(1, "file.txt"), "append", ("op:append", "op:write:append", "op:output:file")),
        (ops.write(1, "file.txt"), "write", ("op:write", "op:output:file")),
        (ops.read("file.txt"), "read", ("op:read",)),
        (ops.fetch("https://a.b"), "fetch", ("op:fetch:get",)),
        (ops.fetch("https://a.b", method="POST", body="x"), "fetch", ("op:fetch:post",)),
        (ops.mcp("github", "create issue"), "mcp", ("op:mcp:github:create%20issue",)),
        (ops.call("send"), "call", ("op:call:send",)),
        (ops.call("send", labels=("net:w", "exfil")), "call", ("net:w", "exfil")),
        (ops.return_(1), "return", ("op:return",)),
        (ops.return_(1, shown=True), "return", ("op:return", "op:show", "op:output:stdout")),
        (ops.sign("prompt", "x"), "sign", ("op:sign:prompt",)),
        (ops.install("skill", "src", "/x"), "install", ("op:install:skill", "privileged")),
        (ops.code("sh", "ls"), "sh", ("op:sh",)),
        (ops.code(OperationKind.PY, "1", inputs={"x": 1}), "py", ("op:py",)),
        (ops.code("prose", "x", labels=("llm",)), "prose", ("op:prose", "llm")),
    ],
)
def test_each_kind_has_its_labels(made, kind, leaves):
    assert (made.kind, made.leaves) == (kind, leaves)
    assert all(check(each) for each in made.leaves)


def test_declared_labels_are_checked():
    assert ops.show(1, labels=("net:w",)).leaves == ("op:show", "net:w")
    with pytest.raises(LabelError):
        ops.show(1, labels=("net w",))
    with pytest.raises(LabelError):
        command("git status", programs=HERE, cwd=CWD, labels=("Secret",))


@pytest.mark.parametrize(
    "text", ["a", "a:b", "a b", "", "é", "a,b", "!*", "%", "\x1b", "\udcff", "x" * 500, "/a/b.c-d_e", "a\nb"]
)
def test_any_text_is_a_segment_of_a_label_and_one_only(text):
    found = segment(text)
    assert ":" not in found
    assert check(f"op:{found}")
    assert segment(text) == found


def test_different_texts_are_different_segments():
    texts = ["a:b", "a%3ab", "a b", "a%20b", "x" * 500, "x" * 501, "", "%"]
    assert len({segment(text) for text in texts}) == len(texts)
    assert leaf("cmd", "a:b") != leaf("cmd", "a", "b")


def test_what_goes_in_is_known_by_channel_and_its_labels_join():
    made = ops.fetch("https://a.b", method="post", headers={"auth": SECRET}, body=WEB)
    assert made.values(Channel.NAME) == {"url": "https://a.b"}
    assert set(made.values(Channel.ARGUMENT)) == {"auth"}
    assert made.labels == Labels.of("secret", "src:mcp", "untrusted")
    assert ops.show("x").labels is EMPTY
    shell = ops.code("sh", "echo $K", inputs={"K": SECRET})
    assert set(shell.values(Channel.ENVIRONMENT)) == {"K"}
    with pytest.raises(CommandError):
        ops.code("sh", "ls", inputs={"PATH": SECRET})
    with pytest.raises(CommandError):
        ops.code("cmd", "ls")


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        (lambda: operation("git commit -m {m} -- {p}", {"m": SECRET, "p": "a b"}), "cmd git commit -m <secret> -- 'a b'"),
        (lambda: operation("curl -H 'Auth: '{k} {u}", {"k": SECRET, "u": WEB}), "cmd curl -H 'Auth: <secret>' '<src:mcp untrusted>'"),
        (lambda: operation("cat {x...}", {"x": ["a", SECRET]}), "cmd cat <secret>"),
        (lambda: ops.show(SECRET), "show(value=<secret>)"),
        (lambda: ops.mcp("github", "issue", {"title": SECRET, "n": 1}), "mcp github:issue(title=<secret>, n='1')"),
        (lambda: ops.write(SECRET, "a.txt"), "write(path='a.txt', value=<secret>)"),
        (lambda: operation("echo '\x1b[31m'"), "cmd echo ?[31m"),
    ],
)  # fmt: skip
def test_a_description_names_labels_and_never_holds_a_labelled_value(made, shown):
    found = made()
    assert found.describe() == shown
    assert "sk-live" not in repr(found) + str(found) + repr(found.arguments)


def test_nothing_that_is_made_of_a_command_shows_a_value():
    found = operation("curl -H {k} http://a.b", {"k": SECRET})
    filled = fill(found, reveal)
    assert "sk-live-12345678" in filled.argv
    everything = [
        repr(found),
        str(found),
        repr(filled),
        found.describe(),
        repr(found.stage.plan if found.stage else ""),
    ]
    everything += [
        request.shown + repr(request)
        for request in (*sketch(found, lookups=MACHINE), *to_requests(found, filled=filled, lookups=MACHINE))
    ]
    assert not any("sk-live" in each for each in everything)


def test_what_is_asked_before_values_are_known_does_not_depend_on_them():
    one = sketch(operation("git log {x} -- {y}", {"x": "a", "y": "b"}), lookups=MACHINE)
    other = sketch(operation("git log {x} -- {y}", {"x": "-zz", "y": SECRET}), lookups=MACHINE)
    assert [request.leaves for request in one] == [request.leaves for request in other]
    assert [request.command for request in one] == [request.command for request in other]
    assert one[0].command is not None
    assert one[0].command.arguments == ("log", RequestHole("", "", True), "--", RequestHole("", "", True))


def test_a_hole_in_a_request_says_what_is_known_of_it():
    (request,) = sketch(operation_of("frobnicate --a={x}z {y:option}"), lookups=MACHINE)
    assert request.command is not None
    assert request.command.arguments == (RequestHole("--a=", "z", True), RequestHole("", "", False))


@pytest.mark.parametrize(
    ("made", "paths", "hosts"),
    [
        (ops.read("notes.md", base=CWD), (("r", f"{CWD}/notes.md"),), ()),
        (ops.read(Labeled("out/passwd", Labels.of("src:mcp")), base=CWD), (("r", "/etc/passwd"),), ()),
        (ops.write("x", "key.pem", base=CWD), (("w", "/home/user/.ssh/id_rsa"), ("w", f"{CWD}/key.pem")), ()),
        (ops.append("x", "../../etc/new", base=CWD), (("w", "/etc/new"),), ()),
        (ops.fetch(Labeled("https://A.b./x", Labels.of("src:mcp"))), (), ("a.b",)),
        (ops.fetch("file:///etc/passwd"), (("r", "/etc/passwd"),), ()),
        (ops.fetch("https://a.b\\@c.d"), (), ("",)),
        (ops.show("x"), (), ()),
    ],
)
def test_paths_and_hosts_of_other_kinds_are_settled(made, paths, hosts):
    (request,) = to_requests(made, reveal=reveal, lookups=MACHINE)
    assert (request.kind, request.leaves, request.paths, request.hosts) == (
        made.kind,
        made.leaves,
        paths,
        hosts,
    )
    (before,) = sketch(made, lookups=MACHINE)
    assert before.paths == tuple((mode, "") for mode, _ in paths[:1] if made.kind != "fetch")
    assert before.hosts == (("",) if made.kind == "fetch" else ())


def test_only_commands_are_filled():
    with pytest.raises(CommandError):
        fill(ops.show("x"), reveal)


def test_a_pipeline_is_an_operation_for_each_stage():
    found = command("git log {x} | grep -e {y} | head -n 5", programs=HERE, cwd=CWD).operations(
        {"x": "main", "y": SECRET}, stdin="in"
    )
    assert [each.leaves[0] for each in found] == ["op:cmd:git:log", "op:cmd:grep", "op:cmd:head"]
    assert [each.labels for each in found] == [EMPTY, Labels.of("secret"), EMPTY]
    assert [each.name for each in found] == ["cmd:git:log", "cmd:grep", "cmd:head"]


def test_a_command_is_defined_once_and_reads_no_disk_when_it_is_filled():
    class Counting:
        calls = 0

        def __getattr__(self, name):
            type(self).calls += 1
            return getattr(MACHINE, name)

    lookups = Counting()
    defined = command("git commit -m {x}", programs=ops.Programs(lookups=lookups), cwd=CWD)
    before = Counting.calls
    assert before
    fill(defined.operations({"x": "a"})[0], reveal)
    assert Counting.calls == before


def test_a_defined_command_can_be_passed_to_another_process():
    defined = command("git commit -m {x}", programs=ops.Programs(), cwd="/")
    copy = pickle.loads(pickle.dumps(defined))
    (found,) = copy.operations({"x": "a"})
    assert fill(found, reveal).argv == ("git", "commit", "-m", "a")


def test_operations_are_compared_without_looking_at_values():
    one, other = ops.show(SECRET), ops.show(SECRET)
    assert one == one
    assert one != other
    assert len({one, other, one}) == 2
    assert one.arguments[0] != other.arguments[0]
