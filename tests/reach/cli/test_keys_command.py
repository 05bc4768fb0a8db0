"""``sluicegate keys``."""

import io
import json

import pytest


@pytest.fixture
def home(tmp_path, monkeypatch):
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SLUICEGATE_WORKSPACE", raising=False)
    return tmp_path / "home"


def listed(sluicegate):
    return json.loads(sluicegate("keys", "list", "--format", "json").out)


def test_nothing_yet(sluicegate, home):
    ran = sluicegate("keys", "list")
    assert (ran.code, "no keys yet" in ran.out) == (0, True)
    assert not home.exists()


def test_new_list_and_show(sluicegate, home):
    assert "for alice in" in sluicegate("keys", "new", "alice").out
    (row,) = listed(sluicegate)
    assert (row["signer"], row["state"], row["kept"]) == ("alice", "trusted", "file")
    table = sluicegate("keys", "list").out
    assert row["id"][:16] in table
    shown = sluicegate("keys", "show", row["id"][:8]).out
    assert row["id"] in shown
    assert "ed25519:" in shown


def test_a_private_key_is_shown_by_no_command(sluicegate, home):
    sluicegate("keys", "new", "alice")
    (path,) = (home / "keys").glob("*.json")
    private = json.loads(path.read_text())["private"]
    id = path.stem
    for words in (
        ("list",),
        ("list", "--format", "json"),
        ("show", id),
        ("export",),
        ("export", id, "--format", "pem"),
    ):
        ran = sluicegate("keys", *words)
        assert ran.code == 0
        assert private not in ran.out + ran.err
        assert "PRIVATE" not in ran.out


def test_rotate_and_revoke(sluicegate, home):
    sluicegate("keys", "new", "alice")
    assert sluicegate("keys", "rotate").code == 0
    old, new = listed(sluicegate)
    assert old["state"].startswith("trusted until")
    assert new["state"] == "trusted"
    assert sluicegate("keys", "revoke", old["id"][:8], "--note", "lost").code == 0
    assert listed(sluicegate)[0]["state"].startswith("revoked")
    assert "lost" in sluicegate("keys", "show", old["id"]).out


@pytest.mark.parametrize("form", ["toml", "pem", "line"])
def test_an_exported_key_is_trusted_elsewhere(sluicegate, home, tmp_path, monkeypatch, form):
    sluicegate("keys", "new", "alice")
    (row,) = listed(sluicegate)
    (tmp_path / "file").write_text(sluicegate("keys", "export", "--format", form).out)
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "elsewhere"))
    words = ("keys", "trust", str(tmp_path / "file"))
    if form != "toml":
        ran = sluicegate(*words)
        assert (ran.code, "does not say whose" in ran.err) == (2, True)
    ran = sluicegate(*words, "--identity", "alice")
    assert row["id"] in ran.out
    (there,) = listed(sluicegate)
    assert (there["id"], there["signer"], there["kept"]) == (row["id"], "alice", "not yours")


def test_trust_from_standard_input(sluicegate, home, tmp_path, monkeypatch):
    sluicegate("keys", "new", "alice")
    exported = sluicegate("keys", "export").out
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(exported.encode())))
    assert sluicegate("keys", "trust", "-").code == 0
    assert len(listed(sluicegate)) == 1


def test_the_keyring_of_this_machine_is_used_only_when_it_keeps_secrets(sluicegate, home, monkeypatch):
    import keyring
    import keyring.backends.null

    monkeypatch.setattr("keyring.get_keyring", keyring.backends.null.Keyring)
    ran = sluicegate("keys", "new", "alice", "--keyring")
    assert ran.code == 2
    assert "does not keep secrets" in ran.err
    assert listed(sluicegate) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "00000000"), "no trusted key"),
        (("show", "x"), "no trusted key"),
        (("revoke", "00000000"), "no trusted key"),
        (("export",), "no key to export"),
        (("new", "a b"), "cannot name a signer"),
        (("trust", "nothing"), "cannot read nothing"),
        (("trust", "/dev/null"), "names no signer"),
        (("rotate", "\x1b[31m"), "cannot name a signer"),
    ],
)
def test_what_cannot_be_done(sluicegate, home, words, said):
    ran = sluicegate("keys", *words)
    assert ran.code == 2
    assert said in ran.err
    assert "\x1b" not in ran.err


def test_a_list_of_keys_that_cannot_be_read_names_a_way_forward(sluicegate, home, tmp_path):
    (tmp_path / "keys.json").write_text("{}")
    for words, says in (
        (("keys", "trust", str(tmp_path / "none")), "Check the spelling of the path."),
        (("keys", "trust", str(tmp_path / "keys.json")), "'sluicegate keys export' writes a trust file."),
        (("verify", "--trust", str(tmp_path / "none"), "x"), "'sluicegate keys export' writes one."),
    ):
        ran = sluicegate(*words)
        assert ran.code == 2
        assert says in ran.err


def test_a_key_that_others_can_read_is_said(sluicegate, home):
    sluicegate("keys", "new", "alice")
    (path,) = (home / "keys").glob("*.json")
    path.chmod(0o644)
    ran = sluicegate("keys", "list")
    assert (ran.code, "chmod 600" in ran.err) == (2, True)


def test_hostile_text_in_a_trust_file_steers_no_terminal(sluicegate, home, tmp_path):
    sluicegate("keys", "new", "alice")
    (row,) = listed(sluicegate)
    trust = home / "trust.toml"
    trust.write_text(trust.read_text() + 'note = "\\u001b[31m\\u202e"\n')
    for words in (("show", row["id"]), ("export",), ("list",)):
        ran = sluicegate("keys", *words)
        assert ran.code == 0
        assert not any(char in ran.out for char in "\x1b\u202e")
    (tmp_path / "bad.toml").write_text('[[signer]]\n"\\u001b[31m" = 1\n')
    ran = sluicegate("keys", "trust", str(tmp_path / "bad.toml"))
    assert ran.code == 2
    assert "\x1b" not in ran.err


def test_keys_in_the_workspace_are_refused(sluicegate, tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "keys"))
    ran = sluicegate("keys", "new")
    assert (ran.code, "inside the workspace" in ran.err) == (2, True)
