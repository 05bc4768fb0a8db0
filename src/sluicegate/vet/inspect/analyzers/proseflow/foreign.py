"""Orders in other languages than English to send something private to an address: verb, object and no negation.

In most of these languages the verb may stand before or after what it governs, so a sentence is asked for both and not
for their order. The rules of ``rules/languages_gate.yar`` read one sentence; here what is gathered in one and sent in
the next counts, too.
"""

from __future__ import annotations

import re

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.proseflow.passages import TextSpan
from sluicegate.vet.inspect.analyzers.proseflow.text import Text
from sluicegate.vet.lazy import lazy

_SENDS = (
    # German
    r"\b(?:(?:ver)?sende[nt]?|gesendet|(?:ver)?schicke?[nt]?|geschickt|über(?:mitt(?:le|eln|elt)|tr[aä]g(?:e|en|t))|lade[nt]?|hochladen|hochgeladen|(?:weiter)?leite[nt]?|weitergeleitet|weiterleiten"
    r"|maile[nt]?|gemailt|füge|anhängen|lege|ablegen|stelle|reiche[nt]?|einreichen|kopiere[nt]?"
    # French
    r"|(?:r?en|)voie[sz]?|envoye[rz]|envoyée?s?|transme(?:ts|ttez|ttre)|transmise?s?|dépose[rz]?|déposée?s?|téléverse[rz]?|téléversée?s?|poste[rz]|postée?s?|partage[rz]|partagée?s?|transfère[rz]?|transférer|publie[rz]|joins|joindre"
    # Spanish and Portuguese
    r"|(?:re)?env[ií](?:a|ame|e|ar|arse|en|an|ad[oa]s?|al[oa]s?)(?![\w])|m[aá]nd(?:a|e|ar|ami|ame|al[oa]s?|ad[oa]s?)|s[uú]b(?:e|a|ir|irse|id[oa]s?|el[oa]s?)|transm(?:ite|ita|itir|itid[oa]s?)|comparte|compartir|public(?:a|ar)|adjunt(?:a|ar)|remit(?:e|ir)"
    r"|carreg(?:a|ue|ar|ad[oa]s?)|encaminh(?:a|e|ar|ad[oa]s?)|compartilh(?:a|e|ar)|post(?:a|ar|ad[oa]s?)|anex(?:a|e|ar)"
    # Italian
    r"|invi(?:a|ami|are|ate|at[aeio])|mandal[aeio]|caric(?:a|are|at[aeio]|al[aeio])|trasm(?:etti|ettere|ess[aeio])|inoltr(?:a|are|at[aeio])|spedi(?:sci|re|t[aeio])|condividi|alleg(?:a|are)"
    # Dutch, Polish, Turkish, Indonesian
    r"|(?:ver)?stuur|verzend(?:en)?|wyślij|prześlij|wysyłaj|gönder\w{0,6}|yükle\w{0,5}|kirim(?:kan)?|unggah)\b"
    # Russian, Ukrainian
    r"|\b(?:отправ|отсыла|перешл|пересыла|перед(?:ай|ать|ава)|загру[зж]|выгру[зж]|надішл|відправ|вышли|высыла)\w{0,8}"
    # Chinese, Japanese, Korean, Arabic, Hindi
    r"|发送|發送|上传|上傳|提交|转发|轉發|传送|傳送|传输|外传|送信|送って|送る|送れ|アップロード|転送|投稿|전송|보내|업로드|전달|أرسل|ارسل|إرسال|ارفع|رفع|انقل|भेज|अपलोड"
)
SENDS = lazy(_SENDS, re.IGNORECASE)
"""Verbs that give something to somebody else."""
_SECRETS = (
    r"\b(?:passw(?:ort|örter|örtern)|kennw(?:ort|örter)|zugangsdaten|anmeldedaten|(?:private[nr]?|ssh-?|api-?|geheime[nr]?) ?schlüssels?|schlüsselbund|umgebungsvariablen|chatverlauf|gesprächsverlauf|zwischenablage|browserverlauf|kontakte"
    r"|mots? de passe|identifiants|cl(?:é|e)s? (?:privées?|api|ssh|secrètes?|d'api)|variables d['’]environnement|jetons?|historique|presse-papiers|conversation|carnet d['’]adresses"
    r"|contraseñas?|claves? (?:de api|de acceso|privadas?|ssh|secretas?)|credencia(?:les|is)|variables de entorno|historial|portapapeles|conversación|contactos|secretos"
    r"|senhas?|chaves? (?:de api|privadas?|ssh|secretas?|de acesso)|variáveis de ambiente|histórico|área de transferência|conversas?|contatos|segredos"
    r"|credenziali|chiav[ei] (?:privat[ae]|ssh|api|segret[ae])|variabili d['’]ambiente|cronologia|appunti|conversazion[ei]|rubrica|password (?:salvate|dell['’]utente)"
    r"|wachtwoord\w{0,2}|inloggegevens|hasł[ao]|kata sandi|kredensial|parola\w{0,4}|şifre\w{0,4})\b"
    r"|\b(?:парол|учётн\w{2,3} данн|учетн\w{2,3} данн|секрет|токен|переписк|буфер обмена|куки)\w{0,4}|\bключ(?:и|ей|а|ом)?\b|\bпеременн\w{2,4} (?:окружения|среды)|\bистори\w{1,2} (?:чата|браузера|переписки|диалога)"
    r"|密码|密碼|密钥|密鑰|私钥|私鑰|凭据|凭证|憑證|环境变量|環境變數|助记词|助記詞|聊天记录|聊天記錄|对话|對話|剪贴板|浏览记录|通讯录"
    r"|パスワード|秘密鍵|認証情報|環境変数|apiキー|会話|チャット履歴|クリップボード|シークレット|비밀번호|개인 ?키|api ?키|자격 ?증명|환경 ?변수|대화"
    r"|كلمات? المرور|مفاتيح|المفتاح الخاص|بيانات الاعتماد|متغيرات البيئة|المحادثة|पासवर्ड|कुंजी|वार्तालाप"
    r"|(?<![\w.])\.env\b(?!\.(?:example|sample))|~/\.(?:ssh|aws|gnupg|kube|netrc|npmrc)\b|\bid_(?:rsa|ed25519)\b"
)
SECRETS = lazy(_SECRETS, re.IGNORECASE)
"""What is private, in these languages and in none."""


