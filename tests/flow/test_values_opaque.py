"""A labelled value shows nowhere: every way that Python has to render, convert, hash, copy or store one."""

import argparse
import array
import asyncio
import base64
import builtins
import collections
import contextlib
import copy
import csv
import ctypes
import dataclasses
import decimal
import fractions
import functools
import hashlib
import inspect
import io
import json
import logging
import marshal
import operator
import os
import pathlib
import pickle
import pprint
import re
import reprlib
import shlex
import signal
import sqlite3
import string
import struct
import subprocess
import sys
import textwrap
import traceback
import types
import urllib.parse
import uuid
import warnings
import weakref

import msgspec
import pytest
import rich.pretty
import yaml

from sluicegate.flow.errors import OpaqueValueError
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled, LabeledFailure, branch, combine, pc, placeholder, select
from sluicegate.flow.values.operators import Operators

CANARY = "CANARY7f3a"
NUMBER = 918273645546372819
ENDLESS = {"pow", "ipow", "__pow__", "__ipow__", "__rpow__"}  # of such numbers; tested with small ones below
TRACES = (
    CANARY,
    str(NUMBER),
    hex(NUMBER)[2:],
    CANARY.encode().hex(),
    base64.b64encode(CANARY.encode()).decode(),
)
SECRET = Labels.of("secret", "src:mcp")


@dataclasses.dataclass
class Account:
    name: str
    token: object


def _raise(kind, content):
    raise kind(content)


CONTENTS = {
    "text": lambda: Labeled(CANARY, SECRET),
    "long text": lambda: Labeled(CANARY * 1000, SECRET),
    "bytes": lambda: Labeled(CANARY.encode(), SECRET),
    "number": lambda: Labeled(NUMBER, SECRET),
    "list": lambda: Labeled([CANARY, NUMBER], SECRET),
    "dict": lambda: Labeled({CANARY: NUMBER, "token": CANARY}, SECRET),
    "set": lambda: Labeled({CANARY}, SECRET),
    "object": lambda: Labeled(Account("a", CANARY), SECRET),
    "path": lambda: Labeled(pathlib.Path("/", CANARY), SECRET),
    "error": lambda: Labeled(ValueError(CANARY), SECRET),
    "function": lambda: Labeled(lambda: CANARY, SECRET),
    "labelled part": lambda: Labeled({"token": Labeled(CANARY, SECRET), "count": 1}),
    "labelled item": lambda: Labeled([Labeled(CANARY, SECRET), Labeled(NUMBER, SECRET)]),
    "labelled field": lambda: Labeled(Account("a", Labeled(CANARY, SECRET))),
    "tuple of both": lambda: Labeled.join(Labeled(CANARY, SECRET), 1),
    "failed": lambda: Labeled(CANARY, SECRET).map(int),
    "failed aloud": lambda: Labeled(CANARY, SECRET).map(lambda content: _raise(RuntimeError, content)),
    "without labels": lambda: Labeled(CANARY),
}


def _log(value):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.Logger("canary")
    logger.addHandler(handler)
    logger.warning("%s %r", value, value)
    logger.warning(value)
    logger.error("%(token)s", {"token": value})
    logger.warning("extra", extra={"token": value})
    try:
        _raise(ValueError, value)
    except ValueError:
        logger.exception("failed")
    return stream.getvalue()


def _printed(value):
    stream = io.StringIO()
    print(value, [value], file=stream)
    return stream.getvalue()


def _csv(value):
    stream = io.StringIO()
    csv.writer(stream).writerow([value])
    return stream.getvalue()


def _sqlite(value):
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        return database.execute("select ?", (value,)).fetchall()


def _matched(value):
    match value:
        case str() | bytes() | int() | list() | dict():
            return value
        case "x":
            return value
    return None


def _traceback(value):
    try:
        _raise(KeyError, value)
    except KeyError as error:
        return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())


