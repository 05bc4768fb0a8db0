"""The reference model of flagged publishers: of which skills a flag speaks, and of what.

Imports nothing of ours.
"""

from __future__ import annotations


def said(evidence, ended, bundle, aimed, theirs=True):
    """What is said of a skill when a publisher's flag rests on the skills of ``evidence``, a set of digests.

    ``theirs``: whether that publisher published the skill. Another's, or a copy of no known publisher, is held to what was found in
    these very bytes.
    ``ended``: the sets of digests for which persons ended the flag. ``aimed``: whether the verdict on the skill says by itself
    that a text in it is aimed at reviewers. Each thing that is said makes SAFE a CAUTION, and ends approvals that were given
    without it.
    """
    if frozenset(evidence) in ended:
        return set()
    others = frozenset(evidence) - {bundle}
    says = {("flagged-publisher", others)} if others and theirs else set()
    return says | ({("flagged-skill", frozenset({bundle}))} if bundle in evidence and not aimed else set())
