"""What each statement of the language does, for the page on scripts and for editors."""

from __future__ import annotations

import re

STATEMENTS = (
    (
        "`var LABELS @x = value`, `let @x = value`",
        "gives a name a value; labels stand with commas or spaces between. `let` does it for a block",
    ),
    ("`show value`, `log value`, `stream value`", "prints it"),
    (
        '`output value to "file" as json`, `append value to "file"`',
        "writes it; `stdout` and `stderr` are targets too",
    ),
    ('`run cmd { git status }`, `run "…"`, `run @f(@x)`', "runs a command, or a function"),
    (
        "`exe LABELS @f(a, b) = body`",
        "a function; the labels say what it does (`net:w`, `destructive`, `llm`)",
    ),
    ("`=> value`, `=> pii @x`", "returns a value, with a change of labels"),
    (
        "`when condition => action`, `when [ condition => action … ]`",
        "the first arm whose condition holds; `*` always does",
    ),
    ("`if condition [ … ] else if … [ … ] else [ … ]`", "runs a block"),
    ("`for @item in list => value`, `for @key, @item in list [ … ]`", "for each item; `for parallel(3) …`"),
    ("`foreach @f(@list)`", "calls a function with each item"),
    (
        "`policy @p = { … }`, `policy @p = union(@a, @b)`",
        "what may happen; strings in it have no holes, so that no value decides what a policy says",
    ),
    (
        "`guard privileged @g TIMING FILTER = when [ … ]`",
        "a rule with logic. Timing: `before`, `after`, `always`, `for` (as `before`). Filter: a label, `op:KIND`, `@function`",
    ),
    (
        '`allow`, `allow @x`, `deny "reason"`, `deny { reason, code, suggestion }`, `retry "hint"`, `pass`, `env @e`',
        "what a guard decides",
    ),
    (
        '`import { @a as @b } from "m.mld"`, `import policy @p from "m" except { deny }`, `import "m.mld" as @ns`, `import tools from mcp "cmd" as @t`',
        "what comes in",
    ),
    ("`export { @a, @g }`", "what goes out"),
    (
        "`needs { cmd: [git], node: [express@^4.0.0] }`, `profiles { full: { requires: { sh } } }`",
        "what a script needs, and how it degrades",
    ),
    ('`sign @x by "signer" with sha256`, `verify @x`', "signatures"),
    ('`env @e [ … ]`, `env @e with { tools: ["Read"] } [ … ]`', "runs a block in an environment"),
)
"""How statements are written, and what they do, in Markdown."""


def said_of(word: str) -> str:
    """What a word that a statement begins with does, in Markdown; empty for another word."""
    for written, meaning in STATEMENTS:
        if word in {found[1] for found in re.finditer(r"`([a-z]+)\b", written)}:
            return f"{written}\n\n{meaning}"
    return ""
