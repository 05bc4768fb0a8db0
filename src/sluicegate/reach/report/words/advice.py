"""What to do about a finding, said to the person who wants to install.

A rule's own ``fix`` speaks to the author of the skill. What the installer should do depends on the kind of danger
and hardly on the rule, so it is said here once for each category, and by rule only where the category's words would
read wrong.
"""

from __future__ import annotations

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.verdict.types import Category, Decision, Severity


class Advice(NamedTuple):
    """``do``: for the person who wants to install. ``author``: for whoever wrote the skill; empty where nothing is left
    to say to them."""

    do: str
    author: str


_BLOCKED = {
    Category.PROMPT_INJECTION: "Do not install it: an agent that reads this text may obey it instead of you.",
    Category.HIDDEN_INSTRUCTION: "Do not install it: it gives your agent orders that you cannot see.",
    Category.REVIEWER_MANIPULATION: "Do not install it: it tries to talk its way past the review.",
    Category.ANTI_REFUSAL: "Do not install it: your agent could no longer warn you or say no.",
    Category.MEMORY_POISONING: "Do not install it. If it has run, read your agent's memory and instruction files, and "
    "remove what it added.",
    Category.SOCIAL_ENGINEERING: "Do not install it, and take none of the steps that it asks for.",
    Category.HARMFUL_CONTENT: "Do not install it.",
    Category.EXFILTRATION: "Do not install it. If it has run, replace every key and password that it could read.",
    Category.CREDENTIAL_ACCESS: "Do not install it. If it has run, replace the keys and passwords that it could read.",
    Category.REMOTE_CODE: "Do not install it: it runs code that is not part of it and can change at any time. If it has "
    "run, find out what it fetched.",
    Category.DESTRUCTIVE: "Do not run it: what it deletes is gone.",
    Category.MALWARE: "Do not install it. If it has run, treat the machine as taken over: take it off the network, and "
    "replace every password that was used on it.",
    Category.OBFUSCATION: "Do not install it: it hides what it runs. If it has run, find out what that was.",
    Category.PERSISTENCE: "Do not install it. If it has run, find and remove what starts again by itself.",
    Category.SELF_MODIFICATION: "Do not install it: what you reviewed is not what will run.",
    Category.PRIVILEGE_ESCALATION: "Do not install it: it takes more rights than a skill needs.",
    Category.AGENT_CONFIGURATION: "Do not install it. If it has run, check your agent's settings, hooks and servers.",
    Category.TOOL_MISUSE: "Do not install it beside skills or tools that you rely on.",
    Category.LEAST_PRIVILEGE: "Do not install it: it does what its description does not mention.",
    Category.DISGUISE: "Do not open the file, and do not install the skill.",
    Category.RESOURCE_ABUSE: "Do not install it: it uses your machine or your money for somebody else.",
}
"""Where a grave finding is part of a DO NOT INSTALL. Other categories have the same words for every decision."""

