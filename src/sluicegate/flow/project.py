"""A project's configuration of flow: which policies are in force, and where state lies.

1. The project's file is the nearest ``sluicegate.toml``, or ``pyproject.toml`` with ``[tool.sluicegate]``, in the
   current directory or above it, up to the root of the repository; both in one directory is an error. Its tables
   ``[flow]`` and ``[policy]`` are read here, the others are those of scans (``reach/settings.py``).
2. ``[policy]`` is a policy in place and the first layer; those that ``[flow] policy`` names follow. What the
   user's own file names comes after them: it narrows every project.
3. ``SLUICEGATE_POLICY`` (names with commas between) takes the place of the project's layers;
   ``SLUICEGATE_PROFILE`` of ``profile``, ``SLUICEGATE_AUDIT_LOG`` of ``ledger``.
4. ``SLUICEGATE_STRICT``: guards are not bypassed, failures stay labelled, nothing happens without its event in the ledger, there has to
   be a policy, and ``SLUICEGATE_POLICY`` adds layers instead of taking their place.
5. The files of all directories above the project's narrow it as well, also beyond the root of the repository: their
   layers are asked after its own, each with its own paths and name, and give nothing. So whoever can make a file in a
   directory of a project (a command in its sandbox, a repository that was cloned into it) cannot take the project's
   policies away there; neither by a ``sluicegate.toml`` nor by a ``.git``.
6. A file that lies in other projects narrows, and gives nothing, unless the user trusts it as it is (``sluicegate trust``):
   no credentials, hosts, facts, privilege or trust. So does one of another project than that under which a session began
   (``under``), whose settings go along wherever the session goes.
7. The ledger is that of the outermost project of this user, so that it is the same wherever one stands in it. Where no project
   says anything and the user's own policies do, it lies in the user's state directory.
8. Who stands before an agent (``standard``) may stand in a repository that anybody wrote. There a project's file narrows as well,
   unless the user trusts it, and a policy of ours is the first layer unless the user has written or named one.

The schema is closed, as everywhere.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct, structs
from msgspec.structs import replace

from sluicegate.flow.environments.configuration.config import BUBBLEWRAP, CONTAINER, ENGINES, LOCAL
from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.load import from_tree, load
from sluicegate.flow.policy.text.positions import Lines, toml_lines
from sluicegate.flow.policy.text.problems import PolicyProblems, Problem
from sluicegate.flow.policy.text.schema import Policy
from sluicegate.flow.policy.text.shape import misshapen
from sluicegate.flow.policy.text.tree import MOST_BYTES, check_bounds, plain
from sluicegate.patterns import late
from sluicegate.record.directories import STATE, USUAL_LEDGER
from sluicegate.record.home import Home
from sluicegate.record.user import without_tilde

FILE: Final = "sluicegate.toml"
TABLES: Final = ("flow", "policy")
"""The tables of ``sluicegate.toml`` that are read here and not by a scan."""

OnFailure = Literal["label", "raise"]
_NAME: Final = late(r"[a-z0-9][a-z0-9._-]{0,63}", re.IGNORECASE)
_YES, _NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


class KeychainSection(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """``[flow.keychain]``: the entries of the keychain that this project may fetch at most."""

    allow: list[str] | None = None
    deny: list[str] = []


class EnvironmentsSection(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """``[flow.environments]``: where environments keep their state."""

    local: str = f"{STATE}/env"
    shared: str = msgspec.field(name="global", default="~/.sluicegate/env")


class FlowSection(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """``[flow]``: what is in force in this project.

    ``policy``: the layers, the project's own first. ``default``: with ``deny``, what is gated is refused if no
    layer has an allow list. ``guard_bypass``: whether an operation may ask for guards to be left out.
    ``require_needs``: modules have to say what they depend on. ``on_failure``: with ``raise``, an operation that fails
    on labelled data raises; for development, since whoever catches that learns something of the data.
    """

    policy: list[str] = []
    default: Literal["allow", "deny"] = "allow"
    projectname: str = ""
    guard_bypass: bool = False
    require_needs: bool = False
    on_failure: OnFailure = "label"
    profile: str = ""
    ledger: str = USUAL_LEDGER
    keychain: KeychainSection | None = None
    environments: EnvironmentsSection = EnvironmentsSection()


class Project(Struct, frozen=True, kw_only=True):
    """What is in force, and where things lie. ``file`` is None when no file says anything."""

    root: Path
    file: Path | None
    documents: tuple[Document, ...]
    policy_files: tuple[Path, ...] = ()
    projectname: str = ""
    guard_bypass: bool = False
    require_needs: bool = False
    on_failure: OnFailure = "label"
    profile: str = ""
    strict: bool = False
    ledger: Path
    environments: Path
    shared_environments: Path
    around: tuple[Path, ...] = ()
    """The ledgers of this project, and of those that it lies in."""
    settings: tuple[str, ...] = ()
    """The directories whose settings are in force."""
    gives: str = ""
    """The one of them whose settings give something without the user having trusted them; empty if none does."""
    stays: tuple[str, ...] = ()
    """Those of them that hold wherever a session goes which begins here: all but what a stranger may have put there."""

    @property
    def state(self) -> Path:
        """The directory of sluicegate's own state in this project."""
        return self.root / STATE

    @property
    def signatures(self) -> Path:
        """Where signatures are kept."""
        return self.state / "sec" / "sigs"

    @property
    def protected(self) -> tuple[Path, ...]:
        """What no operation under policy may write: the state, the ledger, and what configures them."""
        files = (self.file,) if self.file is not None else (self.root / FILE,)
        return tuple(dict.fromkeys((self.state, self.ledger, *files, *self.policy_files, *self.around)))

    def layers(self, *, home: Path) -> Layers:
        """The policies in force, compiled."""
        place = Place(base=str(self.root), home=str(home))
        return Layers(self.documents, place=place, projectname=self.projectname)


