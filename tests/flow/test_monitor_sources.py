"""Where values come from that a person types, and that a module gives which is loaded while a program runs."""

import asyncio
import io

import pytest
from monitor_samples import bench, secret

from sluicegate.flow.denial import Denied
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor import OperationFailed
from sluicegate.flow.values import LabeledFailure, branch

PLUGIN = """
LIMIT = 3
_hidden = 4
def shout(text, times=1):
    return text.upper() * times
async def later(text):
    return text
class Point:
    def __init__(self, x):
        self.x = x
"""


def asked(tmp_path, text, *trees, **options):
    return bench(tmp_path, *trees, keyboard=lambda: io.StringIO(text), **options)


def content(made, value):
    return made.monitor.reveal(value, to="op:log")


def test_what_a_person_types_comes_from_the_user(tmp_path):
    made = asked(tmp_path, "Ada\r\nmore\n", {}, recorded=True)
    name = made.monitor.ask("Your name? ", var="@name")
    assert name.labels is Labels.of("src:user")
    assert content(made, name) == "Ada"
    assert made.screen.text == "Your name? "
    (event, _) = made.events()
    assert (event["var"], event["taint"]) == ("@name", ["src:user"])


def test_a_policy_about_users_holds_for_it(tmp_path):
    tree = {"defaults": {"rules": ["no-untrusted-destructive"]}, "sources": {"src:user": "untrusted"}}
    made = asked(tmp_path, "x\n", tree)
    with pytest.raises(Denied):
        made.monitor.operation(lambda path: None, name="wipe", labels={"destructive"})(made.monitor.ask())


def test_a_prompt_is_shown_and_judged_so(tmp_path):
    made = asked(tmp_path, "x\n", {"labels": {"secret": {"deny": ["op:show"]}}})
    with pytest.raises(Denied):
        made.monitor.ask(secret())
    assert made.screen.text == ""


def test_an_answer_has_the_labels_of_its_prompt_and_branch(tmp_path):
    made = asked(tmp_path, "x\n", {})
    with branch(secret()):
        assert made.monitor.ask().labels.has("secret")


def test_nobody_answers(tmp_path):
    with pytest.raises(OperationFailed, match="the input has ended"):
        asked(tmp_path, "", {}).monitor.ask("? ")


def test_asking_does_not_block_a_loop(tmp_path):
    made = asked(tmp_path, "x\n", {})
    assert asyncio.run(made.monitor.aio.ask()).labels.has("src:user")


def loaded(tmp_path, *trees, text=PLUGIN, **options):
    made = bench(tmp_path, *trees, **options)
    (made.root / "plugin.py").write_text(text)
    return made, made.monitor.module("plugin.py")


def test_what_a_module_gives_comes_from_it(tmp_path):
    made, plugin = loaded(tmp_path, {}, recorded=True)
    result = plugin.shout("a", times=2)
    for value in (result, plugin.LIMIT, plugin.Point(1), asyncio.run(plugin.later("a"))):
        assert value.labels.has("src:dynamic")
        assert value.labels.has("src:file")
    assert content(made, result) == "AA"
    assert content(made, plugin.LIMIT) == 3
    assert dir(plugin) == ["LIMIT", "Point", "later", "shout"]
    assert [row["operation"].split("(")[0] for row in made.events() if row["event"] == "allow"][:3] == [
        "read",
        "call load",
        "call plugin.shout",
    ]
    with pytest.raises(AttributeError, match="gives no '_hidden'"):
        plugin._hidden  # noqa: B018


def test_a_module_may_be_classed_as_untrusted(tmp_path):
    tree = {"defaults": {"rules": ["no-untrusted-destructive"]}, "sources": {"src:dynamic": "untrusted"}}
    made, plugin = loaded(tmp_path, tree)
    with pytest.raises(Denied):
        made.monitor.operation(lambda path: None, name="wipe", labels={"destructive"})(plugin.shout("x"))


def test_code_in_a_module_is_judged_by_the_labels_of_its_file(tmp_path):
    """A function that is given nothing, and its body, carry what was written into the file."""
    made = bench(tmp_path, {"labels": {"secret": {"deny": ["op:show"]}}}, recorded=True)
    run = made.monitor
    run.write("plugin.py", secret("def tell():\n    return 1\n"))
    plugin = run.module("plugin.py")
    assert plugin.tell().labels.has("secret")
    with pytest.raises(Denied):
        run.show(plugin.tell())


@pytest.mark.parametrize(
    "tree", [{"capabilities": {"deny": ["py"]}}, {"capabilities": {"allow": ["fs:r:**", "call"]}}]
)
def test_where_python_may_not_run_no_module_is_loaded(tmp_path, tree):
    ran = tmp_path / "ran"
    with pytest.raises(Denied):
        loaded(tmp_path, tree, text=f"open({str(ran)!r}, 'w')")
    assert not ran.exists()


@pytest.mark.parametrize("text", ["1 +", "raise ValueError('x')", "raise KeyboardInterrupt"])
def test_a_module_that_fails(tmp_path, text):
    with pytest.raises(LabeledFailure):
        loaded(tmp_path, {}, text=text)
