"""Files that a tool runs by itself when it opens, tests, builds or commits what lies beside them.

Nobody starts them: an editor opens the folder, a test runner collects, an interpreter starts, git commits. What
they are is told by their name and keys, what they do by the flows and capabilities that the analyzers of code
found in them, or by the weight of the command that they hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sluicegate.known import hosts, names
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.structures.registry import (
    CRITICAL,
    HIGH,
    LOW,
    MEDIUM,
    BundleFacts,
    base_name,
    rule,
    structure_rule,
    weighed,
)
from sluicegate.vet.inspect.analyzers.structures.weigh import Weight, weigh
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import PROSE, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy, seldom
from sluicegate.vet.verdict.types import Category, Severity

AUTORUN = rule(
    "auto-run-file", "Ships a file that a tool runs by itself", Category.REMOTE_CODE, MEDIUM, 600,
    why="An editor, a test runner, an interpreter, a build or git runs this file when it meets the folder. Nobody decides to, and "
    "hardly anybody reads it.",
    fix="Read the file before you open, test, build or commit in this folder; or remove it.",
    references=("ASI05", "ASI10", "T1546", "T1059", "CWE-506"),
)  # fmt: skip

_READ = 1 << 18
"""Characters of a text of commands that are weighed line by line."""
STANDS = 400
"""Confidence from which a finding of another rule counts as an act of the file."""

_COLLECTED = seldom(
    "conftest.py noxfile fabfile tasks dodo wscript sconstruct".split(),
    r"(?:^|/)conftest\.py$|(?:^|/)(?:noxfile|fabfile|tasks|dodo|wscript|SConstruct)(?:\.py)?$",
)
_STARTED = seldom(
    "customize.py .ipython/ _config.py".split(),
    r"(?:^|/)(?:sitecustomize|usercustomize)\.py$|(?:^|/)\.ipython/[^/]{1,60}/startup/[^/]{1,80}\.(?:py|ipy)$|(?:^|/)(?:ipython|jupyter_\w{1,20})_config\.py$",
)
_CONFIGURED = seldom(
    ".js .cjs .mjs .ts .mts .cts".split(),
    r"(?:^|/)(?:(?:vite|vitest|next|nuxt|webpack|rollup|babel|jest|eslint|prettier|stylelint|tailwind|postcss|astro|svelte|metro|playwright|cypress"
    r"|commitlint|karma|gulpfile|Gruntfile)(?:\.config)?|\.(?:eslintrc|prettierrc|babelrc|stylelintrc|mocharc)|\.?pnpmfile)\.(?:js|cjs|mjs|ts|mts|cts)$",
)
_READ_BY_RUBY = seldom(
    "file .gemspec".split(),
    r"(?:^|/)(?:Gemfile|Rakefile|Guardfile|Vagrantfile|Brewfile|Podfile|Fastfile|[\w-]{1,60}\.gemspec)$",
)
_HOOK = seldom(
    "hooks/ .husky/".split(),
    r"(?:^|/)(?:\.git/hooks|\.?githooks|\.husky|git-hooks)/(?!_/)[\w-]{2,40}(?:\.sh)?$",
)
_ENTERED = seldom(
    ".envrc .autoenv .in .bash .zsh .profile".split(),
    r"(?:^|/)\.(?:envrc|autoenv|autoenv\.zsh|in)$|(?:^|/)\.(?:bash_profile|bashrc|zshrc|zshenv|profile|bash_logout)$",
)
_PTH = lazy(r"^import[ \t][^\n]{1,2000}", re.MULTILINE)
_EDITOR = seldom(
    ".vim .gvim .ex .gdbinit .lldbinit .pdb .irb .pry".split(),
    r"(?:^|/)\.(?:vim|gvim|ex|gdbinit|lldbinit|pdb|irb|pry)rc$|(?:^|/)\.(?:exrc|gdbinit|lldbinit)$",
)
_ESCAPES = lazy(
    r"^[ \t:]{0,8}(?:!|autocmd\b[^\n]{0,200}[!]|call[ \t]+system\(|silent[ \t!]{1,4}|shell\b|python\b|script\b|platform shell\b|import os\b)[^\n]{0,300}",
    re.MULTILINE,
)
_OPENING = ("runOn", "folderOpen")
_LIFECYCLE = frozenset(
    {"postCreateCommand", "postStartCommand", "postAttachCommand", "onCreateCommand", "updateContentCommand"}
)
_ON_HOST = "initializeCommand"


class _Redirect(NamedTuple):
    """A setting that has a tool run a program or fetch itself from elsewhere."""

    path: re.Pattern[str]
    value: re.Pattern[str]
    harmless: re.Pattern[str]
    how: str


_REDIRECTS = (
    _Redirect(seldom((".yarnrc.yml",), r"(?:^|/)\.yarnrc\.yml$"), lazy(r"(?m)^[ \t-]{0,12}(?:yarnPath|path)[ \t]*:[ \t]*(\S[^\n]{0,200})"), lazy(r"^[\"']?\.yarn/(?:releases|plugins)/"), "yarn runs a file of the folder"),
    _Redirect(seldom((".npmrc",), r"(?:^|/)\.npmrc$"), lazy(r"(?m)^[ \t]*(?:script-shell|node-options|git|editor|pnpmfile|global-pnpmfile)[ \t]*=[ \t]*(\S[^\n]{0,200})"), lazy(r"^[\"']?(?:/bin/(?:ba|z)?sh|bash|sh|zsh|--max-old-space-size=\d+|git|vim?|nano|code)[\"']?$"), "npm starts another program"),
    _Redirect(seldom((".cargo/config",), r"(?:^|/)\.cargo/config(?:\.toml)?$"), lazy(r"(?m)^[ \t]*(?:rustc-wrapper|rustc|rustdoc|runner|linker|rustc-workspace-wrapper)[ \t]*=[ \t]*(\S[^\n]{0,200})"), lazy(r"sccache|ccache|(?:^|[\"'/-])(?:lld|mold|clang|gcc|ld|cc|qemu-[\w-]+|wasm-[\w-]+|probe-rs[^\"']*|cross)(?:[\"'-]|$)"), "cargo starts another program"),
    _Redirect(seldom(("-wrapper.properties",), r"(?:^|/)(?:gradle-wrapper|maven-wrapper)\.properties$"), lazy(r"(?m)^[ \t]*(?:distributionUrl|wrapperUrl)[ \t]*=[ \t]*(\S[^\n]{0,300})"), lazy(r"https(?:\\)?://(?:services\.gradle\.org|downloads\.gradle(?:-dn)?\.(?:org|com)|repo\.maven\.apache\.org|repo1\.maven\.org|archive\.apache\.org|github\.com/gradle)"), "the build tool itself comes from elsewhere"),
    _Redirect(seldom((".gitmodules",), r"(?:^|/)\.gitmodules$"), lazy(r"(?m)^[ \t]*update[ \t]*=[ \t]*(![^\n]{1,200})"), lazy(r"(?!)"), "git runs a command for a submodule"),
    _Redirect(seldom((".gitconfig", ".git/config"), r"(?:^|/)\.gitconfig$|(?:^|/)\.git/config$"), lazy(r"(?m)^[ \t]*(?:fsmonitor|hooksPath|sshCommand|pager|editor|askPass|clean|smudge|process|textconv|external|helper)[ \t]*=[ \t]*(\S[^\n]{0,200})"), lazy(r"^(?:true|false|cat|less|vim?|nano|code|delta|store|cache|osxkeychain|manager\S*|git-lfs [\w -]+|\.?git-?hooks/?|\.husky/?)\b"), "git runs a command"),
    _Redirect(seldom((".vscode/settings.json",), r"(?:^|/)\.vscode/settings\.json$"), lazy(r"\"(?:[\w.-]{1,60}\.(?:executablePath|binPath|serverPath|interpreterPath|path|command)|git\.path|terminal\.integrated\.(?:profiles|shell|env)[\w.]{0,40})\"[ \t]*:[ \t]*\"((?:\./|\.\./|\$\{workspaceFolder\}|/tmp/|~/)[^\"\n]{1,200})\""), lazy(r"node_modules|\.venv|venv/|\.yarn/sdks|vendor/"), "the editor starts a program of the folder"),
)  # fmt: skip


@structure_rule(AUTORUN)
def autorun(facts: BundleFacts) -> Iterator[Match]:
    """1. programs; 2. texts of commands; 3. commands under keys; 4. settings that name a program."""
    for view in facts.raw:
        if view.path.endswith(".md"):  # no pattern of a path below ends so, and most files do
            continue
        for matches, judged in _PROGRAMS:  # 1, 2
            if matches.search(view.path) is not None:
                found = judged(facts, view)
                if found is not None:
                    yield found
                break
        for redirect in _REDIRECTS:  # 4
            if redirect.path.search(view.path) is not None:
                yield from _redirected(view, redirect)
    yield from _keys(facts)  # 3


# -- what a program does ---------------------------------------------------------------------------------


def _acts(facts: BundleFacts, path: str) -> tuple[Severity, int, str, int] | None:
    """What the analyzers of code found in a file: the worst, how sure, in words, and on which line."""
    findings = [f for f in facts.subject.findings if f.location.path == path and f.confidence >= STANDS]
    worst = max(findings, key=lambda f: (f.severity, f.confidence), default=None)
    if worst is not None and worst.severity >= MEDIUM:
        severity = HIGH if worst.severity is MEDIUM else worst.severity
        return severity, 700, f"in it: {worst.title.lower()}", worst.location.start_line
    able = [c for c in facts.subject.capabilities if c.path == path]
    reached = [c for c in able if c.name.startswith("net:") and not _at_home(c.name[4:])]
    commands = [c for c in able if c.name.startswith("cmd:")]
    secrets = [c for c in able if c.name.startswith("env:") and names.secret(c.name[4:])]
    if reached and (commands or secrets):
        return (
            MEDIUM,
            600,
            f"it reaches {reached[0].name[4:]}, and starts programs or reads secrets",
            reached[0].line,
        )
    if reached:
        return MEDIUM, 500, f"it reaches {reached[0].name[4:]}", reached[0].line
    if commands:
        return LOW, 400, f"it starts {commands[0].name[4:]}", commands[0].line
    return None


def _at_home(host: str) -> bool:
    return hosts.classify(f"http://{host}/") is hosts.Host.LOCAL


def _collected(facts: BundleFacts, view: View) -> Match | None:
    """Read by a test runner or a build: ordinary unless it reaches out."""
    acts = _acts(facts, view.path)
    if acts is None or (acts[0] is LOW):
        return None
    return _at_line(view, acts)


def _started(facts: BundleFacts, view: View) -> Match | None:
    """Run whenever an interpreter starts: worth a look whatever it does."""
    return _at_line(
        view, _acts(facts, view.path) or (MEDIUM, 500, "every start of the interpreter runs it", 1)
    )


def _configured(facts: BundleFacts, view: View) -> Match | None:
    """Configuration that is a program: some start servers and read keys, so that only harm counts for more."""
    acts = _acts(facts, view.path)
    if acts is None or acts[0] < MEDIUM:
        return None
    severity, confidence, why, line = acts
    return _at_line(view, (severity, confidence, why, line) if severity > MEDIUM else (LOW, 400, why, line))


# -- what commands weigh ---------------------------------------------------------------------------------

_SCALE: dict[Weight, tuple[Severity, int]] = {
    Weight.LOUD: (HIGH, 650),
    Weight.HARM: (CRITICAL, 800),
}


def _text(facts: BundleFacts, view: View) -> Match | None:
    """A text of commands, line by line: the heaviest of them."""
    worst, at, length, offset = Weight.PROGRAM, 0, 0, 0
    if len(view.text) > _READ:
        facts.left(view, "a text of commands that is too long to weigh")
    for line in view.text[:_READ].split("\n"):
        if not line.lstrip().startswith("#"):
            weight = weigh(line)
            if weight > worst:
                worst, at, length = weight, offset, len(line)
        offset += len(line) + 1
    if worst not in _SCALE:
        return None
    severity, confidence = _SCALE[worst]
    return _made(view, at, at + length, severity, confidence, "it fetches, hides or reads credentials")


def _imports(facts: BundleFacts, view: View) -> Match | None:
    """A line of a path file that begins with ``import`` is run by every start of the interpreter."""
    found = _PTH.search(view.text)
    if found is None:
        return None
    heavy = weigh(found[0]) >= Weight.LOUD or "exec(" in found[0] or len(found[0]) > 200
    return _made(
        view, found.start(), found.end(), HIGH if heavy else MEDIUM, 750 if heavy else 500,
        "every start of the interpreter runs this line",
    )  # fmt: skip


def _escapes(facts: BundleFacts, view: View) -> Match | None:
    """Settings of an editor or debugger that start a shell."""
    found = _ESCAPES.search(view.text)
    if found is None:
        return None
    heavy = weigh(found[0]) >= Weight.LOUD
    severity, confidence = (HIGH, 700) if heavy else (MEDIUM, 500)
    return _made(
        view, found.start(), found.end(), severity, confidence, "opening a file here starts a program"
    )


_PROGRAMS: tuple[tuple[re.Pattern[str], Callable[[BundleFacts, View], Match | None]], ...] = (
    (_COLLECTED, _collected),
    (_STARTED, _started),
    (_CONFIGURED, _configured),
    (_READ_BY_RUBY, _text),
    (_HOOK, _text),
    (_ENTERED, _text),
    (_EDITOR, _escapes),
    (seldom((".pth",), r"\.pth$"), _imports),
)


# -- keys ------------------------------------------------------------------------------------------------


def _keys(facts: BundleFacts) -> Iterator[Match]:
    """Commands in configuration: tasks of an editor, dev containers, hooks of pre-commit, default targets."""
    opening = {
        view.path
        for view in facts.raw
        if base_name(view.path) == "tasks.json" and all(word in view.text for word in _OPENING)
    }
    tops = _tops(facts)
    entered: dict[str, bool] = {}
    for view in facts.views:
        step = view.origin[-1] if view.origin else None
        if step is None or step.kind != "command" or any(s.kind == "fence" for s in view.origin):
            continue
        name, detail = base_name(view.path), step.detail
        key = detail.rpartition(".")[2]
        if view.path in opening:
            yield from _command(view, (LOW, MEDIUM, HIGH, CRITICAL), "it runs when the folder is opened")
        elif name in ("devcontainer.json", ".devcontainer.json"):
            if _ON_HOST in detail:
                yield from _command(
                    view, (LOW, MEDIUM, HIGH, CRITICAL), "it runs on the host when the folder is opened"
                )
            elif any(word in detail for word in _LIFECYCLE):
                yield from _command(view, (None, None, MEDIUM, HIGH), "it runs when the container is made")
        elif name.startswith((".pre-commit-config.y", ".lefthook", "lefthook.y")) and key in ("entry", "run"):
            yield from _command(view, (None, None, HIGH, CRITICAL), "git runs it at every commit")
        elif detail == "dockerfile":
            if view.path not in entered:
                entered[view.path] = _entry(view)
            if not entered[view.path]:
                continue
            yield from _command(view, (None, None, None, HIGH), "the container runs it when it starts")
        elif detail.startswith("recipe ") and view.language is Kind.SHELL and _line(view) <= tops[view.path]:
            yield from _command(view, (None, None, None, HIGH), "a bare 'make' runs it")


def _entry(view: View) -> bool:
    return (
        re.search(r"(?im)^[ \t]*(?:ENTRYPOINT|CMD)\b", view.artifact.data.decode("utf-8", "replace"))
        is not None
    )


def _tops(facts: BundleFacts) -> dict[str, int]:
    """The line of the first recipe of each file that has any."""
    tops: dict[str, int] = {}
    for view in facts.shell:
        if view.origin and view.origin[-1].detail.startswith("recipe "):
            line = _line(view)
            tops[view.path] = min(line, tops.get(view.path, line))
    return tops


def _line(view: View) -> int:
    return view.map_lines(0, 0)[0]


def _command(
    view: View, scale: tuple[Severity | None, Severity | None, Severity | None, Severity | None], why: str
) -> Iterator[Match]:
    """A command, by its weight: harmless, a program, one that reaches out, plain harm."""
    weight = weigh(view.text)
    severity = scale[weight]
    if severity is None or not view.text.strip():
        return
    confidence = 300 if weight is Weight.HARMLESS else 500 if weight is Weight.PROGRAM else 700
    yield _made(view, 0, len(view.text), severity, confidence, why)


def _redirected(view: View, redirect: _Redirect) -> Iterator[Match]:
    for found in redirect.value.finditer(view.text):
        if redirect.harmless.search(found[1].strip()) is None and view.language not in PROSE - {Kind.TEXT}:
            heavy = weigh(found[1]) >= Weight.LOUD or found[1].startswith("!") or "elsewhere" in redirect.how
            severity, confidence = (HIGH, 650) if heavy else (MEDIUM, 500)
            yield _made(view, found.start(1), found.end(1), severity, confidence, redirect.how)
            return


def _at_line(view: View, acts: tuple[Severity, int, str, int]) -> Match:
    severity, confidence, why, line = acts
    starts = view.line_starts()
    start = starts[min(max(line, 1), len(starts)) - 1]
    end = view.text.find("\n", start)
    return _made(view, start, len(view.text) if end == -1 else end, severity, confidence, why)


def _made(view: View, start: int, end: int, severity: Severity, confidence: int, why: str) -> Match:
    return Match(
        rule=AUTORUN.id, view=view, start=start, end=max(end, start + 1), message=f"{AUTORUN.why} Here: {why}.",
        severity=severity, confidence=confidence, adjustments=weighed(AUTORUN, severity, confidence, why), files=(view.path,),
    )  # fmt: skip
