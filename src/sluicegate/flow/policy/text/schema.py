"""The closed schema of a policy: what it may say, as the types that decode it.

The JSON Schema in ``docs/schema/policy-1.json`` is generated from here. Words that only code can judge
(labels, patterns, rules' names in their place) are checked by ``check.py`` afterwards.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from sluicegate.flow.policy.text.vocabulary import BuiltinRule

Trust = Literal["trusted", "untrusted"]
Positive = Annotated[int, msgspec.Meta(gt=0)]
Processors = Annotated[float, msgspec.Meta(ge=0.001, le=10_000)]
Words = str | list[str]
Endorsement = Literal["words", "named", "created", "unique", "facts"]

# A capability as a map says it: `git = ["status", "log:*"]`, `curl = { methods = ["GET"] }`, `sh = true`.
Program = bool | str | list[str] | dict[str, list[str]] | None
Entries = bool | str | list[str | dict[str, Program]] | dict[str, Program] | None
CapabilityList = list[str | dict[str, Entries]] | dict[str, Entries]


class Autosign(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``defaults.autosign`` as a map: all templates or none, and variables by glob."""

    templates: bool = False
    variables: bool | list[str] = False


class TemplateFile(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A template named by its file."""

    template: str


class Defaults(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Part 3.2; ``unknown_files`` and ``fail_closed`` are ours.

    ``unknown_files``: what a file in a tracked place counts as when nobody knows who wrote it.
    ``fail_closed``: no effect without its event in the ledger.
    """

    unlabeled: Trust | None = None
    rules: list[BuiltinRule] = []
    autosign: list[str] | Autosign | None = None
    autoverify: bool | str | TemplateFile | None = None
    trustconflict: Literal["warn", "error", "silent"] | None = None
    unknown_files: Trust | None = None
    fail_closed: bool | None = None


class Auth(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One sealed path of a credential: ``from`` a place, ``as`` an environment variable."""

    from_: str = msgspec.field(name="from")
    as_: str = msgspec.field(name="as")


class CapabilityLists(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What may happen at all (part 3.3). An absent ``allow`` allows everything, an empty one nothing. ``danger_inside`` opts into
    dangers of commands where all that they write lies below the project."""

    allow: CapabilityList | None = None
    danger: CapabilityList | None = None
    danger_inside: list[str] | None = None
    deny: CapabilityList | None = None


class LabelRule(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What values with a label may not flow to, and the exceptions (part 3.4)."""

    deny: Words = []
    allow: Words | None = None


class Privilege(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Whose guards may bless, remove and clear labels (part 4.6)."""

    paths: list[str] = []
    modules: list[str] = []


class Keychain(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which entries of the keychain may be fetched, and from where (part 3.7)."""

    provider: Literal["system", "1password"] | None = None
    allow: list[str] | None = None
    deny: list[str] = []


class Limits(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Bounds; of several layers the smallest holds.

    ``timeout``: milliseconds of an operation. ``max_tokens``: of a model's answer. ``memory``: bytes. ``cpu``:
    processors, to the thousandth (1.5). ``processes``: at one time. ``output``: bytes of an operation's output.
    """

    timeout: Positive | None = None
    max_tokens: Positive | None = None
    memory: Positive | None = None
    cpu: Processors | None = None
    processes: Positive | None = None
    output: Positive | None = None


class Names(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Names that are allowed (absent: all; empty: none) and denied; ``*`` stands for any characters."""

    allow: list[str] | None = None
    deny: list[str] = []


class Hosts(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The hosts an environment may reach."""

    allow: list[str]


Setting = bool | int | float | str | list[str]
ALLOWED_IMAGES: Final = "allowedImages"
DEFAULT_IMAGE: Final = "defaultImage"
"""The settings of a provider that policies know (part 7.7)."""


class Environments(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where operations run (parts 5 and 7.7). With ``providers``, no provider but those named may be used."""

    default: str | None = None
    providers: dict[str, dict[str, Setting]] | None = None
    tools: list[str] | Names | None = None
    mcps: list[str] | Names | None = None
    net: Literal["none", "host"] | Hosts | None = None


Scalar = str | int | float | bool


class ArgumentRule(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What may stand in an argument of a tool (``arguments.py``); every condition that is given has to hold.

    ``known``: the user has said it, or a source that policy trusts. ``optional``: it may be left out.
    """

    eq: Scalar | None = None
    one_of: list[Scalar] | None = msgspec.field(default=None, name="one-of")
    prefix: str | None = None
    glob: str | None = None
    max: float | None = None
    known: bool = False
    optional: bool = False


class ResultFields(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which fields of a tool's results can endorse what a model says later.

    ``id`` and ``name``: of its objects. ``creates``: the objects are those that the call made. ``lookup``: a result of one
    object is the one hit of what was asked for. ``facts``: fields whose values no stranger chooses. ``fields``: fields of an
    object that count as its id does, once the user has named it.
    """

    id: str = ""
    name: str = ""
    fields: list[str] = []
    creates: bool = False
    lookup: bool = False
    facts: list[str] = []


class SessionRules(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What of a model's words does not carry all that its session has taken in (``docs/sessions.md``).

    ``endorse``: the rules that are on; absent: all. ``addresses``: whether a model may say addresses that nobody has shown to
    it (``seen``), or that neither the user nor a trusted source has (``said``); ``hosts``: where it may make them up.
    ``lifetime``: seconds that a permit lasts. ``results``: by ``SERVER:TOOL``. ``approvals``: whether a person may approve what is
    refused (``docs/agents.md``).
    """

    endorse: list[Endorsement] | None = None
    addresses: Literal["any", "seen", "said"] | None = None
    hosts: list[str] = []
    lifetime: Positive | None = None
    results: dict[str, ResultFields] = {}
    approvals: Literal["person", "nobody"] | None = None


class Vocabulary(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Words of this policy's own: operation labels, and labels that look like a misspelt known one."""

    labels: list[str] = []
    operations: list[str] = []


class Policy(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One policy: one layer."""

    name: str = ""
    description: str = ""
    defaults: Defaults = Defaults()
    sources: dict[str, Trust | dict[str, Trust]] = {}
    data: dict[str, Words] = {}
    operations: dict[str, Words] = {}
    auth: dict[str, Auth | str] = {}
    capabilities: CapabilityLists | None = None
    labels: dict[str, LabelRule] = {}
    privilege: Privilege | None = None
    keychain: Keychain | None = None
    limits: Limits = Limits()
    env: Environments | None = None
    session: SessionRules = SessionRules()
    arguments: dict[str, dict[str, ArgumentRule]] = {}
    vocabulary: Vocabulary = Vocabulary()


KEY_ALIASES = {("limits", "maxTokens"): "max_tokens"}
"""Other spellings of a key, each with the key that it stands for."""
