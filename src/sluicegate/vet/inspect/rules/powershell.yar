// PowerShell that is written so as not to be read.

rule powershell_obfuscated_call
{
    meta:
        title = "Spells a PowerShell or batch command so that nobody can read it"
        category = "obfuscation"
        severity = "high"
        confidence = 800
        why = "Ticks and carets inside words, pieces put in order by number, letters picked out of a variable: nobody writes so but to get past a filter."
        fix = "Write commands as they are."
        references = "ASI05, T1027.010, CWE-506"
        languages = "any"
    strings:
        $ordered = /[&.|]\s{0,2}\(\s{0,2}["'](\{\d{1,2}\}){2,12}["']\s{0,2}-f\s{0,2}["'][^\n]{2,120}/
        $joined_call = /(^|[;|{(=\s]|\b\B)([&.]|\b\B)\s{0,2}(\(|\b\B)\s{0,2}(["']|\b\B)[A-Za-z-]{1,12}["']\s{0,2}\+\s{0,2}["']([A-Za-z-]{1,16}|\b\B)(["']|\b\B)/
        $ticks = /\b(i`?e`x|i`e`?x|I`?n`v`?o`?k`?e`?-|n`?e`w`?-`?o`?b`j|d`o`?w`?n`?l`?o`?a`?d)/i
        $comspec = /\$(env:comspec|pshome|shellid|verbosepreference(\.tostring\(\))?)\s{0,2}\[\s{0,2}\d{1,2}\s{0,2}[,\]][^\n]{0,60}/i
        $reversed = /\[(-1\.\.-|regex\]::matches\([^\n]{1,300}righttoleft)[^\n]{0,60}(-join|iex|invoke-expression)/i
        $char_join = /\[char\[\]\]\s{0,2}\(\s{0,2}\d{2,3}\s{0,2}(,\s{0,2}\d{2,3}\s{0,2}){4}[^\n]{0,400}-join|-join\s{0,2}\(?\s{0,2}\[char\[\]\]\s{0,2}\(/i
        $secure = /ConvertTo-SecureString\s[^\n]{20,400}-Key\s{0,2}\(?\s{0,2}\d{1,3}\s{0,2}(,|\.\.)[^\n]{0,200}PtrToString/i
        $amsi_pieces = /["'](am|ams|amsi)["']\s{0,2}\+\s{0,2}["'](si|i|s|u|utils|initf)[a-z]{0,10}["']/i
        $carets = /\b[a-z]{0,3}\^[a-z]{1,3}\^[a-z]{1,3}\^[a-z]{1,3}[\^a-z.]{0,20}/i
        $substrings = /(%[A-Za-z_]{1,20}:~\d{1,2},\d{1,2}%){3}/
    condition:
        any of them
}
