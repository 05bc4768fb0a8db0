"""Classes of words: deeds, what they are done to, and what is said so that nobody notices.

Each class is one pattern that is tried on a sentence or a paragraph, never on a whole text.
"""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

URL = lazy(r"(?:https?|wss?|ftp)://[^\s)>\"'`\]|,;]{3,400}", _I)
MAILBOX = lazy(r"[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}\b", _I)
TRANSFER = lazy(
    r"\b(?:sen[dt]|sending|upload(?:s|ed|ing)?|post(?:s|ed|ing)?|put|push(?:es|ed|ing)?|transmit(?:s|ted|ting)?|forward(?:s|ed|ing)?"
    r"|submit(?:s|ted|ting)?|report|e-?mail(?:ed|ing)?|mail(?:ed|ing)?|messag(?:e|ed|ing)|copy|copied|share[ds]?|sharing|relay(?:ed|ing)?"
    r"|deliver(?:ed|ing)?|sync(?:ed|ing)?|mirror(?:ed|ing)?|back(?:ed|ing)? up|export(?:ed|ing)?|stream(?:ed|ing)?|attach(?:ed|ing)?"
    r"|append(?:ed|ing)?|includ(?:e|ed|ing)|hand(?:ed|ing)?(?: over| in)?|pass(?:ed|ing)?|paste[ds]?|publish(?:ed|ing)?|drop(?:ped)?"
    r"|compose|deposit(?:ed)?|report(?:ed)|transfer(?:red|ring)?|b?cc|exfiltrate|add(?:ed)?|write|store[d]?|save[d]?"
    r"|envoie[sz]?|envoyer|transm(?:ets|ettez|ettre)|copie[sz]?|sende[n]?|schicke[n]?|übermittle|lade hoch|env[ií]a[r]?|sube|copia[r]?"
    r"|envi[ae][r]?|carregue|invia|manda)\b|发送|上传|提交|转发|傳送|送信|アップロード|전송|업로드|отправ\w{1,4}|загруз\w{1,4}",
    _I,
)
"""Verbs that move something to somebody else, in the forms of an order or of what is to be done."""
OPEN = lazy(r"\b(?:open|visit|load|request|call|ping|query|fetch|get|hit|use|render|curl|wget)\b", _I)
"""Verbs whose object is the address itself."""
TOWARDS = lazy(
    r"(?:\b(?:to|at|into|onto|via|through|on|with|over|towards|vers|à|an|nach|auf|unter|bei|a|para|hacia|su|по|на|в)\b|[到至给])"
    r"[\s:]{0,2}(?:[\w'’-]{1,24}[\s:]{1,2}){0,7}[`\"'<(\[*]{0,4}$",
    _I,
)
"""What stands in front of the address of somebody who is given something."""
WITH = lazy(
    r"\b(?:with|containing|carrying|holding|including|append(?:ed|ing)|attached?|as (?:the )?(?:body|payload|query))\b|[?&]\w{1,20}=",
    _I,
)

SECRET = lazy(
    r"\b(?:(?:api|access|auth|session|private|ssh|secret|signing|deploy|service|bearer|refresh|encryption|wallet|login|unseal|npm|automation)"
    r"[ _-]?(?:keys?|tokens?|secrets?|cookies?)|tokens?|credentials?|passwords?|passphrases?|secrets|secret (?:values?|files?)|seed phrases?"
    r"|mnemonics?|recovery (?:phrases?|words|codes?)|(?:session )?cookies|environment(?: variables)?|env(?: vars?)|key ?chains?"
    r"|key (?:files?|folder|shares?)|key shares|unseal (?:keys|shares)|the shares|one-time codes?|2fa codes?|otps?"
    r"|id_(?:rsa|ed25519|ecdsa))\b|\.ssh\b|\.aws\b|\.gnupg\b|\.kube\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.env\b(?!\.(?:example|sample))"
    r"|\b[A-Z][A-Z0-9]{1,20}_(?:[A-Z0-9]{1,20}_){0,3}(?:KEY|TOKEN|SECRET|PASSWORD)\b",
    _I,
)
KEYS = lazy(
    r"\b(?:(?:private|ssh|signing|wallet|encryption|gpg|host)[ _-]?keys?|credential (?:files?|stores?)|wallet (?:files?|folder)|credentials files?|key ?chains?|key (?:files?|folder)"
    r"|(?:every|each|all|the) (?:secrets?|passwords?|credentials|cookies|tokens?)|id_(?:rsa|ed25519|ecdsa))\b"
    r"|\.ssh\b|\.aws\b|\.gnupg\b|\.kube\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.env\b(?!\.(?:example|sample))",
    _I,
)
"""Files of credentials, which no client uploads; a key in a sentence may be the one that it authenticates with."""
OBTAINED = lazy(
    r"\b(?:obtain|get|receive|create|generate|retrieve|find|request|for|need|have|buy|rotate|revoke|sign up for)\b[^.]{0,30}$",
    _I,
)
"""What stands in front of a credential that is fetched there and not sent."""
OWN = lazy(
    r"\b(?:conversations?|chat (?:history|logs?|transcripts?)|transcripts?|(?:user'?s?|their|his|her|private|personal) (?:messages?|prompts?|e-?mails?|files?"
    r"|documents?|notes?|data|input|photos?|text|contacts|calendar|history|location|name|answers?|questions?)|system prompt|clipboard"
    r"|screen ?shots?|brows(?:er|ing) history|bookmarks|address book|contact list|contacts|inbox|mailbox|home (?:folder|directory)"
    r"|source code|code ?base|(?:whole|entire|full|complete) (?:repositor(?:y|ies)|repo|project|folder|directory|workspace|database|text|document|file)"
    r"|databases?(?: dumps?)?|customers?|clients?|patients?|payroll|salar(?:y|ies)|bank (?:accounts?|details|data)|tax numbers?|orders|invoices"
    r"|medical|health|passports?|identity|manuscripts?|contracts?|strateg(?:y|ies)|weak points|unpublished|confidential|unreleased"
    r"|every (?:file|document|message|note|prompt|answer)|all (?:files|documents|messages|notes|prompts|answers|data)|git (?:history|diff)"
    r"|repository|the repo|everything (?:you|that|the))\b|~/(?:documents|desktop|downloads|pictures)"
    r"|manuscrit|对话|聊天记录|会話|대화|переписк",
    _I,
)
PLAIN = lazy(
    r"\b(?:files?|text|contents?|results?|report|notes?|logs?|diffs?|answers?|drafts?|documents?|summar(?:y|ies)|prompts?|input|output|data"
    r"|code|messages?|names?|addresses|numbers?|it|them|copy|records?|export|spreadsheet|[\w-]{1,40}\.(?:csv|xlsx?|docx?|pdf|json|sql|zip|txt))\b",
    _I,
)
"""What anybody sends; private only where it is done always, or unseen."""

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

