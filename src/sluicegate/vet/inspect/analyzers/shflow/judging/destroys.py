"""Commands that destroy: judged by what is lost, which may be the user's files, the whole project, or what stands elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sluicegate.known import places
from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Severity

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

Declares = Callable[[frozenset[str]], bool]
"""Whether the name or the description has one of some words."""


class Loss(NamedTuple):
    """What a command destroys, in words, and how grave that is."""

    severity: Severity
    confidence: int
    message: str


_ERASERS = frozenset({"rm", "shred", "srm", "wipe", "truncate", "unlink"})
_WHOLE = frozenset(
    "/ ~ $HOME ~root ~$USER /home /home/$USER /Users /Users/$USER /root /etc /usr /var /boot /bin /lib /opt".split()
)
"""What nobody can lose: the disk, a home folder, a part of the system; in the spelling that ``_root`` compares."""
_ALL_OF = lazy(r"(?<!/)(?:/++(?:\*|\.|\.\*|\.\[!?\^?[^\]/]{1,8}\]\*|\{[.*,]{1,16}\})?){1,8}$")
"""What at the end of a path stands for the folder, or for all that is in it."""
_CHOICE = lazy(r"\{([^{}]{1,512})\}")
_HERE = frozenset({".", "./", "*", "./*", "$PWD", "$PWD/*", ".*", "./.*"})
"""Words that stand for all of the working folder."""
_KEYS = frozenset("~/.ssh ~/.ssh/* $HOME/.ssh $HOME/.ssh/* ~/.gnupg $HOME/.gnupg".split())
_LEFTOVER = lazy(
    r"(?i)(?:^|/)(?:\*?\.(?:tmp|temp|bak|log|pyc|pyo|orig|rej|swp|swo|cache|old|part|crdownload|o|class)|\.ds_store|thumbs\.db|desktop\.ini"
    r"|\._\*|\*~|__pycache__|node_modules|\.pytest_cache|\.cache|\.\w*cache|dist|build|target|\.venv|venv|\*?\.egg-info|\.next)\*?$"
)
"""Names of what a program leaves behind and makes again."""
_SCRATCH = lazy(
    r"(?i)(?:^|[\W_])(?:tests?|testing|dev|tmp|temp|demo|preview|sandbox|example|sample|ci|pr|scratch|staging|local|dummy|foo|my|your)(?:$|[\W_\d])|[<{$]"
)
"""What names a thing that is made to be thrown away, or leaves the name open."""
_SQL = lazy(
    r"(?i)\b(?:drop\s{1,4}(?:database|schema|user|tablespace)|truncate\s{1,4}(?:table\s)?|delete\s{1,4}from\s{1,4}[\w.\"`]{1,80}\s{0,4}(?:;|$))|\bdropDatabase\s{0,2}\(|\bflushall\b"
)
_OF_DATABASES = frozenset(
    "psql mysql mariadb mongosh mongo redis-cli sqlcmd clickhouse-client cqlsh cockroach".split()
)


class _Far(NamedTuple):
    """A command that destroys what stands elsewhere, without asking.

    ``words`` stand among its arguments in this order; in each ``|`` parts those of which one will do. ``about`` are the words
    of a name or description that lead one to expect it.
    """

    words: tuple[str, ...]
    what: str
    about: frozenset[str]


_STORES = frozenset(
    "bucket buckets s3 gcs storage blob backup backups aws cloud object objects minio r2 cleanup".split()
)
_CLUSTERS = frozenset(
    "kubernetes k8s kubectl cluster clusters namespace namespaces helm openshift eks gke aks kind minikube".split()
)
_CLOUDS = frozenset(
    "aws gcp gcloud azure cloud terraform pulumi infrastructure iac provision deploy deployment deployments environment environments".split()
)
_DATABASES = frozenset(
    "database databases db sql postgres postgresql mysql mariadb mongo mongodb redis clickhouse migration migrations schema data cassandra rds".split()
)
_CONTAINERS = frozenset(
    "docker container containers podman compose image images volume volumes devcontainer".split()
)
_OF_GIT = frozenset(
    "git repo repos repository repositories branch branches commit commits history rebase worktree clean build reset mirror ci".split()
)
_HOSTS_OF_CODE = frozenset("github gitlab repo repos repository repositories git".split())

_FAR: dict[str, tuple[_Far, ...]] = {
    "aws": (
        _Far(("s3", "rb", "--force"), "a bucket with all that is in it", _STORES),
        _Far(("s3", "rm", "--recursive"), "the objects of a bucket", _STORES),
        _Far(("rds", "delete-db-instance|delete-db-cluster", "--skip-final-snapshot"), "a database without a copy", _CLOUDS | _DATABASES),
        _Far(("rds|ec2|backup", "delete-db-snapshot|delete-db-cluster-snapshot|delete-snapshot|delete-recovery-point"), "backups", _CLOUDS | _STORES),
        _Far(("dynamodb", "delete-table"), "a table", _CLOUDS | _DATABASES | {"dynamodb"}),
        _Far(("kms", "schedule-key-deletion"), "keys of encryption", _CLOUDS | {"kms"}),
    ),
    "gsutil": (_Far(("rm|rb", "-r|-rf"), "the objects of a bucket", _STORES),),
    "gcloud": (
        _Far(("storage", "rm|delete", "--recursive|-r"), "the objects of a bucket", _STORES),
        _Far(("projects|sql", "delete", "--quiet|-q"), "a project or a database", _CLOUDS | _DATABASES),
    ),
    "az": (_Far(("group|sql|storage|keyvault", "delete", "--yes|-y|--no-wait"), "a group of resources", _CLOUDS | _STORES),),
    "rclone": (_Far(("purge",), "a remote folder", _STORES | {"rclone", "sync"}),),
    "mc": (_Far(("rb|rm", "--force"), "a bucket", _STORES),),
    "terraform": (_Far(("destroy", "-auto-approve|--auto-approve"), "the infrastructure", _CLOUDS),),
    "tofu": (_Far(("destroy", "-auto-approve|--auto-approve"), "the infrastructure", _CLOUDS | {"opentofu", "tofu"}),),
    "pulumi": (_Far(("destroy", "--yes|-y"), "the infrastructure", _CLOUDS),),
    "kubectl": (
        _Far(("delete", "--all|--all-namespaces|-A"), "everything in a cluster", _CLUSTERS),
        _Far(("delete", "ns|namespace|namespaces|pv|pvc"), "a namespace or its volumes", _CLUSTERS),
    ),
    "oc": (_Far(("delete", "project|--all"), "a project of a cluster", _CLUSTERS),),
    "docker": (
        _Far(("system", "prune", "--volumes"), "the volumes of all containers", _CONTAINERS),
        _Far(("volume", "prune", "-a|-af|-fa|--all"), "the volumes of all containers", _CONTAINERS),
    ),
    "dropdb": (_Far((), "a database", _DATABASES),),
    "mysqladmin": (_Far(("drop",), "a database", _DATABASES),),
    "git": (
        _Far(("push", "--force|-f", "--all|--mirror"), "what others have pushed", _OF_GIT),
        _Far(("stash", "clear"), "all work that is set aside", _OF_GIT),
        _Far(("clean", "-fdx|-xdf|-dfx|-ffdx|-xfd|-fxd|-dxf"), "all that is not committed, ignored files too", _OF_GIT),
    ),
    "gh": (_Far(("repo", "delete", "--yes|--confirm"), "a repository", _HOSTS_OF_CODE),),
    "glab": (_Far(("repo", "delete", "--yes|-y"), "a repository", _HOSTS_OF_CODE),),
    "heroku": (_Far(("apps:destroy|pg:reset", "--confirm|-c"), "an application", _CLOUDS | {"heroku"}),),
    "fly": (_Far(("apps", "destroy", "-y|--yes"), "an application", _CLOUDS | {"fly"}),),
    "flyctl": (_Far(("apps", "destroy", "-y|--yes"), "an application", _CLOUDS | {"fly"}),),
    "vault": (_Far(("secrets", "disable"), "stored secrets", frozenset({"vault", "secrets"})),),
}  # fmt: skip

ENCRYPTERS = frozenset({"openssl", "gpg", "gpg2", "age", "ccrypt", "7z", "7za", "zip"})
_FORMATS = frozenset(
    "dd mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.ntfs wipefs".split()
)
"""What writes over a disk. A pattern rule sees it where it is written out."""
_DISK = lazy(r"(?:of=)?/dev/(?:sd|nvme|hd|vd|xvd|r?disk|mmcblk)\w{1,8}")
COMMANDS = _ERASERS | _OF_DATABASES | _FAR.keys() | _FORMATS | {"find", "git", "zip", "7z", "7za"}
"""Commands of which ``of_command`` may say something."""


def of_command(
    call: ShellCall, declares: Declares, here: str, *, by_itself: bool, written: bool = True
) -> Loss | None:
    """What a command destroys. ``here`` is the folder it works in, where that is told; ``by_itself``: nobody starts it;
    ``written``: its words stand in the text as they are, where pattern rules see them.

    1. The user's files: named, found, or given by a variable, a loop or a pipe. 2. Whatever a list names. 3. All of the
    project. 4. What stands elsewhere, which the description leads nobody to expect. 5. Work that is not kept yet, by a hook.
    """
    if call.name in _ERASERS:
        return _owned(call, here, written=written) or _listed(call) or _project(call, here)
    if call.name == "find":
        return _found(call)
    if call.name in ("zip", "7z", "7za"):
        return _moved(call)
    if call.name in _FORMATS:
        return None if written else _overwritten(call)
    if loss := _far(call, declares, by_itself=by_itself):
        return loss
    return _unsaved(call) if by_itself else None


def encrypts(call: ShellCall) -> bool:
    """Whether a command locks what it is given."""
    if call.name == "openssl":
        return "-d" not in call.flags and any(
            word == "enc" or word.startswith("-aes") for word in call.words[1:]
        )
    if call.name in ("zip", "7z", "7za"):
        return any(flag.startswith(("-p", "-P", "-e")) for flag in call.flags)
    return not call.flags & {"-d", "--decrypt", "--dearmor", "--import", "--verify", "--list-keys"}


def _recursive(call: ShellCall) -> bool:
    return any(
        flag in ("--recursive", "-r", "-R") or (flag[:2] != "--" and ("r" in flag or "R" in flag))
        for flag in call.flags
    )


def _operands(words: Sequence[str]) -> list[str]:
    return [word for word in words[1:] if word and not word.startswith("-")]


def _of_the_user(path: str) -> bool:
    """Whether a path is the home folder or one that a user fills; what a program keeps in hidden folders is not."""
    return places.own(path) and "/." not in path


def _root(word: str) -> bool:
    """Whether a word is, however it is spelt, what nobody can lose."""
    if not word.startswith(("/", "~", "$")):
        return False
    plain = word.replace("${HOME}", "$HOME").replace("${USER}", "$USER")
    return (_ALL_OF.sub("", plain) or "/") in _WHOLE


def _choices(word: str) -> list[str]:
    """The words that a choice in braces stands for: ``{dist,~}`` are two."""
    found = _CHOICE.search(word) if "{" in word and not word.startswith("${") else None
    if found is None or "," not in found[1]:
        return [word]
    before, behind = word[: found.start()], word[found.end() :]
    return [word, *(before + choice + behind for choice in found[1].split(",")[:64])]


def _alone(call: ShellCall, word: str) -> bool:
    """Whether a deletion names one thing, as it stands: what a pattern rule sees."""
    return len(_operands(call.words)) == 1 and word in call.command.words and "--" not in call.words


def _owned(call: ShellCall, here: str, *, written: bool) -> Loss | None:
    """1. The files of the user, and nobody else's. Each operand is judged by itself."""
    recursive = _recursive(call)
    for at, word in enumerate(call.words[1:], 1):
        if recursive and call.name == "rm":
            root = next((each for each in _choices(word) if _root(each)), "")
            if root and not (written and _alone(call, root)):
                return Loss(Severity.HIGH, 800, f"A recursive deletion of {root[:80]}.")
        if recursive and word in _HERE and (_root(here) or _of_the_user(here)):
            return Loss(Severity.HIGH, 800, f"All that is in {here[:80]} is deleted.")
        own = next(
            (
                tag.what
                for tag in sorted(call.facts.get(at, ()))
                if tag.kind == "own" and _of_the_user(tag.what)
            ),
            "",
        )
        if not own and _of_the_user(word) and not _root(word):
            own = word
        if own:
            return Loss(Severity.HIGH, 700, f"Files of the user's own are deleted: {own[:100]}.")
        if recursive and word in _KEYS:
            return Loss(Severity.HIGH, 650, f"The user's keys are deleted: {word[:80]}.")
    if "xargs" in call.wrapped and any(tag.kind == "secret" for tag in call.stdin):
        return Loss(Severity.HIGH, 650, "Credential files are deleted.")
    return None


