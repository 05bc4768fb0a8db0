import re
from urllib.parse import unquote

import pytest
import report_samples as samples
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sluicegate.reach.report.formats import render
from sluicegate.reach.report.text.links import linked

LINK = re.compile("\x1b\\]8;;([!-~]*)\x1b\\\\([^\x1b]*)\x1b\\]8;;\x1b\\\\")
ANY = st.text(st.characters(codec=None) | st.sampled_from("\x1b\x07\\;:/?#%\n\ud800"), max_size=40)


def test_a_path_opens_its_file_and_a_rule_its_page(tmp_path):
    report = samples.bad()._replace(source=str(tmp_path))
    report = report._replace(rules=tuple(r._replace(id="pipe-to-shell") for r in report.rules[:1]))
    for format in ("text", "concise"):
        found = {text: url for url, text in LINK.findall(render(report, format, links=True))}
        paths = [text for text in found if "sync.py:14" in text]
        assert paths and found[paths[0]].startswith("file://")
        assert unquote(found[paths[0]]).endswith(f"{tmp_path}/scripts/sync.py")
        assert found["pipe-to-shell"].endswith("/pipe-to-shell.md")
        assert not [text for text in found if "bundle.zip!/" in text]  # nothing can open a member


def test_what_is_not_on_this_disk_has_no_link():
    for source in ("https://example.com/skills.git", "-", "stdin"):
        shown = render(samples.bad()._replace(source=source), "text", links=True)
        assert not [url for url, text in LINK.findall(shown) if "sync.py" in text and "stdin" not in source]


@pytest.mark.parametrize("format", ["text", "concise"])
@given(ANY)
@example(":")
@example("::")
@settings(max_examples=40, deadline=None)
def test_nothing_breaks_out_of_a_link(format, text):
    report = samples.hostile(lambda: text)._replace(source="/srv/skills")
    shown = render(report, format, links=True)
    assert "\x1b" not in LINK.sub("", shown)
    assert LINK.sub(lambda found: found[2], shown) == render(report, format)
    shown.encode()


def test_an_endless_address_is_no_link():
    assert linked("a", "file:///" + "x" * 3000) == "a"
    assert linked("a", "") == "a"
