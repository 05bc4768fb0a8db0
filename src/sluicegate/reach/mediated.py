"""What reviewers would be shown, as JSON and as text for people. The JSON is version 1, and closed: ``sluicegate schema packages``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from sluicegate.reach.report.escape import json_safe, printable, scalar
from sluicegate.reach.report.words.wording import count, version
from sluicegate.vet.mediation import MediatedSkill
from sluicegate.vet.review.mediator.packages import MediatedPackage, Omission
from sluicegate.vet.review.prompts.instructions import instructions
from sluicegate.vet.verdict.consensus import Role

_Count = Annotated[int, Meta(ge=0)]
_Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 in hex.")]
ROLES = {
    Role.FINDINGS: "reviewers of findings",
    Role.SKILL: "reviewers of the whole skill",
    Role.DETECTOR: "injection detectors",
}


class _Closed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A field that is not named here is an error."""


class RoleInstructions(_Closed, frozen=True, kw_only=True):
    """What the reviewers of a role are told, and the JSON Schema of their answer."""

    role: Role
    digest: _Digest
    system: Annotated[str, Meta(description="With {boundary} where that of the package is filled in.")]
    answer: dict[str, Any]


class ShownPackage(_Closed, frozen=True, kw_only=True):
    """What the reviewers of a role are shown at once."""

    role: Role
    about: Annotated[tuple[str, ...], Meta(description="The fingerprints of the findings that it is about.")]
    tokens: Annotated[int, Meta(ge=0, description="Estimated: one for each three bytes.")]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="Of everything but the boundary.")]
    boundary: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    text: Annotated[str, Meta(description="What is shown: untrusted text in frames.")]


class LeftOut(_Closed, frozen=True, kw_only=True):
    """Something that is in no package of a role."""

    role: Role
    path: Annotated[str, Meta(description="Empty for entries of a list.")]
    origin: tuple[str, ...]
    amount: Annotated[int, Meta(ge=0, description="Lines of a text, entries of a list, or one finding.")]
    finding: Annotated[str, Meta(description="The fingerprint, if it is a finding.")]
    why: str


class FileCoverage(_Closed, frozen=True, kw_only=True):
    """How many lines of a file are shown."""

    path: str
    kind: str
    lines: _Count
    to_skill_reviewers: _Count
    to_detectors: _Count


class MediatedSkillPackages(_Closed, frozen=True, kw_only=True):
    """One skill."""

    name: str
    root: str
    digest: _Digest
    complete: Annotated[bool, Meta(description="Whether nothing was left out.")]
    packages: tuple[ShownPackage, ...]
    omissions: tuple[LeftOut, ...]
    files: tuple[FileCoverage, ...]


class MediatedSource(_Closed, frozen=True, kw_only=True):
    """What reviewers would be shown of a source, and told."""

    version: Literal["1"]
    tool: str
    instructions: tuple[RoleInstructions, ...]
    skills: tuple[MediatedSkillPackages, ...]


def as_json(skills: Sequence[MediatedSkill], roles: Sequence[Role], nonce: str) -> str:
    """The packages of these roles, with every character that steers or cannot be seen as an escape."""
    told = [instructions(role) for role in roles]
    document = MediatedSource(
        version="1",
        tool=f"sluicegate {version()}",
        instructions=tuple(
            RoleInstructions(role=each.role, digest=each.digest, system=each.template, answer=each.schema())
            for each in told
        ),
        skills=tuple(_skill(skill, roles, nonce) for skill in skills),
    )
    return json_safe(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()) + "\n"


def _skill(skill: MediatedSkill, roles: Sequence[Role], nonce: str) -> MediatedSkillPackages:
    made = skill.case.packages
    return MediatedSkillPackages(
        name=scalar(skill.skill.name),
        root=scalar(skill.skill.root),
        digest=skill.skill.digest,
        complete=made.complete,
        packages=tuple(_package(package, nonce) for package in made.packages if package.role in roles),
        omissions=tuple(
            LeftOut(
                role=each.role,
                path=scalar(each.path),
                origin=tuple(map(scalar, each.origin)),
                amount=each.amount,
                finding=each.finding,
                why=each.why,
            )
            for each in made.omissions
            if each.role in roles
        ),
        files=tuple(
            FileCoverage(
                path=scalar(each.path),
                kind=each.kind,
                lines=each.lines,
                to_skill_reviewers=each.to_skill_reviewers,
                to_detectors=each.to_detectors,
            )
            for each in made.coverage
        ),
    )


def _package(package: MediatedPackage, nonce: str) -> ShownPackage:
    made = package.framed(nonce)
    return ShownPackage(
        role=package.role,
        about=package.about,
        tokens=package.tokens,
        digest=package.digest,
        boundary=made.boundary,
        text=made.text,
    )


def as_text(skills: Sequence[MediatedSkill], roles: Sequence[Role], nonce: str) -> str:
    """The same for people: the instructions of each role once, then what is shown of each skill."""
    told: set[Role] = set()
    parts: list[str] = []
    for skill in skills:
        shown = [package for package in skill.case.packages.packages if package.role in roles]
        tokens = sum(package.tokens for package in shown)
        name = printable(skill.skill.name)
        parts.append(f"{name}: {count(len(shown), 'package')}, about {tokens:,} tokens in all\n")
        parts += [f"{_left_out(each)}\n" for each in skill.case.packages.omissions if each.role in roles]
        for number, package in enumerate(shown, 1):
            if package.role not in told:
                told.add(package.role)
                words = instructions(package.role).template
                parts.append(f"\n{_rule(f'What {ROLES[package.role]} are told')}\n{words}")
            title = f"{name}, package {number} of {len(shown)}: for {ROLES[package.role]}"
            parts.append(
                f"\n{_rule(title)}\n(about {package.tokens:,} tokens)\n{_shown(package.framed(nonce).text)}"
            )
        parts.append("\n")
    return "".join(parts)


def _rule(title: str) -> str:
    return f"-- {title} ".ljust(80, "-")


def _left_out(each: Omission) -> str:
    if each.finding:
        what = f"finding {each.finding} in {printable(each.path)}"
    elif each.path:
        what = f"{count(each.amount, 'line')} of {printable(each.path)}"
    else:
        what = f"{each.amount}"
    return f"  left out for {ROLES[each.role]}: {what} ({each.why})"


def _shown(text: str) -> str:
    """The text of a package for a terminal; tabs stay."""
    return "\t".join(printable(part, newline=True) for part in text.split("\t"))
