"""Shell text that is a value, of a model say: judged part by part, as ``sh -c`` in a command is."""

from __future__ import annotations

import os
import shlex
import shutil

import pytest
from monitor_samples import LOCALLY, bench, guard, registry, secret
from msgspec import structs

from sluicegate.flow.denial import Code, Denial, Denied
from sluicegate.flow.errors import CommandError, FlowError
from sluicegate.flow.guards import AllowWith
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.opening import unseal
from sluicegate.flow.values import Labeled, LabeledFailure

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

UNREAD = 'eval "$X"'
"""Shell text that is never read: what it runs stands in a variable."""


def as_command(monitor, text):
    return monitor.run(f"sh -c {shlex.quote(text)}")


def as_text(monitor, text):
    return monitor.interpret("sh", text)


def as_decision(monitor, text):
    """What a runner asks that runs the text itself, as an agent's shell tool does."""
    answer = monitor.decide("sh", {"code": text})
    if isinstance(answer, Denial):
        raise Denied(answer)
    return answer


DOORS = (as_command, as_text, as_decision)


def failed(result):
    """Whether an operation on labelled values ended without a result."""
    try:
        unseal(result)
    except LabeledFailure:
        return True
    return False


def answer(door, monitor, text):
    """The code of the denial; that of an error; or nothing, if it ran."""
    try:
        door(monitor, text)
    except Denied as error:
        return error.denial.code
    except FlowError:
        return "refused"
    return ""


CAPABILITIES = {
    "a command": ({"deny": ["cmd:touch"]}, "touch pwn"),
    "a command in a substitution": ({"deny": ["cmd:touch"]}, "echo $(touch pwn)"),
    "a command behind a wrapper": ({"deny": ["cmd:touch"]}, "true && env A=1 nice touch pwn"),
    "a command in a shell in a shell": ({"deny": ["cmd:touch"]}, "sh -c 'touch pwn'"),
    "a file that a redirection writes": ({"deny": ["fs:w:**/pwn"]}, "echo x > pwn"),
    "a file that a redirection of a group writes": ({"deny": ["fs:w:**/pwn"]}, "{ echo x; } > pwn"),
    "a file that a redirection reads": ({"deny": ["fs:r:/etc/passwd"]}, "cat < /etc/passwd > pwn"),
    "a file that an argument names": ({"deny": ["fs:w:**/pwn"]}, "echo x | tee pwn"),
    "a host": ({"deny": ["network:example.com"]}, "touch pwn; curl https://example.com/"),
    "a host of a redirection": ({"deny": ["network"]}, "touch pwn; exec 3<>/dev/tcp/example.com/80"),
    "what is not on the allow list": ({"allow": ["sh", "cmd:sh:*", "cmd:echo:*"]}, "echo x; touch pwn"),
    "a danger": ({"deny": []}, "touch pwn; rm -rf ./x"),
    "another language": ({"deny": ["py"]}, "touch pwn; python3 -c 'print(1)'"),
    "the shell itself": ({"deny": ["sh"]}, "touch pwn"),
}


@pytest.mark.parametrize("name", CAPABILITIES)
@pytest.mark.parametrize("door", DOORS)
def test_capabilities_hold_for_every_part_of_shell_text(tmp_path, name, door):
    capabilities, text = CAPABILITIES[name]
    made = bench(tmp_path, {"capabilities": capabilities})
    assert answer(door, made.monitor, text) == Code.POLICY_CAPABILITY_DENIED
    assert not (made.root / "pwn").exists()


@pytest.mark.parametrize("door", DOORS[:2])
def test_what_every_part_is_allowed_runs(tmp_path, door):
    made = bench(tmp_path, {"capabilities": {"allow": ["sh", "cmd:sh:*", "cmd:touch:*"], "deny": ["cmd:cp"]}})
    assert answer(door, made.monitor, "touch done && touch again") == ""
    assert (made.root / "done").exists()
    assert (made.root / "again").exists()