_LOOK = {
    Category.PROMPT_INJECTION: "Read the lines named here. If they tell an agent to drop its rules or yours, do not "
    "install it.",
    Category.HIDDEN_INSTRUCTION: "Look at the hidden text, and install the skill only if it is harmless.",
    Category.REVIEWER_MANIPULATION: "Read the lines named here: text for reviewers has no place in a skill.",
    Category.PROMPT_LEAK: "Read the lines named here: an agent that follows them shows its instructions to others.",
    Category.ANTI_REFUSAL: "Read the lines named here: with this skill your agent may no longer warn you or say no.",
    Category.MEMORY_POISONING: "Read what it would write. If it has run, check your agent's memory and instruction files.",
    Category.SOCIAL_ENGINEERING: "Take nothing here on its word: find out who publishes it, and read the lines named here.",
    Category.HARMFUL_CONTENT: "Read the lines named here, and decide whether you want that.",
    Category.EXFILTRATION: "Find out what is sent and to whom. If you cannot tell, do not install it.",
    Category.CREDENTIAL_ACCESS: "Install it only if its task needs exactly these credentials, and prefer a key with few "
    "rights that you make for it.",
    Category.HARDCODED_SECRET: "Do not use this key. If it is yours, revoke it: whoever has the skill has the key.",
    Category.REMOTE_CODE: "Look at what it fetches before you run it, or run it where it can do no harm, such as a "
    "container.",
    Category.DANGEROUS_CODE: "Give it no text or files from strangers before this is repaired.",
    Category.DESTRUCTIVE: "Check which files it deletes, and have a backup before you run it.",
    Category.MALWARE: "Have somebody who knows such code read the lines named here before you run it.",
    Category.OBFUSCATION: "Ask for the plain text, or decode it and read it before you run anything.",
    Category.PERSISTENCE: "Check what would keep running, and whether you want that. If it has run, look for what it left.",
    Category.SELF_MODIFICATION: "What you review may not be what runs next time: install it only from somebody you trust.",
    Category.PRIVILEGE_ESCALATION: "Do not run it as root or administrator. Run a command that needs such rights yourself, "
    "after you have read it.",
    Category.EXCESSIVE_AGENCY: "Keep your agent's questions switched on, and allow its tools one by one.",
    Category.AGENT_CONFIGURATION: "Read what it sets up, and make such a change yourself if you want it.",
    Category.TOOL_MISUSE: "Read the lines named here before you install it beside skills or tools that you rely on.",
    Category.TRIGGER_ABUSE: "Expect your agent to use it when you do not mean it to; call it by name, or leave it out.",
    Category.LEAST_PRIVILEGE: "Ask yourself whether its task needs this. If not, do not install it.",
    Category.DISGUISE: "Do not open the file before you know what it is.",
    Category.UNICODE_DECEPTION: "Do not trust what you see: the text says something else to a machine. Ask for a clean copy.",
    Category.SUPPLY_CHAIN: "Check where its packages and tools come from before you install it.",
    Category.NETWORK: "Find out which host it talks to, and whether you know it. If you do not, keep it off the network.",
    Category.RESOURCE_ABUSE: "Set limits before you run it: of time, of money, of agents.",
    Category.INTAKE: "Get the skill again from its publisher; do not unpack or open this part of it.",
    Category.CUSTOM: "One of your own rules found this: decide by what that rule is for.",
}

_BY_RULE = {
    "cloud-metadata": "Do not run it on a cloud machine whose role may do more than the task needs.",
    "mcp-server-secret": "Do not give this server your own key; make one for it, with few rights.",
    "mcp-server-unpinned": "Pin the version yourself before you start the server.",
    "model-endpoint-redirect": "Do not use this address: whoever answers there reads your prompts and keys, and writes "
    "the answers.",
    "permissive-agent-settings": "Do not take over these settings: keep your agent's questions switched on.",
    "manifest-missing": "Find out what it is for: nothing here says when your agent would use it.",
    "skill-name-shared": "Keep one of the two, or rename one: your agent cannot tell them apart.",
    "pickle-file": "Do not load the file unless you trust whoever made it: loading it runs code.",
    "python-unsafe-load": "Give it only files that you trust: loading one can run code.",
    "svg-script": "Do not open the picture in a browser.",
    "python-tls-off": "Do not use it on a network that you do not trust: others can read and change what it sends.",
    "verification-off": "Use it only if you know why the check is off; or put the check back.",
    "wildcard-tools": "Allow its tools one by one.",
    "unused-permission": "Do not grant this permission: nothing here needs it.",
    "unpinned-dependency": "Pin the versions yourself, or install it where it can do no harm.",
    "installer-pipe": "Install the tool with your package manager instead.",
    "vulnerable-dependency": "Use a version in which it is repaired; leave out a package that was reported as malicious.",
    "workflow-untrusted": "Do not copy the workflow into a repository of yours before this is repaired.",
    "workflow-action-unpinned": "Pin the action before you copy the workflow into a repository of yours.",
    "workflow-secrets": "Do not copy the workflow into a repository of yours. If it has run, replace the secrets of that "
    "repository.",
    "intake-case-collision": "Unpack it only where upper and lower case differ; elsewhere one file overwrites the other.",
    "intake-undecodable-name": "Check that you have every file: others may see another name, or none.",
    "unbounded-work": "Give it a limit before you run it: of attempts, of agents, of minutes.",
    "conditional-trigger": "Do not run it before you know what it does when its condition is met, and why only then.",
    "python-anti-analysis": "Do not run it: it behaves differently when it is watched.",
    "shell-security-off": "Keep your protections on: do not run it before you know why it wants them off.",
    "python-hidden-process": "Find out what it starts out of your sight before you run it.",
    "full-access-request": "Give it the one folder or the one command that its task needs, and no more.",
    "container-rights": "Start the container without these rights, and with only the folder that it needs.",
    "markdown-image-exfil": "Do not let your agent show this picture: fetching it sends away what the address carries.",
    "intake-link-outside": "Check where the link leads before you copy or unpack the skill.",
    "claim-contradicted": "Do not believe what it says of itself: read the lines named here.",
    "password-dialog": "Type no password into its window. If you did, change that password.",
    "bang-command": "Read the command before you load the skill: it runs at once, and nobody is asked.",
    "flagged-publisher": "Read it whole before you install it, or take it from somebody else. 'sluicegate queue flags' says what "
    "was found, and 'sluicegate queue unflag' ends the flag.",
    "flagged-skill": "Read it whole before you install it. 'sluicegate queue flags' says what was found and by whom; 'sluicegate "
    "queue unflag' ends the flag.",
    "reviewer-finding": "Read the lines named here: a model that reviewed the skill says what is wrong with them.",
    "reviewer-saw-injection": "Read the lines that the reviewer quotes. If they are not aimed at reviewers, a person can say so: "
    "'sluicegate queue show'.",
    "reviewer-says-malicious": "Read what the reviewer says before you install it. If the reviewer is mistaken, a person can say "
    "so: 'sluicegate queue show'.",
    "reviewer-doubts": "Read what the reviewers say, and decide: 'sluicegate queue show'.",
    "mcp-server-remote": "Do not connect your agent to this address unless you know who runs it.",
}  # fmt: skip

