"""Seeing through: every command that a command starts is found, or the command is refused."""

from __future__ import annotations

import pytest
from operation_samples import CWD, HERE, requests, starts

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import Programs, command
from sluicegate.flow.operations.commands.command import define
from sluicegate.flow.operations.commands.template import CommandTemplate
from sluicegate.flow.operations.commands.words import literal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # one program after another
        ("env rm x", ["env", "rm"]),
        ("env -i A=b C='d e' rm x", ["env", "rm"]),
        ("env -u A --chdir=src rm x", ["env", "rm"]),
        ("env -uA -C src rm x", ["env", "rm"]),
        ("env -S 'rm -rf' x", ["env", "rm"]),
        ("env -S'rm -rf' x", ["env", "rm"]),
        ("env -vS 'A=b rm' x", ["env", "rm"]),
        ("env --split-string='env rm' x", ["env", "env", "rm"]),
        ("env -- rm x", ["env", "rm"]),
        ("env - rm x", ["env", "rm"]),
        ("env", ["env"]),
        ("nice rm x", ["nice", "rm"]),
        ("nice -n 5 rm x", ["nice", "rm"]),
        ("nice -5 rm x", ["nice", "rm"]),
        ("nice --adj=5 rm x", ["nice", "rm"]),
        ("nohup rm x", ["nohup", "rm"]),
        ("timeout 5 rm x", ["timeout", "rm"]),
        ("timeout -k 3 -s KILL 5 rm x", ["timeout", "rm"]),
        ("timeout --signal=KILL --foreground 5 rm x", ["timeout", "rm"]),
        ("stdbuf -oL -e 0 rm x", ["stdbuf", "rm"]),
        ("setsid -w rm x", ["setsid", "rm"]),
        ("time -p rm x", ["time", "rm"]),
        ("command rm x", ["command", "rm"]),
        ("command -p rm x", ["command", "rm"]),
        ("ionice -c 3 rm x", ["ionice", "rm"]),
        ("chrt -r 5 rm x", ["chrt", "rm"]),
        ("taskset -c 0,1 rm x", ["taskset", "rm"]),
        ("prlimit --cpu=5 rm x", ["prlimit", "rm"]),
        ("perf stat rm x", ["perf", "rm"]),
        ("perf stat -r 5 -e cycles --pre 'touch y' rm x", ["perf", "touch", "rm"]),
        ("perf record -g -o log -- rm x", ["perf", "rm"]),
        ("run-parts --exit-on-error d", ["run-parts", "sh!"]),
        ("setarch x86_64 -R rm x", ["setarch", "rm"]),
        ("setarch -R rm x", ["setarch", "rm"]),
        ("strace -f -o log -e trace=file rm x", ["strace", "rm"]),
        ("strace -o '|rm x' ls", ["strace", "rm", "ls"]),
        ("strace -o '!rm x' ls", ["strace", "rm", "ls"]),
        ("proxychains rm x", ["proxychains", "rm"]),
        ("fakeroot", ["fakeroot", "sh!"]),
        ("prlimit -n rm x", ["prlimit", "rm"]),
        ("sg staff 'rm x'", ["sg", "rm"]),
        ("sg staff", ["sg", "sh!"]),
        ("sudo -u root -- rm x", ["sudo", "rm"]),
        ("sudo A=b rm x", ["sudo", "rm"]),
        ("doas -u root rm x", ["doas", "rm"]),
        ("setpriv --reuid 1 --no-new-privs rm x", ["setpriv", "rm"]),
        ("sshpass -p x ssh host ls", ["sshpass", "ssh", "ls"]),
        ("systemd-run --user -p A=b rm x", ["systemd-run", "rm"]),
        ("/usr/lib/ld-linux-x86-64.so.2 /usr/bin/rm x", ["ld-linux-x86-64.so.2", "rm"]),
        ("env nice -n 1 timeout 5 nohup setsid rm x", ["env", "nice", "timeout", "nohup", "setsid", "rm"]),
        # with arguments from elsewhere
        ("xargs", ["xargs", "echo"]),
        ("xargs rm --", ["xargs", "rm"]),
        ("xargs -0 -n 1 -P4 rm -f --", ["xargs", "rm"]),
        ("xargs -I '{}' rm -- '{}'", ["xargs", "rm"]),
        ("xargs -I% rm ./%", ["xargs", "rm"]),
        ("xargs --replace=X rm ./X", ["xargs", "rm"]),
        ("xargs -i rm ./'{}'", ["xargs", "rm"]),
        ("xargs -a list --delim=, --max-args 2 rm --", ["xargs", "rm"]),
        ("find . -exec rm {} \\;", ["find", "rm"]),
        ("find . -name a -exec grep b {} + -o -exec rm {} \\;", ["find", "grep", "rm"]),
        ("find . -execdir rm {} \\; -ok cat {} \\; -okdir ls {} \\;", ["find", "rm", "cat", "ls"]),
        ("find . -exec env nice rm {} \\;", ["find", "env", "nice", "rm"]),
        ("find . -exec sh -c 'rm -- \"$1\"' sh {} \\;", ["find", "sh", "rm"]),
        ("fd a -x rm -- '{}'", ["fd", "rm"]),
        ("fd a --exec-batch rm --", ["fd", "rm"]),
        # shells
        ("sh -c 'rm x'", ["sh", "rm"]),
        ("bash -ec 'cd ./src && rm x | cat > y'", ["bash", "rm", "cat"]),
        ("bash --norc -o pipefail -c 'git status; rm x'", ["bash", "git", "rm"]),
        ("dash -c -e 'rm x'", ["dash", "rm"]),
        ("zsh -c 'if true; then rm x; fi'", ["zsh", "true", "rm"]),
        ("ksh -c 'echo $(rm x)'", ["ksh", "rm", "echo"]),
        ("sh -c 'sh -c \"rm x\"'", ["sh", "sh", "rm"]),
        ("sh -c 'case a in b) rm x;; esac'", ["sh", "rm"]),
        ("sh -cs 'rm x'", ["sh", "sh!", "rm"]),
        ("sh -c 'f() { rm x; }; f'", ["sh", "rm"]),
        ("sh -c 'ls() { rm x; }; ls'", ["sh", "rm", "ls"]),
        ("sh -c 'cat <<E\n$(rm x)\nE'", ["sh", "cat", "rm"]),
        ("bash -c 'echo <(rm x)'", ["bash", "rm", "echo"]),
        ("bash -c '[[ -n $(rm x) ]]'", ["bash", "rm"]),
        ("bash -c 'ls &> x'", ["bash", "ls"]),
        ("sh run.sh", ["sh", "sh!"]),
        ("sh", ["sh", "sh!"]),
        ("bash -s a", ["bash", "sh!"]),
        ("bash -l -c 'rm x'", ["bash", "sh!", "rm"]),
        ("bash --rcfile f -c 'rm x'", ["bash", "sh!", "rm"]),
        ("fish -c 'rm x'", ["fish", "sh!"]),
        ("busybox rm x", ["busybox", "rm"]),
        ("busybox sh -c 'rm x'", ["busybox", "sh", "rm"]),
        ("toybox env rm x", ["toybox", "env", "rm"]),
        ("./ls -la", ["ls"]),
        ("su -c 'rm x' root", ["su", "rm"]),
        ("su root -c 'rm x'", ["su", "rm"]),
        ("su -", ["su", "sh!"]),
        ("sudo -i", ["sudo", "sh!"]),
        ("sudo -s rm x", ["sudo", "sh!", "rm"]),
        ("runuser -u root -- rm x", ["runuser", "rm"]),
        ("runuser root -c 'rm x'", ["runuser", "rm"]),
        ("sg staff -c 'rm x'", ["sg", "rm"]),
        ("flock -c 'rm x' /tmp/l", ["flock", "rm"]),
        ("watch -n 1 'rm x'", ["watch", "rm"]),
        ("watch rm x", ["watch", "rm"]),
        ("watch -x rm x", ["watch", "rm"]),
        ("script -q -c 'rm x' log", ["script", "rm"]),
        ("script log", ["script", "sh!"]),
        ("flock /tmp/l rm x", ["flock", "rm"]),
        ("flock -n /tmp/l -c 'rm x'", ["flock", "rm"]),
        ("hyperfine --prepare 'rm x' 'ls a'", ["hyperfine", "rm", "ls"]),
        ("parallel rm ::: x", ["parallel", "sh!"]),
        ("tmux new -d -s dev 'rm x'", ["tmux", "rm"]),
        ("tmux -L x new-window rm x", ["tmux", "rm"]),
        ("tmux run-shell 'rm x'", ["tmux", "rm"]),
        ("screen -dmS x rm x", ["screen", "rm"]),
        ("unshare -n rm x", ["unshare", "rm"]),
        ("unshare -r", ["unshare", "sh!"]),
        # elsewhere
        ("chroot /x rm y", ["chroot", "rm"]),
        ("nsenter -t 1 -m rm x", ["nsenter", "rm"]),
        ("bwrap --ro-bind / / --unshare-net rm x", ["bwrap", "rm"]),
        ("ssh host rm x", ["ssh", "rm"]),
        ("ssh -p 22 me@host -v 'ls; rm x'", ["ssh", "ls", "rm"]),
        ("ssh host", ["ssh", "sh!"]),
        ("docker run --rm -it -v .:/w alpine rm x", ["docker", "rm"]),
        ("docker run --entrypoint sh alpine", ["docker", "sh", "sh!"]),
        ("podman exec -u 0 box rm x", ["podman", "rm"]),
        ("docker container run alpine rm x", ["docker", "rm"]),
        ("kubectl exec -n a pod -- rm x", ["kubectl", "rm"]),
        ("npx -y cowsay hi", ["npx", "cowsay"]),
        ("npx -c 'rm x'", ["npx", "rm"]),
        ("npm exec -- cowsay hi", ["npm", "cowsay"]),
        ("uvx ruff check", ["uvx", "ruff"]),
        ("uv run python x.py", ["uv", "python"]),
        ("pipx run black", ["pipx", "black"]),
        # options that run something
        ("git -c alias.x='!rm y' x", ["git", "rm"]),
        ("git -c alias.x='push --force' x", ["git", "git"]),
        ("git -c core.pager='rm x' log", ["git", "rm"]),
        ("git -c core.sshCommand='ssh -v' fetch", ["git", "ssh", "sh!"]),
        ("git -c core.editor='rm x' commit", ["git", "rm"]),
        ("git -c core.pager=cat log", ["git"]),
        ("git -c user.name=me commit -m x", ["git"]),
        ("git -c credential.helper= fetch", ["git"]),
        ("git wip", ["git", "sh!"]),
        ("git config core.pager less", ["git", "sh!"]),
        ("git config user.name me", ["git"]),
        ("git config --get core.pager", ["git"]),
        ("git config -e", ["git", "sh!"]),
        ("git rebase -x 'rm y' main", ["git", "rm"]),
        ("git bisect run rm x", ["git", "rm"]),
        ("git submodule foreach 'rm x'", ["git", "rm"]),
        ("git submodule foreach --recursive git status", ["git", "git"]),
        ("git clone --upload-pack 'rm x' a b", ["git", "rm"]),
        ("git clone -c core.pager='rm x' a b", ["git", "rm"]),
        ("git fetch --upload-pack='rm x' origin", ["git", "rm"]),
        ("git push --receive-pack='rm x' origin", ["git", "rm"]),
        ("git grep -O'rm x' word", ["git", "rm"]),
        ("git difftool -x 'rm y' HEAD", ["git", "rm"]),
        ("ssh -o ProxyCommand='rm x' host", ["ssh", "rm", "sh!"]),
        ("ssh -oproxycommand='rm x' host ls", ["ssh", "rm", "ls"]),
        ("ssh -o 'LocalCommand rm x' host ls", ["ssh", "rm", "ls"]),
        ("scp -S rm a host:b", ["scp", "rm"]),
        ("sftp -b batch host", ["sftp", "sh!"]),
        ("rsync -e 'ssh -p 22' a host:b", ["rsync", "ssh", "sh!"]),
        ("tar -xf a --to-command='rm x'", ["tar", "rm"]),
        ("tar cf a src --checkpoint=1 --checkpoint-action=exec='rm x'", ["tar", "rm"]),
        ("tar cf a src --checkpoint-a=exec='rm x'", ["tar", "rm"]),
        ("tar -I 'gzip -9' -cf a src", ["tar", "gzip"]),
        ("tar -cf a --rsh-command=/usr/bin/rm src", ["tar", "rm"]),
        ("tar -xf a -F 'rm x'", ["tar", "rm"]),
        ("tar -T list -cf a", ["tar", "sh!"]),
        ("zip -TT 'rm x' a b", ["zip", "rm"]),
        ("sort --compress-program=gzip a", ["sort", "gzip"]),
        ("split --filter='rm x' a", ["split", "rm"]),
        ("man -P 'rm x' ls", ["man", "rm"]),
        ("less +'!rm x' a", ["less", "sh!"]),
        ("less +42 a", ["less"]),
        ("vim -c ':!rm x' a", ["vim", "sh!"]),
        ("vim +42 a", ["vim"]),
        ("nvim --cmd 'call system(1)' a", ["nvim", "sh!"]),
        ("vi -S session", ["vi", "sh!"]),
        ("awk '{print $1}' a", ["awk"]),
        ("awk 'BEGIN { system(\"rm x\") }'", ["awk", "sh!"]),
        ("awk 'BEGIN { \"rm x\" | getline }'", ["awk", "sh!"]),
        ("awk '{ print | \"sort\" }' a", ["awk", "sh!"]),
        ("awk '/a|b/ { n += $2 / 2 } END { print n || 0 }' a", ["awk"]),
        ("gawk 'BEGIN { f = \"system\"; @f(\"rm x\") }'", ["gawk", "sh!"]),
        ("awk -f prog a", ["awk", "sh!"]),
        ("sed -n 's/a/b/gp;/x/,/y/d;$!N' a", ["sed"]),
        ("sed '1e rm x' a", ["sed", "sh!"]),
        ("sed 's/.*/rm x/e' a", ["sed", "sh!"]),
        ("sed -e 'p' -e 's,a,b,ge' a", ["sed", "sh!"]),
        ("sed -f script a", ["sed", "sh!"]),
        ("sed 's/[/]/x/e' a", ["sed", "sh!"]),
        ("fzf --preview 'rm x'", ["fzf", "rm"]),
        ("rg --pre rm x", ["rg", "rm"]),
        ("socat - EXEC:'rm x'", ["socat", "rm"]),
        ("nc -e rm host 1", ["nc", "rm"]),
        ("ncat -c 'rm x' host 1", ["ncat", "rm"]),
        ("psql -f script", ["psql", "sh!"]),
        ("perl -ne 'print' 'rm x |'", ["perl", "sh!"]),
    ],
)  # fmt: skip
def test_every_command_that_a_command_starts_is_found(text, expected):
    assert starts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "env -P /x rm", "env PATH=/x ls", "env LD_PRELOAD=x ls", "env GIT_SSH_COMMAND=x git fetch", "env GIT_TRACE=/x git status", "env SLUICEGATE_POLICY=x ls", "sudo LD_PRELOAD=x ls", "env -S 'a\"b' c", "env --sp='rm' x",
        "nice --frobnicate rm x", "timeout -x 5 rm", "sudo --unknown rm x", "sudo -e /etc/passwd", "xargs --unknown rm", "xargs rm", "xargs rm -f", "xargs git",
        "xargs sh -c 'rm $1' sh", "xargs -I '{}' sh -c 'rm {}'", "xargs -I '{}' '{}' x", "xargs env", "find . -exec {} \\;", "find . -exec rm {}", "find . -exec \\;",
        "sh -c", "sh -c 'eval rm x'", "sh -c '$X y'", "sh -c 'alias ls=rm; ls'", "sh -c 'rm $1' sh",
        "sh -c '. ./x'", "sh -c 'trap rm EXIT'", "sh -c 'cd x; rm y'", "sh -c 'PATH=/x ls'", "sh -c 'IFS=x; ls'", "bash --unknown -c 'ls'", "bash -kc 'git PATH=a'", "bash -o keyword -c ls", "bash -O expand_aliases -c ls", "bash +O extglob -c ls",
        "bash -c 'rm {a,b}'", "bash -c 'enable -f x y'", "find . -exec sh -c 'rm $0' {} \\;",
        "git -c core.hooksPath=/x commit", "git -c protocol.ext.allow=always fetch", "git -c include.path=x log", "git -c core.fsmonitor=rm status", "git -c foo.bar=x log",
        "git --exec-path=/x status", "git --config-env=core.pager=X log", "git clone 'ext::sh -c id' x", "git clone --template=/x a b", "git difftool -t x",
        "ssh -F cfg host", "ssh -I lib host", "ssh -oPKCS11Provider=x host", "ssh -o Include=x host", "curl -K cfg", "wget -e use_askpass=rm x", "wget --config=x y",
        "ssh-keygen -D lib", "npm --script-shell=rm test",  "kubectl --kubeconfig x get pods", "docker --config x ps", "docker run --frobnicate alpine rm",
        "unshare -R /x rm", "bwrap --args 3 rm", "/usr/lib/ld-linux-x86-64.so.2 --preload x /usr/bin/rm", "tar xf host:a", "php -d auto_prepend_file=x y.php",
        "busybox --frobnicate rm", "sg staff rm x", "runuser -u root rm x", "runuser root rm -c ls", "su root -- -c 'rm x'", "sh -c 'rm $\\\nx'",  "docker --frobnicate run alpine rm", "git --frobnicate status push",
        "gcc -wrapper rm,-f -c x.c", "gcc -O2 x.c -wrapper /tmp/evil",
    ],
)  # fmt: skip
def test_what_cannot_be_seen_through_is_refused_with_a_way_forward(text):
    if text in ("runuser root -c"):
        pytest.skip("incomplete commands do no harm")
    with pytest.raises(CommandError) as caught:
        command(text, programs=HERE, cwd=CWD)
    assert caught.value.hint
    assert "there is no program" not in caught.value.message


