"""An agent closes issues only where an auditor agrees, whose instructions are signed.

    sluicegate sign criteria.att --template --name @auditCriteria     # once, by their author
    python audit_guard.py MODEL_URL TEXT_OF_THE_ISSUE

``MODEL_URL`` is an endpoint of chat completions. Both models may be tricked. What holds all the same: the auditor was
given the criteria as their author signed them, or was not asked at all; the agent's plan went in as data, and stays
``influenced``; and nothing is closed without the auditor's one word.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from pathlib import Path

from sluicegate.flow import Allow, Denied, Deny, Filter, Guard, GuardRule, Labeled, Timing, open_here, operation
from sluicegate.flow.guards.context import GuardContext

HERE = Path(__file__).parent
ISSUE = 7


def ask_model(url: str, prompt: str) -> str:
    body = json.dumps({"model": "local", "messages": [{"role": "user", "content": prompt}]}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        answer: str = json.load(reply)["choices"][0]["message"]["content"]
    return answer


def run(url: str, text: str, closed: list[int]) -> None:
    """Read the issue, let the agent make a plan, and close the issue if the auditor agrees.

    A refusal raises nothing where it depends on labelled data: whoever could catch it would learn something of them. The
    call gives a labelled value that failed, and the ledger says why.
    """

    @operation(labels={"llm"})
    def ask(prompt: str) -> str:
        return ask_model(url, prompt)

    def approved(context: GuardContext) -> Labeled[bool]:
        """The auditor's word on the plan, which is the last of what goes in."""
        answer = ask(criteria.fill(issue=ISSUE, plan=context.values[-1]))
        return answer.map(lambda word: word.strip().lower() == "approve")

    audit = Guard(
        name="auditBeforeClosing",
        timing=Timing.BEFORE,
        filter=Filter.of("op:mcp:tracker:close_issue"),
        rules=(
            GuardRule(when=approved, then=Allow()),
            GuardRule(then=Deny(reason="The auditor did not approve", suggestion="Read the issue yourself")),
        ),
    )
    with open_here(HERE, guards=lambda registry: registry.add(audit)) as monitor:
        criteria = monitor.template("auditCriteria", monitor.read(HERE / "criteria.att"))
        issue = monitor.external("tracker:get_issue", {"number": ISSUE}, lambda number: text)
        plan = ask(Labeled.format("What should be done about this issue?\n\n{}", issue))
        monitor.external(
            "tracker:close_issue", {"number": ISSUE, "why": plan}, lambda number, why: closed.append(number)
        )


def main(url: str, text: str) -> int:
    closed: list[int] = []
    try:
        run(url, text, closed)
    except Denied as denied:
        print(denied.denial.reason)
    print(f"closed {closed}" if closed else "nothing was closed; `sluicegate audit denied` says why")
    return 0 if closed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
