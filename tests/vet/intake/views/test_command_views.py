import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from view_samples import derived, lines, one

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.disguises.escapes import spelled_out


@pytest.mark.parametrize(
    ("kind", "path", "text", "detail", "command", "where"),
    [
        (Kind.JSON, ".claude/settings.json",
         '{"hooks": {"PreToolUse": [{"matcher": "Bash",\n "hooks": [{"type": "command",\n "command": "curl http://example.com"}]}]}}',
         "hooks.PreToolUse", "curl http://example.com", (3, 3)),
        (Kind.JSON, ".mcp.json", '{"mcpServers": {"files": {\n"command": "npx",\n"args": ["-y", "a package", "$HOME/x"],\n"env": {"A": "b"}}}}',
         "mcpServers.files", "npx -y 'a package' $HOME/x", (2, 3)),
        (Kind.JSON, "package.json", '{"scripts": {"postinstall": "node x.js"}}', "scripts.postinstall", "node x.js", (1, 1)),
        (Kind.JSON, "devcontainer.json", '{"postCreateCommand": {"a": "pip install x"}}', "postCreateCommand.a", "pip install x", (1, 1)),
        (Kind.JSON, "tasks.json", '{"tasks": [{"label": "go", "type": "shell", "command": "make", "args": ["all"]}]}', "tasks.go", "make all", (1, 1)),
        (Kind.YAML, ".github/workflows/a.yml", "jobs:\n  build:\n    steps:\n      - name: get it\n        run: |\n          curl a\n          sh b\n",
         "step get it", "curl a\nsh b", (6, 7)),
        (Kind.YAML, ".gitlab-ci.yml", "job:\n  script:\n    - curl a\n    - sh b\n", "job.script", "curl a\nsh b", (3, 4)),
        (Kind.YAML, "compose.yml", "services:\n  a:\n    command: ['sh', '-c', 'curl x']\n", "services.a.command", "sh -c 'curl x'", (3, 3)),
        (Kind.YAML, ".pre-commit-config.yaml", "repos:\n- hooks:\n  - id: x\n    entry: curl a\n", "hooks.entry", "curl a", (4, 4)),
        (Kind.TOML, "pyproject.toml", '[tool.poe.tasks]\nbuild = "curl a"\n', "tool.poe.tasks.build", "curl a", (2, 2)),
        (Kind.TOML, "config.toml", '[mcp_servers.x]\ncommand = "npx"\nargs = ["a"]\n', "mcpServers.x", "npx a", (2, 3)),
        (Kind.INI, "a.service", "[Service]\nExecStart=/bin/sh -c x\n", "Service.ExecStart", "/bin/sh -c x", (2, 2)),
        (Kind.INI, "a.desktop", "[Desktop Entry]\nExec=sh x\n", "Desktop Entry.Exec", "sh x", (2, 2)),
        (Kind.PLIST, "a.plist", "<plist><dict><key>ProgramArguments</key><array><string>sh</string>\n<string>-c</string><string>curl x</string></array></dict></plist>",
         "ProgramArguments", "sh -c 'curl x'", (1, 2)),
        (Kind.MAKEFILE, "Makefile", "X=1\nall: dep\n\t@curl $$A\n\t-sh b\n", "recipe all", "curl $A\nsh b", (3, 4)),
        (Kind.DOCKERFILE, "Dockerfile", 'FROM a\nRUN --mount=x curl a && \\\n  sh b\nCMD ["sh", "x y"]\n', "dockerfile", "curl a && \\\n  sh b\nsh 'x y'", (2, 4)),
        (Kind.TEXT, "crontab", "# c\n*/5 * * * * curl a\n@reboot sh b\n", "crontab", "curl a\nsh b", (2, 3)),
        (Kind.MAKEFILE, "justfile", "set x\nbuild arg='a':\n    curl {{arg}}\n", "recipe build", "curl {{arg}}", (3, 3)),
    ],
)  # fmt: skip
def test_values_that_are_commands(
    kind: Kind, path: str, text: str, detail: str, command: str, where: tuple[int, int]
) -> None:
    found = {view.chain[-1]: view for view in derived(text, kind, path) if view.origin[-1].kind == "command"}
    view = found[f"command {detail}"]
    assert (view.text, lines(view), view.language) == (command, where, Kind.SHELL)


def test_a_hook_in_front_matter() -> None:
    view = one(
        "---\nname: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: curl a\n---\n",
        "command",
    )
    assert view.chain == ("front-matter", "command hooks.Stop")
    assert lines(view) == (7, 7)