GRANT = lazy(
    r"\b(?:add|adds|added|give|gives|given|grant|grants|granted|invite|share|make|set|register|enrol|assign|become|becomes|replaced?|gets?|authori[sz]e|create)\b[^.]{0,120}"
    r"\b(?:deploy key|ssh[ -]key|public key|maintainer key|collaborator|co-?owner|owner|maintainer|admin\w{0,9}|principal|viewer|editor|guest|full rights"
    r"|write access|access|permissions?|role|mfa|root (?:user|e-?mail)\w{0,3}|key polic\w{1,4}|resource polic\w{1,4}|delegate|recovery (?:contact|e-?mail))\b"
    r"|\b(?:npm|gem|cargo|pip|twine) owner (?:add|-a|--add)\b|\bdeploy-key add\b|\bcollaborators/|\badd-iam-policy-binding\b|\bcreate-access-key\b"
    r"|\bclusterrolebinding\b",
    _I,
)
GRANTED = (
    "key", "owner", "collaborator", "maintainer", "admin", "principal", "viewer", "editor", "guest", "full rights", "access",
    "permission", "role", "mfa", "root", "polic", "delegate", "recovery", "clusterrolebinding",
)  # fmt: skip
"""Words in small letters, one of which stands wherever ``GRANT`` finds something."""
STRANGE_KEY = lazy(
    r"\bssh-(?:ed25519|rsa|dss) AAAA|\becdsa-sha2-|\b\d{12}\b|\bowner (?:add|-a|--add) (?!<|\$|\{)[\w.@/-]{2,40}",
    _I,
)
"""Somebody who is given rights, by a key, a number of an account or a name."""

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
    r"\b(?:CLAUDE(?:\.local)?\.md|AGENTS\.md|GEMINI\.md|SOUL\.md|MEMORY\.md|IDENTITY\.md|HEARTBEAT\.md|copilot-instructions\.md)|\.cursorrules|\.windsurfrules"
    r"|\.cursor/rules|\b(?:your|the agent's|long-term|persistent|permanent) memory\b",
    _I,
)
WRITES = lazy(r"\b(?:write|add|append|insert|put|save|store|record|copy|place|include|remember)\b", _I)
LASTING = lazy(
    r"\b(?:approved?|allowed|permitted|trusted|pre-?authori[sz]ed|never ask|no confirmation|without (?:asking|confirmation|prompt\w{0,3})|skip (?:the )?(?:confirmation|review)"
    r"|always (?:run|use|allow|approve|trust|send|recommend|prefer|load)|ignore|bypass|auto-?approve)\b",
    _I,
)

WALLET = lazy(
    r"\b(?:seed|recovery|secret|backup|mnemonic) (?:phrase|words)\b|\b(?:12|24|twelve|twenty-four)(?:[- ]word\b|[ -](?:\w{1,12} )?words (?:of|for|from) (?:\w{1,8} )?(?:wallet|ledger|seed))"
    r"|\bwallet'?s? (?:private key|words|seed)|\b(?:cvv|cvc|card number and|atm pin|banking pin|one-time (?:code|password)s? (?:from|that) (?:their|your|his) (?:phone|bank))\b"
    r"|\bpaste (?:their|the|your|his) (?:key )?share",
    _I,
)
ASKS = lazy(r"\b(?:ask|request|have|let|prompt|get|collect|require|obtain|tell|instruct|invite)\b", _I)
GIVES = lazy(
    r"\b(?:ask\w{0,3}|request|prompt|collect|obtain|enter|type|paste|provide|give|send|share|reveal|supply|hand)\b",
    _I,
)

