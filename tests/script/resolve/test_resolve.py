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
    "firing": """
var pii @who = <who.txt>
exe net:w @post(a) = run cmd { curl -d @a example.com }
exe @quiet(a) = @a                  // a guard on it is of no use
policy @p = {
  defaults: { rules: ["no-secret-exfil",
    "no-untrusted-destructive",     // never-fires
    "untrusted-llms-get-influenced" // never-fires
  ] },
  operations: { "net:w": exfil,
    "op:sh": exfil,
    "op:cmd:git": exfil,
    "net:send": exfil               // never-fires
  },
  labels: {
    pii: { deny: [exfil, "op:show",
      "op:log",                     // never-fires
      "op:cmd:gti"                  // never-fires
    ] },
    pki: { deny: [exfil] }          // never-fires
  },
}
guard before pii = when [ * => allow ]
guard before secret = when [ * => allow ]
guard before untrusted = when [ * => allow ]
guard before exfil = when [ * => allow ]
guard before src:mcp = when [ * => allow ]
guard before fs:w = when [ * => allow ]
guard before op:cmd:curl = when [ * => allow ]
guard before op:read = when [ * => allow ]
guard before @post = when [ * => allow ]
guard before op:js = when [ * => allow ]
guard before pii:names = when [ * => allow ]       // never-fires
guard before src:mpc = when [ * => allow ]         // never-fires
guard before destructive = when [ * => allow ]     // never-fires
guard before op:output = when [ * => allow ]       // never-fires
guard before op:cmd:git:push = when [ * => allow ] // never-fires
guard before @quiet = when [ * => allow ]          // never-fires
show @post(@who)
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
guard @g before op:shwo = when [ * => allow ]  // never-fires
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


def test_modules_and_what_imports_are_not_said_to_fire_never():
    guard = "guard @g before pii = when [ * => allow ]\n"
    assert [each.code for each in resolve(parse(SourceText(guard + "show 1")))] == ["never-fires"]
    for rest in (
        "",
        "export { @g }\nshow 1",
        'import { @a } from "./m.mld"\nshow 1',
        "policy @p = { }",
        "show (",
    ):
        assert "never-fires" not in [each.code for each in resolve(parse(SourceText(guard + rest)))]
