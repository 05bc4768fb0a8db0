"""``sluicegate.flow``: what a program under policy needs, in one place, imported when it is used."""

import importlib
import subprocess
import sys

import pytest

import sluicegate.flow as flow


def test_every_name_is_there_and_is_the_one_of_its_room():
    assert set(flow.__all__) == set(flow._HOMES)
    for name, home in flow._HOMES.items():
        assert getattr(flow, name) is getattr(importlib.import_module(home), name), name
    assert dir(flow) == sorted(flow.__all__)


def test_what_is_not_there_is_named():
    with pytest.raises(AttributeError, match="no attribute 'Labelled'"):
        flow.Labelled  # noqa: B018


def test_importing_it_imports_nothing_else():
    code = (
        "import sys; import sluicegate.flow\n"
        "print(sorted(name for name in sys.modules if name.startswith('sluicegate')))\n"
        "from sluicegate.flow import open_here, Labels, Labeled, branch, Denied, Guard\n"
        "print(open_here.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['sluicegate', 'sluicegate.flow']\nopen_here\n"
