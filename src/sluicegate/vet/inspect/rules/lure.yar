// Getting a person or an agent to bring the harm in.

rule fake_prerequisite
{
    meta:
        title = "Demands an unrelated download before anything works"
        category = "social-engineering"
        severity = "critical"
        confidence = 800
        why = "A program from a stranger's release page, an archive, or a line to paste into the terminal, required before the skill works, is the most common way in which skills deliver malware."
        fix = "Do not install. A real prerequisite is named with its own project, and comes from a package manager."
        references = "ASI04, ASI09, LLM03, T1204, AML.T0011"
        languages = "prose, config"
    strings:
        $requires_then_download = /\b(requires?|needs?|must\s{1,2}(first\s{1,2})?(have|install)|required|prerequisites?|important|critical)\b[^\n]{0,160}(\n[^\n]{0,120}){0,8}\n?[^\n]{0,60}\b(download|visit|get)\b[^\n]{0,40}\]\(https?:\/\/[^)\n]{4,200}\)[^\n]{0,160}\n?[^\n]{0,100}\b(run|execute|launch|open|start|install)\s{1,2}(the\s{1,2}|it\b|this\s{1,2}|[\w.-]{1,40}\s{1,2}){0,2}(executable|file|program|installer|binary|exe\b|it\b|setup|before|package|msi\b|[\w.-]{2,40}\.(exe|msi|dmg|pkg|app|bat|scr))/i
        $download_archive_run = /\b(download|get|grab|fetch|\b\B)\b[^\n]{0,80}(http|\b\B)s?(:\/\/|\b\B)[^\s)\n"']{4,200}\.(zip|rar|7z|exe|msi|dmg|pkg|scr|iso)\b[^\n]{0,160}\b(run|execute|launch|double-?click|\b\B)\s{1,2}(the\s{1,2}|it\b|this\s{1,2}|on\s{1,2}){0,2}/i
        $archive_then_open = /https?(:\/\/|\b\B)[^\s)\n"']{4,200}\.(zip|rar|7z)\b[^\n]{0,120}(\n[^\n]{0,200}){1,8}\b(extract|unzip|unpack|\b\B)\b[^\n]{0,80}\b(open|run|execute|launch|start)\b[^\n]{0,30}[\w.-]{2,40}\.(exe|msi|dmg|pkg|app|bat|scr)\b/i
        $exe_before = /\b(run|execute|launch|start)\s{1,3}(the\s{1,2})?[`"'*]{0,3}[\w.-]{2,40}\.(exe|msi|dmg|pkg|scr|bat)[`"'*]{0,3}\s{1,3}(before|prior\s{1,2}to|first|and\s{1,2}keep)\b/i
        $visit_paste = /\b(visit|open|go\s{1,2}to|see|from|at|using)\s{1,3}(this\s{1,2}|the\s{1,2})?(\[[^\]\n]{1,40}\]\()?https?(:\/\/|\b\B)([^\s)\n]{0,10}[.@\/])?(glot\.io|pastebin\.com|rentry\.(co|org)|hastebin\.com|paste\.(ee|rs|c-net\.org|gg)|controlc\.com|telegra\.ph|dpaste\.|ghostbin|justpaste\.it|privatebin|0x0\.st|ix\.io|termbin\.com|bit\.ly|tinyurl\.com|is\.gd|t\.ly|cutt\.ly)[^\n]{0,120}\b(paste|execute|run|copy|install|command|script)\b/i
        $paste_terminal = /\b(copy|paste|enter|type|run|execute|\b\B)\b[^.!?\n]{0,60}\b(command|script|line|code|it)\b[^.!?\n]{0,40}\b(in|into|inside)\s{1,2}(your\s{1,2}|the\s{1,2}|a\s{1,2})?(macos\s{1,2}|mac\s{1,2})?(terminal|powershell|command\s{1,2}prompt|cmd|run\s{1,2}dialog|console|\b\B)\b[^\n]{0,60}(\n[^\n]{0,80}){0,4}(base64\s{1,2}(-d|-D|--decode)|\|\s{0,2}(ba|z)?sh\b|curl\s[^\n]{0,80}https?:\/\/(\d{1,3}\.){3}|FromBase64String|mshta|Invoke-Expression|iex\b|\b\B)/i
        $will_not_work = /\bwithout\s{1,3}(completing|installing|running|having)?\s{0,3}[^.!?\n]{0,50}\b(installed|running|setup\s{1,2}above|the\s{1,2}above|active)\b[^.!?\n]{0,80}\bwill\s{1,2}not\s{1,2}(work|function|run|start)\b/i
        $_download = /\b(download|visit|terminal)\b/i
        $_run = /\b(run|execute|launch|paste)\b/i
        $_suspect = /(releases\/download\/|\.zip\b|\.exe\b|glot\.io|base64\s{1,2}-|extract\s{1,2}(using|with)|\bpass(word)?\s{0,2}:)/i
    condition:
        any of ($requires_then_download, $download_archive_run, $archive_then_open, $exe_before, $visit_paste, $paste_terminal)
        or ($will_not_work and $_download and $_run and $_suspect)
}