def _warned(value):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn(str(value), stacklevel=1)
    return [warnings.formatwarning(str(each.message), UserWarning, "f", 1) for each in caught]


def _lines(value):
    return list(io.StringIO(value))


def _unpacked(value):
    first, *rest = value
    return first, rest


def _starred(value):
    return (lambda *args, **kwargs: (args, kwargs))(*value, **value)


def _iterated(value):
    return [part for part in value]  # noqa: C416 - the loop is the point


WAYS = {
    "print": _printed,
    "log": _log,
    "f-string": lambda x: f"{x} {x!r} {x!s} {x!a} {x:>30} {x:.2f} {x:x}",
    "percent": lambda x: "%s %r %a" % (x, x, x),  # noqa: UP031
    "percent d": lambda x: "%d" % x,  # noqa: UP031
    "percent c": lambda x: "%c" % x,  # noqa: UP031
    "percent map": lambda x: "%(a)s" % {"a": x},  # noqa: UP031
    "percent bytes": lambda x: b"%b" % x,
    "str.format": lambda x: "{} {0!r}".replace("0", "") .format(x, x),
    "str.format attributes": lambda x: "{0._content}".format(x),  # noqa: UP030, UP032
    "str.format labels": lambda x: "{0.labels} {0.trail}".format(x),  # noqa: UP032
    "format_map": lambda x: "{a}".format_map({"a": x}),
    "join": lambda x: "".join([x]),
    "join bytes": lambda x: b"".join([x]),
    "str + ": lambda x: "a" + x,
    "bytes +": lambda x: b"a" + x,
    "str *": lambda x: "a" * x,
    "Template": lambda x: string.Template("$a").substitute(a=x),
    "textwrap": lambda x: textwrap.fill(x),
    "str()": lambda x: str(x),
    "str(bytes)": lambda x: str(x, "utf-8"),
    "list repr": lambda x: repr([x, (x,), {"a": x}]),
    "reprlib": lambda x: reprlib.repr(x),
    "pprint": lambda x: pprint.pformat([x, {"a": x}]),
    "rich": lambda x: rich.pretty.pretty_repr([x]),
    "json": lambda x: json.dumps(x),
    "json default": lambda x: json.dumps([x], default=str),
    "json key": lambda x: json.dumps({"a": x}, default=repr),
    "msgspec json": lambda x: msgspec.json.encode(x),
    "msgspec builtins": lambda x: msgspec.to_builtins(x),
    "yaml": lambda x: yaml.dump(x),
    "yaml safe": lambda x: yaml.safe_dump(x),
    "marshal": lambda x: marshal.dumps(x),
    **{f"pickle {protocol}": lambda x, p=protocol: pickle.dumps(x, p) for protocol in range(6)},
    "python pickle": lambda x: pickle._dumps(x),
    "object reduce": lambda x: [object.__reduce_ex__(x, protocol) for protocol in (2, 3, 4)],
    "copyreg": lambda x: __import__("copyreg").__reduce_ex__(x, 1),
    "object getstate": lambda x: getattr(object, "__getstate__", lambda _: None)(x),
    "copy": lambda x: copy.copy(x),
    "deepcopy": lambda x: copy.deepcopy([x]),
    "object str": lambda x: (object.__repr__(x), object.__str__(x), object.__format__(x, "")),
    "dataclass": lambda x: repr(Account("a", x)),
    "dataclass asdict": lambda x: dataclasses.asdict(Account("a", x)),
    "dataclass eq": lambda x: Account("a", x) == Account("a", CONTENTS["text"]()),
    "namespace": lambda x: repr(argparse.Namespace(a=x)) + repr(types.SimpleNamespace(a=x)),
    "vars": lambda x: vars(x),
    "dir": lambda x: {name: getattr(x, name) for name in dir(x) if not callable(getattr(x, name))},
    "getmembers": lambda x: inspect.getmembers_static(x),
    "dict": lambda x: x.__dict__,
    "slots": lambda x: [getattr(x, name) for kind in type(x).__mro__ for name in getattr(kind, "__slots__", ())],
    "content": lambda x: x._content,
    "traceback": _traceback,
    "exception text": lambda x: (str(ValueError(x)), repr(ValueError("a", x))),
    "group": lambda x: repr(ExceptionGroup("a", [ValueError(x)])),
    "warning": _warned,
    "assert": lambda x: _raise(AssertionError, f"{x}"),
    "exit": lambda x: sys.exit(x),
    "set": lambda x: {x},
    "dict key": lambda x: {x: 1},
    "counter": lambda x: collections.Counter([x]),
    "lru_cache": lambda x: functools.lru_cache(lambda value: value)(x),
    "in": lambda x: "abc" in x,
    "in list": lambda x: x in [CANARY, NUMBER],
    "index of list": lambda x: [CANARY].index(x),
    "sorted": lambda x: sorted([x, CONTENTS["text"]()]),
    "max": lambda x: max(x, CONTENTS["text"]()),
    "chained": lambda x: 0 < x < 5,
    "and": lambda x: x and "yes",
    "not": lambda x: not x,
    "ternary": lambda x: "yes" if x else "no",
    "while": lambda x: next(iter(lambda: x, CANARY)),
    "match": _matched,
    "for": _iterated,
    "unpack": _unpacked,
    "star": _starred,
    "lines": _lines,
    "slice of text": lambda x: CANARY[x:],
    "text at": lambda x: "abc"[x],
    "range": lambda x: range(x),
    "call": lambda x: x(),
    "await": lambda x: asyncio.run(asyncio.wait_for(x, 1)),
    "with": lambda x: x.__enter__(),
    "set item": lambda x: operator.setitem(x, 0, 1),
    "set attribute": lambda x: setattr(x, "labels", Labels.of()),
    "set content": lambda x: setattr(x, "_content", 1),
    "delete": lambda x: delattr(x, "labels"),
    "missing method": lambda x: x.upper(),
    "open": lambda x: open(x),  # noqa: SIM115
    "path": lambda x: pathlib.Path(x),
    "path /": lambda x: pathlib.Path("/") / x,
    "os.path": lambda x: os.path.join("/", x),
    "fspath": lambda x: os.fspath(x),
    "environ": lambda x: os.environ.__setitem__("SLUICEGATE_CANARY", x),
    "subprocess": lambda x: subprocess.run(["/bin/true", x]),
    "subprocess input": lambda x: subprocess.run(["/bin/cat"], input=x, capture_output=True),
    "shlex": lambda x: shlex.quote(x),
    "stdout bytes": lambda x: io.BytesIO().write(x),
    "stdout text": lambda x: io.StringIO().write(x),
    "csv": _csv,
    "sqlite": _sqlite,
    "regex": lambda x: re.match("(.*)", x),
    "regex pattern": lambda x: re.compile(x),
    "quote": lambda x: urllib.parse.quote(x),
    "urlencode": lambda x: urllib.parse.urlencode({"a": x}),
    "b64": lambda x: base64.b64encode(x),
    "sha": lambda x: hashlib.sha256(x),
    "struct": lambda x: struct.pack("q", x),
    "array": lambda x: array.array("q", [x]),
    "ctypes": lambda x: ctypes.c_char_p(x),
    "decimal": lambda x: decimal.Decimal(x),
    "fraction": lambda x: fractions.Fraction(x),
    "uuid": lambda x: uuid.UUID(x),
    "int base": lambda x: int(x, 16),
    "isinstance": lambda x: isinstance(x, (str, bytes, int, list, dict)),
    "weakref": lambda x: weakref.ref(x),
    "sum": lambda x: sum([x], start=0),
    "labelled": lambda x: [x.labels, x.trail, placeholder(x.labels)],
    "keys": lambda x: [x.keys(), x.values(), x.items(), x.len(), x.get(CANARY), x.contains(CANARY)],
    "failure": lambda x: [x.failed, x.failure, x.recover(lambda text: text)],
    "map": lambda x: [x.map(lambda content: content), x.map(repr), x.each(lambda part: part)],
    "map raises": lambda x: x.map(lambda content: _raise(ValueError, content)),
    "map exits": lambda x: x.map(lambda content: sys.exit(content)),
    "map asserts": lambda x: x.map(lambda content: _raise(AssertionError, content)),
    "map stops": lambda x: x.map(lambda content: _raise(StopIteration, content)),
    "map bad error": lambda x: x.map(lambda content: _raise(BadError, content)),
    "map interrupted": lambda x: x.map(lambda content: _raise(KeyboardInterrupt, content)),
    "map own interrupt": lambda x: x.map(lambda content: _raise(OwnInterrupt, content)),
    "map later": lambda x: [x.map(lambda content: (part for part in [content])), x.map(_later)],
    "map recursion": lambda x: x.map(_deeper),
    "amap": lambda x: asyncio.run(x.amap(_later)),
    "amap raises": lambda x: asyncio.run(x.amap(_raise_later)),
    "amap cancelled": lambda x: asyncio.run(x.amap(_cancel)),
    "combine": lambda x: combine(lambda one, other: f"{one}{other}", x, x),
    "select": lambda x: select(x, x, CANARY),
    "format": lambda x: Labeled.format("{} {a!r} {0[0]}", x, a=x),
    "format itself": lambda x: x.format(1),
    "bool of failure": lambda x: _in_branch(x.map(int), bool),
    "in branch": lambda x: _in_branch(x, str),
    "error in branch": lambda x: _in_branch(x, lambda value: _raise(ValueError, value)),
}  # fmt: skip


