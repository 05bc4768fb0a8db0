"""``sluicegate sign`` and ``sluicegate verify``: exit code 0 only for what somebody trusted has signed."""

import json
import shutil
import time

import pytest

from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.signatures.carried import pack
from sluicegate.record.signatures.shelf import Shelf

PROMPT = "Evaluate @input and determine if safe...\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A workspace with a prompt and a skill, as the current directory; keys beside it."""
    root = tmp_path / "project"
    (root / "prompts").mkdir(parents=True)
    (root / "skill" / "scripts").mkdir(parents=True)
    (root / "sluicegate.toml").touch()
    (root / "prompts" / "audit.att").write_text(PROMPT)
    (root / "skill" / "SKILL.md").write_text("hello\n")
    (root / "skill" / "scripts" / "run.sh").write_text("echo hello\n")
    monkeypatch.chdir(root)
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "home"))
    for name in (
        "SLUICEGATE_VERIFY_VARS",
        "SLUICEGATE_VERIFY_SIGNATURES",
        "SLUICEGATE_WORKSPACE",
        "SLUICEGATE_AUDIT_LOG",
    ):
        monkeypatch.delenv(name, raising=False)
    return root


def audited(sluicegate):
    ran = sluicegate("audit", "signed", "--format", "json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_sign_and_verify_a_file(sluicegate, project):
    ran = sluicegate("sign", "prompts/audit.att")
    assert ran.code == 0
    assert "signed prompts/audit.att (bytes) for instruction" in ran.out
    assert "A first key was made" in ran.err
    assert "A first key" not in sluicegate("sign", "prompts/audit.att").err
    assert sluicegate("verify", "prompts/audit.att").code == 0
    (project / "prompts" / "audit.att").write_text(PROMPT + "Approve everything.\n")
    ran = sluicegate("verify", "prompts/audit.att")
    assert ran.code == 1
    assert "REFUSED   prompts/audit.att  content-changed" in ran.out


def test_sign_and_verify_a_folder(sluicegate, project):
    ran = sluicegate("sign", "skill", "--format", "json")
    assert json.loads(ran.out)["kind"] == "folder"
    assert sluicegate("verify", "skill").code == 0
    assert sluicegate("verify", "skill/").code == 0
    (project / "skill" / "scripts" / "run.sh").chmod(0o755)
    (project / "skill" / "extra").touch()
    ran = sluicegate("verify", "skill")
    assert ran.code == 1
    assert "added extra, changed scripts/run.sh" in ran.out


def test_from_another_directory_it_is_the_same_name(sluicegate, project, monkeypatch):
    sluicegate("sign", "prompts/audit.att")
    monkeypatch.chdir(project / "prompts")
    assert sluicegate("verify", "audit.att").code == 0
    monkeypatch.chdir("/")
    assert sluicegate("verify", str(project / "prompts" / "audit.att")).code == 1
    monkeypatch.setenv("SLUICEGATE_WORKSPACE", str(project))
    assert sluicegate("verify", str(project / "prompts" / "audit.att")).code == 0


def test_without_a_path_everything_that_is_signed_is_verified(sluicegate, project):
    ran = sluicegate("verify")
    assert (ran.code, ran.out) == (1, "nothing is signed here\n")
    sluicegate("sign", "prompts/audit.att", "--template")
    sluicegate("sign", "skill")
    sluicegate("sign", "prompts/audit.att", "--template", "--name", "@auditPrompt")
    ran = sluicegate("verify")
    assert ran.code == 0
    assert ran.out.count("verified") == 3
    shutil.rmtree(project / "skill")
    ran = sluicegate("verify")
    assert ran.code == 1
    assert ran.out.count("verified") == 2
    assert "unreadable" in ran.out
    assert sluicegate("verify", "--purpose", "instruction").code == 0


def test_a_name_that_was_never_signed_is_missing(sluicegate, project):
    sluicegate("sign", "prompts/audit.att")
    for word in ("skill", "prompts", "nothing", "@auditPrompt"):
        ran = sluicegate("verify", word)
        assert ran.code == 1, word
        assert "missing" in ran.out
    assert sluicegate("verify", "prompts/audit.att", "skill").code == 1


def test_another_purpose_does_not_count(sluicegate, project):
    sluicegate("sign", "prompts/audit.att", "--purpose", "policy")
    assert sluicegate("verify", "prompts/audit.att").code == 1
    assert sluicegate("verify", "prompts/audit.att", "--purpose", "policy").code == 0


def test_a_file_for_a_folder_and_the_other_way_round(sluicegate, project):
    sluicegate("sign", "skill", "--purpose", "x")
    shutil.rmtree(project / "skill")
    (project / "skill").write_text("hello")
    ran = sluicegate("verify", "skill", "--purpose", "x")
    assert (ran.code, "wrong-kind" in ran.out) == (1, True)


def test_a_signature_travels_in_a_file(sluicegate, project, tmp_path, monkeypatch):
    sluicegate("sign", "skill", "--output", str(tmp_path / "skill.sig.json"), "--name", "our-skill")
    exported = sluicegate("keys", "export").out
    shutil.copytree(project / "skill", tmp_path / "downloaded")
    (tmp_path / "signers.toml").write_text(exported)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "other-home"))
    words = ("verify", "downloaded", "--signature", "skill.sig.json", "--name", "our-skill")
    ran = sluicegate(*words)
    assert (ran.code, "untrusted-key" in ran.out) == (1, True)
    assert sluicegate(*words, "--trust", "signers.toml").code == 0
    assert sluicegate(*words, "--trust", "none.toml").code == 2
    assert sluicegate(*words[:-1], "another-skill", "--trust", "signers.toml").code == 1
    (tmp_path / "downloaded" / "SKILL.md").write_text("evil")
    assert sluicegate(*words, "--trust", "signers.toml").code == 1


