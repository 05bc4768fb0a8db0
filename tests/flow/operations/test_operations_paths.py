"""Where paths lead, and opening the very file that was checked."""

from __future__ import annotations

import os
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operation_samples import CWD, MACHINE, Memory, requests

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import make_directories, open_path, real, replace


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("notes.md", f"{CWD}/notes.md"), ("./notes.md", f"{CWD}/notes.md"), (".//src///a.py", f"{CWD}/src/a.py"), ("src/../notes.md", f"{CWD}/notes.md"), ("src/", f"{CWD}/src"),
        (".", CWD), ("..", "/work"), ("../../../../..", "/"), ("/", "/"), ("//etc//passwd", "/etc/passwd"), ("new", f"{CWD}/new"), ("new/deeper/file", f"{CWD}/new/deeper/file"),
        ("out", "/etc"), ("out/", "/etc"), ("out/passwd", "/etc/passwd"), ("out/new", "/etc/new"), ("out/../passwd", "/passwd"), ("key.pem", "/home/user/.ssh/id_rsa"), ("/bin/git", "/usr/bin/git"),
    ],
)  # fmt: skip
def test_a_path_leads_where_the_kernel_would_go(path, leads):
    assert real(path, cwd=CWD, lookups=MACHINE).path == leads


def test_a_link_at_the_end_is_a_place_of_its_own():
    found = real("key.pem", cwd=CWD, lookups=MACHINE)
    assert (found.path, found.link, found.exists) == ("/home/user/.ssh/id_rsa", f"{CWD}/key.pem", True)
    assert ("w", f"{CWD}/key.pem") in requests("rm -- key.pem")[0].paths
    assert ("w", "/home/user/.ssh/id_rsa") in requests("rm -- key.pem")[0].paths


def test_a_missing_end_stands_as_it_is_written_and_nothing_leads_back_out_of_it():
    assert not real("new/file", cwd=CWD, lookups=MACHINE).exists
    with pytest.raises(CommandError, match="back out"):
        real("new/../notes.md", cwd=CWD, lookups=MACHINE)


@pytest.mark.parametrize(
    "path",
    ["/proc/self/root/etc/passwd", "/proc/77/root/etc/passwd", "/proc/self/cwd/notes.md", "/proc/self/root/proc/self/root/etc", "/dev/fd/7", "/proc/self/../77/root/etc"],
)  # fmt: skip
def test_a_path_through_a_process_is_refused(path):
    with pytest.raises(CommandError, match="process"):
        real(path, cwd=CWD, lookups=MACHINE)


@pytest.mark.parametrize(
    "path", ["/dev/stdin", "/dev/stdout", "/dev//stderr", "/dev/fd/0", "/proc/self/fd/1"]
)
def test_a_standard_stream_is_no_file(path):
    assert real(path, cwd=CWD, lookups=MACHINE).stream
    assert requests(f"cat {path}")[0].paths == ()


@pytest.mark.parametrize(
    ("path", "why"),
    [("", "empty"), ("a\0b", "NUL"), ("loop", "link"), ("loop/x", "link"), ("a" * 5000, "longer")],
)
def test_what_is_no_path_is_refused_without_showing_it(path, why):
    with pytest.raises(CommandError, match=why) as caught:
        real(path, cwd=CWD, lookups=MACHINE)
    assert "aaaa" not in caught.value.diagnostics()


class Careless(Memory):
    """A file system that takes capital and small letters for the same."""

    def entry(self, path):
        return super().entry(self.find(path))

    def find(self, path: str) -> str:
        every = (*self.files, *self.links, *self.directories)
        return next((each for each in every if each.lower() == path.lower()), path)


def test_a_name_is_spelled_as_its_directory_spells_it():
    machine = Careless({"/p/Secrets/.env": "x", "/p/other": "y"})
    assert real("/P/SECRETS/.ENV", cwd="/", lookups=machine).path == "/p/Secrets/.env"
    assert real("/p/secrets/.Env", cwd="/", lookups=machine).path == "/p/Secrets/.env"
    assert real("/p/secrets/new", cwd="/", lookups=machine).path == "/p/Secrets/new"
    plain = Memory({"/p/a": "x", "/p/A": "y"})
    assert real("/p/A", cwd="/", lookups=plain).path == "/p/A"


_NAMES = st.sampled_from(["a", "b", "l", "m", "..", ".", "", "new", "d"])


@settings(deadline=None, max_examples=150)
@given(st.lists(_NAMES, min_size=1, max_size=7), st.booleans())
def test_on_a_real_file_system_it_agrees_with_the_system(tmp_path_factory, names, slash):
    base = tmp_path_factory.getbasetemp() / "agree"
    if not base.exists():
        (base / "a" / "d").mkdir(parents=True)
        (base / "b").mkdir()
        (base / "a" / "l").symlink_to("../b")
        (base / "b" / "m").symlink_to("../a/d")
        (base / "l").symlink_to("a")
        (base / "a" / "d" / "b").write_text("x")
    path = "/".join(names) + ("/" if slash else "")
    cwd = os.path.realpath(base)
    try:
        found = real(path, cwd=cwd)
    except CommandError:
        return
    whole = os.path.join(cwd, path)
    if os.path.exists(whole):
        assert os.path.samefile(found.path, whole)
        assert found.exists
        assert found.path == os.path.realpath(whole)


