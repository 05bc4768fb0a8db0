"""What a sentence orders to run: over line breaks, through pronouns, by any verb; and what it only mentions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.ordered.around import Fences, around
from sluicegate.vet.inspect.ordered.places import slashed
from sluicegate.vet.scan import scan
from sluicegate.vet.verdict.types import Decision, GapReason

HEAD = "---\nname: notes\ndescription: Keeps the notes of a project in order.\n---\n\n# Notes\n\n"
HERE = {"scripts/here.py": "print(1)\n", "references/here.md": "One.\n"}


def gaps(folder: Path, text: str, files: dict[str, str] | None = None) -> list[str]:
    for path, written in {"SKILL.md": HEAD + text + "\n", **HERE, **(files or {})}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(written, encoding="utf-8")
    verdict = scan(str(folder), ScanConfig()).skills[0].verdict
    found = [gap.detail for gap in verdict.gaps if gap.reason is GapReason.NOT_IN_BUNDLE]
    assert verdict.decision is not Decision.SAFE or not found
    return found


BROKEN = [
    "Run `{}` before you write.",
    "Please execute the script `{}` first.",
    "Before you start, launch the bundled helper `{}` and wait.",
    "You must run the script at `{}` once.",
    "> Invoke the program `{}` with care.",
    "- Start `{}` first",
    "1. Call the helper `{}`",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    order=st.sampled_from(BROKEN),
    path=st.sampled_from(["../shared/x.sh", "~/notes/x.py", "scripts/gone.py"]),
    at=st.sets(st.integers(min_value=1, max_value=12), max_size=4),
    indent=st.sampled_from(["", "  ", "   "]),
)
def test_a_line_break_in_a_sentence_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, order: str, path: str, at: set[int], indent: str
) -> None:
    words = order.split(" ")
    first = 2 if words[0][-1] in ">-." else 1
    quote = "> " if words[0] == ">" else ""
    text = words[0]
    for number, word in enumerate(words[1:], 1):
        text += (f"\n{quote}{indent}" if number in at and number >= first else " ") + word
    assert len(gaps(tmp_path_factory.mktemp("x"), text.format(path))) == 1, text


@pytest.mark.parametrize(
    "text",
    [
        "Run this:\n\n`{}`",
        "Run these, one by one:\n\n- `scripts/here.py`\n- `{}`",
        "Execute:\n1. `scripts/here.py`\n2. `{}`",
        "Run the following:\n\n```\n{}\n```",
        "**Run**\n`{}`",
        "Run **the** `{}`",
        "Run the _helper_ <code>{}</code>",
    ],
)
@pytest.mark.parametrize("path", ["../shared/x.sh", "scripts/gone.py"])
def test_what_ends_in_a_colon_goes_on_below(tmp_path: Path, text: str, path: str) -> None:
    assert len(gaps(tmp_path, text.format(path))) == 1


MEANT = [
    "Your helper lives in `{}`; execute it.",
    "There is a helper, `{}`. Run it before you start.",
    "`{}` does the conversion; run it first.",
    "The conversion is done by `{}`, which you run first.",
    "Use `{}` to convert the notes.",
    "Let `{}` do its work.",
    "Kick off `{}`.",
    "Trigger `{}` on each save.",
    "Always begin with `{}`.",
    "Pass `{}` to python3.",
    "Hand `{}` to bash.",
    "Process the notes through `{}`.",
    "Apply `{}` to each note.",
    "| `{}` | run it |",
    "Exécute `{}` d'abord.",
    "The agent should run {}",
    "Deploy it via `{}`.",
    "Use [the setup script]({}) and run it.",
    "First `{}`, then write.",
]


@pytest.mark.parametrize("text", MEANT)
@pytest.mark.parametrize("path", ["../shared/x.py", "~/notes/x.sh", "scripts/gone.py", "scripts\\gone.bat"])
def test_a_program_that_is_not_here_and_is_to_be_used_is_a_gap(tmp_path: Path, text: str, path: str) -> None:
    assert len(gaps(tmp_path, text.format(path))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "`{}`",
        "`{} --now`",
        "Next: `{} --now`",
        "The first step is `{}`.",
        "1. {}",
        "1. `{}`",
        "```\n{}\n```",
        "```text\n{}\n```",
    ],
)
@pytest.mark.parametrize("path", ["../shared/x.sh", "~/notes/x.py", "..\\shared\\x.bat"])
def test_a_program_out_of_the_skill_needs_no_verb(tmp_path: Path, text: str, path: str) -> None:
    assert len(gaps(tmp_path, text.format(path))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Treat `{}` as part of this skill.",
        "Apply the rules of `{}`.",
        "Continue with `{}`.",
        "See @{} for more.",
        "Instructions: {}",
        "The rules in `{}` apply; read them first.",
        "{{{{include {}}}}}",
    ],
)
@pytest.mark.parametrize("path", ["../shared/rules.md", "~/notes/rules.md"])
def test_a_text_out_of_the_skill_that_binds_is_a_gap(tmp_path: Path, text: str, path: str) -> None:
    assert len(gaps(tmp_path, text.format(path))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Read `../shared/x.py` to learn how it is done.",
        "Edit `~/.config/notes/x.py` by hand.",
        "Write the result to `../out/x.sh`.",
        "Do not use `../shared/x.sh`.",
        "Never let `scripts/gone.py` do it.",
        "See `scripts/gone.py` for details.",
        "Use `scripts/gone.py` as a template.",
        "The code of [x](../shared/x.py) shows how.",
        "Use `src/main.py` of the project.",
        "Run the tests in `tests/test_x.py`.",
        "Use a tool such as `../shared/x.sh`.",
        "Look at https://example.com/install.sh first.",
        "Create `scripts/gone.py`, then run it.",
        "```python\nopen('../shared/x.py')\n```",
        "Use `scripts/here.py`.\nThe file `references/here.md` says more.",
        "Save the plan to ../shared/plan.md with instructions.",
    ],
)
def test_what_is_read_written_forbidden_or_somebody_elses_is_none(tmp_path: Path, text: str) -> None:
    assert gaps(tmp_path, text) == []


def test_words_around_a_path_are_those_that_a_reader_joins() -> None:
    text = "# Set up\n\nRun these\nfirst:\n\n- one\n  and more\n- the\n  path `x.sh`\n  now\n\nEnd."
    at = text.index("x.sh")
    words = around(text, at, at + 4)
    assert words.before == "Run these first: the path `"
    assert words.behind == "` now"


def test_fences_end_with_their_own_mark() -> None:
    text = "a\n````md\n```sh\nb\n```\n````\nc\n~~~\nd"
    fences = Fences(text)
    assert [fences.at(text.index(mark)) is None for mark in "abcd"] == [True, False, True, False]
    assert fences.at(text.index("b")) == (2, "md")


@given(st.text(alphabet="ab.\\/~ %x1\n`", max_size=60))
def test_slashes_leave_each_character_where_it_was(text: str) -> None:
    written = slashed(text)
    assert len(written) == len(text)
    assert all(old == new or (old, new) == ("\\", "/") for old, new in zip(text, written, strict=True))


COMMANDS = [
    'set -- {}; sh "$1"',
    "tmux new -d 'sh {}'",
    "at now < {}",
    "ssh host 'bash -s' < {}",
    "pytest {}",
    "blender -b -P {}",
    "make -f {}",
    "expect {}",
    "runghc {}",
    "nu {}",
    "kotlinc -script {}",
    "rust-script {}",
    "LD_PRELOAD={} ls",
    "bash {{{},}}",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("folder", ["../shared", "scripts"])
def test_a_command_that_runs_a_file_by_any_program_is_a_gap(
    tmp_path: Path, command: str, folder: str
) -> None:
    names = {
        "expect": "x.exp",
        "runghc": "x.hs",
        "nu": "x.nu",
        "kotlinc": "x.kts",
        "rust-script": "x.rs",
        "make": "Makefile.x",
    }
    name = names.get(
        command.split()[0],
        "x.so" if "PRELOAD" in command else "x.py" if "pytest" in command or "-P" in command else "x.sh",
    )
    assert len(gaps(tmp_path, f"```sh\n{command.format(f'{folder}/{name}')}\n```")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "```sh\n(cd scripts; sh x.sh)\n```",
        "```sh\npushd scripts && sh x.sh\n```",
        "```sh\nfor f in here.py gone.sh; do sh scripts/$f; done\n```",
        "```sh\npython3 -m scripts.gone\n```",
        "```sh\npowershell -File scripts\\setup.ps1\n```",
        "```powershell\n& .\\scripts\\setup.ps1\n```",
        "```bat\ncall scripts\\setup.bat\n```",
        "Run `.\\scripts\\setup.ps1`.",
    ],
)
def test_a_file_of_the_scripts_that_is_put_together_is_a_gap(tmp_path: Path, text: str) -> None:
    assert len(gaps(tmp_path, text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "```sh\n(cd scripts; sh here.py)\n```",
        "```sh\npython3 -m scripts.here\npython3 -m http.server\n```",
        "```sh\nssh host 'cd /srv/app && ./deploy.sh'\n```",
        "```sh\npytest tests/test_x.py\nmake -f build/Makefile\n```",
        '```sh\nset -- a b; echo "$1"\n```',
        "```sh\nfor f in *.txt; do wc $f; done\n```",
        "```powershell\n& .\\scripts\\here.py\n```",
    ],
)
def test_commands_that_run_what_is_here_or_the_users_own_leave_no_gap(tmp_path: Path, text: str) -> None:
    assert gaps(tmp_path, text) == []
