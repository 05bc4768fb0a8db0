"""The words that cases of flow are made of: production's own vocabularies, each whole, and some under them.

What is not in a vocabulary is written here: folders, globs, labels with parts, patterns of capabilities.
"""

from __future__ import annotations

from typing import get_args

from sluicegate.flow.labels.names import SOURCES
from sluicegate.flow.policy.text.schema import Trust
from sluicegate.flow.policy.text.vocabulary import (
    BUILTIN_RULES,
    CATEGORIES,
    CATEGORY_ALIASES,
    INFLUENCE_RULE,
    INTERPRETERS,
    KNOWN_LABELS,
    KNOWN_TARGETS,
    OPERATION_KINDS,
)
from sluicegate.flow.policy.text.vocabulary import RISKS as _RISKS

TRUSTS = get_args(Trust)
RULES = (*BUILTIN_RULES, INFLUENCE_RULE)
FOLDERS = (
    "/srv", "/srv/a", "/srv/a/b", "/tmp", "/tmp/x", "/home", "/home/u", "/home/u/dl", "/proj", "/etc", "/srv/a%20b", "/other/notes",
)  # fmt: skip
"""As labels spell them: ``%20`` is a blank."""
ORIGINS = (
    *(f"src:{source}" for source in SOURCES), "src:mcp:gh", "src:mcp:gh:list", "src:env:docker", "src:env:docker:build",
    "llm", "influenced",
)  # fmt: skip
LABELS = (
    *KNOWN_LABELS, *_RISKS, "secret:aws", "secret:aws:prod", "sensitive:hr", "pii:mail", "pii:mail:work", "pii:a:b:c:d",
    "influenced:twice", "llm:small", "from-git", *ORIGINS, *(f"dir:{folder}" for folder in FOLDERS), "dir:/nowhere",
)  # fmt: skip
LABELS = tuple(dict.fromkeys(LABELS))
RULE_LABELS = (*(label for label in LABELS if label != "trusted"), "*", "src", "src:env", "dir", "pii:a")
RISKS = (*_RISKS, "exfil:mail", "exfil:mail:out", "destructive:disk", "privileged:root")
TARGETS = tuple(dict.fromkeys((
    "*", "op", *KNOWN_TARGETS, *(f"op:{kind}" for kind in OPERATION_KINDS), "op:cmd:git", "op:cmd:git:push",
    "op:cmd:git:status", "op:cmd:rm", "op:mcp:gh", "op:mcp:gh:list", "op:mcp:gh:list:mine", "net", "fs", "exfil:mail",
    "op:call:send", "op:call:keep", "op:install:npm",
)))  # fmt: skip
GLOBS = (
    "/srv/**", "/srv/a/**", "/srv/*", "/srv/a/b/**", "/tmp/**", "/tmp/*", "~/**", "~/dl/**", "/home/u/**", "/home/**",
    "@base/**", "notes/**", "**", "**/dl/**", "/srv/a/f*", "/srv/?/**", "/srv/a b/**", "@base/notes/*", "/etc/*", "/srv/f",
)  # fmt: skip
PATHS = (
    "/srv/f", "/srv/a/f", "/srv/a/b/g", "/tmp/f", "/home/u/dl/f", "/home/u/f", "/proj/notes/f", "/etc/passwd",
    "/srv/a b/f", "/other/notes/f", "",
)  # fmt: skip
BASES = ("/other", "/srv/a")

_WITH_PARTS = tuple(
    name for name in CATEGORIES if name not in (*INTERPRETERS, "keychain", "fs", "network", "env", "cmd")
)
CAPABILITIES = tuple(dict.fromkeys((
    *(name for name in CATEGORIES if name != "keychain"), *(f"{name}:*" for name in CATEGORIES if name in _WITH_PARTS),
    *(f"{name}:x" for name in _WITH_PARTS), *(f"{name}:x:y" for name in _WITH_PARTS),
    "cmd:*", "cmd:git", "cmd:git:*", "cmd:git:status", "cmd:git:status:*", "cmd:git:push", "cmd:git:push:*:main",
    "cmd:rm", "cmd:rm:*", "cmd:rm:-r", "cmd:rm:-r:-f", "cmd:bash", "cmd:curl:*", "cmd:ls:*:x", "cmd:g*:status", "cmd:ls:?:x",
    "cmd:ls", "cmd:ls:*", "cmd:ls:x", "cmd:ls:-l", "cmd:sluicegate:verify", "cmd:tar", "cmd:python3:*", "mcp:gh", "mcp:gh:list",
    "mcp:*:list", "mcp:gh:*", "network:api.example.org", "network:*.example.org", "network:example.org", "network:API.Example.org.",
    "fs:r:/srv/**", "fs:w:/srv/**", "fs:rw:/srv/**", "fs:read:/srv/a/*", "fs:write:/tmp/?", "fs:r:**", "fs:w:**", "fs:w:/tmp/**",
    "fs:r:/srv/*", "fs:w:~/**", "fs:r:notes/**", "fs:r:/srv/a/f", "fs:rw:@base/**", "env:HOME", "env:A*", "op:show", "cmd:all",
)))  # fmt: skip
DENIED = (*CAPABILITIES, "keychain", "@keychain")
"""What stands in ``deny`` and ``danger`` as well; nobody allows the keychain."""
ALIASES = dict(CATEGORY_ALIASES)
