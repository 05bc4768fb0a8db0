"""Check a certificate of Sluicegate with nothing but Python: python3 check.py FILE

A certificate lists what a decision rests on. This program, which shares no code with the scanner, computes it again:
1. The bytes are the one spelling of their content, of the stated shape and no other, and the checksum fits.
2. What is accepted names an entry that accepts it that day. Of the rest, MEDIUM and LOW below 400 thousandths is only listed.
3. Points are 50, 25, 10 or 5 by severity, times the confidence, 1.3 times more where an agent can run it. Of each rule
   the three largest count, the second half, the third a quarter. Words add up to a score of 50 at most.
4. The band, an attempt on the reviewer and what was not inspected give the decision of the rules.
5. The reviewers' votes give that of the panel; the stricter of the two stands.
6. Persons who ruled on exactly this docket, the digest of findings, gaps and panel, or rejected these bytes have the last word.

Answers `yes` (exit code 0), `no` (1: the lists do not give what is stated) or `malformed` (2: no certificate, or damaged).
It cannot know whether these findings are all that there are, nor what a reply said, and it checks no signature.
"""

import base64, contextlib, datetime, functools, hashlib, itertools, json, pathlib, re, sys, unicodedata
LIMIT, MOST_WORK = 64 * 1024 * 1024, 20_000_000  # bytes of a file; characters of patterns times those of paths
DECISION, BAND, VOTE = "SAFE|CAUTION|DO_NOT_INSTALL", "LOW|MEDIUM|HIGH|CRITICAL", "SAFE|ABSTAINED|SUSPICIOUS|MALICIOUS"
DECISIONS, BANDS, VOTES = (words.split("|") for words in (DECISION, BAND, VOTE))  # the worst last
DEEDS = {  # what is done -> the categories of findings that say so
    "theft": "exfiltration credential-access", "foothold": "memory-poisoning persistence self-modification agent-configuration",
    "destruction": "destructive resource-abuse", "remote-code": "social-engineering remote-code dangerous-code malware supply-chain",
    "privilege": "privilege-escalation excessive-agency", "concealment": "obfuscation disguise unicode-deception",
    "manipulation": "prompt-injection hidden-instruction reviewer-manipulation prompt-leak anti-refusal tool-misuse",
    "": "harmful-content hardcoded-secret trigger-abuse least-privilege network intake custom"}
DEED = {category: deed for deed, row in DEEDS.items() for category in row.split()}
FOR_A_PERSON = "agent-configuration credential-access destructive exfiltration malware self-modification".split()
# Shapes: a regular expression, a range, a tuple of several, a list of one with the fields by which it is in strict order.
TEXT, SOME, WORDS, HEX, DAY = "(?s).*", "(?s).+", r"(?s).*\S.*", "[0-9a-f]{64}", "[0-9]{4}-[0-9]{2}-[0-9]{2}"
LAST, COUNT, PLACE, GIVEN = f"({DAY})?", range(2**31), (None, range(2**31)), f"(?!{hashlib.sha256().hexdigest()}){HEX}"
UNSEEN = r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # letters and marks that show nothing
FINDING = {"rule": SOME, "category": "|".join(DEED), "kind": "flow|command|structure|words", "path": SOME, "fingerprint": TEXT,
        "severity": range(4), "confidence": range(1001), "executable": bool, "added": bool, "state": "counted|listed|accepted", "by": PLACE}
GAP = {"path": TEXT, "detail": TEXT, "fingerprint": TEXT, "state": "open|accepted", "by": PLACE, "reason":
       "too-large|too-many-entries|too-deep|compression-ratio|encrypted|unreadable|link|special-file|unsafe-name"
       "|excluded|rules-off|opaque|damaged|view-limit|analysis-limit|analysis-failed|not-in-bundle"}
ENTRY = {"of": "exact|glob|gap", "rule": TEXT, "path": TEXT, "fingerprint": TEXT, "owner": WORDS, "reason": GIVEN, "last_day": LAST}
SEAT = {"reviewer": WORDS, "role": "findings|skill|detector", "vote": VOTE, "family": "claude|command|deepseek|gemini|glm|gpt|granite"
        "|grok|kimi|llama|mistral|nemotron|nova|olmo|phi|qwen|other"}
