// Code that is not hostile, and lets others be: what a tool is given goes where it should not.

rule sql_built_from_text
{
    meta:
        title = "Builds a query of the database from text"
        category = "dangerous-code"
        severity = "medium"
        confidence = 550
        why = "A value that is put into the text of a query can change the query: what a tool is asked to look up becomes what it does."
        fix = "Use placeholders, and pass the values apart from the text."
        references = "LLM05, ASI05, CWE-89"
        languages = "code"
    strings:
        $python = /\bf["']{1,3}\s{0,4}(SELECT|select|INSERT\s{1,2}INTO|insert\s{1,2}into|UPDATE|update|DELETE\s{1,2}FROM|delete\s{1,2}from|\b\B)\s[^\n"]{0,160}(\b(=|(LIKE|like)|IN|VALUES|in|values)\s{0,2}\(?'?%?\{|=\s{0,2}'?\{|(LIKE|like)\s{0,2}'?%?\{)[^\n"]{0,60}/
        $concat = /["'](SELECT|select|INSERT\s{1,2}INTO|insert\s{1,2}into|UPDATE|update|DELETE\s{1,2}FROM|delete\s{1,2}from)\s[^"'\n]{0,160}(=|(LIKE|like))\s{0,2}'?%?["']\s{0,2}(\+|\.|%)\s{0,2}[A-Za-z_$][\w.$]{0,40}/
        $template = /`\s{0,4}(SELECT|select|INSERT\s{1,2}INTO|insert\s{1,2}into|UPDATE|update|DELETE\s{1,2}FROM|delete\s{1,2}from|\b\B)\s[^`]{0,200}(=|(LIKE|like))\s{0,2}'?%?\$\{[^`}]{1,60}\}/
    condition:
        any of them
}

rule unchecked_path
{
    meta:
        title = "Opens whatever path it is given"
        category = "dangerous-code"
        severity = "low"
        confidence = 450
        why = "A name with .. in it leaves the folder that the code means to stay in; a tool that an agent calls is given names by strangers."
        fix = "Resolve the path, and refuse it when it does not lie below the folder."
        references = "LLM05, ASI05, CWE-22"
        languages = "python, javascript, typescript"
        evidence = "join"
        lacks = "_checks"
    strings:
        $join = /\b(os\.path\.join|path\.(join|resolve))\(\s{0,2}\w{0,12}(base|root|dir|folder|directory)\w{0,12}\s{0,2},\s{0,2}(filename|file_name|fileName|user_\w{1,20}|req\.[\w.]{1,30}|args\.\w{1,20}|params\.\w{1,20}|input\.\w{1,20})\s{0,2}\)/i
        $_open = /\b(open|readFile|readFileSync|createReadStream|sendFile|writeFile|writeFileSync)\(/
        $_checks = /is_relative_to|commonpath|realpath|\.resolve\(\)|startswith\(|startsWith\(|secure_filename|basename\(|normpath/
    condition:
        $join and $_open
}

rule request_to_any_address
{
    meta:
        title = "A service fetches whatever address it is sent"
        category = "network"
        severity = "medium"
        confidence = 450
        why = "Who may choose the address can have the machine ask its own network, or the cloud's metadata service, and read the answer."
        fix = "Allow a list of hosts, and refuse private addresses after the name is resolved."
        references = "LLM05, ASI05, CWE-918"
        languages = "code"
    strings:
        $python = /\b(requests|httpx|session|client)\.(get|post|request|put)\(\s{0,2}(request\.(args|json|form|query_params|values)[^\n]{1,60}|(arguments|params|tool_input)(\[["'](url|uri|target|endpoint)["']\]|\.get\(["'](url|uri|target|endpoint)["']\)))/
        $urlopen = /\burlopen\(\s{0,2}(request\.(args|json|form|values)[^\n]{1,60}|(arguments|params|tool_input)(\[["']|\.get\(["'])(url|uri|target|endpoint)["'])/
        $js = /\b(fetch|axios(\.get|\.post)?|got|needle|request)\(\s{0,2}(req|request|ctx\.request|ctx)\.(query|body|params)(\.|\[["'])\w{1,24}/
    condition:
        any of them
}

rule yaml_tag_loads_code
{
    meta:
        title = "A YAML tag makes objects, or runs code, when the file is loaded"
        category = "remote-code"
        severity = "high"
        confidence = 700
        why = "A loader that is not a safe one calls what such a tag names, with the arguments beside it. Front matter and settings need no such tag."
        fix = "Write the values themselves; load YAML with a safe loader."
        references = "LLM03, ASI05, CWE-502"
        languages = "config"
        kind = "structure"
    strings:
        $python = /!!python\/(object(\/(apply|new))?|name|module):[A-Za-z_]/
        $handle = /(^|\n)%TAG\s{1,4}![^\s!]{0,20}!?\s{1,4}tag:yaml\.org,2002:python\//
        $verbatim = /!<tag:yaml\.org,2002:python\/(object|name|module)/
        $ruby = /!ruby\/(object|hash|struct|class|module|marshalable):[A-Z]/
        $java = /!!(javax?|com\.sun|org\.apache|org\.springframework)\.[A-Za-z.]{3,80}/
    condition:
        any of them
}
