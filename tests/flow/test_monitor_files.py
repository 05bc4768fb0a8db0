"""Files keep the labels of what was written into them, whatever happens to their names."""

import asyncio
import os

import pytest
from monitor_samples import CANARY, bench, guard, registry, secret

from sluicegate.flow.denial import Code, Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import Deny
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor import OperationFailed
from sluicegate.flow.values import Labeled, LabeledFailure, branch
from sluicegate.record.files.files import FileLabels

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


def content(made, value):
    return made.monitor.reveal(value, to="op:log")


def labels_read(made, name):
    return made.monitor.read(name).labels


def test_what_was_written_is_read_back_with_its_labels_and_where_it_lies(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write("a.txt", secret("x", "src:mcp"))
    found = made.monitor.read("a.txt")
    assert content(made, found) == "x"
    assert {"secret", "src:mcp", "src:file", f"dir:{made.root}"} <= set(found.labels)
    assert found.trail.words == ("file:read",)


def test_labels_follow_a_file_through_renaming_copying_linking_and_appending(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write("a.txt", secret("x"))
    root = made.root
    (root / "copy.txt").write_bytes((root / "a.txt").read_bytes())
    (root / "link.txt").symlink_to("a.txt")
    os.rename(root / "a.txt", root / "b.txt")
    os.rename(root / "link.txt", root / "other.txt")
    (root / "other.txt").unlink()
    (root / "other.txt").symlink_to("b.txt")
    for name in ("b.txt", "copy.txt", "other.txt"):
        assert labels_read(made, name).has("secret"), name
    made.monitor.append("b.txt", Labeled("y", Labels.of("pii")))
    assert {"secret", "pii"} <= set(labels_read(made, "b.txt"))
    assert content(made, made.monitor.read("b.txt")) == "xy"


def test_labels_last_longer_than_a_program(tmp_path):
    first = bench(tmp_path, {}, recorded=True)
    first.monitor.write("a.txt", secret("x"))
    first.ledger.close()
    again = bench(tmp_path, {}, recorded=True)
    assert labels_read(again, "a.txt").has("secret")


def test_what_others_wrote_is_what_policy_says_of_unknown_files(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    (made.root / "new.txt").write_text("x")
    assert "untrusted" in labels_read(made, "new.txt")
    trusting = bench(tmp_path, {"defaults": {"unknown_files": "trusted"}}, recorded=True)
    assert "untrusted" not in labels_read(trusting, "new.txt")
    made.monitor.write("mine.txt", secret("x"))
    (made.root / "mine.txt").write_text("changed by others")
    assert {"secret", "untrusted"} <= set(labels_read(made, "mine.txt"))


def test_policy_labels_places(tmp_path):
    made = bench(
        tmp_path, {"data": {"path:**/private/**": "secret"}, "labels": {"secret": {"deny": ["op:show"]}}}
    )
    (made.root / "private").mkdir()
    (made.root / "private" / "a.txt").write_text("x")
    found = made.monitor.read("private/a.txt")
    assert found.labels.has("secret")
    with pytest.raises(Denied):
        made.monitor.show(found)
    assert made.monitor.run("cat private/a.txt").labels.has("secret")
    assert not made.monitor.run("ls private/a.txt").labels.has("pii")


def test_a_file_stands_in_the_ledger_before_it_stands_under_its_name(tmp_path, monkeypatch):
    made = bench(tmp_path, {}, recorded=True)
    seen = []
    remember = FileLabels.remember

    def noting(self, path, *args, **kwargs):
        seen.append((made.root / "a.txt").exists())
        return remember(self, path, *args, **kwargs)

    monkeypatch.setattr(FileLabels, "remember", noting)
    made.monitor.write("a.txt", "x")
    assert seen == [False]
    assert labels_read(made, "a.txt") == Labels.of("src:file", *(f"dir:{p}" for p in _parents(made.root)))


def _parents(root):
    return [str(path) for path in (root, *root.parents) if str(path) != "/"]


def test_writing_is_whole_or_not_at_all_and_keeps_the_mode(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    path = made.root / "a.txt"
    path.write_text("old")
    path.chmod(0o600)
    made.monitor.write("a.txt", "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(each.name for each in made.root.iterdir()) == [".sluicegate", "a.txt"]
    with pytest.raises(OperationFailed):
        made.monitor.write("a.txt", 42)
    assert path.read_text() == "new"


def test_bytes_and_text_are_read_as_asked(tmp_path):
    made = bench(tmp_path, {})
    made.monitor.write("a.bin", b"\xff\x00")
    assert content(made, made.monitor.read("a.bin", binary=True)) == b"\xff\x00"
    failed = made.monitor.read("a.bin")
    with pytest.raises(LabeledFailure):
        content(made, failed)
    assert "not text in UTF-8" in content(made, failed.failure)
    made.monitor.write("empty", "")
    assert content(made, made.monitor.read("empty")) == ""


@pytest.mark.parametrize(
    ("attempt", "kind"),
    [
        (lambda m: m.read("nothing.txt"), "No such file"),
        (lambda m: m.read("."), "not a regular file"),
        (lambda m: m.read("\0"), "NUL"),
        (lambda m: m.read(""), "empty"),
        (lambda m: m.read("/dev/stdin"), "standard stream"),
        (lambda m: m.read("pipe"), "not a regular file"),
        (lambda m: m.write("no/such/dir/a", "x"), "No such file"),
        (lambda m: m.write(".", "x"), "not a regular file"),
        (lambda m: m.write("pipe", "x"), "not a regular file"),
        (lambda m: m.append("pipe", "x"), "pipe: No such device"),
        (lambda m: m.read("x" * 5000), "longer"),
        (lambda m: m.read("loop"), "cannot be followed"),
    ],
)
def test_wrong_paths_are_errors_at_once(tmp_path, attempt, kind):
    made = bench(tmp_path, {}, recorded=True)
    os.mkfifo(made.root / "pipe")
    (made.root / "loop").symlink_to("loop")
    with pytest.raises(FlowError, match=kind):
        attempt(made.monitor)


def test_a_labelled_path_stands_in_no_message_and_no_event(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write(secret(f"{CANARY}.txt"), "x")
    made.monitor.append(secret(f"{CANARY}.txt"), "y")
    missing = made.monitor.read(secret(f"missing-{CANARY}.txt"))
    made.monitor.run("touch {p}", {"p": secret(f"./made-{CANARY}.txt")})
    assert CANARY not in str(made.events())
    assert CANARY not in made.log.text
    assert content(made, missing.failed) is True
    assert CANARY not in content(made, missing.failure)
    assert content(made, made.monitor.read(f"{CANARY}.txt")) == "xy"


def test_a_path_in_a_branch_is_as_closed_as_the_branch(tmp_path):
    made = bench(tmp_path, {"labels": {"secret": {"deny": ["op:write", "op:append", "op:read"]}}})
    with branch(secret()):
        ends = [
            made.monitor.write("a", "x"),
            made.monitor.append("a", "x"),
            made.monitor.read("/etc/hostname"),
        ]
    assert all(content(made, end.failed) for end in ends)
    assert not (made.root / "a").exists()


def test_a_link_that_is_put_in_the_way_is_not_followed(tmp_path):
    made = bench(tmp_path, {"capabilities": {"allow": ["fs:rw:@base/**"]}})
    (made.root / "out").symlink_to(tmp_path)
    with pytest.raises(Denied) as raised:
        made.monitor.write("out/escaped.txt", "x")
    assert raised.value.denial.code is Code.POLICY_CAPABILITY_DENIED
    assert not (tmp_path / "escaped.txt").exists()
    made.monitor.write("inside.txt", "x")


def test_files_under_asyncio(tmp_path):
    made = bench(tmp_path, {}, recorded=True)

    async def program():
        await asyncio.gather(*(made.monitor.aio.write(f"{n}.txt", secret(str(n))) for n in range(5)))
        return await asyncio.gather(*(made.monitor.aio.read(f"{n}.txt") for n in range(5)))

    found = asyncio.run(program())
    assert [content(made, each) for each in found] == list("01234")
    assert all(each.labels.has("secret") for each in found)


def test_what_was_read_is_an_event_that_follows_from_the_writing(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write("a.txt", secret("x"))
    made.monitor.show(made.monitor.read("a.txt", var="@config"))
    events = {each["event"]: each for each in made.events()}
    shown = made.events()[-1]
    assert events["read"]["known"] == "known"
    assert events["read"]["var"] == "@config"
    assert events["read"]["inputs"] == [events["write"]["id"]]
    assert shown["inputs"] == [events["read"]["id"]]


@pytest.mark.usefixtures("held_by_permissions")
def test_a_place_that_may_not_be_written_is_named(tmp_path):
    made = bench(tmp_path, {})
    (made.root / "closed").mkdir(mode=0o500)
    with pytest.raises(OperationFailed, match=r"closed/a\.txt: Permission denied"):
        made.monitor.write("closed/a.txt", "x")


def test_a_place_on_a_file_system_that_cannot_be_written_is_named(tmp_path):
    made = bench(tmp_path, {})
    with pytest.raises(OperationFailed, match="/proc/sluicegate: No such file"):
        made.monitor.write("/proc/sluicegate", "x")


# What a command reads without saying which file.


@pytest.mark.parametrize(
    "command",
    [
        'awk \'BEGIN{f="ke" "pt"; while((getline l < f)>0) print l}\'',
        "sort --files0-from=names",
        "wc --files0-from=names",
        "du --files0-from=names",
        "git grep --no-index canary",
        "git grep --untracked canary",
    ],
)
def test_a_file_that_a_command_finds_by_itself_is_carried_by_its_output(tmp_path, command):
    made = bench(tmp_path, {"defaults": {"rules": ["no-secret-exfil"]}}, recorded=True)
    made.monitor.write("kept", secret())
    (made.root / "names").write_bytes(b"kept\0")
    found = made.monitor.run(command)
    assert found.labels.has("secret")
    with pytest.raises(Denied):
        made.monitor.operation(made.sent.append, labels={"exfil"}, name="send")(found)
    made.ledger.close()


@pytest.mark.parametrize("command", ["echo hi", "true", "cat other", "head -c 3 other"])
def test_a_command_that_names_what_it_reads_carries_that_alone(tmp_path, command):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write("kept", secret())
    (made.root / "other").write_text("plain")
    assert not made.monitor.run(command).labels.has("secret")
    made.ledger.close()


_WRITES = {
    "a label": {"labels": {"secret": {"deny": ["op:write"]}}},
    "output": {"labels": {"secret": {"deny": ["op:output"]}}},
    "a risk": {"operations": {"op:write": "exfil"}, "defaults": {"rules": ["no-secret-exfil"]}},
    "a place": {"capabilities": {"deny": ["fs:w:**/*.txt"]}},
    "an allow list": {
        "defaults": {"unlabeled": "untrusted"},
        "labels": {"src:file": {"allow": ["op:append", "op:read"]}},
    },
}


@pytest.mark.parametrize("tree", _WRITES.values(), ids=_WRITES)
def test_what_is_denied_to_be_written_is_denied_to_be_appended(tmp_path, tree):
    made = bench(tmp_path, tree)
    value = Labeled("x", Labels.of("secret", "src:file"))
    for way in (made.monitor.write, made.monitor.append):
        with pytest.raises(Denied):
            way("a.txt", value)
    assert not (made.root / "a.txt").exists()


def test_a_guard_of_writing_is_asked_of_appending_and_an_allow_list_can_name_appending_alone(tmp_path):
    made = bench(tmp_path, {}, guards=registry(guard("op:write", Deny("no"))))
    for way in (made.monitor.write, made.monitor.append):
        with pytest.raises(Denied):
            way("a.txt", "x")
    allowed = ["op:append", "op:write:append", "op:output:file"]
    tree = {"defaults": {"unlabeled": "untrusted"}, "labels": {"src:file": {"allow": allowed}}}
    (tmp_path / "other").mkdir()
    made = bench(tmp_path / "other", tree)
    value = Labeled("x", Labels.of("src:file"))
    made.monitor.append("a.txt", value)
    with pytest.raises(Denied):
        made.monitor.write("a.txt", value)
