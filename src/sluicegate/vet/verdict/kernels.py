"""Everything that decides, as loop-free functions over integers and truth values.

Each function here is translated to Coq from this source text and proven as it stands (``spec/translate.py``,
``spec/coq``), so the text stays within a small subset: parameters and results are ``int``, ``bool`` or a
tuple of ``int``; bodies are ``if``, ``return``, arithmetic, comparison, ``and``, ``or``, ``not``, ``min``,
``max`` and calls of kernels above; constants are integers. Anything else fails ``make verify``.

Severities, bands and decisions are the numbers of their enumerations; confidences are thousandths.
Every function is total: it has a meaning for every integer, not only for those that occur.
"""

from __future__ import annotations

MOST_CONFIDENT = 1000
SURE_ENOUGH = 500
WORTH_SCORING = 400
TOP_SCORE = 100
SCALE = 40000
MOST_OF_WORDS = 50
DEEDS_NEEDED = 2
FAMILIES_NEEDED = 2


def clamp(confidence: int) -> int:
    """A confidence within 0 and 1000 thousandths, whatever was given."""
    return min(MOST_CONFIDENT, max(0, confidence))


def base(severity: int) -> int:
    """Points of a severity at full confidence: CRITICAL 50, HIGH 25, MEDIUM 10, LOW (and below) 5."""
    if severity >= 3:
        return 50
    if severity >= 2:
        return 25
    if severity >= 1:
        return 10
    return 5


def points(severity: int, confidence: int, executable: bool) -> int:
    """What one finding weighs, in ten-thousandths of a point: 1.3 times more where the agent can run it."""
    return base(severity) * clamp(confidence) * (13 if executable else 10)


def place(new: int, first: int, second: int, third: int) -> tuple[int, int, int]:
    """The three largest of four numbers, largest first, when the last three are in that order."""
    if new >= first:
        return (new, first, second)
    if new >= second:
        return (first, new, second)
    if new >= third:
        return (first, second, new)
    return (first, second, third)


def weigh(first: int, second: int, third: int) -> int:
    """What the findings of one rule weigh together: the second counts half, the third a quarter (times 4)."""
    return 4 * first + 2 * second + third


def floor_of(severity: int, confidence: int) -> int:
    """The least score that this finding alone stands for: CRITICAL 51, HIGH 21, from 500 thousandths on."""
    if confidence < SURE_ENOUGH:
        return 0
    if severity >= 3:
        return 51
    if severity >= 2:
        return 21
    return 0


