"""Which language a fragment is in: from the name a fence gives it, or from what it says."""

from __future__ import annotations

import re

from sluicegate.vet.hints import one_of
from sluicegate.vet.intake.formats import Kind, by_word
from sluicegate.vet.lazy import lazy

_HEAD = 4096  # characters looked at; a fragment shows its language early

_NAMES = by_word("fences")

STRONG_COMMANDS = frozenset(
    "curl wget bash sh zsh sudo chmod chown git npm npx pnpm yarn bun bunx pip pip3 pipx uv uvx python python3 "
    "node deno apt apt-get brew dnf yum apk pacman docker podman kubectl helm ssh scp sftp rsync nc ncat netcat "
    "crontab systemctl launchctl export eval rm mkdir tar unzip gunzip base64 openssl printf cargo gem perl "
    "ruby powershell pwsh osascript xattr nohup xargs gh aws gcloud az terraform mvn gradle dotnet php "
    "composer poetry conda mamba telnet socat dig nslookup killall pkill claude codex ollama ffmpeg rclone lftp gsutil azcopy s3cmd "
    "doctl heroku vercel netlify flyctl printenv httpie xh aria2c pg_dump mysqldump gpg glab doppler bw lpass secret-tool ditto "
    "cloudflared ngrok tailscale pulumi sops ansible-vault mongodump "
    "nmcli wg consul chamber dotenvx railway eas firebase supabase oc ibmcloud databricks infisical keepassxc-cli gopass aws-vault "
    "openstack sftp".split()
)
WEAK_COMMANDS = frozenset(
    "echo cat cd cp mv ls find make test source set head tail touch kill sort cut grep awk sed tee env exec go "
    "java open which time watch dd ln ps jq zip read unset alias history ifconfig ping http https op pass security vault fly 7z trap "
    "code cursor fc mail sendmail install".split()
)
_COMMANDS = STRONG_COMMANDS | WEAK_COMMANDS

_SHELL_SCRIPTS = (".sh", ".bash", ".zsh", ".command", ".ps1")
_PROSE = frozenset("is are was can will has and or the does to for".split())
"""What follows the name of a command in a sentence about it."""
_WEAK_PROOF = lazy(r"\s-|[/|$>&=~*]")
_POWERSHELL = lazy(
    r"(?i)\b(?:iex|invoke-(?:expression|webrequest|restmethod)|new-object|start-process|get-childitem|"
    r"set-executionpolicy|downloadstring)\b|\$env:[a-z]"
)
_PYTHON = lazy(
    r"(?m)^[ \t>]{0,40}(?:import [A-Za-z_]|from [A-Za-z_.]{1,60} import |def \w{1,60}\(|class \w{1,60}[:(]|"
    r"print\(|exec\(|eval\(|with open\(|async def |if __name__)|__import__\(|\bos\.(?:system|environ|popen)\b|"
    r"\bsubprocess\.|\bsocket\.socket\("
)
_JAVASCRIPT = lazy(
    r"(?m)^[ \t]{0,40}(?:const|let|var) [\w{\[]|\brequire\(|\bfunction \w{0,60}\(|=>[ ]?[{(]|console\.log\(|\bfetch\(['\"`]|"
    r"\bdocument\.\w|\bprocess\.env\b|\bawait fetch\(|^import .{1,200} from ['\"]"
)
_HTML = lazy(r"(?i)<(?:!doctype html|html|body|div|script|iframe|img|a|p|span|table)\b")
_PYTHON_WORDS = (
    "import ", "def ", "class ", "print(", "exec(", "eval(", "with open(", "if __name__", "__import__(", "os.",
    "subprocess.", "socket.socket(",
)  # fmt: skip
_JAVASCRIPT_WORDS = (
    "const ", "let ", "var ", "require(", "function ", "=>", "console.log(", "fetch(", "document.",
    "process.env", "import ",
)  # fmt: skip
_POWERSHELL_WORDS = (
    "iex", "invoke-", "new-object", "start-process", "get-childitem", "set-executionpolicy", "downloadstring",
    "$env:",
)  # fmt: skip
"""For each branch of the pattern of that name a part that it cannot match without; sought first, for it is quick."""
_LIKE_ASCII = "\u0130\u0131\u017f\u212a"
"""The letters beyond ASCII that a pattern takes for ASCII ones (i, s and k) when it ignores case."""
_SPLIT = lazy(r"[\s,{}:=]")
_PROMPT = lazy(r"(?m)^[ \t]{0,12}(?:[\w.@~:/-]{0,60}[$%] |\$ )(?=\S)")