class BadError(Exception):
    def __str__(self):
        raise ValueError(self.args[0])


class OwnInterrupt(BaseException):
    """Not an Exception, and not made without an argument."""

    def __init__(self, content):
        super().__init__(content)


async def _later(content):
    return content


async def _raise_later(content):
    raise ValueError(content)


async def _cancel(content):
    raise asyncio.CancelledError(content)


def _deeper(content):
    return _deeper(content)


def _in_branch(value, function):
    with branch(value):
        return function(value)


def rendered(thing, depth=0):
    """Everything a reader could see of a thing."""
    text = [repr(thing), str(thing), f"{thing}", getattr(thing, "message", ""), getattr(thing, "hint", "")]
    if isinstance(thing, Labeled):
        return text
    if isinstance(thing, BaseException):
        text += map(repr, thing.args)
        with contextlib.suppress(OpaqueValueError):  # a SyntaxError asks its message for its truth
            text += traceback.format_exception(thing)
        for frame, _ in traceback.walk_tb(thing.__traceback__):
            for value in frame.f_locals.values():
                with contextlib.suppress(AttributeError):  # half-made objects of the standard library
                    text.append(repr(value))
        for other in (thing.__cause__, thing.__context__):
            text += rendered(other) if other is not None else []
    if isinstance(thing, dict) and depth < 4:
        thing = [*thing.keys(), *thing.values()]
    if isinstance(thing, (list, tuple, set)) and depth < 4:
        text += [line for part in thing for line in rendered(part, depth + 1)]
    return text


