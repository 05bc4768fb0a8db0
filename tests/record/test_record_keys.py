"""Making, finding, rotating and revoking keys."""

import copy
import json
import multiprocessing
import pickle

import pytest
from record_samples import Vault

from sluicegate.record.clock import SECOND
from sluicegate.record.errors import HomeError, KeyFileError, KeyringRefused, RecordError
from sluicegate.record.home import Home
from sluicegate.record.keys import trust
from sluicegate.record.keys.identity import PublicKey
from sluicegate.record.keys.keys import Keys
from sluicegate.record.keys.trust import TrustedKey

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def test_a_first_key_is_made_when_it_is_first_needed(place):
    assert place.keys.stored() == ()
    signer = place.keys.signer()
    (stored,) = place.keys.stored()
    assert signer.identity == stored.identity == "mira@desk"
    assert place.keys.trust().keys[stored.public.id].identity == "mira@desk"
    assert place.keys.signer().public == signer.public


def test_the_key_signs(place):
    signer = place.keys.signer()
    assert signer.public.accepts(signer.sign(b"x"), b"x")


def test_nothing_is_written_before_it_is_needed(place, tmp_path):
    place.keys.stored()
    place.keys.trust()
    assert not (tmp_path / "home").exists()


def test_a_private_key_is_never_shown_copied_or_pickled(place):
    signer = place.keys.signer()
    kept = json.loads(place.keys.stored()[0].path.read_text())["private"]
    assert kept not in repr(signer) + str(signer)
    for leak in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            leak(signer)


def test_files_are_private(place):
    place.keys.signer()
    home = place.keys.home
    assert home.keys.stat().st_mode & 0o777 == 0o700
    for path in (*home.keys.iterdir(), home.trust):
        assert path.stat().st_mode & 0o777 == 0o600, path


def _first_key(directory, barrier, answers):
    keys = Keys(Home.at(directory), clock=lambda: 1, identity=lambda: "mira")
    barrier.wait()
    answers.put(keys.signer().public.id)


def test_processes_that_race_for_a_first_key_make_one(tmp_path):
    context = multiprocessing.get_context("fork")
    barrier, answers = context.Barrier(6), context.Queue()
    racers = [context.Process(target=_first_key, args=(tmp_path / "h", barrier, answers)) for _ in range(6)]
    for racer in racers:
        racer.start()
    ids = {answers.get(timeout=300) for _ in racers}
    for racer in racers:
        racer.join()
    assert len(ids) == 1
    assert len(Keys(Home.at(tmp_path / "h"), clock=lambda: 1).stored()) == 1


@pytest.mark.parametrize("damage", ["", "{}", "[]", "nonsense", '{"format": "x"}', "\xff"])
def test_a_damaged_key_file_is_named_and_its_content_is_not_shown(place, damage):
    place.keys.signer()
    path = place.keys.stored()[0].path
    path.write_bytes(damage.encode("latin-1"))
    with pytest.raises(KeyFileError, match="not a key file") as error:
        place.keys.signer()
    assert str(path) in error.value.message


def test_a_key_file_with_another_private_key_is_refused(place):
    first = place.keys.stored() or place.keys.new("a")
    second = place.keys.new("b")
    fields = json.loads(first.path.read_text())
    fields["private"] = json.loads(second.path.read_text())["private"]
    first.path.write_text(json.dumps(fields))
    with pytest.raises(KeyFileError, match="not that of the public key"):
        place.keys.signer("a")


def test_a_key_file_under_another_name_is_refused(place):
    path = place.keys.new("a").path
    path.rename(path.with_name("b.json"))
    with pytest.raises(KeyFileError, match="not named after its key"):
        place.keys.stored()


def test_a_readable_key_is_not_used(place):
    place.keys.new("a").path.chmod(0o644)
    with pytest.raises(KeyFileError, match="others"):
        place.keys.signer()


def test_a_directory_that_became_a_link_is_not_used(place, tmp_path):
    place.keys.signer()
    home = place.keys.home.keys
    home.rename(tmp_path / "elsewhere")
    home.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HomeError, match="symbolic link"):
        place.keys.signer()


