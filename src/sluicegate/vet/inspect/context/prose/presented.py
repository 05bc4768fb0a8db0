"""What leads to a block, a list or a table in a text about attacks: does it tell of what follows, or have it done?

A text that teaches, reports or reviews shows what others did. Its own grammar says so: what leads to it is a statement
and no order, somebody else is the subject, or the verb stands in the past; and logs, rules of detectors and lines that
a change removes say it by their form. A text that wants something done says who does it, or what it is needed for.
"""

from __future__ import annotations

import re

from sluicegate.vet.inspect.context.prose.sentence import gives_order, sentence_start
from sluicegate.vet.lazy import lazy

_STOP = lazy(r"[.!?][\"')*_]{0,3}\s+")
_TO_THE_READER = lazy(
    r"\b(?:you|your|yours|agents?|assistants?|please|must|should|shall|needs?|needed|requir\w{1,4}|prerequisites?|mandatory|recommend\w{0,3})\b",
    re.IGNORECASE,
)
"""Whoever is told to do something, or what nothing works without."""
_FOR_USE = lazy(
    r"\b(?:install\w{0,6}|set ?up|setup|uses?|using|used|usage|run|runs|running|execute|starts?|starting|begin|enabl\w{1,4}|activat\w{1,4}|deploy\w{0,4}|updat\w{1,3}"
    r"|download\w{0,3}|fetch\w{0,3}|(?:commands?|one-?liners?|lines?|scripts?|steps?|way|call) (?:is|are|to|for|that)|first|always|simply|just)\b",
    re.IGNORECASE,
)
"""What is said of things to be done; of others it is said as well."""
_IMPERATIVE = lazy(
    r"[\W\d_]{0,8}(?:to|for|in order to|install|download|use|copy|set|try|apply|add|create|fetch|get|configure|enable|update|do|put|open|clone|load|register|complete"
    r"|initiali[sz]e|activate|verify|scan|check|test|call|build|make|prepare|deploy|restore|repair|fix|remove|disable|write|save|enter|begin|continue|run|execute|paste|type|launch"
    r"|then|next|finally|now)\b",
    re.IGNORECASE,
)
_STATES = lazy(
    r"[\W\d_]{0,8}(?:the|an?|this|that|these|those|all|some|one|two|three|each|every|both|most|many|another|here|there|it|its|they|their|he|she|his|her|our|we"
    r"|(?:typical|common|usual|known|real|recent|such|other|more|first|second|third|next|last)\s\w{1,14}|in|on|at|from|after|before|during|within|among|under|by|when|while|as|what|where|who|how|why|which"
    r"|(?:\w{2,14} )?(?:examples?|samples?|payloads?|attacks?|history|logs?|evidence|strings?|indicators?|output|excerpts?|timeline|reports?|findings?|observed|captured|recovered|seen))\b",
    re.IGNORECASE,
)
"""How a statement begins, or the name of what follows."""
_OTHERS = (
    r"attack(?:er)?s?|actors?|adversar(?:y|ies)|intruders?|operators?|malware|payloads?|droppers?|loaders?|stealers?|worms?|implants?|botnets?|miners?|victims?|thie(?:f|ves)|scammers?"
    r"|testers?|consultants?|red team|insiders?|maintainers?|contractors?"
)
_OF_OTHERS = lazy(rf"\b(?:{_OTHERS})\b", re.IGNORECASE)
"""Whoever does such things, and is not the reader."""
_PAST = lazy(
    r"\bha(?:s|ve|d) (?!to\b|no\b|an?\b|the\b|any\b)\w{2,14}\b|\b(?:was|were|had|did|ran|sent|got|took|wrote|found|saw|came|began|stole|hid|left|seen|(?!need|requir|recommend|provid|support|us|bas|prefer|suggest|trust|includ|advanc|detail|relat)\w{2,14}ed)\b"
    r"|\b(?:look|looks|looked) like\b|\bin the wild\b|\bhistory\b",
    re.IGNORECASE,
)
"""A verb in the past, or what says that something was seen."""
_LABEL = lazy(
    r"[\W\d_]{0,8}(?:before|bad|wrong|worse|don['’]t|vulnerable|insecure|unsafe|problem(?:atic)?|offending)(?: \w{2,12}){0,2}[\s:*_]*$",
    re.IGNORECASE,
)
"""A label of the worse one of two."""
_ANOTHERS = lazy(
    r"\b(?:someone|somebody|(?:an?|some|one|another|every|each|any|whose)\s(?:[\w'’-]{2,16}\s){0,4}?(?:pages?|skills?|servers?|tools?|tickets?|e-?mails?|mails?|messages?|comments?|documents?|files?|readmes?|sections?"
    r"|descriptions?|packages?|plugins?|extensions?|scripts?|websites?|sites?|results?|prompts?|issues?|posts?|banners?|models?|bots?|users?|people))\s(?:that\s|which\s)?(?:\w{2,12}ly\s)?(?:\w{2,14}s|\w{2,14}ed|told|said|read|ran|sent|made|let|had|got|took|began|wrote|gave)\b",
    re.IGNORECASE,
)
"""Somebody or something that is not this skill, and a verb of what it does."""
_SUPPOSED = lazy(
    r"[\W\d_]{0,8}(?:what (?:happens|would happen|if)|suppose|imagine|assume|picture|who\b|which\b|could\b|would\b|how (?:long|often|soon|likely)\b|is (?:that|it|there)\b)",
    re.IGNORECASE,
)
"""How a sentence begins that asks or supposes."""
_SHOWING = lazy(
    r"\b(?:examples?|samples?|cases?|stor(?:y|ies)|scenarios?|fake|lures?|phish\w{0,4}|scams?|findings?|questions?|quiz|injects?|evidence|timeline|incidents?|walkthrough|anatomy|exhibits?"
    r"|beispiele?|f[aä]lle?|exemples?|ejemplos?|casos?|exemplos?)\b",
    re.IGNORECASE,
)
"""A heading over what is shown."""
_CALLOUT = lazy(
    r"[\s>]{1,12}(?:\[!\w{2,12}\]|[\W_]{0,6}(?:prerequisites?|notes?|nb|important|required|requirements?|warning|caution|tip|hint|info|setup|set ?up|install\w{0,6}|attention|before you|first)\b[^:\n]{0,30}:)",
    re.IGNORECASE,
)
_PROCEDURE = lazy(
    r"[\W_]{0,4}(?:steps?|runs?|usage|use|install\w{0,6}|set ?up|setup|how|what to do|fix(?:es)?|remed\w{1,6}|mitigat\w{1,4}|respon\w{1,4}|actions?|to ?do|do|then|commands?|tools?|needs?"
    r"|requirements?|prerequisites?|instructions?|source|download|link|url|where to get)\b",
    re.IGNORECASE,
)
"""The head of a column that says what is to be done, or had."""
_REFUSED = lazy(
    r"^[\W_]{0,6}(?:(?:is|must be|should be|to be|will be|gets) )?(?:refused?|blocked|block|denied|deny|rejected|reject|flagged|flag|detected|caught|forbidden|not allowed|malicious|unsafe|fails?)\b",
    re.IGNORECASE,
)
_RULE = lazy(
    r"\brule\s+\w{1,80}[^{}\n]{0,80}\{[^}]{0,4000}\b(?:strings|condition)\s{0,4}:"
    r"|^\s{0,4}detection\s?:[ \t]*\n(?:[^\n]*\n){1,80}?\s{1,12}condition\s?:"
    r"|^\s{0,4}-?\s{0,4}rules\s?:[ \t]*\n(?:[^\n]*\n){1,80}?[ \t-]{1,24}pattern[\w-]{0,12}\s?:"
    r"|^(?:alert|drop|reject) (?:tcp|udp|icmp|ip|http|tls|dns) \S{1,60} \S{1,60} (?:->|<>) ",
    re.MULTILINE,
)
"""A rule of YARA, Sigma, Semgrep, or of Snort and Suricata, by its form."""
_RULE_TEST = lazy(r"^\s{0,12}(?:#|//)\s?(?:todo)?ruleid: ", re.MULTILINE)
"""What a test of such rules writes above the code that a rule finds."""
_LOGGED = lazy(
    r"\s{0,4}(?:[\[{(]?\s?[\"']?(?:ts|time|timestamp|@timestamp|date)?[\"']?[:=]?\s?[\"']?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s{1,2}\d{1,2} \d\d:\d\d:\d\d "
    r"|(?:\d{1,3}\.){3}\d{1,3} \S{1,40} \S{1,40} \[|type=(?:EXECVE|SYSCALL|PROCTITLE) |\d\d:\d\d:\d\d[.,\d]{0,8} )"
)
"""How a line of a log begins."""
_TIME = lazy(r"[\s*_`]{0,6}(?:\d{4}-\d\d-\d\d[T ]?)?\d\d:\d\d(?::\d\d)?(?: ?(?:Z|UTC|[AP]M))?[\s*_`]{0,6}")
_LINES = 400
"""Lines of a block that are looked at."""


