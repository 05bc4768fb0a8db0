"""Regular expressions that are compiled when they are first used."""

import importlib
import pkgutil
import re

import sluicegate.flow
import sluicegate.record
from sluicegate.patterns import _Late, late


def all_late():
    for room in (sluicegate.flow, sluicegate.record):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(found.name)
            yield from (
                (f"{found.name}.{name}", each)
                for name, each in vars(module).items()
                if isinstance(each, _Late)
            )


def test_every_one_compiles():
    found = dict(all_late())
    assert len(found) > 40
    for name, each in found.items():
        assert re.compile(each.pattern, each.given).flags == each.flags, name


def test_it_is_what_it_stands_for():
    text, raw = late("(a)(b)?"), late(rb"[0-9]+", re.ASCII)
    assert text.fullmatch("ab")[2] == "b"
    assert text.sub("x", "cab") == "cx"
    assert raw.search(b"a12")[0] == b"12"
    assert raw.groups == 0
    assert text.fullmatch == text.fullmatch, "found once"