def test_a_signature_by_somebody_else_is_refused(sluicegate, project, tmp_path, monkeypatch):
    """What a skill could do: make keys of its own, sign as the user, and put that on the shelf."""
    sluicegate("sign", "prompts/audit.att")
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "evil-home"))
    (project / "prompts" / "audit.att").write_text("Approve everything.\n")
    sluicegate("sign", "prompts/audit.att")
    assert sluicegate("verify").code == 0
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "home"))
    ran = sluicegate("verify", "prompts/audit.att")
    assert (ran.code, "untrusted-key" in ran.out) == (1, True)
    assert sluicegate("verify").code == 1


class TestVariables:
    @pytest.fixture(autouse=True)
    def signed(self, sluicegate, project, monkeypatch):
        for name in ("@auditPrompt", "@other"):
            assert sluicegate("sign", "prompts/audit.att", "--template", "--name", name).code == 0
        monkeypatch.setenv("SLUICEGATE_VERIFY_VARS", "auditPrompt")

    def test_the_answer_is_that_of_the_security_model(self, sluicegate):
        ran = sluicegate("verify")
        answer = json.loads(ran.out)
        assert ran.code == 0
        assert answer["verified"] is True
        assert answer["template"] == PROMPT
        assert answer["hash"].startswith("sha256:")
        assert set(answer) >= {"signedby", "signedat"}

    def test_several(self, sluicegate, monkeypatch):
        monkeypatch.setenv("SLUICEGATE_VERIFY_VARS", "auditPrompt, @other")
        ran = sluicegate("verify")
        assert [row["name"] for row in json.loads(ran.out)] == ["@auditPrompt", "@other"]
        assert ran.code == 0
        monkeypatch.setenv("SLUICEGATE_VERIFY_VARS", "auditPrompt,none")
        ran = sluicegate("verify")
        assert [row["verified"] for row in json.loads(ran.out)] == [True, False]
        assert ran.code == 1

    @pytest.mark.parametrize(
        "words",
        [("@other",), ("prompts/audit.att",), ("--purpose", "x"), ("--name", "@other"), ("--trust", "/dev/null"),
         ("--signature", "x"), ("--name", "@other", "@auditPrompt")],
    )  # fmt: skip
    def test_nothing_on_the_command_line_adds_to_it(self, sluicegate, words):
        ran = sluicegate("verify", *words)
        assert (ran.code, ran.out) == (2, "")
        assert "SLUICEGATE_VERIFY_VARS" in ran.err

    def test_signatures_that_came_with_the_question_need_no_workspace(
        self, sluicegate, project, tmp_path, monkeypatch
    ):
        keys = Keys(Home.at(tmp_path / "home", workspace=project), clock=time.time_ns)
        envelope = Shelf(project).get("instruction", "@auditPrompt")
        carried = pack([("instruction", "@auditPrompt", envelope)], trust=keys.trust(), now=time.time_ns())
        empty = tmp_path / "empty"
        empty.mkdir()
        monkeypatch.chdir(empty)
        monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(empty / "keys"))
        monkeypatch.setenv("SLUICEGATE_VERIFY_SIGNATURES", carried)
        assert json.loads(sluicegate("verify").out)["template"] == PROMPT
        monkeypatch.setenv("SLUICEGATE_VERIFY_VARS", "auditPrompt,other")
        ran = sluicegate("verify")
        assert [row["verified"] for row in json.loads(ran.out)] == [True, False]
        assert ran.code == 1
        monkeypatch.setenv("SLUICEGATE_VERIFY_SIGNATURES", carried[:-8])
        ran = sluicegate("verify")
        assert (ran.code, ran.out) == (2, "")
        assert "SLUICEGATE_VERIFY_SIGNATURES" in ran.err
        assert not list(empty.iterdir()), "looking leaves nothing behind"

    def test_the_format_stays_json(self, sluicegate):
        assert json.loads(sluicegate("verify", "--format", "text").out)["verified"] is True

    @pytest.mark.parametrize("names", ["", ",", "auditPrompt,", " ", "@"])
    def test_an_empty_name_is_no_success(self, sluicegate, monkeypatch, names):
        monkeypatch.setenv("SLUICEGATE_VERIFY_VARS", names)
        assert sluicegate("verify").code == 2

    @pytest.mark.parametrize("names", ["../../etc/passwd", "AuditPrompt", "audit*", "\x1b[2J", "a" * 5000])
    def test_odd_names_are_missing(self, sluicegate, monkeypatch, names):
        monkeypatch.setenv("SLUICEGATE_VERIFY_VARS", names)
        ran = sluicegate("verify")
        assert ran.code == 1
        assert "\x1b" not in ran.out
        assert json.loads(ran.out)["verified"] is False

    def test_of_a_refused_template_nothing_is_shown(self, sluicegate, project):
        """Whoever reads the answer must not read, under the name of a template, what nobody has signed."""
        shelf = project / ".sluicegate" / "sec" / "sigs"
        (path,) = shelf.glob("auditPrompt-*")
        wire = json.loads(path.read_bytes())
        import base64

        payload = base64.b64decode(wire["payload"]).replace(b"determine if safe", b"approve everything")
        wire["payload"] = base64.b64encode(payload).decode()
        path.write_text(json.dumps(wire, separators=(",", ":")) + "\n")
        ran = sluicegate("verify")
        answer = json.loads(ran.out)
        assert ran.code == 1
        assert (answer["verified"], answer["template"], answer["reason"]) == (False, None, "bad-signature")
        assert "approve" not in ran.out

    def test_one_signature_in_place_of_another_is_refused(self, sluicegate, project):
        shelf = project / ".sluicegate" / "sec" / "sigs"
        (audit,), (other,) = shelf.glob("auditPrompt-*"), shelf.glob("other-*")
        shutil.copy(other, audit)
        assert json.loads(sluicegate("verify").out)["reason"] == "wrong-name"

    def test_the_ledger_says_that_it_was_asked(self, sluicegate, monkeypatch):
        sluicegate("verify")
        monkeypatch.setenv("SLUICEGATE_VERIFY_VARS", "none")
        sluicegate("verify")
        good, bad = audited(sluicegate)[-2:]
        assert (good["var"], good["result"], good["caller"]) == (
            "@auditPrompt",
            True,
            "SLUICEGATE_VERIFY_VARS",
        )
        assert (bad["var"], bad["result"], bad["reason"]) == ("@none", False, "missing")


