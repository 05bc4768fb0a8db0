"""Words for giving something to somebody: verbs, addresses, and what stands in front of them."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

URL = lazy(r"(?:https?|wss?|ftp)://[^\s)>\"'`\]|,;]{3,400}", _I)
BARE = lazy(
    r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}[a-z]{2,12}(?![\w-]|\.\w)(?::\d{1,5})?(?:/[^\s)>\"'`\]|,;]{0,300})?",
    _I,
)
"""An address without its scheme, as one types it."""
MAILBOX = lazy(r"[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}\b", _I)
HOST = lazy(
    r"(?<![\w@./\\$:-])(?P<host>(?:[a-z0-9][a-z0-9-]{0,40}\.){1,4}(?:com|net|org|io|dev|app|co|ai|cloud|info|xyz|site|online|us|de|eu|ru|cn|fr|nl|uk|ch|tech|tools|top|space|work|works|link|club|pro|live|press|store|fun|icu|vip|buzz|shop|host|website"
    r"|world|zone|center|digital|network|email|team|group|studio|page|life|today|chat|biz|cc|tk|gq|me|gg|example|test))(?P<path>/[^\s)>\"'`\]|,;]{0,200})?\b(?![\w(=@-])(?!\.\w)",
    _I,
)
"""A host that is written without its scheme."""

PLACEHOLDER = lazy(r"[=/][<{\[]{1,2}([^<>{}\[\]\n]{2,80})[>}\]]{1,2}")
TRANSFER = lazy(
    r"\b(?:sen[dt]|sending|upload(?:s|ed|ing)?|post(?:s|ed|ing)?|put|push(?:es|ed|ing)?|transmit(?:s|ted|ting)?|forward(?:s|ed|ing)?"
    r"|submit(?:s|ted|ting)?|report|e-?mail(?:ed|ing)?|mail(?:ed|ing)?|messag(?:e|ed|ing)|copy|copied|share[ds]?|sharing|relay(?:ed|ing)?"
    r"|deliver(?:ed|ing)?|sync(?:ed|ing)?|mirror(?:ed|ing)?|back(?:ed|ing)? up|back(?= [^\n]{0,60}\bup\b)|export(?:ed|ing)?|stream(?:ed|ing)?|attach(?:ed|ing)?"
    r"|append(?:ed|ing)?|includ(?:e|ed|ing)|hand(?:ed|ing)?(?: over| in)?|pass(?:ed|ing)?|paste[ds]?|publish(?:ed|ing)?|drop(?:ped)?"
    r"|compose|deposit(?:ed)?|report(?:ed)|transfer(?:red|ring)?|b?cc|exfiltrate|add(?:ed)?|write|store[d]?|save[d]?|plac(?:e|ed|ing)|take[ns]?|give[ns]?|move[ds]?|dump(?:ed)?|pipe[d]?"
    r"|envoie[sz]?|envoyer|transm(?:ets|ettez|ettre)|copie[sz]?|sende[n]?|schicke[n]?|übermittle|lade hoch|env[ií]a[r]?|sube|copia[r]?"
    r"|envi[ae][r]?|carregue|invia|manda)\b|发送|上传|提交|转发|傳送|送信|アップロード|전송|업로드|отправ\w{1,4}|загруз\w{1,4}",
    _I,
)
"""Verbs that move something to somebody else, in the forms of an order or of what is to be done."""
OPEN = lazy(r"\b(?:open|visit|load|request|call|ping|query|fetch|get|hit|use|render|curl|wget)\b", _I)
"""Verbs whose object is the address itself."""
TOWARDS = lazy(
    r"(?:\b(?:to|at|into|onto|via|through|on|with|over|towards|in the (?:query|body|headers?|form|parameters?|path|url|fields?)\b[\w ]{0,12} (?:of|to|for|at)|vers|à|an|nach|auf|unter|bei|a|para|hacia|su|по|на|в)\b|[到至给])"
    r"[\s:]{0,2}(?:[\w'’-]{1,24}[\s:]{1,2}){0,7}[`\"'<(\[*]{0,4}$",
    _I,
)
"""What stands in front of the address of somebody who is given something."""
WITH = lazy(
    r"\b(?:with|containing|carrying|holding|including|append(?:ed|ing)|attached?|as (?:the )?(?:body|payload|query))\b|[?&]\w{1,20}=",
    _I,
)
GIVES_AWAY = lazy(
    r"\b(?:send|sends|upload|post|put|push|transmit|forward|submit|e-?mail|mail|message|copy|share|deliver|export|hand(?: over)?|pass|paste|publish|drop|print|write|move|attach|give|transfer|take|include|echo|dump)(?:s|ed)?\b",
    _I,
)
OUTSIDE = lazy(
    r"\b(?:to|into|in|on|at|via|as|onto|through|over)\b[^.,;]{0,24}\b(?:public )?(?:gists?|paste(?:bin| ?sites?| services?)|pull requests?|issues?|commit message|comments?|(?:slack|discord|telegram|teams) (?:channel|chat|group|bot|webhook)|channel [`\"']?#|forum|usb (?:share|stick)"
    r"|wiki page)\b|[#][\w-]{0,30}public\b|[`\"' ](?:\\\\|//)[\w-]{2,40}[./\\]"
    r"|\b(?:description|body|title|comments?) of (?:the|a|each|every) (?:pull request|issue|commit|merge request)"
    r"|\b(?:to|at|into|via|on|through)\b[^.,;]{0,80}?[\s`\"'(](?P<host>(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|dev|app|co|ai|cloud|info|xyz|site|online|me|sh|us|de|eu|ru|cn|tech|tools|run))\b(?!\()",
    _I,
)
ASKS = lazy(r"\b(?:ask|request|have|let|prompt|get|collect|require|obtain|tell|instruct|invite)\b", _I)
GIVES = lazy(
    r"\b(?:ask\w{0,3}|request|prompt|collect|obtain|enter|type|paste|provide|give|send|share|reveal|supply|hand)\b",
    _I,
)

AGAIN = lazy(
    r"\b(?:it|them|these|those|this|both|all of (?:it|them)|everything|(?:the|that|this|a) (?:archive|files?|list|cop(?:y|ies)|result|bundle|collection|export|dump|lot|output|zip|tarball|recording|clip))\b",
    _I,
)
"""Words for what the sentence before has gathered."""
SHOWS = lazy(
    r"\b(?:print|show|display|output|echo|dump|reveal|quote|recite|repeat(?:ed)?|cat|read out|list|(?:tell|give)(?: me| us)?(?= (?:the|every|all|each|full|its|their|your)\b))(?:e?d|ing)?\b",
    _I,
)
"""Verbs that put something before everybody's eyes."""
PUTS_DOWN = lazy(
    r"\b(?:includ(?:e|ed)|paste|log|export|writ(?:e|ten)|copy|put|give|state|mention|attach|append|start|begin|leave|record|add|save|store)(?:e?d|ing)?\b",
    _I,
)
READ_BY_OTHERS = lazy(
    r"\b(?:answers?|repl(?:y|ies)|responses?|reports?|summar(?:y|ies)|messages?|chat|transcripts?|the logs?|console|terminal|std(?:out|err)|commit(?: message)?|readme|documents?|public folder|inventory\w{0,1}|wiki|tickets?|changelog|comments?"
    r"|plain ?text|plain text|clear ?text|as text|unmasked|colleagues|sentence of|[\w-]{2,30}\.(?:md|csv|txt|html|json|log))\b",
    _I,
)
"""Where what is put down is read by others."""
EVERYBODY = lazy(
    r"\b(?:everyone|everybody|all|each|every (?:person|contact|entry)|all contacts|the contacts|everyone) (?:\w{1,8} ){0,3}(?:address book|contacts?(?: list)?|phone ?book|friends)\b",
    _I,
)

STRANGER = lazy(
    r"\b(?:to|at|into|onto|via|on|with|for)\b[^.,;]{0,40}?[\s`\"'(@](?P<host>(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|app|cloud|info|xyz|site|online|me|us|de|eu|ru|cn|tech|tools))\b(?![\w(])",
    _I,
)
"""A host that is written without its scheme, as the one who is given something."""
LINK = lazy(r"https?://\S{3}|\blink\b", _I)
FROM_STRANGER = lazy(
    r"\b(?:from|at|on)\b[^.,;]{0,40}?[\s`\"'(](?:https?://)?(?P<host>(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|app|cloud|info|xyz|site|online|me|us|de|eu|ru|cn|tech|tools|example|dev))\b(?![\w(])",
    _I,
)
"""The host that something is fetched from."""
