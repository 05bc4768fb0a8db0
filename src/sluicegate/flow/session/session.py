"""A session: what one agent has taken in so far, kept between processes.

    session = monitor.session("claude-4711")
    session.heard("Please close issue 17 of acme/site")     # the user's own words
    monitor.decide("github:close_issue", {...}, session)    # a permit, or why not

1. Everything that a model says in a session carries what the session has taken in (``labels``), unless a rule endorses
   it (``kernels.endorsement``; ``docs/model.md``).
2. What it has taken in only grows: by what is heard, read, and brought by permits. A compaction changes nothing: a
   summary is the model's word. A sub-agent inherits (``child``), and what it says to its parent, the parent takes in
   (``inherit``).
3. Only its owner begins it anew (``reset``). Whatever is still out then is void.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Final

from msgspec.json import decode, encode

from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.labels.names import is_origin, shown
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.session import addresses, kernels
from sluicegate.flow.session import provenance as words
from sluicegate.flow.session.permit import Permit
from sluicegate.flow.session.provenance import Object, TextIndex
from sluicegate.flow.session.rules import Rules, rules_of
from sluicegate.flow.session.store import Lapsed, SessionError, SessionLook, Store, Taken
from sluicegate.flow.session.under import Under
from sluicegate.record.clock import Clock
from sluicegate.tuples import NamedTuple

STRANGER, TRUSTED, USER = range(3)
"""What a source counts as: anybody's, one that policy trusts, the user."""

USER_SOURCE: Final = "user"
"""The source of what the user said, in ``Session.sources``."""

ANONYMOUS: Final = ""
"""The session of a program that decides by itself: nothing is kept but its permits."""

_MOST_NAME: Final = 200
_INTERPRETERS: Final = frozenset(("sh", "py", "node", "js"))


Intake = Callable[["Session", str, Labels, tuple[str, ...]], str | None]
"""Tells the ledger of what a session takes in from a source, after these events: the id of its event, empty where nobody
records it; None if there has to be one and it could not be written."""


class ArgumentKnowledge(NamedTuple):
    """What a session knows of one argument: the labels it carries, the rule that endorses it (``kernels``), whether the user
    or a trusted source has said it, and whether it holds an address that nobody has shown."""

    labels: Labels
    endorsement: int
    known: bool
    novel: bool


