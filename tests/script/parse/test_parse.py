"""The tree of a script, and where each node stands."""

import pytest

from sluicegate.script.parse.program import parse
from sluicegate.script.source import SourceText
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import Syntax, shape


def tree(text: str) -> tuple[s.StatementNode, ...]:
    parsed = parse(SourceText(text))
    assert [each.message for each in parsed.errors] == []
    return parsed.tree.statements


def value(text: str) -> x.Expression:
    (only,) = tree(f"var @v = {text}")
    assert isinstance(only, s.VarStatement)
    return only.value


def same(one: str, other: str) -> bool:
    return shape(value(one)) == shape(value(other))


def every(node: object):
    if isinstance(node, tuple):
        for each in node:
            yield from every(each)
    elif isinstance(node, Syntax):
        yield node
        for name in node.__struct_fields__[2:]:
            yield from every(getattr(node, name))


def test_operators_bind_as_the_table_says():
    assert same("@a || @b && @c == @d + @e * !@f", "@a || (@b && (@c == (@d + (@e * (!@f)))))")
    assert same("@a ? @b ? 1 : 2 : @c ? 3 : 4", "@a ? (@b ? 1 : 2) : (@c ? 3 : 4)")
    row = value("1 - 2 + 3 * 4")
    assert isinstance(row, x.BinaryExpr)
    assert (row.operators, len(row.operands)) == (("-", "+"), 3)
    assert not same("@a - (@b + @c)", "@a - @b + @c")


def test_a_new_line_ends_a_statement_unless_what_follows_cannot_begin_one():
    assert len(tree("@f(1)\n  .trim()\n  && @b\n| @g\nshow 1")) == 2
    assert len(tree("run @a; run @b\nrun @c")) == 3
    (guard,) = tree("guard before a = when [\n  @x == 1 => allow\n  * => deny 'no'\n]")
    assert isinstance(guard, s.GuardStatement)
    assert len(guard.arms) == 2


def test_holes_of_templates():
    told = value("`Hi @a.b[0].c(@d, 'x').e! me@example.com \\@no @now() (@f)`")
    assert isinstance(told, x.TemplateExpr)
    assert [p if isinstance(p, str) else type(p).__name__ for p in told.parts] == [
        "Hi ", "AccessExpr", "! me@example.com @no ", "AccessExpr", " (", "NameExpr", ")",
    ]  # fmt: skip
    assert same('"@mlld/production"', "'@mlld/production'") is False
    module = value('"@mlld/production"')
    assert isinstance(module, x.TemplateExpr)
    assert module.parts == ("@mlld/production",)
    command = value("cmd { git commit -m @m '\\n' \\@x }")
    assert isinstance(command, x.CodeExpr)
    assert [p for p in command.parts if isinstance(p, str)] == [" git commit -m ", " '\\n' @x "]
    shell = value("sh { echo @x }")
    assert isinstance(shell, x.CodeExpr)
    assert shell.parts == (" echo @x ",)


def test_what_a_policy_says_has_no_holes():
    (policy,) = tree('policy @p = { capabilities: { danger: ["@keychain"] } }')
    assert not any(isinstance(each, x.NameExpr) for each in every(policy))


def test_labels_and_their_changes():
    (var,) = tree("var untrusted secret,pii @k = 1")
    assert isinstance(var, s.VarStatement)
    assert var.labels == ("untrusted", "secret", "pii")
    (exe,) = tree("exe @f(a) = [\n  => !pii,trusted! @a\n  => clear! @a\n  => pii @a | @g\n]")
    marks = [
        [(c.label, c.mark) for c in each.changes] for each in every(exe) if isinstance(each, s.RelabelNode)
    ]
    assert marks == [[("pii", "-"), ("trusted", "+")], [("clear", "+")], [("pii", "")]]


def test_a_block_of_an_arm_is_told_from_a_list():
    for text, kind in {
        "when @c => [ show 1 ]": x.BlockExpr,
        "when @c => [ => @x ]": x.BlockExpr,
        "when @c => [\n  @f(@x)\n  @g()\n]": x.BlockExpr,
        "when @c => [ @x, 1 ]": x.ListExpr,
        "when @c => [ @f(@x) ]": x.ListExpr,
        "when @c => [ ]": x.BlockExpr,
        "when @c => [ 'a' ]": x.ListExpr,
    }.items():
        (statement,) = tree(text)
        assert isinstance(statement, s.ExpressionStatement)
        assert isinstance(statement.value, x.WhenExpr)
        assert type(statement.value.arms[0].action) is kind, text


def test_every_node_stands_where_it_says():
    text = 'exe net:w @send(a, b) = [\n  let @c = @a.x[1] | @json\n  => pii @c\n]\nif @a == 1 [ show `@a` ] else [ show "b" ]\n'
    for node in every(parse(SourceText(text)).tree):
        assert 0 <= node.start < node.end <= len(text)
        if isinstance(node, x.NameExpr):
            assert text[node.start : node.end] == "@" + node.name
        if isinstance(node, s.RelabelNode):
            assert text[node.start : node.end] == "pii @c"
        if isinstance(node, x.PipeExpr):
            assert text[node.start : node.end] == "@a.x[1] | @json"


@pytest.mark.parametrize(
    "text",
    ["[" * 5000, "(" * 5000, "!" * 5000, "{a:" * 5000, "1?" * 5000, "@f(" * 5000, "1??(" * 5000, "`" + "@f(" * 5000 + "`",
     "when [* => " * 5000, "for @x in " * 5000, "@a" + "[0]" * 5000 + ".b" * 5000 + " with {" * 5000, "-" * 5000],
)  # fmt: skip
def test_deep_nesting_is_an_error_and_no_crash(text):
    assert parse(SourceText("var @x = " + text)).errors or text.startswith("`")
    assert parse(SourceText("if @x [" * 3000)).errors
    assert parse(SourceText("if @x [ ] else " * 3000)).errors


def test_rows_may_be_long():
    for text in ("1" + " + 1" * 5000, "@a" + ".b" * 5000, "@a" + " | @b" * 5000, "[" + "1, " * 5000 + "1]"):
        shape(value(text))


@pytest.mark.parametrize(
    "piece",
    ["cmd {\n", "sh { '\n", "```x\n/show 1\n", "~~~\n/show\n`", "(/[x", "x </a", "`@f(", '"@a[" ', "::a:", "@a(`", "[ @f(\n", "var @x = {\n",
     "/var @a = [\n", "guard a = ", "--- \n", "var a ", ":::{{a", "when @c => [ @f(\n", "if @a [ ] else "],
)  # fmt: skip
def test_the_time_is_linear_in_the_text(piece):
    """A quadratic reading of this much takes minutes."""
    import time

    begun = time.process_time()
    parse(SourceText("/show 1\n" * piece.startswith("/") + piece * (200_000 // len(piece))))
    assert time.process_time() - begun < 6
