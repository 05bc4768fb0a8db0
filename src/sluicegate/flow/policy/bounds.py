"""What of several layers holds where it is not a decision about an operation: always the most restrictive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy.layer import Layer
from sluicegate.flow.policy.rules.trie import matches
from sluicegate.flow.policy.text.schema import (
    ALLOWED_IMAGES,
    DEFAULT_IMAGE,
    Environments,
    Hosts,
    Limits,
    Names,
    Setting,
    TemplateFile,
)

_CONFLICT = ("silent", "warn", "error")
_PARTS = {"cpu": 1000}  # what is compared is whole: processors in thousandths


def limits(layers: Sequence[Layer]) -> Limits:
    """The smallest of each limit; None where no layer has one."""
    found: dict[str, float] = {}
    for layer in layers:
        for name in Limits.__struct_fields__:
            value: float | None = getattr(layer.policy.limits, name)
            if value is not None:
                parts = _PARTS.get(name, 1)
                least = kernels.tighter(round(found.get(name, 0) * parts), round(value * parts))
                found[name] = least if parts == 1 else least / parts
    return msgspec.convert(found, Limits)


class Net(Struct, frozen=True, kw_only=True):
    """What may be reached: ``none`` nothing, ``host`` everything, ``hosts`` those that match one of ``hosts``."""

    kind: Literal["none", "hosts", "host"]
    hosts: tuple[str, ...] = ()

    def permits(self, host: str) -> bool:
        """Whether a host may be reached."""
        if self.kind == "host":
            return True
        return self.kind == "hosts" and any(_covers(pattern, host) for pattern in self.hosts)


def net(layers: Sequence[Layer]) -> Net:
    """The most restrictive of every layer's ``env.net``; ``host`` where none says anything."""
    stated = [layer.policy.env.net for layer in layers if layer.policy.env is not None]
    if "none" in stated:
        return Net(kind="none")
    lists = [tuple(each.allow) for each in stated if isinstance(each, Hosts)]
    if not lists:
        return Net(kind="host")
    common = [
        pattern
        for each in lists
        for pattern in each
        if all(any(_covers(other, pattern) for other in others) for others in lists)
    ]
    return Net(kind="hosts", hosts=tuple(dict.fromkeys(common)))


def _covers(pattern: str, host: str) -> bool:
    """Whether a pattern of hosts is about a host, or about everything that another pattern is about."""
    if pattern in ("*", host):
        return True
    return pattern.startswith("*.") and host.endswith(pattern[1:]) and host != pattern[1:]


def named(layers: Sequence[Layer], key: Literal["tools", "mcps"], name: str) -> Denial | None:
    """The denial of the first layer whose ``env.tools`` or ``env.mcps`` does not permit a name."""
    for layer in layers:
        env = layer.policy.env
        given = getattr(env, key) if env is not None else None
        if given is None:
            continue
        names = given if isinstance(given, Names) else Names(allow=given)
        deny = next((each for each in names.deny if matches(each, name)), None)
        if deny is not None:
            return _not_permitted(layer, key, f'env.{key}.deny includes "{deny}"')
        if names.allow is not None and not any(matches(each, name) for each in names.allow):
            return _not_permitted(layer, key, f"env.{key} lists nothing that covers it")
    return None


def _not_permitted(layer: Layer, key: str, rule: str) -> Denial:
    what = "tool" if key == "tools" else "MCP server"
    return Denial(
        code=Code.ENV_ATTENUATION_DENIED,
        operation=f"use of a {what}",
        blocked_by="Policy environment",
        rule=rule,
        layer=layer.place_of(("env", key)),
        reason=f"This {what} is not among those that {layer.name} permits",
        suggestions=(f"To permit it, change env.{key} in {layer.name}",),
    )


def provider(layers: Sequence[Layer], name: str | None) -> str | Denial:
    """The provider to use, if every layer that names providers names it."""
    stated = [(layer, layer.policy.env) for layer in layers if isinstance(layer.policy.env, Environments)]
    chosen = name or next((env.default for _, env in stated if env.default is not None), "local")
    for layer, env in stated:
        if env.providers is not None and chosen not in env.providers:
            known = ", ".join(sorted(env.providers)) or "none"
            return Denial(
                code=Code.ENV_PROVIDER_DENIED,
                operation="making of an environment",
                blocked_by="Policy environment",
                rule="env.providers does not name it",
                layer=layer.place_of(("env", "providers")),
                reason=f"{layer.name} permits only the providers it names",
                suggestions=(
                    f"{layer.name} permits: {known}",
                    f"To permit it, add it to env.providers in {layer.name}",
                ),
            )
    return chosen


def image(layers: Sequence[Layer], name: str, asked: str) -> str | Denial:
    """The image, or the snapshot, that an environment of the provider ``name`` begins with: ``asked``, else the default of the first
    layer that has one; empty where nobody says any. Every layer that lists images of this provider has to list it."""
    stated = [(layer, _settings(layer, name)) for layer in layers]
    chosen = asked or next((text for _, of in stated if isinstance(text := of.get(DEFAULT_IMAGE), str)), "")
    for layer, settings in stated:
        listed = settings.get(ALLOWED_IMAGES)
        if isinstance(listed, list) and chosen and not any(_lists(glob, chosen) for glob in listed):
            return Denial(
                code=Code.ENV_PROVIDER_DENIED,
                operation="making of an environment",
                blocked_by="Policy environment",
                rule=f"env.providers.{name}.{ALLOWED_IMAGES} lists nothing that covers the image",
                layer=layer.place_of(("env", "providers", name, ALLOWED_IMAGES)),
                reason=f"{layer.name} permits only the images it lists",
                suggestions=(
                    f"{layer.name} lists: {', '.join(listed) or 'none'}",
                    f"To permit the image, add it to env.providers.{name}.{ALLOWED_IMAGES} in {layer.name}",
                ),
            )
    return chosen


def _lists(glob: str, image: str) -> bool:
    """``*`` stands for no ``/``: ``team-*`` is not about the images of the host ``team-x.example``."""
    parts, wanted = glob.split("/"), image.split("/")
    return len(parts) == len(wanted) and all(map(matches, parts, wanted))


def _settings(layer: Layer, name: str) -> Mapping[str, Setting]:
    env = layer.policy.env
    return (env.providers or {}).get(name, {}) if isinstance(env, Environments) else {}


def autoverify(layers: Sequence[Layer]) -> bool | str:
    """On if any layer has it on; with the template of the first that names one."""
    stated = [layer.policy.defaults.autoverify for layer in layers]
    for each in stated:
        if isinstance(each, TemplateFile):
            return each.template
        if isinstance(each, str):
            return each
    return any(each is True for each in stated)


def trustconflict(layers: Sequence[Layer]) -> str:
    """The strictest of what the layers say; ``warn`` if none says anything."""
    stated = [mode for layer in layers if (mode := layer.policy.defaults.trustconflict) is not None]
    return max(stated, key=_CONFLICT.index, default="warn")


def unknown_files(layers: Sequence[Layer]) -> str:
    """``trusted`` if a layer says so that does not only narrow, and none says otherwise."""
    stated = {
        said
        for layer in layers
        if (said := layer.policy.defaults.unknown_files) is not None
        if said != "trusted" or not layer.narrows
    }
    return "trusted" if stated == {"trusted"} else "untrusted"