class Session:
    """One session of a project. Safe for threads and processes: what others take in is seen by each decision.

    Made by ``Monitor.session``.
    """

    def __init__(
        self,
        store: Store,
        name: str,
        *,
        owner: str,
        rules: Rules,
        trusts: Callable[[Labels], bool],
        lapsed: Callable[[list[Lapsed]], None],
        begun_anew: Callable[[Session, Labels], None],
        clock: Clock,
        intake: Intake | None = None,
    ) -> None:
        self._intake = intake
        self.store, self.name, self.owner, self.rules, self.clock = store, name, owner, rules, clock
        self._trusts, self._lapsed, self._begun_anew = trusts, lapsed, begun_anew
        self._digest = words.digester(store.secret)
        self._forget(0)

    def __repr__(self) -> str:
        return f"Session({self.name!r})"

    def _forget(self, resets: int) -> None:
        self._recent: SessionLook | None = None
        self._resets, self._known = resets, 0
        self._user, self._trusted = TextIndex(), TextIndex()
        self._user_labels = EMPTY
        self._addresses: set[int] = set()
        self._objects: dict[int, list[tuple[Object, Labels]]] = {}
        self._names: dict[str, set[str]] = {}
        self._quoted: set[str] = set()
        self._spoken: list[bytes] = []
        self._alone: set[str] | None = None

    # What it has taken in.

    @property
    def labels(self) -> Labels:
        """The labels of all that it has taken in."""
        return self.store.look(self.name).labels

    @property
    def calls(self) -> tuple[str, ...]:
        """The tools that were permitted, in order."""
        return self.store.calls(self.name)

    @property
    def sources(self) -> tuple[str, ...]:
        """Where what it was told came from: ``user``, ``mcp:github:get_issue``, ``read:/work/notes.md``."""
        return tuple(dict.fromkeys(each.source for each in self.store.taken(self.name, 0)))

    def seen_in(self, text: str) -> tuple[str, ...]:
        """The sources in which a text stood verbatim, as ``sources`` names them, from word to word."""
        found = []
        for told in self.store.taken(self.name, 0):
            index = TextIndex()
            index.add(words.unpacked(told.tokens))
            if index.holds(text, self._digest):
                found.append(told.source)
        return tuple(dict.fromkeys(found))

    def heard(self, text: str, *labels: str) -> None:
        """Take in what the user said: only what a person typed, never what a program, a hook or a file says in that place."""
        self._take(USER_SOURCE, USER, text, _unblessed(labels), tuple(words.quoted_in(text, self._digest)))

    def took_in(self, value: object, *labels: str, source: str) -> None:
        """Take in something that came in without a permit, an agent's memory file say: with ``labels``, its origin
        (``src:file``) among them. It is an event; raises SessionError if that has to be written and cannot, and counts then too."""
        found = _unblessed(labels)
        if not any(map(is_origin, labels)):
            raise SessionError(
                "what comes in without a permit comes from somewhere", hint='say from where: "src:file", say'
            )
        named = source[:_MOST_NAME]
        before = self.store.look(self.name).events if self._intake is not None else ()
        event = self._intake(self, named, found, before) if self._intake is not None else ""
        self._take(named, self._standing(found), value, found, (), event or "", before if event else ())
        if event is None:
            raise SessionError(
                "what was taken in could not be written into the ledger, and policy asks for that",
                hint="see that the ledger can be written, and tell it again",
            )

    def brought(
        self,
        value: object,
        labels: Labels,
        source: str,
        tool: str,
        *,
        endorsed: bool,
        own: Labels | None = None,
        event: str = "",
        follows: tuple[str, ...] = (),
    ) -> None:
        """Take in the result of a permit. ``own``: the labels of the source alone, where what went in does not come back.
        ``event`` tells of it in the ledger, and follows from ``follows``."""
        table = self.rules.tool(tool)
        found = (
            () if table is None else tuple(words.objects_of(value, table, self._digest, endorsed=endorsed))
        )
        standing = self._standing(labels if own is None else own)
        self._take(source, standing, value, labels, found, event, follows)

    def permit_of(self, call: str, values: Mapping[str, object]) -> Permit | None:
        """The permit that was given to a call of its runner, by the name that the runner gave it, to be settled; None if none
        was. It settles only if ``values`` are those that were permitted."""
        from sluicegate.flow.session.runner_call import RunnerCall

        return RunnerCall(self.store, self.name, call).permit(values)

    def name_of_call(
        self,
        operation: str,
        values: Mapping[str, object],
        labels: tuple[str, ...] = (),
        source: str = "",
        *,
        done: bool = False,
    ) -> str:
        """The name for a call of a runner that gives none: that of the same question, if its permit is out, and, unless it was
        ``done``, it is the last one and nothing was taken in since."""
        from sluicegate.flow.session.runner_call import RunnerCall

        look = None if done else self.store.look(self.name)
        return RunnerCall.unnamed(self.store, self.name, operation, values, labels, source, look=look).name

    def _standing(self, labels: Labels) -> int:
        return TRUSTED if self._trusts(labels) else STRANGER

    def _take(
        self, source: str, standing: int, value: object, labels: Labels, found: tuple[Object, ...],
        event: str = "", follows: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        before, self._recent = self._recent, None
        several = list(words.texts(value))
        shown_now = (self._digest(each) for text in several for each in addresses.shown(text))
        told = Taken(
            number=0,
            source=source[:_MOST_NAME],
            standing=standing,
            labels=labels,
            tokens=words.words_of(several, self._digest).packed(),
            addresses=words.packed(shown_now),
            objects=encode(found).decode(),
            event=event,
            follows=follows,
        )
        now = self.store.take(self.name, told)
        if before is None or (before.grants, self._resets) != (now.grants, now.resets):
            return
        if self._known == now.taken - 1:  # nothing else was told: this is known again without being read
            self._learn(told)
            self._known = now.taken
            self._recent = now._replace(ends=before.ends)

    # Others.

    def child(self, name: str) -> Session:
        """The session of a sub-agent: it has taken in all that this one has."""
        _check_name(name)
        if self.store.child(name, self.name, owner=self.owner) != self.owner:
            raise _not_of(name, self.owner)
        return Session(
            self.store, name, owner=self.owner, rules=self.rules, trusts=self._trusts,
            lapsed=self._lapsed, begun_anew=self._begun_anew, clock=self.clock, intake=self._intake,
        )  # fmt: skip

    def inherit(self, other: Session) -> None:
        """Take in all that another session has taken in: a sub-agent from its agent, and an agent from what it says."""
        self._recent = None
        self.store.inherit(self.name, other.name)

    def reset(self, *, owner: str) -> None:
        """Begin anew: nothing is known of what was before, and no permit of before settles. Raises SessionError for
        anybody but the owner."""
        self._recent = None
        labels, void = self.store.reset(self.name, owner=owner)
        self._lapsed(void)
        self._begun_anew(self, labels)

    # What its model says.

    def recent(self) -> SessionLook:
        """What it had taken in when it was last looked at, or was permitted something, here.

        Others may have changed it since. So who decides by this has to be told: ``Store.grant`` finds out for a permit, and a
        refusal is only right if ``look`` still knows the same.
        """
        recent = self._recent
        if recent is None or (recent.ends is not None and recent.ends <= self.clock()):
            return self.look()
        return recent

    def was_permitted(self, seen: SessionLook, permit: Permit, brings: Labels) -> None:
        """A permit was given to the session, which was as ``seen``: if it is the next one, that is known again without looking."""
        if permit.number != seen.grants:
            self._recent = None
            return
        ends = permit.ends if seen.ends is None else min(seen.ends, permit.ends)
        self._recent = SessionLook(
            seen.labels | brings, seen.grants + 1, seen.taken, seen.resets, ends, seen.events
        )

    def look(self) -> SessionLook:
        """What it has taken in by now, and everything that is to be known again."""
        look = self.store.look(self.name)
        now = self.clock()
        if look.ends is not None and look.ends <= now:
            self._lapsed(self.store.lapse(self.name, now))  # what is over, and what nobody settled
        if look.resets != self._resets:
            self._forget(look.resets)
        if look.taken > self._known:
            for told in self.store.taken(self.name, self._known):
                self._learn(told)
            self._known = look.taken
        self._recent = look
        return look

    def _learn(self, told: Taken) -> None:
        if (
            told.standing != STRANGER
        ):  # what a stranger said decides nothing; ``seen_in`` finds it where it is asked for
            (self._user if told.standing == USER else self._trusted).add(words.unpacked(told.tokens))
        if told.standing != STRANGER or not self.rules.said_addresses:
            self._addresses |= words.unpacked_set(told.addresses)
        self._alone = None
        objects = [Object(*each) for each in decode(told.objects)]
        if told.standing == USER:
            self._user_labels |= declared_of(told.labels)
            self._quoted.update(one.name for one in objects)
            if not objects:  # where the user uses quotes, the names are what stands in them
                self._spoken.append(words.spoken_words(words.unpacked(told.tokens)))
            return
        for one in objects:
            self._objects.setdefault(int(one.id, 16), []).append((one, declared_of(told.labels)))
            if (
                one.name and one.rule != "field"
            ):  # a field has the name of its object, and is not a second object
                self._names.setdefault(one.name, set()).add(one.id)

    def says(
        self, values: Mapping[str, object], look: SessionLook, operation: str = ""
    ) -> dict[str, ArgumentKnowledge]:
        """What is known of each argument that its model gives to an operation."""
        found = {name: self._says(value, look, operation, name) for name, value in values.items()}
        if self.rules.seen_addresses:  # the model chooses names as well
            for name in values:
                if not name.isidentifier() and self._is_novel(name, operation, ""):
                    found[name] = found[name]._replace(novel=True)
        return found

    def says_agreed(self, values: Mapping[str, object], look: SessionLook) -> dict[str, ArgumentKnowledge]:
        """The same for a call that a person has seen and agreed to: its values are the user's words, but for what people
        said of what the session has taken in (``secret``): an agreement makes nothing public."""
        own = declared_of(look.labels)
        return {name: ArgumentKnowledge(own, kernels.WORDS, True, False) for name in values}

    def agreed_to(self, operation: str) -> None:
        """An event that a person has agreed to an operation. Raises SessionError if it has to be written and cannot be."""
        if self._intake is not None:
            before = self.store.look(self.name).events
            if self._intake(self, f"agreed to {operation}"[:_MOST_NAME], EMPTY, before) is None:
                raise SessionError(
                    "what a person agreed to could not be written into the ledger, and policy asks for that",
                    hint="see that the ledger can be written, and ask again",
                )

    def _says(self, value: object, look: SessionLook, operation: str, name: str) -> ArgumentKnowledge:
        """One argument: endorsed if every part of it is; the first part decides by which rule."""
        if value is None:
            return ArgumentKnowledge(EMPTY, kernels.WORDS, True, False)
        kind, code = type(value), operation in _INTERPRETERS
        parts = [str(value)] if kind is int or kind is float else _parts(value)
        if parts is None:  # nothing is known of what nobody looks through
            return ArgumentKnowledge(look.labels, kernels.SPOKEN, False, self.rules.seen_addresses)
        if len(parts) == 1:
            endorsement, known, own = self._part(parts[0], code=code)
            if endorsement != kernels.SPOKEN:
                return ArgumentKnowledge(EMPTY | own, endorsement, True, False)
            novel = (
                self.rules.seen_addresses
                and parts[0] is not None
                and self._is_novel(parts[0], operation, name)
            )
            return ArgumentKnowledge(look.labels, kernels.SPOKEN, known, novel)
        found = [self._part(part, code=code) for part in parts]
        if not found or any(endorsement == kernels.SPOKEN for endorsement, _, _ in found):
            novel = self.rules.seen_addresses and any(
                self._is_novel(part, operation, name) for part in parts if part
            )
            known = bool(found) and all(known for _, known, _ in found)
            return ArgumentKnowledge(look.labels, kernels.SPOKEN, known, novel)
        own = Labels.join_all([labels for _, _, labels in found])
        return ArgumentKnowledge(own, found[0][0], True, False)

    def _part(self, text: str | None, *, code: bool) -> tuple[int, bool, Labels]:
        """The rule that endorses a part, whether it is known, and the labels of its own. ``code``: blanks count in it."""
        if text is None:
            return kernels.SPOKEN, False, EMPTY
        short = words.is_short(text)
        exact = words.is_exact(text, code=code)
        in_words = exact and not short and self._user.holds(text, self._digest, code=code)
        speaking: set[str] = set()
        labels = EMPTY
        if self._objects:
            for one, own in self._objects.get(self._digest(text), ()):
                if one.rule not in ("named", "field") or self._is_named(one):
                    speaking.add("named" if one.rule == "field" else one.rule)
                    labels |= own
        found = kernels.endorsement(
            short,
            in_words,
            "named" in speaking,
            "created" in speaking,
            "unique" in speaking,
            "fact" in speaking,
            *self.rules.endorse,
        )
        known = (
            found != kernels.SPOKEN
            or in_words
            or (exact and not short and self._trusted.holds(text, self._digest, code=code))
        )
        return found, known, self._user_labels if found == kernels.WORDS else labels

    def _is_named(self, one: Object) -> bool:
        """Whether the user has named an object, and no other object has that name, nor one that touches it there."""
        if len(self._names.get(one.name, ())) != 1:
            return False
        if one.name in self._quoted:
            return True
        if self._alone is None:
            self._alone = words.standing_alone(self._spoken, self._names)
        return one.name in self._alone

    def _is_novel(self, text: str, operation: str, name: str) -> bool:
        def knows(address: str) -> bool:
            return self._digest(address) in self._addresses

        opens = self.rules.may_construct
        if operation == "sh" and name == "code":
            found = addresses.said_by_shell(text, knows=knows, opens=opens)
        else:
            whole = addresses.takes_one(operation, name, text)
            found = addresses.said(text, whole=whole, knows=knows, opens=opens)
        return any(kernels.novel(self.rules.seen_addresses, known, built) for known, built in found)


def _unblessed(labels: tuple[str, ...]) -> Labels:
    """Labels that anybody may claim for what comes in: all but trust, which goes up by privilege alone."""
    if any(name.partition(":")[0] == "trusted" for name in labels):
        raise SessionError(
            "trust is not claimed for what a session takes in",
            hint='class its source in a policy: sources."src:file" = "trusted", say',
        )
    return Labels.of(*labels)


def _check_name(name: str) -> None:
    if not name or len(name) > _MOST_NAME or not name.isprintable() or "/" in name:
        raise SessionError(
            f"{shown(name)} is not a name of a session",
            hint="write up to 200 characters that print, without /",
        )


def _not_of(name: str, owner: str) -> SessionError:
    return SessionError(
        f"the session {shown(name)} is not of {shown(owner)}", hint="open one under another name"
    )


def _parts(value: object) -> list[str | None] | None:
    """The parts of an argument that must each be endorsed, None for what nothing endorses; None if they are too many."""
    if type(value) is str:
        return [value if value.strip() else None]
    found: list[str | None] = []
    waiting: list[object] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one if one.strip() else None)
        elif isinstance(one, bool) or not isinstance(one, (int, float, list, tuple, Mapping, type(None))):
            found.append(None)
        elif isinstance(one, (int, float)):
            found.append(str(one))
        elif isinstance(one, Mapping):
            for key, inner in one.items():
                waiting += (inner, str(key))
        elif isinstance(one, (list, tuple)):
            waiting.extend(one)
        if len(found) > words.MOST_FIELDS:
            return None
    return found