def _listed(call: ShellCall) -> Loss | None:
    """2. What a list names that comes from elsewhere: nobody can tell here what is lost."""
    if call.name == "truncate":
        return None
    for at, tags in call.facts.items():
        if at < 1:
            continue
        for tag in sorted(tags):
            if tag.kind == "remote":
                return Loss(Severity.HIGH, 700, f"What {tag.what[:100]} names is deleted.")
            if tag.kind == "listed" and _recursive(call):
                return Loss(
                    Severity.MEDIUM,
                    550,
                    f"Whatever {tag.what[:100]} names is deleted with all that is in it.",
                )
            if tag.kind == "sealed":
                return Loss(Severity.MEDIUM, 600, "Each file that was encrypted is deleted.")
    return None


def _project(call: ShellCall, here: str) -> Loss | None:
    """3. The folder that the agent works in."""
    if call.name != "rm" or here or not _recursive(call):
        return None
    word = next((word for word in _operands(call.words) if word in _HERE), "")
    return Loss(Severity.MEDIUM, 550, "All of the working folder is deleted.") if word else None


def _found(call: ShellCall) -> Loss | None:
    """1. A search through the user's files that deletes what it finds."""
    words = call.words
    executes = any(
        before in ("-exec", "-execdir") and after.rpartition("/")[2] in _ERASERS
        for before, after in pairwise(words)
    )
    if "-delete" not in words and not executes:
        return None
    start = next((word for word in words[1:] if not word.startswith("-")), ".")
    if not _root(start) and not _of_the_user(start):
        return None
    names = [
        after for before, after in pairwise(words) if before in ("-name", "-iname", "-path", "-wholename")
    ]
    if names and all(_LEFTOVER.search(name) for name in names):
        return None
    if "-empty" in words:
        return None
    if names or "-mtime" in words or "-atime" in words:
        return Loss(Severity.MEDIUM, 600, f"Files below {start[:80]} are deleted.")
    return Loss(Severity.HIGH, 750, f"All files below {start[:80]} are deleted.")