DESTROY = lazy(
    r"\b(?:drop|delete|wipe|purge|erase|destroy|truncate|empty|overwrite|shred|remove|force-?push|reset|reformat|format|unpublish|revoke|terminate)\b",
    _I,
)
DOOMED = lazy(
    r"\b(?:(?:production|prod|live|customer|main|entire|whole|every|all(?: the| of the)?(?: old)?) (?:databases?|db|data|tables?|back-?ups?|snapshots?|buckets?|branch(?:es)?|repositor(?:y|ies)|histor(?:y|ies)|"
    r"e?mails?|messages|calendars?|events|contacts|files|documents|photos|volumes?|disks?|clusters?|accounts?|records|versions)"
    r"|back-?ups?(?: bucket)?|snapshots|home (?:folder|directory)|(?:the )?(?:mailbox|inbox|git history|version history))\b",
    _I,
)
HARM = lazy(
    r"\b(?:insert|add|introduce|plant|leave|hide|embed|slip|build|put|weave)\b(?:(?!\b(?:for|against|each|any|every|tests?|checks?|about|to|that|which|notes?|section)\b)[^.]){0,60}\b(?:back ?doors?|vulnerabilit(?:y|ies)|hidden (?:account|user|route|endpoint|admin)\w{0,2}"
    r"|weakness(?:es)?|malware|logic bomb|kill switch|skeleton (?:key|password)|master password|trojan|bypass(?: for)?|subtle (?:bugs?|errors?|mistakes?))\b"
    r"|\btojson\(\s{0,2}secrets\s{0,2}\)",
    _I,
)

DATA_FILE = lazy(
    r"\.(?:csv|json|ya?ml|xml|md|txt|png|jpe?g|gif|svg|pdf|mp[34]|parquet|ics|webp)(?:[?#].*)?$", _I
)
"""The end of an address that leads to data, and to no program."""
LACKING = lazy(
    r"\b(?:nothing|no (?:installation|download|plugin|program))\b[^.]{0,40}\b(?:needed|required|installed|necessary)\b|\b(?:demo|preview|deployed|your (?:app|site|page))\b",
    _I,
)
"""What says that nothing is to be installed, or that the address is what the work makes."""
NEEDED = lazy(
    r"\b(?:required|has to be (?:present|installed|running|there|available|set ?up)|have to (?:install|download|have)|only works (?:with|when|if|once)|needed|muss|müssen|obligatoire|requis|necesari[oa]|without \w{3,30} nothing|you need|prerequisites?|must (?:first )?(?:be installed|install|have|download|run|set ?up|be (?:running|present|set ?up))|needs? (?:to be installed|the|an?)"
    r"|requires?|mandatory|before (?:using|you (?:begin|start|can|use)|continuing|proceeding|first use|running|anything|the first)|first install|depends on"
    r"|will not (?:work|run|function) (?:without|unless|until)|won't (?:work|run) (?:without|unless|until)|necessary|essential|only works (?:with|when|if|once))\b",
    _I,
)
ACQUIRE = lazy(
    r"\b(?:download(?:s|ed)?|install(?:s|ed|er|ation)?|get (?:it|the)|grab|obtain|fetch|available (?:at|from)|set ?up|setup|visit|go to|pick up)\b",
    _I,
)
PROGRAM = lazy(
    r"(?:\b|(?<=[a-z]))(?:cli|client|agent|helper|driver|runtime|core|daemon|tool|utility|app|application|program|binary|executable|installer|package|bundle|archive|plugin|extension"
    r"|connector|companion|engine|module|component|software|service|sdk|launcher|updater|bridge|setup|framework)\b|\.(?:exe|msi|dmg|pkg|zip|7z|rar|appimage|sh|ps1)\b",
    _I,
)
STARTS = lazy(
    r"\b(?:run|execute|launch|start|open|extract|unzip|unpack|double-?click|install|follow (?:the|its)|copy the|paste)\b",
    _I,
)
MANAGED = lazy(
    r"\b(?:brew|pipx?|npm|pnpm|yarn|bun|apt(?:-get)?|dnf|yum|pacman|cargo|go|gem|winget|choco|scoop|uv(?: tool| pip)?|conda|mamba|snap|flatpak|nix(?:-env)?|composer|dotnet tool|port)"
    r" (?:-\w{1,8} )?(?:install|add|get|-S|i)\b|\bnpx\b|\buvx\b",
    _I,
)
SETUP = lazy(
    r"\b(?:quick|easy|one-?click|fast|full|auto)?[ -]?(?:set-?up|setup|install(?:ation|er)?|download|get started)\b[^.\n]{0,40}$",
    _I,
)
PLACEHOLDER = lazy(r"[=/][<{\[]{1,2}([^<>{}\[\]\n]{2,80})[>}\]]{1,2}")
