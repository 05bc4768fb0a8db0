"""Keyrings that keep nothing, or keep plaintext, are refused by their class."""

import sys

import keyring.backends.chainer
import keyring.backends.fail
import keyring.backends.null
import pytest
from record_samples import Vault

from sluicegate.record.errors import KeyringRefused
from sluicegate.record.keys.system_keyring import open_keyring, refusal


def _class(module: str, name: str, *bases: type) -> type:
    return type(name, bases or (object,), {"__module__": module})


PLAIN = _class("keyrings.alt.file", "PlaintextKeyring")


def test_a_keyring_that_keeps_secrets_is_taken():
    vault = Vault()
    assert open_keyring(lambda: vault) is vault


@pytest.mark.parametrize(
    "backend",
    [
        keyring.backends.fail.Keyring(),
        keyring.backends.null.Keyring(),
        PLAIN(),
        _class("elsewhere", "Better", PLAIN)(),
        _class("keyrings.alt.Gnome", "Keyring")(),
        _class("vendor.keys", "MyPlaintextStore")(),
    ],
    ids=lambda backend: f"{type(backend).__module__}.{type(backend).__name__}",
)
def test_backends_that_keep_no_secret_are_refused(backend):
    with pytest.raises(KeyringRefused) as error:
        open_keyring(lambda: backend)
    assert error.value.hint


def _chain(*members):
    return type("Chain", (keyring.backends.chainer.ChainerBackend,), {"backends": list(members)})()


def test_a_chain_is_as_bad_as_its_worst_member():
    assert refusal(_chain(Vault())) is None
    assert refusal(_chain(Vault(), PLAIN())) is not None
    assert refusal(_chain(_chain(Vault(), keyring.backends.null.Keyring()))) is not None
    assert refusal(_chain()) is not None


def test_the_default_of_this_machine_is_judged_and_never_used_unseen():
    backend = keyring.get_keyring()
    if refusal(backend) is None:
        assert open_keyring() is backend
    else:
        with pytest.raises(KeyringRefused):
            open_keyring()


def test_without_the_package_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(KeyringRefused) as error:
        open_keyring()
    assert "sluicegate[keyring]" in error.value.hint
