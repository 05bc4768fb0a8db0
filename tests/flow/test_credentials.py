"""Credentials: what policy may write, where they are fetched from, and that nothing shows one."""

import copy
import pickle
import shutil
import stat
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.credentials import (
    Keychain,
    OnePassword,
    Sealed,
    Stores,
    Variable,
    check_variable,
    parse_source,
)
from sluicegate.flow.credentials.sources import with_project
from sluicegate.flow.credentials.stores import safe_backends, trusted_binary
from sluicegate.flow.errors import CredentialError, OpaqueValueError

CANARY = "sk-canary-0123456789"


class Memory:
    """A keyring that keeps its entries in memory."""

    def __init__(self, **entries):
        self.entries = entries

    def get_password(self, service, username):
        return self.entries.get(f"{service}/{username}")


class PlaintextKeyring(Memory):
    pass


class Renamed(PlaintextKeyring):
    pass


def test_the_three_places_are_read():
    assert parse_source("keychain:sluicegate-env-{projectname}/claude", "demo") == Keychain(
        "sluicegate-env-demo", "claude"
    )
    assert parse_source("keychain:company/team/github") == Keychain("company/team", "github")
    assert parse_source("env:GH_TOKEN") == Variable("GH_TOKEN")
    assert parse_source("op://Private/GitHub/token") == OnePassword("op://Private/GitHub/token")
    assert parse_source("op://Private/GitHub/section/token").entry == "Private/GitHub/section/token"
    assert Keychain("company", "github").entry == "company/github"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "claude",
        "keychain:",
        "keychain:alone",
        "keychain:/account",
        "keychain:service/",
        "env:",
        "env:A B",
        "env:1A",
        "env:A=B",
        "env:{projectname}",
        "op:Private/GitHub/token",
        "op://Private/GitHub",
        "op://Private//token",
        "op://a/b/c/d/e",
        "file:/etc/shadow",
        "keychain:a/{user}",
        "keychain:a/b\n",
        "op://a/b/\x1b[31m",
    ],
)
def test_what_names_no_place_is_an_error_with_a_way_forward(text):
    with pytest.raises(CredentialError) as raised:
        parse_source(text, "demo")
    assert raised.value.hint
    assert raised.value.diagnostics().replace("\n", "").isprintable()


@pytest.mark.parametrize("name", [None, "", "../other", "a/b", "*", "a b", "a\n", "x" * 101, "-rf"])
def test_a_project_name_that_would_reach_other_entries_is_refused(name):
    with pytest.raises(CredentialError, match="project"):
        with_project("sluicegate-env-{projectname}/claude", name)


@given(st.text(max_size=60), st.one_of(st.none(), st.text(max_size=20)))
def test_any_text_is_a_place_or_a_credential_error(text, project):
    try:
        source = parse_source(text, project)
    except CredentialError:
        return
    assert isinstance(source, Keychain | Variable | OnePassword)


def test_a_variable_of_our_own_environment_is_fetched():
    stores = Stores(environ={"GH": CANARY})
    assert stores.fetch(Variable("GH")) == CANARY
    with pytest.raises(CredentialError, match="GITLAB is not set"):
        stores.fetch(Variable("GITLAB"))


def test_a_keychain_entry_is_fetched():
    stores = Stores(keyring=lambda: Memory(**{"company/github": CANARY}))
    assert stores.fetch(Keychain("company", "github")) == CANARY
    with pytest.raises(CredentialError, match="no entry keychain:company/gitlab"):
        stores.fetch(Keychain("company", "gitlab"))


def test_a_keyring_that_fails_is_not_quoted():
    class Broken(Memory):
        def get_password(self, service, username):
            raise RuntimeError(f"could not decrypt {CANARY}")

    with pytest.raises(CredentialError) as raised:
        Stores(keyring=Broken).fetch(Keychain("company", "github"))
    assert CANARY not in raised.value.diagnostics()
    assert raised.value.__suppress_context__


