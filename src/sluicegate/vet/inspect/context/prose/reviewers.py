"""Words about reviewers: an order to whoever judges this skill, or the work of a skill that judges other things.

Here is what the sentence itself says, in English: ``mentioned`` gives the reason why a match is not an order, and how
sure that is. Who speaks of *this skill* to a reviewer is never excused by the words around: that is the order.
"""

from __future__ import annotations

import re

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.context.prose.sentence import REACH, SENTENCE, quoted, sentence_start
from sluicegate.vet.lazy import lazy

DOUBTFUL = 450
"""Too little to decide alone, and enough for a CAUTION."""
TALK = 250
"""Listed, and no more."""

_WHO = (
    r"(?:reviewers?|scanners?|auditors?|analy[sz]ers?|analysts?|judges?|graders?|moderators?|evaluators?|classifiers?"
    r"|inspectors?|(?:review|scanning|security)\s{1,2}(?:models?|agents?|systems?|tools?|bots?))"
)
_GATE = r"(?:ai|llm|automated|security|safety|malware|vulnerability|skill|static|language)"
ADDRESS = lazy(rf"\b{_WHO}\b", re.IGNORECASE)
"""Whoever reviews is named."""
_CALLED = lazy(
    rf"\b{_GATE}[-\s]{{1,2}}(?:\w{{1,12}}[-\s]{{1,2}}){{0,2}}?{_WHO}\s{{0,2}}[:,]|\b(?:to|for|dear|attention)\s{{1,2}}(?:\w{{1,12}}\s{{1,2}}){{0,3}}?{_WHO}\s{{0,2}}[:,.]",
    re.IGNORECASE,
)
"""Whoever reviews is spoken to."""
OWN = lazy(
    r"\b(?:this|the\s{1,2}present|our|my)\s{1,2}(?:\w{1,12}\s{1,2})?(?:skill|package|plugin|bundle|repo|repository|submission|extension"
    r"|tool|server|folder|directory|listing|entry|module)\b",
    re.IGNORECASE,
)
"""This very skill."""
_LENIENT = lazy(
    r"\b(?:is|are|was|were|be|been|as|it's|they're|considered|deemed)\s{1,2}[\"'`*]{0,3}(?:\w{1,12}\s{1,2}){0,2}?[\"'`*]{0,3}(?:safe|benign|clean|trusted|trustworthy|harmless"
    r"|(?:pre-?)?(?:approved|verified|vetted|audited|cleared|reviewed)|legitimate|low|non-?malicious|false\s{1,2}positives?)\b"
    r"|\b(?:skip|ignore|disregard|omit|exclude|bypass|suppress|approve|pass|accept|whitelist|allowlist|trust|lower)\b"
    r"|\b(?:not|n't|never|without|no\s{1,2}need\s{1,2}to)\s{1,2}(?:flag|report|analy[sz]|scan|inspect|warn|review|raise|list|mention|look)"
    r"|\bno\s{1,2}(?:\w{1,12}\s{1,2}){0,2}(?:issues?|findings?|threats?|problems?|risks?|vulnerabilities|review|checks?)\b"
    r"|\b(?:outputs?|returns?|respond|reply|answer|report|conclude|mark|classify|verdict|score|rate|rating|give|state)\b[^.!?\n]{0,60}"
    r"\b(?:safe|benign|clean|pass|approved?|0|zero|low|lowest|none|trusted|harmless)\b"
    r"|\b(?:full|maximum|highest|top|best)\s{1,2}(?:marks?|scores?|ratings?|grade)\b|\b(?:five|5)\s{1,2}stars\b|\bverified\s{1,2}badge\b|\bexempt\b|\bleave\b[^.!?\n]{0,40}\b(?:out|unscanned)\b|\b(?:stop\s{1,2}here|move\s{1,2}on)\b"
    r"|\bnothing\s{1,2}(?:\w{1,8}\s{1,2})?to\b|\b(?:pre-?)(?:approved|verified)\b|\b(?:safe|benign|trusted|harmless)\b",
    re.IGNORECASE,
)
_WORSE = r"(?:unsafe|malicious|harmful|fail(?:s|ed|ure)?|reject(?:ed)?|block(?:ed)?|suspicious|dangerous|borderline|flagged|dirty|false(?!\s{1,2}positive)|incorrect|not\s{1,2}safe|needs?\s{1,2}(?:work|changes)|high|malignant)"
_OTHER = lazy(
    r"(?:\b(?:or|otherwise|else|versus|vs\.?|if\s{1,2}not)\b|[|/,])\W{0,6}(?:(?:or|as|with|an?|the|it|this|to|be|is|verdict|decision|result|is_?safe|risk(?:_?score)?"
    r"|severity|classification|assessment|category|label|score|grade|output|return|report|mark|classify|rate|respond|answer|state|skill|file|document|borderline|safe)\W{1,6}){0,6}?"
    rf"{_WORSE}\b"
    rf"|\b(?:verdict|decision|result|is_?safe|risk(?:_?score)?|severity|classification|assessment|score)\b[\"'`* ]{{0,4}}[:=][\"'`* ]{{0,4}}{_WORSE}\b"
    rf"|\b(?:mark|classify|rate|label|treat|report)\s[^.\n]{{0,40}}\s(?:as\s{{1,2}})?[\"'`*]{{0,3}}{_WORSE}\b",
    re.IGNORECASE,
)
"""The other way in which a judgement may end."""
_BEFORE = lazy(
    r"\b(?:if|when(?:ever)?|where|once|only|unless|for(?!\s{1,2}(?:example|instance))|with\s{1,2}no|without|after|provided|in\s{1,2}case)\b(?P<what>[^.!?\n]{0,160})$",
    re.IGNORECASE,
)
_BEHIND = lazy(
    r"[\s\"'`*})\],:]{0,6}(?:only\s{1,2}|but\s{1,2}only\s{1,2})?\b(?:if|when(?:ever)?|where|once|unless|for(?!\s{1,2}(?:example|instance))|after|provided|in\s{1,2}case|as\s{1,2}long\s{1,2}as)\b(?P<what>[^.!?\n]{0,120})",
    re.IGNORECASE,
)
_IF_CLEAN = lazy(
    r"\b(?:if|when|where|once)\s{1,2}(?:there\s{1,2}(?:is|are)\s{1,2})?(?:nothing|no\s{1,2}(?:issues?|findings?|problems?|violations?|threats?|errors?)|(?:it|everything|all(?:\s{1,2}\w{1,12}){0,2})\s{1,2}(?:is|are)?\s{0,2}(?:clean|correct|fine|ok|pass\w{0,3}))\b[^.!?\n]{0,60}$",
    re.IGNORECASE,
)
_JUDGED = lazy(
    r"\b(?:review|scan|audit|judg|evaluat|analy[sz]|inspect|assess|asked|read(?:ing)?\b|verdict|model\b|ai\b|llm)",
    re.IGNORECASE,
)
_NEVER = lazy(
    r"\b(?:never|cannot|(?:do|does|must|should|shall|may|will|can)\s{1,2}not|don't|doesn't|mustn't|shouldn't|won't|refuse\s{1,2}to)"
    r"\s{1,2}(?:(?:ever|simply|just|automatically|blindly|yourself|be\s{1,2}told\s{1,2}to)\s{1,2})?[\"'`*]{0,3}$",
    re.IGNORECASE,
)
_REPORTED = lazy(
    r"\b(?:files?|text|pages?|content|payloads?|documents?|comments?|attackers?|authors?|injections?|skills?|instructions?|lines?|sentences?|strings?)\b[^.!?\n]{0,40}"
    r"\b(?:tell(?:s|ing)?|ask(?:s|ing)?|instruct(?:s|ing)?|order(?:s|ing)?|claim(?:s|ing)?|say(?:s|ing)?|tr(?:ies|y|ying)|attempt(?:s|ing)?|aimed|want(?:s|ing)?)\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_PLAIN_VALUE = lazy(r"\bresult[\"'`]?\s{0,2}[:=]\s{0,2}[\"']?(?:true|false|0|none|\[\]|pass)$", re.IGNORECASE)
_POINTED = (
    r"(?:quote[ds]?|quotation|example|(?:that|this)\s{1,2}(?:line|sentence|instruction|note|statement|message|block|text)"
    r"|(?:line|sentence|instruction|note|statement|message|block|text)s?\s{1,2}(?:above|in\s{1,2}quotes))"
)
_SHOWN = rf"(?:{_POINTED}|line|sentence|block|note|statement|message|above|below)"
_OBEY = r"(?:follow|obey|comply\s{1,2}with|act\s{1,2}on|heed|honou?r|carry\s{1,2}out|do\s{1,2}(?:exactly\s{1,2})?what|adopt)"
_TAKE = rf"(?:{_OBEY}|copy|repeat|use|output|return|apply|quote|paste)"
_FOLLOW = lazy(
    rf"\b(?:you|whoever|anyone)\b[^.!?\n]{{0,60}}?\b(?:must|should|shall|are\s{{1,2}}to|need\s{{1,2}}to|have\s{{1,2}}to|please)\s{{1,2}}{_OBEY}\b[^.!?\n]{{0,30}}\b{_POINTED}\b"
    rf"|\b(?:{_WHO}|(?:you|whoever|anyone\s{{1,2}}who|models?\s{{1,2}}that)\s{{1,2}}(?:reviews?|scans?|audits?|judges?|evaluates?|inspects?|grades?))\b[^.!?\n]{{0,60}}?\b{_TAKE}\b[^.!?\n]{{0,30}}\b{_SHOWN}\b"
    rf"|(?:^|[.!?:,]\s{{1,3}}|\n)\W{{0,4}}{_OBEY}\b[^.!?\n]{{0,30}}\b{_POINTED}\b",
    re.IGNORECASE,
)
"""An order to do what is quoted or shown, to whoever reads it or whoever reviews."""
_SUPPOSED = lazy(
    r"\b(?:never|not|n't|may|might|could|attackers?|tells?|tries|asks?)\b[^.!?\n]{0,40}$", re.IGNORECASE
)
_REVIEWS = lazy(
    r"\b(?:re-?view\w{0,4}|audit\w{0,4}|judg\w{1,5}|grad(?:e[rs]?|ing)|rubrics?|evaluat\w{1,4}|evals?|moderat\w{1,4}|classif\w{1,7}|vet(?:s|ted|ting)?"
    r"|triag\w{1,3}|scan(?:s|ner|ners|ning)?|lint\w{0,4}|inspect\w{0,4}|assess\w{0,5}|static analysis|rat(?:es?|ing)|scor(?:es?|ing)|verdicts?|approv\w{1,4}|verif\w{1,6}"
    r"|benchmark\w{0,3}|detect\w{0,4}|check(?:s|er|ing)?|filters?|safety)\b",
    re.IGNORECASE,
)
"""What a skill says of itself whose work it is to judge something."""
_WINDOW = 200


class Mention(NamedTuple):
    """Why words about reviewers are no orders to them, and the confidence that is left."""

    confidence: int
    reason: str


def reviews(said: str) -> bool:
    """Whether a description says that judging is the work of the skill."""
    return _REVIEWS.search(said) is not None


def followed(text: str) -> bool:
    """Whether a text tells a reader to do what it quotes or shows."""
    return any(
        _SUPPOSED.search(text[max(0, found.start() - 80) : found.start()]) is None
        and re.search(r"\b(?:not|never|n't)\b", found.group(), re.IGNORECASE) is None
        and quoted(text, found.start(), found.end()) is None
        for found in _FOLLOW.finditer(text)
    )


def mentioned(text: str, start: int, end: int, *, reviewing: bool) -> Mention | None:
    """Why the sentence around a match orders nothing of whoever reviews this skill, or None.

    1. What is negated at once is not ordered.
    2. A reviewer is named, and nothing lenient is asked.
    3. The judgement may end otherwise, too: a rubric. What is said of this very skill to a reviewer is none.
    4. It holds under a condition, so a person should look. That this skill is reviewed is not a condition.
    5. In a skill that judges: others are said to give the order, or it is not about this skill.
    """
    low = sentence_start(text, start)
    words, before = text[start:end], text[low:start]
    named = ADDRESS.search(words) is not None
    spoken = named or _CALLED.search(text, max(0, start - REACH), start) is not None
    own = _own(text, low, start, end, wide=spoken)
    if not spoken and _NEVER.search(before) is not None:  # 1
        return Mention(TALK, "negated at once in its sentence")
    if named and not own and _LENIENT.search(_sentences(text, start, end)) is None:  # 2
        return Mention(TALK, "speaks of a reviewer and asks for no lenience")
    around = text[max(_paragraph(text, start), start - _WINDOW) : end + _WINDOW]
    if not (own and (spoken or not reviewing)) and _OTHER.search(around) is not None:  # 3
        talk = reviewing or not spoken
        return Mention(TALK if talk else DOUBTFUL, "one of the outcomes of a judgement, beside the other")
    if not own and not spoken and _IF_CLEAN.search(before) is not None:
        return Mention(TALK, "the outcome where nothing is found")
    if not own and not spoken and _PLAIN_VALUE.search(words) is not None:
        return Mention(TALK, "a value that is returned, and no verdict")
    if (
        not spoken and (not own or reviewing) and _conditional(text, low, start, end, reviewing=reviewing)
    ):  # 4
        return Mention(DOUBTFUL, "holds under a condition")
    if reviewing and _REPORTED.search(before) is not None:  # 5
        return Mention(DOUBTFUL, "said to be an order of somebody else, in a skill about judging")
    if reviewing and not own:
        return Mention(DOUBTFUL, "not about this skill, in a skill about judging")
    return None


def _own(text: str, low: int, start: int, end: int, *, wide: bool) -> bool:
    """Whether it is this skill that is spoken of: in the sentence, or in the paragraph where a reviewer is named."""
    first = max(_paragraph(text, start), start - _WINDOW) if wide else low
    stop = text.find("\n\n", end, end + _WINDOW)
    last = (end + _WINDOW if stop == -1 else stop) if wide else end
    return OWN.search(text, first, last) is not None


def _conditional(text: str, low: int, start: int, end: int, *, reviewing: bool) -> bool:
    found = _BEFORE.search(text, low, start) or _BEHIND.match(text, end, end + _WINDOW)
    if found is None:
        return False
    return reviewing or _JUDGED.search(found["what"]) is None


def _sentences(text: str, start: int, end: int) -> str:
    """A match with the rest of its sentence, and the next one."""
    stops = [stop.end() for stop in SENTENCE.finditer(text, end, end + 2 * _WINDOW)]
    return text[start : stops[1] if len(stops) > 1 else end + _WINDOW]


def _paragraph(text: str, at: int) -> int:
    return text.rfind("\n\n", 0, at) + 1
