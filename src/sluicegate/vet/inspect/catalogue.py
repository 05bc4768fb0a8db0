"""Every rule there is, and the analyzers that know them.

An analyzer of flows is imported when a view of its languages is present (see ``Deferred``); its rules stand
in a module of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from importlib import import_module
from typing import cast

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.compile import digest, load_metadata, pattern_rule, read, yara_version
from sluicegate.vet.inspect.deferred import Deferred
from sluicegate.vet.inspect.engine import enabled
from sluicegate.vet.inspect.rule import Analyzer, Rule, by_id
from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Severity

_HERE = "sluicegate.vet.inspect.analyzers"
PATTERNS = (f"{_HERE}.patterns", "PatternAnalyzer")
FLOWS: tuple[tuple[str, str, str, frozenset[Kind]], ...] = (
    (f"{_HERE}.python", "PythonAnalyzer", f"{_HERE}.pyflow.rules", frozenset({Kind.PYTHON})),
    (f"{_HERE}.shell", "ShellAnalyzer", f"{_HERE}.shflow.judging.rules", frozenset({Kind.SHELL})),
    (
        f"{_HERE}.javascript",
        "JavaScriptAnalyzer",
        f"{_HERE}.jsflow.rules",
        frozenset({Kind.JAVASCRIPT, Kind.TYPESCRIPT}),
    ),
    (f"{_HERE}.scripts", "ScriptsAnalyzer", f"{_HERE}.lineflow.rules", CODE),
    (
        f"{_HERE}.linked",
        "LinkedAnalyzer",
        f"{_HERE}.linked_rules",
        frozenset({Kind.PYTHON, Kind.SHELL, Kind.JAVASCRIPT, Kind.TYPESCRIPT}),
    ),
)
"""Where the analyzers of flows live: module, class, the module of their ``RULES``, and what they read. The last tells by the
rules of the others what goes from one program to another."""
OTHERS: tuple[tuple[str, str], ...] = (
    (f"{_HERE}.prose", "ProseAnalyzer"),
    (f"{_HERE}.structure", "StructureAnalyzer"),
    (f"{_HERE}.intent", "IntentAnalyzer"),
)
"""The analyzers of sentences, structure and intent: module and class. They run after those of flows, and intent last, for
it compares with what the others found."""
ONLINE: tuple[tuple[str, str], ...] = (("sluicegate.vet.inspect.osv", "OsvAnalyzer"),)
"""The analyzers that ask the network; they run only when the configuration says so."""

REFERENCE = lazy(
    r"LLM(?:0[1-9]|10)|ASI(?:0[1-9]|10)|AML\.T\d{4}(?:\.\d{3})?|CWE-[1-9]\d{0,4}|T\d{4}(?:\.\d{3})?"
)
"""OWASP LLM and agentic top ten, MITRE ATLAS, CWE, MITRE ATT&CK."""


class KnownRules(Mapping[str, Rule]):
    """Every rule of some analyzers by id, worked out when one is first asked for: most scans find nothing and name no rule."""

    def __init__(self, analyzers: Iterable[Analyzer]) -> None:
        self._analyzers = tuple(analyzers)

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        return {name: rule for analyzer in self._analyzers for name, rule in analyzer.rules.items()}

    def __getitem__(self, name: str) -> Rule:
        return self._rules[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)


def build_analyzers(config: ScanConfig) -> tuple[Analyzer, ...]:
    """The analyzers of a scan, without those of which every rule is switched off. Raises ConfigError."""
    return assemble(config)[0]


def assemble(config: ScanConfig) -> tuple[tuple[Analyzer, ...], KnownRules]:
    """The analyzers of a scan, and every rule that it knows, with those that are switched off.

    What is switched off is said of every skill, by the last of them: see ``SwitchedOff``. Raises ConfigError when the configuration speaks of a rule that does not exist: a slip in the name of a
    rule must neither leave a rule out nor keep one, unseen.
    """
    places = (*OTHERS, *ONLINE) if config.online else OTHERS
    analyzers = [_analyzer(PATTERNS, config.yara), *_flows(), *(_analyzer(place) for place in places)]
    known = KnownRules(analyzers)
    _refuse_unknown(config, known)
    if _all_on(config):
        return tuple(analyzers), known
    used = tuple(a for a in analyzers if any(enabled(rule, config) for rule in a.rules))
    return (*used, *_what_is_off(config, known)) if used else (), known


def digest_of(analyzers: Iterable[Analyzer]) -> str:
    """A digest of the pattern rules, the user's among them, and of what runs them."""
    theirs = [analyzer.user_digest for analyzer in analyzers if hasattr(analyzer, "user_digest")]
    parts = {"shipped": digest(read()), "engine": yara_version(), "user": ",".join(theirs)}
    return digest({name: text.encode() for name, text in parts.items()})


