"""Records that keep fields out of what people are shown."""

import io

import pytest
from rich.console import Console

from sluicegate.flow.environments.configuration.config import EnvironmentConfig
from sluicegate.flow.environments.providers.local import LocalProvider
from sluicegate.flow.environments.providers.provider import EnvironmentSession
from sluicegate.flow.environments.run.command import Command, Completed, Stage
from sluicegate.flow.instructions import Template

STAGE = Stage(argv=("cat",), vars={"A": "canary"}, secrets={"B": b"canary"})
SHOWN = {
    "Stage": (STAGE, "cat"),
    "Command": (Command(stages=(STAGE,), stdin=b"canary"), "cat"),
    "Completed": (Completed(stdout=b"canary", stderr=b"canary", codes=(7,)), "(7,)"),
    "Template": (Template(name="greeting", text="canary"), "greeting"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_unshown_is_in_no_representation(name):
    record, shown = SHOWN[name]
    screen = Console(file=io.StringIO(), width=200)
    screen.print(record)
    for text in (repr(record), str(record), f"{record}", screen.file.getvalue()):
        assert "canary" not in text
        assert shown in text


def test_every_name_that_is_unshown_is_one_of_a_field():
    for kind in (Stage, Command, Completed, EnvironmentSession, Template):
        assert kind.unshown <= set(kind.__struct_fields__), kind
        assert kind.unshown, kind


def test_a_session_does_not_show_its_provider():
    session = EnvironmentSession(
        provider=LocalProvider({}), id="x", config=EnvironmentConfig(provider="local")
    )
    assert "LocalProvider" not in repr(session)
