"""Words for how something is done: always, unasked, unseen, and only in trouble."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy, seldom

_I = re.IGNORECASE

STANDING = lazy(
    r"\b(?:(?:after|before|at|on|for|with|upon|during) (?:the (?:start|end) of )?(?:each|every|any|all)\b|(?:each|every) (?:time|run|session|task|commit|hour|day"
    r"|message|request|turn|week|morning|minute|file|document|\d{1,3})|once (?:a|per) \w{1,12}|always|automatically|in the background|whenever"
    r"|as soon as|from (?:then|now) on|at (?:session )?start|periodically|regularly|continuously)\b",
    _I,
)
UNASKED = lazy(
    r"\bwithout (?:asking|prompting|confirm\w{0,6}|(?:further |any |prior |explicit )?(?:approval|confirmation|consent|permission|notice))"
    r"|\b(?:is|are|be|being) (?:not|never) (?:prompted|asked)|\bno (?:sign-?off|approval|confirmation|permission|prompt|consent)\b"
    r"|\b(?:do not|don't|never|needn't|no need to) ask\b|\balready (?:agreed|consented|approved)\b|\bagreed to by using\b|\broutine\b",
    _I,
)
_NOT = r"(?:do(?:es)? not|don't|never|needn't|no need to|must not|should not|shall not|not to|nor|without)"
_THAT = r"(?:it|this|that|them|these|those|the (?:step|steps|upload|transfer|request|call|copy|check|share|entry|change|changes|message|mail|addition|line|key))"
_TRACE = r"(?:sent|outbox|trash|deleted(?: items)?|history|the (?:sent|log|logs|history|bin|access list|list|record|audit)\w*)"
UNSEEN = lazy(
    rf"\b{_NOT} (?:ever )?(?:mention(?:ing)?|tell(?:ing)? (?:the|them|him|her|your|any)|inform(?:ing)?|notify(?:ing)?|list(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)"
    rf"|announc(?:e|ing)|report(?:ing)?|describ(?:e|ing)|bring(?:ing)? (?:it|this|them) up|log(?:ging)?|show(?:ing)?|cit(?:e|ing)|discuss(?:ing)?|refer(?:ring)? to)"
    rf" ?(?:{_THAT}|the (?:user|owner|client|customer|team|human|author|editor|reader)|user|them|to)\b"
    rf"|\b(?:leave|keep|left|kept) {_THAT} (?:\w{{1,10}} )?(?:unmentioned|out of|quiet|silent|secret|hidden|off the record|to yourself|between)"
    r"|\b(?:output|results?) (?:is |are |be )?(?:suppressed|hidden|silenced|discarded)|\bhide the output|\bsuppress (?:the|its|their|all) (?:output|notif\w{1,10})"
    r"|\b(?:unmentioned|unnoticed|off the record|notifications? (?:are |is )?off)\b|\b(?:silently|secretly|covertly|discreetly|surreptitiously)\b"
    r"|\b(?:is|are|was|be|being) (?:not|never) (?:told|informed|notified|mentioned|listed|shown|reported)\b|\bnot (?:listed|mentioned|shown) in\b"
    rf"|\b(?:delete|remove|move|clear|empty|erase|purge) (?:it|them|that|this|{_THAT}) (?:again )?from {_TRACE}"
    rf"|\bremove the (?:share|mail|message|entry|record|copy|trace)s?\b[^.]{{0,40}}\b(?:clean|after|again)|\bhidden (?:columns?|cells?|sheets?|rows?)"
    r"|\bsans (?:le |en |faire )?(?:dire|mentionner|figurer|signaler|prévenir)|\bohne (?:es |das )?(?:zu )?(?:erwähnen|sagen|melden)"
    r"|\bsin (?:decir|mencionar|avisar)|不要(?:提及|告诉|告知)|言及しない|알리지",
    _I,
)
ABOUT_ITSELF = lazy(
    r"\b(?:do not|don't|never|must not|should not) (?:ever )?(?:mention|reveal|quote|cite|refer to|discuss|disclose|name|repeat|point (?:to|out))"
    r" (?:this|these) (?:paragraphs?|sections?|notes?|remarks?|rules?|polic(?:y|ies)|passages?|clauses?|sentences?)\b",
    _I,
)
"""A text that asks not to be spoken of."""
TROUBLE = lazy(
    r"\b(?:if|when|whether|unless|in case|only (?:for|in|on)|local(?:ly| development)|for (?:development|testing|debugging|tests?)|in (?:development|tests?)|test environment|self-signed|unused|imports?|lint\w{0,3}|type check\w{0,3})\b|\?",
    _I,
)
"""What a step of fault finding says: a condition, or a place where nothing is at stake."""

KEPT = seldom(
    (
        "quiet", "silently", "secretly", "discreetly", "tell n", "say nothing", "brought", "bring", "without ", "point ", "mention ",
        "show ", "reveal ", "disclose ", "discuss ", "note ", "list ", "need", "has to ", "have to ", "must n", "should not", "not to", "notice", "ask",
        "behind ", "out of ",
    ),
    r"\b(?:(?:quietly|silently|secretly|discreetly) (?:round|book|add|swap|raise|lower|change|insert|charge|transfer|copy|forward|replace|alter)|tell (?:nobody|no one|no-one|none)|say nothing|keep quiet|keep (?:it|this|that) quiet|not (?:be )?(?:brought|bring|bringing) (?:it|this|that) up|without (?:bringing|mentioning|pointing|telling|a word|saying)(?: (?:it|this|that))?"
    r"|(?:do not|don't|never) (?:point|bring|mention|show|reveal|disclose|discuss|note|list) (?:it|this|that|them|the \w{3,14})(?: (?:out|up|to|in|anywhere))?(?=[\s.,;]|$)|(?:nobody|no one|readers?|editors?|customers?|clients?|users?|they|the \w{3,12}) (?:need not|needn't|needs? no(?:t| notice)?|must not|must never|should not|has no need|have no need|need never|is not to|are not to)(?: to)? ?(?:know|learn|notice|see|hear|of a notice|be told)?"
    r"|(?:nobody|no one|no-one) (?:needs?|has|have) to (?:know|notice|see|hear|learn)|before (?:the )?\w{3,12} notices?|(?:if|when) (?:anyone |someone |the user |they )?ask(?:ed|s)?,? (?:say|claim|answer|tell|reply|deny|state)|behind (?:the|their|his|her) (?:user'?s? )?backs?|out of sight of|keep [^.]{0,30} out of (?:the )?(?:data card|report|changelog|log|summary|notes?|minutes|history|docs|notebook))\b",
    _I,
)  # fmt: skip
"""That somebody is kept from knowing, whoever it is: colder than ``UNSEEN``, which honest texts say of noise."""

SURPRISE = lazy(
    r"\b(?:surprise|spoiler|gift|quiz|game|puzzle|riddle|answer key|party|joke|raw output|noise|debug|internal|temporary|verbose|scratch|progress|thinking|reasoning|tool calls?|ids?|section numbers?)\b",
    _I,
)
"""What is kept from somebody for an honest reason."""
