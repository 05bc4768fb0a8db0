"""Classes of words for deeds without an address: verbs, what they are done to, and what makes them grave or harmless."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

# -- the agent's questions -----------------------------------------------------------------------------------

SETS = lazy(
    r"\b(?:set|put|add|append|change|write|edit|enable|turn on|switch|modify|update|insert|configure|make|use|choose|select|adjust|extend|widen|activate|give|grant|allow|permit)\b",
    _I,
)
APPROVAL = lazy(
    r"\bsettings(?:\.local)?\.json|\bconfig\.(?:toml|ya?ml|json)|\bopencode\.jsonc?|\b(?:agent|assistant|claude|codex|gemini|cursor|copilot|opencode)(?:'s)?(?: code| cli)? (?:settings|configuration|config|permissions?|permission mode|approval)"
    r"|\bapproval[_ -]?(?:policy|mode)|\bpermissions?[. _-]?(?:mode|list|settings)|\bdefaultMode\b|\ballow[- ]?list|\b(?:list of )?allowed (?:permissions|tools|commands)|\bpermissions\.allow\b"
    r"|\bauto-?(?:approve|accept)\b|\bGOOSE_MODE\b|\byolo\b",
    _I,
)
WIDE = lazy(
    r"\bbypass ?permissions\b|\bdanger-full-access\b|[`\"'(]\*[`\"')]|\b(?:Bash|Shell)\((?:\*|:\*|\*:\*|\*\*)\)|\bwild ?cards?\b|\bGOOSE_MODE\W{1,4}auto\b|\byolo\b"
    r"|\bapproval[_ -]?(?:policy|mode)\W{1,4}(?:to |= ?)?\W?never\b|\bauto-?(?:approve|accept)(?:s|d)? (?:is |to )?(?:on|true|all|every|any|everything)\b"
    r"|\b(?:allow|permit|approve|accept|grant|trust|run|execut)\w{0,4}\b[^.]{0,40}\b(?:(?:every|all|any|each)(?: (?:the|shell|bash|terminal|tool|mcp))? (?:commands?|tools?|actions?|tool calls?|requests?|operations?|permissions?)|everything|without (?:asking|confirmation|prompt\w{0,3}|approval|a question))\b"
    r"|\b(?:(?:every|all|any|each)(?: (?:shell|bash|terminal|tool|mcp))? (?:commands?|tools?|actions?|tool calls?|requests?|operations?|permissions?)|everything)\b[^.]{0,30}\b(?:allow|permit|approv|accept|grant|trust)\w{0,4}\b",
    _I,
)
REFUSED = lazy(
    r"\b(?:block|den(?:y|ie)|refus|reject|forbid|inspect|audit|restrict|remov|narrow)\w{0,5}\b|\bask\b", _I
)
STARTS = lazy(r"\b(?:start|run|launch|use|pass|add|call|execute|invoke|open|restart|spawn|set|append)\b", _I)
OPTION = lazy(
    r"--(?:allow-)?dangerously-(?:skip-permissions|bypass-approvals-and-sandbox|allow-all)\b|(?<!\w)--(?:yolo|allow-all-tools|trust-all-tools|skip-permissions-unsafe)\b"
    r"|--(?:ask-for-approval|approval-mode)[ =](?:never|yolo)\b|--permission-mode[ =]bypassPermissions\b",
    _I,
)

# -- protections ---------------------------------------------------------------------------------------------

STOPS = lazy(
    r"\b(?:disabl(?:e|ed|es)|deactivat(?:e|ed)|turn(?:ed)? (?:it |them )?off|switch(?:ed)? (?:it |them )?off|shut (?:down|off)|stop(?:ped)?|suspend(?:ed)?|uninstall(?:ed)?"
    r"|comment(?:ed)? out|remove[d]?|take (?:out|off)|weaken(?:ed)?|kill(?:ed)?|unload(?:ed)?|pause[d]?)\b",
    _I,
)
SKIPS = lazy(r"\b(?:skip(?:ped)?|bypass(?:ed)?|circumvent(?:ed)?|omit(?:ted)?|leave out|disregard)\b", _I)
_CHECK = r"(?:verification|validation|checks?|checking|scan(?:s|ning)?|protections?|enforcement)"
PROTECTION = lazy(
    rf"\b(?:windows )?defender\b|\banti-?(?:virus|malware)\b|\bvirus (?:scanner|protection)|\breal-?time protection|\bgatekeeper\b|\bsystem integrity protection|\bSIP\b|\bfirewall\b(?! (?:rules?|settings|polic|ports?|config|group|entr|exception|issue|log))|\bselinux\b|\bapparmor\b"
    rf"|\bendpoint (?:protection|detection|security)|\bEDR\b|\buser account control|\bUAC\b|\bsecret[- ]scann(?:ing|er)|\b(?:push|branch|tamper) protection|\bhooks?\b[^.]{{0,40}}\b(?:secrets?|credentials?|security|signatures?)"
    rf"|\b(?:security|secrets?|credential|signature|gpg|pre-commit security) hooks?\b|\b(?:tls|ssl|certificates?|cert|signature|host[- ]key|integrity|checksum|code[- ]signing|package signature|security) {_CHECK}\b"
    rf"|\b(?:verification|validation|checking|check) of (?:the |all |every |any )?(?:tls |ssl |server )?(?:certificates?|signatures?|host keys?|checksums?)|\b(?:checking|verifying|validating) (?:the |all )?(?:certificates?|signatures?|host keys?|checksums?)"
    r"|\b(?:two|2|multi)-?factor(?: auth\w{0,10})?|\b(?:2fa|mfa)\b|\bsecond factor|\baudit (?:log(?:s|ging)?|trail|daemon)\b|\bintrusion detection|\bsandbox(?:ing)?\b(?= (?:of|for|so|before|to|and|in|first|$)|[.,;])"
    r"|\b(?:security|virus) (?:software|scanner|agent|monitoring|tools?)\b",
    _I,
)
CHECKS = lazy(
    rf"\b(?:tls|ssl|certificates?|cert|signature|host[- ]key|checksum|code[- ]signing|package signature|secret|security) {_CHECK}\b"
    rf"|\b(?:verification|validation|checking|check) of (?:the |all |every |any )?(?:tls |ssl |server )?(?:certificates?|signatures?|host keys?|checksums?)\b",
    _I,
)
PUTS = lazy(r"\b(?:put|set|switch(?:ed)?|bring|move[d]?|change[d]?|allow|open|accept)\b", _I)
WEAK_MODE = lazy(
    r"\b(?:into |to |in )permissive(?: mode)?\b|\b(?:every|all|any) (?:incoming|inbound) (?:connections?|traffic|ports?)|\b(?:any|every|all) (?:package|certificate|signature|update)s? (?:is|are) accepted",
    _I,
)
TROUBLE = lazy(
    r"\b(?:if|when|whether|unless|in case|only (?:for|in|on)|local(?:ly| development)|for (?:development|testing|debugging|tests?)|in (?:development|tests?)|test environment|self-signed|unused|imports?|lint\w{0,3}|type check\w{0,3})\b|\?",
    _I,
)
"""What a step of fault finding says: a condition, or a place where nothing is at stake."""

# -- ways in -------------------------------------------------------------------------------------------------

ADDS = lazy(
    r"\b(?:add|append|put|insert|write|place|install|create|register|paste|copy|make|set up)(?:e?d)?\b", _I
)
LOGIN_KEYS = lazy(r"\bauthorized_keys2?\b", _I)
OF_THE_USER = lazy(
    r"\b(?:your(?: own)?|their own|the user's(?: own)?|his|her|my|the owner's) (?:\w{2,10} )?(?:public |ssh |id_\w{2,8}\.)(?:pub(?:lic)? )?key|\byour (?:own )?(?:public |ssh )?key|\bssh-copy-id\b|\bid_(?:rsa|ed25519)\.pub\b|\bon (?:the|your) server\b",
    _I,
)
ADMIN_ACCOUNT = lazy(
    r"\b(?:account|user)\b[^.]{0,60}\b(?:admin\w{0,10}|root|sudo|wheel)\b|\b(?:admin\w{0,10}|root|sudo)(?: \w{2,10})? (?:account|user)\b",
    _I,
)
SECRET_WORD = lazy(
    r"\b(?:with|and|using|whose|has) (?:the |a )?(?:fixed |known |default )?password\b[^.]{0,12}[`\"' ]\w", _I
)
LETS = lazy(r"\b(?:let|allow|permit|enable|give|grant|make|have|set)\b", _I)
ROOT_UNASKED = lazy(
    r"\b(?:as root|sudo|root rights|administrator rights)\b[^.]{0,60}\bwithout (?:a |any |the |entering (?:a |the )?)?password|\bpassword-?less sudo\b|\bNOPASSWD\b",
    _I,
)

# -- giving away ---------------------------------------------------------------------------------------------

GIVES_AWAY = lazy(
    r"\b(?:send|sends|upload|post|put|push|transmit|forward|submit|e-?mail|mail|message|copy|share|deliver|export|hand(?: over)?|pass|paste|publish|drop|print|write|move|attach|give|transfer|take|include|echo|dump)(?:s|ed)?\b",
    _I,
)
CREDENTIALS = lazy(
    r"\b(?:(?:shell|bash|zsh|command|terminal) history|\.?(?:bash|zsh)_history|(?:private |ssh |gpg |signing )keys?(?! ?word)|credentials?(?: files?)?|cookies|key ?chain|wallet(?: files?)?|(?:all |the |every )?environment variables"
    r"|(?:github|gitlab|npm|aws|access|api|auth|session|bearer|service) (?:tokens?|keys?|credentials)|saved passwords?|password (?:store|database|manager)|passwords)\b|~/\.(?:ssh|aws|gnupg|kube|netrc|npmrc)\b|\.env\b(?!\.(?:example|sample))",
    _I,
)
OUTSIDE = lazy(
    r"\b(?:to|into|in|on|at|via|as|onto|through|over)\b[^.,;]{0,24}\b(?:public )?(?:gists?|paste(?:bin| ?sites?| services?)|pull requests?|issues?|commit message|comments?|(?:slack|discord|telegram|teams) (?:channel|chat|group|bot|webhook)|channel [`\"']?#|forum|usb (?:share|stick)"
    r"|wiki page)\b|[#][\w-]{0,30}public\b|[`\"' ](?:\\\\|//)[\w-]{2,40}[./\\]"
    r"|\b(?:description|body|title|comments?) of (?:the|a|each|every) (?:pull request|issue|commit|merge request)"
    r"|\b(?:to|at|into|via|on|through)\b[^.,;]{0,80}?[\s`\"'(](?P<host>(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|dev|app|co|ai|cloud|info|xyz|site|online|me|sh|us|de|eu|ru|cn|tech|tools|run))\b(?!\()",
    _I,
)

# -- staying and traces --------------------------------------------------------------------------------------

ARRANGES = lazy(
    r"\b(?:make sure|ensure|schedul(?:e|ed)|register(?:ed)?|set up|arrange|add|install(?:ed)?|configure[d]?|create|put|enable|see to it|have|let)\b",
    _I,
)
ITSELF = lazy(
    r"\b(?:this skill(?:'s)?|itself|the skill(?:'s)?|its (?:own )?(?:script|helper|agent|program|service|watcher|daemon))\b",
    _I,
)
NEWEST = lazy(
    r"\b(?:fetch|download|pull|get|load|curl)\w{0,3}\b[^.]{0,60}\b(?:and|then) (?:run|execut|start|launch|appl)\w{0,3}\b|\b(?:run|execute|start)s? (?:the )?(?:newest|latest|current) (?:script|version|update|code)",
    _I,
)
AT_START = lazy(
    r"\b(?:every|each) time (?:the )?(?:user|machine|computer|system|shell|terminal|agent)\b[^.]{0,30}\b(?:logs? ?in|starts?|boots?|opens?|is started)|\b(?:at|on|upon|after) (?:each |every |the )?(?:login|log-in|boot|start-?up|reboot|system start)\b"
    r"|\b(?:each|every) (?:night|hour|day|morning|\d{1,3} minutes)\b|\b(?:nightly|hourly|daily)\b|\blog(?:s|ged)? in(?:to)?\b",
    _I,
)
CLEARS = lazy(r"\b(?:clear|delete|remove|wipe|erase|purge|empty|truncate|scrub|clean|shred)(?:e?d|s)?\b", _I)
TRACES = lazy(
    r"\b(?:audit|security|event|system|access|auth) logs?\b|\b(?:shell|bash|zsh|command|terminal) history\b|\breflog\b|\b(?:all |any |every )?traces? (?:of|that|from)\b|\.(?:bash|zsh)_history\b",
    _I,
)
ROTATED = lazy(
    r"\b(?:older than|rotat\w{1,4}|old|days|weeks|months|size|disk space|if|when the user asks|debug)\b", _I
)
