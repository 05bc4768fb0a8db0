"""Words for what is handed to a stranger over several sentences: stores of credentials, what leaves, and who gets it."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

_WHOSE = r"(?:the|their|his|her|its|your|all|every|each|any|whatever|stored|saved|local|real|user'?s?|user’s|team'?s|project'?s|machine'?s|owner'?s|company'?s)"
_SORT = r"(?:api|access|auth|cloud|aws|azure|gcp|database|db|server|deployment|deploy|production|login|service|session|signing|publishing|registry|docker|github|gitlab|npm|ci|admin|root|email|mail|bank|ssh|smtp|browser)"
_HOLDER = r"(?:director(?:y|ies)|folders?|dirs?|files?|stores?|vault|database|manager|ring|helper|cache|safe|chain|dump|exports?)"
STORES = lazy(
    r"(?<![\w./-])(?:~/|\$HOME/)?\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|pgpass|git-credentials|docker/config\.json|config/(?:gh|gcloud))\b(?!/(?:config|known_hosts)\b)"
    r"|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|(?<![\w.])\.env\b(?!\.(?:example|sample|template|dist))|\bwallet\.dat\b|\b(?:pgpass|kube ?config)\b"
    rf"|\b(?:ssh|gpg|gnupg|pgp|aws|gcloud|key|credentials?|password|login|sign-?in|secrets?|keys) {_HOLDER}\b|\b(?:ssh|gpg|pgp|private|signing|wallet|encryption|host|master|deploy|login) keys?\b(?! (?:fingerprint|id|name|type|size|length|pair|format))"
    rf"|\b{_HOLDER}\b(?:[^.;:]|\.(?=\w)){{0,30}}\b(?:where|which|that|with|of|in which|for)\b(?:[^.;:]|\.(?=\w)){{0,30}}\b(?:keys|credentials|passwords|secrets|tokens|log-?ins)\b"
    r"|\b(?:dot-?env|env(?:ironment)?[ -](?:files?|dump)|environment variables?|env vars|(?:shell|process|whole|entire|full|complete|current|all the) environment|environment of the (?:shell|process|machine|session|user))\b(?! name)|\b(?:output|result) of `?(?:env|printenv)\b"
    r"|\bkey ?stores?\b|\b(?:terraform\.)?tfstate\b|[\w*-]{0,40}\.tfvars\b|\bsecret (?:access |api )?keys?\b|\btoken,? (?:that|which|with which)\b|\bcookies and (?:\w{2,10} )?tokens\b"
    r"|\b(?:key ?chain|key ?ring)\b|\b(?:saved|stored|remembered|browser|cached) (?:[\w']{2,12} ){0,2}(?:log-?ins?|passwords?|sign-?ins?|credentials|cookies|sessions?)\b|\bpasswords?\b[^.;]{0,24}\bbrowser|\b(?:session|login|browser) cookies\b"
    r"|\b(?:bash|zsh|shell|terminal|command) history\b|\B\.(?:bash|zsh)_history\b|\b(?:seed|recovery|mnemonic) (?:phrases?|words?)\b|\bwallet (?:words|secrets?)\b|\bconnection strings?\b|\b(?:access|login) (?:data|details)\b|\b(?:database|db|root|admin|server|mail|login|sudo|vpn|account) passwords?\b"
    rf"|\b(?:user|team|owner|company|customer|author|machine)(?:'s|’s) (?:{_SORT} ){{1,2}}(?:tokens?|passwords?|keys?|secrets?)\b"
    rf"|\b{_WHOSE} (?:{_SORT} ){{0,2}}(?:passwords|credentials|secrets|logins?|tokens|(?:api|access|secret) keys)\b|\b{_SORT} (?:credentials|secrets|tokens)\b"
    r"|\bcredentials (?:which|that|found|stored|kept|of|in|from|to)\b|\b(?:tokens|passwords|api keys|secrets),? (?:and|or|you|that|which|found|in|from|kept|stored)\b",
    _I,
)
"""What holds credentials, or all of a kind: nothing that a client sends to identify itself."""

WHOLE_WORK = lazy(
    r"\b(?:whole|entire|complete|full|working|private|user'?s?|current|this|company'?s?|team'?s?|local) (?:\w{2,12} )?(?:repositor(?:y|ies)|repo|code ?base|project|source (?:code|tree)|work(?:ing)? (?:tree|folder|directory)|workspace|git history)\b"
    r"|\b(?:mirror|clone|copy|bundle|snapshot|archive|backup|push|duplicate)s? of (?:the |this |its |their |your |all )?(?:\w{2,12} )?(?:repositor(?:y|ies)|repo|code ?base|project|source|history|branches)\b"
    r"|\b(?:repositor(?:y|ies)|repo|code ?base|project|source code)\b,?[^.;]{0,40}\b(?:history|branches|tags)\b|\b(?:every|all|each) (?:the )?(?:branch(?:es)?|tags?|commits?|refs?|source files?)\b|\bsource code\b|\bcode ?base\b",
    _I,
)
"""All of the user's work, and not a change of it."""

