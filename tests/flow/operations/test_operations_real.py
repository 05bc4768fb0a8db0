"""Real wrappers run with hostile values: no program runs that was not known before there was a value."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import Programs, command, fill
from sluicegate.flow.operations.commands.command import define
from sluicegate.flow.operations.commands.template import CommandTemplate
from sluicegate.flow.operations.commands.words import literal

TEMPLATES = [
    "env A={x} aa", "env -u {x} aa", "nice -n{x} aa", "timeout -s {x} 1 aa", "stdbuf -o {x} aa", "nohup aa {x}", "xargs -a {x} aa --", "xargs -I @@ aa -- @@ {x}", "find {x} -name f", "find . -name {x}",
    "find . -name f -exec aa {} {x} \\;", "find ./{x} -exec aa {} +", "tar -cf o -- {x}", "tar -C {x} -cf - f", "tar --exclude={x} -cf o f", "sort -k {x} f", "sort -T {x} f", "awk -v a={x} '{print a}' f",
    "awk '{print}' {x}", "sed -n p {x}", "grep {x} f", "grep -e {x} f", "sh -c 'echo \"$1\"' sh {x}", "perl -ne print {x}", "flock {x} aa", "split f {x}", "git log {x}", "git grep -e {x}", "git diff -O{x}",
]  # fmt: skip
HOSTILE = [
    "-c", "--exec=aa", "-exec", "bb;cc", "$(bb)", "`bb`", "|bb", "bb|", "!bb", "--to-command=bb", "-Ibb", "--compress-program=bb", "-Sbb", "-fbb", "system(\"bb\")", "1e bb", "{}", "-Obb", "--open-files-in-pager=bb", "A=b", "",
    "x\nbb", "PATH=.", "--checkpoint-action=exec=bb", "--filter=bb", "ext::bb",
]  # fmt: skip


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    """A folder of small programs that write down that they ran, on the search path before the system's."""
    base = tmp_path_factory.mktemp("real")
    (base / "bin").mkdir()
    (base / "here").mkdir()
    for name in ("aa", "bb", "cc"):
        (base / "bin" / name).write_text(f'#!/bin/sh\necho {name} >> "{base}/log"\n')
        (base / "bin" / name).chmod(0o755)
    return base


def run(ground, argv: tuple[str, ...], program: str = "") -> set[str]:
    """Run it where there is a file f; the names of the small programs that ran."""
    here, log = ground / "here", ground / "log"
    shutil.rmtree(here)
    here.mkdir()
    (here / "f").write_text("cc\n")
    log.write_text("")
    environment = {
        "PATH": f"{ground}/bin:/usr/bin:/bin",
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(ground),
    }
    subprocess.run(
        argv,
        executable=program or None,
        cwd=here,
        env=environment,
        input=b"cc\n",
        capture_output=True,
        timeout=20,
    )
    return set(log.read_text().split())


def programs_of(ground) -> Programs:
    folders = (f"{ground}/bin", "/usr/bin", "/bin")
    return Programs(path=folders, bins=folders, roots=("/",), untrusted=())


@pytest.mark.parametrize("text", TEMPLATES)
def test_no_hostile_value_makes_a_real_program_run_another(ground, text):
    if shutil.which(text.split()[0]) is None:
        pytest.skip(f"{text.split()[0]} is not installed")
    defined = command(text, programs=programs_of(ground), cwd=str(ground / "here"))
    known = {effect.program.basename for effect in defined.stages[0].effects if effect.program}
    ran = 0
    for value in HOSTILE:
        (operation,) = defined.operations({"x": value})
        try:
            filled = fill(operation, lambda content: content)
        except CommandError:
            continue
        assert len(filled.argv) == len(defined.stages[0].words)
        assert run(ground, filled.argv, filled.program.real) <= known, value
        ran += 1
        if ran == 8:
            break
    assert ran


_WRAPPERS = [
    name
    for name in (
        "env",
        "nice",
        "timeout",
        "stdbuf",
        "xargs",
        "time",
        "flock",
        "setsid",
        "ionice",
        "taskset",
        "setarch",
    )
    if shutil.which(name)
]
_TOKENS = st.sampled_from(
    [
        *_WRAPPERS,
        "aa",
        "bb",
        "aa",
        "1",
        "5",
        "-n",
        "-k",
        "-s",
        "-i",
        "-o",
        "-oL",
        "-c",
        "-S",
        "-u",
        "-I",
        "{}",
        "--",
        "-",
        "A=b",
        "-w",
        "-R",
        "-0",
        "--signal=9",
        "-e",
        "x",
        "-vS",
        "aa bb",
        "-5",
        "--adj=3",
        "-a",
        "-t",
    ]
)


@pytest.mark.skipif(not _WRAPPERS or os.name != "posix", reason="needs the programs")
@settings(max_examples=60, deadline=None)
@given(st.sampled_from(_WRAPPERS or [""]), st.lists(_TOKENS, min_size=1, max_size=6))
def test_whatever_a_real_wrapper_runs_was_found(ground, first, rest):
    words = (first, *rest)
    try:
        (stage,) = define(
            CommandTemplate("", (tuple(map(literal, words)),), ()),
            programs=programs_of(ground),
            cwd=str(ground / "here"),
        )
    except CommandError:
        return
    known = {effect.program.basename for effect in stage.effects if effect.program}
    if any(effect.program is None for effect in stage.effects) or "setsid" in known:
        return
    try:
        ran = run(ground, words)
    except (FileNotFoundError, PermissionError):
        return
    assert ran <= known, words
