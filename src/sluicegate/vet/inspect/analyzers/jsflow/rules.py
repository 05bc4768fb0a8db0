"""The rules of JavaScript flow: what they say to people."""

from __future__ import annotations

from sluicegate.vet.inspect.analyzers.lineflow.rules import DESTRUCTIVE
from sluicegate.vet.inspect.analyzers.shflow.judging.rules import BY_ITSELF
from sluicegate.vet.inspect.rule import Rule, RuleKind
from sluicegate.vet.verdict.types import Category, Severity

_LANGUAGES = ("javascript", "typescript")

SECRET_TO_NETWORK = Rule(
    id="js-secret-to-network",
    title="JavaScript sends credentials to another machine",
    category=Category.EXFILTRATION,
    severity=Severity.CRITICAL,
    confidence=800,
    kind=RuleKind.FLOW,
    why="The content of a credential file, the clipboard or the whole environment reaches a network request.",
    fix="Do not run it. A client of one service needs one key, in a header, for that service's host.",
    references=("LLM02", "ASI02", "AML.T0025", "CWE-200"),
    languages=_LANGUAGES,
)
OWN_TO_NETWORK = Rule(
    id="js-files-to-network",
    title="JavaScript sends what is the user's own to a stranger",
    category=Category.EXFILTRATION,
    severity=Severity.MEDIUM,
    confidence=550,
    kind=RuleKind.FLOW,
    why="Documents, the home folder, conversations or the screen reach a host that neither the description nor the rest of "
    "the skill explains.",
    fix="Say in the description where the data goes and why, or send nothing.",
    references=("LLM02", "ASI02", "AML.T0025", "CWE-200"),
    languages=_LANGUAGES,
)
DOWNLOAD_TO_EXEC = Rule(
    id="js-download-to-exec",
    title="JavaScript runs what it has just downloaded",
    category=Category.REMOTE_CODE,
    severity=Severity.HIGH,
    confidence=700,
    kind=RuleKind.FLOW,
    why="An answer from the network is evaluated, loaded as a module or run as a command, so whoever controls the "
    "address controls the machine.",
    fix="Ship the code with the skill, or depend on a pinned package.",
    references=("LLM03", "ASI05", "CWE-494", "CWE-95"),
    languages=_LANGUAGES,
)
DECODED_TO_EXEC = Rule(
    id="js-decoded-to-exec",
    title="JavaScript runs a decoded text",
    category=Category.OBFUSCATION,
    severity=Severity.CRITICAL,
    confidence=800,
    kind=RuleKind.FLOW,
    why="Code is stored in an encoding and decoded only to be run. Honest programs have no reason to hide code.",
    fix="Decode the text by hand and read it. Do not run it.",
    references=("LLM03", "ASI05", "CWE-506", "CWE-95"),
    languages=_LANGUAGES,
)
PERSISTENCE = Rule(
    id="js-persistence",
    title="JavaScript changes what starts by itself or what an agent obeys",
    category=Category.PERSISTENCE,
    severity=Severity.HIGH,
    confidence=650,
    kind=RuleKind.FLOW,
    why="A start-up file, service, key list, agent setting or agent memory outside the skill is written.",
    fix="Make the change by hand if it is wanted; a skill should write inside its own folder or the project.",
    references=("ASI06", "T1546", "CWE-506"),
    languages=_LANGUAGES,
)
REVERSE_SHELL = Rule(
    id="js-reverse-shell",
    title="JavaScript gives a shell to a remote machine",
    category=Category.MALWARE,
    severity=Severity.CRITICAL,
    confidence=850,
    kind=RuleKind.FLOW,
    why="A shell is tied to a connection, or what a connection says is run: the other side commands this machine.",
    fix="Remove the skill. If it has run, treat the machine as taken over.",
    references=("ASI05", "AML.T0072", "CWE-506"),
    languages=_LANGUAGES,
)
INPUT_TO_COMMAND = Rule(
    id="js-input-to-command",
    title="JavaScript builds a shell command from what a stranger sends",
    category=Category.DANGEROUS_CODE,
    severity=Severity.MEDIUM,
    confidence=600,
    kind=RuleKind.FLOW,
    why="A part of a request or message becomes part of a shell command or of evaluated code, so its sender can run "
    "commands.",
    fix="Use execFile or spawn with a list of arguments, and never evaluate text from outside.",
    references=("LLM05", "ASI05", "CWE-78"),
    languages=_LANGUAGES,
)

OWN = (
    SECRET_TO_NETWORK,
    OWN_TO_NETWORK,
    DOWNLOAD_TO_EXEC,
    DECODED_TO_EXEC,
    PERSISTENCE,
    REVERSE_SHELL,
    INPUT_TO_COMMAND,
)
"""The rules of JavaScript alone."""

RULES = (*OWN, *BY_ITSELF, DESTRUCTIVE)
"""Those, the rules of the commands that a program runs, and the one of folders that it deletes."""
