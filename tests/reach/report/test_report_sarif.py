import importlib.util
import json
import tomllib
from pathlib import Path
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest
import report_samples as samples
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sluicegate import __version__
from sluicegate.reach.report import sarif
from sluicegate.reach.report.formats import render
from sluicegate.reach.report.words import references
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.catalogue import rules
from sluicegate.vet.inspect.recorded_rules import RECORDED
from sluicegate.vet.verdict.types import GapReason

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "data" / "sarif" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)
VALIDATOR = jsonschema.Draft4Validator(SCHEMA)


def run_of(report):
    log = json.loads(render(report, "sarif"))
    VALIDATOR.validate(log)
    return log["runs"][0]


@pytest.mark.parametrize("name", samples.ALL)
def test_the_log_is_valid_sarif(name):
    run = run_of(samples.ALL[name]())
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert len(result["partialFingerprints"]["sluicegate/v2"]) == 32
        artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
        if "index" in artifact:
            assert run["artifacts"][artifact["index"]]["location"]["uri"] == artifact["uri"]


def test_a_result_says_what_where_and_how_bad():
    run = run_of(samples.bad())
    first = run["results"][0]
    assert first["ruleId"] == "secret-to-network"
    assert first["level"] == "error"
    assert first["rank"] == 95
    physical = first["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "pdf-helper/scripts/sync.py"
    assert (physical["region"]["startLine"], physical["region"]["endLine"]) == (14, 16)
    rule = run["tool"]["driver"]["rules"][first["ruleIndex"]]
    assert rule["properties"]["security-severity"] == "9.5"
    assert "external/cwe/cwe-200" in rule["properties"]["tags"]
    assert "What to do" in rule["help"]["text"]
    assert run["properties"]["decision"] == "DO_NOT_INSTALL"
    assert run["properties"]["skills"][0]["score"] == 100


def test_what_has_no_lines_has_a_region_all_the_same():
    verdict = samples.a_verdict(findings=(samples.a_finding(samples.PIN, "link", 0),), score=2)
    run = run_of(samples.a_report(samples.a_skill("s", verdict)))
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


@pytest.mark.parametrize("rule", ["impersonation", "two-words"])
def test_a_rule_of_one_word_has_no_name_beside_its_identifier(rule):
    descriptor = sarif._name(rule)
    assert all(name.lower() != rule for name in descriptor.values())
    assert bool(descriptor) == ("-" in rule)


def test_every_rule_has_what_code_scanning_asks_of_one():
    rules = run_of(samples.unruled())["tool"]["driver"]["rules"]
    assert "reviewer-finding" in [rule["id"] for rule in rules], "of which the report describes nothing"
    for rule in rules:
        assert all(rule[text]["text"] for text in ("shortDescription", "fullDescription", "help"))


def test_members_of_archives_keep_their_way():
    uris = {a["location"]["uri"] for a in run_of(samples.bad())["artifacts"]}
    assert "pdf-helper/assets/bundle.zip!/tools/setup.py" in uris


def test_accepted_findings_are_suppressions():
    accepted = [r for r in run_of(samples.bad())["results"] if r.get("suppressions")]
    assert len(accepted) == 1
    assert accepted[0]["suppressions"][0] == {
        "kind": "external",
        "status": "accepted",
        "justification": "only used by the people who develop the skill (mira@example.org, until 2027-03-01)",
    }


def test_gaps_and_limits_are_notifications():
    notifications = run_of(samples.bad())["invocations"][0]["toolExecutionNotifications"]
    gap = notifications[0]
    assert gap["level"] == "warning"
    assert gap["descriptor"]["id"] == "gap/encrypted"
    assert (
        gap["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "pdf-helper/assets/private.zip"
    )
    assert [n["message"]["text"] for n in notifications[-3:]] == list(samples.LIMITS)


def test_results_are_bounded_and_the_worst_are_kept(monkeypatch):
    monkeypatch.setattr(sarif, "RESULTS", 3)
    run = run_of(samples.bad())
    assert [r["properties"]["severity"] for r in run["results"]] == ["CRITICAL"] * 3
    texts = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert "5 results are over the limit of 3 and left out here." in texts


def test_tags_are_bounded():
    rule = samples.PIPE._replace(references=tuple(f"CWE-{n}" for n in range(1, 40)))
    run = run_of(samples.a_report(samples.bad_skill(), rules=(rule,)))
    assert all(
        len(r["properties"]["tags"]) <= 20 for r in run["tool"]["driver"]["rules"] if "properties" in r
    )


@pytest.mark.parametrize("nasty", samples.NASTY)
def test_hostile_text_breaks_nothing(nasty):
    text = render(samples.hostile(lambda: nasty), "sarif")
    log = json.loads(text)
    VALIDATOR.validate(log)
    assert not [c for c in text if c != "\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0)]
    for result in log["runs"][0]["results"]:
        check_uri(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        assert "[" not in result["message"]["text"].replace("\\[", "")


@given(st.text(st.characters(codec=None), max_size=20))
@example("\ufffd")
@settings(max_examples=30, deadline=None)
def test_any_path_is_a_uri(text):
    for result in run_of(samples.hostile(lambda: f"p{text}"))["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        check_uri(uri, replaced="\ufffd" in text)


def check_uri(uri, *, replaced=False):
    """``replaced``: the path itself holds the character that stands for what cannot be decoded."""
    assert uri.isascii()
    assert not set(uri) & set(' <>"{}|\\^`\x00\n')
    assert urlsplit(uri).scheme in ("", "file")
    assert not urlsplit(uri).netloc
    assert ("\ufffd" in unquote(uri, errors="strict")) is replaced


def test_what_reviewers_and_persons_said():
    run = run_of(samples.reviewed())
    first = run["results"][0]["properties"]
    assert first["kind"] == "command"
    assert first["opinions"] == ["model-a: suspicious, 70 %: an odd order"]
    assert {
        rule["properties"]["kind"] for rule in run["tool"]["driver"]["rules"] if "properties" in rule
    } == {"command"}
    skill = run["properties"]["skills"][0]
    assert (skill["decision"], skill["computed"]) == ("SAFE", "DO_NOT_INSTALL")
    assert "guard (other, detector): malicious" in skill["reviewers"]
    assert skill["rulings"][0].startswith("approved, also as an override, by omar@example.org")
    notes = run["invocations"][0]["toolExecutionNotifications"]
    told = {note["descriptor"]["id"]: note for note in notes if "descriptor" in note}
    assert told["gap/opaque"]["level"] == "warning"
    assert told["gap/encrypted"]["level"] == "note"
    assert "mira@example.org until 2027-03-01" in told["gap/encrypted"]["message"]["text"]
    assert told["injection-seen"]["level"] == "error"
    VALIDATOR.validate(json.loads(render(samples.reviewed(), "sarif")))


def test_rules_and_notifications_say_where_and_what_to_do(monkeypatch):
    driver = run_of(samples.bad())["tool"]["driver"]
    assert driver["informationUri"] == "urn:sluicegate:tool"
    rule = driver["rules"][-1]
    assert rule["helpUri"] == f"urn:sluicegate:rule:{rule['id']}"
    assert "For the author: " in rule["help"]["text"]
    assert rule["help"]["text"].endswith(f"sluicegate rules {rule['id']}")
    for notice in driver["notifications"]:
        for text in ("shortDescription", "fullDescription", "help"):
            assert notice[text]["text"].strip()
    assert {notice["id"] for notice in driver["notifications"]} == {"gap/encrypted", "stale-baseline-entry"}
    monkeypatch.setattr(references, "HOME", "https://git.example.com/sluicegate")
    driver = run_of(samples.bad())["tool"]["driver"]
    assert driver["rules"][-1]["helpUri"] == (
        f"https://git.example.com/sluicegate/blob/v{__version__}/tests/rules/{rule['id']}.md"
    )


def test_an_organisation_says_where_rules_have_their_pages():
    own = "https://wiki.example.com/sec/{id}?from=sarif"
    for url, page in (
        (own, "https://wiki.example.com/sec/ID?from=sarif"),
        ("https://d.example.com/s/", "https://d.example.com/s/rule/ID.html"),
    ):
        report = samples.bad()
        log = json.loads(render(report, "sarif", rules_url=url))
        VALIDATOR.validate(log)
        known = {
            rule["id"]: rule["helpUri"]
            for rule in log["runs"][0]["tool"]["driver"]["rules"]
            if "helpUri" in rule
        }
        assert known and known == {id: page.replace("ID", id) for id in known}
        found = next(finding.rule for finding in report.skills[0].verdict.findings if finding.rule in known)
        place = page.replace("ID", found)
        assert f"(<{place}>)" in render(report, "markdown", rules_url=url)
        assert f'href="{place}"' in render(report, "html", rules_url=url)
        assert f"8;;{place}" in render(report, "text", rules_url=url, links=True)
        assert f"8;;{place}" in render(report, "concise", rules_url=url, links=True)


@pytest.mark.parametrize(
    "address",
    ["", " ", "rules", "javascript:alert(1)", "ftp://x/y", "https://", "https:///x", "https://x/a b", 'https://x/"', "https://x/<", "https://x/\x1b]8;;", "https://x/{name}", "https://{id}/x", "https://x/" + "a" * 1000, "https://x/\u202e", "file://x"],
)  # fmt: skip
def test_what_is_no_address_of_pages_is_refused(address):
    with pytest.raises(ConfigError, match="rules-url cannot be"):
        references.checked_pages(address)


@pytest.mark.parametrize("id", [*(f"gap/{reason.value}" for reason in GapReason), *sarif._NOTICES])
def test_every_notification_is_described(id):
    notice = sarif._notice(id)
    assert notice["id"] == id
    assert all(notice[text]["text"].endswith(".") for text in ("fullDescription", "help"))


def test_the_address_is_the_one_that_the_package_names():
    root = Path(__file__).parents[3]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project.get("urls", {}).get("Repository", "") == references.HOME
    assert project.get("urls", {}).get("Documentation", "") == references.SITE


def test_the_site_and_the_repository_have_the_page_of_every_rule_that_a_report_points_to(
    tmp_path, monkeypatch
):
    root = Path(__file__).parents[3]
    spec = importlib.util.spec_from_file_location("site_build", root / "docs/site/build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    build.prepare(tmp_path / "site")  # what Sphinx makes pages of: NAME.md becomes NAME.html
    monkeypatch.setattr(references, "SITE", "https://docs.example.com/sluicegate/")
    report = samples.bad()._replace(rules=tuple(rules().values()))
    driver = run_of(report)["tool"]["driver"]
    pages = {rule["id"]: rule["helpUri"] for rule in driver["rules"] if "helpUri" in rule}
    assert {rule.id for rule in rules().values()} - set(RECORDED) <= pages.keys()
    for id, address in pages.items():
        page = address.removeprefix("https://docs.example.com/sluicegate/")
        assert page != address and page.endswith(".html")
        assert (tmp_path / "site" / page).with_suffix(".md").is_file(), id
        assert (root / references.source_page(id)).is_file(), id
