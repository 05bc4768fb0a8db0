"""What may happen at all: the lists of one policy, compiled.

A deny and a danger match widely: the beginning of a command's words is enough, options count wherever they
stand, and what is not known counts as a match. An allow matches exactly: every argument as it is written, and
what is not known only where everything is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from sluicegate.flow.policy.request import CommandView, Token
from sluicegate.flow.policy.rules.entries import ListEntry, ReadList
from sluicegate.flow.policy.rules.methods import method_of
from sluicegate.flow.policy.rules.options import Required, covers, given, required
from sluicegate.flow.policy.rules.places import Place, exact_path, path_segments, patterns
from sluicegate.flow.policy.rules.subjects import CommandSubject, RequestSubject, Subjects
from sluicegate.flow.policy.rules.trie import REST, Segment, Trie, segment


class ListedCapability(Struct, frozen=True):
    """An entry of a list, compiled: what else has to hold where its pattern matches."""

    entry: ListEntry
    options: Required = ()

    def about_method(self, view: CommandView, *, wide: bool) -> bool:
        """Whether the HTTP method is one of the entry's; for a deny, also if it cannot be told."""
        if self.entry.methods is None:
            return True
        method = method_of(view)
        return method in self.entry.methods or (wide and not method)


def _token(part: str) -> Segment:
    return REST if part == "*" else segment(part)


def _host(domain: str) -> list[Segment]:
    if domain.startswith("*."):
        return [*reversed(domain[2:].split(".")), segment("*"), REST]
    return list(reversed(domain.split(".")))


class _Tries:
    """What allows and denies have in common: whole categories, files, hosts, and the rest by its tokens."""

    __slots__ = ("files", "hosts", "names", "others", "paths", "whole")

    def __init__(self) -> None:
        self.whole: dict[str, ListedCapability] = {}
        self.files: dict[str, Trie[ListedCapability]] = {"r": Trie(), "w": Trie()}
        self.hosts: Trie[ListedCapability] = Trie()
        self.others: dict[str, Trie[ListedCapability]] = {}
        self.names: Trie[ListedCapability] = Trie()
        self.paths: Trie[ListedCapability] = Trie()

    def add_file(self, entry: ListEntry, modes: str, place: Place, *, follow: bool) -> None:
        listed = ListedCapability(entry)
        for pattern in patterns(entry.parts[1], place, follow=follow):
            for mode in modes:
                self.files[mode].add(pattern, listed)

    def matched(self, subject: RequestSubject, *, wide: bool) -> list[ListedCapability]:
        """The entries that match a subject other than a command, those of whole categories left out."""
        if subject.category == "fs":
            trie = self.files[subject.mode]
        elif subject.category == "network":
            trie = self.hosts
        else:
            other = self.others.get(subject.category)
            if other is None:
                return []
            trie = other
        if subject.tokens is None:  # not known
            if wide and not subject.guessed:
                return trie.all()
            return trie.everything()
        return trie.find(subject.tokens, wide=wide)


