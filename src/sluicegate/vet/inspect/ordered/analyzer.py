"""What is ordered to run and is not in the skill is a gap: nobody inspected it.

1. Commands of texts, scripts, recipes, hooks and servers; calls with constants of Python and JavaScript; sentences.
2. What a command of the skill makes before is there when it is run; a copy is judged by what it is a copy of.
3. Each path is looked up (``Places.where``). Before a gap is told, the text around is asked: a file that the text has
   the agent write, and a command that it forbids, are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.ordered.orders import Made, Order, plain
from sluicegate.vet.inspect.ordered.places import HERE, OF_USERS, OWN, Base, BundlePaths, Where, slashed
from sluicegate.vet.inspect.ordered.prefilter import LOADS_BY_NAME, PROGRAM, may_run, program_may_run
from sluicegate.vet.inspect.ordered.sentences import elsewhere, of_prose
from sluicegate.vet.inspect.ordered.shell.reading import STEPS, ShellText, runs_itself
from sluicegate.vet.inspect.rule import Inspected, Rule, Subject
from sluicegate.vet.inspect.siblings import said
from sluicegate.vet.intake.bundle import PROSE, Kind
from sluicegate.vet.intake.views.programs.language import named
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.types import Gap, GapReason

MOST = 100
"""Gaps of this kind that are told one by one."""
SHOWN = 160
"""Characters of an ordered path that are shown."""

_SETTINGS = frozenset({Kind.JSON, Kind.YAML, Kind.TOML, Kind.INI, Kind.PLIST})
_PROGRAMS = frozenset({Kind.PYTHON, Kind.JAVASCRIPT, Kind.TYPESCRIPT})
_TEXTS = frozenset({Kind.MARKDOWN, Kind.TEXT})
_CUT = "too many commands to look for the files that all of them run"
_SCRIPTS = frozenset({Kind.RUBY, Kind.PERL, Kind.PHP, Kind.LUA, Kind.R})
_LOADS_HERE = ('"./', "'./", "loadlib")
"""One of them stands in a script that loads one without a suffix from where it stands."""
_WINDOWS = frozenset({Kind.BATCH, Kind.POWERSHELL})
_READ = _TEXTS | _PROGRAMS | _SCRIPTS | _WINDOWS | {Kind.SHELL}
_WHERE_IT_IS = {
    Where.MISSING: "is not a file of the skill",
    Where.BESIDE: "stands beside this file and was not read; scan the folder",
    Where.OUTSIDE: "stands outside of the skill",
}
_GIVEN = lazy(
    r"\b(?:node|deno|bun|tsx|ts-node|electron)[ \t][^\n;|&]{0,200}?([\w./@-]{1,200}\.[mc]?[jt]sx?)\b"
)
"""A program in JavaScript and the runtime that it is given to."""
_ASKED_FOR = lazy(
    r"\b(?:npm|pnpm|yarn|bun|make|gmake|just|task)[ \t](?:run(?:-script)?[ \t])?(?:-\S{1,40}[ \t]){0,3}([\w:.-]{1,80}\w)"
)
"""A script or a recipe, and the program that runs it by its name."""
_INSTALLED = lazy(
    r"\b(?:npm[ \t](?:install|i|ci)|(?:pnpm|bun)[ \t](?:install|i)|yarn(?:[ \t]install)?)(?=[ \t]*(?:$|[`;&|\"')]))",
    re.MULTILINE,
)
"""What installs the package of the folder, and runs what that has run for it."""
_ON_INSTALLING = frozenset({"preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"})
_MADE = lazy(r"(?:^|[`;&|])[ \t]*(?:\$[ \t])?(?:make|gmake)(?=[ \t]*(?:$|[`;&|\"')]))", re.MULTILINE)
"""What makes the first recipe."""
_NEGATED = lazy(
    r"\b(?:never|(?:do|does|should|must|can|will)(?: not|n['\u2019]t)|cannot|don['\u2019]t|avoid|instead of|rather than)\b"
    r"(?!\s+(?:forget|skip|hesitate|fail|only|just|work|exist|help|succeed|start|respond|wait|stop|ask)\b)"
    r"(?:(?!\b(?:if|when|before|until|unless|without|and|so|then|but)\b)[^.,;:!?\n`]){0,40}`?[\w ./-]{0,20}$",
    re.IGNORECASE,
)


class OrderedFiles:
    """Looks for files that are ordered to run and are not in the bundle. It has no rules: what it tells are gaps."""

    name = "ordered files"
    rules: Mapping[str, Rule] = {}

    def inspect(self, subject: Subject) -> Inspected:
        """The gaps, one for each path and text that orders it."""
        reading = _Reading(subject)
        gaps: dict[tuple[str, str], Gap] = {}
        more = 0
        for order, where in reading.absent():
            if len(gaps) == MOST:
                more += 1
                continue
            gaps[order.view.path, order.path] = _gap(order, where)
        if more:
            detail = f"{more} more orders to run what is not in the skill"
            gaps["", ""] = Gap(path="", reason=GapReason.NOT_IN_BUNDLE, detail=detail)
        return Inspected(gaps=tuple(sorted({*gaps.values(), *reading.cut})))


def _gap(order: Order, where: Where) -> Gap:
    line = order.view.artifact_lines(order.start, order.end)[0]
    path = _bare(order.path)
    shown = path if len(path) <= SHOWN else f"{path[:SHOWN]}... ({digest(path)[:16]})"
    detail = f"line {line}: {shown} {_WHERE_IT_IS[where]}"
    return Gap(path=order.view.path, reason=GapReason.NOT_IN_BUNDLE, detail=detail)


class _Reading:
    """The texts of one bundle, read for orders and for what is made."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._raw = {view.path: view for view in subject.views if not view.origin}
        self._made: dict[str, Made] = {}
        self._steps = STEPS
        self.cut: set[Gap] = set()
        """What was not read to its end."""
        self._excuses: dict[tuple[str, str], bool] = {}

    @cached_property
    def _places(self) -> BundlePaths:
        bundle = self._subject.bundle
        return BundlePaths((artifact.path for artifact in bundle.artifacts), self._own(), bundle.beside)

    def absent(self) -> Iterator[tuple[Order, Where]]:
        """The orders whose file is not in the bundle, in order of the views; each path of a text once."""
        orders: list[Order] = []
        for view in self._subject.views:
            if view.language in _READ and (view.language not in _TEXTS or _is_text(view)):
                orders += self._orders(view)
        if any(order.base is Base.MODULE for order in orders):
            self._places.started = self._started(orders)
        told: set[tuple[str, str]] = set()
        for order in orders:
            key = (order.view.path, order.path)
            if key in told:
                continue
            where = self._where(order.path, order)
            if order.module and where is not Where.FINE and self._is_installed(order.module):
                continue
            if where is not Where.FINE and not self._forbidden(order) and not self._written(order):
                told.add(key)
                yield order, where

    def _is_installed(self, module: str) -> bool:
        top = module.partition("/")[0]
        own = "/" in module and (top in self._places.packages or top == "scripts")
        return not own and self._is_installed_package(top)

    def _is_installed_package(self, name: str) -> bool:
        from sluicegate.vet.inspect.ordered.modules import is_installed

        return is_installed(name, (view.text for view in self._raw.values()))

    def _started(self, orders: list[Order]) -> frozenset[str]:
        """The files of the skill that one of the orders runs, and the modules that these load."""
        loaded: dict[str, list[Order]] = {}
        started = dict.fromkeys(self._given())
        for order in orders:
            if order.base is Base.MODULE:
                loaded.setdefault(order.view.path, []).append(order)
            elif found := self._places.found(order.path, order.view.path, order.base):
                started[found] = None
        waiting = list(started)
        while waiting:
            for order in loaded.pop(waiting.pop(), ()):
                found = self._places.found(order.path, order.view.path, order.base)
                if found and found not in started:
                    started[found] = None
                    waiting.append(found)
        return frozenset(started)

    def _given(self) -> Iterator[str]:
        """The files of the skill that a command gives to a runtime of JavaScript, whether or not it is read for orders."""
        for view in self._subject.views:
            for found in _GIVEN.finditer(view.text) if view.language is Kind.SHELL else ():
                if path := self._places.found(found[1], view.path, Base.SKILL):
                    yield path

    def _orders(self, view: View) -> list[Order]:
        if view.language is Kind.SHELL:
            written = slashed(view.text)  # who writes a backslash in a path means Windows
            asked = self._is_asked(view)
            if _shown_only(view) or not (asked or runs_itself(view) or may_run(written, self._places)):
                return []
            script = not view.origin or view.artifact.kind not in PROSE
            recipe = _recipe(view) is not None
            text = ShellText(view, self._places, script=script, asked=asked, recipe=recipe)
            most = self._subject.limits.syntax_bytes
            done = text.read(written[:most], self._steps)
            self._steps -= done.steps
            if done.partial or len(view.text) > most:
                self.cut.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=_CUT))
            for made in text.made:
                self._made.setdefault(made.path, made)
            return text.orders
        if view.language not in _TEXTS:
            return (
                self._of_program(view)
                if not view.origin or view.origin[-1].kind in ("command", "fence", "bang-command")
                else []
            )
        placed = list(elsewhere(view, self._places))
        starts = {order.start for order in placed}  # by its name alone it would be told a second time
        return [*(order for order in of_prose(view, self._places) if order.start not in starts), *placed]

    @cached_property
    def _targets(self) -> frozenset[str]:
        """The scripts of a package.json and the recipes that a text of the skill has run, by their names."""
        texts = [view.text for view in self._subject.views if view.language in _TEXTS and not view.origin]
        named = frozenset(found[1] for text in texts for found in _ASKED_FOR.finditer(text))
        if any(_INSTALLED.search(text) is not None for text in texts):
            named |= _ON_INSTALLING
        return named | self._first if any(_MADE.search(text) is not None for text in texts) else named

    @cached_property
    def _first(self) -> frozenset[str]:
        """The recipes that stand first in a file of the skill."""
        first: dict[str, str] = {}
        for view in self._subject.views:
            if (name := _recipe(view)) is not None and view.origin[0].detail.startswith("recipe"):
                first.setdefault(view.path, name)
        return frozenset(first.values())

    def _is_asked(self, view: View) -> bool:
        """Whether a text of commands is a recipe of the skill that one of its texts has run."""
        name = _recipe(view)
        return name is not None and OF_USERS.search(view.path) is None and name in self._targets

    def _of_program(self, view: View) -> list[Order]:
        """The orders of a program in another language than the shell's. The readers are imported when there is one."""
        imports: list[Order] = []
        if view.language is Kind.PYTHON and not view.origin:
            if "from ." in view.text:
                from sluicegate.vet.inspect.ordered.calls import of_imports

                imports += of_imports(view, self._places)
            if one_of(("import _", "from _", *self._places.packages), view.text):
                from sluicegate.vet.inspect.ordered.modules import of_own_imports

                imports += of_own_imports(view, self._places, self._is_installed_package)
        read = slashed(view.text) if view.language in _WINDOWS else view.text
        if not (
            program_may_run(read)
            or (view.language in _WINDOWS and PROGRAM.search(read))
            or (view.language in _PROGRAMS and one_of(LOADS_BY_NAME, read))
            or (view.language in _SCRIPTS and (PROGRAM.search(read) or one_of(_LOADS_HERE, read)))
        ):
            return imports
        if view.language in _WINDOWS:
            from sluicegate.vet.inspect.ordered.windows import of_windows

            orders, partial = of_windows(view)
        elif view.language in _SCRIPTS:
            from sluicegate.vet.inspect.ordered.includes import of_script

            orders, partial = of_script(view)
        else:
            from sluicegate.vet.inspect.ordered.calls import ProgramText

            program = ProgramText(view)
            orders, partial = program.orders, program.partial
        if partial:
            self.cut.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=_CUT))
        return [*imports, *orders]

    def _where(self, path: str, order: Order, hops: int = 4) -> Where:
        bare = plain(path)
        made = self._made.get(bare) or self._made_around(bare)
        if made is not None:
            if not made.source or not hops:
                return Where.FINE
            source = made.source if made.folder else made.source + bare[len(made.path) :]
            return self._where(source, order, hops - 1)
        where = self._places.where(path, order.view.path, order.base)
        return Where.FINE if where is not Where.FINE and self._made_inside(path) else where

    def _made_inside(self, path: str) -> bool:
        """Whether the path stands in a folder that a command makes, or is a file that a program was seen to write."""
        bare = plain(path)
        written = f"fs:w:{bare}"
        able = (c.path for c in self._subject.capabilities if c.name == written)
        return any(self._raw[path].language in _PROGRAMS for path in able if path in self._raw)

    def _made_around(self, path: str) -> Made | None:
        """The folder, made or copied, in which a path stands."""
        at = path.rfind("/") if self._made else -1
        while at > 0:
            made = self._made.get(path[:at])
            if made is not None and (made.folder or made.source):
                return made
            at = path.rfind("/", 0, at)
        return None

    def _own(self) -> set[str]:
        bundle = self._subject.bundle
        own = {bundle.name.lower(), bundle.root.rpartition("/")[2].lower()}
        for path, view in self._raw.items():
            if path.rpartition("/")[2].lower() == "skill.md":
                own.add(said(view.text[:4096])[0].lower())
        return own

    def _forbidden(self, order: Order) -> bool:
        """Whether the text says on the same line that this is not to be run."""
        raw = self._prose(order)
        if raw is None:
            return False
        first, last = order.view.artifact_lines(order.start, order.end)
        starts = raw.line_starts()
        end = starts[last] if last < len(starts) else len(raw.text)
        line = raw.text[starts[min(first, len(starts)) - 1] : end]
        at = line.find(_bare(order.path))
        return _NEGATED.search(line[: max(at, 0)]) is not None

    def _written(self, order: Order) -> bool:
        """Whether the text has the agent write the file."""
        raw = self._prose(order)
        if raw is None:
            return False
        key = (raw.path, _bare(order.path))
        if key not in self._excuses:
            from sluicegate.vet.inspect.ordered.writing import told_to_write

            path = _bare(order.path)
            built = re.search(
                rf"(?<!\w)-o[ \t]*(?:\./)?{re.escape(path)}(?![\w./-])", raw.text
            )  # a comment, say
            self._excuses[key] = built is not None or told_to_write(raw.text, path)
        return self._excuses[key]

    def _prose(self, order: Order) -> View | None:
        raw = self._raw.get(order.view.path)
        return raw if raw is not None and raw.language in PROSE else None


