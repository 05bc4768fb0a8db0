"""The reference model of a running script: a core of the language, with values, labels, failures and denials.

Imports nothing of ours but the other parts of the model. A program is ``{"functions": {name: [labels, parameters, body]}, "statements":
[statement...]}``; what a node is stands at the head of its list:

    const V | name N | list E... | object [KEY, E]... | field E KEY | index E E | text PIECE...      (a piece is a text or E)
    op SIGN E E | not E | short SIGN E E | pick E E E | when [E, ACTION]... | if E STATEMENTS STATEMENTS
    function N | new E E... | call E E... | pipe E E | foreach E E | for N E ACTION | any | denied
    var LABELS N E | let LABELS N E | show E | return E | do E

An action is an expression, or ``["block", statement...]``. ``pc`` are the labels of all branches that stand around.

1. Every branch, loop, lookup and call is evaluated with the labels of what it depends on in ``pc``; what it gives has them.
2. A value that was made of one that failed has failed. An error is raised where its labels are in ``pc``; an error that leaves a branch
   becomes there a value that failed. What tells of origins alone ends the script (``ends``).
3. A call is asked about with all that goes in and all that its body can see, and so is every effect in it: with the labels of
   every operation around.
4. What stands behind a branch that may have returned depends on it, up to the end of the function.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from model.capabilities import Operation
from model.flow import authorize, covers

ORIGINS = ("src", "dir", "trusted", "untrusted", "influenced", "llm")
NOTHING: frozenset[str] = frozenset()


class Value(NamedTuple):
    """``labels`` are those of its shape, which every part has too. A list and an object have values as parts."""

    content: object
    labels: frozenset = NOTHING


class Failed(NamedTuple):
    """In place of a content: an operation failed, or was denied."""

    denied: bool


class Callable(NamedTuple):
    """A function of the program, with its first arguments."""

    name: str
    given: tuple = ()


class Ended(NamedTuple):
    """How statements ended: ``returned`` a value, or it may have been returned (then None), in branches on these labels."""

    labels: frozenset
    returned: Value | None = None


class Stop(Exception):
    """An error. ``labels`` are what it tells of."""

    def __init__(self, labels, denied=False):
        super().__init__()
        self.labels, self.denied = labels, denied


def parts(content):
    """The values inside of a content."""
    if isinstance(content, tuple) and type(content) is tuple:
        return content
    return tuple(content.values()) if isinstance(content, dict) else ()


def whole(value):
    """All labels in a value."""
    return value.labels.union(*(whole(part) for part in parts(value.content)))


def marked(value, labels):
    """The value with more labels, on every part of it."""
    content = value.content
    if type(content) is tuple:
        content = tuple(marked(part, labels) for part in content)
    elif isinstance(content, dict):
        content = {key: marked(part, labels) for key, part in content.items()}
    return Value(content, value.labels | labels)


def failure(value):
    """The first failure in a value, or None."""
    if isinstance(value.content, Failed):
        return value.content
    return next(filter(None, map(failure, parts(value.content))), None)


def plain(value):
    """The content as JSON has it."""
    content = value.content
    if type(content) is tuple:
        return [plain(part) for part in content]
    return {key: plain(part) for key, part in content.items()} if isinstance(content, dict) else content


def lifted(content):
    """Plain content as a value."""
    if isinstance(content, list):
        return Value(tuple(map(lifted, content)))
    return Value(
        {key: lifted(part) for key, part in content.items()} if isinstance(content, dict) else content
    )


def text_of(content):
    """As text."""
    return (
        content
        if isinstance(content, str)
        else ""
        if content is None
        else json.dumps(content, ensure_ascii=False)
    )


def parsed(content):
    """A text that is JSON, read; other contents as they are. Raises ValueError."""
    return json.loads(content, parse_constant=json.loads) if isinstance(content, str) else content


def same(one, other):
    """Whether contents are equal; truth values are no numbers."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def number(content):
    """Whether it is one."""
    return isinstance(content, (int, float)) and not isinstance(content, bool)


def calculated(sign, one, other):
    """What an operator gives. Raises ValueError."""
    if sign == "==":
        return same(one, other)
    if sign == "!=":
        return not same(one, other)
    texts, numbers = isinstance(one, str) and isinstance(other, str), number(one) and number(other)
    if sign == "<" and (texts or numbers):
        return one < other
    if sign == "+" and (numbers or (isinstance(one, list) and isinstance(other, list))):
        return one + other
    if sign == "+" and (isinstance(one, str) or isinstance(other, str)):
        return text_of(one) + text_of(other)
    raise ValueError


