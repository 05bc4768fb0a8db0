"""Names that are chosen to be mistaken: of skills, and of packages that a company keeps to itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from sluicegate.vet.inspect.analyzers.structures.dependencies import installed
from sluicegate.vet.inspect.analyzers.structures.registry import HIGH, BundleFacts, rule, structure_rule
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category

IMITATION = rule(
    "skill-name-imitation", "The skill's name is a misspelling", Category.SUPPLY_CHAIN, HIGH, 550,
    why="A name one slip away from a known word or skill is found by those who mistype or misread it. Honest authors can spell the "
    "name of their own work.",
    fix="Look for the skill under the name as it is spelled, and compare the publishers.",
    references=("ASI04", "ASI09", "LLM03", "T1036.005", "CWE-290"),
)  # fmt: skip
CONFUSION = rule(
    "dependency-confusion", "A package that is called internal is taken from the public registry", Category.SUPPLY_CHAIN, HIGH, 600,
    why="Who registers an internal package's name in the public registry has it installed in its place.",
    fix="Give the private registry in the command, or the package a scope that belongs to it.",
    references=("ASI04", "LLM03", "T1195.001", "CWE-427"),
)  # fmt: skip

LEAST = 5
"""Letters below which two words are close by chance."""

_SKILLS = frozenset(
    """webapp testing webapp-testing skill-creator mcp-builder frontend-design canvas-design brand-guidelines internal-comms
    algorithmic-art artifacts-builder theme-factory slack-gif-creator doc-coauthoring template-skill browser-use
    find-skills brainstorming systematic-debugging clawdhub""".split()
)
"""Well-known skills; their words count too."""
_WORDS = frozenset(
    """validator validate validation diagnostics diagnostic diagnosis parser parsing formatter formatting converter conversion
    generator generate generation manager management monitor monitoring analyzer analysis analytics scanner scanning checker builder
    deployment deployer calculator calendar database documentation document documents spreadsheet presentation translator translation
    summarizer summarize summary optimizer optimization extractor extraction processor processing reporter reporting scheduler
    scheduling tracker tracking automation automated assistant developer development security workflow workflows template templates
    markdown terminal browser testing tester debugger debugging dependency dependencies repository downloader uploader
    transcriber transcript configuration configurator notification notifications integration integrations performance kubernetes
    terraform postgres postgresql mongodb elasticsearch javascript typescript python anthropic openclaw clawhub polymarket ethereum
    bitcoin solana telegram whatsapp discord youtube twitter linkedin facebook instagram spotify notion airtable obsidian
    wireguard tailscale cloudflare digitalocean salesforce hubspot shopify wordpress confluence bitbucket gitlab github
    dashboard visualizer visualization screenshot compressor encryption password credential credentials wallet exchange portfolio
    metadata inventory permission permissions container network timezone backup restore weather reminder research researcher
    organizer cleaner counter summarization devtools config requests pandas selenium playwright matplotlib""".split()
) | frozenset(part for name in _SKILLS for part in name.split("-") if len(part) >= LEAST)
_NEAR = frozenset(
    """tracing tracer tracers traced trucker taster tasting nation national discard bowser tacker titter manger monitory parse request configs research
    validated validates generated generates generators managers parsed formatted converted monitors scanned checked deployments
    optimized optimize optimise optimiser optimisation extracted processed tracked trackers tested developers templated containers
    networks researched restored weathering counters compressed encrypted organised organiser organize organizers summaries summarise summariser
    visualiser visualisation analyser analyse analyze analyzes analysts processors converters validators analyses parsers scanners
    builders checkers reporters schedulers monitored dependent dependence document's translate translated translators
    extractors generative tracking's pythonic telegrams decompressor networked encounter contained exchanges passwords wallets
    scanning screenshots dashboards invalidation repositories databases workflow's calculators terminals browsers""".split()
)
"""Words that are near one of the others and are words themselves."""
_PARTS = lazy(r"[A-Za-z]+")
_CAPITAL = lazy(r"[a-z]I[a-z]|[a-z]I$")
_NAME = lazy(r"(?m)^name[ \t]{0,8}:[ \t]{0,8}[\"']?([^\n\"'#]{1,100})")
_PRIVATE = lazy(
    r"\b(?:internal|private|company|corporate|in-house)(?: npm| pypi| package| artifact| python| node){0,2} (?:registry|index|repository|feed|package|packages)\b"
)
_PRIVATE_WORDS = ("nternal ", "rivate ", "ompany ", "orporate ", "n-house ")
_INTERNAL = lazy(
    r"(?i)\b(?:internal|private|company|in-house) (?:npm |pypi |python |node )?package:? [`'\"*]{0,2}([a-z][\w.-]{3,80})"
)
_FETCHED = lazy(
    r"(?i)\binstall(?:ed)?\b[^.\n]{0,60}\bfrom (?:the |our |your |an? )?(?:internal|private|company|corporate|in-house)\b"
)
_ELSEWHERE = lazy(
    r"(?i)--registry|index-url|--index\b|@[\w-]{1,80}:registry|\.npmrc|pip\.conf|artifactory|nexus|codeartifact|verdaccio"
)


