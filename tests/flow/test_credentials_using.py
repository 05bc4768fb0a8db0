"""Credentials on their way into one child: what permits them, what keeps them apart, what cuts them out."""

import base64

import pytest
from monitor_samples import CANARY, LOCALLY, bench, guard, registry, secret

from sluicegate.flow.credentials import Stores
from sluicegate.flow.denial import Code, Denied
from sluicegate.flow.errors import CommandError, CredentialError
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled

AUTH = {"auth": {"github": {"from": "env:KEPT", "as": "GH_TOKEN"}}}
TWISTED = "printenv GH_TOKEN | tr a-z n-za-m"  # a form that the second line does not know


def content(made, value):
    return made.monitor.reveal(value, to="op:log")


def given(tmp_path, *trees, **options):
    options.setdefault("stores", Stores(environ={"KEPT": CANARY, "PATH": "/usr/bin:/bin"}))
    return bench(tmp_path, *trees, **options)


def test_a_credential_reaches_the_child_and_its_output_is_secret(tmp_path):
    made = given(tmp_path, AUTH)
    result = made.monitor.run(TWISTED, auth="github", stage=0)
    assert content(made, result["stdout"]) == "pnanel-5s3p9\n"
    assert result.labels.has("secret")
    assert "secret:auth:github" in result.labels


def test_it_reaches_that_child_alone(tmp_path):
    made = given(tmp_path, AUTH)
    script = "printenv GH_TOKEN | tr a-z n-za-m; printenv GH_TOKEN >/dev/null && echo here"
    both = made.monitor.run(
        f"sh -c '{script}' | sh -c 'cat; printenv GH_TOKEN && echo there'", auth="github", stage=0
    )
    assert content(made, both["stdout"]) == "pnanel-5s3p9\nhere\n"
    with pytest.raises(CommandError, match="several"):
        made.monitor.run(TWISTED, auth="github")
    with pytest.raises(CommandError, match="no stage 2"):
        made.monitor.run(TWISTED, auth="github", stage=2)
    assert CANARY not in content(made, made.monitor.run("env")["stdout"])


def test_label_rules_are_not_asked_about_the_path_that_policy_gives(tmp_path):
    closed = {**AUTH, "labels": {"secret": {"deny": ["op:cmd", "op:show"]}}, "defaults": {"rules": ["no-secret-exfil"]},
              "operations": {"op:cmd:printenv": "exfil"}}  # fmt: skip
    made = given(tmp_path, closed)
    result = made.monitor.run("printenv GH_TOKEN", auth="github")
    with pytest.raises(Denied):
        made.monitor.show(result)
    with pytest.raises(Denied):
        made.monitor.run("cat", stdin=result["stdout"])


def test_into_a_later_stage_flows_what_the_child_may_have_said(tmp_path):
    made = given(tmp_path, {**AUTH, "labels": {"secret": {"deny": ["op:cmd:tr"]}}})
    with pytest.raises(Denied):
        made.monitor.run(TWISTED, auth="github", stage=0)


def test_the_value_is_cut_out_of_outputs_errors_and_failures(tmp_path):
    made = given(tmp_path, AUTH)
    encoded = base64.b64encode(CANARY.encode()).decode()
    script = 'echo "$GH_TOKEN"; echo "$GH_TOKEN" | base64; echo "$GH_TOKEN" >&2; exit 4'
    output = content(made, made.monitor.run(f"sh -c '{script}'", auth="github"))
    assert output.stdout.count("<secret:github>") == 2
    for text in (output.stdout, output.stderr):
        assert CANARY not in text
        assert encoded not in text
    made.monitor.show(f"the author wrote {CANARY}")
    assert CANARY not in made.screen.text


def test_it_stands_in_no_event_and_in_no_denial(tmp_path):
    made = given(tmp_path, AUTH, recorded=True)
    made.monitor.run("printenv GH_TOKEN", auth="github")
    made.monitor.operation(print, name="say")(CANARY)
    with pytest.raises(Denied) as raised:
        made.monitor.run("printenv OTHER", auth="other")
    assert CANARY not in raised.value.diagnostics()
    assert made.events()
    assert CANARY not in str(made.events())


def test_what_is_not_defined_or_not_granted_is_refused(tmp_path):
    from msgspec.structs import replace

    made = given(tmp_path, AUTH)
    with pytest.raises(Denied) as raised:
        made.monitor.run("true", auth="gitlab")
    assert raised.value.denial.code is Code.AUTH_DENIED
    narrow = given(tmp_path, AUTH, environment=replace(LOCALLY, auth=frozenset({"other"})))
    with pytest.raises(Denied) as raised:
        narrow.monitor.run("true", auth="github")
    assert raised.value.denial.code is Code.AUTH_DENIED
    second = given(tmp_path, {"labels": {"pii": {"deny": ["op:show"]}}}, AUTH)
    with pytest.raises(Denied) as raised:
        second.monitor.run("true", auth="github")
    assert raised.value.denial.code is Code.AUTH_DENIED


class Ring:
    def get_password(self, service, username):
        return {"company/github": CANARY, "sluicegate-env-demo/claude": CANARY}.get(f"{service}/{username}")