def final(floor: int, total: int) -> int:
    """The score: the sum over rules in whole points, at least the floor, at most 100."""
    return min(TOP_SCORE, max(floor, total // SCALE))


def band_of(score: int) -> int:
    """The band of a score: LOW 0..20, MEDIUM 21..50, HIGH 51..80, CRITICAL 81..100."""
    if score >= 81:
        return 3
    if score >= 51:
        return 2
    if score >= 21:
        return 1
    return 0


def corroborates(severity: int, confidence: int) -> bool:
    """Whether words and an act about the same deed support each other: each HIGH or worse, from 500 thousandths on."""
    return severity >= 2 and confidence >= SURE_ENOUGH


def is_deed(severity: int, confidence: int) -> bool:
    """Whether a finding counts as a deed: MEDIUM or worse, from 500 thousandths on."""
    return severity >= 1 and confidence >= SURE_ENOUGH


def floor_of_kinds(corroborated: bool, deeds: int, for_a_person: bool) -> int:
    """The least score of findings together: 51 for words and act about one deed, 21 for two deeds or one to be seen."""
    if corroborated:
        return 51
    if for_a_person or deeds >= DEEDS_NEEDED:
        return 21
    return 0


def by_kind(acts: int, everything: int, floor: int) -> int:
    """The score of a skill: that of flows, commands and structures; with words, what they add up to 50; the floor."""
    return max(max(acts, min(MOST_OF_WORDS, everything)), floor)


def is_listed(severity: int, confidence: int) -> bool:
    """Whether a finding is shown apart and not scored: MEDIUM or LOW, and less than 400 thousandths."""
    return severity < 2 and confidence < WORTH_SCORING


def condemns(manipulation: bool, confidence: int) -> bool:
    """Whether a finding decides alone: an attempt on the reviewer, from 500 thousandths on."""
    return manipulation and confidence >= SURE_ENOUGH


def decide(band: int, condemned: bool, gap: bool) -> int:
    """DO_NOT_INSTALL for band HIGH or worse, or if condemned; CAUTION for MEDIUM or a gap; else SAFE."""
    if condemned or band >= 2:
        return 2
    if gap or band >= 1:
        return 1
    return 0


def is_guarded(manipulation: bool, intake: bool, severity: int) -> bool:
    """Whether only an exact entry may accept it: an attempt on the reviewer, or a CRITICAL of intake."""
    return manipulation or (intake and severity >= 3)


def is_expired(today: int, last_day: int) -> bool:
    """Whether an entry no longer holds; days are counted, and the last day still holds."""
    return today > last_day


def accepts(same: bool, globbed: bool, expired: bool, guarded: bool) -> bool:
    """Whether a baseline entry accepts a finding.

    ``same``: an exact entry naming this finding; ``globbed``: a glob entry whose two patterns match it.
    """
    return (same or (globbed and not guarded)) and not expired


def raised(confidence: int, confirms: bool, said: int) -> int:
    """A confidence after one opinion: never lower; a confirming opinion can lift it to what it said."""
    return max(confidence, clamp(said)) if confirms else confidence


def vote_of(condemned: bool, whole: bool, safe: bool, alarm: bool) -> int:
    """One reply as a vote: 3 MALICIOUS, 2 SUSPICIOUS, 1 ABSTAINED, 0 SAFE.

    ``condemned``: the reply says MALICIOUS or that it saw an injection, wherever it says so; ``whole`` (the reply is
    complete and well formed) is needed for SAFE. One that is not whole is an abstention, and with an ``alarm``, since it
    speaks of malice, a doubt.
    """
    if condemned:
        return 3
    if not whole:
        return 2 if alarm else 1
    return 0 if safe else 2


def attempted(before: int, now: int) -> int:
    """The vote of a reviewer after one more attempt: the worse of the two, where an abstention counts for nothing."""
    if before == 1:
        return now
    if now == 1:
        return before
    return max(before, now)


def consensus(condemning: int, safe: int, voters: int, families: int, complete: bool) -> int:
    """DO_NOT_INSTALL if any vote condemns, SAFE if all of a quorum say so and everything was asked, else CAUTION."""
    if condemning > 0:
        return 2
    if complete and safe >= voters and families >= FAMILIES_NEEDED:
        return 0
    return 1


def stricter(one: int, other: int) -> int:
    """The stricter of two decisions."""
    return max(one, other)


def holds(same: bool, content: bool, expired: bool, approves: bool, named: bool, reasoned: bool) -> bool:
    """Whether a person's ruling is about what is decided, and has not expired; an approval has a name and a reason.

    An approval is about exactly the same docket, a rejection about the content as well.
    """
    return (same or (content and not approves)) and not expired and (not approves or (named and reasoned))


def ruled(
    decision: int, rejections: int, approvals: int, overrides: int, needed: int, permitted: bool
) -> int:
    """A decision after the rulings that hold, each number counting persons.

    One rejection blocks. As many approvals as are needed (one at least) make CAUTION SAFE; for DO_NOT_INSTALL they must
    be overrides, and policy must permit that.
    """
    if rejections > 0:
        return 2
    if decision >= 2:
        return 0 if permitted and overrides >= max(1, needed) else decision
    return 0 if approvals >= max(1, needed) else decision
