"""What the mediator gives: packages for each role, what did not fit into them, and how much of each file is in them."""

from __future__ import annotations

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.mediator.frame import Framed, Part, digest_of, framed, tokens_of
from sluicegate.vet.verdict.consensus import Role
from sluicegate.vet.verdict.envelope import Package


class MediatedPackage(NamedTuple):
    """What the reviewers of one role are shown at once. ``about``: the fingerprints of the findings that they are asked of.

    ``tokens`` are estimated. ``digest`` is over everything but the boundary: an answer may be kept by it.
    """

    role: Role
    about: tuple[str, ...]
    parts: tuple[Part, ...]
    tokens: int
    digest: str

    def framed(self, nonce: str) -> Framed:
        """The package as a model reads it, in frames of its own for each ``nonce``."""
        return framed(self.parts, self.digest, nonce)


class Omission(NamedTuple):
    """Something that is in no package of a role, for want of room: a finding, or lines of a text.

    ``path`` and ``origin`` are untrusted. ``amount`` is how many lines, or entries of a list; 1 for a finding, whose
    fingerprint is ``finding``.
    """

    role: Role
    path: str
    why: str
    amount: int
    origin: tuple[str, ...] = ()
    finding: str = ""


class Coverage(NamedTuple):
    """How many of the lines of a file are shown: to the reviewers of the whole skill, and to the detectors.

    A file that is not text has no lines here.
    """

    path: str
    kind: str
    lines: int
    to_skill_reviewers: int
    to_detectors: int


class Packages(NamedTuple):
    """Everything that reviewers are to be shown of one skill, most severe findings first."""

    packages: tuple[MediatedPackage, ...]
    omissions: tuple[Omission, ...]
    coverage: tuple[Coverage, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing was left out. A review of packages that are not complete has not seen the skill."""
        return not self.omissions

    def asked(self) -> tuple[Package, ...]:
        """The packages as the envelope takes them, in the same order."""
        return tuple(Package(role=package.role, about=package.about) for package in self.packages)


def package(role: Role, about: tuple[str, ...], parts: tuple[Part, ...]) -> MediatedPackage:
    """A package of these parts."""
    return MediatedPackage(
        role=role, about=about, parts=parts, tokens=tokens_of(parts), digest=digest_of(role.value, parts)
    )