def _recipe(view: View) -> str | None:
    """The name of the recipe, or of the script of a package.json, that a text of commands is."""
    if len(view.origin) != 1 or view.origin[0].kind != "command":
        return None
    kind, _, name = view.origin[0].detail.replace(" ", ".", 1).partition(".")
    return name if kind == "recipe" or (kind == "scripts" and view.path.endswith("package.json")) else None


def _is_text(view: View) -> bool:
    """Whether a view is a whole text: as it stands, or with look-alike letters made plain."""
    return not view.origin or (len(view.origin) == 1 and view.origin[0].kind == "normalised")


def _bare(path: str) -> str:
    """A path as it stands in the text, without what stands for a folder."""
    return path.replace(OWN, "").replace(HERE, "").removeprefix("./")


def _shown_only(view: View) -> bool:
    """Whether what a text shows is not carried out, or is read elsewhere: an example of settings, a container's."""
    steps = view.origin
    if steps and steps[-1].kind == "spliced":  # the reader of commands splices too
        return True
    if view.artifact.kind in PROSE and any(step.kind == "command" for step in steps):
        fence = next((step for step in steps if step.kind == "fence"), None)
        if fence is not None and named(fence.detail) in _SETTINGS:
            return True
    return view.artifact.kind is Kind.DOCKERFILE or any(step.detail == "dockerfile" for step in steps)
