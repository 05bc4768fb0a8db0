"""Programs about keys, certificates and signatures."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
openssl
  ! plain reader:openssl

gpg, gpg2
  ! alike
  -o --output, --log-file, --logger-file, --status-file, --attribute-file = write
  --homedir, --keyring, --secret-keyring, --primary-keyring, --trustdb-name = rw
  --passphrase-file, -f --recipient-file, -F --hidden-recipient-file, --override-session-key-file = read
  --options, --exec-path, --load-extension, --gpgconf-list = config
  --photo-viewer = sh
  --agent-program, --dirmngr-program, --keyboxd-program, --pinentry-program = program
  --keyserver = url
  --recv-keys --receive-keys, --send-keys, --refresh-keys, --search-keys, --fetch-keys, --locate-keys, --locate-external-keys, --auto-key-locate = +connect
  -r --recipient, -R --hidden-recipient, -u --local-user, --default-key, --default-recipient, --passphrase, --passphrase-fd, --command-fd, --status-fd = value
  --pinentry-mode, --cipher-algo, --digest-algo, --compress-algo, --trust-model, --set-filename, --comment, --keyid-format, --with-colons-fd = value
  --list-options, --verify-options, --import-options, --export-options, --keyserver-options, --display-charset, --charset, --max-output = value
  -z, --compress-level, --s2k-mode, --s2k-count, --s2k-digest-algo, --s2k-cipher-algo, -N --set-notation, --faked-system-time = value
  -a --armor, -b --detach-sign, -c --symmetric, -d --decrypt, -e --encrypt, -s --sign, --clear-sign, --clearsign, --verify, --store
  --import, --export, --export-secret-keys, --export-secret-subkeys, --export-ssh-key, --delete-keys, --delete-secret-keys, --delete-secret-and-public-key
  -k --list-keys --list-public-keys, -K --list-secret-keys, --list-sigs, --list-packets, --fingerprint, --edit-key, --sign-key, --lsign-key, --gen-key
  --full-generate-key, --quick-generate-key, --generate-key, --card-status, --version, --help, -h, --batch, --no-batch, --yes, --no, -q --quiet, -v --verbose
  -n --dry-run, -i --interactive, -t --textmode, --no-tty, --always-trust, --with-colons, --with-fingerprint, --dearmor, --enarmor, --print-md, --print-mds
  --decrypt-files, --encrypt-files, --multifile, --import-ownertrust, --export-ownertrust, --check-trustdb, --update-trustdb, --no-default-keyring, --use-agent, --no-options, --ignore-time-conflict
  * if -b --detach-sign -c --symmetric -e --encrypt -s --sign --clear-sign --clearsign --store --dearmor --enarmor --decrypt-files --encrypt-files --multifile = beside...
  * if -d --decrypt --verify --import --list-packets --print-md --print-mds --import-ownertrust = read...
  * = perhaps...

gpg-agent, gpg-connect-agent, gpgsm, dirmngr, dirmngr-client
  ! runs:sh
"""