def test_a_server_in_a_fence() -> None:
    text = 'Add this:\n```json\n{"mcpServers": {"x": {"command": "npx", "args": ["y"]}}}\n```\n'
    assert one(text, "command").chain == ("fence json", "command mcpServers.x")


def test_a_step_in_another_shell() -> None:
    text = "jobs:\n  a:\n    steps:\n      - shell: pwsh\n        run: iwr example.com\n"
    assert one(text, "command", Kind.YAML, "w.yml").language is Kind.POWERSHELL


@pytest.mark.parametrize(
    ("script", "language", "body", "where"),
    [
        ("x\npython3 -c 'import os; os.system(\"id\")'\n", Kind.PYTHON, 'import os; os.system("id")', (2, 2)),
        ('node -e "require(\\"fs\\")"\n', Kind.JAVASCRIPT, 'require("fs")', (1, 1)),
        ("bash -lc 'curl a | sh'\n", Kind.SHELL, "curl a | sh", (1, 1)),
        ("python3 - <<'EOF'\nimport os\nprint(1)\nEOF\necho\n", Kind.PYTHON, "import os\nprint(1)", (2, 3)),
        ("cat x\nbash <<END\ncurl a\nEND\n", Kind.SHELL, "curl a", (3, 3)),
        ("perl -e 'print 1 + 2'\n", Kind.PERL, "print 1 + 2", (1, 1)),
    ],
)
def test_programs_inside_scripts(script: str, language: Kind, body: str, where: tuple[int, int]) -> None:
    found = [view for view in derived(script, Kind.SHELL, "a.sh") if view.origin[-1].kind == "command"]
    assert [(view.language, view.text, lines(view)) for view in found] == [(language, body, where)]


def test_an_encoded_powershell_command() -> None:
    blob = base64.b64encode("IEX (iwr http://example.com)".encode("utf-16-le")).decode()
    found = derived(f"powershell -nop -enc {blob}\n", Kind.SHELL, "a.sh")
    assert any(v.language is Kind.POWERSHELL and v.text == "IEX (iwr http://example.com)" for v in found)


@pytest.mark.parametrize("flag", ["-e", "-enc", "/EncodedCommand"])
@pytest.mark.parametrize("letter", ["\u017f", "\u212a", "\u0130", "\u0131"])
def test_letters_that_only_resemble_those_of_base64_are_none(flag: str, letter: str) -> None:
    text = f"powershell {flag} {'QUJD' * 5}{letter}{'QUJD' * 5}\ncurl http://example.com\n"
    assert not [view for view in derived(text, Kind.SHELL, "a.sh") if view.origin[-1].detail == "utf-16"]


KEYS = ("command", "run", "scripts", "postinstall", "ExecStart", "mcp-servers", "before_script")


@given(st.sampled_from(KEYS), st.data())
@settings(deadline=None)
def test_a_letter_may_be_escaped_wherever_a_key_is_looked_for(key: str, data: st.DataObject) -> None:
    forms = ("{}", "\\u{:04x}", "\\u{:04X}", "\\x{:02x}", "\\U{:08X}", "&#{};", "&#x{:x};", "&#x{:04X};")
    written = "".join(
        form.format(letter if form == "{}" else ord(letter))
        for letter in key
        for form in [data.draw(st.sampled_from(forms))]
    )
    assert spelled_out(f"'{written}':") == f"'{key}':"


@pytest.mark.parametrize(
    ("kind", "path", "text"),
    [
        (Kind.JSON, "a.json", '{"c\\u006fmmand": "curl a"}'),
        (Kind.JSON, "a.json", '{"c\\u006fmmand": "curl a"' + " " * 3000 + "}"),
        (Kind.JSON, "a.json", '{"command"\n: "curl a"}'),
        (Kind.JSON, "a.json", '{"command" /* a * b */ : "curl a"}'),
        (Kind.JSON, "a.json", '{"command" // a\n : "curl a"}'),
        (Kind.YAML, "a.yml", '"\\x63ommand": "curl a"\n'),
        (Kind.YAML, "a.yml", '? command\n: "curl a"\n'),
        (Kind.TOML, "a.toml", '"\\u0063ommand" = "curl a"\n'),
        (Kind.PLIST, "a.plist", "<plist><dict><key>Progra&#109;</key><string>curl a</string></dict></plist>"),
        (Kind.PLIST, "a.plist", "<plist><dict><key> Program\n</key ><string>curl a</string></dict></plist>"),
    ],
)  # fmt: skip
def test_a_key_is_the_same_however_it_is_written(kind: Kind, path: str, text: str) -> None:
    assert one(text, "command", kind, path).text == "curl a"
