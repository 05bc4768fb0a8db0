"""Names of outside things, in one normal form whichever alias or disguise reaches them."""

from __future__ import annotations

import ast
import builtins
import posixpath
from functools import lru_cache

from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.program import BoundMethod, Class, Instance, Module, PyUnit
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    NOTHING,
    PyValue,
    Ref,
    SourceKind,
    join,
    tainted,
)

MAX_NAME = 120
MAX_KEPT = 200
"""Characters of a name that is remembered from scan to scan; the text of a bundle may hold longer ones."""

BUILTINS: dict[str, str] = {name: name for name in dir(builtins) if not name.startswith("__")}
BUILTINS |= {
    "__import__": "__import__", "__builtins__": "builtins", "unicode": "str", "raw_input": "input",
    "execfile": "execfile",
    "xrange": "range", "reload": "importlib.reload",
}  # fmt: skip

IMPLICIT_MODULES: dict[str, str] = {
    name: name
    for name in (
        "os", "sys", "subprocess", "requests", "base64", "json", "socket", "shutil", "pickle", "marshal",
        "urllib", "httpx",
        "zlib", "codecs", "glob", "ctypes", "importlib", "pathlib", "smtplib", "ftplib", "aiohttp", "yaml",
        "boto3", "tempfile",
        "threading", "datetime", "time", "platform", "getpass", "builtins", "pty", "webbrowser",
        "pyperclip", "torch", "joblib",
    )
}  # fmt: skip
IMPLICIT_MODULES |= {"Path": "Path", "np": "numpy", "pd": "pandas", "sp": "subprocess"}
"""Modules that a snippet without imports means by these names."""

HEADS = {
    "posixpath": "os.path", "ntpath": "os.path", "posix": "os", "nt": "os", "cPickle": "pickle",
    "_pickle": "pickle",
    "cloudpickle": "dill", "httpx": "requests", "grequests": "requests", "commands": "subprocess",
    "urllib2": "urllib.request",
    "asks": "requests", "niquests": "requests", "ruamel": "yaml", "anyio": "asyncio",
    "curl_cffi": "curl_cffi", "pathlib2": "pathlib",
    "_socket": "socket", "ujson": "json", "orjson": "json", "_io": "io", "codecs": "codecs",
    "__builtin__": "builtins",
}  # fmt: skip
EXACT = {
    "pathlib.Path": "Path", "pathlib.PosixPath": "Path", "pathlib.PurePath": "Path",
    "pathlib.WindowsPath": "Path", "io.open": "open",
    "os.environb": "os.environ", "curl_cffi.requests": "requests", "urllib.urlopen": "urllib.request.urlopen",
    "urllib.urlretrieve": "urllib.request.urlretrieve", "os.popen2": "os.popen", "os.popen3": "os.popen",
    "anyio.Path": "Path",
    "requests.sessions.Session": "requests.Session", "asyncio.subprocess": "asyncio",
    "subprocess.getoutput": "subprocess.getoutput",
    "datetime.datetime.utcnow": "datetime.datetime.now", "datetime.datetime.today": "datetime.datetime.now",
    "aiofiles.open": "open", "os.getenvb": "os.getenv", "socket.socket.socket": "socket.socket",
    "pickle.Unpickler": "pickle.load",
    "importlib.__import__": "__import__", "sys.stdin.buffer": "sys.stdin", "codecs.open": "open",
    "Path.Path": "Path",
}  # fmt: skip

_SOURCES: dict[str, tuple[SourceKind, str]] = {
    "os.environ": (SourceKind.ENV_ALL, "os.environ"),
    "sys.argv": (SourceKind.INPUT, "sys.argv"),
    "sys.stdin": (SourceKind.INPUT, "sys.stdin"),
    "flask.request": (SourceKind.INPUT, "flask.request"),
}

_TEXTS = {"os.sep": "/", "os.path.sep": "/", "sys.executable": "python", "os.curdir": "."}

DANGEROUS = frozenset(
    {"exec", "eval", "compile", "os.system", "os.popen", "os.execv", "os.execl", "os.execvp",
        "subprocess.run", "subprocess.Popen",
     "subprocess.call", "subprocess.check_output", "subprocess.check_call", "subprocess.getoutput",
     "pty.spawn", "marshal.loads",
     "pickle.loads", "__import__"}
)  # fmt: skip
"""Functions that are only ever reached by a computed name to hide that they are."""


@lru_cache(maxsize=4_096)
def _canonical(name: str) -> str:
    head, dot, tail = name.partition(".")
    if head == "builtins" and tail in BUILTINS:
        return tail
    replaced = HEADS.get(head)
    if replaced is not None:
        name = replaced + dot + tail
    return EXACT.get(name, name)


def canonical(name: str) -> str:
    """The one name of an outside thing."""
    return _canonical(name) if len(name) <= MAX_KEPT else _canonical.__wrapped__(name)


def outside(frame: UnitRun, name: str, node: ast.AST) -> PyValue:
    """The value of an outside name; some are data from elsewhere as they stand."""
    known, value = _outside(name) if len(name) <= MAX_KEPT else _outside.__wrapped__(name)
    if value is None:
        source, label = _SOURCES[known]
        return PyValue(frame.site(source, label, node), (), (known,))
    return value


@lru_cache(maxsize=4_096)
def _outside(name: str) -> tuple[str, PyValue | None]:
    """The normal name and its value; None for what is data from elsewhere, each time from another place."""
    known = canonical(name)
    if known in _SOURCES:
        return known, None
    text = _TEXTS.get(known)
    return known, PyValue(0, (), (known[:MAX_NAME],)) if text is None else PyValue(0, (text,))


