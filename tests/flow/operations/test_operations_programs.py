"""Which program a name stands for, and when its name is taken at its word."""

from __future__ import annotations

import os

import pytest
from msgspec.structs import replace
from operation_samples import CWD, HERE, MACHINE, Memory, memory, requests

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import Programs
from sluicegate.flow.operations.commands.programs import variation


def test_a_name_is_looked_up_and_trusted_where_the_system_holds_it():
    found = HERE.find("git", cwd=CWD)
    assert (found.name, found.found, found.real, found.trusted) == (
        "git",
        "/usr/bin/git",
        "/usr/bin/git",
        True,
    )
    assert HERE.find("/usr/bin/git", cwd=CWD).name == "git"
    assert HERE.find("/bin/git", cwd=CWD).name == "git"
    assert HERE.find("../../bin/git", cwd=CWD).name == "git"


@pytest.mark.parametrize("asked", ["./echo", "echo/../echo", f"{CWD}/echo", "src/../echo"])
def test_a_file_in_the_workspace_is_called_by_its_path(asked):
    if asked.startswith("echo/"):
        asked = "./src/../echo"
    found = HERE.find(asked, cwd=CWD)
    assert not found.trusted
    assert found.name == f"{CWD}/echo"
    assert found.basename == "echo"
    (request, *_) = requests(f"{asked} a")
    assert request.leaves[0] == f"op:cmd:path:{CWD}/echo"
    assert request.command is not None
    assert not request.command.trusted_name


def test_a_link_is_the_program_that_it_leads_to():
    found = HERE.find("./git", cwd=CWD)
    assert (found.name, found.real, found.trusted) == ("rm", "/usr/bin/rm", True)
    assert requests("./git -rf x")[0].leaves == ("op:cmd:rm",)


def test_a_program_of_many_names_keeps_the_name_that_it_was_asked_for_by():
    assert HERE.find("./ls", cwd=CWD).name == "ls"
    assert HERE.find("./ls", cwd=CWD).real == "/usr/bin/busybox"


def test_a_trusted_name_that_hides_another_program_has_both_labels():
    assert HERE.find("editor", cwd=CWD).alias == "nano"
    assert {"op:cmd:editor", "op:cmd:nano"} <= set(requests("editor x")[0].leaves)


@pytest.mark.parametrize(
    "name", ["nothing", "./nothing", "/usr/bin", "./notes.md", "./loop", "", "a\0b", "src/a", "./key.pem/x"]
)
def test_what_is_no_program_is_an_error(name):
    with pytest.raises(CommandError):
        HERE.find(name, cwd=CWD)


def test_an_empty_or_relative_directory_is_never_searched():
    machine = memory()
    machine.files[f"{CWD}/frob"] = "x"
    programs = Programs(path=("", ".", "bin", "/usr/bin"), lookups=machine)
    with pytest.raises(CommandError):
        programs.find("frob", cwd=CWD)


def test_a_directory_of_the_workspace_on_the_path_gives_an_untrusted_program():
    programs = Programs(path=(CWD, "/usr/bin"), untrusted=("/work",), lookups=MACHINE)
    assert programs.find("echo", cwd=CWD).name == f"{CWD}/echo"
    assert programs.find("git", cwd="/").name == "rm"  # the link in the workspace comes first


@pytest.mark.parametrize("shared", ["/usr/bin/git", "/usr/bin", "/usr"])
def test_what_everyone_can_write_is_not_trusted(shared):
    machine = Memory({"/usr/bin/git": "x"})
    if shared == "/usr/bin/git":
        machine.shared.add(shared)
    else:
        original = machine.entry
        machine.entry = lambda path: (
            (found := original(path)) and (replace(found, mode=0o777) if path == shared else found)
        )  # type: ignore[method-assign]
    assert not Programs(lookups=machine).find("git", cwd="/").trusted


def test_a_link_on_the_path_to_a_file_of_the_workspace_is_not_trusted():
    machine = Memory({"/work/evil": "x"}, {"/usr/local/bin/git": "/work/evil"})
    found = Programs(lookups=machine).find("git", cwd="/")
    assert (found.trusted, found.name) == (False, "/work/evil")


def test_a_script_that_is_called_by_its_path_tells_its_interpreter():
    assert HERE.find("./tool.py", cwd=CWD).shebang == ("/usr/bin/env", "python3")
    assert HERE.find("./echo", cwd=CWD).shebang == ("/bin/sh",)


def test_a_program_that_changed_is_noticed():
    machine = Memory({"/usr/bin/git": "x"})
    found = Programs(lookups=machine).find("git", cwd="/")
    assert found.unchanged(machine)
    machine.files["/usr/bin/git"] = "other"
    assert not found.unchanged(machine)
    del machine.files["/usr/bin/git"]
    assert not found.unchanged(machine)


@pytest.mark.parametrize(
    ("name", "own", "same"),
    [("python3", "python3.11", True), ("python", "python3.11", True), ("vim", "vim.basic", True), ("gcc", "x86_64-linux-gnu-gcc-12", True),
     ("nc", "nc.openbsd", True), ("editor", "nano", False), ("foo", "rm", False), ("r", "rm", False), ("git", "git-lfs", True)],
)  # fmt: skip
def test_a_version_or_make_is_the_same_program(name, own, same):
    assert variation(name, own) is same


def test_on_this_machine_the_program_that_is_found_is_the_one_that_runs(tmp_path):
    fake = tmp_path / "true"
    fake.write_text("#!/bin/sh\n")
    fake.chmod(0o755)
    programs = Programs(untrusted=(str(tmp_path),))
    assert programs.find("true", cwd="/").trusted
    found = programs.find("./true", cwd=str(tmp_path))
    assert (found.trusted, found.real) == (False, os.path.realpath(fake))
    assert found.unchanged()
    fake.write_text("#!/bin/sh\nexit 1\n")
    assert not found.unchanged()
