"""What is derived is current: run `make generate` when this fails."""

import difflib
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
    told = []
    for path, text in _generate().derived():
        before = path.read_text(encoding="utf-8")
        if before != text:
            told += difflib.unified_diff(
                before.splitlines(), text.splitlines(), path.name, "derived", n=0, lineterm=""
            )
    assert told == [], "\n".join(["these are derived: `make generate` writes them again", *told[:40]])