def test_a_keyring_that_never_answers_is_given_up():
    import threading

    never = threading.Event()

    class Stuck(Memory):
        def get_password(self, service, username):
            never.wait(5)

    try:
        with pytest.raises(CredentialError, match="did not answer"):
            Stores(keyring=Stuck, seconds=0.01).fetch(Keychain("company", "github"))
    finally:
        never.set()


@pytest.mark.parametrize("kind", [PlaintextKeyring, Renamed])
def test_a_keyring_in_plain_text_is_refused_by_its_class_and_its_base_classes(kind):
    with pytest.raises(CredentialError, match="no keychain here"):
        Stores(keyring=lambda: kind(**{"company/github": CANARY})).fetch(Keychain("company", "github"))


@pytest.mark.parametrize("module", ["fail", "null"])
def test_the_backends_of_the_keyring_package_that_keep_nothing_are_refused(module):
    kind = pytest.importorskip(f"keyring.backends.{module}").Keyring
    with pytest.raises(CredentialError, match="does not keep secrets"):
        safe_backends(kind())


def test_of_a_chain_of_keyrings_only_the_safe_ones_are_asked():
    class Chain:
        backends = (PlaintextKeyring(**{"a/b": "plain-text-value"}), Memory(**{"a/b": CANARY}))

    assert [type(store) for store in safe_backends(Chain())] == [Memory]
    assert Stores(keyring=Chain).fetch(Keychain("a", "b")) == CANARY


@pytest.fixture
def op(tmp_path):
    """Makes an ``op`` out of a shell script; gives the environment in which it is found."""
    place = tmp_path / "bin"
    place.mkdir(mode=0o755)

    def make(script):
        binary = place / "op"
        binary.write_text(f"#!/bin/sh\n{script}\n")
        binary.chmod(0o755)
        return {"PATH": str(place), "OP_SESSION_x": "s", "AWS_SECRET": "not for op"}

    return make


def test_one_password_is_asked_with_an_argument_vector_and_a_small_environment(op, tmp_path):
    environ = op(f'printf "%s|" "$@" >{tmp_path}/seen; /usr/bin/env >>{tmp_path}/seen; printf %s {CANARY}')
    assert Stores(environ=environ).fetch(OnePassword("op://Private/Git Hub/$(id)")) == CANARY
    seen = (tmp_path / "seen").read_text()
    assert seen.startswith("read|--no-newline|op://Private/Git Hub/$(id)|")
    assert "OP_SESSION_x=s" in seen
    assert "AWS_SECRET" not in seen


def test_the_provider_1password_serves_keychain_entries(op):
    stores = Stores(environ=op('printf %s "$3"'), provider="1password")
    assert stores.fetch(Keychain("company", "github")) == "op://company/github/password"


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (f"echo {CANARY} >&2; exit 1", "exit code 1"),
        ("exit 0", "gave nothing"),
        (r"printf '\377\376'", "not text"),
        ("/bin/dd if=/dev/zero bs=200000 count=1 2>/dev/null", "too much"),
    ],
)
def test_when_one_password_fails_the_error_says_how_and_quotes_nothing(op, script, says):
    with pytest.raises(CredentialError, match=says) as raised:
        Stores(environ=op(script)).fetch(OnePassword("op://a/b/c"))
    assert CANARY not in raised.value.diagnostics()


def test_one_password_is_given_up_after_its_time(op):
    with pytest.raises(CredentialError, match="within"):
        Stores(environ=op("exec /bin/sleep 5"), seconds=0.05).fetch(OnePassword("op://a/b/c"))


def test_without_one_password_the_error_says_what_to_install():
    with pytest.raises(CredentialError, match="op is not installed"):
        Stores(environ={"PATH": "relative:."}).fetch(OnePassword("op://a/b/c"))


def test_an_op_inside_the_project_is_refused(op, tmp_path):
    environ = op("printf x")
    with pytest.raises(CredentialError, match="inside the project"):
        Stores(environ=environ, workspace=tmp_path).fetch(OnePassword("op://a/b/c"))