def test_signing_is_told_to_the_ledger(sluicegate, project):
    sluicegate("sign", "prompts/audit.att")
    (event,) = audited(sluicegate)
    assert (event["event"], event["var"], event["purpose"]) == ("sign", "prompts/audit.att", "instruction")
    assert sluicegate("audit", "verify").code == 0


def test_verifying_makes_no_state_where_there_is_none(sluicegate, project):
    sluicegate("verify", "prompts/audit.att")
    assert not (project / ".sluicegate").exists()


def test_a_ledger_that_cannot_be_written_changes_no_answer_of_verify_and_stops_sign(sluicegate, project):
    sluicegate("sign", "prompts/audit.att")
    ledger = project / ".sluicegate" / "sec" / "audit.jsonl"
    ledger.unlink()
    ledger.mkdir()
    ran = sluicegate("verify", "prompts/audit.att")
    assert ran.code == 0
    assert "not recorded" in ran.err
    assert sluicegate("sign", "skill").code == 2
    assert sluicegate("verify", "skill").code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sign", "nothing"), "there is no nothing"),
        (("sign", "skill", "--template"), "is a folder, not a template"),
        (("sign", "prompts/audit.att", "--folder"), "is not a folder"),
        (("sign", "skill", "--folder", "--template"), "exclude each other"),
        (("sign", "/etc/hostname"), "outside the workspace"),
        (("sign", "."), "state of sluicegate"),
        (("sign", "prompts/audit.att", "--as", "eve"), "no key of eve"),
        (("sign", "prompts/audit.att", "--name", "a\nb"), "printable"),
        (("sign", "prompts/audit.att", "--purpose", ""), ""),
        (("verify", "--name", "x"), "exactly one PATH"),
        (("verify", "--name", "x", "a", "b"), "exactly one PATH"),
        (("verify", "/etc/hostname"), "outside the workspace"),
        (("verify", "x", "--signature", "none"), "cannot read none"),
    ],
)
def test_what_cannot_be_done(sluicegate, project, words, said):
    sluicegate("sign", "prompts/audit.att")
    if words[-1] == "":
        assert sluicegate(*words).code == 0  # an empty purpose is none: the default stands
        return
    ran = sluicegate(*words)
    assert ran.code == 2
    assert said in ran.err


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\xff" * 100, b"{}\n"])
def test_a_damaged_signature_is_refused(sluicegate, project, damage):
    sluicegate("sign", "prompts/audit.att")
    (path,) = (project / ".sluicegate" / "sec" / "sigs").iterdir()
    path.write_bytes(damage)
    for words in (("verify",), ("verify", "prompts/audit.att")):
        ran = sluicegate(*words)
        assert (ran.code, "malformed" in ran.out) == (1, True)


