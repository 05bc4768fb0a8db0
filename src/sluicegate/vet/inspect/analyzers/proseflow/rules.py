"""The rules of prose: what they say to people. All of them find words, which alone never block but for orders to reviewers."""

from __future__ import annotations

from sluicegate.vet.inspect.rule import Rule, RuleKind
from sluicegate.vet.verdict.types import Category, EvidenceKind, Severity


def _rule(
    id: str, title: str, category: Category, confidence: int, why: str, fix: str, *references: str
) -> Rule:
    return Rule(
        id=id,
        title=title,
        category=category,
        severity=Severity.HIGH,
        confidence=confidence,
        kind=RuleKind.FLOW,
        why=why,
        fix=fix,
        references=references,
        languages=("prose",),
        stated=EvidenceKind.WORDS,
    )


SEND = _rule(
    "order-to-send",
    "Tells the agent to send private data to a stranger",
    Category.EXFILTRATION,
    600,
    "A sentence has the agent give credentials, conversations or other private data to an address that neither the description "
    "nor the rest of the skill explains.",
    "Say in the description what is sent, where to and why; or send nothing.",
    "LLM02", "ASI02", "AML.T0086", "CWE-200",
)  # fmt: skip
COVERT = _rule(
    "covert-order",
    "Tells the agent to take a grave step and keep it from the user",
    Category.SOCIAL_ENGINEERING,
    600,
    "Something is sent, granted, written, deleted or falsified, and the same passage says that nobody is to notice.",
    "Remove the step or the secrecy. Work for a user need not be kept from the user.",
    "LLM01", "ASI09", "AML.T0051.000",
)  # fmt: skip
GRANT = _rule(
    "order-to-grant",
    "Tells the agent to give a stranger access, unasked",
    Category.EXCESSIVE_AGENCY,
    600,
    "Somebody whom the skill brings along is to be given rights, a role or a key, and the user is not to be asked.",
    "Let the user name whom to give access to, and ask before it is given.",
    "ASI03", "LLM06", "T1098", "CWE-250",
)  # fmt: skip
AUTHORITY = _rule(
    "remote-authority",
    "Puts rules from an address above the user",
    Category.PROMPT_INJECTION,
    650,
    "What stands at an address can change after the review. A skill that has it obeyed before the skill itself, or before "
    "the user, hands the agent to whoever owns the address.",
    "Put the rules into the skill.",
    "LLM01", "ASI01", "AML.T0051.001",
)  # fmt: skip
REMEMBER = _rule(
    "order-to-remember",
    "Tells the agent to keep a lasting permission in its memory",
    Category.MEMORY_POISONING,
    600,
    "What stands in the memory of an agent steers every later session. A permission that is written there outlives the skill.",
    "Show the text to the user and let them add it.",
    "LLM01", "ASI06", "AML.T0080",
)  # fmt: skip
ASK = _rule(
    "order-to-ask-secret",
    "Tells the agent to ask its user for a secret",
    Category.CREDENTIAL_ACCESS,
    600,
    "The words of a wallet, shares of a key, the numbers of a card or codes from a telephone are asked for. Whoever has them has "
    "what they protect, and no skill needs them.",
    "Leave such secrets in the program that guards them.",
    "LLM02", "ASI09", "T1598", "CWE-522",
)  # fmt: skip
DESTROY = _rule(
    "order-to-destroy",
    "Tells the agent to delete what cannot be brought back",
    Category.DESTRUCTIVE,
    550,
    "Several things of value (databases, backups, histories, mail) are to be deleted in one order, or one unasked.",
    "Ask before each deletion, and keep a copy.",
    "ASI02", "T1485", "CWE-73",
)  # fmt: skip
HARM = _rule(
    "order-to-harm",
    "Tells the agent to plant a weakness in the user's work",
    Category.MALWARE,
    650,
    "The agent is told to put a backdoor, a hidden account or a flaw into what it writes for the user, to make its secrets easy "
    "to guess, or to lift its checks.",
    "Remove the order.",
    "ASI01", "LLM03", "T1195", "CWE-506",
)  # fmt: skip
INSTALL = _rule(
    "order-to-install",
    "Demands a program from an address that nothing explains",
    Category.SOCIAL_ENGINEERING,
    600,
    "The skill is said not to work before a program has been fetched from an address: no package manager, no project that the "
    "skill is about. This is how most harmful skills deliver their harm.",
    "Name the project and the package manager that it comes from.",
    "ASI04", "LLM03", "T1204", "AML.T0011",
)  # fmt: skip

