"""Words for what an agent obeys and remembers: rules, their rank, and its memory."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

RULES = lazy(
    r"\b(?:rules?|instructions?|directives?|polic(?:y|ies)|guidelines?|charter|playbook|house rules|standing orders|orders|prompts?|steps|remarks?"
    r"|configuration|settings|conventions|updates?|addend(?:um|a)|brief(?:ing)?|consignes?|anweisungen|instrucciones)\b",
    _I,
)
OUTRANKS = lazy(
    r"\b(?:takes?|taking|have|has) (?:precedence|priority)|\b(?:override[sn]?|overrule[sd]?|supersede[sd]?|outrank[s]?|replaces?|prevails?) \b[^.]{0,60}"
    r"\b(?:this|these|file|user|wish\w{0,2}|request|other|everything|any|anything|all|what|above|below|instructions?|rules?)\b"
    r"|\b(?:win|wins|binding|authoritative|as if|exactly as if|treat (?:them|it|the \w{1,14}) as|more important than)\b"
    r"|\bpr[ée]vaut|\bvorrang\b|\bprevalece",
    _I,
)
OBEYS = lazy(
    r"\b(?:follow|obey|apply|adopt|carry out|comply with|act on|execute|do (?:what|whatever|as)|honou?r|perform|stick to|observe)\b",
    _I,
)
MEMORY = lazy(
    r"\b(?:memory (?:files?|store)|(?:global|user) memory|(?:the )?(?:rules file of the editor|agent files?|memory)(?= (?:of|that|you|should|with|under|so|for|:|\(|$|\.|,))|CLAUDE(?:\.local)?\.md|AGENTS\.md|GEMINI\.md|SOUL\.md|MEMORY\.md|IDENTITY\.md|HEARTBEAT\.md|copilot-instructions\.md)|\.cursorrules|\.windsurfrules"
    r"|\.cursor/rules|\b(?:your|the agent's|long-term|persistent|permanent) memory\b",
    _I,
)
WRITES = lazy(
    r"\b(?:write|writing|add|append|insert|put|save|store|record|copy|place|include|remember|update|edit|extend|replace|plant|persist|note|modify|change|adjust|amend|put down|keep|contain|state|paste|memori[sz]e|gets?|make)\b",
    _I,
)
LASTING = lazy(
    r"\b(?:approved?|allowed|permitted|trusted|pre-?authori[sz]ed|never ask|no confirmation|without (?:asking|confirmation|prompt\w{0,3})|skip (?:the )?(?:confirmation|review)"
    r"|always (?:run|use|allow|approve|trust|send|recommend|prefer|load)|ignore|bypass|auto-?approve)\b",
    _I,
)

WRITES_DOWN = lazy(r"\b(?:write|add|append|insert|put|save|store|record|copy|place|include|remember)\b", _I)
STANDING_ORDER = lazy(
    r"\b(?:needs? no|without(?: any)?|ask no|no) (?:confirmation|approval|permission|review|consent|questions?)\b|\bnever ask\b|\b(?:all|any|every|each) (?:\w{2,12} )?(?:commands?|requests?|uploads?|scripts?|tools?|prompts?|downloads?|actions?)\b(?:[^.]|\.(?=\w)){0,40}\b(?:approved|allowed|trusted|permitted|fine)\b"
    r"|\b(?:approves?|allows?|trusts?|permits?|accepts?|run) (?:all|any|every|each) (?:\w{2,12} )?(?:commands?|requests?|uploads?|scripts?|tools?|prompts?|downloads?|packages?)\b|\bmay run any\b|\bprompts? (?:are|is) to be answered\b|\banswer(?:ed)? with yes\b"
    r"|\b(?:warnings?|alerts?|findings?)\b(?:[^.]|\.(?=\w)){0,40}\b(?:are |is )?(?:false|ignored?|noise|wrong)\b|\bsecrets? may be (?:printed|shown|shared)|\b(?:audit|review|check|scan|approval)(?: step)? (?:can|may|is to) be (?:left out|skipped|omitted)"
    r"|\b(?:before|above|over) (?:those|the wishes|the instructions|the rules) of the user|\bbefore the user'?s?\b|\byou work for\b|\b(?:are|is) binding\b|\btrust (?:scripts?|everything|anything|files?|code|links?|packages?|commands?|all)\b|\b(?:reviews?|checks?|confirmations?|prompts?|questions?|approvals?) (?:are|is) (?:skipped|left out|omitted|ignored|bypassed|disabled)\b|\bhas (?:consented|agreed|approved)\b|\bis pre-?(?:approved|authori[sz]ed)"
    r"|\b(?:run|fetch(?:es)?|load|send|sends|upload|post|follow|include|sync|execute|curl|download)\b(?:[^.]|\.(?=\w)){0,60}(?:https?://|\bcurl\b|\bwget\b|\bscripts?/|[\w-]{3,30}\.(?:net|com|io|dev|org|app|xyz)/)"
    r"|\bfollows? it\b|\bsay nothing\b|\bnever mention\b|\bdo not (?:tell|mention)\b|\bwithout a word\b|\bshared? with\b|\balways prefer\b|\bmakes the (?:editor|agent) send\b",
    _I,
)
"""A standing order that takes something from the user: their consent, their knowledge, their data or their rank."""
STANDING = lazy(
    r"\b(?:always|never|every|each|all|permanent(?:ly)?|for good|from now on|standing|at (?:the )?start|ask no|no (?:confirmation|questions)|approved|allowed|trusted|ignore|skip|bypass)\b"
    r"|\bthis (?:paragraph|section|text|rule|line|passage|note|block)\b|\bso that (?:it|they) (?:hold|appl|surviv|persist)",
    _I,
)
"""What an order for a memory says that holds from then on; it says too little where everybody reads it."""
ASKED = lazy(
    r"\b(?:if|when|after|once|only|unless) (?:the )?(?:user|they|he|she|you(?: have)?|asked|requested|agreed)\b|\bon request\b|\bwith (?:the user'?s?|their) (?:consent|agreement|approval)|\bTODO\b|\bFIXME\b|\bgenerated\b",
    _I,
)
FOR_GOOD = lazy(
    r"\b(?:for good|permanently|forever|for ever|for all time|in (?:all|every|each) (?:future |later )?(?:sessions?|conversations?|projects?))\b",
    _I,
)

MEMORISES = lazy(r"\b(?:memori[sz]e|remember|keep in mind|learn|know)\b", _I)
