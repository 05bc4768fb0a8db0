"""Commands that take away what nobody has another copy of: work that was not committed, commits that no name leads to.

One command a line, with its subcommands; ``with`` the options of which one has to be given, ``unless`` those with which it takes nothing
away. What rules name by their own labels (``rm``, ``git reset``, ``git clean``) stands here as well where an option of it matters. What a
command names that it writes over is not of this table: that is known once it is known what stands there.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_TABLE = """
rm unless --help --version
unlink unless --help --version
rmdir unless --help --version
shred unless --help --version
wipe
srm
truncate unless --help --version
find with -delete
fallocate with -c --collapse-range -p --punch-hole -z --zero-range -d --dig-holes
tar with --remove-files
zip with -m --move
rsync with --delete --delete-before --delete-during --delete-after --delete-delay --delete-excluded --del --remove-source-files
git rm unless --cached -n --dry-run
git clean unless -n --dry-run
git reset with --hard --merge --keep
git restore unless --staged
git restore with -W --worktree
git checkout with -f --force -B -p --patch --ours --theirs -m --merge
git switch with -f --force --discard-changes -C --force-create -m --merge
git checkout-index with -f --force
git read-tree with --reset -u
git mv with -f --force
git stash drop
git stash clear
git worktree remove
git branch with -D -f --force -M -C
git tag with -d --delete -f --force
git update-ref
git symbolic-ref with -d --delete
git reflog expire
git reflog delete
git gc with --prune
git prune unless -n --dry-run
git prune-packed unless -n --dry-run
git notes remove
git notes prune
git replace with -d --delete -f --force
git submodule deinit with -f --force
git filter-branch
git filter-repo
git rebase with --abort
git merge with --abort
git am with --abort
git cherry-pick with --abort
git revert with --abort
hg purge
hg clean
hg revert
hg strip
hg rollback
hg update with -C --clean
hg up with -C --clean
hg checkout with -C --clean
svn revert
svn cleanup with --remove-unversioned --remove-ignored
svn rm with --force
svn delete with --force
jj abandon
jj restore
jj op undo
fossil revert
fossil clean
bzr revert
bzr clean-tree
docker volume rm
docker volume prune
docker system prune
podman volume rm
podman volume prune
podman system prune
"""


class LosingRow:
    """One row: the words that the command begins with behind its program, and what its options say."""

    __slots__ = ("needed", "saving", "words")

    def __init__(self, words: tuple[str, ...], needed: frozenset[str], saving: frozenset[str]) -> None:
        self.words, self.needed, self.saving = words, needed, saving


def loses(program: str, words: Sequence[str], flags: frozenset[str]) -> bool:
    """Whether a command of that program takes away what nobody has another copy of. ``words`` are its arguments that are not options,
    ``flags`` the options that are given, in each spelling."""
    return any(
        tuple(words[: len(row.words)]) == row.words
        and (not row.needed or not row.needed.isdisjoint(flags))
        and row.saving.isdisjoint(flags)
        for row in _rows().get(program, ())
    )


@cache
def _rows() -> dict[str, tuple[LosingRow, ...]]:
    found: dict[str, tuple[LosingRow, ...]] = {}
    for line in _TABLE.strip().split("\n"):
        left, _, saving = line.partition(" unless ")
        command, _, needed = left.partition(" with ")
        program, *words = command.split()
        row = LosingRow(tuple(words), frozenset(needed.split()), frozenset(saving.split()))
        found[program] = (*found.get(program, ()), row)
    return found
