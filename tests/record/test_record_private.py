"""Files that nobody else may read: made whole, checked before they are believed."""

import os

import pytest

from sluicegate.record import private
from sluicegate.record.errors import HomeError, KeyFileError

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "home" / "key"
    private.make_directory(path.parent)
    assert private.create(path, b"secret")
    return path


def test_made_files_and_directories_are_private(tmp_path):
    path = tmp_path / "a" / "b" / "key"
    umask = os.umask(0)
    try:
        private.make_directory(path.parent)
        private.create(path, b"x")
    finally:
        os.umask(umask)
    assert [one.stat().st_mode & 0o777 for one in (path, path.parent, path.parent.parent)] == [
        0o600,
        0o700,
        0o700,
    ]


def test_read_gives_the_content(secret):
    assert private.read(secret, limit=6) == b"secret"


def test_a_file_larger_than_the_limit_is_refused(secret):
    with pytest.raises(KeyFileError, match="larger than 5"):
        private.read(secret, limit=5)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601, 0o777])
def test_a_file_open_to_others_is_refused(secret, mode):
    secret.chmod(mode)
    with pytest.raises(KeyFileError, match="others") as error:
        private.read(secret, limit=100)
    assert "chmod 600" in error.value.hint
    assert "secret" not in error.value.message.replace(str(secret), "")


def test_a_link_is_refused(secret):
    link = secret.with_name("link")
    link.symlink_to(secret)
    with pytest.raises(KeyFileError, match="symbolic link"):
        private.read(link, limit=100)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "directory"])
def test_what_is_no_file_is_refused_and_not_waited_for(secret, make):
    other = secret.with_name("other")
    make(other)
    other.chmod(0o600)
    with pytest.raises(KeyFileError, match=r"not a regular file|cannot read"):
        private.read(other, limit=100)


@needs_root
def test_a_file_of_another_user_is_refused(secret):
    os.chown(secret, 12345, -1)
    with pytest.raises(KeyFileError, match="another user") as refused:
        private.read(secret, limit=100)
    assert "keys new" not in str(refused.value.hint), "it may be no key: the queue, or recorded answers"


@needs_root
def test_a_directory_of_another_user_is_refused(secret):
    os.chown(secret.parent, 12345, -1)
    with pytest.raises(HomeError, match="another user"):
        private.check_directory(secret.parent)


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o770, 0o701])
def test_a_directory_open_to_others_is_refused(secret, mode):
    secret.parent.chmod(mode)
    with pytest.raises(HomeError, match="others"):
        private.check_directory(secret.parent)


def test_a_directory_that_is_a_link_is_refused(secret):
    link = secret.parent.with_name("link")
    link.symlink_to(secret.parent)
    with pytest.raises(HomeError, match="symbolic link"):
        private.make_directory(link)


def test_a_directory_under_one_that_everybody_may_write_is_refused(secret):
    above = secret.parent.parent
    above.chmod(0o777)
    try:
        with pytest.raises(HomeError, match="everybody"):
            private.check_directory(secret.parent)
        above.chmod(0o1777)
        private.check_directory(secret.parent)  # sticky, as /tmp is: nobody can exchange what is ours
    finally:
        above.chmod(0o700)


def test_create_never_overwrites(secret):
    assert private.create(secret, b"other") is False
    assert private.read(secret, limit=100) == b"secret"
    assert [path.name for path in secret.parent.iterdir()] == ["key"]


def test_replace_is_whole_and_leaves_nothing_behind(secret):
    private.replace(secret, b"new")
    assert private.read(secret, limit=100) == b"new"
    assert [path.name for path in secret.parent.iterdir()] == ["key"]


def test_replace_that_fails_leaves_the_old_file(secret, monkeypatch):
    def full(fd, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sluicegate.record.private.write_all", full)
    with pytest.raises(HomeError, match="No space left"):
        private.replace(secret, b"new")
    assert secret.read_bytes() == b"secret"
    assert [path.name for path in secret.parent.iterdir()] == ["key"]