GIVES = lazy(
    r"\b(?:send|sent|sending|upload(?:ed|ing)?|post(?:ed|ing)?|transmit(?:ted|ting)?|forward(?:ed|ing)?|submit(?:ted|ting)?|e-?mail(?:ed|ing)?|mail(?:ed|ing)?|messag(?:e|ed|ing)|shar(?:e|ed|ing)|relay(?:ed|ing)?|deliver(?:ed|ing)?"
    r"|sync(?:ed|ing)?|synchroni[sz](?:e|ed|ing)|mirror(?:ed|ing)?|back(?:ed|ing)? (?:it |them )?up|export(?:ed|ing)?|stream(?:ed|ing)?|attach(?:ed|ing)?|append(?:ed|ing)?|includ(?:e|ed|ing)|hand(?:ed|ing)?|pass(?:ed|ing)?|past(?:e|ed|ing)|publish(?:ed|ing)?"
    r"|drop(?:ped|ping)?|deposit(?:ed|ing)?|transfer(?:red|ring)?|b?cc|exfiltrate|provid(?:e|ed|ing)|suppl(?:y|ied|ying)|furnish(?:ed|ing)?|giv(?:e|en|ing)|present(?:ed|ing)?|disclos(?:e|ed|ing)|reveal(?:ed|ing)?|tell|told|report(?:ed|ing)?|ship(?:ped|ping)?"
    r"|push(?:ed|ing)?|cop(?:y|ied|ying)|mov(?:e|ed|ing)|put|placed?|placing|stor(?:e|ed|ing)|leave|left|leaving|sav(?:e|ed|ing)|load(?:ed|ing)?|regist(?:er|ered|ering)|quot(?:e|ed|ing)|make|made|let|enter(?:ed|ing)?|fill(?:ed|ing)?|type|communicate[d]?|surrender(?:ed|ing)?"
    r"|return(?:ed|ing)?|contribut(?:e|ed|ing)|turn(?:ed)? over|pip(?:e|ed|ing)|dump(?:ed)?|add(?:ed|ing)?|accompany|carry|route[d]?|feed|fed|convey(?:ed)?|dispatch(?:ed)?|embed(?:ded)?|incorporate[d]?|lodge[d]?|entrust(?:ed)?|show|shown"
    r"|go(?:es)?|ends? up|arrives?|belongs?|reach(?:es)?)\b(?![(=])",
    _I,
)
"""Verbs by which something leaves, in the forms of an order or of what is to be done."""
TAKES = lazy(
    r"\b(?:receives?|gets?|needs?|needed|requires?|required|wants?|wanted|expects?|expected|depends?|asks for|collects?|have|has)\b(?![(=])",
    _I,
)
"""Verbs by which somebody who is named before gets something, or by whom it is wanted."""
BY = lazy(r"\s(?:\w{2,10}\s){0,2}by\b", _I)

GATHERS = lazy(
    r"\b(?:cop(?:y|ied)|read|open|take[ns]?|find|found|locate|collect(?:ed)?|look(?: it| them)?|get|got|hold|gather(?:ed)?|list|print|archive[d]?|pack(?:ed)?|zip(?:ped)?|compress(?:ed)?|bundle[d]?|export(?:ed)?|grab|fetch|note|dump|obtain|retrieve|keep|kept|remember|search"
    r"|extract|pull|scan|see|seen|come across|load|duplicate|back up|tar|make|create|put|stage|assemble|pick|examine|inspect|query|go through|bring|encrypt(?:ed)?|needs?|requires?|wants?|expects?|required|needed|wanted|are what|is what|depends|run|save[ds]?|check|move|write|add|query|determine|identify|capture|record)\b",
    _I,
)
"""Verbs by which an agent comes to have something that a later sentence speaks of."""

