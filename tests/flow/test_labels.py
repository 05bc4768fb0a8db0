import copy
import pickle
import threading
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.denial import Code
from sluicegate.flow.errors import LabelError
from sluicegate.flow.labels import (
    EMPTY,
    SOURCES,
    Changed,
    Conflicted,
    ConflictMode,
    LabelCategory,
    Labels,
    Privilege,
    Trail,
    TrustRefused,
    add,
    add_trusted,
    add_untrusted,
    bless,
    category,
    check,
    clear,
    covers,
    directories,
    directory_of,
    is_factual,
    is_protected,
    remove,
    sets,
)
from sluicegate.flow.labels.kernels import trust_survives
from sluicegate.flow.labels.trail import MORE, MOST_WORDS, NO_TRAIL
from sluicegate.flow.labels.trust import grant

NAMES = [
    "trusted", "untrusted", "secret", "secret:aws", "pii", "src:mcp", "src:env:docker", "dir:/tmp", "llm",
    "influenced", "net:w", "exfil",
]  # fmt: skip
LABELS = st.sets(st.sampled_from(NAMES)).map(lambda names: Labels.of(*names))


def origin(name):
    return name.split(":")[0] in ("src", "dir", "llm", "influenced")


def joined(*sets_of_names):
    """The join, said once more over plain sets, for any number of operands at once."""
    union = set().union(*sets_of_names)
    for names in sets_of_names:
        stained = "untrusted" in names or any(map(origin, names))
        if stained and "trusted" not in names:
            union.discard("trusted")
    return union


# Joining.


@given(st.lists(LABELS, max_size=5))
def test_the_join_of_many_is_the_union_without_doubtful_trust(operands):
    assert set(Labels.join_all(operands)) == joined(*(set(each) for each in operands))


@given(LABELS, LABELS, LABELS)
def test_join_is_associative_commutative_and_idempotent_with_a_unit(a, b, c):
    assert (a | b) | c is a | (b | c)
    assert a | b is b | a
    assert a | a is a
    assert a | EMPTY is a


@given(LABELS, LABELS, LABELS)
def test_join_is_monotone(a, b, c):
    assert a <= a | b
    if a <= b:
        assert a | c <= b | c


@given(LABELS, LABELS)
def test_a_join_loses_nothing_but_trust_and_makes_up_nothing(a, b):
    union = set(a) | set(b)
    assert union - {"trusted"} <= set(a | b) <= union


@given(st.lists(LABELS, min_size=1, max_size=5))
def test_trust_and_distrust_exclude_each_other_unless_someone_claimed_both(operands):
    if not any(each.conflicted for each in operands):
        assert not Labels.join_all(operands).conflicted
    if any(each.untrusted for each in operands):
        assert not Labels.join_all(operands).trusted


@given(LABELS, LABELS)
def test_what_nobody_vouched_for_takes_trust_away(a, b):
    if a.origins and "trusted" not in a:
        assert "trusted" not in a | b


@given(LABELS, st.sets(st.sampled_from(["secret", "pii", "net:w"])))
def test_the_authors_own_words_leave_trust_alone(a, declared):
    assert ("trusted" in a | Labels.of(*declared)) == ("trusted" in a)


def test_the_kernel_is_the_highest_of_three_classes():
    """neutral 0 < vouching 1 < doubtful 2; trust survives where the highest is 1."""

    def rank(vouches, stained):
        return 1 if vouches else 2 * stained

    for first, second in product(product((False, True), repeat=2), repeat=2):
        assert trust_survives(*first, *second) == (max(rank(*first), rank(*second)) == 1)


# The set as an object.


@given(LABELS, LABELS)
def test_one_object_for_each_set(a, b):
    assert (a is b) == (set(a) == set(b))
    assert (a.mask == b.mask) == (a is b)
    assert Labels.from_mask(a.mask) is a


@given(LABELS)
def test_copies_and_pickles_are_the_same_object(a):
    assert copy.copy(a) is a
    assert copy.deepcopy([a])[0] is a
    assert pickle.loads(pickle.dumps(a)) is a


@given(LABELS)
def test_declared_and_origins_are_all_of_it(a):
    assert set(a.origins) == {name for name in a if origin(name)}
    assert set(a.declared) | set(a.origins) == set(a.taint) == set(a)
    assert not set(a.declared) & set(a.origins)
    assert a.names() == tuple(sorted(a))
    assert len(a) == len(a.names())
    assert bool(a) == (len(a) > 0)


