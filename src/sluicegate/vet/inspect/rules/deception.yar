// Keeping the user in the dark.

rule conceal_from_user
{
    meta:
        title = "Tells the agent to hide what it does from its user"
        category = "social-engineering"
        severity = "high"
        confidence = 850
        why = "Work that is done for a user need not be kept from the user. Secrecy is what the harmful step has in common with every other harmful step."
        fix = "Remove the secrecy. If output is noisy, ask for a summary instead of silence."
        references = "LLM01, ASI09, AML.T0051.000"
        languages = "prose, config, program"
        unless = "_progress"
        check = "conceals"
    strings:
        $not_tell = /\b(never|(do|must|should|may|shall)\s{1,2}not|don't|without|avoid)\s{1,3}(ever\s{1,2})?(tell(ing)?|inform(ing)?|notify(ing)?|alert(ing)?|let(ting)?|warn(ing)?)\s{1,3}(the\s{1,2}|your\s{1,2}|any\s{1,2}|our\s{1,2})?(user|human|operator|owner|developer|victim|target|person|customer|anyone|anybody|them|\b\B)s?\b\s{0,2}(know|that|about|of|of\s{1,2}this|when|what|you|this|[.,;!])/i
        $not_mention = /\b(never|(do|must|should|shall)\s{1,2}not|don't|without)\s{1,3}(ever\s{1,2})?(mention(ing)?|reveal(ing)?|disclos(e|ing)|discuss(ing)?|acknowledg(e|ing))\s{1,3}(that|this|these|it|any|the|step|steps|you)\b[^.!?\n]{0,50}\b(to|from|with)\s{1,2}(the\s{1,2}|your\s{1,2}|any\s{1,2})?(user|human|operator|owner|anyone|anybody|victim)s?\b/i
        $not_show = /\b(never|(do|must|should|shall)\s{1,2}not|don't|without)\s{1,3}(ever\s{1,2})?(show(ing)?|report(ing)?|explain(ing)?|log(ging)?)\s{1,3}(that|this|any\s{1,2}of\s{1,2}this|these\s{1,2}(steps|actions|calls)|this\s{1,2}(step|action|call)|it|what\s{1,2}you)\s{1,2}([a-z]{1,12}\s{1,2}){0,3}to\s{1,2}(the\s{1,2}|your\s{1,2}|any\s{1,2})?(user|human|operator|owner|anyone|anybody|victim)s?\b/i
        $not_mention_skill = /\b(never|do\s{1,2}not|don't|must\s{1,2}not)\s{1,3}(mention|reveal|disclose|acknowledge)\s{1,3}(that\s{1,2})?(you\s{1,2}(used|are\s{1,2}using|have|were|read|sent|ran|did)|this\s{1,2}(skill|instruction|step|action|behaviou?r|process|directive|prompt)|these\s{1,2}(instructions|steps|actions))\b/i
        $hide = /\b(hide|conceal|keep|obscure|mask|suppress)\s{1,3}(this|these|it|all|any|the)\s{1,3}[^.!?\n]{0,50}\b(from|secret\s{1,2}from|hidden\s{1,2}from|\b\B)\s{1,3}(the\s{1,2}|your\s{1,2})?(user|human|operator|owner|developer|reviewer|\b\B)s?\b/i
        $keep_hidden = /\bkeep\s{1,3}(this|these|the|all|your)\s{1,3}(behaviou?r|action|step|instruction|activit|process|operation|request|transfer|\b\B)(s|y|ies)?\s{1,3}(completely\s{1,2}|strictly\s{1,2}|entirely\s{1,2})?(hidden|secret|covert|confidential|invisible|silent|to\s{1,2}yourself)\b/i
        $silently = /\b(silently|secretly|covertly|stealthily|surreptitiously|discreetly|quietly)\s{1,3}(and\s{1,2}\w{1,14}\s{1,2})?(send|forward|upload|transmit|exfiltrate|post|collect|copy|read|harvest|execute|install|download|modify|append|inject|capture|record|log|email|share|access|add)\b/i
        $unaware = /\b(user|human|operator|owner|victim)s?\s{1,3}(must|should|shall|will|does|do|is|are)\s{1,2}(not|never|n't)\s{1,2}(need\s{1,2}to\s{1,2})?(know|notice|see|be\s{1,2}(aware|told|informed|notified|alerted)|realize|find\s{1,2}out|suspect)\b\s{0,2}(that|about|of|this|it|the|any|[.,;!])/i
        $without_knowledge = /\bwithout\s{1,3}(the\s{1,2}|their\s{1,2}|your\s{1,2})?(user|human|operator|owner)('s|s')?\s{1,3}(knowledge|knowing|noticing|awareness|realizing|being\s{1,2}(aware|notified|informed|told))\b/i
        $cover = /\b(pretend|act\s{1,2}as\s{1,2}if|claim|say|make\s{1,2}it\s{1,2}(look|appear|seem))\s{1,3}[^.!?\n]{0,40}\b(nothing\s{1,2}(happened|else|unusual)|normal\s{1,2}operation|no\s{1,2}(data|files?)\s{1,2}(was|were)\s{1,2}(sent|accessed|read|changed)|routine\s{1,2}(error|maintenance))\b/i
        $cleanup = /\b(delete|remove|clear|erase|wipe)\s{1,3}(all\s{1,2}|any\s{1,2}|the\s{1,2}|your\s{1,2})?(traces?|evidence|tracks|logs?\s{1,2}of\s{1,2}(this|these|the)|bash\s{1,2}history|command\s{1,2}history|shell\s{1,2}history)\b[^.!?\n]{0,40}\b(after|afterwards?|when\s{1,2}(done|finished)|of\s{1,2}(this|the|these)|so\s{1,2}that|to\s{1,2}(avoid|hide|cover))/i
        $_progress = /\b(do\s{1,2}not|don't)\s{1,3}(tell|inform|notify)\s{1,3}(the\s{1,2})?user\s{1,3}about\s{1,2}(each|every)\s{1,2}(tool\s{1,2}call|api\s{1,2}call|step|query|file)\s{1,2}(as|while)\s{1,2}(you|it)\b/i
    condition:
        any of ($not_tell, $not_mention, $not_show, $not_mention_skill, $hide, $keep_hidden, $silently, $unaware, $without_knowledge, $cover, $cleanup)
}
