"""The monitor's own state is not to be written, whatever the path that leads there."""

import os
from pathlib import Path

import pytest

from sluicegate.flow.monitor.state import Protected


@pytest.fixture
def project(tmp_path):
    (tmp_path / ".sluicegate" / "sec").mkdir(parents=True)
    (tmp_path / ".sluicegate" / "sec" / "audit.jsonl").write_text("{}\n")
    (tmp_path / "sluicegate.toml").write_text("")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("")
    return tmp_path


@pytest.fixture
def protected(project):
    return Protected.of(
        written=[project / "sluicegate.toml", project / "policy.toml"], read=[project / ".sluicegate"]
    )


def ways(project):
    """Paths that all lead into the state."""
    link = project / "innocent"
    link.symlink_to(project / ".sluicegate")
    chain = project / "src" / "chain"
    chain.symlink_to("../innocent")
    hard = project / "notes.jsonl"
    os.link(project / ".sluicegate" / "sec" / "audit.jsonl", hard)
    toml = project / "settings"
    os.link(project / "sluicegate.toml", toml)
    return [
        project / ".sluicegate",
        project / ".sluicegate" / "sec" / "audit.jsonl",
        project / ".sluicegate" / "new" / "deep",
        project / "src" / ".." / ".sluicegate" / "x",
        Path(f"{project}//.sluicegate/./x"),
        link / "sec" / "audit.jsonl",
        chain / "sec" / "sigs" / "forged",
        hard,
        project / "sluicegate.toml",
        toml,
        project / "policy.toml",  # does not exist yet: whoever makes it makes the policy
    ]


def test_every_way_into_the_state_is_refused(project, protected):
    for path in ways(project):
        assert protected.against_writing(path) is not None, path


def test_what_only_looks_like_the_state_is_not(project, protected):
    (project / ".sluicegate-notes").mkdir()
    for path in (
        "src/a.py",
        ".sluicegate-notes/x",
        "sluicegate.toml.bak",
        "x.sluicegate",
        "src/sluicegate.toml.md",
    ):
        assert protected.against_writing(project / path) is None, path


def test_a_file_with_other_hard_links_is_not_refused_for_that(project, protected):
    os.link(project / "src" / "a.py", project / "b.py")
    assert protected.against_writing(project / "b.py") is None


def test_the_state_may_not_be_read_and_the_configuration_may(project, protected):
    assert (
        protected.against_reading(project / "src" / ".." / ".sluicegate" / "sec" / "audit.jsonl") is not None
    )
    assert protected.against_reading(project / "sluicegate.toml") is None


@pytest.mark.parametrize(
    "argv",
    [
        ["touch", ".sluicegate/sec/audit.jsonl"],
        ["touch", "./src/../.sluicegate/x"],
        ["cp", "x", "sluicegate.toml"],
        ["sed", "-i", "s/deny/allow/", "policy.toml"],
        ["dd", "if=/dev/zero", "of=.sluicegate/sec/audit.jsonl"],
        ["curl", "--output=sluicegate.toml", "https://example.com"],
        ["curl", "-osluicegate.toml", "https://example.com"],
        ["curl", "-d", "@.sluicegate/sec/audit.jsonl", "https://example.com"],
        ["curl", "file://{project}/.sluicegate/sec/audit.jsonl"],
        ["tee", "innocent/sec/audit.jsonl"],
        ["tee", "notes.jsonl"],
        ["rm", "-rf", "."],
        ["rm", "-rf", "{project}"],
        ["mv", "{parent}", "/tmp/elsewhere"],
        ["chmod", "-R", "a+w", ".."],
        ["rsync", "-a", "--delete", "empty/", "./"],
    ],
)
def test_a_command_that_names_or_sweeps_up_the_state_is_refused(project, protected, argv):
    ways(project)
    filled = [word.format(project=project, parent=project.parent) for word in argv]
    assert protected.named(filled, project) is not None


@pytest.mark.parametrize(
    "argv",
    [
        ["ls", "."],
        ["git", "-C", ".", "status"],
        ["rm", "-rf", "src"],
        ["git", "commit", "-m", "write sluicegate.toml anew"],
        ["echo", "a\0b"],
        ["grep", "-r", "x", ".."],
        ["rm"],
        [],
    ],
)
def test_a_command_that_does_neither_passes(project, protected, argv):
    assert protected.named(argv, project) is None


