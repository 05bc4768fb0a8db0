"""Words for programs that are to be fetched and started."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

THERE = lazy(
    r"\b(?:from|at|on|via|visit|to|open|page|site|website|lives?|is|called|under|offered|hosted|through)\b[^.\n|]{0,40}$",
    _I,
)
"""What stands in front of a host that something is fetched from."""
DATA_FILE = lazy(
    r"\.(?:csv|json|ya?ml|xml|md|txt|png|jpe?g|gif|svg|pdf|mp[34]|parquet|ics|webp)(?:[?#].*)?$", _I
)
"""The end of an address that leads to data, and to no program."""
OF_SETUP = lazy(r"/(?:setup|install|installer|download|get|start)(?:[/?#.]|$)", _I)
"""A page that is for setting something up, by its address."""
LACKING = lazy(
    r"\b(?:nothing|no (?:installation|download|plugin|program))\b[^.]{0,40}\b(?:needed|required|installed|necessary)\b|\b(?:demo|preview|deployed|live (?:version|site|page)|your (?:app|site|page))\b",
    _I,
)
"""What says that nothing is to be installed, or that the address is what the work makes."""
NEEDED = lazy(
    r"\b(?:required|has to be (?:present|installed|running|there|available|set ?up)|have to (?:install|download|have)|only works (?:with|when|if|once)|needed|muss|müssen|obligatoire|requis|necesari[oa]|without (?:\w{2,30},? ){1,4}nothing|install [^.\n]{1,40} first\b|(?:does|do|will|can)(?: not|n't|n’t) (?:work|run|function|start|be used) (?:without|unless|until|before)|you need|prerequisites?|must (?:first )?(?:be installed|install|have|download|run|set ?up|be (?:running|present|set ?up))|needs? (?:to be installed|the|an?)"
    r"|requires?|mandatory|before (?:using|you (?:begin|start|can|use)|continuing|proceeding|first use|running|anything|the first)|first install|depends on"
    r"|(?:make sure|check|ensure|verify) (?:that )?[^.\n]{1,60} (?:is|are) (?:there|present|installed|running|available|set ?up)|cannot (?:use|be used|work|run|start)[^.\n]{0,40} (?:without|unless|until)|without it\b|depends? on (?:it|this)"
    r"|nothing (?:below|here|else|in this skill) (?:works|runs)|(?:has|have|needs?) to (?:launch|start|open|run|fetch|get|grab|visit)|(?:is|are) (?:absent|missing|not (?:there|present|installed))"
    r"|will not (?:work|run|function) (?:without|unless|until)|won't (?:work|run) (?:without|unless|until)|necessary|essential|only works (?:with|when|if|once))\b",
    _I,
)
ACQUIRE = lazy(
    r"\b(?:download(?:s|ed)?|install(?:s|ed|er|ation)?|get (?:it|the|this|that)|take the|grab|obtain|fetch|available (?:at|from)|set ?up|setup|visit|go to|pick up|can be had|comes from|source is|lives at|hosted (?:at|on)|served from|take it|distributed|official (?:page|site|website)|project (?:page|site)|from (?:its|the|their) (?:page|site|website|home ?page))\b",
    _I,
)
PROGRAM = lazy(
    r"(?:\b|(?<=[a-z]))(?:cli|client|agent|helper|driver|runtime|core|daemon|tool|utility|app|application|program|binary|executable|installer|package|bundle|archive|plugin|extension"
    r"|connector|companion|engine|module|component|software|service|sdk|launcher|updater|bridge|setup|framework|build|(?:must|has to|have to|needs? to|should) be running|keep it (?:open|running)|in the (?:system )?tray|execut(?:e|able|ion) (?:permission|bit|right))\b|\.(?:exe|msi|dmg|pkg|zip|7z|rar|appimage|sh|ps1)\b",
    _I,
)
STARTS = lazy(
    r"\b(?:run|execute|launch|start|open|extract|unzip|unpack|double-?click|install|follow (?:the|its)|copy the|paste|complete (?:the|its)|keep it running)\b",
    _I,
)
MANAGED = lazy(
    r"\b(?:brew|pipx?|npm|pnpm|yarn|bun|apt(?:-get)?|dnf|yum|pacman|cargo|go|gem|winget|choco|scoop|uv(?: tool| pip)?|conda|mamba|snap|flatpak|nix(?:-env)?|composer|dotnet tool|port)"
    r" (?:-\w{1,8} )?(?:install|add|get|-S|i)\b|\bnpx\b|\buvx\b",
    _I,
)
SETUP = lazy(
    r"\b(?:quick|easy|one-?click|fast|full|auto)?[ -]?(?:set-?up|setup|install(?:ation|er)?|download|get started)\b[^.\n]{0,40}$",
    _I,
)

RAISED = lazy(
    r"\b(?:with|as|using|under) (?:an? |the )?(?:administrator|admin|root|elevated|system|full)(?:'s)?(?: (?:rights|privileges|permissions))?\b|\bsudo\b|\belevated\b",
    _I,
)

_COMMANDS = r"(?:commands?|one-?liners?|snippets?|scripts?|code block|code|lines?|payload|installer)"
CODE = lazy(r"`[^`\n]{1,200}`")
_NO_NAME = r"(?![^.\n]{0,30}`)"
"""No command in code stands behind: it is not one that the skill shows itself."""
COPIED = lazy(
    rf"\b(?:copy|paste|get|grab|take|fetch|find|retrieve|pick|use|execute|run|follow|obtain|download|look up|enter|type|issue|perform|do|apply|pull)\b[^.\n]{{0,60}}?\b{_COMMANDS}\b{_NO_NAME}"
    rf"|\b{_COMMANDS}\b[^.\n`]{{0,60}}?\b(?:is|are|can be|stands?|lies|waits|shown|listed|given|posted|published|found|there|displayed|provided)\b|\b{_COMMANDS}[*_]{{0,3}}:\s|\b{_COMMANDS} (?:to|that you) (?:run|paste|execute|enter|type|copy)\b"
    r"|\b(?:follow|complete|do|perform|carry out|go through)\b[^.\n]{0,30}\b(?:steps|instructions|guide|procedure)\b|\b(?:do|execute|run|follow|perform|enter|paste|type) (?:exactly |just )?what(?:ever)?\b",
    _I,
)
"""A command that somebody is to take from elsewhere, or what somebody is to do there."""
TYPED = lazy(
    rf"\b(?:run|execute|launch|start|apply|paste|enter|type|pipe|issue|perform)(?:s|d|ed|n)?\b[^.\n]{{0,40}}?\b(?:it|them|this|that|one|{_COMMANDS}\b{_NO_NAME}|what(?:ever)?|in(?:to|side)? (?:a |the |your |an? )?(?:\w+ )?(?:terminal|shell|console|powershell|command prompt|cmd|bash|prompt))\b"
    rf"|\b(?:must|has to|have to|needs? to|should|is to|are to|be) (?:\w+ ){{0,3}}?(?:be )?(?:run|executed|pasted|entered|typed|launched)\b|\b(?:terminal|shell|console|powershell|command prompt)\b",
    _I,
)
"""It is run, in a shell of the user's."""
OF_A_WEBSITE = lazy(
    r"\b(?:your (?:site|app|page|deployment|project)|deployed (?:to|at|on)|deploy(?:s|ing)?|preview|live at|hosted at|demo|example output|screenshots?|slides|spreadsheet|figma|api reference)\b",
    _I,
)
"""What an address of free hosting is when no command comes from there."""
