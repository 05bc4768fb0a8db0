"""Names, and what can be said of a script without running it. A remark stands in the script, behind the line that it is on."""

import re

import pytest

from sluicegate.script.parse.program import parse
from sluicegate.script.resolve.resolve import resolve
from sluicegate.script.source import SourceText

SCRIPTS = {
    "names": """
var @a = 1
show @b                             // undefined-name
show @a
exe @f(x) = @x + @later             // a function may use what comes later
var @later = 2
show `@a @nobody`                   // open-hole
run cmd { echo @nobody }            // undefined-name
show @f(1) | @json | base64encode
show @f(1) | @jsn                   // undefined-name
show fetch(1)                       // undefined-name
var @mx = 1                         // reserved-name
var @a = 2                          // redefined-name
var @lonely = 1                     // unused-name
""",
    "scopes": """
exe @f(a) = [
  let @a = 1                        // shadowed-name
  var @inner = 2
  if @a == 1 [ let @deep = 3; show @deep ]
  show @deep                        // undefined-name
  => @inner
]
show @inner                         // undefined-name
for @i in [1] [ show @i ]
show @i                             // undefined-name
var @x = 1
for @x in [1] => @x                 // shadowed-name
show @x
env { } [ var @out = 1 ]
show @out
""",
    "places": """
allow                               // misplaced
exe @f(a) = [
  policy @p = { }                   // misplaced
  => !pii @a                        // needs-privilege
  show @a                           // unreachable
]
@f                                  // no-effect
@f.mx.labels                        // no-effect
@f(1)
guard @g before op:shwo = when [ * => allow ]  // unreachable
guard @h before op:cmd:git = when [ // no-default
  @input == 1 => trusted! @input    // needs-privilege
]
guard privileged @k after secret = when [
  * => trusted! @output
  @input == 1 => allow              // unreachable
]
show @g(1)                          // not-callable
var @o = { a: 1, a: 2 }             // duplicate-key
show @o
show ...                            // elided
profiles { full: { requires: { sh } } }
when @mx.profile == "ful" => show 1 // unknown-tier
export { @f, @nobody }              // undefined-name
""",
}


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_remarks(text):
    parsed = parse(SourceText(text))
    assert parsed.errors == ()
    expected = [
        (number, found[1])
        for number, line in enumerate(text.split("\n"), 1)
        if (found := re.search(r"// ([a-z]+-?[a-z]+)$", line))
    ]
    assert [(parsed.source.place(each.start).line, each.code) for each in resolve(parsed)] == expected


def test_a_name_that_is_nearly_right_gets_a_suggestion():
    (found,) = resolve(parse(SourceText("exe @postToSlack(a) = @a\nshow @postToSlak(1)")))
    assert found.suggestion == "Did you mean `@postToSlack`?"


def test_nothing_is_called_undefined_where_a_part_was_not_read():
    assert resolve(parse(SourceText("var @a = (\nshow @a"))) == ()
