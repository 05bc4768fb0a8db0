"""Where rules, and the ids that they refer to, are described."""

from __future__ import annotations

from dataclasses import dataclass

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.lazy import lazy


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One reference: what to call it, and the page of its publisher (empty for an id of no known list)."""

    label: str
    url: str


HOME = ""
"""The address of the project's repository, as ``[project.urls]`` names it; empty until it has a public one."""

SITE = ""
"""The address of the documentation site (``make docs``), as ``[project.urls]`` names it; empty likewise."""


def about_tool() -> str:
    """An absolute URI for the project: its repository, or a name while that has no address."""
    return HOME or "urn:sluicegate:tool"


LONGEST_URL = 1_000
"""Characters of the address of rule pages."""
_PAGES = lazy(r"(?:https?://[^/?#{}]+|file:///)(?:[^{}]|\{id\})*")
_ADDRESS = lazy(r"[!#-;=?-Z\[\]_a-z{}~]+")


def checked_pages(address: str) -> str:
    """The address at which rules have their pages, as ``--rules-url`` and ``scan.rules-url`` give it. Raises ConfigError."""
    if len(address) <= LONGEST_URL and _ADDRESS.fullmatch(address) and _PAGES.fullmatch(address):
        return address
    raise ConfigError(
        f"rules-url cannot be {address[:80]!r}",
        hint="Give an address with https://, such as https://wiki.example.com/rules/{id}; other braces, blanks and quotes "
        "are percent-encoded. Without {id}, /rule/ID.html is put behind it.",
    )


def page_at(pages: str, id: str) -> str:
    """The page of a rule below an address that was checked: ``{id}`` is replaced, else it is laid out as our site is."""
    from urllib.parse import quote

    name = quote(id, safe="")
    return pages.replace("{id}", name) if "{id}" in pages else f"{pages.rstrip('/')}/{site_page(name)}"


def page_of(rule: Rule, pages: str) -> str:
    """The page of a rule of a report below ``pages``; empty where it has none, as a user's own has."""
    from sluicegate.vet.inspect.recorded_rules import RECORDED

    return page_at(pages, rule.id) if pages and not rule.custom and rule.id not in RECORDED else ""


def about_rule(id: str, version: str, pages: str = "") -> str:
    """An absolute URI for a rule of ours: its page below ``pages`` (``--rules-url``), on the site, or in the repository at
    ``version``; else a name as above."""
    if pages:
        return page_at(pages, id)
    if SITE:
        return f"{SITE.rstrip('/')}/{site_page(id)}"
    return f"{HOME}/blob/v{version}/{source_page(id)}" if HOME else f"urn:sluicegate:rule:{id}"


def site_page(id: str) -> str:
    """Where ``make docs`` puts the page of a rule."""
    return f"rule/{id}.html"


def source_page(id: str) -> str:
    """Where the page of a rule stands in the repository."""
    return f"tests/rules/{id}.md"


_CWE = lazy(r"CWE-([0-9]{1,5})")
_ATLAS = lazy(r"AML\.(T|M|TA)[0-9]{4}(\.[0-9]{3})?")
_ATTACK = lazy(r"T[0-9]{4}(\.[0-9]{3})?")
_LLM = lazy(r"LLM(0[1-9]|10)")
_ASI = lazy(r"ASI(0[1-9]|10)")


def reference(id: str) -> Reference:
    """The reference for an id such as ``CWE-94``, ``AML.T0051``, ``T1059``, ``LLM01`` or ``ASI02``."""
    if found := _CWE.fullmatch(id):
        return Reference(label=id, url=f"https://cwe.mitre.org/data/definitions/{found[1]}.html")
    if _ATLAS.fullmatch(id):
        room = {"T": "techniques", "M": "mitigations", "TA": "tactics"}[id[4:].rstrip("0123456789.")]
        return Reference(label=f"MITRE ATLAS {id}", url=f"https://atlas.mitre.org/{room}/{id}")
    if _ATTACK.fullmatch(id):
        return Reference(
            label=f"MITRE ATT&CK {id}", url=f"https://attack.mitre.org/techniques/{id.replace('.', '/')}/"
        )
    if _LLM.fullmatch(id):
        return Reference(label=f"OWASP {id}", url="https://genai.owasp.org/llm-top-10/")
    if _ASI.fullmatch(id):
        page = "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/"
        return Reference(label=f"OWASP {id}", url=page)
    return Reference(label=id, url="")
