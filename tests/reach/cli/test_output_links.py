import pytest

from sluicegate.reach.cli.output import wants_links

XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    "known",
    [
        {"WT_SESSION": "1"},
        {"VTE_VERSION": "7002"},
        {"KITTY_WINDOW_ID": "1"},
        {"TERM_PROGRAM": "iTerm.app"},
        {"TERM": "alacritty"},
    ],
)
def test_terminals_that_open_links_get_them(known):
    assert wants_links(XTERM | known, terminal=True)
    for no in (
        {"NO_COLOR": "1"},
        {"CI": "true"},
        {"TERM": "dumb"},
        {"TERM": "screen"},
        {"FORCE_HYPERLINK": "0"},
    ):
        assert not wants_links(XTERM | known | no, terminal=True)
    assert not wants_links(XTERM | known, terminal=False)


def test_others_get_none_unless_they_are_forced():
    for other in ({}, {"VTE_VERSION": "4999"}, {"VTE_VERSION": "x"}, {"TERM_PROGRAM": "Apple_Terminal"}):
        assert not wants_links(XTERM | other, terminal=True)
    assert not wants_links({}, terminal=True)
    assert wants_links({"FORCE_HYPERLINK": "1", "NO_COLOR": "1"}, terminal=False)
