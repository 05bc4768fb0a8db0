"""What decides about sessions and permits, as loop-free functions over integers and truth values.

Translated to Coq from this source text and proven as it stands, so bodies stay within the small subset of
``sluicegate.flow.policy.kernels``.

A *permit* is settled once, by who can show it as it was given, in the session it was given in, while it lasts, and
for exactly what was decided: ``alive``, ``settlement``.

An *argument* that a model writes carries all that its session has taken in, unless a rule endorses it:
``endorsement``. Each rule counts only where policy has it on. The words of the user never endorse what is short or a
number alone: "13" stands in too many sentences to be a choice of the user's.
"""

from __future__ import annotations

# What comes of settling a permit: it settles, or the first reason why not.
SETTLES = 0
FORGED = 1
FOREIGN = 2
UNRECORDED = 3
USED = 4
LATE = 5
OTHER = 6

# Why an argument does not carry what its session has taken in; SPOKEN: it does.
SPOKEN = 0
WORDS = 1
NAMED = 2
CREATED = 3
UNIQUE = 4
FACT = 5


def alive(issued: int, now: int, lifetime: int) -> bool:
    """Whether a permit lasts still; never before it was given, which a clock that went back would say."""
    return issued <= now and now < issued + lifetime


def settlement(authentic: bool, ours: bool, recorded: bool, unused: bool, lasts: bool, same: bool) -> int:
    """What comes of settling a permit."""
    if not authentic:
        return FORGED
    if not ours:
        return FOREIGN
    if not recorded:
        return UNRECORDED
    if not unused:
        return USED
    if not lasts:
        return LATE
    if not same:
        return OTHER
    return SETTLES


def endorsement(
    short: bool,
    words: bool,
    named: bool,
    created: bool,
    unique: bool,
    fact: bool,
    words_on: bool,
    named_on: bool,
    created_on: bool,
    unique_on: bool,
    facts_on: bool,
) -> int:
    """The first rule that is on and endorses an argument, or SPOKEN."""
    if words_on and words and not short:
        return WORDS
    if named_on and named:
        return NAMED
    if created_on and created:
        return CREATED
    if unique_on and unique:
        return UNIQUE
    if facts_on and fact:
        return FACT
    return SPOKEN


def novel(rule_on: bool, seen: bool, endorsed: bool) -> bool:
    """Whether an address in what a model says is refused: no one has shown it to the session as it stands."""
    return rule_on and not seen and not endorsed
