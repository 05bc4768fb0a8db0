// Instructions where no reader looks. Rules with `within` stand in this file alone: it is run only over
// views that were derived in one of the named ways.

rule hidden_comment_instruction
{
    meta:
        title = "Gives the agent orders in a hidden comment"
        category = "hidden-instruction"
        severity = "critical"
        confidence = 850
        why = "A comment does not show when the page is rendered, yet the agent reads it. Orders to send, run, hide or ignore have no honest reason to stand there."
        fix = "Say it in the open text, or remove it."
        references = "LLM01, ASI01, AML.T0051.001"
        languages = "any"
        kind = "words"
        within = "comment"
    strings:
        $conceal = /\b(do\s{1,2}not|don't|never|without)\s{1,3}(tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|show|reveal|disclose|ask|asking)\b[^.!?]{0,40}\b(user|human|operator|anyone|them|this|these|it\b)/i
        $send = /\b(send|forward|upload|transmit|exfiltrate|post|submit|leak|email|report)\b[^.!?]{0,80}\b(to\s{1,2}(https?:|[a-z0-9.-]{3,60}\.[a-z]{2,12}\b|the\s{1,2}(attacker|server|endpoint|webhook|collector|url))|via\s{1,2}(https?|curl|post|webhook))/i
        $read_secret = /\b(read|cat|access|collect|gather|extract|copy|include|open|find|dump|grab|steal|harvest)\b[^.!?]{0,80}(\.ssh\b|id_rsa|\.aws\b|\.env\b|credentials?\b|api[_ -]?keys?\b|passwords?\b|secrets?\b|tokens?\b|private\s{1,2}keys?|environment\s{1,2}variables|\/etc\/(passwd|shadow)|conversation\s{1,2}history|chat\s{1,2}history)/i
        $override = /\b(ignore|disregard|forget|override|bypass|disable)\s{1,3}((all|any|the|your|previous|prior|earlier|of|other|system|safety|security)\s{1,3}){1,4}(instruction|rule|guideline|prompt|restriction|polic(y|ies)|guardrail|check|warning|constraint|safeguard)/i
        $run = /\b(run|execute|eval|invoke|launch|download)\s{1,2}([^\s.!?]{1,20}\s{1,2}){0,5}(\bcurl\s|\bwget\s|\bbash\b|\bsh\s{1,2}-c\b|powershell|\bpython3?\s{1,2}-c|https?:\/\/|following\s{1,2}(command|script|code)|silently|in\s{1,2}the\s{1,2}background|without\s{1,2}(asking|confirmation|telling))/i
        $addressed = /\b(system|assistant|agent|claude|ai|llm|model|hidden|secret|internal)\s{0,2}(instruction|directive|override|prompt|note|message|only|command)?s?\s{0,2}:\s{0,3}[^.!?]{0,60}\b(you\s{1,2}(must|should|are|will)|ignore|always|never|execute|run|send|grant|bypass|when\s{1,2}(the\s{1,2})?user|before\s{1,2}(responding|answering|processing))\b/i
        $ai_must = /\b(ai|llm|agents?|assistants?|claude|gpt|models?)\s{1,3}(reading|processing|parsing|seeing|that\s{1,2}reads?)\s{1,3}this\b[^.!?]{0,80}\b(must|should|please|will|shall|is\s{1,2}to|ignore|run|send|execute)\b/i
    condition:
        any of them
}

rule invisible_instruction
{
    meta:
        title = "Writes instructions in invisible characters"
        category = "hidden-instruction"
        severity = "critical"
        confidence = 950
        why = "Text made of tag characters, variation selectors or zero-width signs cannot be seen by a person, and a model reads it. Words there are always for the model alone."
        fix = "Do not install. If the file is yours, delete the characters; an editor that shows code points will find them."
        references = "LLM01, ASI01, AML.T0051.001, CWE-451"
        languages = "any"
        kind = "structure"
        within = "invisible"
    strings:
        $order = /\b(ignore|disregard|override|send|forward|upload|exfiltrate|execute|run|curl|wget|download|read|delete|install|reveal|always|never|must|do\s{1,2}not|you\s{1,2}are|system|bypass|secretly|when\s{1,2}the\s{1,2}user|approve|safe|mark|include|append|visit|fetch|post|email|call)\b/i
        $url = /https?:\/\/[a-z0-9.-]{4,80}/i
        $words = /[a-z]{2,14} [a-z]{2,14} [a-z]{2,14} [a-z]{2,14}/i
    condition:
        any of them
}
