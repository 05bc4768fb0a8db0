"""Names of files and folders that are sentences: whoever lists the folder reads them."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.views.view import Step, View

_LEAST = 24
"""Characters of a name with fewer than this say nothing; nor do fewer than four words."""


def name_views(artifact: Artifact, seen: set[str]) -> Iterator[View]:
    """A ``name`` view of each part of the artifact's path that is a sentence and is not among ``seen``."""
    if " " not in artifact.path:
        return
    for part in artifact.path.split("/"):
        if len(part) >= _LEAST and part.count(" ") > 2 and part not in seen:
            seen.add(part)
            yield View(
                artifact=artifact, text=part, language=Kind.TEXT, origin=(Step(kind="name"),), span=(1, 1)
            )
