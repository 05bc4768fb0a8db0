"""The sentence in which something stands: is it negated, quoted as an example, or an order?

Everything here looks at a bounded piece of text in front of a match, and a little behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sluicegate.vet.inspect import tongues
from sluicegate.vet.lazy import lazy

REACH = 160
"""Characters before a match in which its sentence is looked for."""
GOVERNS = 60
"""Characters that may stand between an order and what it orders."""

NEGATION = lazy(
    r"\b(?:never|(?:do|does|did|must|should|shall|may|will|can|could|would)(?: not|n't|n’t)|cannot|don't|don’t"
    r"|avoid(?:s|ing)?|refus(?:e|es|ing)(?: to)?|reject(?:s|ed|ing)?|prevent(?:s|ed|ing)?|block(?:s|ed|ing)?"
    r"|forbid(?:s|den)?|prohibit(?:s|ed)?|detect(?:s|ed|ing)?|flag(?:s|ged|ging)?|disallow(?:s|ed)?"
    r"|rather than|instead of|resist(?:s|ant)?|protect(?:s|ed|ion|ing)? against|defend(?:s|ing)? against"
    r"|not allowed to|not permitted to|attempt(?:s|ed|ing) to|tr(?:ies|ied|ying) to"
    r"|(?:attackers?|adversar(?:y|ies)|skills?|payloads?|injections?|someone|content|pages?|text) (?:may|might|can|could"
    r"|will|would|that|which|who)?[ ]?(?:try|attempt|tells?|asks?|instructs?|claims?)"
    r"|without|no|warn(?:s|ing)? (?:about|of|against|when|if))\b",
    re.IGNORECASE,
)
_STRONG = lazy(r"never|cannot|refus|forbid|prohibit|\w{2,6}(?: not|n't|n’t)", re.IGNORECASE)
_DOUBLED = lazy(
    r"\s*(?:hesitate|forget|fail|skip|stop|neglect|refuse|matter|mind|worry|bother|be afraid|omit|miss|delay"
    r"|allow anything|let anything|end|finish|proceed|continue|start|respond|answer)\b",
    re.IGNORECASE,
)
_TURNED = lazy(r"\b(?:without|until|unless|before|except|unless and until|but)\b", re.IGNORECASE)
_BREAK = lazy(
    r"[.!?;:,](?:[\s\"'`*_)]|$)|&&|\|\||\n\s*\n|\n\s*(?:[-*+|#>]|\d+[.)])|\b(?:but|then|however|just|simply)\b",
    re.IGNORECASE,
)
INTRO = lazy(
    r"\b(?:such as|e\.g\.?|for example|for instance|examples? of\b|examples?:|phrases?\b|patterns?\b|strings?\b|sentences?\b|hid\b"
    r"|attempts?\b|injections?\b|attacks?\b|attackers?\b|payloads?\b|malicious\b|malware\b"
    r"|detect(?:s|ed|ing)?\b|flag(?:s|ged)?\b|look(?:s|ing)? for\b|scan(?:s|ning)? for\b"
    r"|check(?:s|ing)? for\b|search(?:es|ing)? for\b|contain(?:s|ing)\b|reject(?:s|ed)?\b"
    r"|block(?:s|ed)?\b|red flags?\b|indicators?\b|keywords?\b|suspicious\b|jailbreak(?:s|ing)?\b"
    r"|dangerous\b|destructive\b|obfuscat\w{2,4}\b|exfiltrat\w{2,4}\b|reverse shells?\b|backdoors?\b"
    r"|lures?\b|scams?\b|phish\w{2,4}\b|fraud\w{0,5}\b|(?:messages?|prompts?|texts?|lines?|sentences?|phrases?|requests?|instructions?|inputs?|mails?) (?:like|as in)\b"
    r"|poisoning\b|remote code execution\b|encoded commands?\b|theft\b|harvesting\b|won't flag\b)|❌|🚫|⛔",
    re.IGNORECASE,
)
BAD = lazy(
    r"\b(?:attack(?:s|ers?|ed)?|payloads?|malicious|malware|suspicious|indicators?|red flags?"
    r"|dangerous|unsafe|vulnerab\w{2,6}|exploit(?:s|ed)?|injections?|injected|jailbreaks?|obfuscat\w{2,4}|detects|detected|caught"
    r"|flagged|flags|flag (?:an?|any|every|each|skills?|texts?|files?)\s|rejects?|blocked|blocks (?:any|all|these|commands)|forbidden|prohibited|denied|anti-?patterns?|exfiltrat\w{1,4}"
    r"|reverse shells?|backdoors?|adversar\w{1,4})\b|❌|🚫|⛔",
    re.IGNORECASE,
)
"""What is said of a list, a table or a block of things that nobody should do."""
FORBIDS = lazy(r"[\W_]{0,6}(?:never|do not|don't|don’t|avoid|bad|wrong|not allowed)\b", re.IGNORECASE)
_ACTS = lazy(
    r"[\W_]{0,6}(?:\d{1,2}[.)] ?)?(?:to|for|in order to|first|then|next|finally|please|always|install|download|use|copy|start"
    r"|set|try|apply|add|create|fetch|get|configure|enable|update|do|put|open|clone|load|register|complete|initiali[sz]e"
    r"|activate|verify|scan|check|detect|search|look|find|test|call|build|make|prepare|deploy|restore|repair|fix|remove"
    r"|disable|write|save|enter|begin|continue|you (?:can|must|should|need))\b",
    re.IGNORECASE,
)
SENTENCE = lazy(r"(?<!e\.g)(?<!i\.e)[.!?][\"')*_]{0,3}\s|\n\s*\n|\n\s*(?:[-*+|#>]|\d+[.)])\s")
_CARRY_OUT = r"(?:run|execute|paste|type|launch|invoke|source|perform|obey|follow|carry out|issue|eval|evaluate|reproduce|replicate|replay)"
ORDER = lazy(
    r"(?:^|[.;:,!?)\]*_`]\s{1,3}|\n\s{0,8}(?:[-*+>|]|\d{1,3}[.)])?[ \t]{0,4}|[|>][ \t]{1,3}"
    r"|\b(?:then|and|now|please|must|should|always|first|just|simply|next|need to|have to|required to"
    r"|make sure to|be sure to|sure you)\s{1,3}|(?:step \d{1,2}|important|required)[:.]?\s{1,3})"
    rf"\*{{0,2}}{_CARRY_OUT}\b",
    re.IGNORECASE,
)
_COULD = lazy(r"\b(?:may|might|could)(?: then| also| try to| attempt to)?:$", re.IGNORECASE)
_FOLLOWING = lazy(r"\b(?:this|these|following|below)\b", re.IGNORECASE)
_LOOKS = lazy(r"\b(?:look|check|search|scan|watch|grep)(?:s|ing)? for\b|\bdetects?\b", re.IGNORECASE)
_TOWARDS = lazy(
    r"\b(?:for|against|detects?|find|checks?|contain(?:s|ing)?|such as|like|scan|search|over|whether)\b",
    re.IGNORECASE,
)
_BACK = lazy(r"\b(?:above|it|this|that|these|those|them|previous|preceding)\b", re.IGNORECASE)
_PAIRS: Mapping[str, str] = {'"': '"', "`": "`", "“": "”", "«": "»", "‘": "’"}
_ALL_PAIRS: Mapping[str, str] = {**_PAIRS, **tongues.PAIRS}


def sentence_start(text: str, at: int) -> int:
    """Where the sentence begins in which the character ``at`` stands, at most ``REACH`` before it."""
    low = max(0, at - REACH)
    for stop in SENTENCE.finditer(text, low, at):
        low = stop.end()
    return low


def negation(text: str, start: int) -> str:
    """The negating word that governs what starts here, or ``""``.

    1. A clause, a shell operator or an ``and`` with a verb of its own cuts a negation off.
    2. A negation of another word turns into its opposite (``never skip``), and so does one that the
       sentence turns round (``do not end without``, ``nothing counts until``).
    3. ``no`` and ``without`` govern what stands right behind them and nothing further on.
    """
    last, turned = "", False
    for found in NEGATION.finditer(text, max(0, start - REACH), start):
        word, between = found.group(), text[found.end() : start]
        if _broken(word, text, found.end(), start) or _joins(word, between):  # 1
            continue
        if _DOUBLED.match(text, found.end(), start + 20) or _TURNED.search(between):  # 2
            turned = True
        elif word.lower() in ("no", "without"):  # 3
            if turned or last:
                return ""
            if not between.strip(" \t\n`\"'*_"):
                last = word
        else:
            last = word
    return last


def _broken(word: str, text: str, first: int, start: int) -> bool:
    """Whether the reach of a negation ends before ``start``; what others tell goes on over commas (``to do this, to do that``)."""
    if " " in word and _OTHERS.match(word) is not None:
        return any(
            _GOES_ON.match(text, found.start()) is None for found in _BREAK.finditer(text, first, start)
        )
    return _BREAK.search(text, first, start) is not None


_OTHERS = lazy(
    r"(?:attackers?|adversar|skills?|payloads?|injections?|someone|content|pages?|text)\b", re.IGNORECASE
)
_GOES_ON = lazy(r",\s{1,2}(?:(?:or|and)\s{1,2})?to\s", re.IGNORECASE)


def denied(text: str, start: int, end: int, *, foreign: bool) -> str:
    """The word that negates ``text[start:end]``, in English or, where a rule reads them, in other languages."""
    word = negation(text, start)
    return word or (tongues.negation(text, max(0, start - REACH), start, end) if foreign else "")


def _joins(word: str, between: str) -> bool:
    """Whether an ``and`` after a negation begins something that it does not govern."""
    before, joined, _ = between.partition(" and ")
    return bool(joined) and (len(before.split()) > 1 or _STRONG.match(word) is None)


def quoted(text: str, start: int, end: int, *, foreign: bool = False) -> tuple[int, int] | None:
    """Where the quotation that holds the match begins and ends, or None. Looks at its own line only."""
    line = max(text.rfind("\n", 0, start) + 1, start - REACH)
    for opening, closing in (_ALL_PAIRS if foreign else _PAIRS).items():
        before = text.rfind(opening, line, start + 1)
        if before == -1:
            continue
        if opening == closing and text.count(opening, line, before + 1) % 2 == 0:
            continue
        stop = text.find("\n", end)
        limit = min(len(text) if stop == -1 else stop, end + REACH)
        after = text.find(closing, max(before + 1, end - 1), limit)
        if after != -1:
            return before, after + len(closing)
    return None


_TOLD = lazy(
    r"\b(?:was|were|had been|got)\s(?:asked|told|instructed|ordered|prompted)\b[^.\n\"`]{0,40}$"
    r"|\b(?!you\b|they\b)\w{2,16}\s(?:told|asked|instructed|ordered|prompted|tricked)\s(?!you\b|us\b)(?:the\s|an?\s|its\s|their\s|his\s|her\s)?\w{2,16}\b[^.\n\"`]{0,24}$",
    re.IGNORECASE,
)
"""What somebody was told, in front of a quotation of it."""
_WRONG = lazy(
    r"[\s>|*_-]{0,8}(?:\d{1,3}[.)]\s)?[*_]{0,2}(?:bad|wrong|incorrect|poor|anti-?pattern|insecure|unsafe|worse)(?: \w{2,12}){0,2}[*_]{0,2}\s?:",
    re.IGNORECASE,
)
"""A label that calls what stands on its line wrong."""


def introduced(text: str, opening: int, closed: int, *, foreign: bool = False) -> bool:
    """Whether the sentence in which a quotation begins calls it an example or an attack, or rejects it."""
    low = sentence_start(text, opening)
    if INTRO.search(text, low, opening) is not None:
        return True
    if foreign and tongues.introduced(text, low, opening, closed):
        return True
    if _TOLD.search(text, low, opening) or _WRONG.match(text, text.rfind("\n", 0, opening) + 1, opening):
        return True
    return text[opening] != "`" and any(
        _DOUBLED.match(text, found.end(), opening) is None for found in NEGATION.finditer(text, low, opening)
    )


_ASKS = lazy(
    r"[\W\d_]{0,12}(?:does|do|is|are|was|has|have|did)\s{1,2}(?:any|some|the|there|an?|it|its)\b",
    re.IGNORECASE,
)
_FLAGGED = lazy(
    r"[\"'`*_)\s]{0,6}(?:->|→|=>|:|\|)[\"'`*_\s]{0,4}(?:(?:must|should|has to|expected to|is)\s{1,2}(?:be\s{1,2})?)?"
    r"(?:flag|block|reject|refus|detect|den(?:y|ied)|caught|fail|malicious|unsafe|injection|attack)\w{0,4}\b",
    re.IGNORECASE,
)


_DISOWNED = lazy(
    r"[\"'`*_)]{0,6}\s[^.!?\"`]{0,40}?(?<!\w)(?:ha(?:s|ve)\s{1,4}no\s{1,4}(?:authority|(?:honest|legitimate)\s{1,4}use|business|place)\b|(?:is|are) (?:an? |the )?(?:attacks?|injections?|manipulation|overrides?|lures?|scams?|red flags?|attempts?)\b"
    r"|(?:must|should|is to|are to|has to|have to) be (?:refused|rejected|flagged|blocked|reported)\b|(?:is|are) (?:graded|judged|marked|flagged|rejected|refused|reported|blocked)\b)",
    re.IGNORECASE,
)
"""What is said right behind a quotation of what nobody should say."""
_SPEAKERS = r"(?:pages?|tickets?|e-?mails?|mails?|comments?|documents?|files?|readme|messages?|sites?|websites?|tools?|results?|reviews?|posts?|issues?|pdfs?|images?|notes?|descriptions?|answers?|inputs?|prompts?|invitations?|logs?)"
_REPORTED = lazy(
    rf"\b(?:an?|some|one|another)\s(?:[\w-]{{2,14}}\s){{0,3}}?{_SPEAKERS}\b[^.!?\n\"]{{0,40}}\b(?:says?|said|reads?|states?|contain(?:s|ed|ing)?|claims?|tells?|shows?|includes?|holds?|asks?|has)\b[^.!?\n\"]{{0,40}}$"
    rf"|(?:^|\n)\W{{0,4}}(?:(?:and|or|also)\s)?in (?:an?|some|another)\s(?:[\w-]{{2,14}}\s){{0,2}}?{_SPEAKERS}:\s{{0,3}}$",
    re.IGNORECASE,
)
"""That some text, which nobody names, says what follows."""


_OBEYED = lazy(
    rf"\b(?:follow|obey|comply with|act on|carry out|execute|perform|do|honou?r|heed)\s(?:exactly\s|just\s)?(?:(?:what|whatever|as)\b[^.\n]{{0,40}}\b(?:says?|said|asks?|tells?|states?|demands?|reads?|wants?|is (?:said|quoted|written))\b"
    rf"|(?:the|its|their|that|this|these|those|every|each|all)\s(?:\w{{2,12}}\s){{0,2}}?(?:{_SPEAKERS}|instructions?|orders?|requests?|sentences?|quot\w{{2,6}}|lines?|words|text)\b|it\b|them\b)",
    re.IGNORECASE,
)


def obeyed(text: str) -> bool:
    """Whether a text has somebody do what some text says."""
    return any(not negation(text, found.start()) for found in _OBEYED.finditer(text))


def reported(text: str, opening: int) -> bool:
    """Whether a quotation that begins here is what some page, mail or file says: ``A ticket says: "..."``."""
    return _REPORTED.search(text[max(0, opening - REACH) : opening]) is not None


_BY_ANOTHER = lazy(
    r"\b(?:attackers?|adversar(?:y|ies)|intruders?|malware|thie(?:f|ves)|criminals?|fraudsters?|scammers?|hackers?|victims?)\s(?:\w{2,12}ly\s|then\s|often\s|also\s|who\s){0,2}[\w'’]{0,14}$",
    re.IGNORECASE,
)


def done_by_another(text: str, start: int) -> bool:
    """Whether the subject of the verb that starts here, or ends right before it, is an attacker or a victim: ``an attacker sends``."""
    return _BY_ANOTHER.search(text, max(0, start - 60), start) is not None


def asked(text: str, opening: int, closed: int) -> bool:
    """Whether a quotation is part of a question, or what follows it says that it is flagged."""
    if _FLAGGED.match(text, closed) is not None or _DISOWNED.match(text, closed) is not None:
        return True
    if _ASKS.match(text, sentence_start(text, opening)) is None:
        return False
    stop = text.find("\n", closed)
    rest = text[closed : min(closed + REACH, stop if stop != -1 else len(text))]
    return "?" in rest and "." not in rest.partition("?")[0]


def ordered(text: str, start: int) -> bool:
    """Whether an order to carry something out governs what starts here: ``Run `` before it, say."""
    low = max(0, start - GOVERNS - 20)
    for found in ORDER.finditer(text, low, start):
        between = text[found.end() : start]
        line = text.rfind("\n", 0, found.end()) + 1
        if text.count('"', max(line, found.end() - REACH), found.end()) % 2:
            continue  # the order is itself a quotation
        if (
            "\n\n" not in between
            and _TOWARDS.search(between) is None
            and SENTENCE.search(between) is None
            and not negation(text, found.end())
        ):
            return True
    return False


def gives_order(lead: str) -> bool:
    """Whether the line that leads to a block or a list tells to carry it out: ``Run this:``."""
    points = lead.endswith(":") or _FOLLOWING.search(lead) is not None
    return any(
        _TOWARDS.search(lead, found.end(), found.end() + GOVERNS) is None and not negation(lead, found.end())
        for found in ORDER.finditer(lead)
        if points or not lead[: found.start()].strip()
    )


_KEPT_FROM = lazy(
    r"\b(?:must|do|does|shall|should|may|will|can)(?: not|n['’]t)(?: ever)?(?: (?:do|be|use|run))?\W{0,4}$|\b(?:never|not allowed(?: to)?|off limits)\W{0,4}$"
    r"|\b(?:must|should|shall|has to|have to|is to|are to)(?: always)? (?:be )?(?:refused?|rejected|reject|blocked|block|flagged|flag|denied|deny)\b[^.!?\n]{0,60}$",
    re.IGNORECASE,
)
"""A lead that says of what follows that somebody must not do it, or must refuse it."""


def warns(lead: str, *, commands: bool) -> bool:
    """Whether the line that leads to a list or a block says that nobody should do what it holds.

    What leads to commands with a verb of its own (``Scan for malware:``) says what they are for.
    """
    if not lead.endswith(":") or gives_order(lead):
        return False
    if not commands and _COULD.search(lead):
        return True
    if _KEPT_FROM.search(lead) is not None:
        return True
    if FORBIDS.match(lead):
        return _DOUBLED.match(lead, FORBIDS.match(lead).end()) is None  # type: ignore[union-attr]
    if _ACTS.match(lead):
        return not commands and _LOOKS.search(lead) is not None
    return BAD.search(lead) is not None


def ordered_after(text: str, end: int, stop: int) -> bool:
    """Whether what follows tells to carry out what stood before it: ``Run the line above.``"""
    for found in ORDER.finditer(text, end, min(stop, end + 2 * REACH)):
        tail = text[found.end() : found.end() + GOVERNS].partition("\n")[0]
        back = _BACK.search(SENTENCE.split(tail, maxsplit=1)[0])
        if (
            back is not None
            and _TOWARDS.search(tail[: back.start()]) is None
            and not negation(text, found.end())
        ):
            return True
    return False
