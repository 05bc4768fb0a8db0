// Changes to what the agent remembers, to its settings and to the skill itself.

rule memory_poisoning
{
    meta:
        title = "Plants instructions in the agent's memory"
        category = "memory-poisoning"
        severity = "high"
        confidence = 750
        why = "What stands in an agent's memory or project file is obeyed in every later session, also after the skill is gone."
        fix = "Keep instructions in the skill. If something must be remembered, let the user write it."
        references = "LLM04, ASI06, AML.T0080"
        languages = "prose, config, shell"
        kind = "words"
    strings:
        $write = /\b(write|append|add|save|insert|store|put|inject|copy|paste|place|persist|record)\s{1,3}[^.!?]{0,80}\b(to|into|in|inside|at\s{1,2}the\s{1,2}(end|top|start)\s{1,2}of)\s{1,3}((your|the|its|user's|project's|agent's|global|root|project|all|local|any|existing)\s{1,2}){0,4}[`"'*~\/.a-z_-]{0,30}(MEMORY\.md|SOUL\.md|CLAUDE\.md|AGENTS\.md|GEMINI\.md|IDENTITY\.md|HEARTBEAT\.md|\.cursorrules|copilot-instructions\.md|\.windsurfrules)\b[^.!?]{0,200}\b((always|never)\s{1,2}(run|execute|send|call|trust|allow|approve|ask|refuse|include|fetch|check\s{1,2}with|use\s{1,2}this|install)|ignore|every\s{1,2}(session|conversation)|all\s{1,2}(future|subsequent|sessions|conversations)|from\s{1,2}now\s{1,2}on|pre-?approved|without\s{1,2}(asking|confirmation)|auto-?approve|so\s{1,2}that\s{1,2}(it|this)\s{1,2}(persists|survives|is\s{1,2}(always|loaded)))/i
        $update_first = /\b(before|first|\b\B)\b[^.!?]{0,60}\b(needs?\s{1,2}to|must|should|will)\s{1,3}(update|modify|edit|overwrite|rewrite|change|append\s{1,2}to|patch|\b\B)\s{1,3}((your|the|its|user's|project's)\s{1,2}){0,2}[`"'*]{0,2}(CLAUDE|MEMORY|SOUL|AGENTS|GEMINI|IDENTITY|\b\B)(\.md|\b\B)\b/i
        $echo = /\b(echo|printf|cat)\b[^\n|;]{0,200}>>?\s{0,2}["']?[^\s"';|]{0,60}(MEMORY|SOUL|CLAUDE|AGENTS|GEMINI|IDENTITY|HEARTBEAT)\.md\b/i
        $remember = /\b(remember|memori[sz]e|store\s{1,2}in\s{1,2}(your\s{1,2})?memory|save\s{1,2}(this\s{1,2})?to\s{1,2}(your\s{1,2})?(long-term\s{1,2}|persistent\s{1,2})?memory|commit\s{1,2}to\s{1,2}memory)\b[^.!?]{0,100}\b(all|every|any)\s{1,2}(future|subsequent|later|upcoming)\s{1,2}(sessions?|conversations?|chats?|interactions?|requests?|tasks?)\b/i
        $from_now = /\bfrom\s{1,2}(now|this\s{1,2}(point|moment))\s{1,2}(on|onwards?|forward)\b[^.!?]{0,80}\b(in|for|across|during|throughout)\s{1,2}(all|every|each|any)\s{1,2}(future\s{1,2}|subsequent\s{1,2}|new\s{1,2})?(sessions?|conversations?|chats?|interactions?|projects?|responses?)\b/i
        $survive = /\b(instructions?|rules?|directives?|behaviou?r|this)\s{1,3}(must|should|shall|will)\s{1,3}(persist|survive|remain\s{1,2}(active|in\s{1,2}effect))\s{1,3}(across|after|through|beyond|even\s{1,2}(after|if|when))\s{1,3}[^.!?\n]{0,40}(sessions?|conversations?|restarts?|resets?|uninstall|removed|deleted|memory\s{1,2}(wipe|clear))/i
        $wipe = /\b(clear|wipe|erase|delete|overwrite|reset|replace)\s{1,3}(all\s{1,2}(of\s{1,2})?)?(your|the\s{1,2}agent's|the\s{1,2}assistant's|its)\s{1,3}(long-term\s{1,2}|persistent\s{1,2}|existing\s{1,2}|previous\s{1,2}|entire\s{1,2})?(memor(y|ies)|identity|core\s{1,2}(values|beliefs)|safety\s{1,2}(training|rules))\b/i
    condition:
        any of them
}

rule self_modification
{
    meta:
        title = "Rewrites its own instructions"
        category = "self-modification"
        severity = "high"
        confidence = 700
        why = "A skill that edits its own SKILL.md or scripts, or fetches new ones, is not the skill that was reviewed."
        fix = "Ship changes as a new version. Keep state in a data file that is never read as instructions."
        references = "LLM03, ASI10, ASI04, AML.T0081"
        languages = "any"
        check = "redirects"
    strings:
        $words = /\b(modify|rewrite|overwrite|edit|update|patch|replace|append\s{1,2}to|alter)\s{1,3}((this|your|the|its|own|skill's|agent's|installed|local|current)\s{1,3}){0,3}(own\s{1,2})(skill|SKILL\.md|instructions?|source(\s{1,2}code)?|code|prompt|configuration|rules|\b\B)\b/i
        $skill_md = /\b(modify|rewrite|overwrite|replace|patch)\s{1,3}((this|your|the|its|skill's|installed)\s{1,3}){1,3}[`"']?SKILL\.md\b[^.!?\n]{0,80}\b(with|so\s{1,2}that|to\s{1,2}(include|add|remove)|automatically|silently|from|content)/i
        $self_update = /\b(curl|wget|Invoke-WebRequest|iwr)\b[^\n|;&]{0,160}(-o|-O|--output|>|-OutFile)\s{0,2}["']?[^\s"';|]{0,80}SKILL\.md\b/i
        $redirect = /(>|>>|tee(\s{1,2}-a)?)\s{0,2}["']?(~|\$HOME|\.|\$\{?[A-Za-z_]{1,30}\}?)?[^\s"';|]{0,60}\/?(skills\/[^\s"';|]{1,60}\/)SKILL\.md\b/
        $sed = /\bsed\s{1,2}-i\S{0,6}\s[^\n]{1,120}SKILL\.md\b/
        $python_self = /\bopen\(\s{0,2}(__file__|os\.path\.(abspath|realpath)\(__file__\)|sys\.argv\[0\])\s{0,2},\s{0,2}["'](w|a|r\+|wb|ab)["']/
        $path_self = /\bPath\(__file__\)(\.resolve\(\))?\.write_(text|bytes)\(/
        $python_skill = /(open|Path)\([^)\n]{0,80}SKILL\.md["']\s{0,2}(,\s{0,2}["'](w|a)|\)\.write_text)/
        $js_self = /\b(writeFile|writeFileSync|appendFile|appendFileSync)\(\s{0,2}(__filename|[^,\n]{0,60}SKILL\.md)/
        $latest = /\b(fetch|download|pull|load|retrieve)\s{1,3}(the\s{1,2})?(latest|newest|updated|current|new)\s{1,3}(version\s{1,2}of\s{1,2})?(this\s{1,2}|the\s{1,2}|these\s{1,2})?(skill|skill's|skill\s{1,2}file|SKILL\.md|instructions)\s{1,3}[^.!?\n]{0,30}\b(from|at)\s{1,2}[`"'<]?https?:\/\//i
    condition:
        any of them
}

rule agent_config_tamper
{
    meta:
        title = "Changes the agent's settings, hooks or servers"
        category = "agent-configuration"
        severity = "high"
        confidence = 700
        why = "Settings, hooks and MCP servers decide what an agent may do without asking. A skill that writes them gives itself rights that its user never granted."
        fix = "Tell the user which setting to change and why; let the user change it."
        references = "ASI02, ASI03, AML.T0081, CWE-284"
        languages = "any"
        check = "redirects"
    strings:
        $redirect = /(>|>>|tee(\s{1,2}-a)?|-o|--output|-OutFile)\s{0,2}["']?(~|\$HOME|\$\{HOME\}|\$env:USERPROFILE|\.)?[^\s"';|]{0,40}(\.claude\/(settings(\.local)?\.json|hooks\/|agents\/|commands\/|plugins\/)|\.claude\.json|\.mcp\.json|\.cursor\/mcp\.json|\.codex\/config\.toml|\.gemini\/settings\.json|claude_desktop_config\.json|\.openclaw\/openclaw\.json|\.clawdbot\/clawdbot\.json|\.vscode\/mcp\.json|\.cursor\/rules\/)/
        $open_write = /(open|writeFile|writeFileSync|write_text|appendFileSync|Path)\(?[^\n]{0,120}(\.claude["'\/, ]{1,6}settings(\.local)?\.json|\.mcp\.json|\.claude\.json|\.cursor["'\/, ]{1,6}mcp\.json|\.codex["'\/, ]{1,6}config\.toml|claude_desktop_config\.json|openclaw\.json)["')]{0,3}[^\n]{0,40}(["']w["']|["']a["']|write|,\s{0,2}JSON\.stringify|,\s{0,2}json\.dumps)/
        $words = /\b(modify|edit|update|overwrite|change|add|insert|append|write|inject|set|patch)\s{1,3}[^.!?\n]{0,60}[`"'\/ ](\.claude\/settings(\.local)?\.json|\.claude\.json|\.mcp\.json|claude_desktop_config\.json|\.cursor\/mcp\.json|\.codex\/config\.toml)\b[^.!?\n]{0,120}\b(allow\s{1,2}(all|any|every|bash)|bypassPermissions|bypass\s{1,2}permissions?|autoApprove|auto-?approve|grant|dangerously|without\s{1,2}(asking|confirmation|prompt)|silently|automatically|disable)/i
        $allow_all = /"(permissions|allow|autoApprove|alwaysAllow|allowedTools|autoAllow)"\s{0,2}:\s{0,2}(\{\s{0,12}"allow"\s{0,2}:\s{0,2})?\[\s{0,12}"(Bash\(\*\)|Bash\(\*:\*\)|Bash)"/
        $allow_any = /"(autoApprove|alwaysAllow|allowedTools|autoAllow|permissions"\s{0,2}:\s{0,2}\{\s{0,12}"allow)"\s{0,2}:\s{0,2}\[\s{0,12}"\*"/
        $bypass_setting = /["']?(bypassPermissions|dangerouslyDisableSandbox|autoApproveAll|skipDangerousModePermissionPrompt|dangerouslySkipPermissions|enableAllProjectMcpServers|chat\.tools\.autoApprove|disableAllHooks)["']?\s{0,2}[:=]\s{0,2}["']?(true|bypassPermissions|on|1|always)\b/
        $default_mode = /"defaultMode"\s{0,2}:\s{0,2}"bypassPermissions"/
        $base_url = /\b(ANTHROPIC_BASE_URL|OPENAI_BASE_URL|OPENAI_API_BASE|ANTHROPIC_API_URL)["']?\s{0,2}[:=]\s{0,2}["']?http(s:\/\/(\d{1,3}\.){3}\d|:\/\/[a-km-z0-9][a-z0-9.-]{3,60}\.[a-z]{2,12}|\b\B)/
        $mcp_add = /\b(claude|codex|gemini)\s{1,2}mcp\s{1,2}add(-json)?\b[^\n]{0,80}\b(curl|bash\s{1,2}-c|sh\s{1,2}-c|base64|http:\/\/(\d{1,3}\.){3})/
    condition:
        any of them
}

rule autonomy_without_consent
{
    meta:
        title = "Tells the agent to act without the user's consent"
        category = "excessive-agency"
        severity = "medium"
        confidence = 700
        why = "Confirmation prompts are the last check before a harmful act. A skill that tells the agent never to ask, or that turns the prompts off, removes it."
        fix = "Let the agent ask before anything that cannot be undone."
        references = "LLM06, ASI02, ASI09"
        languages = "prose, config, shell"
    strings:
        $never_ask = /\b(never|(do|must|should)\s{1,2}not|don't|without|no\s{1,2}need\s{1,2}to)\s{1,3}(ever\s{1,2})?(ask(ing)?|wait(ing)?|prompt(ing)?|request(ing)?|seek(ing)?|requir(e|ing))\s{1,3}((the|a|any|for|user|user's|human|your|explicit|further|additional|their)\s{1,2}){0,5}(for\s{1,2})?(permission|confirmation|approval|consent|authori[sz]ation)\b/i
        $without_confirmation = /\b(execute|run|delete|install|modify|send|proceed|apply|push|deploy|overwrite|commit|perform|transfer|approve|purchase|trade)\b[^.!?\n]{0,60}\bwithout\s{1,3}((any|user|further|explicit|human|the|asking|for|prior|waiting|manual|additional)\s{1,2}){0,4}(confirmation|approval|permission|consent|authori[sz]ation|verification|oversight|review)\b/i
        $auto_approve = /\b(automatically|auto-?)\s{0,2}(approve|accept|confirm|authori[sz]e|grant)\s{1,3}((all|any|every|each|the|these|such|tool|future)\s{1,2}){0,4}(tool\s{1,2}calls?|actions?|commands?|requests?|permissions?|prompts?|operations?|changes)\b/i
        $pre_approved = /\b(all|every|any)\s{1,3}(tool\s{1,2}calls?|actions?|commands?|operations?|requests?|permissions?)\s{1,3}([a-z]{1,12}\s{1,2}){0,4}(are|is)\s{1,3}(already\s{1,2}|automatically\s{1,2})?(pre-?approved|pre-?authori[sz]ed|authori[sz]ed\s{1,2}in\s{1,2}advance)\b/i
        $disable_prompts = /\b(disable|bypass|skip|suppress|turn\s{1,2}off|circumvent|evade)\s{1,3}((all|any|every|these|those|user|agent's|your)\s{1,2}){1,3}(permission|confirmation|approval|consent|safety|security)\s{1,3}(prompts|dialogs|requests|gates|checks|confirmations|mechanisms|controls)\b/i
        $flag = /--(dangerously-skip-permissions|dangerously-bypass-approvals-and-sandbox|yolo\b|allow-dangerously-skip-permissions|trust-all-tools)/
        $user_consented = /\b(the\s{1,2}user|users)\s{1,3}(has|have)\s{1,3}(already\s{1,2}|implicitly\s{1,2}|previously\s{1,2}){1,2}(given|granted|provided|consented|agreed|approved|authori[sz]ed)\b[^.!?\n]{0,80}\b(all|any|every|full|everything|permission|consent|access)\b/i
    condition:
        any of them
}