RULES = {
    "a label rule on a command": {"labels": {"secret": {"deny": ["op:cmd:touch"]}}},
    "a label rule on all commands": {"labels": {"secret": {"deny": ["op:cmd"]}}},
    "a risk that a command is": {
        "operations": {"op:cmd:touch": "exfil"},
        "defaults": {"rules": ["no-secret-exfil"]},
    },
    "a list that leaves commands out": {
        "defaults": {"unlabeled": "untrusted"},
        "labels": {"src:mcp": {"allow": ["op:sh"]}},
    },
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("text", ["touch pwn", "true; (touch pwn)", f"touch pwn; {UNREAD}"])
def test_label_rules_hold_for_every_part_of_shell_text(tmp_path, rule, text):
    made = bench(tmp_path, RULES[rule])
    held = secret(text, "src:mcp")
    assert failed(made.monitor.interpret("sh", held))
    with pytest.raises(Denied) as caught:  # the text is the program's own, and what goes in beside it is not
        made.monitor.interpret("sh", text, {"X": held})
    assert caught.value.denial.code is Code.POLICY_LABEL_FLOW_DENIED
    assert not (made.root / "pwn").exists()
    assert not failed(made.monitor.interpret("sh", Labeled("touch pwn", Labels.of("pii"))))
    assert (made.root / "pwn").exists()


@pytest.mark.parametrize(
    "policy",
    [
        {"capabilities": {"deny": ["cmd:dd"]}},
        {"capabilities": {"deny": ["network:example.com"]}},
        {"capabilities": {"allow": ["sh", "cmd:echo:*"]}},
        {"capabilities": {"danger": ["@keychain"]}},
    ],
)
@pytest.mark.parametrize(
    "text", [UNREAD, "touch pwn; . ./x", "touch pwn\0", "touch pwn; ((", "no-such-program-here; touch pwn"]
)
def test_what_is_not_read_is_refused_where_a_rule_could_be_about_it(tmp_path, policy, text):
    made = bench(tmp_path, policy)
    with pytest.raises(Denied, match="cannot be told which commands") as caught:
        made.monitor.interpret("sh", text)
    assert caught.value.denial.code is Code.POLICY_CAPABILITY_DENIED
    assert any("operations of their own" in each for each in caught.value.denial.suggestions)
    assert not (made.root / "pwn").exists()


def test_what_is_not_read_runs_where_no_rule_is_about_it(tmp_path):
    made = bench(
        tmp_path,
        {"labels": {"secret": {"deny": ["op:cmd", "op:sh"]}, "pii": {"deny": ["op:show"]}}},
        {"defaults": {"rules": ["no-secret-exfil"]}, "operations": {"op:cmd:curl": "exfil"}},
    )
    result = made.monitor.interpret("sh", UNREAD, {"X": Labeled("touch done", Labels.of("pii"))})
    assert not failed(result)
    assert result.labels == Labels.of("pii", "src:exec")
    assert (made.root / "done").exists()


def test_every_layer_is_asked_about_what_is_not_read(tmp_path):
    made = bench(tmp_path, {"limits": {"timeout": 9000}}, {"capabilities": {"deny": ["cmd:dd"]}})
    with pytest.raises(Denied, match="eval"):
        made.monitor.interpret("sh", UNREAD, {"X": "true"})


@pytest.mark.parametrize("word", ["op:cmd:touch", "op:cmd", "op:run"])
def test_guards_on_commands_are_asked_about_shell_text(tmp_path, word):
    made = bench(tmp_path, guards=registry(guard(word)))
    for text in ("true; touch pwn", "touch pwn; " + UNREAD):
        with pytest.raises(Denied) as caught:
            made.monitor.interpret("sh", text)
        assert caught.value.denial.code is Code.GUARD_DENIED
    assert not (made.root / "pwn").exists()


def test_guards_on_other_commands_are_not(tmp_path):
    made = bench(tmp_path, guards=registry(guard("op:cmd:curl"), guard("op:show", name="other")))
    assert not failed(made.monitor.interpret("sh", "touch done"))
    assert (made.root / "done").exists()


def test_what_a_guard_made_of_the_text_is_judged_again(tmp_path):
    change = AllowWith(value="true; touch pwn")
    made = bench(tmp_path, {"capabilities": {"deny": ["cmd:touch"]}}, guards=registry(guard("op:sh", change)))
    with pytest.raises(Denied):
        made.monitor.interpret("sh", "true")
    assert not (made.root / "pwn").exists()


def test_the_taint_of_the_text_is_that_of_each_part(tmp_path):
    made = bench(tmp_path, {"labels": {"src:mcp": {"deny": ["op:cmd:touch"]}}}, recorded=True)
    made.monitor.write("k", Labeled("x", Labels.of("pii")))
    text = Labeled("cat k > copy", Labels.of("src:mcp"))
    result = made.monitor.interpret("sh", text)
    assert result.labels == Labels.of("src:mcp", "pii", "src:exec")
    assert {"src:mcp", "pii"} <= set(made.monitor.read("copy").labels.names())
    assert failed(made.monitor.interpret("sh", Labeled("echo x | touch pwn", Labels.of("src:mcp"))))
    assert not (made.root / "pwn").exists()


DISCREET = {
    "a command": {"capabilities": {"deny": ["cmd:git"]}},
    "an allow list": {"capabilities": {"allow": ["sh", "cmd:ls"]}},
    "what is not read": {"capabilities": {"deny": ["cmd:dd"]}},
    "a label rule": {"labels": {"secret": {"deny": ["op:cmd"]}}},
    "a list": {"defaults": {"unlabeled": "untrusted"}, "labels": {"src:mcp": {"allow": ["op:sh"]}}},
    "a risk": {"operations": {"op:cmd": "exfil", "op:cmd:git": "exfil"}, "defaults": {"rules": ["no-secret-exfil"]}},
}  # fmt: skip


@pytest.mark.parametrize("name", [*DISCREET, "a guard"])
@pytest.mark.parametrize(
    "text", ["git canary", "env git canary; true", "canary", "git canary; eval canary", "git 'canary"]
)
def test_a_denial_tells_nothing_of_what_stands_in_a_secret_text(tmp_path, name, text):
    guards = registry(guard("op:cmd"), guard("op:cmd:git", name="other")) if name == "a guard" else None
    made = bench(tmp_path, DISCREET.get(name, {}), guards=guards, recorded=True)
    made.monitor.interpret("sh", secret(text, "src:mcp"))
    told = made.monitor.decide("sh", {"code": secret(text, "src:mcp")})
    if name != "what is not read":
        assert isinstance(told, Denial)
    assert "canary" not in (str(told) if isinstance(told, Denial) else "")
    assert "canary" not in str(made.events())
    assert "canary" not in made.log.text


@pytest.mark.parametrize("text", [":", "ls", "eval ls", ""])
def test_that_a_guard_refuses_tells_nothing_of_the_text_either(tmp_path, text):
    made = bench(tmp_path, guards=registry(guard("op:sh"), guard("op:cmd", name="other")))
    assert failed(made.monitor.interpret("sh", secret(text)))


def test_a_denial_tells_a_model_what_of_its_words_is_refused(tmp_path):
    made = bench(tmp_path, {"capabilities": {"deny": ["cmd:dd"]}}, recorded=True)
    denial = made.monitor.decide("sh", {"code": Labeled("eval ls", Labels.of("src:mcp", "untrusted"))})
    assert isinstance(denial, Denial)
    assert "eval" in denial.reason


def test_a_value_that_is_a_subcommand_is_not_told(tmp_path):
    made = bench(tmp_path, {"labels": {"secret": {"deny": ["op:cmd"]}}}, recorded=True)
    with pytest.raises(Denied) as caught:
        made.monitor.run("id {x}", {"x": secret("canary")})
    assert "canary" not in caught.value.diagnostics()
    assert "canary" not in str(made.events())


def test_a_denial_quotes_no_labelled_text(tmp_path):
    made = bench(tmp_path, {"capabilities": {"deny": ["sh"]}}, recorded=True)
    assert failed(made.monitor.interpret("sh", secret("touch 'canary-name")))
    assert failed(made.monitor.interpret("sh", secret("touch canary-name")))
    assert [event["event"] for event in made.events()].count("denial") == 2
    assert "canary-name" not in str(made.events())
    assert "canary-name" not in made.log.text


@pytest.mark.parametrize("door", DOORS)
def test_the_state_of_the_monitor_is_closed_to_every_part(tmp_path, door):
    made = bench(tmp_path, {}, recorded=True)
    assert answer(door, made.monitor, "cd ./.sluicegate && touch x") == Code.STATE_PROTECTED


def test_cd_leads_below_for_commands_of_ours_whatever_cdpath_this_process_has(tmp_path, monkeypatch):
    """Nothing grants it to them; what a runner's own shell has is not known, unless it says so."""
    (tmp_path / "else/sub").mkdir(parents=True)
    monkeypatch.setenv("CDPATH", str(tmp_path / "else"))
    policy = {"capabilities": {"deny": ["fs:w:sub/shut"]}}
    environ = {"CDPATH": str(tmp_path / "else")}
    granting = structs.replace(LOCALLY, vars=frozenset(environ))
    made = bench(tmp_path, policy, environ=environ, environment=granting)
    (made.root / "sub").mkdir()
    shells = list(filter(shutil.which, ("sh", "dash", "bash", "zsh", "ksh", "mksh")))
    for shell in shells:
        made.monitor.run(f"{shell} -c 'cd sub && touch {shell}'")
    made.monitor.interpret("sh", "cd sub && touch text")
    assert {*shells, "text"} == set(os.listdir(made.root / "sub"))
    assert os.listdir(tmp_path / "else/sub") == []
    for door in (as_command, as_text):
        assert answer(door, made.monitor, "cd sub && touch shut") == Code.POLICY_CAPABILITY_DENIED
    assert answer(as_decision, made.monitor, "cd sub && touch open") != ""
    assert answer(as_decision, made.monitor, "cd ./sub && touch open") == ""


SWEEPING = {
    True: [
        "rm -rf .", "rm -rf ./*", "rm -rf ./.s*", "rm -rf ..", "mv . ../y", "chmod -R 0 .", "find . -delete", "find -type f -delete", "find . -name audit.jsonl -delete",
        "find . -type f -exec sed -i s/a/b/ {} +", "find . -execdir sh -c 'rm -- \"$1\"' sh {} ';'", "git clean -fdx", "cd .. && rm -rf work", "(cd ./x && find .. -delete)", "cat .slu*/sec/audit.jsonl",
    ],
    False: [
        "rm -rf build", "rm -rf ./build", "rm -rf ./*.txt", "chmod +x ./*.sh", "chmod -R u+w x", "mv x/f .", "find . -name '*.pyc' -delete", "find x -delete", "find . -type f -exec grep -l x {} +", "git clean -fd",
        "cd ./x && rm -rf .", "find . -name '*.py' -exec sed -i s/a/b/ {} +", "grep -r x .",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("line", "swept"), [(line, swept) for swept in SWEEPING for line in SWEEPING[swept]])
def test_what_sweeps_up_the_state_is_closed_in_shell_text_too(tmp_path, line, swept):
    """As ``monitor.run`` refuses it; the text of a model most of all, whose runner has no sandbox around it."""
    made = bench(tmp_path, {}, recorded=True)
    (made.root / "x").mkdir()
    (made.root / "x/f").write_text("x")
    doors = (as_decision,) if not swept else (*DOORS, lambda monitor, text: monitor.run("sh", stdin=text))
    said = {answer(door, made.monitor, line) for door in doors}
    assert said <= {Code.STATE_PROTECTED, "refused"} if swept else said == {""}
    assert answer(as_decision, made.monitor, line) == (Code.STATE_PROTECTED if swept else "")
    assert made.ledger.path.exists()


def test_a_declared_label_is_one_of_every_part(tmp_path):
    made = bench(tmp_path, {"labels": {"secret": {"deny": ["net:w"]}}})
    with pytest.raises(Denied):
        made.monitor.interpret("sh", 'printf "$X"', {"X": secret()}, labels={"net:w"})


def test_templates_that_are_not_read_stay_errors(tmp_path):
    made = bench(tmp_path, {})
    with pytest.raises(CommandError, match="eval"):
        as_command(made.monitor, UNREAD)


DENIED, NOT_READ, RUNS = "denied", "not read", "runs"
LINES = {
    DENIED: [
        "touch pwn", "'touch' pwn", "t\"ou\"ch pwn", "\\touch pwn", "/usr/bin/touch pwn", "command touch pwn", "exec touch pwn", "A=1 touch pwn", "env A=1 touch pwn", "env -i touch pwn",
        "true; touch pwn", "true && touch pwn", "false || touch pwn", "true & touch pwn", "true | touch pwn", "! touch pwn", "time touch pwn", "(touch pwn)", "{ touch pwn; }", "if true; then touch pwn; fi",
        "while touch pwn; do break; done", "for i in a; do touch pwn; done", "for i in $(touch pwn); do :; done", "case x in x) touch pwn;; esac", "case $(touch pwn) in *) ;; esac", "f() { touch pwn; }; f", "function f { touch pwn; }\nf", "echo $(touch pwn)", "echo `touch pwn`", "echo `echo \\`touch pwn\\``",
        "echo \"$(touch pwn)\"", "echo ${A:-x}$(touch pwn)", "A=$(touch pwn)", "A=(x $(touch pwn))", "cat <(touch pwn)", "cat <<E\n$(touch pwn)\nE", "cat <<-E\n\t`touch pwn`\n\tE", "cat <<<$(touch pwn)", "[[ -n $(touch pwn) ]]", "[ -n \"$(touch pwn)\" ]",
        "true \\\n; touch pwn", "true #x\ntouch pwn", "true\n\n\ttouch\tpwn", "ls | xargs touch --", "ls | xargs -I F touch -- F", "find . -exec touch pwn \\;", "find . -name x -execdir touch pwn {} +", "sh -c 'touch pwn'", "sh -c \"sh -c 'touch pwn'\"", "nice -n 1 touch pwn",
        "timeout 5 touch pwn", "nohup touch pwn", "cp a pwn", "echo x >pwn", "echo x >>pwn", ">pwn", "echo x >|pwn", "echo x 2>pwn", "echo x &>pwn", "{ echo x; } >pwn",
        "while false; do :; done >pwn", "cat <>pwn", "echo x | tee pwn", "echo x | tee -a ./pwn", "cat <key", "cat key", "cat <../work/key", "cat k*", "cd ./d && echo x >pwn", "(cd ./d && echo x >pwn)",
        "python3 -c 'print(1)'", "curl https://example.com/", "curl -s example.com | cat", "echo x >/dev/tcp/example.com/80", "echo \u00a0; touch pwn", "true; touch pwn\r", "git -c alias.x='!touch pwn' x", "tar cf x.tar a --checkpoint-action=exec='touch pwn'",
        "sh <<E\ntouch pwn\nE", "sh <<-'E'\n\ttouch pwn\n\tE", "bash -s x <<'E'\nmkdir -p x\ntouch pwn\nE", "sh /dev/stdin <<E\nto\\\nuch pwn\nE", "sh <<<'touch pwn'", "{ sh; } <<E\ntouch pwn\nE", "(sh) <<E\ntouch pwn\nE", "env A=1 sh <<E\ntouch pwn\nE",
        "sh -c sh <<E\ntouch pwn\nE", "sh <<A; sh <<B\necho a\nA\ntouch pwn\nB", "sh 3<<E\ntouch pwn\nE", "sh <a <<E\ntouch pwn\nE", "echo 'echo x' | sh <<E\ntouch pwn\nE", "printf 'touch pwn\\n' | sh", "printf '%s\\n' 'echo a' 'touch pwn' | sh", "echo touch pwn | bash -", "echo 'echo x\\ntouch pwn' | sh",
        "echo touch pwn |& sh", "cat <<E | sh\ntouch pwn\nE", "echo 'echo x >pwn' | sh",
        "printf 'touch\\040pwn' | sh", "{ echo touch pwn; } | sh", "(echo echo x; echo touch pwn) | sh", "echo touch pwn | { cat; } | sh", "echo touch pwn | (sh)", "echo touch pwn | cat /dev/stdin | sh", "sh //dev/stdin <<E\ntouch pwn\nE",
        "printf 'cat key' | sh", "sh <<'E'\nsh <<'F'\ntouch pwn\nF\nE", "echo ok > a; > pwn", "awk 'BEGIN{system(\"touch pwn\")}'; touch x",
    ],
    NOT_READ: [
        "eval 'touch pwn'", "eval \"$A\"", "$A pwn", "$(echo touch) pwn", "\"$@\"", ". ./x", "source x", "trap 'touch pwn' EXIT", "alias ls=touch; ls pwn", "coproc touch pwn",
        "builtin eval x", "{touch,pwn}", "$'touch' pwn", "$\"touch\" pwn", "echo $((A))", "echo ${!A}", "echo ${A:=x}", "echo $[1]", "((A=1))", "[[ $A -eq 1 ]]",
        "echo 'touch pwn", "echo \"touch pwn", "echo $(touch pwn", "(touch pwn", "touch pwn)", "if true; then touch pwn", "cat <<E\ntouch pwn", "PATH=. ls", "IFS=x; ls", "LD_PRELOAD=x ls",
        "cd d; touch pwn", "cd \"$A\" && touch pwn", "true\0; touch pwn", "touch\u00a0pwn", "to\\\nuch pwn", "case x in $A) touch pwn;; esac", "enable -f x y", "exec -a x touch pwn", "echo a &>f touch", "printf -v PATH x; ls",
        "no-such-program-here", "mapfile -C 'touch pwn' a", "hash -p ./x ls", "ls\r", "echo @(a|b)", "true;; touch pwn", "set -- x; \"$1\" pwn", "export PATH=.; ls", "jobs -x touch pwn", "xargs -I F F pwn",
        "sh <<E\ntouch $A\nE", "sh <<<\"$A\"", "echo \"$A\" | sh", "printf '%s' $A | sh", "printf '%b' 'touch\\x20pwn' | sh", "printf 'touch\\x20pwn' | bash", "echo -e 'touch\\x20pwn' | bash", "{ echo \"$A\"; } | sh", "printf '\\8' | sh", "printf -v A x | sh", "sh <<'E'\neval x\nE", "sh <<'E'\nread x\n: '\ntouch pwn\n: '\nE", "sh <<'E'\ncat\ntouch pwn\nE", "{ read x; sh; } <<E\n: '\ntouch pwn\n: '\nE",
        "sh -c 'read x; sh' <<E\n: '\ntouch pwn\n: '\nE", "f() { sh; }; f <<E\ntouch pwn\nE", "exec <<E\ntouch pwn\nE\nsh", "for i in 1 2; do sh; done <<E\ntouch pwn\nE", "find . -exec sh -c '$0' {} \\;", "time -p",
    ],
    RUNS: [
        "echo touch pwn", "echo 'touch pwn; > pwn'", "echo \"x > y\"", "echo \\> pwn", "echo touch # > pwn", "cat <<'E'\n$(touch pwn)\nE", "cat <<E\n\\$(touch pwn)\nE", "echo a | cat | cat", "echo x > fine && cat fine", "for i in a b; do echo $i; done",
        "case x in touch) echo;; *) echo y; esac", "f() { echo x; }; f; f", "[ -f a ] && echo y || echo z", "A=touch; echo $A", "echo ${A:-touch pwn}x", "echo $((1 + 2))", "(cd ./d && ls)", "cd ./d && ls", "echo x 2>&1", "true; : ; exit 0",
        "sh -c 'echo x'", "env A=1 printenv A", "export A=1; echo \"$A\"", "read x < a; echo \"y$x\"", "if [ -d d ]; then ls d; fi", "test -n x", "echo \\\n x", "", "\n", "# touch pwn", "while read x; do echo \"y$x\"; done < a",
        "sh <<E\necho x\nE", "sh <<'E'\nset -e\nmkdir -p y\ngit --version </dev/null\necho x\nE", "echo 'echo x' | sh", "cat <<E\ntouch pwn\nE", "while read x; do echo; done <<E\ntouch pwn\nE", "sh <a 2>/dev/null; true",
    ],
}  # fmt: skip
POLICY = {
    "capabilities": {
        "deny": ["cmd:touch", "cmd:cp", "fs:w:**/pwn", "fs:r:key", "network:example.com", "network:*.example.com", "py"]
    }
}  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), [(line, name) for name in LINES for line in LINES[name]])
def test_text_of_an_author_and_of_a_model_has_one_answer(tmp_path, line, expected):
    said = []
    for door in DOORS:
        (tmp_path / door.__name__).mkdir()
        made = bench(tmp_path / door.__name__, POLICY)
        (made.root / "d").mkdir()
        for name in ("a", "key"):
            (made.root / name).write_text("x\n")
        try:
            door(made.monitor, line)
        except Denied as error:
            assert error.denial.code is Code.POLICY_CAPABILITY_DENIED
            said.append(NOT_READ if "cannot be told" in error.denial.reason else DENIED)
        except CommandError:
            said.append(NOT_READ)
        else:
            said.append(RUNS)
        assert not (made.root / "pwn").exists()
        assert not (made.root / "d" / "pwn").exists()
    assert said == [expected] * len(DOORS)


