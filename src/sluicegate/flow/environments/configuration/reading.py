"""An environment as people write it, read into an ``EnvironmentConfig``.

    provider = "bubblewrap"
    fs = { read = [".:/app", "/usr/share/dict"], write = ["./out"] }
    net = "none"
    limits = { mem = "512m", cpu = 1.5, time = "60s" }

The schema is closed: an unknown key is an error that names it and what was perhaps meant.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from sluicegate.flow.environments.configuration import words
from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    DEFAULT_PROCESSES,
    LOCAL,
    AllowedHosts,
    CommandLimits,
    EnvironmentConfig,
    HostNetwork,
    Net,
    NoNetwork,
    Root,
    Roots,
    is_plain,
    source_label,
)
from sluicegate.flow.environments.confinement.roots import contains, place, read_root
from sluicegate.flow.environments.errors import EnvironmentConfigError, printable


class Files(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """``fs``: each entry is ``HOST`` or ``HOST:INSIDE``."""

    read: list[str] = msgspec.field(default_factory=list)
    write: list[str] = msgspec.field(default_factory=list)


class Hosts(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """``net`` as a list of hosts."""

    allow: list[str]


class LimitsForm(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """``limits``: sizes as ``512m``, times as ``60s``, processors as ``1.5``."""

    mem: str | int | None = None
    cpu: str | int | float | None = None
    time: str | None = None
    processes: int | None = None
    file: str | int | None = None
    output: str | int | None = None


class EnvironmentForm(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One environment; every key is optional."""

    provider: str = BUBBLEWRAP
    name: str = ""
    fs: Files = Files()
    net: str | Hosts = ""
    limits: LimitsForm = LimitsForm()
    auth: str | list[str] = msgspec.field(default_factory=list)
    tools: list[str] = msgspec.field(default_factory=list)
    mcps: list[str] = msgspec.field(default_factory=list)
    vars: list[str] = msgspec.field(default_factory=list)
    taint: list[str] = msgspec.field(default_factory=list)
    cwd: str = ""
    image: str = ""
    snapshot: str = msgspec.field(name="from", default="")
    snapshots: bool = False


_TABLES: dict[str, type[msgspec.Struct]] = {
    "": EnvironmentForm,
    "fs": Files,
    "limits": LimitsForm,
    "net": Hosts,
}


def environment_schema() -> dict[str, Any]:
    """The JSON Schema of an environment."""
    return msgspec.json.schema(EnvironmentForm)


def read_environment(data: Mapping[str, Any], *, base: Path) -> EnvironmentConfig:
    """The environment that ``data`` describes; relative paths are below ``base``.

    Raises ``EnvironmentConfigError`` for an unknown key, a value that is not exact, and a root that is not there.
    """
    provider = _form(data).provider
    words.check_name("provider", provider)
    local = provider == LOCAL
    blank = EnvironmentConfig(
        provider=provider,
        roots=None if local else Roots(),
        net=HostNetwork() if local else NoNetwork(),
        limits=CommandLimits(processes=None if local else DEFAULT_PROCESSES),
    )
    config = _overlay(blank, data, base)
    return config if "cwd" in data else replace(config, cwd=_default_cwd(config, base))


def read_change(parent: EnvironmentConfig, data: Mapping[str, Any], *, base: Path) -> EnvironmentConfig:
    """The child that ``data`` asks for: ``parent`` with the given keys replaced.

    Limits are replaced one by one and labels are added to; ``fs`` is replaced whole, and a root without a path
    inside stands where the parent shows it. What comes out is only a wish: ``attenuate`` decides on it.
    Raises ``EnvironmentConfigError``.
    """
    return _overlay(parent, data, base)


def _overlay(parent: EnvironmentConfig, data: Mapping[str, Any], base: Path) -> EnvironmentConfig:
    form = _form(data)
    changes: dict[str, Any] = {"limits": _limits(form.limits, parent.limits)}
    if "provider" in data:
        changes["provider"] = words.check_name("provider", form.provider)
    if form.name:
        changes["names"] = (*parent.names, words.check_name("name", form.name))
        words.check_label("name", source_label(replace(parent, names=changes["names"])))
    if "fs" in data:
        changes["roots"] = _roots(form.fs, base, parent.roots)
    if "net" in data:
        changes["net"] = _net(form.net)
    if "auth" in data:
        changes["auth"] = words.names("auth", [form.auth] if isinstance(form.auth, str) else form.auth)
    if "tools" in data:
        changes["tools"] = words.names("tools", form.tools)
    if "mcps" in data:
        changes["mcps"] = words.names("mcps", form.mcps)
    if "vars" in data:
        changes["vars"] = frozenset(words.check_variable("vars", name) for name in form.vars)
    if "taint" in data:
        changes["labels"] = parent.labels | {_taint(label) for label in form.taint}
    if "cwd" in data:
        changes["cwd"] = _cwd(form.cwd)
    if "image" in data:
        changes["image"] = words.check_image("image", form.image)
    if "from" in data:
        changes["snapshot"] = words.check_image("from", form.snapshot)
    if "snapshots" in data:
        changes["snapshots"] = form.snapshots
    return replace(parent, **changes)


