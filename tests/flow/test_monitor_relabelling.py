"""Trust is claimed through the monitor: what policy says of it is done, and the ledger knows."""

import pytest
from monitor_samples import bench, secret

from sluicegate.flow.denial import Code, Denied
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

UNTRUSTED = {"sources": {"src:mcp": "untrusted"}, "defaults": {"rules": ["no-untrusted-destructive"]}}


def policy(**defaults):
    return {**UNTRUSTED, "defaults": {**UNTRUSTED["defaults"], **defaults}}


def destroys(made, value):
    try:
        made.monitor.operation(made.sent.append, labels={"destructive"}, name="destroy")(value)
    except Denied:
        return False
    return bool(made.sent)


def test_what_policy_takes_for_untrusted_stays_so_whatever_is_claimed(tmp_path):
    made = bench(tmp_path, policy(), recorded=True)
    issue = made.monitor.external("box:get", {}, lambda: "text")
    claimed = made.monitor.labelled(issue, "trusted")
    assert claimed.labels.conflicted
    assert not destroys(made, claimed)
    (event,) = [row for row in made.events() if row["event"] == "conflict"]
    assert (event["resolved"], event["by"]) == ("untrusted", "program")
    made.ledger.close()


def test_policy_may_refuse_the_claim(tmp_path):
    made = bench(tmp_path, policy(trustconflict="error"))
    issue = made.monitor.external("box:get", {}, lambda: "text")
    with pytest.raises(Denied) as error:
        made.monitor.labelled(issue, "trusted")
    assert error.value.denial.code is Code.TRUST_CONFLICT


def test_what_nobody_classed_takes_the_privilege(tmp_path):
    made = bench(tmp_path, {})
    issue = made.monitor.external("box:get", {}, lambda: "text")
    with pytest.raises(Denied) as error:
        made.monitor.labelled([issue], "trusted")
    assert error.value.denial.code is Code.LABEL_PRIVILEGE_REQUIRED


def test_other_labels_are_added_and_noted(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    found = made.monitor.labelled({"a": secret(), "b": 1}, "internal", "untrusted")
    assert found["a"].labels is Labels.of("secret", "internal", "untrusted")
    (event,) = [row for row in made.events() if row["event"] == "label"]
    assert set(event["add"]) == {"internal", "untrusted"}
    made.ledger.close()


def test_nothing_is_relabelled_without_its_event_where_policy_wants_events(tmp_path):
    made = bench(tmp_path, {"defaults": {"fail_closed": True}})
    with pytest.raises(Denied) as error:
        made.monitor.labelled(Labeled(1), "internal")
    assert error.value.denial.code is Code.LEDGER_UNAVAILABLE
