"""Programs that speak to other machines."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
curl
  ! reader:curl sends:request
  -o --output = curl-output
  -D --dump-header, -c --cookie-jar, --trace, --trace-ascii, --stderr, --output-dir, --etag-save, --libcurl, --hsts, --alt-svc = write
  --ssl-sessions = rw
  -T --upload-file = upload
  --cacert, --capath, -E --cert, --key, --netrc-file, --crlfile, --pinnedpubkey, --pubkey, --etag-compare, --random-file, --egd-file, --proxy-cacert, --proxy-cert, --proxy-key, --proxy-crlfile = read
  --noproxy, --trace-config, --ech, --ip-tos, --vlan-priority, --keepalive-cnt, --delegation, --hostpubmd5, --hostpubsha256 = value
  -d --data --data-ascii, --data-binary, --json = data
  --variable = curl-variable
  --data-urlencode, --url-query = data-urlencode
  -w --write-out = write-out
  -b --cookie = cookie
  --data-raw = text
  -u --user, --oauth2-bearer = login
  --form-string = text
  -U --proxy-user, -r --range, -z --time-cond = value
  -F --form = form
  -H --header, --proxy-header = header
  -A --user-agent, -e --referer = header
  -K --config = config
  --engine, --socks5-gssapi-service, --krb, -Q --quote, -P --ftp-port, -t --telnet-option, --interface, --proto-default = refuse
  -x --proxy, --preproxy, --proxy1.0, --socks4, --socks4a, --socks5, --socks5-hostname = proxy
  --url, --doh-url = urls
  --connect-to, --resolve, --haproxy-clientip, --unix-socket, --abstract-unix-socket, --dns-servers = connect
  -X --request, -m --max-time, --connect-timeout, --retry, --retry-delay, --retry-max-time, --max-redirs, --max-filesize, --limit-rate = value
  -Y --speed-limit, -y --speed-time, -C --continue-at, --ciphers, --tls-max, --tlsv1?, --proto, --proto-redir, --local-port, --rate = value
  -O --remote-name, --remote-name-all = +here
  --keepalive-time, --expect100-timeout, --happy-eyeballs-timeout-ms, --parallel-max, --create-file-mode, --request-target, --service-name = value
  --cert-type, --key-type, --pass, --curves, --tls13-ciphers, --login-options, --sasl-authzid, --mail-from, --mail-rcpt, --mail-auth, --aws-sigv4 = value
  -s --silent, -S --show-error, -f --fail, --fail-with-body, -L --location, --location-trusted, -i --include, -I --head, -G --get, -g --globoff
  -k --insecure, -v --verbose, -N --no-buffer, -q --disable, -# --progress-bar, -J --remote-header-name
  -n --netrc, --netrc-optional = +anything
  -R --remote-time, -a --append, -B --use-ascii, -j --junk-session-cookies, -l --list-only, -p --proxytunnel, -Z --parallel
  -0 --http1.0, --http1.1, --http2, --http2-prior-knowledge, --http3, -1 --tlsv1, -2 --sslv2, -3 --sslv3, -4 --ipv4, -6 --ipv6, --compressed
  --create-dirs, --path-as-is, --ssl, --ssl-reqd, --tcp-nodelay, --anyauth, --basic, --digest, --ntlm, --negotiate, --no-progress-meter, --raw, --tr-encoding
  -M --manual, -V --version, -h? --help?, --crlf, --disallow-username-in-url, --fail-early, --ignore-content-length, --no-keepalive, --retry-all-errors
  -: --next
  * = urls...

wget, wget2
  ! alike reader:writes-here sends:request
  -O --output-document, -P --directory-prefix, -o --output-file, -a --append-output, --save-cookies, --warc-file, --rejected-log, --hsts-file, --warc-tempdir = write
  --dns-servers = connect
  -H --span-hosts = +connect
  -i --input-file = url-file
  --post-file, --body-file = sent
  --load-cookies, --ca-certificate, --certificate, --private-key, --ca-directory = read
  --config = config
  -e --execute = config
  --use-askpass = program
  -B --base = url
  --header = header
  -U --user-agent, --referer = header
  --post-data, --body-data = text
  --user, --password, --http-user, --http-password = login
  --method, -t --tries, -T --timeout, -w --wait, -Q --quota, -l --level, -A --accept = value
  -R --reject, -D --domains, --exclude-domains, -I --include-directories, -X --exclude-directories, --limit-rate, --bind-address, --restrict-file-names = value
  --cut-dirs, --dns-timeout, --connect-timeout, --read-timeout, --waitretry, --max-redirect, --progress, --secure-protocol, --regex-type, --compression = value
  --accept-regex, --reject-regex, --ftp-user, --ftp-password, --local-encoding, --remote-encoding, --default-page = value
  -q --quiet, -v --verbose, -nv --no-verbose, -c --continue, -N --timestamping, -S --server-response, -r --recursive, -k --convert-links, -p --page-requisites
  -m --mirror, -nc --no-clobber, -nd --no-directories, -x --force-directories, -nH --no-host-directories, -np --no-parent, -E --adjust-extension
  -L --relative, -b --background, -d --debug, -F --force-html, -K --backup-converted, -4 --inet4-only, -6 --inet6-only, --spider, --no-check-certificate
  --content-disposition, --trust-server-names, --no-proxy, --no-cookies, --no-cache, --delete-after, --random-wait, --https-only, --show-progress
  * = url...

http, https, httpie, xh, xhs, curlie
  ! alike reader:httpie sends:request
  -o --output = write
  -d --download = +here
  --session, --session-read-only, --cert, --cert-key, --verify = rw
  --proxy, --unix-socket, --resolve = connect
  --raw = text
  -a --auth = login
  -A --auth-type, -p --print, --pretty, -s --style, --timeout, --max-redirects, --ssl, --ciphers, --format-options, --response-charset = value
  --response-mime, --boundary, --default-scheme = value
  --path-as-is, -b --body, -h --headers, -m --meta, -j --json, -f --form, --multipart
  -v --verbose, -I --ignore-stdin, -F --follow, -q --quiet, --check-status, -S --stream, -c --continue, --offline, --http2
  * = value...

axel
  ! reader:writes-here sends:request
  -o --output = write
  -n --num-connections, -s --max-speed, -H --header, -U --user-agent, -T --timeout = value
  -c --no-clobber, -a --alternate, -q --quiet, -v --verbose, -k --insecure, -4, -6
  * = url...

telnet, websocat
  ! sends:input answers
  * = host value...

tftp
  ! sends:words
  -m = value
  * = host value...

lynx, w3m, links, elinks
  ! single runs:self sends:posted
  -cfg, -config, -config-file, -config-dir, -lss, -editor, -cmd_script, -eval = config
  -post_data = +posted
  -dump, -source, -o, -I, -T = value
  * = page...

aria2c, lwp-request
  ! sends:request
  --on-download-complete, --on-download-start, --on-download-stop, --on-download-error, --on-bt-download-complete = sh
  --conf-path = config
  -i --input-file = url-file
  -o --out, -d --dir = write
  * = urls...

yt-dlp, youtube-dl, gallery-dl
  --exec, --netrc-cmd, --exec-before-download = sh
  --config-locations, --config-location, --plugin-dirs, --downloader, --external-downloader = refuse
  -a --batch-file = url-file
  -o --output, -P --paths = write
  * = maybe-url...

lftp, ftp, ncftp
  ! sends:files
  -e, -c = hidden
  -f = script
  * = maybe-host...

sshpass
  ! stop
  -p, -d, -P = value
  -f = read
  -e, -v, -h, -V
  * = argv

mosh
  --ssh, --server, --client = sh
  -p --port, --predict, --family = value
  * = host argv-sh@

ssh, slogin
  ! alike shell sends:stdin
  -o = ssh-option
  -F, -I = refuse
  -J = jump
  -W, -L, -R, -D = forward
  -i, -S = read
  -E = write
  -b, -B, -c, -e, -l, -m, -O, -p, -P, -Q, -w = value
  -4, -6, -A, -a, -C, -f, -G, -g, -K, -k, -M, -N, -n, -q, -s, -T, -t, -V, -v, -X, -x, -Y, -y
  * = host argv-sh@

scp
  ! sends:files
  -o = ssh-option
  -F = refuse
  -S = program
  -D = command-line
  -J = jump
  -i = read
  -c, -l, -P, -X = value
  -3, -4, -6, -A, -B, -C, -O, -p, -q, -R, -r, -T, -v
  * = remote... remote-write

sftp
  ! runs:sh sends:files
  -o = ssh-option
  -F = refuse
  -S = program
  -s, -D = command-line
  -b = script
  -J = jump
  -i = read
  -c, -l, -P, -X, -B, -R = value
  -4, -6, -A, -C, -p, -q, -r, -v, -a, -f, -N
  * = host-path write

ssh-keygen, ssh-add, ssh-copy-id
  -D, -P, -w, -I = refuse
  -o = ssh-option
  -f, -i = rw
  -b, -C, -m, -N, -t, -Z, -Y, -n, -s, -V, -z, -O, -E, -T, -p = value
  -l, -q, -v, -y, -F, -H, -R, -B, -L, -A, -K, -k, -c, -d, -e, -x, -X
  * = read...

ssh-agent
  ! stop
  -c, -k, -s, -d, -D
  -a, -E, -O, -P, -t = value
  * = argv

nc, ncat, netcat
  ! sends:input answers
  -e --exec = command-line
  -c --sh-exec = sh
  --lua-exec = script
  -x --proxy = hex-or-proxy
  -s, -p --source-port, -w --wait, -i --idle-timeout, -q, -X --proxy-type, -T, -V, -O, -I, -g, -G, -m, -M = value
  -o --output, --hex-dump = write
  -l --listen, -k --keep-open, -u --udp, -v --verbose, -n --nodns, -z, -4, -6, -U --unixsock, -d, -N, -r, -S, -t --telnet, -C --crlf, -D, -h, -b, -F, -Z
  --ssl, --send-only, --recv-only, --broker, --chat
  * = host value...

socat
  ! stop sends:input answers
  -d, -D, -h, -hh, -hhh, -lf, -lp, -ls, -lh, -ly?, -lm?, -v, -x, -u, -U, -g, -s, -4, -6, -V
  -b, -t, -T, -L, -W, -r, -R, -S = value
  * = socat...

dig, drill, kdig, doggo
  ! plain sends:names answers
  -f = read
  -c, -t, -p, -i, -s, -W, -w, -I, -q, -x = value
  * = maybe-host...

nslookup, host, ping, ping6, traceroute, tracepath, mtr, whois, resolvectl, getent
  ! plain sends:names
  -f = read
  -c, -t, -p, -i, -s, -W, -w, -I, -q, -x = value
  * = maybe-host...

nmap, masscan
  ! plain
  -f = read
  -c, -t, -p, -i, -s, -W, -w, -I, -q, -x = value
  * = maybe-host...

gnutls-cli, swaks, sendmail, mail, mailx, mutt
  ! plain sends:input
  -f = read
  -a, -A, --attach, --body, --data = sent
  -c, -t, -p, -i, -s, -W, -w, -I, -q, -x = value
  * = maybe-host...

apt, apt-get, apt-cache, aptitude
  ! sub alike
  -c --config-file, -o --option = config
  -t --target-release --default-release, -a --host-architecture = value
  -y --yes, -q --quiet, -d --download-only, -f --fix-broken, -m, -s --simulate --dry-run, -u, -V, --no-install-recommends, --reinstall, --purge

dpkg
  ! runs:self
  --pre-invoke, --post-invoke, --status-logger = sh
  --root, --admindir, --instdir = refuse

rpm
  ! runs:self
  --pipe = sh
  -E --eval = code:other
  -D --define, --macros, --rcfile, --root, -r = refuse

dnf, yum, zypper
  ! runs:self
  --setopt, --installroot = refuse

pacman, apk, brew, port, snap, flatpak, gem, opam, luarocks, cpan, cpanm, composer, conan, vcpkg, spack, guix
  ! runs:self
  --hookdir = refuse

hg
  -e --ssh = sh
  --remotecmd = sh
  --config, --config-file = config
  -R --repository, --cwd = chdir

svn
  --editor-cmd, --diff-cmd, --diff3-cmd, --merge-cmd = sh
  --config-option, --config-dir = config

rsync
  ! reader:rsync sends:files
  -e --rsh = command-line
  --rsync-path = sh
  --files-from, --exclude-from, --include-from, --password-file, --early-input = read
  --log-file, --write-batch, --only-write-batch, --backup-dir, -T --temp-dir, --partial-dir = write
  --compare-dest, --copy-dest, --read-batch = read
  --link-dest = rw
  --daemon, --server, --sender = +refuse
  --exclude, --include, --chmod, --chown, --max-size, --min-size, --bwlimit, --timeout, --port, --suffix, -B --block-size = value
  --info, --debug, --out-format, --log-file-format, --modify-window, --compress-level, --checksum-choice, --address, --sockopts = value
  -f --filter, -M --remote-option, --config = config
  -a --archive, -v --verbose, -z --compress, -n --dry-run, -r --recursive, -u --update, -l --links, -t --times, -p --perms, -o --owner
  -g --group, -D, -H --hard-links, -x --one-file-system, -q --quiet, -c --checksum, -P, -h --human-readable, -L --copy-links, -R --relative
  -S --sparse, -W --whole-file, -i --itemize-changes, -b --backup, -d --dirs, -E --executability, -k --copy-dirlinks, -K --keep-dirlinks
  -O --omit-dir-times, -J, -A --acls, -X --xattrs, -I --ignore-times, -y --fuzzy, -C --cvs-exclude, -0 --from0, -4 --ipv4, -6 --ipv6, -m
  -s --protect-args --secluded-args, -8, -F, --delete, --delete-after, --delete-before, --delete-during, --delete-excluded, --progress
  --stats, --partial, --inplace, --existing, --ignore-existing, --remove-source-files, --numeric-ids, --force, --size-only, --append
  * = remote... remote-write

rclone
  ! sends:files
  --password-command = sh
  --config = config

restic, borg
  ! sends:words
  --password-command, --rsh, --remote-path = sh

aws, gcloud, az, gsutil, s3cmd, mc
  --config = config
  --output, -o, --format = value
  * = stored...

aws s3 cp, aws s3 mv, aws s3 sync, gsutil cp, gsutil mv, gsutil rsync, gcloud storage cp, gcloud storage mv, gcloud storage rsync, s3cmd put, s3cmd sync, mc cp, mc mv, mc mirror, s5cmd cp, s5cmd mv, s5cmd sync
  ! sends:copy
  --profile, --region, --endpoint-url, --exclude, --include, --acl, -c, --access_key, --secret_key = value
  * = stored...

az storage blob upload, az storage blob upload-batch, az storage file upload, az storage file upload-batch, az storage fs file upload
  ! sends:words
  -f --file, -s --source = sent
  -c --container-name, -n --name, -d --destination, --account-name, --account-key, --sas-token, --connection-string, --path, --share-name = value
  * = value...

croc send, wormhole send, magic-wormhole send, ffsend upload, twine upload, hub gist, slackcat, telegram-send, ntfy publish
  ! sends:words
  -f --file, --text = sent
  -c --channel, --code, --config, --repository, --repository-url, -u --username, -p --password, -t, --title = value
  * = value...

gh gist create, gh gist edit, gh release upload, gh release create, gh issue create, gh issue comment, gh issue edit, gh pr create, gh pr comment, gh pr edit, glab snippet create, glab issue create, glab issue note
  ! sends:words
  -F --body-file --field, --notes-file, --input, -f --raw-field, -b --body, -a --add, -n --notes, -m --message = sent
  -t --title, -l --label, -R --repo, -d --desc, --hostname, -X --method, -q --jq, -H --header = value
  * = value...

psql, pgcli
  ! runs:self sends:server
  -c --command = code:sql
  -f --file = script
  -h --host = host
  -p --port, -U --username, -d --dbname, -v --set --variable, -F --field-separator, -P --pset, -R --record-separator = value
  -o --output, -L --log-file = write
  -A --no-align, -a --echo-all, -b, -E, -e, -H --html, -l --list, -n, -q --quiet, -s, -S, -t --tuples-only, -w, -W, -x --expanded, -X --no-psqlrc, -z, -0, -1
  * = value...

mysql, mariadb, redis-cli, mongosh, mongo, clickhouse, cqlsh, sqlcmd, isql, usql, mycli
  ! runs:self sends:server
  -e --execute, -c --command, --eval, -q --query, -cmd --cmd = code:sql
  -f --file, -init --init-command = script
  -h --host = host
  -P --port, -u -U --user, -d --database, -v --set --variable, -p = value

mosquitto_pub, kcat, kafkacat, clickhouse-client, mongoimport, logger
  ! sends:server
  -h --host, -b, -n --server, --hostname, --uri = server
  -m --message, -f --file, --query = sent
  -t --topic, -p --port, -u --username, -P --password, -d --db, -c --collection = value
  * = value...

gh
  ! sub
  -R --repo, --hostname = value

gh pr, gh issue, gh run, gh workflow, gh release, gh gist, gh auth, gh browse, gh cache, gh label, gh org, gh project, gh ruleset, gh search, gh secret, gh ssh-key, gh gpg-key, gh status, gh variable, gh attestation, gh completion, gh help, gh version, gh config, gh licenses, gh preview, gh accessibility
  -o, --output-dir, -D --dir = write

gh api
  ! sends:words
  -o, --output-dir, -D --dir = write
  -X --method, -q --jq, -H --header, -t --template, --hostname = value

gh repo
  ! reader:gh-repo

gh *
  ! runs:sh

glab, hub, heroku, fly, flyctl, vercel, netlify, doctl, bzr, fossil, cvs, darcs, p4
  --config = config
"""
