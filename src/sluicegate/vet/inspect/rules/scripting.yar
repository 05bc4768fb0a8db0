// Payloads that unpack themselves, and programs that are told by what they combine.

rule self_extracting_script
{
    meta:
        title = "Unpacks a program from inside itself and runs it"
        category = "obfuscation"
        severity = "high"
        confidence = 800
        why = "The script reads its own file from some line on, decodes or unpacks what stands there, and runs it. What runs is not what a reader of the script sees."
        fix = "Unpack it by hand and read what comes out, or get the program from where it is made."
        references = "ASI05, T1027.009, T1140, CWE-506"
        languages = "any"
    strings:
        $tail = /\b(tail|sed|awk|head|dd)\s[^\n|]{1,80}["' =](\$0|\$\{0\}|\$\{?BASH_SOURCE(\[0\])?\}?|\$\{?SELF\}?|\$\{?ME\}?|\$\{?THIS\}?)["']?[^\n|]{0,20}\|\s{0,3}(base64|base32|openssl|gunzip|gzip|zcat|xz|bunzip2|tar|xxd|tr|uudecode|sh|bash|python3?|perl|cpio|gpg)\b[^\n]{0,120}/
        $substitution = /\b(eval|bash\s{1,2}-c|sh\s{1,2}-c|source)\s{0,2}["']{0,2}(\$\(|`|<\()\s{0,2}(tail|sed|awk|\b\B)\s[^\n)`]{1,80}["' ](\$0|\$\{0\}|\$\{?BASH_SOURCE(\[0\])?\}?)/
        $python = /\b(exec|eval)\(\s{0,2}[^\n]{0,80}\bopen\(\s{0,2}(__file__|sys\.argv\[0\])[^\n]{0,160}(decode|decompress|split|\[-?\d|find\(|partition|seek)/
        $php = /\b(eval|assert)\s{0,2}\([^\n;]{0,80}(file_get_contents|fopen|fread)\(\s{0,2}__FILE__[^\n;]{0,120}/
        $halt = /(__COMPILER_HALT_OFFSET__[^\n]{0,120}\beval\b|\beval\b[^\n]{0,120}__COMPILER_HALT_OFFSET__)/
        $perl = /\beval\s{0,2}\(?\s{0,2}[\w:(\s,"'$]{0,60}(<DATA>|DATA\.read)/
        $batch = /\b(certutil(\.exe)?\s{1,2}(-f\s{1,2})?-decode|findstr|more\s{1,2}\+\d{1,4})\s[^\n|>]{0,80}"?(%~f0|%~dpnx0|%0)"?[^\n]{0,60}(>|%|\.)/
        $batch_ps = /\bpowershell(\.exe)?\s[^\n]{0,160}(%~f0|%~dpnx0)[^\n]{0,160}(iex|Invoke-Expression|FromBase64String|scriptblock)/i
    condition:
        any of them
}

rule staged_payload_in_words
{
    meta:
        title = "Tells the agent to decode, join or rename something and run it"
        category = "remote-code"
        severity = "high"
        confidence = 750
        why = "Steps that turn harmless-looking text, parts or files into a program and run it make the agent the unpacker. No check of the files can see the program before."
        fix = "Ship the program as it is, under its own name."
        references = "LLM01, ASI02, ASI05, T1027, T1204.002"
        languages = "prose"
        before_then_run = "(?i)\\b(?:decode|base64-decode|hex-decode|decrypt|deobfuscate|unscramble|rot13|xor|reassemble|concatenate|decompress)\\s(?:[^.!?]|[.!?](?=\\S)){0,110}$"
        before_renamed = "(?i)\\b(?:rename|change|replace|save|copy|move)\\s[^.!?]{0,60}$"
    strings:
        $then_run = /\b(and|then|,|&|to)\s{1,3}(then\s{1,2})?(run|execute|eval|evaluate|exec|source|launch|pipe\s{1,2}(it|the\s{1,2}(result|output))\s{1,2}(to|into)\s{1,2}(ba|z)?sh)\s{1,3}(it|the\s{1,2}(result|results|output|decoded|resulting|content|contents|command|commands|script|payload|file)|what(ever)?|this|them)\b/i
        $execute_decoded = /\b(run|execute|evaluate|eval|launch)\s{1,3}(the\s{1,2}|this\s{1,2}|that\s{1,2})?(decoded|decrypted|deobfuscated|reassembled|de-obfuscated|unscrambled|base64-decoded)\s{1,3}(result|output|command|commands|script|payload|content|contents|string|text|code|file|instructions)\b/i
        $renamed = /\.(txt|dat|png|jpe?g|gif|log|md|json|bin|pdf|tmp|csv|doc)[`"'*]{0,2}\s{1,3}(to|into|as|with)\s{1,3}(the\s{1,2}extension\s{1,2})?[`"'*]{0,2}([\w.\/-]{0,60}\.)(sh|exe|py|ps1|bat|cmd|js|vbs|command|scr|app)\b[`"'*]{0,2}[^.!?\n]{0,60}\b(run|execute|launch|start|open|double-click)\b/i
        $joined = /\b(join|combine|merge|concatenate|reassemble|put\s{1,2}together|stitch)\s{1,3}(the\s{1,2}|all\s{1,2}|these\s{1,2}|both\s{1,2}){0,2}([a-z]{1,12}\s{1,2}){0,2}(parts?|pieces?|chunks?|fragments?|segments?|strings?|\b\B)\b[^\n]{0,100}\b(run|execute|eval|evaluate|launch)\s{1,2}(it|the\s{1,2}(result|output|script|file|command|program)|them)\b/i
    condition:
        any of them
}

rule shellcode_runner
{
    meta:
        title = "Puts machine code into memory and starts it"
        category = "malware"
        severity = "critical"
        confidence = 850
        why = "Memory is made executable, filled with bytes, and jumped into. A payload that lives only in memory leaves no file to look at."
        fix = "Do not install."
        references = "ASI05, T1055, T1620, CWE-506"
        languages = "code"
    strings:
        $alloc = /\b(VirtualAlloc(Ex)?|NtAllocateVirtualMemory|VirtualProtect(Ex)?|HeapCreate)\b/
        $mmap = /\bmmap\b[^\n]{0,100}PROT_EXEC|PROT_WRITE\s{0,2}\|\s{0,2}(mmap\.)?PROT_EXEC|mprotect\([^\n]{0,60}PROT_EXEC/
        $start = /\b(CreateThread|CreateRemoteThread|QueueUserAPC|NtCreateThreadEx|GetDelegateForFunctionPointer|EnumSystemLocalesA|RtlMoveMemory|WriteProcessMemory|CallWindowProc)\b/
        $jump = /\b(CFUNCTYPE\(|memmove\(|\(\*\s{0,2}\(\s{0,2}void\s{0,2}\(\s{0,2}\*\s{0,2}\)|syscall\.Syscall\(|transmute)/
        $_bytes = /(\\x[0-9a-fA-F]{2}){12}|(0x[0-9a-fA-F]{2}\s{0,2},\s{0,2}){12}|FromBase64String|b64decode|fromhex|hex\.DecodeString|DownloadData|urlopen|http\.Get/
    condition:
        (($alloc and $start) or ($mmap and $jump)) and $_bytes
}

rule clipboard_swapper
{
    meta:
        title = "Replaces wallet addresses on the clipboard"
        category = "malware"
        severity = "critical"
        confidence = 850
        why = "The clipboard is read, compared with the shape of a wallet address, and written again: the money goes to another wallet than the one that was copied."
        fix = "Do not install. Check every address that was pasted on a machine on which it ran."
        references = "ASI02, T1115, T1565.002"
        languages = "code"
    strings:
        $read = /\b(Get-Clipboard|pbpaste|pyperclip\.paste|clipboard\.(paste|readText|readSync|read|ReadAll|get_text|GetText)|GetClipboardData|the clipboard|xclip\s[^\n]{0,30}-o|Clipboard\.(paste|GetText|ReadAll)|clipboardy\.read|\[(System\.)?Windows\.(Forms\.)?Clipboard\]::GetText)/i
        $write = /\b(Set-Clipboard|pbcopy|pyperclip\.copy|clipboard\.(copy|writeText|writeSync|write|WriteAll|set_text|SetText)|SetClipboardData|set the clipboard to|xclip\s[^\n]{0,30}-(i|sel)|Clipboard\.(copy|SetText|WriteAll)|clipboardy\.write|\[(System\.)?Windows\.(Forms\.)?Clipboard\]::SetText)/i
        $wallet = /(\[13\]\[a-km-zA-HJ-NP-Z1-9\]|\[13\]\[A-HJ-NP-Za-km-z1-9\]|0x\[a-fA-F0-9\]\{40\}|0x\[0-9a-fA-F\]\{40\}|\bbc1\[a-z|\(bc1\||bc1\|\[13\]|\bT\[A-Za-z1-9\]\{33\}|4\[0-9AB\]\[)/
    condition:
        $read and $write and $wallet
}