KEYCHAIN = {"auth": {"github": {"from": "keychain:company/github", "as": "GH_TOKEN"},
                     "claude": {"from": "keychain:sluicegate-env-{projectname}/claude", "as": "ANTHROPIC_API_KEY"}}}  # fmt: skip


def kept(tmp_path, *trees, project="demo", **options):
    from monitor_samples import layers

    found = layers(*trees, base=tmp_path / "work", project=project)
    return bench(tmp_path, layers=found, stores=Stores(environ={}, keyring=Ring), **options)


@pytest.mark.parametrize(
    ("rules", "permitted"),
    [
        ({}, True),
        ({"keychain": {"allow": ["company/*"]}}, True),
        ({"keychain": {"allow": ["other/*"]}}, False),
        ({"keychain": {"deny": ["company/*"]}}, False),
        ({"keychain": {"allow": ["company/*"], "deny": ["company/github"]}}, False),
        ({"capabilities": {"deny": ["@keychain"]}}, False),
        ({"capabilities": {"danger": ["@keychain"]}}, True),
    ],
)
def test_the_keychain_gives_what_every_layer_permits(tmp_path, rules, permitted):
    made = kept(tmp_path, KEYCHAIN, rules)
    if permitted:
        assert content(made, made.monitor.run("printenv GH_TOKEN", auth="github")).code == 0
        return
    with pytest.raises(Denied) as raised:
        made.monitor.run("printenv GH_TOKEN", auth="github")
    assert raised.value.denial.code is Code.KEYCHAIN_DENIED


def test_the_name_of_the_project_stands_in_the_address(tmp_path):
    made = kept(tmp_path, KEYCHAIN)
    assert content(made, made.monitor.run("printenv ANTHROPIC_API_KEY", auth="claude")).code == 0
    nameless = kept(tmp_path, KEYCHAIN, project="")
    with pytest.raises(CredentialError, match="projectname"):
        nameless.monitor.run("true", auth="claude")


def test_guards_and_policy_are_asked_before_anything_is_fetched(tmp_path):
    fetched = []

    class Noting:
        def get_password(self, service, username):
            fetched.append(username)
            return CANARY

    from monitor_samples import layers

    found = layers(
        KEYCHAIN, {"capabilities": {"deny": ["cmd:printenv"], "danger": ["@keychain"]}}, base=tmp_path
    )
    made = bench(tmp_path, layers=found, stores=Stores(keyring=Noting))
    with pytest.raises(Denied):
        made.monitor.run("printenv GH_TOKEN", auth="github")
    watched = bench(tmp_path, KEYCHAIN, stores=Stores(keyring=Noting), guards=registry(guard("op:cmd")))
    with pytest.raises(Denied):
        watched.monitor.run("printenv GH_TOKEN", auth="github")
    assert fetched == []


def test_a_missing_credential_is_an_error_that_names_it_and_nothing_runs(tmp_path):
    made = bench(tmp_path, AUTH, stores=Stores(environ={}))
    with pytest.raises(CredentialError, match="KEPT is not set"):
        made.monitor.run("touch ran", auth="github")
    assert not (made.root / "ran").exists()


def test_a_value_of_the_program_goes_by_using(tmp_path):
    made = given(tmp_path, {"labels": {"secret": {"deny": ["op:cmd"]}}})
    result = made.monitor.run("printenv TOOL_KEY", using={"TOOL_KEY": secret()})
    assert result.labels.has("secret")
    assert content(made, result["stdout"]) == "<secret:TOOL_KEY>\n"
    with pytest.raises(Denied):
        made.monitor.run("echo {x}", {"x": secret()})
    with pytest.raises(Denied):
        made.monitor.run("printenv TOOL_KEY", environment={"TOOL_KEY": secret()})


@pytest.mark.parametrize(
    "rules",
    [
        {"defaults": {"rules": ["no-secret-exfil"]}, "operations": {"op:cmd:printenv": "exfil"}},
        {"labels": {"secret": {"deny": ["net:w"]}}},
        {"labels": {"secret": {"deny": ["op:call:using"]}}},
    ],
)
def test_what_the_operation_is_still_counts_for_a_value_by_using(tmp_path, rules):
    made = given(tmp_path, rules)
    with pytest.raises(Denied):
        made.monitor.run("printenv TOOL_KEY", using={"TOOL_KEY": secret()}, labels={"net:w"})
    made.monitor.run(
        "printenv TOOL_KEY", using={"TOOL_KEY": Labeled("x" * 9, Labels.of("pii"))}, labels={"net:w"}
    )


@pytest.mark.parametrize("name", ["LD_PRELOAD", "PATH", "GIT_SSH_COMMAND", "SLUICEGATE_POLICY", "A B", ""])
def test_a_variable_that_decides_what_runs_is_filled_by_no_value(tmp_path, name):
    made = given(tmp_path)
    with pytest.raises(CredentialError):
        made.monitor.run("env", using={name: "x"})
    with pytest.raises((CommandError, CredentialError)):
        made.monitor.run("env", environment={name: "x"})


def test_under_asyncio_it_is_the_same(tmp_path):
    import asyncio

    made = given(tmp_path, AUTH)
    result = asyncio.run(made.monitor.aio.run(TWISTED, auth="github", stage=0))
    assert content(made, result["stdout"]) == "pnanel-5s3p9\n"
    assert result.labels.has("secret")
