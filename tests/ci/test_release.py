"""What a release is made of: notes that agree with the tag, a wheel that works elsewhere, a list of what it installs."""

import importlib.util
import json
import shutil
import subprocess
import sys

import pytest
from action_runner import ROOT

import sluicegate

_spec = importlib.util.spec_from_file_location("notes", ROOT / ".github" / "release" / "notes.py")
assert _spec and _spec.loader
release = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(release)

SOURCE = '"""Text."""\n\n__version__ = "1.2.0"\n'
CHANGELOG = """# Changelog

## Unreleased

## 1.2.0 - 2027-01-31

### Added

- A thing.

## 1.1.0 - 2026-12-24

- An older thing.
"""


def test_the_notes_are_the_section_of_the_version():
    assert release.notes("v1.2.0", CHANGELOG, SOURCE) == "### Added\n\n- A thing.\n"
    assert release.notes("v1.1.0", CHANGELOG, SOURCE.replace("1.2.0", "1.1.0")) == "- An older thing.\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "source", "says"),
    [
        ("v1.2.1", CHANGELOG, SOURCE, "the tag is v1.2.1, and the package says 1.2.0"),
        ("1.2.0", CHANGELOG, SOURCE, "the package says 1.2.0"),
        ("v1.2.0", CHANGELOG, "", "says nothing"),
        ("v1.2.0", CHANGELOG.replace(" - 2027-01-31", ""), SOURCE, "no section"),
        ("v1.2.0", CHANGELOG.replace("1.2.0", "1.3.0"), SOURCE, "no section"),
        ("v1.2.0", CHANGELOG.replace("### Added\n\n- A thing.\n", ""), SOURCE, "no section"),
        ("v1.2.0", CHANGELOG.replace("Unreleased\n", "Unreleased\n\n- New.\n"), SOURCE, "under Unreleased"),
    ],
)
def test_what_does_not_agree_is_no_release(tag, changelog, source, says):
    with pytest.raises(release.Disagreement, match=says):
        release.notes(tag, changelog, source)


def test_our_own_changelog_can_be_read_and_is_not_a_release_yet(tmp_path):
    words = [
        sys.executable,
        str(ROOT / ".github" / "release" / "notes.py"),
        "--tag",
        "v0.0.0",
        "--output",
        "x",
    ]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("notes: the tag is v0.0.0, and the package says ")
    assert not (tmp_path / "x").exists()


def _tree(folder):
    """The committed sources, where a build may write."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)


@pytest.mark.slow
def test_a_wheel_is_built_twice_alike_works_in_a_clean_environment_and_is_listed(tmp_path):
    wheels = []
    for name in ("one", "two"):
        tree = tmp_path / name
        tree.mkdir()
        _tree(tree)
        environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "SOURCE_DATE_EPOCH": "1700000000",
                   "PIP_CONSTRAINT": str(ROOT / "constraints.txt")}  # fmt: skip
        subprocess.run(
            [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path / f"dist-{name}"), "."],
            cwd=tree, env=environ, check=True, capture_output=True,
        )  # fmt: skip
        wheels.append(next((tmp_path / f"dist-{name}").iterdir()).read_bytes())
    assert wheels[0] == wheels[1]
    dist = tmp_path / "dist-one"
    said = subprocess.run(
        ["bash", str(ROOT / ".github" / "release" / "try-wheel.sh"), str(dist), sys.executable],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "works with Python" in said
    bill = tmp_path / "papers" / "sluicegate.cdx.json"
    subprocess.run(
        ["bash", str(ROOT / ".github" / "release" / "sbom.sh"), str(dist), str(bill), sys.executable],
        check=True,
    )
    document = json.loads(bill.read_text())
    about = document["metadata"]["component"]
    assert (about["name"], about["version"]) == ("sluicegate", sluicegate.__version__)
    assert {"click", "yara-x", "cryptography"} <= {c["name"] for c in document["components"]}
    assert "pip" not in {c["name"] for c in document["components"]}
