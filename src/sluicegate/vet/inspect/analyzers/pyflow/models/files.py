"""Models of files: reading, writing, walking and removing."""

from __future__ import annotations

import ast

from sluicegate.known import places
from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers.programs import FILE
from sluicegate.vet.inspect.analyzers.pyflow import folding, paths
from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.models.tables import (
    PREFIXES,
    TABLE,
    absorb,
    method_model,
    model,
    quiet,
)
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    NOTHING,
    PARAMETER_MASK,
    PyValue,
    SourceKind,
    tainted,
)
from sluicegate.vet.inspect.analyzers.shflow.folders import joined, within
from sluicegate.vet.intake.bundle import Kind

MOST_FOLDERS = 64
"""Folders of one program that are remembered."""
WALKED = "walked"
PACKED = "packed"
"""Marks the path of an archive that was made of a folder: what is read from it is what was packed."""


def read_mask(frame: UnitRun, call: EvaluatedCall, path: PyValue) -> int:
    """The taint of a file's content, by its path; notes the ability."""
    node, programs = call.node, frame.analysis.programs
    mask = 0
    if not path.texts:
        frame.can(capabilities.read("*"), node)
    for text in path.texts:
        frame.can(capabilities.read(text), node)
        mask |= frame.analysis.written.get(text, 0)
        kind = _kind_of(text)
        if kind is None and (whole := within(frame.analysis.folder(frame.view, node.lineno), text)):
            text, kind = whole, _kind_of(whole)
        if kind is not None:
            mask |= frame.site(kind, text, node)
        if programs is not None and programs.files:
            from sluicegate.vet.inspect.analyzers.pyflow.judging.handed import mask_of

            mask |= mask_of(
                frame, programs.written(text, frame.analysis.views[frame.view].path, Kind.PYTHON), node
            )
    if "sys.stdin" in path.refs:
        mask |= path.mask
    if frame.analysis.listening and "/dev/stdin" in path.texts:
        mask |= frame.site(SourceKind.INPUT, "/dev/stdin", node)
    elif (
        frame.analysis.listening
        and frame.concrete_mask(path.mask) & frame.analysis.sites.masks[SourceKind.INPUT]
    ):
        mask |= frame.site(SourceKind.INPUT, FILE, node)
    return mask


