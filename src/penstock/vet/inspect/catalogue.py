"""Every rule there is, and the analyzers that know them.

An analyzer of flows is imported when a view of its languages is present (see ``Deferred``); its rules stand
in a module of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import cast

from penstock.vet.config import ScanConfig
from penstock.vet.inspect.compile import load_metadata, pattern_rule
from penstock.vet.inspect.deferred import Deferred
from penstock.vet.inspect.engine import enabled
from penstock.vet.inspect.rule import Analyzer, Rule, by_id
from penstock.vet.intake.bundle import CODE, Kind
from penstock.vet.lazy import lazy

_HERE = "penstock.vet.inspect.analyzers"
PATTERNS = (f"{_HERE}.patterns", "PatternAnalyzer")
FLOWS: tuple[tuple[str, str, str, frozenset[Kind]], ...] = (
    (f"{_HERE}.python", "PythonAnalyzer", f"{_HERE}.pyflow.rules", frozenset({Kind.PYTHON})),
    (f"{_HERE}.shell", "ShellAnalyzer", f"{_HERE}.shflow.rules", frozenset({Kind.SHELL})),
    (
        f"{_HERE}.javascript",
        "JavaScriptAnalyzer",
        f"{_HERE}.jsflow.rules",
        frozenset({Kind.JAVASCRIPT, Kind.TYPESCRIPT}),
    ),
    (f"{_HERE}.scripts", "ScriptsAnalyzer", f"{_HERE}.scripting.rules", CODE),
)
"""Where the analyzers of flows live: module, class, the module of their ``RULES``, and what they read."""
OTHERS: tuple[tuple[str, str], ...] = (
    (f"{_HERE}.structure", "StructureAnalyzer"),
    (f"{_HERE}.intent", "IntentAnalyzer"),
)
"""The analyzers of structure and intent: module and class. They run after those of flows, and intent last, for
it compares with what the others found."""
ONLINE: tuple[tuple[str, str], ...] = (("penstock.vet.inspect.osv", "OsvAnalyzer"),)
"""The analyzers that ask the network; they run only when the configuration says so."""

REFERENCE = lazy(
    r"LLM(?:0[1-9]|10)|ASI(?:0[1-9]|10)|AML\.T\d{4}(?:\.\d{3})?|CWE-[1-9]\d{0,4}|T\d{4}(?:\.\d{3})?"
)
"""OWASP LLM and agentic top ten, MITRE ATLAS, CWE, MITRE ATT&CK."""


def build_analyzers(config: ScanConfig) -> tuple[Analyzer, ...]:
    """The analyzers of a scan, without those of which every rule is switched off."""
    places = (*OTHERS, *ONLINE) if config.online else OTHERS
    analyzers = [_analyzer(PATTERNS, config.yara), *_flows(), *(_analyzer(place) for place in places)]
    return tuple(a for a in analyzers if any(enabled(rule, config) for rule in a.rules))


def rules() -> dict[str, Rule]:
    """Every shipped rule by id, sorted. Nothing is compiled when the compiled rules are at hand."""
    found = [pattern_rule(name, meta).rule for name, meta in load_metadata().items()]
    for analyzer in (*_flows(), *(_analyzer(place) for place in (*OTHERS, *ONLINE))):
        found += analyzer.rules.values()
    return dict(sorted(by_id(found).items()))


def user_rules(places: tuple[str, ...]) -> dict[str, Rule]:
    """The rules of the user's own YARA files by id, sorted. Raises ConfigError when one cannot be used."""
    if not places:
        return {}
    return {name: rule for name, rule in sorted(_analyzer(PATTERNS, places).rules.items()) if rule.custom}


def disabled(config: ScanConfig, known: Mapping[str, Rule]) -> tuple[str, ...]:
    """The ids of the known rules that this configuration switches off, sorted."""
    return tuple(sorted(rule for rule in known if not enabled(rule, config)))


def _flows() -> Iterator[Analyzer]:
    for module, name, rules_of, languages in FLOWS:
        yield Deferred(module, name, by_id(import_module(rules_of).RULES), languages)


def _analyzer(place: tuple[str, str], *arguments: object) -> Analyzer:
    module, name = place
    make = cast("Callable[..., Analyzer]", getattr(import_module(module), name))
    return make(*arguments)
