"""Secrets never reach a model."""

import random
import string

import pytest

from review_samples import finding, subject
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.review.mediator.frame import Quote
from sluicegate.vet.review.mediator.mediate import mediate
from sluicegate.vet.review.mediator.prepared import PreparedText

LETTERS = string.ascii_letters + string.digits


def drawn(length, letters=LETTERS):
    return "".join(random.Random(length).choices(letters, k=length))


TOKEN = "ghp_" + drawn(36)
AWS = "AKIA" + drawn(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567")
BODY = [drawn(64, LETTERS + "+/") + str(n) for n in range(8)]
PEM = "\n".join(["-----BEGIN RSA PRIVATE " + "KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"])
NAMED = drawn(40)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"curl -H 'Authorization: {TOKEN}' x", [TOKEN]),
        (f"# {AWS}\nkey = '{AWS}'", [AWS]),
        (f"before\n{PEM}\nafter", [BODY[0], BODY[4], BODY[7]]),
        (f'API_KEY = "{NAMED}"', [NAMED]),
        (f"export SERVICE_TOKEN={NAMED}", [NAMED]),
        (f"é⟪ú {TOKEN} é", [TOKEN]),
    ],
)
def test_a_secret_is_masked_in_every_language_and_the_lines_stay(text, hidden):
    for language in (Kind.TEXT, Kind.PYTHON, Kind.SHELL, Kind.JAVASCRIPT):
        shown = PreparedText(text, language)
        for lines in (shown.raw, shown.code, shown.comments):
            assert len(lines) == text.count("\n") + 1
            for secret in hidden:
                assert secret not in "\n".join(lines)
        assert "masked⟫" in "\n".join(shown.raw)


@pytest.mark.parametrize("text", ["AKIAIOSFODNN7EXAMPLE", 'API_KEY = "your-key-goes-here-please"', "a = 'b'"])
def test_a_placeholder_is_no_secret(text):
    assert PreparedText(text, Kind.PYTHON).raw == [text]


def test_a_secret_is_in_no_package_whatever_quotes_it():
    made = subject(
        {"SKILL.md": f"---\nname: s\n---\nUse {TOKEN}.\n", "run.py": f"k = '{TOKEN}'  # {TOKEN}\n"},
        [finding(1, "run.py", 1, message=f"says {TOKEN}", evidence=TOKEN, adjustments=(TOKEN,))],
        declared=TOKEN,
        description=f"with {TOKEN}",
    )
    for package in mediate(made).packages:
        assert TOKEN not in package.framed("n").text
        assert any(
            "masked" in row.text for part in package.parts if isinstance(part, Quote) for row in part.rows
        )
