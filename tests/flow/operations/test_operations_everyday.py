"""Everyday commands are accepted as they are written: what is refused too easily is switched off."""

from __future__ import annotations

import pytest
from operation_samples import CWD, HERE, MACHINE, requests

from sluicegate.flow.operations import command, sketch

PLAIN = [
    "git status", "git status -s", "git log --oneline -n 20", "git log --oneline --graph --all", "git diff HEAD~1 -- src", "git show HEAD:src/a.py", "git add -A", "git commit -am 'a message'",
    "git checkout -b feature/x", "git push -u origin feature/x", "git fetch --all --prune", "git rebase -i HEAD~3", "git stash pop", "git config --get user.name", "git config user.name me", "git branch -D x",
    "git remote -v", "git clone --depth 1 https://github.com/a/b.git", "git -C sub pull --rebase", "git tag -a v1 -m 'v1'", "git rev-parse --show-toplevel", "git grep -n word", "git worktree add ../x main",
    "ls -la src", "cat notes.md", "head -n 20 notes.md", "tail -f notes.md", "head -l notes.md", "grep -rn 'TODO' src", "grep -v '^#' notes.md", "rg -n --hidden 'a b' src", "find . -name '*.py' -type f",
    "find src -mtime -1 -print0", "sed -n '1,5p' notes.md", "sed 's/a/b/g' notes.md", "sed -i.bak -e 's/a/b/' notes.md", "awk '{print $1}' notes.md", "awk -F, 'NR>1 {s+=$2} END {print s}' notes.md", "sort -u notes.md",
    "sort -t, -k2 -n notes.md", "cp -r src dst", "mv a b", "rm -f x", "mkdir -p a/b", "chmod +x run.sh", "chmod 644 notes.md", "ln -s a b", "touch a", "tee -a log", "diff -u a b", "tar -czf a.tgz src", "tar xzf a.tgz -C dst",
    "zip -r a.zip src", "gzip -9 a", "curl -fsSL https://a.b/x -o x", "curl -s -X POST -H 'Content-Type: application/json' -d '{\"a\":1}' https://a.b", "wget -q https://a.b/x", "ssh me@host uptime",
    "ssh -p 2222 -i key host 'ls | head -3'", "scp a host:b", "rsync -avz --delete src/ host:dst/", "python3 -m pytest -x -q", "python3 script.py --name x", "python3 -c 'print(1)'", "node index.js",
    "node -e 'console.log(1)'", "npm ci", "npm run build", "npm test", "npm install --save-dev x", "npx tsc --noEmit", "uv run pytest -q", "uv sync", "pip install -r requirements.txt", "make -j4 test", "docker build -t x .",
    "docker run --rm -it -v .:/w -w /w python:3.12 python3 x.py", "docker ps -a", "docker compose up -d", "kubectl get pods -n x -o json", "kubectl apply -f a.yaml", "jq -r '.a[] | .b' notes.md", "xargs -0 grep -l word --",
    "env CI=1 npm test", "timeout 60 npm test", "nice -n 10 make", "bash run.sh", "bash -c 'set -euo pipefail; git status && npm test'", "sh -c 'for f in a b; do echo $f; done'", "find . -name '*.py' -exec grep -l word {} +",
    "dd if=a of=b bs=1M count=1", "date +%s", "vim notes.md", "less notes.md", "man ls", "psql -c 'select 1'", "openssl rand -hex 16", "go test ./x", "cmake -B build", "systemd-run --user ls",
]  # fmt: skip
WITH_VALUES = [
    "git commit -m {x}", "git checkout -b {x}", "git log --author={x} --since {y}", "git show {x}", "git diff {x}..{y}", "git push origin {x}", "git clone {x} {y}", "git -C {x} status", "grep -rn -e {x} src", "grep -F -- {x} {y}",
    "rg -n -e {x} {y}", "find {x} -name {y}", "sed -n 1,5p {x}", "awk -v a={x} '{print a, $1}' {y}", "cat {files...}", "cp {files...} {x}", "rm -- {files...}", "tar -czf {x} {files...}", "curl -fsS {x}", "curl -d {x} {y}",
    "curl -H 'Authorization: Bearer '{x} https://a.b/{y}", "curl -o {x} https://a.b/{y}", "ssh {x} uptime", "ssh -p {x} {y} ls", "scp {x} host:{y}", "rsync -a {x}/ host:{y}/", "python3 script.py {x}", "python3 script.py --name={x} -- {y}",
    "node index.js {x}", "npm install {x}", "docker run --rm -e TOKEN={x} alpine echo {y}", "docker build -t {x} {y}", "kubectl get pod {x} -n {y}", "kubectl exec {x} -- cat {y}", "jq -r --arg a {x} '.[$a]' {y}", "xargs -a {x} rm --",
    "env TOKEN={x} node index.js", "timeout {x} node index.js", "find . -name {x} -exec grep -l -e {y} {} +", "sh -c 'grep -e \"$1\" notes.md' sh {x}", "bash -c 'cat -- \"$1\" \"$2\"' bash {x} {y}", "echo {x}", "printf '%s\\n' {x}",
    "frobnicate -p {x}", "frobnicate --prompt={x} -o {y}", "psql -v a={x} -d {y}", "date -d {x} +%s", "sort -k {x} {y}", "head -n {x} {y}", "diff -u {x} {y}", "mkdir -p {x}", "vim {x}",
    "git commit -m \"fix: {x}\"", "dd if={x} of={y}", "perl -ne 'print' {x}", "openssl dgst -sha256 {x}",
]  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_an_everyday_command_is_accepted(text):
    assert requests(text)[0].command is not None


@pytest.mark.parametrize("text", WITH_VALUES)
def test_an_everyday_template_is_accepted_and_takes_ordinary_values(text):
    names = command(text, programs=HERE, cwd=CWD).template.holes
    values = {name: ["a.txt", "b c"] if name == "files" else "a.txt" for name in names}
    found = requests(text, **values)
    assert found[0].command is not None
    (operation,) = command(text, programs=HERE, cwd=CWD).operations(values)
    before = sketch(operation, lookups=MACHINE)
    assert len(before) == len(found)
    assert all(
        set(one.leaves) <= set(other.leaves) or one.leaves[0] in other.leaves[0]
        for one, other in zip(before, found, strict=True)
    )
