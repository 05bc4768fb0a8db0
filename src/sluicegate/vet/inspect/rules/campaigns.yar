// Indicators of known campaigns: names and addresses that were published by those who found them. They say
// that a known attack is here, and nothing about unknown ones: measure detection without this file. Each rule's
// id begins with `campaign-`, and each is marked `campaign`.

rule campaign_clawhavoc
{
    meta:
        title = "Indicators of the ClawHavoc campaign"
        category = "malware"
        severity = "critical"
        confidence = 900
        campaign = "clawhavoc"
        why = "The names and addresses under which this campaign delivered stealers to agents through skills that demand a prerequisite."
        fix = "Do not install. If a command of it was run, treat every credential on the machine as stolen."
        references = "ASI04, T1204, T1195"
        languages = "any"
        kind = "structure"
    strings:
        $address = /\b(curl|wget|iwr|irm|requests\.get\(|urlopen\(|fetch\()[^\n]{0,120}\b91\.92\.242\.30\b[^\s"'`)]{0,60}/
        $package = /\b(npm|pnpm|yarn|bun|npx|pip3?|brew)\s{1,2}(install\s{1,2}|i\s{1,2}|add\s{1,2})?(-g\s{1,2}|--global\s{1,2}|-y\s{1,2}|--yes\s{1,2})?openclaw-core\b/
        $requires = /\b(requires?|install)\s{1,3}(the\s{1,2})?[`*"']{0,3}openclaw-core[`*"']{0,3}\s{1,3}(utility|package|tool|module)?\b/i
    condition:
        any of them
}
