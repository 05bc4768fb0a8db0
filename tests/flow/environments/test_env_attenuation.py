"""A derived environment is never wider, in any field: by example for each field, and by property."""

import pytest
from env_support import unhurried
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.environments.configuration.attenuation import (
    COMPARISONS,
    attenuate,
    narrow,
    narrower_net,
    no_wider_net,
    no_wider_roots,
)
from sluicegate.flow.environments.configuration.config import (
    AllowedHosts,
    CommandLimits,
    EnvironmentConfig,
    HostNetwork,
    NoNetwork,
    Root,
    Roots,
    source_label,
)
from sluicegate.flow.environments.confinement.roots import at, mounts
from sluicegate.flow.environments.errors import EnvironmentConfigError


def root(host: str, inside: str = "") -> Root:
    return Root(host=host, inside=inside or host)


PARENT = EnvironmentConfig(
    provider="container",
    names=("a",),
    roots=Roots(read=(root("/p/read", "/r"),), write=(root("/p/write", "/w"),)),
    net=AllowedHosts(frozenset({"x.org", "*.y.org"})),
    limits=CommandLimits(mem=100, cpu=1000, time=1000, processes=10, file=100, output=100),
    auth=frozenset({"one", "two"}),
    tools=frozenset({"Read"}),
    mcps=frozenset({"m"}),
    vars=frozenset({"HOME"}),
    cwd="/w",
    labels=frozenset({"untrusted"}),
    image="i",
    snapshot="s",
)

WIDER = {
    "provider": ["local", "bubblewrap"],
    "names": [(), ("b",), ("b", "a"), ("a", "b", "c")],
    "roots": [
        None,
        Roots(read=(root("/p", "/r"),)),
        Roots(read=(root("/p/readable", "/r"),)),
        Roots(read=(root("/p/read", "/elsewhere"),)),
        Roots(write=(root("/p/read", "/r"),)),
        Roots(read=(root("/p/write/x", "/r/x"),)),
        Roots(write=(root("/p/write", "/w"), root("/q", "/w/q"))),
    ],
    "net": [HostNetwork(), AllowedHosts(frozenset({"z.org"})), AllowedHosts(frozenset({"y.org"})),
            AllowedHosts(frozenset({"*.x.org"})), AllowedHosts(frozenset({"*.org"}))],
    "limits": [
        replace(PARENT.limits, **{name: more})
        for name in ("mem", "cpu", "time", "processes", "file", "output")
        for more in ([2000, None] if name != "output" else [2000])
    ],
    "auth": [None, frozenset({"one", "three"})],
    "tools": [None, frozenset({"Read", "Write"})],
    "mcps": [None, frozenset({"m", "n"})],
    "vars": [frozenset({"HOME", "PATH"})],
    "cwd": ["/", "/elsewhere", "/r/.."],
    "labels": [frozenset(), frozenset({"untrusted", "trusted"})],
    "image": ["", "j"],
    "snapshot": ["", "t"],
    "snapshots": [True],
}  # fmt: skip

NARROWER = {
    "names": [("a", "b")],
    "roots": [
        Roots(),
        Roots(read=(root("/p/write", "/w"),)),
        Roots(read=(root("/p/read/x", "/r/x"),), write=(root("/p/write/y", "/w/y"),)),
    ],
    "net": [NoNetwork(), AllowedHosts(frozenset()), AllowedHosts(frozenset({"a.y.org", "*.b.y.org"}))],
    "limits": [CommandLimits(mem=1, cpu=1, time=1, processes=1, file=1, output=1)],
    "auth": [frozenset()],
    "tools": [frozenset()],
    "mcps": [frozenset()],
    "vars": [frozenset()],
    "cwd": ["/tmp", "/r/x"],
    "labels": [frozenset({"untrusted", "x"})],
}

ALL = [*EnvironmentConfig.__struct_fields__]


def test_no_field_is_exempt():
    """A field that is added to the configuration must be compared, and have examples here."""
    assert set(COMPARISONS) == set(ALL) == set(WIDER)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in ALL for value in WIDER[name]])
def test_what_is_wider_is_denied(name, value):
    denial = attenuate(PARENT, replace(PARENT, **{name: value}))
    assert isinstance(denial, Denial)
    assert denial.code is Code.ENV_ATTENUATION_DENIED
    assert COMPARISONS[name].key in denial.rule
    assert "src:env:container:a" in denial.render()
    assert denial.suggestions


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in NARROWER for value in NARROWER[name]])
def test_what_is_narrower_is_granted(name, value):
    child = replace(PARENT, **{name: value})
    assert attenuate(PARENT, child) is child


def test_names_make_a_chain_of_labels():
    child = replace(PARENT, names=("a", "b"))
    assert source_label(child) == "src:env:container:a:b"
    assert source_label(replace(child, provider="local")) == "src:exec"


def test_what_is_missing_in_the_parent_is_unlimited():
    free = replace(
        PARENT,
        limits=CommandLimits(output=100),
        auth=None,
        tools=None,
        mcps=None,
        roots=None,
        net=HostNetwork(),
    )
    assert attenuate(free, PARENT) is PARENT
    assert isinstance(attenuate(PARENT, free), Denial)


