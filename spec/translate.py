"""Translate the production kernels to Coq, from their source text.

Only a small subset of Python is understood: integers, truth values, tuples of integers, ``if`` and
``return``, arithmetic, comparison, ``and``, ``or``, ``not``, ``min`` and ``max`` of two, and calls of
kernels above. Anything else is an error that names the line, so a kernel that leaves the subset breaks the
build instead of escaping its proof.

A name means one thing in the whole module: nothing may be called like something that the translation gives a
meaning to, and no parameter like a constant or a kernel. The source is read as bytes, as Python itself reads
it, and holds printable ASCII only; so the text that is translated is the text that runs.
``spec/fuzz_translator.py`` compares both on generated modules.

    python spec/translate.py            # print
    python spec/translate.py --write    # write the modules below to spec/coq
    python spec/translate.py --check    # fail when one of those files is not the translation
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = {
    "Kernels": "src/sluicegate/vet/verdict/kernels.py",
    "LabelKernels": "src/sluicegate/flow/labels/kernels.py",
    "FlowKernels": "src/sluicegate/flow/policy/kernels.py",
    "SessionKernels": "src/sluicegate/flow/session/kernels.py",
}
"""The Coq module that each module of kernels is translated to, in ``spec/coq``."""

_HEAD = """(* Translated from {source} by spec/translate.py. Do not edit. *)
From Coq Require Import ZArith Bool.
Open Scope Z_scope.
Open Scope bool_scope.
"""
_TAKEN = frozenset(
    "as at cofix do else end exists exists2 fix for forall fun if in let match mod return Set Prop SProp Type then "
    "using where with IF by bool true false negb andb orb fst snd Z positive min max int tuple range".split()
)
"""Names with a meaning of their own in Coq or to this translator, which a kernel, a constant or a parameter may not have."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CONTROL = re.compile(rb"[^\n -~]")
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.LtE: "<=?",
    ast.Lt: "<?",
    ast.GtE: ">=?",
    ast.Gt: ">?",
    ast.Eq: "=?",
}
_OPERATIONS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "/",  # both round towards minus infinity; the divisor is a constant that is not 0
}


class OutsideSubset(Exception):
    """The source uses something that has no translation."""

    def __init__(self, node: ast.AST | None, why: str) -> None:
        where = f"line {getattr(node, 'lineno', 0)}: " if node else ""
        shown = f": {ast.unparse(node)[:80]}" if node else ""
        super().__init__(f"{where}{why}{shown}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a kernel takes and gives: ``Z``, ``bool`` or a tuple of ``Z``."""

    parameters: tuple[str, ...]
    result: str


class Translator:
    """One module, in order; knows the constants and kernels above the one it is at."""

    def __init__(self) -> None:
        self.constants: dict[str, int] = {}
        self.kernels: dict[str, Signature] = {}

    def module(self, source: bytes, where: str) -> str:
        """The whole translation of a module; ``where`` says which it is."""
        lines = [_HEAD.format(source=where)]
        for node in parsed(source, where).body:
            match node:
                case ast.Expr(value=ast.Constant(value=str())):
                    continue
                # Under another name, an import would give a meaning to that name.
                case ast.ImportFrom(module="__future__", names=[ast.alias(name="annotations", asname=None)]):
                    continue
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() as value)) if (
                    type(value) is int
                ):
                    self._free(name, node)
                    self.constants[name] = value
                    lines.append(f"Definition {name} : Z := {value}.")
                case ast.FunctionDef():
                    lines.append(self.function(node))
                case _:
                    raise OutsideSubset(node, "not a constant and not a kernel")
        return "\n".join(lines) + "\n"

    def function(self, node: ast.FunctionDef) -> str:
        """One kernel."""
        arguments = node.args
        if (
            node.decorator_list
            or arguments.defaults
            or arguments.kwonlyargs
            or arguments.vararg
            or arguments.kwarg
            or getattr(node, "type_params", None)  # of Python 3.12; each is a name in the body
        ):
            raise OutsideSubset(node, "only plain parameters")
        if arguments.posonlyargs or node.returns is None:
            raise OutsideSubset(node, "only plain parameters and a stated result")
        self._free(node.name, node)
        scope: dict[str, str] = {}
        for argument in arguments.args:
            self._free(argument.arg, node)
            if argument.arg in (node.name, *scope):
                raise OutsideSubset(node, f"the name {argument.arg} is used twice")
            scope[argument.arg] = self._type(argument.annotation, node)
        result = self._type(node.returns, node)
        body = self._body(node.body, scope, result, node)
        parameters = " ".join(f"({name} : {kind})" for name, kind in scope.items())
        self.kernels[node.name] = Signature(parameters=tuple(scope.values()), result=result)
        return f"Definition {node.name} {parameters} : {result} :=\n  {body}."

    def _free(self, name: str, where: ast.AST) -> None:
        """A name that is free here. Raises OutsideSubset."""
        if name in _TAKEN or not _NAME.fullmatch(name):
            raise OutsideSubset(where, f"the name {name} has a meaning of its own")
        if name in self.constants or name in self.kernels:
            raise OutsideSubset(where, f"the name {name} is that of a constant or a kernel above")

    def _type(self, node: ast.expr | None, where: ast.AST) -> str:
        match node:
            case ast.Name(id="int"):
                return "Z"
            case ast.Name(id="bool"):
                return "bool"
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[_, _, *_] as parts)):
                return "(" + " * ".join(self._type(part, where) for part in parts) + ")"
        raise OutsideSubset(where, "a type that is not int, bool or a tuple of them")

    def _body(self, statements: list[ast.stmt], scope: dict[str, str], result: str, where: ast.AST) -> str:
        match statements:
            case [ast.Expr(value=ast.Constant(value=str())), *rest]:
                return self._body(rest, scope, result, where)
            case [ast.Return(value=ast.expr() as value)]:
                return self._typed(value, result, scope)
            case [ast.If(test=test, body=then, orelse=[]), *rest] if rest:
                condition = self._typed(test, "bool", scope)
                yes = self._body(then, scope, result, test)
                return f"(if {condition} then {yes}\n   else {self._body(rest, scope, result, test)})"
        raise OutsideSubset(statements[0] if statements else where, "only if ... return ..., then return")

    def _is_divisor(self, node: ast.expr, scope: dict[str, str]) -> bool:
        return isinstance(node, ast.Name) and node.id not in scope and self.constants.get(node.id, 0) != 0

    def _typed(self, node: ast.expr, wanted: str, scope: dict[str, str]) -> str:
        text, kind = self._expression(node, scope)
        if kind != wanted:
            raise OutsideSubset(node, f"a {kind} where a {wanted} is needed")
        return text

    def _expression(self, node: ast.expr, scope: dict[str, str]) -> tuple[str, str]:
        match node:
            case ast.Constant(value=bool() as value):
                return ("true" if value else "false"), "bool"
            case ast.Constant(value=int() as value):
                return f"({value})", "Z"
            case ast.Name(id=name) if name in scope:
                return name, scope[name]
            case ast.Name(id=name) if name in self.constants:
                return name, "Z"
            case ast.Tuple(elts=[_, _, *_] as parts):
                typed = [self._typed(part, "Z", scope) for part in parts]
                return "(" + ", ".join(typed) + ")", "(" + " * ".join("Z" for _ in parts) + ")"
            case ast.BinOp(op=ast.FloorDiv(), right=right) if not self._is_divisor(right, scope):
                raise OutsideSubset(node, "the divisor is not a constant other than 0")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
                one, other = self._typed(left, "Z", scope), self._typed(right, "Z", scope)
                return f"({one} {_OPERATIONS[type(op)]} {other})", "Z"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"(- {self._typed(operand, 'Z', scope)})", "Z"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(negb {self._typed(operand, 'bool', scope)})", "bool"
            case ast.BoolOp(op=op, values=values):
                sign = " && " if isinstance(op, ast.And) else " || "
                return "(" + sign.join(self._typed(value, "bool", scope) for value in values) + ")", "bool"
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                one, other = self._typed(left, "Z", scope), self._typed(right, "Z", scope)
                return f"({one} {_COMPARISONS[type(op)]} {other})", "bool"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes, kind = self._expression(body, scope)
                no = self._typed(orelse, kind, scope)
                return f"(if {self._typed(test, 'bool', scope)} then {yes} else {no})", kind
            case ast.Call(func=ast.Name(id=("min" | "max") as name), args=[one, other], keywords=[]):
                return f"(Z.{name} {self._typed(one, 'Z', scope)} {self._typed(other, 'Z', scope)})", "Z"
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in self.kernels:
                kinds = self.kernels[name].parameters
                if len(kinds) == len(args):
                    typed = [self._typed(arg, kind, scope) for arg, kind in zip(args, kinds, strict=True)]
                    return f"({name} {' '.join(typed)})", self.kernels[name].result
        raise OutsideSubset(node, "not in the subset")