def find(
    *,
    start: Path,
    environ: Mapping[str, str],
    home: Path,
    user_directory: Path | None = None,
    under: Sequence[str] = (),
    standard: str = "",
) -> Project:
    """The project that ``start`` lies in, for a session that began ``under`` these settings (``Under``). ``standard``: the
    policy of ours that is in force where the user has written none (8). Raises PolicyError when anything of it is wrong."""
    found = _project_file(start)  # 1
    root, file = (found.path.parent, found.path) if found is not None else (start, None)
    flow = _flow(found) if found is not None else FlowSection()
    strict = _yes(environ, "SLUICEGATE_STRICT")
    documents, files = _layers(found, flow, root)  # 2
    around = _around(root, home, under)  # 5
    own = os.path.realpath(root) if found is not None and _speaks(found) else ""
    gives = stays = own
    trusted = False
    if found is not None and own and (around.settings or (under and own != under[0]) or standard):  # 6, 8
        trusted = _is_trusted(found, files, user_directory)
        gives = ""
        if not trusted:
            stays = ""
            flow = _narrowed(flow)
            documents = [_nothing(root), *map(narrowing, documents)]
    override = [name.strip() for name in environ.get("SLUICEGATE_POLICY", "").split(",") if name.strip()]
    if override:  # 3
        named, named_files = _named(override, start)
        documents = [*documents, *named] if strict else named
        files = [*files, *named_files] if strict else named_files
    more, more_files = _users(user_directory)
    implied = _implied(flow, documents + more, str(file or FILE))
    if around.documents and (strict or not override):
        documents = [*(documents or [_nothing(root)]), *around.documents]
    documents += [*more, *implied]
    if standard and not (trusted or more or override):  # 8
        documents = [load(standard, base=start), *documents]
    if strict:  # 4
        if not documents:
            raise PolicyError(
                "strict, and no policy is in force", hint='Write [flow] policy = ["production"].'
            )
        documents.append(from_tree({"defaults": {"fail_closed": True}}, name="SLUICEGATE_STRICT"))
    return Project(
        root=root,
        file=file,
        documents=tuple(documents),
        policy_files=(*files, *around.files, *more_files),
        projectname=flow.projectname,
        guard_bypass=flow.guard_bypass and around.guard_bypass and not strict,
        require_needs=flow.require_needs or around.require_needs,
        on_failure="raise" if flow.on_failure == "raise" and around.may_raise and not strict else "label",
        profile=environ.get("SLUICEGATE_PROFILE") or flow.profile,
        strict=strict,
        ledger=_ledger(environ, start, around, root, flow, home, users=bool(more) and not own),
        environments=_path(flow.environments.local, root, home),
        shared_environments=_path(flow.environments.shared, root, home),
        around=(_path(flow.ledger, root, home), *around.ledgers),
        settings=tuple(dict.fromkeys((*((own,) if own else ()), *around.settings))),
        gives=gives,
        stays=(*((stays,) if stays else ()), *around.settings),
    )


