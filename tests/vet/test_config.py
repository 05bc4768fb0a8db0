"""What a scan can be told: what is wrong is said at once, and by name."""

import pickle
import pydoc
from pathlib import Path

import pytest

from sluicegate import ConfigError, Limits, ScanConfig, Severity


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("jobs", "two", "a whole number above 0, not str 'two'"),
        ("jobs", 0, "not int 0"),
        ("jobs", True, "not bool True"),
        ("exclude", "docs", "a tuple of str, not str 'docs'"),
        ("exclude", None, "a tuple of str, not NoneType None"),
        ("exclude", ("docs", 3), "not int 3"),
        ("enable", {"a": 1}, "not dict"),
        ("disable", b"a", "not bytes"),
        ("yara", "rules", "a tuple of str, not str 'rules'"),
        ("limits", {"file_bytes": 3}, "Limits, not dict"),
        ("limits", Limits(file_bytes="3"), "a whole number above 0, not str '3'"),  # type: ignore[arg-type]
        ("limits", Limits(views=-1), "not int -1"),
        ("severity", "low", "not str 'low'"),
        ("severity", {"pipe-to-shell": "low"}, "not tuple ('pipe-to-shell', 'low')"),
        ("severity", ("pipe-to-shell", Severity.LOW), "not str 'pipe-to-shell'"),
        ("baseline", "accepted.toml", "not str 'accepted.toml'"),
        ("today", "2026-01-01", "not str '2026-01-01'"),
        ("online", 1, "True or False, not int 1"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_at_once_and_by_name(
    field: str, value: object, said: str
) -> None:
    for make in (lambda: ScanConfig(**{field: value}), lambda: ScanConfig()._replace(**{field: value})):
        with pytest.raises(ConfigError) as wrong:
            make()
        assert wrong.value.message.startswith(f"ScanConfig.{field}")
        assert said in wrong.value.message


def test_a_word_in_the_place_of_words_is_shown_as_it_should_be() -> None:
    with pytest.raises(ConfigError) as wrong:
        ScanConfig(exclude="docs")
    assert wrong.value.hint == "Write exclude=('docs',)."


def test_words_may_be_any_sequence_of_them_and_severities_a_mapping() -> None:
    given = ScanConfig(exclude=["a", "b"], yara=[Path("r")], severity={"pipe-to-shell": Severity.LOW})
    same = ScanConfig(exclude=("a", "b"), yara=("r",), severity=(("pipe-to-shell", Severity.LOW),))
    assert given == same
    assert hash(given) == hash(same)
    assert pickle.loads(pickle.dumps(given)) == given


def test_a_field_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="'job'"):
        ScanConfig()._replace(job=2)


def test_help_shows_every_field_with_its_type() -> None:
    text = pydoc.plain(pydoc.render_doc(ScanConfig))
    for field in ScanConfig._fields:
        assert f"{field}\n |      " in text, field
    assert "int: processes that may be used" in text
    assert "Alias for field number" not in text