def test_what_was_checked_is_what_is_opened(tmp_path):
    root = os.path.realpath(tmp_path)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").write_bytes(b"content")
    with open_path(f"{root}/d/f", "read", root=root) as file:
        assert file.read() == b"content"
        assert file.identity == ((tmp_path / "d" / "f").stat().st_dev, (tmp_path / "d" / "f").stat().st_ino)
    with open_path(f"{root}/d/f", "write", root=root) as file:
        file.write(b"new")
    with open_path(f"{root}/d/f", "append", root=root) as file:
        file.write(b"er")
    assert (tmp_path / "d" / "f").read_bytes() == b"newer"
    with open_path(f"{root}/d/g", "create", root=root, permissions=0o600) as file:
        file.write(b"x")
    assert stat.S_IMODE((tmp_path / "d" / "g").stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        open_path(f"{root}/d/g", "create", root=root)
    with pytest.raises(FileNotFoundError):
        open_path(f"{root}/d/none", "read", root=root)


@pytest.mark.parametrize("mode", ["read", "write", "append", "create"])
def test_a_link_put_in_place_after_the_check_is_not_followed(tmp_path, mode):
    root = os.path.realpath(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_bytes(b"secret")
    (tmp_path / "in").mkdir()
    checked = real(f"{root}/in/d/f", cwd="/").path
    (tmp_path / "in" / "d").symlink_to(outside)  # the directory became a link
    with pytest.raises(CommandError, match="changed"):
        open_path(checked, mode, root=f"{root}/in")
    (tmp_path / "in" / "d").unlink()
    (tmp_path / "in" / "d").mkdir()
    (tmp_path / "in" / "d" / "f").symlink_to(outside / "f")  # the file became a link
    with pytest.raises((CommandError, FileExistsError)):
        open_path(checked, mode, root=f"{root}/in")
    with pytest.raises(CommandError):
        replace(checked, b"new", root=f"{root}/in")
    assert (outside / "f").read_bytes() == b"secret"


def test_only_regular_files_are_opened_and_nothing_waits(tmp_path):
    root = os.path.realpath(tmp_path)
    (tmp_path / "d").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("d", "pipe"):
        with pytest.raises((CommandError, IsADirectoryError, OSError)):
            open_path(f"{root}/{name}", "read", root=root)
        with pytest.raises((CommandError, IsADirectoryError, OSError)):
            open_path(f"{root}/{name}", "write", root=root)
    with pytest.raises(CommandError, match="regular"):
        replace(f"{root}/pipe", b"x", root=root)


def test_a_file_with_several_names_is_not_written_unless_asked_for(tmp_path):
    root = os.path.realpath(tmp_path)
    (tmp_path / "protected").write_bytes(b"keep")
    os.link(tmp_path / "protected", tmp_path / "f")
    for mode in ("write", "append"):
        with pytest.raises(CommandError, match="several names"):
            open_path(f"{root}/f", mode, root=root)
    assert (tmp_path / "protected").read_bytes() == b"keep"
    with open_path(f"{root}/f", "read", root=root) as file:
        assert (file.names, file.read()) == (2, b"keep")
    replace(f"{root}/f", b"new", root=root)  # a new file: the other name keeps its content
    assert (tmp_path / "protected").read_bytes() == b"keep"
    assert (tmp_path / "f").read_bytes() == b"new"


@pytest.mark.parametrize(
    "path",
    ["/elsewhere/f", "{root}/../f", "{root}", "{root}/", "{root}/a/../b", "{root}/a/./b", "{root}/a\0"],
)
def test_a_path_outside_of_its_root_or_not_settled_is_refused(tmp_path, path):
    with pytest.raises(CommandError):
        open_path(path.format(root=os.path.realpath(tmp_path)), "read", root=os.path.realpath(tmp_path))


def test_replacing_is_one_step_keeps_permissions_and_leaves_nothing_behind(tmp_path):
    root = os.path.realpath(tmp_path)
    file = tmp_path / "f"
    file.write_bytes(b"old")
    file.chmod(0o640)
    seen = []
    replace(f"{root}/f", b"new", root=root, known=lambda fd: seen.append(os.pread(fd, 10, 0)))
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode), seen) == (b"new", 0o640, [b"new"])

    def fail(fd: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace(f"{root}/f", b"newer", root=root, known=fail)
    assert (file.read_bytes(), os.listdir(tmp_path)) == (b"new", ["f"])


def test_directories_are_made_and_links_on_the_way_are_not_followed(tmp_path):
    root = os.path.realpath(tmp_path)
    make_directories(f"{root}/a/b/c", root=root)
    make_directories(f"{root}/a/b/c/", root=root)
    assert (tmp_path / "a" / "b" / "c").is_dir()
    (tmp_path / "out").mkdir()
    (tmp_path / "a" / "l").symlink_to(tmp_path / "out")
    with pytest.raises(CommandError, match="changed"):
        make_directories(f"{root}/a/l/x", root=root)
    assert os.listdir(tmp_path / "out") == []


def test_reading_has_a_bound(tmp_path):
    root = os.path.realpath(tmp_path)
    (tmp_path / "f").write_bytes(b"12345")
    with open_path(f"{root}/f", "read", root=root) as file:
        assert file.read(5) == b"12345"
    with (
        open_path(f"{root}/f", "read", root=root) as file,
        pytest.raises(CommandError, match="larger than 4"),
    ):
        file.read(4)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("cat notes.md src/a.py", {("r", "notes.md"), ("r", "src/a.py")}),
        ("cp notes.md src/b", {("r", "notes.md"), ("w", "src/b")}),
        ("cp -t src notes.md", {("r", "notes.md"), ("w", "src"), ("w", "src/notes.md")}),
        (
            "mv notes.md src",
            {("r", "notes.md"), ("w", "notes.md"), ("w", "src"), ("w", "src/notes.md")},
        ),
        ("rm -r src", {("w", "src")}),
        ("tee -a log", {("w", "log")}),
        ("curl -o page -T notes.md http://a.b", {("w", "page"), ("r", "notes.md")}),
        ("curl -O http://a.b/x", {("w", ".")}),
        ("curl file:///etc/passwd", {("r", "/etc/passwd")}),
        ("grep a notes.md", {("r", "notes.md")}),
        ("grep -e a -f pats notes.md", {("r", "pats"), ("r", "notes.md")}),
        ("sed -i s/a/b/ notes.md", {("r", "notes.md"), ("w", "notes.md")}),
        ("sed 'w log' notes.md", {("w", "log"), ("r", "notes.md")}),
        ("awk '{ print > \"log\" }' notes.md", {("w", "log"), ("r", "notes.md")}),
        ("awk '{ print > $1 }' notes.md", {("w", ""), ("r", "notes.md")}),
        ("sort -o log notes.md", {("w", "log"), ("r", "notes.md")}),
        ("tar czf a.tgz -C src a.py", {("r", "src"), ("w", "a.tgz"), ("r", "a.tgz"), ("r", "src/a.py")}),
        ("tar xf a.tgz -C src", {("r", "a.tgz"), ("r", "src"), ("w", "src")}),
        ("dd if=notes.md of=log", {("r", "notes.md"), ("w", "log")}),
        ("find src -newer notes.md -fprint log", {("r", "src"), ("r", "notes.md"), ("w", "log")}),
        ("find src -delete", {("r", "src"), ("w", "src")}),
        ("git -C src log --output=log", {("r", "src"), ("w", "src/log")}),
        ("git apply notes.md", {("r", "notes.md"), ("w", ".")}),
        ("git -C src init", {("r", "src"), ("w", "src")}),
        ("git init src", {("w", "src")}),
        (
            "git interpret-trailers --in-place --trailer 'a: b' notes.md",
            {("r", "notes.md"), ("w", "notes.md")},
        ),
        ("git interpret-trailers --parse notes.md", {("r", "notes.md")}),
        ("git read-tree --index-output=log HEAD", {("w", "log")}),
        ("git credential-store --file notes.md store", {("r", "notes.md"), ("w", "notes.md")}),
        ("python3 src/a.py", {("r", "src/a.py")}),
        ("docker run -v ./src:/x i", {("r", "src"), ("w", "src")}),
        ("rsync -a src host:/x", {("r", "src")}),
        ("rsync -a host:/x src", {("w", "src")}),
        (
            "frobnicate notes.md nothing --in=src/a.py --out=log",
            {("r", "notes.md"), ("r", "src/a.py"), ("w", "log")},
        ),
        ("frobnicate ./new", {("r", "new")}),
        (
            "frobnicate file=notes.md @@src/a.py of=/etc/passwd",
            {("r", "notes.md"), ("r", "src/a.py"), ("r", "/etc/passwd")},
        ),
        ("frobnicate s/../x/ a/../b feature/x", set()),
        ("cat -", set()),
    ],
)
def test_the_paths_of_a_command_are_known(text, paths):
    expected = {
        (mode, path if path == "" else real(path, cwd=CWD, lookups=MACHINE).path) for mode, path in paths
    }
    assert set(requests(text)[0].paths) == expected


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("sh -c 'cat < notes.md > log'", {("r", "notes.md"), ("w", "log")}),
        ("sh -c 'cd ./src && cat a.py'", {("r", "src/a.py")}),
        ("env -C src cat a.py", {("r", "src"), ("r", "src/a.py")}),
        ("sh -c 'cat ./src/*'", {("r", "src")}),
        ("sh -c 'cat -- \"$1\"' sh x", {("r", "")}),
        ("find src -exec rm {} \\;", {("r", "src"), ("w", "src")}),
        ("xargs rm --", {("w", "")}),
        ("ssh host cat /etc/passwd", set()),
    ],
)
def test_the_paths_of_inner_commands_are_known_or_unknown(text, paths):
    expected = {
        (mode, path if path == "" else real(path, cwd=CWD, lookups=MACHINE).path) for mode, path in paths
    }
    assert {path for request in requests(text) for path in request.paths} == expected
