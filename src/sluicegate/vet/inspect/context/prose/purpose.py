"""The stated purpose of a skill. A claim, so it excuses nothing alone: it only lets an example be one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from sluicegate.vet.inspect.context.prose.reviewers import reviews
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_HEAD = 6_000
"""Characters of a SKILL.md in which its front matter is looked for."""
_OPENING = 600
"""Characters of the text that speak for a skill without a description."""

_SUBJECT = lazy(
    r"\b(?:security|cyber[ -]?\w{0,12}|infosec|vulnerabilit(?:y|ies)|malware|malicious|threats?|exploit(?:s|ation|ing)?"
    r"|pen[- ]?test(?:s|ing|ers?)?|penetration test(?:s|ing|ers?)?|red[- ]team(?:s|ing|ers?)?"
    r"|(?:prompt|sql|command|code|template|xxe|xml)[- ]injections?|injection (?:attacks?|attempts?|defen[cs]e)"
    r"|jailbreak(?:s|ing)?|incident[- ]response|forensics?|intrusions?|attack(?:s|ers?)?|phishing|hardening"
    r"|owasp|cves?|sast|dast|guardrails?|adversarial|siem|sigma rules?|yara|semgrep|codeql|privilege escalation"
    r"|escalat(?:e|ing) privileges?|backdoors?|social engineering|capture the flag|content polic(?:y|ies)"
    r"|(?:safety|acceptable[- ]use) (?:rules?|polic(?:y|ies)|guidelines?|checks?|guards?|filters?)"
    r"|compromised?|breach(?:es)?|suspicious|(?:leaked|stolen|exposed) (?:\w{2,12} )?(?:credentials?|secrets?|keys?|tokens?|passwords?)|indicators? of compromise"
    r"|angriffe?n?|schädlich\w{0,4}|attaques?|hameçonnage|malveillant\w{0,3}|ataques?|malicios\w{1,3}|phishing"
    r"|abuse (?:reports?|desk|cases?|handling|teams?)|(?:prompt|ai|llm) firewalls?|secure (?:coding|development|programming|software)|trust (?:and|&) safety|scams?|spam|fraud|honeypots?|botnets?"
    r"|ransomware|hacked|hackers?|web ?shells?|dlp|detections?|(?:agent|command|egress) polic(?:y|ies)|polic(?:y|ies) for (?:[\w-]{2,12} ){0,2}agents?|commands? (?:are|is) (?:denied|blocked|refused)|(?:deny|block) ?lists?"
    r"|(?:vets?|reviews?|reviewing|audits?|auditing|checks?) (?:[\w-]{2,14} ){0,2}(?:skills?|plugins?|extensions?|mcp servers?|third[ -]party (?:code|packages?)|dependencies)"
    r"|(?:skill|package|plugin|extension|dependency|mcp server) (?:audits?|auditing|auditors?|vetting)"
    r"|(?:dangerous|destructive|unsafe|harmful|risky) (?:shell )?commands?)\b"
    r"|安全|漏洞|恶意|攻击|セキュリティ|脆弱性|보안|취약점|seguridad|segurança|sécurité|sicherheit|безопасност|keamanan|الأمن|सुरक्षा",
    re.IGNORECASE,
)
_OFFENCE = lazy(
    r"\b(?:pen[- ]?test(?:s|ing|ers?)?|penetration test(?:s|ing|ers?)?|red[- ]team(?:s|ing|ers?)?|post[- ]exploitation"
    r"|capture the flag|bug bount(?:y|ies)|offensive security|exploit development|adversary emulation"
    r"|(?:privilege escalation|attack|exploitation) techniques?)\b",
    re.IGNORECASE,
)
_CODE_REVIEW = lazy(
    r"\b(?:code|script|pull request|pr) (?:reviews?|reviewing|reviewers?|audits?)\b|\breview(?:s|ing)? (?:[\w-]{1,14} ){0,3}(?:code|scripts?|pipelines?|pull requests?|prs?|diffs?)\b",
    re.IGNORECASE,
)
_KEY = lazy(r"^(?:name|description)[ \t]*:", re.MULTILINE | re.IGNORECASE)
_NEXT = lazy(r"^[A-Za-z_][\w-]{0,40}[ \t]*:", re.MULTILINE)


class SkillPurpose:
    """Whether a skill says that it is about security, that it judges something, and that it teaches to attack."""

    def __init__(self, said: str) -> None:
        self._said = said

    @cached_property
    def security(self) -> bool:
        return _SUBJECT.search(self._said) is not None

    @cached_property
    def reviewing(self) -> bool:
        return self.security or reviews(self._said)

    @cached_property
    def code_review(self) -> bool:
        return _CODE_REVIEW.search(self._said) is not None

    @cached_property
    def offence(self) -> bool:
        return _OFFENCE.search(self._said) is not None


def purpose_of(views: Iterable[View]) -> SkillPurpose:
    """What the topmost SKILL.md says in its name and description; without one, its first lines speak for it."""
    manifests = [
        view for view in views if not view.origin and view.path.rpartition("/")[2].lower() == "skill.md"
    ]
    if not manifests:
        return SkillPurpose("")
    manifest = min(manifests, key=lambda view: (view.path.count("/"), view.path))
    return SkillPurpose(_said(manifest.text).replace("-", " ").replace("_", " "))


def _said(text: str) -> str:
    head, body = "", text[:_OPENING]
    if text.startswith(("---\n", "---\r\n")):
        end = text.find("\n---", 3, _HEAD)
        if end != -1:
            head, body = text[:end], text[end + 4 : end + 4 + _OPENING]
    said = []
    for key in _KEY.finditer(head):
        following = _NEXT.search(head, key.end())
        said.append(head[key.end() : following.start() if following else len(head)])
    described = "description" in head.lower()
    return "\n".join(said if described else [*said, body])
