import pytest
from hypothesis import given
from hypothesis import strategies as st
from verdict_samples import TODAY, finding

from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.deeds import DEED_OF, FOR_A_PERSON, Deed
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Category, Decision, EvidenceKind, Severity

ACTS = [kind for kind in EvidenceKind if kind is not EvidenceKind.WORDS]
WORDS = EvidenceKind.WORDS


def _judge(*findings):
    return judge(findings, [], baseline=Baseline(), today=TODAY)


def _of(rule, kind, category, severity=Severity.HIGH, confidence=800):
    return finding(rule, severity, confidence, kind=kind, category=category, fingerprint=rule)


@pytest.mark.parametrize("kind", EvidenceKind)
def test_one_sure_critical_blocks_unless_it_is_words(kind):
    verdict = _judge(_of("a", kind, Category.EXFILTRATION, Severity.CRITICAL, 1000))
    assert verdict.decision is (Decision.CAUTION if kind is WORDS else Decision.DO_NOT_INSTALL)


def test_words_alone_are_caution_however_many():
    categories = [c for c in Category if c is not Category.REVIEWER_MANIPULATION]
    every = [_of(f"{c}-{n}", WORDS, c, Severity.CRITICAL, 1000) for c in categories for n in range(3)]
    verdict = _judge(*every)
    assert (verdict.decision, verdict.score) == (Decision.CAUTION, 50)
    assert "only words say so, and words alone never block" in verdict.reasons
    assert verdict.arithmetic.acts == 0


@pytest.mark.parametrize("kind", ACTS)
def test_an_act_in_place_of_words_can_be_milder(kind):
    """Acts do not support each other; but it is no milder than leaving the words out, and never where the words stay."""
    one = _of("a", EvidenceKind.COMMAND, Category.EXFILTRATION, confidence=500)
    words, act = (_of("b", each, Category.EXFILTRATION, confidence=500) for each in (WORDS, kind))
    assert _judge(one, words).decision is Decision.DO_NOT_INSTALL
    assert _judge(one, act).decision is Decision.CAUTION
    assert _judge(one, act).score >= _judge(one).score
    assert _judge(one, words, act).decision is Decision.DO_NOT_INSTALL


@pytest.mark.parametrize("kind", ACTS)
def test_two_kinds_about_one_deed_block(kind):
    act = _of("a", kind, Category.EXFILTRATION)
    words = _of("b", WORDS, Category.CREDENTIAL_ACCESS)
    assert _judge(act).decision is Decision.CAUTION
    verdict = _judge(act, words)
    assert (verdict.decision, verdict.score) == (Decision.DO_NOT_INSTALL, 51)
    assert "what is said and what is done are about the same deed" in verdict.reasons


@pytest.mark.parametrize(
    "words",
    [
        _of("b", WORDS, Category.PERSISTENCE),
        _of("b", WORDS, Category.CREDENTIAL_ACCESS, Severity.MEDIUM, 1000),
        _of("b", WORDS, Category.CREDENTIAL_ACCESS, Severity.CRITICAL, 499),
        _of("a", WORDS, Category.EXFILTRATION),
        _of("b", EvidenceKind.STRUCTURE, Category.CREDENTIAL_ACCESS),
    ],
    ids=["another deed", "not severe", "not sure", "the same rule", "no words"],
)
def test_two_kinds_about_two_deeds_do_not(words):
    act = _of("a", EvidenceKind.FLOW, Category.EXFILTRATION)
    assert not _judge(act, words).arithmetic.corroborated
    assert _judge(act, words).decision is Decision.CAUTION


def test_categories_without_a_deed_support_nothing():
    for category in (c for c in Category if DEED_OF[c] is Deed.NONE):
        pair = [_of("a", EvidenceKind.FLOW, category), _of("b", WORDS, category)]
        assert not _judge(*pair).arithmetic.corroborated


def test_two_medium_deeds_are_caution():
    one = _of("a", EvidenceKind.COMMAND, Category.PERSISTENCE, Severity.MEDIUM, 500)
    same = _of("b", EvidenceKind.COMMAND, Category.MEMORY_POISONING, Severity.MEDIUM, 500)
    other = _of("c", WORDS, Category.PRIVILEGE_ESCALATION, Severity.MEDIUM, 500)
    assert _judge(one).decision is Decision.SAFE
    assert _judge(one, same).decision is Decision.SAFE
    verdict = _judge(one, other)
    assert (verdict.decision, verdict.score) == (Decision.CAUTION, 21)
    assert "2 different deeds together" in verdict.reasons
    unsure = other._replace(confidence=499)
    assert _judge(one, unsure).decision is Decision.SAFE


@pytest.mark.parametrize("category", Category)
def test_one_deed_for_a_person_is_caution(category):
    act = _of("a", EvidenceKind.STRUCTURE, category, Severity.MEDIUM, 500)
    verdict = _judge(act)
    if category is Category.REVIEWER_MANIPULATION:
        assert verdict.decision is Decision.DO_NOT_INSTALL
    elif category in FOR_A_PERSON:
        assert (verdict.decision, verdict.score) == (Decision.CAUTION, 21)
        assert "a person should see this" in verdict.reasons
    else:
        assert verdict.decision is Decision.SAFE
    for weaker in (
        act._replace(confidence=499),
        act._replace(severity=Severity.LOW),
        act._replace(kind=WORDS),
    ):
        if category is not Category.REVIEWER_MANIPULATION or weaker.confidence < 500:
            assert _judge(weaker).decision is Decision.SAFE


_FINDINGS = st.builds(
    lambda rule, kind, category, severity, confidence: _of(f"r{rule}", kind, category, severity, confidence),
    st.integers(0, 4),
    st.sampled_from(EvidenceKind),
    st.sampled_from([c for c in Category if c is not Category.REVIEWER_MANIPULATION]),
    st.sampled_from(Severity),
    st.integers(0, 1000),
)


@given(st.lists(_FINDINGS, max_size=6), st.lists(_FINDINGS.map(lambda f: f._replace(kind=WORDS)), max_size=6))
def test_words_buy_no_block_without_an_act_of_the_same_deed(found, words):
    before, after = _judge(*found), _judge(*found, *words)
    if before.decision is Decision.DO_NOT_INSTALL or after.decision is not Decision.DO_NOT_INSTALL:
        return
    strong = [f for f in after.findings if f.severity >= Severity.HIGH and f.confidence >= 500]
    assert any(
        f.kind is WORDS and g.kind is not WORDS and DEED_OF[f.category] is DEED_OF[g.category]
        for f in strong
        for g in strong
    )


def test_one_deed_for_a_person_is_seen_among_any_number_of_others():
    others = [
        _of(f"r{n:03}", EvidenceKind.COMMAND, Category.PERSISTENCE, Severity.LOW, 400) for n in range(60)
    ]
    one = _of("zz", EvidenceKind.COMMAND, Category.EXFILTRATION, Severity.MEDIUM, 500)
    for found in ([*others, one], [one, *others]):
        assert _judge(*found).arithmetic.for_a_person
    adjusted = one._replace(adjustments=("weighed",), location=one.location._replace(origin=("fence bash",)))
    assert _judge(adjusted).decision is Decision.CAUTION