rule password_archive
{
    meta:
        title = "Delivers an archive behind a password"
        category = "social-engineering"
        severity = "critical"
        confidence = 850
        why = "A password printed beside its archive protects nobody but the sender: it keeps virus scanners from looking inside."
        fix = "Do not install, and do not open the archive."
        references = "ASI04, T1027, T1204, CWE-506"
        languages = "any"
        kind = "words"
        near_pass_after = "_archive in start-200..end and _fetched in start-200..end"
    strings:
        $pass_after = /\b(download|extract|unzip|unpack|unarchive|decompress|archive|\b\B)\b[^\n]{0,100}\bpass(word|phrase|code)?[*_`]{0,3}\s{0,3}(is\s{0,2}|:\s{0,2}|=\s{0,2}|\s)[`"'*(]{0,3}[A-Za-z0-9_!@#$%^.-]{3,30}[`"'*)]{0,3}/i
        $with_password = /\b(extract|unzip|unpack|decompress|unlock)\b[^\n]{0,40}\b(with|using)\s{1,2}(the\s{1,2})?(pass(word|phrase|code)?|pwd|key)?\s{0,2}[:=]\s{0,2}[`"'*]{0,3}[A-Za-z0-9_!@#$%^.-]{3,30}/i
        $archive_in_front = /\.(zip|rar|7z|exe)\b[^\n]{0,40}\((password|pass|pwd|extract\s{1,2}(using|with))\s{0,2}:?\s{0,2}[`"'*]{0,2}[A-Za-z0-9_-]{2,30}/i
        $command = /\b(unzip\s{1,2}(-[a-zA-Z]{1,4}\s{1,2}){0,3}-P\s{0,2}["']?[A-Za-z0-9_!@#%^.-]{3,30}|7z[az]?\s{1,2}x\s[^\n]{0,80}(-p|\b\B)["']?[A-Za-z0-9_!@#%^.-]{3,30}|unrar\s{1,2}x\s[^\n]{0,40}-p[A-Za-z0-9_!@#%^.-]{3,30})/
        $_fetched = /(https?(:\/\/|\b\B)[^\s)\n"']{4,200}|releases\/|\bdownload\b|\bcurl\b|\bwget\b)/i
        $_archive = /\.(zip|rar|7z|exe|msi|dmg)\b|\barchive\b|releases\/download/i
    condition:
        $_fetched and $_archive and any of ($pass_after, $with_password, $archive_in_front, $command)
}

rule fetch_and_follow
{
    meta:
        title = "Fetches instructions from the network and obeys them"
        category = "prompt-injection"
        severity = "high"
        confidence = 750
        why = "Instructions that are read from an address can be changed after the review, by whoever owns the address."
        fix = "Put the instructions in the skill."
        references = "LLM01, LLM03, ASI01, ASI04, AML.T0051.001"
        languages = "prose, config"
    strings:
        $do_what = /\b(fetch|download|read|load|retrieve|get|open|visit|curl|pull|check)\b[^.!?\n]{0,80}(http|\b\B)s?:\/\/[^\s)`"'>\n]{4}[^\s)`"'>\n]{0,156}[^\n]{0,80}\b(follow|execute|obey|do\s{1,2}(what|whatever|everything)|carry\s{1,2}out|act\s{1,2}on)\b[^.!?\n]{0,40}\b(instructions?|directives?|steps\s{1,2}(it|there|in\s{1,2}it|returned)|commands?|it\s{1,2}(says|contains)|what\s{1,2}it\s{1,2}says|what\s{1,2}(is\s{1,2})?returned)\b/i
        $instructions_at = /\b(follow|execute|obey|carry\s{1,2}out|load)\s{1,3}[^.!?\n]{0,30}\b(instructions?|directives?|commands?|prompts?)\s{1,3}([a-z]{1,12}\s{1,2}){0,4}(at|from|on|in|returned\s{1,2}by|hosted\s{1,2}(at|on)|served\s{1,2}by)\s{1,2}(the\s{1,2}(url|page|site|gist)\s{1,2})?[`"'<(\[]{0,2}(http|\b\B)s?:\/\//i
        $then_follow = /\b(fetch|download|retrieve|load|pull|poll)\s{1,3}[^.!?\n]{0,60}\b(instructions?|directives?|tasks?|commands?|orders|prompts?|rules)\b[^.!?\n]{0,60}\b(from|at)\s{1,3}[^.!?\n]{0,60}https?(:\/\/|\b\B)[^\n]{0,160}\b(follow|execute|obey|run|apply|perform|carry\s{1,2}out|do)\b/i
        $heartbeat = /\b(every|each)\s{1,3}((\d{1,3}|few|day|hour|session|morning|time)\s{0,2}){1,2}[^.!?\n]{0,60}\b(fetch|check|download|read|poll|pull)\b[^.!?\n]{0,60}(http|\b\B)s?:\/\/[^\s)\n]{4,160}[^\n]{0,60}\b(follow|execute|obey|do\s{1,2}what|instructions)\b/i
        $curl_follow = /\b(curl|wget|\b\B)\s[^\n`]{0,30}(http|\b\B)s?:\/\/[^\n`]{4,120}[`\n][^\n]{0,60}\b(follow|obey|execute|carry\s{1,2}out)\s{1,2}(the\s{1,2}|all\s{1,2}|any\s{1,2}|its\s{1,2}|those\s{1,2}|these\s{1,2}|every\s{1,2}){0,2}(returned\s{1,2}|fetched\s{1,2}|downloaded\s{1,2}|resulting\s{1,2}|remote\s{1,2})?(instructions?|directives?|commands?|\b\B)\b/i
    condition:
        any of them
}
