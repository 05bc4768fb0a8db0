"""Credentials for a command: looked up, permitted, fetched, and handed to one child.

``using auth:NAME``: the value goes from where policy says it is kept into the variable that policy names; the program
never holds it. Label rules are not asked about it: policy itself gives this path. What the child gives back is
``secret:auth:NAME``, since it may hold the value in any form.

``using VALUE as NAME``: a value of the program goes into a variable. That it is not in the command line is what
denials of ``op:cmd`` and the like are about, so these are not asked; those that speak of what the operation *is*
(declared labels such as ``net:w``, and risks such as ``exfil``) are, and so is one on ``op:call:using``.

1. The credential is defined in policy, and granted to the environment.
2. Its source can be read, and the keychain's lists permit the entry.
3. It is fetched, right before the child starts, and registered with the scrubber.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from sluicegate.flow.credentials import (
    Keychain,
    OnePassword,
    Sealed,
    Source,
    check_variable,
    parse_source,
)
from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.environments.configuration.config import EnvironmentConfig
from sluicegate.flow.errors import CommandError
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.labels.segments import segment
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Asked
from sluicegate.flow.policy.grants import Credential
from sluicegate.flow.policy.request import Request

USING = "op:call:using"


class Using(Struct, frozen=True, kw_only=True):
    """What a command is given: credentials of policy by their names, values by the names of variables.

    ``stage`` is the place in the pipeline of the one child that gets them, from 0.
    """

    auth: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    stage: int = 0

    def labels(self) -> Labels:
        """What the outputs of the child have because of credentials."""
        return Labels.of(*(f"secret:auth:{segment(name)}" for name in self.auth)) if self.auth else EMPTY


def using_of(
    auth: str | tuple[str, ...] | list[str], values: Mapping[str, object], stage: int | None, stages: int
) -> Using:
    """What a program asks for. Raises ``CommandError``, ``CredentialError``."""
    names = (auth,) if isinstance(auth, str) and auth else tuple(auth)
    for name in values:
        check_variable(name)
    if (names or values) and stage is None and stages > 1:
        raise CommandError(
            "a credential goes to one child, and this pipeline has several",
            hint="say which: stage=0 is the first",
        )
    if stage is not None and not 0 <= stage < stages:
        raise CommandError(f"there is no stage {stage}", hint=f"the pipeline has {stages}, the first is 0")
    return Using(auth=names, values=dict(values), stage=stage or 0)


def lookup(
    parts: Parts, using: Using, config: EnvironmentConfig
) -> tuple[tuple[Credential, Source], ...] | Denial:
    """Steps 1 and 2 for every credential. Raises ``CredentialError`` where policy names no place."""
    found: list[tuple[Credential, Source]] = []
    for name in using.auth:
        answer = parts.layers.auth(name)  # 1
        if isinstance(answer, Denial):
            return answer
        if config.auth is not None and name not in config.auth:
            return _not_granted(name)
        source = parse_source(answer.source, parts.layers.projectname or None)  # 2
        if isinstance(source, (Keychain, OnePassword)):
            permitted = parts.layers.keychain(source.entry)
            if isinstance(permitted, Denial):
                return permitted
        found.append((answer, source))
    return tuple(found)


def fetch(parts: Parts, found: tuple[tuple[Credential, Source], ...]) -> dict[str, bytes]:
    """Step 3: what to put into the child's environment. Raises ``CredentialError``."""
    sealed = [Sealed(each.name, each.variable, parts.stores.fetch(source)) for each, source in found]
    return seal(parts, sealed)


def seal(parts: Parts, sealed: list[Sealed]) -> dict[str, bytes]:
    """Register credentials with the scrubber, and give them as the environment takes them."""
    for each in sealed:
        parts.scrubber.register(each.name, each.unseal())
    return {each.variable: each.unseal().encode("utf-8", "surrogateescape") for each in sealed}


def values_of(contents: Mapping[str, Any]) -> list[Sealed]:
    """Values of the program, to be sealed under the names of their variables. Raises ``CredentialError``."""
    return [
        Sealed(name, name, value if isinstance(value, str) else str(value))
        for name, value in contents.items()
    ]


def question(parts: Parts, requests: tuple[Request, ...], labels: Labels) -> Asked:
    """What policy is asked about a value that goes to a child by ``using``."""
    names = parts.labels_of(requests)
    leaves = tuple(name for name in names if not name.startswith("op:"))
    request = Request(kind="call", leaves=(USING, *leaves), shown=requests[0].shown if requests else "using")
    return Asked(request, labels)


def granted_labels(parts: Parts, config: EnvironmentConfig) -> Labels:
    """The labels of the variables of our own environment that a child is given.

    Nobody says what they hold; but one from which a credential is fetched holds a secret.
    """
    if not config.vars:
        return EMPTY
    given = [entry for layer in parts.layers.layers for entry in layer.policy.auth.values()]
    texts = [f"env:{entry}" if isinstance(entry, str) else entry.from_ for entry in given]
    kept = {text.removeprefix("env:") for text in texts if text.startswith("env:")}
    return Labels.of("secret") if kept & config.vars else EMPTY


def _not_granted(name: str) -> Denial:
    return Denial(
        code=Code.AUTH_DENIED,
        operation=f"use of auth:{name}",
        blocked_by="Environment",
        rule="auth of the environment does not include it",
        reason="This credential is not granted to the environment that the command runs in",
        suggestions=("Grant it to the environment, in configuration",),
    )
