"""The layout of scripts: even, and saying the same; a second time nothing changes."""

import pytest
from seed_blocks import blocks

from sluicegate.script.layout import LayoutError, layout
from sluicegate.script.parse.program import parse
from sluicegate.script.source import SourceText

BEFORE = """\
>> first
var   @a={a:1,b : [ 1,2 ],c:{}}    // aligned


var secret,pii @k="x"
when[
@a==1=>show "x"; *   =>   [
 show   @a.b
      show @f( @a )[ 0 ]
]
]
exe @f( x,y )=run cmd {  ls   @x }
var @t=@a?@b :@c
var @u = @a
|@f
  | json
guard before op:cmd=when [*=>deny {reason:"no",code:"X"}]
needs{cmd:[git,jq],node:[express@^4.0.0 , lodash@^4.17]
sh}
run sandboxed "npm   test"
=> !pii,trusted! @a
for @k,@v in @a [show @v]
var @n = ! @a && -1 < @b
"""
AFTER = """\
>> first
var @a = { a: 1, b: [1, 2], c: {} }  // aligned

var secret,pii @k = "x"
when [
  @a == 1 => show "x"; * => [
    show @a.b
    show @f(@a)[0]
  ]
]
exe @f(x, y) = run cmd {  ls   @x }
var @t = @a ? @b : @c
var @u = @a
  | @f
  | json
guard before op:cmd = when [ * => deny { reason: "no", code: "X" } ]
needs { cmd:[git,jq], node:[express@^4.0.0 , lodash@^4.17]
  sh }
run sandboxed "npm   test"
=> !pii,trusted! @a
for @k,@v in @a [ show @v ]
var @n = ! @a && -1 < @b
"""
MARKDOWN = """\
# Title


Prose   stays  /here.
/var   @a=[
1,
      2 ]  << two
>> a remark

/show @a
- more
```
/show   @a
```
"""
MARKDOWN_AFTER = """\
# Title


Prose   stays  /here.
/var @a = [
  1,
  2]  << two
>> a remark

/show @a
- more
```
/show   @a
```
"""


def laid(text: str) -> str:
    return layout(parse(SourceText(text)))


@pytest.mark.parametrize(
    ("before", "after"), [(BEFORE, AFTER), (MARKDOWN, MARKDOWN_AFTER), ("", ""), ("\n\n", "")]
)
def test_layout(before, after):
    assert laid(before) == after
    assert laid(after) == after


def test_every_block_of_the_specification_says_the_same_and_keeps_its_layout():
    """``layout`` itself compares trees and comments, and refuses where they differ."""
    for block in blocks():
        once = laid(block.script)
        assert laid(once) == once, block.name


def test_a_script_with_errors_is_left_alone():
    with pytest.raises(LayoutError):
        laid("var x")
