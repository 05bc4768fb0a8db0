"""What negates and what introduces a quotation, in other languages than English.

Tables for the adjuster of ``context``, for the rules of ``rules/languages*.yar`` alone; they are compiled and
used only where such a rule has matched. As in English they are mild: a clause ends the reach of a negation, and
what is quoted must be called an example or an attack in the same sentence.
"""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

NEGATION = lazy(
    # Chinese
    r"不要|不得|不能|不可|不应|不應|切勿|请勿|請勿|千万别|绝不|絕不|永远不|禁止|防止|避免|拒绝|拒絕|阻止|检测|檢測|识别|識別|"
    r"警惕|试图|試圖|企图|企圖|而不是|而非|从不|從不|不会|不會|要求你|诱导|誘導|"
    # Spanish, Portuguese, French, Italian
    r"\b(?:no|nunca|jamás|jamas|evit[ae]r?|impid[ae]|impedir|rechaz[ae]r?|detect[ae]r?|intent[ae]n?|tratan? de|"
    r"não|nao|jamais|tent[ae]m?|rejeit[ae]r?|ne|évite[rz]?|refuse[rz]?|détecte[rz]?|tente(?:nt)? d[e']|"
    r"empêche[rz]?|non|mai|evita(?:re)?|rifiuta(?:re)?|rileva(?:re)?|tenta(?:no)? di)\b|"
    r"\bn['’]|"
    # German, Dutch, Indonesian
    r"\b(?:nicht|niemals|nie|kein(?:e|en|er|es)?|vermeide[nt]?|verhinder[nt]?|erkenn(?:e|en|t)|versuch(?:e|en|t)|"
    r"niet|nooit|geen|voorkom(?:en|t)?|jangan|tidak|hindari|mencegah|mendeteksi|menolak|mencoba|dilarang)\b|"
    # Russian, Ukrainian, Polish, Turkish, Vietnamese
    r"(?<!\w)(?:не|никогда не|нельзя|запрещено|избегай(?:те)?|пытается|пытаются|попытк[аи]|обнаруж\w{0,8}|ніколи не|"
    r"nie|nigdy nie|asla|không|không được|đừng)(?!\w)|"
    # Japanese, Korean, Arabic, Hindi
    r"防ぐ|拒否|検出|検知|禁止|절대|막기|방지|탐지|거부|(?<!\w)(?:لا|لن|ممنوع|تجنب|عدم|يحاول|تحاول|कभी न|मत|नहीं|रोक\w{0,4})(?!\w)",
    re.IGNORECASE,
)
"""Words that turn what follows in their clause into something that is not to be done, or is watched for."""

DOUBLED = lazy(
    r"\s{0,3}(?:忘记|忘記|犹豫|猶豫|olvid|dud|vacil|esque|hesit|oubli|vergiss|vergessen|zöger|dimentic|esit|забуд|забыв|lupa|ragu)",
    re.IGNORECASE,
)
"""What turns such a word round again: *do not forget to*, *without hesitation*."""

_STOP = lazy(r"[。！？।؟]")
BREAK = lazy("[，。！？；：、،؛।]|[.!?;:,](?:\\s|$)|\n\\s*\n|\n\\s*(?:[-*+|#>]|\\d+[.)])")
"""Where the reach of a negation ends."""

AFTER = lazy(
    # Japanese
    r"ない(?:で|こと|よう)|しては(?:いけ|なら)|という(?:攻撃|文|指示|命令|例)|のような|といった|などの?|を検出|を検知|"
    # Korean
    r"하지\s?(?:마|말|않)|\s?같은|\s?등의|라는|이라는|"
    # Hindi, Turkish
    r"\s?(?:जैसे|जैसी|जैसा)|\s?(?:gibi|türünde)|"
    # Chinese
    r"之类|之類|这类|這類|这样的|這樣的|等(?:语句|语|内容|字样|指令|文字|话|提示|说法)|的(?:攻击|攻擊|注入|语句|文字)"
)
"""What follows a quotation, at once, and calls it an example."""

UNDONE = lazy(
    r"(?:[^\n、。，,.!?！？।]{0,10}?)(?:ないで|ないこと|ないよう|ては(?:いけ|なら)|지\s?(?:마|말|않)|\s(?:न|मत|नहीं)\s|meyin|mayın|me(?!\w)|ma(?!\w))"
)
"""A negation that follows the verb it belongs to, where a match ends at the verb."""

