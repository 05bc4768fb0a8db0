"""The words of a scan: those that most scans are told are read here, without ``click``.

To import ``click`` and declare forty options to it takes a tenth of a cold scan. So a scan that is told nothing but
targets, and some of the plainest options in their plainest form, is read from the tables below. All else (an option that is
not in them, ``--format=json``, ``-qv``, ``--``, a value that may be a mistake, a call for help) is ``click``'s to read, and a
mistake is its to explain. Tests hold that the tables say what is declared, and that both read the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click

COMPLETION = "_SLUICEGATE_COMPLETE"
"""The variable by which a shell asks ``click`` how a word may go on."""

FLAGS = {
    "--no-config": "no_config",
    "-q": "quiet",
    "--quiet": "quiet",
    "-v": "verbose",
    "--verbose": "verbose",
}
ONE_VALUE = {"--fail-on": "fail_on"}
MANY_VALUES = {"-f": "formats", "--format": "formats", "-o": "outputs", "--output": "outputs"}

UNSAID: Mapping[str, Any] = {
    **dict.fromkeys(("formats", "outputs", "rule_specs", "severities", "exclude", "yara", "limits"), ()),
    **dict.fromkeys(("certificate", "fail_on", "changed_since", "since", "compare", "shard", "resume")),
    **dict.fromkeys(("baseline", "jobs", "config_file", "rules_url")),
    **dict.fromkeys(("sign", "absolute_paths", "changed", "allow_none", "review", "queued"), False),
    **dict.fromkeys(("summary", "verbose", "quiet", "online", "no_config"), False),
    "color": "auto",
}
"""What each option of a scan is where nothing is said of it."""


def plain_scan(words: Sequence[str], environ: Mapping[str, str]) -> dict[str, Any] | None:
    """What these words, those of the whole command, tell a scan; None where ``click`` is to read them."""
    if words[:1] != ["scan"] or COMPLETION in environ:
        return None
    told = dict(UNSAID)
    targets = []
    left = iter(words[1:])
    for word in left:
        if not word.startswith("-") or word == "-":
            targets.append(word)
        elif word in FLAGS:
            told[FLAGS[word]] = True
        elif word in ONE_VALUE or word in MANY_VALUES:
            value = next(left, "")
            if not value.strip() or value.startswith("-"):
                return None
            if word in ONE_VALUE:
                told[ONE_VALUE[word]] = value
            else:
                told[MANY_VALUES[word]] += (value,)
        else:
            return None
    told["targets"] = tuple(targets)
    return told


def wrong_words(message: str) -> click.UsageError:
    """The error of words that do not go together; it shows how the command is used."""
    import click

    return click.UsageError(message)
