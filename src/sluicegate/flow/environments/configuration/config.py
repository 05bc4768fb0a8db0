"""What an environment grants: the resolved form, of plain frozen values.

``reading`` makes one from a file or a script's value; ``attenuation`` compares two. Absent grants are empty, with
three exceptions: no ``tools``, ``mcps`` or ``auth`` means that the environment adds
no restriction of its own (policy still decides), and a local environment without roots is not confined at all.
"""

from __future__ import annotations

from posixpath import normpath
from typing import Final

from msgspec import Struct, field

from sluicegate.flow.environments.errors import EnvironmentConfigError, printable

LOCAL, BUBBLEWRAP, CONTAINER = "local", "bubblewrap", "container"
PODMAN, DOCKER = "podman", "docker"
ENGINES = (PODMAN, DOCKER)

NEVER_SET: Final = ("CDPATH",)
"""Variables that no command has, whatever is granted: with CDPATH ``cd src`` leads elsewhere than commands are judged by."""

DEFAULT_OUTPUT = 16 * 2**20
"""Bytes kept of standard output, and as many of standard error, when no limit is given."""

DEFAULT_PROCESSES = 2048
"""Processes and threads together in an isolated environment, when no limit is given."""


def is_plain(path: str) -> bool:
    """Whether ``path`` is absolute and normal, so that what it contains can be told from its text."""
    return path.startswith("/") and not path.startswith("//") and normpath(path) == path and "\0" not in path


class Root(Struct, frozen=True, kw_only=True):
    """A folder or file that is granted with all below it.

    ``host`` is absolute and holds no symbolic link; ``inside`` is where the command finds it. Both are plain: no
    ``..``, no ``.``, no doubled ``/``, so that comparing them as text is comparing them as places. Raises
    ``EnvironmentConfigError``.
    """

    host: str
    inside: str

    def __post_init__(self) -> None:
        if not (is_plain(self.host) and is_plain(self.inside)):
            raise EnvironmentConfigError(
                f"'{printable(self.host)}' at '{printable(self.inside)}' is not a plain absolute path",
                hint="resolve the path first: read_root does",
            )


class Roots(Struct, frozen=True, kw_only=True):
    """What may be read, and what may be read and written."""

    read: tuple[Root, ...] = ()
    write: tuple[Root, ...] = ()


class NoNetwork(Struct, frozen=True):
    """Nothing outside can be reached, by any protocol."""

    def __str__(self) -> str:
        return "none"


class AllowedHosts(Struct, frozen=True):
    """These hosts and no others; ``*.example.org`` stands for every host below it."""

    hosts: frozenset[str]

    def __str__(self) -> str:
        return f"allow [{', '.join(sorted(self.hosts))}]"


class HostNetwork(Struct, frozen=True):
    """Whatever this machine can reach, its own services included."""

    def __str__(self) -> str:
        return "host"


Net = NoNetwork | AllowedHosts | HostNetwork


class CommandLimits(Struct, frozen=True, kw_only=True):
    """Bounds of one command with everything it starts; None is unlimited.

    ``mem`` bytes; ``cpu`` thousandths of a processor; ``time`` milliseconds from the moment the command runs;
    ``processes`` processes and threads; ``file`` bytes of the largest file it may write; ``output`` bytes kept of
    standard output and as many of standard error (what is over is read and dropped, and the result says so).
    """

    mem: int | None = None
    cpu: int | None = None
    time: int | None = None
    processes: int | None = None
    file: int | None = None
    output: int = DEFAULT_OUTPUT


class EnvironmentConfig(Struct, frozen=True, kw_only=True):
    """An environment: where commands run, what they can reach, and what it costs at most.

    ``names`` is the chain from the first environment to this one, each derived from the one before. ``roots`` is
    None only where the provider is local: then nothing is confined. ``cwd`` is a path inside. ``vars`` are names of
    variables of this process that pass to the command. ``auth`` names credentials of the policy. ``labels`` are
    given to every output besides the label of its source. ``snapshot`` is what the environment starts from, and
    ``snapshots`` whether a new one may be taken.
    """

    provider: str = BUBBLEWRAP
    names: tuple[str, ...] = ()
    roots: Roots | None = field(default_factory=Roots)
    net: Net = field(default_factory=NoNetwork)
    limits: CommandLimits = field(default_factory=CommandLimits)
    auth: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    mcps: frozenset[str] | None = None
    vars: frozenset[str] = frozenset()
    cwd: str = "/"
    labels: frozenset[str] = frozenset()
    image: str = ""
    snapshot: str = ""
    snapshots: bool = False

    @property
    def name(self) -> str:
        """The name of this environment, empty when it has none."""
        return self.names[-1] if self.names else ""


UNCONFINED: Final = EnvironmentConfig(provider=LOCAL, roots=None, net=HostNetwork())
"""Commands run on this machine, as this user, with nothing granted of our own environment."""


def source_label(config: EnvironmentConfig) -> str:
    """The label of whatever comes out: ``src:env:<provider>:<name>:<child>``, or ``src:exec`` for local.

    A rule on ``src:env:bubblewrap`` holds for every environment of that
    provider, one on ``src:env:bubblewrap:build`` for that one and all that were derived from it.
    """
    if config.provider == LOCAL:
        return "src:exec"
    return ":".join(("src", "env", config.provider, *config.names))


def output_labels(config: EnvironmentConfig) -> frozenset[str]:
    """All labels that the environment gives to what comes out of it."""
    return config.labels | {source_label(config)}
