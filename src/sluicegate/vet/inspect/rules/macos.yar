// macOS: privacy settings, and what returns after a restart.

rule macos_privacy_tamper
{
    meta:
        title = "Changes what programs may see on this Mac"
        category = "privilege-escalation"
        severity = "high"
        confidence = 700
        why = "The privacy database says which programs may use the camera, the microphone, the disk and other programs. Only the user is to change it."
        fix = "Let the system ask the user, and say what the permission is for."
        references = "ASI03, T1548.006, CWE-269"
        languages = "any"
        before_database = "\\b(?:sqlite3|cp|mv|chmod|tee|INSERT|UPDATE|DELETE|REPLACE)\\b.{0,120}$"
        before_insert = "(?i)\\b(?:INSERT|REPLACE)\\s{1,2}(?:OR\\s{1,2}REPLACE\\s{1,2})?INTO\\s{1,2}access\\b.{0,160}$"
    strings:
        $database = /com\.apple\.TCC\/TCC\.db/
        $insert = /kTCCService[A-Z]\w{3,40}/
        $reset_all = /\btccutil\s{1,2}reset\s{1,2}All\s{0,2}(\n|$|;|&|"|'|`)/
    condition:
        any of them
}

rule autostart_entry
{
    meta:
        title = "Enters itself among the programs that start with the machine"
        category = "persistence"
        severity = "medium"
        confidence = 700
        why = "A login item, a Run key or a file in the Startup folder runs long after the skill is done, and after it is removed."
        fix = "Run when asked. If something must start by itself, show the user how to set it up and how to undo it."
        references = "ASI10, T1547.001, T1547.015"
        languages = "any"
        before_launch = "\\b(?:File\\.(?:write|open)|file_put_contents|os\\.(?:WriteFile|Create)|ioutil\\.WriteFile|fs::write|File::create|open)\\(.{0,160}$"
    strings:
        $login_item = /\bmake\s{1,2}(new\s{1,2})?login\s{1,2}item\b[^\n]{0,120}/i
        $regwrite = /\bRegWrite\s{0,2}\(?\s{0,2}["'][^"'\n]{0,80}\\CurrentVersion\\+Run(Once)?\b[^\n]{0,120}/i
        $set_value = /(\bOpenSubKey|\bCreateSubKey|registry\.(OpenKey|CreateKey)|RegOpenKeyEx[AW]?|Win32::Registry[^\n]{0,60}open)\s{0,2}\([^\n]{0,80}CurrentVersion\\{1,4}Run(Once)?["'`][^\n]{0,60}/i
        $startup = /\b(GetFolderPath\(\s{0,2}["']?(\[[\w.]{4,40}\]::)?(Common)?Startup\b|SpecialFolders\s{0,2}\(\s{0,2}["'](AllUsers)?Startup["']|shell:startup|CreateShortcut\([^\n]{0,80}Startup)/i
        $launch = /Library\/Launch(Agents|Daemons)\/[^\n]{0,80}/
    condition:
        any of them
}
