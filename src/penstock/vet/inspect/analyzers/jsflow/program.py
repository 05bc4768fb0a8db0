"""The meaning of JavaScript nodes: names, assignments, functions. What calls do is in ``calls``."""

from __future__ import annotations

from penstock.vet.inspect.analyzers import known
from penstock.vet.inspect.analyzers.jsflow.calls import Effects
from penstock.vet.inspect.analyzers.jsflow.values import LONGEST, Val, united
from penstock.vet.inspect.analyzers.shflow.values import NONE, Tag, join

ENVIRONMENT = Tag("secret", "process.env")
_WHOLE = frozenset({ENVIRONMENT})
_INPUT = frozenset(
    {"req.query", "req.body", "req.params", "request.query", "request.body", "ctx.query", "event.body"}
)
_WRAPPERS = frozenset(
    {
        "parenthesized_expression", "await_expression", "non_null_expression", "as_expression", "spread_element",
        "template_substitution", "required_parameter", "optional_parameter", "rest_pattern",
    }
)  # fmt: skip

Children = list[tuple[str, str, Val]]


class Program:
    """Facts of one text, by name and without regard to scope.

    Walk it again while ``learned`` grows: callbacks and functions may stand before what is handed to them."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.facts: dict[str, frozenset[Tag]] = {}
        self.texts: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.functions: dict[str, Val] = {}
        self.returns: dict[int, frozenset[Tag]] = {}
        self.learned = 0
        self._inside: list[int] = []

    # -- leaves ----------------------------------------------------------------------------------

    def leaf(self, kind: str, text: str) -> Val:
        """A name or a literal."""
        if kind == "name":
            name = self.aliases.get(text, text)
            tags = _WHOLE if name == "process.env" else self.facts.get(text, NONE)
            return Val(tags=tags, name=name, text=self.texts.get(text, ""), shape=text)
        if kind == "escape_sequence":
            text = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "\\'": "'", '\\"': '"'}.get(text, "")
        return Val(text=text, shape=kind)

    def enter(self, number: int) -> None:
        """A function literal begins."""
        self._inside.append(number)

    def leave(self) -> None:
        """The function literal that began last ends."""
        self._inside.pop()

    # -- nodes -----------------------------------------------------------------------------------

    def node(self, kind: str, children: Children, start: int, end: int) -> Val:
        """The value of a node from its children's."""
        method = _METHODS.get(kind)
        if method is not None:
            return method(self, children, start, end)
        values = [value for _, _, value in children]
        if kind in _WRAPPERS:
            inner = next(
                (value for value in values if value.name or value.text or value.tags or value.props), None
            )
            return inner if inner is not None else Val()
        if kind in ("string", "template_string", "binary_expression"):
            text = "".join(value.text for value in values)[:LONGEST]
            return Val(tags=united(values), text=text)
        return Val(tags=united(values), items=values)

    def _member(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        base = fields.get("object", Val())
        prop = fields.get("property") or fields.get("index") or Val()
        key = prop.shape if "property" in fields else prop.text
        name = f"{base.name}.{key}" if base.name and key else ""
        if base.name == "process.env" or (base.name and ENVIRONMENT in base.tags):
            if not key:
                return Val(tags=frozenset({Tag("key", "process.env")}))
            self.effects.variable(key, start)
            return Val(tags=frozenset({Tag("key", key)}) if known.secret_name(key) else NONE)
        if name == "process.env":
            return Val(tags=_WHOLE, name=name)
        if name in _INPUT or name == "process.stdin":
            return Val(tags=frozenset({Tag("input", name)}), name=name)
        tags = join(base.tags, self.facts.get(name, NONE)) if name else base.tags
        return Val(tags=tags, name=name, text=self.texts.get(name, ""), items=[base], shape=key)

    def _call(self, children: Children, start: int, end: int) -> Val:
        callee, arguments = Val(), []
        for field, kind, value in children:
            if field in ("function", "constructor"):
                callee = value
            elif kind == "arguments":
                arguments = value.items
            elif kind == "template_string":
                arguments = [value]
        new = any(kind == "new" for _, kind, _ in children)
        receiver = callee.items[0] if callee.items and callee.shape else Val()
        self._bind(callee, receiver, arguments)
        result = self.effects.call(callee, receiver, arguments, start, end, new=new)
        function = self.functions.get(callee.name)
        if function is not None:
            result.tags = join(result.tags, self.returns.get(function.function, NONE))
        if callee.shape in ("then", "map", "flatMap") and arguments and arguments[0].function != -1:
            result.tags = join(result.tags, self.returns.get(arguments[0].function, NONE))
        return result

    def _bind(self, callee: Val, receiver: Val, arguments: list[Val]) -> None:
        """Arguments become parameters; callbacks receive what their receiver holds."""
        function = callee if callee.function != -1 else self.functions.get(callee.name)
        if function is not None:
            for name, value in zip(function.params, arguments, strict=False):
                self._know(name, value.tags)
                if value.text and name not in self.texts:
                    self.texts[name] = value.text
        source = join(receiver.tags, self.effects.delivers(callee, arguments))
        for argument in arguments:
            if source and argument.function != -1:
                for name in argument.params[:3]:
                    self._know(name, source)

    def _know(self, name: str, tags: frozenset[Tag]) -> None:
        if tags:
            old = self.facts.get(name, NONE)
            new = join(old, tags)
            if new != old:
                self.facts[name] = new
                self.learned += 1

    def _declare(self, children: Children, start: int, end: int) -> Val:
        target, value = Val(), Val()
        for field, _, child in children:
            if field in ("name", "left"):
                target = child
            elif field in ("value", "right"):
                value = child
        self._assign(target, value)
        return value

    def _assign(self, target: Val, value: Val) -> None:
        for name, key in target.props.items():
            tags = value.tags
            if ENVIRONMENT in tags:
                tags = frozenset({Tag("key", key.text)}) if known.secret_name(key.text) else NONE
            self._know(name, tags)
            if value.name:
                self.aliases[name] = f"{value.name}.{key.text}"
        if target.items and not target.shape:
            for item in target.items:
                self._know(item.shape, value.tags)
        if target.props or not (target.name or target.shape):
            return
        name = target.name if target.items else target.shape
        self._know(name, value.tags)
        if value.text:
            self.texts[name] = value.text
        if value.function != -1:
            self.functions[name] = value
        if value.name and value.name != name and not target.items:
            self.aliases[name] = value.name
        self.effects.named(name, value)

    def _pattern(self, children: Children, start: int, end: int) -> Val:
        props: dict[str, Val] = {}
        for _, kind, value in children:
            if kind in ("pair_pattern", "object_assignment_pattern", "object_pattern", "rest_pattern"):
                props.update(value.props)
            elif value.shape and kind == "shorthand_property_identifier_pattern":
                props[value.shape] = Val(text=value.shape)
        return Val(props=props)

    def _pair_pattern(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        key, value = fields.get("key") or fields.get("left") or Val(), fields.get("value") or Val()
        name = value.shape or key.shape
        return Val(props={name: Val(text=key.shape)} if name else {})

    def _pair(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        key, value = fields.get("key", Val()), fields.get("value", Val())
        return Val(tags=value.tags, props={(key.shape if key.name else key.text): value})

    def _object(self, children: Children, start: int, end: int) -> Val:
        props: dict[str, Val] = {}
        for _, kind, value in children:
            if kind == "pair":
                props.update(value.props)
            elif value.shape:
                props[value.shape] = value
        return Val(tags=united([value for _, _, value in children]), props=props)

    def _function(self, children: Children, start: int, end: int) -> Val:
        params: list[str] = []
        name, body = "", Val()
        for field, kind, value in children:
            if field == "name":
                name = value.shape
            elif field == "parameters" or kind == "formal_parameters":
                params = [item.shape for item in value.items if item.shape and item.shape.isidentifier()]
                params += [prop for item in value.items for prop in item.props]
            elif field == "parameter":
                params = [value.shape]
            elif field == "body":
                body = value
                if kind != "statement_block":
                    self.returns[start] = join(self.returns.get(start, NONE), value.tags)
        made = Val(params=params[:16], function=start, tags=NONE)
        if name:
            self.functions[name] = made
        return made if body is not None else Val()

    def _return(self, children: Children, start: int, end: int) -> Val:
        tags = united([value for _, _, value in children])
        if self._inside and tags:
            number = self._inside[-1]
            self.returns[number] = join(self.returns.get(number, NONE), tags)
        return Val(tags=tags)

    def _loop(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        self._assign(fields.get("left", Val()), Val(tags=fields.get("right", Val()).tags))
        return Val()

    def _import(self, children: Children, start: int, end: int) -> Val:
        module = next((value.text for field, _, value in children if field == "source"), "")
        for _, kind, value in children:
            if kind == "import_clause":
                for name, key in value.props.items():
                    self.aliases[name] = module + key.text
        return Val()

    def _clause(self, children: Children, start: int, end: int) -> Val:
        props: dict[str, Val] = {}
        for _, kind, value in children:
            if kind == "identifier":
                props[value.shape] = Val(text="")
            props.update(value.props)
        return Val(props=props)

    def _specifier(self, children: Children, start: int, end: int) -> Val:
        fields = {field: value for field, _, value in children}
        name = fields.get("name", Val()).shape
        alias = fields.get("alias", Val()).shape or name
        return Val(props={alias: Val(text="." + name)})


_METHODS = {
    "member_expression": Program._member,
    "subscript_expression": Program._member,
    "call_expression": Program._call,
    "new_expression": Program._call,
    "variable_declarator": Program._declare,
    "assignment_expression": Program._declare,
    "augmented_assignment_expression": Program._declare,
    "object_pattern": Program._pattern,
    "pair_pattern": Program._pair_pattern,
    "object_assignment_pattern": Program._pair_pattern,
    "pair": Program._pair,
    "object": Program._object,
    "function_declaration": Program._function,
    "generator_function_declaration": Program._function,
    "function_expression": Program._function,
    "arrow_function": Program._function,
    "method_definition": Program._function,
    "return_statement": Program._return,
    "for_in_statement": Program._loop,
    "import_statement": Program._import,
    "import_clause": Program._clause,
    "named_imports": Program._clause,
    "namespace_import": Program._clause,
    "import_specifier": Program._specifier,
}
