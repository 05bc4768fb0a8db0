"""Shell text inside programs of other languages is read as shell text, with its line."""

from __future__ import annotations

import pytest

from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived
from sluicegate.vet.intake.views.programs.shell_text import shell_text_views
from sluicegate.vet.intake.views.view import View


def texts(source: str, language: Kind = Kind.SOURCE) -> list[str]:
    artifact = Artifact(path="a", data=source.encode(), mode=0, kind=language)
    found = shell_text_views(View(artifact=artifact, text=source, language=language), Limits())
    return [one.text for one in found if isinstance(one, Derived)]


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ('Command::new("sh").arg("-c").arg("ls -l")', Kind.RUST),
        ('Command::new("sh").args(["-c", r#"ls -l"#])', Kind.RUST),
        ('exec.Command("/bin/bash", "-lc", "ls -l")', Kind.GO),
        ('new ProcessBuilder("bash", "-c", "ls -l")', Kind.JAVA),
        ('System.cmd("sh", ["-c", "ls -l"])', Kind.SOURCE),
        (":os.cmd(~c'ls -l')", Kind.SOURCE),
        ('p.executableURL = URL(fileURLWithPath: "/bin/sh")\np.arguments = ["-c", "ls -l"]', Kind.SOURCE),
        ("Process.run('sh', ['-c', 'ls -l'])", Kind.SOURCE),
        ('discard execShellCmd("ls -l")', Kind.SOURCE),
        ("run(`ls -l`)", Kind.SOURCE),
        ('os.execute("ls -l")', Kind.LUA),
        ('system("ls -l")', Kind.C),
    ],
)
def test_what_a_shell_is_given(source: str, language: Kind) -> None:
    assert texts(source, language) == ["ls -l"]


def test_quotes_are_unescaped() -> None:
    assert texts('exec.Command("sh", "-c", "echo \\"a b\\"")', Kind.GO) == ['echo "a b"']


@pytest.mark.parametrize(
    "source", ['Command::new("git").arg("status")', 'println!("use sh -c to run it")', 'system("make")']
)
def test_other_words_are_no_shell_text(source: str) -> None:
    assert texts(source) == []
