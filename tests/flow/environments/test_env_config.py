"""An environment as people write it: what is read, exactly, and what is refused with a way forward."""

import json
from pathlib import Path

import jsonschema
import pytest
from env_support import unhurried
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.environments.configuration import words
from sluicegate.flow.environments.configuration.config import (
    DEFAULT_OUTPUT,
    AllowedHosts,
    CommandLimits,
    HostNetwork,
    NoNetwork,
    Root,
    Roots,
    output_labels,
    source_label,
)
from sluicegate.flow.environments.configuration.reading import (
    environment_schema,
    read_change,
    read_environment,
)
from sluicegate.flow.environments.errors import EnvironmentConfigError


def test_all_keys(tmp_path: Path):
    (tmp_path / "out").mkdir()
    config = read_environment(
        {
            "provider": "container", "name": "build", "fs": {"read": [".:/app"], "write": ["out:/app/out", "out"]},
            "net": {"allow": ["API.example.org.", "*.example.com", "192.0.2.7", "2001:db8::1"]},
            "limits": {"mem": "1.5g", "cpu": 0.1, "time": "1.5s", "processes": 9, "file": 65536, "output": "1k"},
            "auth": "github", "tools": ["Read"], "mcps": [], "vars": ["HOME"], "taint": ["untrusted", "team:red"],
            "cwd": "/app", "image": "node:22-alpine", "from": "sluicegate/after", "snapshots": True,
        },
        base=tmp_path,
    )  # fmt: skip
    here = str(tmp_path)
    assert config.roots == Roots(
        read=(Root(host=here, inside="/app"),),
        write=(Root(host=f"{here}/out", inside="/app/out"), Root(host=f"{here}/out", inside=f"{here}/out")),
    )
    assert config.net == AllowedHosts(
        frozenset({"api.example.org", "*.example.com", "192.0.2.7", "2001:db8::1"})
    )
    assert config.limits == CommandLimits(
        mem=3 * 2**29, cpu=100, time=1500, processes=9, file=65536, output=1024
    )
    assert (config.auth, config.tools, config.mcps) == (
        frozenset({"github"}),
        frozenset({"Read"}),
        frozenset(),
    )
    assert source_label(config) == "src:env:container:build"
    assert output_labels(config) == {"src:env:container:build", "untrusted", "team:red"}
    assert (config.snapshot, config.snapshots, config.cwd) == ("sluicegate/after", True, "/app")


def test_what_is_left_out(tmp_path: Path):
    isolated = read_environment({}, base=tmp_path)
    assert (isolated.provider, isolated.net, isolated.roots, isolated.cwd) == (
        "bubblewrap",
        NoNetwork(),
        Roots(),
        "/tmp",
    )
    assert isolated.limits == CommandLimits(processes=2048, output=DEFAULT_OUTPUT)
    local = read_environment({"provider": "local"}, base=tmp_path)
    assert (local.net, local.roots, local.cwd) == (HostNetwork(), None, str(tmp_path))
    assert source_label(local) == "src:exec"
    assert read_environment({"fs": {"read": [".:/app"]}}, base=tmp_path).cwd == "/app"


