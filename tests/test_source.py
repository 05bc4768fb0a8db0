"""What holds of the source as a whole: nothing is dead, errors have one base, and what it refers to is there."""

import ast
import graphlib
import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import sluicegate
from sluicegate.errors import SluicegateError

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
_OPTIONAL = frozenset(
    "agents anthropic claude_agent_sdk httpx2 langchain langchain_core langgraph lsprotocol mcp mcp_types openai pydantic_ai pydantic_core pygls".split()
)
"""What extras bring."""
WORD = re.compile(r"\w+")


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file, made once."""
    return ast.parse(path.read_text(encoding="utf-8"))


def modules() -> Iterator[str]:
    for module in pkgutil.walk_packages(sluicegate.__path__, "sluicegate."):
        if not module.name.endswith("__main__"):
            yield module.name


def errors(base: type[SluicegateError] = SluicegateError) -> Iterator[type[SluicegateError]]:
    for one in base.__subclasses__():
        yield one
        yield from errors(one)


def test_everything_that_a_module_declares_is_named_somewhere_else() -> None:
    """A function or class that no other line names is dead; what a decorator takes up is not."""
    declared = Counter(
        node.name
        for path in SOURCES
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list
    )
    readers = [
        p for d in ("src", "tests", "spec", "bench", "docs") for p in (ROOT / d).rglob("*.py") if p.is_file()
    ]
    readers += [ROOT / "pyproject.toml", ROOT / "hatch_build.py", *(ROOT / "spec").rglob("*.toml")]
    named = Counter(word for path in readers for word in WORD.findall(path.read_text(encoding="utf-8")))
    dead = {name for name, times in declared.items() if named[name] <= times} - {"__dir__"}
    assert dead == set()


def test_errors_have_one_base_and_a_stable_code() -> None:
    for name in modules():
        try:
            importlib.import_module(name)
        except ImportError as error:  # a folder of the tests is called agents, too
            assert error.name in _OPTIONAL, "what an extra brings may not be here"
    found = list(errors())
    assert len(found) > 30
    for error in found:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", error.code), error
    named = [error.code for error in found if "code" in vars(error)]
    assert len(named) == len(set(named)), "two errors share a code"


def test_an_error_says_what_and_what_to_do() -> None:
    assert SluicegateError("no such file: x").diagnostics() == "no such file: x"
    assert (
        SluicegateError("no such file: x", hint="Name another.").diagnostics()
        == "no such file: x\nName another."
    )
    assert issubclass(sluicegate.VetError, sluicegate.SluicegateError)


def test_nothing_refers_to_a_document_that_is_not_here() -> None:
    """A part of a page that no reader has tells nobody anything; a link that leads nowhere neither."""
    elsewhere = re.compile(r"security model, part", re.IGNORECASE)
    page = re.compile(r"``(docs/[\w/.-]+\.md)``")
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert elsewhere.search(text) is None, path
        assert [name for name in page.findall(text) if not (ROOT / name).is_file()] == [], path


def test_each_module_says_first_what_it_is() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if not (ast.get_docstring(parsed(path)) or "").strip() and path.read_text(encoding="utf-8").strip()
    ]
    assert silent == []


def test_pages_on_architecture_and_decisions_name_what_is_there() -> None:
    """A record that names a module which is gone speaks of another program."""
    named = re.compile(r"`((?:[\w-]+/)*[\w-]+(?:\.py|/))`")
    there = {
        "/" + str(path.relative_to(ROOT))
        for d in ("src", "tests", "spec", "bench", "docs")
        for path in (ROOT / d).rglob("*")
    }
    there |= {"/" + path.name for path in ROOT.iterdir()}
    pages = [*sorted((ROOT / "docs" / "adr").glob("*.md")), ROOT / "docs" / "architecture.md"]
    found = [
        (page.name, name.rstrip("/"))
        for page in pages
        for name in named.findall(page.read_text(encoding="utf-8"))
    ]
    assert len(found) > 60
    made = {".venv-docs"}
    assert [
        one for one in found if one[1] not in made and not any(path.endswith("/" + one[1]) for path in there)
    ] == []


def test_each_decision_record_has_a_number_of_its_own() -> None:
    records = sorted((ROOT / "docs" / "adr").glob("*.md"))
    numbers = [int(path.name[:4]) for path in records]
    assert numbers == list(range(1, len(records) + 1))
    for number, path in zip(numbers, records, strict=True):
        assert path.read_text(encoding="utf-8").startswith(f"# {number}. "), path.name


def test_what_the_page_on_the_audit_names_is_there() -> None:
    page = (ROOT / "docs" / "audit-2026-11.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/.-]+\.py)(?:::(\w+))?`", page)
    assert len(named) > 200
    for path, name in set(named):
        assert re.search(rf"def {name}\b", (ROOT / path).read_text(encoding="utf-8")), f"{path}::{name}"
    rules = re.findall(r"keeps_what_its_page_promises` \(([^)]*)\)", page)
    ids = {name for some in rules for name in re.findall(r"`([\w-]+)`", some)}
    assert len(ids) > 20
    assert {name for name in ids if not (ROOT / "tests" / "rules" / f"{name}.md").is_file()} == set()


def imported(path: Path) -> Iterator[str]:
    """What a file imports, as names of modules and of what is in them; also inside functions and for types alone."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)
            yield node.module


def test_no_modules_of_the_monitor_import_each_other() -> None:
    """Not even for types alone or inside a function: then each can be read with only those below it in mind."""
    room = ROOT / "src/sluicegate/flow/monitor"
    names = {
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__"): path
        for path in room.rglob("*.py")
    }
    graph = {name: {n for n in imported(path) if n in names and n != name} for name, path in names.items()}
    facades = {name for name, path in names.items() if path.name == "__init__.py"}
    for name in graph:
        graph[name] -= facades  # `from facade import module` names the module as well
    order = list(
        graphlib.TopologicalSorter(graph).static_order()
    )  # raises CycleError, which names the circle
    assert len(order) > 20, "this looks at nothing"


ROWS_OF_FILES = {"reach/cli/commands", "vet/inspect/analyzers", "vet/inspect/analyzers/structures"}
"""Folders that are a list of alike things: one file a command, an analyzer, a family of rules."""


def test_no_folder_is_crowded() -> None:
    """What a reader cannot take in at a glance wants rooms inside."""
    folders = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    home = ROOT / "src" / "sluicegate"
    crowded = {str(folder.relative_to(home)): n for folder, n in folders.items() if n > 18}
    assert set(crowded) <= ROWS_OF_FILES, crowded


PUBLISHED = ("reach/report/json/model.py", "record/ledger/events.py", "flow/policy/text/schema.py")
"""What is written down for others: a type has the name of the key that it stands under, whatever else has it."""


def test_a_class_name_means_one_thing() -> None:
    """Except the asynchronous twin of the scanner, which is used as the other is."""
    home = ROOT / "src" / "sluicegate"
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        where = path.relative_to(home).as_posix()
        if where in (*PUBLISHED, "aio.py"):
            continue
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(where)
    assert len(places) > 500
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
