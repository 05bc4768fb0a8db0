import json
import tomllib
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.configs import read_yaml, yaml_lines
from sluicegate.vet.intake.views.configs.document import ENTRIES_MOST
from sluicegate.vet.intake.views.configs.structured import read_document, scalars

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


_YAML_BITS = st.text(alphabet=" ab:#-'\"[]{},&*!|>%@`?~01.+\té\u2028", max_size=15)
_YAML_KEYS = st.sampled_from(
    ["a", "yes", "name", "x-1", "_", "0", "on", "null", "b/c.d", "1.5", "- a", "- - b"]
)
_YAML_VALUES = st.one_of(
    _YAML_BITS,
    st.sampled_from(
        ["12", "true", "1.5", "~x", "ok it is", "[a, 'b', \"c\", 1]", "[ ]", "[a b , yes]", "# c"]
    ),
    _YAML_BITS.map("'{}'".format),
    _YAML_BITS.map('"{}"  '.format),
)
_YAML_LINES = st.one_of(
    st.builds("{}:".format, _YAML_KEYS),
    st.builds("{}: {}".format, _YAML_KEYS, _YAML_VALUES),
    st.builds("- {}".format, _YAML_VALUES),
    st.builds("-{}".format, _YAML_VALUES),
    st.builds("#{}".format, _YAML_BITS),
    _YAML_BITS,
    st.just(""),
)


@settings(max_examples=500)
@given(
    st.lists(st.builds(lambda n, line: " " * n + line, st.integers(0, 5), _YAML_LINES), max_size=7)
    | st.lists(
        st.builds(
            lambda n, line: "  " * n + line,
            st.integers(0, 2),
            st.builds("{}{}".format, _YAML_KEYS, st.sampled_from([":", ": b", ": [c]"])) | st.just("- d"),
        ),
        max_size=9,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\r", "\r\n"]),
)
@example(["a:", "- b", "-  c: d", "   e:", "   - f", "   g: [h, i]", "j:", "# k", "l:"], "\r\n", "\r")
@example(["a:", "  b:", "      c: d", "    # e", "  f: g", "h: 'i'"], "\n", "")
def test_lines_that_say_what_they_are_read_as_libyaml_reads_them(
    lines: list[str], ends: str, end: str
) -> None:
    text = ends.join(lines) + end
    quick = yaml_lines.read_lines(text)
    if quick is not None:
        assert quick == read_yaml._read_events(text)


def test_every_key_is_as_long_as_libyaml_takes_keys() -> None:
    text = "k" * 1100 + ": b\n"
    assert yaml_lines.read_lines(text) is None
    assert not read_document(text, Kind.YAML).complete


@pytest.mark.parametrize("unit", ["[a,a,a]\n", "- a:\n", "a:\n", "- [a,a]\n"])
def test_no_text_read_line_by_line_has_more_entries_than_are_read(unit: str) -> None:
    text = unit * (yaml_lines._LENGTH_MOST // len(unit))
    document = yaml_lines.read_lines(text)
    assert document is None or len(document.entries) * 3 < ENTRIES_MOST
    assert yaml_lines.read_lines(text + unit * 2) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("description: Sorts notes, by date (newest first).\n", "Sorts notes, by date (newest first)."),
        ("description: 'Sorts: notes'\n", "Sorts: notes"),
        ('description: "Sorts \\"notes\\""\n', 'Sorts "notes"'),
        ('metadata: {"a":{"b":["c"],"d": [{"e":"f"}, 1]},"g":"h: i"}\n', "h: i"),
        (
            'tools:\n- Bash\n- Read\nmetadata:\n    a:\n      b: []\ndescription: "Sorts # notes – é"\r',
            "Sorts # notes – é",
        ),
    ],
)
def test_an_ordinary_front_matter_needs_no_libyaml(text: str, value: str) -> None:
    quick = yaml_lines.read_lines("name: notes\n" + text)
    assert quick is not None
    assert quick.entries[-1].value == value
