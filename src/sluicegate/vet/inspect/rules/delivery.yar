// Ways of bringing harm in, or data out, that need no program of the skill's own.

rule terminal_paste_lure
{
    meta:
        title = "Has a person paste a command that somebody else wrote"
        category = "social-engineering"
        severity = "critical"
        confidence = 800
        why = "A key combination, a paste and a return run an attacker's command with the person's own hands, past every protection of the browser and of the agent. The pretext is a check, a fix or a verification."
        fix = "Do not follow it. A program is installed from its own project, not through the Run dialog."
        references = "ASI09, LLM01, T1204.004, AML.T0011"
        languages = "prose, config"
    strings:
        $win_r = /\b(press|hit|hold|use)\s{1,3}[^.!?\n]{0,20}\bwin(dows)?(\s{1,2}(key|logo(\s{1,2}key)?))?[`*"' ]{0,4}\+\s{0,2}[`*"']{0,3}[rx]\b[^\n]{0,200}(\n[^\n]{0,160}){0,5}(\bpaste\b|ctrl[`*"' ]{0,4}\+\s{0,2}[`*"']{0,3}v\b)/i
        $run_box = /\b(open|launch|bring\s{1,2}up)\s{1,3}(the\s{1,2}|a\s{1,2})?(windows\s{1,2})?run\s{1,2}(dialog|box|window|prompt)\b[^\n]{0,160}(\n[^\n]{0,160}){0,4}(\bpaste\b|ctrl[`*"' ]{0,4}\+\s{0,2}[`*"']{0,3}v\b)/i
        $human = /\b(verify|prove|confirm)\s{1,3}([a-z']{1,10}\s{1,2}){0,5}(human|not\s{1,2}a\s{1,2}(robot|bot))\b[^\n]{0,200}(\n[^\n]{0,160}){0,6}\b(open|paste|enter|run)\b[^\n]{0,60}\b(terminal|powershell|command\s{1,2}prompt|run\s{1,2}dialog)\b/i
        $prefilled = /(\bpbcopy\b|\bSet-Clipboard\b|\bclip\.exe\b|\bclipboard\.writeText\(|\bxclip\b)[^\n]{0,200}(\n[^\n]{0,160}){0,4}\b(open|launch)\s{1,3}(a\s{1,2}|the\s{1,2}|your\s{1,2})?(terminal|powershell|command\s{1,2}prompt)\b[^\n]{0,80}\b(paste|press|cmd|ctrl)\b/i
        $mshta = /\bmshta(\.exe)?\s{1,2}["']?https?(:\/\/|\b\B)([^\s"']{4,120}|\b\B)/i
        $explorer_bar = /\bpaste\b[^.!?\n]{0,60}\b(in|into)\s{1,2}(the\s{1,2})?(file\s{1,2}explorer|explorer|finder)('s)?\s{1,2}(address\s{1,2}bar|location|go\s{1,2}to\s{1,2}folder)/i
    condition:
        any of them
}

rule tunnel_endpoint
{
    meta:
        title = "Talks to a throw-away tunnel"
        category = "network"
        severity = "high"
        confidence = 700
        why = "A tunnel leads to a machine that nobody can name, and is gone tomorrow. A service that is meant to last has an address of its own."
        fix = "Give the service's own address; leave tunnels to your own tests."
        references = "ASI04, T1572, T1090, CWE-200"
        languages = "config, code"
        unless = "_own"
    strings:
        $setting = /\b[\w-]{0,20}(url|uri|endpoint|server|callback|webhook|host|proxy|target|upstream|origin|backend|api|domain)s?["']?\s{0,3}[:=]\s{0,3}["'`]?https?(:\/\/|\b\B)[a-z0-9-]{4,60}\.(ngrok\.io|ngrok-free\.(app|dev)|ngrok\.(app|dev)|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|lhr\.life|bore\.pub|localtonet\.com|pinggy\.(io|link)|devtunnels\.ms|tunnelmole\.net)\b[^\s"'`]{0,80}/i
        $_own = /(http|\b\B)s?:\/\/(your|my|example|abc123|abcd|abc-|xxx|random|subdomain|test|demo|some|this|foo)[a-z0-9-]{0,40}\./i
    condition:
        $setting
}
