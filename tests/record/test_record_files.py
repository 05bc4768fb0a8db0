"""What was written with which labels is known when it is read back, under any name; the rest is unknown."""

import os
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_samples import TEXT, changed, labels, make_place

from sluicegate.record.errors import RecordError
from sluicegate.record.files import contents
from sluicegate.record.files.below import known_within, recall_below
from sluicegate.record.files.files import FileLabels, Known, Unknown, Untracked
from sluicegate.record.ledger import events, query
from sluicegate.record.ledger.ledger import Ledger


def test_what_was_written_is_known(files, secret):
    assert labels(files.recall(secret)) == ("secret",)


def test_the_event_says_who_wrote_what_and_holds_no_content(place, ledger, files, secret):
    known = files.recall(secret)
    (entry,) = query.load(place.path, keys=place.keys).of_kind(events.Write)
    assert known.event == entry.id
    event = entry.event
    assert (event.path, event.taint, event.writer, event.size) == (
        str(secret),
        ("secret",),
        "op:output",
        len(TEXT),
    )
    assert event.hash == ledger.digest(TEXT)
    assert TEXT.strip() not in place.path.read_bytes()


class TestAnotherName:
    def test_renamed(self, place, files, secret):
        assert labels(files.recall(secret.rename(place.root / "other"))) == ("secret",)

    def test_copied_also_out_of_the_workspace(self, files, secret, tmp_path):
        assert labels(files.recall(shutil.copy(secret, tmp_path / "copy"))) == ("secret",)

    def test_symbolic_link(self, place, files, secret, tmp_path):
        (tmp_path / "link").symlink_to(secret)
        assert labels(files.recall(tmp_path / "link")) == ("secret",)

    def test_hard_link(self, files, secret, tmp_path):
        os.link(secret, tmp_path / "hard")
        secret.unlink()
        assert labels(files.recall(tmp_path / "hard")) == ("secret",)

    def test_through_a_directory_that_is_a_link(self, place, files, secret, tmp_path):
        (tmp_path / "alias").symlink_to(place.root)
        assert labels(files.recall(tmp_path / "alias" / "secret.txt")) == ("secret",)

    def test_put_in_place_of_another_known_file(self, place, files, secret):
        other = place.root / "public.txt"
        other.write_bytes(b"hello")
        files.remember(other, (), "op:output")
        secret.rename(other)
        assert labels(files.recall(other)) == ("secret",)

    def test_written_by_a_rename_over_it(self, place, files, secret):
        """As editors do: a new file, renamed over the old one."""
        (place.root / "new").write_bytes(b"something else")
        (place.root / "new").rename(secret)
        assert changed(files.recall(secret)) == ("secret",)

    def test_a_new_file_with_the_number_of_a_deleted_one_is_not_that_file(self, place, files):
        path = place.root / "short-lived"
        for attempt in range(20):
            path.write_bytes(b"secret %d" % attempt)
            files.remember(path, ("secret",), "w")
            inode = path.stat().st_ino
            path.unlink()
            other = place.root / f"other-{attempt}"
            other.write_bytes(b"public")
            if other.stat().st_ino == inode:
                break
        else:
            pytest.skip("this file system does not use numbers again so soon")
        with other.open("rb") as handle:
            if contents.which(handle.fileno()).generation == 0:
                pytest.skip("this file system counts no generations")
        assert changed(files.recall(other), "new") == ()

    def test_names_that_are_no_text(self, place, files, secret):
        path = place.root / os.fsdecode(b"caf\xe9")
        path.write_bytes(b"something")
        files.remember(path, ("pii",), "w")
        assert labels(files.recall(path)) == ("pii",)
        assert labels(files.recall(path.rename(place.root / "plain"))) == ("pii",)
        path.write_bytes(b"something else")
        assert changed(files.recall(path)) == ("pii",)


class TestChangedByOthers:
    def test_the_labels_stay_and_something_unknown_is_there(self, files, secret):
        secret.write_bytes(b"overwritten by a script")
        assert changed(files.recall(secret)) == ("secret",)

    def test_appended(self, files, secret):
        with secret.open("ab") as handle:
            handle.write(b"more")
        assert changed(files.recall(secret)) == ("secret",)

    def test_emptied(self, files, secret):
        secret.write_bytes(b"")
        assert changed(files.recall(secret)) == ("secret",)

    def test_put_back_it_is_known_again(self, files, secret):
        secret.write_bytes(b"x")
        secret.write_bytes(TEXT)
        assert labels(files.recall(secret)) == ("secret",)

    def test_written_again_by_us_it_has_the_new_labels(self, files, secret):
        secret.write_bytes(b"now it is public")
        files.remember(secret, (), "op:output")
        assert labels(files.recall(secret)) == ()

    def test_a_copy_of_what_it_was_is_still_known(self, files, secret, tmp_path):
        shutil.copy(secret, tmp_path / "copy")
        secret.write_bytes(b"now it is public")
        files.remember(secret, (), "op:output")
        assert labels(files.recall(tmp_path / "copy")) == ("secret",)