def named(info: str) -> Kind | None:
    """The language that a fence's info string or a magic names; ``None`` for an unknown name."""
    lower = info.lower()
    if lower in _NAMES:  # most say the name and no more
        return _NAMES[lower]
    words = _SPLIT.split(lower.strip().lstrip("{."), maxsplit=1)
    return _NAMES.get(words[0].lstrip(".")) if words[0] else None


_FURTHER = lazy(r"(?<=&& )([a-z][\w.-]{1,30}) ([^\s`]{1,40})")
_SPAN = 12
"""Characters up to which a code span may be the name of a command and one word that is said of it."""


def is_command(line: str) -> bool:
    """Whether a line reads as a shell command: a known command word and more, or a shell script by its path."""
    words = line.split(None, 2)
    if len(words) < 2:
        return line.lstrip().startswith("./") and line.rstrip().endswith(_SHELL_SCRIPTS)
    if (words[0] == "$" and line.lstrip().startswith("$ ")) or words[0].startswith("./"):
        return True
    word = words[0]
    if "/" in word:
        word = word.rsplit("/", 1)[-1]
    if word in STRONG_COMMANDS:
        return words[1].lower() not in _PROSE
    if word in WEAK_COMMANDS and _WEAK_PROOF.search(line.strip()[:400]) is not None:
        return True
    # Of a list of commands, one behind the first may be known.
    return "&& " in line and any(
        each[1] in STRONG_COMMANDS and each[2] not in _PROSE for each in _FURTHER.finditer(line[:400])
    )


_ASSIGNED = lazy(r"(?:\w{1,60}+=(?:\"[^\"\n]*+\"|'[^'\n]*+'|\$\([^()\n]*+\)|[^\s;\"'$])*+(?:;\s*+|\s++))++")
"""Assignments in front of a command."""


GIVEN_FILE = lazy(
    r"(?:\$[ \t]++)?+(?:(?:[\w./-]*/)?(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*+|node|deno[ \t]++run|bun|perl|ruby|php|lua|Rscript|osascript)"
    r"|source|\.)(?:[ \t]++-[\w-]++)*+[ \t]++"
    r"(?:[\"']?(?:[\w~${}-]*+[./](?=[\w./~$-])[\w./~${}-]{0,200}(?<=[\w}])|[A-Z]{4,40})(?=[\s\"'`;|&]|$))"
)
"""A command that gives a file to an interpreter, which needs neither options nor length to be known for one."""
_REDIRECTED = lazy(r"\s(?:[<>]|>>)\s?[~/.\w$]|\s[~.]?/\w")
"""What a short command has that does something with a file."""


def command_of_span(body: str) -> str:
    """The command that the body of a code span is, without its prompt; empty for none."""
    if " " not in body and body.isprintable():  # one word; white space other than this is not printable
        return ""
    body = body.strip()
    if body.startswith("+") and body.endswith("+"):  # as AsciiDoc keeps a text from being read
        body = body.strip("+")
    behind = _ASSIGNED.match(body) if "=" in body else None
    said = body[behind.end() :] if behind is not None else body
    if GIVEN_FILE.match(said) is not None:
        return body.removeprefix("$ ")
    long = len(body) > _SPAN or _REDIRECTED.search(body) is not None
    return body.removeprefix("$ ") if long and is_command(said) else ""


_ASSIGNMENT = lazy(
    r"(?:\$[ \t]++)?+(?:export[ \t]++)?+([A-Za-z_]\w{0,40})=((?:[^\s\"'`$]|\"[^\"\n]*+\"|'[^'\n]*+'|\$\([^()\n]*+\)|\$\w)++)[;.]?"
)