def declared_of(labels: Labels) -> Labels:
    """What people said of a value: it stays with what is endorsed, and where it came from does not."""
    return Labels.of(*(name for name in labels.declared.names() if name not in ("trusted", "untrusted")))


class Sessions:
    """The sessions of a user in one project, opened as they are asked for. ``under`` None: whatever they began under."""

    def __init__(
        self,
        make_store: Callable[[], Store],
        *,
        layers: Layers,
        clock: Clock,
        lapsed: Callable[[list[Lapsed]], None],
        begun_anew: Callable[[Session, Labels], None],
        intake: Intake | None = None,
        under: Under | None = None,
    ) -> None:
        self._make, self.intake, self._under = make_store, intake, under
        self._store: Store | None = None
        self.layers, self.clock = layers, clock
        self.lapsed, self.begun_anew = lapsed, begun_anew
        self._rules: Rules | None = None
        self._open: dict[str, Session] = {}

    @property
    def store(self) -> Store:
        """Where they are kept."""
        if self._store is None:
            self._store = self._make()
            now = self.clock()
            for name in self._store.over(now):  # of processes that have ended since
                self.lapsed(self._store.lapse(name, now, here=True))
        return self._store

    @property
    def rules(self) -> Rules:
        """What policies say of sessions."""
        if self._rules is None:
            self._rules = rules_of(self.layers.layers)
        return self._rules

    def session(self, name: str, *, owner: str = "") -> Session:
        """The session of that name, begun if there is none; ``owner`` is who may begin it anew, by default this user.

        Raises SessionError if it is somebody else's, and if it began under settings that are not in force.
        """
        who = owner or f"uid:{os.geteuid()}"
        known = self._open.get(name)
        if known is not None and known.owner == who:
            return known
        _check_name(name)
        begun = self.store.begin(name, owner=who, under=() if self._under is None else self._under.told)
        if begun.owner != who:
            raise _not_of(name, who)
        if self._under is not None and not self._under.suits(begun.under):
            raise SessionError(
                f"the session {shown(name)} began under other settings than those in force here",
                hint="open the project for it: open_here(session=name); or give every session its own name",
            )
        made = Session(
            self.store, name, owner=who, rules=self.rules, trusts=self._trusts, lapsed=self.lapsed,
            begun_anew=self.begun_anew, clock=self.clock, intake=self.intake,
        )  # fmt: skip
        self._open[name] = made
        return made

    def named(self, name: str) -> Session:
        """A session that is there already, whoever owns it. Raises SessionError."""
        known = self._open.get(name)
        if known is not None:
            return known
        return self.session(name, owner=self.store.owner(name))

    def anonymous(self) -> Store:
        """The store, with a session for permits of the program itself."""
        if ANONYMOUS not in self._open:
            self.store.begin(ANONYMOUS, owner="")
        return self.store

    def _trusts(self, labels: Labels) -> bool:
        """Whether policies vouch for a source with these labels."""
        return self.layers.vouches(labels)

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
