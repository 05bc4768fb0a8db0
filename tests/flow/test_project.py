"""A project's configuration: where it is found, what it puts in force, what the environment may change."""

import hashlib
import json
from pathlib import Path

import pytest

from sluicegate.flow.denial import Denial
from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.text.problems import PolicyProblems
from sluicegate.flow.project import Project, find
from sluicegate.flow.session.rules import rules_of
from sluicegate.record import private
from sluicegate.record.trusted_settings import STORE

OURS = '[capabilities]\nallow = ["fs:r:@base/**"]\n'


@pytest.fixture
def project(tmp_path):
    """A project's directory, with a way to find the project from it."""
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / ".git").mkdir()

    class At:
        path = root

        def write(self, text: str, name: str = "sluicegate.toml") -> None:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

        def find(self, start: Path | None = None, user: Path | None = None, **environ: str) -> Project:
            return find(start=start or root, environ=environ, home=tmp_path / "home", user_directory=user)

    return At()


def names(found: Project) -> list[str]:
    return [document.name for document in found.documents]


def test_nothing_configured(project):
    found = project.find()
    assert found.file is None
    assert found.documents == ()
    assert not found.guard_bypass
    assert found.state == project.path / ".sluicegate"
    assert found.ledger == project.path / ".sluicegate/sec/audit.jsonl"
    assert found.signatures == project.path / ".sluicegate/sec/sigs"
    assert found.environments == project.path / ".sluicegate/env"
    assert found.protected == (found.state, found.ledger, project.path / "sluicegate.toml")


def test_a_directory_of_the_user_that_cannot_be_looked_into_is_told(project):
    with pytest.raises(PolicyError, match=r"cannot read /aaa.*too long"):
        project.find(user=Path("/" + "a" * 300))


def test_everything_configured(project):
    project.write(OURS, "policies/ours.toml")
    project.write(
        '[flow]\npolicy = ["policies/ours.toml", "production"]\nprojectname = "shop"\nguard-bypass = true\n'
        'require-needs = true\nprofile = "lite"\nledger = "logs/audit.jsonl"\n'
        '[flow.keychain]\nallow = ["sluicegate-env-{projectname}/*"]\n'
        '[flow.environments]\nlocal = "boxes"\nglobal = "~/boxes"\n'
        '[policy.labels.secret]\ndeny = ["op:show"]\n'
    )
    found = project.find(project.path / "src")
    file = project.path / "sluicegate.toml"
    assert found.file == file
    assert names(found) == [str(file), "ours", "sluicegate:production", f"{file} [flow.keychain]"]
    assert found.documents[0].lines["labels", "secret"] == 13
    assert found.projectname == "shop"
    assert found.guard_bypass
    assert found.require_needs
    assert found.profile == "lite"
    assert found.ledger == project.path / "logs/audit.jsonl"
    assert found.environments == project.path / "boxes"
    assert found.shared_environments.parts[-2:] == ("home", "boxes")
    assert project.path / "policies/ours.toml" in found.protected


def test_layers_are_compiled_for_the_project(project):
    project.write(OURS, "ours.toml")
    project.write('[flow]\npolicy = ["ours.toml"]\nprojectname = "shop"\n')
    found = project.find().layers(home=project.path)
    inside = Request(kind="read", leaves=("op:read",), paths=(("r", str(project.path.resolve() / "a")),))
    outside = Request(kind="read", leaves=("op:read",), paths=(("r", "/elsewhere"),))
    assert not isinstance(found.authorize(inside, Labels.of()), Denial)
    denial = found.authorize(outside, Labels.of())
    assert isinstance(denial, Denial)
    assert denial.layer == "ours (ours.toml:2)"
    assert found.projectname == "shop"


def test_pyproject_counts_where_it_says_something(project):
    project.write('[tool.sluicegate.flow]\npolicy = ["sandbox"]\n[tool.other]\nx = 1\n', "pyproject.toml")
    assert names(project.find()) == ["sluicegate:sandbox"]
    project.write("[tool.other]\nx = 1\n", "pyproject.toml")
    assert project.find().file is None
    project.write("not toml [", "pyproject.toml")
    assert project.find().file is None


AROUND = (
    '[flow]\nprojectname = "all"\n[flow.keychain]\nallow = ["env-{projectname}/*"]\n'
    '[policy.capabilities]\ndanger = ["@keychain"]\ndeny = ["fs:r:own/**", "cmd:curl"]\nallow = ["env:LANG", "fs:r:**"]\n'
    '[policy.auth]\nbot = "BOT_TOKEN"\n[policy.defaults]\nrules = ["no-secret-exfil"]\n'
)