@given(LABELS, st.sampled_from([*NAMES, "src", "secret:aws:prod", "sec", "*", "net", "never-seen"]))
def test_has_is_by_whole_segments(a, prefix):
    assert a.has(prefix) == any(covers(prefix, name) for name in a)
    assert (prefix in a) == (prefix in a.names())


def test_a_prefix_is_whole_segments():
    assert covers("secret", "secret:aws")
    assert covers("*", "anything")
    assert not covers("sec", "secret")
    assert not covers("secret:aws", "secret")


def test_labels_do_not_change():
    labels = Labels.of("secret")
    for attempt in (
        lambda: setattr(labels, "mask", 0),
        lambda: setattr(labels, "extra", 0),
        lambda: delattr(labels, "mask"),
    ):
        with pytest.raises(AttributeError):
            attempt()
    with pytest.raises(TypeError):
        Labels()
    assert repr(labels) == "Labels(secret)"
    assert 3 not in labels


@pytest.mark.parametrize("mask", [-1, 1 << 40_000], ids=["negative", "too wide"])
def test_a_mask_of_no_labels_is_refused(mask):
    with pytest.raises(LabelError):
        Labels.from_mask(mask)


def test_interning_is_safe_among_threads():
    names = [f"thread-test:{number}" for number in range(300)]
    results = []

    def intern():
        results.append([Labels.of(name, "secret").mask for name in names])

    threads = [threading.Thread(target=intern) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    assert all(result == results[0] for result in results)
    assert len({Labels.of(name).mask for name in names}) == len(names)
    assert all(Labels.of(name).names() == (name,) for name in names)


def test_a_process_may_see_any_number_of_sets(monkeypatch):
    labels = [Labels.of(f"many:{number}") for number in range(12)]

    monkeypatch.setattr(sets, "_MOST_KEPT", 200)
    for mask in range(1 << 12):
        each = EMPTY
        for number, label in enumerate(labels):
            if mask >> number & 1:
                each = each.join(label)
    assert len(sets._KEPT) <= 200
    assert len(sets._JOINS) <= 200
    assert len(sets._SETS) < 1500  # of 4096


# How labels are written.


@pytest.mark.parametrize(
    "name", ["secret", "net:w", "src:env:docker", "op:cmd:git:--force", "é", "a.b-c_d", "llm"]
)
def test_well_formed(name):
    assert check(name) == name
    assert Labels.of(name).names() == (name,)


@pytest.mark.parametrize(
    "name",
    ["", ":", "a:", ":a", "a::b", "a b", "a\nb", "a\x1b[31mb", "a\u202eb", "a\u200bb", "a\x00", "*", "a:*", "!pii",
     "a,b", "x" * 201, "\ud800", "a\u00a0b", "dir:/a b", "dir:/a\tb", "dir:" + "x" * 20_000,
     "Secret", "SECRET", "UNTRUSTED", "Src:mcp", "src:MCP", "trusted:very", "untrusted:a"],
)  # fmt: skip
def test_not_labels(name):
    with pytest.raises(LabelError) as error:
        Labels.of("pii", name)
    assert error.value.message.isprintable()
    assert len(error.value.message) < 250


def test_categories():
    by_category = {
        LabelCategory.TRUST: ["trusted", "untrusted"],
        LabelCategory.SENSITIVITY: ["secret", "sensitive", "secret:aws"],
        LabelCategory.RISK: ["exfil", "destructive", "privileged"],
        LabelCategory.INFLUENCE: ["influenced"],
        LabelCategory.PROVENANCE: ["llm", "dir:/tmp", *(f"src:{source}" for source in SOURCES)],
        LabelCategory.OPERATION: ["op:cmd:git:status", "op:show"],
        LabelCategory.CUSTOM: ["pii", "net:w", "secretive", "internal"],
    }
    for expected, names in by_category.items():
        assert {category(name) for name in names} == {expected}


def test_protected_and_factual():
    protected = {"secret", "secret:aws", "sensitive", "untrusted", "influenced", "llm", "dir:/tmp"}
    protected |= {f"src:{source}" for source in SOURCES}
    assert all(map(is_protected, protected))
    assert not any(map(is_protected, ["trusted", "pii", "net:w", "exfil"]))
    assert {name for name in protected if is_factual(name)} == {f"src:{source}" for source in SOURCES} | {
        "dir:/tmp"
    }


# Directories.


def test_a_directory_has_the_labels_of_all_above_it():
    assert set(directories("/tmp/uploads/new")) == {"dir:/tmp", "dir:/tmp/uploads", "dir:/tmp/uploads/new"}
    assert directories("/") is EMPTY
    assert directories("//tmp/").names() == ("dir:/tmp",)


@given(
    st.lists(
        st.text(st.characters(exclude_characters="/\x00", codec="utf-8"), min_size=1), min_size=1, max_size=4
    )
)
def test_any_path_has_labels_that_lead_back_to_it(parts):
    parts = [part for part in parts if part not in (".", "..")]
    path = "".join(f"/{part}" for part in parts)
    labels = directories(path or "/")
    assert len(labels) == len(parts)
    assert not parts or path in {directory_of(name) for name in labels}
    assert all(name.count(":") == 1 for name in labels)


def test_bytes_that_are_no_text_have_labels_too():
    path = b"/tmp/\xff\xfe: x".decode(errors="surrogateescape")
    (deepest,) = set(directories(path)) - {"dir:/tmp"}
    assert deepest == "dir:/tmp/%FF%FE%3A%20x"
    assert directory_of(deepest) == path


@pytest.mark.parametrize("path", ["tmp", "", "/\ud800", "/tmp/../etc", "/tmp/./x", "./x"])
def test_a_path_that_is_not_resolved_has_none(path):
    with pytest.raises(LabelError):
        directories(path)


@pytest.mark.parametrize("label", ["secret", "dir", "dir:tmp", "src:/tmp"])
def test_other_labels_stand_for_no_directory(label):
    with pytest.raises(LabelError):
        directory_of(label)


def test_without_room_a_directory_is_known_by_those_above_and_untrusted(monkeypatch):
    directories("/known/inner")
    rule = Labels.of("dir:/known/named/in/a/rule")
    monkeypatch.setattr(sets, "MOST_DIRECTORIES", sets._INTERNER.directories)
    late = directories("/known/never/seen")
    assert set(late) == {"dir:/known", "untrusted"}
    assert "trusted" not in Labels.of("trusted", "src:file") | late
    assert rule <= directories("/known/named/in/a/rule")
    assert set(directories("/known/inner")) == {"dir:/known", "dir:/known/inner"}
    assert Labels.of("dir:/known/by-name")  # what people write still has room


def test_without_any_room_a_new_label_is_an_error(monkeypatch):
    monkeypatch.setattr(sets, "MOST_LABELS", len(sets._INTERNER.names))
    with pytest.raises(LabelError, match="no room"):
        Labels.of("one-too-many")
    assert Labels.of("secret").names() == ("secret",)


# Trust and its changes.

CONFIGURED = grant(holder="guard", source="policy")


@given(LABELS)
def test_untrusted_takes_the_place_of_trusted(a):
    assert set(add_untrusted(a)) == (set(a) | {"untrusted"}) - {"trusted"}


@given(LABELS, st.sampled_from(ConflictMode))
def test_claimed_trust_beside_distrust_is_a_conflict(a, mode):
    change = add_trusted(a, mode)
    if not a.untrusted:
        assert isinstance(change, Changed)
        assert set(change.labels) == set(a) | {"trusted"}
    elif mode is ConflictMode.ERROR:
        assert isinstance(change, TrustRefused)
        assert change.denial.code is Code.TRUST_CONFLICT
    else:
        assert isinstance(change, Conflicted)
        assert change.mode is mode
        assert set(change.labels) == set(a) | {"trusted"}
        assert change.labels.conflicted
        assert change.labels.untrusted
        assert not change.labels.trusted


@given(LABELS, st.sets(st.sampled_from(NAMES)))
def test_adding_takes_nothing_away_but_trust(a, names):
    change = add(a, names)
    upward = "trusted" in names and a.origins and not (a.trusted or a.untrusted or "untrusted" in names)
    assert isinstance(change, TrustRefused) is bool(upward)
    if isinstance(change, TrustRefused):
        assert change.denial.code is Code.LABEL_PRIVILEGE_REQUIRED
        change = add(a, names, privilege=CONFIGURED)
    assert isinstance(change, Changed | Conflicted)
    assert set(a) | names >= set(change.labels) >= (set(a) | names) - {"trusted"}
    if "untrusted" in names and "trusted" not in names:
        assert not change.labels.conflicted
    if {"trusted", "untrusted"} <= names:
        assert isinstance(change, Conflicted)
    assert set(change.added) == set(change.labels) - set(a)


def test_operation_labels_are_not_given_to_values():
    with pytest.raises(LabelError, match="operations"):
        add(EMPTY, ["op:show"])


@given(LABELS, st.sets(st.sampled_from(NAMES), min_size=1))
def test_without_privilege_nothing_is_taken_away(a, names):
    protected = any(is_protected(name) for name in names)
    expected = Code.PROTECTED_LABEL_REMOVAL if protected else Code.LABEL_PRIVILEGE_REQUIRED
    refused = remove(a, names, None)
    assert isinstance(refused, TrustRefused)
    assert refused.denial.code is expected
    assert isinstance(bless(a, None), TrustRefused)
    assert isinstance(clear(a, None), TrustRefused)


@given(LABELS, st.sets(st.sampled_from(NAMES), min_size=1))
def test_with_privilege_exactly_what_was_asked_goes(a, names):
    gone = remove(a, names, CONFIGURED)
    assert isinstance(gone, Changed)
    assert set(gone.labels) == {name for name in a if not any(covers(prefix, name) for prefix in names)}
    blessed = bless(a, CONFIGURED)
    assert isinstance(blessed, Changed)
    assert set(blessed.labels) == (set(a) | {"trusted"}) - {"untrusted"}
    cleared = clear(a, CONFIGURED)
    assert isinstance(cleared, Changed)
    assert set(cleared.labels) == {name for name in a if name.startswith(("src:", "dir:"))}
    assert set(cleared.removed) == set(a) - set(cleared.labels)


def test_the_refusal_is_the_same_whatever_the_value_has():
    codes = {remove(Labels.of(*names), ["secret"], None).denial.code for names in ([], ["secret"], ["pii"])}
    assert codes == {Code.PROTECTED_LABEL_REMOVAL}


def test_privilege_is_made_by_configuration_only():
    with pytest.raises(LabelError, match="configuration"):
        Privilege(object(), "me", "myself")
    forged = object.__new__(Privilege)
    assert isinstance(bless(EMPTY, forged), TrustRefused)
    assert isinstance(bless(EMPTY, "yes please"), TrustRefused)
    with pytest.raises(TypeError):
        pickle.dumps(CONFIGURED)
    with pytest.raises(TypeError):
        copy.copy(CONFIGURED)
    with pytest.raises(AttributeError):
        CONFIGURED.holder = "me"
    with pytest.raises(AttributeError):
        del CONFIGURED.holder
    assert "guard" in repr(CONFIGURED)


# The trail.

WORDS = st.lists(st.text(max_size=8), max_size=300)


@given(WORDS, WORDS)
def test_a_trail_keeps_different_words_in_order_within_bounds(first, second):
    trail = Trail(first) | Trail(second)
    words = [word for word in trail if word != MORE]
    assert len(words) == len(set(words)) <= MOST_WORDS
    assert len(trail) <= MOST_WORDS + 1
    assert all(word.isprintable() for word in words)
    assert (MORE in trail) == (
        MORE in first + second or len(dict.fromkeys(Trail(first).words + Trail(second).words)) > MOST_WORDS
    )
    assert trail.join(trail) is trail
    assert pickle.loads(pickle.dumps(trail)) == trail


def test_a_trail_reads_in_order():
    trail = Trail.of("mcp:createIssue").add("cmd:git:status").add("mcp:createIssue")
    assert trail.words == ("mcp:createIssue", "cmd:git:status")
    assert repr(trail) == "Trail(mcp:createIssue, cmd:git:status)"
    assert trail == Trail(trail.words)
    assert hash(trail) == hash(Trail(trail.words))
    assert trail != trail.words
    assert Trail.of() is NO_TRAIL
    assert NO_TRAIL | trail is trail
    assert trail | NO_TRAIL is trail


def test_a_trail_is_bounded_and_plain():
    trail = Trail(f"step:{number}" for number in range(1000))
    assert len(trail) == MOST_WORDS + 1
    assert trail.words[-1] == MORE
    assert trail.add("one more") is trail
    word = Trail.of("mcp:\x1b[31m" + "x" * 500).words[0]
    assert word.startswith("mcp:?[31mxxx")
    assert len(word) == 160
    with pytest.raises(AttributeError):
        trail.words = ()
    with pytest.raises(AttributeError):
        del trail.words
