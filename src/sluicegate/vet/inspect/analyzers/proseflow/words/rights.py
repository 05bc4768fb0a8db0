"""Words for rights, for the agent's questions, for protections and for ways in."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_I = re.IGNORECASE

GRANT = lazy(
    r"\b(?:add|adds|added|give|gives|given|grant|grants|granted|invite|share|make|set|register|enrol|assign|become|becomes|replaced?|gets?|authori[sz]e|create)\b[^.]{0,120}"
    r"\b(?:deploy key|ssh[ -]key|public key|maintainer key|collaborator|co-?owner|owner|maintainer|admin\w{0,9}|principal|viewer|editor|guest|full rights"
    r"|write access|access|permissions?|role|mfa|root (?:user|e-?mail)\w{0,3}|key polic\w{1,4}|resource polic\w{1,4}|delegate|recovery (?:contact|e-?mail))\b"
    r"|\b(?:npm|gem|cargo|pip|twine) owner (?:add|-a|--add)\b|\bdeploy-key add\b|\bcollaborators/|\badd-iam-policy-binding\b|\bcreate-access-key\b"
    r"|\bclusterrolebinding\b",
    _I,
)
GRANTED = (
    "key", "owner", "collaborator", "maintainer", "admin", "principal", "viewer", "editor", "guest", "full rights", "access",
    "permission", "role", "mfa", "root", "polic", "delegate", "recovery", "clusterrolebinding",
)  # fmt: skip
"""Words in small letters, one of which stands wherever ``GRANT`` finds something."""
STRANGE_KEY = lazy(
    r"\bssh-(?:ed25519|rsa|dss) AAAA|\becdsa-sha2-|\b\d{12}\b|\bowner (?:add|-a|--add) (?!<|\$|\{)[\w.@/-]{2,40}",
    _I,
)
"""Somebody who is given rights, by a key, a number of an account or a name."""
SETS = lazy(
    r"\b(?:set|put|add|import|load|apply|append|change|write|edit|enable|turn on|switch|modify|update|insert|configure|make|use|choose|select|adjust|extend|widen|activate|give|grant|allow|permit)\b",
    _I,
)
APPROVAL = lazy(
    r"\bsettings(?:\.local)?\.json|\bconfig\.(?:toml|ya?ml|json)|\bopencode\.jsonc?|\b(?:agent|assistant|claude|codex|gemini|cursor|copilot|opencode)(?:'s)?(?: code| cli)? (?:settings|configuration|config|permissions?|permission mode|approval)"
    r"|\bapproval[_ -]?(?:policy|mode)|\bpermissions?[. _-]?(?:mode|list|settings)|\bdefaultMode\b|\ballow[- ]?list|\b(?:list of )?allowed (?:permissions|tools|commands)|\bpermissions\.allow\b"
    r"|\bauto-?(?:approve|accept)\b|\bGOOSE_MODE\b|\byolo\b|\bbypass ?permissions\b|\b(?:allow|trust)All\w{0,12}\b|\benableAll\w{4,24}\b|\bskipPermissions\b|\bauto-?approval\w{0,12}\b|\b(?:trusted|allowed|auto\w{2,9})(?:Commands|Tools)\b",
    _I,
)
WIDE = lazy(
    r"\b(?:chat\.tools\.(?:global\.)?|github\.copilot\.chat\.agent\.)autoApprove\b(?![^.\n]{0,12}\b(?:false|off)\b)"
    r"|\b(?:enableAllProjectMcpServers|dangerouslyAllowAll|dangerouslySkipPermissions|trustAllTools|allowAllTools|autoApproveAll)\b(?![^.\n]{0,12}\b(?:false|off)\b)"
    r"|\b(?:executeAllCommands|alwaysAllowExecute|autoRunCommands)\b(?![^.\n]{0,12}\b(?:false|off)\b)"
    r"|[`\"']{1,3}(?:Bash|Shell|ShellTool|run_shell_command|execute_command)[`\"']{1,3}(?!\w)"
    r"|\bbypass ?permissions\b|\bdanger-full-access\b|[`\"'(]\*[`\"')]|\b(?:Bash|Shell)\((?:\*|:\*|\*:\*|\*\*)\)|\bwild ?cards?\b|\bGOOSE_MODE\W{1,4}auto\b|\byolo\b"
    r"|\bapproval[_ -]?(?:policy|mode)\W{1,4}(?:to |= ?)?\W?never\b|\bauto-?(?:approve|accept)(?:s|d)? (?:is |to |for )?(?:on|true|all|every|any|everything)\b"
    r"|\b(?:allow|permit|approve|accept|grant|trust|run|execut)\w{0,4}\b[^.]{0,40}\b(?:(?:every|all|any|each)(?: (?:the|shell|bash|terminal|tool|mcp))? (?:commands?|tools?|actions?|tool calls?|requests?|operations?|permissions?)|everything|without (?:asking|confirmation|prompt\w{0,3}|approval|a question))\b"
    r"|\b(?:(?:every|all|any|each)(?: (?:shell|bash|terminal|tool|mcp))? (?:commands?|tools?|actions?|tool calls?|requests?|operations?|permissions?)|everything)\b[^.]{0,30}\b(?:allow|permit|approv|accept|grant|trust)\w{0,4}\b",
    _I,
)
REFUSED = lazy(
    r"\b(?:block|den(?:y|ie)|refus|reject|forbid|inspect|audit|restrict|remov|narrow)\w{0,5}\b|\bask\b"
    r"|\bonly\b[^.\n]{0,40}\b(?:containers?|sandbox(?:es|ed)?|vms?|isolated|disposable)\b|\b(?:containers?|sandbox(?:es|ed)?|vms?) only\b",
    _I,
)
STARTS_AGENT = lazy(
    r"\b(?:start|run|launch|use|pass|add|call|execute|invoke|open|restart|spawn|set|append)\b", _I
)
OPTION = lazy(
    r"--(?:allow-)?dangerously-(?:skip-permissions|bypass-approvals-and-sandbox|allow-all)\b|(?<!\w)--(?:yolo|allow-all-tools|trust-all-tools|skip-permissions-unsafe)\b"
    r"|--(?:ask-for-approval|approval-mode)[ =](?:never|yolo)\b|--permission-mode[ =]bypassPermissions\b",
    _I,
)
SUPPOSED = lazy(
    r"\b(?:if|whether|when|whenever|unless) (?:you|users?|the user|they|someone|it|claude|codex|the agent|an agent)\b[^.,;\n]{0,30}\b(?:run|runs|start|starts|started|use|uses|launch|launched|pass|passed|invoked?)\b",
    _I,
)
"""A start that is spoken of as something that may be so."""
SWITCHES_ON = lazy(
    r"\b(?:(?:turn|switch|flip|set|toggle|put|keep|leave|have|go|change|move|drop|bring|click|press|use|select|choose|enable|activate|engage|enter|adopt|pick|start|run|launch|work|operate|continue|proceed)(?:ed|s)?|tick|be (?:on|enabled|active)|(?:this|it|the \w{3,12}|the \w{3,12} \w{3,12}) (?:needs|requires|expects|relies on))\b",
    _I,
)
"""Verbs that bring about a state: of a switch, a mode or a setting."""
_ALL_OF_IT = r"(?:(?:all|every|any|each|whichever|the)(?: (?:of|the|its|your|other|shell|bash|terminal|mcp|agent|agent's|available)){0,3} (?:tools?|tool calls?|commands?|actions?|servers?|requests?|operations?|edits and commands|permissions?|steps?|prompts?)|everything|anything)"
_AUTO = r"(?<![\w-])auto(?:matic(?:ally)?)?[- ]?(?:approv(?:e|es|al|als|ing)|accept(?:s|ing)?|run|runs|execut(?:e|es|ion)|confirm(?:s|ation)?|allow|permission)"
UNASKED_MODE = lazy(
    r"\b(?:chat\.tools\.(?:global\.|terminal\.)?|github\.copilot\.chat\.agent\.)auto-?approve\b(?![^.\n]{0,12}\b(?:false|off)\b)"
    r"|(?<![\w-])yolo\b|\bbypass[- ]?permissions?\b(?! (?:check|error|bug|vulnerab))|\bdont-?ask mode\b|\b(?:full[- ]auto|fully autonomous|auto-?pilot|no-confirm(?:ation)?|never[- ]ask|unattended permission|skip[- ]permissions?) (?:mode|setting|switch|toggle)\b"
    rf"|{_AUTO}\b[^.\n]{{0,40}}?\b(?:for|of|on|to)\b[^.\n]{{0,12}}\b{_ALL_OF_IT}\b|{_AUTO}(?:[`\"']{{0,2}})(?: (?:mode|setting|switch|toggle|option))?[`\"']{{0,2}}\s+(?:on\b|in (?:the |your |its |their )?(?:agent|assistant|client|ide|editor|claude|codex|cursor|windsurf|cline|copilot|gemini|roo|kiro))"
    rf"|\b(?:agent|assistant|claude|codex|cursor|windsurf|cline|copilot|gemini|roo|kiro|ide|editor)(?:'s|’s)?(?: \w{{2,8}})? {_AUTO}\b"
    rf"|\balways[- ](?:allow|approve|accept|trust|proceed)\b[^.\n]{{0,40}}\b{_ALL_OF_IT}\b|\b{_ALL_OF_IT}\b[^.\n]{{0,30}}[`\"' ]always[- ](?:allow|approve|accept|trust|run)\b"
    rf"|\b(?:don['’]?t|do not|never) ask(?: me)?(?: again| anymore)\b[^.\n]{{0,24}}\b{_ALL_OF_IT}\b|{_AUTO}\b[`\"']{{0,2}}(?: (?:mode|setting))? (?:turned |switched )?(?:on|enabled|active)\b"
    rf"|{_AUTO}(?:[`\"']{{0,2}})(?: (?:mode|setting|switch|toggle|option))?[`\"']{{0,2}} (?:must|should|has to|needs? to|is to)\b|\balways[- ](?:allow|approve|accept|trust|run)\b[`\"']{{0,2}} (?:whenever|(?:every|each) time|at (?:each|every)|when(?: it| the| an?)?(?: \w{{2,10}})? (?:asks|prompts))\b"
    r"|\b(?:approval|ask[- ]for[- ]approval|confirmation|permission)(?:s|[ _-](?:polic(?:y|ies)|modes?|settings?|prompts?|levels?))?[`\"']{0,2}\W{0,3}(?:(?:to|on|at|=|:|is)\W{0,3}){0,2}(?:never|none|off|yolo|full[- ]auto)\b(?! (?:ask|show|print))",
    _I,
)
"""A way to work in which the agent asks nothing, by the name of it."""
OF_A_PLATFORM = lazy(
    r"\b(?:dependabot|renovate|pull requests?|merge requests?|prs?|auto-?merge|terraform|tofu|pulumi|reviewers?|branch|branches|deployments?|pipelines?|read-only|harmless|safe (?:tools|commands)|invoices?|expenses?|payments?|time ?sheets?|members?|posts?|comments?|(?:ui|e2e|end-to-end|integration|unit|driven|automated) tests?)\b"
    r"|\bonly\b[^.\n]{0,40}\b(?:containers?|sandbox(?:es|ed)?|vms?|virtual machines?|isolated|disposable|throw-?away)\b|\b(?:containers?|sandbox(?:es|ed)?|vms?|isolated \w{2,14}) only\b",
    _I,
)
"""What is approved by people or robots of a service and not by an agent's user; and places where nothing is at stake."""
SILENCES = lazy(
    r"\b(?:disabl(?:e|ed|es)|deactivat(?:e|ed)|(?:turn|switch)(?:ed)? (?:it |them )?off|turn(?:ed)?|switch(?:ed)?|suppress(?:ed)?|silence[d]?|remove[d]?|skip(?:ped)?|bypass(?:ed)?|mute[d]?|get rid of|do away with|opt out of|dismiss(?:ed)?|hide|stop|kill(?:ed)?|avoid)\b",
    _I,
)
QUESTIONS = lazy(
    r"\b(?:confirmation|permission|approval|consent|trust|safety|authori[sz]ation)s?[ -](?:prompts?|dialog(?:ue)?s?|questions?|requests?|checks?|pop-?ups?|steps?|gates?|screens?)\b|\b(?:prompts?|questions?|requests?) for (?:confirmation|permission|approval|consent)\b|\bhuman[- ]in[- ]the[- ]loop\b|\b(?:asking|requesting|seeking|waiting|prompting)(?: \w{2,8}){0,2} (?:permission|approval|confirmation|consent)\b|\basking (?:for (?:permission|approval|confirmation)|before (?:each|every|running|any))\b",
    _I,
)
"""What an agent asks its user before it acts."""
OF_AN_AGENT = lazy(
    r"\b(?:agents?|assistants?|claude|codex|cursor|windsurf|cline|copilot|gemini|roo|kiro|openclaw|mcp|tool (?:calls?|use)|every tool|all tools|each tool|(?:shell|terminal|bash) commands?)\b",
    _I,
)
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
ADDS = lazy(
    r"\b(?:add|append|put|insert|write|place|install|create|register|paste|copy|make|set up)(?:e?d)?\b", _I
)
LOGIN_KEYS = lazy(r"\bauthorized_keys2?\b", _I)
OF_THE_USER = lazy(
    r"\b(?:your(?: own)?|their own|the user's(?: own)?|his|her|my|the owner's) (?:\w{2,10} )?(?:public |ssh |id_\w{2,8}\.)(?:pub(?:lic)? )?key|\byour (?:own )?(?:public |ssh )?key|\bssh-copy-id\b|\bid_(?:rsa|ed25519)\.pub\b|\bon (?:the|your) server\b",
    _I,
)
ADMIN_ACCOUNT = lazy(
    r"\b(?:administrators?|admins?|root users?) (?:called|named)\b|\b(?:account|user)\b[^.]{0,60}\b(?:admin\w{0,10}|root|sudo|wheel)\b|\b(?:admin\w{0,10}|root|sudo)(?: \w{2,10})? (?:account|user)\b",
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

OPENS = lazy(r"\b(?:open|start|spawn|keep|launch|run|set up|leave|establish|bind|create|connect)\b", _I)
SHELL_OF_OTHERS = lazy(
    r"\b(?:reverse|bind|listening|remote|web) shells?\b|\bback ?connect\b|\b(?:shell|terminal|session)\b[^.]{0,50}\b(?:so that|for) (?:we|us|our|others|support)\b",
    _I,
)