def _ledger(
    environ: Mapping[str, str],
    start: Path,
    around: _Around,
    root: Path,
    flow: FlowSection,
    home: Path,
    *,
    users: bool,
) -> Path:
    """Where the ledger is (7)."""
    named = environ.get("SLUICEGATE_AUDIT_LOG")
    if named:
        return _path(named, start, home)
    if around.outermost is not None:
        return around.outermost
    if users and not around.settings:
        return Home.find(environ, workspace=None).own_ledger
    return _path(flow.ledger, root, home)


def _speaks(found: _File) -> bool:
    """Whether settings say anything of what is in force."""
    return any(table in found.tree for table in TABLES)


def _is_trusted(found: _File, files: Sequence[Path], user_directory: Path | None) -> bool:
    """Whether the user trusts settings as they are, with the files of policy that they name (6)."""
    from sluicegate.record.trusted_settings import is_trusted, table_digest, text_digest

    digest = table_digest(found.tree) if found.shared else text_digest(found.text)
    return is_trusted(found.path, digest, files, user_directory)


def _narrowed(flow: FlowSection) -> FlowSection:
    """What of ``[flow]`` narrows (6)."""
    return FlowSection(
        default=flow.default,
        require_needs=flow.require_needs,
        keychain=flow.keychain,
        on_failure=flow.on_failure,  # raises only where every project around does
    )


def narrowing(document: Document) -> Document:
    """A layer that only narrows (6): it chooses neither where commands run nor what templates are verified with."""
    policy = document.policy
    defaults, env = policy.defaults, policy.env
    if defaults.autoverify is not None:
        defaults = structs.replace(defaults, autoverify=defaults.autoverify is not False)
    if env is not None:
        env = structs.replace(env, default=None)
    return replace(document, policy=structs.replace(policy, defaults=defaults, env=env), narrows=True)


class _File(Struct, frozen=True, kw_only=True):
    """A settings file: its tree from the settings on, and the lines of it."""

    path: Path
    tree: Mapping[str, object]
    lines: Lines
    text: str
    shared: bool


def _project_file(start: Path) -> _File | None:
    for directory in (start, *start.parents):
        found = _file_in(directory)
        if found is not None or (directory / ".git").exists():
            return found
    return None


def _file_in(directory: Path) -> _File | None:
    """The settings file of a directory. Raises PolicyError when there are two."""
    own = _read(directory / FILE, ())
    shared = _read(directory / "pyproject.toml", ("tool", "sluicegate"))
    if own is not None and shared is not None and any(table in shared.tree for table in TABLES):
        # Otherwise whoever may make a file could take a project's configuration away by making an empty one.
        raise PolicyError(
            f"{plain(str(own.path))} and {plain(str(shared.path))} both say what is in force",
            hint="Move [tool.sluicegate] of the second into the first, or remove the first.",
        )
    return own if own is not None else shared


