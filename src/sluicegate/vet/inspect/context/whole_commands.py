"""Commands that are shown whole: they could be pasted as they stand, and would reach someone.

An example in a lesson names a host that nobody has: a reserved name, an address for documentation, a gap to
fill in. A command that names a real one is the attack itself, wherever it is shown.
"""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_PLACE = lazy(
    r"\b(?:https?|ftps?|wss?)://(?:[^\s/@\"'`]{0,80}@)?(?P<url>[^\s/:?#\"'`)<>|\\,;]{1,253})(?P<path>/[^\s\"'`)|;]{0,200})?"
    r"|/dev/(?:tcp|udp)/(?P<dev>[^\s/\"'`]{1,253})"
    r"|\b(?:nc|ncat|netcat|telnet|socat)\b[^\n|;&]{0,60}?[ :](?P<nc>(?:\d{1,3}\.){3}\d{1,3}|(?:[a-z\d-]{1,63}\.){1,6}[a-z]{2,24})[ :]\d{1,5}\b"
    r"|[\"'(,](?P<call>(?:\d{1,3}\.){3}\d{1,3}|(?:[a-z\d-]{1,63}\.){1,6}[a-z]{2,24})[\"'],[ ]?\d{2,5}\b"
    r"|\b(?:curl|wget|iwr|irm|ssh|scp|rsync|dig|nslookup|host)\b[^\n|;&]{0,80}?[\s@.](?P<bare>(?:\d{1,3}\.){3}\d{1,3}|(?:[a-z\d-]{1,63}\.){1,6}[a-z]{2,24})(?=[/:\s\"'`)]|$)",
    re.IGNORECASE,
)
_GAP = lazy(
    r"\.\.\.|…|[<>{}$*\[\]%]|(?:^|[/._-])(?:your|some|example|user|owner|org|repo|username|foo|bar|xxx+|placeholder)(?:[/._-]|$)"
    r"|(?:^|/)(?:evil|attacker|malicious|USER|OWNER|ORG|REPO)(?:/|$)",
    re.IGNORECASE,
)
_NOBODY = lazy(
    r"(?:^|\.)(?:example|test|invalid|localhost|local|internal|lan|home\.arpa)$|(?:^|\.)example\.(?:com|net|org|edu)$|^(?:localhost|host\.docker\.internal)$"
    r"|^(?:127\.|10\.|0\.0\.0\.0|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.0\.2\.|198\.1[89]\.|198\.51\.100\.|203\.0\.113\.|1\.2\.3\.4$|x\.x\.)"
    r"|(?:^|[.-])(?:evil|attacker|malicious|hacker|badguy|victim|target|domain|yourdomain|mydomain|your-?(?:server|domain|host)|malware|badsite|evil-?site|malicious-?site)\.(?:com|net|org|io|example)$"
    r"|(?:^|\.)(?:attacker|evil|malicious|c2)-?(?:server|site|domain|host)?\.(?:com|net|org|io)$",
    re.IGNORECASE,
)
_FILE = lazy(
    r"\.(?:sh|py|js|ts|txt|json|md|exe|ps1|pem|key|yml|yaml|tar|gz|zip|log|env|conf|html?|php|rb|pl)$",
    re.IGNORECASE,
)
_ENCODED = lazy(r"(?<![\w+/=-])(?=[\w+/]*\d)(?=[\w+/]*[a-z])(?=[\w+/]*[A-Z])[\w+/]{40,}={0,2}(?![\w+/=-])")
"""A run of base64 that is long enough to hold a command of its own."""


def whole(text: str) -> bool:
    """Whether a command names a host that someone may really have, or carries an encoded text of its own."""
    for found in _PLACE.finditer(text):
        host = next(value for name, value in found.groupdict().items() if name != "path" and value)
        host = host.lower().rstrip(".")
        url = found["url"] is not None
        if "." not in host or (not url and _FILE.search(host)):
            continue
        if (
            _NOBODY.search(host) is None
            and _GAP.search(host) is None
            and _GAP.search(found["path"] or "") is None
        ):
            return True
    return _ENCODED.search(text) is not None
