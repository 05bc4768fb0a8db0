"""Where an artifact stands outside the report: relative to where the scan was started, or absolute."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sluicegate.reach.report.escape import scalar, unbroken
from sluicegate.reach.report.formats import Options
from sluicegate.tuples import NamedTuple
from sluicegate.vet.report import Report, SkillReport

_ARCHIVES = (
    ".zip",
    ".skill",
    ".whl",
    ".jar",
    ".tar",
    ".tgz",
    ".tar.gz",
    ".tbz2",
    ".tar.bz2",
    ".txz",
    ".tar.xz",
)


def source_name(report: Report, *, absolute: bool) -> str:
    """The source as a report may name it.

    A URL loses its user, password and query, which may be secret. An absolute path is cut to its last part
    unless asked for, so that the same bundle gives the same report on every machine.
    """
    return ", ".join(_shown(name, absolute) for name in _names(report))


def heading(report: Report, options: Options) -> str:
    """What a report of many skills is called: the source, and not ``.`` where that has a name."""
    name = source_name(report, absolute=options.absolute)
    return unbroken(options.here if name == "." and options.here else name)


def root_name(report: Report, skill: SkillReport, *, absolute: bool) -> str:
    """The root of a skill as a report may name it: the same rules as for the source."""
    names = _names(report)
    if len(names) > 1:
        for name in names:
            if skill.root == name or skill.root.startswith(f"{name}/"):
                return _shown(name, absolute) + skill.root[len(name) :]
    return skill.root


def baseline_target(report: Report, skill: SkillReport, options: Options) -> str:
    """What to name so that ``sluicegate baseline`` looks at this skill again; empty where that cannot be named."""
    source = source_name(report, absolute=options.absolute)
    if len(_names(report)) > 1:
        return root_name(report, skill, absolute=options.absolute)
    if source in ("", "-") or "://" in source or source.lower().endswith(_ARCHIVES) or not skill.root:
        return "" if source in ("", "-") else source
    return f"{source.rstrip('/')}/{skill.root}" if source != "." else skill.root


class ReportPaths(NamedTuple):
    """Paths of artifacts as programs outside need them: from the folder in which the scan was started.

    ``prefix`` is the source when it is a relative path (the usual case in a repository), the absolute path
    when that was asked for, and otherwise empty.
    """

    prefix: str = ""
    archive: bool = False
    roots: Mapping[str, str] = MappingProxyType({})

    @classmethod
    def of(cls, report: Report, *, absolute: bool) -> ReportPaths:
        """The places of one report."""
        source = report.source
        if report.looked:  # roots begin with ~/ or ./ already
            return cls()
        if len(_names(report)) > 1:
            return cls(roots={s.root: root_name(report, s, absolute=absolute) for s in report.skills})
        if "://" in source or source in ("", "-") or (_rooted(source) and not absolute):
            return cls()
        archive = source.lower().endswith(_ARCHIVES)
        if absolute:
            return cls(prefix=_absolute(source), archive=archive)
        plain = source.replace("\\", "/")
        while plain.startswith("./"):
            plain = plain[2:].lstrip("/")
        plain = plain.rstrip("/")
        return cls(prefix="" if plain == "." else plain, archive=archive)

    def path(self, skill: SkillReport, path: str) -> str:
        """``path`` of an artifact of ``skill``, with what stands before it."""
        root = self.roots.get(skill.root, skill.root).strip("/")
        inner = f"{root}/{path}" if root else path
        if (
            not self.prefix
            or inner == self.prefix
            or inner.startswith((f"{self.prefix}/", f"{self.prefix}!/"))
        ):
            return inner
        if inner == self.prefix.rpartition("/")[2]:  # the source is this one file
            return self.prefix
        return f"{self.prefix}{'!/' if self.archive else '/'}{inner}"

    def uri(self, skill: SkillReport, path: str) -> str:
        """The same as a percent-encoded URI reference; ``file:`` when it is absolute."""
        from urllib.parse import quote

        place = self.path(skill, path)
        encoded = quote(scalar(place), safe="/!-._~")
        return f"file://{encoded}" if place.startswith("/") else encoded


def _names(report: Report) -> list[str]:
    """The sources of the report: more than one when each skill's root starts with the name of its source."""
    names = report.source.split(", ")
    if all(any(s.root == n or s.root.startswith(f"{n}/") for n in names) for s in report.skills):
        return names
    return [report.source]


def _shown(name: str, absolute: bool) -> str:
    if "://" in name:
        return _public(name)
    if absolute and name not in ("", "-"):
        return _absolute(name)
    return (name.replace("\\", "/").rstrip("/").rpartition("/")[2] or "/") if _rooted(name) else name


def _absolute(path: str) -> str:
    from pathlib import Path

    return Path(path).absolute().as_posix()


def _public(url: str) -> str:
    from urllib.parse import urlsplit, urlunsplit

    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("://")[0] + "://"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", parts.fragment))


def _rooted(path: str) -> bool:
    """Whether ``path`` depends on the machine: absolute, or outside the working folder."""
    plain = path.replace("\\", "/")
    return plain.startswith(("/", "~", "../")) or plain == ".." or plain[1:2] == ":"
