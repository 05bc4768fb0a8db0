"""Models of string, path and container functions that propagate taint unchanged."""

from __future__ import annotations

import ast

from sluicegate.vet.inspect.analyzers.pyflow import folding
from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall, element
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.models.tables import (
    TABLE,
    absorb,
    method_model,
    model,
    nothing,
    quiet,
    storing,
)
from sluicegate.vet.inspect.analyzers.pyflow.program import Class
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    NOTHING,
    PARAMETER_MASK,
    PyValue,
    SourceKind,
    bounded_parts,
    join,
    tainted,
)


@quiet
def _same(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """The argument in another type: ``str(x)``, ``Path(x)``, ``list(x)``."""
    value = call.arg(0)
    if "os.environ" in value.refs:
        frame.can("env:*", call.node)
    if len(call.args) > 1 and name in ("Path", "pathlib.PurePath"):
        for more in call.args[1:]:
            value = PyValue(value.mask | more.mask, folding.join_paths(value.texts, more.texts), value.refs)
        return value
    if name == "Path" and not call.args:
        return PyValue(0, (".",))
    return value if value.mask == call.mask else value._replace(mask=call.mask)


for _name in (
    "str",
    "bytes",
    "bytearray",
    "memoryview",
    "list",
    "tuple",
    "set",
    "frozenset",
    "Path",
    "os.fspath",
    "iter",
    "next",
    "copy.copy",
    "copy.deepcopy",
    "reversed",
    "pathlib.PurePosixPath",
    "os.path.expandvars",
    "os.path.expanduser",
    "os.path.abspath",
    "os.path.realpath",
    "os.path.normpath",
    "asyncio.wait_for",
    "shlex.quote",
    "textwrap.dedent",
    "os.fsencode",
    "os.fsdecode",
    "tqdm.tqdm",
    "tqdm",
    "types.MappingProxyType",
):
    TABLE[_name] = _same  # fmt: skip


@method_model("decode", "encode", "strip", "lstrip", "rstrip", "copy", "expanduser", "resolve", "absolute",
    "as_posix", "casefold", "lower",
              "removesuffix", "removeprefix", "expandtabs", "with_suffix", "with_name",
              "tobytes")  # fmt: skip
@quiet
def _kept(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Methods that give back what they are called on."""
    value = call.receiver
    if "os.environ" in value.refs:
        frame.can("env:*", call.node)
    if call.name in ("lower", "casefold") and value.texts:
        return value._replace(texts=tuple(t.lower() for t in value.texts))
    if call.name in ("strip", "rstrip", "lstrip") and value.texts:
        return value._replace(texts=tuple(t.strip() for t in value.texts))
    return value


@model("dict")
@quiet
def _dict(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base = call.arg(0)
    if "os.environ" in base.refs:
        frame.can("env:*", call.node)
    parts = [*base.parts, *((k, v) for k, v in call.keywords.items())]
    return PyValue(call.mask, (), (), bounded_parts(parts))


model("len", "isinstance", "issubclass", "hash", "id", "type", "callable", "hasattr",
    "os.path.exists", "os.path.isfile", "os.path.isdir",
      "os.path.getsize", "os.path.getmtime", "os.path.islink", "os.access", "range",
      "ord", "time.sleep", "hashlib.sha256", "hashlib.md5", "hashlib.sha1", "hashlib.new", "uuid.uuid4",
      "hmac.compare_digest")(nothing)  # fmt: skip


@model("print", "sys.stdout.write", "sys.stdout.writelines", "sys.stdout.buffer.write", "pprint.pprint", "click.echo",
       "typer.echo", "rich.print")  # fmt: skip
@quiet
def _printed(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """What is printed concerns the programs that read it, and only where one does."""
    if frame.analysis.listening and call.mask and not call.has(-1, "file"):
        printed = frame.analysis.printed
        place = (frame.view, call.node.lineno)
        printed[place] = printed.get(place, 0) | frame.concrete_mask(call.mask)
    return NOTHING


@model("bool", "any", "all", "float", "int", "abs", "os.path.splitext", "super")
@quiet
def _harmless(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Little comes out; questions about the surroundings stay questions."""
    if name == "super":
        return _super(frame)
    guards = frame.analysis.sites.masks
    kept = guards[SourceKind.GUARD_DATE] | guards[SourceKind.GUARD_HOST] | guards[SourceKind.GUARD_ANALYSIS]
    if name in ("any", "all", "bool"):
        return tainted(call.mask & kept)
    if name in ("int", "float", "abs"):
        return tainted(call.mask & (guards[SourceKind.TIME] | PARAMETER_MASK))
    if name == "os.path.splitext":
        return PyValue(call.mask, (), (), (("", call.arg(0)), ("", NOTHING)))
    return NOTHING


def _super(frame: UnitRun) -> PyValue:
    owner = frame.unit.owner
    if owner is None:
        return NOTHING
    for base in owner.bases:
        for ref in base.refs:
            if isinstance(ref, Class):
                return ref.instance
            if isinstance(ref, str):
                return PyValue(0, (), (ref + "()",))
    return NOTHING


@method_model("startswith", "endswith", "isdigit", "exists", "is_file", "is_dir", "stat", "count", "find",
    "index", "isalpha", "is_absolute", "is_symlink",
              "hexdigest", "digest", "isoformat", "strftime")  # fmt: skip
@quiet
def _no_data(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    if call.name in ("isoformat", "strftime"):
        return tainted(call.receiver.mask)
    return NOTHING


@method_model("append", "add", "insert", "extend", "update", "appendleft", "push", "put", "put_nowait",
    "setdefault", "writerow", "writerows", "attach",
              "add_header", "writestr", "set_content", "add_attachment", "send_keys", "add_field",
              "set_payload", "extendleft")  # fmt: skip
@quiet
def _mutate(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """What is put into a container is in it from then on."""
    func = call.node.func
    if not isinstance(func, ast.Attribute):
        return NOTHING
    last = call.args[-1] if call.args else NOTHING
    mask = call.mask
    if call.name in ("append", "add", "insert", "appendleft") and (
        last.texts or last.parts or last.refs or mask
    ):
        absorb(frame, func.value, "", last._replace(mask=mask))
    elif call.name in ("extend", "update") and last.parts and not last.mask & ~mask:
        for key, part in last.parts:
            absorb(frame, func.value, key, part)
        for key, part in call.keywords.items():
            absorb(frame, func.value, key, part)
        frame_mask = PyValue(mask)
        absorb(frame, func.value, "", frame_mask)
    elif mask:
        absorb(frame, func.value, "", PyValue(mask))
    if call.name in ("add_header", "setdefault") and len(call.args) > 1 and call.args[0].texts:
        absorb(frame, func.value, call.args[0].texts[0], last)
    return tainted(mask | call.receiver.mask)


@method_model("save", "dump", "savefig", "to_csv", "to_json", "readinto", "copyfileobj")
@storing
def _into_argument(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """What is saved into a buffer is in the buffer; saved to a path, it is in the file."""
    given = call.receiver.mask | (call.mask if call.name == "dump" else 0)
    if given and call.node.args:
        absorb(frame, call.node.args[-1], "", PyValue(given))
        for text in call.args[-1].texts if call.args else ():
            frame.analysis.written[text] = frame.analysis.written.get(text, 0) | frame.concrete_mask(given)
    return tainted(given)


@method_model("items", "values", "keys")
@quiet
def _views(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base = call.receiver
    if "os.environ" in base.refs:
        frame.can("env:*", call.node)
        return PyValue(base.mask)
    if not base.parts:
        return tainted(base.mask)
    if call.name == "values":
        return PyValue(base.mask, (), (), tuple(("", part) for _, part in base.parts))
    if call.name == "keys":
        return PyValue(
            base.mask,
            (),
            (),
            tuple(("", PyValue(0, (key,) if key not in ("", "*") else ())) for key, _ in base.parts),
        )
    pairs = [
        (
            "",
            PyValue(
                part.mask, (), (), (("", PyValue(0, (key,) if key not in ("", "*") else ())), ("", part))
            ),
        )
        for key, part in base.parts
    ]
    return PyValue(base.mask, (), (), bounded_parts(pairs))


@method_model("get", "pop")
@quiet
def _get(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """``mapping.get(key)``; a request when the object looks like a client is handled with the network."""
    base = call.receiver
    key = call.arg(0, "key")
    if base.parts and call.args:
        value = folding.pick(base, key, call.node.args[0]) if call.node.args else None
        if value is not None:
            return join(value, call.arg(1, "default"))
    return join(PyValue(base.mask) if base.mask else NOTHING, call.arg(1, "default"))


@model("enumerate")
@quiet
def _enumerate(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    item = element(frame, call.arg(0))
    pair = PyValue(item.mask, (), (), (("", NOTHING), ("", item)))
    return PyValue(call.mask, (), (), (("", pair),))


@model("zip", "itertools.product", "itertools.zip_longest")
@quiet
def _zip(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    row = PyValue(call.mask, (), (), bounded_parts([("", element(frame, a)) for a in call.args]))
    return PyValue(call.mask, (), (), (("", row),))


@model(
    "sorted",
    "filter",
    "map",
    "itertools.islice",
    "itertools.chain",
    "random.choice",
    "random.sample",
    "min",
    "max",
    "tqdm.auto.tqdm",
)
@quiet
def _through(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    given = call.args[1:] if name in ("filter", "map") else call.args
    value = NOTHING
    for arg in given:
        value = join(value, arg)
    if name in ("map", "random.choice", "min", "max"):
        return element(frame, value) if value.parts and name != "map" else tainted(call.mask)
    return value


@method_model("join", "joinpath")
@quiet
def _join(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base = call.receiver
    mask = base.mask | call.mask
    if call.name == "joinpath":
        texts = base.texts
        for part in call.args:
            texts = folding.join_paths(texts, part.texts)
        return PyValue(mask, texts)
    items = call.arg(0).parts
    if base.texts and items and len(items) <= 40 and not any(key for key, _ in items):
        separator = base.texts[:1]
        texts = items[0][1].texts or ("*",)
        for _, part in items[1:]:
            texts = folding.concatenate(folding.concatenate(texts, separator), part.texts)
        return PyValue(mask, texts)
    return tainted(mask)


@method_model("format", "format_map")
@quiet
def _format(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base = call.receiver
    mask = base.mask | call.mask
    if not base.texts:
        return tainted(mask)
    named = {key: value.texts for key, value in call.keywords.items()}
    return PyValue(mask, folding.brace(base.texts, [a.texts for a in call.args], named))


@method_model("replace")
@quiet
def _replace(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base, old, new = call.receiver, call.arg(0), call.arg(1)
    mask = base.mask | call.mask
    if base.texts and old.texts and new.texts and len(call.args) >= 2 and old.texts[0]:
        return PyValue(mask, tuple(t.replace(old.texts[0], new.texts[0])[:1024] for t in base.texts))
    return tainted(mask)


@method_model("split", "splitlines", "rsplit", "partition")
@quiet
def _split(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    base = call.receiver
    mask = base.mask
    if base.texts and len(base.texts) == 1 and call.name == "split" and len(call.args) <= 1:
        separator = call.args[0].texts[0] if call.args and call.args[0].texts else None
        pieces = base.texts[0].split(separator or None)
        return PyValue(mask, (), (), bounded_parts([("", PyValue(mask, (p,))) for p in pieces]))
    return tainted(mask)


@model("chr")
@quiet
def _chr(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    number = call.constant(0, "i")
    if isinstance(number, int) and 0 <= number < 0x110000:
        return PyValue(0, (chr(number),))
    return tainted(call.mask)


@model("os.path.join", "posixpath.join")
@quiet
def _path_join(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    texts: tuple[str, ...] = call.args[0].texts or ("*",) if call.args else ()
    for part in call.args[1:]:
        texts = folding.join_paths(texts, part.texts)
    if call.spread is not NOTHING:
        texts = folding.join_paths(texts, ())
    refs = ("walk",) if any("walk" in a.refs for a in call.args) else ()
    return PyValue(call.mask, texts, refs)


@model("os.path.dirname", "os.path.basename")
@quiet
def _path_part(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    value = call.arg(0)
    texts = []
    for text in value.texts:
        head, _, tail = text.rpartition("/")
        texts.append((head or ".") if name.endswith("dirname") else tail)
    return PyValue(value.mask, tuple(dict.fromkeys(texts)))


@model("Path.home", "Path.cwd", "os.getcwd", "tempfile.gettempdir")
@quiet
def _known_place(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(0, ({"Path.home": "~", "tempfile.gettempdir": "/tmp"}.get(name, "."),))


@model("json.load", "json.loads", "json.dumps", "json.dump", "yaml.safe_load", "yaml.dump")
@quiet
def _json(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    if name == "json.dump" and len(call.args) > 1:
        target = call.args[1]
        write = TABLE.get("open().write")
        if write is not None and "open()" in target.refs:
            node = call.node
            inner = EvaluatedCall(node, "write", NOTHING, target, [call.args[0]], {}, NOTHING)
            return write(frame, inner, "open().write")
        if "sys.stdout" in target.refs:
            return _printed(frame, call, name)
    if name == "json.dumps":
        value = call.arg(0)
        if value.mask:
            frame.hit(SinkKind.COLLECT, name, call.node, {"content": value})
        return PyValue(call.mask, (), (), value.parts)
    return tainted(call.mask)