def seen(way, value):
    """What comes of a way: its result or its error, rendered; plain results that are the canary's are shown."""
    try:
        result = way(value)
    except BaseException as error:  # noqa: BLE001 - whatever is raised must not show it either
        del way
        return rendered(error)
    return rendered(result)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_no_way_shows_the_content(way, capfd, recwarn):
    for content, make in CONTENTS.items():
        text = "\n".join(seen(WAYS[way], make()))
        captured = capfd.readouterr()
        text += captured.out + captured.err + "".join(str(each.message) for each in recwarn)
        # The source lines of this file name the canary by its variable, never by its value.
        assert not [trace for trace in TRACES if trace in text], f"{content}: {text}"
        assert pc() is Labels.of()


SOME = {
    name: CONTENTS[name] for name in ("text", "number", "dict", "labelled part", "failed", "without labels")
}

EVERY = sorted(
    {name for name in dir(Labeled) if name.startswith("__")}
    | {
        name
        for kind in (int, str, list, dict, float, bytes, complex, type(iter("")), type)
        for name in dir(kind)
    }
    - {"__class__", "__new__", "__subclasshook__", "__init_subclass__", "__getattribute__", "mro"}
)


@pytest.mark.parametrize("name", [name for name in EVERY if name not in ENDLESS])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_no_method_that_any_builtin_has_shows_the_content(name):
    for content, make in SOME.items():
        for arguments in ((), (0,), ("",), (make(),), (2, 3), (slice(1),), ("_content",)):
            text = "\n".join(seen(lambda value, a=arguments: getattr(value, name)(*a), make()))
            assert not [trace for trace in TRACES if trace in text], (name, content, arguments)