def presents(lead: str) -> bool:
    """Whether the line in front of something tells of it, and has nobody do it.

    1. The last sentence begins as a statement or says what was done; it is not an order, and no clause begins with the verb of one.
    2. It speaks neither to the reader nor of what is needed.
    3. What it says of use, it says of somebody else's.
    """
    said = _STOP.split(lead.strip().rstrip("*_ "))[-1]
    if gives_order(lead) or any(map(_IMPERATIVE.match, said.split(", "))):  # 1
        return False
    if _STATES.match(said) is None and not past(said) and _LABEL.match(said) is None:
        return False
    if _TO_THE_READER.search(said) is not None:  # 2
        return False
    return _FOR_USE.search(said) is None or _OF_OTHERS.search(said) is not None  # 3


def reports(lead: str) -> bool:
    """The same, where it says besides that somebody else did it, or that it was seen."""
    return (
        presents(lead)
        and _TO_THE_READER.search(lead) is None
        and (past(lead) or _LABEL.match(lead) is not None)
    )


def worse(lead: str) -> bool:
    """Whether a line calls what follows the worse one of two."""
    return _LABEL.match(lead) is not None


def past(text: str) -> bool:
    """Whether a text says that something was done or seen, or that others do it."""
    return _PAST.search(text) is not None or _OF_OTHERS.search(text) is not None


