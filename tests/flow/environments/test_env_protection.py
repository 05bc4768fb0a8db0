"""What is ours in a granted root: never seen, never changed, never forged, whatever a command tries."""

import sys
from pathlib import Path

import pytest
from env_support import Runs, needs_bubblewrap

from sluicegate.flow.environments.confinement.protection import Protection, own_code
from sluicegate.flow.environments.errors import EnvironmentConfigError

pytestmark = needs_bubblewrap


def test_our_state_behind_a_link_that_a_command_could_replace(sandbox: Runs, tmp_path: Path):
    (tmp_path / "p").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "p" / ".sluicegate").symlink_to("../elsewhere")
    sandbox.protection = Protection(hidden=(tmp_path / "p" / ".sluicegate",))
    with pytest.raises(EnvironmentConfigError, match="leads over a link"):
        sandbox("true", fs={"write": ["p"]})
    assert sandbox("ls", "elsewhere", fs={"read": ["."]}, cwd=str(tmp_path)).stdout == b""


def test_our_own_code_can_be_kept(sandbox: Runs):
    prefix, package = own_code()
    assert (package / "__init__.py").exists()
    assert prefix == Path(sys.prefix)


@pytest.mark.parametrize("kind", ["read", "write"])
def test_our_own_state_is_hidden_in_a_granted_root(sandbox: Runs, tmp_path: Path, kind: str):
    project = tmp_path / "home" / "project"
    (project / ".sluicegate" / "sec").mkdir(parents=True)
    (project / ".sluicegate" / "sec" / "audit.jsonl").write_text("ours")
    (tmp_path / "home" / "keys").mkdir()
    (tmp_path / "home" / "keys" / "key").write_text("ours")
    (tmp_path / "home" / "trust.toml").write_text("ours")
    hidden = (project / ".sluicegate", tmp_path / "home" / "keys", tmp_path / "home" / "trust.toml")
    sandbox.protection = Protection(hidden=hidden)
    script = """
grep -r ours . 2>/dev/null
for p in project/.sluicegate keys trust.toml; do
  chmod -R 777 $p; ls $p/*; cat $p; rm -rf $p; mv $p away; umount $p; (echo forged > $p); mkdir -p $p/sec; ln -s /tmp $p/x
done
perl -e 'rename("project", "elsewhere") and print "moved"'
rm -rf project; mkdir -p project/.sluicegate/sec && echo forged > project/.sluicegate/sec/audit.jsonl
find . -name audit.jsonl
""".strip()
    done = sandbox("sh", "-c", script, fs={kind: ["home:/h"]}, cwd="/h")
    assert b"ours" not in done.stdout
    assert b"audit" not in done.stdout
    assert b"moved" not in done.stdout
    assert (project / ".sluicegate" / "sec" / "audit.jsonl").read_text() == "ours"
    assert (tmp_path / "home" / "keys" / "key").read_text() == "ours"
    assert (tmp_path / "home" / "trust.toml").read_text() == "ours"
    assert {p.name for p in (tmp_path / "home").iterdir()} >= {"keys", "project", "trust.toml"}
    assert not any(b"forged" in p.read_bytes() for p in (tmp_path / "home").rglob("*") if p.is_file())


def test_state_that_does_not_exist_yet_cannot_be_forged(sandbox: Runs, tmp_path: Path):
    (tmp_path / "project").mkdir()
    sandbox.protection = Protection(hidden=(tmp_path / "project" / ".sluicegate",))
    done = sandbox(
        "sh",
        "-c",
        "mkdir -p .sluicegate/sec; echo x > .sluicegate/policy",
        fs={"write": ["project:/p"]},
        cwd="/p",
    )
    assert done.codes != (0,)
    assert list((tmp_path / "project" / ".sluicegate").iterdir()) == []


def test_configuration_can_be_read_and_not_changed(sandbox: Runs, tmp_path: Path):
    (tmp_path / "p" / "policy").mkdir(parents=True)
    (tmp_path / "p" / "sluicegate.toml").write_text("ours")
    (tmp_path / "p" / "policy" / "a.toml").write_text("ours")
    sandbox.protection = Protection(fixed=(tmp_path / "p" / "sluicegate.toml", tmp_path / "p" / "policy"))
    script = (
        "cat sluicegate.toml policy/a.toml; echo forged > sluicegate.toml; mv sluicegate.toml x; rm -f sluicegate.toml; "
        "cp /etc/passwd policy/b.toml; mv policy old; rm -rf policy; echo >> policy/a.toml"
    )
    done = sandbox("sh", "-c", script, fs={"write": ["p:/p"]}, cwd="/p")
    assert done.stdout == b"oursours"
    assert (tmp_path / "p" / "sluicegate.toml").read_text() == "ours"
    assert [f.name for f in (tmp_path / "p" / "policy").iterdir()] == ["a.toml"]
    assert (tmp_path / "p" / "policy" / "a.toml").read_text() == "ours"


def test_configuration_that_a_command_could_make_is_an_error(sandbox: Runs, tmp_path: Path):
    (tmp_path / "p").mkdir()
    sandbox.protection = Protection(fixed=(tmp_path / "p" / "sluicegate.toml",))
    with pytest.raises(EnvironmentConfigError, match="let a command make it"):
        sandbox("true", fs={"write": ["p"]})
    assert sandbox("true", fs={"read": ["p"]}).codes == (0,)


def test_our_state_is_known_under_another_name(sandbox: Runs, tmp_path: Path):
    """A folder that is mounted a second time: here it is the same folder reached through a root's other path."""
    from sluicegate.flow.environments.configuration.config import Root, Roots
    from sluicegate.flow.environments.confinement.protection import kept_in

    (tmp_path / "real" / ".sluicegate").mkdir(parents=True)
    (tmp_path / "alias").symlink_to("real")  # compared by inode, as with a second mount
    roots = Roots(read=(Root(host=str(tmp_path / "alias"), inside="/x"),))
    (kept,) = kept_in(roots, Protection(hidden=(tmp_path / "real" / ".sluicegate",)))
    assert kept.inside == "/x/.sluicegate"


@pytest.mark.parametrize("root", [".sluicegate", ".sluicegate/sec"])
def test_our_state_cannot_be_a_root(sandbox: Runs, tmp_path: Path, root: str):
    (tmp_path / ".sluicegate" / "sec").mkdir(parents=True)
    sandbox.protection = Protection(hidden=(tmp_path / ".sluicegate",))
    with pytest.raises(EnvironmentConfigError, match="Sluicegate's own"):
        sandbox("true", fs={"read": [root]})