def parsed(source: bytes, where: str) -> ast.Module:
    """The tree of a module, decoded as Python decodes it when it is imported. Raises OutsideSubset.

    Anything by which two readers could see two texts is refused: another encoding than UTF-8, and every
    character that is not printable ASCII or the end of a line.
    """
    odd = _CONTROL.search(source)
    if odd:
        line = source.count(b"\n", 0, odd.start()) + 1
        raise OutsideSubset(None, f"line {line} holds the byte {odd[0][0]:#04x}")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        if encoding != "utf-8":
            raise OutsideSubset(None, f"it declares the encoding {encoding}")
        tree = ast.parse(source, where)
        compile(source, where, "exec", dont_inherit=True)  # refuses more than the parser does
    except SyntaxError as error:
        raise OutsideSubset(None, f"not Python: {error}") from error
    return tree


def translate(source: bytes | str, where: str = "a text") -> str:
    """The Coq text of a module of kernels. Raises OutsideSubset."""
    return Translator().module(source.encode() if isinstance(source, str) else source, where)


def target(module: str) -> Path:
    """The file of a Coq module."""
    return ROOT / "spec/coq" / f"{module}.v"


def fresh(module: str) -> str:
    """The translation of the production source of a Coq module, as it stands now. Raises OutsideSubset."""
    source = MODULES[module]
    return translate((ROOT / source).read_bytes(), source)


def check() -> str:
    """Why a committed translation is not that of its production source; empty when all are."""
    for module, source in MODULES.items():
        try:
            text = fresh(module)
        except (OutsideSubset, OSError) as error:
            return f"{source}: {error}"
        path = target(module)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            return f"{path.name} is not the translation of {source}: run python spec/translate.py --write"
    return ""


def main(arguments: list[str]) -> int:
    """Print, write or check."""
    if arguments == ["--check"]:
        problem = check()
        print(problem or "the kernels are translated as they stand")
        return 1 if problem else 0
    texts = {}
    for module, source in MODULES.items():
        try:
            texts[module] = fresh(module)
        except (OutsideSubset, OSError) as error:
            print(f"{source}: {error}\nnothing was written: this has no translation", file=sys.stderr)
            return 1
    for module, text in texts.items():
        if arguments == ["--write"]:
            target(module).write_text(text, encoding="utf-8")
        else:
            print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
