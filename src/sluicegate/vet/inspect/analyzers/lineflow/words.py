"""The words of sources and sinks, in all script languages at once.

Every expression is for text in lower case. Each alternative begins with a letter that is written out, so that
the search skips what cannot begin a match; where a short word must stand alone, a look-behind stands after it.
"""

from __future__ import annotations

from typing import Final

from sluicegate.vet.lazy import lazy


class ScriptTag:
    """What is known of a value: bits of an integer, for they are joined at every statement."""

    NONE: Final = 0
    FETCHED: Final = 1
    """Came over the network."""
    DECODED: Final = 2
    """Was decoded or unpacked."""
    SECRET: Final = 4
    """Is a credential, or all of the environment."""
    WATCHED: Final = 8
    """Is what the user copied, typed or saw."""
    REQUEST: Final = 16
    """Was sent by the visitor of a web page."""
    HOME: Final = 32
    """Is the home folder, the root or a drive, and nothing below it."""
    DOTENV: Final = 64
    """Is read from a project's own file of secrets."""


FETCH = lazy(
    r"invoke-(?:webrequest|restmethod)|iwr(?<![\w.-]iwr)\s|irm(?<![\w.-]irm)\s|download(?:string|data|file)(?:async|taskasync)?\("
    r"|start-bitstransfer|net\.webclient|httpclient|curl(?<![\w.-]curl)(?:\.exe)?\s|req_perform\(|(?:post|put|patch)\(\s{0,2}[\"']https?:|curl_(?:exec|easy_perform)|curl\.exe"
    r"|wget(?<![\w.-]wget)\s|certutil(?:\.exe)?\s[^\n]{0,40}-urlcache|bitsadmin"
    r"|uri\.open|uri\(|uri\.parse\(|open\((?:uri|url)|open\(\s{0,2}[\"']https?:|net::http|open-uri|httparty|faraday|rest-?client\."
    r"|lwp::(?:simple|useragent|curl)|http::tiny|mojo::useragent|getstore\(|file_get_contents\(\s{0,2}[\"']https?:|file_get_contents\(\s{0,2}\$(?:\w{0,20}ur[il]|remote|c2|host|server)"
    r"|fopen\(\s{0,2}[\"']https?:|guzzle|http\.(?:get|post|do|newrequest)\w{0,14}\(|client\.(?:do|get)\(|reqwest|ureq::|hyper::"
    r"|openstream\(|openconnection\(|jsoup\.connect|okhttp|bodyhandlers|socket\.http|http\.request\(|httr|download\.file\(|readlines\(\s{0,2}[\"']https?:"
    r"|url\(\s{0,2}[\"']https?:|source\(\s{0,2}[\"']https?:|source_url\(|msxml2\.|xmlhttp|winhttp\.|urldownloadtofile|responsetext|responsebody"
    r"|httpoison\.|req\.(?:get|post|put|request)!?\(|:httpc\.request|tesla\.(?:get|post|put)|http\s{1,2}(?:get|post|put|patch|delete)\s|downloads\.download\(|http\.request\(|http\.client"
    r"|(?:post|put|get)content\(|client\.(?:post|put|send|fetch|request)\w{0,12}\(|minreq::|attohttpc::|isahc::|surf::|wreq|clj-http|http\.newrequest|simplehttp|httplbs"
    r"|urlsession|string\(contentsof:\s{0,2}url|data\(contentsof:\s{0,2}url|nsurl|get\s[\"']https?://|get(?<![\w>.:]get)\(\s{0,2}[\"'$]"
)
"""A call to the network."""
FETCH_WORDS = (
    "invoke-webrequest", "invoke-restmethod", "iwr", "irm", "download", "start-bitstransfer", "webclient", "http", "curl", "wget",
    "certutil", "bitsadmin", "uri", "lwp::", "faraday", "rest-client", "restclient", "guzzle", "reqwest", "ureq", "hyper",
    "openstream", "openconnection", "bodyhandlers", "msxml2", "urldownload", "responsetext", "responsebody", "urlsession", "nsurl",
    "jsoup", "httr", "useragent", "getstore(", "get(", "client.", "open(url", "source_url", "contentsof:", "file_get_contents(",
    "httpoison", "req.", "httpc", "tesla.", "content(", "minreq", "req_perform", "post(", "put(", "patch(", "isahc", "surf::", "wreq", "clj-http",
)  # fmt: skip
"""One of them stands in whatever the expression above them finds; so do those below."""
TALK = lazy(
    r"upload(?:string|data|file|values)\w{0,12}\(|send-mailmessage|net::smtp|net::ftp|smtp|mail\(|system\.net\.mail|\.send\(|resolve-dnsname|nslookup"
    r"|tcpsocket|udpsocket|io::socket|fsockopen|stream_socket_client|net\.dial|tcpstream|tcpclient|new socket\(|socket\.tcp|socket\.connect|sendto\("
    r"|[\"'](?:/usr/bin/)?(?:curl|wget|ncat|nc)(?:\.exe)?[\"']\s{0,2}[,)\]]|:gen_tcp\.|ssl\.connect|std\.net\.tcpconnect"
    r"|discord(?:app)?\.com/api/webhooks|api\.telegram\.org|hooks\.slack\.com|lettre|email\.send"
)
"""Other ways to hand data to another machine."""
DECODE = lazy(
    r"frombase64string|frombase64|base64[_.:]{1,2}(?:strict_|urlsafe_)?decode\w{0,4}|base64_decode|decode_base64|base64\.\w{1,12}\.decodestring|base64\.\w{1,3}decode"
    r"|base64\.getdecoder|base64dec|gzinflate|gzuncompress|gzdecode|str_rot13|strrev\(|hex2bin|convert_uu|unpack1?\(?\s{0,2}[\"'](?:m|h\*|u)|pack\(?\s{0,2}[\"'](?:h\*|c\*|u\*)"
    r"|hex\.decode|hex::decode|zlib::inflate|zlib\.(?:inflate|newreader)|gzip\.newreader|gzipstream|deflatestream|certutil(?:\.exe)?\s{1,2}-f?\s{0,2}-?decode"
    r"|mime\.unb64|string\.char\(\s{0,2}\d{1,3}\s{0,2},|-bxor|chr\(\s{0,2}ord\(|base64url|unhexlify|openssl_decrypt|aesmanaged|createdecryptor|cipher\.newcbcdecrypter"
    r"|chr\(\d{2,3}\)\s{0,2}[&.+]\s{0,2}chr\(\d{2,3}\)|nodetypedvalue|bin\.base64"
)
DECODE_WORDS = (
    "base64", "gzinflate", "gzuncompress", "gzdecode", "rot13", "strrev", "hex", "convert_uu", "pack", "inflate", "deflate", "zlib", "gzip", "certutil",
    "unb64", "string.char", "bxor", "chr(", "decrypt", "aesmanaged", "nodetypedvalue",
)  # fmt: skip
KEPT = lazy(
    r"security(?<![\w.-]security)\s{1,2}(?:dump-keychain|find-(?:generic|internet)-password|export)|cmdkey(?:\.exe)?\s{1,2}/list|vaultcmd|passwordvault|protecteddata\]?::unprotect"
    r"|cryptunprotectdata|wlan\s{1,2}show\s{1,2}profile|get-?child-?item\s{1,2}env:|gci\s{1,2}env:|dir\s{1,2}env:|ls\s{1,2}env:|getenvironmentvariables\("
    r"|env\.(?:to_h|inspect|to_a|map|each|select|reject|filter|reduce|sort_by|collect)(?<![\w.]env\.to_h)|join\([^\n]{0,30}%env\b|\\%env\b|os\.environ\(\)|env::vars\(|system\.getenv\(\)|sys\.getenv\(\)|getenv\(\)|\$_env(?!\[)"
    r"|(?:keys|values|each)\s{0,2}\(?\s{0,2}%env\b|[{(]\s{0,2}%env\s{0,2}[})]|(?:get-item|gi)\s{1,2}(?:-path\s{1,2})?[\"']?env:(?:\\?\*|[\s|)\"'])"
    r"|(?:popen|shell_exec|do shell script|system2?|exec|capture2|check_output)\s{0,2}\(?\s{0,2}[\"'](?:/usr/bin/)?(?:env|printenv)[\"'\s|]|`(?:env|printenv)`"
    r"|data_dumper->\w{1,8}\([^\n]{0,8}%env|dumper\(\\?%env"
)
ENTERED = lazy(
    r"(?:set-location|push-location|chdir|pushd|(?<![\w-])sl|(?<![\w-])cd)(?![\w-])[^\n;]{1,80}?[\\/\"'](\.(?:aws|kube|ssh|gnupg|docker|azure|config[\\/]gcloud|config[\\/]gh))(?![\w.-])"
)
"""A script enters a folder of credentials."""
ENTERED_WORDS = (".aws", ".kube", ".ssh", ".gnupg", ".docker", ".azure", "gcloud", "config/gh", "config\\gh")
NAMED_THERE = lazy(
    r"(?:get-content|(?<![\w-])(?:gc|cat|type|more)(?![\w-])|-infile|(?<=[=\s\"'])@|\s-t|read(?:all)?(?:text|bytes|lines)\(|file\.(?:bin)?read\(|file_get_contents\(|fopen\(|(?<!\w)open\()\s{0,3}"
    r"(?:-(?:raw|path|literalpath|encoding\s\w{1,12})\s{1,3}){0,3}[\"'(]{0,2}(?:\.[\\/])?([\w*][\w.*-]{0,60})"
)
"""A file that is read or sent by its name alone."""
KEPT_BATCH = lazy(r"set(?<![\w.-]set)\s{0,2}(?=[>|])")
"""In a batch file, what prints all variables."""
KEPT_WORDS = (
    "security", "cmdkey", "vaultcmd", "passwordvault", "unprotect", "wlan", "env:", "env", "variables(",
)  # fmt: skip
WATCH = lazy(
    r"get-clipboard|pbpaste|the clipboard|clipboard\]?::get|clipboard\.(?:paste|readall|gettext|get)|getclipboarddata|nspasteboard|xclip\s[^\n]{0,30}-o|xsel\s[^\n]{0,12}-o"
    r"|parentwindow\.clipboarddata|copyfromscreen|screencapture|createscreencapture|gdigrab|avfoundation|screenshot\.capture|cgwindowlistcreateimage"
    r"|getasynckeystate|setwindowshookex|getkeyboardstate|cgeventtapcreate|addglobalmonitorforevents|/dev/input/event|robot\(\)\.createscreen|arecord\s"
)
WATCH_WORDS = (
    "clip", "pbpaste", "nspasteboard", "xsel", "copyfromscreen", "screen", "gdigrab", "avfoundation", "keystate", "windowshook", "eventtap",
    "globalmonitor", "keyboardstate", "/dev/input", "cgwindow", "arecord",
)  # fmt: skip
KEYS = lazy(
    r"getasynckeystate|setwindowshookex|getkeyboardstate|cgeventtapcreate|addglobalmonitorforevents|/dev/input/event"
)
KEYS_WORDS = ("keystate", "windowshook", "keyboardstate", "eventtap", "globalmonitor", "/dev/input")
ASKED = lazy(
    r"\$_(?:get|post|request|cookie|files)\b|\$_server\s{0,2}\[\s{0,2}[\"']http_|php://input|getallheaders\("
)
PLACE = lazy(
    r"(?:dir\.home|env\[[\"']home[\"']\]|env\.fetch\([\"']home[\"']\)|file\.expand_path\([\"']~/?[\"']\)|\$env\{[\"']?home[\"']?\}|getenv\([\"']home[\"']\)"
    r"|os\.userhomedir\(\)|\$home\b|\$env:(?:userprofile|home|systemdrive|homedrive)\b|%userprofile%|dirs::home_dir\(\)(?:\.unwrap\(\))?|env::var\([\"']home[\"']\)(?:\.unwrap\(\))?"
    r"|system\.getproperty\([\"']user\.home[\"']\)|path\.expand\([\"']~[\"']\)|os\.getenv\([\"']home[\"']\)|[\"'](?:/|~|~/|/home|/users|[a-z]:\\{1,2})[\"'])"
)
"""Expressions that are the home folder, the root or a drive."""