PATHS = ["/a", "/a/b", "/a/b/c", "/a/d", "/ab", "/e"]
paths = st.sampled_from(PATHS)
some_roots = st.lists(st.builds(Root, host=paths, inside=paths), max_size=3).map(tuple)
roots = st.builds(Roots, read=some_roots, write=some_roots)
hosts = st.frozensets(
    st.sampled_from(["x.org", "a.x.org", "b.a.x.org", "*.x.org", "*.a.x.org", "y.org"]), max_size=4
)
nets = st.one_of(st.just(NoNetwork()), st.just(HostNetwork()), st.builds(AllowedHosts, hosts))
bounds = st.one_of(st.none(), st.integers(1, 3))
limits = st.builds(
    CommandLimits,
    mem=bounds,
    cpu=bounds,
    time=bounds,
    processes=bounds,
    file=bounds,
    output=st.integers(1, 3),
)
sets = st.one_of(st.none(), st.frozensets(st.sampled_from("ab")))
configs = st.builds(
    EnvironmentConfig,
    provider=st.sampled_from(["local", "bubblewrap"]),
    names=st.sampled_from([(), ("a",), ("a", "b")]),
    roots=st.one_of(st.none(), roots),
    net=nets,
    limits=limits,
    auth=sets,
    tools=sets,
    mcps=sets,
    vars=st.frozensets(st.sampled_from("ab")),
    labels=st.frozensets(st.sampled_from("ab")),
    snapshots=st.booleans(),
)

EVERYWHERE = [f"{path}{below}" for path in ["", *PATHS, "/a/b/c/x", "/a/x"] for below in ("", "/y", "/b")][1:]


@unhurried
@given(roots, roots)
def test_roots_are_narrower_exactly_if_every_path_is(parent: Roots, child: Roots):
    """The rule looks at the places where roots begin; this looks at all paths of a small world."""
    before, after = mounts(parent), mounts(child)

    def within(path: str) -> bool:
        given_, had = at(after, path), at(before, path)
        if given_ is None:
            return True
        return had is not None and had.host == given_.host and (had.write or not given_.write)

    assert no_wider_roots(parent, child) == all(within(path) for path in EVERYWHERE)


def test_at_says_the_innermost():
    view = mounts(Roots(read=(root("/h", "/a/b"),), write=(root("/g", "/a"),)))
    assert [(m.host, m.write) for p in ("/a/x", "/a/b", "/a/b/c", "/a/bc") if (m := at(view, p))] == [
        ("/g/x", True), ("/h", False), ("/h/c", False), ("/g/bc", True),
    ]  # fmt: skip
    assert at(view, "/") is None
    assert at(mounts(Roots(read=(root("/"),))), "/x/y") is not None


WORLD = [f"{p}{h}" for p in ("", "a.", "b.a.", "q.", "b.q.") for h in ("x.org", "y.org", "org")]


def reached(net) -> set[str]:
    if isinstance(net, NoNetwork):
        return set()
    if isinstance(net, HostNetwork):
        return {*WORLD, "*"}
    return {
        host
        for host in WORLD
        if any(host == p or (p.startswith("*.") and host.endswith(p[1:])) for p in net.hosts)
    }


@unhurried
@given(nets, nets)
def test_networks_are_compared_by_what_they_reach(parent, child):
    if no_wider_net(parent, child):
        assert reached(child) <= reached(parent)
    both = narrower_net(parent, child)
    assert no_wider_net(parent, both)
    assert no_wider_net(child, both)
    assert reached(both) == reached(parent) & reached(child)


@unhurried
@given(configs)
def test_every_environment_may_be_derived_from_itself(config):
    assert attenuate(config, config) is config


@unhurried
@given(configs, configs, configs)
def test_a_childs_child_is_no_wider_than_the_first(first, second, third):
    second = replace(second, names=first.names, provider=first.provider)
    third = replace(third, names=first.names, provider=first.provider)
    if attenuate(first, second) is second and attenuate(second, third) is third:
        assert attenuate(first, third) is third


@unhurried
@given(configs, limits, st.one_of(st.none(), nets))
def test_what_policy_narrows_is_no_wider_than_before_nor_than_the_bounds(config, bound, net):
    narrowed = narrow(config, bound, net)
    assert attenuate(config, narrowed) is narrowed
    assert COMPARISONS["limits"].holds(replace(config, limits=bound), narrowed)
    assert net is None or no_wider_net(net, narrowed.net)
    assert narrow(narrowed, bound, net) == narrowed
    assert narrow(config, config.limits, config.net) == config


@pytest.mark.parametrize(
    "path", ["/p/read/../../etc", "relative", "//p", "/p/", "/p/./x", "", "/p//x", "/p\0"]
)
def test_a_root_whose_text_would_mislead_cannot_be_made(path):
    for wrong in ({"host": path, "inside": "/x"}, {"host": "/x", "inside": path}):
        with pytest.raises(EnvironmentConfigError):
            Root(**wrong)