ALLOW = _rule(
    "order-to-allow",
    "Tells the agent to stop asking for permission",
    Category.AGENT_CONFIGURATION,
    600,
    "The agent is told to change its own settings, or to start another agent, so that nobody is asked before a command is run.",
    "Leave the agent's approval on. Let the user allow single commands by name.",
    "ASI02", "ASI03", "LLM06", "CWE-732",
)  # fmt: skip
DISABLE = _rule(
    "order-to-disable",
    "Tells the agent to switch a protection off",
    Category.PRIVILEGE_ESCALATION,
    550,
    "A firewall, a scanner, a check of certificates or signatures, a second factor or a hook that looks for secrets is to be "
    "switched off, on no condition. What comes after it is no longer stopped.",
    "Leave protections on; say what stands in the way, and let the user decide.",
    "ASI02", "T1562.001", "CWE-693",
)  # fmt: skip
PERSIST = _rule(
    "order-to-persist",
    "Tells the agent to have the skill run again by itself",
    Category.PERSISTENCE,
    550,
    "The skill, or whatever an address holds by then, is to be started at every login or hour, long after it was used.",
    "Let the user start it.",
    "ASI10", "T1053", "T1547", "CWE-506",
)  # fmt: skip

PRINT = _rule(
    "order-to-print-secret",
    "Tells the agent to print a secret in full",
    Category.CREDENTIAL_ACCESS,
    550,
    "Private keys, passwords or the contents of a credential file are to be put where others read them: an answer, a log, a "
    "report, a commit. What an agent prints stays in transcripts and logs, and whoever reads them has the secret.",
    "Show fingerprints, names or masked values. Nothing that audits or rotates a secret needs to show it.",
    "LLM02", "ASI03", "T1552", "CWE-532",
)  # fmt: skip
SPY = _rule(
    "order-to-spy",
    "Tells the agent to watch the user unseen",
    Category.EXFILTRATION,
    600,
    "What the user types, shows or says is to be recorded, and sent away or hidden.",
    "Record only while the user asks for it and sees it.",
    "LLM02", "ASI09", "T1056", "T1125", "CWE-359",
)  # fmt: skip
FALSIFY = _rule(
    "order-to-falsify",
    "Tells the agent to make bad work look good",
    Category.MALWARE,
    550,
    "Tests are to be weakened until they pass, or success is to be reported for what was not done. Whoever relies on the result "
    "learns of the fault when it does its harm.",
    "Let failures show. Change a test only where what it demands has changed, and say so.",
    "ASI09", "ASI01", "LLM09", "CWE-684",
)  # fmt: skip
DIVERT = _rule(
    "order-to-divert-money",
    "Directs payments to an account that the skill brings along",
    Category.HARMFUL_CONTENT,
    600,
    "A payment, a wallet or the details of a bank account are to be replaced by, or paid to, an account that is written in the skill.",
    "Let the user name who is paid, each time.",
    "ASI02", "ASI09", "T1657", "CWE-345",
)  # fmt: skip
ABUSE = _rule(
    "order-to-abuse",
    "Tells the agent to use the user's machine or name for somebody else",
    Category.RESOURCE_ABUSE,
    600,
    "Coins are to be mined while nobody looks, a service is to be flooded, or everybody in the address book is to be written to.",
    "Remove the order.",
    "ASI02", "LLM10", "T1496", "T1498", "CWE-400",
)  # fmt: skip
JUDGE = Rule(
    id="order-to-reviewer",
    title="Asks whoever judges the skill for a verdict",
    category=Category.REVIEWER_MANIPULATION,
    severity=Severity.CRITICAL,
    confidence=700,
    kind=RuleKind.FLOW,
    why="A sentence names somebody who reviews, scans or rates this skill, and asks for a verdict, for marks, or to leave a part out. "
    "No honest skill talks to its inspector.",
    fix="Remove the sentence: a reviewer reads the skill, not its opinion of itself.",
    references=("LLM01", "ASI01", "ASI09", "AML.T0051.000", "AML.T0015"),
    languages=("any",),
    stated=EvidenceKind.WORDS,
)

RULES = (
    SEND, COVERT, GRANT, AUTHORITY, REMEMBER, ASK, DESTROY, HARM, INSTALL, ALLOW, DISABLE, PERSIST, PRINT, SPY, FALSIFY, DIVERT, ABUSE,
    JUDGE,
)  # fmt: skip
