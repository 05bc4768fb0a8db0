"""Events in words: one line for each, and what stands under it. Nothing is escaped: names are untrusted text."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.record.ledger.events import (
    Adopt,
    Advised,
    Allow,
    Approve,
    Bless,
    Checkpoint,
    Conflict,
    Denial,
    Event,
    Flagged,
    Genesis,
    Intake,
    Label,
    Lapse,
    Lost,
    Narrow,
    Quarantine,
    Read,
    Reset,
    Rotation,
    Ruled,
    Run,
    Settle,
    Sign,
    Spread,
    Verify,
    Vetted,
    Vouch,
    Withdraw,
    Write,
)


def headline(event: Event, *, below: str = "") -> str:
    """What happened, in one line. Paths in the directory ``below`` are shown from there."""
    match event:
        case Allow():
            return f"allowed {event.operation}" + (f", giving {event.var}" if event.var else "")
        case Settle():
            return f"done, as permitted: {event.operation}"
        case Lapse():
            return f"permitted, and never settled: {event.operation}"
        case Approve():
            return f"{event.by} approved, once: {event.operation}"
        case Reset():
            return f"{event.by} began the session {event.session} anew"
        case Intake():
            return f"the session {event.session} took in {event.source}"
        case Denial():
            return f"denied {event.operation}"
        case Sign():
            return f"{event.by} signed {_placed(event)} for {event.purpose}"
        case Withdraw():
            return f"{event.by} withdrew the signature of {_placed(event)} for {event.purpose}"
        case Verify(result=True):
            return f"verified {_placed(event)}, signed by {event.by or 'somebody trusted'}"
        case Verify():
            return f"refused the signature of {_placed(event)}: {event.reason}"
        case Advised() | Vetted() | Ruled() | Flagged():
            return _of_skill(event)
        case Label():
            return f"{event.by} changed the labels of {event.var}"
        case Bless():
            return f"{event.by} blessed {event.var}"
        case Conflict():
            return f"{event.var} has labels that exclude each other; treated as {event.resolved}"
        case Write() | Spread() | Narrow() | Vouch() | Read():
            return _of_files(event, below)
        case _:
            return _about_the_ledger(event)


def _placed(event: Sign | Withdraw | Verify) -> str:
    """A name that was signed, and in which workspace where that is another than the ledger's own."""
    return f"{event.var} (in {event.within.removeprefix('../../')})" if event.within else event.var


def _of_skill(event: Advised | Vetted | Ruled | Flagged) -> str:
    match event:
        case Advised():
            return f"{event.by} ({event.role}) reviewed a part of the skill {event.var}: {event.vote}"
        case Vetted():
            return f"the skill {event.var} was decided on: {event.decision}"
        case Flagged():
            return f"{event.publisher} was flagged for the skill {event.var}"
        case Ruled(of="publisher"):
            return f"{event.by} {'ended' if event.approves else 'let stand'} the flag of {event.var}"
        case Ruled():
            return f"{event.by} {'approved' if event.approves else 'rejected'} the skill {event.var}"


def _of_files(event: Write | Spread | Narrow | Vouch | Read, below: str) -> str:
    match event:
        case Write():
            return f"{event.writer} {'appended to' if event.appended else 'wrote'} {_from(event.path, below)}"
        case Spread(pending=True):
            return f"{event.writer} runs, and may write any file of {_from(event.path, below)}"
        case Spread():
            return f"{event.writer} may have written any file of {_from(event.path, below)}"
        case Narrow():
            return f"what ran has changed {event.count} files and names, and nothing else"
        case Vouch():
            return f"{event.by} answers for {_from(event.path, below)}"
        case Read():
            return f"read {_from(event.path, below)}" + (f" as {event.var}" if event.var else "")


def _from(path: str, below: str) -> str:
    return path.removeprefix(f"{below}/") if below else path


def _about_the_ledger(event: Event) -> str:
    match event:
        case Run():
            return f"{event.program} {'started' if event.phase == 'start' else 'ended'}"
        case Genesis():
            return "the ledger began"
        case Checkpoint():
            return f"{event.by} signed the ledger through line {event.through}"
        case Rotation():
            return f"went on in another file after line {event.after} ({event.found})"
        case Adopt():
            return "another home took the ledger over"
        case Quarantine():
            return f"{event.size} bytes ({event.reason}) were set aside in {event.file}"
        case Lost():
            return f"{event.count} events could not be written: {event.reason}"
        case _:
            return type(event).__name__.lower()


def details(event: Event) -> tuple[str, ...]:
    """What else there is to say, a line each."""
    said: tuple[str, ...] = ()
    match event:
        case Allow():
            said = (
                _named("labels", event.labels),
                _named("operation", event.operation_labels),
                _named("result", event.taint),
                event.by and f"by {event.by}",
                event.permit and f"permit {event.permit}",
            )
        case Settle() | Lapse():
            said = (f"permit {event.permit}", _named("result", event.taint))
        case Approve():
            said = (f"permit {event.permit}", f"over the rule: {event.rule}", f"approval {event.approval}")
        case Reset():
            said = (_named("taken in before", event.taint),)
        case Intake():
            said = (_named("labels", event.taint),)
        case Denial():
            said = (
                f"{event.code}: {event.reason or event.rule}",
                event.reason and event.rule and f"rule: {event.rule}",
                event.layer and f"layer: {event.layer}",
                _named("labels", event.labels),
                _named("operation", event.operation_labels),
            )
        case Label() | Bless():
            said = (_named("added", event.add), _named("removed", event.remove))
        case Conflict():
            said = (_named("labels", event.labels),)
        case Write() | Spread() | Narrow() | Vouch() | Read():
            said = _more_of_files(event)
        case Sign():
            said = (f"key {event.key[:16]}, content {event.hash[:23]}",)
        case Verify():
            said = (event.caller and f"asked by {event.caller}",)
        case Advised():
            said = (
                f"model {event.model}, shown {event.shown[:23]}, told {event.told[:23]}",
                _named("replies", (reply[:23] for reply in event.replies)),
                event.code and f"no whole reply: {event.code}",
            )
        case Vetted():
            said = (
                f"content {event.bundle[:23]}, docket {event.docket[:23]}",
                _named("rulings", (ruling[:23] for ruling in event.rulings)),
            )
        case Ruled():
            said = (
                f"content {event.bundle[:23]}, docket {event.docket[:23]}, key {event.key[:16]}",
                "also as an override of DO_NOT_INSTALL" if event.overrides else "",
                event.expires and f"until {event.expires}",
            )
        case Flagged():
            said = (f"content {event.bundle[:23]}, found by {event.by}",)
        case Run():
            said = (
                _named("policy", event.policy),
                event.profile and f"profile: {event.profile}",
                event.detail,
            )
        case _:
            pass
    return tuple(line for line in said if line)


def _more_of_files(event: Write | Spread | Narrow | Vouch | Read) -> tuple[str, ...]:
    match event:
        case Write():
            return (_named("labels", event.taint) + (" (and something unknown)" if event.partly else ""),)
        case Spread():
            return (_named("labels", event.taint),)
        case Narrow():
            return (f"instead of any file: {event.spread}",)
        case Vouch():
            return (_named("labels that are theirs no more", event.remove),)
        case Read():
            return _named("labels", event.taint), f"what is known of it: {event.known}"


def _named(what: str, words: Iterable[str]) -> str:
    joined = ", ".join(words)
    return f"{what}: {joined}" if joined else f"{what}: none" if what == "labels" else ""