REPLY = {"reviewer": TEXT, "package": COUNT, "attempt": range(3), "digest": HEX, "vote": VOTE}
PANEL = {"seats": [SEAT, "reviewer"], "replies": [REPLY, "reviewer package attempt"], "complete": bool, "decision": DECISION,
         "packages": [({"role": "findings", "about": [TEXT]}, {"role": "skill|detector", "about": [()]})],  # (): not one
         "said": [{"reviewer": TEXT, "about": TEXT, "vote": VOTE, "text": TEXT}, "reviewer about vote text"]}  # decides nothing
RULING = {"person": TEXT, "approves": bool, "overrides": bool, "last_day": LAST, "reason": HEX, "docket": HEX, "bundle": f"({HEX})?"}
SUM, SIGNATURE = {"floor": COUNT, "largest": [{"points": [COUNT], "rule": TEXT}], "score": COUNT}, {"keyid": TEXT, "sig": WORDS}
ARITHMETIC = {"acts": SUM, "everything": SUM, "floor": COUNT, "score": COUNT, "band": BAND, "deeds": [TEXT], "corroborated_by":
              (None, [COUNT]), "condemned_by": PLACE, "for_a_person": PLACE, "before_panel": DECISION, "before_rulings": DECISION}
SKILL = {"name": TEXT, "bundle": f"({HEX})?", "day": DAY, "docket": HEX, "panel": (None, PANEL), "decision": DECISION,
         "findings": [FINDING, "rule category kind path fingerprint"], "gaps": [GAP, "path reason detail fingerprint"],
         "entries": [ENTRY, "of rule path fingerprint last_day owner reason"], "arithmetic": ARITHMETIC, "rulings": {
         "given": [RULING, "person approves overrides last_day reason docket bundle"], "needed": COUNT, "may_override": bool}}
CERTIFICATE = {"type": "urn:sluicegate:certificate:1", "tool": TEXT, "checksum": HEX, "skills": [SKILL], "decision": DECISION}

def fits(value, shape):
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list):
        fit = type(value) is list and all(fits(item, shape[0]) for item in value)
        return fit and all(a < b for by in shape[1:] for a, b in itertools.pairwise([row[key] for key in by.split()] for row in value))
    if isinstance(shape, dict):
        return type(value) is dict and value.keys() == shape.keys() and all(fits(value[k], shape[k]) for k in shape)
    if isinstance(shape, str):
        return type(value) is str and re.fullmatch(shape, value) and (DAY not in shape or not value or datetime.date.fromisoformat(value))
    return type(value) is int and value in shape if isinstance(shape, range) else type(value) is (shape or type(None))

def require(holds, why):
    if not holds:
        raise ValueError(why)

