"""A matcher is made, used and dropped by one thread."""

import gc
from concurrent.futures import ThreadPoolExecutor

import yara_x

from sluicegate.vet.matchers import _HERE, Matchers

RULE = 'rule a { strings: $a = "needle" condition: $a }'


def made() -> Matchers:
    return Matchers(lambda: yara_x.compile(RULE), most=3)


def found(matchers: Matchers) -> list[str]:
    return [rule.identifier for rule in matchers.own.scan(b"a needle").matching_rules]


def kept() -> int:
    return len(_HERE.made)


def test_every_thread_has_its_own() -> None:
    matchers = made()
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(found, [matchers] * 8)) == [["a"]] * 8
        assert pool.submit(lambda: matchers.own).result() is not matchers.own


def test_what_goes_in_one_thread_is_dropped_by_the_one_that_made_it() -> None:
    """YARA-X complains, where nobody can catch it, when another does: here that fails the test."""
    with ThreadPoolExecutor(1) as pool:
        matchers = made()
        assert found(matchers) == pool.submit(found, matchers).result() == ["a"]
        own = _HERE.made[id(matchers)]
        del matchers
        gc.collect()  # what other tests of this process left goes too, so the one is looked for and not the number
        assert own not in _HERE.made.values()
        assert pool.submit(kept).result() == 1
        other = made()
        assert pool.submit(found, other).result() == ["a"]
        assert pool.submit(kept).result() == 1