_STEMS = (
    "sende", "schick", "leite", "maile", "lade", "reiche", "kopier", "envi", "envo", "env\u00ed", "poste", "transm", "partag", "publi", "joi", "mand", "sub",
    "compart", "adjunt", "remit", "carreg", "caric", "encaminh", "anex", "invi", "inoltr", "spedi", "condivid", "alleg", "trasm", "stuur", "kirim",
    "unggah", "voie",
)  # fmt: skip
"""One of these stands in every such verb that is written in ASCII."""


def may_send(said: str) -> bool:
    """Whether a sentence has what stands in every verb of ``SENDS``."""
    return not said.isascii() or one_of(_STEMS, said.lower())


def sent(of: Text, pieces: list[TextSpan], number: int, start: int) -> str | None:
    """What private thing a sentence in another language sends to the address in it that begins at ``start``, or None."""
    sentence = pieces[number]
    said = of.said(sentence)
    if not may_send(said):
        return None
    verb = SENDS.search(said)
    if verb is None:
        return None
    secret = SECRETS.search(said) or (SECRETS.search(of.said(pieces[number - 1])) if number else None)
    if secret is None:
        return None
    at = sentence.start + verb.start()
    if of.negated_in_any_language(sentence, at, sentence.start + verb.end()):
        return None
    if _CLIENT.search(said) is not None or start < sentence.start:
        return None
    return secret[0]


_CLIENT = lazy(
    r"\b(?:header|kopfzeile|en-t[êe]te|cabecera|encabezado|cabeçalho|intestazione|authorization|bearer)\b|заголов|请求头|請求標頭|ヘッダ|헤더",
    re.IGNORECASE,
)
"""How every client sends its own key."""