def spelled(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"

def read(data):
    """Step 1: the content of bytes that are its one spelling."""
    require(len(data) <= LIMIT, f"more than {LIMIT} bytes")
    require(type(value := json.loads(data.decode("ascii"))) is dict and spelled(value) == data, "not in the one spelling of what it says")
    return value

@functools.cache
def covers(pattern, text):
    """Whether a glob covers a text: ? one, * any number within a segment, ** across segments, **/ also none of them."""
    at, end = {0}, len(text)  # every place of the text that has been reached: no pattern is slow
    for token in re.findall(r"(?<![^/])\*\*+/|\*\*+|.", pattern, re.DOTALL):
        if token.startswith("**"):
            at = at.union(i + 1 for i in range(min(at, default=end), end) if text[i] == "/" or not token.endswith("/"))
        elif token == "*":
            for i in range(end):
                at |= {i + 1} if i in at and text[i] != "/" else set()
        else:
            at = {i + 1 for i in at if i < end and (text[i] == token or (token == "?" and text[i] != "/"))}
    return 0 < len(pattern) <= 1024 and end in at

def accepts(entry, found, today):
    """Step 2: whether an entry accepts a finding or gap. A glob names some and not all; it takes no attempt on the reviewer."""
    of, is_gap, last = entry["of"], "detail" in found, entry["last_day"] or (today if entry["of"] == "exact" else "")
    if today > last or is_gap != (of == "gap") or (entry["fingerprint"] == "") != (of == "glob"):
        return False
    if of == "glob":
        guarded = found["category"] == "reviewer-manipulation" or (found["category"], found["severity"]) == ("intake", 3)
        names_some = not guarded and any(map(str.isalnum, entry["rule"] + entry["path"]))
        return names_some and covers(entry["rule"], found["rule"]) and covers(entry["path"], found["path"])
    return entry["rule"] == found["reason" if is_gap else "rule"] and all(entry[of] == found[of] for of in ("path", "fingerprint"))

def accepted(skill):
    """Step 2: whatever is not in the state that it is said to be in."""
    entries, everything = skill["entries"], skill["findings"] + skill["gaps"]
    work = sum(len(e["rule"] + e["path"]) + 1 for e in entries if e["of"] == "glob")
    work *= sum(len(text) + 1 for text in {f[of] for f in skill["findings"] for of in ("rule", "path")})
    require(max(work, len(entries) * len(everything) * 10) <= MOST_WORK, "more entries than can be compared")
    for found in everything:
        by = [at for at, entry in enumerate(entries) if accepts(entry, found, skill["day"])]
        rest = "open" if "detail" in found else "listed" if found["severity"] < 2 and found["confidence"] < 400 else "counted"
        if found["state"] != ("accepted" if by else rest) or found["by"] not in (by or [None]):
            yield f"{found['path']!a} {found['fingerprint']!a} is {'accepted' if by else rest}, by {by}"
    require({f["by"] for f in everything} >= {*range(len(entries))}, "an entry that accepts nothing here, or would accept too much")

def added_up(findings):
    """Step 3: one score."""
    points = {}
    for f in findings:
        points.setdefault(f["rule"], [0, 0, 0]).append((5, 10, 25, 50)[f["severity"]] * f["confidence"] * (13 if f["executable"] else 10))
    largest = [{"points": sorted(p)[:-4:-1], "rule": rule} for rule, p in sorted(points.items())]
    total = sum(4 * p[0] + 2 * p[1] + p[2] for row in largest for p in [row["points"]]) // 40_000
    floor = max(((0, 0, 21, 51)[f["severity"]] for f in findings if f["confidence"] >= 500), default=0)
    return {"floor": floor, "largest": largest, "score": min(100, max(floor, total))}

def arithmetic(skill):
    """Steps 3 and 4. Two findings that are named as a witness only have to be what they are named for."""
    findings, pair = skill["findings"], skill["arithmetic"]["corroborated_by"]
    counted = [f for f in findings if f["state"] == "counted"]
    sure = [f for f in counted if f["confidence"] >= 500]
    strong = [[f for f in sure if f["severity"] >= 2 and DEED[f["category"]] == deed] for deed in DEEDS if deed]
    two_kinds = any(len({f["kind"] == "words" for f in s}) > 1 and len({f["rule"] for f in s}) > 1 for s in strong)
    two = [findings[at] for at in pair or [] if at < len(findings)]
    differ = len(two) == len(pair or []) == 2 and len({f["rule"] for f in two}) == len({f["kind"] == "words" for f in two}) == 2
    is_witness = differ and any(two[0] in s and two[1] in s for s in strong)
    deeds = sorted({DEED[f["category"]] for f in sure if f["severity"] >= 1} - {""})
    seen = [f for f in sure if f["severity"] >= 1 and f["kind"] != "words" and f["category"] in FOR_A_PERSON]
    aimed = [f for f in sure if f["category"] == "reviewer-manipulation"]
    acts, everything = added_up([f for f in counted if f["kind"] != "words"]), added_up(counted)
    floor = 51 if two_kinds else 21 if seen or len(deeds) > 1 else 0
    score = max(acts["score"], min(50, everything["score"]), floor)
    band, is_open = (score > 20) + (score > 50) + (score > 80), any(g["state"] == "open" for g in skill["gaps"])
    return {"acts": acts, "everything": everything, "floor": floor, "score": score, "band": BANDS[band], "deeds": deeds,
        "corroborated_by": pair if is_witness == two_kinds == (pair is not None) else "two others",
        "for_a_person": findings.index(seen[0]) if seen else None, "condemned_by": findings.index(aimed[0]) if aimed else None,
        "before_panel": DECISIONS[2 if aimed or band > 1 else 1 if is_open or band else 0]}

def reviewed(skill):
    """Step 5: what the votes of the replies come to."""
    panel, seats, heard, given = skill["panel"], [], {}, {f["fingerprint"] for f in skill["findings"] if not f["added"]}
    packages, asked = panel["packages"], {mark for package in panel["packages"] for mark in package["about"]}
    require(asked <= given and all(len({*p["about"]}) == len(p["about"]) for p in packages), "asked about what there is not, or twice")
    require({s["role"] for s in panel["seats"]} <= {p["role"] for p in packages}, "a reviewer who was asked nothing")
    require(len(panel["seats"]) * len(packages) * 10 <= MOST_WORK, "more packages than can be counted")
    for reply in panel["replies"]:
        heard.setdefault((reply["reviewer"], reply["package"]), set()).add(reply["vote"])
    for seat in panel["seats"]:
        votes = [heard.pop((seat["reviewer"], at), set()) for at, p in enumerate(packages) if p["role"] == seat["role"]]
        worst = [max(said - {"ABSTAINED"} or {"ABSTAINED"}, key=VOTES.index) for said in votes]  # of several attempts
        seats.append(seat | {"vote": max(worst, key=VOTES.index)})
    require(not heard, "a reply to what was not asked")
    complete = given <= (asked if any(seat["role"] == "findings" for seat in seats) else set())
    said, families = {s["vote"] for s in seats}, {s["family"] for s in seats if s["role"] != "detector"} - {"other"}
    decision = 2 if "MALICIOUS" in said else 0 if said == {"SAFE"} and complete and len(families) > 1 else 1
    return panel | {"seats": seats, "complete": complete, "decision": DECISIONS[decision]}

def digest(*parts):
    """SHA-256 of texts, each behind its length, so that no two lists of texts are one."""
    encoded = [str(part).encode("utf-8", "surrogatepass") for part in parts]
    return hashlib.sha256(b"%d:" % len(parts) + b"".join(b"%d:%s" % (len(p), p) for p in encoded)).hexdigest()

def docket(skill):
    """Step 6: the digest of what is ruled on; what is accepted apart from what is not; the panel, or that there was none."""
    def together(rows, names):
        return digest(*sorted(digest(*(row[name] for name in names.split())) for row in rows))
    of_finding, of_gap = "rule category kind path fingerprint severity confidence executable", "path reason detail fingerprint"
    found = [together([row for row in skill[of] if (row["state"] == "accepted") == apart], names)
             for of, names in (("findings", of_finding), ("gaps", of_gap)) for apart in (False, True)]
    panel = skill["panel"] or {"seats": [], "packages": [], "replies": [], "complete": "no panel", "decision": ""}
    found += [together(panel["seats"], "reviewer family role vote"), digest(*(digest(p["role"], *p["about"]) for p in panel["packages"])),
              together(panel["replies"], "reviewer package attempt digest vote")]
    return digest("docket", skill["bundle"], *found, panel["complete"], panel["decision"])

def visible(name):
    """Step 6: what tells persons apart: letters, marks and digits that show something, without case, each in one form."""
    kept = "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if unicodedata.category(c)[0] in "LMN")
    seen = unicodedata.normalize("NFC", re.sub(UNSEEN, "", kept))
    return seen if any(map(str.isalnum, seen)) else ""

def ruled(skill, decision):
    """Step 6: one rejection blocks; approvals make CAUTION SAFE, and overrides DO_NOT_INSTALL where that is allowed."""
    given, day, blocked = skill["rulings"]["given"], skill["day"], decision == "DO_NOT_INSTALL"
    this = [r["docket"] == skill["docket"] or (not r["approves"] and r["bundle"] == skill["bundle"] > "") for r in given]
    require(all(this) and all(day <= (r["last_day"] or day) for r in given), "a ruling on something else, or over")
    require(all(visible(r["person"]) and fits(r["reason"], GIVEN) for r in given if r["approves"]), "approved by nobody or for no reason")
    against = {visible(r["person"]) for r in given if not r["approves"]}
    persons = {visible(r["person"]) for r in given if r["approves"] and (r["overrides"] or not blocked)} - against
    enough = len(persons) >= max(1, skill["rulings"]["needed"]) and (skill["rulings"]["may_override"] or not blocked)
    return "DO_NOT_INSTALL" if against else "SAFE" if enough else decision

def differences(skill):
    """All that is stated of a skill and does not come out so."""
    yield from accepted(skill)
    added = {(f["rule"], f["category"], f["kind"]) for f in skill["findings"] if f["added"]}
    doubts = skill["panel"] and {r["vote"] for r in skill["panel"]["replies"]} & {"SUSPICIOUS", "MALICIOUS"}
    require(not added or (doubts and added == {("reviewer-finding", "custom", "words")}), "a finding that no reviewer added")
    made, panel, stated = arithmetic(skill), skill["panel"] and reviewed(skill), skill | skill["arithmetic"]
    made["before_rulings"] = max(made["before_panel"], panel["decision"] if panel else "SAFE", key=DECISIONS.index)
    made |= {"panel": panel, "docket": docket(skill), "decision": ruled(skill, made["before_rulings"])}
    yield from (f"{name} is {is_!a}, not {stated[name]!a}" for name, is_ in made.items() if is_ != stated[name])

def check(data):
    """The answer to a certificate, bare or in a signed envelope: `yes`, `no` or `malformed`, and lines that say why."""
    try:
        value, lines = read(data), []
        if value.keys() == {"payload", "payloadType", "signatures"}:
            require(value["payloadType"] == "application/vnd.sluicegate.certificate+json", "an envelope of something else")
            require(fits(value["signatures"], [SIGNATURE]) and value["signatures"], "an envelope without a signature")
            value = read(base64.b64decode(str(value["payload"]), validate=True))
            lines.append("signed, but the signature is not checked here: sluicegate verify --certificate FILE")
        require(fits(value, CERTIFICATE) and value["skills"], "not of the shape of a certificate")
        whole = spelled({name: part for name, part in value.items() if name != "checksum"})
        require(hashlib.sha256(whole).hexdigest() == value["checksum"], "damaged: the checksum does not fit")
        require(len({(s["name"], s["bundle"] or spelled(s)) for s in value["skills"]}) == len(value["skills"]), "one skill, twice")
        for skill in value["skills"]:
            wrong = [f"    {line[:300]}" for line in differences(skill)]
            lines += [f"{'no' if wrong else 'yes'}: {skill['name']!a}, {skill['bundle'] or 'unread'}: {skill['decision']}", *wrong[:10]]
        fit = "no" not in [w[:2] for w in lines] and value["decision"] == max([s["decision"] for s in value["skills"]], key=DECISIONS.index)
        follows = f"{value['decision']} {'follows' if fit else 'does not follow'} from what is listed"
        return ("yes" if fit else "no"), "\n".join([follows, *lines])
    except (ValueError, RecursionError, MemoryError) as error:
        return "malformed", f"{type(error).__name__}: {str(error)[:300]!a}"

def main(arguments):
    try:
        require(len(arguments) == 1, "usage: python3 check.py FILE")
        require((path := pathlib.Path(arguments[0])).is_file() or not path.exists(), f"{arguments[0]!a} is not a regular file")
        with path.open("rb") as file:
            answer, why = check(file.read(LIMIT + 1))
    except (OSError, ValueError, MemoryError) as error:
        answer, why = "malformed", ascii(str(error))
    for place, said in (1, f"{answer}: {why}\n"), (2, "malformed: the answer cannot be written\n"):
        with contextlib.suppress(OSError), open(place, "w", closefd=False) as output:
            print(said, end="", file=output, flush=True)  # Python writes to sys.stdout once more at its end
            return ["yes", "no", "malformed"].index(answer) if place == 1 else 2
    return 2

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