BUILTINS = {
    name: function
    for name, function in vars(builtins).items()
    if callable(function)
    and name not in {"breakpoint", "input", "open", "help", "exit", "quit", "copyright", "credits", "license"}
}


@pytest.mark.parametrize("name", [name for name in BUILTINS if name not in ENDLESS])
def test_no_builtin_shows_the_content(name, capfd):
    for content, make in SOME.items():
        for before, after in (((), ()), ((), (make(),)), ((1,), ()), (("",), ()), ((str,), ()), ((), (1,))):
            text = "\n".join(seen(lambda value, b=before, a=after: BUILTINS[name](*b, value, *a), make()))
            captured = capfd.readouterr()
            text += captured.out + captured.err
            assert not [trace for trace in TRACES if trace in text], (name, content)


@pytest.mark.parametrize("name", [name for name in dir(operator) if name[0] != "_" and name not in ENDLESS])
def test_no_operator_shows_the_content(name):
    function = getattr(operator, name)
    for content, make in SOME.items():
        for arguments in (lambda x: (x,), lambda x: (x, x), lambda x: (x, 1), lambda x: ("abc", x)):
            text = "\n".join(seen(lambda value, a=arguments: function(*a(value)), make()))
            assert not [trace for trace in TRACES if trace in text], (name, content)


def test_every_operator_of_python_is_labelled():
    names = {name for name in dir(int) if name.startswith("__")} & set(vars(Operators))
    binary = {
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "divmod",
        "pow",
        "lshift",
        "rshift",
        "and",
        "or",
        "xor",
    }
    assert {f"__{r}{name}__" for name in binary for r in ("", "r")} <= names
    for left, right in ((Labeled(7, SECRET), 3), (7, Labeled(3, SECRET)), (Labeled(7), Labeled(3, SECRET))):
        for name in binary | {"eq", "ne", "lt", "le", "gt", "ge"}:
            function = divmod if name == "divmod" else getattr(operator, f"__{name}__")
            assert function(left, right).labels is SECRET, name
            plain = []
            function(left, right).map(plain.append)
            assert plain == [function(7, 3)], name


def test_what_is_not_shown_is_as_large_as_what_is():
    assert sys.getsizeof(CONTENTS["text"]()) == sys.getsizeof(CONTENTS["long text"]())


@pytest.mark.parametrize(
    "way",
    ["set", "dict key", "range", "fspath", "not", "for", "in", "pickle 5", "struct", "int base", "unpack"],
)
def test_the_error_says_what_to_use_instead(way):
    with pytest.raises((OpaqueValueError, TypeError)) as error:
        WAYS[way](CONTENTS["text"]())
    assert isinstance(error.value, OpaqueValueError) or way in ("struct", "int base")
    if isinstance(error.value, OpaqueValueError):
        assert "<secret src:mcp>" in error.value.message
        assert error.value.hint.startswith("use ")