def looked_up(content, key):
    """The part of a plain content under a key; None where there is none. Raises ValueError."""
    if isinstance(content, str) and isinstance(key, str):
        content = parsed(content)
    if isinstance(content, dict) and isinstance(key, str):
        return content.get(key)
    if isinstance(content, (list, str)) and isinstance(key, int) and not isinstance(key, bool):
        return content[key] if -len(content) <= key < len(content) else None
    raise ValueError


def field_of(content, key):
    """The field of a plain content. Raises ValueError."""
    if key == "length" and isinstance(content, (str, list)):
        return len(content)
    content = parsed(content)
    if not isinstance(content, dict):
        raise ValueError
    return content.get(key)


def names_in(node):
    """All names that stand in a piece of a program."""
    if not isinstance(node, (list, tuple)):
        return set()
    own = {node[1]} if len(node) == 2 and node[0] in ("name", "function") else set()
    return own.union(*map(names_in, node))


def set_in(node):
    """The names that a ``var`` inside of it gives a value."""
    if not isinstance(node, (list, tuple)):
        return set()
    own = {node[2]} if len(node) == 4 and node[0] == "var" else set()
    return own.union(*map(set_in, node))


def returns(node):
    """Whether anything inside of it may return."""
    return isinstance(node, (list, tuple)) and (
        (len(node) == 2 and node[0] == "return") or any(map(returns, node))
    )


def of_origins(labels):
    """Whether these say where values came from, and nothing else."""
    return all(any(covers(origin, label) for origin in ORIGINS) for label in labels)


class Scope:
    """Names: of the script or a function, and of the blocks in it."""

    def __init__(self, outer, *, function=False):
        self.outer, self.values = outer, {}
        self.function = self if function else outer.function

    def find(self, name):
        """The value of a name, or None."""
        found = self.values.get(name)
        return found if found is not None or self.outer is None else self.outer.find(name)