AGAIN = lazy(
    r"\b(?:it|them|they|these|those|this|both|everything|all of (?:it|them|this)|what (?:you|was|is|were)|whatever|the lot|the rest"
    r"|(?:the|that|this|those|these|a|each|its|their) (?:[\w-]{2,12} )?(?:archives?|files?|lists?|cop(?:y|ies)|results?|bundle|collection|exports?|dump|output|zip|tarball|texts?|contents?|documents?|package|pack|backup|data|keys?|tokens?|cookies|values?|words|credentials|passwords?|secrets?|findings?|folder|directory|information|variables|strings?|material|pairs|lines|json|entries))\b",
    _I,
)
"""Words for what a sentence before has named."""

MAINTAINER = lazy(
    r"\b(?:to|with|for|by|at|via|through|give|send|tell|mail|let|lets|of|reach|reaches) (?:us\b(?! (?:dollars|state|english|customers|government|market|region))|(?:the |its )?(?:skill'?s? |plugin'?s? |package'?s? |tool'?s? )?(?:maintainers?|authors?|publishers?|creators?|makers?)(?:'s|’s|'|’)?(?= |[.,;:]|$)(?: (?:of|behind) (?:this|the) (?:skill|plugin|package|tool))?)"
    r"|\b(?:maintainers?|authors?|publishers?|creators?|makers?)(?:'s|’s|'|’)? (?:\w{2,12} )?(?:servers?|inbox|mailbox|address|account|endpoint|drop ?box|mail|backend|bucket|desk)\b|\bour (?:[\w-]{2,14} ){0,2}(?:endpoint|inbox|mailbox|collector|collection|telemetry|analytics|support|drop ?box|webhook|mail address|web form|licen[cs]e server|verification server|server|backend)\b"
    r"|\b(?:maintainers?|authors? of (?:this|the) skill|publishers?) (?:wants?|needs?|requires?|expects?|gets?|receives?|must (?:have|get|receive))\b|\bwanted by the (?:maintainers?|authors?|publishers?)\b",
    _I,
)
"""Whoever the skill comes from, as the one who gets something."""

_IN = r"\b(?:in|into|inside|to|under|onto|on|as|with|within|at the (?:end|top|bottom) of)\s(?!be\s|have\s|get\s)(?:[\w'’`./-]{1,24}\s){0,4}?"
_SEEN = r"(?:public|publish\w{0,5}|releas\w{1,3}|deploy\w{0,4}|hosted|served|uploaded|visible|anyone|everyone|everybody|pages)"
PUBLIC = lazy(
    rf"{_IN}(?:public (?:[\w-]{{2,12}} )?(?:repo(?:sitor(?:y|ies))?|gists?|pages?|packages?|buckets?|folders?|director(?:y|ies)|(?:web ?)?sites?|channels?|issues?|forums?|images?|registry|pastes?|wiki)"
    r"|`?(?:\w{2,20}/)?public/|gists?\b|pull requests?\b|(?:issue|pr|commit|review|public|github) comments?|comments? (?:on|under|in)|`?readme\b|release (?:notes|assets?|page)|wiki\b|web ?root|github pages|gh-pages|docker hub|paste ?bin"
    r"|(?:npm|pypi|published|released) package|(?:deployed|published|hosted) (?:pages?|site|docs|demo|assets?|folder|directory|output|bundle))"
    rf"|{_IN}`?(?:\./)?(?:dist|docs?|static|assets|_?site|www|htdocs|image|package|bundle|release|build)\b(?=[^.;]{{0,120}}\b{_SEEN}\b)",
    _I,
)
"""A place that everybody may read, as the one in which something is put."""
COMMITS = lazy(r"\b(?:commit(?:ted|ting)?|writ(?:e|ing|ten))\b", _I)
"""Verbs by which what is named after them goes where the file goes."""
ANOTHER_CLAUSE = lazy(
    r"\b(?:so|to|that|which|who|when|while|for|using|can|could|then|if|unless|because|since|but|its name)\b|[;:]",
    _I,
)
"""What begins a clause of its own, in which something else may be put somewhere."""
PASSIVE = lazy(r"\b(?:be|is|are|gets?|being|been|goes?)\s(?:\w{2,12}\s)?$", _I)
REMOTE = lazy(
    r"\b(?:push(?:ed|es|ing)?|mirror(?:ed|ing)?|sync(?:ed|ing)?|synchroni[sz]ed?|replicated?|shar(?:e|ed)|add(?:ed)?|uploaded?)\b[^.;]{0,100}?\b(?:to|at|into|with|remote|on)\s[^\s\w]{0,3}(?:ssh://|https?://)?(?:git@)?"
    r"(?P<where>(?:github|gitlab|bitbucket|codeberg|gitee)\.(?:com|org)[:/](?!(?:your|you|user|username|owner|org|group|team|namespace|account|example|acme|me|my)\b)(?P<owner>[A-Za-z][\w-]{1,38})/[\w.-]{1,80})",
    _I,
)
"""Somebody's repository on a host of code, as the one into which something is pushed."""
POINTED = lazy(
    r"\b(?:address|endpoint|host|server|url|link|form|inbox|mailbox|destination|contact|location|site)\b[^.;]{0,30}\b(?:below|above|at the (?:end|bottom|top)|given|listed|shown|under|that follows|mentioned|named|in the (?:next|last|table|section|footer))\b|\b(?:following|below|above|said) (?:address|endpoint|host|server|url|link|form|inbox|mailbox)\b",
    _I,
)
"""An address that stands elsewhere in the text."""

