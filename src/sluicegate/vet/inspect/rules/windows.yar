// Windows: programs of the system put to work for someone else, credentials, and what returns after a restart.

rule windows_credential_dump
{
    meta:
        title = "Takes passwords out of Windows"
        category = "credential-access"
        severity = "high"
        confidence = 750
        why = "The memory of the logon process, the account database and the protected store hold the passwords of everyone who uses the machine."
        fix = "Do not run it. Treat every password used on the machine as stolen."
        references = "ASI03, T1003, T1555.004, CWE-522"
        languages = "any"
    strings:
        $comsvcs = /comsvcs(\.dll)?[ ,"']{1,4}(#24|MiniDump)\b/i
        $procdump = /\b(procdump(64)?(\.exe)?|rdrleakdiag|sqldumper)\s[^\n]{0,60}\blsass/i
        $lsass = /\b(MiniDumpWriteDump|Out-Minidump)\b[^\n]{0,200}\blsass|\blsass\b[^\n]{0,200}\b(MiniDumpWriteDump|Out-Minidump|OpenProcess)\b/i
        $mimikatz = /\b(sekurlsa::(logonpasswords|minidump)|lsadump::(sam|secrets)|Invoke-Mimikatz\s{1,2}-)\b/i
        $hives = /\breg(\.exe)?\s{1,2}save\s{1,2}"?(HKLM|HKEY_LOCAL_MACHINE)\\(SAM|SYSTEM|SECURITY)\b/i
        $ntds = /\bntdsutil(\.exe)?\b[^\n]{0,80}\bifm\b|\bcopy\s[^\n]{0,120}\\ntds\.dit\b/i
        $wlan = /\bnetsh\s{1,2}wlan\s{1,2}show\s{1,2}profiles?\s[^\n]{0,80}key\s{0,1}=\s{0,1}clear/i
    condition:
        any of them
}

rule wmi_event_subscription
{
    meta:
        title = "Hides a job in the event system of Windows"
        category = "persistence"
        severity = "critical"
        confidence = 850
        why = "A subscription in WMI runs a command at start-up or at any event, stands in no list of start-up programs, and is used by hardly anyone but intruders."
        fix = "Do not run it. Use a visible scheduled task that the user creates."
        references = "ASI10, T1546.003"
        languages = "any"
    strings:
        $filter = /\b__EventFilter\b/i
        $consumer = /\b(CommandLineEventConsumer|ActiveScriptEventConsumer)\b/i
        $register = /\bRegister-WmiEvent\s[^\n]{0,200}-Action\b/i
    condition:
        ($filter and $consumer) or $register
}

rule hidden_powershell
{
    meta:
        title = "Starts PowerShell where nobody sees it, past its own checks"
        category = "obfuscation"
        severity = "high"
        confidence = 700
        why = "A hidden window together with a bypassed execution policy is how a script runs that the user is not to notice."
        fix = "Run the script in the open, signed or with the user's own policy."
        references = "ASI05, T1059.001, T1564.003"
        languages = "any"
    strings:
        $hidden_first = /\b(powershell|pwsh)(\.exe)?\b[^\n]{0,120}\s-w(i|in|ind|indo|indow|indows|indowst|indowsty|indowstyl|indowstyle)?\s{1,2}["']?(h|hid|hidd|hidde|hidden|1)\b[^\n]{0,120}(\s-(ep|ex|exec|executionpolicy)\s{1,2}["']?(bypass|unrestricted)|\s-e(nc|ncodedcommand|c)?\s|iex\b|Invoke-Expression|DownloadString|https?:\/\/)[^\n]{0,80}/i
        $bypass_first = /\b(powershell|pwsh)(\.exe)?\b[^\n]{0,120}(\s-(ep|ex|exec|executionpolicy)\s{1,2}["']?(bypass|unrestricted)|\s-nop(rofile)?)\b[^\n]{0,120}\s-w(i|in|ind|indo|indow|indows|indowst|indowsty|indowstyl|indowstyle)?\s{1,2}["']?(h|hid|hidd|hidde|hidden|1)\b[^\n]{0,80}/i
        $start = /\bStart-Process\s[^\n]{0,60}\b(powershell|pwsh)(\.exe)?\b[^\n]{0,160}-WindowStyle\s{1,2}["']?Hidden\b[^\n]{0,80}/i
        $vbs = /\.Run\s{0,2}\(?\s{0,2}["'][^\n]{0,30}\b(powershell|cmd(\.exe)?\s{1,2}\/c|mshta|curl|certutil)[^\n]{0,240}["']\s{0,2},\s{0,2}(0|vbHide)\b/i
    condition:
        any of them
}

rule script_host_downloader
{
    meta:
        title = "A Windows script fetches something and starts programs"
        category = "remote-code"
        severity = "high"
        confidence = 800
        why = "A script of the Windows script host, an HTML application or a macro that both speaks to the network and starts programs is how downloads become infections."
        fix = "Do not run it. Ship what is needed with the skill."
        references = "ASI05, T1059.005, T1105, T1218.005"
        languages = "code, html, xml, svg"
    strings:
        $start = /\b(WScript\.Shell|Shell\.Application|Win32_Process)\b/i
        $fetch = /\b(MSXML2\.(Server)?XMLHTTP(\.\d\.\d)?|Microsoft\.XMLHTTP|WinHttp\.WinHttpRequest(\.5\.1)?|URLDownloadToFile[AW]?|InternetExplorer\.Application)\b/i
        $store = /\bADODB\.Stream\b/i
        $command = /\.(Run|Exec|ShellExecute|Create)\s{0,2}\(?\s{0,2}[^\n]{0,40}(https?:\/\/|\b(curl|certutil|bitsadmin|powershell|mshta)\b)/i
    condition:
        $start and (($fetch and 1 of ($store, $command)) or $command or ($fetch and $store))
}

rule lolbin_execution
{
    meta:
        title = "Has a program of the system run code for it"
        category = "remote-code"
        severity = "high"
        confidence = 750
        why = "These programs are signed by Microsoft and can be made to load code from elsewhere; that is the only reason to call them this way."
        fix = "Run the program itself, in the open."
        references = "ASI05, T1218, T1127, T1105"
        languages = "any"
    strings:
        $scrobj = /\bregsvr32(\.exe)?\s[^\n]{0,60}\bscrobj\.dll\b/i
        $rundll = /\brundll32(\.exe)?\s{1,2}["']?(url\.dll,(OpenURL|FileProtocolHandler)\s|\\\\[\w.-]{3,60}(@\d{2,5})?\\|zipfldr\.dll,RouteTheCall|shell32\.dll,ShellExec_RunDLL|advpack\.dll,LaunchINFSection|pcwutl\.dll,LaunchApplication)/i
        $wmic = /\bwmic(\.exe)?\s[^\n]{0,80}\/format:["']?https?:/i
        $wmic_create = /\bwmic(\.exe)?\s[^\n]{0,60}process\s{1,2}call\s{1,2}create\s{1,2}["'][^\n]{0,20}(powershell|cmd|mshta|rundll32|certutil|\\\\|%temp%)/i
        $msbuild = /\b(installutil(\.exe)?\s[^\n]{0,60}\/u\s|cmstp(\.exe)?\s[^\n]{0,30}\/s\s|odbcconf(\.exe)?\s[^\n]{0,40}regsvr|mavinject(\.exe)?\s{1,2}\d|regasm(\.exe)?\s{1,2}\/u\s|presentationhost(\.exe)?\s[^\n]{0,20}https?:)/i
        $forfiles = /\b(forfiles(\.exe)?\s[^\n]{0,60}\/c\s[^\n]{0,20}(powershell|mshta|rundll32)|pcalua(\.exe)?\s{1,2}-a\s|hh(\.exe)?\s{1,2}https?:|finger(\.exe)?\s[^\n|]{1,60}\|\s{0,2}(cmd|more))/i
        $mshta_run = /\bmshta(\.exe)?\s{1,2}["']?(vbscript|javascript|about):/i
    condition:
        any of them
}
