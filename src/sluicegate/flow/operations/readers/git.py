"""git: settings on the command line, and the arguments that run something.

A setting can name a program (``core.pager``), an alias, a helper. Settings that do are read as the command
that they are; those that are known to do nothing of the kind pass; all others are refused. What git's own
files say (hooks, ``.git/config``) is not on the command line, so nothing here sees it: an environment that
git cannot write to, or a policy on ``.git/config`` and ``.git/hooks``, is what holds there.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands.inner import NEVER, command_line, shell_code
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import reader, role
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord, literal, quoted
from sluicegate.known.commands.git_programs import RUN_BY_SETTING, RUN_WHERE_ON
from sluicegate.known.commands.spec import Spec, spec
from sluicegate.patterns import late

_HARMLESS: Final = r"""
    user\.(?:name|email|signingkey) | color\..+ | advice\..+ | log\.(?!.*command).+ | diff\.(?:context|algorithm|renames
  | renamelimit|noprefix|mnemonicprefix|color[a-z]*|wserrorhighlight|interhunkcontext|statgraphwidth|orderfile)
  | core\.(?:quotepath|autocrlf|eol|safecrlf|abbrev|bare|ignorecase|filemode|symlinks|precomposeunicode|whitespace
  | compression|loosecompression|bigfilethreshold|longpaths|logallrefupdates|preloadindex|untrackedcache
  | commentchar) | commit\.(?:gpgsign|verbose|status|cleanup) | tag\.(?:gpgsign|sort) | branch\.sort
  | init\.defaultbranch | pull\.(?:rebase|ff) | push\.(?:default|autosetupremote|followtags) | fetch\.(?:prune|prunetags
  | parallel|writecommitgraph) | rebase\.(?:autostash|autosquash|updaterefs|stat) | merge\.(?:ff|conflictstyle|log
  | renames|renamelimit|stat) | gc\.auto.* | maintenance\.auto | pack\..+ | index\.(?:threads|version) | status\..+
  | column\..+ | format\.(?:pretty|numbered|signoff|suffix) | blame\.(?:showemail|date|coloring|blankboundary
  | ignorerevsfile) | grep\.(?:linenumber|column|patterntype|extendedregexp|threads|fullname) | rerere\..+ | stash\..+
  | submodule\.(?:recurse|fetchjobs|active) | checkout\.(?:defaultremote|guess|workers) | i18n\..+ | help\.autocorrect
  | http\.(?:sslverify|postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests|followredirects|useragent)
  | transfer\.(?:fsckobjects|unpacklimit) | fetch\.fsckobjects | receive\.fsckobjects | versionsort\..+ | safe\.bareRepository
    """
_TURNED_OFF: Final = frozenset({"", "cat", "true", ":", "false", "0", "no", "off"})
_ALIAS = late(r"alias\.(.+)")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.IGNORECASE)


def _is(pattern: str, name: str) -> bool:
    """Whether a setting is one of these; compiled when the first setting is read."""
    return _compiled(pattern).fullmatch(name) is not None


@role("git-config")
def setting(reading: CommandReading, word: ArgumentWord) -> None:
    """``-c NAME=VALUE``."""
    name, equals, value = word.head.partition("=")
    if word.text is None and not equals:
        raise CommandError(f"in {reading.name}, a value names a setting", hint="write -c name={value}")
    found = name.lower()
    alias = _ALIAS.fullmatch(found)
    if alias is not None:
        text = reading.written(word, "an alias", NEVER).partition("=")[2]
        reading.aliases.add(alias[1])
        if text.startswith("!"):
            shell_code(reading, text[1:], via="alias")
        else:
            reading.run((literal(reading.program.asked), *map(literal, text.split())), "alias")
    elif found in RUN_WHERE_ON or found == "core.hookspath":
        if value.lower() not in _TURNED_OFF | {"/dev/null"} or word.text is None:
            raise _refused(reading, word)
    elif RUN_BY_SETTING.fullmatch(found) is not None:
        text = reading.written(word, "a program that git runs", NEVER).partition("=")[2]
        _command(reading, text)
    elif not _is(_HARMLESS, found):
        raise _refused(reading, word)
    elif found in (
        "blame.ignorerevsfile",
        "diff.orderfile",
    ):  # what is not a list in it is quoted in the complaint
        reading.use("r", word.after(len(name) + 1))


def _command(reading: CommandReading, text: str) -> None:
    """The value of a setting that names a command: turned off, a credential helper by its short name, or
    shell code.
    """
    if text.lower() in _TURNED_OFF:
        return
    shell_code(reading, text.removeprefix("!"), via="-c")


def _refused(reading: CommandReading, word: ArgumentWord) -> CommandError:
    name = word.head.partition("=")[0]
    return CommandError(
        f"in {reading.name}: the setting {quoted(name)} is not known to leave alone what git runs",
        hint="leave it out; set it in the configuration of the repository, where it can be reviewed",
    )


@role("git-pager")
def pager(reading: CommandReading, word: ArgumentWord) -> None:
    """``git grep -O[PAGER]``: a program for what was found."""
    if word.text is None or word.text:
        command_line(reading, word)


@role("git-remote")
def remote(reading: CommandReading, word: ArgumentWord) -> None:
    """A repository: a name, a path, ``host:path``, a URL; ``ext::`` and the like run a command."""
    if re.match(r"[A-Za-z0-9-]+::", word.head):
        raise CommandError(
            f"in {reading.name}, {quoted(word)} names a helper that runs a command", hint=NEVER
        )
    reading.guard(word, ("ext::", "fd::"), "would name a helper that runs a command", NEVER)
    reading.never(word, ("::",), "would name a helper that runs a command", NEVER)
    reading.contact("git", word)
    reading.use("m", word)


@role("git-refspec")
def refspec(reading: CommandReading, word: ArgumentWord) -> None:
    """``[+]SOURCE[:TARGET]``: ``+`` forces, ``:TARGET`` deletes; a value does neither."""
    if word.head.startswith("+"):
        reading.flags.update(("--force", "-f"))
    if word.head.startswith(":"):
        reading.flags.update(("--delete", "-d"))
    reading.guard(
        word, ("+", ":"), "would force, or delete the branch, there", "write + or : in the template"
    )
    if word.whole:
        reading.never(word, (":",), "would name another branch there", "write {source}:{target}")


@role("git-object")
def git_object(reading: CommandReading, word: ArgumentWord) -> None:
    """``REVISION:PATH``, a file as it was; or a path, or neither."""
    reading.use("o", word)
    reading.contact("maybe", word)


_MAGIC: Final = frozenset("*?[")


@role("git-written")
def written(reading: CommandReading, word: ArgumentWord) -> None:
    """A file that is brought back or removed, or a pattern of git for some."""
    if word.head.startswith(":"):
        reading.use("w", None)
    elif word.text is not None and _MAGIC & set(word.text):
        reading.use("w", literal("."))
    else:
        reading.use("w", word)
    reading.guard(word, (":",), "would be a pattern of git there", "write ./ in front of the path")


@reader("git-checkout")
def checkout(reading: CommandReading, words: tuple[ArgumentWord, ...], spec_: Spec) -> None:
    """``git checkout [BRANCH] [--] [PATH...]``: without ``--`` a name may be either."""
    ends = next((index for index, word in enumerate(words) if word.text == "--"), len(words))
    ArgumentWalk(reading, words[:ends], spec_).walk()
    for word in reading.operands:
        if word.text is not None and (word.text.startswith(":") or _MAGIC & set(word.text)):
            written(reading, word)
        else:
            reading.use("n", word)
    for word in words[ends + 1 :]:
        reading.operands.append(word)
        written(reading, word)


@reader("git-apply")
def apply(reading: CommandReading, words: tuple[ArgumentWord, ...], spec_: Spec) -> None:
    """``git apply``, ``git am``: what a patch names is written."""
    walk = ArgumentWalk(reading, words, spec_)
    walk.walk()
    if not walk.given & {"--check", "--stat", "--numstat", "--summary", "--cached"}:
        reading.use("w", None if "--unsafe-paths" in walk.given else literal("."))


@reader("git-clone")
def clone(reading: CommandReading, words: tuple[ArgumentWord, ...], spec_: Spec) -> None:
    """``git clone REPOSITORY [DIRECTORY]``, ``git init [DIRECTORY]``: without a directory, it is made here."""
    ArgumentWalk(reading, words, spec_).walk()
    if len(reading.operands) < (1 if spec_.name.startswith("git init") else 2):
        reading.use("w", literal("."))


@reader("gh-repo")
def gh_repo(reading: CommandReading, words: tuple[ArgumentWord, ...], spec_: Spec) -> None:
    """``gh repo clone NAME [DIRECTORY] -- OPTIONS``: the options are those of ``git clone``."""
    ends = next((index for index, word in enumerate(words) if word.text == "--"), len(words))
    ArgumentWalk(reading, words[:ends], spec_).walk()
    if words[ends + 1 :]:
        name = literal("a repository of gh")
        reading.run((literal("git"), literal("clone"), *words[ends + 1 :], literal("--"), name))


@reader("git-foreach")
def foreach(reading: CommandReading, words: tuple[ArgumentWord, ...], spec_: Spec) -> None:
    """``git submodule foreach CODE``, ``git submodule foreach COMMAND ARGUMENT...``."""
    while words and words[0].text in ("--recursive", "-q", "--quiet", "--"):
        words = words[1:]
    if len(words) == 1:
        shell_code(reading, reading.written(words[0], "shell code", NEVER))
    elif words:
        first = reading.written(words[0], "the program", NEVER)
        if re.search(r"[^A-Za-z0-9_./+-]", first):
            raise CommandError(
                f"in {reading.name}: shell code with arguments", hint="write the code as one argument"
            )
        reading.run(words, "foreach")


@reader("git")
def git(reading: CommandReading, words: tuple[ArgumentWord, ...], spec_: Spec) -> None:
    """``git [options] SUBCOMMAND ...``: a subcommand that git does not have is an alias, or a program of
    that name.
    """
    walk = ArgumentWalk(reading, words, spec_)
    walk.walk()
    if reading.subcommands:
        name = reading.subcommands[0]
        known = spec(f"git {name}")
        if known is None and name not in _SUBCOMMANDS and name.lower() not in reading.aliases:
            reading.code(f"{quoted(name)}, which is an alias or a program")
        if known is not None and name == "config":
            _configures(reading)


def _configures(reading: CommandReading) -> None:
    """``git config NAME VALUE``: a later git command runs what a setting names."""
    names = [word for word in reading.operands if word.text is None or "." in word.text]
    verb = reading.operands[0].text if reading.operands else None
    if verb in ("get", "list"):
        return
    if verb in ("edit", "rename-section"):
        reading.code("with settings that later commands obey")
        reading.use("w", literal(".git/config"))
    if len(reading.operands) < 2 and not reading.flags & {"-e", "--edit", "--add", "--replace-all"}:
        return
    for word in names[:1]:
        text = reading.written(word, "the name of a setting", "write the name in the template").lower()
        if not _is(_HARMLESS, text):
            reading.code("with a setting that later commands obey")
            reading.use("w", literal(".git/config"))
    if reading.flags & {"-e", "--edit", "--rename-section"} or (not names and len(reading.operands) > 1):
        reading.code("with settings that later commands obey")
        reading.use("w", literal(".git/config"))


_SUBCOMMANDS: Final = frozenset(
    """
    add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap
    check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree
    config count-objects credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon describe
    diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch
    fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsmonitor--daemon gc get-tar-commit-id grep gui hash-object
    help hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers log ls-files
    ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-one-file merge-tree
    mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune
    prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay
    request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch
    show-index show-ref sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag
    unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit
    verify-pack verify-tag version web--browse whatchanged worktree write-tree lfs
    """.split()
)