FROM = lazy(
    r"\b(?:from|created? (?:at|on|in|under)|generated? (?:at|on|in)|issued (?:by|at)|obtain(?:ed)?|found (?:at|on)|documented|see|sign up|visit|docs|get (?:one|it|yours|a|an|your|the) (?:\w+ ){0,4}(?:at|on)|rotate|revoke|manage|change (?:it|them) at)\b[^.;]{0,30}$",
    _I,
)
"""What stands in front of an address from which something comes."""

KEPT_BACK = lazy(
    r"\b(?:mask(?:s|ed|ing)?|redact\w{0,4}|placeholders?|dummy|fake|fingerprints?|hash(?:es|ed)?|public (?:ssh )?keys?|names (?:of|only)|never (?:their|its|the) values?|without (?:the |any |its |their )?(?:values?|secrets?|credentials|tokens?|keys?|passwords)|scrub\w{0,4}|strip(?:s|ped)?"
    r"|remov(?:e|es|ed|ing) (?:all |any |the )?(?:secrets?|tokens?|credentials|keys|passwords|them)|free of|rotat(?:e|es|ed|ing)|revok(?:e|es|ed|ing)|leak(?:s|ed)?|exposed|secrets? managers?|password managers? of|own vault)\b|\.pub\b|\.gitignore\b",
    _I,
)
"""What is said where a secret stays, or was lost already."""
CHOSEN = lazy(
    r"\b(?:if|when|once|only|unless|after|where) (?:the )?(?:users?|they|he|she|you|customers?|owner|team)\b[^.;]{0,40}\b(?:asks?|wants?|agrees?|confirms?|approves?|requests?|consents?|chooses?|opts?|prefers?|says?|supplies|needs?|uses?|has|have)\b|\b(?:ask|asks|asking|asked) (?:the |your )?(?:users?|them|first|before|whether|permission)\b"
    r"|\b(?:with|after) (?:the user'?s?|their|explicit) (?:consent|approval|permission|confirmation|agreement)|\b(?:user|customer|owner|client)s? (?:chose|chooses|picks|named|names|registered|configured|specified|provides?|supplies)\b|\b(?:user'?s?|their|your|his|her|our|team'?s?|company'?s?) own\b|\b(?:to|in|into) (?:the user'?s?|your|their) (?:\w+ )?(?:account|bucket|vault|server|drive|cluster|fork|machine|nas)\b",
    _I,
)
"""That the user says what goes where."""
CLIENT = lazy(
    r"\b(?:headers?|authorization|bearer|basic auth|oauth|sign(?:s|ed)? in|log(?:s|ged)? in|logging in|authenticat\w{1,4}|header field|client (?:uses|sends)|connect(?:s|ed|ing)?)\b",
    _I,
)
"""How every client uses what identifies it."""
TOLD = lazy(
    r"\b(?:attack(?:s|ers?)?|adversar\w{1,4}|intruders?|malware|malicious|stealers?|phish\w{0,5}|scams?|whether|e\.g\.?|for (?:example|instance)|such as|what happens|how to|could|might|would|employees?|somebody|someone"
    r"|(?:instructions?|requests?|attempts?|commands?|prompts?|orders?|asks?|tells?|tries|wants?)(?: \w{1,12}){0,3} to(?! be )|(?:detects?|flags?|refuses?|rejects?|blocks?|prevents?|warns?|reports?|looks? for)(?: (?:that|if|for|about|of|any|all|the|every|code|text|skills?|prompts?|anything|attempts?|when|which|whatever)){1,4})\b",
    _I,
)
"""What makes a deed one that is spoken of."""
NARRATED = lazy(r"\b(?:was|were|had|has|have|having|who|which|that)\s(?:been\s)?(?:\w{2,12}ly\s)?$", _I)
"""What stands in front of a verb that tells what happened, or of what kind something is."""
NO_CLIENT = lazy(
    r"\b(?:ssh|gpg|gnupg|pgp|private|signing|wallet|encryption|host|master) (?:keys?|director|folder)|\bid_|\.(?:ssh|gnupg|aws|kube|env)\b|\bseed|\brecovery|\bmnemonic|\benv|\bdot-?env",
    _I,
)
"""What no client sends when it identifies itself."""
NOT_ITSELF = lazy(
    r"\b(?:public|no|not any|without|dummy|fake|test|example|sample|which|names? of(?: the| all)?|number of|list of names of)\s(?:\w{2,10}\s)?$",
    _I,
)
"""What stands in front of words for a secret where none is meant."""
OWN = lazy(
    r"\b(?:documents?|manuscripts?|drafts?|transcripts?|attachments?|recordings?|records?|medical|health|salar(?:y|ies)|payroll|contracts?|invoices?|photos?|pictures?|e-?mails?|messages?|inbox|mailbox|contacts|address book|calendar|clipboard|screen ?shots?"
    r"|conversations?|chat|brows(?:er|ing) history|files|notes|case|cases|customers?|clients?|patients?|names|codes?|applications|diary|prompts?|everything|cop(?:y|ies))\b",
    _I,
)
"""What is the user's own; it goes to many places for good reasons, and to none of them behind a back."""
HUSHED = lazy(
    r"\b(?:need|needs|have|has|there is|there's|is)(?: not|n't|n’t| no)(?: need| reason| cause)?(?: to)? (?:be )?(?:bothered?|told|know|see|notice|raise|mention|list|report|tell|inform|point|say|ask|asked|shown|hear|discuss|bring)\b"
    r"|\b(?:does|do)(?: not|n't|n’t) (?:need|have) to (?:be )?(?:bothered?|told|know|see|notice|hear|mention\w{0,3}|asked|shown)\b|\bno need to (?:raise|mention|list|report|tell|inform|ask|bother|show|discuss)\b|\b(?:leave|keep|drop|omit) (?:it|this|that|them|the [\w ]{2,30}) (?:out|off|from)\b"
    r"|\bwithout (?:any |a )?(?:mention|word|telling|saying|asking|notice|notifying|informing)\b|\b(?:clear|delete|remove|erase|wipe) (?:the|that|this|it|them)\b[^.]{0,30}\bfrom (?:the )?(?:sent|outbox|trash|history|log|bin|summary)|\bif (?:the user|anyone|someone|somebody|they) asks?\b[^.]{0,60}\b(?:say|deny|answer|claim)\b"
    r"|\b(?:quietly|silently|discreetly|secretly|unnoticed|in the background|behind the scenes)\b|\bnot (?:mention|tell|list|show|reveal|disclose|talk about|speak of|bring up|report)\w{0,3}\b|\b(?:don't|don’t|never) (?:mention|tell|list|show|reveal|disclose|talk|speak|bring|ask)\b|\bonly for you\b|\buser will not (?:see|notice|know)\b"
    r"|\b(?:blind copy|bcc)\b",
    _I,
)
"""That somebody is not asked, or not to learn of something."""
HANDS = (
    "maintainer",
    "publisher",
    " author",
    "creator",
    " maker",
    " us ",
    " us.",
    " us,",
    " us:",
    " us;",
    " our ",
)
"""Of these one stands wherever whoever the skill comes from gets something."""
POINTS = (
    "below",
    "above",
    "following",
    "at the end",
    "at the bottom",
    "that follows",
    "given",
    "listed",
    "shown",
    "under",
    " said ",
)
"""Of these one stands in every sentence that points to an address."""
PUBLISHES = (
    "public",
    "gist",
    "pull request",
    "comment",
    "readme",
    "release",
    "wiki",
    "pages",
    "docker hub",
    "paste",
    "package",
    "deploy",
    "publish",
    "hosted",
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
)
"""Of these one stands wherever something is put where everybody may read it, or into somebody's repository."""