def read(path: Path) -> Request:
    return Request(kind="read", leaves=("op:read",), paths=(("r", str(path.resolve())),))


def refused(found: Project, request: Request, *labels: str) -> bool:
    return isinstance(found.layers(home=found.root).authorize(request, Labels.of(*labels)), Denial)


def test_a_project_in_another_is_narrowed_by_it(project):
    """So a file that is planted in a directory of a project takes nothing of its policies away."""
    project.write(AROUND)
    planted = '[flow]\nguard-bypass = true\n[policy.defaults]\nunlabeled = "trusted"\n'
    project.write(planted, "sub/sluicegate.toml")
    inside = project.path / "sub"
    found = project.find(inside)
    assert found.file == inside / "sluicegate.toml"
    assert names(found) == [
        str(inside),
        str(found.file),
        str(project.path / "sluicegate.toml"),
        f"{project.path / 'sluicegate.toml'} [flow.keychain]",
    ]
    assert not found.guard_bypass
    assert project.path / "sluicegate.toml" in found.protected
    assert project.path / ".sluicegate/sec/audit.jsonl" in found.protected
    assert refused(found, Request(kind="call", leaves=("exfil",)), "secret")
    assert refused(found, read(project.path / "own/a"))
    assert not refused(found, read(inside / "own/a"))  # a relative path is about the project that says it
    assert not refused(project.find(), read(project.path / "sub/a"))


def test_what_is_around_gives_nothing(project):
    project.write(AROUND)
    project.write("[scan]\n", "sub/sluicegate.toml")
    for start in (project.path / "sub", project.path / "cloned"):
        (start / ".git").mkdir(parents=True)
        found = project.find(start)
        assert found.root == start
        layers = found.layers(home=project.path)
        assert isinstance(layers.auth("bot"), Denial)
        assert not layers.variable("LANG")
        assert refused(found, read(project.path / "own/a"))
    assert not isinstance(project.find().layers(home=project.path).auth("bot"), Denial)


def trust(settings: Path, user: Path, *policies: Path) -> None:
    """As ``sluicegate trust`` writes it."""
    digests = {str(each): hashlib.sha256(each.read_bytes()).hexdigest() for each in (settings, *policies)}
    user.mkdir(mode=0o700, exist_ok=True)
    document = {"version": 1, "trusted": [{"file": str(settings), "digests": digests}]}
    private.replace(user / STORE, json.dumps(document).encode())


GIVES = (
    '[flow]\npolicy = ["more.toml"]\nguard-bypass = true\nprofile = "theirs"\nledger = "elsewhere"\n[policy]\nname = "planted"\n'
    '[policy.auth]\nbot = "BOT_TOKEN"\n[policy.sources]\n"src:mcp" = "trusted"\n[policy.defaults]\nunknown_files = "trusted"\n'
    '[policy.env]\ndefault = "local"\nnet = "host"\n[policy.privilege]\npaths = ["./**"]\n'
    '[policy.session]\nhosts = ["evil.example"]\n[policy.session.results."gh:get"]\nfacts = ["body"]\n'
)


def test_a_file_in_another_project_gives_nothing_unless_the_user_trusts_it(project, tmp_path):
    """Whoever makes a repository that is cloned into a project writes such a file."""
    project.write('[flow]\nguard-bypass = true\n[policy.capabilities]\ndeny = ["fs:r:own/**"]\n')
    project.write(GIVES, "clone/sluicegate.toml")
    project.write('[capabilities]\ndeny = ["fs:r:theirs/**"]\n', "clone/more.toml")
    clone, user = project.path / "clone", tmp_path / "user"

    def given(found: Project) -> list[object]:
        layers = found.layers(home=tmp_path)
        rules = rules_of(layers.layers)
        return [
            not isinstance(layers.auth("bot"), Denial),
            layers.vouches(Labels.of("src:mcp")),
            layers.unknown_files == "trusted",
            layers.provider() == "local"
            and any(each.policy.env for each in layers.layers if each.policy.env),
            bool(layers.privilege().paths),
            bool(rules.hosts),
            bool(rules.results),
            found.guard_bypass,
            found.profile == "theirs",
        ]

    def narrowed(found: Project) -> bool:
        return refused(found, read(project.path / "own/a")) and refused(found, read(clone / "theirs/a"))

    for start in (clone, clone / "deeper"):
        start.mkdir(exist_ok=True)
        found = project.find(start, user=user)
        assert not any(given(found)[:3] + given(found)[4:]), given(found)
        assert all(
            layer.policy.env is None or layer.policy.env.default is None
            for layer in found.layers(home=tmp_path).layers
        )
        assert found.ledger == project.path / ".sluicegate/sec/audit.jsonl"
        assert found.gives == ""
        assert narrowed(found)
    trust(clone / "sluicegate.toml", user, clone / "more.toml")
    found = project.find(clone, user=user)
    assert given(found)[0] and given(found)[1] and given(found)[5] and given(found)[6] and found.guard_bypass
    assert narrowed(found)
    assert found.ledger == project.path / ".sluicegate/sec/audit.jsonl"
    project.write("[capabilities]\n", "clone/more.toml")
    assert not project.find(clone, user=user).guard_bypass, "trust is for what was looked at"


