"""The reference model of sessions: what an agent has taken in, and the permits it was given.

A session is a dictionary: ``context`` is a set of labels, ``permits`` a list of dictionaries. An argument is a pair:
its own labels, and whether it is the model's word.

Imports nothing of ours.
"""

from __future__ import annotations

from model.flow import join

SETTLES, FORGED, FOREIGN, UNRECORDED, USED, LATE, OTHER = range(7)
RULES = ("words", "named", "created", "unique", "facts")


def taint(context, arguments):
    """What goes into an operation: what a model says carries the context, and an operation without arguments is that."""
    if not arguments:
        return join(context)
    return join(*(join(own, context) if spoken else own for own, spoken in arguments))


def decide(session, allowed, result, name, arguments):
    """The number of a permit, or None. What is permitted counts at once."""
    labels = taint(session["context"], arguments)
    if not allowed(name, labels):
        return None
    session["context"] = join(session["context"], result(name, labels))
    session["permits"].append({"name": name, "arguments": arguments, "open": True})
    return len(session["permits"]) - 1


def settle(session, result, number, more):
    """Whether it settles: a permit that is there, and open. ``more`` is what nobody could know before."""
    if number >= len(session["permits"]) or not session["permits"][number]["open"]:
        return False
    permit = session["permits"][number]
    labels = result(permit["name"], taint(session["context"], permit["arguments"]))
    session["context"] = join(session["context"], join(labels, more))
    permit["open"] = False
    return True


def answer(authentic, ours, recorded, unused, lasts, same):
    """What is said to who would settle a permit: the first thing that is wrong with it."""
    facts = (authentic, ours, recorded, unused, lasts, same)
    return SETTLES if all(facts) else 1 + facts.index(False)


def lasts(issued, now, lifetime):
    """Whether a permit is not over."""
    return now in range(issued, issued + lifetime)


def endorsed(found, rules, short):
    """The first rule that is on and that found something, counted from 1; 0 if none is. Words never speak for what is short."""
    counts = [rule for rule in RULES if rule in found and rule in rules and not (rule == "words" and short)]
    return 1 + RULES.index(counts[0]) if counts else 0


LASTS, STANDS, KEPT = 600, 28800, 86400
"""Seconds that an approval holds, and that a refusal can be approved."""


def may_approve(first, others):
    """Whether a person may approve anything: the first layer says so, and no layer says no."""
    return first == "person" and "nobody" not in (first, *others)


def asked(approvals, question, rule, now):
    """A refusal is kept for a person, once for a question and a rule as long as it waits; its number."""
    for number, one in enumerate(approvals):
        if (
            (one["question"], one["rule"]) == (question, rule)
            and one["given"] is None
            and now - one["asked"] <= KEPT
        ):
            one["asked"] = now
            return number
    approvals.append(
        {"question": question, "rule": rule, "asked": now, "given": None, "used": False, "standing": False}
    )
    return len(approvals) - 1


def approved(approvals, number, now, standing=False):
    """A person approves what waits, once or as long as the session goes on; whether it did."""
    one = approvals[number]
    waits = one["given"] is None and now - one["asked"] <= KEPT
    if waits:
        one["given"], one["standing"] = now, standing
    return waits


def overridden(approvals, question, refusing, now):
    """Whether what these rules refuse is permitted after all: each was approved for this question, holds and is not used. Then all
    that holds of the question is used up, but for what stands as long as the session; else none is."""
    found = [
        one
        for one in approvals
        if one["question"] == question and not one["used"] and one["given"] is not None
        if one["given"] <= now < one["given"] + (STANDS if one["standing"] else LASTS)
    ]
    permitted = bool(refusing) and refusing <= {one["rule"] for one in found}
    for one in found if permitted else ():
        one["used"] = not one["standing"]
    return permitted
