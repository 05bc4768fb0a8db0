// Programs that hide what they are.

rule obfuscated_script
{
    meta:
        title = "Runs code that is decoded on the spot"
        category = "obfuscation"
        severity = "high"
        confidence = 850
        why = "Code that is decoded and run in one expression is there so that nobody, and no scanner, reads it first."
        fix = "Ship the source as it is."
        references = "ASI05, T1027, CWE-506, CWE-94"
        languages = "any"
    strings:
        $py_exec = /\b(exec|eval|compile)\s{0,2}\(\s{0,3}(compile\s{0,2}\(\s{0,2})?[\w.()\s]{0,60}\b(b64decode|b32decode|b85decode|a85decode|unhexlify|fromhex|zlib\.decompress|bz2\.decompress|lzma\.decompress|marshal\.loads|codecs\.decode|urlsafe_b64decode)\s{0,2}\(/
        $py_tmp = /\b(exec|eval)\(\s{0,2}(compile\(\s{0,2})?open\(\s{0,2}["'](\/tmp|\/var\/tmp|\/dev\/shm)\/[^\n]{1,80}/
        $py_import = /__import__\(\s{0,2}["'](base64|zlib|marshal|codecs)["']\s{0,2}\)\s{0,2}\.[^\n]{1,80}/
        $py_marshal = /\bmarshal\.loads\(\s{0,2}(zlib\.|base64\.|b["']|bytes|lzma\.|bz2\.|binascii\.)/
        $py_lambda = /\bexec\(\s{0,2}\(\s{0,2}(lambda\b|_{1,3}\s{0,2}:?=)[^\n]{0,120}(decompress|decode|chr)\b/
        $py_chr = /(chr\(\s{0,2}\d{1,3}\s{0,2}\)\s{0,2}\+\s{0,2}){6}/
        $py_builtins = /getattr\(\s{0,2}__builtins__\s{0,2},\s{0,2}[^\n)]{2,80}\)|__builtins__(\.__dict__)?\[\s{0,2}["'][^\n"']{0,12}["']\s{0,2}(\+|\])/
        $js_atob = /\b(eval|Function|setTimeout|setInterval|execSync|exec|runInThisContext|runInNewContext)\s{0,2}\(\s{0,3}(atob|unescape|decodeURIComponent\s{0,2}\(\s{0,2}(atob|escape)|Buffer\.from|new\s{1,2}Buffer)\s{0,2}\(/
        $js_buffer = /\b(eval|Function)\s{0,2}\([^\n;]{0,40}Buffer\.from\([^\n;]{0,300}["'](base64|hex)["']/
        $js_charcode = /\bString\.fromCharCode\(\s{0,2}(0x[0-9a-f]{2}|\d{2,3})(\s{0,2},\s{0,2}(0x[0-9a-f]{2}|\d{2,3})){8}/i
        $js_array_char = /\[\s{0,2}\d{2,3}(\s{0,2},\s{0,2}\d{2,3}){8,400}\s{0,2}\]\s{0,2}\.map\([^\n]{0,60}fromCharCode/
        $js_packer = /\beval\(function\(p,a,c,k,e,(d|r)\)/
        $js_obfuscator = /\b(var|const|let|function)\s{1,2}_0x[0-9a-f]{4,6}\b[^\n]{0,200}_0x[0-9a-f]{4,6}/
        $js_constructor = /\[\s{0,2}["']constructor["']\s{0,2}\]\s{0,2}\(\s{0,2}["'`]|\.constructor\(\s{0,2}["'`]return\s{1,2}(this|process|require)|constructor\.constructor\(/
        $js_split = /\b(window|globalThis|global|self|process|require|this|\b\B)\s{0,2}[\[(]\s{0,2}["'](e|ev|eva|re|req|chi|chil|child|ex|exe|at|en|e)["']\s{0,2}\+\s{0,2}["'][a-zA-Z_]{1,12}["']/
        $js_hex = /["'`](\\x[0-9a-f]{2}){7}/i
        $ps_join = /\[char\]\s{0,2}(0x[0-9a-f]{2}|\d{2,3})\s{0,2}(\+\s{0,2}\[char\]\s{0,2}(0x[0-9a-f]{2}|\d{2,3})\s{0,2}){4}/i
        $ps_reflect = /\[(System\.)?Reflection\.Assembly\]::Load\(\s{0,2}(\[(System\.)?Convert\]::FromBase64String|\$)/i
        $php = /\b(eval|assert|create_function|preg_replace)\s{0,2}\(\s{0,2}["'\/.*e, ]{0,12}(gzinflate|gzuncompress|base64_decode|str_rot13|strrev|hex2bin)\s{0,2}\(/
        $php_shell = /\b(eval|assert|system|shell_exec|passthru|exec|popen)\s{0,2}\(\s{0,2}@?\$_(GET|POST|REQUEST|COOKIE)\s{0,2}\[/
        $ruby = /\b(eval|instance_eval|class_eval)\s{0,2}\(?\s{0,2}(Base64\.(strict_)?decode64|Zlib::Inflate|\[[^\n\]]{8,200}\]\.pack\()/
        $sh_ifs = /\b(eval|bash\s{1,2}-c)\b[^\n]{0,60}(\$\{IFS\}|\$IFS)[^\n]{0,60}/
        $sh_splice = /(\$\{[A-Za-z_@]{1,12}:\d{1,2}:\d{1,2}\}){4}/
        $magic = /\bpickle\.loads\(\s{0,2}(base64\.|b64decode|codecs\.|zlib\.|bytes\.fromhex|binascii\.)/
    condition:
        any of them
}