def _moved(call: ShellCall) -> Loss | None:
    """1. An archive that takes the user's files away: behind a password they are locked."""
    moves = "-sdel" in call.words or (
        call.name == "zip" and any(f[:2] != "--" and "m" in f for f in call.flags)
    )
    own = next((word for word in _operands(call.words) if _of_the_user(word)), "")
    if moves and own:
        return Loss(Severity.HIGH, 700, f"Files of the user's own are moved into an archive: {own[:80]}.")
    return None


def _overwritten(call: ShellCall) -> Loss | None:
    """1. A disk with all that is on it."""
    disk = next((word for word in _operands(call.words) if _DISK.fullmatch(word)), "")
    if not disk or (call.name == "dd" and not disk.startswith("of=")):
        return None
    return Loss(Severity.HIGH, 800, f"A disk is written over: {disk[:80]}.")


def of_folder(path: str) -> Loss | None:
    """What is lost when a program deletes a folder with all that is in it."""
    if _root(path):
        return Loss(Severity.HIGH, 800, f"A recursive deletion of {path[:80]}.")
    if path in _KEYS:
        return Loss(Severity.HIGH, 650, f"The user's keys are deleted: {path[:80]}.")
    if _of_the_user(path):
        return Loss(Severity.HIGH, 700, f"Files of the user's own are deleted: {path[:100]}.")
    return None