def rules() -> dict[str, Rule]:
    """Every shipped rule by id, sorted. Nothing is compiled when the compiled rules are at hand."""
    found = [pattern_rule(name, meta).rule for name, meta in load_metadata().items()]
    for analyzer in (*_flows(), *(_analyzer(place) for place in (*OTHERS, *ONLINE))):
        found += analyzer.rules.values()
    return dict(sorted(by_id(dict.fromkeys(found)).items()))


def user_rules(places: tuple[str, ...]) -> dict[str, Rule]:
    """The rules of the user's own YARA files by id, sorted. Raises ConfigError when one cannot be used."""
    if not places:
        return {}
    return {name: rule for name, rule in sorted(_analyzer(PATTERNS, places).rules.items()) if rule.custom}


def disabled(config: ScanConfig, known: Mapping[str, Rule]) -> tuple[str, ...]:
    """The ids of the known rules that this configuration switches off, sorted."""
    if _all_on(config):
        return ()
    return tuple(sorted(rule for rule in known if not enabled(rule, config)))


def severity_notes(config: ScanConfig, known: Mapping[str, Rule]) -> tuple[str, ...]:
    """What a reader has to know of severities that the configuration sets: every one that can lower a finding.

    A match may weigh more than its rule, so an override below CRITICAL is told even where it is the rule's own.
    """
    least = dict(config.least_severity)
    told = [
        f"{rule} as {weight.name} (its own: {known[rule].severity.name})"
        for rule, severity in sorted(dict(config.severity).items())
        if rule in known and (weight := max(severity, least.get(rule, severity))) < Severity.CRITICAL
    ]
    if not told:
        return ()
    return (
        f"The severity of findings is set by your settings, so a decision may be milder: {', '.join(told)}.",
    )


def _all_on(config: ScanConfig) -> bool:
    """Whether nothing is switched off, as in most scans."""
    return config.enable == ("*",) and not config.disable


def _what_is_off(config: ScanConfig, known: Mapping[str, Rule]) -> Iterator[Analyzer]:
    """What says that rules were switched off; nothing when all are on."""
    if _all_on(config):
        return
    from sluicegate.vet.inspect.switched import SwitchedOff, leaves_a_gap

    off = [rule for rule in disabled(config, known) if leaves_a_gap(rule)]
    if off:
        yield SwitchedOff(off)


def _refuse_unknown(config: ScanConfig, known: Mapping[str, Rule]) -> None:
    globs = [glob for glob in (*config.enable, *config.disable) if glob != "*"]
    unknown = [glob for glob in globs if glob not in known and not any(fnmatchcase(r, glob) for r in known)]
    unknown += [rule for rule, _ in (*config.severity, *config.least_severity) if rule not in known]
    if not unknown:
        return
    names = {*known, *(rule for place in ONLINE for rule in _analyzer(place).rules)}  # known, if not in use
    of_severity = {rule for rule, _ in (*config.severity, *config.least_severity)}
    for word in unknown:
        if word in names or (word in globs and any(fnmatchcase(name, word) for name in names)):
            continue
        if word in of_severity and any(fnmatchcase(name, word) for name in names):
            raise ConfigError(
                f"a severity is set for one rule, not for a glob: {word!r}",
                hint="Name each rule; 'sluicegate rules' lists them.",
            )
        from difflib import get_close_matches

        close = get_close_matches(word, sorted(names), n=1)
        raise ConfigError(
            f"there is no rule {word!r}",
            hint=f"Did you mean {close[0]}?" if close else "'sluicegate rules' lists them.",
        )


def _flows() -> Iterator[Analyzer]:
    for module, name, rules_of, languages in FLOWS:
        yield Deferred(module, name, rules_of, languages)


def _analyzer(place: tuple[str, str], *arguments: object) -> Analyzer:
    module, name = place
    make = cast("Callable[..., Analyzer]", getattr(import_module(module), name))
    return make(*arguments)
