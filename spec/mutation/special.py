"""Changes that add a special case: what somebody would write who wants one input to be treated otherwise.

The operators of ``operators`` change what is there, one token at a time; these skip one element, take only the first
few, swap two arguments or fields of one type, leave a call out, drop a part of a sum, or return early for one input.
There are many for each file, so a sample is taken of them, the same each time.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from mutation.operators import Mutant, Written, become, expressions, line, statements

SIGN = " => "
"""Stands between before and after in the names of these mutants, and in no other."""
CAPS = (1, 2, 3, 5, 8, 12)
_KEPT = ("removeprefix", "removesuffix", "strip", "rstrip", "lstrip", "lower", "casefold", "upper", "replace")
_NOTHING: dict[str, tuple[ast.expr, ...]] = {
    "bool": (ast.Constant(True), ast.Constant(False)),
    "int": (ast.Constant(0),),
    "str": (ast.Constant(""),),
    "list": (ast.List([], ast.Load()),),
    "tuple": (ast.Tuple([], ast.Load()),),
    "dict": (ast.Dict([], []),),
    "frozenset": (ast.Call(ast.Name("frozenset", ast.Load()), [], []),),
}
"""What a function may return early, by what it returns."""
Siblings = Mapping[str, Sequence[str]]


def mutants(
    module: str, source: str, *, words: Sequence[str] = (), siblings: Siblings | None = None
) -> list[Mutant]:
    """Every mutant of a file. ``words`` are texts that may be skipped; ``siblings`` fields of one type by name."""
    tree = ast.parse(source)
    written = Written(tree)
    seen: Counter[str] = Counter()
    found: list[Mutant] = []

    def add(function: str, before: str, after: str, container: list[ast.stmt], index: int) -> None:
        name = f"{module}.{function}: {before}{SIGN}{after}"
        seen[name] += 1
        text = written.after(container, index)
        found.append(Mutant(name=name if seen[name] == 1 else f"{name} #{seen[name]}", source=text))

    for function, statement, container, index in statements(tree):
        for changed in _changes(statement, words, siblings or {}):
            container[index] = changed
            add(function, line(statement), line(changed), container, index)
            container[index] = statement
    for function, node in _functions(tree):
        for early in _returns(node, words):
            at = (
                1
                if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
                else 0
            )
            node.body.insert(at, early)
            shown = " ".join(ast.unparse(early).split())
            add(function, "", shown, node.body, at)
            del node.body[at]
    return found


def sample(all_: Sequence[Mutant], most: int) -> list[Mutant]:
    """At most so many of them, chosen by their names: the same each time, and few change when the file does."""
    ranked = sorted(all_, key=lambda one: hashlib.sha256(one.name.encode()).digest())
    chosen = {one.name for one in ranked[:most]}
    return [one for one in all_ if one.name in chosen]


def siblings_of(sources: Sequence[str]) -> dict[str, list[str]]:
    """The fields of the classes in some files, each with the others of its class that have the same annotation."""
    found: dict[str, list[str]] = {}
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            fields: dict[str, list[str]] = {}
            for each in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    fields.setdefault(ast.unparse(each.annotation), []).append(each.target.id)
            for names in fields.values():
                for name in names:
                    found.setdefault(name, []).extend(one for one in names if one != name)
    return {name: sorted(set(others)) for name, others in found.items() if others}


def _functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            name = f"{inside}.{node.name}".strip(".")
            if isinstance(node, ast.FunctionDef):
                yield name, node
            yield from _functions(node, name)


def _returns(node: ast.FunctionDef, words: Sequence[str]) -> Iterator[ast.stmt]:
    """Early returns for one text, or for a collection of one size."""
    returns = ast.unparse(node.returns) if node.returns else ""
    values = list(_NOTHING.get(returns.partition("[")[0], ()))
    values += [ast.Constant(None)] if returns.endswith("| None") else []
    for argument in (*node.args.args, *node.args.kwonlyargs):
        kind = ast.unparse(argument.annotation) if argument.annotation else ""
        name = ast.Name(argument.arg, ast.Load())
        tests: list[ast.expr] = []
        if kind == "str":
            tests = [ast.Compare(name, [ast.Eq()], [ast.Constant(word)]) for word in words]
        elif kind.startswith(("tuple", "list", "Sequence", "Labels", "dict", "frozenset")):
            size = ast.Call(ast.Name("len", ast.Load()), [name], [])
            tests = [ast.Compare(size, [ast.Gt()], [ast.Constant(bound)]) for bound in (2, 6)]
        yield from (ast.If(test, [ast.Return(value)], []) for test in tests for value in values)


def _changes(statement: ast.stmt, words: Sequence[str], siblings: Siblings) -> Iterator[ast.stmt]:
    """Every change of one statement, blocks inside it left alone."""
    if isinstance(statement, ast.Raise | ast.Assert):
        return
    if isinstance(statement, ast.For):
        for iterable in _fewer(statement.iter, words):
            changed = copy.copy(statement)
            changed.iter = iterable
            yield changed
    if isinstance(statement, ast.Assign | ast.Return) and isinstance(statement.value, ast.Call | ast.IfExp):
        changed_ = copy.copy(statement)
        changed_.value = ast.BoolOp(ast.Or(), [statement.value, ast.Constant(None)])
        yield changed_
    for number, original in enumerate(list(expressions(statement))):
        for position in range(len(list(_replacements(original, words, siblings)))):
            copied = copy.deepcopy(statement)
            node = list(expressions(copied))[number]
            become(node, list(_replacements(node, words, siblings))[position])
            yield copied


def _fewer(iterable: ast.expr, words: Sequence[str]) -> Iterator[ast.expr]:
    """Fewer elements: the first few, all but the first, all but the last, all but those that are or hold a word."""
    whole = ast.Call(ast.Name("list", ast.Load()), [iterable], [])
    bounds = [ast.Slice(None, ast.Constant(cap)) for cap in CAPS]
    bounds += [ast.Slice(ast.Constant(1), None), ast.Slice(None, ast.UnaryOp(ast.USub(), ast.Constant(1)))]
    yield from (ast.Subscript(whole, bound, ast.Load()) for bound in bounds)
    for word in words:
        text = f"[_e for _e in _x if {word!r} not in (_e if isinstance(_e, tuple) else (_e,))]"
        comprehension = ast.parse(text, mode="eval").body
        assert isinstance(comprehension, ast.ListComp)
        comprehension.generators[0].iter = iterable
        yield comprehension


def _replacements(node: ast.AST, words: Sequence[str], siblings: Siblings) -> Iterator[ast.AST]:
    """What one expression may become."""
    match node:
        case ast.comprehension(target=target, iter=iterable, ifs=ifs, is_async=asynchronous):
            yield from (
                ast.comprehension(target, each, ifs, asynchronous) for each in _fewer(iterable, words)
            )
        case ast.Call(func=function, args=arguments, keywords=keywords):
            for at in range(len(arguments) - 1):
                swapped = [*arguments[:at], arguments[at + 1], arguments[at], *arguments[at + 2 :]]
                yield ast.Call(function, swapped, keywords)
            for at in range(len(keywords) - 1):
                one, other = keywords[at : at + 2]
                pair = [ast.keyword(one.arg, other.value), ast.keyword(other.arg, one.value)]
                yield ast.Call(function, arguments, [*keywords[:at], *pair, *keywords[at + 2 :]])
            if (
                len(arguments) == 1
                and not keywords
                and not isinstance(arguments[0], ast.Starred | ast.GeneratorExp)
            ):
                yield arguments[0]
            if isinstance(function, ast.Attribute) and function.attr in _KEPT:
                yield function.value
        case ast.BinOp(left=left, op=ast.Add() | ast.BitOr() | ast.BitAnd() | ast.Sub(), right=right):
            yield from (left, right)
        case ast.List(elts=[_, *_] as parts, ctx=ast.Load()) | ast.Set(elts=[_, _, *_] as parts):
            for leave in range(len(parts)):
                rest = parts[:leave] + parts[leave + 1 :]
                yield ast.List(rest, ast.Load()) if isinstance(node, ast.List) else ast.Set(rest)
        case ast.Dict(keys=[_, *_] as keys, values=values):
            for leave in range(len(keys)):
                yield ast.Dict(keys[:leave] + keys[leave + 1 :], values[:leave] + values[leave + 1 :])
        case ast.Slice(lower=lower, upper=upper, step=step):
            if lower is not None:
                yield ast.Slice(ast.BinOp(lower, ast.Add(), ast.Constant(1)), upper, step)
            if upper is not None:
                yield ast.Slice(lower, ast.BinOp(upper, ast.Sub(), ast.Constant(1)), step)
        case ast.Attribute(value=value, attr=attribute, ctx=ast.Load()):
            yield from (ast.Attribute(value, each, ast.Load()) for each in siblings.get(attribute, ()))
