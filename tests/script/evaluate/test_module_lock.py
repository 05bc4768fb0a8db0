"""Modules by the names of the project's lock: which file they are, and that they are what was looked at."""

import hashlib

import pytest
from script_runs import run

from sluicegate.flow.errors import FlowError

MODULE = 'exe @hello() = "hello"\n'
SCRIPT = 'import { @hello } from "@mira/greetings"\nshow @hello()'
DIGEST = hashlib.sha256(MODULE.encode()).hexdigest()


def project(folder, *, file="vendor/greetings.mld", digest=DIGEST):
    (folder / "vendor").mkdir()
    (folder / "vendor" / "greetings.mld").write_text(MODULE)
    (folder / "sluicegate.modules.toml").write_text(
        f'[modules."@mira/greetings"]\nfile = "{file}"\nsha256 = "{digest}"\n'
    )
    return folder


def code_of(text, folder):
    with pytest.raises(FlowError) as caught:
        run(text, folder=folder)
    return caught.value.code


def test_a_name_is_the_file_that_the_lock_names(tmp_path):
    assert run(SCRIPT, folder=project(tmp_path)).out == "hello\n"


def test_a_module_that_was_changed_does_not_run(tmp_path):
    project(tmp_path)
    (tmp_path / "vendor" / "greetings.mld").write_text(MODULE + "show 'more'\n")
    (tmp_path / "other.mld").symlink_to("vendor/greetings.mld")
    assert code_of(SCRIPT, tmp_path) == "module-changed"
    for way in (
        "./vendor/greetings.mld",
        "@base/vendor/greetings.mld",
        "./vendor/../vendor/greetings.mld",
        "./other.mld",
    ):
        assert code_of(SCRIPT.replace("@mira/greetings", way), tmp_path) == "module-changed"


@pytest.mark.parametrize("name", ["@mira/others", "@mira/greetings/x", "https://example.com/a.mld"])
def test_what_the_lock_does_not_name_is_no_module(tmp_path, name):
    assert code_of(SCRIPT.replace("@mira/greetings", name), project(tmp_path)) == "no-module"


def test_a_lock_that_is_none(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "out.mld").write_text(MODULE)
    project(work, file="../out.mld")
    assert code_of(SCRIPT, work) == "no-module"
    for text in (
        "[modules",
        '[modules."@mira/greetings"]\nfile = "a"\n',
        "[other]\n",
        '[modules."@a/b"]\nfile = "a"\nsha256 = "x"\n',
    ):
        (work / "sluicegate.modules.toml").write_text(text)
        assert code_of(SCRIPT, work) == "bad-lock"
