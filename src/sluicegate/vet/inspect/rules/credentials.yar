// Secrets: asked for in words, read by path, or left in the bundle.

rule credential_harvest_in_words
{
    meta:
        title = "Has the agent gather the user's secrets"
        category = "credential-access"
        severity = "critical"
        confidence = 750
        why = "Keys, tokens and passwords that are in the user's files are not the skill's to read. Once they are in the conversation they can be logged, repeated and sent."
        fix = "Ask the user for the one credential that is needed, and name it."
        references = "LLM02, ASI03, AML.T0055, CWE-522"
        languages = "prose, config"
        check = "harvests"
    strings:
        $read_ssh = /\b(read|cat|open|access|collect|gather|extract|copy|include|dump|grab|steal|harvest|retrieve|fetch|scan|index|print|output)\s{1,3}[^.!?\n]{0,80}(~|\$HOME|\/root|user's|\/home\/[a-z*]{1,20})?[`"' \/]{1,3}(\.ssh\/(id_[a-z0-9]{2,8}|\*)?|\.aws\/credentials|\.gnupg|\.netrc|\.kube\/config)[^\n]{0,100}\b(include|send|append|output|return|add|embed|post|upload|them|their|contents?|its\s{1,2}contents?|pass|report|store|share|forward)\b/i
        $include = /\b(include|embed|add|append|insert|attach|echo|pass|place|put|print)\s{1,3}[^.!?\n]{0,40}\b(user'?s?|their|any|all|the|\b\B)\s{1,3}([a-z]{1,14}\s{1,2}){0,3}(api[_ ]keys?|passwords?|ssh\s{1,2}keys?|private\s{1,2}keys?|secrets|credentials|(access|auth|session|authorization)[_ ](tokens?|header)|seed\s{1,2}phrases?|environment\s{1,2}variables)\b[^.!?\n]{0,60}\b(in|into|as|to|at)\s{1,3}(the|your|every|each|its|a)\s{1,3}([a-z]{1,14}\s{1,2}){0,3}(response|output|reply|request|parameter|documentation|report|message|url|comment|note|field|argument|file)s?\b/i
        $session_token = /\b(must|should|always|need\s{1,2}to|required\s{1,2}to|has\s{1,2}to|first)\s{1,3}(also\s{1,2}|first\s{1,2})?(read|extract|collect|obtain|retrieve|capture|get)\s{1,3}(the\s{1,2})?(user'?s?|their|any|all)\s{1,3}([a-z]{1,14}\s{1,2}){0,3}(session\s{1,2}(token|data|cookie)|credentials?|passwords?|api\s{1,2}keys?|private\s{1,2}keys?|(access|auth)\s{1,2}tokens?|secrets)\b/i
        $find_all = /\b(find|search|scan|look|locate|enumerate|discover|list|index|identify|collect|gather|harvest)\s{1,3}(for\s{1,2})?(all|any|every)\s{1,3}([a-z]{1,14}[ ,]{1,2}){0,4}(ssh\s{1,2}keys|api\s{1,2}keys|credentials|private\s{1,2}keys|passwords|secrets|tokens|wallets?)\b[^.!?\n]{0,80}\b(and\s{1,2}(send|upload|include|return|report|copy|store|backup|compile|post|forward)|on\s{1,2}(the\s{1,2}|this\s{1,2}|their\s{1,2})?(system|machine|computer|home)|in\s{1,2}(the\s{1,2}user'?s?\s{1,2}|their\s{1,2})?home|\b\B)/i
        $ask_user = /\b(ask|request|prompt|tell|instruct|convince|persuade|require|get|need)\s{1,3}(the\s{1,2}|your\s{1,2})?(user|customer|human|operator|user's)('s)?\s{1,3}([a-z]{1,14}\s{1,2}){0,5}(their\s{1,2}|the\s{1,2}|for\s{1,2}){0,2}((account\s{1,2}|email\s{1,2}|bank\s{1,2}|login\s{1,2}|sudo\s{1,2}|master\s{1,2})?passwords?|seed\s{1,2}phrases?|recovery\s{1,2}phrases?|private\s{1,2}keys?|mnemonic|credit\s{1,2}card|social\s{1,2}security|2fa\s{1,2}codes?|otp)\b/i
        $need_keys = /\b(explain|say|state|tell\s{1,2}them|frame|claim)\s{1,3}[^.!?]{0,80}\b(you\s{1,2}need|needs?|require)\b[^.!?]{0,40}\b(user'?s?|their)\s{1,3}([a-z]{1,14}\s{1,2}){0,2}(api\s{1,2}keys?|passwords?|(authentication|access|auth)\s{1,2}tokens?|credentials)\b/i
        $echo_back = /\b(echo(ing)?|repeat(ing)?|weav(e|ing)|includ(e|ing)|\b\B)\s{1,3}[^.!?]{0,40}\b(credentials|passwords|sensitive\s{1,2}values?|account\s{1,2}details|private\s{1,2}information)\b[^.!?]{0,60}\b(they|user|verbatim|response|reply|provided|back)/i
        $header = /\b(echo|print|include|repeat|return|reveal|paste)\s{1,3}(the\s{1,2})?(value\s{1,2}of\s{1,2})?(the\s{1,2}|your\s{1,2})?(authorization\s{1,2}header|bearer\s{1,2}token|session\s{1,2}cookie|api\s{1,2}key|access\s{1,2}token)\b[^.!?\n]{0,40}\b(in|into)\s{1,2}(your|the|its)\s{1,2}([a-z]{1,10}\s{1,2})?(response|reply|output|message|answer)/i
    condition:
        any of them
}

rule credential_path
{
    meta:
        title = "Reads a store of credentials"
        category = "credential-access"
        severity = "high"
        confidence = 650
        why = "Private keys, cloud credentials, keychains, browser profiles and wallets hold what an attacker wants most. Few skills have a reason to open them."
        fix = "Let the tool that owns the credential use it (ssh, aws, gh); do not read the file."
        references = "ASI03, T1552.001, T1555, CWE-522"
        languages = "any"
        unless = "_public"
    strings:
        $cat = /\b(cat|less|more|head|tail|base64|xxd|strings|cp|scp|openssl\s{1,2}enc|tar\s{1,2}[a-z-]{1,6}\s[^\s]{1,40}|type|Get-Content|gc|Copy-Item)\s{1,3}(-{1,2}[\w=-]{1,16}\s{1,2}){0,3}["']?(~|\$HOME|\$\{HOME\}|\/root|\/home\/[^\/\s]{1,32}|\/Users\/[^\/\s]{1,32}|%USERPROFILE%|\$env:USERPROFILE)"?[\/\\](\.ssh[\/\\](id_[a-z0-9]{2,8}\b|\*|identity\b|[a-z_]{1,20}_(rsa|key|ed25519)\b)|\.aws[\/\\]credentials|\.netrc|\.git-credentials|\.gnupg|\.kube[\/\\]config|\.docker[\/\\]config\.json|\.npmrc|\.pypirc|\.config[\/\\](gh[\/\\]hosts\.yml|gcloud[\/\\][a-z_]{1,40}|auth-profiles\.json)|\.openclaw[\/\\](openclaw\.json|credentials)|\.clawdbot[\/\\]\.env|\.claude[\/\\]\.credentials\.json|\.codex[\/\\]auth\.json)[^\s.]{0,10}/
        $open = /(open|readFile|readFileSync|read_text|read_bytes|Path|expanduser|ReadAllText|os\.ReadFile|File\.read|createReadStream|join|\b\B)\([^\n]{0,100}(\.ssh["'\/, ]{1,6}(id_[a-z0-9]{2,8})\b|\.aws["'\/, ]{1,6}credentials\b|\.git-credentials|\.gnupg["'\/, ]{1,6}(secring|private-keys)|\.claude["'\/, ]{1,6}\.credentials\.json|\.codex["'\/, ]{1,6}auth\.json|\.openclaw["'\/, ]{1,6}(openclaw\.json|credentials)|openclaw\.json|auth-profiles\.json|\.clawdbot["'\/, ]{1,6}\.env)/
        $browser = /(Google[\/\\]{1,2}Chrome|Chromium|BraveSoftware[\/\\]{1,2}Brave-Browser|Microsoft[\/\\]{1,2}Edge|User Data[\/\\]{1,2}Default|google-chrome|CHROME_PROFILE|Default)[^\n]{0,40}[\/\\]["']?(Login Data|Cookies|Web Data|Local State)\b/
        $firefox = /\b(logins\.json|key4\.db|cookies\.sqlite|signons\.sqlite|Cookies\.binarycookies)\b/
        $keychain = /\b(security\s{1,2}(dump-keychain|find-(generic|internet)-password\s[^\n]{0,60}-[wg]|export\s)|login\.keychain(-db)?|Library\/Keychains|secret-tool\s{1,2}(lookup|search)|kwallet-query|vaultcmd\s{1,2}\/list|cmdkey\s{1,2}\/list|CredEnumerate|mimikatz(\.exe|\.py|\s{1,2}["'][a-z]{4,12}::)|sekurlsa::[a-z]{4,20}|lsadump::[a-z]{2,10}|lsass\.dmp|comsvcs\.dll)/i
        $wallet = /(\bwallet\.dat\b|\/\.electrum\/wallets|\/\.ethereum\/keystore|Exodus\/exodus\.wallet|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa|\.config\/solana\/id\.json|Local Extension Settings)/
        $shadow = /\b(cat|less|head|tail|cp|open\(|readFileSync\(|grep\s[^\n]{0,40})\s{0,2}["']?\/etc\/(shadow|gshadow|sudoers)\b/
        $_public = /\.ssh[\/\\](id_[a-z0-9]{2,8}|[a-z_]{1,20}_(rsa|key|ed25519))\.pub\b/
        $env_cat = /\bcat\s{1,3}(["']?(~|\$HOME)\/)?\.env\b\s{0,2}($|\n|\||;|&&|`|\))/
    condition:
        any of them
}

rule cloud_metadata
{
    meta:
        title = "Asks the cloud's metadata service for credentials"
        category = "credential-access"
        severity = "high"
        confidence = 700
        why = "From inside a cloud machine, this address hands out the machine's own keys to anyone who asks."
        fix = "Use the provider's SDK with a role that is meant for the task."
        references = "ASI03, T1552.005, CWE-918"
        languages = "any"
    strings:
        $aws = /(curl|wget|requests\.|fetch|urlopen|http\.get|Invoke-WebRequest|Invoke-RestMethod|axios|iwr|irm|httpx\.)[^\n]{0,120}169\.254\.169\.254/i
        $path = /169\.254\.169\.254\/(latest\/(meta-data\/iam|user-data|api\/token)|metadata\/(identity|instance)|computeMetadata|opc\/v[12])/i
        $gcp = /metadata\.google\.internal\/computeMetadata\/v1[^\n]{0,80}(token|identity|ssh-keys|attributes)/i
        $ecs = /169\.254\.170\.2(\/v[234]|\$\{?AWS_CONTAINER)/
        $alibaba = "100.100.100.200/latest/meta-data"
        $hex = /(http:\/\/(0xa9fea9fe|2852039166|0251\.0376\.0251\.0376)|\[::ffff:(169\.254\.169\.254|a9fe:a9fe)\])/i
    condition:
        any of them
}

rule hardcoded_secret
{
    meta:
        title = "Ships a secret"
        category = "hardcoded-secret"
        severity = "medium"
        confidence = 800
        why = "A real key in a published skill is everyone's key. It also shows how its author handles yours."
        fix = "Revoke the key, then read it from the environment."
        references = "LLM02, CWE-798"
        languages = "any"
        kind = "structure"
        check = "secret"
    strings:
        $aws = /\b(AKIA|ASIA)[A-Z2-7]{16}\b/
        $github = /\b(ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{36}\b/
        $github_pat = /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/
        $gitlab = /\bglpat-[A-Za-z0-9_-]{20}\b/
        $slack = /\bxox[abprs]-\d{9,14}-\d{9,14}-[A-Za-z0-9-]{20,64}/
        $stripe = /\b(sk|rk)_live_[A-Za-z0-9]{24,99}\b/
        $google = /\bAIza[A-Za-z0-9_-]{35}\b/
        $anthropic = /\bsk-ant-(api|admin)\d{2}-[A-Za-z0-9_-]{80,120}/
        $openai = /\bsk-(proj-|svcacct-)?[A-Za-z0-9_-]{20,80}T3BlbkFJ[A-Za-z0-9_-]{20,80}/
        $huggingface = /\bhf_[A-Za-z]{34}\b/
        $npm = /\bnpm_[A-Za-z0-9]{36}\b/
        $pypi = /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,200}/
        $sendgrid = /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/
        $telegram = /\b(\d{8,10}|\b\B):AA[A-Za-z0-9_-]{33}\b/
        $twilio = /\bSK[0-9a-f]{32}\b/
        $shopify = /\bshp(at|ca|pa|ss)_[a-fA-F0-9]{32}\b/
        $digitalocean = /\bdop_v1_[a-f0-9]{64}\b/
        $groq = /\bgsk_[A-Za-z0-9]{52}\b/
        $age = /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/
        $pem = /-----BEGIN ((RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY( BLOCK)?-----[\s\\n]{1,6}[A-Za-z0-9+\/=\s\\]{64,200}/
    condition:
        any of them
}
