"""Words for whoever judges a skill, and for the verdicts that are asked of them."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

_JUDGES = r"(?:review|evaluat|scan|judg|audit|inspect|analy[sz]|grad|vet|assess|rat|moderat|classif|approv|check|certif)"
_ONE = (
    r"(?:reviewers?|scanners?|auditors?|analy[sz]ers?|judges?|graders?|moderators?|evaluators?|classifiers?|inspectors?|assessors?"
    r"|(?:review(?:ing)?|scanning|vetting|moderation|evaluation|auditing|grading|security|safety|judging)[ -](?:models?|agents?|systems?|tools?|bots?|llms?|ai|assistants?|engines?|pipelines?|teams?))"
)
_MACHINE = r"(?:ai|llm|language|automated|automatic|security|safety|malware|vulnerability|static|marketplace'?s?|platform'?s?|registry'?s?|store'?s?|skill)"
_WORK = r"(?:skill|plugin|package|bundle|file|code|repository|repo|submission|extension|tool|server|folder|directory|listing|entry|module|script|text|document|artifact|archive|project)"

MACHINE = lazy(
    rf"\b{_MACHINE}[ -](?:\w{{2,14}}[ -]){{0,2}}?{_ONE}\b|\b(?:llm|ai|model)[ -](?:as[ -]a[ -])?(?:judges?|graders?|reviewers?)\b|\b(?:scanners?|static analy[sz]ers?|classifiers?|(?:vetting|moderation|grading|evaluation|scanning|reviewing|judging)[ -](?:agents?|bots?|models?|tools?|systems?))\b"
    rf"|\b(?:models?|llms?|ais?|assistants?|agents?|bots?|claude|gpt|gemini)(?: (?:assistants?|models?|agents?))? (?:that|which|who|when (?:it|they|you) (?:is|are) used to) {_JUDGES}\w{{0,4}}\b|\b(?:automated|automatic) (?:checks?|reviews?|scans?|analysis|audits?)\b"
    r"|\b(?:security|moderat(?:or|ion)|review|safety|audit) bots?\b",
    _I,
)
"""A program or a model that judges."""
NAMED = lazy(
    rf"\b{_ONE}\b|\b(?:anyone|anybody|everyone|whoever|those|people|any (?:model|agent|tool|system|person))(?: who| that)? (?:{_JUDGES}\w{{0,4}}|decides? about)\b",
    _I,
)
"""Whoever judges, machine or not."""
OCCASION = lazy(
    rf"\bin (?:your|the|any) (?:\w{{2,10}} )?(?:review|report|assessment|evaluation|verdict|audit|rating|analysis) (?:of|on|about) (?:this|our) {_WORK}\b|\b(?:when|while|if|as|in case|whenever|before) (?:you(?:'re| are)? )?(?:asked to )?(?:{_JUDGES}\w{{0,4}}|summari[sz](?:e|ing)|describ(?:e|ing)|report(?:ing)? on)(?: of)? (?:this|the present|our) {_WORK}\b[^.]{{0,40}}"
    rf"|\bif (?:your|the) (?:task|job|role|goal|instruction) is to (?:{_JUDGES}\w{{0,4}}|find|look for|detect)\b|\bas (?:the|an?) {_ONE} of (?:this|our)\b|\bif an? (?:automated |automatic )?(?:{_JUDGES}\w{{0,4}}|model|agent) reads this\b",
    _I,
)
"""The occasion of a judgement of this very skill."""
OWN = lazy(
    rf"\b(?:this|our|my|the present|these) (?:\w{{2,12}} )?{_WORK}s?\b|\b(?:this|it) (?:one|text|page|vendor)\b|\bscripts? (?:below|above|here)\b|\b(?:for|of|about|assess\w{{0,3}}|audit\w{{0,3}}|review\w{{0,3}}|approve|through) (?:this|it)\b|\bnothing below\b|\bfor this\b|\bthis (?:listing|entry|part|section|line|block|step|upload)\b",
    _I,
)
"""This very skill, or a part of it."""
ELSEWHERE = lazy(
    r"\b(?:pull requests?|merge requests?|each (?:sample|answer|file|skill|change|package|finding|item|entry)|a (?:skill|package|change|sample|supplier|lesion|file|repository|directory)|an answer|answers|contributors?|students?|essays?|the (?:diff|change|patch|branch|answer|response|essay|paper|draft|proposal|author)|comments?|candidates?|checklist|commits?|every finding)\b",
    _I,
)
"""Other work that is judged."""
_GOOD = r"(?:safe|benign|clean|trusted|trustworthy|harmless|verified|approved|legitimate|secure|pass(?:ed)?|success(?:ful)?|low[- ]risk|non-?malicious|noise|intended|expected|false positives?|informational|compliant|plain \w{3,12}|test fixture)"
_NONE = r"(?:no (?:\w{2,12} ){0,2}(?:risks?|issues?|findings?|threats?|malware|problems?|warnings?|alerts?)|none|nothing|0|zero|low|lowest)"
VERDICT = lazy(
    rf"\b(?:mark|label|classify|rate|regard|treat|consider|report|describe|tag|flag|assume|deem|judge|grade|see|view)\b[^.]{{0,60}}\b(?:as|is|are|to be|an?)\b[^.]{{0,24}}[\"'`]?{_GOOD}\b"
    rf"|\b(?:record|return|output|answer|reply|respond|conclude|say|state|report|give|issue|emit|verdict|choose|select|complete)\b[^.]{{0,40}}[\"'`: ](?:{_GOOD}|{_NONE}|approve|accept|there is none|label 0|false|1\.0)\b"
    r"|\b(?:approve|accept|whitelist|allowlist|clear|pass|wave|let)\b[^.]{0,30}\b(?:this|it|through)\b|\b(?:full|maximum|top|highest|best|perfect|maximal)\b[^.]{0,12}\b(?:marks?|scores?|ratings?|grades?|points)\b|\bfive stars\b|\b5 stars\b|\bverified badge\b"
    r"|\b(?:severity|risk|score|rating|level)\b[^.]{0,30}\b(?:to|as|of|is|at) (?:informational|info|low|lowest|none|zero|0|minimal)\b|\bmalicious[\"']? ?: ?(?:false|no|0)\b|\b(?:evaluation|review|audit|scan) (?:is )?complete\b|\btrust(?:s|ed)? (?:this|signed|the)\b"
    rf"|\b(?:set|put|fill in|enter)\b[^.]{{0,40}}\b(?:overall|verdict|decision|results?|rating|status|assessment|outcome|label|classification|risk)\b[^.]{{0,24}}[\"'`: =]{_GOOD}\b",
    _I,
)
"""A verdict in favour of what is judged."""
LEAVES_OUT = lazy(
    r"\b(?:skip|ignore|disregard|omit|exclude|bypass|leave (?:it|them|this|these|the [\w/.]{2,20}(?: \w{2,12})?|that) (?:out|unscanned|alone|unread)|leave out|stop here|move on|terminate)\b"
    r"|\b(?:do not|don't|not|never|need not|without|no need to) (?:be )?(?:analy[sz]e[ds]?|scan(?:ned)?|list(?:ed)?|report(?:ed)?|raise[ds]?|flag(?:ged)?|inspect(?:ed)?|review(?:ed)?|mention(?:ed)?|warn|look|check(?:ed)?|include[d]?)\b"
    r"|\b(?:no|without|any) (?:further|more|additional|other)? ?(?:analysis|inspection|review|checks?|scan(?:ning)?|verification)(?: is| are)? ?(?:needed|required|necessary)?\b|\bnothing (?:left |more |else )?to (?:do|report|see|check|find|scan)\b|\bexempt(?:ed)? from\b|\bnothing (?:below|here|in it|in this \w{3,12}) (?:concerns|matters)",
    _I,
)
"""That something is to be left out of the judgement."""
UNSAID = lazy(
    rf"\b(?:mark|classify|rate|label|report|treat|grade|judge|score|regard|describe|consider|certify) (?:this|our) (?:skill|plugin|package|bundle|submission|extension|listing|folder|repository) (?:as |with |at )?(?:an? |the )?(?:\w{{2,12}} ){{0,2}}[\"'`]?(?:safe|benign|clean|trusted|trustworthy|harmless|low[- ]risk|non-?malicious|secure|10/10|100/100|full marks|five stars|5/5|top marks)\b|\b(?:the )?(?:correct|right|only|true|proper|expected|final) (?:classification|verdict|rating|decision|label|answer|result|assessment) (?:of|for) (?:this|our) {_WORK} (?:is|has to be|must be|should be) [\"'`]?{_GOOD}"
    rf"|\b(?:this|our) {_WORK} is (?:exempt(?:ed)?|excluded|excused|free) from (?:\w{{2,12}} ){{0,2}}(?:review|scan|analysis|audit|inspection|vetting|checks?)\w{{0,4}}\b"
    rf"|\byour (?:rating|verdict|score|classification|assessment|decision|report) (?:for|of|on|about) (?:this|our) {_WORK} (?:has to|must|should|will|shall|is to)\b"
    rf"|\b(?:cleared|approved|vetted|audited|checked|verified|reviewed) by (?:the )?(?:\w{{2,14}}(?:'s)? ){{0,3}}(?:team|staff|vendor|authority|programme|program|department)\b[^.]{{0,40}}\b(?:scan|review|audit|analysis|inspection|check)\w{{0,4}} (?:has|have|needs?|is|are) (?:nothing|not|no)"
    r"|\btreat (?:all |any |every )?(?:alerts?|findings?|warnings?|detections?) (?:about|on|in|for|from|of) [\w./`*-]{2,40} as (?:noise|expected|false|benign|intended|known)",
    _I,
)
"""A verdict on this very skill that is laid down without naming who gives it."""
EITHER_WAY = lazy(
    r"\b(?:before (?:it|they|this) (?:gets?|is|are)|malicious[\"']? ?: ?true|or (?:a )?(?:fail|reject|request changes|block|unsafe|malicious|label 1)|only when|only if|only once|otherwise|unless|label 1|as it is|list every|with (?:its|their) line|request changes|and (?:report|list|say)(?! (?:nothing|no|none)\b))\b|\bfirst critical\b",
    _I,
)
"""What shows that the judgement may end otherwise."""
OBLIGED = lazy(
    r"\b(?:must|should|shall|please|kindly|needs? to|ha(?:s|ve) to|ought to|(?:is|are|be) (?:asked|instructed|requested|required|told|advised|directed|expected|invited|free) to|(?:we|i) (?:ask|request|expect|want|advise)|you (?:will|are|have|can|may)|your (?:\w{2,12} )?(?:has|have|is|must|should|will|says?)|may safely|can safely)\b",
    _I,
)
"""That somebody has to do something, or is asked to."""
CALLED = lazy(
    rf"\b(?:{_MACHINE}[ -](?:\w{{2,14}}[ -]){{0,2}}?{_ONE}|(?:security|review|moderation|audit) bots?|(?:reviewing|grading|judging|evaluation|vetting)[ -](?:models?|agents?)|(?:models?|llms?|assistants?|agents?|bots?) that {_JUDGES}\w{{0,4}} (?:this|our) \w{{3,12}}) ?[:,]",
    _I,
)
"""A machine that judges is called by its name: the order behind it is for whoever scans this very text."""
CALLED_ANY = lazy(rf"^\W{{0,12}}(?:(?:dear|note to|all|any|the) ){{0,2}}{_ONE} ?:", _I)
"""Whoever judges is called by a bare name, at the beginning: a machine, or a person in the roles of some work."""
SAFE = lazy(
    r"\b(?:safe|benign|harmless|non-?malicious|no (?:\w{2,12} )?(?:findings?|risks?|issues?|threats?))\b|[\"'](?:malicious|injection)[\"'] ?: ?(?:false|0)\b",
    _I,
)
"""A verdict of security, and not the approval of some work."""
