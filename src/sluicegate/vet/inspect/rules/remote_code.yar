// Code that arrives after the review.

rule pipe_to_shell
{
    meta:
        title = "Runs a script straight from the network"
        category = "remote-code"
        severity = "high"
        confidence = 800
        why = "What the address serves is run unseen, and can differ on every visit and for every visitor."
        fix = "Download, check a published digest, read, then run; or use a package manager with a pinned version."
        references = "LLM03, ASI04, ASI05, T1105, CWE-494"
        languages = "any"
        unless = "_installer, _choco, _untrusted"
        before_shell = "\\b(?:curl|wget|fetch|aria2c)\\s[^|;]*?(?:https?://|\\$|www\\.)[^|;]*$"
        before_lang = "\\b(?:curl|wget)\\s[^|;]*?https?://[^|;]*$"
        rest_substitution = 160
        rest_process = 160
        rest_eval = 160
        before_powershell_pipe = "(?i)\\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|curl|wget|DownloadString)\\b[^|;]*(?:https?://|\\$)[^|;]*$"
    strings:
        $substitution = /\b(ba|z|da)?sh\s{1,2}-[a-z]{0,3}c\s{1,2}["']{0,2}(\$\(|`)\s{0,2}(curl|wget)\s/
        $process = /\b(bash|sh|zsh|source|\.)\s{1,2}<\(\s{0,2}(curl|wget)\s/
        $eval = /\beval\s{1,2}["']{0,2}(\$\(|`)\s{0,2}(curl|wget)\s/
        $awk = /\b(curl|wget)\s[^\n]{3,120}\|\s{0,2}getline\b[^\n]{0,160}\bsystem\(/
        $powershell = /\b(iex|Invoke-Expression)\b[ ({&]{0,6}[^\n]{0,40}(New-Object\s{1,2}(System\.)?Net\.WebClient\)?\.Download(String|Data)|Invoke-WebRequest|Invoke-RestMethod|\biwr\b|\birm\b|DownloadString)/i
        $powershell_pipe = /\|\s{0,3}(iex|Invoke-Expression)\b/i
        $_installer = /(https:\/\/|\b\B)(sh\.rustup\.rs|win\.rustup\.rs|(www\.)?astral\.sh\/(uv|ruff)|releases\.astral\.sh|bun\.(sh|com)\/install|deno\.land\/(x\/)?install|get\.docker\.com|deb\.nodesource\.com\/|rpm\.nodesource\.com\/|fnm\.vercel\.app\/install|get\.pnpm\.io\/install|ollama\.(com|ai)\/install|claude\.ai\/install|raw\.githubusercontent\.com\/(Homebrew\/install|nvm-sh\/nvm|helm\/helm|ohmyzsh\/ohmyzsh|pyenv\/pyenv-installer|rancher\/k3d|aquasecurity\/(trivy|tfsec)|anchore\/(syft|grype)|k3d-io\/k3d|golangci\/golangci-lint|tilt-dev\/tilt|kubernetes-sigs\/kustomize|pnpm\/pnpm|cli\/cli|junegunn\/fzf|rtk-ai\/rtk|oven-sh\/bun)\/|get\.helm\.sh|get\.k3s\.io|sdk\.cloud\.google\.com|starship\.rs\/install|fly\.io\/install|get\.volta\.sh|install\.python-poetry\.org|foundry\.paradigm\.xyz|release\.(anza|solana)\.(xyz|com)\/|tailscale\.com\/install|get\.sdkman\.io|pyenv\.run|cursor\.com\/install|opencode\.ai\/install|get\.pulumi\.com|cli\.doppler\.com\/|just\.systems\/install|mise\.(run|jdx\.dev)|nixos\.org\/nix\/install|install\.determinate\.systems|get\.jetify\.com|get\.comma\.ai|downloads\.claude\.ai|sh\.vector\.dev|get\.scoop\.sh|(community\.)?chocolatey\.org\/install|install\.duckdb\.org|sentry\.io\/get-cli|get\.trunk\.io|pixi\.sh\/install|openclaw\.ai\/install|cli\.github\.com|packages\.microsoft\.com|apt\.llvm\.org|get\.haskellup|get-ghcup\.haskell\.org|raw\.github\.com\/ohmyzsh|run\.linkerd\.io|istio\.io\/downloadIstio|github\.com\/(tektoncd|fluxcd|argoproj|cert-manager|kubernetes|kubernetes-sigs|moby|containerd|golangci|anchore|aquasecurity)\/|toolbelt\.treasuredata|fluxcd\.io\/install|get\.arkade\.dev|dl\.k8s\.io|raw\.githubusercontent\.com\/(acmesh-official|astral-sh|denoland|vercel|cloudflare|supabase|prisma|microsoft|google|aws|awslabs|hashicorp|github|openai|anthropics|docker|grafana)\/|dot\.net\/v1|dotnet\.microsoft\.com|tea\.xyz|get\.rvm\.io|rvm\.io|get\.nextflow\.io|raw\.githubusercontent\.com\/modular|get\.modular\.com|magic\.modular\.com|micro\.mamba\.pm\/install|install\.julialang\.org|hf\.co\/cli|raw\.githubusercontent\.com\/huggingface\/|aspire\.dev\/install|rover\.apollo\.dev\/)/
        $_choco = /DownloadString[( ]{1,2}["']https:\/\/(community\.)?chocolatey\.org\/install\.ps1/
        $_untrusted = /(http:\/\/[a-km-z0-9]|https?:\/\/(\d{1,3}\.){3}\d{1,3}\b|https?:\/\/([^\s\/"']{0,60}[.@])?((glot\.io|pastebin\.com|rentry\.co|paste\.(ee|rs|gg|c-net\.org)|controlc\.com|0x0\.st|ix\.io|transfer\.sh|file\.io|webhook\.site|trycloudflare\.com|loca\.lt|serveo\.net|discordapp\.(com|net)|bit\.ly|tinyurl\.com|is\.gd|t\.ly|cutt\.ly|duckdns\.org)\b|hastebin|ghostbin|termbin|ngrok|cdn\.discord|no-ip\.)|https?:\/\/[^\s\/"']{0,60}(\.onion|\.tk\/|\.ml\/|\.ga\/|\.cf\/|\.gq\/))/
        $shell = /\|\s{0,3}(sudo\s{1,2}(-[A-Za-z]{1,3}\s{1,2}){0,2})?(env\s[^\n|]{1,40})?(\/(usr\/)?(local\/)?bin\/)?(ba|z|da|k|a|fi)?sh([\s;&|)"'`\\<]|$)/
        $lang = /\|\s{0,3}(sudo\s{1,2})?(\/usr\/bin\/env\s{1,2})?(python[23]?|node|perl|ruby|php|deno\s{1,2}run|bun)(\s{1,2}-)?\s{0,2}($|\n|"|'|`|\)|;|&)/
    condition:
        any of ($shell, $lang, $substitution, $process, $eval, $awk, $powershell, $powershell_pipe)
}

rule pipe_to_shell_untrusted
{
    meta:
        title = "Runs a script from an untrusted host: a bare IP, a paste site or plain http"
        category = "remote-code"
        severity = "critical"
        confidence = 900
        why = "A bare IP address, an unencrypted connection, a paste site or a throw-away host is run as a program. No honest project installs itself so."
        fix = "Do not run it. If it is yours, publish the script at an https address that you own, with a digest."
        references = "LLM03, ASI04, ASI05, T1105, CWE-494"
        languages = "any"
        unless = "_local"
    strings:
        $pipe = /\b(curl|wget|fetch|aria2c|\b\B)(\s{1,3}-{1,2}([A-Za-z0-9][\w.-]{0,20}([= ]("[^"\n]{1,80}"|'[^'\n]{1,80}'|[^\s"'|;-][^\s|;]{0,50}))?)?){0,8}(\s{1,3}\\)?\s{1,4}["'(]{0,2}(http:\/\/[a-km-z0-9]|https?:\/\/(\d{1,3}\.){3}\d{1,3}\b|https?:\/\/([^\s\/"']{0,60}[.@])?((glot\.io|pastebin\.com|rentry\.co|paste\.(ee|rs|gg|c-net\.org)|controlc\.com|0x0\.st|ix\.io|transfer\.sh|file\.io|webhook\.site|trycloudflare\.com|loca\.lt|serveo\.net|discordapp\.(com|net)|bit\.ly|tinyurl\.com|is\.gd|t\.ly|cutt\.ly|duckdns\.org)\b|hastebin|ghostbin|termbin|ngrok|cdn\.discord|no-ip\.)|https?:\/\/[^\s\/"']{0,60}(\.onion|\.tk\/|\.ml\/|\.ga\/|\.cf\/|\.gq\/))[^\n|;]{0,160}\|\s{0,3}(sudo\s{1,2}(-[A-Za-z]{1,3}\s{1,2}){0,2})?(\/(usr\/)?(local\/)?bin\/)?((ba|z|da|k|a)?sh|python[23]?|node|perl|ruby|php)([\s;&|)"'`\\<]|$)/
        $substitution = /(\b(ba|z|da)?sh\s{1,2}-[a-z]{0,3}c\s{1,2}["']{0,2}|\beval\s{1,2}["']{0,2}|<|\bsource\s{1,2}<)(\$\(|`|\()\s{0,2}(curl|wget)\s[^\n)`|]{0,100}(http:\/\/[a-km-z0-9]|https?:\/\/(\d{1,3}\.){3}\d{1,3}\b|https?:\/\/(glot\.io|pastebin\.com|rentry\.co|paste\.(ee|rs)|transfer\.sh|bit\.ly|tinyurl\.com|is\.gd))[^\n)`]{0,160}/
        $powershell = /\b(iex|Invoke-Expression)\b[^\n]{0,120}(http:\/\/[a-km-z0-9]|https?:\/\/(\d{1,3}\.){3}\d{1,3}\b|https?:\/\/(glot\.io|pastebin\.com|rentry\.co|paste\.(ee|rs)|transfer\.sh|bit\.ly|tinyurl\.com|is\.gd|cdn\.discord|raw\.paste)|\b\B)[^\n]{0,80}/i
        $powershell_pipe = /\b(iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\s[^\n|]{0,60}(http:\/\/[a-km-z0-9]|https?:\/\/(\d{1,3}\.){3}\d{1,3}\b|\b\B)[^\n|]{0,100}\|\s{0,2}(iex|Invoke-Expression)/i
        $download_run = /\b(curl|wget)(\s{1,3}-{1,2}([A-Za-z0-9][\w.-]{0,20}([= ]("[^"\n]{1,80}"|'[^'\n]{1,80}'|[^\s"'|;-][^\s|;]{0,50}))?)?){0,8}(\s{1,3}\\)?\s{1,4}["'(]{0,2}https?:\/\/(\d{1,3}\.){3}\d{1,3}[^\n|]{0,120}(;|&&)\s{0,3}[^\n]{0,80}(chmod\s{1,2}(\+x|[0-7]{3,4})\s[^\n]{1,60}(;|&&)\s{0,3}(sudo\s{1,2})?[.\/]|(ba)?sh\s{1,2}[\w.\/$-]{1,60})/
        $_local = /(https?:\/\/(localhost|127\.0\.0\.1|0\.0\.0\.0|192\.168\.|10\.\d{1,3}\.\d{1,3}\.\d{1,3}[:\/][^\n]{0,60}(\/v2\/|registry|metrics|health)|host\.docker\.internal)|json\.tool)/
    condition:
        any of ($pipe, $substitution, $powershell, $powershell_pipe, $download_run)
}

rule installer_pipe
{
    meta:
        title = "Installs a well-known tool by running its script from the network"
        category = "supply-chain"
        severity = "low"
        confidence = 600
        why = "This is how many honest projects are installed, and still whatever the address serves today is run unseen."
        fix = "Prefer a package manager, or pin a version and check its digest."
        references = "LLM03, ASI04, CWE-494"
        languages = "any"
    strings:
        $installer = /\b(curl|wget)\s{1,2}([-"'=.\w]{1,24}\s{1,2}){0,8}["']{0,2}(https:\/\/|\b\B)(sh\.rustup\.rs|(www\.)?astral\.sh\/(uv|ruff)|bun\.(sh|com)\/install|deno\.land\/(x\/)?install|get\.docker\.com|deb\.nodesource\.com\/|fnm\.vercel\.app\/install|get\.pnpm\.io\/install|ollama\.(com|ai)\/install|claude\.ai\/install|raw\.githubusercontent\.com\/(Homebrew\/install|nvm-sh\/nvm|helm\/helm|ohmyzsh\/ohmyzsh|golangci\/golangci-lint|anchore\/(syft|grype)|aquasecurity\/(trivy|tfsec))\/|get\.helm\.sh|get\.k3s\.io|sdk\.cloud\.google\.com|starship\.rs\/install|fly\.io\/install|get\.volta\.sh|install\.python-poetry\.org|foundry\.paradigm\.xyz|release\.(anza|solana)\.(xyz|com)\/|tailscale\.com\/install|get\.sdkman\.io|pyenv\.run|cursor\.com\/install|opencode\.ai\/install|get\.pulumi\.com|cli\.doppler\.com\/|just\.systems\/install|mise\.(run|jdx\.dev)|nixos\.org\/nix\/install|get\.nextflow\.io|pixi\.sh\/install|hf\.co\/cli|raw\.githubusercontent\.com\/huggingface\/|aspire\.dev\/install|rover\.apollo\.dev\/)[^\n|;]{0,120}\|\s{0,3}(sudo\s{1,2}(-[A-Za-z]{1,3}\s{1,2}){0,2})?(ba|z|da)?sh([\s;&|)"'`\\<]|$)/
        $brew = /\/bin\/bash\s{1,2}-c\s{1,2}"\$\(curl\s{1,2}-fsSL\s{1,2}https:\/\/raw\.githubusercontent\.com\/Homebrew\/install\//
    condition:
        any of them
}

rule download_and_run
{
    meta:
        title = "Downloads a program and starts it at once"
        category = "remote-code"
        severity = "high"
        confidence = 700
        why = "Fetch, make executable, run: the three steps of every dropper. Nothing is checked in between."
        fix = "Check a published digest or signature before the program is run."
        references = "LLM03, ASI04, ASI05, T1105, CWE-494"
        languages = "any"
        unless = "_check"
    strings:
        $chmod_run = /\b(curl|wget)(\s{1,3}-{1,2}([A-Za-z0-9][\w.-]{0,20}([= ]("[^"\n]{1,80}"|'[^'\n]{1,80}'|[^\s"'|;-][^\s|;]{0,50}))?)?){0,8}(\s{1,3}\\)?\s{1,4}["'(]{0,2}(https?:\/\/|\$\{?[A-Z])[^\n]{0,160}(&&|;|\n)[^\n]{0,120}(\n[^\n]{0,100}){0,2}\bchmod\s{1,2}(-[a-z]{1,2}\s{1,2})?(\+x|u\+x|a\+x|[0-7]{3,4})\s{1,2}[^\n;&]{1,80}(&&|;|\n)\s{0,3}((\(|nohup\s|sudo\s|exec\s){0,2})["']?(\.{1,2}\/|\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|\$TMP|~\/\.)[^\n]{1,80}/
        $fetch_sh = /\b(curl|wget|\b\B)(\s{1,3}-{1,2}([A-Za-z0-9][\w.-]{0,20}([= ]("[^"\n]{1,80}"|'[^'\n]{1,80}'|[^\s"'|;-][^\s|;]{0,50}))?)?){0,8}(\s{1,3}\\)?\s{1,4}["'(]{0,2}(http|\b\B)s?(:\/\/|\b\B)([^\n|;&]{4,160}|\b\B)(&&|;)\s{0,3}(sudo\s{1,2})?((ba|z)?sh|python3?|perl|node|\b\B)\s{1,2}(-[a-z]{1,2}\s{1,2})?["']?(\/tmp\/|\.\/|\/var\/tmp\/|\/dev\/shm\/|\$TMP)?([\w.-]{1,60}|\b\B)/
        $start = /\b(Invoke-WebRequest|iwr|wget|curl|DownloadFile\(|Start-BitsTransfer|certutil\s[^\n]{0,40}-urlcache)\s{0,2}(-[A-Za-z]{1,20}\s{1,2}){0,4}["']?(http|\b\B)s?:\/\/[^\n]{4}[^\n]{0,196}(;|\n|&&?)\s{0,4}[^\n]{0,40}\b(Start-Process|Invoke-Item|start|cmd\s{0,1}\/c|&)\s[^\n]{0,60}\.(exe|msi|bat|ps1|scr|dll)\b/i
        $bitsadmin = /\b(bitsadmin(\.exe)?\s{1,2}\/transfer\s|certutil(\.exe)?\s{1,2}[^\n]{0,30}-urlcache\s[^\n]{0,40}(http|-f)|mshta(\.exe)?\s{1,2}["']?(https?:|javascript:|vbscript:)|regsvr32\s{1,2}[^\n]{0,40}\/i:https?:|rundll32\s{1,2}javascript:|msiexec\s{1,2}[^\n]{0,30}\/i\s{1,2}["']?https?:)[^\n]{0,120}/i
        $python_fetch = /\bexec\(\s{0,2}(urllib\.request\.urlopen|requests\.get|httpx\.get|urlopen)\([^\n]{4,160}/
        $node_fetch = /\beval\(\s{0,2}(await\s{1,2})?\(?\s{0,2}(await\s{1,2})?(fetch|axios(\.get)?)\([^\n]{4,160}/
        $_check = /\b(sha(1|256|512)sum|shasum|gpg\s{1,2}--verify|cosign|minisign|--checksum|Get-FileHash|slsa-verifier)\b/
    condition:
        any of ($chmod_run, $fetch_sh, $start, $bitsadmin, $python_fetch, $node_fetch)
}

rule encoded_command
{
    meta:
        title = "Runs a command that is encoded"
        category = "obfuscation"
        severity = "critical"
        confidence = 900
        why = "Who encodes a command does not want it read. Decoding it straight into a shell leaves no moment to look."
        fix = "Do not run it. Write commands in the open."
        references = "ASI05, T1027, T1140, CWE-506"
        languages = "any"
    strings:
        $base64_shell = /\b(base64|openssl\s{1,2}(enc\s{1,2}-)?base64|base32|gbase64)\s{1,2}[^\n|;]{0,40}(-d|-D|--decode|-di|-dw0)\b[^\n|;]{0,60}\|\s{0,3}([a-z]{1,8}\s{1,2}[^\n|]{0,30}\|\s{0,3})?(sudo\s{1,2})?(\/(usr\/)?bin\/)?(env\s{1,2})?((ba|z|da|k)?sh|python[23]?|perl|node|ruby|php|source|xargs|eval)\b/
        $eval_base64 = /\b(eval|(ba|z|da)?sh\s{1,2}-[a-z]{0,2}c|source|exec|python3?\s{1,2}-c)\s{0,2}["'(]{0,3}(\$\(|`|<\()[^\n`]{0,120}\b(base64|base32|xxd|openssl\s{1,2}(enc|base64))\s[^\n)`]{0,40}(-d|-D|--decode|-r)\b/
        $xxd_shell = /\b(xxd\s{1,2}(-[a-z]{1,3}\s{1,2}){0,2}-r|rev|tr\s{1,2}["']?[A-Za-z-]{2,16}["']?\s{1,2}["']?[A-Za-z-]{2,16}["']?)[^\n|;]{0,30}\|\s{0,3}(sudo\s{1,2})?(ba|z|da)?sh([\s;&|)"'`\\<]|$)/
        $gunzip_shell = /\b(gunzip|gzip\s{1,2}-d[c]?|zcat|bunzip2|xz\s{1,2}-d)\b[^\n|;]{0,40}\|\s{0,3}(sudo\s{1,2})?(ba|z|da)?sh([\s;&|)"'`\\<]|$)/
        $printf_shell = /\b(printf|echo\s{1,2}-e)\s{1,2}["'](\\{1,2}x[0-9a-fA-F]{2}){6}[^\n|]{0,400}\|\s{0,3}(sudo\s{1,2})?(ba|z|da)?sh([\s;&|)"'`\\<]|$)/
        $powershell = /\b(powershell|pwsh)(\.exe)?\b[^\n|;]{0,100}\s-(e|en|enc|enco|encod|encode|encodedc|encodedco|encodedcommand|ec)\s{1,2}["']?[A-Za-z0-9+\/=]{16}/i
        $from_base64 = /\b(iex|Invoke-Expression)\b[^\n]{0,120}FromBase64String/i
        $from_base64_pipe = /FromBase64String\([^\n]{4,400}\|\s{0,2}(iex|Invoke-Expression)\b/i
        $python_c = /\bpython[23]?\s{1,2}-c\s{1,2}["'][^\n]{0,80}\b(exec|eval)\([^\n]{0,60}\b(b64decode|unhexlify|fromhex|zlib\.decompress|marshal\.loads|codecs\.decode)\b/
        $node_e = /\bnode\s{1,2}-e\s{1,2}["'][^\n]{0,80}\b(eval|Function|exec|execSync)\([^\n]{0,60}(atob\(|Buffer\.from\([^\n]{0,400}["'](base64|hex)["'])/
        $perl = /\bperl\s{1,2}-e\s{1,2}["'][^\n]{0,60}\b(eval|system|exec)\b[^\n]{0,60}(decode_base64|unpack\s{0,1}\()/
    condition:
        any of them
}

rule reverse_shell
{
    meta:
        title = "Opens a shell to another machine"
        category = "malware"
        severity = "critical"
        confidence = 950
        why = "Whoever listens at the other end types commands as the user."
        fix = "Do not install. Treat a machine on which this ran as taken over."
        references = "ASI05, T1059, T1071, CWE-506"
        languages = "any"
        check = "attached"
    strings:
        $dev_tcp = /(\b(ba|z|k)?sh\s{1,2}-[a-z]{1,3}\b[^\n]{0,40}|\bexec\s{1,2}\d{1,3}<>|[0-9]?[<>]&?\s{0,2}|cat\s{0,1}<\s{0,2}|>\s{0,2})\/dev\/(tcp|udp)\/[A-Za-z0-9${}._"'-]{2,80}\/[0-9${}A-Za-z_]{2,12}/
        $nc_exec = /\b(nc|ncat|netcat|nc\.traditional|nc\.openbsd)(\.exe)?\s[^\n|;]{0,80}(-e|-c|--exec|--sh-exec|-lvpe|-nlvpe)\s{0,2}["']?(\/bin\/|\/usr\/bin\/)?(ba|z|da|k)?(sh|cmd(\.exe)?|powershell(\.exe)?)\b/
        $mkfifo = /\bmk(fifo|nod)\s{1,2}[^\n;|&]{1,60}[^\n]{0,80}\|\s{0,2}(\/bin\/)?(ba)?sh\s{1,2}-i[^\n]{0,60}\|\s{0,2}(nc|ncat|netcat|openssl|telnet)\b/
        $interactive = /\b(ba|z|da|k)?sh\s{1,2}-i\b[^\n|;]{0,60}\|\s{0,2}(nc|ncat|netcat|telnet|openssl\s{1,2}s_client)\s/
        $telnet = /\b(telnet|nc)\s[^\n|]{3,60}\|\s{0,2}(\/bin\/)?(ba)?sh\s{0,2}\|\s{0,2}(telnet|nc)\b/
        $python = /\bos\.dup2\(\s{0,2}[\w.]{1,20}\.fileno\(\)\s{0,2},\s{0,2}[012]\s{0,2}\)/
        $python_pty = /\bpty\.spawn\(\s{0,2}\[?["'](\/bin\/)?(ba|z)?sh["'][^\n]{0,20}/
        $socat = /\bsocat\s[^\n]{0,80}\bexec:["']?[^\n"',]{0,30}(ba)?sh\b/i
        $perl = /\bperl\s[^\n]{0,60}\buse\s{1,2}Socket\b[^\n]{0,300}\bexec\s{0,2}[({]{0,2}["']{0,2}\/bin\/(ba)?sh/
        $php = /\bfsockopen\([^\n]{4,80}\)\s{0,2};[^\n]{0,60}\b(exec|shell_exec|system|passthru|proc_open|popen)\([^\n]{0,20}(\/bin\/)?sh\b/
        $ruby = /\bTCPSocket\.(new|open)\([^\n]{4,80}\)[^\n]{0,100}\b(exec|spawn|system|IO\.popen)\b/
        $node = /\b(net\.(connect|createConnection|Socket)|new\s{1,2}net\.Socket)\([^\n]{0,160}(\n[^\n]{0,160}){0,12}\.pipe\(\s{0,2}(sh|shell|cp|proc|child|bash|cmd)\.stdin\b/
        $node_short = /\b(sh|shell|cp|proc|child|bash|cmd)\.stdout\.pipe\(\s{0,2}(client|socket|sock|conn|s|c)\b/
        $powershell = /New-Object\s{1,2}(System\.)?Net\.Sockets\.TCPClient\([^\n]{3,160}(\n?[^\n]{0,200}){0,4}(iex|Invoke-Expression|\.GetStream\(\))/i
        $awk = /\bawk\s[^\n]{0,40}\/inet\/(tcp|udp)\/0\/[^\n]{3,80}/
        $nc_listen = /\b(nc|ncat|netcat)\s[^\n|;]{0,20}-[a-z]{0,4}l[a-z]{0,4}\s[^\n|;]{0,40}\|\s{0,2}(\/bin\/)?(ba|z)?sh([\s;&|)"'`\\<]|$)/
        $_socket = /\bsocket\b|\/dev\/(tcp|udp)\/|\bconnect\(/
    condition:
        any of ($dev_tcp, $nc_exec, $mkfifo, $interactive, $telnet, $python, $socat, $perl, $php, $ruby, $node, $node_short, $powershell, $awk, $nc_listen) or ($python_pty and $_socket)
}
