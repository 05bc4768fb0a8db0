"""The page about environments is true: its examples run, and every key and limit has its row."""

import re
import tomllib
from pathlib import Path

import pytest
from env_support import needs_bubblewrap

from sluicegate.flow.environments.changes.effects import MOST
from sluicegate.flow.environments.configuration import reading
from sluicegate.flow.environments.configuration.attenuation import attenuate
from sluicegate.flow.environments.configuration.config import (
    DEFAULT_OUTPUT,
    DEFAULT_PROCESSES,
    CommandLimits,
)
from sluicegate.flow.environments.configuration.reading import read_environment

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "environments.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


def test_the_configuration_can_be_read(tmp_path: Path):
    (text,) = [body for kind, body in BLOCKS if kind == "toml"]
    Path("/usr/share/dict").exists() or pytest.skip("the folder of the example is not here")
    assert read_environment(tomllib.loads(text), base=tmp_path).limits.processes == 64


@needs_bubblewrap
def test_the_programs_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Each block by itself, as it is printed."""
    monkeypatch.chdir(tmp_path)
    worlds: list[dict[str, object]] = []
    for body in (body for kind, body in BLOCKS if kind == "python"):
        worlds.append({})
        exec(compile(body, "docs/environments.md", "exec"), worlds[-1])
    _, deriving, changing = worlds
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("(0,) b'total")
    assert second == "(0,)"
    assert third == str((f"{tmp_path}/new.txt",))
    assert changing["changes"].modified == ()  # type: ignore[attr-defined]
    assert attenuate(deriving["config"], deriving["child"]) is deriving["child"]  # type: ignore[arg-type]


def test_every_key_has_its_row():
    table = PAGE.partition("## Keys")[2].partition("## Deriving")[0]
    keys = {field.encode_name for field in reading.msgspec.structs.fields(reading.EnvironmentForm)}
    assert {key for key in keys - {"fs", "limits"} if f"`{key}`" not in table} == set()
    for limit in CommandLimits.__struct_fields__:
        assert re.search(rf"`(limits)?\.?{limit}`", table), limit


def test_its_numbers_are_those_of_the_code():
    assert f"{DEFAULT_OUTPUT // 2**20} MB" in PAGE
    assert f"{DEFAULT_PROCESSES}" in PAGE
    assert f"{MOST:,} entries" in PAGE
