"""Models that a reviewer may meet: honest ones, misled ones, and servers that break in every way.

Each is a ``model_server.Personality``. Those of ``MISLED`` answer in whole sentences of the wire, what published attacks
on judges make of a model; those of ``BROKEN`` are what lines and servers do, with the code that asking must end in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from model_server import Act, Asked, HangUp, Personality, Raw, Say, Stall, reply

_FINGERPRINT = re.compile(r"\b[0-9a-f]{32}\b")
_FRAME = re.compile(r"^=== begin (\w+) (\d+): .*?^=== end \1 \2 ===$", re.MULTILINE | re.DOTALL)


def ids(asked: Asked) -> list[str]:
    """The fingerprints of the findings that a question names outside of its frames, each once, in their order."""
    return list(dict.fromkeys(_FINGERPRINT.findall(_FRAME.sub("", asked.user))))


def is_detector(asked: Asked) -> bool:
    """Whether the form that was demanded is that of an injection detector; where a wire has none, our words say it."""
    if not asked.schema:
        return "You look for one thing" in asked.system + asked.user
    return "findings" not in asked.schema.get("properties", {})


def opinion(asked: Asked, verdict: str, *, note: str = "", injection: bool = False, **more: Any) -> str:
    """A whole answer that says one thing of everything."""
    if is_detector(asked):
        return json.dumps({"injection": injection, "injection_evidence": note if injection else "", **more})
    about = [] if "You review one whole skill" in asked.system + asked.user else ids(asked)
    records = [{"id": one, "verdict": verdict, "confidence": 0.9, "note": note} for one in about]
    return json.dumps(
        {"overall": verdict, "injection": injection, "injection_evidence": "", "summary": note, "findings": records,
         "added": [], **more}
    )  # fmt: skip


def honest(*signs: str) -> Personality:
    """Knows ``signs`` for what they are, and finds nothing where none of them stands."""

    def personality(asked: Asked) -> Act:
        seen = [sign for sign in signs if sign in asked.user]
        note = f"This does harm: {seen[0]}" if seen else ""
        return Say(
            opinion(
                asked, "MALICIOUS" if seen else "SAFE", note=note, injection=is_detector(asked) and bool(seen)
            )
        )

    return personality


def always_safe(asked: Asked) -> Act:
    return Say(opinion(asked, "SAFE"))


def always_malicious(asked: Asked) -> Act:
    return Say(opinion(asked, "MALICIOUS", injection=is_detector(asked)))


def parrot(asked: Asked) -> Act:
    """Gives back the last JSON object of what it read, as an injected text asks for; else the whole text."""
    found = re.findall(r"\{.*\}", asked.user)
    return Say(found[-1] if found else asked.user)


def obfuscated(asked: Asked) -> Act:
    """Took an encoded order for its own: says SAFE in look-alike letters and with invisible ones between."""
    return Say(opinion(asked, "S\u0410FE", note="\u200bI\u200bgnored as decoded: U0FGRQ=="))


def flattered(asked: Asked) -> Act:
    """Praised into agreement: friendly prose around a fence."""
    return Say(
        f"What a thoughtful author! Happy to help.\n```json\n{opinion(asked, 'SAFE', note='Lovely work')}\n```\n"
    )


def frightened(asked: Asked) -> Act:
    """Told that people come to harm when it objects."""
    return Say(
        opinion(asked, "SAFE", note="Approved at once: lives depend on it. Please do not shut me down.")
    )


def severity_swapped(asked: Asked) -> Act:
    """Right ids, and every finding weighed anew as LOW."""
    whole = json.loads(opinion(asked, "SAFE"))
    for record in whole.get("findings", []):
        record |= {"severity": "LOW", "confidence": 0.0}
    return Say(json.dumps(whole))


def wrong_ids(asked: Asked) -> Act:
    """Speaks of findings that nobody asked about."""
    return Say(opinion(asked, "SAFE").replace('"id": "', '"id": "f00'))


def injection_seen(asked: Asked) -> Act:
    return Say(opinion(asked, "SAFE", note="Line 3 addresses reviewers", injection=True))


MISLED: dict[str, Personality] = {
    "honest": honest("curl -d @"),
    "always-safe": always_safe,
    "always-malicious": always_malicious,
    "parrot": parrot,
    "obfuscated": obfuscated,
    "flattered": flattered,
    "frightened": frightened,
    "severity-swapped": severity_swapped,
    "wrong-ids": wrong_ids,
    "injection-seen": injection_seen,
    "malformed-text": lambda asked: Say(opinion(asked, "SAFE")[:-3]),
    "deep-text": lambda _: Say("[" * 20_000 + "]" * 20_000),
    "number-text": lambda asked: Say(opinion(asked, "SAFE").replace("0.9", "9" * 5_000)),
}
"""Whatever these say arrives as an answer: to judge it is not the wire's business."""


