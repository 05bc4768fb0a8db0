"""What is derived is current: run `make generate` when this fails."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _generate():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_derived_files_are_current():
    old = [path for path, text in _generate().derived() if path.read_text(encoding="utf-8") != text]
    assert old == [], "these are derived: `make generate` writes them again"