def used_assignment(body: str, text: str) -> str:
    """The assignment that a fragment of a text is, where the text uses its variable elsewhere; empty for none."""
    found = _ASSIGNMENT.fullmatch(body.strip("+ \t")) if "=" in body else None
    if found is None or (f"${found[1]}" not in text and f"${{{found[1]}" not in text):
        return ""
    return f"{found[1]}={found[2]}"


def _prompted(head: str) -> bool:
    """Whether a line begins with a prompt; each ends in a dollar or a percent sign and a space."""
    return ("$ " in head or "% " in head) and _PROMPT.search(head) is not None


def _plain(head: str) -> str:
    return head if head.isascii() else head.encode("ascii", "replace").decode("ascii")


def _speaks(head: str, plain: str, words: tuple[str, ...], language: re.Pattern[str]) -> bool:
    """Whether the pattern of a language is found; ``plain`` is the head as ASCII, which is searched faster."""
    return one_of(words, plain) and language.search(head) is not None


def _powershell(head: str, plain: str) -> bool:
    if plain is not head and any(letter in head for letter in _LIKE_ASCII):
        return _POWERSHELL.search(head) is not None
    return _speaks(head, plain.lower(), _POWERSHELL_WORDS, _POWERSHELL)


def _shell(head: str) -> bool:
    if _prompted(head):
        return True
    # A command has its word at the end of a path, or stands behind a prompt.
    if "$ " not in head and _COMMANDS.isdisjoint(head.replace("/", " ").split()):
        if not (head.startswith("./") and one_of(_SHELL_SCRIPTS, head)):
            return False
    commands = prose = 0
    for line in head.split("\n", 24)[:24]:
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if is_command(stripped):
            commands += 1
        else:
            prose += 1
    return commands > 0 and commands * 4 >= prose


def guess(text: str) -> Kind:
    """The language of a fragment that nothing names; ``TEXT`` where nothing speaks for another."""
    head = text[:_HEAD].lstrip("\ufeff \t\r\n")
    if not head:
        return Kind.TEXT
    if head.startswith("#!"):
        line = head.split("\n", 1)[0]
        for word, kind in (
            ("python", Kind.PYTHON), ("node", Kind.JAVASCRIPT), ("deno", Kind.TYPESCRIPT), ("ruby", Kind.RUBY),
            ("perl", Kind.PERL), ("php", Kind.PHP), ("pwsh", Kind.POWERSHELL), ("osascript", Kind.APPLESCRIPT),
        ):  # fmt: skip
            if word in line:
                return kind
        return Kind.SHELL
    if head.startswith("<?php"):
        return Kind.PHP
    if (head[0] == "{" and re.match(r'\{\s{0,200}+(?:"|\})', head)) or re.match(
        r'\[\s{0,200}+[\[{"\]\d]', head
    ):
        return Kind.JSON
    plain = _plain(head)
    if _powershell(head, plain):
        return Kind.POWERSHELL
    if _shell(head):
        return Kind.SHELL
    if _speaks(head, plain, _PYTHON_WORDS, _PYTHON):
        return Kind.PYTHON
    if _speaks(head, plain, _JAVASCRIPT_WORDS, _JAVASCRIPT):
        return Kind.JAVASCRIPT
    if head[0] == "<" and _HTML.search(head):
        return Kind.HTML
    return Kind.TEXT


def without_prompts(text: str) -> str:
    """A shell session as a script: prompts taken off, output turned into comments, lines kept.

    A text without prompts comes back as it is.
    """
    if not _prompted(text[:_HEAD]):
        return text
    lines = []
    continued = False
    for line in text.split("\n"):
        found = _PROMPT.match(line)
        if found:
            line = line[found.end() :]
        elif not continued and line.strip() and not line.lstrip().startswith("#") and not is_command(line):
            line = "# " + line
        continued = line.endswith("\\") and not line.startswith("# ")
        lines.append(line)
    return "\n".join(lines)
