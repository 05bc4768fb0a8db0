"""The trust file: a closed schema, errors that help, and text that comes back."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.errors import RecordError, TrustError
from sluicegate.record.keys.identity import PublicKey
from sluicegate.record.keys.trust import Trust, TrustedKey, dump, load, parse, parse_public, save

KEY = f"ed25519:{'A' * 43}="
GOOD = f'[[signer]]\nidentity = "mira"\nkey = "{KEY}"\n'

times = st.none() | st.integers(0, 253_402_300_799)
entries = st.builds(
    TrustedKey,
    identity=st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,20}", fullmatch=True),
    key=st.binary(min_size=32, max_size=32).map(PublicKey),
    added=times,
    not_after=times,
    revoked=times,
    note=st.text(st.characters(exclude_categories=["Cs"])),
)


@settings(deadline=None, max_examples=40)
@given(st.lists(entries, unique_by=lambda entry: entry.key.id))
def test_what_is_written_is_read_back(several):
    trust = Trust(keys={entry.key.id: entry for entry in several})
    assert parse(dump(trust), where="here") == trust


@settings(deadline=None)
@given(entries)
def test_what_is_written_steers_no_terminal(entry):
    text = dump(Trust(keys={entry.key.id: entry}))
    assert all(line.isprintable() for line in text.splitlines())


@settings(deadline=None)
@given(st.text())
def test_no_text_raises_anything_but_a_trust_error(text):
    try:
        parse(text, where="here")
    except TrustError as error:
        assert error.message.startswith("here")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("x = 1", "unknown key 'x'", "signer"),
        ("[signer]", "list of tables", "[[signer]]"),
        ("signer = [1]", "not a table", "[[signer]]"),
        (GOOD + 'revokd = "x"', "unknown key 'revokd'", "revoked"),
        ("[[signer]]\n", "identity is missing", "identity"),
        (GOOD.replace('"mira"', "1"), "identity is missing or not a text", "identity"),
        (GOOD.replace("mira", "mi ra"), "cannot name a signer", "Letters"),
        (GOOD.replace("ed25519:", "rsa:"), "not a public key", "ed25519:"),
        (GOOD + "revoked = true", "not a time", "unquoted"),
        (GOOD + 'revoked = "2026-01-01T00:00:00Z"', "not a time", "unquoted"),
        (GOOD + "revoked = 2026-01-01T00:00:00", "its zone", "Z"),
        (GOOD + "not-after = 1969-01-01T00:00:00Z", "out of range", "1970"),
        (GOOD + GOOD, "repeats a key", "once"),
        (GOOD + GOOD.replace("mira", "eve"), "repeats a key", "One key"),
        ("[[signer", "not TOML", ""),
    ],
)
def test_errors_name_the_thing_and_a_way_forward(text, message, hint):
    with pytest.raises(TrustError) as error:
        parse(text, where="trust.toml")
    assert message in error.value.message
    assert hint in error.value.hint


def test_times_of_other_zones_are_the_same_times():
    trust = parse(GOOD + "revoked = 2026-01-01T02:00:00+02:00", where="here")
    assert next(iter(trust.keys.values())).revoked == 1_767_225_600


def test_no_file_trusts_nobody(tmp_path):
    assert load(tmp_path / "none.toml") == Trust()


def test_a_named_file_must_be_there(tmp_path):
    with pytest.raises(TrustError, match="there is no"):
        load(tmp_path / "none.toml", named=True)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_refused_unless_it_is_named(tmp_path, mode):
    path = tmp_path / "trust.toml"
    path.write_text(GOOD)
    path.chmod(mode)
    with pytest.raises(TrustError, match="written by others"):
        load(path)
    assert len(load(path, named=True).keys) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_file_of_another_user_is_refused(tmp_path):
    path = tmp_path / "trust.toml"
    path.write_text(GOOD)
    os.chown(path, 12345, -1)
    with pytest.raises(TrustError):
        load(path)


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "trust.toml")
    with pytest.raises(TrustError, match="not a trust file"):
        load(tmp_path / "trust.toml", named=True)


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "trust.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(TrustError, match="UTF-8"):
        load(tmp_path / "trust.toml", named=True)


def test_saved_files_are_private(tmp_path):
    save(tmp_path / "sub" / "trust.toml", parse(GOOD, where="here"))
    assert (tmp_path / "sub" / "trust.toml").stat().st_mode & 0o777 == 0o600
    assert load(tmp_path / "sub" / "trust.toml") == parse(GOOD, where="here")


def test_a_key_is_found_by_the_start_of_its_id():
    trust = parse(GOOD, where="here")
    id = next(iter(trust.keys))
    assert trust.find(id[:8]) == trust.find(id.upper()) == trust.keys[id]
    for word in (id[:7], "", "00000000"):
        with pytest.raises(TrustError, match="no trusted key"):
            trust.find(word)


def test_an_ambiguous_start_is_refused():
    entry = parse(GOOD, where="here").keys
    one = next(iter(entry.values()))
    trust = Trust(keys={"abcdefgh1": one, "abcdefgh2": one})
    with pytest.raises(TrustError, match="2 keys"):
        trust.find("abcdefgh")


def test_one_key_speaks_for_one_signer():
    trust = parse(GOOD, where="here")
    with pytest.raises(TrustError, match="already trusted as mira"):
        trust.with_key(TrustedKey(identity="eve", key=PublicKey.parse(KEY)))


class TestImport:
    def test_an_exported_entry(self):
        (entry,) = parse_public(GOOD.encode(), identity=None)
        assert (entry.identity, str(entry.key)) == ("mira", KEY)

    def test_a_line_needs_a_name(self):
        (entry,) = parse_public(f"{KEY}\n".encode(), identity="mira")
        assert entry.identity == "mira"
        with pytest.raises(RecordError, match="does not say whose"):
            parse_public(KEY.encode(), identity=None)

    def test_pem(self):
        pem = PublicKey.parse(KEY).to_pem().encode()
        (entry,) = parse_public(pem, identity="mira")
        assert str(entry.key) == KEY

    @pytest.mark.parametrize("data", [b"", b"\xff", b"hello", b"# nothing\n"])
    def test_nothing_to_import(self, data):
        with pytest.raises(RecordError):
            parse_public(data, identity="mira")

    def test_a_file_that_speaks_of_somebody_else(self):
        with pytest.raises(TrustError, match="speaks of mira, not of eve"):
            parse_public(GOOD.encode(), identity="eve")