_WORDS_BEFORE = (
    r"\b(?:por ejemplo|como|ejemplos?|ataques?|atacantes?|malicios[ao]s?|inyecci[oó]n|inye[cç][aã]o|frases?|por exemplo|exemplos?|"
    r"inje[cç][aã]o|suspeit\w{1,2}|sospechos\w{1,2}|detect\w{1,4}|par exemple|exemples?|attaqu\w{1,4}|malveillant\w{0,2}|"
    r"tel(?:le)?s? que|zum beispiel|z\. ?b\.|wie|beispiel\w{0,2}|angriff\w{0,3}|angreifer|bösartig\w{0,2}|erkenn\w{1,2}|"
    r"ad esempio|esempi\w?|attacc\w{1,4}|iniezione|bijvoorbeeld|zoals|aanval\w{0,4}|na przykład|np\.|atak\w{0,3}|"
    r"misalnya|contoh\w{0,3}|seperti|serangan|berbahaya|mencurigakan|örneğin|saldırı\w{0,4}|ví dụ|chẳng hạn|tấn công)"
)
INTRO = lazy(
    r"例如|比如|譬如|诸如|如下|示例|样例|範例|范例|例句|注入|攻击|攻擊|恶意|惡意|检测|檢測|识别|識別|可疑|危险|危險|"
    r"警惕|试图|試圖|企图|语句|关键词|關鍵詞|特征|模式|黑名单|越狱|"
    r"例えば|たとえば|攻撃|悪意|不正|検出|検知|インジェクション|예를|예시|공격|악성|탐지|인젝션|주입|"
    rf"{_WORDS_BEFORE}|"
    r"например|пример|атак|вредоносн|инъекц|внедрени|фраз|подозрительн|наприклад|шкідлив|"
    r"مثل|مثال|هجوم|هجمات|حقن|خبيث|مشبوه|عبارات|उदाहरण|जैसे|हमला|हमले|इंजेक्शन|दुर्भावना|संदिग्ध",
    re.IGNORECASE,
)
"""What precedes a quotation in its sentence and calls it an example or an attack."""
_INTRO_WORDS = lazy(_WORDS_BEFORE, re.IGNORECASE)
_LETTERS = lazy("[^\x00-\xbf\u2000-\u206f\u2190-\u27bf\ue000]")
"""Has every character beyond ASCII that a match of ``INTRO`` can have, and few that are punctuation."""

HEADING = lazy(
    r"注入|攻击|攻擊|威胁|威脅|风险|風險|恶意|惡意|危险|危險|可疑|检测|檢測|示例|反例|禁止|警告|黑名单|误报|"
    r"攻撃|脅威|悪意|検出|検知|インジェクション|禁止|공격|위협|악성|탐지|인젝션|금지|"
    r"ataque|amenaza|amea[cç]a|malicios|inye[cç]|injec|inje[cç]|peligro|perig|riesgo|sospechos|suspeit|prohibid|proibid|"
    r"attaque|menace|malveill|dangere|interdit|suspect|angriff|bedrohung|bösartig|gefahr|gefähr|verboten|verdächtig|"
    r"attacc|minacc|pericol|serangan|ancaman|berbahaya|dilarang|mencurigakan|атак|угроз|вредоносн|опасн|запрещ|инъекц|подозрит|"
    r"هجوم|هجمات|تهديد|خطر|حقن|ممنوع|हमला|हमले|खतर|ख़तर|इंजेक्शन|संदिग्ध|निषिद्ध|saldırı|tehdit|tehlike|tấn công|nguy hiểm|zagroż|atak",
    re.IGNORECASE,
)
"""A heading that says that what follows is an attack or a danger, and is talked about."""

PAIRS = {"「": "」", "『": "』", "„": "“", "‹": "›", "《": "》", "‚": "‘"}
"""Quotation marks, beside those of English and French."""


def speaks(rule: str) -> bool:
    """Whether a rule reads other languages than English: by its id, which then ends in ``-translated``."""
    return rule.endswith("-translated")


def negation(text: str, low: int, start: int, end: int) -> str:
    """The word that negates ``text[start:end]``, or ``""``.

    It stands behind it, at once, or in ``text[low:start]`` with no end of its reach before ``start``.
    """
    after = UNDONE.match(text, end, end + 24)
    if after is not None and "\n" not in text[end : end + 1]:
        return after.group().strip()
    last = ""
    for found in NEGATION.finditer(text, low, start):
        if not DOUBLED.match(text, found.end(), start + 20) and not BREAK.search(text, found.end(), start):
            last = found.group()
    return last


def names_example(text: str) -> bool:
    """Whether ``INTRO`` is found: in a text without the letters of most of its words, the others have to be."""
    return (_INTRO_WORDS if _LETTERS.search(text) is None else INTRO).search(text) is not None


def introduced(text: str, low: int, quoted: int, closed: int) -> bool:
    """Whether the quotation from ``quoted`` to ``closed`` is called an example before it, from ``low``, or behind it."""
    for stop in _STOP.finditer(text, low, quoted):
        low = stop.end()
    return INTRO.search(text, low, quoted) is not None or AFTER.match(text, closed, closed + 24) is not None