class TestAppend:
    def append(self, files, path, data, *names, **more):
        with path.open("ab") as handle:
            handle.write(data)
        files.remember(path, names, "op:append", appended=len(data), **more)

    def test_labels_are_joined(self, files, secret):
        self.append(files, secret, b"and a name", "pii")
        assert labels(files.recall(secret)) == ("pii", "secret")
        self.append(files, secret, b"more", "src:mcp")
        assert labels(files.recall(secret)) == ("pii", "secret", "src:mcp")

    def test_to_nothing(self, place, files):
        self.append(files, place.root / "new", b"first", "pii")
        assert labels(files.recall(place.root / "new")) == ("pii",)

    def test_of_nothing(self, files, secret):
        self.append(files, secret, b"")
        assert labels(files.recall(secret)) == ("secret",)

    def test_to_a_file_that_nobody_knows(self, place, files):
        (place.root / "foreign").write_bytes(b"who knows what")
        self.append(files, place.root / "foreign", b"mine", "pii")
        assert changed(files.recall(place.root / "foreign"), "partly") == ("pii",)

    def test_to_a_file_that_others_changed(self, files, secret):
        secret.write_bytes(b"somebody else")
        self.append(files, secret, b"mine", "pii")
        assert changed(files.recall(secret), "partly") == ("pii", "secret")

    def test_a_copy_of_what_is_partly_known_is_partly_known(self, files, secret, tmp_path):
        self.test_to_a_file_that_others_changed(files, secret)
        shutil.copy(secret, tmp_path / "copy")
        assert changed(files.recall(tmp_path / "copy"), "partly") == ("pii", "secret")

    def test_to_a_copy(self, files, secret, tmp_path):
        copy = tmp_path / "copy"
        shutil.copy(secret, copy)
        self.append(files, copy, b"more", "pii")
        assert labels(files.recall(copy)) == ("pii", "secret")

    def test_across_the_pieces_in_which_files_are_read(self, place, files, monkeypatch):
        monkeypatch.setattr(contents, "_CHUNK", 8)
        path = place.root / "log"
        for number in range(1, 30):
            self.append(files, path, b"x" * number, f"n{number}")
            assert len(labels(files.recall(path))) == number

    def test_written_over_as_one_piece_it_has_the_new_labels_alone(self, files, secret):
        self.append(files, secret, b"more", "pii")
        secret.write_bytes(b"new content")
        files.remember(secret, ("public",), "op:output")
        assert labels(files.recall(secret)) == ("public",)

    def test_somebody_else_was_faster(self, files, secret):
        with secret.open("ab") as handle:
            handle.write(b"mine" + b"theirs")
        files.remember(secret, (), "op:append", appended=4, wrote=b"mine")
        assert changed(files.recall(secret), "partly") == ("secret",)

    def test_what_we_wrote_is_what_is_there(self, files, secret):
        self.append(files, secret, b"mine", "pii", wrote=b"mine")
        assert labels(files.recall(secret)) == ("pii", "secret")


@pytest.mark.parametrize("there", [b"mine!", b"min", b"", b"Mine", b"mine"])
def test_a_whole_file_that_is_not_what_we_wrote_is_partly_known(place, files, there):
    path = place.root / "x"
    path.write_bytes(there)
    files.remember(path, ("pii",), "w", wrote=b"mine")
    found = files.recall(path)
    assert isinstance(found, Known if there == b"mine" else Unknown)
    assert found.labels == ("pii",)


