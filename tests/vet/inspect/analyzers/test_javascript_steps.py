"""From a syntax tree of JavaScript to the steps in which its meaning is worked out."""

from __future__ import annotations

import pytest
from tree_sitter import Node, Tree

from sluicegate.vet.inspect.analyzers.jsflow.parse import Pieces
from sluicegate.vet.inspect.analyzers.jsflow.values import Val
from sluicegate.vet.inspect.analyzers.jsflow.walk import NAME, Step, TreeReading
from sluicegate.vet.intake.bundle import Kind

TEXT = """
import x, {y as z} from "./m.js";
// a comment
const a = f('one', `two ${g(1)} three`, /re+/g, {k: [h(), "q\\n"]});
function up(p, ...rest) { if (p) { return i(p) + 'a' } else { j() } }
class C { m() { return k => l(k) } }
for (const o of n()) { o.b["c"](d => { e(d) }) }
"""


class Steps:
    """Notes the steps that are run."""

    def __init__(self) -> None:
        self.run_last: list[Step] = []

    def run(self, steps: list[Step], values: list[Val]) -> None:
        """Nothing is worked out."""
        self.run_last = steps


def parsed(text: str) -> tuple[Tree, bytes]:
    source = text.encode()
    ((tree, _, piece),) = Pieces(1 << 20).trees(source, Kind.JAVASCRIPT)
    assert tree is not None
    return tree, piece


def calls(node: Node, seen: int, found: dict[tuple[int, int], int]) -> int:
    """Where calls start, and how many nodes have been visited when one ends; how many have been at the end."""
    seen += 1
    if node.type != "regex":
        for child in node.children:
            seen = calls(child, seen, found)
    if node.type == "call_expression":
        found[node.end_byte, node.start_byte] = seen
    return seen


@pytest.mark.parametrize("text", [TEXT, "g(1); f(a, 'b'", "x = <p a='&lt;'>{f('q')}</p>"])
def test_a_budget_counts_the_nodes_that_a_visit_of_all_of_them_would_have_counted(text: str) -> None:
    tree, source = parsed(text)
    found: dict[tuple[int, int], int] = {}
    most = calls(tree.root_node, 0, found)
    assert found
    reading, steps = TreeReading(tree, source), Steps()
    for budget in range(most + 2):
        assert reading.run(steps, budget) == (budget - most if budget >= most else -1)
        ended = {(step[4], step[3]) for step in steps.run_last if step[0] == "call_expression"}
        assert ended == {place for place, seen in found.items() if seen <= budget}


def test_children_come_before_parents_and_what_is_the_same_in_every_run_has_no_step() -> None:
    tree, source = parsed("f('a' + \"b\", [1, 2], `c`); 'd'; g; a + b;")
    reading, steps = TreeReading(tree, source), Steps()
    reading.run(steps, 99)
    assert [(kind, text) for kind, text, *_ in steps.run_last] == [
        (NAME, "f"),
        ("call_expression", ""),
    ]


def test_a_function_gives_back_what_a_return_in_it_says() -> None:
    text = "function a() { const b = () => { return 1 }; return 2 } return 3"
    tree, source = parsed(text)
    reading, steps = TreeReading(tree, source, 100), Steps()
    reading.run(steps, 99)
    of = [start for kind, _, _, start, *_ in steps.run_last if kind == "return_statement"]
    assert of == [100 + text.index("() =>"), 100, -1]
