"""Whether a policy of the right shape also makes sense: labels, targets, risks, places, paths of credentials.

A word that means nothing is never ignored: a misspelt label would protect nothing, and nobody would notice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from sluicegate.flow.errors import LabelError
from sluicegate.flow.labels import SOURCES
from sluicegate.flow.labels.names import check as check_label
from sluicegate.flow.labels.names import head, is_origin, shown
from sluicegate.flow.policy.rules.entries import read
from sluicegate.flow.policy.rules.places import literal_parts
from sluicegate.flow.policy.text.left_open import left_open
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.problems import Problem, dotted
from sluicegate.flow.policy.text.schema import (
    ALLOWED_IMAGES,
    DEFAULT_IMAGE,
    ArgumentRule,
    Auth,
    Hosts,
    Names,
    Policy,
    Setting,
    Words,
)
from sluicegate.flow.policy.text.vocabulary import (
    KNOWN_LABELS,
    KNOWN_TARGETS,
    OPERATION_KINDS,
    RISKS,
    confusable,
    meant_directory,
    meant_operation,
    nearest,
    no_operation,
    no_source,
)
from sluicegate.patterns import late

_VARIABLE: Final = late(r"[A-Za-z_][A-Za-z0-9_]*")
_STEERING: Final = frozenset({
    "PATH", "HOME", "SHELL", "IFS", "BASH_ENV", "ENV", "PROMPT_COMMAND", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT",
    "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "NODE_OPTIONS",
    "NODE_PATH", "PERL5OPT", "PERL5LIB", "RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "GIT_SSH_COMMAND", "GIT_ASKPASS",
    "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "PAGER", "EDITOR", "VISUAL", "BROWSER",
})  # fmt: skip
"""Variables that say what code a program runs: no place for a credential."""

_HOST: Final = late(r"(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_LANGUAGES: Final = ("sh", "py", "node", "js", "interpreter")


def problems(policy: Policy) -> list[Problem]:
    """Everything in a policy that means nothing, or something else than it looks like."""
    checker = _Checker(policy)
    checker.everything()
    return checker.found


class _Checker:
    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.found: list[Problem] = []
        self.own_labels = set(policy.vocabulary.labels)
        self.targets = {*KNOWN_TARGETS, *policy.vocabulary.operations}
        self.targets |= {":".join(each.split(":")[:1]) for each in self.targets}

    def wrong(self, path: Path, message: str, hint: str = "") -> None:
        self.found.append(Problem(path=path, message=message, hint=hint))

    def everything(self) -> None:
        policy = self.policy
        for key in ("name", "description"):
            text = getattr(policy, key)
            if len(text) > 2000 or not "".join(text.split()).isprintable():
                self.wrong((key,), "is too long, or holds what does not print")
        self.vocabulary()
        for name, rule in policy.labels.items():
            if head(name) == "trusted":
                self.wrong(
                    ("labels", name),
                    "cannot be a rule: a value loses 'trusted' by being joined, and would escape the rule",
                    "Write a rule about the label of what is to be held back, or use sources.",
                )
            self.data_label(name, ("labels", name))
            self.all_targets(rule.deny, ("labels", name, "deny"))
            self.all_targets(rule.allow or [], ("labels", name, "allow"))
        for target, risks in policy.operations.items():
            self.target(target, ("operations", target))
            self.risks(risks, ("operations", target))
        self.sources()
        self.data()
        self.defaults()
        for name, given in policy.auth.items():
            self.auth(name, given, ("auth", name))
        self.capabilities()
        self.environments()
        self.session()
        for tool, rules in self.policy.arguments.items():
            self.arguments(tool, rules)
        for at, path in enumerate(policy.privilege.paths if policy.privilege else []):
            self.glob(path, ("privilege", "paths", at))

    def session(self) -> None:
        """Tables of results that name nothing, and hosts that are none."""
        for name, fields in self.policy.session.results.items():
            path: Path = ("session", "results", name)
            if not name or name != name.strip() or not name.isprintable() or name.strip(":") != name:
                self.wrong(path, "names no tool", "Write SERVER:TOOL, as in github:list_issues.")
            if not (fields.id or fields.facts):
                self.wrong(path, "names no field", "Name the field of the id of an object, or facts.")
            if not fields.id and (fields.name or fields.creates or fields.lookup):
                self.wrong(path, "needs the field of the id of an object", 'Write id = "number", say.')
            if fields.fields and not (fields.id and fields.name):
                self.wrong(
                    path, "has fields that count by a name", 'Write id = "number" and name = "title", say.'
                )
        for at, host in enumerate(self.policy.session.hosts):
            if not _HOST.fullmatch(host):
                self.wrong(
                    ("session", "hosts", at),
                    f"{shown(host)} is not a host",
                    "Write example.com or *.example.com.",
                )

    def arguments(self, tool: str, rules: Mapping[str, ArgumentRule]) -> None:
        """Rules about arguments that say nothing, or that nothing could meet."""
        if not tool or tool != tool.strip() or not tool.isprintable() or tool != tool.strip(":"):
            self.wrong(("arguments", tool), "names no tool", "Write SERVER:TOOL, as in github:create_issue.")
        for name, rule in rules.items():
            path: Path = ("arguments", tool, name)
            if not name or not name.isprintable():
                self.wrong(path, "names no argument")
            given = (rule.eq, rule.one_of, rule.prefix, rule.glob, rule.max)
            if all(each is None for each in given) and not rule.known:
                self.wrong(path, "has no condition", "Write eq, one-of, prefix, glob, max or known.")
            if rule.one_of == []:
                self.wrong((*path, "one-of"), "lists nothing, so no argument could hold it")
            if rule.max is not None and rule.max != rule.max:
                self.wrong((*path, "max"), "is not a number, so no argument could hold it")
            if rule.max in (float("inf"), float("-inf")):
                self.wrong((*path, "max"), "is not a bound", "Write a number.")
            if rule.prefix == "" or (rule.glob is not None and not rule.glob.strip("*/")):
                self.wrong(path, "holds for every text", "Leave the rule out, or say more.")

    def vocabulary(self) -> None:
        for at, name in enumerate(self.policy.vocabulary.labels):
            self.well_formed(name, ("vocabulary", "labels", at))
        for at, name in enumerate(self.policy.vocabulary.operations):
            path: Path = ("vocabulary", "operations", at)
            if self.well_formed(name, path) and head(name) == "op":
                self.wrong(path, "the labels that begin with op: are given, not declared")

    def well_formed(self, name: str, path: Path) -> bool:
        try:
            check_label(name)
        except LabelError as error:
            hint = error.hint
            if name.endswith(":*"):
                hint = f"Write {shown(name[:-2])}: it is about everything below it too."
            self.wrong(path, error.message, hint)
            return False
        return True

    def data_label(self, name: str, path: Path) -> None:
        """A label of values, as a rule names it."""
        if name == "*" or not self.well_formed(name, path) or name in self.own_labels:
            return
        first, _, rest = name.partition(":")
        source = rest.split(":")[0]
        if first == "op":
            self.wrong(
                path, f"{shown(name)} is a label of operations, not of data", "Use it under deny or allow."
            )
        elif first == "src" and rest and (hint := no_source(source)) is not None:
            self.wrong(path, f"there is no source {shown(name)}", hint)
        elif first == "dir":
            # Sources take globs there.
            if rest and path[0] != "sources" and (meant := meant_directory(name)) != name:
                hint = f"Write {meant}." if meant else "Write the whole path, without ~."
                self.wrong(path, f"no directory has the label {shown(name)}", hint)
        else:
            meant = confusable(first, KNOWN_LABELS)
            if meant and first not in self.own_labels:
                self.wrong(
                    path,
                    f"{shown(name)} is not a known label",
                    f"Did you mean {meant}? If it is a label of your own, list it in vocabulary.labels.",
                )

    def all_targets(self, targets: Words, path: Path) -> None:
        for at, target in enumerate([targets] if isinstance(targets, str) else targets):
            self.target(target, path if isinstance(targets, str) else (*path, at))

    def target(self, name: str, path: Path) -> None:
        """A label of operations, as a rule names it."""
        if name == "*" or not self.well_formed(name, path):
            return
        parts = name.split(":")
        if parts[0] == "op":
            if len(parts) > 1 and (hint := no_operation(parts[1])) is not None:
                self.wrong(path, f"there is no operation {shown(name)}", hint)
            elif len(parts) > 2 and (meant := meant_operation(name)) != name:
                self.wrong(path, f"no operation has the label {shown(name)}", f"Write {meant}.")
        elif not any(":".join(parts[:length]) in self.targets for length in range(1, len(parts) + 1)):
            hint = nearest(name, {*self.targets, *(f"op:{kind}" for kind in OPERATION_KINDS)})
            own = "If operations of your own carry it, list it in vocabulary.operations."
            self.wrong(path, f"{shown(name)} is not a known operation label", f"{hint} {own}".strip())
        elif (
            parts[0] in ("net", "fs", "code", "data")
            and len(parts) > 1
            and f"{parts[0]}:{parts[1]}" not in self.targets
        ):
            known = sorted(each for each in self.targets if each.startswith(f"{parts[0]}:"))
            self.wrong(path, f"{shown(name)} is not a known operation label", nearest(name, known))

    def risks(self, risks: Words, path: Path) -> None:
        for at, risk in enumerate([risks] if isinstance(risks, str) else risks):
            where = path if isinstance(risks, str) else (*path, at)
            if self.well_formed(risk, where) and head(risk) not in RISKS:
                hint = nearest(risk, RISKS)
                if path[-1] in RISKS:
                    hint = 'Write it the other way round: "op:cmd:git:push" = "exfil".'
                self.wrong(where, f"there is no risk {shown(risk)}", hint)

    def sources(self) -> None:
        for name, value in self.policy.sources.items():
            path: Path = ("sources", name)
            if not self.well_formed(name, path):
                continue
            if not is_origin(name):
                self.wrong(
                    path, f"{shown(name)} is not a source", nearest(name, [f"src:{each}" for each in SOURCES])
                )
                continue
            self.data_label(name, path)
            if isinstance(value, dict):
                if name != "src:file":
                    self.wrong(path, "only src:file is told apart by path", f'Write "{name}" = "untrusted".')
                self.globs((glob for glob in value if glob != "default"), path)

    def data(self) -> None:
        for key, words in self.policy.data.items():
            path: Path = ("data", key)
            if not key.startswith("path:"):
                self.wrong(path, f"{shown(key)} is no place", f"Write {shown('path:' + key)}.")
            else:
                self.glob(key.removeprefix("path:"), path)
            for at, name in enumerate([words] if isinstance(words, str) else words):
                where = path if isinstance(words, str) else (*path, at)
                if head(name) in ("trusted", "untrusted"):
                    self.wrong(where, "trust is not a matter of data", 'Write it in sources."src:file".')
                elif is_origin(name):
                    self.wrong(where, f"{shown(name)} says where a value came from; that is not declared")
                else:
                    self.data_label(name, where)

    def globs(self, globs: Iterable[str], path: Path) -> None:
        for glob in globs:
            self.glob(glob, (*path, glob))

    def glob(self, glob: str, path: Path) -> None:
        """A glob of paths, by the rules of ``fs:`` capabilities."""
        hidden: list[Problem] = []
        read([f"fs:r:{glob}"], (), hidden)
        self.found += [Problem(path=path, message=each.message, hint=each.hint) for each in hidden]
        rest = glob.split("/")[len(literal_parts(glob)) :]
        if glob.endswith("/"):
            self.wrong(
                path,
                f"{shown(glob)} is a folder, and says nothing of the files in it",
                f"Write {glob}** for all below it.",
            )
        if ".." in rest:
            self.wrong(path, "a .. after a wildcard leads anywhere", "Write the place that it leads to.")

    def defaults(self) -> None:
        defaults = self.policy.defaults
        if isinstance(defaults.autosign, list):
            for at, kind in enumerate(defaults.autosign):
                if kind not in ("templates", "variables"):
                    hint = nearest(kind, ["templates", "variables"])
                    self.wrong(("defaults", "autosign", at), f"cannot be {shown(kind)}", hint)

    def auth(self, name: str, given: Auth | str, path: Path) -> None:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", name):
            self.wrong(path, f"{shown(name)} is not a name of a credential", "Use letters, digits, - and _.")
        if isinstance(given, str):
            self.variable(given, path)
            return
        self.variable(given.as_, (*path, "as"))
        kind, colon, place = given.from_.partition(":")
        where = (*path, "from")
        if not colon or kind not in ("keychain", "env", "op"):
            self.wrong(
                where,
                f"{shown(given.from_)} is no place of a credential",
                "Write keychain:SERVICE/ACCOUNT, env:NAME or op://VAULT/ITEM/FIELD.",
            )
        elif kind == "env" and not _VARIABLE.fullmatch(place):
            self.wrong(where, f"{shown(place)} is not the name of an environment variable")
        elif kind == "keychain" and not re.fullmatch(r"[^\s/]+(/[^\s/]+)+", place):
            self.wrong(where, f"{shown(place)} is not an entry", "Write keychain:SERVICE/ACCOUNT.")
        elif kind == "op" and not re.fullmatch(r"//[^/]+(/[^/]+){2,3}", place):
            self.wrong(where, f"{shown(given.from_)} is not a reference", "Write op://VAULT/ITEM/FIELD.")

    def variable(self, name: str, path: Path) -> None:
        if not _VARIABLE.fullmatch(name):
            self.wrong(path, f"{shown(name)} is not the name of an environment variable")
        elif name.upper() in _STEERING:
            self.wrong(
                path, f"{name} says what code a program runs", "Use a variable that holds a credential."
            )

    def capabilities(self) -> None:
        given = self.policy.capabilities
        if given is None:
            return
        for key in ("allow", "danger", "danger_inside", "deny"):
            entries = getattr(given, key)
            if entries is None:
                continue
            for entry in read(entries, ("capabilities", key), self.found).entries:
                if entry.category == "fs" and entry.parts:
                    self.glob(entry.parts[1], entry.path)
                if key == "danger_inside" and entry.category != "cmd":
                    self.wrong(
                        entry.path, "only a command can stay inside of the project", "List it in danger."
                    )
                if entry.category == "keychain" and key == "allow":
                    self.wrong(
                        entry.path,
                        "the keychain is opted into, not allowed",
                        "List @keychain in capabilities.danger.",
                    )

    def environments(self) -> None:
        keychain, env = self.policy.keychain, self.policy.env
        if keychain is not None:
            lists: Mapping[str, list[str]] = {"allow": keychain.allow or [], "deny": keychain.deny}
            self.not_empty(lists, ("keychain",))
        if env is None:
            return
        if env.default is not None and env.providers is not None and env.default not in env.providers:
            self.wrong(("env", "default"), "is not among env.providers", nearest(env.default, env.providers))
        for provider, settings in (env.providers or {}).items():
            self.images(("env", "providers", provider), settings)
        for key in ("tools", "mcps"):
            names = getattr(env, key)
            if isinstance(names, Names):
                self.not_empty({"allow": names.allow or [], "deny": names.deny}, ("env", key))
            elif names is not None:
                self.not_empty({key: names}, ("env",))
        if isinstance(env.net, Hosts):
            read([f"network:{host}" for host in env.net.allow], ("env", "net", "allow"), self.found)

    def images(self, path: Path, settings: Mapping[str, Setting]) -> None:
        """The images that a provider may begin with."""
        listed, default = settings.get(ALLOWED_IMAGES, []), settings.get(DEFAULT_IMAGE, "")
        if isinstance(listed, list):
            self.not_empty({ALLOWED_IMAGES: listed}, path)
        else:
            self.wrong((*path, ALLOWED_IMAGES), "is not a list of images", 'Write ["node:*", "debian:12"].')
        if not isinstance(default, str):
            self.wrong((*path, DEFAULT_IMAGE), "is not an image", 'Write "node:22-alpine".')

    def not_empty(self, lists: Mapping[str, list[str]], path: Path) -> None:
        for key, names in lists.items():
            for at, name in enumerate(names):
                if not name.strip() or not name.isprintable():
                    self.wrong((*path, key, at), "is empty, or holds what does not print")


def remarks(policy: Policy) -> list[Problem]:
    """What a policy says without any effect, though there is nothing wrong with it."""
    found: list[Problem] = []
    denies = [target for rule in policy.labels.values() for target in _list(rule.deny)]
    distrusts = policy.defaults.unlabeled == "untrusted" or any(
        "untrusted" in ([value] if isinstance(value, str) else value.values())
        for value in policy.sources.values()
    )
    for name, rule in policy.labels.items():
        if rule.allow is not None and not denies and not distrusts:
            path: Path = ("labels", name, "allow")
            hint = "Nothing is denied that it could except, and nothing is untrusted by default."
            found.append(Problem(path=path, message="has no effect", hint=hint))
    exfil_rules = {"no-secret-exfil", "no-sensitive-exfil"} & set(policy.defaults.rules)
    if exfil_rules and not any(
        head(risk) == "exfil" for risks in policy.operations.values() for risk in _list(risks)
    ):
        found.append(
            Problem(
                path=("defaults", "rules"),
                message=f"{', '.join(sorted(exfil_rules))}: {dotted(('operations',))} makes nothing exfil",
                hint="The rule then holds only for operations that are declared as exfil themselves.",
            )
        )
    if policy.sources.get("src:exec") == "trusted" and distrusts:
        found.append(
            Problem(
                path=("sources", "src:exec"),
                message="vouches for whatever commands and code give: what is untrusted goes in, and comes out trusted",
                hint="Leave it out, so that code carries on what it could have read.",
            )
        )
    return [*found, *_not_read(policy), *_not_held(policy), *left_open(policy)]


def _not_read(policy: Policy) -> list[Problem]:
    """Settings of providers that nothing reads: a policy that relied on one would hold less than it says."""
    providers = (policy.env.providers if policy.env else None) or {}
    return [
        Problem(
            path=("env", "providers", name, key),
            message="has no effect",
            hint=f"Policies know {ALLOWED_IMAGES} and {DEFAULT_IMAGE} of a provider.",
        )
        for name, settings in providers.items()
        for key in settings
        if key not in (ALLOWED_IMAGES, DEFAULT_IMAGE)
    ]


def _not_held(policy: Policy) -> list[Problem]:
    """That a deny of some commands, files or hosts leaves open what can do the same unseen.

    A script, a build or a hook starts programs and opens files by itself. An allow list closes what is not on it;
    a deny list closes what somebody thought of.
    """
    given = policy.capabilities
    if given is None or not given.deny:
        return []
    ignored: list[Problem] = []
    denied = read(given.deny, ("capabilities", "deny"), ignored).entries
    narrow = [each.text for each in denied if each.parts and each.category in ("cmd", "fs", "network")]
    whole = {each.category for each in denied if not each.parts}
    left = {"cmd", *_LANGUAGES}
    if given.allow is not None:
        allowed = read(given.allow, ("capabilities", "allow"), ignored).entries
        left &= {each.category for each in allowed if not each.parts}
    if not narrow or "cmd" in whole or not left - whole:
        return []
    and_more = f" and {len(narrow) - 1} more" if len(narrow) > 1 else ""
    still = [each for each in _LANGUAGES if each in left - whole]
    closing = f"Denying {', '.join(still)} as well closes some of it. " if still else ""
    return [
        Problem(
            path=("capabilities", "deny"),
            message=f"holds {shown(narrow[0])}{and_more} only where a command says so; a script, a build or a hook can do "
            "the same unseen (bash x.sh, make, npm run)",
            hint=f"An allow list (capabilities.allow) closes what is not on it. {closing}"
            "What no list sees, an environment holds (env.default, env.net).",
        )
    ]


def _list(words: Words) -> list[str]:
    return [words] if isinstance(words, str) else words
