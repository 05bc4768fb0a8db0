"""Production's sessions against the reference model: any order of deciding and settling, through several doors."""

import os
import random
import time

import pytest

from drt.flow.words import LABELS
from model import flow as model
from model import session as sessions
from model.capabilities import Operation
from model.spelling import plain
from sluicegate.flow import Denied, Labeled, Labels, Monitor, Permit
from sluicegate.flow.labels import EMPTY
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.flow.session.store import Store

POLICIES = (
    [],
    [{"sources": {"src:mcp": "untrusted"}, "defaults": {"rules": ["no-untrusted-destructive", "no-secret-exfil"]}}],
    [{"defaults": {"unlabeled": "untrusted", "rules": ["untrusted-llms-get-influenced"]}, "labels": {"influenced": {"deny": ["op:mcp:gh"]}}}],
    [{"labels": {"secret": {"deny": ["op:mcp"], "allow": ["op:mcp:gh:close"]}}}, {"labels": {"src:mcp": {"allow": ["op:mcp:gh"]}}}],
)  # fmt: skip
TOOLS = ("gh:close", "gh:list", "net:post")
RISKS = ((), ("exfil",), ("destructive",), ("llm",))
WORDS = {"feature/login": False, "some-other-branch": True}  # an argument, and whether it is the model's word
SECRET = b"k" * 32


def monitor(path, policies):
    documents = [from_tree(tree, name=str(number)) for number, tree in enumerate(policies)]
    layers = Layers(documents, place=Place(base="/work", home="/home/nobody"))
    return Monitor(layers=layers, sessions=lambda: Store(path, SECRET), clock=time.time_ns)


class Reference:
    """The model of one session under some policies."""

    def __init__(self, policies):
        self.policies = [plain(each) for each in policies]
        self.session = {"context": frozenset(), "permits": []}

    def allowed(self, name, labels):
        tool, risks = name
        leaves = (f"op:mcp:{tool}", *risks)
        return model.authorize(self.policies, Operation("mcp", leaves), labels) is None

    def result(self, name, labels):
        by_model = "llm" in name[1]
        return model.result_labels(self.policies, [labels], frozenset(), frozenset({"src:mcp"}), by_model)

    def decide(self, name, arguments):
        return sessions.decide(self.session, self.allowed, self.result, name, arguments)

    def settle(self, number, more):
        return sessions.settle(self.session, self.result, number, more)


@pytest.mark.parametrize("policies", POLICIES, ids=range(len(POLICIES)))
@pytest.mark.parametrize("seed", range(6))
def test_sessions_are_the_models(tmp_path, policies, seed):
    rng = random.Random(f"{seed} {policies}")
    path = tmp_path / "state" / "sessions.db"
    doors = [monitor(path, policies) for _ in range(2)]
    reference, permits = Reference(policies), []
    doors[0].session("agent").heard("please look at feature/login")
    for _ in range(30):
        door = rng.choice(doors)
        session = door.session("agent")
        if permits and rng.random() < 0.4:
            number = rng.randrange(len(permits))
            more = frozenset(rng.sample(LABELS, rng.randint(0, 2)))
            try:
                door.settle(permits[number].token(), Labeled("x", Labels.of(*more)) if more else "x")
                happened = True
            except Denied:
                happened = False
            assert happened is reference.settle(number, more)
        else:
            name = (rng.choice(TOOLS), rng.choice(RISKS))
            given = dict(enumerate(rng.sample(sorted(WORDS), rng.randint(0, 2))))
            answer = door.decide(
                name[0], {f"a{n}": word for n, word in given.items()}, session, labels=name[1]
            )
            number = reference.decide(name, [(frozenset(), WORDS[word]) for word in given.values()])
            assert isinstance(answer, Permit) is (number is not None)
            if isinstance(answer, Permit):
                permits.append(answer)
                assert answer.number == number
        assert set(session.labels.names()) == reference.session["context"]
        assert os.path.exists(path)
    assert doors[1].session("agent").labels is not EMPTY
    for door in doors:
        door.parts.close()