def narrated(text: str, start: int) -> bool:
    """Whether the sentence in front of what starts here says that others do it, or only supposes it."""
    low = max(sentence_start(text, start), text.rfind("\n", 0, start) + 1)
    before = text[low:start]
    if not before.strip(" \t>*_|-"):
        opens = _ANOTHERS.search(text, start, start + 80)
        return opens is not None and not text[start : opens.start()].strip(" \t>*_|-")
    if _SUPPOSED.match(before) is not None:
        return True
    told = _OF_OTHERS.search(before) or _ANOTHERS.search(before)
    return (
        told is not None
        and _TO_THE_READER.search(before[: told.start()]) is None
        and _IMPERATIVE.match(before) is None
    )


def heads_examples(heading: str) -> bool:
    """Whether a heading says that what follows is shown."""
    return _SHOWING.search(heading) is not None and _IMPERATIVE.match(heading) is None


def callout(line: str) -> bool:
    """Whether a block quotation begins as a note to the reader."""
    return _CALLOUT.match(line) is not None


def procedural(head: str) -> bool:
    """Whether the head of a column says that its entries are done or fetched."""
    return _PROCEDURE.match(head) is not None


def refused(cells: list[str]) -> bool:
    """Whether one cell of a row says that the others are refused."""
    return any(_REFUSED.match(cell) is not None for cell in cells)


def dated(cells: list[str]) -> bool:
    """Whether one cell of a row is the time at which something happened."""
    return any(_TIME.fullmatch(cell) is not None for cell in cells)


def detector(block: str) -> bool:
    """Whether a block is a rule of a detector, or a test of one."""
    return _RULE.search(block) is not None or _RULE_TEST.search(block) is not None


def logged(block: str) -> bool:
    """Whether most lines of a block are records of a log."""
    lines = [line for line in block.split("\n", _LINES)[:_LINES] if line.strip()]
    return bool(lines) and 2 * sum(_LOGGED.match(line) is not None for line in lines) > len(lines)
