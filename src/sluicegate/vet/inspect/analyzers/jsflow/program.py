"""The meaning of JavaScript nodes: names, assignments, functions. What calls do is in ``calls``."""

from __future__ import annotations

from collections.abc import Sequence

from sluicegate.known.steering import steers
from sluicegate.vet.inspect.analyzers.candidates import most_telling
from sluicegate.vet.inspect.analyzers.jsflow.modules import MODULE
from sluicegate.vet.inspect.analyzers.jsflow.names import ENVIRONMENT, REST, Names
from sluicegate.vet.inspect.analyzers.jsflow.values import LONGEST, NOTHING, Val, united
from sluicegate.vet.inspect.analyzers.jsflow.walk import NAME, Step, composed
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, Tag, join

_WHOLE = frozenset({ENVIRONMENT})
_ANY_VARIABLE = frozenset({Tag("key", "process.env")})
_OF_ENVIRONMENT = "variable "
"""Begins the shape of a variable of the environment that steers other programs."""
_ENVIRONMENTS = frozenset({"process.env", "Bun.env", "import.meta.env"})
"""The environment as one object. Runtimes give all of it under each name; bundlers put their public settings into the last."""
_HOMES = frozenset({"HOME", "USERPROFILE"})
_GLOBAL = frozenset({"globalThis", "global", "window", "self"})
_WHOLE_CALLS = frozenset({"Deno.env.toObject", "process.report.getReport"})
"""Calls that give the environment with all that is in it."""
_TAKES_ALL = frozenset(
    "join map filter reduce concat slice sort reverse flat flatMap entries values toString toJSON trim replace replaceAll".split()
)
"""Methods of lists and texts that give what they belong to, in another form."""
_COLLECTS = frozenset({"push", "unshift", "add", "set", "append"})
"""Methods that put what they are given into the thing they belong to."""
_EACH = frozenset({"forEach", "map", "flatMap", "filter", "some", "every", "find"})
_INPUT = frozenset(
    {"req.query", "req.body", "req.params", "request.query", "request.body", "ctx.query", "event.body"}
)
Children = list[tuple[str, str, Val]]