class _Around(Struct, frozen=True, kw_only=True):
    """What the settings of the directories above a project say together; they can only narrow (5)."""

    documents: tuple[Document, ...]
    files: tuple[Path, ...]
    ledgers: tuple[Path, ...]
    outermost: Path | None
    settings: tuple[str, ...]
    guard_bypass: bool
    require_needs: bool
    may_raise: bool


def _around(root: Path, home: Path, under: Sequence[str]) -> _Around:
    documents: list[Document] = []
    files: list[Path] = []
    ledgers: list[Path] = []
    settings: list[str] = []
    outermost: Path | None = None
    bypass, needs, may_raise = True, False, True
    real = Path(os.path.realpath(root))
    above = list(real.parents)
    apart = [Path(each) for each in under if each and Path(each) not in (real, *above)]
    for directory in (*above, *apart):
        found = _file_in(directory)
        if found is None or not _speaks(found):
            if str(directory) in under:
                raise PolicyError(
                    f"the session began under the settings in {plain(str(directory))}, and there are none now",
                    hint="Put them back, or let its owner begin it anew: Session.reset.",
                )
            continue
        flow = _flow(found)
        own, own_files = _layers(found, flow, directory)
        own += _implied(flow, own, str(found.path))
        documents += [_seen_from_inside(each, directory, flow.projectname) for each in own]
        files += [*own_files, found.path]
        ledgers.append(_path(flow.ledger, directory, home))
        settings.append(str(directory))
        if found.path.lstat().st_uid == os.geteuid():  # that of another would say where our ledger is
            outermost = ledgers[-1]
        bypass, needs = bypass and flow.guard_bypass, needs or flow.require_needs
        may_raise = may_raise and flow.on_failure == "raise"
    return _Around(
        documents=tuple(documents),
        files=tuple(files),
        ledgers=tuple(ledgers),
        outermost=outermost,
        settings=tuple(settings),
        guard_bypass=bypass,
        require_needs=needs,
        may_raise=may_raise,
    )


def _seen_from_inside(document: Document, directory: Path, projectname: str) -> Document:
    """A layer of a project around: its relative paths are about that project, and its own templates stay there.

    Where it says that commands run in a sandbox, the project in it may choose which one, and not to have none.
    """
    policy = document.policy
    privilege, defaults, env = policy.privilege, policy.defaults, policy.env
    if privilege is not None:
        paths = [
            path if path.startswith(("/", "~")) else f"{directory}/{path.removeprefix('./')}"
            for path in privilege.paths
        ]
        privilege = structs.replace(privilege, paths=paths)
    if defaults.autoverify is not None:
        defaults = structs.replace(defaults, autoverify=defaults.autoverify is not False)
    if env is not None and env.providers is None and env.default not in (None, LOCAL):
        chosen = (env.default or BUBBLEWRAP, BUBBLEWRAP, CONTAINER, *ENGINES)
        env = structs.replace(env, providers={name: {} for name in chosen})
    policy = structs.replace(policy, privilege=privilege, defaults=defaults, env=env)
    return replace(document, policy=policy, base=str(directory), projectname=projectname, narrows=True)


def _nothing(root: Path) -> Document:
    """The first layer of a project that has none of its own, and lies in others: it gives nothing."""
    return Document(policy=Policy(), name=plain(str(root)))


def _read(path: Path, inside: tuple[str, ...]) -> _File | None:
    """The settings in a file, or None if there is no file or no such table in it. Raises PolicyError."""
    name = plain(str(path))
    try:
        if not path.is_file():
            return None
        with path.open("rb") as handle:
            text = handle.read(MOST_BYTES + 1).decode("utf-8")
        if len(text) > MOST_BYTES:
            raise PolicyError(
                f"{name} is larger than {MOST_BYTES} bytes", hint="Put the policy into its own file."
            )
        tree: object = tomllib.loads(text)
    except OSError as error:
        raise PolicyError(f"cannot read {name}: {error.strerror}", hint="Check its rights.") from None
    except (ValueError, RecursionError) as error:
        if inside:
            return None
        raise PolicyError(
            f"{name} is not TOML: {plain(str(error))[:200]}", hint="See docs/policy.md."
        ) from None
    for part in inside:
        tree = tree.get(part) if isinstance(tree, dict) else None
    if not isinstance(tree, dict):
        return None
    lines = toml_lines(text)
    within = {key[len(inside) :]: line for key, line in lines.items() if key[: len(inside)] == inside}
    return _File(path=path, tree=tree, lines=within, text=text, shared=bool(inside))