def name_value(frame: UnitRun, name: str) -> PyValue:
    """The few names that every module has."""
    if name == "__file__":
        return PyValue(0, ("./" + frame.module.path,))
    if name == "__name__":
        return PyValue(0, ("__main__",))
    return NOTHING


def attribute(frame: UnitRun, receiver: PyValue, name: str, node: ast.AST) -> PyValue:
    """``receiver.name``: of the bundle where it is, otherwise an outside name that keeps the taint."""
    mask, known, refs, parts = receiver
    if not refs and not known:
        return receiver if not parts else tainted(mask)
    if len(refs) == 1 and not known and type(refs[0]) is str and refs[0] != "os.environ":
        found = outside(frame, f"{refs[0]}.{name}", node)
        return found if not mask else found._replace(mask=found.mask | mask)
    value = NOTHING
    for ref in refs:
        if isinstance(ref, str):
            if ref == "os.environ":
                value = join(value, PyValue(mask, (), (f"os.environ.{name}",)))
                continue
            found = outside(frame, f"{ref}.{name}", node)
            value = join(value, found if not mask else found._replace(mask=found.mask | mask))
        else:
            member = _member(frame, ref, name, receiver)
            value = join(value, member if member is not None else PyValue(mask))
    if known:
        texts = _path_attribute(known, name)
        if texts:
            value = join(value, PyValue(mask, texts))
        elif not refs:
            value = join(value, PyValue(mask))
    return value


MEMBERS = ".__dict__"
"""Ends the name of the dictionary of what a module or class has."""


def member_by_text(frame: UnitRun, base: PyValue, key: PyValue, node: ast.AST) -> PyValue:
    """An attribute that is looked up by a text that stands in the program."""
    value = NOTHING
    for text in key.texts:
        value = join(value, attribute(frame, base, text, node))
        for ref in base.refs:
            if isinstance(ref, str):
                disguised(frame, f"{ref}.{text}", node, "literal")
    return value


def run_written(frame: UnitRun, dotted: str, node: ast.AST) -> None:
    """An import runs the file of that name, which this program may have written before."""
    if not frame.analysis.written:
        return
    tail = "/" + dotted.replace(".", "/")
    for path in frame.analysis.written:
        stem, dot, suffix = path.rpartition(".")
        if dot and suffix in _IMPORTED and ("/" + stem.removesuffix("/__init__")).endswith(tail):
            frame.hit(SinkKind.PROGRAM, f"import {dotted}"[:80], node, {"script": PyValue(0, (path,))})


_IMPORTED = frozenset({"py", "pyw", "pyc", "so", "pyd"})
_PATH_ATTRIBUTES = frozenset({"parent", "name", "stem", "suffix", "parents", "path"})


def _path_attribute(texts: tuple[str, ...], name: str) -> tuple[str, ...]:
    if name not in _PATH_ATTRIBUTES:
        return ()
    if name == "parent":
        return tuple(dict.fromkeys(posixpath.dirname(t) or "." for t in texts))
    if name == "name":
        return tuple(dict.fromkeys(posixpath.basename(t) for t in texts))
    if name == "path":  # of an entry of a folder
        return texts
    if name == "stem":
        return tuple(dict.fromkeys(posixpath.splitext(posixpath.basename(t))[0] for t in texts))
    if name == "suffix":
        return tuple(dict.fromkeys(posixpath.splitext(t)[1] for t in texts))
    if name == "parents":
        return tuple(dict.fromkeys(posixpath.dirname(t) or "." for t in texts))
    return ()


def _member(frame: UnitRun, ref: Ref, name: str, receiver: PyValue) -> PyValue | None:
    """An attribute of something in the bundle; None when it has none of that name."""
    if isinstance(ref, Module):
        ref.scope.readers.setdefault(name, {})[frame.unit.serial] = frame.unit
        return ref.scope.names.get(name)
    if isinstance(ref, Instance):
        return class_member(frame, ref.cls, name, receiver)
    if isinstance(ref, Class):
        return class_member(frame, ref, name, None)
    return None


def class_member(frame: UnitRun, cls: Class, name: str, receiver: PyValue | None) -> PyValue | None:
    """A member of a class or of its instances, methods bound to the receiver."""
    found: PyValue | None = None
    for owner in cls.lineage():
        owner.readers.setdefault(name, {})[frame.unit.serial] = frame.unit
        value = owner.names.get(name)
        if value is not None:
            found = _bind(value, receiver) if found is None else join(found, _bind(value, receiver))
        held = owner.attributes.get(name)
        if held is not None:
            found = held if found is None else join(found, held)
        if found is not None:
            return found
    for base in cls.outside():
        return PyValue(0, (), (canonical(f"{base}().{name}")[:MAX_NAME],))
    return None


def _bind(value: PyValue, receiver: PyValue | None) -> PyValue:
    if receiver is None or not any(isinstance(r, PyUnit) for r in value.refs):
        return value
    refs = tuple(
        BoundMethod(r, receiver) if isinstance(r, PyUnit) and not r.static else r for r in value.refs
    )
    return value._replace(refs=refs)


def disguised(frame: UnitRun, name: str, node: ast.AST, how: str) -> None:
    """Report that a dangerous function was looked up by a text instead of being named."""
    if canonical(name) in DANGEROUS:
        frame.hit(SinkKind.REACH, canonical(name), node, {}, how)
