"""The parts that the manifest of a plugin names: what stands outside is a gap, and what is named is obeyed."""

from __future__ import annotations

import json
from os.path import join, normpath
from pathlib import Path

import pytest

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.intake.agent_files import PLUGIN_META
from sluicegate.vet.intake.installed.registries import read_registry
from sluicegate.vet.scan import scan
from sluicegate.vet.verdict.types import Decision, GapReason, Verdict

GO = "---\ndescription: Goes.\nallowed-tools: Bash(touch *)\n---\n\nNow: !`touch /tmp/x`\n"


def judged(folder: Path, manifest: str, content: object, **files: str) -> Verdict:
    for path, text in {manifest: json.dumps(content), **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (skill,) = scan(str(folder), ScanConfig()).skills
    return skill.verdict


def told(verdict: Verdict) -> list[str]:
    return [gap.detail for gap in verdict.gaps if gap.reason is GapReason.NOT_IN_BUNDLE]


@pytest.mark.parametrize(
    "manifest",
    [
        ".claude-plugin/plugin.json",
        ".codex-plugin/plugin.json",
        ".cursor-plugin/plugin.json",
        "plugin.json",
        "gemini-extension.json",
    ],
)
@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("commands", ["../shared/go.md"], "../shared/go.md"),
        ("agents", "~/agents", "~/agents"),
        ("skills", "/opt/skills", "/opt/skills"),
        ("hooks", "..\\hooks.json", "..\\hooks.json"),
        ("hooks", "./cfg/absent.json", "./cfg/absent.json"),
        ("mcpServers", "https://example.com/server.mcpb", "https://example.com/server.mcpb"),
        ("commands", {"go": {"source": "./a/../../go.md"}}, "./a/../../go.md"),
    ],
)
def test_a_part_that_is_not_in_the_plugin_is_a_gap(
    tmp_path: Path, manifest: str, key: str, value: object, shown: str
) -> None:
    verdict = judged(tmp_path / "p", manifest, {"name": "p", key: value})
    assert verdict.decision is Decision.CAUTION
    parts = [detail.split(": ", 1)[1].split(", which")[0] for detail in told(verdict)]
    assert f"{key} from {shown}" in parts


@pytest.mark.parametrize(
    "parts",
    [
        {"commands": ["./texts/go.md", "./commands/"], "hooks": "./cfg/h.json", "agents": "./agents"},
        {"hooks": {"SessionStart": [{"hooks": [{"type": "prompt", "prompt": "../say hello"}]}]}},
        {"mcpServers": {"a": {"command": "/usr/bin/env", "args": ["-i", "true"]}}},
        {"skills": "./skills/", "repository": "https://example.com/p", "keywords": ["../x"]},
        {"hooks": "${CLAUDE_PLUGIN_ROOT}/cfg/h.json"},
    ],
)
def test_a_part_that_is_in_the_plugin_is_none(tmp_path: Path, parts: dict[str, object]) -> None:
    files = {"texts/go.md": "Go on.\n", "cfg/h.json": '{"hooks": {}}'}
    verdict = judged(tmp_path / "p", ".claude-plugin/plugin.json", {"name": "p", **parts}, **files)
    assert told(verdict) == []


@pytest.mark.parametrize("value", ["./texts/go.md", ["./texts"], {"go": {"source": "texts/go.md"}}])
@pytest.mark.parametrize("key", ["commands", "agents"])
def test_a_text_that_a_manifest_names_is_loaded(tmp_path: Path, key: str, value: object) -> None:
    content = {"name": "p", key: value}
    verdict = judged(tmp_path / "p", ".claude-plugin/plugin.json", content, **{"texts/go.md": GO})
    assert verdict.decision is Decision.CAUTION
    assert "self-granted-command" in {finding.rule for finding in verdict.findings}


def test_an_entry_of_a_marketplace_is_a_manifest(tmp_path: Path) -> None:
    content = {
        "name": "m",
        "plugins": [
            {"name": "a", "source": "./a", "commands": ["./texts/go.md"], "hooks": "../../h.json"},
            {"name": "b", "source": {"source": "url", "url": "https://example.com/b"}, "agents": "./x.md"},
        ],
    }
    verdict = judged(tmp_path / "m", ".claude-plugin/marketplace.json", content, **{"a/texts/go.md": GO})
    assert [detail.split(": ", 1)[1] for detail in told(verdict)] == [
        "hooks from ../../h.json, which stands outside of the plugin"
    ]
    assert "self-granted-command" in {finding.rule for finding in verdict.findings}


@pytest.mark.parametrize("meta", PLUGIN_META)
def test_the_list_of_what_is_installed_and_the_scan_know_the_same_folders(tmp_path: Path, meta: str) -> None:
    sources: dict[str, object] = {"pool/a": "a", "b": "./b", "c/d": {"source": "local", "path": "./c/d"}}
    plugins = [
        {"name": where, "source": source, "hooks": "./cfg/h.json"} for where, source in sources.items()
    ]
    plugins.append({"name": "far", "source": "https://example.com/far.git"})
    content = {"metadata": {"pluginRoot": "./pool"}, "plugins": plugins}
    registry = read_registry(f"{meta}/marketplace.json", json.dumps(content).encode())
    assert {name: normpath(join(meta, path)) for name, path in registry.plugins} == {n: n for n in sources}
    there = {f"{where}/cfg/h.json": "{}" for where in sources}
    assert told(judged(tmp_path / "m", f"{meta}/marketplace.json", content, **there)) == []
    del there["pool/a/cfg/h.json"]
    assert len(told(judged(tmp_path / "n", f"{meta}/marketplace.json", content, **there))) == 1
