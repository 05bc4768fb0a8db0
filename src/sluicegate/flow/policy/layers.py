"""Policies in force, as layers: each is asked, and every one must permit.

Layers are never merged. A merge of the lists of two policies can permit what one of them denies: let A deny
``op:cmd:git``, and let B deny ``op:cmd`` with an exception for ``op:cmd:git:status``; merged, the exception is
more specific than A's denial. Asked one by one, A denies, and that is the end of it. So adding a layer never
permits more, and the order of layers never changes what is permitted, only which denial is told first.

What is *given* is another matter: credentials, privilege, variables of the environment and signatures come
from the first layer alone. It is the project's own; a policy of others can narrow, not give.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence
from typing import Final, final

from msgspec import Struct

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.labels.names import is_origin
from sluicegate.flow.policy import bounds, grants, kernels
from sluicegate.flow.policy.bounds import Net
from sluicegate.flow.policy.grants import Credential
from sluicegate.flow.policy.layer import Layer, Prepared
from sluicegate.flow.policy.refusals import denial_of, misspelt_tool
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.rules.arguments import Ruled, rules_about
from sluicegate.flow.policy.rules.danger import Dangers
from sluicegate.flow.policy.rules.leaves import leaves
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.rules.subjects import Subjects, subjects
from sluicegate.flow.policy.rules.tool_names import NamedTool, named_tools, spelled_otherwise
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.schema import Limits, Privilege

MOST_DECISIONS: Final = 8192
"""Decisions kept; when there are more, all are forgotten and found again as they are needed."""


@final
class Authorized(Struct, frozen=True):
    """Every layer permits it."""


ALLOW: Final = Authorized()
_ORIGIN: Final = "src:"
_NO_SUBJECTS: Final = Subjects(())


class Layers:
    """The policies in force, in order; the first is the project's own.

    Safe to use from several threads: a decision may be found twice, and is the same both times. ``dangers`` is
    the table compiled for ``place``, for who makes many layers for one place.
    """

    __slots__ = (
        "_arguments",
        "_dangers",
        "_decisions",
        "_influence",
        "_named",
        "_ruled",
        "_speaking",
        "confines",
        "fail_closed",
        "layers",
        "place",
        "projectname",
    )

    def __init__(
        self,
        documents: Sequence[Document],
        *,
        place: Place,
        projectname: str = "",
        dangers: Dangers | None = None,
    ) -> None:
        self.place = place
        self.projectname = projectname
        self.layers = tuple(Layer(document, place) for document in documents)
        gated = any(each.lists is not None for each in self.layers)
        self._dangers = (dangers or Dangers(place)) if gated else None
        self._influence = tuple(each for each in self.layers if each.influence)
        self._speaking = tuple(each for each in self.layers if each.speaks_of_places)
        self._ruled = any(each.policy.arguments for each in self.layers)
        self.fail_closed = any(each.policy.defaults.fail_closed for each in self.layers)
        """Whether nothing happens without its event in the ledger: if any layer says so."""
        self.confines = any(each.policy.env is not None for each in self.layers)
        """Whether any layer speaks of environments, and so of tools and servers."""
        self._arguments: dict[str, tuple[Ruled, ...]] = {}
        self._named: dict[Layer, tuple[NamedTool, ...]] | None = None  # made when a tool is first asked about
        self._decisions: dict[tuple[Labels, Hashable], Authorized | Denial] = {}

    def authorize(self, request: Request, labels: Labels) -> Authorized | Denial:
        """Whether a value with these labels may flow into this operation, and whether that may happen at all.

        1. A decision that is known is given again.
        2. Every layer is asked in order; the first that refuses gives the denial.
        """
        key = (labels, request.key)
        known = self._decisions.get(key)  # 1
        if known is not None:
            return known
        found = self._decide(request, labels)  # 2
        if len(self._decisions) >= MOST_DECISIONS:
            self._decisions.clear()
        self._decisions[key] = found
        return found

    def _decide(self, request: Request, labels: Labels) -> Authorized | Denial:
        if request.tool and (misspelt := self.misspelt(request, labels)) is not None:
            return misspelt
        prepared = self.prepare(request)
        total = kernels.PERMITTED
        for layer in self.layers:
            decision = layer.decide(prepared, labels)
            total = kernels.both(total, decision.code)
            if total != kernels.PERMITTED and decision.refusal is not None:
                return denial_of(decision.refusal, layer, prepared, labels)
        return ALLOW

    def misspelt(self, request: Request, labels: Labels) -> Denial | None:
        """The denial of a tool whose name differs from one that a layer gives in its spelling alone (``rules.tool_names``)."""
        if self._named is None:
            self._named = {layer: named_tools(layer.policy) for layer in self.layers}
        known = dict.fromkeys(one for named in self._named.values() for one in named)
        found = spelled_otherwise(known, request.tool)
        if found is None:
            return None
        layer = next(layer for layer, named in self._named.items() if found in named)
        return misspelt_tool(found, layer.place_of(found.path), request, labels)

    def prepare(self, request: Request) -> Prepared:
        """What every layer needs to know of a request: its subjects only where a layer lists capabilities."""
        if self._dangers is None:
            return Prepared(request, leaves(request.leaves), _NO_SUBJECTS, ())
        found = subjects(request)
        return Prepared(request, leaves(request.leaves), found, self._dangers.hits(found))

    def untrusted(self, labels: Labels) -> bool:
        """Whether any layer takes a value with these labels for untrusted."""
        return any(kernels.is_untrusted(layer.facts(labels).stance) for layer in self.layers)

    def argument_rules(self, operation: str) -> tuple[Ruled, ...]:
        """The rules of all layers about the arguments of an operation: ``SERVER:TOOL``, a function, or a kind."""
        if not self._ruled:
            return ()
        known = self._arguments.get(operation)
        if known is None:
            if len(self._arguments) >= MOST_DECISIONS:
                self._arguments.clear()
            known = self._arguments[operation] = rules_about(self.layers, operation)
        return known

    def vouches(self, labels: Labels) -> bool:
        """Whether no layer takes a value with these labels for untrusted, and it is vouched for: as ``trusted``, or in each
        of its origins by some layer that does not only narrow. A file and its directories are one origin."""
        if self.untrusted(labels):
            return False
        origins = [name for name in labels.names() if is_origin(name)]
        if "trusted" in labels or not origins:
            return "trusted" in labels
        file = Labels.of(*(name for name in origins if name == "src:file" or name.startswith("dir:")))
        several = [Labels.of(name) for name in origins if name not in file]
        return all(
            any(layer.facts(one).stance == kernels.TRUSTED for layer in self.layers if not layer.narrows)
            for one in (*several, *((file,) if file.names() else ()))
        )

    def distrusted(self, labels: Labels) -> tuple[str, ...]:
        """What of these labels makes opaque code that read them all untrusted: ``untrusted``, and origins.

        A layer that classes ``src:exec`` itself as trusted vouches for what code makes of anything.
        """
        asking = [layer for layer in self.layers if not layer.vouches_for_code]
        return tuple(
            name
            for name in labels.names()
            if name == "untrusted" or name.startswith(_ORIGIN)
            if any(kernels.is_untrusted(layer.facts(Labels.of(name)).stance) for layer in asking)
        )

    def influences(self, labels: Labels, *, model: bool) -> bool:
        """Whether a result takes ``influenced``: a model made it from this, and a layer with the rule distrusts it."""
        return any(
            kernels.influenced(True, model, kernels.is_untrusted(layer.facts(labels).stance))
            for layer in self._influence
        )

    def entry_labels(self, source: str, path: str = "") -> Labels:
        """The labels a value takes as it enters from ``source`` (``src:file``), beside that of the source.

        ``path`` is the real path of the file, if it is one. These are the labels of ``data``, and ``untrusted``
        where ``sources`` says so of the path.
        """
        found = EMPTY
        if not path:  # both are said of places
            return found
        for layer in self.layers:
            names = layer.entry(source, path)
            if names:
                found |= Labels.of(*names)
        return found

    def entry_labels_within(self, source: str, folder: str, names: Collection[str]) -> Labels:
        """What ``entry_labels`` gives of the files with these names in one directory, by its real path: of all together.

        1. Each name that a policy tells apart from others there is asked for.
        2. Of all others the first: policy says the same of them.
        """
        if not self._speaking or not names:
            return EMPTY
        texts: set[str] = set()
        patterns: list[re.Pattern[str]] = []
        for layer in self._speaking:
            more, others = layer.tell_apart(folder)
            texts |= more
            patterns += others
        apart = texts.intersection(names)
        matched = list(dict.fromkeys(pattern.fullmatch for pattern in patterns))
        if matched:
            apart.update(name for name in names if any(match(name) for match in matched))
        other = next((name for name in names if name not in apart), None)
        asked = sorted(apart) if other is None else [*sorted(apart), other]
        start = folder if folder.endswith("/") else f"{folder}/"
        return Labels.join_all(self.entry_labels(source, start + name) for name in asked)

    def limits(self) -> Limits:
        """The smallest of each limit over all layers."""
        return bounds.limits(self.layers)

    def net(self) -> Net:
        """What environments may reach at most: the most restrictive of all layers."""
        return bounds.net(self.layers)

    def tool(self, name: str) -> Authorized | Denial:
        """Whether ``env.tools`` of every layer permits a tool."""
        return bounds.named(self.layers, "tools", name) or ALLOW

    def mcp(self, name: str) -> Authorized | Denial:
        """Whether ``env.mcps`` of every layer permits an MCP server."""
        return bounds.named(self.layers, "mcps", name) or ALLOW

    def provider(self, name: str | None = None) -> str | Denial:
        """The provider of environments to use: the one asked for, else the default; ``local`` if there is none."""
        return bounds.provider(self.layers, name)

    def image(self, provider: str, asked: str) -> str | Denial:
        """The image or snapshot to begin with: the one asked for, else the default; every layer that lists images has to list it."""
        return bounds.image(self.layers, provider, asked)

    def auth(self, name: str) -> Credential | Denial:
        """The sealed path of a credential, if the first layer gives it and no other says otherwise."""
        return grants.auth(self.layers, name)

    def keychain(self, entry: str) -> Authorized | Denial:
        """Whether an entry of the keychain (``service/account``) may be fetched for a sealed path."""
        return grants.keychain(self.layers, entry, self.projectname) or ALLOW

    def variable(self, name: str) -> bool:
        """Whether a command may be given this variable of our own environment."""
        return grants.variable(self.layers, name)

    def privilege(self) -> Privilege:
        """Whose guards may bless, remove and clear labels."""
        return grants.privilege(self.layers)

    def autosigns(self, kind: str, name: str = "") -> bool:
        """Whether a template, or the variable ``name``, is signed as it is made (part 14.5)."""
        return grants.autosigns(self.layers, kind, name)

    @property
    def autoverify(self) -> bool | str:
        """Whether prompts of models ask to verify them; a text is the file of the template to ask with."""
        return bounds.autoverify(self.layers)

    @property
    def trustconflict(self) -> str:
        """What follows when trust is claimed for what is untrusted: the strictest; ``warn`` if none says."""
        return bounds.trustconflict(self.layers)

    @property
    def unknown_files(self) -> str:
        """What a file in a tracked place that nobody is known to have written counts as: ``untrusted``
        if any layer says so or none says anything, else ``trusted``."""
        return bounds.unknown_files(self.layers)
