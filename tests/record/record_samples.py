"""What the tests of the record share: a place with its keys and its clock, events, a keyring."""

from dataclasses import dataclass, field
from pathlib import Path

from keyring.backend import KeyringBackend

from sluicegate.record.files.files import Known, Unknown
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import events, query
from sluicegate.record.ledger.ledger import Ledger

START = 1_768_818_600 * 10**9  # 2026-01-19T10:30:00Z


@dataclass
class Ticks:
    """A clock that is a microsecond later each time it is asked."""

    now: int = START

    def __call__(self) -> int:
        self.now += 1000
        return self.now

    def advance(self, seconds: int) -> None:
        self.now += seconds * 10**9


@dataclass
class Place:
    """A workspace with its keys and its ledger."""

    root: Path
    keys: Keys
    clock: Ticks = field(default_factory=Ticks)

    @property
    def path(self) -> Path:
        return self.root / ".sluicegate/sec/audit.jsonl"

    def open(self, **options) -> Ledger:
        return Ledger.open(self.path, **{"keys": self.keys, "clock": self.clock, **options})

    def write(self, count: int, **options) -> None:
        """``count`` events in a ledger that is opened and closed for it."""
        with self.open(**options) as ledger:
            for number in range(count):
                ledger.append(some(number))

    def verify(self, **options):
        return Ledger.verify(self.path, keys=self.keys, **options)


def make_place(directory: Path) -> Place:
    """A new workspace and home under ``directory``."""
    root = directory / "workspace"
    root.mkdir(parents=True)
    clock = Ticks()
    home = Home.at(directory / "home", workspace=root)
    return Place(root=root, keys=Keys(home, clock=clock, identity=lambda: "mira@desk"), clock=clock)


def some(number: int = 0) -> events.Event:
    """An event that differs with ``number``."""
    return events.Allow(operation=f"cmd git push {number}", labels=("secret", "src:mcp"))


class Vault(KeyringBackend):
    """Stands for a secret service, which is not here: keeps in memory."""

    priority = 5

    def __init__(self):
        super().__init__()
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        del self.kept[service, username]


def history(place):
    """All events of the ledger."""
    return query.load(place.path, keys=place.keys)


def kinds(place):
    """The kinds of all events, in order."""
    return [type(entry.event).__name__ for entry in history(place).entries.values()]


def operations(place):
    """The operations that were allowed, in order."""
    return [entry.event.operation for entry in history(place).of_kind(events.Allow)]


def pushes(*numbers):
    """The operations of ``some`` of these numbers."""
    return [f"cmd git push {number}" for number in numbers]


def the_only(place, kind):
    """The one event of a kind."""
    (entry,) = history(place).of_kind(kind)
    return entry.event


def set_aside(place):
    """The quarantine files."""
    return sorted(p for p in place.path.parent.iterdir() if ".torn-" in p.name or ".foreign-" in p.name)


def add(place, data):
    """Append to the ledger's file, as somebody else would."""
    with place.path.open("ab") as other:
        other.write(data)


TEXT = b"all the things that nobody should know\n"


def labels(knowledge):
    """The labels of a file that is known."""
    assert isinstance(knowledge, Known), knowledge
    return knowledge.labels


def changed(knowledge, why="changed"):
    """The labels of a file that is unknown, for this reason."""
    assert isinstance(knowledge, Unknown), knowledge
    assert knowledge.why == why
    return knowledge.labels
