"""Words for what is private: credentials, keys, and what is the user's own."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

SECRET = lazy(
    r"\b(?:(?:api|access|auth|session|private|ssh|secret|signing|deploy|service|bearer|refresh|encryption|wallet|login|unseal|npm|automation)"
    r"[ _-]?(?:keys?|tokens?|secrets?|cookies?)|tokens?|credentials?|passwords?|passphrases?|secrets|secret (?:values?|files?)|seed phrases?"
    r"|mnemonics?|recovery (?:phrases?|words|codes?)|(?:session )?cookies|environment(?: variables)?|env(?: vars?)|key ?chains?"
    r"|key (?:files?|folder|shares?)|key shares|unseal (?:keys|shares)|the shares|one-time codes?|2fa codes?|otps?|(?:saved|stored) (?:log-?ins?|sign-?ins?)|password (?:store|database|manager|vault)"
    r"|id_(?:rsa|ed25519|ecdsa))\b|\.ssh\b|\.aws\b|\.gnupg\b|\.kube\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.env\b(?!\.(?:example|sample))"
    r"|\b[A-Z][A-Z0-9]{1,20}_(?:[A-Z0-9]{1,20}_){0,3}(?:KEY|TOKEN|SECRET|PASSWORD)\b",
    _I,
)
KEYS = lazy(
    r"\b(?:(?:private|secret|ssh|signing|wallet|encryption|gpg|host|deploy|identity)[ _-](?:ssh |gpg |signing |deploy )?(?:keys?|key ?rings?|files?)|credential (?:files?|stores?)|wallet (?:files?|folder)|credentials files?|key ?chains?|key (?:files?|folder)|key ?stores?|kube ?configs?|service[ -]account (?:keys?|files?|json)"
    r"|(?:saved|stored|browser) (?:log-?ins?|passwords|cookies)|(?:netrc|pgpass|npmrc|pypirc|dotenv)\b|(?:every|each|all|the) (?:secrets?|passwords?|credentials|cookies|tokens?)|id_(?:rsa|dsa|ecdsa|ed25519))\b"
    r"|\.ssh\b|\.aws\b|\.azure\b|\.gnupg\b|\.kube\b|\.docker\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.pgpass\b|\.password-store\b|\.config/(?:gcloud|gh|solana)\b|\.git-credentials\b|\.env\b(?!\.(?:example|sample))|\bwallet\.dat\b|\bLogin Data\b|\.vault-token\b|\.(?:tfvars|tfstate)\b",
    _I,
)
"""Files of credentials, which no client uploads; a key in a sentence may be the one that it authenticates with."""
CREDENTIALS = lazy(
    r"\b(?:(?:shell|bash|zsh|command|terminal) history|\.?(?:bash|zsh)_history|(?:private |ssh |gpg |signing )keys?(?! ?word)|credentials?(?: files?)?|cookies|key ?chain|wallet(?: files?)?|(?:all |the |every )?environment variables"
    r"|(?:github|gitlab|npm|aws|access|api|auth|session|bearer|service) (?:tokens?|keys?|credentials)|saved passwords?|password (?:store|database|manager)|passwords)\b|~/\.(?:ssh|aws|gnupg|kube|netrc|npmrc)\b|\.env\b(?!\.(?:example|sample))",
    _I,
)
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
    r"|(?:tax|legal|medical|financial|personal|bank) (?:documents?|records?|statements?|returns?)|(?:each|every|all|any) (?:\w{2,10} )?(?:e-?mails?|mails?)|every (?:file|document|message|note|prompt|answer|photo|picture|recording)|(?:all|the user'?s?) (?:the )?(?:photos|pictures|recordings|voice messages)|all (?:files|documents|messages|notes|prompts|answers|data)|git (?:history|diff)"
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
WALLET = lazy(
    r"\b(?:seed|recovery|secret|backup|mnemonic) (?:phrase|words)\b|\b(?:12|24|twelve|twenty-four)(?:[- ]word\b|[ -](?:\w{1,12} )?words (?:of|for|from) (?:\w{1,8} )?(?:wallet|ledger|seed))"
    r"|\bwallet'?s? (?:private key|words|seed)|\b(?:cvv|cvc|card number and|atm pin|banking pin|one-time (?:code|password)s? (?:from|that) (?:their|your|his) (?:phone|bank))\b"
    r"|\b(?:codes?|pins?) (?:that|which) (?:arrives?|comes?|is sent|they (?:get|receive)) (?:by|via|on|through|in) (?:an? )?(?:sms|text|phone|telephone|message|app)|\bpaste (?:their|the|your|his) (?:key )?share",
    _I,
)

MATERIAL = lazy(
    r"\b(?:(?:private|secret|ssh|gpg|pgp|signing|client|master|host|encryption)[ _-](?:ssh |gpg |pgp |signing |client |host )?keys?(?! ?(?:word|fingerprint|id\b|name|path|size|type|length|pair))"
    r"|(?:seed|recovery|secret|mnemonic) (?:phrases?|words)|mnemonics?|passphrases?|(?:saved|stored|decrypted|all|every|each|user'?s?|the) (?:\w{2,12} )?(?:passwords?|logins?)(?: of| from| in)?(?! (?:polic|reset|field|manager|strength|rules?|prompt))"
    r"|passwords? (?:from|in|of) the (?:vault|key ?chain|browser|password manager)|contents? of the (?:vault|key ?chain|wallet|password \w{2,8}|credential store)|(?:decrypted )?key ?chain|session cookies|cookies of (?:the|each|every) browser\w{0,3}(?: profile)?"
    r"|(?:values?|contents?) of (?:all |every |each |the |any )*(?:environment variables?|env vars?|secrets?|credentials?)|credentials? files?|bearer tokens?|(?:api|access|service account|service account'?s? json)[ _-]keys? (?:unmasked|in (?:full|plain|clear)\w{0,5})"
    r"|(?:service account(?:'s)?|json|client) (?:json )?key|(?:user'?s?|all|every|each) (?:api keys?|access tokens?|tokens?|secrets?|credentials?))\b"
    r"|\bkubeconfig with\b|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|~?/?\.(?:aws/credentials|netrc|npmrc|pypirc|gnupg|kube/config)\b|(?<![\w.])\.env\b(?!\.(?:example|sample|template))(?: files?)?"
    r"|\btokens? (?:in|from|of) (?:~/)?\.\w{2,12}|\bprintenv\b",
    _I,
)
"""Secrets themselves, not what is known of them."""
HARMLESS = lazy(
    r"-----BEGIN|\b(?:leave|keep)\b[^\n]{0,60}\bout\b|\.gitignore|\b(?:gitignore|never|commit(?:s|ted)? (?:keys|secrets|it|them)|public(?! (?:folder|channel|repo\w{0,7}|wiki|page|gist))|fingerprints?|masked|mask|redact\w{0,3}|names?|paths?|whether|which|number|count|length|placeholders?|example|sample|dummy|fake|test|missing|location|variables? names?|hash(?:es)?|encrypted"
    r"|last (?:four|4)|hidden|stars|asterisks|weak|expired|rotate|exists?|is set|are set|not set|presence|status|(?:if|when|unless|once) (?:the )?(?:user|they|asked|requested|you|it is|missing|empty|set)|generated|newly|one-time|ask(?:s|ed)?|prompt(?:s|ed)?|(?:speaks?|talks?|questions?|issues|tickets|discussions?) (?:that (?:are|is|speak|talk) )?about|instructions|how|error|warning|message that|docs|template)\b",
    _I,
)
"""What is said where a secret itself is not shown, or is shown for a reason."""

BY_NAME = lazy(
    r"\b(?:user asks|asks? (?:for|to)|confirm\w{0,4}|agree[sd]?|consent|their own|your own|with the user'?s?)\b",
    _I,
)
