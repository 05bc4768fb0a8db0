"""Every rule there is, and the analyzers that know them.

An analyzer is imported when it is asked for, and imports its own heavy libraries when a view of its
language is present.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import cast

from penstock.vet.config import ScanConfig
from penstock.vet.inspect.compile import load_metadata, pattern_rule
from penstock.vet.inspect.engine import enabled
from penstock.vet.inspect.rule import Analyzer, Rule, by_id
from penstock.vet.lazy import lazy

_HERE = "penstock.vet.inspect.analyzers"
PATTERNS = (f"{_HERE}.patterns", "PatternAnalyzer")
OTHERS: tuple[tuple[str, str], ...] = (
    (f"{_HERE}.python", "PythonAnalyzer"),
    (f"{_HERE}.shell", "ShellAnalyzer"),
    (f"{_HERE}.javascript", "JavaScriptAnalyzer"),
    (f"{_HERE}.scripts", "ScriptsAnalyzer"),
    (f"{_HERE}.structure", "StructureAnalyzer"),
    (f"{_HERE}.intent", "IntentAnalyzer"),
)
"""Where the analyzers of flow and structure live: module and class, in the order in which they run. Intent comes
last, for it compares with what the others found."""
ONLINE: tuple[tuple[str, str], ...] = (("penstock.vet.inspect.osv", "OsvAnalyzer"),)
"""The analyzers that ask the network; they run only when the configuration says so."""

REFERENCE = lazy(
    r"LLM(?:0[1-9]|10)|ASI(?:0[1-9]|10)|AML\.T\d{4}(?:\.\d{3})?|CWE-[1-9]\d{0,4}|T\d{4}(?:\.\d{3})?"
)
"""OWASP LLM and agentic top ten, MITRE ATLAS, CWE, MITRE ATT&CK."""


def build_analyzers(config: ScanConfig) -> tuple[Analyzer, ...]:
    """The analyzers of a scan, without those of which every rule is switched off."""
    places = (*OTHERS, *ONLINE) if config.online else OTHERS
    analyzers = [_analyzer(PATTERNS, config.yara), *(_analyzer(place) for place in places)]
    return tuple(a for a in analyzers if any(enabled(rule, config) for rule in a.rules))


def rules() -> dict[str, Rule]:
    """Every shipped rule by id, sorted. Nothing is compiled when the compiled rules are at hand."""
    found = [pattern_rule(name, meta).rule for name, meta in load_metadata().items()]
    for place in (*OTHERS, *ONLINE):
        found += _analyzer(place).rules.values()
    return dict(sorted(by_id(found).items()))


def user_rules(places: tuple[str, ...]) -> dict[str, Rule]:
    """The rules of the user's own YARA files by id, sorted. Raises ConfigError when one cannot be used."""
    if not places:
        return {}
    return {name: rule for name, rule in sorted(_analyzer(PATTERNS, places).rules.items()) if rule.custom}


def disabled(config: ScanConfig, known: Mapping[str, Rule]) -> tuple[str, ...]:
    """The ids of the known rules that this configuration switches off, sorted."""
    return tuple(sorted(rule for rule in known if not enabled(rule, config)))


def _analyzer(place: tuple[str, str], *arguments: object) -> Analyzer:
    module, name = place
    make = cast("Callable[..., Analyzer]", getattr(import_module(module), name))
    return make(*arguments)
