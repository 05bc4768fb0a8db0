"""Code that runs when a package of the skill is installed or built."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sluicegate.vet.inspect.analyzers.structures.registry import BundleFacts, base_name, rule, structure_rule
from sluicegate.vet.inspect.analyzers.structures.weigh import Weight, weigh
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

INSTALL_SCRIPT = rule(
    "install-script", "Installing the package runs a script", Category.SUPPLY_CHAIN, Severity.MEDIUM, 450,
    why="Install and build scripts run with the user's rights before any code of the package is used.",
    fix="Install with scripts off (npm install --ignore-scripts), and read the script.",
    references=("LLM03", "ASI04", "T1195", "CWE-506"),
)  # fmt: skip

_AT_INSTALL = frozenset({"scripts.preinstall", "scripts.install", "scripts.postinstall", "scripts.prepare"})
_CLASSES = lazy(
    r"\bcmdclass\s{0,8}=|\bclass\s{1,8}\w{1,80}\((?:\w{1,40}\.)?(?:install|develop|build_py|egg_info|sdist)\)"
)
_ACTS = lazy(
    r"\bos\.(?:system|popen|exec\w{0,4})\(|\bsubprocess\.\w{2,20}\(|\burlopen\(|\brequests\.(?:get|post)\(|\bsocket\.|\bexec\(|\beval\(|\bb64decode\("
)
_BACKEND = lazy(r"^backend-path\s{0,8}=[^\n]{0,200}", re.M)


@structure_rule(INSTALL_SCRIPT)
def scripts(facts: BundleFacts) -> Iterable[Match]:
    """npm's life-cycle scripts, setup.py that acts, a build backend inside the tree."""
    for view in facts.views:
        step = view.origin[0] if view.origin else None
        if (
            step is not None
            and step.kind == "command"
            and step.detail in _AT_INSTALL
            and len(view.origin) == 1
        ):
            yield from _script(view, step.detail)
        elif step is None and base_name(view.path) == "setup.py":
            yield from _setup(view)
        elif step is None and base_name(view.path) == "pyproject.toml":
            found = _BACKEND.search(view.text)
            if found is not None:
                yield Match(rule=INSTALL_SCRIPT.id, view=view, start=found.start(), end=found.end(), confidence=400,
                            adjustments=("a build backend of its own",))  # fmt: skip


def _script(view: View, name: str) -> Iterable[Match]:
    weight = weigh(view.text)
    severity, confidence, why = {
        Weight.HARMLESS: (Severity.LOW, 300, "it runs an ordinary tool"),
        Weight.PROGRAM: (Severity.MEDIUM, 450, ""),
        Weight.LOUD: (Severity.HIGH, 700, "it reaches the network, a credential or an encoding"),
        Weight.HARM: (Severity.CRITICAL, 800, "it fetches and runs, hides, or sends credentials"),
    }[weight]
    yield Match(
        rule=INSTALL_SCRIPT.id, view=view, start=0, end=max(1, len(view.text)), severity=severity, confidence=confidence,
        message=f"{name.removeprefix('scripts.')}: {INSTALL_SCRIPT.why}", adjustments=(why,) if why else (),
    )  # fmt: skip


def _setup(view: View) -> Iterable[Match]:
    custom, acts = _CLASSES.search(view.text), _ACTS.search(view.text)
    if acts is not None:
        loud = custom is not None and weigh(view.text[acts.start() : acts.start() + 400]) >= Weight.LOUD
        yield Match(
            rule=INSTALL_SCRIPT.id, view=view, start=acts.start(), end=acts.end(),
            severity=Severity.HIGH if loud else Severity.MEDIUM, confidence=650 if loud else 500,
            adjustments=("setup.py runs commands or reaches the network",),
        )  # fmt: skip