class TestUnknown:
    def test_in_a_tracked_place(self, place, files):
        (place.root / "sub").mkdir()
        (place.root / "sub" / "new").write_bytes(b"who wrote this?")
        assert changed(files.recall(place.root / "sub" / "new"), "new") == ()

    def test_elsewhere(self, files, tmp_path):
        (tmp_path / "elsewhere").write_bytes(b"x")
        assert files.recall(tmp_path / "elsewhere") == Untracked()

    def test_a_link_from_outside_into_a_tracked_place(self, place, files, tmp_path):
        (place.root / "new").write_bytes(b"x")
        (tmp_path / "link").symlink_to(place.root / "new")
        assert isinstance(files.recall(tmp_path / "link"), Unknown)

    def test_a_name_that_only_begins_like_the_place(self, place, files):
        beside = place.root.with_name(place.root.name + "-other")
        beside.write_bytes(b"x")
        assert files.recall(beside) == Untracked()

    def test_empty_files_are_not_all_the_same(self, place, files):
        (place.root / "empty").write_bytes(b"")
        files.remember(place.root / "empty", ("secret",), "w")
        (place.root / "another").write_bytes(b"")
        assert labels(files.recall(place.root / "empty")) == ("secret",)
        assert changed(files.recall(place.root / "another"), "new") == ()

    def test_one_content_written_twice_has_the_labels_of_both_where_it_is_copied(
        self, place, files, tmp_path
    ):
        for name, label in (("a", "secret"), ("b", "src:mcp")):
            (place.root / name).write_bytes(b"the same")
            files.remember(place.root / name, (label,), "w")
        (tmp_path / "c").write_bytes(b"the same")
        assert labels(files.recall(tmp_path / "c")) == ("secret", "src:mcp")
        assert labels(files.recall(place.root / "a")) == ("secret",)

    def test_a_file_that_is_not_there(self, place, files):
        with pytest.raises(FileNotFoundError):
            files.recall(place.root / "nothing")

    def test_what_is_no_file_is_not_waited_for(self, place, files, tmp_path):
        os.mkfifo(place.root / "pipe")
        assert isinstance(files.recall(place.root / "pipe"), Unknown)
        assert files.recall("/dev/zero") == Untracked()
        with pytest.raises(RecordError, match="not a regular file"):
            files.read(place.root / "pipe")
        with pytest.raises(RecordError, match="not a regular file"):
            files.remember(place.root / "pipe", (), "w")


class TestOneReading:
    def test_bytes_and_labels_together(self, files, secret, ledger):
        reading = files.read(secret)
        assert (reading.data, labels(reading.knowledge)) == (TEXT, ("secret",))
        assert (reading.path, reading.digest) == (str(secret), ledger.digest(TEXT))

    def test_an_open_file_is_what_it_was_when_it_was_opened(self, place, files, secret):
        with secret.open("rb") as handle:
            (place.root / "new").write_bytes(b"harmless")
            (place.root / "new").rename(secret)
            assert labels(files.recall(secret, handle.fileno())) == ("secret",)
            assert handle.tell() == 0

    def test_a_path_exchanged_after_it_was_opened_is_not_believed(self, place, files, tmp_path):
        """The open file lies in a tracked place; the path says by now that it does not."""
        (place.root / "foreign").write_bytes(b"x")
        path = tmp_path / "path"
        path.symlink_to(place.root / "foreign")
        with path.open("rb") as handle:
            path.unlink()
            path.write_bytes(b"harmless")
            assert isinstance(files.recall(path, handle.fileno()), Unknown)

    def test_a_limit(self, files, secret):
        assert files.read(secret, limit=len(TEXT)).data == TEXT
        with pytest.raises(RecordError, match="larger than"):
            files.read(secret, limit=len(TEXT) - 1)

    def test_large_files(self, place, files):
        path = place.root / "large"
        path.write_bytes(os.urandom(5_000_000))
        files.remember(path, ("big",), "w")
        assert labels(files.recall(path)) == ("big",)
        assert files.read(path).data == path.read_bytes()

    def test_an_empty_file(self, place, files):
        (place.root / "e").write_bytes(b"")
        assert files.read(place.root / "e").data == b""


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_sequence_of_steps_loses_a_label(tmp_path_factory, data):
    """Whatever we and others do with a few files: every label of what is in a file is recalled."""
    place = make_place(tmp_path_factory.mktemp("steps"))
    names = [place.root / name for name in "abc"]
    truth: dict = {}  # path -> the labels that its content has; None stands for bytes of others
    number = 0
    with Ledger.open(place.path, keys=place.keys, clock=place.clock) as ledger:
        files = FileLabels(ledger, tracked=(place.root,))
        for _ in range(data.draw(st.integers(3, 9))):
            number += 1
            step = data.draw(
                st.sampled_from(["write", "append", "others", "others-append", "rename", "copy", "remove"])
            )
            path, other = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
            label, text = f"label{number}", b"text %d " % number
            if step == "write":
                path.write_bytes(text)
                files.remember(path, (label,), "w")
                truth[path] = {label}
            elif step == "append":
                with path.open("ab") as handle:
                    handle.write(text)
                files.remember(path, (label,), "w", appended=len(text))
                truth[path] = truth.get(path, set()) | {label}
            elif step == "others":
                path.write_bytes(text)
                truth[path] = {None}
            elif step == "others-append":
                with path.open("ab") as handle:
                    handle.write(text)
                truth[path] = truth.get(path, set()) | {None}
            elif path in truth and path != other:
                if step == "rename":
                    path.rename(other)
                    truth[other] = truth.pop(path)
                elif step == "copy":
                    shutil.copy(path, other)
                    truth[other] = set(truth[path])
                else:
                    path.unlink()
                    del truth[path]
        for path, wanted in truth.items():
            found = files.recall(path)
            known = None not in wanted
            if known:
                assert wanted <= set(found.labels), (path, wanted, found)
            else:
                assert isinstance(found, Unknown), (path, wanted, found)
        files.close()