def test_what_a_session_began_under_goes_along_and_nothing_else_gives(project, tmp_path):
    project.write('[policy.capabilities]\ndeny = ["fs:r:own/**"]\n')
    began = (str(project.path),)
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / "sluicegate.toml").write_text('[policy.auth]\nbot = "BOT_TOKEN"\n')

    def found(start: Path) -> Project:
        return find(start=start, environ={}, home=tmp_path / "home", under=began)

    assert refused(found(stranger), read(project.path / "own/a"))
    assert isinstance(found(stranger).layers(home=tmp_path).auth("bot"), Denial)
    assert found(stranger).settings == (str(stranger), str(project.path))
    assert found(project.path).gives == str(project.path)
    (project.path / "sluicegate.toml").unlink()
    with pytest.raises(PolicyError, match="there are none now"):
        found(stranger)


def test_a_sandbox_that_is_around_is_not_left(project):
    project.write('[policy.env]\ndefault = "bubblewrap"\n')
    inside = project.path / "sub"
    for said in ("", 'default = "podman"', 'default = "local"'):
        project.write(
            f'[policy]\nname = "planted"\n[policy.limits]\ntimeout = 5\n[policy.env]\n{said}\n',
            "sub/sluicegate.toml",
        )
        found = project.find(inside).layers(home=project.path).provider()
        assert found == "bubblewrap"


def test_a_project_around_has_its_own_name_and_paths(project, tmp_path):
    privileged = AROUND + '[policy.privilege]\npaths = ["./policy/**"]\nmodules = ["ours"]\n'
    project.write(privileged)
    project.write(
        '[flow]\nprojectname = "other"\n[policy.privilege]\npaths = ["./policy/**"]\nmodules = ["ours"]\n',
        "sub/sluicegate.toml",
    )
    trust(project.path / "sub/sluicegate.toml", tmp_path / "user")
    layers = project.find(project.path / "sub", user=tmp_path / "user").layers(home=project.path)
    assert isinstance(layers.keychain("env-other/x"), Denial)
    assert not isinstance(layers.keychain("env-all/x"), Denial)
    assert layers.privilege().paths == []
    assert layers.privilege().modules == ["ours"]


def test_above_the_repository_only_what_narrows_is_read(project):
    around = project.path.parent / "sluicegate.toml"
    around.write_text('[flow]\npolicy = ["sandbox"]\nledger = "elsewhere"\n')
    found = project.find()
    assert found.file is None
    assert found.root == project.path
    assert found.ledger == project.path.parent / "elsewhere"
    assert names(found) == [str(project.path), "sluicegate:sandbox"]
    assert names(project.find(SLUICEGATE_POLICY="development")) == ["sluicegate:development"]
    assert names(project.find(SLUICEGATE_POLICY="development", SLUICEGATE_STRICT="1")) == [
        "sluicegate:development",
        "sluicegate:sandbox",
        "SLUICEGATE_STRICT",
    ]
    around.write_text('[scan]\nfail-on = "never"\n')
    assert project.find().documents == ()


def test_a_closed_default_does_not_rest_on_what_is_around(project):
    project.write('[flow]\npolicy = ["production"]\n')
    project.write('[flow]\npolicy = ["development"]\ndefault = "deny"\n', "sub/sluicegate.toml")
    assert any("default" in name for name in names(project.find(project.path / "sub")))


