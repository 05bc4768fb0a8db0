"""Environments as values: what a script writes, what it derives, and what both grant when they are used.

1. An object is an environment once it is used as one. ``new @parent with { … }`` is a child of it: what the child says stands over
   what the parent says, and each link of the chain is no wider than the one before it (``attenuation``), when it is derived and
   again where it is used.
2. Without a provider an environment is the one in force, with what it says over it. With one it is an environment of its own, and
   has what it says, and nothing else.
3. The names of variables that hold children make the chain of the label: ``src:env:PROVIDER:CHILD:GRANDCHILD``. ``name`` is that of an
   environment that stays to the end of the script.
4. Keys that no provider of ours knows are for the provider, and for ``@mx.env``; one that is nearly a key that is known is an error.
5. A module that is a provider is named where the environment is written: no value decides which code gets commands and credentials.
6. What is restored from a snapshot is what an environment held before. A child may begin with one that was taken here.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.environments.configuration.attenuation import attenuate
from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    CONTAINER,
    DOCKER,
    LOCAL,
    PODMAN,
    EnvironmentConfig,
)
from sluicegate.flow.environments.configuration.reading import (
    EnvironmentForm,
    read_change,
    read_environment,
)
from sluicegate.flow.monitor.effects.entered import ChosenEnvironment
from sluicegate.flow.values import Labeled, asked
from sluicegate.script.evaluate.contents.texts import kind_of
from sluicegate.script.evaluate.control import settled, within
from sluicegate.script.evaluate.environments.links import EnvironmentLink, EnvironmentValue
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.scope import Value

if TYPE_CHECKING:
    from sluicegate.script.evaluate.run import Run

PROVIDERS: Final[Mapping[str, str]] = {
    "local": LOCAL,
    "sandbox": BUBBLEWRAP,
    "bubblewrap": BUBBLEWRAP,
    "container": CONTAINER,
    "podman": PODMAN,
    "docker": DOCKER,
}
"""Providers of ours by what they are called behind ``@sluicegate/`` or ``@mlld/env-``, or alone."""

SUFFIX: Final = ".mld"
_KEYS: Final = frozenset(EnvironmentForm.__struct_encode_fields__)
_PREFIXES: Final = ("@sluicegate/", "@mlld/env-", "@mlld/")
_MOST_LINKS: Final = 50


def links_of(content: Any) -> tuple[EnvironmentLink, ...]:
    """The links of what is used as an environment. Raises ScriptError."""
    if isinstance(content, EnvironmentValue):
        return content.links
    if not isinstance(content, dict):
        raise ScriptError("wrong-type", f"an environment is an object, not {kind_of(content)}",
                          hint='Write `{ provider: "@sluicegate/sandbox", fs: { read: ["."] } }`.')  # fmt: skip
    return (EnvironmentLink(content),)


def derived(run: Run, parent: Value, said: Value) -> Value:
    """``new @parent with { … }`` (1)."""

    def made() -> Value:
        content = asked(said)
        if not isinstance(content, dict):
            raise ScriptError(
                "wrong-type", f"a child says what it has in an object, not in {kind_of(content)}"
            )
        links = (*links_of(asked(parent)), EnvironmentLink(content))
        if len(links) > _MOST_LINKS:
            raise ScriptError("too-deep", f"an environment is derived more than {_MOST_LINKS} times")
        chosen_of(run, EnvironmentValue(links))
        return Labeled(EnvironmentValue(links))

    return settled(run, within(run, parent.labels | said.labels, made))


def named(run: Run, value: Value, name: str) -> Value:
    """The value of ``var @name = new …``: a child has the name of its variable (3); what is no environment is left as it is."""

    def made() -> Value:
        content = asked(value)
        if not isinstance(content, EnvironmentValue):
            return value
        *before, last = content.links
        links = (*before, last._replace(name=last.name or name))
        chosen_of(run, EnvironmentValue(links))
        return Labeled(EnvironmentValue(links))

    return settled(run, within(run, value.labels, made))


def chosen_of(run: Run, content: Any) -> ChosenEnvironment:
    """What an environment grants here. Raises Denied where a link is wider than the one before it; FlowError."""
    first, *rest = links_of(content)
    parts = run.monitor.parts
    provider, said = _provider(run, first.said), _known(first.said)
    if "provider" not in first.said:
        config = read_change(parts.environment, said, base=parts.cwd)  # 2
        here = parts.entered.current()
        served = here.chosen.provider if here is not None else None
    else:
        served = run.provider(str(first.said["provider"]), first.said)
        if served is not None and not said.get("fs"):
            said.setdefault("cwd", parts.start)  # it runs where the provider runs it, which is here
        config = read_environment({**said, "provider": provider}, base=parts.cwd)
    for link in rest:
        if "provider" in link.said and _provider(run, link.said) != provider:
            raise ScriptError(
                "bad-option", "a child runs where its parent runs", hint="Leave `provider` out."
            )
        config = _child(run, config, _known({**link.said, **({"name": link.name} if link.name else {})}))
    all_said = EnvironmentValue((first, *rest)).said
    return ChosenEnvironment(
        config=config,
        provider=served,
        credentials=tuple(sorted(config.auth or ())) if "auth" in all_said else (),
        keeps="name" in all_said,
        told={key: value for key, value in all_said.items() if key not in _KEYS},
    )


def _child(run: Run, parent: EnvironmentConfig, said: dict[str, Any]) -> EnvironmentConfig:
    """One link more (1)."""
    child = read_change(parent, said, base=run.monitor.parts.cwd)
    begun = child.snapshot
    if begun != parent.snapshot and begun in run.monitor.parts.entered.snapshots:  # 6
        child = replace(child, snapshot=parent.snapshot)
    granted = attenuate(parent, child)
    if isinstance(granted, Denial):
        raise Denied(granted)
    return replace(granted, snapshot=begun)


def _provider(run: Run, said: Mapping[str, Any]) -> str:
    """The provider by the name that labels and policy know it by; empty where none is named."""
    name = said.get("provider", "")
    if not isinstance(name, str):
        raise ScriptError("wrong-type", f"a provider is named by text, not by {kind_of(name)}")
    if not name:
        return ""
    short = next((name[len(each) :] for each in _PREFIXES if name.startswith(each)), name)
    if short in PROVIDERS:
        return PROVIDERS[short]
    if name.endswith(SUFFIX):
        return run.provider_name(name)
    known = ", ".join(f"@sluicegate/{each}" for each in ("local", "sandbox", "container"))
    raise ScriptError("no-module", "there is no provider of this name here, and nothing is fetched",
                      hint=f"There are {known}, and modules that export @create, @execute and @release: ./NAME.mld.")  # fmt: skip


def _known(said: Mapping[str, Any]) -> dict[str, Any]:
    """What configurations know, in their words. Raises ScriptError for what is nearly one of them (4)."""
    for key in said:
        near = difflib.get_close_matches(key, _KEYS, n=1, cutoff=0.67) if key not in _KEYS else []
        if near:
            raise ScriptError("bad-option", "an environment has a key that is nearly one that is known",
                              hint=f"Did you mean `{near[0]}`?")  # fmt: skip
    found = {key: value for key, value in said.items() if key in _KEYS and key not in ("provider",)}
    for key in ("tools", "mcps", "taint", "vars"):
        if isinstance(found.get(key), str):
            found[key] = [found[key]]
    for key in ("tools", "mcps"):
        if isinstance(found.get(key), list):
            found[key] = [str(each) for each in found[key]]
    return found