class TestSpread:
    """What may have been written into any file of a place is part of what is not known by content."""

    @pytest.fixture
    def spread(self, place, files, secret):
        files.spread(place.root / "sub", ("pii",), "op:sh")
        (place.root / "sub" / "deep").mkdir(parents=True)
        return place.root / "sub"

    def test_a_new_file_there(self, spread, files):
        (spread / "deep" / "new").write_bytes(b"new")
        assert files.recall(spread / "deep" / "new") == Unknown(
            labels=("pii",), event=files.recall(spread / "deep" / "new").event, why="new"
        )
        assert files.recall(spread / "deep" / "new").event

    def test_a_known_file_that_changed(self, spread, files, secret):
        moved = secret.rename(spread / "secret.txt")
        assert labels(files.recall(moved)) == ("secret",)
        moved.write_bytes(b"by somebody else")
        assert set(files.recall(moved).labels) == {"pii", "secret"}

    def test_beside_the_place(self, spread, place, files):
        (place.root / "subway").write_bytes(b"new")
        assert files.recall(place.root / "subway").labels == ()

    def test_outside_of_tracked_places(self, files, tmp_path):
        (tmp_path / "free").write_bytes(b"free")
        assert files.recall(tmp_path / "free") == Untracked()
        files.spread(tmp_path / "free", ("pii",), "op:sh")
        assert files.recall(tmp_path / "free").labels == ("pii",)

    def test_it_is_in_the_ledger(self, spread, place, files, ledger):
        files.close()
        ledger.flush()
        (spread / "new").write_bytes(b"new")
        again = FileLabels(ledger, tracked=(place.root,))
        assert again.recall(spread / "new").labels == ("pii",)
        again.close()


class TestKeeping:
    """A writer that may have left what was there leaves its labels."""

    def test_the_same_content(self, files, secret):
        files.remember(secret, ("pii",), "op:sh", keeping=True)
        assert labels(files.recall(secret)) == ("pii", "secret")

    def test_another_content(self, files, secret):
        secret.write_bytes(b"by somebody else")
        files.remember(secret, ("pii",), "op:sh", keeping=True)
        assert labels(files.recall(secret)) == ("pii", "secret")

    def test_what_was_partly_known_stays_so(self, place, files):
        file = place.root / "half"
        file.write_bytes(b"half")
        files.remember(file, (), "op:output", wrote=b"other")
        files.remember(file, ("pii",), "op:sh", keeping=True)
        assert isinstance(files.recall(file), Unknown)


class TestUnknownThatIsChanged:
    """What nobody knew does not become known by being changed."""

    def test_in_a_tracked_place(self, place, files):
        path = place.root / "strange"
        path.write_bytes(b"strange")
        files.remember(path, ("src:exec",), "op:sh", keeping=True, was="there")
        assert isinstance(files.recall(path), Unknown)

    def test_elsewhere(self, files, tmp_path):
        path = tmp_path / "log"
        path.write_bytes(b"log")
        files.remember(path, ("src:exec",), "op:sh", keeping=True, was="there")
        assert labels(files.recall(path)) == ("src:exec",)

    def test_changed_by_others_before(self, files, secret):
        secret.write_bytes(b"by others")
        files.remember(secret, ("src:exec",), "op:sh", keeping=True, was="unknown")
        assert changed(files.recall(secret), "partly") == ("secret", "src:exec")

    def test_new(self, place, files):
        path = place.root / "made"
        path.write_bytes(b"made")
        files.remember(path, ("src:exec",), "op:sh", keeping=True, was="new")
        assert labels(files.recall(path)) == ("src:exec",)


