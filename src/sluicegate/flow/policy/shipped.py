"""Texts of ours that are shipped beside the code: tables, and the standard policies."""

from __future__ import annotations

from pathlib import Path


def shipped_files() -> list[str]:
    """The files of these texts."""
    return [str(path) for path in sorted(Path(__file__).parent.rglob("*.toml"))]


def shipped(name: str) -> str:
    """The text of a file in this folder. ``importlib.resources`` would say the same; its import takes longer than opening
    a project may."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
