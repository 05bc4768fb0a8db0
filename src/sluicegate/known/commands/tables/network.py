"""Programs that speak to other machines."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
curl
  ! reader:curl
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
  --data-raw, --form-string, -u --user, -U --proxy-user, --oauth2-bearer, -r --range, -z --time-cond = value
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
  ! alike reader:writes-here
  -O --output-document, -P --directory-prefix, -o --output-file, -a --append-output, --save-cookies, --warc-file, --rejected-log, --hsts-file, --warc-tempdir = write
  --dns-servers = connect
  -H --span-hosts = +connect
  -i --input-file = url-file
  --post-file, --body-file, --load-cookies, --ca-certificate, --certificate, --private-key, --ca-directory = read
  --config = config
  -e --execute = config
  --use-askpass = program
  -B --base = url
  --header = header
  -U --user-agent, --referer = header
  --post-data, --body-data, --method, --user, --password, -t --tries, -T --timeout, -w --wait, -Q --quota, -l --level, -A --accept = value
  -R --reject, -D --domains, --exclude-domains, -I --include-directories, -X --exclude-directories, --limit-rate, --bind-address, --restrict-file-names = value
  --cut-dirs, --dns-timeout, --connect-timeout, --read-timeout, --waitretry, --max-redirect, --progress, --secure-protocol, --regex-type, --compression = value
  --accept-regex, --reject-regex, --http-user, --http-password, --ftp-user, --ftp-password, --local-encoding, --remote-encoding, --default-page = value
  -q --quiet, -v --verbose, -nv --no-verbose, -c --continue, -N --timestamping, -S --server-response, -r --recursive, -k --convert-links, -p --page-requisites
  -m --mirror, -nc --no-clobber, -nd --no-directories, -x --force-directories, -nH --no-host-directories, -np --no-parent, -E --adjust-extension
  -L --relative, -b --background, -d --debug, -F --force-html, -K --backup-converted, -4 --inet4-only, -6 --inet6-only, --spider, --no-check-certificate
  --content-disposition, --trust-server-names, --no-proxy, --no-cookies, --no-cache, --delete-after, --random-wait, --https-only, --show-progress
  * = url...

http, https, httpie, xh, xhs
  ! alike reader:httpie
  -o --output = write
  -d --download = +here
  --session, --session-read-only, --cert, --cert-key, --verify = rw
  --proxy, --unix-socket, --resolve = connect
  -a --auth, -A --auth-type, -p --print, --pretty, -s --style, --timeout, --max-redirects, --ssl, --ciphers, --format-options, --response-charset = value
  --response-mime, --boundary, --default-scheme, --raw = value
  --path-as-is, -b --body, -h --headers, -m --meta, -j --json, -f --form, --multipart
  -v --verbose, -I --ignore-stdin, -F --follow, -q --quiet, --check-status, -S --stream, -c --continue, --offline, --http2
  * = value...

axel
  ! reader:writes-here
  -o --output = write
  -n --num-connections, -s --max-speed, -H --header, -U --user-agent, -T --timeout = value
  -c --no-clobber, -a --alternate, -q --quiet, -v --verbose, -k --insecure, -4, -6
  * = url...

telnet, tftp
  * = host value...

lynx, w3m, links, elinks
  ! single runs:self
  -cfg, -config, -config-file, -config-dir, -lss, -editor, -cmd_script, -eval = config
  -post_data, -dump, -source, -o, -I, -T = value
  * = page...

aria2c
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
  ! alike shell
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
  ! runs:sh
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
  ! stop
  -d, -D, -h, -hh, -hhh, -lf, -lp, -ls, -lh, -ly?, -lm?, -v, -x, -u, -U, -g, -s, -4, -6, -V
  -b, -t, -T, -L, -W, -r, -R, -S = value
  * = socat...

dig, nslookup, host, ping, ping6, traceroute, tracepath, mtr, whois, drill, kdig, resolvectl, getent, nmap, masscan, gnutls-cli, swaks, sendmail, mail, mailx, mutt
  ! plain
  -f = read
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

rclone
  --password-command = sh
  --config = config

restic, borg
  --password-command, --rsh, --remote-path = sh

aws, gcloud, az, gsutil, s3cmd, mc
  --config = config
  --output, -o, --format = value
  * = stored...

gh
  ! sub
  -R --repo, --hostname = value

gh pr, gh issue, gh run, gh workflow, gh release, gh gist, gh api, gh auth, gh browse, gh cache, gh label, gh org, gh project, gh ruleset, gh search, gh secret, gh ssh-key, gh gpg-key, gh status, gh variable, gh attestation, gh completion, gh help, gh version, gh config, gh licenses, gh preview, gh accessibility
  -o, --output-dir, -D --dir = write

gh repo
  ! reader:gh-repo

gh *
  ! runs:sh

glab, hub, heroku, fly, flyctl, vercel, netlify, doctl, bzr, fossil, cvs, darcs, p4
  --config = config
"""
