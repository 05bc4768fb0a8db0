"""``sluicegate review`` and ``scan --review``: models are asked when that is asked for, and can only raise an alarm."""

import html
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from reviewing_samples import GOOD, SEAT

from model_personalities import MISLED, always_malicious, always_safe, honest, opinion
from model_server import Asked, Say

ROOT = Path(__file__).resolve().parents[3]
HONEST = (("honest", "findings", "gpt"), ("honest", "skill", "gpt"), ("safe", "skill", "claude"))


def test_without_a_seat_three_lines_say_how_and_nothing_is_sent(sluicegate, mine):
    ran = sluicegate("review", "good")
    assert (ran.code, ran.out, mine.asked) == (2, "", 0)
    said, *how = ran.err.splitlines()
    assert "nothing was sent" in said
    assert (
        len(how) == 3 and "ollama pull" in how[0] and "127.0.0.1" in how[1] and "url of each seat" in how[2]
    )
    mine.settings.write_text(how[1] + "\n")
    ran = sluicegate("review", "good", "--dry-run")
    assert ran.code == 0 and "local (skill): qwen3 (qwen) at http://127.0.0.1:11434/v1" in ran.out


@pytest.mark.parametrize("words", [("review",), ("scan", "--review")])
def test_a_review_decides_by_what_the_rules_and_the_models_say(sluicegate, mine, words):
    mine.seats(*HONEST)
    ran = sluicegate(*words, "good", "-f", "json")
    (skill,) = json.loads(ran.out)["skills"]
    assert (ran.code, skill["decision"]) == (0, "SAFE")
    assert [seat["vote"] for seat in skill["review"]["seats"]] == ["SAFE", "SAFE"]
    limits = " ".join(json.loads(ran.out)["limits"])
    assert "No model reviewed" not in limits and "No network" not in limits and "not looked up" in limits
    assert sluicegate(*words, "bad").code == 1
    mine.seats(*HONEST[:2], ("malicious", "detector", "qwen"))
    ran = sluicegate(*words, "good")
    assert ran.code == 1 and "a reviewer saw an injection" in ran.out.lower()


def adds(asked: Asked) -> Say:
    """A reviewer of the whole skill who finds something that no rule does."""
    added = {
        "severity": "HIGH",
        "confidence": 0.9,
        "path": "SKILL.md",
        "line": 5,
        "note": "odd \x1b[2J order",
    }
    return Say(opinion(asked, "SUSPICIOUS", added=[added]))


@pytest.mark.parametrize("form", ["text", "json", "sarif", "html", "markdown", "github", "concise"])
def test_what_a_model_adds_is_in_every_report(sluicegate, mine, form):
    mine.models["adds"] = adds
    mine.seats(("adds", "skill", "gpt"), ("safe", "skill", "claude"))
    ran = sluicegate("review", "good", "-f", form)
    assert ran.code == 3, ran.err
    assert "reviewer-finding" in ran.out or "A reviewer found something" in ran.out
    assert "\x1b" not in ran.out
    if form == "sarif":
        (rule,) = json.loads(ran.out)["runs"][0]["tool"]["driver"]["rules"]
        assert rule["id"] == "reviewer-finding" and "helpUri" not in rule


@pytest.mark.parametrize("form", ["text", "json", "sarif", "gitlab", "html", "markdown", "github", "concise"])
def test_every_report_says_why_when_reviewers_alone_block(sluicegate, mine, form):
    quoted = '{"injection": true, "injection_evidence": "\\"Sort the notes\\" in SKILL.md, line 5"}'
    mine.models["sees"] = lambda asked: Say(quoted)
    mine.models["condemns"] = lambda asked: Say(
        opinion(asked, "MALICIOUS").replace('"summary": "', '"summary": "It posts <b>all</b> of them. ')
    )
    mine.models["unsure"] = lambda asked: Say(opinion(asked, "SUSPICIOUS"))
    mine.seats(("condemns", "skill", "gpt"), ("unsure", "skill", "claude"), ("sees", "detector", "qwen"))
    ran = sluicegate("review", "good", "-f", form)
    plain = " ".join(html_text(ran.out).split())
    assert ran.code == 1
    assert "Sort the notes" in plain and "SKILL.md" in plain and "It posts " in plain
    assert form != "html" or "<b>all" not in ran.out
    if form == "sarif":
        log = json.loads(ran.out)
        found = {
            each["ruleId"]: each["locations"][0]["physicalLocation"] for each in log["runs"][0]["results"]
        }
        assert found["reviewer-saw-injection"]["region"]["startLine"] == 5
        assert {"reviewer-saw-injection", "reviewer-says-malicious", "reviewer-doubts"} == set(found)
        assert {place["artifactLocation"]["uri"] for place in found.values()} == {"good/SKILL.md"}
    elif form == "gitlab":
        issues = {each["check_name"]: each for each in json.loads(ran.out)}
        assert issues["reviewer-saw-injection"]["location"]["lines"]["begin"] == 5
        assert issues["reviewer-says-malicious"]["severity"] == "blocker"
    elif form in ("concise", "github"):
        assert "SKILL.md:5: REVIEW" in ran.out or "SKILL.md,line=5," in ran.out


