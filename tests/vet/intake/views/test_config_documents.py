import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.vet.intake.bundle import Kind
from penstock.vet.intake.views import read_yaml as read_yaml_module
from penstock.vet.intake.views.structured import read_document, scalars

FORMATS = [Kind.JSON, Kind.YAML, Kind.TOML, Kind.INI, Kind.PLIST, Kind.NOTEBOOK]


def test_json_with_comments_paths_and_lines() -> None:
    text = '{\n  // note\n  "a": {"b": [1, true, "x\\u0041"]},\n  /* two\n  lines */\n  "c": null,\n}'
    assert scalars(text, Kind.JSON) == [
        (("a", "b", 0), 1, 3),
        (("a", "b", 1), True, 3),
        (("a", "b", 2), "xA", 3),
        (("c",), None, 6),
    ]
    assert read_document(text, Kind.JSON).complete


def test_yaml_paths_lines_and_aliases() -> None:
    text = "a: &x\n  - one\n  - two: 3\nb: *x\nc: |\n  line 1\n  line 2\nd: yes\n"
    assert scalars(text, Kind.YAML) == [
        (("a", 0), "one", 2),
        (("a", 1, "two"), 3, 3),
        (("b",), "*x", 4),
        (("c",), "line 1\nline 2\n", 5),
        (("d",), True, 8),
    ]


def test_toml_paths_and_lines() -> None:
    text = (
        '[tool.poe.tasks]\nrun = "a b" # c\nmany = [\n  "x",\n  \'y\',\n]\n[[tool.list]]\na.b = 1\n'
        '[[tool.list]]\nt = { cmd = "z", n = [1.5] }\ns = """\nl1\nl2"""\n'
    )
    assert scalars(text, Kind.TOML) == [
        (("tool", "poe", "tasks", "run"), "a b", 2),
        (("tool", "poe", "tasks", "many", 0), "x", 4),
        (("tool", "poe", "tasks", "many", 1), "y", 5),
        (("tool", "list", 0, "a", "b"), 1, 8),
        (("tool", "list", 1, "t", "cmd"), "z", 10),
        (("tool", "list", 1, "t", "n", 0), 1.5, 10),
        (("tool", "list", 1, "s"), "l1\nl2", 11),
    ]


def test_ini_and_plist() -> None:
    assert scalars("[Service]\n# c\nExecStart=/bin/x --y\n  more\n", Kind.INI) == [
        (("Service", "ExecStart"), "/bin/x --y", 3),
        (("Service", "ExecStart"), "more", 4),
    ]
    text = "<plist><dict>\n<key>ProgramArguments</key>\n<array><string>sh</string>\n<string>a&amp;b</string></array>\n<key>K</key><true/></dict></plist>"
    assert scalars(text, Kind.PLIST) == [
        (("ProgramArguments", 0), "sh", 3),
        (("ProgramArguments", 1), "a&b", 4),
        (("K",), True, 5),
    ]


@pytest.mark.parametrize(
    "text",
    ["[" * 5000, '{"a":' * 5000, "- " * 5000, "[[" * 2000 + "a", "a." * 3000 + "b = 1", "x = " + "[" * 5000],
)
@pytest.mark.parametrize("kind", FORMATS)
def test_deep_nesting_is_refused_not_followed(text: str, kind: Kind) -> None:
    document = read_document(text, kind)
    assert all(len(entry.path) <= 210 for entry in document.entries)


def test_many_aliases_cost_nothing() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 500))
    assert len(read_document(text, Kind.YAML).entries) == 1 + 2 * 499


def test_a_kind_without_format_is_an_error() -> None:
    assert read_document("x", Kind.PYTHON).error


def flat(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        return [item for k, v in value.items() for item in flat(v, (*path, k))]
    if isinstance(value, list):
        return [item for i, v in enumerate(value) for item in flat(v, (*path, i))]
    return [(path, value)]


KEYS = st.text(min_size=1, max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=4), st.booleans(), st.booleans())
def test_json_agrees_with_the_standard_library(value: dict[str, Any], indent: bool, ascii_only: bool) -> None:
    text = json.dumps(value, indent=2 if indent else None, ensure_ascii=ascii_only)
    document = read_document(text, Kind.JSON)
    assert [(entry.path, entry.value) for entry in document.entries] == flat(value)
    assert document.complete


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,6}", fullmatch=True), st.integers() | st.booleans() | st.text(max_size=9)
    )
)
def test_toml_agrees_with_the_standard_library(value: dict[str, Any]) -> None:
    text = "[t]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in value.items())
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = {entry.path: str(entry.value) for entry in read_document(text, Kind.TOML).entries}
    assert found == {("t", k): str(v) for k, v in expected["t"].items()}


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet=st.sampled_from("ab\"'[]{}:,=-#\n \\&*!|>.<k/\t\ufeff\x00\x85"), max_size=120),
    st.sampled_from(FORMATS),
)
def test_reading_never_raises_and_lines_are_in_the_text(text: str, kind: Kind) -> None:
    for entry in read_document(text, kind).entries:
        assert 1 <= entry.first <= entry.last <= text.count("\n") + text.count("\x85") + 2


_YAML_BITS = st.text(alphabet=" ab:#-'\"[]{},&*!|>%@`?~01.+\te", max_size=15)


@given(
    st.lists(
        st.one_of(
            st.builds("{}: {}".format, st.sampled_from(["a", "yes", "name", "x-1", "_", "0"]), _YAML_BITS),
            st.builds(
                "{}: {}".format,
                st.sampled_from(["on", "null", "b"]),
                st.sampled_from(["12", "true", "1.5", "~x", "ok it is"]),
            ),
            st.builds(
                "{}: {}".format,
                st.sampled_from(["a", "no"]),
                st.one_of(_YAML_BITS.map("'{}'".format), _YAML_BITS.map('"{}"  '.format)),
            ),
            _YAML_BITS,
            st.just(""),
        ),
        max_size=4,
    )
)
def test_a_flat_mapping_reads_as_libyaml_reads_it(lines: list[str]) -> None:
    text = "\n".join(lines)
    quick = read_yaml_module._flat(text)
    if quick is not None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(read_yaml_module, "_flat", lambda text: None)
            assert quick == read_yaml_module.read_yaml(text)


@pytest.mark.parametrize(
    "value", ["Sorts notes, by date (newest first).", "'Sorts: notes'", '"Sorts # notes"']
)
def test_an_ordinary_front_matter_needs_no_libyaml(value: str) -> None:
    quick = read_yaml_module._flat(f"name: notes\ndescription: {value}\n")
    assert quick is not None
    assert quick.entries[1].value == value.strip("'\"")
