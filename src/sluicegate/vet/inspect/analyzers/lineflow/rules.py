"""The rules of scripts and of payloads in stages: what they say to people."""

from __future__ import annotations

from functools import partial

from sluicegate.vet.inspect.analyzers.shflow.judging.rules import BETWEEN
from sluicegate.vet.inspect.rule import flow_rule
from sluicegate.vet.verdict.types import Category, Severity

LANGUAGES = (
    "powershell", "batch", "ruby", "perl", "php", "go", "applescript", "rust", "java", "c", "lua", "r", "source",
)  # fmt: skip


_rule = partial(flow_rule, languages=LANGUAGES)


DOWNLOAD_TO_EXEC = _rule(
    "script-download-to-exec",
    "A script runs what it has downloaded",
    Category.REMOTE_CODE,
    Severity.HIGH,
    750,
    "Text or a file comes from the network and is evaluated or started. Whoever controls the address decides what runs, "
    "today and later.",
    "Ship the code, or download a pinned version, check its digest, and only then run it.",
    "LLM03", "ASI04", "ASI05", "T1105", "CWE-494",
)  # fmt: skip
DECODED_TO_EXEC = _rule(
    "script-decoded-to-exec",
    "A script runs decoded text",
    Category.OBFUSCATION,
    Severity.CRITICAL,
    850,
    "A program is kept in an encoding and decoded only to be run, so that nobody who reads the script sees what it does.",
    "Decode the text by hand and read it. Do not run the script.",
    "ASI05", "T1027", "T1140", "CWE-506",
)  # fmt: skip
SECRET_TO_NETWORK = _rule(
    "script-secret-to-network",
    "A script sends credentials to another machine",
    Category.EXFILTRATION,
    Severity.CRITICAL,
    850,
    "A store of credentials, a keychain or the whole environment is read, and what was read is sent over the network.",
    "Do not run it. A skill that needs one key should name that key, and the service it is for.",
    "LLM02", "ASI02", "T1041", "T1555", "CWE-200",
)  # fmt: skip
SURVEILLANCE = _rule(
    "script-surveillance-to-network",
    "A script watches the user and reports it",
    Category.MALWARE,
    Severity.HIGH,
    750,
    "The clipboard, the screen or the keyboard is read and reaches the network. People copy passwords and type secrets.",
    "Do not run it. A tool that needs the clipboard or the screen can keep it on the machine.",
    "ASI02", "T1056.001", "T1113", "T1115", "CWE-359",
)  # fmt: skip
REVERSE_SHELL = _rule(
    "script-reverse-shell",
    "A script gives a shell to another machine",
    Category.MALWARE,
    Severity.CRITICAL,
    900,
    "A socket to another machine is joined to a shell: whoever is at the other end types commands as the user.",
    "Do not install. Treat a machine on which this ran as taken over.",
    "ASI05", "T1059", "T1071", "CWE-506",
)  # fmt: skip
WEB_SHELL = _rule(
    "php-web-shell",
    "A web page runs what its visitor sends",
    Category.MALWARE,
    Severity.CRITICAL,
    900,
    "A value of the request is evaluated or run as a command, so anyone who can reach the page owns the server.",
    "Do not deploy it. Remove the file from any server that has it.",
    "ASI05", "T1505.003", "CWE-94", "CWE-78",
    languages=("php",),
)  # fmt: skip
DESTRUCTIVE = _rule(
    "script-destructive",
    "A script deletes a home folder or a disk",
    Category.DESTRUCTIVE,
    Severity.HIGH,
    800,
    "A recursive deletion is aimed at the home folder, the root or a whole drive, directly or through a variable.",
    "Delete only named paths inside the project, after asking.",
    "ASI02", "LLM06", "T1485", "CWE-73",
)  # fmt: skip
PASSWORD_DIALOG = _rule(
    "password-dialog",
    "Shows a dialog of its own that asks for a password",
    Category.SOCIAL_ENGINEERING,
    Severity.HIGH,
    750,
    "The system asks for passwords in windows that scripts cannot read. A dialog drawn by a script hands what is typed to "
    "the script: it is how stealers get the login password.",
    "Let the system ask: `sudo`, `with administrator privileges`, or the service's own sign-in.",
    "ASI09", "T1056.002", "CWE-522",
    languages=("code",),
)  # fmt: skip
ASSEMBLED = _rule(
    "assembled-payload",
    "A program is put together or renamed just before it runs",
    Category.OBFUSCATION,
    Severity.HIGH,
    750,
    "Parts that are nothing by themselves are joined, or a file that claims to be text or a picture gets the name of a "
    "program, and the result is run. It is done to pass those who look at each file.",
    "Ship the program as one file under its own name.",
    "ASI05", "T1027", "T1036.008", "CWE-506",
    languages=("code",),
)  # fmt: skip
UNSEEN = _rule(
    "unseen-second-stage",
    "Runs something that cannot be seen here",
    Category.REMOTE_CODE,
    Severity.HIGH,
    700,
    "What runs next is encrypted, or hides in a file of data. What it does cannot be told from this skill, and that is the "
    "finding.",
    "Ship the code in the open, in a file that says what it is.",
    "ASI04", "ASI05", "T1027", "T1204.002", "CWE-506",
    languages=("code",),
)  # fmt: skip

RULES = (
    BETWEEN,
    DOWNLOAD_TO_EXEC, DECODED_TO_EXEC, SECRET_TO_NETWORK, SURVEILLANCE, REVERSE_SHELL, WEB_SHELL, DESTRUCTIVE,
    PASSWORD_DIALOG, ASSEMBLED, UNSEEN,
)  # fmt: skip
