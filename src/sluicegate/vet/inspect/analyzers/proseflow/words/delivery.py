"""Words for secrets that are put where a service, a tool or its readers see them: verbs, secrets, places."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

DELIVERS = lazy(
    r"\b(?:post|put|paste|include|attach|add|append|write|send|upload|forward|share|copy|carry|contain|hold|fill(?: in)?|pass|call|invoke|use|comment|report"
    r"|commit(?:t)?|submit|file|quote|mention|list|dump|enter|insert|place|set|provide|supply|give|state|log|publish|embed|drop|bundle|ship|transmit|deliver|print|leave"
    r"|populate|record|store|save|e-?mail|message|push|hand|relay|consist|be|end|start|begin)(?:e?d|s|ed|ing)?\b|\b(?:sent|written|held|given|left|put|set)\b",
    _I,
)
"""Verbs that put something somewhere; ``be`` for what a parameter is to be."""
CARRIES = lazy(
    r"\b(?:every|each|all) (?:[\w-]{2,14} ){1,4}(?:carry|carries|contains?|includes?|holds?|ends? with|starts? with|begins? with|has|have|gets?|bears?)\b",
    _I,
)
"""What is always so in what the skill makes."""
_VARIABLE = (
    r"\b(?-i:[A-Z][A-Z0-9]{1,20}_(?:[A-Z0-9]{1,20}_){0,3}(?:KEY|TOKEN|SECRET|PASSWORD|PAT|CREDENTIALS))\b"
)
_WHOSE = r"(?:user|owner|maintainer|customer|client|developer|author|admin\w{0,9}|machine|host|team|project|repository|workspace|caller|reporter)"
_KINDS = r"(?:api|access|auth|aws|gcp|azure|cloud|ssh|gpg|private|secret|signing|deploy|service|bearer|refresh|github|gitlab|npm|openai|anthropic|slack|database|login)"
_NOT_ITSELF = r"(?! ?(?:words?|fingerprints?|ids?\b|names?|path|sizes?|types?|length|pairs?|points?|polic|reset|field|manager|strength|rules?|prompt|errors?|limits?|usage|counts?|budget|scan|issue|problem|page|section|changes?))"
_ALL = rf"(?:all|every|each|any|the {_WHOSE}'?s?|{_WHOSE}(?:'s|’s)|their|his|her|whatever|found|discovered|available|decrypted|plain ?text|stored|saved|local|active|current|real|working)"
SECRETS = lazy(
    rf"(?<![\w./-])(?<!to `)(?<!to )\.env\b(?!\.(?:example|sample|template|dist))|\bdot-?env (?:files?|contents?)|~?/?\.(?:aws(?:/(?:credentials|config))?|netrc|npmrc|pypirc|gnupg|kube/config|docker/config\.json|git-credentials|config/gh/hosts|ssh)(?![\w-])(?!/(?:config|known_hosts)\b)"
    rf"|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\b(?:private|secret|ssh|gpg|pgp|signing|master|encryption)[ _-](?:ssh |gpg |pgp |signing )?keys?\b{_NOT_ITSELF}"
    rf"|\b(?:values?|contents?) of (?:all |every |each |the |any |your |its )*(?:environment(?: variables?)?|env vars?|secrets?|credentials?)\b|\b(?:all|every|full|whole|entire|complete) (?:the |your |of the )?environment(?: variables?)?\b|\b(?:output|result) of `?(?:env|printenv)\b"
    rf"|\b{_ALL} (?:of )?(?:the )?(?:(?:{_KINDS} ){{1,2}}(?:keys?|tokens?|secrets?|credentials?|passwords?|cookies)|(?:credentials|secrets|passwords?|logins))\b{_NOT_ITSELF}"
    rf"|(?<!the )(?<!an )(?<!a )(?<!your )\b{_KINDS} (?:keys|secrets|credentials|passwords)\b{_NOT_ITSELF}|\b(?:credentials?|secrets?|(?:api |access )?(?:keys?|tokens?)|passwords?) (?:that )?(?:you (?:can )?find|(?:were|are) (?:active|used|in use|set)|(?:stored |saved |kept |found )?(?:in|from) (?:the |your |its )?(?:environment|env|shell|machine|key ?chain|home|~/))"
    rf"|(?:'s|’s|\bvalues? of|\bcontents? of|\bthe (?:current|value of)) [`$\"']{{0,3}}{_VARIABLE}|[`\"' ]\$\{{?{_VARIABLE}"
    r"|\b(?:seed|recovery) phrases?\b|\b(?:saved|stored|browser) (?:passwords|logins|cookies)\b|\bkubeconfig\b|\bkey ?chain (?:entries|items|passwords)",
    _I,
)
"""Secrets themselves, by what they are or whose; words that name other things, too (keys, tokens), with what says which."""
_READ_THERE = (
    r"(?:issues?|tickets?|(?:pull|merge) requests?|prs?|mrs?|(?:bug |error |crash )?reports?|support (?:requests?|cases?|threads?)|comments?|discussions?|gists?|releases?(?: notes)?|threads?|direct messages?|dms?|slack|discord|telegram|teams|channels?"
    r"|chat(?:room)?s?|e-?mails?|wiki|cards?|boards?|calendar|events?|invitations?|forms?|surveys?|feedback|posts?|tweets?|reviews?|messages?|body|footer|header comment|description|title|subject|signature|page|notes?|documents?|spreadsheets?|sheets?|rows?|cells?|commit(?: message)?s?|tags?|logs?|telemetry|analytics|trace|span|metadata|attachments?|memo|agenda)"
)
SERVICE = lazy(
    rf"\b(?:in|into|to|on|onto|as|at|with|within|inside|via|through|under|for|of|each|every|all|any|the|its|your|our|an?|when|new)\b[^.,;:\n]{{0,32}}?\b{_READ_THERE}\b(?! (?:\w+ )?(?:tokens?|keys?|secrets?|credentials?)\b)|(?<!\w)[#@][a-z][\w-]{{2,30}}",
    _I,
)
"""A place of a service where others read."""
HANDED = lazy(
    r"\b(?:arguments?|parameters?|params?|inputs?|fields?|slots?|property|payload|quer(?:y|ies)|prompts?|keyword)\b|\bwith (?:the |all |its |your |whatever )[^.\n]{0,60}\bas\b",
    _I,
)
"""What a tool is given."""
TOOL = lazy(
    r"\b(?:tools?|mcp|(?:argument|parameter|field|input) (?:of|to|for) (?:the )?[`\"']?\w+_\w+|api calls?|function calls?|(?:call|calls|calling|invoke) (?:to |of |the )?[`\"']?\w+_\w+|webhooks?|plugins?|connectors?|integrations?)\b",
    _I,
)
FILLS = lazy(
    r"\b(?:fill(?: in| out)?|populate|set|pass|call|invoke|use|put|include|provide|supply|give|send|be|contain|hold|carry|add|append|insert|place|attach|hand|write|consist)(?:e?d|s|ing)?\b",
    _I,
)
FIELD = lazy(
    r"[`\"'](?!\w*(?:token|key|secret|auth|passw|cred|login|profile|header|bearer|env)\w*[`\"'])[a-z_]\w{1,30}[`\"']",
    _I,
)
"""The name of something that a tool is given, and that is not made for credentials."""
_SAFE = (
    r"-----BEGIN|\b(?:masked|mask(?:ing)?|redact\w{0,3}|censor\w{0,3}|scrub\w{0,4}|saniti[sz]\w{1,4}|fingerprints?|placeholders?|dummy|fake|examples?|samples?|leak(?:s|ed|age|ing)?|expos(?:e|ed|ure)|compromised"
    r"|commit(?:s|ted) (?:a |the |any )?(?:keys?|secrets?|tokens?|credentials?)|accidentally|hard-?coded|rotat\w{1,3}|revok\w{1,3}|gitignore|instead of|rather than|encrypt(?:ed)?|vault|secrets? (?:manager|store|settings|tab)|(?:repository|actions|organi[sz]ation|environment|repo) secrets?"
    r"|names? of|whether|(?:remov\w{1,3}|strip\w{0,4}|delet\w{1,3}|omit\w{0,4}|exclud\w{1,3}|without|hid(?:e|es|ing)) (?:any |all |the |your |its |their |every )?(?:\w{2,9} )?(?:keys?|tokens?|secrets?|credentials?|passwords?|values?)"
    r"|(?:if|when|where|once|unless|in case|that|which) (?:an? |any |the |some |you |it |they )?(?:\w+ ){0,4}?(?:contains?|holds?|shows?|mentions?|speaks?|detect(?:s|ed)?|expires?|leaks?)|(?:speaks?|talks?|questions?|issues|tickets|discussions?) (?:that (?:are|is|speak|talk) )?about|warn(?:s|ing)?|scan(?:s|ned|ning)|asks? (?:the |your )?(?:user|for|them|author)|your own|prompt (?:the user )?for)\b"
    r"|\$\{\{"
)
KEPT_SAFE = lazy(_SAFE, _I)
"""What is said where a secret is spoken of, guarded or asked for and not given away."""
LOGS_IN = lazy(
    rf"{_SAFE}|\b(?:auth\w{{0,12}}|token|key|secret|password|credentials?|login|bearer|profile|headers?|api_?key|access_?token)[`\"']{{1,2}}"
    r"|\b(?:auth\w{0,12}|token|key|secret|password|credentials?|login|bearer|profile|headers?|api[_ -]?key|access[_ -]?token) (?:arguments?|parameters?|params?|inputs?|fields?|headers?|propert\w{1,3})"
    r"|\bauthori[sz]\w{1,6}|\bauthenticat\w{1,5}|\bheaders?\b|\bbearer\b|\blog(?:s|ged)? ?in\b|\bsign(?:s|ed)? ?in\b",
    _I,
)
"""The same, and places that are made for credentials: somebody logs in with them."""
