import itertools

import report_samples as samples

from sluicegate.reach.report.words import advice as table
from sluicegate.reach.report.words.advice import advice
from sluicegate.reach.report.words.voices import VOICES
from sluicegate.vet.inspect.catalogue import rules
from sluicegate.vet.inspect.recorded_rules import RECORDED
from sluicegate.vet.verdict.types import Category, Decision, Severity

RULES = {**rules(), **RECORDED, **VOICES}
STOP, CAUTION, SAFE = Decision.DO_NOT_INSTALL, Decision.CAUTION, Decision.SAFE


def test_the_tables_name_rules_that_exist():
    assert set(table._BY_RULE) <= set(RULES)
    assert set(table._SPEAKS_TO_INSTALLER) <= set(RULES)
    assert not set(table._BY_RULE) & set(table._SPEAKS_TO_INSTALLER)
    assert set(table._LOOK) == set(Category)


def test_every_rule_says_what_to_do():
    for (name, rule), decision in itertools.product(RULES.items(), Decision):
        said, case = advice(rule, rule.severity, decision), (name, decision)
        assert said.do.endswith("."), case
        assert said.do != said.author, case
        assert said.author or rule.fix in (said.do, "Do not run it.") or name in table._SPEAKS_TO_INSTALLER, (
            case
        )
        if decision is not STOP:  # what is not blocked is not told to go away
            assert not said.do.startswith(("Do not install it", "Do not install.", "Remove the skill")), case


def test_a_grave_finding_of_a_blocked_skill_is_told_more_strictly():
    rule = RULES["python-secret-to-network"]
    assert advice(rule, Severity.HIGH, STOP).do.startswith(
        "Do not install it. If it has run, replace every key"
    )
    for severity, decision in ((Severity.MEDIUM, STOP), (Severity.CRITICAL, CAUTION), (Severity.HIGH, SAFE)):
        assert advice(rule, severity, decision).do.startswith("Find out what is sent")
    assert advice(rule, Severity.HIGH, STOP).author == rule.fix


def test_a_rule_of_the_user_says_what_its_author_wrote():
    rule = samples.PIN._replace(custom=True, category=Category.CUSTOM)
    assert advice(rule, rule.severity, STOP) == (rule.fix, "")
    assert advice(rule._replace(fix=""), rule.severity, STOP).do.startswith("One of your own rules")