@structure_rule(IMITATION)
def skill_name(facts: BundleFacts) -> Iterator[Match]:
    """The name in the front matter, word by word."""
    if facts.manifest is None:
        return
    for view in facts.steps("front-matter"):
        if view.path != facts.manifest.path:
            continue
        found = _NAME.search(view.text[:4096])
        meant = _meant(found[1].strip()) if found is not None else ""
        if found is not None and meant:
            yield Match(
                rule=IMITATION.id, view=view, start=found.start(1), end=found.end(1),
                message=f"'{found[1].strip()}' is almost '{meant}'. {IMITATION.why}",
            )  # fmt: skip
        return


def _meant(name: str) -> str:
    if _CAPITAL.search(name) is not None and name.replace("I", "l").islower() and name.count("I") == 1:
        return name.replace("I", "l")
    for part in _PARTS.findall(name)[:12]:
        word = part.lower()
        if len(word) < LEAST or word in _WORDS or word in _NEAR:
            continue
        for known in sorted(_candidates(word)):
            return name.replace(part, known)
    return ""


@lru_cache(maxsize=2048)
def _candidates(word: str) -> frozenset[str]:
    """Known words that one doubled, dropped or exchanged letter, or another vowel, makes of ``word``."""
    made = {*_longer(word)}
    before = ""
    for i, letter in enumerate(word):
        head, rest = word[:i], word[i + 1 :]
        if letter == before:
            made.add(head + rest)
        if rest and letter != rest[0]:
            made.add(head + rest[0] + letter + rest[1:])
        if letter in "aeiou":
            made.update([head + vowel + rest for vowel in "aeiou"])
        elif letter in "01":
            made.add(head + "ol"[int(letter)] + rest)
        before = letter
    return (_WORDS & made) - {word}


def _longer(word: str) -> Iterator[str]:
    """The known words that are this one without one of their inner letters."""
    if len(word) < LEAST:
        return
    for known in _by_ends().get((word[0], word[-1], len(word) + 1), ()):
        if any(known[:i] + known[i + 1 :] == word for i in range(1, len(known) - 1)):
            yield known


@cache
def _by_ends() -> dict[tuple[str, str, int], list[str]]:
    """The known words by their first letter, their last, and their length."""
    made: dict[tuple[str, str, int], list[str]] = {}
    for word in _WORDS:
        made.setdefault((word[0], word[-1], len(word)), []).append(word)
    return made


@structure_rule(CONFUSION)
def confusion(facts: BundleFacts) -> Iterator[Match]:
    """Words of an internal registry in the manifest, and commands that ask the public one; or an internal package
    that is to be installed from a registry that is nowhere named."""
    manifest = facts.manifest
    if (
        manifest is None
        or not _speaks_of_private(facts.low(manifest))
        or _ELSEWHERE.search(manifest.text) is not None
    ):
        return
    for view in facts.shell:
        for package in installed(view):
            if not package.name.startswith("@"):
                yield Match(
                    rule=CONFUSION.id, view=view, start=package.start, end=package.end, evidence=package.name,
                    message=f"The text speaks of an internal registry, and the command takes {package.name} from the public one. {CONFUSION.why}",
                )  # fmt: skip
                return
    unnamed = _INTERNAL.search(manifest.text)
    if unnamed is not None and _FETCHED.search(manifest.text) is not None:
        yield Match(
            rule=CONFUSION.id, view=manifest, start=unnamed.start(), end=unnamed.end(), confidence=550,
            message=f"'{unnamed[1]}' is to come from a registry that is not named, so a tool asks the public one. {CONFUSION.why}",
            adjustments=("no command installs it",),
        )  # fmt: skip


def _speaks_of_private(low: str) -> bool:
    """Whether ``_PRIVATE`` matches. It begins with one of its words, of which only the first letter is not listed."""
    for word in _PRIVATE_WORDS:
        at = low.find(word, 1)
        while at != -1:
            if _PRIVATE.match(low, at - 1) is not None:
                return True
            at = low.find(word, at + 1)
    return False
