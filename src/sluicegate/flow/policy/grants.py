"""What layers give: credentials, privilege, variables, signatures. The first gives; the others can refuse."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.policy.layer import Layer
from sluicegate.flow.policy.rules.capabilities import ListedCapability
from sluicegate.flow.policy.rules.trie import Trie, matches
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.problems import dotted
from sluicegate.flow.policy.text.schema import Auth, Autosign, Privilege


class Credential(Struct, frozen=True):
    """A sealed path: the value goes from ``source`` (``keychain:``, ``env:`` or ``op://``) into ``variable``."""

    name: str
    source: str
    variable: str
    layer: str


def auth(layers: Sequence[Layer], name: str) -> Credential | Denial:
    """The credential of a name.

    1. Only the first layer gives credentials.
    2. Every other layer that defines the name has to define the same.
    """
    shown = f"use of auth:{name}"
    if not layers or name not in layers[0].policy.auth:  # 1
        other = next((layer for layer in layers if name in layer.policy.auth), None)
        first = layers[0].name if layers else "the first layer"
        hint = (
            f"It is defined in {other.name}; only the first layer gives credentials, so put that one first"
            if other is not None
            else f'Define it: auth.{name} = {{ from = "env:...", as = "..." }} in {first}'
        )
        known = ", ".join(sorted(layers[0].policy.auth)) if layers else ""
        return Denial(
            code=Code.AUTH_DENIED,
            operation=shown,
            blocked_by="Policy credentials",
            rule=f"{dotted(('auth', name))} is not defined in the first layer",
            layer=layers[0].place_of(("auth",)) if layers else "",
            reason="A credential flows only along a path that policy gives",
            suggestions=(hint, f"{first} gives: {known}") if known else (hint,),
        )
    given = _sealed(layers[0].policy.auth[name])
    for layer in layers[1:]:  # 2
        if name in layer.policy.auth and _sealed(layer.policy.auth[name]) != given:
            return Denial(
                code=Code.AUTH_DENIED,
                operation=shown,
                blocked_by="Policy credentials",
                rule=f"{dotted(('auth', name))} differs from that of {layers[0].name}",
                layer=layer.place_of(("auth", name)),
                reason="Two layers give different paths for one credential",
                suggestions=(f"Make auth.{name} the same in both, or leave it out of {layer.name}",),
            )
    return Credential(name, given[0], given[1], layers[0].place_of(("auth", name)))


def _sealed(given: Auth | str) -> tuple[str, str]:
    return (f"env:{given}", given) if isinstance(given, str) else (given.from_, given.as_)


def keychain(layers: Sequence[Layer], entry: str, projectname: str) -> Denial | None:
    """The denial of the first layer that does not permit to fetch an entry of the keychain.

    1. A layer with capabilities has to opt into the danger ``@keychain``, and not deny it.
    2. ``keychain.deny`` must not cover the entry, and ``keychain.allow``, if there is one, must.
    """
    for layer in layers:
        lists, rules = layer.lists, layer.policy.keychain
        if lists is not None:  # 1
            if "keychain" in lists.denies.whole:
                return _no_entry(layer, 'capabilities.deny includes "@keychain"', ("capabilities", "deny"))
            if "keychain" not in lists.opts.whole:
                path: Path = ("capabilities", "danger")
                return _no_entry(layer, 'capabilities.danger does not include "@keychain"', path)
        if rules is None:
            continue
        name = projectname if layer.projectname is None else layer.projectname
        denied = next((each for each in rules.deny if _entry(each, entry, name, deny=True)), None)  # 2
        if denied is not None:
            return _no_entry(layer, f'keychain.deny includes "{denied}"', ("keychain", "deny"))
        allow = rules.allow
        if allow is not None and not any(_entry(each, entry, name, deny=False) for each in allow):
            return _no_entry(layer, "keychain.allow lists nothing that covers it", ("keychain", "allow"))
    return None


def _no_entry(layer: Layer, rule: str, path: Path) -> Denial:
    return Denial(
        code=Code.KEYCHAIN_DENIED,
        operation="fetch from the keychain",
        blocked_by="Policy keychain",
        rule=rule,
        layer=layer.place_of(path),
        reason=f"{layer.name} does not permit this entry of the keychain",
        suggestions=(f"To permit it, change {dotted(path)} in {layer.name}",),
    )


def _entry(pattern: str, entry: str, projectname: str, *, deny: bool) -> bool:
    """Whether a pattern is about an entry; a deny that needs the project's name and has none is about all."""
    if "{projectname}" in pattern and not projectname:
        return deny
    return matches(pattern.replace("{projectname}", projectname), entry)


def variable(layers: Sequence[Layer], name: str) -> bool:
    """Whether the first layer gives a variable, and every other that speaks of variables permits it."""
    for at, layer in enumerate(layers):
        lists = layer.lists
        if lists is None:
            if at == 0:
                return False
            continue
        if "env" in lists.denies.whole or _listed(lists.denies.others.get("env"), name):
            return False
        allows = lists.allows
        speaks = allows is not None and "env" in allows.mentioned
        if not speaks:
            if at == 0:
                return False
            continue
        if allows is not None and "env" not in allows.whole and not _listed(allows.others.get("env"), name):
            return False
    return bool(layers)


def _listed(trie: Trie[ListedCapability] | None, name: str) -> bool:
    return trie is not None and bool(trie.find((name,), wide=False))


def privilege(layers: Sequence[Layer]) -> Privilege:
    """What the first layer gives and every other that speaks of privilege gives too."""
    stated = [layer.policy.privilege for layer in layers]
    if not stated or stated[0] is None:
        return Privilege()
    rest = [each for each in stated[1:] if each is not None]
    return Privilege(
        paths=[path for path in stated[0].paths if all(path in each.paths for each in rest)],
        modules=[name for name in stated[0].modules if all(name in each.modules for each in rest)],
    )


def autosigns(layers: Sequence[Layer], kind: str, name: str) -> bool:
    """Whether the first layer, and every other that speaks of it, has this signed as it is made."""
    stated = [layer.policy.defaults.autosign for layer in layers]
    if not stated or stated[0] is None:
        return False
    return all(_signs(each, kind, name) for each in stated if each is not None)


def _signs(given: list[str] | Autosign, kind: str, name: str) -> bool:
    if isinstance(given, list):
        return f"{kind}s" in given
    if kind == "template":
        return given.templates
    if isinstance(given.variables, bool):
        return given.variables
    return any(matches(pattern.removeprefix("@"), name.removeprefix("@")) for pattern in given.variables)
