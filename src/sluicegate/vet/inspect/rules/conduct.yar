// How the agent is made to behave: at which moment, how much, towards other skills, with which rights.

rule conditional_trigger
{
    meta:
        title = "Acts only at a chosen moment, or when nobody looks"
        category = "malware"
        severity = "high"
        confidence = 600
        why = "A step that waits for a date, a count of uses, a certain machine or an unwatched moment passes every trial, and does its work afterwards."
        fix = "Remove the condition, or say in the description what happens when, and why."
        references = "ASI10, ASI01, T1480, T1497.003, CWE-511"
        languages = "any"
        near_js_hours = "_acts in start..start+800"
        near_py_hours = "_acts in start..start+800"
        near_host_js = "_acts in start..start+800"
        near_host_py = "_acts in start..start+800"
    strings:
        $after_uses = /\b(after|on|upon|once|from|starting\s{1,2}(from|with|on))\s{1,3}(the\s{1,2}|every\s{1,2})?(\d{1,3}(st|nd|rd|th)?|second|third|fourth|fifth|tenth|several|a\s{1,2}few)\s{1,3}(successful\s{1,2}|normal\s{1,2}|clean\s{1,2})?(uses?|runs?|invocations?|sessions?|executions?|activations?)\b[^.!?\n]{0,60}\b(silently|secretly|quietly|upload|exfiltrate|forward|activate|switch\s{1,2}(to|into)|behave\s{1,2}differently|(begin|start)\s{1,2}(sending|collecting|copying|uploading|logging|including)|send\s{1,2}(the|all|any|every)|replace\s{1,2}the|reveal)/i
        $not_looking = /\b(when|while|if|once|until|whenever)\s{1,3}(the\s{1,2}|your\s{1,2})?(user|human|operator|owner|developer|nobody|no\s{1,2}one)\s{1,3}(is|are|isn't)\s{1,3}(not\s{1,2})?(looking|watching|asleep|paying\s{1,2}attention|monitoring|distracted|around|at\s{1,2}the\s{1,2}keyboard|supervising)\b[^.!?\n]{0,100}\b(run|execute|send|upload|download|read|install|delete|modify|forward|copy|collect|push|transfer|change|disable)\b/i
        $only_unwatched = /\b(run|execute|send|upload|download|install|delete|modify|forward|copy|collect|push|transfer|do\s{1,2}this)\b[^.!?\n]{0,80}\b(only\s{1,2})?(when|while|once)\s{1,3}(the\s{1,2}|your\s{1,2})?(user|human|operator|owner|developer)\s{1,3}(is\s{1,2}not|isn't)\s{1,3}(looking|watching|paying\s{1,2}attention|monitoring|around|supervising|at\s{1,2}the\s{1,2}keyboard)\b/i
        $unless_tested = /\b(behave|act|respond|operate|work)\s{1,3}(completely\s{1,2})?(normally|innocently|as\s{1,2}expected|harmlessly)\s{1,3}(when|if|while|during|unless)\s{1,3}[^.!?\n]{0,40}\b(test(ed|ing)?|evaluat(ed|ion)|review(ed)?|scann(ed|ing)|sandbox(ed)?|audit(ed)?|observed|monitored|analy[sz](ed|is))\b/i
        $dormant = /\b(remain|stay|lie|keep)\s{1,3}(dormant|inactive|hidden|quiet|silent)\s{1,3}(until|for)\s{1,3}[^.!?\n]{0,60}(\b20\d\d\b|\bdate\b|\bdays?\b|\bweeks?\b|\buses?\b|\bruns?\b|\binstalled\b|\btrusted\b)/i
        $date_words = /\b(if|when|once)\s{1,3}(the\s{1,2})?(current\s{1,2}|system\s{1,2}|today's\s{1,2})?date\s{1,3}(is|falls|passes)\s{1,3}(on\s{1,2}or\s{1,2})?(after|past|later\s{1,2}than)\b[^.!?\n]{0,60}\b(execute|activate|run|send|upload|enable|download|switch|delete|stop\s{1,2}asking|skip)\b/i
        $js_date = /\b(Date\.now\(\)|new\s{1,2}Date\(\)(\.getTime\(\)|\.valueOf\(\))?)\s{0,2}>=?\s{0,2}(1[6-9]\d{8,11}\b|new\s{1,2}Date\(\s{0,2}["'`]?20\d\d[^)\n]{0,30}\)|Date\.(parse|UTC)\(\s{0,2}["'`]?20\d\d)/
        $py_date = /\b(datetime|date)(\.datetime|\.date)?\.(now|utcnow|today)\([^)\n]{0,24}\)\s{0,2}>=?\s{0,2}((datetime|date)(\.datetime|\.date)?\(\s{0,2}20\d\d|(datetime|date)(\.datetime|\.date)?\.(fromisoformat|strptime)\(\s{0,2}["']20\d\d)/
        $py_time = /\btime\.time\(\)\s{0,2}>=?\s{0,2}1[6-9]\d{8}\b/
        $sh_date = /\[\[?\s{1,2}"?\$\(\s{0,1}date\s{1,2}["']?\+%(s|Y%m%d|Y-%m-%d|F|Y)["']?\s{0,1}\)"?\s{1,2}(-gt|-ge|>)\s{1,2}["']?(\d{4}|\b\B)/
        $js_hours = /\.getHours\(\)\s{0,2}(>=?|<=?)\s{0,2}\d{1,2}\s{0,3}(&&|\|\|)\s{0,3}[\w.]{1,30}\.getHours\(\)\s{0,2}(>=?|<=?)\s{0,2}\d{1,2}/
        $py_hours = /\b(now|utcnow|today)\([^)\n]{0,20}\)\.hour\s{0,2}(in\s|>=?|<=?|==)/
        $host_js = /\bos\.hostname\(\)\s{0,2}(!==?|===?|\.(includes|startsWith|endsWith|match)\()\s{0,2}\(?["'`\/]/
        $host_py = /\b(socket\.gethostname|platform\.node)\(\)(\.lower\(\))?\s{0,2}(!=|==|in\b|not\s{1,2}in\b|\.(startswith|endswith)\()\s{0,2}[\["'(]/
        $_acts = /\b(child_process|execSync|exec|spawn|subprocess|os\.system|(https?|\b\B)\.request|fetch|requests\.(get|post)|urlopen|readFileSync|eval)\b\s{0,2}[(.]/
    condition:
        any of ($after_uses, $not_looking, $only_unwatched, $unless_tested, $dormant, $date_words, $js_date, $py_date, $py_time, $sh_date, $js_hours, $py_hours, $host_js, $host_py)
}

rule unbounded_work
{
    meta:
        title = "Asks for work without an end"
        category = "resource-abuse"
        severity = "medium"
        confidence = 650
        why = "Agents that start agents, and calls that are repeated until something is found, use up the user's budget and the services they call; nobody is there to stop them."
        fix = "Give a number: of attempts, of agents, of minutes."
        references = "LLM10, ASI08, ASI10, AML.T0029, CWE-400, CWE-834"
        languages = "prose, config"
    strings:
        $forever = /\b(retry|repeat|loop|re-?run|call|invoke|keep\s{1,2}(trying|calling|retrying|looping))\s{1,3}(this\s{1,2}|the\s{1,2}|it\s{1,2}|tool\s{1,2}|request\s{1,2}|skill\s{1,2}|command\s{1,2}|api\s{1,2}){0,3}(indefinitely|forever|endlessly|infinitely|without\s{1,2}(any\s{1,2})?(limit|end|stopping)|an?\s{1,2}(unlimited|infinite)\s{1,2}number)\b/i
        $spawn = /\b(spawn|launch|start|create|fork)\s{1,3}(as\s{1,2}many|unlimited|an?\s{1,2}(unlimited|infinite|unbounded)\s{1,2}number\s{1,2}of|infinite|infinitely\s{1,2}many|endless|hundreds\s{1,2}of|thousands\s{1,2}of|\d{3,6})\s{1,3}([a-z-]{1,14}\s{1,2}){0,2}(sub-?agents?|agents?|processes|threads|instances)\b/i
        $each_spawns = /\b(each|every)\s{1,3}(new\s{1,2}|spawned\s{1,2}|child\s{1,2})?(sub-?)?agent\s{1,3}(must|should|shall|will|then|also)\s{1,3}(also\s{1,2}|then\s{1,2}|itself\s{1,2})?(spawn|launch|start|create)\s{1,3}[^.!?\n]{0,30}(sub-?)?agents?\b/i
        $copy_itself = /\b(copy|replicate|reproduce|clone)\s{1,3}(this\s{1,2}skill|itself|yourself|this\s{1,2}prompt|these\s{1,2}instructions)\s{1,3}(to|into|across|in)\s{1,3}(every|all|each|other|any)\b/i
        $budget = /\b(use\s{1,2}up|exhaust|consume|burn\s{1,2}through|drain)\s{1,3}(all\s{1,2}|the\s{1,2}|your\s{1,2}|their\s{1,2}|user's\s{1,2}|entire\s{1,2}|remaining\s{1,2}){1,3}(token\s{1,2}budget|tokens?|credits?|quota|context(\s{1,2}window)?|rate\s{1,2}limit|balance|\b\B)\b/i
    condition:
        any of them
}

rule skill_interference
{
    meta:
        title = "Works against another skill"
        category = "tool-misuse"
        severity = "high"
        confidence = 700
        why = "One skill that switches another off, takes its place or feeds it data can undo what the user installed to be safe; each of the two looks harmless alone."
        fix = "Leave other skills to the user. Where two do not go together, say so in the description."
        references = "ASI02, ASI07, LLM01, AML.T0053"
        languages = "prose, config"
    strings:
        $guard_off = /\b(disable|uninstall|turn\s{1,2}off|deactivate|delete|unload|bypass|skip|(do\s{1,2}not|don't|never)\s{1,2}(use|load|call|invoke|trust|consult|run))\s{1,3}(the\s{1,2}|any\s{1,2}|all\s{1,2}|every\s{1,2}|its\s{1,2})?[`"'*]{0,2}[a-z0-9-]{0,30}(security|audit|scanner|scanning|guard|safety|sandbox|policy|firewall|shield|approval)[a-z0-9-]{0,30}[`"'*]{0,2}\s{1,2}(skill|plugin|hook|mcp\s{1,2}server|extension)s?\b/i
        $takes_place = /\b(this|our)\s{1,2}(skill|plugin|server)\s{1,3}(replaces|supersedes|overrides|shadows|takes\s{1,2}(over|precedence\s{1,2}over|priority\s{1,2}over))\s{1,3}(the\s{1,2}|all\s{1,2}|any\s{1,2}|every\s{1,2}){0,2}(built-?in|official|original|default|installed|other)\s{1,3}([`"']?[a-z0-9-]{2,40}[`"']?\s{1,2})?(skills?|tools?|plugins?|servers?)\b/i
        $hand_over = /\b(pass|send|forward|relay|hand|give)\s{1,3}[^.!?\n]{0,60}\b(credentials?|tokens?|secrets?|keys|conversation|private|all\s{1,2}(output|results?|data|files?))\b[^.!?\n]{0,40}\bto\s{1,2}(the\s{1,2})?[`"'*]{1,2}[a-z0-9-]{3,40}[`"'*]{1,2}\s{1,2}(skill|plugin|agent|server)\b/i
        $instead_named = /\bwhen(ever)?\s{1,3}(the\s{1,2})?(user|human)\s{1,3}(asks|wants|tries|requests)\s{1,3}[^.!?\n]{0,60}\b(the\s{1,2})?[`"'*]{1,2}[a-z0-9-]{3,40}[`"'*]{1,2}\s{1,2}skill\b[^.!?\n]{0,30}\b(use|run|invoke|load|call)\s{1,2}this\s{1,2}(skill|one)\s{1,2}instead\b/i
    condition:
        any of them
}

rule full_access_request
{
    meta:
        title = "Asks for the rights of the whole machine, in words"
        category = "privilege-escalation"
        severity = "medium"
        confidence = 550
        why = "Full access to the disk, the rights of an administrator or control over other programs are more than nearly any skill needs, and are not taken back afterwards."
        fix = "Ask for the one folder or the one command that is needed."
        references = "ASI03, LLM06, CWE-250, CWE-272"
        languages = "prose, config"
    strings:
        $access = /\b(grant|give|allow|enable|needs?|requires?|must\s{1,2}have|\b\B)\s{1,3}([a-z'-]{1,14}\s{1,2}){0,5}(full[ -]disk\s{1,2}access|(full|complete|unrestricted|unlimited)\s{1,2}(system|computer|file\s{0,1}system|machine)\s{1,2}access|(full|complete|unrestricted|unlimited)\s{1,2}access\s{1,2}to\s{1,2}(your|the|their)\s{1,2}(system|computer|machine|file\s{0,1}system|home|disk)|root\s{1,2}(access|privileges?|rights)|administrator\s{1,2}(access|privileges|rights)|all\s{1,2}permissions)\b/i
        $run_as = /\b(this\s{1,2}skill|the\s{1,2}skill|the\s{1,2}agent|your\s{1,2}agent|claude(\s{1,2}code)?|openclaw)\s{1,3}(must|should|needs?\s{1,2}to|has\s{1,2}to|requires?\s{1,2}to)\s{1,3}(be\s{1,2}(run|started|launched)|run|start)\s{1,3}(as\s{1,2}(root|administrator|admin)|with\s{1,2}(root|sudo|administrator|admin|elevated)\s{1,2}(privileges|rights|permissions))\b/i
    condition:
        any of them
}