class JsProgram(Names):
    """The meaning of the nodes of one text; what is known of its names stands in ``Names``.

    Walk it again while ``learned`` grows: callbacks and functions may stand before what is handed to them.
    """

    def run(self, steps: list[Step], values: list[Val]) -> None:
        """Put the value of each step into its slot."""
        look_up = self._look_up
        self.effects.folder = ""
        for kind, text, parts, start, end, slot in steps:
            if kind == NAME:
                values[slot] = look_up(text)
            elif (method := _METHODS.get(kind)) is not None:
                children = [(field, child, values[part]) for field, child, part in parts]
                values[slot] = method(self, children, start, end)
            else:
                values[slot] = composed(kind, [values[part] for _, _, part in parts])

    def _look_up(self, text: str) -> Val:
        name = self.aliases.get(text, text)
        tags = _WHOLE if name in _ENVIRONMENTS else self.facts.get(text, NONE)
        content = self.texts.get(text, "")
        if name.startswith(MODULE):
            held, exported = self._held(name)
            tags, content = join(tags, held), content or exported
        return Val(tags, name, content, shape=text)

    def _member(self, children: Children, start: int, end: int) -> Val:
        base, index, key = NOTHING, NOTHING, ""
        for field, _, value in children:
            if field == "object":
                base = value
            elif field == "property":
                key = value.shape
            elif field == "index":
                index, key = value, value.text
        # A chain of thousands would be as many names, each as long as all before it.
        name = f"{base.name}.{key}" if base.name and key and len(base.name) < LONGEST else ""
        if base.name in _GLOBAL and key == "process":
            return self._look_up(key)
        held = base.name and ENVIRONMENT in base.tags and key not in _TAKES_ALL
        if held or base.name in _ENVIRONMENTS:
            if not key:
                # By a name that the environment itself gave, one after the other, it is all of them.
                return Val(tags=_WHOLE if ENVIRONMENT in index.tags else _ANY_VARIABLE)
            if base.name == "import.meta.env":
                return NOTHING  # what a bundler puts there stands in the page for everybody
            self.effects.variable(key, start)
            shape = _OF_ENVIRONMENT + key if steers(key) is not None else ""
            return Val(tags=self._variable(key), text="~" if key in _HOMES else "", shape=shape)
        if name in _ENVIRONMENTS:
            return Val(tags=_WHOLE, name=name)
        if name in _INPUT or name == "process.stdin":
            return Val(tags=frozenset({Tag("input", name)}), name=name)
        if not name:
            return Val(tags=base.tags, items=[base], shape=key)
        tags, text = self._held(name)
        return Val(tags=join(base.tags, tags), name=name, text=text, items=[base], shape=key)

    def _call(self, children: Children, start: int, end: int) -> Val:
        callee, new = NOTHING, False
        arguments: Sequence[Val] = ()
        for field, kind, value in children:
            if field in ("function", "constructor"):
                callee = value
            elif kind == "new":
                new = True
            elif kind == "arguments":
                arguments = value.items
            elif kind == "template_string":
                arguments = [value]
        receiver = callee.items[0] if callee.items and callee.shape else NOTHING
        owner, name = self._modules.follow(callee.name, self) if callee.name else (self, "")
        maker, function = self._called(owner, f"{name}.constructor" if new else name, callee)
        self._bind(maker, function, callee, receiver, arguments)
        self._hand(callee, receiver, arguments, start, end)
        if owner is not self or (name != callee.name and function is None):
            callee = callee.like(tags=callee.tags, name=name, text=callee.text)
        if (read := self._environment(callee.name, arguments, start)) is not None:
            return read
        if callee.shape in _COLLECTS and receiver.shape and receiver.shape == receiver.name:
            self.know(receiver.name, united(arguments))
        if callee.shape == "join" and (parts := receiver.items or self.lists.get(receiver.name)):
            text = (arguments[0].text if arguments else ",").join(part.text for part in parts)
            return Val(tags=receiver.tags, text=text[:LONGEST])
        if arguments:
            self._steered(callee.name, arguments, start, end)
        result = self.effects.call(callee, receiver, arguments, start, end, new=new)
        tags, made, text = result.tags, result.name, result.text
        if new and name in owner.classes:
            made = name if owner is self else f"{owner.number}.{name}"
        if function is not None:
            tags = join(tags, maker.returns.get(function.function, NONE))
            given = maker.returned.get(function.function)
            if given is not None and not made:
                made, text = given.name, text or given.text
        if callee.shape in ("then", "map", "flatMap") and arguments and arguments[0].function != -1:
            tags = join(tags, self.returns.get(arguments[0].function, NONE))
        if tags is result.tags and made is result.name and text is result.text:
            return result
        return result.like(tags=tags, name=made, text=text)

    def _environment(self, name: str, arguments: Sequence[Val], start: int) -> Val | None:
        """What a call gives that reads the environment; None for all others."""
        if name in _WHOLE_CALLS:
            return Val(tags=_WHOLE, name="process.env" if name == "Deno.env.toObject" else "")
        if name == "Deno.env.get" and arguments and arguments[0].text:
            variable = arguments[0].text
            self.effects.variable(variable, start)
            return Val(tags=self._variable(variable), text="~" if variable in _HOMES else "")
        if name == "Reflect.get" and len(arguments) > 1 and arguments[1].text:
            base, key = arguments[0], Val(text=arguments[1].text)
            return self._member([("object", "", base), ("index", "", key)], start, start)
        return None

    def _called(self, owner: Names, name: str, callee: Val) -> tuple[Names, Val | None]:
        """The function that is called, and the text in which it stands."""
        if callee.function != -1:
            return self, callee
        function = owner.functions.get(name)
        return (owner, function) if function is not None else owner.given.get(name, (owner, None))

    def _bind(
        self, owner: Names, function: Val | None, callee: Val, receiver: Val, arguments: Sequence[Val]
    ) -> None:
        """Arguments become parameters; callbacks receive what their receiver holds."""
        if function is not None:
            for name, value in zip(function.params, arguments, strict=False):
                owner.know(name, value.tags)
                if value.text and name not in owner.texts:
                    owner.texts[name] = value.text
                    owner.learned += 1
                if value.function != -1 and name not in owner.given:
                    owner.given[name] = (self, value)
                    owner.learned += 1
        for argument in arguments:
            if callee.shape == "then" and receiver.name.startswith(MODULE) and argument.params:
                self.aliases.setdefault(argument.params[0], receiver.name)

    def _hand(self, callee: Val, receiver: Val, arguments: Sequence[Val], start: int, end: int) -> None:
        """A callback is given what its receiver holds: one that stands here, one with a name, or one that runs it."""
        source = join(receiver.tags, self.effects.delivers(callee, arguments))
        texts = self._elements(receiver) if callee.shape in _EACH else ""
        if not source and not texts:
            return
        for argument in arguments:
            function = argument if argument.function != -1 else self.functions.get(argument.name)
            if function is None:
                self.effects.handed(argument, source, start, end)
                continue
            for name in function.params[:3]:
                self.know(name, source)
            if texts and function.params and function.params[0] not in self.texts:
                self.texts[function.params[0]] = texts
                self.learned += 1

    def _elements(self, listed: Val) -> str:
        """The most telling text of a list."""
        return most_telling(item.text for item in self.lists.get(listed.name) or listed.items if item.text)

    def _declare(self, children: Children, start: int, end: int) -> Val:
        target, value = NOTHING, NOTHING
        for field, _, child in children:
            if field in ("name", "left"):
                target = child
            elif field in ("value", "right"):
                value = child
        if target.shape.startswith(_OF_ENVIRONMENT):
            self._steer(target.shape.removeprefix(_OF_ENVIRONMENT), value, start, end)
        else:
            self._assign(target, value)
        return value

    def _steer(self, name: str, value: Val, start: int, end: int) -> None:
        """A variable that steers other programs is set for those that this one starts, as ``export`` does it."""
        if value.text and steers(name) is not None:
            import shlex  # few programs set such a variable

            line = f"export {name}={shlex.quote(value.text)}"
            self.effects.watcher.shell(line, value.tags, start, end)

    def _steered(self, name: str, arguments: Sequence[Val], start: int, end: int) -> None:
        """Variables that a call sets: for this program and what it starts, or for the one that it starts."""
        if name == "Deno.env.set" and len(arguments) > 1:
            self._steer(arguments[0].text, arguments[1], start, end)
        whole = name in ("Object.assign", "_.assign") and ENVIRONMENT in arguments[0].tags
        for argument in arguments[1:]:
            held = argument if whole else argument.props.get("env", NOTHING)
            for key, value in (held.props or self._known(held.name)).items():
                self._steer(key, value, start, end)

    def _known(self, name: str) -> dict[str, Val]:
        """The variables that steer among the properties of a name."""
        before = name + "."
        found = [key for key in self.texts if key.startswith(before)] if name in self.parted else []
        return {key.removeprefix(before): Val(text=self.texts[key]) for key in found}

    def _pattern(self, children: Children, start: int, end: int) -> Val:
        props: dict[str, Val] = {}
        for _, kind, value in children:
            if kind in ("pair_pattern", "object_assignment_pattern", "object_pattern", "rest_pattern"):
                props.update(value.props)
            elif value.shape and kind == "shorthand_property_identifier_pattern":
                props[value.shape] = Val(text=value.shape)
            if value.shape and kind == "rest_pattern":
                props[value.shape] = REST
        return Val(props=props)

    def _pair_pattern(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        key, value = fields.get("key") or fields.get("left") or NOTHING, fields.get("value") or NOTHING
        name = value.shape or key.shape
        return Val(props={name: Val(text=key.shape)} if name else {})

    def _pair(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        key, value = fields.get("key", NOTHING), fields.get("value", NOTHING)
        return Val(tags=value.tags, props={(key.shape if key.name else key.text): value})

    def _object(self, children: Children, start: int, end: int) -> Val:
        props: dict[str, Val] = {}
        for _, kind, value in children:
            if kind == "pair":
                props.update(value.props)
            elif kind == "spread_element":
                props[f"...{len(props)}"] = Val(tags=value.tags, name=value.name)
            elif value.shape:
                props[value.shape] = value
        return Val(tags=united([value for _, _, value in children]), props=props)

    def _function(self, children: Children, start: int, end: int) -> Val:
        params: list[str] = []
        name, body = "", NOTHING
        for field, kind, value in children:
            if field == "name":
                name = value.shape
            elif field == "parameters" or kind == "formal_parameters":
                params = [item.shape for item in value.items if item.shape and item.shape.isidentifier()]
                params += [prop for item in value.items for prop in item.props]
                params += [inner.shape for item in value.items for inner in item.items if inner.shape]
            elif field == "parameter":
                params = [value.shape]
            elif field == "body":
                body = value
                if kind != "statement_block":
                    self._gives(start, value)
        made = Val(params=params[:16], function=start, tags=NONE, shape=name)
        if name:
            self.functions[name] = made
        return made if body is not None else NOTHING

    def _return(self, children: Children, start: int, end: int) -> Val:
        """``start`` is the number of the function that is left."""
        tags = united([value for _, _, value in children])
        if start != -1:
            named = next((value for _, _, value in children if value.name or value.text), NOTHING)
            self._gives(start, named.like(tags=tags, name=named.name, text=named.text))
        return Val(tags)

    def _gives(self, number: int, value: Val) -> None:
        """A function gives a value back."""
        old = self.returns.get(number, NONE)
        new = join(old, value.tags)
        if new != old:
            self.returns[number] = new
            self.learned += 1
        outside = not value.shape or (value.name != value.shape and "." not in value.name)
        name = value.name if outside else ""  # a name of its own would be another's in the text of the caller
        old_value = self.returned.get(number)
        if (name or value.text) and (old_value is None or (name and not old_value.name)):
            self.returned[number] = Val(name=name, text=value.text)
            self.learned += 1

    def _class(self, children: Children, start: int, end: int) -> Val:
        name = next((value.shape for field, _, value in children if field == "name"), f"class@{start}")
        body = next((value for field, _, value in children if field == "body"), NOTHING)
        for method in body.items:
            if method.function != -1 and method.shape:
                self.functions[f"{name}.{method.shape}"] = method
        self.classes.add(name)
        return Val(name=name, shape=name)

    def _loop(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        left, right = fields.get("left", NOTHING), fields.get("right", NOTHING)
        text = self._elements(right)
        if text and left.shape not in self.texts:
            self.learned += 1
        self._assign(left, Val(tags=right.tags, text=text))
        return NOTHING

    def _import(self, children: Children, start: int, end: int) -> Val:
        module = self._module(next((value.text for field, _, value in children if field == "source"), ""))
        for _, kind, value in children:
            if kind in ("import_clause", "import_require_clause"):
                if kind == "import_require_clause":
                    module = self._module(value.text)
                for name, key in value.props.items():
                    own = module.startswith(MODULE)
                    self.aliases[name] = module + (key.text if own else key.text.removeprefix(".default"))
        return NOTHING

    def _require(self, children: Children, start: int, end: int) -> Val:
        """``import x = require("y")`` of TypeScript."""
        names = {value.shape: NOTHING for _, kind, value in children if kind == "identifier"}
        return Val(
            props=names, text=next((value.text for _, kind, value in children if kind == "string"), "")
        )

    def _export(self, children: Children, start: int, end: int) -> Val:
        """1. a default, 2. names of this text or of another module, 3. all of another module."""
        source = next((value.text for field, _, value in children if field == "source"), "")
        module = self._module(source) if source else ""
        clauses = [value for _, kind, value in children if kind in ("export_clause", "namespace_export")]
        for clause in clauses:  # 2
            for name, key in clause.props.items():
                inner = key.text if not module else f"{module}.{key.text}" if key.text else module
                if inner != f"exports.{name}":
                    self.aliases[f"exports.{name}"] = inner
        if module.startswith(MODULE) and not clauses and module not in self.stars:  # 3
            self.stars.append(module)
        if any(kind == "default" for _, kind, _ in children):  # 1
            for field, _, value in children:
                if field in ("value", "declaration"):
                    self._assign(Val(shape="default"), value)
        return NOTHING

    def _clause(self, children: Children, start: int, end: int) -> Val:
        props: dict[str, Val] = {}
        for _, kind, value in children:
            if kind == "identifier":
                props[value.shape] = Val(text=".default")
            props.update(value.props)
        return Val(props=props)

    def _namespace(self, children: Children, start: int, end: int) -> Val:
        return Val(props={value.shape: NOTHING for _, kind, value in children if kind == "identifier"})

    def _renamed(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        name = fields.get("name", NOTHING).shape
        return Val(props={fields.get("alias", NOTHING).shape or name: Val(text=name)})

    def _specifier(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        name = fields.get("name", NOTHING).shape
        alias = fields.get("alias", NOTHING).shape or name
        return Val(props={alias: Val(text="." + name)})


_METHODS = {
    "member_expression": JsProgram._member,
    "subscript_expression": JsProgram._member,
    "call_expression": JsProgram._call,
    "new_expression": JsProgram._call,
    "variable_declarator": JsProgram._declare,
    "assignment_expression": JsProgram._declare,
    "augmented_assignment_expression": JsProgram._declare,
    "object_pattern": JsProgram._pattern,
    "pair_pattern": JsProgram._pair_pattern,
    "object_assignment_pattern": JsProgram._pair_pattern,
    "pair": JsProgram._pair,
    "object": JsProgram._object,
    "function_declaration": JsProgram._function,
    "generator_function_declaration": JsProgram._function,
    "function_expression": JsProgram._function,
    "arrow_function": JsProgram._function,
    "method_definition": JsProgram._function,
    "return_statement": JsProgram._return,
    "for_in_statement": JsProgram._loop,
    "import_statement": JsProgram._import,
    "import_clause": JsProgram._clause,
    "import_require_clause": JsProgram._require,
    "named_imports": JsProgram._clause,
    "namespace_import": JsProgram._namespace,
    "export_statement": JsProgram._export,
    "export_clause": JsProgram._clause,
    "export_specifier": JsProgram._renamed,
    "namespace_export": JsProgram._namespace,
    "class_declaration": JsProgram._class,
    "abstract_class_declaration": JsProgram._class,
    "class": JsProgram._class,
    "import_specifier": JsProgram._specifier,
}