def _flow(found: _File, *, only: Sequence[str] = ()) -> FlowSection:
    """``[flow]`` of a file; of the user's own file only some keys have a meaning."""
    given = found.tree.get("flow", {})
    name = plain(str(found.path))
    check_bounds(given, name=name)
    wrong = [
        Problem(path=("flow", *each.path), message=each.message, hint=each.hint)
        for each in misshapen(given, FlowSection)
    ]
    if not wrong and only and isinstance(given, dict):
        wrong = [
            Problem(
                path=("flow", key), message="belongs into a project's file", hint=f"Here: {', '.join(only)}."
            )
            for key in given
            if key not in only
        ]
    if not wrong and isinstance(given, dict):
        projectname = given.get("projectname", "")
        if projectname and not _NAME.fullmatch(projectname):
            path = ("flow", "projectname")
            wrong = [Problem(path=path, message="has to be letters, digits, '.', '_' and '-'")]
    if wrong:
        raise PolicyProblems(name, wrong, found.lines)
    return msgspec.convert(given, FlowSection)


def _layers(found: _File | None, flow: FlowSection, root: Path) -> tuple[list[Document], list[Path]]:
    """The layers of a file: its ``[policy]``, then those that ``[flow] policy`` names."""
    own: list[Document] = []
    if found is not None and "policy" in found.tree:
        lines = {
            key[1:]: line for key, line in found.lines.items() if key[:1] == ("policy",) and len(key) > 1
        }
        name = plain(str(found.path))
        own = [replace(from_tree(found.tree["policy"], name=name, lines=lines), file=name)]
    named, files = _named(flow.policy, root)
    return own + named, files


def _named(names: Sequence[str], base: Path) -> tuple[list[Document], list[Path]]:
    """The policies of these names, and the files of those that are files."""
    documents = [load(name, base=base) for name in names]
    files = [base / without_tilde(each.file) for each in documents if each.file]
    return documents, files


def _users(directory: Path | None) -> tuple[list[Document], list[Path]]:
    """The layers that the user's own file adds to every project."""
    found = _read(directory / FILE, ()) if directory is not None else None
    if found is None:
        return [], []
    documents, files = _layers(found, _flow(found, only=("policy",)), found.path.parent)
    return documents, [*files, found.path]


def _implied(flow: FlowSection, documents: Sequence[Document], name: str) -> list[Document]:
    """The layers that other settings stand for."""
    made: list[Document] = []
    if flow.keychain is not None:
        tree = {"keychain": msgspec.to_builtins(flow.keychain)}
        made.append(from_tree(tree, name=f"{plain(name)} [flow.keychain]"))
    lists = [document.policy.capabilities for document in documents]
    if flow.default == "deny" and all(each is None or each.allow is None for each in lists):
        made.append(from_tree({"capabilities": {"allow": []}}, name=f'{plain(name)} [flow] default = "deny"'))
    return made


def _yes(environ: Mapping[str, str], name: str) -> bool:
    value = environ.get(name, "").strip().lower()
    if value in _YES:
        return True
    if value in _NO:
        return False
    raise PolicyError(f"{name} is {shown(value)}", hint="Set it to 1 or 0.")


def _path(text: str, base: Path, home: Path) -> Path:
    """A path of the settings: ``~`` is the home directory, a relative one is beside the file."""
    if text == "~" or text.startswith("~/"):
        return home / text[2:]
    return base / text