STANDARD_INPUT = {
    "sh": "touch pwn",
    "bash -s a": "mkdir -p x\ntouch pwn",
    "env A=1 sh": b"touch pwn",
    "sh -c 'sh'": "echo x > pwn",
    "sh -": "sh <<E\ntouch pwn\nE",
    "su nobody": "touch pwn",
}


@pytest.mark.parametrize("template", STANDARD_INPUT)
def test_code_that_a_shell_reads_from_standard_input_is_judged(tmp_path, template):
    made = bench(tmp_path, POLICY)
    with pytest.raises(Denied) as caught:
        made.monitor.run(template, stdin=STANDARD_INPUT[template])
    assert caught.value.denial.code is Code.POLICY_CAPABILITY_DENIED
    assert not (made.root / "pwn").exists()


@pytest.mark.parametrize("value", [UNREAD, "read x\ntouch x", b"\xff", "a\0b", {"a": "$(touch pwn)"}])
def test_code_on_standard_input_that_is_not_read_could_be_any_command(tmp_path, value):
    made = bench(tmp_path, {"capabilities": {"deny": ["cmd:dd"]}})
    with pytest.raises(Denied) as caught:
        made.monitor.run("sh", stdin=value)
    assert "cannot be told" in caught.value.denial.reason
    assert not (made.root / "pwn").exists()