class Script:
    """A run of a program under policies. ``asked`` are all questions to policy, ``shown`` what was shown."""

    def __init__(self, policies, program):
        self.policies, self.functions = policies, program["functions"]
        self.statements, self.scope = program["statements"], Scope(None, function=True)
        self.asked, self.shown, self.around, self.denied = [], [], (), False

    def run(self):
        """How it ended: ``done``, ``denied`` or ``failed``."""
        try:
            end = self.follow(self.statements, self.scope, NOTHING)
            if end and end.returned:
                self.within(
                    end.labels, NOTHING, lambda pc: self.show(self.apply(text_of, pc, end.returned), pc)
                )
        except Stop as stop:
            return "denied" if stop.denied else "failed"
        return "done"

    # Failures and branches.

    def settled(self, value, pc):
        """The value; an error, where it has failed and that may be told (2)."""
        found, labels = failure(value), whole(value)
        if found and (labels <= pc or of_origins(labels)):
            raise Stop(labels | pc, found.denied)
        return value

    def apply(self, function, pc, *values):
        """A function of contents."""
        labels = pc.union(*map(whole, values))
        found = next(filter(None, map(failure, values)), None)
        if found is None:
            try:
                return marked(lifted(function(*map(plain, values))), labels)
            except ValueError:
                found = Failed(False)
        if labels <= pc:
            raise Stop(labels, found.denied)
        return self.settled(Value(found, labels), pc)

    def within(self, labels, pc, action):
        """What depends on these labels (1, 2)."""
        if labels <= pc:
            return marked(action(pc), pc)
        try:
            return marked(action(pc | labels), pc | labels)
        except Stop as stop:
            return self.left(stop, pc | labels)

    def left(self, stop, labels):
        """What an error becomes that leaves a branch."""
        stop.labels |= labels
        if of_origins(stop.labels):
            raise stop
        return Value(Failed(stop.denied), stop.labels)

    def bound(self, node, scope, labels):
        """Whether names were given a value in a branch tells of it."""
        for name in set_in(node) if labels else ():
            found = scope.function.values.get(name, Value(Failed(False)))
            scope.function.values[name] = marked(found, labels)

    # Operations.

    def permitted(self, kind, leaves, labels):
        """Whether policy permits an operation (3)."""
        every = tuple(dict.fromkeys((*leaves, *self.around)))
        said = authorize(self.policies, Operation(kind, every), labels) is None
        self.asked.append((frozenset(every), labels, said))
        return said

    def show(self, value, pc):
        """Show a value."""
        labels, found = whole(value) | pc, failure(value)
        if not self.permitted("show", ("op:show",), labels):
            raise Stop(pc, denied=True)
        if found:
            return self.settled(Value(found, labels), pc)
        self.shown.append(text_of(plain(value)))
        return Value(None, labels)

    def closure(self, name, seen):
        """The labels of all that the body of a function can see besides its parameters."""
        if name in seen:
            return NOTHING
        seen.add(name)
        _, parameters, body = self.functions[name]
        named = names_in(body) - set(parameters)
        values = [value for value in map(self.scope.find, named) if value is not None]
        inner = [self.closure(each, seen) for each in named if each in self.functions]
        return NOTHING.union(*map(whole, values), *inner)

    def call(self, callee, given, pc):
        """Call a value: which function it is may have labels itself."""

        def called(pc):
            content = callee.content
            if isinstance(content, Failed):
                raise Stop(pc, content.denied)
            if not isinstance(content, Callable):
                raise Stop(pc)
            return self.perform(content.name, (*content.given, *given), pc)

        return self.settled(self.within(whole(callee), pc, called), pc)

    def perform(self, name, given, pc):
        """Ask about a call, and evaluate the body in it (3)."""
        labels, parameters, body = self.functions[name]
        if len(given) > len(parameters):
            raise Stop(pc)
        given = (*given, *[Value(None)] * (len(parameters) - len(given)))
        taint = pc.union(self.closure(name, set()), *map(whole, given))
        scope = Scope(self.scope, function=True)
        scope.values.update(zip(parameters, given, strict=True))
        leaves = (*labels, f"op:call:{name}")
        if not self.permitted("call", leaves, taint):
            refused = Stop(pc, denied=True)
            if not handles(body):
                raise refused
            return self.handled(body, refused, scope, pc)
        before = self.around, self.denied
        self.around, self.denied = (*leaves, *self.around), False
        try:
            value = marked(self.evaluate(body, scope, taint), taint)
        except Stop as stop:
            stop.labels |= taint
            if taint <= pc:
                raise
            value = Value(Failed(stop.denied), stop.labels)
        finally:
            self.around, self.denied = before
        return self.settled(value, pc)

    # Expressions.

    def evaluate(self, node, scope, pc):
        """The value of an expression or an action."""
        return getattr(self, f"_{node[0]}")(scope, pc, *node[1:])

    def _const(self, scope, pc, content):
        return Value(content, pc)

    def _name(self, scope, pc, name):
        found = scope.find(name)
        if found is None:
            raise Stop(pc)
        return marked(found, pc)

    def _function(self, scope, pc, name):
        return Value(Callable(name), pc)

    def _any(self, scope, pc):
        return Value(True, pc)

    def _denied(self, scope, pc):
        return Value(self.denied, pc)

    def _list(self, scope, pc, *items):
        return self.settled(Value(tuple(self.evaluate(item, scope, pc) for item in items), pc), pc)

    def _object(self, scope, pc, *items):
        return self.settled(Value({key: self.evaluate(item, scope, pc) for key, item in items}, pc), pc)

    def _text(self, scope, pc, *pieces):
        values = [Value(each) if isinstance(each, str) else self.evaluate(each, scope, pc) for each in pieces]
        return self.apply(lambda *contents: "".join(map(text_of, contents)), pc, *values)

    def _field(self, scope, pc, inner, key):
        value = self.evaluate(inner, scope, pc)
        if value.labels <= pc and isinstance(value.content, dict):
            return marked(value.content.get(key, Value(None)), value.labels)
        return self.apply(lambda content: field_of(content, key), pc, value)

    def _index(self, scope, pc, inner, index):
        value, key = self.evaluate(inner, scope, pc), self.evaluate(index, scope, pc)
        content = value.content
        if value.labels | whole(key) <= pc and (type(content) is tuple or isinstance(content, dict)):
            at = self.apply(lambda plain_key: plain_key, pc, key).content
            if isinstance(content, dict) and isinstance(at, str):
                return marked(content.get(at, Value(None)), value.labels)
            if type(content) is tuple and isinstance(at, int) and not isinstance(at, bool):
                inside = -len(content) <= at < len(content)
                return marked(content[at] if inside else Value(None), value.labels)
            raise Stop(pc)
        return self.apply(looked_up, pc, value, key)

    def _op(self, scope, pc, sign, one, other):
        values = self.evaluate(one, scope, pc), self.evaluate(other, scope, pc)
        return self.apply(lambda *contents: calculated(sign, *contents), pc, *values)

    def _not(self, scope, pc, inner):
        return self.apply(lambda content: not content, pc, self.evaluate(inner, scope, pc))

    def truth(self, value, pc):
        """Whether it counts as true, in a branch on it."""
        return self.apply(bool, pc, value).content

    def _short(self, scope, pc, sign, one, other):
        left = self.evaluate(one, scope, pc)

        def chosen(pc):
            true = (
                self.apply(lambda content: content is not None, pc, left).content
                if sign == "??"
                else self.truth(left, pc)
            )
            return left if true == (sign != "&&") else self.evaluate(other, scope, pc)

        value = self.within(whole(left), pc, chosen)
        self.bound(other, scope, whole(left) - pc)
        return self.settled(value, pc)

    def _pick(self, scope, pc, condition, yes, no):
        value = self.evaluate(condition, scope, pc)

        def chosen(pc):
            return self.evaluate(yes if self.truth(value, pc) else no, scope, pc)

        made = self.within(whole(value), pc, chosen)
        self.bound([yes, no], scope, whole(value) - pc)
        return self.settled(made, pc)

    def _new(self, scope, pc, callee, *given):
        value, arguments = self.evaluate(callee, scope, pc), self.arguments(given, scope, pc)

        def made(pc):
            content = value.content
            if not isinstance(content, Callable):
                raise Stop(pc, isinstance(content, Failed) and content.denied)
            return Value(
                Callable(content.name, (*content.given, *arguments)), NOTHING.union(*map(whole, arguments))
            )

        return self.settled(self.within(whole(value), pc, made), pc)

    def arguments(self, nodes, scope, pc):
        """The values of several expressions."""
        return tuple(self.evaluate(node, scope, pc) for node in nodes)

    def _call(self, scope, pc, callee, *given):
        return self.call(self.evaluate(callee, scope, pc), self.arguments(given, scope, pc), pc)

    def _pipe(self, scope, pc, inner, callee):
        value = self.evaluate(inner, scope, pc)
        return self.call(self.evaluate(callee, scope, pc), (value,), pc)

    def _foreach(self, scope, pc, callee, values):
        function, given = self.evaluate(callee, scope, pc), self.evaluate(values, scope, pc)

        def made(pc):
            rows = given.content if type(given.content) is tuple else (given,)
            return self.settled(Value(tuple(self.call(function, (row,), pc) for row in rows), pc), pc)

        return self.settled(self.within(function.labels | given.labels, pc, made), pc)

    def _for(self, scope, pc, name, values, action):
        given = self.evaluate(values, scope, pc)

        def made(pc):
            gone = []
            for item in self.items(given, pc):
                inner = Scope(scope)
                inner.values[name] = item
                gone.append(self.evaluate(action, inner, pc))
            return self.settled(Value(tuple(gone), pc), pc)

        value = self.within(given.labels, pc, made)
        self.bound(action, scope, given.labels - pc)
        return self.settled(value, pc)

    def items(self, given, pc):
        """What a loop goes through."""
        if type(given.content) is tuple or isinstance(given.content, dict):
            return parts(given.content)

        def read(content):
            found = parsed(content)
            if not isinstance(content, str) or not isinstance(found, (list, dict)):
                raise ValueError
            return found

        return parts(self.apply(read, pc, given).content)

    # What branches and returns.

    def _when(self, scope, pc, *arms):
        node = ["when", *arms]
        if not handles(node):
            return self.first(node, arms, scope, pc, None)
        try:
            value = self.first(node, arms, scope, pc, None)
        except Stop as stop:
            if not stop.denied:
                raise
            return self.handled(node, stop, scope, pc)
        found = failure(value)

        def denied(pc):
            return self.while_denied(node, scope, pc, lambda: value)

        if found and found.denied:
            value, before = self.within(whole(value), pc, denied), value
            self.bound(self.handlers(node), scope, whole(before) - pc)
            return self.settled(value, pc)
        self.bound(self.handlers(node), scope, whole(value) - pc)
        return value

    def handled(self, node, stop, scope, pc):
        """What the arms for denials make of one; it again, where none holds."""

        def none():
            raise stop

        labels = stop.labels
        made = self.within(labels, pc, lambda inner: self.while_denied(node, scope, inner, none))
        self.bound(self.handlers(node), scope, labels - pc)
        return self.settled(made, pc)

    def handlers(self, node):
        """The arms that speak of denials."""
        return [arm for arm in node[1:] if speaks(arm[0])]

    def while_denied(self, node, scope, pc, none):
        """The first arm that speaks of denials and holds."""
        before, self.denied = self.denied, True
        try:
            return self.first(node, self.handlers(node), scope, pc, none)
        finally:
            self.denied = before

    def first(self, node, arms, scope, pc, none):
        """The first arm that holds, in branches on all conditions so far."""
        depends = NOTHING
        try:
            for condition, action in arms:
                asked = self.evaluate(condition, scope, pc | depends)
                depends |= whole(asked) - pc
                if self.truth(asked, pc | depends):
                    value = self.evaluate(action, Scope(scope), pc | depends)
                    break
            else:
                value = none() if none else Value(None)
            value = marked(value, pc | depends)
        except Stop as stop:
            if not depends:
                raise
            value = self.left(stop, pc | depends)
        self.bound(node, scope, depends)
        return self.settled(value, pc)

    def _if(self, scope, pc, *node):
        return self.value_after(node, scope, pc, self.either(scope, pc, *node))

    def _block(self, scope, pc, *statements):
        return self.value_after(statements, scope, pc, self.follow(statements, Scope(scope), pc))

    def value_after(self, node, scope, pc, end):
        """The value of a block whose end is the end of what depends on it."""
        if end is None:
            return Value(None, pc)
        self.bound(node, scope, end.labels)
        return marked(end.returned or Value(None), pc | end.labels)

    def either(self, scope, pc, condition, yes, no):
        """How one of two blocks ends."""
        asked = self.evaluate(condition, scope, pc)
        depends = whole(asked) - pc
        try:
            truth = self.truth(asked, pc | depends)
            end = self.follow(yes if truth else no or (), Scope(scope), pc | depends)
        except Stop as stop:
            if not depends:
                raise
            self.left(stop, pc | depends)
            end = None
        self.bound([yes, no], scope, depends)
        if not depends or not returns([yes, no]):
            return end
        return Ended(depends | end.labels, end.returned) if end else Ended(depends)

    def follow(self, statements, scope, pc):
        """Statements one after another (4)."""
        depends = NOTHING
        try:
            for statement in statements:
                end = self.execute(statement, scope, pc | depends)
                depends |= end.labels - pc if end else NOTHING
                if end and end.returned:
                    return Ended(depends, end.returned)
        except Stop as stop:
            if not depends:
                raise
            failed = self.left(stop, pc | depends)
            return Ended(failed.labels, failed)
        return Ended(depends) if depends else None

    def execute(self, node, scope, pc):
        """A statement: how it ended, if it did."""
        kind, *rest = node
        if kind in ("var", "let"):
            labels, name, inner = rest
            value = marked(self.evaluate(inner, scope, pc), frozenset(labels))
            (scope.function if kind == "var" else scope).values[name] = value
        elif kind == "show":
            text = self.apply(text_of, pc, self.evaluate(rest[0], scope, pc))
            self.settled(self.show(text, pc), pc)
        elif kind == "return":
            return Ended(NOTHING, self.evaluate(rest[0], scope, pc))
        elif rest[0][0] == "if":
            return self.either(scope, pc, *rest[0][1:])
        else:
            self.evaluate(rest[0], scope, pc)
        return None


def speaks(condition):
    """Whether a condition speaks of denials."""
    return condition == ["denied"] or (isinstance(condition, list) and any(map(speaks, condition)))


def handles(node):
    """Whether it is a ``when`` that says what to do once something is denied."""
    return node[0] == "when" and any(speaks(arm[0]) for arm in node[1:])
