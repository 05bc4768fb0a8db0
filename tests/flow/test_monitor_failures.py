"""``on-failure = "raise"``: while a program is written, what fails on labelled data is told where it fails."""

import os
from types import SimpleNamespace

import pytest
from monitor_samples import CANARY, bench, secret

from sluicegate.flow.denial import Denied
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.assembly import open_project
from sluicegate.flow.project import find
from sluicegate.flow.values import Labeled, LabeledFailure, branch

DENIES = {"labels": {"secret": {"deny": ["op:show"]}}}


def broken(text):
    raise ValueError(text)


def test_a_failure_raises_and_quotes_nothing(tmp_path):
    made = bench(tmp_path, DENIES, on_failure="raise")
    call = made.monitor.operation(broken, name="broken")
    with pytest.raises(LabeledFailure) as raised:
        call(secret())
    assert "call broken(text=<secret>) failed with ValueError on a value labelled secret" in str(raised.value)
    assert CANARY not in f"{raised.value} {raised.value.diagnostics()}"
    assert raised.value.detail.labels.has("secret")


def test_a_refusal_in_a_branch_raises(tmp_path):
    made = bench(tmp_path, DENIES, on_failure="raise")
    with branch(secret()), pytest.raises(Denied):
        made.monitor.show("x")


def test_otherwise_the_result_is_a_value_that_failed(tmp_path):
    made = bench(tmp_path, DENIES)
    found = made.monitor.operation(broken, name="broken")(secret())
    assert isinstance(found, Labeled)
    with branch(secret()):
        assert bool(found.failed)


def opened(root, tmp_path, **environ):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("SLUICEGATE")}
    environ = {**clean, "SLUICEGATE_KEYS_HOME": str(tmp_path / "keys"), **environ}
    project = find(start=root, environ=environ, home=tmp_path / "home")
    log = []
    writer = SimpleNamespace(write=log.append)
    with open_project(project, home=tmp_path / "home", environ=environ, log=lambda: writer) as monitor:
        return monitor.parts.raises_failures, "".join(log)


@pytest.mark.parametrize(
    ("around", "own", "environ", "raises"),
    [
        (None, 'on-failure = "raise"', {}, True),
        (None, "", {}, False),
        (None, 'on-failure = "label"', {}, False),
        (None, 'on-failure = "raise"', {"SLUICEGATE_STRICT": "1"}, False),
        ("", 'on-failure = "raise"', {}, False),  # a project in another weakens nothing
        ('on-failure = "raise"', 'on-failure = "raise"', {}, True),
    ],
)
def test_the_setting(tmp_path, around, own, environ, raises):
    root = tmp_path / "outer" / "project"
    root.mkdir(parents=True)
    policy = '[policy.defaults]\nrules = ["no-secret-exfil"]\n'
    (root / "sluicegate.toml").write_text(f"[flow]\n{own}\n{policy}")
    if around is not None:
        (tmp_path / "outer" / "sluicegate.toml").write_text(f"[flow]\n{around}\n{policy}")
    found, log = opened(root, tmp_path, **environ)
    assert found is raises
    assert ("is for development" in log) is raises


def test_a_value_that_failed_tells_of_the_branch_that_the_error_has_left(tmp_path):
    def branches(text):
        with branch(secret()):
            raise ValueError(text)

    made = bench(tmp_path)
    found = made.monitor.operation(branches, name="branches")(Labeled("x", Labels.of("pii")))
    assert found.labels.has("secret")
    assert found.failed.labels.has("secret")
