"""Where several paths really are, found at one moment: the same as one after another."""

from __future__ import annotations

import os
import tempfile

from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.policy.rules.places import RealPaths, real_path

NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
LEADS = st.lists(st.sampled_from(["a", "b", "c", "..", "."]), min_size=1, max_size=4).map("/".join)
MADE = st.lists(st.tuples(st.sampled_from(["folder", "file", "link"]), PATHS, LEADS), max_size=8)
ASKED = st.lists(
    st.one_of(PATHS, LEADS, PATHS.map(lambda path: f"{path}/"), PATHS.map(lambda path: f"/{path}")),
    min_size=1,
    max_size=8,
)


@given(made=MADE, asked=ASKED)
def test_they_are_found_as_one_by_one(made, asked):
    with tempfile.TemporaryDirectory() as base:
        for kind, path, to in made:
            place = os.path.join(base, path)
            try:
                if kind == "folder":
                    os.makedirs(place)
                elif kind == "file":
                    with open(place, "x"):
                        pass
                else:
                    os.symlink(to, place)
            except OSError:
                continue
        found = RealPaths()
        for path in asked:
            whole = f"{base}/{path}"
            assert found(whole) == real_path(whole)
            assert found(path) == real_path(path)


def test_what_is_no_path_is_left_as_it_is():
    found = RealPaths()
    for path in ("/", "//", "//tmp", "", ".", "/tmp/", "/proc/self/cwd"):
        assert found(path) == real_path(path), path


def test_nothing_is_looked_for_below_what_is_not_there(monkeypatch, tmp_path):
    looked = []
    real = os.lstat
    found = RealPaths()
    found(str(tmp_path))
    monkeypatch.setattr(os, "lstat", lambda path: (looked.append(path), real(path))[1])
    for name in ("x/y/z", "x/y/w", "x/v"):
        assert found(f"{tmp_path}/{name}") == f"{tmp_path}/{name}"
    assert looked == [f"{tmp_path}/x"]