WRONG = {
    "unknown key": ({"nets": "none"}, "unknown key 'nets'", "did you mean 'net'?"),
    "unknown limit": ({"limits": {"memory": "1g"}}, "unknown key 'limits.memory'", "mem"),
    "unknown file key": ({"fs": {"wirte": ["."]}}, "unknown key 'fs.wirte'", "fs.write"),
    "unknown net key": ({"net": {"deny": []}}, "unknown key 'net.deny'", "allow"),
    "wrong type": ({"tools": "Read"}, "Expected `array`", "docs/environments.md"),
    "net": ({"net": "bridge"}, "net is 'bridge'", "'none', 'host'"),
    "size": ({"limits": {"mem": "512x"}}, "limits.mem is '512x'", "512m"),
    "size with a blank": ({"limits": {"mem": "512 m"}}, "limits.mem", "512m"),
    "part of a byte": ({"limits": {"mem": "0.3k"}}, "limits.mem", "whole"),
    "no memory": ({"limits": {"mem": 0}}, "limits.mem", "above zero"),
    "negative": ({"limits": {"processes": -1}}, "limits.processes", "64"),
    "time without unit": ({"limits": {"time": "60"}}, "limits.time is '60'", "60s"),
    "time as number": ({"limits": {"time": 60}}, "Expected `str", "docs"),
    "infinite": ({"limits": {"cpu": "inf"}}, "limits.cpu", "1.5"),
    "too fine": ({"limits": {"cpu": 0.0001}}, "limits.cpu", "1.5"),
    "huge": ({"limits": {"mem": "9" * 15 + "t"}}, "limits.mem", "512m"),
    "name": ({"name": "a:b"}, "name is 'a:b'", "letters"),
    "provider": ({"provider": "../x"}, "provider is", "letters"),
    "variable": ({"vars": ["A=B"]}, "vars is 'A=B'", "letters"),
    "label": ({"taint": ["a b"]}, "taint is 'a b'", "segments"),
    "cd elsewhere": ({"vars": ["CDPATH"]}, "vars is 'CDPATH'", "cd leads elsewhere"),
    "blessing": ({"taint": ["trusted"]}, "cannot make its outputs 'trusted'", "policy"),
    "host": ({"net": {"allow": ["https://x"]}}, "net.allow", "no port"),
    "host with port": ({"net": {"allow": ["x:443/"]}}, "net.allow", "no port"),
    "image as option": ({"image": "--privileged"}, "image is", "node"),
    "cwd": ({"cwd": "../x"}, "cwd is", "absolute"),
    "no such root": ({"fs": {"read": ["nowhere"]}}, "the root 'nowhere'", "no such folder"),
    "root with a colon": ({"fs": {"read": [".:/a:b"]}}, "the root", "colon"),
    "root to a relative place": ({"fs": {"read": [".:app"]}}, "the root '.:app'", "absolute"),
    "root up": ({"fs": {"read": [".:/a/../b"]}}, "the root", "'..'"),
    "root to nothing": ({"fs": {"read": [".:"]}}, "the root '.:'", "HOST:INSIDE"),
    "root that is a device": ({"fs": {"read": ["/dev/null"]}}, "the root '/dev/null'", "plain files"),
    "root with NUL": ({"fs": {"read": ["a\0b"]}}, "the root 'a b'", "no such"),
    "root of nobody": ({"fs": {"read": ["~nobody-such/x"]}}, "the root", "no such"),
    "two roots at one place": (
        {"fs": {"read": [".:/a", "/usr:/a"]}},
        "two roots stand at '/a'",
        "HOST:INSIDE",
    ),
    "not a table": ([], "a table of keys", "provider"),
    "control characters": ({"a\x1b[31mb": 1}, "unknown key 'a [31mb'", "the keys are"),
}


@pytest.mark.parametrize(("data", "message", "hint"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_a_way_forward(tmp_path: Path, data, message: str, hint: str):
    with pytest.raises(EnvironmentConfigError) as caught:
        read_environment(data, base=tmp_path)
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.diagnostics().isprintable() or "\n" in caught.value.diagnostics()
    assert "\x1b" not in caught.value.diagnostics()


def test_a_root_is_resolved_and_shown_as_it_was_named(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    config = read_environment({"fs": {"read": [f"{tmp_path}/link"]}}, base=Path("/"))
    assert config.roots == Roots(read=(Root(host=f"{tmp_path}/real", inside=f"{tmp_path}/link"),))


@unhurried
@given(st.integers(1, 2**40), st.sampled_from("kmgt"))
def test_sizes_are_exact(number: int, unit: str):
    factor = 1024 ** ("kmgt".index(unit) + 1)
    if number * factor <= 2**62:
        assert words.size("x", f"{number}{unit}") == number * factor
    assert words.size("x", str(number)) == words.size("x", number) == number
    assert (
        words.size("x", f"{number}.5{unit}") == number * factor + factor // 2
        if number * factor < 2**61
        else True
    )


@unhurried
@given(st.text(max_size=12))
def test_a_size_is_read_or_refused_and_never_guessed(text: str):
    try:
        value = words.size("x", text)
    except EnvironmentConfigError:
        return
    assert value > 0
    assert text[0].isdigit()


def test_a_child_is_its_parent_with_some_keys_replaced(tmp_path: Path):
    (tmp_path / "src").mkdir()
    parent = read_environment(
        {"name": "a", "fs": {"write": [".:/app"]}, "limits": {"mem": "1g", "time": "9s"}, "taint": ["x"]},
        base=tmp_path,
    )
    change = {
        "name": "b",
        "fs": {"read": ["src"]},
        "limits": {"mem": "1m"},
        "taint": ["y"],
        "vars": [],
        "tools": ["T"],
    }
    child = read_change(parent, change, base=tmp_path)
    assert child.roots == Roots(read=(Root(host=f"{tmp_path}/src", inside="/app/src"),))
    assert (child.limits.mem, child.limits.time, child.labels) == (2**20, 9000, {"x", "y"})
    assert source_label(child) == "src:env:bubblewrap:a:b"
    assert read_change(parent, {}, base=tmp_path) == parent


def test_the_schema_says_the_same(tmp_path: Path):
    schema = environment_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    good = {
        "fs": {"write": ["."]},
        "net": {"allow": ["x.org"]},
        "limits": {"mem": "1g", "cpu": 1.5},
        "from": "x",
    }
    jsonschema.validate(json.loads(json.dumps(good)), schema)
    for bad in ({"nets": "none"}, {"limits": {"memory": 1}}, {"fs": []}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)