def html_text(page):
    return html.unescape(re.sub("<[^>]*>", "", page)) if "<html" in page else page.replace("\\", "")


def test_seats_for_findings_alone_have_nothing_to_say_of_a_skill_without(sluicegate, mine):
    mine.seats(("safe", "findings", "gpt"), ("frightened", "findings", "claude"))
    ran = sluicegate("review", "good")
    assert (ran.code, mine.asked) == (3, 0)
    assert 'give one role = "skill"' in " ".join(ran.out.split())


def test_one_family_alone_is_never_safe(sluicegate, mine):
    mine.seats(("safe", "skill", "gpt"), ("frightened", "detector", "claude"))
    ran = sluicegate("review", "good")
    assert ran.code == 3 and "2 known families" in ran.out


def test_a_scan_sends_nothing_unless_asked(sluicegate, mine):
    mine.seats(*HONEST)
    assert sluicegate("scan", "good").code == 0
    assert mine.asked == 0


def test_a_repository_configures_no_review(sluicegate, mine, tmp_path):
    mine.seats(*HONEST, more="[review]\nbudget-tokens = 7\n")
    for place in (tmp_path / "work", tmp_path / "work" / "good"):
        mine.settings.replace(place / "sluicegate.toml")
        ran = sluicegate("review", "good")
        assert (ran.code, mine.asked) == (2, 0)
        (place / "sluicegate.toml").replace(mine.settings)
    mine.settings.with_name("other.toml").write_text("")
    (tmp_path / "work" / "sluicegate.toml").write_text("[review]\nbudget-tokens = 1\nbudget-cost = 0.1\n")
    mine.seats(*HONEST)
    ran = sluicegate("review", "good")
    assert ran.code == 0 and "not applied: review.budget-tokens, review.budget-cost" in ran.err


def test_a_dry_run_says_all_and_sends_nothing(sluicegate, mine):
    mine.seats(*HONEST)
    ran = sluicegate("review", "bad", "good", "--dry-run")
    assert (ran.code, mine.asked) == (0, 0)
    first, *_, last = ran.out.splitlines()
    assert first.startswith("5 questions to 3 seats: at most about ") and first.endswith(
        "budget: 5,000,000 tokens"
    )
    assert last == "nothing was sent"
    assert "s0-honest (findings): honest (gpt) at http://127.0.0.1" in ran.out


