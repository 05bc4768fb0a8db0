"""The reference model of a program under the monitor: labelled registers, branches, loops, denials that it catches.

Imports nothing of ours. Programs are plain trees:

    ["do", operation, registers it takes, register it writes, what the answer adds up with]
    ["if", register, bit it looks at, program, program]
    ["while", register, bit it looks at, program]
    ["seq", program...]
    ["label", register, labels to add]

A value is a number. What an operation answers is a function of what went in; a denial answers -1. ``judge`` says
what may flow: ``allowed(operation, labels)``, ``join(*sets)`` and ``result(operation, inputs, pc)``.
"""

from __future__ import annotations

MOST_STEPS = 60


class Endless(Exception):
    """The program does not come to its end within the steps that are counted."""


def writes(program):
    """The registers that a program may write."""
    kind, *rest = program
    if kind == "do":
        return {rest[2]}
    if kind == "label":
        return {rest[0]}
    parts = rest if kind == "seq" else rest[2:]
    return set().union(*(writes(part) for part in parts))


def run(judge, program, store):
    """(store, events) after a program; an event is ("done" | "refused", operation, labels, values)."""
    events, steps = [], [0]

    def step(program, store, pc):
        steps[0] += 1
        if steps[0] > MOST_STEPS:
            raise Endless
        kind, *rest = program
        if kind == "seq":
            for part in rest:
                store = step(part, store, pc)
            return store
        if kind == "do":
            operation, takes, into, more = rest
            inputs = [store[register][0] for register in takes]
            values = tuple(store[register][1] for register in takes)
            taint = judge.join(pc, *inputs)
            if judge.allowed(operation, taint):
                events.append(("done", operation, taint, values))
                return {**store, into: (judge.result(operation, inputs, pc), (sum(values) + more) % 8)}
            events.append(("refused", operation, taint, ()))
            return {**store, into: (taint, -1)}
        if kind == "label":
            register, labels = rest
            return {**store, register: (judge.join(store[register][0] | set(labels), pc), store[register][1])}
        register, bit, yes, *no = rest
        labels, value = store[register]
        inner = judge.join(pc, labels)
        if kind == "while":
            no, yes = [["seq"]], ["seq", yes, program]
        after = step(yes if value >> bit & 1 else no[0], store, inner)
        changed = writes(program)
        return {r: (judge.join(ls, inner), v) if r in changed else (ls, v) for r, (ls, v) in after.items()}

    return step(program, store, frozenset()), events