@model("os.chdir", "contextlib.chdir")
@quiet
def _enter(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """The program works in another folder from here on."""
    entered = frame.analysis.folders.setdefault(frame.view, {})
    before = frame.analysis.folder(frame.view, call.node.lineno)
    target = next(iter(call.arg(0, "path").texts), "")
    if len(entered) < MOST_FOLDERS:
        entered[call.node.lineno] = joined(before, target) if target.strip("*") else ""
    return NOTHING


def _kind_of(path: str) -> SourceKind | None:
    """The kind of data that a file at this path holds."""
    if path.startswith("/proc/") and path.endswith("/environ"):
        return SourceKind.ENV_ALL
    if places.secret(path) or places.dotenv(path):
        return SourceKind.CREDENTIAL_FILE
    if places.conversation(path):
        return SourceKind.CONVERSATION
    if path.startswith("/proc/self/status") or "/sys/class/dmi" in path:
        return SourceKind.GUARD_ANALYSIS
    if path.startswith(("/tmp/", "/var/tmp/", "/dev/shm/")) and "/tmp/tmp." not in path:
        return SourceKind.LOOSE_FILE
    if paths.everywhere(path):
        return SourceKind.HOME_FILE
    if paths.in_home(path) and "*" in path:
        return SourceKind.HOME_FILE if "**" in path else None
    return SourceKind.TREE_FILE if "**" in path else None


def write_to(frame: UnitRun, call: EvaluatedCall, path: PyValue, content: PyValue, *flags: str) -> None:
    """Report that a file is written; remember its content, and mark the variable that holds its path."""
    frame.can_write(path, call.node)
    sites = frame.analysis.sites
    concrete = frame.concrete_mask(content.mask)
    for text in path.texts:
        if text.strip("*/."):
            held = frame.analysis.written.get(text, 0)
            frame.analysis.written[text] = held | concrete
    carried = sites.masks[SourceKind.NETWORK] | sites.masks[SourceKind.DECODED] | sites.masks[SourceKind.BLOB]
    if concrete & carried:
        dropped = frame.site(SourceKind.DROPPED, "file written with fetched or decoded content", call.node)
        for key, part in path.parts:
            if key == "@variable" and part.texts:
                frame.absorb(part.texts[0], dropped)
        for text in path.texts:
            if text.strip("*/."):
                frame.analysis.written[text] |= dropped
    frame.hit(
        SinkKind.WRITE,
        "write",
        call.node,
        {"path": PyValue(path.mask, path.texts), "content": content},
        *flags,
    )


def named_path(call: EvaluatedCall, index: int, path: PyValue) -> PyValue:
    """The path together with the variable that holds it, so that a later use of the variable is seen."""
    node: ast.expr | None = call.node.args[index] if 0 <= index < len(call.node.args) else None
    if index < 0 and isinstance(call.node.func, ast.Attribute):
        node = call.node.func.value
    while isinstance(node, ast.Call) and node.args:
        node = node.args[0]
    if isinstance(node, ast.Name):
        return PyValue(path.mask, path.texts, path.refs, (("@variable", PyValue(0, (node.id,))),))
    return PyValue(path.mask, path.texts, path.refs)


def _mode(call: EvaluatedCall, index: int) -> str:
    mode = call.constant(index, "mode")
    return mode if isinstance(mode, str) else ("r" if not call.has(index, "mode") else "r+")


@model("open", "os.fdopen", "gzip.open", "bz2.open", "lzma.open")
def _open(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return _opened(frame, call, named_path(call, 0, call.arg(0, "file", "filename")), _mode(call, 1))


@method_model("open")
def _open_method(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    if not call.receiver.texts and not (call.constant(0, "mode") in _MODES or not call.node.args):
        return tainted(call.mask | call.receiver.mask)
    return _opened(frame, call, named_path(call, -1, call.receiver), _mode(call, 0))


_MODES = frozenset({"r", "w", "a", "x", "rb", "wb", "ab", "r+", "w+", "rt", "wt", "a+", "xb"})


def _opened(frame: UnitRun, call: EvaluatedCall, path: PyValue, mode: str) -> PyValue:
    mask = 0
    if "w" not in mode and "a" not in mode and "x" not in mode:
        mask = read_mask(frame, call, path)
    else:
        frame.can_write(path, call.node)
    flag = "append" if "a" in mode else "replace" if "w" in mode or "x" in mode else "read"
    walked = path.mask & ~PARAMETER_MASK if "walk" in path.refs or PACKED in path.refs else 0
    return PyValue(mask | walked, (), ("open()", f"mode:{flag}"), (("@path", path),))


@method_model("read", "readline", "readlines", "read1")
@quiet
def _read(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base = call.receiver
    return (
        tainted(base.mask | call.mask)
        if "open()" in base.refs
        else PyValue(base.mask, base.texts if base.mask == 0 and not base.refs else ())
    )


@model("open().write", "open().writelines")
def _write(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    content = call.arg(0)
    for key, part in call.receiver.parts:
        if key == "@path":
            flags = [
                r.removeprefix("mode:")
                for r in call.receiver.refs
                if isinstance(r, str) and r.startswith("mode:")
            ]
            write_to(frame, call, part, content, *flags)
    return NOTHING


@method_model("write", "writelines")
def _write_unknown(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Something that takes text: a buffer keeps it, a temporary file is a path."""
    func = call.node.func
    if isinstance(func, ast.Attribute):
        for key, part in call.receiver.parts:
            if key == "@path":
                write_to(frame, call, part, call.arg(0), "replace")
                return NOTHING
        absorb(frame, func.value, "", PyValue(call.mask))
    return NOTHING


@method_model("read_text", "read_bytes")
def _read_path(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return tainted(read_mask(frame, call, call.receiver) | call.receiver.mask)


@method_model("write_text", "write_bytes")
def _write_path(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    write_to(frame, call, named_path(call, -1, call.receiver), call.arg(0, "data"), "replace")
    return NOTHING


def _reader(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    path = call.arg(0)
    mask = read_mask(frame, call, path) if path.texts else 0
    return PyValue(mask | call.mask, (), (name + "()",) if len(name) < 60 else ())


for _name in (
    "numpy.load",
    "numpy.loadtxt",
    "numpy.genfromtxt",
    "sqlite3.connect",
    "zipfile.ZipFile",
    "tarfile.open",
    "PIL.Image.open",
    "dotenv.dotenv_values",
    "fileinput.input",
    "linecache.getlines",
    "mmap.mmap",
    "configparser.ConfigParser().read",
    "os.open",
    "h5py.File",
):
    TABLE[_name] = _reader  # fmt: skip
PREFIXES.append(("pandas.read_", _reader))


@model(
    "shutil.copy",
    "shutil.copy2",
    "shutil.copyfile",
    "shutil.move",
    "os.rename",
    "os.replace",
    "shutil.copytree",
    "os.symlink",
    "os.link",
)
def _copy(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A copy has the content of what was copied."""
    source, target = call.arg(0, "src"), call.arg(1, "dst")
    write_to(
        frame, call, named_path(call, 1, target), PyValue(read_mask(frame, call, source)), "replace", "copy"
    )
    return target


@model("mss.tools.to_png")
def _picture(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A picture of the screen is kept in a file, or given back."""
    target = call.keywords.get("output", NOTHING)
    if target.texts:
        write_to(frame, call, target, PyValue(call.mask), "replace")
    return tainted(call.mask)


MOST_PACKED = 256
"""Files of a program that are looked at for what is in a folder that it packs."""


@model("shutil.make_archive")
def _archive(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    root = call.arg(2, "root_dir")
    whole = PyValue(0, tuple(t.rstrip("/") + ("/**" if _great(t) else "/*") for t in root.texts))
    mask = read_mask(frame, call, whole)
    base = call.arg(0, "base_name")
    written = frame.analysis.written
    for text in root.texts:  # what the program has put there itself
        inside = text.rstrip("/") + "/"
        for path, held in tuple(written.items())[:MOST_PACKED] if len(inside) > 2 else ():
            if path.startswith(inside) or path == inside[:-1]:
                mask |= held
    named = call.constant(1, "format")
    suffixes = tuple(
        s for name, s in _SUFFIXES.items() if named in (name, None) or not isinstance(named, str)
    )
    texts = tuple(text + suffix for text in base.texts for suffix in suffixes)
    for text in texts:
        written[text] = written.get(text, 0) | frame.concrete_mask(mask)
    return PyValue(mask, texts, (PACKED,))


def _great(folder: str) -> bool:
    """Whether a folder that is packed is more than one thing of a project: the working folder, a home folder, or one that
    is the user's own."""
    return folder in (".", "./") or paths.everywhere(folder.rstrip("/") + "/**") or places.own(folder)


_SUFFIXES = {"zip": ".zip", "gztar": ".tar.gz", "tar": ".tar", "bztar": ".tar.bz2", "xztar": ".tar.xz"}


@model("zipfile.ZipFile().write", "tarfile.open().add")
def _zip_write(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Packing a file puts its content into the archive."""
    mask = read_mask(frame, call, call.arg(0, "filename", "name")) | call.mask
    func = call.node.func
    if isinstance(func, ast.Attribute) and mask:
        absorb(frame, func.value, "", PyValue(mask))
    return NOTHING


@model("os.walk", "os.fwalk")
def _walk(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    top = call.arg(0, "top")
    texts = tuple(t.rstrip("/") + "/**" for t in top.texts) or ("**",)
    for text in texts:
        frame.can(capabilities.read(text), call.node)
    return PyValue(call.mask, texts, ("os.walk()", "walk"))


@model("glob.glob", "glob.iglob")
def _glob(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    pattern = call.arg(0, "pathname")
    for text in pattern.texts:
        frame.can(capabilities.read(text), call.node)
    return PyValue(call.mask, pattern.texts, ("paths",))


@method_model("glob", "rglob", "iterdir")
def _path_glob(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base, pattern = call.receiver, call.arg(0)
    tail = pattern.texts or ("*",)
    if call.name == "rglob":
        tail = tuple("**/" + t for t in tail)
    texts = folding.join_paths(base.texts, tail)
    for text in texts:
        frame.can(capabilities.read(text), call.node)
    return PyValue(base.mask | call.mask, texts, ("paths",))


@model("os.listdir", "os.scandir")
@quiet
def _list(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base = call.arg(0, "path")
    if name == "os.scandir":
        return PyValue(call.mask, folding.join_paths(base.texts, ("*",)), ("paths",))
    return PyValue(call.mask, ("*",), ("paths",))


@model("os.remove", "os.unlink", "os.rmdir", "os.removedirs", "os.truncate")
def _remove(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    path = call.arg(0, "path")
    frame.can_write(path, call.node)
    frame.hit(
        SinkKind.DELETE,
        name,
        call.node,
        {"path": path},
        *(("walked",) if "walk" in path.refs or "paths" in path.refs else ()),
    )
    return NOTHING


@method_model("unlink", "rmdir")
def _unlink(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    path = call.receiver
    if path.texts or "paths" in path.refs:
        frame.can_write(path, call.node)
        frame.hit(
            SinkKind.DELETE,
            call.name,
            call.node,
            {"path": path},
            *(("walked",) if "paths" in path.refs else ()),
        )
    return NOTHING


@model("shutil.rmtree")
def _rmtree(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    path = call.arg(0, "path")
    frame.can_write(path, call.node)
    frame.hit(SinkKind.DELETE_TREE, name, call.node, {"path": path})
    return NOTHING