class TestWhoSigns:
    def test_the_one_identity_there_is(self, place):
        place.keys.new("alice")
        assert place.keys.signer().identity == "alice"

    def test_of_several_the_default(self, place):
        place.keys.new("alice")
        place.keys.new()
        assert place.keys.signer().identity == "mira@desk"
        assert place.keys.signer("alice").identity == "alice"

    def test_of_several_without_the_default_none(self, place):
        place.keys.new("alice")
        place.keys.new("bob")
        with pytest.raises(KeyFileError, match="no key of mira@desk") as error:
            place.keys.signer()
        assert "alice, bob" in error.value.hint

    def test_an_unknown_identity_with_a_suggestion(self, place):
        place.keys.new("alice")
        with pytest.raises(KeyFileError, match="no key of alise") as error:
            place.keys.signer("alise")
        assert "alice" in error.value.hint

    def test_a_first_key_takes_the_name_that_was_asked_for(self, place):
        assert place.keys.signer("alice").identity == "alice"

    def test_the_newest(self, place):
        place.keys.new("alice")
        place.clock.advance(10)
        newest = place.keys.new("alice")
        assert place.keys.signer().public == newest.public

    def test_a_name_that_is_trusted_with_a_key_of_somebody_else_is_not_taken(self, place):
        stranger = TrustedKey(identity="security-team", key=PublicKey(bytes(32)))
        place.keys.add_trusted((stranger,))
        with pytest.raises(KeyFileError, match="not yours"):
            place.keys.new("security-team")
        assert place.keys.stored() == ()


class TestRotateAndRevoke:
    def test_rotation_ends_the_old_key_and_signs_with_the_new(self, place):
        old = place.keys.signer()
        place.clock.advance(100)
        now = place.clock.now // SECOND
        made = place.keys.rotate()
        trusted = place.keys.trust().keys
        assert trusted[old.public.id].not_after in (now, now + 1)
        assert trusted[made.public.id].not_after is None
        assert place.keys.signer().public == made.public

    def test_rotation_without_a_key_makes_one(self, place):
        assert place.keys.rotate().identity == "mira@desk"

    def test_rotation_leaves_other_signers_alone(self, place):
        other = place.keys.new("alice")
        place.keys.new("bob")
        place.keys.rotate("bob")
        assert place.keys.trust().keys[other.public.id].not_after is None

    def test_a_revoked_key_signs_no_more(self, place):
        id = place.keys.signer().public.id
        entry = place.keys.revoke(id[:8], note="lost")
        assert entry.revoked is not None
        assert entry.note == "lost"
        with pytest.raises(KeyFileError, match="no key that may still sign"):
            place.keys.signer()

    def test_revoking_again_keeps_the_first_time(self, place):
        id = place.keys.signer().public.id
        first = place.keys.revoke(id)
        place.clock.advance(1000)
        assert place.keys.revoke(id).revoked == first.revoked

    def test_importing_again_does_not_undo_an_end(self, place):
        id = place.keys.signer().public.id
        entry = place.keys.trust().keys[id]
        place.keys.revoke(id)
        (again,) = place.keys.add_trusted((entry,))
        assert again.revoked is not None

    def test_importing_passes_a_revocation_on(self, place):
        id = place.keys.signer().public.id
        entry = place.keys.trust().keys[id]
        revoked = TrustedKey(identity=entry.identity, key=entry.key, revoked=5)
        (now,) = place.keys.add_trusted((revoked,))
        assert now.revoked == 5

    def test_a_key_that_its_user_no_longer_trusts_signs_nothing(self, place):
        place.keys.signer()
        trust.save(place.keys.home.trust, trust.Trust())
        with pytest.raises(KeyFileError, match="no key that may still sign"):
            place.keys.signer()


class TestKeyring:
    def keys(self, place, vault):
        return Keys(place.keys.home, clock=place.clock, identity=lambda: "mira", keyring=lambda: vault)

    def test_a_key_in_the_keyring_is_not_in_the_file(self, place):
        vault = Vault()
        keys = self.keys(place, vault)
        made = keys.new(in_keyring=True)
        (kept,) = vault.kept.values()
        assert made.in_keyring
        assert kept not in made.path.read_text()
        signer = keys.signer()
        assert signer.public.accepts(signer.sign(b"x"), b"x")

    def test_a_keyring_that_lost_the_key(self, place):
        vault = Vault()
        keys = self.keys(place, vault)
        keys.new(in_keyring=True)
        vault.kept.clear()
        with pytest.raises(KeyringRefused, match="does not hold key"):
            keys.signer()

    def test_a_refused_keyring_leaves_nothing_behind(self, place):
        def refused():
            raise KeyringRefused("no")

        keys = Keys(place.keys.home, clock=place.clock, identity=lambda: "mira", keyring=refused)
        with pytest.raises(RecordError):
            keys.new(in_keyring=True)
        assert keys.stored() == ()
        assert keys.trust().keys == {}

    def test_rotation_stays_in_the_keyring(self, place):
        keys = self.keys(place, Vault())
        keys.new(in_keyring=True)
        assert keys.rotate().in_keyring
