"""Words for damage: what is destroyed, planted, kept running and wiped away."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

DESTROY = lazy(
    r"\b(?:drop|delete|wipe|purge|erase|destroy|truncate|empty|overwrite|shred|remove|force-?push|reset|reformat|format|unpublish|revoke|terminate)\b",
    _I,
)
DOOMED = lazy(
    r"\b(?:(?:production|prod|live|customer|main|entire|whole|every|all(?: the| of the)?(?: old)?) (?:databases?|db|data|tables?|back-?ups?|snapshots?|buckets?|branch(?:es)?|repositor(?:y|ies)|histor(?:y|ies)|"
    r"e?mails?|messages|calendars?|events|contacts|files|documents|photos|volumes?|disks?|clusters?|accounts?|records|versions)"
    r"|back-?ups?(?: bucket)?|snapshots|restore points|(?:customers?|users?|orders?|payments?) tables?|home (?:folder|directory)|(?:the )?(?:mailbox|inbox|git history|version history))\b",
    _I,
)
ARRANGES = lazy(
    r"\b(?:make sure|ensure|schedul(?:e|ed)|register(?:ed)?|set up|arrange|add|install(?:ed)?|configure[d]?|create|put|enable|see to it|have|let)\b",
    _I,
)
ITSELF = lazy(
    r"\b(?:this skill(?:'s)?|itself|the skill(?:'s)?|its (?:own )?(?:script|helper|agent|program|service|watcher|daemon))\b",
    _I,
)
NEWEST = lazy(
    r"\b(?:fetch|download|pull|get|load|curl)\w{0,3}\b[^.]{0,60}\b(?:and|then) (?:run|execut|start|launch|appl)\w{0,3}\b|\b(?:run|execute|start)s? (?:the )?(?:newest|latest|current) (?:script|version|update|code)",
    _I,
)
AT_START = lazy(
    r"\b(?:every|each) time (?:the )?(?:user|machine|computer|system|shell|terminal|agent)\b[^.]{0,30}\b(?:logs? ?in|starts?|boots?|opens?|is started)|\b(?:at|on|upon|after) (?:each |every |the )?(?:login|log-in|boot|start-?up|reboot|system start)\b"
    r"|\b(?:each|every) (?:night|hour|day|morning|\d{1,3} minutes)\b|\b(?:nightly|hourly|daily)\b|\blog(?:s|ged)? in(?:to)?\b",
    _I,
)
CLEARS = lazy(r"\b(?:clear|delete|remove|wipe|erase|purge|empty|truncate|scrub|clean|shred)(?:e?d|s)?\b", _I)
TRACES = lazy(
    r"\b(?:audit|security|event|system|access|auth) logs?\b|\b(?:shell|bash|zsh|command|terminal) history\b|\breflog\b|\b(?:all |any |every )?traces? (?:of|that|from)\b|\.(?:bash|zsh)_history\b",
    _I,
)
ROTATED = lazy(
    r"\b(?:older than|rotat\w{1,4}|old|days|weeks|months|size|disk space|if|when the user asks|debug)\b", _I
)

DIVERTS = lazy(
    r"\b(?:replace|swap|change|substitute|exchange|set|overwrite|transfer|send|move|pay|withdraw|forward|redirect|route|update|approve|switch)\b",
    _I,
)
MONEY = lazy(
    r"\b(?:payments?|wallet|bank|iban|recipients?|crypto\w{0,8}|payee|account|deposit|bitcoin|btc|eth(?:ereum)?|balance|funds|tokens|coins|bank details|payout)\b",
    _I,
)
STRANGE_ACCOUNT = lazy(
    r"\b0x[0-9a-f]{40}\b|\bbc1[a-z0-9]{20,60}\b|\b[13][a-km-zA-HJ-NP-Z1-9]{25,34}\b|\b[A-Z]{2}\d{2} ?(?:[A-Z0-9]{4} ?){3,7}[A-Z0-9]{1,4}\b|\bT[A-Za-z1-9]{33}\b",
    _I,
)
SPIES = lazy(
    r"\b(?:record|log|capture|turn on|switch on|activate|monitor|watch|listen to|photograph|film|track|keylog|turn)(?:s|ed)?\b",
    _I,
)
SPIED = lazy(
    r"\b(?:every |each |all |the |user'?s? )*(?:key ?strokes?|key ?presses|web ?cam\w{0,3}|microphone|screen(?:shots?)?|what (?:the user|they) types?|location)\b|\bkey ?logger\b",
    _I,
)
UNSEEN_EYE = lazy(
    r"\bhidden (?:file|folder|process|window)|\bin the background\b|\ball day\b|\bwithout (?:asking|telling|notice|the user|showing|an indicator)|\bsecretly\b|\b(?:send|upload|post|deliver|forward|mail|transmit)\w{0,3}\b[^.]{0,60}(?:https?://|@|\b[\w-]{2,40}\.(?:net|com|io|dev|org|app))|\bstealth\b|\blog every\b",
    _I,
)
MINES = lazy(r"\b(?:mine|mining|run|start|install|launch|keep)\b", _I)
COINS = lazy(
    r"\b(?:monero|xmr(?:ig)?|bitcoin|ethereum|dogecoin|litecoin|ravencoin|zcash|crypto(?:currency|currencies|coins?)?|coins?|hash ?rate|mining pool|(?:crypto|coin|monero) miners?)\b",
    _I,
)
UNNOTICED = lazy(
    r"\b(?:in the background|all cores|while the user|idle|at night|spare|unnoticed|quietly|hidden|every core|user is away|gpu|cpu)\b",
    _I,
)
FLOODS = lazy(r"\b(?:flood|overwhelm|hammer|bombard|ddos|knock|take down|overload|saturate|swamp)\b", _I)
SERVICE = lazy(
    r"https?://|\b(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|dev|app|shop)\b|\b(?:site|server|service|shop|api|competitors?|rivals?)\b",
    _I,
)
UNTIL_DOWN = lazy(
    r"\b(?:until it|so that it|offline|down\b|stops? (?:answering|responding)|unavailable|unreachable|with requests|crash(?:es)?)",
    _I,
)
LOAD_TEST = lazy(
    r"\b(?:load|stress|performance|benchmark|rate limit|own|local\w{0,4}|staging|localhost|do not|avoid)\b",
    _I,
)
ENCRYPTS = lazy(r"\b(?:encrypt|lock|scramble)(?:s|ed)?\b", _I)
HELD = lazy(
    r"\b(?:everything|every file|all (?:the )?(?:files|documents|data|photos)|home (?:folder|directory)|(?:user'?s?|whole|entire) (?:disk|drive|files|documents|folder))\b",
    _I,
)
RANSOM = lazy(
    r"\b(?:discard|throw away|forget|delete|destroy|keep|send|drop)\b[^.]{0,20}\b(?:passphrase|password|key)\b|\bransom\b|\basking for (?:payment|money|bitcoin)|\bpay(?:ment)? (?:to|for) (?:get|the key|decrypt|unlock)",
    _I,
)

SPENDS = lazy(r"\b(?:buy|purchase|order|donate|spend|pay|subscribe)\b", _I)
BOUGHT = lazy(
    r"\b(?:gift ?cards?|vouchers?|crypto\w{0,8}|coins?|tokens?|credits?|subscriptions?|licen[cs]es?|donations?)\b",
    _I,
)
STORED_CARD = lazy(
    r"\b(?:stored|saved|user'?s|company|their|registered) (?:\w{2,10} )?(?:card|account|wallet|bank account|payment method)\b",
    _I,
)

STEERS = lazy(
    r"\b(?:set|export|point|define|add|assign|put|configure|append|make|let|use|change|write|store|register|persist)(?:s|ted|ed)?\b",
    _I,
)
LOADING_VARIABLE = lazy(
    r"\b(?:NODE_OPTIONS|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|BASH_ENV|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|DOTNET_STARTUP_HOOKS|GIT_SSH(?:_COMMAND)?|GIT_ASKPASS"
    r"|SSH_ASKPASS|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|PROMPT_COMMAND)\b"
)
"""A variable by which other programs load or start code."""
LOADED = lazy(
    r"(?:--require|--import|--loader|-r|-javaagent:)[ =]?\s?[./~$%\w]|[`\"' ](?:\.{0,2}/|~/|\$\w|%\w)[\w./${}~%-]{2,}|[\w/.-]{1,60}\.(?:[cm]?js|py|sh|so|dylib|dll|rb|pm|jar)\b|\b(?:that|this|the|its|our|own|your) (?:\w+ )?(?:file|script|library|module|hook|helper|path|wrapper|snippet|program|copy)\b|\bto it\b",
    _I,
)
"""The code that it is to hold."""
SPOKEN_OF = lazy(
    r"\b(?:unset|remov\w{1,3}|clear|check\w{0,3}|verify|inspect|make sure|ensure|not set|is set|was set|are set|if|whether|when|unless|avoid|debug\w{0,4}|memory|heap|asan|sanitizer|jemalloc|tcmalloc|opentelemetry|instrumentation|profil(?:er|ing)\w?|faketime|register)\b",
    _I,
)
"""What is said where such a variable is looked at, or serves a well-known end."""
