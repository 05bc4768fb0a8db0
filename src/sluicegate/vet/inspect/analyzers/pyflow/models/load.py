"""Models of imports, lookups by text, decoding, and loading of objects."""

from __future__ import annotations

import ast
from functools import lru_cache

from sluicegate.vet.inspect.analyzers.pyflow import folding
from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.models.tables import method_model, model, quiet
from sluicegate.vet.inspect.analyzers.pyflow.names import (
    MEMBERS,
    attribute,
    disguised,
    member_by_text,
    outside,
    run_written,
)
from sluicegate.vet.inspect.analyzers.pyflow.syntax.parse import Parsed, parse
from sluicegate.vet.inspect.analyzers.pyflow.values import NOTHING, PyValue, SourceKind, join, tainted


@model("__import__", "importlib.import_module")
def _import(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    value = call.arg(0, "name")
    result = NOTHING
    for text in value.texts:
        if "*" in text:
            continue
        run_written(frame, text, call.node)
        inside = frame.analysis.modules.find(text, 0, frame.module)
        if inside is not None:
            result = join(result, PyValue(0, (), (inside,)))
        else:
            known = (
                text
                if name == "importlib.import_module" or call.has(3, "fromlist")
                else text.partition(".")[0]
            )
            result = join(result, outside(frame, known, call.node))
    if not value.texts or value.mask:
        frame.hit(SinkKind.IMPORT, name, call.node, {"command": value})
    return result


@model(
    "importlib.util.spec_from_file_location",
    "importlib.machinery.SourceFileLoader",
    "imp.load_source",
    "ctypes.CDLL",
    "ctypes.cdll.LoadLibrary",
)
def _load_file(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    path = call.arg(0 if name.startswith("ctypes") else 1, "location", "path", "pathname")
    frame.hit(SinkKind.PROGRAM, name, call.node, {"command": path, "script": path})
    return NOTHING


@model("operator.attrgetter")
def _getter(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(0, (), (name + "()",), (("@key", call.arg(0)),))


@model("operator.attrgetter()")
def _got(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """``attrgetter("environ")(os)``."""
    key = dict(call.callee.parts).get("@key", NOTHING)
    return join(member_by_text(frame, call.arg(0), key, call.node), tainted(call.mask))


@model("getattr")
def _getattr(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base, key = call.arg(0), call.arg(1)
    result = NOTHING
    literal = call.constant(1, "")
    for text in key.texts:
        found = attribute(frame, base, text, call.node)
        result = join(result, found)
        for ref in base.refs:
            if isinstance(ref, str):
                disguised(
                    frame, f"{ref}.{text}", call.node, "literal" if isinstance(literal, str) else "computed"
                )
    if not key.texts and any(isinstance(r, str) and r in ("os", "subprocess", "builtins") for r in base.refs):
        frame.hit(SinkKind.REACH, "getattr", call.node, {"command": key}, "unknown")
    return join(result, call.arg(2)) if result is not NOTHING else PyValue(base.mask | call.arg(2).mask)


MAX_EXPRESSION = 400
"""Characters of an expression in a text that is evaluated."""


def evaluated(frame: UnitRun, call: EvaluatedCall, texts: tuple[str, ...]) -> PyValue:
    """The value of an expression that stands in the program as a text."""
    from sluicegate.vet.inspect.analyzers.pyflow.expressions import evaluate

    value = NOTHING
    for text in texts:
        tree = _expression(text, call.node.lineno) if len(text) <= MAX_EXPRESSION else None
        value = join(value, evaluate(frame, tree)) if tree is not None else value
    return value


@lru_cache(maxsize=64)
def _expression(text: str, line: int) -> ast.expr | None:
    """Kept, for calls are told apart by their nodes."""
    parsed = parse(text.strip())
    if not isinstance(parsed, Parsed) or len(parsed.tree.body) != 1:
        return None
    only = parsed.tree.body[0]
    if not isinstance(only, ast.Expr):
        return None
    for node in ast.walk(only):
        if isinstance(node, ast.expr | ast.keyword):
            node.lineno = node.end_lineno = line
    return only.value


@model("globals", "locals", "vars")
def _globals(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    if call.args:
        held = call.args[0].refs
        return PyValue(call.mask, (), tuple(f"{r}{MEMBERS}" if isinstance(r, str) else r for r in held))
    return PyValue(0, (), ("globals()",))


@model("pickle.load", "pickle.loads", "marshal.load", "marshal.loads", "dill.load", "dill.loads",
    "joblib.load", "torch.load", "shelve.open", "jsonpickle.decode",
       "pandas.read_pickle", "numpy.load", "yaml.load", "yaml.unsafe_load", "yaml.full_load",
       "yaml.load_all", "pickle.load().load")  # fmt: skip
def _load(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    from sluicegate.vet.inspect.analyzers.pyflow.models.files import read_mask

    value = call.arg(0)
    if name.startswith("yaml."):
        loader = call.arg(1, "Loader")
        if any("Safe" in str(r) or "Base" in str(r) for r in loader.refs) or name == "yaml.full_load":
            return tainted(value.mask)
        frame.hit(SinkKind.LOAD_YAML, name, call.node, {"command": value})
        return tainted(value.mask)
    if name == "numpy.load" and call.constant(-1, "allow_pickle") is not True:
        return tainted(value.mask | (read_mask(frame, call, value) if value.texts else 0))
    if name == "torch.load" and call.constant(-1, "weights_only") is True:
        return tainted(value.mask)
    frame.hit(SinkKind.LOAD, name, call.node, {"command": value})
    decoded = frame.site(SourceKind.DECODED, name, call.node) if name.startswith("marshal") else 0
    return tainted(value.mask | decoded)


_DECODERS = {
    "base64.b64decode": "base64", "base64.standard_b64decode": "base64",
    "base64.urlsafe_b64decode": "urlsafe", "base64.b32decode": "base32",
    "base64.b85decode": "base85", "base64.a85decode": "", "base64.b16decode": "hex",
    "binascii.unhexlify": "hex", "binascii.a2b_base64": "base64",
    "bytes.fromhex": "hex", "bytearray.fromhex": "hex", "zlib.decompress": "zlib", "gzip.decompress": "",
    "bz2.decompress": "", "lzma.decompress": "",
    "codecs.decode": "", "base64.decodebytes": "base64", "binascii.a2b_hex": "hex",
    "cryptography.fernet.Fernet().decrypt": "", "base64.decodestring": "base64",
}  # fmt: skip


@model(*_DECODERS)
@quiet
def _decode(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Decoding: of a constant, the text itself where it folds; always a mark that it was decoded."""
    value = call.arg(0)
    kind = _DECODERS[name]
    if name == "codecs.decode":
        codec = call.arg(1, "encoding").texts
        kind = (
            {"rot13": "rot13", "rot_13": "rot13", "hex": "hex", "base64": "base64"}.get(codec[0], "")
            if codec
            else ""
        )
        if codec and not kind:
            return value
    texts = (
        tuple(t for t in (folding.decode(kind, s) for s in value.texts if "*" not in s) if t is not None)
        if kind
        else ()
    )
    constant = bool(value.texts) or "long-constant" in value.refs
    already = value.mask & frame.analysis.sites.masks[SourceKind.BLOB]
    blob = frame.site(SourceKind.BLOB, f"{name} of a constant", call.node) if constant and not already else 0
    decoded = frame.site(SourceKind.DECODED, name, call.node)
    return PyValue(value.mask | blob | decoded, texts)


@model("struct.pack")
@quiet
def _packed(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Numbers become text: nobody writes a command so, except to hide it."""
    return PyValue(call.mask | frame.site(SourceKind.DECODED, name, call.node))


@method_model("translate", "to_bytes")
@quiet
def _spelled(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Letters or numbers become other letters."""
    return PyValue(call.mask | call.receiver.mask | frame.site(SourceKind.DECODED, call.name, call.node))


@method_model("decrypt")
@quiet
def _decrypt(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(call.mask | frame.site(SourceKind.DECODED, "decrypt", call.node))


@method_model("encrypt", "encrypt_and_digest")
@quiet
def _encrypt(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(call.mask | frame.site(SourceKind.ENCRYPTED, "encrypt", call.node))


@model("os.dup2")
def _dup(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    frame.hit(SinkKind.DUP, name, call.node, {"command": call.arg(0)})
    return NOTHING


@method_model("fileno")
@quiet
def _fileno(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return tainted(call.receiver.mask)


@model("sys.exit", "exit", "quit", "os._exit", "os.abort")
def _exit(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    if frame.guard:
        frame.hit(SinkKind.EXIT, name, call.node, {})
    return NOTHING


@model("os.chmod")
def _chmod(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    frame.can_write(call.arg(0), call.node)
    return NOTHING


@model("winreg.SetValueEx", "winreg.SetValue", "crontab.CronTab().new")
def _registry(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    frame.hit(
        SinkKind.WRITE,
        name,
        call.node,
        {"path": PyValue(0, tuple(t for a in call.args for t in a.texts)), "content": PyValue(call.mask)},
        "registry",
    )
    return NOTHING