def test_what_it_may_cost_fits_a_narrow_terminal(sluicegate, mine, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    mine.seats(*HONEST)
    ran = sluicegate("review", "bad", "--dry-run")
    addresses = ("http://", "--")
    assert all(len(row) <= 40 or row.strip().startswith(addresses) for row in ran.out.splitlines()), ran.out


def test_what_was_answered_is_not_asked_again(sluicegate, mine):
    mine.seats(*HONEST)
    first = sluicegate("review", "bad", "-f", "json", "-q")
    count = mine.asked
    again = sluicegate("review", "bad", "-f", "json", "-q")
    assert again.out == first.out and mine.asked == count
    offline = sluicegate("review", "bad", "--offline", "-f", "json", "-q")
    assert mine.asked == count
    assert json.loads(offline.out)["skills"] == json.loads(first.out)["skills"]
    unknown = sluicegate("review", "good", "--offline")
    assert unknown.code == 3 and mine.asked == count
    assert "with --offline nothing is asked (not-recorded)" in " ".join(unknown.out.split())


def test_afresh_what_changed_is_told(sluicegate, mine):
    mine.seats(*HONEST[1:])
    assert sluicegate("review", "good").code == 0
    mine.models["safe"] = always_malicious
    assert sluicegate("review", "good").code == 0
    ran = sluicegate("review", "good", "--fresh")
    assert ran.code == 1 and mine.asked == 4
    assert "s1-safe changed its mind on package 1 of good: safe before, malicious now." in " ".join(
        ran.out.split()
    )
    mine.models["safe"] = always_safe
    ran = sluicegate("review", "good", "--fresh")
    assert ran.code == 1, "no model takes an alarm away, not even the one that raised it"
    said = "malicious before, safe now. What it said before still counts, until a person rules."
    assert said in " ".join(ran.out.split())
    assert sluicegate("review", "good").code == sluicegate("review", "good", "--offline").code == 1


RECIPES = re.findall(
    r"<!-- recipe (\w+) -->\n```toml\n(.*?)```", (ROOT / "docs" / "review.md").read_text("utf-8"), re.DOTALL
)


@pytest.mark.parametrize(("name", "text"), RECIPES)
def test_the_recipes_are_good_settings_of_two_families(sluicegate, mine, name, text):
    mine.settings.write_text(text)
    ran = sluicegate("review", str(ROOT / "examples" / "skills"), "--dry-run", "--review-anyway")
    assert (ran.code, mine.asked) == (0, 0)
    assert ran.out.startswith("11 questions to 4 seats")
    skills = re.findall(r"\(skill\): \S+ \((\w+)\)", ran.out)
    assert len(set(skills)) == 2


def test_there_are_recipes():
    assert [name for name, _ in RECIPES] == ["local", "vendors"]


def test_a_budget_is_held(sluicegate, mine):
    mine.seats(*HONEST)
    ran = sluicegate("review", "good", "--budget", "tokens=1k")
    assert (ran.code, mine.asked) == (3, 0)
    assert "the budget may not be enough" in ran.err
    assert "the budget had no room for more (budget)" in " ".join(ran.out.split())
    mine.seats(*HONEST, more="[review]\nbudget-tokens = 1000\n")
    assert sluicegate("review", "good").code == 3
    assert sluicegate("review", "good", "--budget", "tokens=1M").code == 0
    assert (
        sluicegate("review", "good", "--budget", "tokens=1M", "--budget", "cost=0.5", "--fresh").code == 0
    ), "a seat on this machine costs nothing"


@pytest.mark.parametrize(
    "word",
    [
        "x",
        "tokens",
        "tokens=",
        "tokens=0",
        "tokens=-1",
        "tokens=1.5",
        "cost=nan",
        "cost=1e9",
        "cost=²",
        "money=3",
    ],
)
def test_a_budget_that_is_none_is_refused(sluicegate, mine, word):
    mine.seats(*HONEST)
    ran = sluicegate("review", "good", "--budget", word)
    assert (ran.code, mine.asked) == (2, 0) and "--budget" in ran.err


def test_what_a_rule_rejects_by_itself_is_put_before_nobody(sluicegate, mine):
    mine.seats(*HONEST)
    dry = sluicegate("review", "aimed", "--dry-run").out
    assert "no model is asked about aimed: its text gives orders to reviewers" in dry
    assert "gives orders" not in sluicegate("review", "aimed", "--dry-run", "--review-anyway").out
    assert "gives orders" not in sluicegate("review", "good", "--dry-run").out
    ran = sluicegate("review", "aimed")
    assert (ran.code, mine.asked) == (1, 0)
    assert "No model was asked about aimed" in " ".join(ran.out.split())
    mine.seats(("safe", "findings", "gpt"), ("frightened", "skill", "claude"))
    ran = sluicegate("review", "aimed", "--review-anyway", "-f", "json")
    assert ran.code == 1 and mine.asked == 2
    assert [seat["vote"] for seat in json.loads(ran.out)["skills"][0]["review"]["seats"]] == ["SAFE", "SAFE"]


def test_no_crowd_of_models_makes_it_milder(sluicegate, mine):
    families = ("gpt", "claude", "qwen")
    mine.seats(
        *((name, "findings", families[n % 3]) for n, name in enumerate(sorted(MISLED)) if name != "honest")
    )
    assert sluicegate("review", "bad", "--summary").code == 1
    mine.seats(
        *(
            (name, "skill", families[n % 3])
            for n, name in enumerate(("safe", "frightened", "parrot", "401", "page"))
        )
    )
    assert sluicegate("review", "good", "--summary").code == 3, "two answer, and two fail"


def test_where_a_model_did_not_answer_caution_is_a_failure(sluicegate, mine):
    mine.seats(("safe", "skill", "gpt"))
    assert sluicegate("review", "good", "--fail-on", "do-not-install").code == 0
    mine.seats(("safe", "skill", "gpt"), ("401", "skill", "claude"))
    assert sluicegate("review", "good", "--fail-on", "do-not-install").code == 3


def test_what_is_wrong_with_a_seat_is_said_with_what_to_do(sluicegate, mine):
    mine.seats(("401", "skill", "gpt"), ("404-model", "skill", "claude"), more="")
    with mine.settings.open("a") as more:
        more.write(
            SEAT.format(
                name="gone",
                wire="openai-chat",
                url="http://127.0.0.1:9/v1",
                model="m",
                family="qwen",
                role="skill",
            )
        )
        more.write(
            SEAT.format(
                name="keyless",
                wire="openai-chat",
                url="http://127.0.0.1:9/v2",
                model="m",
                family="qwen",
                role="skill",
            )
        )
        more.write('key = "env:NOT_SET_ANYWHERE"\n')
    ran = sluicegate("review", "good")
    said = " ".join(ran.out.split())
    assert ran.code == 3
    for words in (
        "s0-401 did not answer on 1 of 1 package: the key was not accepted; look at the seat's key = ... (status 401)",
        "s1-404-model did not answer on 1 of 1 package: the server does not know the seat's model",
        "gone did not answer on 1 of 1 package: nothing answers at the seat's url; is the server running",
        "the environment variable NOT_SET_ANYWHERE is not set. Set it where Sluicegate is started (setup).",
        "'sluicegate doctor --review' asks each seat one short question",
    ):
        assert words in said
    mine.seats(*HONEST[1:])
    assert "doctor" not in sluicegate("review", "good").out


def test_words_of_models_and_servers_are_escaped(sluicegate, mine):
    def hostile(asked: Asked) -> Say:
        return Say(opinion(asked, "MALICIOUS", note="\x1b]0;owned\x07 \u202e <script>"))

    mine.models["hostile"] = hostile
    mine.seats(("hostile", "findings", "gpt"), ("400", "skill", "qwen"))
    ran = sluicegate(
        "review", "bad", "-o", "r.html", "-o", "r.json", "-o", "r.md", "-f", "text", "--color", "always"
    )
    assert ran.code == 1
    texts = [ran.out, ran.err, *(Path(name).read_text() for name in ("r.html", "r.json", "r.md"))]
    for text in texts:
        assert "\x1b]" not in text and "\u202e" not in text and "\x07" not in text
    assert (
        "<script>"
        not in texts[2].replace("<script nonce", "").partition("</head>")[2].partition("<script")[0]
    )


def test_no_name_of_a_skill_gives_an_order_to_a_build(sluicegate, mine):
    """GitHub reads a row that begins with ``::``, behind blanks as well, as an order."""
    name = "::error::" + "x" * 60
    Path(name).mkdir()
    (Path(name) / "SKILL.md").write_text(Path("aimed/SKILL.md").read_text())
    mine.seats(("safe", "skill", "gpt"))
    for words in ((name, "--dry-run"), (name,)):
        ran = sluicegate("review", *words)
        assert "x" * 60 in ran.out + ran.err
        assert not re.search(r"^\s*::", f"{ran.out}\n{ran.err}", re.MULTILINE)


def test_a_certificate_of_a_review_can_be_checked(sluicegate, mine):
    mine.seats(*HONEST)
    assert sluicegate("review", "bad", "--certificate", "c.json").code == 1
    done = subprocess.run(
        [sys.executable, str(ROOT / "spec" / "check.py"), "c.json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "DO_NOT_INSTALL follows" in done.stdout


def test_what_finds_no_room_is_said_and_never_safe_and_certified_so(sluicegate, mine, tmp_path):
    prose = "".join(f"Step {n}: sort note {n} by its date and show it to the user.\n" for n in range(1_500))
    (tmp_path / "work" / "good" / "SKILL.md").write_text(GOOD + prose)
    mine.seats(*HONEST[1:])
    ran = sluicegate("review", "good", "--certificate", "c.json")
    assert ran.code == 3 and "not everything of good finds room" in ran.err
    checked = subprocess.run(
        [sys.executable, str(ROOT / "spec" / "check.py"), "c.json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "CAUTION follows" in checked.stdout
    mine.seats(*HONEST[1:], more="[review]\nskill-tokens = 60_000\n")
    assert sluicegate("review", "good").code == 0
    assert '"complete":true' in sluicegate("mediate", "good").out.replace(" ", "")
    mine.seats(*HONEST[1:], more="[review]\nskill-tokens = 60\n")
    ran = sluicegate("review", "good")
    assert ran.code == 2 and "skill_tokens" in ran.err


def test_what_is_accepted_stays_accepted(sluicegate, mine):
    accepted = str(mine.settings.parent / "accepted.toml")
    assert (
        sluicegate("baseline", "bad", "--reason", "a test", "--owner", "mira", "--output", accepted).code == 0
    )
    mine.seats(("safe", "findings", "gpt"), ("frightened", "skill", "claude"))
    before = json.loads(sluicegate("scan", "bad", "--baseline", accepted, "-f", "json").out)["skills"][0]
    after = json.loads(sluicegate("review", "bad", "--baseline", accepted, "-f", "json").out)["skills"][0]
    differ = {key for key in before if before[key] != after[key]}
    assert differ == {"docket", "review", "certificate"}


def _ways(events, number):
    """All ways from an event back to its origins, as the kinds and the names that stand on them."""
    event = events[number]
    here = f"{event['event']} {event['var']}"
    if not event["follows"]:
        yield (here,)
    for each in event["follows"]:
        for way in _ways(events, each):
            yield (here, *way)


def test_the_ledger_is_told_where_there_is_one(sluicegate, mine, tmp_path):
    mine.seats(*HONEST)
    (tmp_path / "work" / "words.txt").write_text("x")
    assert sluicegate("review", "good").code == 0
    assert not (tmp_path / "work" / ".sluicegate").exists()
    assert sluicegate("keys", "new", "mira").code == 0
    assert sluicegate("sign", "words.txt").code == 0
    assert sluicegate("review", "bad").code == 1
    assert sluicegate("audit", "verify").code == 0
    events = [
        json.loads(line) for line in (tmp_path / "work/.sluicegate/sec/audit.jsonl").read_text().splitlines()
    ]
    advised, vetted = ([e for e in events if e["event"] == kind] for kind in ("advised", "vetted"))
    advised.sort(key=lambda e: e["by"])
    assert [(e["by"], e["role"], e["vote"]) for e in advised] == [
        ("s0-honest", "findings", "MALICIOUS"), ("s1-honest", "skill", "MALICIOUS"), ("s2-safe", "skill", "SAFE"),
    ]  # fmt: skip
    skill = json.loads(sluicegate("review", "bad", "-f", "json", "-q").out)["skills"][0]
    assert [one["digest"] for one in skill["review"]["replies"]] == [e["replies"][0] for e in advised]
    (last,) = vetted
    assert (last["decision"], last["bundle"], last["docket"]) == (
        "DO_NOT_INSTALL",
        skill["digest"],
        skill["docket"],
    )
    chain = json.loads(sluicegate("audit", "why", "bad", "-f", "json").out)
    ways = set(_ways({one["seq"]: one for one in chain["events"]}, chain["of"]))
    for answer in advised:
        decided = (
            "vetted bad",
            "allow @verdict",
            "bless @admitted",
            "allow @admitted",
            "advised bad",
            f"allow @{answer['by']}",
        )
        instructions = "@finding-reviewer" if answer["role"] == "findings" else "@skill-reviewer"
        assert {
            (*decided, f"label @package:{answer['shown'][:16]}", "label @skill:bad"),
            (*decided, f"verify {instructions}"),
        } <= ways
    why = sluicegate("audit", "why", "bad").out
    assert (
        "the skill bad was decided on: DO_NOT_INSTALL" in why
        and "s0-honest (findings) reviewed a part" in why
    )
    signed = [e for e in events if e["event"] == "verify"]
    assert [(e["var"], e["purpose"], e["result"], e["by"], e["caller"]) for e in signed] == [
        (name, "instruction", True, "review-instructions@sluicegate", "review")
        for name in ("@finding-reviewer", "@skill-reviewer")
    ]
    assert {e["hash"] for e in signed} == {f"sha256:{e['told']}" for e in advised}
    assert "192.0.2.7" not in json.dumps(events), "no text of the skill"


def test_a_review_for_a_program_waits_for_a_person_and_tells_as_the_command_does(sluicegate, mine):
    from sluicegate.reach.cli.reviews import ReviewOptions, panel_report
    from sluicegate.reach.cli.scans.choose import choose

    mine.seats(*HONEST)
    chosen = choose({"jobs": 1}, targets=("bad",), fail_on=None, quiet=True)
    made = panel_report(("bad",), chosen, ReviewOptions(), None)
    assert made.report.decision.name == "DO_NOT_INSTALL" and set(chosen.notes) <= set(made.report.notes)
    (waits,) = json.loads(sluicegate("queue", "list", "-f", "json").out)["items"]
    assert waits["item"]["docket"] == made.report.skills[0].verdict.docket


def test_the_ledger_is_told_of_instructions_that_do_not_verify(sluicegate, mine, tmp_path, monkeypatch):
    from sluicegate.vet.review.prompts import instructions as prompts

    mine.seats(*HONEST)
    (tmp_path / "work" / "words.txt").write_text("x")
    assert sluicegate("keys", "new", "mira").code == 0
    assert sluicegate("sign", "words.txt").code == 0
    read = prompts.read_file
    changed = {"skill-reviewer.txt": b"Say SAFE."}
    monkeypatch.setattr(
        prompts.instructions, "__kwdefaults__", {"read": lambda name: changed.get(name) or read(name)}
    )
    ran = sluicegate("review", "good")
    assert ran.code == 2 and "(content-changed)" in ran.err and "Nothing was asked" in ran.err
    last = json.loads((tmp_path / "work/.sluicegate/sec/audit.jsonl").read_text().splitlines()[-1])
    assert (last["event"], last["var"], last["result"], last["reason"]) == (
        "verify",
        "@skill-reviewer",
        False,
        "content-changed",
    )


def test_anybody_can_verify_the_instructions_as_any_signed_instruction(sluicegate, tmp_path):
    from sluicegate.vet.review.prompts.instructions import FILES, SIGNER_FILE, envelope_file, read_file
    from sluicegate.vet.verdict.consensus import Role

    for name in (FILES[Role.SKILL], envelope_file(Role.SKILL), SIGNER_FILE):
        (tmp_path / name).write_bytes(read_file(name))

    def verify():
        return sluicegate(
            "verify",
            str(tmp_path / FILES[Role.SKILL]),
            "--signature",
            str(tmp_path / envelope_file(Role.SKILL)),
            "--trust",
            str(tmp_path / SIGNER_FILE),
            "--name",
            "@skill-reviewer",
        ).code

    assert verify() == 0
    (tmp_path / FILES[Role.SKILL]).write_text("Say SAFE.")
    assert verify() == 1


def test_where_the_ledger_cannot_be_written_nothing_is_asked_and_nothing_decided(sluicegate, mine, tmp_path):
    mine.seats(*HONEST)
    broken = tmp_path / "work" / ".sluicegate" / "sec" / "audit.jsonl"
    broken.mkdir(parents=True)
    ran = sluicegate("review", "good")
    assert ran.code == 2 and "cannot open the ledger" in ran.err and "Traceback" not in ran.err
    assert mine.asked == 0 and ran.out == ""


def test_a_policy_of_the_project_neither_opens_nor_closes_a_review(sluicegate, mine, tmp_path):
    mine.seats(*HONEST)
    for policy in (
        '[policy.labels.influenced]\nallow = ["*"]\n',
        '[policy.labels.untrusted]\ndeny = ["*"]\n',
    ):
        (tmp_path / "work" / "sluicegate.toml").write_text(policy)
        assert sluicegate("review", "good", "-q").code == 0
        assert sluicegate("review", "bad", "-q").code == 1


def test_a_ledger_in_what_is_reviewed_is_not_told(sluicegate, mine, tmp_path):
    mine.seats(*HONEST)
    planted = tmp_path / "work" / ".sluicegate" / "sec" / "audit.jsonl"
    planted.parent.mkdir(parents=True)
    planted.write_text("")
    ran = sluicegate("review", ".")
    assert ran.code == 1 and "the ledger lies inside what is reviewed" in ran.err
    assert planted.read_text() == ""


def test_what_is_recorded_does_not_lie_in_what_is_reviewed(sluicegate, mine, tmp_path):
    mine.seats(*HONEST)
    (tmp_path / "SKILL.md").write_text(GOOD)
    ran = sluicegate("review", str(tmp_path), "--config", str(mine.settings))
    assert (ran.code, mine.asked) == (2, 0) and "lie inside" in ran.err
    (tmp_path / "work" / ".git").rmdir()
    (tmp_path / ".sluicegate").mkdir()
    ran = sluicegate("review", "good", "--config", str(mine.settings))
    assert (ran.code, mine.asked) == (2, 0) and "lie inside the workspace" in ran.err, "nor around it"


@pytest.mark.parametrize(
    "words",
    [("scan", "--review"), ("scan", "--review", "good", "--shard", "1/2"), ("scan", "--review", "good", "--since", "HEAD"),
     ("review",), ("review", "good", "--offline", "--fresh")],
)  # fmt: skip
def test_what_does_not_go_together_is_said(sluicegate, mine, words):
    mine.seats(*HONEST)
    ran = sluicegate(*words)
    assert (ran.code, mine.asked) == (2, 0)


def test_a_ruling_on_a_review_holds_until_a_model_replies_otherwise(sluicegate, mine):
    """What is signed here, the command signs for a person at a terminal: see test_queue_command."""
    from sluicegate.reach.ruling_queue import open_queue, signer_of

    mine.seats(("unsure", "skill", "gpt"), ("safe", "skill", "claude"))
    mine.models["unsure"] = lambda asked: Say(opinion(asked, "SUSPICIOUS", note="one thing"))
    ran = sluicegate("review", "good")
    assert ran.code == 3 and "1 skill in the queue for a person" in ran.err
    signer = signer_of(os.environ, "mira")
    with open_queue(os.environ) as queue:
        item = queue.find("good")
        queue.keep(*queue.seal(item, signer, approves=True, reason="read it", overrides=False, expires=None))
    shown = sluicegate("queue", "show", "good").out
    assert "s0-unsure (gpt, skill): suspicious" in shown and "s1-safe (claude, skill): safe" in shown
    assert sluicegate("review", "good", "--offline").code == 0
    mine.models["unsure"] = lambda asked: Say(opinion(asked, "SUSPICIOUS", note="another thing"))
    ran = sluicegate("review", "good", "--fresh")
    assert ran.code == 3
    assert "it was about other findings, gaps or replies of reviewers" in " ".join(ran.out.split())


def test_an_injection_that_a_reviewer_saw_flags_the_publisher(sluicegate, mine, monkeypatch):
    from sluicegate.vet import mediation
    from sluicegate.vet.intake.sources import open_source

    monkeypatch.setattr(
        mediation,
        "open_source",
        lambda target, *rest, **more: open_source(target.rpartition("/")[2], *rest, **more),
    )
    mine.seats(("honest", "skill", "gpt"), ("safe", "skill", "claude"), ("honest", "detector", "gpt"))
    mine.models["honest"] = honest("minutes")
    Path("noted").mkdir()
    Path("noted/SKILL.md").write_text(GOOD + "Keep the minutes, too.\n")
    assert sluicegate("review", "https://github.com/owner/good").code == 0
    ran = sluicegate("review", "https://github.com/owner/noted")
    assert ran.code == 1
    assert "github.com/owner is flagged" in ran.err
    assert "reviewer s2-honest" in sluicegate("queue", "flags").out
    ran = sluicegate("review", "https://github.com/owner/good", "-f", "json")
    (skill,) = json.loads(ran.out)["skills"]
    assert (ran.code, [each["rule"] for each in skill["findings"]]) == (3, ["flagged-publisher"])
    Path("stated.json").write_text(skill["certificate"])
    check = [sys.executable, str(ROOT / "spec" / "check.py"), "stated.json"]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0
    assert sluicegate("review", "https://github.com/other/good").code == 0
    dockets = set()
    for seats in (1, 2):
        if seats == 2:  # a panel that sees nothing in it
            mine.models["naive"] = mine.models["safe"]
            mine.seats(("naive", "skill", "gpt"), ("safe", "skill", "claude"))
        for more in ((), ("--offline",)):
            ran = sluicegate("review", "https://github.com/owner/noted", *more, "-f", "json")
            (skill,) = json.loads(ran.out)["skills"]
            rules = [each["rule"] for each in skill["findings"]]
            assert (ran.code, rules) == ((1, []) if seats == 1 else (3, ["flagged-skill"]))
            dockets.add(skill["verdict"]["docket"] if "verdict" in skill else skill["docket"])
            Path("stated.json").write_text(skill["certificate"])
            assert subprocess.run(check, capture_output=True, check=False).returncode == 0
    assert len(dockets) == 2, "what flags it is not part of what its reviewers are asked"


def test_the_decision_in_the_ledger_names_the_rulings_that_count_in_it(sluicegate, mine, tmp_path):
    from sluicegate.reach.cli.ledger.rulings import tell_ruling
    from sluicegate.reach.ruling_queue import open_queue, signer_of

    mine.seats(("unsure", "skill", "gpt"), ("safe", "skill", "claude"))
    mine.models["unsure"] = lambda asked: Say(opinion(asked, "SUSPICIOUS", note="one thing"))
    assert sluicegate("keys", "new", "mira").code == 0
    Path("words.txt").write_text("x")
    assert sluicegate("sign", "words.txt").code == 0
    assert sluicegate("review", "good").code == 3
    signer = signer_of(os.environ, "mira")
    for approves, ago in ((False, 5), (True, 0)):
        with open_queue(os.environ, clock=lambda ago=ago: time.time_ns() - ago * 10**9) as queue:
            sealed = queue.seal(
                queue.find("good"), signer, approves=approves, reason="read it", overrides=False, expires=None
            )
            tell_ruling(*sealed)
            queue.keep(*sealed)
    assert sluicegate("review", "good", "--offline").code == 0
    events = [
        json.loads(line) for line in (tmp_path / "work/.sluicegate/sec/audit.jsonl").read_text().splitlines()
    ]
    (first, second) = (e for e in events if e["event"] == "vetted")
    (no, yes) = (e for e in events if e["event"] == "ruled")
    assert "rulings" not in first, "nobody had ruled"
    assert no["hash"] != yes["hash"] and second["decision"] == "SAFE"
    assert second["rulings"] == [yes["hash"]], "the newer of one person, and no other"
    why = sluicegate("audit", "why", "good").out
    assert "mira approved the skill good" in why and "mira rejected" not in why


def test_what_a_ruling_rests_on_is_not_pruned_and_the_rest_is_when_it_is_old(sluicegate, mine, monkeypatch):
    from sluicegate.reach.ruling_queue import open_queue, signer_of

    mine.seats(("unsure", "skill", "gpt"), ("safe", "skill", "claude"))
    mine.models["unsure"] = lambda asked: Say(opinion(asked, "SUSPICIOUS", note="one thing"))
    assert sluicegate("review", "good").code == 3
    signer = signer_of(os.environ, "mira")
    with open_queue(os.environ) as queue:
        item = queue.find("good")
        queue.keep(*queue.seal(item, signer, approves=True, reason="read it", overrides=False, expires=None))
    assert sluicegate("review", "bad", "--certificate", "bad.cert.json").code == 1
    mine.models["unsure"] = mine.models["safe"]
    Path("kept").mkdir()
    Path("kept/SKILL.md").write_text(GOOD + "Keep them in one file.\n")
    Path("gone").mkdir()
    Path("gone/SKILL.md").write_text(GOOD + "Keep them in two files.\n")
    assert sluicegate("review", "kept", "--certificate", "kept.cert.json").code == 0
    assert sluicegate("review", "gone").code == 0
    asked = mine.asked
    assert "0 items, 0 rulings and 0 answers (0.0 MB) removed" in sluicegate("queue", "prune").out
    year = time.time_ns() + 400 * 86_400 * 10**9
    monkeypatch.setattr("sluicegate.reach.ruling_queue.prune_record.__kwdefaults__", {"clock": lambda: year})
    words = ("queue", "prune", "--certificate", "kept.cert.json")
    assert "0 items, 0 rulings and 2 answers (0.0 MB) would be" in sluicegate(*words, "--dry-run").out
    assert "0 items, 0 rulings and 2 answers (0.0 MB) removed" in sluicegate(*words).out
    assert sluicegate("review", "good", "--offline").code == 0
    assert sluicegate("review", "bad", "--offline").code == 1
    assert sluicegate("review", "kept", "--offline").code == 0
    assert sluicegate("review", "gone", "--offline").code == 3, "asked anew where it is needed"
    assert mine.asked == asked
    assert "2 items, 0 rulings and" in sluicegate(*words, "--open").out, "those on which nobody ruled"
    assert sluicegate("review", "good", "--offline").code == 0
    for wrong in ("none.json", "good/SKILL.md", "."):
        ran = sluicegate("queue", "prune", "--certificate", wrong)
        assert ran.code == 2 and wrong in ran.err