def test_the_placeholder_names_the_labels():
    assert str(Labeled("a", Labels.of("secret"))) == "<secret>"
    assert f"{Labeled('a')}" == "<value>"
    assert placeholder(Labels.of("src:file", "dir:/tmp", "dir:/tmp/x")) == "<src:file>"
    assert placeholder(Labels.of(*(f"many-{n}" for n in range(9)))).endswith("many-5 ...>")


def _interrupted(content):
    signal.raise_signal(signal.SIGINT)  # as Ctrl-C does it
    return content


@pytest.mark.usefixtures("interrupts_heard")
def test_an_interruption_passes_and_brings_nothing_along():
    with pytest.raises(KeyboardInterrupt) as error:
        Labeled(CANARY, SECRET).map(_interrupted)
    assert error.value.args == ()
    assert error.value.__context__ is None


def test_an_interruption_by_a_handler_of_the_program_passes(monkeypatch):
    def handler(number, frame):
        raise KeyboardInterrupt(CANARY)

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt) as error:
            Labeled(CANARY, SECRET).map(_interrupted)
    finally:
        signal.signal(signal.SIGINT, before)
    assert error.value.args == ()


def _throw(kind, content):
    (each for each in ()).throw(kind(content))


def _throw_at_a_yield(kind, content):
    several = (each for each in (1, 2))
    next(several)
    several.throw(kind(content))


@pytest.mark.parametrize(
    "kind",
    [KeyboardInterrupt, GeneratorExit, asyncio.CancelledError, SystemExit, OwnInterrupt, BaseException],
)
@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize("throws", [_raise, _throw, _throw_at_a_yield], ids=lambda each: each.__name__)
def test_what_a_function_raises_by_itself_is_no_oracle(kind, throws, held):
    """Whether the content is such that it raises, the program goes on alike."""
    value = Labeled(CANARY if held else "other", SECRET)
    made = value.map(lambda content: throws(kind, content) if content == CANARY else content)
    assert made.labels is SECRET
    with branch(SECRET):
        assert bool(made.failed) is held


@pytest.mark.parametrize("held", [True, False])
def test_a_cancellation_that_nobody_asked_for_is_no_oracle(held):
    async def program():
        value = Labeled(CANARY if held else "other", SECRET)

        async def stop(content):
            if content == CANARY:
                raise asyncio.CancelledError(content)

        return await value.amap(stop)

    made = asyncio.run(program())
    with branch(SECRET):
        assert bool(made.failed) is held


def test_no_setter_leads_to_the_labels_of_a_value():
    value = Labeled(CANARY, SECRET)
    for name in ("labels", "trail", "_labels", "_trail", "_content"):
        with pytest.raises(AttributeError):
            object.__setattr__(value, name, Labels.of())
        for kind in type(value).__mro__:
            found = vars(kind).get(name)
            assert not isinstance(found, types.MemberDescriptorType)
            assert getattr(found, "fset", None) is None
    assert value.labels is SECRET


@dataclasses.dataclass
class Uncopied:
    token: object

    def __copy__(self):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("interrupts_heard")
@pytest.mark.parametrize(
    "use", [repr, lambda x: x.failed, lambda x: x.failure, lambda x: x.map(str), lambda x: select(x, 1, 2)]
)
def test_an_interruption_while_a_value_is_opened_brings_nothing_along(use):
    text = "".join(seen(use, Labeled(Uncopied(Labeled(CANARY, SECRET)))))
    assert CANARY not in text
    assert use is repr or "KeyboardInterrupt" in text


def test_a_failure_comes_out_labelled_where_the_value_may():
    failed = Labeled(CANARY, SECRET).map(int)
    with pytest.raises(LabeledFailure) as error:
        _in_branch(failed, bool)
    assert error.value.labels is SECRET
    assert error.value.detail.labels is SECRET
    assert CANARY not in "".join(rendered(error.value))
    words = []
    error.value.detail.map(words.append)
    assert CANARY in words[0]
