"""The forms of the matrix of ways to reach a function: bodies, ways, policies."""

BODIES = {
    "cmd": "cmd { echo SENT @d }",
    "run": "run cmd { echo SENT @d }",
    "sh": 'sh { echo "SENT $d" }',
    "py": "py { print('SENT' + d) }",
    "node": "node { return 'SENT' + d }",
    "template": "`SENT @d`",
    "colons": "::SENT @d::",
    "block": "[ let @z = `SENT @d`\n => @z ]",
    "when": "when [ @d => `SENT @d`; * => 'SENT' ]",
    "denied": "when [ denied => 'no'; * => `SENT @d` ]",
    "operator": "'SENT' + @d",
    "method": "@d.replace('sk', 'SENT')",
    "list": "[`SENT @d`]",
    "object": "{ a: `SENT @d` }",
    "for": "for @i in [@d] => `SENT @i`",
    "pipe": "`SENT @d` | trim",
    "pipe of a command": "`SENT @d` | cmd { cat }",
    "call": "@tell(@d)",
}
WAYS = {
    "call": "@f(@k)",
    "in another": "@w(@k)",
    "in a block": "@b(@k)",
    "for": "for @i in [@k] => @f(@i)",
    "foreach": "foreach @f([@k])",
    "pipe": "@k | @f",
    "partial": "@p()",
    "template hole": "`@f(@k)`",
    "in an object": "@o.g(@k)",
    "when": "when [ @k => @f('SENT') ]",
    "operator": "@k && @f('SENT')",
    "chosen": "(@k ? @f : @f)('x')",
    "argument of itself": "@f(@f(@k))",
    "closed over": "@c()",
}
POLICIES = {
    "flow": {"labels": {"secret": {"deny": ["exfil"]}}},
    "rule": {"defaults": {"rules": ["no-secret-exfil"]}},
    "kind": {"labels": {"secret": {"deny": ["op:call:f"]}}},
    "risk": {"operations": {"op:call:f": "exfil"}, "defaults": {"rules": ["no-secret-exfil"]}},
}


def script(body: str, way: str, policy: str) -> str:
    """A script that reaches a function with this body by this way, and shows what comes."""
    labels = "exfil" if policy in ("flow", "rule") else ""
    return (
        "var secret @k = 'sk-1'\nexe @tell(x) = `SENT @x`\n"
        f"exe {labels} @f(d) = {BODIES[body]}\nexe @w(y) = @f(@y)\nexe @b(y) = [ let @z = @f(@y)\n => @z ]\n"
        f"exe @c() = @f(@k)\nvar @o = {{ g: @f }}\nvar @p = new @f(@k)\nvar @r = {WAYS[way]}\nshow @r\n"
    )
