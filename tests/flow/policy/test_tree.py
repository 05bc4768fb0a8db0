"""Text to tree: the same from TOML, YAML and JSON, with lines; what is ambiguous, huge or hostile is refused."""

import json
import tomllib

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.policy.text.positions import json_lines, toml_lines
from sluicegate.flow.policy.text.tree import (
    MOST_BYTES,
    MOST_NODES,
    check_bounds,
    parse,
    parse_file,
)

TOML = """\
# a policy
name = "ours"
[labels.secret]
deny = [
  "op:show",  # one
  "op:log",
]
[labels."src:mcp"]
deny = ["a:b", 'c']
[capabilities]
allow.cmd = ["cat", { git = ["status"] }]
text = '''
two lines
'''
last = 1.5
"""
YAML = """\
# a policy
name: ours
labels:
  secret:
    deny:
      - op:show
      - op:log
"""
JSON = '{"name": "ours",\n "labels": {"secret":\n  {"deny": ["op:show",\n "op:log"]}},\n "n": -1.5e3}'


def test_lines_of_toml_are_those_of_keys_and_entries():
    lines = parse(TOML, notation="toml", name="x").lines
    assert lines["name",] == 2
    assert lines["labels", "secret"] == 3
    assert lines["labels", "secret", "deny", 0] == 5
    assert lines["labels", "secret", "deny", 1] == 6
    assert lines["labels", "src:mcp", "deny", 1] == 9
    assert lines["capabilities", "allow", "cmd", 1, "git", 0] == 11
    assert lines["capabilities", "last"] == 15


def test_lines_of_yaml_and_json():
    found = parse(YAML, notation="yaml", name="x")
    assert found.root == {"name": "ours", "labels": {"secret": {"deny": ["op:show", "op:log"]}}}
    assert found.lines["labels", "secret", "deny", 1] == 7
    lines = parse(JSON, notation="json", name="x").lines
    assert lines["labels", "secret", "deny", 1] == 4
    assert lines["n",] == 5


def test_lines_of_tables_in_lists():
    lines = toml_lines("[[a.b]]\nx = 1\n[[a.b]]\nx = 2\n[[a.b.c]]\ny = 1\n[a.b.d]\nz = 1\n")
    assert lines["a", "b", 0, "x"] == 2
    assert lines["a", "b", 1, "x"] == 4
    assert lines["a", "b", 1, "c", 0, "y"] == 6
    assert lines["a", "b", 1, "d", "z"] == 8


_keys = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=0, max_size=6)
_trees = st.recursive(
    st.booleans() | st.integers(-(10**9), 10**9) | _keys,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=12,
)


def _paths(value, path=()):
    if isinstance(value, dict):
        for key, each in value.items():
            yield (*path, key)
            yield from _paths(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield (*path, at)
            yield from _paths(each, (*path, at))


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(_keys, _trees, max_size=4))
def test_every_path_of_a_json_document_has_the_line_it_stands_on(tree):
    text = json.dumps(tree, indent=1)
    lines = json_lines(text)
    rows = text.split("\n")
    for path in _paths(tree):
        assert path in lines
        if isinstance(path[-1], str):
            assert json.dumps(path[-1]) in rows[lines[path] - 1]


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(_keys, _trees, max_size=4))
def test_a_tree_is_the_same_from_json_and_yaml(tree):
    text = json.dumps(tree)
    assert parse(text, notation="json", name="x").root == tree
    dumped = yaml.safe_dump(tree, allow_unicode=False)
    assert parse(dumped, notation="yaml", name="x").root == tree


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=200))
def test_the_scanner_for_lines_takes_any_text(text):
    toml_lines(text)
    json_lines(text)


@pytest.mark.parametrize(
    ("notation", "text", "said"),
    [
        ("toml", "a = 1\na = 2\n", "not TOML"),
        ("toml", "[a]\n[a]\n", "not TOML"),
        ("json", '{"a": {"b": 1, "b": 2}}', "repeats the key 'b'"),
        ("json", '{"a": NaN}', "not a number of JSON"),
        ("json", "[" * 100_000, "not JSON"),
        ("json", '{"a": 1}}', "not JSON"),
        ("yaml", "a: 1\na: 2\n", "repeats the key 'a'"),
        ("yaml", "a: {b: 1, b: 2}\n", "repeats the key 'b'"),
        ("yaml", "a: !!python/object/apply:os.system ['id']\n", "holds no"),
        ("yaml", "a: !mine x\n", "holds no"),
        ("yaml", "a: 2026-11-22\n", "'timestamp'"),
        ("yaml", "? [1, 2]\n: x\n", "a key is a text"),
        ("yaml", "a: 1\n---\nb: 2\n", "not YAML"),
        ("yaml", "a: [\n", "not YAML"),
        ("yaml", "a: &x [*x]\n", "aliases"),
        ("toml", "a = 2026-11-22\n", "holds no date"),
        ("toml", "a = " + "[" * 30 + "]" * 30 + "\n", "nested deeper"),
        ("toml", "\x00", "not TOML"),
    ],
)
def test_what_is_ambiguous_or_hostile_is_refused(notation, text, said):
    with pytest.raises(PolicyError, match=said):
        parse(text, notation=notation, name="policy")


def test_aliases_are_paid_for_each_time_they_occur():
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)
    )
    with pytest.raises(PolicyError, match="aliases"):
        parse(bomb, notation="yaml", name="policy")
    small = parse("a: &x [1]\nb: *x\n", notation="yaml", name="policy")
    assert small.root == {"a": [1], "b": [1]}


def test_a_merge_key_is_a_key_like_any_other():
    assert parse("a: &x {b: 1}\nc:\n  <<: *x\n", notation="yaml", name="p").root["c"] == {"<<": {"b": 1}}


def test_yaml_keys_are_texts_as_written():
    assert parse("no: 1\n1: 2\nnull: 3\n", notation="yaml", name="p").root == {"no": 1, "1": 2, "null": 3}


def test_size_and_number_are_bounded():
    with pytest.raises(PolicyError, match="larger than"):
        parse("#" * (MOST_BYTES + 1), notation="toml", name="policy")
    with pytest.raises(PolicyError, match="more than"):
        check_bounds(list(range(MOST_NODES + 1)), name="policy")


def test_a_tree_of_something_else_is_refused():
    with pytest.raises(PolicyError, match="every key is a text"):
        check_bounds({1: 2}, name="p")
    with pytest.raises(PolicyError, match="holds no object"):
        check_bounds({"a": object()}, name="p")


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert parse("\ufeffname = 'x'\n", notation="toml", name="p").root == tomllib.loads("name = 'x'\n")


def test_files_that_are_none(tmp_path):
    (tmp_path / "p.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "dir.toml").mkdir()
    (tmp_path / "p.ini").write_text("a=1")
    for name, said in (
        ("p.toml", "UTF-8"),
        ("dir.toml", "not a file"),
        ("none.toml", "No such"),
        ("p.ini", "told"),
    ):
        with pytest.raises(PolicyError, match=said):
            parse_file(tmp_path / name, name=name)