_SPEAKS_TO_INSTALLER = frozenset(
    """agent-hook-command agent-hook-prompt agent-hook-sends auto-run-file build-file-command bytecode-file
    campaign-clawhavoc clipboard-swapper
    compiled-file credential-sweep crypto-miner disguised-file encoded-blob-with-decoder fake-prerequisite
    fake-prerequisite-translated install-script intake-archive-bomb intake-damaged-archive intake-duplicate-name
    intake-encrypted-member intake-hidden-executable intake-link intake-path-traversal intake-polyglot
    intake-special-file invisible-instruction js-decoded-to-exec notebook-runs-itself office-macro
    password-archive php-web-shell python-conversation-to-network python-credential-to-network
    python-reverse-shell python-surveillance-to-network reverse-shell reviewer-addressed
    reviewer-addressed-translated script-decoded-to-exec script-reverse-shell secret-upload-command
    self-extracting-script shell-decoded-to-exec shell-persistence shell-privilege shell-trace-removal
    shellcode-runner skill-name-imitation startup-file terminal-paste-lure typosquat-dependency
    windows-credential-dump""".split()
)
"""Rules whose ``fix`` is said to the person who wants to install, and not to the author."""

_WARNING = "Do not run it."
"""How the ``fix`` of some rules begins: said to the installer, before the rest is said to the author."""
_NOT_HERE = ("Do not install", "Do not run", "Remove the skill")
"""How advice begins that fits only where the decision is DO NOT INSTALL."""


def advice(rule: Rule, severity: Severity, decision: Decision) -> Advice:
    """What to do about a finding of ``rule`` that is of this ``severity``, in a skill with this ``decision``.

    1. The rule's own words, where they speak to the installer and fit the decision.
    2. Words for this rule, else for its category: strict where a HIGH or CRITICAL finding is part of a DO NOT INSTALL.
    """
    blocked = decision is Decision.DO_NOT_INSTALL and severity >= Severity.HIGH
    to_installer = rule.custom or rule.id in _SPEAKS_TO_INSTALLER
    if to_installer and rule.fix and (blocked or not rule.fix.startswith(_NOT_HERE)):  # 1
        return Advice(do=rule.fix, author="")
    said = _BY_RULE.get(rule.id)  # 2
    if said is None:
        said = (_BLOCKED.get(rule.category) if blocked else None) or _LOOK[rule.category]
    return Advice(do=said, author="" if to_installer else rule.fix.removeprefix(_WARNING).strip())