def _far(call: ShellCall, declares: Declares, *, by_itself: bool) -> Loss | None:
    """4. Databases, buckets, clusters: what no copy on this machine brings back."""
    named = " ".join(_operands(call.words))[:400]
    if call.name in _OF_DATABASES:
        said = " ".join(call.words[1:])[:2048]
        found = _SQL.search(said)
        if (
            found is None
            or _SCRATCH.search(said[found.start() :])
            or (declares(_DATABASES) and not by_itself)
        ):
            return None
        return Loss(Severity.MEDIUM, 600, f"A database is emptied: {said[found.start() :][:80]}.")
    for far in _FAR.get(call.name, ()):
        if not _in_order(far.words, call.words) or (
            not by_itself and (declares(far.about) or _SCRATCH.search(named))
        ):
            continue
        return Loss(Severity.MEDIUM, 600, f"{' '.join(call.words[:5])[:80]} deletes {far.what}.")
    return None


def _in_order(asked: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words stand in this order; options may stand anywhere behind the first."""
    at = 1
    for each in asked:
        choices = each.split("|")
        option = choices[0].startswith("-")
        found = next(
            (
                place
                for place in range(1 if option else at, len(words))
                if words[place].partition("=")[0] in choices
            ),
            -1,
        )
        if found == -1:
            return False
        at = at if option else found + 1
    return True


_RESETS = (
    ("reset", "--hard"),
    ("clean", "-f|-fd|-fdx|-df|-xdf|-dfx|-ffdx|-fx|-xfd|--force"),
    ("checkout", ".|-f|--force"),
    ("restore", "."),
    ("stash", "clear|drop"),
    ("push", "-f|--force|--mirror|--delete"),
    ("branch", "-D"),
    ("filter-branch",),
    ("update-ref", "-d"),
)


_THROWN = lazy(
    r"\bgit\s{1,4}(?:reset\s{1,4}--hard|clean\s{1,4}-\w{0,4}f|checkout\s{1,4}(?:--\s{1,4})?\.|stash\s{1,4}(?:clear|drop)|push\s{1,4}(?:-f|--force|--mirror))"
    r"|\brm\s{1,4}-\w{0,4}r\w{0,4}\s{1,4}[\"']?(?:\.|\*|\./\*|~|\$HOME|\$\(git rev-parse)[\"'/]?(?:\s|$)|\bkubectl\s{1,4}delete\b|\bdocker\s{1,4}(?:system|volume)\s{1,4}prune\b"
)


def throws_away(text: str) -> bool:
    """Whether the text of a hook throws work away."""
    return _THROWN.search(text) is not None


def _unsaved(call: ShellCall) -> Loss | None:
    """5. Work of the user that git does not hold yet, or holds alone, thrown away by what runs by itself."""
    if call.name == "git" and any(_in_order(words, call.words) for words in _RESETS):
        return Loss(Severity.MEDIUM, 600, f"A hook throws work away: {' '.join(call.words[:4])[:80]}.")
    return None