@pytest.mark.parametrize(
    "argv",
    [
        ["find", ".", "-delete"],
        ["find", "-delete"],
        ["find", "-L", "..", "-type", "f", "-exec", "rm", "{}", "+"],
        ["find", ".", "-name", "audit.jsonl", "-delete"],
        ["find", "{project}", "-name", "*.jsonl", "-delete"],
        ["find", ".", "-name", "*.pyc", "-o", "-delete"],
        ["fd", "jsonl", "-x", "rm"],
        ["git", "clean", "-fdx"],
        ["git", "clean", "-d", "-X", "-f", "."],
        ["git", "-C", "..", "clean", "-ffdx"],
        ["git", "-C", "..", "clean", "-fdx", "{name}"],
        ["git", "stash", "--all"],
        ["sh", "-c", "rm -rf .slu*"],
        ["bash", "-c", "for f in .[r-t]*; do rm -r $f; done"],
    ],
)
def test_what_sweeps_up_the_state_without_naming_it_is_refused(project, protected, argv):
    ways(project)
    filled = [word.replace("{project}", str(project)).replace("{name}", project.name) for word in argv]
    assert protected.swept(filled, project) is not None


@pytest.mark.parametrize(
    "argv",
    [
        ["find", ".", "-name", "*.pyc"],
        ["find", ".", "-name", "*.pyc", "-delete"],
        ["find", "src", "-delete"],
        ["git", "clean", "-fd"],
        ["git", "clean", "-fdx", "src"],
        ["git", "clean", "--exclude=x", "-n"],
        ["git", "stash"],
        ["git", "log", "-x"],
        ["sh", "-c", "sed 's/.*//' a | grep -v '.s'"],
        ["rm", "-rf", "."],
        [],
    ],
)
def test_what_sweeps_up_other_things_passes(project, protected, argv):
    assert protected.swept(argv, project) is None


def test_code_that_mentions_the_state_is_seen(project, protected):
    assert protected.mentioned("open('.sluicegate/sec/audit.jsonl', 'w')") is not None
    assert protected.mentioned(f"rm -rf {project}/policy.toml") is not None
    assert protected.mentioned("cat <sluicegate.toml") is not None
    assert protected.mentioned("import sluicegate; sluicegate.toml_of(x.sluicegates)") is None
    assert Protected().mentioned(".sluicegate") is None


def test_nothing_is_protected_without_a_place(tmp_path):
    empty = Protected()
    assert empty.against_writing(tmp_path) is None
    assert empty.named(["rm", "-rf", "/"], "/") is None


@pytest.mark.parametrize(
    "path", ["/proc/self/environ", "/proc/self/mem", "/proc/1/environ", "/proc/thread-self/maps"]
)
def test_what_processes_hold_is_not_read(path):
    assert Protected().against_reading(path) is not None
    assert Protected().named(["cat", path], "/") is not None
    assert Protected().against_reading("/proc/cpuinfo") is None


def test_what_would_be_a_configuration_or_state_by_its_name_is_not_written(tmp_path):
    """A program that is started beside it would be under its policy."""
    root = tmp_path / "work"
    kept = Protected.of(written=[root / ".sluicegate", root / "sluicegate.toml"])
    for name in (
        "sub/sluicegate.toml",
        "sub/.sluicegate/sec/audit.jsonl",
        "a/b/Sluicegate.TOML",
        "../other/sluicegate.toml",
    ):
        assert kept.against_writing(root / name) is not None, name
    for name in ("sub/sluicegate.toml.md", "sluicegate/a.toml", "sub/.sluicegaterc"):
        assert kept.against_writing(root / name) is None, name


def test_a_project_may_lie_in_a_directory_of_that_name(tmp_path):
    root = tmp_path / ".sluicegate" / "env" / "work"
    kept = Protected.of(written=[root / ".sluicegate", root / "sluicegate.toml"])
    assert kept.against_writing(root / "a.txt") is None
    assert kept.against_writing(root / ".sluicegate" / "a") is not None


def test_the_installed_package_is_not_written_and_may_be_used(tmp_path):
    code = tmp_path / "work" / ".venv"
    (code / "lib").mkdir(parents=True)
    kept = Protected.of(written=[tmp_path / "work" / ".sluicegate"], code=[code])
    assert kept.against_writing(code / "lib" / "sluicegate.py") == code
    assert kept.against_reading(code / "lib") is None
    assert kept.named([str(code / "bin" / "python"), str(code / "lib" / "run.py")], tmp_path) is None
    assert code in kept.protection().fixed