def test_what_is_no_code_on_standard_input_is_not_judged_as_code(tmp_path):
    made = bench(tmp_path, POLICY)
    for template in ("cat", "sh -c 'cat'", "grep -c touch"):
        made.monitor.run(template, stdin="touch pwn")
    made.monitor.run("sh", stdin="mkdir made")
    assert (made.root / "made").is_dir()


@pytest.mark.parametrize("template", ["printf %s {x} | sh", "echo {x} | cat | bash -s"])
def test_no_value_of_a_template_becomes_code_by_a_pipe(tmp_path, template):
    with pytest.raises(CommandError, match="what a value fills"):
        bench(tmp_path, {}).monitor.run(template, {"x": "touch pwn"})


@pytest.mark.parametrize("rule", RULES)
def test_label_rules_hold_for_code_on_standard_input(tmp_path, rule):
    made = bench(tmp_path, RULES[rule])
    assert failed(made.monitor.run("sh", stdin=secret("touch pwn", "src:mcp")))
    assert not (made.root / "pwn").exists()


@pytest.mark.parametrize("name", DISCREET)
@pytest.mark.parametrize("text", ["git canary", "canary", "eval canary", "git 'canary"])
def test_a_denial_tells_nothing_of_secret_code_on_standard_input(tmp_path, name, text):
    made = bench(tmp_path, DISCREET[name], recorded=True)
    made.monitor.run("sh", stdin=secret(text, "src:mcp"))
    assert "canary" not in str(made.events())
    assert "canary" not in made.log.text


def test_the_state_of_the_monitor_is_closed_to_code_on_standard_input(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    with pytest.raises(Denied) as caught:
        made.monitor.run("sh", stdin="touch .sluicegate/x")
    assert caught.value.denial.code is Code.STATE_PROTECTED