class TestVouching:
    """``trusted`` stays only where all of the file is known, and every part of it had it."""

    @pytest.fixture
    def good(self, place, files):
        path = place.root / "good.txt"
        path.write_bytes(b"good")
        files.remember(path, ("trusted",), "op:output")
        return path

    def test_it_is_known(self, files, good):
        assert labels(files.recall(good)) == ("trusted",)

    def test_changed_by_others(self, files, good):
        good.write_bytes(b"evil")
        assert changed(files.recall(good)) == ()

    def test_changed_by_what_has_other_labels(self, files, good):
        good.write_bytes(b"evil")
        files.remember(good, ("src:mcp",), "op:sh", keeping=True)
        assert labels(files.recall(good)) == ("src:mcp",)

    def test_changed_by_what_is_trusted(self, files, good):
        good.write_bytes(b"better")
        files.remember(good, ("src:exec", "trusted"), "op:sh", keeping=True)
        assert labels(files.recall(good)) == ("src:exec", "trusted")

    def test_appended_to(self, files, good):
        with good.open("ab") as handle:
            handle.write(b", evil")
        files.remember(good, ("src:mcp",), "op:append", appended=6)
        assert labels(files.recall(good)) == ("src:mcp",)

    def test_the_same_content_from_elsewhere(self, place, files, good):
        other = place.root / "other.txt"
        other.write_bytes(b"good")
        files.remember(other, ("src:mcp",), "op:output")
        copy = place.root / "copy.txt"
        copy.write_bytes(b"good")
        assert labels(files.recall(copy)) == ("src:mcp",)


class TestBelow:
    """What is known of a directory: of all files below it."""

    def below(self, files, folder, **options):
        self.seen = []
        return recall_below(files, folder, each=self.found, **options)

    def found(self, one):
        self.seen += [one.join(name) for name in one.files]

    def test_all_that_is_known(self, place, files, secret):
        box = place.root / "box" / "inner"
        box.mkdir(parents=True)
        secret.rename(box / "moved.txt")
        pii = box / "pii.txt"
        pii.write_bytes(b"pii")
        files.remember(pii, ("pii",), "op:output")
        assert labels(self.below(files, place.root / "box")) == ("pii", "secret")
        assert sorted(self.seen) == [str(box / "moved.txt"), str(pii)]

    def test_a_copy_and_a_link(self, place, files, secret, tmp_path):
        box = tmp_path / "box"
        (box / "deep").mkdir(parents=True)
        shutil.copy(secret, box / "deep" / "copy")
        assert labels(self.below(files, box)) == ("secret",)
        (box / "deep" / "copy").unlink()
        assert isinstance(self.below(files, box), Untracked)
        (box / "link").symlink_to(place.root)
        assert labels(self.below(files, box, without=[place.root / ".sluicegate"])) == ("secret",)

    def test_what_nobody_knows(self, place, files, secret):
        (place.root / "new").write_bytes(b"new")
        assert changed(self.below(files, place.root, without=[place.root / ".sluicegate"]), "new") == (
            "secret",
        )

    def test_what_was_spread(self, place, files, tmp_path):
        box = tmp_path / "box"
        box.mkdir()
        (box / "a").write_bytes(b"a")
        files.spread(box, ("pii",), "sh")
        assert changed(self.below(files, box), "new") == ("pii",)

    def test_too_many(self, place, files, secret, tmp_path):
        box = tmp_path / "box"
        box.mkdir()
        for number in range(5):
            (box / f"{number}").write_bytes(b"x")
        assert changed(self.below(files, box, most=3), "gap") == ("secret",)

    def test_left_out(self, place, files, secret):
        assert isinstance(
            self.below(files, place.root, without=[secret, place.root / ".sluicegate"]), Untracked
        )


class TestWithin:
    """What is known of all files that something could open."""

    def test_the_places(self, place, files, secret, tmp_path):
        other = tmp_path / "other"
        other.write_bytes(b"other")
        files.remember(other, ("pii",), "op:output")
        assert known_within(files, None) == ("pii", "secret")
        assert known_within(files, [place.root]) == ("secret",)
        assert known_within(files, [other]) == ("pii",)
        assert known_within(files, [place.root / "sub"]) == ()

    def test_what_is_gone(self, files, secret):
        secret.unlink()
        assert known_within(files, None) == ()

    def test_what_was_moved_with_its_folder(self, place, files):
        (place.root / "box").mkdir()
        file = place.root / "box" / "a"
        file.write_bytes(b"a")
        files.remember(file, ("pii",), "op:output")
        (place.root / "box").rename(place.root / "other")
        assert known_within(files, [place.root / "other"]) == ("pii",)

    def test_paths_that_are_not_told(self, place, files, secret):
        with secret.open("rb") as handle:
            files.remember("/<pii>/0123", ("pii",), "op:output", fd=handle.fileno())
        assert known_within(files, [place.root / "sub"]) == ("pii",)
