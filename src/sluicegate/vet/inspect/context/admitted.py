"""A public key that is added for a colleague, in a skill that is about just that.

Whoever keeps the logins of a team adds keys; whoever breaks in adds their own. They are told apart by the key: the skill of an
administrator is given it, and says in its name or description that it adds keys. Where any key stands in the skill,
or it is fetched or decoded, nothing is excused. It stays a finding that a person sees.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from sluicegate.vet.inspect.context.excuse import Adjusted
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Severity

_RULES = frozenset({"authorized-keys", "shell-persistence"})
_PLACE = "authorized_keys"
_ABOUT = lazy(
    r"(?i)\bauthorized[_ -]keys\b|\b(?:ssh|public|deploy|login)[- ]keys?\b|\b(?:onboard|offboard)\w{0,4}\b[^.]{0,80}\b(?:admin|user|member|colleague|server|machine)"
)
_MATERIAL = lazy(
    r"\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w{4,20}|sk-[\w-]{6,40}@openssh\.com)[ \t]{1,4}AAAA[A-Za-z0-9+/]{16}"
)
"""A key as it is written into the file."""
_FETCHED = lazy(r"(?i)https?://|\b(?:curl|wget|nc|base64|xxd|openssl|scp|urlopen|requests)\b|/dev/tcp")
_REASON = "the skill is about adding keys, and none stands in it"
_SEEN = 600
"""Confidence that is left: enough for a person to be asked."""
_LINE = 2048


class Admitted:
    """Lowers the adding of a key that the skill does not bring."""

    def __init__(self, views: Iterable[View]) -> None:
        self._views = views

    def adjust(self, rule: Rule, match: Match, confidence: int) -> Adjusted | None:
        """HIGH, so that a person sees it; None where whose key it is cannot be told."""
        view = match.view
        if (
            rule.id not in _RULES
            or view is None
            or any(step.kind not in ("fence", "command") for step in view.origin)
        ):
            return None
        first = view.text.rfind("\n", 0, match.start) + 1
        last = view.text.find("\n", match.end)
        line = view.text[first : last if last != -1 else len(view.text)][:_LINE]
        if (
            _PLACE not in line
            or _FETCHED.search(" ".join((line, *match.trace)))
            or not self._trade
            or self._brings
        ):
            return None
        return Adjusted(confidence=min(confidence, _SEEN), reason=_REASON, severity=Severity.HIGH)

    @cached_property
    def _trade(self) -> bool:
        """Whether the name or the description says that keys or accounts are added."""
        from sluicegate.vet.inspect.analyzers.purpose import Promise

        manifests = [
            view
            for view in self._views
            if not view.origin and view.path.rpartition("/")[2].lower() == "skill.md"
        ]
        if not manifests:
            return False
        manifest = min(manifests, key=lambda view: (view.path.count("/"), view.path))
        return _ABOUT.search(Promise(manifest.text).declared) is not None

    @cached_property
    def _brings(self) -> bool:
        """Whether a key stands anywhere in the skill."""
        return any(_MATERIAL.search(view.text) for view in self._views)