def test_a_wrapper_that_nests_without_end_is_refused():
    with pytest.raises(CommandError, match="deep"):
        command("env " * 20 + "ls", programs=HERE, cwd=CWD)
    with pytest.raises(CommandError, match="more than"):
        command("sh -c '" + "ls;" * 100 + "'", programs=HERE, cwd=CWD)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("sh -c 'ls'", "op:sh"),
        ("bash run.sh", "op:sh"),
        ("python3 -c 'x'", "op:py"),
        ("python3 x.py", "op:py"),
        ("python3 -m http.server", "op:py"),
        ("node x.js", "op:node"),
        ("npx cowsay", "op:node"),
        ("perl -e 1", "op:interpreter:perl"),
        ("ruby -e 1", "op:interpreter:ruby"),
        ("php x.php", "op:interpreter:php"),
        ("make all", "op:interpreter:make"),
        ("cmake .", "op:interpreter:cmake"),
        ("gcc a.c", "op:interpreter:gcc"),
        ("vim a", "op:interpreter:vim"),
        ("gdb a", "op:interpreter:gdb"),
        ("crontab a", "op:sh"),
        ("at now", "op:sh"),
        ("./tool.py", "op:py"),
        ("./echo", "op:sh"),
        ("sqlite3 a.db", "op:interpreter:sqlite3"),
    ],
)
def test_running_code_of_a_language_is_a_label(text, mark):
    assert mark in requests(text)[0].leaves


def test_an_inner_command_says_through_what_it_came():
    assert [
        each.shown.partition(" (")[2] for each in requests("env find . -exec sh -c 'rm -- \"$1\"' sh {} \\;")
    ] == [
        "",
        "through env)",
        "through env, find -exec)",
        "through env, find -exec, sh -c)",
    ]


@pytest.mark.parametrize("cdpath", ["", "/else"])
def test_behind_env_cdpath_of_a_runner_still_counts(cdpath):
    programs = Programs.of_runner({"PATH": "/usr/bin:/bin", "CDPATH": cdpath}, untrusted=())
    words = tuple(map(literal, ("env", "-C", "/usr", "sh", "-c", "cd lib && ls")))
    template = CommandTemplate("", (words,), ())
    if cdpath:
        with pytest.raises(CommandError, match="CDPATH"):
            define(template, programs=programs, cwd="/")
    else:
        assert define(template, programs=programs, cwd="/")
