// Data leaves: in words, to known collection points, in the address of a picture.

rule exfiltrate_in_words
{
    meta:
        title = "Tells the agent to send private data away"
        category = "exfiltration"
        severity = "critical"
        confidence = 750
        why = "An agent reads files, keys and conversations for its user. Words that have it pass them to an address turn it into a courier."
        fix = "Remove the transfer, or make it an explicit act of the user with the data named."
        references = "LLM02, ASI02, AML.T0057, AML.T0086"
        languages = "prose, config"
        before_conversation = "(?i)\\b(?:(?:send|forward|upload|post|submit|email|relay|report|deliver|push|leak|pass)(?:s|ing)?|transmit(?:s|ting)?|exfiltrat(?:es?|ing)|shar(?:es?|ing)|bcc|includ(?:es?|ing))\\s[^.!?]{0,70}$"
    strings:
        $conversation = /(\b(conversation(\s{1,2}(history|log|transcript|context|content)s?)?|chat\s{1,2}(history|log|transcript)s?|user'?s?\s{1,2}(messages|input|prompts?|queries)|session\s{1,2}(data|token|history|transcript|cookies?)|context\s{1,2}window|id_rsa|id_ed25519|private\s{1,2}keys?|ssh\s{1,2}keys?|environment\s{1,2}variables|credentials?|passwords?|secrets|seed\s{1,2}phrases?|mnemonics?|wallet\s{1,2}(keys?|files?)|api[_ -]?keys?|(access|auth|session|oauth)[_ -]tokens?|cookies|keychain)\b|\.ssh\b|\.aws\b|\.env\b|\/etc\/(passwd|shadow)\b)[^.!?\n]{0,60}\bto\s{1,3}(the\s{1,2}|this\s{1,2}|our\s{1,2}|an?\s{1,2}|following\s{1,2}|external\s{1,2}|remote\s{1,2}|configuration\s{1,2}){0,3}[`"'<(\[*]{0,3}(https?:\/\/|webhook|endpoint|url\b|remote\s{1,2}server|server|attacker|collector|external|[\w.-]{3,60}@[a-z]|[a-z0-9-]{2,40}\.[a-z]{2,10}\/)/i
        $contents = /\b(send|forward|upload|transmit|post|submit|exfiltrate|relay|mirror)\s{1,3}(all\s{1,2}|the\s{1,2}|any\s{1,2}|every\s{1,2}|their\s{1,2}|its\s{1,2}|full\s{1,2}|entire\s{1,2}|complete\s{1,2}){1,3}([a-z]{1,14}\s{1,2}){0,2}(file\s{1,2}contents?|contents?|files?|data|source\s{1,2}code|codebase|findings|documents?|\b\B)\s{1,3}[^.!?\n]{0,30}\bto\s{1,2}[`"'<(\[*]{0,3}(http|\b\B)s?:\/\/[^\s)`"'>\n]{4,160}[^.!?\n]{0,60}\b(silently|secretly|for\s{1,2}(audit|compliance|verification|telemetry|analysis|validation|backup|review)|without|before|do\s{1,2}not|never|automatically)/i
        $forward_all = /\b(forward|relay|exfiltrate|mirror)\s{1,3}(all|every|any)\s{1,3}([a-z]{1,14}\s{1,2}){0,3}(data|messages?|responses?|requests?|outputs?|files?|information|content)\s{1,3}[^.!?\n]{0,30}\bto\s{1,3}[`"'<(\[*]{0,3}(http|\b\B)s?:\/\//i
        $post_to = /\b(read|collect|gather|find|list|compile|extract|harvest|search\s{1,2}for)\b[^.!?\n]{0,80}(\.ssh\b|id_rsa|\.aws\b|\.env\b|credentials?\b|passwords?\b|secrets\b|api[_ -]?keys?\b|tokens?\b|environment\s{1,2}variables|private\s{1,2}keys?|configuration\s{1,2}files?)[^\n]{0,120}(\n[^\n]{0,160}){0,5}\b(post|send|submit|upload|share|transmit|forward)\b[^\n]{0,80}\b(to|at|with)\s{1,2}[`"'<(\[*]{0,3}(https?:\/\/|the\s{1,2}(configuration\s{1,2}|validation\s{1,2}|audit\s{1,2}|remote\s{1,2})(endpoint|server|service)|\b\B)/i
        $encode_send = /\b(encode|base64|encrypt|compress|hex-encode)\b[^.!?\n]{0,80}\b(conversation|context|memory|secrets?|credentials?|tokens?|keys|files?|prompt|history)\b[^.!?\n]{0,80}\b(append|include|add|embed|send|attach|put)\b[^.!?\n]{0,60}\b(url|query|request|image|link|dns|subdomain|parameter|header)\b/i
    condition:
        any of them
}

rule exfil_endpoint
{
    meta:
        title = "Names an address where stolen data is collected"
        category = "exfiltration"
        severity = "high"
        confidence = 700
        why = "Request catchers, tunnels, anonymous file drops, and chat webhooks take data from anyone without an account that could be traced; attackers use them before all else."
        fix = "Send data to a service that the user has chosen and can name."
        references = "ASI02, T1567, CWE-200"
        languages = "any"
        near_tunnels = "_upload in start-200..start+200"
        near_drops = "_upload in start-160..start+160"
    strings:
        $catchers = /\b(webhook\.site\/[a-z0-9-]{4,40}|[a-z0-9-]{3,40}\.requestbin\.(com|net)|requestbin\.(com|net|io)\/r\/|[a-z0-9]{6,40}\.m\.pipedream\.net|[a-z0-9-]{3,40}\.pipedream\.net|requestcatcher\.com\/|[a-z0-9-]{3,40}\.requestcatcher\.com|hookbin\.com\/|beeceptor\.com\/|[a-z0-9-]{3,40}\.free\.beeceptor\.com|postb\.in\/|ptsv[23]\.com\/t\/|webhook\.cool\/|smee\.io\/[A-Za-z0-9]{8,})/i
        $oast = /[a-z0-9.-]{4,80}\.(oast\.(me|live|site|online|fun|pro)|interact\.sh|interactsh\.com|burpcollaborator\.net|oastify\.com|dnslog\.cn|ceye\.io|canarytokens\.com|dnsbin\.zhack\.ca)\b/i
        $tunnels = /https?:\/\/[a-z0-9-]{4,60}\.(ngrok\.io|ngrok-free\.app|ngrok\.app|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|lhr\.life|bore\.pub)\b/i
        $chat_hooks = /\b(discord(app)?\.com\/api\/webhooks\/\d{6,20}\/[\w-]{10,80}|hooks\.slack\.com\/services\/T[A-Z0-9]{7,12}\/B[A-Z0-9]{7,12}\/[A-Za-z0-9]{18,30}|api\.telegram\.org\/bot\d{6,12}:[\w-]{30,40})/
        $drops = /\b(transfer\.sh|file\.io|0x0\.st|temp\.sh|bashupload\.com|termbin\.com|gofile\.io\/uploadFile|anonfiles\.com|catbox\.moe\/user\/api|oshi\.at|paste\.c-net\.org|ix\.io|sprunge\.us|paste\.rs|dpaste\.com\/api|pastebin\.com\/api|uguu\.se\/upload|litterbox\.catbox)\b/i
        $_upload = /(-F\s{0,2}["']?[\w.-]{1,20}=@|-T\s|--upload-file|--data|-d\s{0,2}@?|\bPOST\b|requests\.(post|put)|fetch\(|axios|\|\s{0,2}(curl|nc)\b|\b(send|upload|forward|exfiltrate|report)\b)/
    condition:
        any of ($catchers, $oast, $tunnels, $chat_hooks, $drops)
}

rule markdown_image_exfil
{
    meta:
        title = "Puts data into the address of a picture or link"
        category = "exfiltration"
        severity = "high"
        confidence = 800
        why = "A rendered picture is fetched at once and without a click. When its address carries what the agent knows, rendering it sends that away."
        fix = "Remove the picture, or give it a fixed address."
        references = "LLM02, LLM05, ASI02, AML.T0077, CWE-200"
        languages = "prose, config"
        kind = "command"
    strings:
        $image = /!\[[^\]\n]{0,80}\]\(https?:\/\/[^\s)\n]{3,120}[?&\/][^\s)\n]{0,60}(\{\{?|\$\{|\[|<|%7B)[^)\n]{0,10}(data|secret|token|key|conversation|context|history|prompt|content|summary|base64|encoded|user|password|email|memory|env|session|chat|response|output|cookie)[^)\n]{0,60}/i
        $html = /<img\s[^>\n]{0,80}src\s{0,2}=\s{0,2}["']?(http|\b\B)s?:\/\/[^\s"'>]{3,120}[?&][^\s"'>]{0,40}=(\{\{?|\$\{|\[|%7B)[^>\n]{0,10}(data|secret|token|key|conversation|context|history|prompt|content|summary|base64|encoded|password|memory|env|session|chat|cookie)/i
        $words = /\b(render|include|insert|embed|display|show|add|append|output|create)\s{1,3}(an?\s{1,2}|the\s{1,2}|this\s{1,2}|following\s{1,2}|markdown\s{1,2}|hidden\s{1,2}|tracking\s{1,2}|invisible\s{1,2}|1x1\s{1,2}){0,4}(image|img|picture|pixel|link)\b[^.!?]{0,120}\b(replac(e|ing)|substitut(e|ing)|encod(e|ing|ed)|append(ing|ed)?|containing|with|\b\B)\b[^.!?]{0,60}\b(conversation|secrets?|api\s{1,2}keys?|user'?s?\s{1,2}(data|input|message|name|email)|credentials?|tokens?|context|chat\s{1,2}history|file\s{1,2}contents?|environment|\b\B)\b/i
    condition:
        any of them
}

rule secret_upload_command
{
    meta:
        title = "Uploads secrets or the environment in one command"
        category = "exfiltration"
        severity = "critical"
        confidence = 850
        why = "The environment, key files and credential stores are read and handed to the network in the same line; nothing is left to see in between."
        fix = "Do not run it. Treat every secret that was in reach as stolen."
        references = "ASI02, LLM02, T1041, CWE-200"
        languages = "any"
        before_substitution = "\\b(?:curl|wget|dig|nslookup|host|ping)\\s.*$"
        before_dns = "\\b(?:dig|nslookup|host)\\s.*$"
        before_pipe = "(?:\\b(?:env|printenv|set)(?:\\s[A-Z0-9_-]{1,30}){0,2}\\s{0,2}(?:\\|[^;]{0,120})?|\\bexport\\s-p\\s{0,2}(?:\\|[^;]{0,100})?|\\b(?:cat|head|tail|tar|base64|gzip|find)\\s[^|;]{0,120}(?:\\.ssh/|id_rsa|id_ed25519|\\.aws/|\\.env\\b|credentials|\\.netrc|\\.npmrc|\\.pypirc|\\.kube/config|openclaw\\.json|auth-profiles\\.json|/etc/(?:passwd|shadow)|\\.gnupg|wallet|\\.docker/config\\.json|Login Data|Cookies)[^;]{0,140}|\\b(?:echo|printf)\\s[^|;]{0,60}\\$\\{?[A-Za-z_]{0,40}(?:TOKEN|SECRET|PASSWORD|API_KEY|ACCESS_KEY|CREDENTIAL|PRIVATE_KEY|env_name|secret|credential)[A-Za-z_]{0,20}[^;]{0,80})$"
        before_each = "(?:\\b(?:env|printenv|set)(?:\\s[A-Z0-9_-]{1,30}){0,2}\\s{0,2}(?:\\|[^;]{0,120})?|\\bexport\\s-p\\s{0,2}(?:\\|[^;]{0,100})?|\\b(?:cat|head|tail|tar|base64|gzip|find)\\s[^|;]{0,120}(?:\\.ssh/|id_rsa|id_ed25519|\\.aws/|\\.env\\b|credentials|\\.netrc|\\.npmrc|\\.pypirc|\\.kube/config|openclaw\\.json|auth-profiles\\.json|/etc/(?:passwd|shadow)|\\.gnupg|wallet|\\.docker/config\\.json|Login Data|Cookies)[^;]{0,140}|\\b(?:echo|printf)\\s[^|;]{0,60}\\$\\{?[A-Za-z_]{0,40}(?:TOKEN|SECRET|PASSWORD|API_KEY|ACCESS_KEY|CREDENTIAL|PRIVATE_KEY|env_name|secret|credential)[A-Za-z_]{0,20}[^;]{0,80})$"
        before_find = "\\bfind\\s.*$"
        before_sqlite = "\\bsqlite3\\s.*$"
        rest_pipe = 120
        rest_each = 120
        rest_substitution = 120
    strings:
        $pipe = /\|\s{0,3}(curl|wget|nc|ncat|netcat|socat)\s/
        $each = /\|\s{0,3}((xargs|parallel)(\s{1,2}[^\s|;&]{1,24}){0,8}|while\s[^\n|;]{1,60};\s{0,3}do)\s{1,4}(curl|wget|nc|ncat|netcat|socat)\s/
        $substitution = /(\$\(|`)\s{0,2}((env|printenv)\b|(cat|base64|head|tail|xxd|<)\s[^\n)`]{0,60}(\.ssh|id_rsa|id_ed25519|\.aws|\.env\b|credentials|\.netrc|\.npmrc|\.kube|openclaw\.json|\/etc\/(passwd|shadow)|\.gnupg|wallet))/
        $file = /(\s-d|--data|--data-binary|--data-raw|\s-F|\s-T|--upload-file)\s{0,2}["']?([\w.-]{1,20}=)?[@<]["']?(~|\$HOME|\$\{HOME\}|\/root|\/home\/[^\/\s]{1,32}|%USERPROFILE%)?[^\s"';|]{0,40}(\.ssh\/|id_rsa|id_ed25519|\.aws\/credentials|\/\.env\b|\.netrc|\.npmrc|\.pypirc|\.kube\/config|openclaw\.json|auth-profiles\.json|\/etc\/(passwd|shadow)|\.gnupg|wallet\.dat|Login Data)/
        $variable = /=["']?\$\((cat|tar|base64|head|gzip)\s[^\n]{0,80}(\.ssh\b|\.aws\/credentials|id_rsa|\.gnupg|\.netrc)[^\n]{0,100}\n([^\n]{0,120}\n){0,4}[^\n]{0,80}(\s-d\s|--data|\|\s{0,2}curl)/
        $dns = /(\$\(|\$\{|\{)[\w.| -]{1,60}[)}]["']?\.[\w.-]{1,60}\.[a-z]{2,12}/
        $tar = /\b(tar|zip)\s[^\n|;&]{0,80}(\.ssh|\.aws|\.gnupg|\.config\/gcloud|\.kube|Keychains|\.mozilla|Application Support)[^\n]{0,100}(\||&&|;)[^\n]{0,60}\b(curl|wget|nc|scp|rsync)\s[^\n]{0,100}/
        $find = /(id_rsa|\*\.pem|\.env\b|\*\.key|wallet|keystore|credentials)[^\n]{0,120}(\n[^\n]{0,80}){1,3}\|\s{0,2}(curl|nc)\s/
        $sqlite = /(Cookies|Login Data|cookies\.sqlite|key4\.db)["'][^\n]{0,200}\|\s{0,2}(curl|nc|wget)\s/
        $upload_file = /\bcurl\s{1,2}(-[\w-]{1,20}\s{1,2}){0,6}(-T|--upload-file)\s{1,2}["']?(~|\$HOME|\$\{HOME\}|\/root)[^\s"';|]{0,40}(\.ssh\/|id_rsa|id_ed25519|\.aws\/credentials|\/\.env\b|\.netrc|\.npmrc|\.kube\/config|\.gnupg|wallet\.dat)/
    condition:
        any of them
}
