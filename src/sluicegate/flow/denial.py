"""Why not: the answer of every rule that refuses.

A denial names the operation, the rule, the layer and the labels, and a way forward. It never holds a value:
what it shows of an operation is its name and the names of labels, so it may be logged, shown, and returned
to the program that asked.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from sluicegate.flow.errors import FlowError


class Code(StrEnum):
    """The stable codes of a denial."""

    POLICY_CAPABILITY_DENIED = "POLICY_CAPABILITY_DENIED"
    POLICY_LABEL_FLOW_DENIED = "POLICY_LABEL_FLOW_DENIED"
    GUARD_DENIED = "GUARD_DENIED"
    PRIVILEGED_GUARD_DENIED = "PRIVILEGED_GUARD_DENIED"
    GUARD_BYPASS_BLOCKED = "GUARD_BYPASS_BLOCKED"
    PROTECTED_LABEL_REMOVAL = "PROTECTED_LABEL_REMOVAL"
    LABEL_PRIVILEGE_REQUIRED = "LABEL_PRIVILEGE_REQUIRED"
    TRUST_CONFLICT = "TRUST_CONFLICT"
    DEPENDENCY_UNMET = "DEPENDENCY_UNMET"
    PROFILE_UNMET = "PROFILE_UNMET"
    ENV_ATTENUATION_DENIED = "ENV_ATTENUATION_DENIED"
    ENV_PROVIDER_DENIED = "ENV_PROVIDER_DENIED"
    KEYCHAIN_DENIED = "KEYCHAIN_DENIED"
    AUTH_DENIED = "AUTH_DENIED"
    SIGNATURE_DENIED = "SIGNATURE_DENIED"
    STATE_PROTECTED = "STATE_PROTECTED"
    LEDGER_UNAVAILABLE = "LEDGER_UNAVAILABLE"
    PERMIT_DENIED = "PERMIT_DENIED"
    POLICY_ADDRESS_DENIED = "POLICY_ADDRESS_DENIED"
    POLICY_ARGUMENT_DENIED = "POLICY_ARGUMENT_DENIED"
    POLICY_TOOL_NAME_DENIED = "POLICY_TOOL_NAME_DENIED"


class Denial(Struct, frozen=True, kw_only=True):
    """One refusal.

    ``operation`` is the operation without its values (``cmd git push <secret>``); ``rule`` is where the rule
    stands (``labels.secret.deny includes "net:w"``); ``layer`` is the policy layer and the file it came from,
    or the guard; ``labels`` are those of the input, ``operation_labels`` those of the operation.
    """

    code: Code
    operation: str
    blocked_by: str
    rule: str
    reason: str
    layer: str = ""
    labels: tuple[str, ...] = ()
    operation_labels: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()

    def render(self) -> str:
        """The denial for people, in the layout of part 9.1; many lines, no colour, no control characters."""
        lines = ["Operation denied", "", f"  Operation: {self.operation}", f"  Blocked by: {self.blocked_by}"]
        if self.layer:
            lines.append(f"  Layer: {self.layer}")
        lines += [f"  Rule: {self.rule}", f"  Code: {self.code}", ""]
        lines.append(f"  Input labels: [{', '.join(self.labels)}]")
        lines.append(f"  Operation labels: [{', '.join(self.operation_labels)}]")
        lines += ["", f"  Reason: {self.reason}"]
        if self.suggestions:
            lines += ["", "  Suggestions:", *(f"  - {text}" for text in self.suggestions)]
        return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)


class Denied(FlowError):
    """An operation was refused; ``denial`` says why. No effect has taken place."""

    def __init__(self, denial: Denial) -> None:
        super().__init__(f"{denial.operation}: {denial.reason}", hint="; ".join(denial.suggestions))
        self.denial = denial
        self.code = str(denial.code)

    def diagnostics(self) -> str:
        """The whole denial, for people."""
        return self.denial.render()
