"""Whether the sandbox works on this machine, for ``doctor`` and ``policy check``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def why_no_sandbox() -> str:
    """Why commands cannot run in a bubblewrap sandbox here; empty where they can."""
    from sluicegate.flow.environments.configuration.default import sandbox_of, why_not
    from sluicegate.flow.environments.confinement.protection import Protection
    from sluicegate.flow.environments.use import Providers

    with tempfile.TemporaryDirectory() as folder:
        return why_not(sandbox_of(Path(folder)), Providers.of(os.environ, Protection()))
