"""The tools of spec/ are scripts beside the package; these tests import them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "spec"))
