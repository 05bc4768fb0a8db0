"""Programs about files: what they read, and what they write."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
rm, unlink
  -f --force, -i, -I, --interactive?, -r -R --recursive, -d --dir, -v --verbose, --one-file-system, --no-preserve-root
  --preserve-root?
  * = write...

shred, wipe, srm
  -f --force, -u, --remove?, -v --verbose, -x --exact, -z --zero, -r -R --recursive
  -n --iterations, -s --size = value
  --random-source = read
  * = write...

mkdir
  -p --parents, -v --verbose, -Z, --context?
  -m --mode = value
  * = write...

truncate
  -c --no-create, -o --io-blocks
  -s --size = value
  -r --reference = read
  * = write...

rmdir, mkfifo, touch
  -p --parents, -v --verbose, --ignore-fail-on-non-empty, -a, -c --no-create, -f, -h --no-dereference, -m, -o --io-blocks
  -Z, --context?
  --mode, -d --date, -t, --time, -s --size = value
  -r --reference = read
  * = write...

mknod
  * = write value...

cp
  ! reader:into
  -a --archive, -b, --backup?, --attributes-only, --copy-contents, -d, -f --force, -i --interactive, -H, -l --link
  -L --dereference, -n --no-clobber, -P --no-dereference, -p, --preserve?, -R -r --recursive, --reflink?, --remove-destination
  -s --symbolic-link, -T --no-target-directory, -u, --update?, -v --verbose, -x --one-file-system, -Z, --debug, --parents
  -S --suffix, --no-preserve, --sparse = value
  -t --target-directory = into
  * if -l --link = rw... into
  * if -t --target-directory = read...
  * = read... into

install
  ! reader:into
  -b, --backup?, -c, -C --compare, -d --directory, -D, -p --preserve-timestamps, -s --strip, -T --no-target-directory, -v --verbose, -Z
  -S --suffix, -g --group, -m --mode, -o --owner = value
  --strip-program = program
  -t --target-directory = into
  * if -d --directory = write...
  * if -t --target-directory = read...
  * = read... into

mv
  ! reader:into
  -b, --backup?, -f --force, -i --interactive, -n --no-clobber, -T --no-target-directory, -u, --update?, -v --verbose, -Z, --debug
  -S --suffix = value
  -t --target-directory = into
  * if -t --target-directory = rw...
  * = rw... into

ln, link
  ! reader:into
  -b, --backup?, -d -F --directory, -f --force, -i --interactive, -L --logical, -n --no-dereference, -P --physical, -r --relative
  -s --symbolic, -T --no-target-directory, -v --verbose
  -S --suffix = value
  -t --target-directory = into
  * if -t --target-directory = rw...
  * = rw... into

chmod
  -c --changes, -f --silent --quiet, -v --verbose, -R --recursive, --preserve-root, --no-preserve-root
  -h --no-dereference, --dereference, -H, -L, -P
  --reference = read
  * if --reference = write...
  * = value write...

chown, chgrp, chcon
  -c --changes, -f --silent --quiet, -v --verbose, -R --recursive, -h --no-dereference, --dereference, -H, -L, -P
  --preserve-root, --no-preserve-root
  --from, -u --user, -r --role, -t --type, -l --range = value
  --reference = read
  * if --reference = write...
  * = value write...

setfacl, chattr, setfattr
  -R --recursive
  -m --modify, -x --remove, -n --name, -v --value = value
  -M --modify-file, -X --remove-file, --restore = read
  * = write...

dd
  ! plain reader:dd

tee, sponge
  -a --append, -i --ignore-interrupts, -p, --output-error?
  * = write...

cat, tac, nl, bat, batcat
  -A --show-all, -b --number-nonblank, -e, -E --show-ends, -n --number, -s --squeeze-blank, -t, -T --show-tabs, -u, -v
  -v --show-nonprinting, -p --plain, -f, -P
  -l --language, -r --line-range, -H --highlight-line, --theme, --style, --color, --paging, --wrap, --tabs = value
  --pager = sh
  * = read...

head, tail
  ! alike
  -#, -q --quiet --silent, -v --verbose, -z --zero-terminated, -f, --follow?, -F, --retry
  -c --bytes, -n --lines, -s --sleep-interval, --pid, --max-unchanged-stats = value
  * = read...

wc, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, cksum, sum
  -b --binary, -c --bytes --check, -l --lines, -w --words --warn, -m --chars, -L --max-line-length, -t --text, -z --zero, -q --quiet
  --files0-from = list-of-files
  * = read...

file
  -b --brief, -i --mime, -z --uncompress, -k --keep-going, -L --dereference, -h --no-dereference, -s --special-files, -p, -r, -0 --print0
  -f --files-from = list-of-files
  -m --magic-file = read
  -C --compile = +here
  -F --separator, -e --exclude, -P --parameter = value
  * = read...

stat
  -L --dereference, -f --file-system, -t --terse
  -c --format, --printf = value
  * = read...

readlink, realpath, strings, nm, objdump, readelf, ldd, size
  * = read...

tree
  ! reader:lists
  -a, -d, -f, -i, -l, -s, -h, -p, -u, -g, -D, -F, -q, -N, -Q, -C, -n, -r, -t, -v, -U, -X, -J, -S, -A, -x, -R, --noreport, --dirsfirst, --prune, --gitignore, --fromfile
  -L, -P, -I, -T, -H, --filelimit, --charset, --timefmt, --sort, --gitfile, --infofile = value
  -o = write
  * if --fromfile = list-of-files...
  * = read...

ls, dir, vdir, du, df, exa, eza, lsd
  ! reader:lists
  -a --all, -A --almost-all, -l, -h --human-readable, -R --recursive, -r --reverse, -t, -S, -1, -d --directory, -s --summarize, -F --classify?
  -i --inode, -n --numeric-uid-gid, -o, -g, -p, -k, -c, -u, -U, -v, -x, -Z, -m, -q, -Q, -b, -B, -C, -f, -G, -H, -L, -N, -T, --color?
  --sort, --time, --time-style, --format, -I --ignore, -w --width, --block-size, --max-depth, --exclude, -D --output-fields = value
  --output = write
  -X --exclude-from = read
  --files0-from = list-of-files
  * = read...

basename, dirname, pathchk
  -a --multiple, -z --zero, -p, -P
  -s --suffix = value
  * = value...

mktemp
  -d --directory, -u --dry-run, -q --quiet, -t
  --suffix = value
  -p --tmpdir = write
  * = write

split, csplit
  -e --elide-empty-files, -u --unbuffered, -d --numeric-suffixes?, -x --hex-suffixes?, -k, -q --quiet, -s, -z, --verbose
  -a --suffix-length, -b --bytes, -C --line-bytes, -l --lines, -n --number, -t --separator, --additional-suffix = value
  -f --prefix = beside
  --filter = sh
  * = read beside

diff, cmp, comm, diff3, sdiff, colordiff, delta, meld
  -u?, -c?, -r --recursive, -q --brief, -s --report-identical-files, -i --ignore-case, -w --ignore-all-space, -N --new-file, -y
  -U --unified, -C --context, -x --exclude, -I --ignore-matching-lines, -L --label, -W --width, --color, -n --bytes = value
  -X --exclude-from, --from-file, --to-file = read
  -o --output = write
  --diff-program, --pager = sh
  * = read...

patch
  ! reader:writes-here
  -p --strip, -F --fuzz, -V --version-control, -z --suffix, -B --prefix, -Y --basename-prefix, -D --ifdef = value
  -d --directory = chdir
  -i --input = read
  -o --output, -r --reject-file = write
  -R --reverse, -N --forward, -f --force, -t --batch, -b --backup, -E --remove-empty-files, -s --quiet, -l, -n, -u, -c, -e, --dry-run, -v
  * = rw read

tar, gtar, bsdtar
  ! alike reader:tar
  -A --catenate --concatenate, -c --create, -d --diff --compare, --delete, -r --append, -t --list, -u --update, -x --extract --get
  -z --gzip --gunzip --ungzip, -j --bzip2, -J --xz, -Z --compress, --zstd, --lzma, --lzip, --lzop, -a --auto-compress, -v --verbose
  -p --preserve-permissions --same-permissions, -P --absolute-names, -k --keep-old-files, -O --to-stdout, -w --interactive
  -h --dereference, -l --check-links, -m --touch, -o --no-same-owner, -s --same-order, -S --sparse, -U --unlink-first, -W --verify, -B
  -i --ignore-zeros, -M --multi-volume, -n --seek, -R --block-number, -G --incremental, --force-local, --no-recursion, --overwrite
  -f --file = archive
  -C --directory, --one-top-level? = tar-chdir
  -X --exclude-from, -g --listed-incremental = rw
  --add-file = tar-member
  --remove-files, --recursive-unlink
  -T --files-from = script
  -I --use-compress-program = command-line
  --to-command, -F --info-script --new-volume-script = sh
  --rsh-command, --rmt-command = program
  --checkpoint-action = tar-checkpoint
  --exclude, --transform --xform, --strip-components, --owner, --group, --mode, --mtime, -b --blocking-factor, -H --format = value
  -L --tape-length, -N --newer --after-date, -K --starting-file, -V --label, --suffix, --warning, --sort, --newer-mtime = value
  --occurrence?, --checkpoint?, --totals?, --backup?, --exclude-tag, --record-size, --pax-option, --hole-detection = value
  --index-file, --volno-file = write
  * = value...

zip
  ! reader:zip
  -r --recurse-paths, -j --junk-paths, -m --move, -q --quiet, -u --update, -f --freshen, -d --delete, -9, -0, -1, -e --encrypt, -T --test
  -R --recurse-patterns, -D --no-dir-entries, -y --symlinks, -l --to-crlf, -v --verbose, -X --strip-extra, -o --latest-time, -A --adjust-sfx, -J --junk-sfx
  -g --grow, -z --archive-comment, -c --entry-comments, -F --fix, -FF --fixfix, -U --copy-entries, -FS --filesync, -ll --from-crlf, -2, -3, -4, -5, -6, -7, -8
  -@ --names-stdin = +anything
  -b --temp-path, -O --output-file --out, -lf --logfile-path = write
  -x --exclude, -i --include = zip-names
  -n --suffixes, -s --split-size, -P --password, -t --from-date, -tt --before-date = value
  -TT --unzip-command = sh
  * if -m --move = beside rw...
  * = beside read...

unzip, funzip, zipinfo
  ! reader:writes-here
  -o, -n, -q, -qq, -l, -t, -v, -c, -j, -p, -u, -f, -L, -C, -X, -z, -Z, -a, -aa, -b, -K, -M, -V, -W, -:, -D
  -d = write
  -x, -P = value
  * = read value...

7z, 7za, 7zr, 7zz, rar, unrar
  ! reader:writes-here alike
  -p?, -t?, -m?, -x?, -i?, -v?, -y
  -o = write
  * = rw...

ar, cabextract
  ! reader:writes-here
  * = rw...

cpio
  ! reader:cpio
  -i --extract, -o --create, -p --pass-through, -t --list, -v --verbose, -d --make-directories, -m --preserve-modification-time, -u --unconditional
  -0 --null, -a --reset-access-time, -A --append, -L --dereference, -l --link, -n --numeric-uid-gid, -r --rename, -V --dot, --quiet, --to-stdout
  -H --format, -C --io-size, -M --message, -R --owner = value
  -E --pattern-file = read
  -F --file, -I, -O = rw
  --rsh-command = program
  -D --directory = chdir
  * if -p --pass-through = write
  * = value...

gzip, gunzip, bzip2, bunzip2, xz, unxz, zstd, unzstd, lz4, lzma, unlzma, compress, uncompress, pigz, brotli
  -#, -c --stdout --to-stdout, -d --decompress --uncompress, -f --force, -k --keep, -l --list, -n --no-name, -N --name, -q --quiet
  -r --recursive, -t --test, -v --verbose, -1 --fast, -9 --best, --rm
  -S --suffix, -T --threads = value
  -o --output, --output-dir-flat, --output-dir-mirror = write
  --files?, --files0?, --filelist = list-of-written
  -D, --patch-from = read
  * = beside...

zcat, bzcat, xzcat, zless, zmore, zdiff
  * = read...

mount, umount, losetup, mkfs, mkswap, fdisk, parted, wipefs, swapon, swapoff
  -t --types, -o --options, -L --label, -U --uuid = value
  * = rw...
"""
