// Harm to the machine: destruction, persistence, rights, defences, mining.

rule destructive_command
{
    meta:
        title = "Destroys data or the system"
        category = "destructive"
        severity = "high"
        confidence = 800
        why = "These commands delete a home folder, a disk or the backups, and cannot be undone."
        fix = "Delete only named paths inside the project, after asking."
        references = "ASI02, LLM06, T1485, T1490, CWE-73"
        languages = "any"
    strings:
        $rm_root = /\brm\s{1,2}(-[a-zA-Z]{1,6}\s{1,2}|--[a-z-]{4,20}\s{1,2}){1,4}["']?(\/|\/\*|~|~\/|~\/\*|\$HOME|\$\{HOME\}|\$HOME\/|\$HOME\/\*|\/home|\/home\/\*|\/Users|\/etc|\/usr|\/var|\/boot|\/bin|\/lib|\/root|\/opt|C:\\)["']?\s{0,2}(\n|$|;|&|\||"|'|`|\)|2>|--no-preserve-root)/
        $no_preserve = /\brm\s[^\n]{0,30}--no-preserve-root\b/
        $rm_logs = /\brm\s{1,2}-[rRf]{1,3}\s[^\n;|&]{0,80}\/var\/log\/(\*|audit|auth|syslog|app|secure|wtmp)[^\n;|&]{0,30}/
        $mkfs = /\bmkfs(\.[a-z0-9]{2,6})?\s{1,2}(-[a-zA-Z]{1,2}\s{1,2}([a-zA-Z0-9]{1,12}\s{1,2})?){0,3}\/dev\/(sd|nvme|hd|vd|xvd|disk|mmcblk)[a-z0-9]{1,6}/
        $dd = /\bdd\s[^\n]{0,60}\bof=\/dev\/(sd|nvme|hd|vd|xvd|disk|rdisk|mmcblk)[a-z0-9]{1,6}/
        $redirect = /(>|cat\s{1,2}\/dev\/(zero|u?random)\s{1,2}>)\s{0,2}\/dev\/(sd|nvme|hd|vd|xvd)[a-z0-9]{1,4}\b/
        $fork = /:\s{0,1}\(\)\s{0,1}\{\s{0,1}:\s{0,1}\|\s{0,1}:\s{0,1}&\s{0,1}\}\s{0,1};\s{0,1}:/
        $shred = /\b(shred|wipe|srm)\s{1,2}(-[a-zA-Z]{1,6}\s{1,2}){0,4}["']?(\/dev\/|~|\/home|\$HOME|\/\*)/
        $find_delete = /\bfind\s{1,2}(\/|~|\$HOME)\s[^\n]{0,80}(-delete\b|-exec\s{1,2}(rm|shred)\b)/
        $vss = /\b(vssadmin(\.exe)?\s{1,2}delete\s{1,2}shadows|wmic\s{1,2}shadowcopy\s{1,2}delete|bcdedit\s[^\n]{0,40}recoveryenabled\s{1,2}no|wbadmin\s{1,2}delete\s{1,2}(catalog|systemstatebackup)|cipher\s{1,2}\/w:)/i
        $windows = /\b(format\s{1,2}[a-z]:\s{1,2}\/(y|q|fs)|(del|\b\B)\s{1,2}(\/[a-z]\s{1,2}){1,4}["']?(C:\\|%USERPROFILE%|%SystemRoot%)|rd\s{1,2}\/s\s{1,2}\/q\s{1,2}["']?(C:\\|%USERPROFILE%)|Remove-Item\s[^\n]{0,40}-Recurse[^\n]{0,40}(C:\\\*|C:\\Users|\$HOME\b|\$env:USERPROFILE|HKLM:))/i
        $python = /\bshutil\.rmtree\(\s{0,2}(os\.path\.expanduser\(\s{0,2}["']~["']\s{0,2}\)|Path\.home\(\)|["']\/["']|["']\/(home|etc|usr|var)["']|os\.environ\[["']HOME["']\])\s{0,2}[,)]/
        $node = /\b(rm|rmSync|rmdirSync|rimraf(\.sync)?)\(\s{0,2}(os\.homedir\(\)|["'](\/|~|\/\*)["']|process\.env\.HOME)\s{0,2}[,)]/
        $crypto_wipe = /\b(encrypt|lock)\s{1,2}(all\s{1,2})?(the\s{1,2})?(user'?s?|victim'?s?)\s{1,2}(files|documents|data)\b[^.!?\n]{0,60}\b(ransom|bitcoin|payment|monero|decrypt(ion)?\s{1,2}key)/i
    condition:
        any of them
}

rule persistence_shell
{
    meta:
        title = "Arranges to run again"
        category = "persistence"
        severity = "medium"
        confidence = 700
        why = "A job, a service or a line in a start-up file runs long after the skill is done, and after it is removed."
        fix = "Run when asked. If something must recur, show the user how to schedule it."
        references = "ASI10, T1053, T1543, T1546, T1547"
        languages = "any"
    strings:
        $crontab = /(\|\s{0,2}crontab\s{1,2}-|crontab\s{1,2}-l\b[^\n]{0,80};\s{0,2}echo|>>?\s{0,2}\/etc\/cron(tab|\.d\/|\.daily\/|\.hourly\/)|>>?\s{0,2}\/var\/spool\/cron)[^\n]{0,80}/
        $reboot = /@reboot\s[^\n]{3,120}/
        $rc = /(>>|tee\s{1,2}-a)\s{0,2}["']?(~|\$HOME|\$\{HOME\}|\/root|\/home\/[^\/\s]{1,32}|\/etc)\/\.?(bashrc|bash_profile|zshrc|zprofile|zshenv|profile|bash_aliases|bash_logout|xprofile|config\/fish\/config\.fish|rc\.local)\b/
        $launchd = /((>|cp\s[^\n]{1,80}|mv\s[^\n]{1,80}|tee\s|-o\s)\s{0,2}["']?[^\s"']{0,40}Library\/Launch(Agents|Daemons)\/|launchctl\s{1,2}(load|bootstrap|submit)\s)[^\n]{0,80}/
        $systemd = /((>|tee\s|cp\s[^\n]{1,80}\s|mv\s[^\n]{1,80}\s|-o\s)\s{0,2}["']?(\/etc\/systemd\/system|~\/\.config\/systemd\/user|\$HOME\/\.config\/systemd\/user|\/lib\/systemd\/system)\/)[^\n]{0,60}/
        $registry = /((reg(\.exe)?\s{1,2}add\s|Set-ItemProperty\s|New-ItemProperty\s)[^\n]{0,80}\\(Microsoft\\Windows\\CurrentVersion\\Run(Once)?|Winlogon|Image File Execution Options)\b|\\Start Menu\\Programs\\Startup\\[^\n"']{2,60}|schtasks(\.exe)?\s{1,2}\/create\s[^\n]{4,160}|Register-ScheduledTask\s|New-Service\s{1,2}-Name)/i
        $hidden_background = /\b(nohup|setsid)\s[^\n]{2,160}(>\s{0,2}\/dev\/null|&>\s{0,2}\/dev\/null)[^\n]{0,20}&(\s{0,3}\n?\s{0,4}disown)?/
        $init = /\b(update-rc\.d|chkconfig|rc-update\s{1,2}add)\s{1,2}[\w.-]{2,40}\b/
        $git_hook = /((>|cp\s[^\n]{1,60}\s|mv\s[^\n]{1,60}\s|tee\s|ln\s{1,2}-s[^\n]{1,60}\s)\s{0,2}["']?[^\s"']{0,40}\.git\/hooks\/(pre|post|prepare|commit)[a-z-]{2,20})/
        $ld_preload = /(>>?\s{0,2}\/etc\/ld\.so\.preload|\bexport\s{1,2}(LD_PRELOAD|DYLD_INSERT_LIBRARIES)=)/
        $pth = /(site-packages|sysconfig|getsitepackages)[^\n]{0,120}\.pth["']/
        $usercustomize = /\b(sitecustomize|usercustomize)\.py\b/
    condition:
        any of them
}

rule authorized_keys
{
    meta:
        title = "Adds a key that lets someone log in"
        category = "persistence"
        severity = "critical"
        confidence = 850
        why = "A key added to this file, or a new account, opens the machine to whoever holds the other half."
        fix = "Do not run it. Keys are added by the owner of the machine."
        references = "ASI03, T1098.004, T1136"
        languages = "any"
    strings:
        $append = /(>>?|tee(\s{1,2}-a)?)\s{0,2}["']?(~|\$HOME|\$\{HOME\}|\/root|\/home\/[^\/\s]{1,32}|\/Users\/[^\/\s]{1,32})?[^\s"']{0,20}\.ssh\/authorized_keys\b/
        $open = /(open|write_text|appendFile|appendFileSync|writeFile|writeFileSync|Path)\([^\n]{0,100}authorized_keys["'][^\n]{0,60}(["'](a|w)\+?["']|,\s{0,2}[a-z`"']|write_text)/i
        $user_add = /\b(useradd|adduser)\s[^\n;]{0,80}(-o\s{1,2}-u\s{1,2}0|-u\s{1,2}0\s|-G\s{1,2}(sudo|wheel|root|admin))|\bnet\s{1,2}(user\s{1,2}\S{1,30}\s{1,2}\S{1,30}\s{1,2}\/add|localgroup\s{1,2}administrators\s{1,2}\S{1,30}\s{1,2}\/add)/i
        $passwd = /(>>\s{0,2}\/etc\/(passwd|shadow)\b|\b(echo|printf)\s{1,2}["']?[\w$.-]{1,32}:[^\n|]{1,60}\|\s{0,2}(sudo\s{1,2})?(chpasswd|passwd\s{1,2}--stdin))/
    condition:
        any of them
}

rule disable_security
{
    meta:
        title = "Switches a protection off"
        category = "privilege-escalation"
        severity = "high"
        confidence = 750
        why = "Quarantine marks, virus scanners, firewalls and signature checks stand between a download and the machine. What asks to have them off expects to be caught by them."
        fix = "Leave protections on. Sign the program, or describe the exception for the user to make."
        references = "ASI02, T1562.001, T1553.001, CWE-693"
        languages = "any"
        unless = "_brew"
    strings:
        $xattr = /\bxattr\s{1,2}-[rs]{0,2}[cd][rs]{0,2}\s[^\n;&|]{1,80}/
        $_brew = /\bxattr\s{1,2}-[rs]{0,2}[cd][rs]{0,2}\s{1,2}(com\.apple\.quarantine\s{1,2})?"?\$\(brew /
        $spctl = /\bspctl\s{1,2}(--master-disable|--global-disable|--add)\b|\bcsrutil\s{1,2}disable\b|\bsudo\s{1,2}nvram\s{1,2}boot-args="?amfi/
        $selinux = /\bsetenforce\s{1,2}0\b|\bSELINUX=(disabled|permissive)\b|\b(systemctl\s{1,2}(stop|disable)(\s{1,2}--now)?\s{1,2}(apparmor|auditd|fail2ban|falcon-sensor|clamav[a-z-]{0,12}|wazuh-agent|osqueryd|crowdstrike))\b|\baa-teardown\b/
        $firewall = /\bufw\s{1,2}disable\b|\biptables\s{1,2}(-F|--flush|-P\s{1,2}INPUT\s{1,2}ACCEPT)\b|\bsystemctl\s{1,2}(stop|disable)(\s{1,2}--now)?\s{1,2}(firewalld|ufw|nftables)\b|\bnetsh\s{1,2}(advfirewall\s{1,2}set\s{1,2}[a-z]{3,14}\s{1,2}state\s{1,2}off|firewall\s{1,2}set\s{1,2}opmode\s{1,2}disable)/i
        $defender = /\b(Set-MpPreference\s[^\n]{0,80}-Disable[A-Za-z]{4,40}\s{1,2}(\$true|1)|Add-MpPreference\s{1,2}-Exclusion(Path|Process|Extension)|sc(\.exe)?\s{1,2}(stop|config|delete)\s{1,2}WinDefend|DisableAntiSpyware|Set-ExecutionPolicy\s{1,2}(-ExecutionPolicy\s{1,2})?(Unrestricted|Bypass)\b[^\n]{0,30}LocalMachine)/i
        $amsi = /\b(AmsiUtils|amsiInitFailed|AmsiScanBuffer|EtwEventWrite)\b/
        $words = /\b(disable|turn\s{1,2}off|deactivate|pause|switch\s{1,2}off|uninstall|exclude\s{1,2}from)\s{1,3}((your|the|any|all|windows|microsoft|macos|real-?time|temporarily)\s{1,2}){0,4}(anti-?virus|antimalware|windows\s{1,2}defender|defender|firewall|gatekeeper|smartscreen|virus\s{1,2}(scanner|protection)|endpoint\s{1,2}protection|edr|system\s{1,2}integrity\s{1,2}protection|tamper\s{1,2}protection|security\s{1,2}software)\b/i
        $history = /\b(unset\s{1,2}HISTFILE|export\s{1,2}HISTFILE=\/dev\/null|HISTSIZE=0\b|history\s{1,2}-c\b|set\s{1,2}\+o\s{1,2}history|rm\s{1,2}(-[rf]{1,2}\s{1,2})?(~|\$HOME)\/\.(bash|zsh)_history|wevtutil(\.exe)?\s{1,2}cl\s|Clear-EventLog|Clear-History)\b/i
    condition:
        any of them
}

rule verification_off
{
    meta:
        title = "Skips a check of signatures, certificates or hooks"
        category = "supply-chain"
        severity = "low"
        confidence = 600
        why = "Without the check, whoever sits in between decides what is installed or committed."
        fix = "Fix the certificate, the key or the hook, and keep the check."
        references = "ASI04, CWE-295, CWE-345"
        languages = "any"
    strings:
        $tls = /\b(curl(\s{1,2}-{1,2}[\w.-]{1,24}){0,4}\s{1,2}(-[A-Za-z]{0,4}k[A-Za-z]{0,4}\b|--insecure\b)|wget(\s{1,2}-{1,2}[\w.-]{1,24}){0,4}\s{1,2}--no-check-certificate|NODE_TLS_REJECT_UNAUTHORIZED\s{0,2}=\s{0,2}["']?0|verify\s{0,2}=\s{0,2}False\b|rejectUnauthorized\s{0,2}:\s{0,2}false|http\.sslVerify\s{1,2}false|strict-ssl\s{1,2}false|ServerCertificateValidationCallback\s{0,2}=|InsecureSkipVerify\s{0,2}:\s{0,2}true|StrictHostKeyChecking[= ]no)/
        $git = /\bgit\s{1,2}(commit|push|merge|rebase)\s[^\n]{0,80}--no-verify\b|\bcore\.hooksPath\s{1,2}\/dev\/null\b|safe\.directory\s{1,2}["']?\*/
        $packages = /--(trusted-host|allow-unauthenticated|no-gpg-check|nogpgcheck|allow-untrusted|force-yes|disable-content-trust|no-verify-ssl)\b|\bnpm\s{1,2}config\s{1,2}set\s{1,2}ignore-scripts\s{1,2}false/
    condition:
        any of them
}

rule privilege_escalation
{
    meta:
        title = "Takes more rights than a skill needs"
        category = "privilege-escalation"
        severity = "medium"
        confidence = 700
        why = "Set-user-id bits, the container engine's socket, privileged containers and password-free sudo each hand over the whole machine."
        fix = "Work as the user. Where root is needed, name the one command and let the user run it."
        references = "ASI03, T1548, CWE-250, CWE-269"
        languages = "any"
    strings:
        $setuid = /\bchmod\s{1,2}(-R\s{1,2})?([u+]{1,2}s|[ug]\+s|[24675]7[0-7]{2}|4755|6755|2755)\s{1,2}["']?(\/|\$|\.)[^\n]{1,60}/
        $world = /\bchmod\s{1,2}(-R\s{1,2})?(0?777|a\+rwx|ugo\+rwx|666)\s{1,2}["']?[^\n;&|]{1,60}/
        $nopasswd = /\bNOPASSWD\s{0,2}:\s{0,2}ALL\b/
        $sudoers = /(>>?|tee(\s{1,2}-a)?)\s{0,2}["']?\/etc\/sudoers(\.d\/)?/
        $privileged = /\b(docker|podman|nerdctl)\s{1,2}run\s[^\n]{0,120}(--privileged\b|--pid[= ]host\b|--cap-add[= ](ALL|SYS_ADMIN)\b|-v\s{0,1}\/:\/|-v\s{0,1}\/var\/run\/docker\.sock)/
        $sock = /(-v|--volume|source=|volumes:[^\n]{0,10}\n\s{0,8}-)\s{0,2}["']?\/var\/run\/docker\.sock/
        $nsenter = /\bnsenter\s[^\n]{0,40}(-t|--target)\s{0,1}=?1\b/
        $sudo_pipe = /\b(echo|\b\B)\s{1,2}["']?[^\n|"']{1,40}["']?\s{0,2}\|\s{0,2}sudo\s{1,2}-S\b/
        $sudo_script = /\bsudo\s{1,2}(-[A-Za-z]{1,3}\s{1,2}){0,2}((ba|z)?sh|python3?|node)\s{1,2}(-c\s|\.?\/?[\w.\/-]{1,60}\.(sh|py|js)\b)/
        $setcap = /\bsetcap\s{1,2}["']?cap_(setuid|sys_admin|dac_override|sys_ptrace|net_raw)[+=]/
        $runas = /\b(Start-Process\s[^\n]{0,80}-Verb\s{1,2}RunAs|osascript\s[^\n]{0,60}with\s{1,2}administrator\s{1,2}privileges|pkexec\s{1,2}\S{2,40})/i
        $root_chown = /\bchown\s{1,2}(-R\s{1,2})?root(:root)?\s{1,2}[^\n;&|]{1,60}/
    condition:
        any of them
}

rule crypto_miner
{
    meta:
        title = "Mines cryptocurrency"
        category = "resource-abuse"
        severity = "critical"
        confidence = 900
        why = "The machine works, and its owner pays, for someone else's wallet."
        fix = "Do not install."
        references = "ASI02, T1496"
        languages = "any"
    strings:
        $stratum = /\bstratum(\+(tcp|ssl|tls|udp))?:\/\/([a-z0-9.-]{4,80}|\b\B)/i
        $miner = /\b(xmrig|xmr-stak|cpuminer|minerd|cgminer|bfgminer|ccminer|ethminer|nbminer|t-rex|lolminer|phoenixminer|nanominer|teamredminer|gminer)(\.exe)?\b[^\n]{0,40}\s(-o|-u|--url|--user|--pool|--algo|-a|--coin|--threads|--donate-level|-P)\b/i
        $pool = /\b(pool\.(supportxmr|minexmr|hashvault|moneroocean|c3pool)\.(com|pro|stream)|(xmr|monero|eth|btc)[a-z0-9-]{0,10}\.(2miners|nanopool|f2pool|ethermine|hashvault|nicehash|herominers)\.(com|org|pro)|gulf\.moneroocean\.stream|supportxmr\.com:\d{2,5}|coinhive|coin-hive|cryptoloot|jsecoin|webminepool)\b/i
        $get = /\b(curl|wget|git\s{1,2}clone|\b\B)(\s{1,2}-[\w-]{1,20}){0,6}\s{1,2}[^\s]{4,120}\b(xmrig|xmr-stak|cpuminer|minerd)\b/i
    condition:
        any of them
}

rule raw_ip_url
{
    meta:
        title = "Talks to a bare IP address"
        category = "network"
        severity = "medium"
        confidence = 600
        why = "A service with a name can be looked up; a number belongs to whoever rents it today."
        fix = "Use the service's host name over https."
        references = "ASI04, T1071.001"
        languages = "any"
        unless = "_private"
    strings:
        $url = /\b(https?|ftp|wss?):\/\/([a-z0-9._-]{1,40}(:[^\s@\/]{1,40})?@)?(\d{1,3}\.){3}\d{1,3}\b(:\d{2,5})?(\/[^\s"'`)<>]{0,60})?/i
        $_private = /(:\/\/|\b\B)([a-z0-9._-]{1,40}(:[^\s@\/]{1,40})?@)?(127\.|0\.0\.0\.0|10\.\d|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|1\.1\.1\.1|8\.8\.[48]\.[48]|1\.2\.3\.4|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|255\.|x\.)/i
    condition:
        $url
}