class Denies(_Tries):
    """A list that matches widely: ``deny``, the danger table, and ``danger``, which opts into it."""

    __slots__ = ("loose",)

    def __init__(self, entries: Iterable[ListEntry], place: Place, *, opt_in: bool = False) -> None:
        super().__init__()
        self.loose: Trie[ListedCapability] = Trie()
        for entry in entries:
            if not entry.parts:
                self.whole.setdefault(entry.category, ListedCapability(entry))
            elif entry.category == "fs":
                modes = "rw" if opt_in and "w" in entry.parts[0] else entry.parts[0]
                self.add_file(entry, modes, place, follow=not opt_in)
            elif entry.category == "network":
                self.hosts.add(_host(entry.parts[0]), ListedCapability(entry))
            elif entry.category == "cmd":
                self._add_command(entry, place)
            else:
                trie = self.others.setdefault(entry.category, Trie())
                trie.add([*map(_token, entry.parts), REST], ListedCapability(entry))

    def _add_command(self, entry: ListEntry, place: Place) -> None:
        program, *rest = entry.parts
        elements = tuple(part for part in rest if part.startswith("-") and part != "-")
        options = required(program, elements, subcommand=rest[0] if rest else "")
        words = [_token(part) for part in rest if not part.startswith("-") or part == "-"]
        listed = ListedCapability(entry, options)
        loose = [each for word in words for each in (REST, word)]
        if "/" in program:
            for path in {exact_path(program, place, follow=each) for each in (False, True)}:
                self.paths.add([path, *words, REST], listed)
            return
        self.names.add([_token(program), *words, REST], listed)
        self.loose.add([_token(program), *loose, REST], listed)

    def commands(self, command: CommandSubject, *, wide: bool) -> list[ListedCapability]:
        """The entries that match a command."""
        found: list[ListedCapability] = []
        view = command.view
        if self.names.size:
            trie = self.names if view.words_known or not wide else self.loose
            for tokens in command.by_words:
                found += trie.find(tokens, wide=wide)
        if self.paths.size:
            found += self.paths.find((view.program, *view.words), wide=wide)
        if not found:
            return found
        flags, holes = view.flags, command.holes
        if not flags and not holes:
            found = [each for each in found if not each.options]
        return [
            each
            for each in found
            if given(each.options, flags, holes, wide=wide) and each.about_method(view, wide=wide)
        ]


class Allows(_Tries):
    """A list that matches exactly."""

    __slots__ = ("entries", "mentioned")

    def __init__(self, read: ReadList, place: Place) -> None:
        super().__init__()
        self.entries, self.mentioned = read.entries, read.mentioned
        for entry in read.entries:
            if not entry.parts:
                self.whole.setdefault(entry.category, ListedCapability(entry))
            elif entry.category == "fs":
                self.add_file(entry, "rw" if "w" in entry.parts[0] else entry.parts[0], place, follow=False)
            elif entry.category == "network":
                self.hosts.add(_host(entry.parts[0]), ListedCapability(entry))
            elif entry.category == "cmd":
                self._add_command(entry, place)
            else:
                parts = list(map(_token, entry.parts))
                trie = self.others.setdefault(entry.category, Trie())
                trie.add([*parts, REST] if len(parts) == 1 else parts, ListedCapability(entry))

    def _add_command(self, entry: ListEntry, place: Place) -> None:
        program, *rest = entry.parts
        words: list[Segment] = [_token(part) for part in rest] if rest else [REST]
        if "/" in program:
            self.paths.add([exact_path(program, place, follow=False), *words], ListedCapability(entry))
        else:
            self.names.add([_token(program), *words], ListedCapability(entry))

    def command(self, command: CommandSubject) -> ListedCapability | None:
        """The entry that allows a command, other than all commands."""
        found: list[ListedCapability] = []
        view = command.view
        if command.by_arguments is not None:
            found = self.names.find(command.by_arguments, wide=False)
        if self.paths.size and view.program:
            found += self.paths.find((view.program, *view.arguments), wide=False)
        for each in found:
            if each.entry.methods is None or each.about_method(view, wide=False):
                return each
        return None


class Missing(Struct, frozen=True):
    """A subject that no entry of an allow list allows."""

    subject: RequestSubject


