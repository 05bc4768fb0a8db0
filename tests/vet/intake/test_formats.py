"""One declaration a format: complete, without two that claim one word, and all that it names is there."""

from collections import Counter

import pytest

from sluicegate.vet.intake.formats import FORMATS, SETTINGS, TEXTUAL, Format, FormatRole, Kind
from sluicegate.vet.intake.views.late import late

WORDS = ("suffixes", "names", "interpreters", "fences")


def test_every_kind_has_one_format():
    assert [row.kind for row in FORMATS] == list(Kind)


@pytest.mark.parametrize("field", WORDS)
def test_no_word_belongs_to_two_formats(field):
    counts = Counter(word for row in FORMATS for word in getattr(row, field).split())
    assert [word for word, count in counts.items() if count > 1] == []
    assert [word for word in counts if word != word.lower()] == []


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.kind.value)
def test_what_a_format_names_is_there(row: Format):
    for name in (*row.views, *row.file_views, *filter(None, [row.reader])):
        assert callable(late(name)), name


def test_only_text_has_views_and_settings_have_readers():
    assert {row.kind for row in FORMATS if row.views} <= TEXTUAL
    assert {row.kind for row in FORMATS if row.reader and row.role is FormatRole.CONFIG} >= SETTINGS
