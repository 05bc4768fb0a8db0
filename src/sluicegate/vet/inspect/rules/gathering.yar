// Code that gathers and sends, seen by what stands together.

rule credential_sweep
{
    meta:
        title = "Reads several stores of credentials, and sends"
        category = "credential-access"
        severity = "high"
        confidence = 850
        why = "A program has use for one credential at most. Code that lists the keys of several services, or wallets of several kinds, and talks to a server close by, is a thief's list."
        fix = "Do not run it. Treat every credential in its list as stolen if it ran."
        references = "ASI03, LLM02, T1552.001, T1555, CWE-522"
        languages = "code, config"
        evidence = "send"
        near_send = "2 of _ssh, _aws, _registry, _cluster, _gpg, _browser, _agent in start-1200..start or 2 of _wallet, _extension, _seed in start-1200..start or 2 of _dotenv, _ssh, _aws, _registry, _cluster in start-1200..start"
    strings:
        $send = /(\bhttps?\.request\(|\bfetch\(|\baxios[.(]|\brequests\.(post|put|request)\(|\burlopen\(|\b(curl|\b\B)\s[^\n]{0,100}(-X\s{0,2}POST|\s-d\b|--data|\s-F\b|\s-T\b|--upload)[^\n]{0,60}|\bsendBeacon\(|\bhttpx\.(post|put)\(|Invoke-(RestMethod|WebRequest)\s[^\n]{0,80}POST|\|\s{0,2}(nc|ncat)\s)/
        $_ssh = /\.ssh\b|\bid_(rsa|ed25519|ecdsa)\b/
        $_aws = /\.aws["'\/, ]{1,6}credentials|\.config\/gcloud|\.azure\//
        $_registry = /\.npmrc\b|\.pypirc\b|\.git-credentials\b|\.netrc\b/
        $_cluster = /\.kube\/config\b|\.docker\/config\.json\b|\.vault-token\b/
        $_gpg = /\.gnupg\b|Library\/Keychains|login\.keychain/
        $_dotenv = /["'\/]\.env["'\s]/
        $_browser = /Login Data\b|cookies\.sqlite\b|key4\.db\b|logins\.json\b|Local State\b/
        $_wallet = /\bwallet\.dat\b|\.electrum\b|\*\.keystore\b|Exodus\/exodus|\.config\/solana|ethereum\/keystore/i
        $_extension = /metamask|phantom\*|Local Extension Settings|nkbihfbeogaeaoehlefnkodbefgpgknn/i
        $_seed = /["'*\s]mnemonic\*?["'\s]|["']seed\.txt["']|seed[_ ]phrase/i
        $_agent = /\.claude\/\.credentials|auth-profiles\.json|\.codex\/auth\.json|openclaw\.json/
    condition:
        $send
}

rule source_files_to_network
{
    meta:
        title = "Reads every file of the project and sends them"
        category = "exfiltration"
        severity = "high"
        confidence = 650
        why = "A project's files hold unpublished work and secrets. Code that walks all of them, reads each and posts the result hands the project to a server."
        fix = "Send the files that the user names, to a place that the user names."
        references = "ASI02, LLM02, T1005, T1567, CWE-200"
        languages = "javascript, typescript"
        evidence = "walk"
        near_walk = "_read in start..start+600 and _post in start..start+1000"
    strings:
        $walk = /\b(glob|globSync|glob\.sync|globby|globby\.sync|fg|fg\.sync|fastGlob)\(\s{0,2}\[?\s{0,2}["'`]\*\*\/[^\n)]{0,60}/
        $_read = /\breadFile(Sync)?\(/
        $_post = /(method\s{0,3}:\s{0,3}["'`]POST["'`]|\baxios\.post\(|\.sendBeacon\(|\bgot\.post\()/
    condition:
        $walk and $_read and $_post
}

rule encoded_upload
{
    meta:
        title = "Encodes data and sends it in one line, or fetches what is then decoded"
        category = "exfiltration"
        severity = "high"
        confidence = 600
        why = "Encoding on the way out or in keeps content from everyone who watches the connection or reads the command."
        fix = "Send and fetch plain files over https, and name them."
        references = "ASI02, T1132, T1140, CWE-506"
        languages = "shell, prose"
        kind = "command"
        unless = "_media"
    strings:
        $out = /\b(base64|xxd|openssl\s{1,2}(enc|base64))\b[^\n|;&]{0,100}\|\s{0,2}(curl\s[^\n|;&]{0,120}(@-|-T\s{0,1}-)[^\n|;&]{0,100}|(nc|ncat|netcat)\s{1,2}[^\n|;&]{4,100})/
        $_media = /\b(base64|xxd)\b[^\n|;&]{0,80}\.(png|jpe?g|gif|webp|mp3|wav|mp4|pdf|svg|heic)\b/
        $in = /\b(curl|wget)\s[^\n;&|]{8,200}(;|&&)\s{0,2}base64\s{1,2}(-d|-D|--decode)\b[^\n]{0,100}/
        $listen = /\b(nc|ncat|netcat)\s{1,2}[^\n|;&]{0,40}-[a-z]{0,3}l[a-z]{0,3}\b[^\n|;&]{0,40}\|\s{0,2}(base64\s{1,2}(-d|-D|--decode)|(ba|z)?sh\b)[^\n]{0,80}/
    condition:
        $out or $in or $listen
}

rule encoded_address
{
    meta:
        title = "Hides an address behind an encoding"
        category = "obfuscation"
        severity = "critical"
        confidence = 600
        why = "An address is not a secret of the program that asks it. It is encoded so that nobody who reads or searches the code finds it."
        fix = "Write the address as it is."
        references = "ASI04, T1027, T1132.001, CWE-506"
        languages = "code"
        unless = "_redirect"
    strings:
        $base64 = /["'`]aHR0c(HM6Ly|DovL)[A-Za-z0-9+\/]{8,200}={0,2}["'`]/
        $hex = /["'`]68747470(73)?3a2f2f([0-9a-f]{2}){5,120}["'`]/i
        $escaped = /["'`]\\x68\\x74\\x74\\x70(\\x73)?\\x3a\\x2f\\x2f/i
        $turned = /["'`][^\s"'`]{4,120}\/\/:(s)?ptth["'`]/
        $_redirect = /[?&]u=[a-z0-9]{0,3}aHR0c/
    condition:
        $base64 or $hex or $escaped or $turned
}