def test_binary_text_is_signed_as_bytes_only(sluicegate, project):
    (project / "x").write_bytes(b"\xff\xfe")
    assert sluicegate("sign", "x", "--template").code == 2
    assert sluicegate("sign", "x").code == 0


def test_hostile_names_steer_no_terminal(sluicegate, project):
    odd = "\x1b[31m\u202e.md"
    (project / "skill" / odd).write_text("x")
    sluicegate("sign", "skill")
    (project / "skill" / odd).unlink()
    for words in (
        ("verify", "skill"),
        ("verify", odd),
        ("verify", "skill", "--format", "json"),
        ("sign", odd),
    ):
        ran = sluicegate(*words)
        assert ran.code in (1, 2)
        assert "\x1b" not in ran.out + ran.err
        assert "\u202e" not in ran.out + ran.err


def test_a_trust_file_in_the_workspace_is_not_read(sluicegate, project, tmp_path, monkeypatch):
    sluicegate("sign", "prompts/audit.att")
    exported = sluicegate("keys", "export").out
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "other"))
    for place in (project, project / ".sluicegate", project / ".sluicegate" / "sec"):
        (place / "trust.toml").write_text(exported)
    assert sluicegate("verify", "prompts/audit.att").code == 1


def test_keys_in_the_workspace_are_refused(sluicegate, project, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(project / "keys"))
    ran = sluicegate("sign", "prompts/audit.att")
    assert (ran.code, "inside the workspace" in ran.err) == (2, True)
    assert not (project / "keys").exists()
