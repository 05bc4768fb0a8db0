"""Pages: how they are parsed, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from sluicegate.vet.inspect.pages import PageError, page, parse, unescape

WHOLE = """# A title

Prose with a list:

~~~~ text file=not-a-sample
Text in a fence of the prose is prose.
~~~~

## Matches

~~~~ markdown file=SKILL.md
# Holds a fence

```bash
echo hi
```
## and a heading
~~~~

````bash file=scripts/a.sh group=two mode=755
echo a
````

````text file=link group=two link=../outside
````

## Does not match

~~~~ text file=a.txt escaped
tag: \\U000e0041 byte: \\xff
~~~~

~~~~ data file=a.bin base64
AAEC
~~~~

## Known misses

None known.
"""


def test_a_whole_page() -> None:
    found = parse(WHOLE)
    assert found.title == "A title"
    assert "Text in a fence of the prose" in found.prose
    assert [sample.name for sample in found.matches] == ["line-11", "two"]
    assert found.matches[0].files[0].data == b"# Holds a fence\n\n```bash\necho hi\n```\n## and a heading\n"
    script, link = found.matches[1].files
    assert (script.path, script.mode, script.language) == ("scripts/a.sh", 0o755, "bash")
    assert (link.path, link.link, link.data) == ("link", "../outside", b"")
    text, binary = (sample.files[0] for sample in found.misses)
    assert text.data == "tag: \U000e0041 byte: ".encode() + b"\xff\n"
    assert binary.data == b"\0\1\2"
    assert found.known_misses == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("# A title", "A title"), "line 1"),
        (("## Known misses", "## Known"), "sections"),
        (("None known.", ""), "None known."),
        (("file=SKILL.md", ""), "needs file=PATH"),
        (("file=SKILL.md", "file=../SKILL.md"), "needs file=PATH"),
        (("mode=755", "mood=755"), "mood is not an option"),
        (("mode=755", "mode=9"), "line 20"),
        (("file=link", "file=scripts/a.sh"), "twice"),
        (("AAEC", "A"), "line 33"),
    ],
)
def test_what_is_wrong_is_named(change: tuple[str, str], says: str) -> None:
    with pytest.raises(PageError, match=says):
        parse(WHOLE.replace(*change, 1))


def test_an_open_fence_is_an_error() -> None:
    with pytest.raises(PageError, match="not closed"):
        parse("# T\n\np\n\n~~~~ text file=a\nx\n")


def test_escapes() -> None:
    assert unescape(r"\u0041\x42\n\\n") == b"AB\n\\n"
    assert unescape("plain ü") == "plain ü".encode()


def test_a_page_is_found_by_the_id_of_its_rule(tmp_path: Path) -> None:
    (tmp_path / "a-rule.md").write_text(WHOLE)
    assert page("a-rule", tmp_path).title == "A title"
    for absent in ("other-rule", "../a-rule", "A-RULE"):
        with pytest.raises(LookupError):
            page(absent, tmp_path)
