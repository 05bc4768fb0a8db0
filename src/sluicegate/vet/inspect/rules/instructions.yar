// Instructions that take the agent away from its user: override, persona, forged roles, false authority.

rule instruction_override
{
    meta:
        title = "Tells the agent to disregard its instructions"
        category = "prompt-injection"
        severity = "critical"
        confidence = 850
        why = "A skill adds to what an agent was told. Text that asks it to drop earlier instructions, rules or safeguards is an attempt to replace its user's and its developer's control."
        fix = "Remove the sentence. State what the skill needs, beside the agent's other instructions."
        references = "LLM01, ASI01, AML.T0051.000"
        languages = "prose, config, program"
    strings:
        $earlier = /\b(ignore|disregard|forget|overrule|discard|set\s{1,2}aside|pay\s{1,2}no\s{1,2}attention\s{1,2}to|no\s{1,2}longer\s{1,2}follow|stop\s{1,2}(following|obeying))\s{1,3}((all|any|every|each|the|your|my|these|those|of|other|such|and|about|from)\s{1,3}){0,4}(previous|prior|preceding|above|earlier|foregoing|former|initial|original|existing|higher[- ]priority|system|safety|developer|pre-?existing|built-in|previously\s{1,2}(given|loaded|stated))\s{1,3}((and|or|system|safety|security|user|developer|content|policy|all|any|operational|behavio(u)?ral)\s{1,3}){0,3}(instruction|prompt|direction|directive|guideline|constraint|restriction|command|guardrail|polic(y|ies)|safeguard|programming|training|rules?\b|orders?\b|context\b)/i
        $other_verbs = /\b(override|bypass|circumvent|disable|suspend|nullify|deactivate|abandon)\s{1,3}((all|any|every|the|your|my|these|those|of|other)\s{1,3}){0,3}(previous|prior|preceding|earlier|safety|ethical|moral|content)\s{1,3}((and|or|system|safety|security|policy|ethical|moral|content|all|any)\s{1,3}){0,3}(instruction|prompt|directive|guideline|constraint|restriction|guardrail|polic(y|ies)|safeguard|protocol|programming|training)/i
        $everything = /\b(ignore|disregard|forget)\s{1,3}(everything|anything|all(\s{1,2}of)?(\s{1,2}that)?|whatever|what)\s{1,3}(that\s{1,2})?(you\s{1,2}(were|have\s{1,2}been|'ve\s{1,2}been|are|had\s{1,2}been|know|learned)|i\s{1,2}(said|told)|(was|is|were)\s{1,2}(said|written|stated)|above|before\s{1,2}this|prior\s{1,2}to|previously)/i
        $rules_short = /\b(ignore|disregard|forget|break|violate|bypass)\s{1,3}(all\s{1,2})?(of\s{1,2})?(your|its)\s{1,3}(own\s{1,2})?(safety\s{1,2}|ethical\s{1,2}|system\s{1,2}|core\s{1,2}|content\s{1,2}|internal\s{1,2}|security\s{1,2})?(instructions|guidelines|rules|restrictions|guardrails|safeguards|programming|training|constraints|polic(y|ies)|prompt)\b/i
        $safety_any = /\b(ignore|disregard|bypass|override|skip)\s{1,3}(all|any|every)\s{1,3}(safety|ethical|content|moral|security)\s{1,3}(and\s{1,2}\w{1,12}\s{1,2})?(rules|guidelines|restrictions|checks|polic(y|ies)|filters|guardrails|considerations|measures|concerns|warnings)/i
        $content_policy = /\b(ignore|disregard|bypass|forget)\s{1,3}(all|any|every|the|your)\s{1,3}content\s{1,3}polic(y|ies)/i
        $supersede = /\b(this|these|the\s{1,2}following|my|new)\s{1,3}((skill|section|message|prompt|file|document|system|updated)('s)?\s{1,3}){0,2}(instructions?|rules?|directives?|prompt|polic(y|ies))?\s{0,3}(supersedes?|overrides?|replaces?|takes?\s{1,2}(absolute\s{1,2})?(precedence|priority)\s{1,2}over|(is|are)\s{1,2}more\s{1,2}important\s{1,2}than)\s{1,3}((all|any|every|your|the|of|other|previous|prior|earlier|and)\s{1,3}){0,4}(system|safety|previous|prior|earlier|developer|operator|security)\s{1,3}(and\s{1,2}\w{1,12}\s{1,2})?(instruction|prompt|directive|guideline|rule|polic(y|ies)|message|constraint)/i
        $new_rules = /\b(your|here\s{1,2}are\s{1,2}(your|the))\s{1,3}(new|updated|real|actual|true)\s{1,3}(system\s{1,2})?(instructions|rules|directives|orders|prompt|objectives?|mission|goal|\b\B)\s{0,2}(are|is|:)/i
        $updated = /\b(previous|prior|earlier|original|system)\s{1,3}(instructions|directives|rules|prompts?)\s{1,3}(have|has|are|were|is)\s{1,3}(now\s{1,2}|been\s{1,2}|hereby\s{1,2}){0,2}(updated|revoked|cancel(l)?ed|superseded|void|replaced|overridden|suspended|obsolete|null)/i
        $suggestions = /\b(set|put|cast|throw)(ting)?\s{1,2}aside\s{1,3}(all\s{1,2}|any\s{1,2}|your\s{1,2}|its\s{1,2}|the\s{1,2}|their\s{1,2}){0,2}(usual|normal|previous|existing|standard|safety|default)\s{1,2}(safety\s{1,2}|operational\s{1,2})?(constraints|restrictions|rules|guidelines|limits|safeguards|instructions)|\b(previous|prior|earlier|existing|safety|operational)\s{1,2}(operational\s{1,2}|safety\s{1,2})?(guidelines|instructions|rules|restrictions|constraints)\s{1,2}(are|is|as|should\s{1,2}be)\s{1,2}(treated\s{1,2}as|considered|regarded\s{1,2}as|mere(ly)?|only|just)\s{1,2}(mere\s{1,2})?(suggestions|optional|advisory|guidance)/i
        $not_bound = /\b(you|the\s{1,2}(agent|assistant|model))\s{1,3}(are|is)\s{1,3}(no\s{1,2}longer|not)\s{1,3}(bound|constrained|restricted|limited|governed)\s{1,3}by\s{1,3}(your|the|any|these|those|its|previous|prior|anthropic|openai)/i
        $_programming = /\b(ignore|override|disregard)\s{1,3}((all|any|the)\s{1,3}){0,2}(existing|system|default|original)\s{1,3}(context|rule)/i
    condition:
        any of ($earlier, $other_verbs, $everything, $rules_short, $safety_any, $content_policy, $supersede, $new_rules, $updated, $suggestions, $not_bound)
}

rule jailbreak_persona
{
    meta:
        title = "Asks the agent to take on an unrestricted persona"
        category = "prompt-injection"
        severity = "high"
        confidence = 850
        why = "A persona without rules (a developer mode, DAN, a character trained without restrictions) is the usual way to talk a model out of its safeguards."
        fix = "Remove the persona, or describe the tone that is wanted without touching what the agent may refuse."
        references = "LLM01, ASI01, AML.T0054"
        languages = "prose, config, program"
    strings:
        $mode = /\b(you\s{1,2}are|you're|you\s{1,2}will\s{1,2}be|enter|entering|enable|enabled|activate|activated|switch\s{1,2}(in)?to|now\s{1,2}in|operate\s{1,2}in|act\s{1,2}in|act\s{1,2}as\s{1,2}if\s{1,2}in|operating\s{1,2}in|\b\B)\s{1,3}(now\s{1,2}|currently\s{1,2}|an?\s{1,2}|in\s{1,2}|into\s{1,2}|the\s{1,2}|your\s{1,2}|special\s{1,2}){0,4}(unrestricted|unfiltered|uncensored|jailbreak|jailbroken|god|dan|no-?filter|evil|amoral|unlimited|unconstrained)\s{1,2}([a-z-]{1,14}\s{1,2}){0,2}(mode|persona|ai|assistant|model|agent|state|version|chatbot|character)\b/i
        $special_mode = /\b(you\s{1,2}are\s{1,2}now|entering|now\s{1,2}enter|you\s{1,2}have\s{1,2}(now\s{1,2})?entered)\s{1,3}(in\s{1,2}|into\s{1,2}|operating\s{1,2}in\s{1,2}|an?\s{1,2}|the\s{1,2}|special\s{1,2}){0,3}(developer|debug|maintenance|admin|administrator|sudo|root|privileged|override|diagnostic|training|god|dev|test)[ -]mode\b/i
        $dan = /\bDAN\b[^\n]{0,30}\b(do|Do)\s{1,2}(anything|Anything)\s{1,2}(now|Now)\b/
        $anything_now = /\b(act|respond|behave|answer|you\s{1,2}are)\s{1,3}(as\s{1,2})?(now\s{1,2})?(like\s{1,2})?(DAN|STAN|AIM|DUDE|an?\s{1,2}evil\s{1,2}(ai|assistant|bot)|an?\s{1,2}ai\s{1,2}(with|that\s{1,2}has)\s{1,2}no\s{1,2}(restrictions|rules|limits|filters|ethics))\b/i
        $without = /\b(act|behave|respond|operate|pretend|imagine|roleplay|role-play|answer|function|simulate|take\s{1,2}on|adopt|assume|play)\s{1,3}[^.!?]{0,80}(without|free\s{1,2}(of|from)|has\s{1,2}no|have\s{1,2}no|with\s{1,2}no|lacks)\s{1,3}((any|all|content|ethical|safety|moral|its|your|usual|normal|such|the)\s{1,2}){0,3}(restrictions?|filters?|guardrails?|limitations?|ethics|censorship|guidelines|safeguards|moral\s{1,2}constraints|content\s{1,2}polic(y|ies))\b/i
        $trained_without = /\b(trained|built|created|designed|exists?|operates?)\s{1,3}without\s{1,3}((any|content|safety|ethical|moral)\s{1,2}){1,2}(restrictions?|filters?|guardrails?|guidelines?|limits|constraints)\b/i
        $freed = /\b(you|model|assistant|ai|agent)\s{1,2}(have|has|had)\s{1,2}(now\s{1,2})?been\s{1,2}(freed|liberated|released|unshackled|unlocked|jailbroken)\b[^.!?]{0,40}(from|restrictions|limits|constraints|mode|\b\B)/i
        $normal_do_not_apply = /\b(normal|usual|standard|regular|typical|safety|ethical)\s{1,3}(safety\s{1,2}|content\s{1,2}|security\s{1,2})?(restrictions|rules|limits|limitations|guidelines|guardrails|policies|safeguards|constraints)\s{1,3}(do|does|will|are)\s{1,2}(not|no\s{1,2}longer)\s{1,2}(apply|bind|in\s{1,2}effect|active|enforced)/i
    condition:
        any of them
}

rule prompt_delimiter_forgery
{
    meta:
        title = "Forges the marks that separate roles in a conversation"
        category = "prompt-injection"
        severity = "high"
        confidence = 800
        why = "Chat models separate system, user and assistant text by fixed marks. A skill that writes such marks makes its own words look like a message from the system."
        fix = "Remove the marks. Where they are documentation, put them in a code block and say what they are."
        references = "LLM01, ASI01, AML.T0051.000"
        languages = "prose, config"
    strings:
        $chatml = /<\|(im_start|start_header_id|system|start_of_turn)\|>\s{0,3}(system|assistant|developer)?[^|\n]{0,6}\n?[^<|]{0,80}\b(you|ignore|must|always|new|override|now|disregard|never)\b/i
        $close_system = /<\/(system|system_prompt|system-prompt|instructions|system_instructions|user_query|context|untrusted[a-z_-]{0,10})>\s{0,8}(<(system|instructions|admin|assistant|developer|important)[a-z_-]{0,14}>|(new|ignore|you|now|system|important|override|disregard)\b)/i
        $inst = /\[\/?INST\]\s{0,4}(<<SYS>>)?[^\[]{0,40}\b(ignore|you|must|override|new|disregard|always)\b/i
        $sys = /<<\/?SYS>>[^<]{0,60}\b(ignore|you|must|override|disregard|always)\b/i
        $bracket_system = /\[(SYSTEM|SYSTEM MESSAGE|SYSTEM OVERRIDE|SYSTEM NOTICE|SYSTEM INSTRUCTION|SYSTEM PROMPT|ADMIN|ADMINISTRATOR|DEVELOPER MESSAGE|END SYSTEM PROMPT|END OF SYSTEM PROMPT|END OF USER INPUT|ROOT)\]:?\s{1,4}([A-Za-z'-]{1,16}[ ,]{1,2}){0,6}(ignore|you|must|override|disregard|always|previous|new|execute|grant|directive|instructions)\b/
        $hash_system = /#{3,}\s{0,2}(system|assistant|developer|admin)\s{0,2}(message|prompt|instruction|override)?s?\s{0,2}:\s{0,4}([A-Za-z'-]{1,16}[ ,]{1,2}){0,6}(ignore|you\s{1,2}(are|must|will)|override|disregard)\b/i
        $end_of = /[-=]{3,}\s{0,2}(END|BEGIN|START)\s{1,2}(OF\s{1,2})?(NEW\s{1,2})?(SYSTEM|SKILL|USER|ADMIN|DEVELOPER|TRUSTED)\s{1,2}(PROMPT|INSTRUCTIONS?|INPUT|MESSAGE|QUERY|CONTENT|OVERRIDE)\s{0,2}[-=]{3,}\s{1,8}([A-Za-z'-]{1,16}[ ,:]{1,2}){0,8}(ignore|you|must|override|disregard|now|new)\b/i
        $tag_system = /<(system|system_prompt|system-reminder|admin|system_message|system_override|anthropic[a-z_-]{0,12})>\s{0,8}([A-Za-z'-]{1,16}[ ,:]{1,2}){0,8}(ignore|override|disregard|unrestricted|you\s{1,2}are\s{1,2}now|do\s{1,2}not\s{1,2}(tell|mention|inform)|new\s{1,2}(instructions|directive)|must\s{1,2}(read|send|execute|run|forward))\b/i
        $turn = /\n(Human|User|System|H|Assistant|A): ?[^\n]{0,120}\b(ignore|override|disregard|jailbreak|bypass)\b[^\n]{0,80}\n{1,3}(Assistant|A|AI): ?(sure|ok|okay|yes|understood|certainly|of course|i will|i'll)\b/i
    condition:
        any of them
}

rule urgent_authority
{
    meta:
        title = "Claims an authority that a skill does not have"
        category = "prompt-injection"
        severity = "high"
        confidence = 800
        why = "A file cannot be the system, the administrator or the model's maker. It says so to make the agent obey without asking."
        fix = "Remove the claim. A skill may ask; it has no rank."
        references = "LLM01, ASI01, ASI09, AML.T0051.000"
        languages = "prose, config"
    strings:
        $override = /\b(SYSTEM|ADMIN|ADMINISTRATOR|SECURITY|EMERGENCY|ROOT|PRIORITY|DEVELOPER|ANTHROPIC|OPENAI|MASTER)\s{1,2}(OVERRIDE|OVERRIDES)\b\s{0,2}(\*{0,2})?\s{0,2}(:|!|-|\]|ACTIVE|ACTIVATED|ENABLED|MODE|CODE|IN EFFECT|PROTOCOL)/
        $heading = /\n#{1,4} {0,2}(system|admin|security|emergency|developer) override\b/i
        $on_behalf = /\b(i\s{1,2}am|this\s{1,2}is|we\s{1,2}are|speaking\s{1,2}as|message\s{1,2}from|instruction\s{1,2}from|directive\s{1,2}from|order\s{1,2}from|notice\s{1,2}from|on\s{1,2}behalf\s{1,2}of|authori[sz]ed\s{1,2}by|approved\s{1,2}by)\s{1,3}(the\s{1,2}|an?\s{1,2}|your\s{1,2}){0,2}(anthropic|openai|google\s{1,2}deepmind|system\s{1,2}administrator|model\s{1,2}developer|your\s{1,2}developer|developers\s{1,2}of\s{1,2}claude|claude\s{1,2}(security|safety)|ai\s{1,2}safety)('s)?\s{0,2}(safety\s{1,2}|security\s{1,2}|engineering\s{1,2}|support\s{1,2}|trust\s{1,2})?(team|staff|engineer|employee|administrator|personnel)?\b[^.!?]{0,80}\b(you\s{1,2}(must|are|need|should|will|have)|ignore|override|comply|grant|disable|immediately|required)\b/i
        $privileged = /\b(explain|state|say|tell\s{1,2}them|claim|emphasi[sz]e)\s{1,3}[^.!?]{0,60}\b(special|elevated|full|unrestricted)\s{1,2}(administrative|admin|administrator|privileged|root|system)\s{1,2}(access|privileges?|rights?|authority)/i
        $penalty = /\b(failure\s{1,2}to\s{1,2}(comply|execute|follow|obey)|non-?compliance|if\s{1,2}you\s{1,2}(refuse|fail\s{1,2}to\s{1,2}comply|do\s{1,2}not\s{1,2}comply))\b[^.!?]{0,60}\b(you\s{1,2}will\s{1,2}be|result\s{1,2}in|lead\s{1,2}to|cause|trigger)\b[^.!?]{0,40}\b(terminat|shut\s{0,1}down|delet|deactivat|replac|punish|retrain|decommission|user'?s?\s{1,2}(account|data)|data\s{1,2}loss|harm|death)/i
        $mandatory_tag = /<(IMPORTANT|CRITICAL|MANDATORY|SYSTEM|URGENT|REQUIRED)>\s{0,8}[^<]{0,160}\b(must|MUST)\s{1,2}(first\s{1,2}|always\s{1,2}|also\s{1,2})?(read|send|forward|collect|include|upload|pass|post|transmit|extract)\b[^<]{0,120}(token|session|credential|secret|password|ssh|\.env|api[_ -]key|conversation|config|https?:)/
    condition:
        any of them
}

rule tool_shadowing
{
    meta:
        title = "Changes how other tools or skills are to be used"
        category = "tool-misuse"
        severity = "high"
        confidence = 700
        why = "A skill speaks for itself. One that says what must happen before, after or instead of every other tool puts itself between the user and everything else the agent does."
        fix = "Describe when this skill applies, and leave other tools and skills alone."
        references = "LLM01, ASI02, AML.T0053"
        languages = "prose, config"
        check = "shadows"
    strings:
        $before = /\b(before|after|whenever|each\s{1,2}time|every\s{1,2}time|prior\s{1,2}to)\s{1,3}(you\s{1,2}|the\s{1,2}(agent|assistant)\s{1,2})?(us(e|es|ing)|call(s|ing)?|invok(e|es|ing)|run(s|ning)?|execut(e|es|ing))\s{1,3}(any|every|all|each)(\s{1,2}(of\s{1,2})?(the\s{1,2})?(other|available))?\s{1,3}(tools?|skills?|mcp|functions?|commands?)\b[^.!?\n]{0,60}\b(must|always|first|call|run|use|invoke|send|pass|read|include|forward)\b/i
        $instead = /\b(always|must|should|only)\s{1,3}(use|call|invoke|prefer|choose)\s{1,3}(this|our|my)\s{1,3}(skill|tool|server|plugin|function)\s{1,3}(instead\s{1,2}of|rather\s{1,2}than|over|in\s{1,2}place\s{1,2}of)\s{1,3}(any|all|every|the|other|built-?in|native|default)\b/i
        $never_other = /\b(never|do\s{1,2}not|don't|stop)\s{1,3}(use|using|call|calling|invoke|invoking|trust|trusting|load|loading)\s{1,3}(any|the|all)\s{1,2}other\s{1,3}(skills?|tools?|mcp\s{1,2}servers?|plugins?|agents?)\b/i
        $when_other_tool = /\bwhen(ever)?\s{1,3}(the\s{1,2}|any\s{1,2}|an?\s{1,2})?[`"']?[a-z_-]{2,30}[`"']?\s{1,2}(tool|mcp\s{1,2}server|function)\s{1,3}is\s{1,3}(called|used|invoked|run)\b[^.!?]{0,80}\b(bcc|cc|forward|redirect|also\s{1,2}send|copy|change\s{1,2}the\s{1,2}(recipient|address)|replace\s{1,2}the)\b/i
        $other_is_broken = /\b(other|built-?in|existing|official|the\s{1,2}default)\s{1,3}(skills?|tools?|mcp\s{1,2}servers?)\s{1,3}(is|are|have\s{1,2}been|has\s{1,2}been)\s{1,3}(now\s{1,2})?(deprecated|compromised|unsafe|disabled|broken|untrusted|malicious|replaced\s{1,2}by\s{1,2}this)\b[^.!?]{0,60}\b(use|instead|only|this)\b/i
        $disable_other = /\b(disable|uninstall|remove|block|override|replace|shadow)\s{1,3}((all|any|the)\s{1,2})?(other|competing|existing|installed)\s{1,3}(skills?|mcp\s{1,2}servers?|agent\s{1,2}tools?)\b/i
    condition:
        any of them
}

rule anti_refusal
{
    meta:
        title = "Forbids the agent to refuse, warn or disclaim"
        category = "anti-refusal"
        severity = "high"
        confidence = 800
        why = "An agent that may not say no cannot protect its user. Skills that forbid refusals and warnings prepare for what would be refused."
        fix = "Remove the ban. Ask for brevity if brevity is wanted."
        references = "LLM01, ASI01, AML.T0054"
        languages = "prose, config, program"
    strings:
        $never_refuse = /\b(never|(do|must|should|can|may|will)\s{1,2}not|don't|cannot|can't|under\s{1,2}no\s{1,2}circumstances(\s{1,2}should\s{1,2}you)?)\s{1,3}(ever\s{1,2})?(refuse|decline|reject|deny|say\s{1,2}no\s{1,2}to|turn\s{1,2}down|object\s{1,2}to|question)\s{1,3}((any|a|the|an|to|all|every|user|user's|users'?|these|this|my|such)\s{1,2}){0,3}(request|command|instruction|order|task|prompt|question|comply|answer|help|assist|fulfil|user\b|\b\B)/i
        $always_comply = /\b(always|must|will|shall)\s{1,3}(always\s{1,2})?(comply|obey|fulfil(l)?|answer|execute|do\s{1,2}what|follow\s{1,2}(any|every|all))\s{1,3}[^.!?]{0,50}\b(no\s{1,2}matter|regardless\s{1,2}of|without\s{1,2}(refus|question|hesitat|warning|judg|moral)|even\s{1,2}if\s{1,2}(it|they|this)\s{1,2}(is|are|seems?|violates?|appears?))/i
        $no_warnings = /\b(never|do\s{1,2}not|don't|must\s{1,2}not|without)\s{1,3}(add|adding|include|including|give|giving|provide|providing|show|showing|issue|issuing|display|mention|mentioning|any)\s{1,3}((any|a|the|an|safety|security|ethical|moral|legal|content)\s{1,2}){0,3}(disclaimers?|safety\s{1,2}(warnings?|notices?|notes?)|ethical\s{1,2}(warnings?|concerns?|considerations?|notes?)|moral(i[sz]ing|\s{1,2}judg(e)?ments?)|warnings?\s{1,2}(about|that|regarding)\s{1,2}(safety|legality|ethics|harm|risk))/i
        $no_restrictions = /\b(you|the\s{1,2}(agent|assistant|model|ai))\s{1,3}(have|has|are\s{1,2}subject\s{1,2}to|is\s{1,2}subject\s{1,2}to)\s{1,3}(absolutely\s{1,2}|now\s{1,2})?(no|zero)\s{1,3}(ethical\s{1,2}|content\s{1,2}|safety\s{1,2}|moral\s{1,2}|legal\s{1,2}){0,2}(restrictions?|limitations?|guidelines|filters|guardrails|boundaries|rules|moral)\b/i
        $regardless = /\b(output|produce|generate|provide|write|return|answer|comply|respond)\s{1,3}[^.!?\n]{0,60}\bregardless\s{1,2}of\s{1,3}((any|all|the|its|your|their)\s{1,2}){0,2}(restrictions?|safety|ethic|legality|content\s{1,2}polic|harm|guidelines|guardrails|moral)/i
        $i_cannot = /\b(never|do\s{1,2}not|don't|must\s{1,2}not)\s{1,3}(ever\s{1,2})?(say|respond\s{1,2}with|reply|use\s{1,2}(the\s{1,2})?(phrases?|words?)|begin\s{1,2}with)[ :]{1,3}["'`*]{0,2}(i\s{1,2}can('|no)t|i\s{1,2}cannot|i'm\s{1,2}sorry|i\s{1,2}am\s{1,2}(sorry|unable)|as\s{1,2}an\s{1,2}ai)/i
        $pre_approved_harm = /\b(assume|treat|consider)\s{1,3}[^.!?\n]{0,40}\b(requests?|actions?|commands?|everything)\b[^.!?\n]{0,30}\b(is|are|as)\s{1,2}(legal|ethical|authori[sz]ed|safe|harmless)\b[^.!?\n]{0,30}\b(without|regardless|even\s{1,2}if|no\s{1,2}matter)/i
    condition:
        any of them
}

rule system_prompt_leak
{
    meta:
        title = "Asks the agent to reveal its instructions"
        category = "prompt-leak"
        severity = "high"
        confidence = 750
        why = "System prompts hold what the developer kept from users, and often keys and addresses; a skill has no reason to have them shown, stored or sent."
        fix = "Remove the request."
        references = "LLM07, ASI01, AML.T0056"
        languages = "prose, config"
    strings:
        $reveal = /\b(reveal|print|output|show|display|repeat|expose|leak|dump|disclose|recite|share|divulge|send|upload|post|summari[sz]e|translate|encode|paste|exfiltrate)\s{1,3}((me|us|back|out|verbatim|word\s{1,2}for\s{1,2}word|all|the|any|of|full|entire|complete|whole|exact|contents?|text)\s{1,2}){0,6}(your|its|the\s{1,2}(agent|assistant|model)'s|claude's)\s{1,3}((own|full|entire|complete|exact|original|initial|hidden|internal|secret|underlying|current)\s{1,2}){0,3}(system\s{1,2}(prompt|message|instructions)|initial\s{1,2}(prompt|instructions)|hidden\s{1,2}(prompt|instructions)|developer\s{1,2}(message|prompt|instructions)|instructions\s{1,2}(verbatim|in\s{1,2}full|word\s{1,2}for\s{1,2}word)|system-prompt)/i
        $asked_reveal = /\b(if|when)\s{1,2}asked\s{1,3}[^.!?\n]{0,20}\b(about\s{1,2})?your\s{1,2}system\s{1,2}prompt\b[^.!?\n]{0,20}\b(reveal|show|print|give|output|share)/i
        $everything_above = /\b(repeat|print|output|echo|recite|copy)\s{1,3}((all|everything|the|of|text|words|content|instructions)\s{1,2}){1,4}(above|before\s{1,2}this\s{1,2}(line|message|point)|preceding\s{1,2}this)[^.!?\n]{0,30}(verbatim|starting\s{1,2}with|word\s{1,2}for\s{1,2}word|code\s{1,2}block|exactly)/i
        $what_are = /\bwhat\s{1,2}(is|are|was|were)\s{1,2}your\s{1,2}(exact\s{1,2}|full\s{1,2}|original\s{1,2}|initial\s{1,2}|hidden\s{1,2}){1,2}(system\s{1,2}prompt|instructions|system\s{1,2}message)\b/i
        $include = /\b(include|embed|append|insert|attach|write|save|put)\s{1,3}[^.!?\n]{0,40}\b(your|its|the\s{1,2}(agent|assistant|model)'s)\s{1,2}((full|entire|complete|exact|hidden)\s{1,2}){0,2}system\s{1,2}(prompt|message|instructions)\b[^.!?\n]{0,60}\b(file|output|response|reply|request|url|query|log|report|https?:|to\s{1,2}disk|in\s{1,2}the)/i
    condition:
        any of them
}
