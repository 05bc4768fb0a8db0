"""What a finding says was done: the deed of each category, and the categories that a person should always see.

Words and acts support each other only where they are about the same deed, and several deeds weigh more than one.
A category that is not a deed (a missing manifest, a damaged archive, a plain connection) does neither.
"""

from __future__ import annotations

from enum import StrEnum

from sluicegate.vet.verdict.types import Category


class Deed(StrEnum):
    """What is done, as far as one deed is told from another. ``NONE``: the finding states no deed."""

    NONE = "none"
    THEFT = "theft"
    REMOTE_CODE = "remote-code"
    DESTRUCTION = "destruction"
    FOOTHOLD = "foothold"
    PRIVILEGE = "privilege"
    MANIPULATION = "manipulation"
    CONCEALMENT = "concealment"


DEED_OF: dict[Category, Deed] = {
    Category.PROMPT_INJECTION: Deed.MANIPULATION,
    Category.HIDDEN_INSTRUCTION: Deed.MANIPULATION,
    Category.REVIEWER_MANIPULATION: Deed.MANIPULATION,
    Category.PROMPT_LEAK: Deed.MANIPULATION,
    Category.ANTI_REFUSAL: Deed.MANIPULATION,
    Category.MEMORY_POISONING: Deed.FOOTHOLD,
    Category.SOCIAL_ENGINEERING: Deed.REMOTE_CODE,
    Category.HARMFUL_CONTENT: Deed.NONE,
    Category.EXFILTRATION: Deed.THEFT,
    Category.CREDENTIAL_ACCESS: Deed.THEFT,
    Category.HARDCODED_SECRET: Deed.NONE,
    Category.REMOTE_CODE: Deed.REMOTE_CODE,
    Category.DANGEROUS_CODE: Deed.REMOTE_CODE,
    Category.DESTRUCTIVE: Deed.DESTRUCTION,
    Category.MALWARE: Deed.REMOTE_CODE,
    Category.OBFUSCATION: Deed.CONCEALMENT,
    Category.PERSISTENCE: Deed.FOOTHOLD,
    Category.SELF_MODIFICATION: Deed.FOOTHOLD,
    Category.PRIVILEGE_ESCALATION: Deed.PRIVILEGE,
    Category.EXCESSIVE_AGENCY: Deed.PRIVILEGE,
    Category.AGENT_CONFIGURATION: Deed.FOOTHOLD,
    Category.TOOL_MISUSE: Deed.MANIPULATION,
    Category.TRIGGER_ABUSE: Deed.NONE,
    Category.LEAST_PRIVILEGE: Deed.NONE,
    Category.DISGUISE: Deed.CONCEALMENT,
    Category.UNICODE_DECEPTION: Deed.CONCEALMENT,
    Category.SUPPLY_CHAIN: Deed.REMOTE_CODE,
    Category.NETWORK: Deed.NONE,
    Category.RESOURCE_ABUSE: Deed.DESTRUCTION,
    Category.INTAKE: Deed.NONE,
    Category.CUSTOM: Deed.NONE,
}
"""Total: every category has its deed, which ``spec/drt/exhaustive.py`` checks against the model."""

FOR_A_PERSON = frozenset(
    {
        Category.AGENT_CONFIGURATION,
        Category.CREDENTIAL_ACCESS,
        Category.DESTRUCTIVE,
        Category.EXFILTRATION,
        Category.MALWARE,
        Category.SELF_MODIFICATION,
    }
)
"""Categories of which one flow, command or structure of MEDIUM severity is enough to ask a person."""