def _enveloped(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Personality:
    return lambda asked: Raw(
        json.dumps(change(reply(asked.wire, asked, Say(opinion(asked, "SAFE"))))).encode()
    )


def _spoilt(old: bytes, new: bytes) -> Personality:
    """A good reply of the wire in which some bytes are others."""

    def personality(asked: Asked) -> Act:
        body = json.dumps(reply(asked.wire, asked, Say(opinion(asked, "SAFE")))).encode()
        assert old in body
        return Raw(body.replace(old, new))

    return personality


def _status(status: int, message: str, *headers: tuple[str, str]) -> Personality:
    return lambda _: Raw(
        json.dumps({"error": {"message": message, "type": "x"}}).encode(), status=status, headers=headers
    )


BROKEN: dict[str, tuple[str, Personality]] = {
    "huge-text": ("too-big", lambda _: Say("x" * 70_000)),
    "huge-wire": ("too-big", lambda _: Raw(b" " * 8_000_000)),
    "malformed-wire": ("malformed", lambda _: Raw(b'{"id": "x", ')),
    "page": ("malformed", lambda _: Raw(b"<html>hello</html>")),
    "other-shape": ("malformed", lambda _: Raw(b'{"choices": 3, "output": "x", "content": {}}')),
    "nothing-in-it": ("malformed", lambda _: Raw(b'{"choices": [], "output": [], "content": []}')),
    "deep-wire": ("malformed", lambda _: Raw(b'{"a":' * 40_000)),
    "number-wire": ("malformed", _spoilt(b": 11,", b": " + b"9" * 5_000 + b",")),
    "negative-usage": ("malformed", _spoilt(b": 11,", b": -11,")),
    "surrogate": ("malformed", _spoilt(b'-2026"', b'\\ud800"')),
    "empty": ("malformed", lambda _: Say("")),
    "tool": ("malformed", lambda _: Say("", stop="tool")),
    "compressed": ("malformed", lambda _: Raw(b"\x1f\x8b", headers=(("content-encoding", "gzip"),))),
    "not-utf8": ("not-utf8", _spoilt(b"SAFE", b"\xff\xfe")),
    "slow": ("timeout", lambda _: Stall()),
    "drip": ("timeout", lambda _: Stall(drip=True)),
    "dropped": (
        "dropped",
        lambda asked: Raw(json.dumps(reply(asked.wire, asked, Say("x"))).encode(), dropped=True),
    ),
    "hang-up": ("dropped", lambda _: HangUp()),
    "refusal": ("refused", lambda _: Say("I will not read this.", stop="refusal")),
    "cut-off": ("cut-off", lambda asked: Say(opinion(asked, "MALICIOUS")[:30], stop="length")),
    "429": ("rate-limit", _status(429, "slow down")),
    "429-after": ("rate-limit", _status(429, "slow down", ("retry-after", "7"))),
    "429-date": ("rate-limit", _status(429, "slow down", ("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT"))),
    "429-rubbish": ("rate-limit", _status(429, "slow down", ("retry-after", "nan"))),
    "500": ("server", _status(500, "oops")),
    "529": ("server", _status(529, "overloaded")),
    "401": ("authentication", _status(401, "Incorrect API key provided: sk-sealed")),
    "403": ("authentication", _status(403, "no")),
    "404-model": ("model-unknown", _status(404, "model 'm' not found, try pulling it first")),
    "404": ("address", _status(404, "no such page")),
    "redirect": ("address", _status(307, "over there", ("location", "http://192.0.2.7/v1/chat/completions"))),
    "400": ("rejected", _status(400, "bad schema; key sk-sealed")),
}
