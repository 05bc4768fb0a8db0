"""What is derived is current: run `make generate` when this fails."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _generate():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DERIVED = dict(_generate().derived())


@pytest.mark.parametrize("path", sorted(DERIVED), ids=lambda p: p.name)
def test_derived_file_is_current(path):
    assert path.read_text(encoding="utf-8") == DERIVED[path], (
        f"{path.name} is derived: `make generate` writes it again"
    )