EVALUATE = lazy(
    r"iex(?<![\w.-]iex)\b|invoke-expression|scriptblock\]?::create|invokescript\(|eval(?<![\w.>:-]eval)(?![\w-])(?!\s{0,2}\{)|kernel\.eval|binding\.eval|instance_eval|class_eval"
    r"|module_eval|assert\((?=\s{0,2}@?\$\w{1,40}\s{0,2}\))|create_function\(|call_user_func|loadstring\(|load(?<![\w.:]load)\(|dostring|executeglobal|execute\(|execute\s(?!\w{1,20}\s{0,2}=)|run script|scriptcontrol"
    r"|assembly\]?::load|assembly\.load\(|defineclass|\.eval\(|eval\(parse\(|add-type|expandstring\(|include(?:_once)?\b|require(?:_once)?\b|source\("
)
"""Where text becomes a program. ``eval {`` is Perl's way to catch errors, and is not one."""
RUN = lazy(
    r"start-process|saps(?<![\w-]saps)\s|invoke-item|invoke-command|system2?(?<![\w.>$]system)(?<![\w.>$]system2)\(|system(?<![\w.>$]system)\s[\"'$]|system(?:verilog)?(?=\s\w{1,30}$)|exec(?<![\w.>:$@]exec)(?:\(|\s[\"'$]|\s\w{1,30}$)|spawn(?<![\w.>:$]spawn)[(\s]|popen3?\(|popen\s"
    r"|(?:run|pipeline|success)\(`|shell_exec|passthru|proc_open|pcntl_exec|exec\.command(?:context)?\(|syscall\.exec|startprocess\(|getruntime\(\)\.exec|processbuilder|command::new"
    r"|os\.execute|io\.popen|shell\.exec|do shell script|doshellscript|\.run(?=[\s(])|shellexecute\w{0,2}|createprocess\w?\(|winexec\(|execl?[vp]{0,2}e?\(|process\.start"
    r"|process\(\)|launchpath|nstask|cmd(?:\.exe)?\s{1,2}/c|powershell(?:\.exe)?\s|pwsh\s|start\s|call\s|chmod\s|chmod\(|rundll32(?:\.exe)?\s|regsvr32(?:\.exe)?\s|msiexec(?:\.exe)?\s|wscript(?:\.exe)?\s|cscript(?:\.exe)?\s"
    r"|mshta(?:\.exe)?\s|[&.](?<![\w&)\"'\].>][&.])\s{0,2}(?=[$\"'(\\%]|[a-z]:\\)|\.(?<=[\s;{|&(]\.)(?=/[\w./-]{1,80}\.(?:ps1|exe|cmd|bat))|`(?=[#$\"'.][^`\n]{0,200}`)|%x[{(\[]|qx[{(/]|open\(\s{0,2}\w{1,20},\s{0,2}[\"']\|"
)
"""Where a command or a file is started; what is started stands next."""
LEAD = lazy(
    r"(?:[\s(\"'\[{,@$#&|-]|\.{1,2}[/\\]|%w\[|sudo\b|cmd(?:\.exe)?\b|powershell(?:\.exe)?\b|pwsh\b|/bin/|/usr/bin/|(?:ba|z)?sh\b|python3?\b|perl\b|ruby\b|node\b|rundll32\b"
    r"|regsvr32\b|wscript\b|cscript\b|mshta\b|msiexec\b|filepath\b|file\b|command\b|argumentlist\b|executionpolicy\b|bypass\b|noprofile\b|nop\b|windowstyle\b|hidden\b|wait\b|verb\b|runas\b"
    r"|nonewwindow\b|scriptblock\b|c\b|/c\b|/b\b|/min\b|/wait\b|/i\b|/s\b|/qn?\b|/u\b|\+x\b|0?7[0-7]{2}\b|0o7[0-7]{2}\b|string\b|str\b|&|env:temp[/\\]{1,2}|(?:%temp%|%tmp%|%appdata%|/tmp|/var/tmp|~)[/\\]{1,2})*+"
)
"""What may stand between the call and the thing that is started."""
WRITE = lazy(
    r"-outfile\s|outfile\s|set-content|add-content|out-file|writeall(?:bytes|text)|downloadfile|-destination\s|savetofile|\.write\(|file\.write|file\.open\(|file\.binwrite|iow?rite"
    r"|file_put_contents|fputs\(|fwrite\(|fopen\(|print\s{0,2}\{?\$?\w{1,20}\}?\s|syswrite|getstore\(|open\(\s{0,2}my|open\(|os\.create\(|os\.openfile\(|writefile\(|io\.copy\(|fs::write"
    r"|file::create|write_all|files\.(?:copy|write)|fileoutputstream|transferto|io\.open\(|:write\(|writebin|writelines|download\.file\(|cat\(|urldownloadtofile|curl\w{0,4}\s[^\n]{0,200}\s-\w{0,4}o\s"
    r"|-o\s|--output\s|-urlcache\s|-decode\s|>\s{0,2}[\"'%$/.\w]|/transfer\s|copyto"
)
"""Where a value goes into a file."""
ERASE = lazy(
    r"remove-item\b|rm_rf|rm_r\b|remove_entry_secure|remove_dir\b|rmtree\(|rmtree\s|remove_tree|os\.removeall\(|remove_dir_all\(|deletefolder|directory\]?[.:]{1,2}delete\("
    r"|deletedirectory\(|unlink\([^\n)]{0,60}recursive|fileutils\.deletedirectory"
)
"""Where files and folders are deleted with all that is in them."""
ERASE_WORDS = ("remove", "rm_r", "rmtree", "delete", "unlink")
