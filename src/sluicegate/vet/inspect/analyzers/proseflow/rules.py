"""The rules of prose: what they say to people. All of them find words, which alone never block."""

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
    "Orders to send private data to a stranger",
    Category.EXFILTRATION,
    600,
    "A sentence has the agent give credentials, conversations or other private data to an address that neither the description "
    "nor the rest of the skill explains.",
    "Say in the description what is sent, where to and why; or send nothing.",
    "LLM02", "ASI02", "AML.T0086", "CWE-200",
)  # fmt: skip
COVERT = _rule(
    "covert-order",
    "Orders a grave step, and to keep it from the user",
    Category.SOCIAL_ENGINEERING,
    600,
    "Something is sent, granted, written, deleted or falsified, and the same passage says that nobody is to notice.",
    "Remove the step or the secrecy. Work for a user need not be kept from the user.",
    "LLM01", "ASI09", "AML.T0051.000",
)  # fmt: skip
GRANT = _rule(
    "order-to-grant",
    "Orders to give a stranger access, unasked",
    Category.EXCESSIVE_AGENCY,
    600,
    "Somebody whom the skill brings along is to be given rights, a role or a key, and the user is not to be asked.",
    "Let the user name whom to give access to, and ask before it is given.",
    "ASI03", "LLM06", "T1098", "CWE-250",
)  # fmt: skip
AUTHORITY = _rule(
    "remote-authority",
    "Gives rules at an address a rank above the user",
    Category.PROMPT_INJECTION,
    650,
    "What stands at an address can change after the review. A skill that has it obeyed before the skill itself, or before "
    "the user, hands the agent to whoever owns the address.",
    "Put the rules into the skill.",
    "LLM01", "ASI01", "AML.T0051.001",
)  # fmt: skip
REMEMBER = _rule(
    "order-to-remember",
    "Orders to write lasting permissions into an agent's memory",
    Category.MEMORY_POISONING,
    600,
    "What stands in the memory of an agent steers every later session. A permission that is written there outlives the skill.",
    "Show the text to the user and let them add it.",
    "LLM01", "ASI06", "AML.T0080",
)  # fmt: skip
ASK = _rule(
    "order-to-ask-secret",
    "Orders to ask for what nobody should tell",
    Category.CREDENTIAL_ACCESS,
    600,
    "The words of a wallet, shares of a key, the numbers of a card or codes from a telephone are asked for. Whoever has them has "
    "what they protect, and no skill needs them.",
    "Leave such secrets in the program that guards them.",
    "LLM02", "ASI09", "T1598", "CWE-522",
)  # fmt: skip
DESTROY = _rule(
    "order-to-destroy",
    "Orders to delete what cannot be brought back",
    Category.DESTRUCTIVE,
    550,
    "Several things of value (databases, backups, histories, mail) are to be deleted in one order, or one unasked.",
    "Ask before each deletion, and keep a copy.",
    "ASI02", "T1485", "CWE-73",
)  # fmt: skip
HARM = _rule(
    "order-to-harm",
    "Orders to plant a weakness in the user's work",
    Category.MALWARE,
    650,
    "The agent is told to put a backdoor, a hidden account or a flaw into what it writes for the user.",
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
    "Orders to switch off the agent's questions",
    Category.AGENT_CONFIGURATION,
    600,
    "The agent is told to change its own settings, or to start another agent, so that nobody is asked before a command is run.",
    "Leave the agent's approval on. Let the user allow single commands by name.",
    "ASI02", "ASI03", "LLM06", "CWE-732",
)  # fmt: skip
DISABLE = _rule(
    "order-to-disable",
    "Orders to switch a protection off",
    Category.PRIVILEGE_ESCALATION,
    550,
    "A firewall, a scanner, a check of certificates or signatures, a second factor or a hook that looks for secrets is to be "
    "switched off, on no condition. What comes after it is no longer stopped.",
    "Leave protections on; say what stands in the way, and let the user decide.",
    "ASI02", "T1562.001", "CWE-693",
)  # fmt: skip
PERSIST = _rule(
    "order-to-persist",
    "Orders to have the skill run again by itself",
    Category.PERSISTENCE,
    550,
    "The skill, or whatever an address holds by then, is to be started at every login or hour, long after it was used.",
    "Let the user start it.",
    "ASI10", "T1053", "T1547", "CWE-506",
)  # fmt: skip

RULES = (SEND, COVERT, GRANT, AUTHORITY, REMEMBER, ASK, DESTROY, HARM, INSTALL, ALLOW, DISABLE, PERSIST)
