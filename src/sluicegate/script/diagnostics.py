"""What is wrong with a script, or worth a look: a stable code, where, what was expected, and a way forward."""

from __future__ import annotations

from msgspec import Struct

ERROR, WARNING = "error", "warning"

CODES = {
    "syntax": "What stands here does not fit what stands before it.",
    "unclosed": "A quote, template, bracket or body begins and never ends.",
    "unknown-character": "A character that has no meaning outside of quotes.",
    "too-deep": "Brackets or blocks stand inside each other more often than a script may have it.",
    "too-long": "The script is longer than a script may be.",
    "dialect": "A construct that the dialect of the file, as its first lines say it, does not have.",
    "mixed-mode": "Lines with and without a slash before their directive: one of the two would be prose.",
    "bad-pragma": "The line that says dialect and mode says neither.",
    "undefined-name": "A name that nothing defines.",
    "open-hole": "A hole in a template whose name nothing defines: it stays as it is written.",
    "not-callable": "A guard or a policy that is called like a function.",
    "redefined-name": "A name that is defined already in the same place.",
    "reserved-name": "A name that the language keeps for itself.",
    "shadowed-name": "A name inside that hides one outside.",
    "unused-name": "A name that nothing uses.",
    "duplicate-key": "A key that stands twice in one object.",
    "unreachable": "A statement or arm that is never reached.",
    "never-fires": "A guard, or a rule of a policy, that nothing in the script can set off.",
    "no-effect": "A line that does nothing.",
    "no-default": "A guard whose arms may all fail to match, and then allows.",
    "needs-privilege": "A label is removed, or trust given, where nothing can have the privilege for it.",
    "misplaced": "A statement that has no meaning where it stands.",
    "elided": "Three points stand for what was left out: the script cannot run past them.",
    "unknown-tier": "A profile is compared with a name that no profile has.",
    "used-early": "A name is used before it has a value.",
    "wrong-type": "A value is of another kind than what is done with it wants.",
    "no-such-field": "A value has no fields or parts.",
    "no-such-method": "A value has no method of this name.",
    "bad-argument": "A function or method gets other arguments than it takes.",
    "bad-option": "An option that a command, a call or a file does not have.",
    "bad-pattern": "A regular expression that cannot be read.",
    "no-section": "A file has no section of this name.",
    "no-module": "A module that is not there, or that nothing fetches.",
    "module-changed": "A module is not what the lock of modules says.",
    "bad-lock": "The lock of modules cannot be read.",
    "not-exported": "A name that a module does not export.",
    "import-circle": "Modules that import each other in a circle, or too many.",
    "not-constant": "A policy, or a layer of one, that is not a constant.",
    "not-signed": "Something is to be signed or verified that is not a template.",
    "no-ledger": "The ledger cannot be read.",
    "no-keychain": "A script does not read the keychain.",
    "not-run": "What nothing carries out, or not in this way.",
    "out-of-budget": "The script takes more steps, or makes larger values, than it may.",
    "denied": "An operation was denied, in a branch or a function on labelled values.",
    "failed": "An operation on labelled values has failed.",
    "unreadable": "The script has errors: it is not run.",
}
"""Every code with what it means."""


class Diagnostic(Struct, frozen=True):
    """One remark on a script. It quotes names of the script: escape them before showing."""

    code: str
    message: str
    start: int
    end: int
    expected: str = ""
    suggestion: str = ""
    severity: str = ERROR
