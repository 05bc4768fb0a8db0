"""Signed instructions: templates are signed as they are made, and verified before a model is asked.

What is signed is the template, with its placeholders: the words that an author wrote. What fills it is data. A
signature cannot be talked into anything, so words that verify are the author's, whatever stands beside them.

1. A template has a name and a text; ``fill`` gives a labelled text that remembers it in its trail, through
   whatever the text becomes part of: an argument, standard input, a longer prompt.
2. Where policy asks for it (``defaults.autosign``) a template is signed as it is made, if its words are the
   author's own and untainted (``record.autosign``). A signature of another signer is never written over, and
   neither is one of a file whose content has changed: whoever changed the file does not get it signed by that.
3. Before an operation labelled ``llm`` takes place, and before what its body does in turn, every template in the
   trail of what goes in is verified, in this process. One that was signed and does not verify refuses the operation (``SIGNATURE_DENIED``).
4. On top of that, and only where policy asks for it (``defaults.autoverify``), the model is told: it is given
   instructions to run ``sluicegate verify``, and the environment names what is verified then, so that the model, or
   whoever talks to it, does not choose. The environment carries the signatures too, so that they can be verified
   where our state cannot be seen. These instructions are part of this package, pinned by their digest, and
   signed like any other template; ``{command}`` in them is how this installation is called.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.discreet import Discreet
from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import EMPTY, Labels, Trail
from sluicegate.flow.labels.trail import MORE
from sluicegate.flow.operations.commands.programs import SYSTEM_PATH
from sluicegate.flow.values import Labeled, combine
from sluicegate.flow.values.counter import followed
from sluicegate.flow.values.threads import follow
from sluicegate.patterns import late

if TYPE_CHECKING:
    from sluicegate.flow.policy.layers import Layers
    from sluicegate.record.clock import Clock
    from sluicegate.record.keys.keys import Keys
    from sluicegate.record.ledger.events import Event
    from sluicegate.record.signatures.shelf import Shelf
    from sluicegate.record.signatures.signatures import Refused, SignedSubject, Verified

K = TypeVar("K")

PURPOSE: Final = "instruction"
OWN: Final = "sluicegate-verify-instructions"

_DIGEST: Final = "sha256:d8342bb4543e43bbac48278235577250269b8656450ab4c3570b6dff7ce2bb19"
_WORD: Final = "template:"
_NAME = late(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}", re.ASCII)
_PLACE = late(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}|[{}]", re.ASCII)
_VERIFIED: ContextVar[tuple[str, ...] | None] = ContextVar("sluicegate-verified", default=None)
followed(_VERIFIED)


class Template(Discreet, frozen=True, kw_only=True):
    """The words of an author, with ``{placeholders}``; ``{{`` and ``}}`` are braces."""

    unshown = frozenset({"text"})

    name: str
    text: str
    labels: Labels = EMPTY
    from_file: bool = False

    @property
    def places(self) -> tuple[str, ...]:
        """The names of its placeholders, in order."""
        return tuple(dict.fromkeys(found[1] for found in _PLACE.finditer(self.text) if found[1]))

    def fill(self, **values: object) -> Labeled[str]:
        """The template with these values in place of its placeholders, labelled by all of them.

        Raises ``FlowError`` if the values are not those of its placeholders. A value is text in the text: nothing
        in it is read as a placeholder.
        """
        missing, more = set(self.places) - values.keys(), values.keys() - set(self.places)
        if missing or more:
            which = f"no value for {{{min(missing)}}}" if missing else f"no placeholder {{{min(more)}}}"
            raise FlowError(
                f"the template {self.name} has {which}",
                hint=f"its placeholders: {', '.join(self.places) or 'none'}",
            )
        names, text = tuple(values), self.text

        def filled(*contents: object) -> str:
            given = dict(zip(names, contents, strict=True))
            return _PLACE.sub(lambda found: str(given[found[1]]) if found[1] else found[0][0], text)

        return self.made(Labeled(combine(filled, *values.values())))

    def made(self, text: Labeled[str]) -> Labeled[str]:
        """A text that was made of this template, which it remembers."""
        return Labeled(text, self.labels, Trail.of(f"{_WORD}{self.name}"))


class Vouched(Struct, frozen=True, kw_only=True):
    """All instructions that go in verify. ``names`` are those that were signed."""

    names: tuple[str, ...]


class Instructions:
    """The templates of a program, and what is known of their signatures. Safe for threads.

    ``note`` takes the events of signing and verifying; ``within`` is where the project lies, seen from the ledger
    that they go to.
    """

    def __init__(
        self,
        *,
        layers: Layers,
        shelf: Shelf,
        keys: Keys,
        clock: Clock,
        base: Path,
        note: Callable[[Event], object],
        within: str = "",
    ) -> None:
        self._layers, self._shelf, self._keys, self._clock, self._note = layers, shelf, keys, clock, note
        self._base, self._within = base, within
        self._known: dict[str, Template] = {}
        self._signed: set[str] = set()
        self._preface: str | None = None

    @property
    def asks_models(self) -> bool:
        """Whether models are told to verify (``defaults.autoverify``)."""
        return self._layers.autoverify is not False

    def template(self, name: str, text: str, labels: Labels = EMPTY, *, from_file: bool = False) -> Template:
        """A template of this program, signed if policy asks for it. Raises ``FlowError``.

        A name stands for one text: what is verified under it must not depend on who came last.
        """
        if not _NAME.fullmatch(name):
            raise FlowError(
                "a template's name is made of letters, digits, _ . and -", hint="name it as in auditPrompt"
            )
        if any(found[0] in "{}" for found in _PLACE.finditer(text)):
            raise FlowError(
                f"the template {name} has a brace that begins or ends no placeholder",
                hint="a placeholder is {name}; write {{ and }} for braces",
            )
        made = Template(name=name, text=text, labels=labels, from_file=from_file)
        before = self._known.setdefault(name, made)
        if before.text != text:
            raise FlowError(
                f"there is a template {name} already, with another text", hint="give this one its own name"
            )
        if before is made:
            self._autosign(made)
        return before if labels <= before.labels else replace(before, labels=before.labels | labels)

    def sign(self, template: Template, *, by: str = "") -> None:
        """Sign a template because the program says so, with the key of a signer that this user has.

        As with ``defaults.autosign``, the words are the author's own and untainted, and a signature of another signer is not
        written over. Raises ``FlowError``.
        """
        from sluicegate.record.signatures.autosign import Autosign, Leave, autosign

        wish = autosign(Autosign(templates=True), name=template.name, template=True, labels=template.labels)
        if isinstance(wish, Leave):
            raise FlowError(
                f"the template {template.name} is not signed: {wish.reason}",
                hint="Sign its file: sluicegate sign FILE",
            )
        if by and by not in {self._keys.name_of_signer(), *(key.identity for key in self._keys.stored())}:
            raise FlowError(
                "there is no key of this signer here",
                hint="Make one (sluicegate keys new), or leave `by` out.",
            )
        kept = self._verify(template)
        if _good(kept):
            self._signed.add(template.name)
        elif _signed_before(kept) and not self._ours(template):
            raise FlowError(
                f"the template {template.name} has a signature of another signer",
                hint="Withdraw it first: sluicegate sign --withdraw",
            )
        else:
            self._sign(template, by)

    def verify(self, template: Template) -> Verified | Refused:
        """Whether a template is signed as it stands."""
        return self._verify(template)

    def verified(self, trail: Trail, labels: Labels) -> Vouched | Denial:
        """Verify every template that a value with this trail and these labels is made of (3)."""
        sure = [word.removeprefix(_WORD) for word in trail if word.startswith(_WORD)]
        perhaps = list(self._known) if MORE in trail else []  # words were left out, so it may be any
        found: list[str] = []
        for name in dict.fromkeys((*sure, *perhaps)):
            template = self._known.get(name)
            if template is None:
                continue
            result = self._verify(template)
            if _good(result):
                # What is told of goes to the model with its text: not one that may not be in it and has other labels.
                if name in sure or template.labels <= labels:
                    found.append(name)
            elif _signed_before(result) or name in self._signed:
                return _denial(name, result)
        return Vouched(names=tuple(found))

    def preface(self) -> str:
        """The words that a model is given before its prompt (4). Raises ``FlowError`` if they are not ours."""
        if self._preface is None:
            asked = self._layers.autoverify
            words = self._shipped() if asked is True else self._own_preface(str(asked))
            self._preface = words.replace("{command}", own_command())
        return self._preface

    def carried(self, names: tuple[str, ...]) -> str:
        """The signatures of these templates for the environment of a model that is to verify them.

        Raises ``SigningError`` when they are too long for that.
        """
        from sluicegate.record.signatures.carried import pack

        wanted = [(f"@{name}", self._shelf.get(PURPOSE, f"@{name}")) for name in names]
        kept = [(PURPOSE, name, envelope) for name, envelope in wanted if envelope is not None]
        return pack(kept, trust=self._keys.trust(), now=self._clock())

    def _shipped(self) -> str:
        """The words that come with this package, signed by this user so that ``sluicegate verify`` can show them."""
        own = Template(name=OWN, text=_shipped())
        if not _good(self._verify(own)):
            self._sign(own)
        return own.text

    def _own_preface(self, file: str) -> str:
        """The words that policy names; they have to be signed."""
        path = self._base / file
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise FlowError(
                f"defaults.autoverify names {file}, which cannot be read as text",
                hint="name a file, or write true",
            ) from None
        from sluicegate.record.signatures.signatures import of_template

        result = self._checked(of_template(text), self._file_name(path))
        if not _good(result):
            raise FlowError(
                f"{file}, which models are to be told, is not signed as it stands",
                hint=f"sluicegate sign {file}",
            )
        return text

    def _file_name(self, path: Path) -> str:
        try:
            return path.resolve().relative_to(self._base.resolve()).as_posix()
        except ValueError:
            return path.resolve().as_posix()

    def _autosign(self, template: Template) -> None:
        """Step 2."""
        from sluicegate.record.signatures.autosign import Autosign, Leave, autosign

        variables = (template.name,) if self._layers.autosigns("variable", template.name) else ()
        rule = Autosign(templates=self._layers.autosigns("template"), variables=variables)
        wish = autosign(rule, name=template.name, template=True, labels=template.labels)
        if isinstance(wish, Leave):
            return
        kept = self._verify(template)
        if _good(kept):
            self._signed.add(template.name)
            return
        if _signed_before(kept) and (template.from_file or not self._ours(template)):
            return  # left as it is: it will not verify, and that is told before a model is asked
        self._sign(template)

    def _ours(self, template: Template) -> bool:
        """Whether the signature that is kept was made with the key that would sign now, or with none we trust."""
        from sluicegate.record.signatures.signatures import Refused, open_envelope

        kept = self._shelf.get(PURPOSE, f"@{template.name}")
        if kept is None:
            return True
        opened = open_envelope(kept, trust=self._keys.trust(), now=self._clock())
        return isinstance(opened, Refused) or opened.statement.key == self._keys.signer().public.id

    def _sign(self, template: Template, by: str = "") -> None:
        from sluicegate.record.signatures.signatures import of_template, sign

        signed = sign(
            of_template(template.text), purpose=PURPOSE, name=f"@{template.name}", signer=self._keys.signer(by or None),
            now=self._clock(),
        )  # fmt: skip
        self._shelf.put(signed)
        self._signed.add(template.name)
        self._note(signed.event(self._within))

    def _verify(self, template: Template) -> Verified | Refused:
        from sluicegate.record.signatures.signatures import of_template

        return self._checked(of_template(template.text), f"@{template.name}")

    def _checked(self, subject: SignedSubject, name: str) -> Verified | Refused:
        from sluicegate.record.ledger import events
        from sluicegate.record.signatures.signatures import Verified

        found = self._shelf.verify(
            subject, purpose=PURPOSE, name=name, trust=self._keys.trust(), now=self._clock()
        )
        good = isinstance(found, Verified)
        reason = "" if isinstance(found, Verified) else str(found.reason)
        by = found.statement.signer if isinstance(found, Verified) else ""
        if good or reason != "missing":
            self._note(
                events.Verify(var=name, purpose=PURPOSE, result=good, reason=reason, hash=subject.digest, by=by,
                              caller="monitor", within=self._within)
            )  # fmt: skip
        return found


def is_our_own(program: str) -> bool:
    """Whether a program, by its real path, is the ``sluicegate`` of this installation."""
    return bool(program) and Path(program) == _program().resolve()


def own_command() -> str:
    """``sluicegate verify`` as a shell finds it: by its name, where that is this installation, else by its path."""
    import shlex

    if any(
        _program().samefile(found) for folder in SYSTEM_PATH if (found := Path(folder, "sluicegate")).exists()
    ):
        return "sluicegate verify"
    return f"{shlex.quote(str(_program()))} verify"


def own_folders() -> tuple[Path, ...]:
    """The folders without which ``sluicegate`` cannot run: its libraries, its interpreter, itself."""
    found = (Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[2])
    return tuple(dict.fromkeys(folder.resolve() for folder in found))


def _program() -> Path:
    import sysconfig

    return Path(sysconfig.get_path("scripts"), "sluicegate")


def told() -> tuple[str, ...]:
    """The names that a model which runs around here is to verify, for the environment of what it starts."""
    return _VERIFIED.get() or ()


def in_model() -> bool:
    """Whether the running code is the body of an operation that asks a model."""
    return _VERIFIED.get() is not None


@contextmanager
def telling(names: tuple[str, ...]) -> Iterator[None]:
    """A model is asked, and is to verify these."""
    follow()
    before = _VERIFIED.get()
    _VERIFIED.set(tuple(dict.fromkeys((*(before or ()), *names))))
    try:
        yield
    finally:
        _VERIFIED.set(before)


def prefaced(preface: str, inputs: Mapping[K, object]) -> dict[K, object]:
    """Of these inputs the first that a template is in, with the preface before it, if it does not begin with it."""

    def begun(text: object) -> object:
        return text if not isinstance(text, str) or text.startswith(preface) else preface + text

    for key, value in inputs.items():
        if isinstance(value, Labeled) and any(word.startswith(_WORD) for word in value.trail):
            return {key: value.map(begun)}
    return {}


def _shipped() -> str:
    """The words that come with this package; refused if they are not those that its code names."""
    data = Path(__file__).with_name("verify_instructions.txt").read_bytes()
    if f"sha256:{hashlib.sha256(data).hexdigest()}" != _DIGEST:
        raise FlowError(
            "the instructions for models are not those of this package", hint="install sluicegate again"
        )
    return data.decode("utf-8")


def _good(result: Verified | Refused) -> bool:
    from sluicegate.record.signatures.signatures import Verified

    return isinstance(result, Verified)


def _signed_before(result: Verified | Refused) -> bool:
    """Whether something is kept that says it is a signature; ``missing`` says that nothing is."""
    from sluicegate.record.signatures.signatures import Reason, Refused

    return isinstance(result, Refused) and result.reason is not Reason.MISSING


def _denial(name: str, result: Verified | Refused) -> Denial:
    reason = str(getattr(result, "reason", "missing"))
    return Denial(
        code=Code.SIGNATURE_DENIED,
        operation="ask a model",
        blocked_by="Signature",
        rule=f"the template {name} was signed, and does not verify: {reason}",
        reason="Instructions that were signed have to verify before a model is asked to follow them",
        suggestions=(
            f"See what has changed: sluicegate verify @{name}",
            "If the change is meant, sign it again",
        ),
    )
