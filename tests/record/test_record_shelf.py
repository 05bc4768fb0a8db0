"""Where signatures are kept: no name escapes, no two names meet, nothing is followed."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.errors import SigningError
from sluicegate.record.signatures.shelf import Shelf, file_name
from sluicegate.record.signatures.signatures import (
    Reason,
    Refused,
    Verified,
    of_bytes,
    of_template,
    sign,
)

words = st.text(min_size=1, max_size=80)


@settings(deadline=None)
@given(words, words)
def test_file_names_stay_in_the_directory(purpose, name):
    made = file_name(purpose, name)
    assert "/" not in made
    assert made.isascii()
    assert len(made) < 120
    assert not made.startswith((".", "-"))


@settings(deadline=None)
@given(words, words, words, words)
def test_two_names_never_meet(purpose1, name1, purpose2, name2):
    if "\0" not in purpose1 + purpose2 + name1 + name2:  # no name that can be signed has one
        same = file_name(purpose1, name1) == file_name(purpose2, name2)
        assert same == ((purpose1, name1) == (purpose2, name2))


@pytest.fixture
def shelf(place):
    return Shelf(place.root)


def ensure(place, shelf, subject, name="@audit"):
    return shelf.ensure(
        subject,
        purpose="instruction",
        name=name,
        signer=place.keys.signer(),
        trust=place.keys.trust(),
        now=place.clock(),
    )


def verify(place, shelf, subject, name="@audit"):
    return shelf.verify(
        subject, purpose="instruction", name=name, trust=place.keys.trust(), now=place.clock()
    )


def test_what_is_put_is_there(place, shelf):
    made = ensure(place, shelf, of_template("hello"))
    assert shelf.get("instruction", "@audit") == made.envelope
    assert isinstance(verify(place, shelf, of_template("hello")), Verified)
    assert shelf.directory == place.root / ".sluicegate/sec/sigs"


def test_what_is_not_there_is_missing_and_nothing_is_made(place, shelf):
    found = verify(place, shelf, of_template("hello"))
    assert isinstance(found, Refused)
    assert found.reason is Reason.MISSING
    assert list(shelf.all()) == []
    assert not (place.root / ".sluicegate").exists()


def test_the_same_content_is_not_signed_twice(place, shelf):
    first = ensure(place, shelf, of_template("hello"))
    place.clock.advance(100)
    assert ensure(place, shelf, of_template("hello")) == first


@pytest.mark.parametrize("why", ["content", "key", "damage"])
def test_it_is_signed_again_when_the_old_signature_no_longer_holds(place, shelf, why):
    first = ensure(place, shelf, of_template("hello"))
    place.clock.advance(100)
    if why == "key":
        place.keys.rotate()
    if why == "damage":
        next(shelf.directory.iterdir()).write_bytes(b"garbage")
    text = "changed" if why == "content" else "hello"
    second = ensure(place, shelf, of_template(text))
    assert second.envelope != first.envelope
    assert isinstance(verify(place, shelf, of_template(text)), Verified)


def test_a_signature_put_under_another_name_does_not_count(place, shelf):
    ensure(place, shelf, of_template("hello"), name="@audit")
    (file,) = shelf.directory.iterdir()
    file.rename(shelf.directory / file_name("instruction", "@other"))
    found = verify(place, shelf, of_template("hello"), name="@other")
    assert isinstance(found, Refused)
    assert found.reason is Reason.WRONG_NAME


@pytest.mark.parametrize("part", [".sluicegate", ".sluicegate/sec", ".sluicegate/sec/sigs"])
def test_a_directory_that_is_a_link_is_not_followed(place, shelf, tmp_path, part):
    outside = tmp_path / "outside"
    outside.mkdir()
    link = place.root / part
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    signed = sign(of_bytes(b"x"), purpose="p", name="n", signer=place.keys.signer(), now=1)
    with pytest.raises(SigningError, match="symbolic link"):
        shelf.put(signed)
    with pytest.raises(SigningError, match="symbolic link"):
        list(shelf.all())
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "pipe", "directory"])
def test_a_file_that_is_none_is_refused(place, shelf, tmp_path, kind):
    ensure(place, shelf, of_template("hello"))
    (file,) = shelf.directory.iterdir()
    data = file.read_bytes()
    file.unlink()
    if kind == "link":
        (tmp_path / "elsewhere").write_bytes(data)
        file.symlink_to(tmp_path / "elsewhere")
    elif kind == "pipe":
        os.mkfifo(file)
    else:
        file.mkdir()
    found = verify(place, shelf, of_template("hello"))
    assert isinstance(found, Refused)
    assert found.reason is Reason.UNREADABLE


def test_a_put_that_fails_leaves_the_old_signature_and_no_rubbish(place, shelf, monkeypatch):
    first = ensure(place, shelf, of_template("hello"))

    def full(fd, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sluicegate.record.signatures.shelf.write_all", full)
    with pytest.raises(SigningError, match="No space left"):
        ensure(place, shelf, of_template("changed"))
    assert [data for _, data in shelf.all()] == [first.envelope]
    assert len(list(shelf.directory.iterdir())) == 1
