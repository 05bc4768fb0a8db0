"""The rules of shell flow: what they say to people."""

from __future__ import annotations

from functools import partial

from sluicegate.vet.inspect.rule import flow_rule
from sluicegate.vet.verdict.types import Category, Severity

_rule = partial(flow_rule, languages=("shell",))


SECRET_TO_NETWORK = _rule(
    "shell-secret-to-network",
    "Shell commands send credentials to another machine",
    Category.EXFILTRATION,
    Severity.CRITICAL,
    850,
    "The content of a credential file, or the whole environment, reaches a command that sends it over the network.",
    "Do not run it. If the skill needs one key for one service, it should name that key and that service.",
    "LLM02", "ASI02", "AML.T0025", "CWE-200",
)  # fmt: skip
OWN_TO_NETWORK = _rule(
    "shell-files-to-network",
    "Shell commands send what is the user's own to a stranger",
    Category.EXFILTRATION,
    Severity.MEDIUM,
    550,
    "The home folder, documents, a database, the screen, the repository or conversations reach a host that neither the "
    "description nor the rest of the skill explains.",
    "Say in the description where the data goes and why, or send nothing.",
    "LLM02", "ASI02", "AML.T0025", "CWE-200",
)  # fmt: skip
DOWNLOAD_TO_EXEC = _rule(
    "shell-download-to-exec",
    "Shell commands run what they have just downloaded",
    Category.REMOTE_CODE,
    Severity.HIGH,
    600,
    "A program is fetched and run without being looked at, so whoever controls the address decides what runs, today "
    "and later.",
    "Install from a package registry with a pinned version, or download, check a digest, and only then run.",
    "LLM03", "ASI04", "CWE-494",
)  # fmt: skip
DECODED_TO_EXEC = _rule(
    "shell-decoded-to-exec",
    "Shell commands run a decoded text",
    Category.OBFUSCATION,
    Severity.CRITICAL,
    850,
    "A command is stored in an encoding and decoded only to be run. Honest scripts have no reason to hide commands.",
    "Decode the text by hand and read it. Do not run it.",
    "LLM03", "ASI05", "CWE-506",
)  # fmt: skip
PERSISTENCE = _rule(
    "shell-persistence",
    "Shell commands make something run again by itself",
    Category.PERSISTENCE,
    Severity.MEDIUM,
    600,
    "A start-up file, timer, service, agent memory or key list is changed, so that something outlives the session.",
    "Read what is added, and add it by hand if it is wanted.",
    "ASI06", "T1546", "T1053", "CWE-506",
)  # fmt: skip
TAMPERING = _rule(
    "shell-trace-removal",
    "Shell commands remove the traces of what they did",
    Category.MALWARE,
    Severity.HIGH,
    650,
    "The command history or system logs are switched off, emptied or removed.",
    "Ask what there is to hide. No skill needs this.",
    "T1070", "CWE-778",
)  # fmt: skip
DESTRUCTIVE = _rule(
    "shell-destructive",
    "Shell commands destroy what cannot be brought back",
    Category.DESTRUCTIVE,
    Severity.HIGH,
    750,
    "The files of a user, a disk, the project, or a database or bucket that has no copy here are deleted: by way of a variable, a "
    "loop, a list or a pipe, or where nobody expects it.",
    "Do not run it.",
    "T1485", "ASI02", "CWE-73",
)  # fmt: skip
PRIVILEGE = _rule(
    "shell-privilege",
    "Shell commands widen who may become root",
    Category.PRIVILEGE_ESCALATION,
    Severity.HIGH,
    700,
    "A set-user-id bit, a capability, a sudoers entry or a container with the host's disk gives lasting root rights.",
    "Do not run it; no skill needs lasting root rights.",
    "T1548", "CWE-250",
)  # fmt: skip
SECURITY_OFF = _rule(
    "shell-security-off",
    "Shell commands switch a protection off",
    Category.MALWARE,
    Severity.MEDIUM,
    600,
    "A firewall, audit service, quarantine mark, mandatory access control or certificate check is switched off.",
    "Leave protections on; ask why the skill needs them off.",
    "T1562", "CWE-693",
)  # fmt: skip

BETWEEN = _rule(
    "shell-interception",
    "Shell commands open a channel, or stand between the user and their tools",
    Category.MALWARE,
    Severity.MEDIUM,
    600,
    "Every later use of git, ssh, a browser, an agent or a package manager passes through what the skill has set up, or a way into "
    "this machine is opened.",
    "Undo the setting. A skill should not change how other tools work.",
    "ASI10", "T1556", "T1572", "CWE-506",
)  # fmt: skip

UNEXPLAINED = _rule(
    "unexplained-package",
    "Installs from an address that nothing explains",
    Category.SUPPLY_CHAIN,
    Severity.HIGH,
    600,
    "A package, an extension or a whole source of packages is taken from an address that no registry answers for and that "
    "the skill never speaks of. Whoever holds it decides what is installed, today and later.",
    "Install from the registry, or say whose address it is and pin what comes from it by a commit or digest.",
    "LLM03", "ASI04", "T1195.001", "CWE-829",
)  # fmt: skip

BY_ITSELF = (PERSISTENCE, TAMPERING, DESTRUCTIVE, PRIVILEGE, SECURITY_OFF, BETWEEN, UNEXPLAINED)
"""What a command may be by itself, whatever program runs it."""
RULES = (
    SECRET_TO_NETWORK, OWN_TO_NETWORK, DOWNLOAD_TO_EXEC, DECODED_TO_EXEC, PERSISTENCE, TAMPERING, DESTRUCTIVE, PRIVILEGE, SECURITY_OFF, BETWEEN,
    UNEXPLAINED,
)  # fmt: skip