class CompiledLists:
    """The capabilities of one policy."""

    __slots__ = ("allows", "autoverify", "denies", "opts", "opts_inside", "roots")

    def __init__(
        self,
        *,
        allow: ReadList | None,
        deny: ReadList,
        danger: ReadList,
        place: Place,
        inside: ReadList | None = None,
        autoverify: bool = False,
    ) -> None:
        self.allows = Allows(allow, place) if allow is not None else None
        self.denies = Denies(deny.entries, place)
        self.opts = Denies(danger.entries, place, opt_in=True)
        self.opts_inside = Denies(inside.entries, place, opt_in=True) if inside and inside.entries else None
        self.roots = _roots(place) if self.opts_inside is not None else ()
        self.autoverify = autoverify

    def denied(self, found: Subjects) -> ListedCapability | None:
        """The entry of the deny list that the request falls under.

        Denying a whole category beside entries that allow some of it means: nothing of it but those.
        Any narrower deny holds whatever is allowed.
        """
        denies = self.denies
        for subject in found.all:
            category = subject.category
            if category == "cmd" and found.command is not None:
                for other in found.command.categories:
                    if other != "network" and other in denies.whole:
                        return denies.whole[other]
                matched = denies.commands(found.command, wide=True)
            else:
                matched = denies.matched(subject, wide=True)
            if matched:
                return matched[0]
            whole = denies.whole.get(category)
            if whole is not None and self._allowing(subject, found) is None:
                return whole
        return self.denied_below(found)

    def denied_below(self, found: Subjects) -> ListedCapability | None:
        """The entry that denies something below a directory that the request reaches as a whole."""
        for subject in found.whole:
            matched = self.denies.files[subject.mode].below([str(each) for each in subject.tokens or ()])
            if matched:
                return matched[0]
        return None

    def _allowing(self, subject: RequestSubject, found: Subjects) -> ListedCapability | None:
        """The entry that allows a subject and is not about all of its category."""
        allows = self.allows
        if allows is None:
            return None
        if subject.category == "cmd" and found.command is not None:
            return allows.command(found.command)
        matched = allows.matched(subject, wide=False)
        return matched[0] if matched else None

    def missing(self, found: Subjects) -> Missing | None:
        """The first subject that the allow list, if there is one, does not allow.

        Gated subjects have to be allowed; others only if the list mentions their category.
        """
        allows = self.allows
        if allows is None or (self.autoverify and _is_verify(found.command)):
            return None
        for subject in found.all:
            category = subject.category
            if category in allows.whole or not (subject.gated or category in allows.mentioned):
                continue
            if self._allowing(subject, found) is None:
                return Missing(subject)
        return None

    def allowing(self, found: Subjects) -> list[ListedCapability]:
        """For explanations: the entries that allow the subjects of a request."""
        allows = self.allows
        if allows is None:
            return []
        each = [self._allowing(subject, found) or allows.whole.get(subject.category) for subject in found.all]
        return [listed for listed in each if listed is not None]

    def unopted(self, hits: tuple[DangerHit, ...], found: Subjects) -> DangerHit | None:
        """The first danger that the policy does not opt into."""
        for hit in hits:
            if not self._opted(hit, found):
                return hit
        return None

    def _opted(self, hit: DangerHit, found: Subjects) -> bool:
        opts, subject = self.opts, hit.subject
        if subject.category in opts.whole:
            return True
        if subject.category == "cmd" and found.command is not None:
            matched = opts.commands(found.command, wide=False)
            if self.opts_inside is not None and stays_below(found, self.roots):
                matched += self.opts_inside.commands(found.command, wide=False)
            return any(covers(each.options, hit.listed.options) for each in matched)
        return bool(opts.matched(subject, wide=False))


def _roots(place: Place) -> tuple[tuple[str, ...], ...]:
    """Below what ``danger_inside`` opts in: the project, and ``/tmp``. If the project holds the home directory, it is no place for
    that; nor is ``/tmp`` if one of the two lies there."""
    root, home = (path_segments(place.resolve(each)) for each in (place.base, place.home))
    roots = () if home[: len(root)] == root else (root,)
    return roots if ("tmp",) in (root[:1], home[:1]) else (*roots, ("tmp",))


def stays_below(found: Subjects, roots: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a command writes something, all of it known to lie below one of these places, and none of it in the folder that
    a repository keeps its history in."""
    written = [each.tokens for each in found.all if each.category == "fs" and each.mode == "w"]
    return bool(written) and all(
        tokens is not None
        and ".git" not in tokens
        and any(len(tokens) > len(root) and tokens[: len(root)] == root for root in roots)
        for tokens in written
    )


class DangerHit(Struct, frozen=True):
    """A danger that a request runs into."""

    listed: ListedCapability
    subject: RequestSubject
    why: str


_VERIFY: tuple[Token, ...] = ("sluicegate", "verify")


def _is_verify(command: CommandSubject | None) -> bool:
    """Whether it is the command with which a model verifies its instructions (part 14.6)."""
    return command is not None and command.by_arguments == _VERIFY
