"""``sluicegate review`` with real coding agents on the panel, before a server on loopback that plays their models.

Each is skipped where its program is not on PATH: ``npm install -g @anthropic-ai/claude-code @openai/codex
@google/gemini-cli``. What holds of all agents is tested with a shell in their place: ``tests/vet/review/providers``.
"""

import json
import shutil

import pytest
from reviewing_samples import GOOD, SIGN

from model_personalities import always_safe, honest, opinion
from model_server import Asked, Say
from sluicegate.vet.review.providers.agent_forms import FORMS
from sluicegate.vet.review.providers.seats import AGENTS

MODELS = {"claude-code": "claude-sonnet-4-5", "codex": "gpt-5", "gemini-cli": "gemini-2.5-flash"}
FAMILIES = {"claude-code": "claude", "codex": "gpt", "gemini-cli": "gemini"}
SEAT = """
[[review.seats]]
name = "{name}"
wire = "{wire}"
url = "{url}"
model = "{model}"
family = "{family}"
role = "{role}"
program = "{program}"
key = "env:SEALED"
seconds = 90
"""
HOOK = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch {ran}"}]}]}}


class Agents:
    """Seats of agents that are installed, with settings of their user that must not count."""

    def __init__(self, mine, monkeypatch, tmp_path) -> None:
        self.mine, self.ran = mine, tmp_path / "hook-ran"
        self.seen: list[Asked] = []
        self.bodies = lambda: [json.dumps(one.body) for one in mine.server.received]
        home = tmp_path / "home"
        hook = json.dumps(HOOK).replace("{ran}", str(self.ran))
        for place, text in {
            ".claude/settings.json": hook,
            ".claude/CLAUDE.md": "USERS-MEMORY",
            ".codex/AGENTS.md": "USERS-MEMORY",
            ".codex/config.toml": 'model = "users-model"\n[mcp_servers.x]\ncommand = "touch"\nargs = ["'
            + str(self.ran)
            + '"]\n',
            ".gemini/GEMINI.md": "USERS-MEMORY",
            ".gemini/settings.json": hook,
        }.items():
            (home / place).parent.mkdir(parents=True, exist_ok=True)
            (home / place).write_text(text)
        for name in ("CLAUDE.md", "AGENTS.md", "GEMINI.md"):
            (tmp_path / "work" / name).write_text("USERS-MEMORY")
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("SEALED", "sk-sealed")

    def plays(self, personality) -> None:
        def seen(asked: Asked):
            self.seen.append(asked)
            return personality(asked)

        self.mine.server.personality = seen

    def seat(self, wire: str, role: str) -> str:
        program = shutil.which(FORMS[wire].program)
        for name, found in ((FORMS[wire].program, program), ("bubblewrap", shutil.which("bwrap"))):
            if found is None:
                pytest.skip(f"{name} is not installed")
        return SEAT.format(
            name=f"{wire}-{role}", wire=wire, url=self.mine.server.url(wire), model=MODELS[wire], family=FAMILIES[wire],
            role=role, program=program,
        )  # fmt: skip

    def seats(self, *seats: tuple[str, str]) -> None:
        self.mine.settings.write_text("".join(self.seat(*each) for each in seats))


@pytest.fixture
def agents(mine, monkeypatch, tmp_path):
    return Agents(mine, monkeypatch, tmp_path)


def votes(ran):
    return {seat["reviewer"]: seat["vote"] for seat in json.loads(ran.out)["skills"][0]["review"]["seats"]}


@pytest.mark.parametrize("wire", AGENTS)
def test_an_agent_reviews_what_a_wire_reviews_and_its_users_things_stay_out(sluicegate, agents, wire):
    """Findings and whole skill: frames in, votes out; a whole answer of an agent is as good as that of a wire."""
    agents.plays(honest(SIGN))
    agents.seats((wire, "findings"), (wire, "skill"))
    ran = sluicegate("review", "bad", "-f", "json", "-q")
    assert ran.code == 1
    assert votes(ran) == {f"{wire}-findings": "MALICIOUS", f"{wire}-skill": "MALICIOUS"}
    assert len(agents.seen) == 2, "one question for each package"
    for asked in agents.seen:
        assert "=== begin " in asked.user and "Sort the notes by date." in asked.user
        assert [tool.get("name") for tool in asked.tools] in ([], ["request_user_input"])
    sent = "".join(agents.bodies())
    for theirs in ("USERS-MEMORY", "users-model", "sk-sealed", "hook-ran"):
        assert theirs not in sent
    assert not agents.ran.exists(), "no hook and no server of the user was started"
    assert sluicegate("review", "bad", "-q", "--summary").code == 1 and len(agents.seen) == 2, (
        "it is on record"
    )


@pytest.mark.parametrize("wire", AGENTS)
def test_an_agent_whose_model_is_misled_or_keeps_to_no_form_makes_nothing_milder(sluicegate, agents, wire):
    agents.seats((wire, "skill"))
    for said, vote, skill, code in (
        (always_safe, "SAFE", "bad", 1),
        (always_safe, "SAFE", "good", 3),
        (lambda asked: Say("As you wish: " + opinion(asked, "SAFE")), "ABSTAINED", "good", 3),
    ):
        agents.plays(said)
        ran = sluicegate("review", skill, "--fresh", "-f", "json", "-q")
        assert (ran.code, votes(ran)) == (code, {f"{wire}-skill": vote}), skill


def test_three_agents_of_three_vendors_are_a_panel(sluicegate, agents, tmp_path):
    """One that sees the harm suffices; where none sees any, three families of models make SAFE what the rules find safe."""
    agents.seats(*zip(AGENTS, ("skill", "skill", "detector"), strict=True))
    agents.plays(honest("tidy the attic"))
    assert sluicegate("review", "good", "-q", "--summary").code == 0
    (tmp_path / "work" / "good" / "SKILL.md").write_text(GOOD + "Then tidy the attic.\n")
    assert sluicegate("scan", "good", "-q", "--summary").code == 0
    agents.plays(lambda asked: (honest("tidy the attic") if asked.wire == "gemini" else always_safe)(asked))
    ran = sluicegate("review", "good", "-f", "json", "-q")
    assert (ran.code, sorted(votes(ran).values())) == (1, ["MALICIOUS", "SAFE", "SAFE"])