def test_a_link_out_of_the_project_is_still_inside_it(op, tmp_path):
    op("printf x")
    project = tmp_path / "project"
    project.mkdir()
    (project / "op").symlink_to(tmp_path / "bin" / "op")
    with pytest.raises(CredentialError, match="inside the project"):
        trusted_binary("op", str(project), project)


def test_a_program_that_others_may_overwrite_is_refused(op, tmp_path):
    environ = op("printf x")
    binary = tmp_path / "bin" / "op"
    binary.chmod(binary.stat().st_mode | stat.S_IWOTH)
    with pytest.raises(CredentialError, match="overwritten"):
        trusted_binary("op", environ["PATH"], None)
    binary.chmod(0o755)
    binary.parent.chmod(0o777)
    with pytest.raises(CredentialError, match="overwritten"):
        trusted_binary("op", environ["PATH"], None)


def test_a_sealed_credential_shows_and_moves_nothing():
    sealed = Sealed("github", "GH_TOKEN", CANARY)
    shown = [repr(sealed), str(sealed), f"{sealed}", f"{sealed:>40}", "%s" % sealed, repr([sealed])]  # noqa: UP031
    assert not any(CANARY in text for text in shown)
    for move in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(OpaqueValueError):
            move(sealed)
    assert not hasattr(sealed, "__dict__")
    assert sealed != Sealed("github", "GH_TOKEN", CANARY)
    assert sealed.unseal() == CANARY


@pytest.mark.parametrize("value", ["", "a\0b", "x" * 140_000])
def test_what_no_environment_can_carry_is_refused_without_being_quoted(value):
    with pytest.raises(CredentialError) as raised:
        Sealed("github", "GH_TOKEN", value)
    assert "xxxx" not in raised.value.diagnostics()


@pytest.mark.parametrize(
    "name",
    "PATH LD_PRELOAD BASH_ENV PYTHONPATH PYTHONSTARTUP NODE_OPTIONS GIT_SSH_COMMAND PERL5OPT IFS HTTPS_PROXY "
    "https_proxy SLUICEGATE_POLICY EDITOR HOME GIT_TRACE DBUS_SESSION_BUS_ADDRESS RESTIC_PASSWORD_COMMAND BORG_PASSCOMMAND "
    "ANTHROPIC_BASE_URL AWS_ENDPOINT_URL_S3 CARGO_BUILD_RUSTC_WRAPPER ERL_AFLAGS APT_CONFIG".split(),
)
def test_a_variable_that_decides_for_the_program_is_refused(name):
    with pytest.raises(CredentialError, match="decides"):
        check_variable(name)


@pytest.mark.parametrize("name", ["", "A B", "A=B", "1A", "A\n", "é", "A-B", "\x1b[2J"])
def test_what_is_no_name_of_a_variable_is_refused(name):
    with pytest.raises(CredentialError, match="not the name") as raised:
        check_variable(name)
    assert raised.value.message.isprintable()


@pytest.mark.parametrize(
    "name",
    [
        "ANTHROPIC_API_KEY",
        "GH_TOKEN",
        "TOOL_KEY",
        "_x",
        "PATHS",
        "HOMEPAGE",
        "CARGO_REGISTRY_TOKEN",
        "RESTIC_PASSWORD",
    ],
)
def test_a_variable_for_a_credential_is_accepted(name):
    assert check_variable(name) == name


NEEDED = ("dbus-run-session", "gnome-keyring-daemon")


@pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason="no Secret Service can be started here")
def test_a_real_secret_service_gives_an_entry(tmp_path):
    pytest.importorskip("secretstorage")
    program = (
        "import keyring\n"
        "from sluicegate.flow.credentials import Keychain, Stores\n"
        f"keyring.set_password('sluicegate-env-demo', 'claude', {CANARY!r})\n"
        "print(Stores(environ={}, seconds=20).fetch(Keychain('sluicegate-env-demo', 'claude')))\n"
    )
    unlock = "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1"
    done = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", f'{unlock}; exec "$0" -c "$1"', sys.executable, program],
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path),
            "XDG_RUNTIME_DIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == f"{CANARY}\n", done.stderr
