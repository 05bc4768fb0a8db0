"""The ways in which a source file is changed, one at a time.

A mutant is told by its file, the function it stands in, the statement before and after, and, where the same change
occurs more than once in a function, which of them it is; so it keeps its name when lines move.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of one file. ``source`` is the whole file after it."""

    name: str
    source: str


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a file; ``module`` is its name without suffix."""
    tree = ast.parse(source)
    written = Written(tree)
    seen: Counter[str] = Counter()
    for function, statement, container, index in statements(tree):
        before = line(statement)
        for changed in _changes(statement):
            name = f"{module}.{function}: {before} -> {line(changed)}"
            seen[name] += 1
            container[index] = changed
            text = written.after(container, index)
            container[index] = statement
            yield Mutant(name=name if seen[name] == 1 else f"{name} #{seen[name]}", source=text)


class Written:
    """A file as text, after a change of one statement: only what stands around that is written anew."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._texts = [ast.unparse(each) for each in tree.body]
        self._at = {
            id(block): number
            for number, each in enumerate(tree.body)
            for node in ast.walk(each)
            for _, block in ast.iter_fields(node)
            if isinstance(block, list)
        }

    def after(self, container: list[ast.stmt], index: int) -> str:
        """The text of the file, in which a statement of this list may have been changed."""
        number = index if container is self._tree.body else self._at[id(container)]
        changed = ast.unparse(self._tree.body[number])
        return "\n".join([*self._texts[:number], changed, *self._texts[number + 1 :]])


def statements(tree: ast.Module) -> Iterator[tuple[str, ast.stmt, list[ast.stmt], int]]:
    """Every statement with the function it stands in and the list that holds it."""
    todo: list[tuple[str, list[ast.stmt]]] = [("", tree.body)]
    while todo:
        function, body = todo.pop(0)
        for index, statement in enumerate(body):
            inner = function
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                inner = f"{function}.{statement.name}".strip(".")
            elif not isinstance(statement, ast.Import | ast.ImportFrom | ast.AnnAssign) and not (
                _is_text(statement) or _is_for_types(statement)
            ):
                yield function or "module", statement, body, index
            elif (
                isinstance(statement, ast.AnnAssign)
                and statement.value is not None
                and not _is_alias(statement)
            ):
                yield function or "module", statement, body, index
            for name in ("body", "orelse", "cases"):
                for part in [getattr(statement, name, None)]:
                    if isinstance(part, list) and part and isinstance(part[0], ast.stmt):
                        todo.append((inner, part))
                    elif isinstance(part, list):
                        todo += [(inner, case.body) for case in part if isinstance(case, ast.match_case)]


def _is_alias(statement: ast.AnnAssign) -> bool:
    return isinstance(statement.annotation, ast.Name) and statement.annotation.id == "TypeAlias"


def _is_for_types(statement: ast.stmt) -> bool:
    """Whether it is a type variable, ``__slots__`` or what a type checker alone imports: nothing is decided by them."""
    if isinstance(statement, ast.If):
        return isinstance(statement.test, ast.Name) and statement.test.id == "TYPE_CHECKING"
    if not isinstance(statement, ast.Assign):
        return False
    slots = isinstance(statement.targets[0], ast.Name) and statement.targets[0].id == "__slots__"
    made = statement.value.func if isinstance(statement.value, ast.Call) else None
    return slots or (isinstance(made, ast.Name) and made.id == "TypeVar")


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def line(statement: ast.stmt) -> str:
    """The first line of a statement, or a short form of it: what a name is made of."""
    shown = copy.copy(statement)
    for name in ("body", "orelse"):
        if hasattr(shown, name) and isinstance(getattr(shown, name), list):
            setattr(shown, name, [ast.Pass()] if name == "body" else [])
    return " ".join(ast.unparse(shown).replace("    pass", "").split())


def _changes(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Every change of one statement, blocks inside it left alone."""
    if not isinstance(statement, ast.If | ast.For | ast.While | ast.Match | ast.Pass | ast.Return):
        yield ast.Pass()
    if isinstance(statement, ast.If):
        for value in (True, False):
            constant = copy.copy(statement)
            constant.test = ast.Constant(value)
            yield constant
    words = not isinstance(statement, ast.Raise)  # what an error says to people is not a decision
    count = sum(1 for _ in expressions(statement))
    for number in range(count):
        original = list(expressions(statement))[number]
        for position in range(len(list(_replacements(original, words)))):
            changed = copy.deepcopy(statement)
            node = list(expressions(changed))[number]
            become(node, list(_replacements(node, words))[position])
            yield changed


def expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without blocks inside it and without annotations."""
    todo: list[ast.AST] = [
        child
        for name, value in ast.iter_fields(statement)
        if name not in ("body", "orelse", "annotation", "cases", "decorator_list")
        for child in (value if isinstance(value, list) else [value])
        if isinstance(child, ast.AST)
    ]
    while todo:
        node = todo.pop(0)
        yield node
        todo += list(ast.iter_child_nodes(node))


def become(node: ast.AST, other: ast.AST) -> None:
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)


def _replacements(node: ast.AST, words: bool) -> Iterator[ast.AST]:
    """What one expression may become; text only if ``words``."""
    match node:
        case ast.Compare(left=left, ops=[op, *rest], comparators=comparators):
            for other in _COMPARISONS.get(type(op), ()):
                yield ast.Compare(left, [other(), *rest], comparators)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for leave in range(len(values)):
                rest_ = values[:leave] + values[leave + 1 :]
                yield rest_[0] if len(rest_) == 1 else ast.BoolOp(op, rest_)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            yield ast.BinOp(left, _OPERATIONS[type(op)](), right)
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Constant(value=str() as value) if words:
            yield ast.Constant(value + "x" if value else "x")
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in _CALLS:
            kept = [] if name == "sorted" else keywords
            yield ast.Call(ast.Name(_CALLS[name], ast.Load()), args, kept)
        case ast.comprehension(target=target, iter=iterable, ifs=[_, *_], is_async=asynchronous):
            yield ast.comprehension(target, iterable, [], asynchronous)
        case ast.Slice(lower=lower, upper=upper) if lower is not None or upper is not None:
            yield ast.Slice(None, None)
        case ast.Tuple(elts=[_, _, *_] as parts, ctx=ast.Load()):
            for leave in range(len(parts)):
                yield ast.Tuple(parts[:leave] + parts[leave + 1 :], ast.Load())