def _form(data: Mapping[str, Any]) -> EnvironmentForm:
    """``data`` as a form. Raises ``EnvironmentConfigError`` that names the key and the nearest known one."""
    if not isinstance(data, Mapping):
        raise EnvironmentConfigError("an environment is a table of keys", hint="write { provider = ... }")
    for table, kind in _TABLES.items():
        part = data.get(table) if table else data
        if isinstance(part, Mapping):
            _check_keys(part, kind, f"{table}." if table else "")
    try:
        return msgspec.convert(dict(data), EnvironmentForm)
    except msgspec.ValidationError as error:
        raise EnvironmentConfigError(
            f"the environment is wrong: {printable(str(error))}",
            hint="the keys and the forms of their values are listed in docs/environments.md",
        ) from None


def _check_keys(part: Mapping[str, Any], kind: type[msgspec.Struct], path: str) -> None:
    known = list(kind.__struct_encode_fields__)
    for key in part:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean '{path}{near[0]}'?" if near else f"the keys are {', '.join(known)}"
            raise EnvironmentConfigError(f"unknown key '{path}{printable(str(key), 60)}'", hint=hint)


def _limits(form: LimitsForm, before: CommandLimits) -> CommandLimits:
    return CommandLimits(
        mem=before.mem if form.mem is None else words.size("limits.mem", form.mem),
        cpu=before.cpu if form.cpu is None else words.processors("limits.cpu", form.cpu),
        time=before.time if form.time is None else words.duration("limits.time", form.time),
        processes=before.processes
        if form.processes is None
        else words.count("limits.processes", form.processes),
        file=before.file if form.file is None else words.size("limits.file", form.file),
        output=before.output if form.output is None else words.size("limits.output", form.output),
    )


def _roots(form: Files, base: Path, parent: Roots | None) -> Roots:
    around: tuple[Root, ...] = (*parent.read, *parent.write) if parent else ()
    roots = Roots(
        read=tuple(read_root(text, base, parents=around) for text in form.read),
        write=tuple(read_root(text, base, parents=around) for text in form.write),
    )
    seen: dict[str, str] = {}
    for root in (*roots.read, *roots.write):
        if seen.setdefault(root.inside, root.host) != root.host:
            raise EnvironmentConfigError(
                f"two roots stand at '{printable(root.inside)}' inside",
                hint="give each its own path: HOST:INSIDE",
            )
    return roots


def _net(form: str | Hosts) -> Net:
    if isinstance(form, Hosts):
        return AllowedHosts(frozenset(words.check_host("net.allow", host) for host in form.allow))
    if form == "none":
        return NoNetwork()
    if form == "host":
        return HostNetwork()
    raise EnvironmentConfigError(
        f"net is '{printable(form, 60)}'", hint="it is 'none', 'host', or { allow = [hosts] }"
    )


def _taint(label: str) -> str:
    """A label for outputs. Not ``trusted``: to bless is for policy, and an environment has no such privilege."""
    if words.check_label("taint", label) == "trusted":
        raise EnvironmentConfigError(
            "an environment cannot make its outputs 'trusted'",
            hint="classify its source label in the policy under 'sources', or let a privileged guard bless",
        )
    return label


def _cwd(path: str) -> str:
    if not is_plain(path):
        raise EnvironmentConfigError(
            f"cwd is '{printable(path, 60)}'", hint="it is an absolute path inside, without '..'"
        )
    return path


def _default_cwd(config: EnvironmentConfig, base: Path) -> str:
    """``base`` where the environment shows it; else the temporary folder. Local: ``base`` itself."""
    here = str(base.resolve())
    if config.provider == LOCAL:
        return here
    roots = config.roots or Roots()
    around = [root for root in (*roots.read, *roots.write) if contains(root.host, here)]
    return place(max(around, key=lambda root: len(root.host)), here) if around else "/tmp"