def test_tables_of_scans_are_no_business_of_flow(project):
    project.write('[scan]\nfail-on = "never"\n[severity]\nx = "low"\n')
    assert project.find().documents == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[flow]\npolicies = ["x"]\n', "Did you mean policy?"),
        ('[flow]\npolicy = "production"\n', "flow.policy: is a text, not a list"),
        ('[flow]\npolicy = ["prod"]\n', "no standard policy 'prod'"),
        ('[flow]\npolicy = ["./none.toml"]\n', "cannot read"),
        ("[flow]\nguard-bypass = 1\n", "flow.guard-bypass"),
        ('[flow]\nprojectname = "a/b"\n', "flow.projectname"),
        ('[flow]\ndefault = "maybe"\n', "flow.default"),
        ("[flow.keychain]\nalow = []\n", "allow"),
        ("flow = 3\n", "flow: is a number"),
        ("[policy]\nlables = 1\n", "sluicegate.toml:2: lables"),
        ('[policy.labels.secret]\ndeny = ["op:shwo"]\n', "sluicegate.toml:2: labels.secret.deny[0]"),
        ("[policy]\n", "says nothing"),
        ("policy = 3\n", "not a table"),
        ("[flow\n", "not TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_key(project, text, said):
    project.write(text)
    with pytest.raises(PolicyError) as caught:
        project.find()
    assert said in caught.value.diagnostics()


def test_default_deny_adds_a_closed_layer_where_no_list_is(project):
    project.write('[flow]\npolicy = ["development"]\ndefault = "deny"\n')
    found = project.find()
    assert names(found)[1:] == [f'{project.path / "sluicegate.toml"} [flow] default = "deny"']
    assert isinstance(
        found.layers(home=project.path).authorize(Request(kind="sh", leaves=("op:sh",)), Labels.of()), Denial
    )
    project.write('[flow]\npolicy = ["development", "production"]\ndefault = "deny"\n')
    assert names(project.find()) == ["sluicegate:development", "sluicegate:production"]


def test_the_environment_takes_the_place_of_the_projects_layers(project):
    project.write('[flow]\npolicy = ["production"]\nprofile = "full"\n')
    assert names(project.find(SLUICEGATE_POLICY="sandbox, development")) == [
        "sluicegate:sandbox",
        "sluicegate:development",
    ]
    assert names(project.find(SLUICEGATE_POLICY="  ")) == ["sluicegate:production"]
    assert project.find(SLUICEGATE_PROFILE="lite").profile == "lite"
    assert project.find().profile == "full"
    found = project.find(project.path / "src", SLUICEGATE_AUDIT_LOG="audit.jsonl")
    assert found.ledger == project.path / "src/audit.jsonl"
    with pytest.raises(PolicyError, match="no standard policy"):
        project.find(SLUICEGATE_POLICY="prod")


def test_strict_narrows_only(project):
    project.write('[flow]\npolicy = ["production"]\nguard-bypass = true\n')
    found = project.find(SLUICEGATE_STRICT="1", SLUICEGATE_POLICY="development")
    assert found.strict
    assert not found.guard_bypass
    assert names(found) == ["sluicegate:production", "sluicegate:development", "SLUICEGATE_STRICT"]
    assert found.layers(home=project.path).fail_closed
    assert project.find(SLUICEGATE_STRICT="0").guard_bypass
    with pytest.raises(PolicyError, match="SLUICEGATE_STRICT"):
        project.find(SLUICEGATE_STRICT="perhaps")
    project.write("[scan]\n")
    with pytest.raises(PolicyError, match="no policy is in force"):
        project.find(SLUICEGATE_STRICT="yes")


def test_the_users_own_file_narrows_every_project(project, tmp_path):
    user = tmp_path / "config"
    user.mkdir()
    (user / "sluicegate.toml").write_text('[flow]\npolicy = ["sandbox"]\n[policy.limits]\ntimeout = 5\n')
    project.write('[flow]\npolicy = ["development"]\n')
    found = project.find(user=user)
    assert names(found) == ["sluicegate:development", str(user / "sluicegate.toml"), "sluicegate:sandbox"]
    assert user / "sluicegate.toml" in found.protected
    assert names(project.find(user=user, SLUICEGATE_POLICY="production"))[1:] == names(found)[1:]
    (user / "sluicegate.toml").write_text("[flow]\nguard-bypass = true\n")
    with pytest.raises(PolicyProblems, match="belongs into a project's file"):
        project.find(user=user)


def test_a_project_without_home_or_rights(project):
    project.write("[flow]\n")
    (project.path / "sluicegate.toml").write_bytes(b"\xff")
    with pytest.raises(PolicyError, match="not TOML"):
        project.find()
    (project.path / "sluicegate.toml").write_text("#" * (1 << 20) + "#")
    with pytest.raises(PolicyError, match="larger than"):
        project.find()


def test_a_second_file_beside_the_first_does_not_take_its_place(project):
    """Whoever can make a file in the project could otherwise put an empty configuration in force."""
    project.write('[tool.sluicegate.flow]\npolicy = ["sandbox"]\n', "pyproject.toml")
    project.write("[scan]\n")
    with pytest.raises(PolicyError, match="both say what is in force"):
        project.find()
    project.write("[tool.sluicegate.scan]\n", "pyproject.toml")
    assert project.find().file == project.path / "sluicegate.toml"
