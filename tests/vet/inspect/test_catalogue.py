"""The catalogue: every rule is complete, and knows its place."""

from __future__ import annotations

import re
import subprocess
import sys

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect import catalogue, near
from sluicegate.vet.inspect.compile import RULES, WITHIN, load_metadata, pattern_rule, sources
from sluicegate.vet.inspect.rule import RuleKind

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def test_rules_are_complete() -> None:
    for rule_id, rule in catalogue.rules().items():
        assert rule.id == rule_id
        assert ID.fullmatch(rule_id), rule_id
        assert 0 < rule.confidence <= 1000, rule_id
        assert rule.title and not rule.title.endswith("."), rule_id
        assert rule.why.endswith("."), rule_id
        assert rule.fix.endswith("."), rule_id
        assert rule.references, rule_id
        for reference in rule.references:
            assert catalogue.REFERENCE.fullmatch(reference), (rule_id, reference)


def test_rules_are_sorted_and_of_three_kinds() -> None:
    rules = catalogue.rules()
    assert list(rules) == sorted(rules)
    assert {rule.kind for rule in rules.values()} == set(RuleKind)


def test_rules_of_hidden_views_stand_in_their_own_file() -> None:
    own = re.findall(r"^rule (\w+)", sources()[WITHIN], re.MULTILINE)
    within = [name for name, meta in load_metadata().items() if pattern_rule(name, meta).within]
    assert sorted(own) == sorted(within)


def test_patterns_named_in_metadata_exist() -> None:
    text = "\n".join(sources().values())
    bodies = dict(re.findall(r"^rule (\w+)\s*\{(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    for name, meta in load_metadata().items():
        pattern = pattern_rule(name, meta)
        named = {*pattern.unless, *pattern.before, *pattern.after, *pattern.rest, *near.named(pattern.near)}
        for helper in named | ({pattern.evidence} if pattern.evidence else set()):
            assert re.search(rf"^\s+\${helper} = ", bodies[name], re.MULTILINE), (name, helper)


def test_an_analyzer_without_an_enabled_rule_is_left_out() -> None:
    only = catalogue.build_analyzers(ScanConfig(enable=("pipe-to-shell",)))
    assert len([analyzer for analyzer in only if analyzer.rules]) == 1
    assert "pipe-to-shell" in only[0].rules
    assert catalogue.build_analyzers(ScanConfig(disable=("*",))) == ()


def test_disabled_rules_are_named() -> None:
    config = ScanConfig(disable=("pipe-*", "reverse-shell"))
    off = catalogue.disabled(config, catalogue.rules())
    assert "pipe-to-shell" in off
    assert "reverse-shell" in off
    assert "encoded-command" not in off


def test_the_catalogue_imports_no_heavy_library() -> None:
    code = (
        "import sys; import sluicegate.vet.inspect.catalogue; "
        "heavy = {'yaml', 'tree_sitter', 'rich', 'yara_x', 'msgspec', 'click'}; print(sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_rule_files_are_ascii_and_have_a_heading() -> None:
    for path in sorted(RULES.glob("*.yar")):
        text = path.read_text(encoding="utf-8")
        assert text.isascii() or path.name.startswith("languages"), path.name
        assert text.startswith("// "), path.name
