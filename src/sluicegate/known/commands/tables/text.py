"""Programs about text, and small ones that do no harm."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
echo, true, false, yes, pwd, whoami, id, uname, hostname, sleep, nproc, tty, arch, logname, groups, users, uptime, getconf
  ! inert
  * = value...

test, [
  ! inert plain
  * = value...

printf, seq, factor, expr, numfmt, cal, ncal, date, printenv, locale, tput, clear, reset, stty, kill, pkill, killall, pgrep, pidof, ps, top, free
  -d --date, -s --set, -f --format, -u --user, -o, -p --pid, -C, -t, -n, --signal = value
  -r --reference, --file = read
  * = value...

grep, egrep, fgrep, zgrep, bzgrep, xzgrep
  ! alike reader:searches
  -E --extended-regexp, -F --fixed-strings, -G --basic-regexp, -P --perl-regexp, -i --ignore-case, -v --invert-match, -w --word-regexp
  -x --line-regexp, -c --count, -l --files-with-matches, -L --files-without-match, -o --only-matching, -q --quiet --silent, -s --no-messages
  -b --byte-offset, -H --with-filename, -h --no-filename, -n --line-number, -T --initial-tab, -Z --null, -a --text, -I, -r --recursive
  -R --dereference-recursive, -U --binary, -z --null-data, -y, -u --unix-byte-offsets, -V --version, --line-buffered, --color?, --colour?
  -#, --no-ignore-case
  -e --regexp, -m --max-count, -A --after-context, -B --before-context, -C --context, --label, --binary-files, -D --devices = value
  -d --directories, --exclude, --exclude-dir, --include, --group-separator = value
  -f --file, --exclude-from = read
  * if -e --regexp -f --file = read...
  * = value read...

rg
  ! reader:searches
  -e --regexp, -A --after-context, -B --before-context, -C --context, -d --max-depth, -E --encoding, -g --glob, --iglob, -j --threads = value
  -m --max-count, -M --max-columns, -r --replace, -t --type, -T --type-not, --type-add, --sort, --sortr, --color, --colors, --engine = value
  --context-separator, --field-context-separator, --field-match-separator, --path-separator, --max-filesize, --dfa-size-limit = value
  -f --file, --ignore-file = read
  --pre, --hostname-bin = program
  --pre-glob = value
  -a --text, -c --count, -F --fixed-strings, -H --with-filename, -i --ignore-case, -I --no-filename, -l --files-with-matches, -L --follow
  -n --line-number, -N --no-line-number, -o --only-matching, -p --pretty, -P --pcre2, -q --quiet, -s --case-sensitive, -S --smart-case
  -u --unrestricted, -U --multiline, -v --invert-match, -V --version, -w --word-regexp, -x --line-regexp, -z --search-zip, -0 --null, -. --hidden
  --files, --json, --stats, --vimgrep, --no-ignore, --heading, --no-heading, --files-without-match, --count-matches, --column, --trim
  * if -e --regexp -f --file --files = read...
  * = value read...

ugrep
  ! reader:searches
  --pager = sh
  --filter, --view? = hidden
  --config? = config
  --save-config?, --tee = write
  -e --regexp, -A --after-context, -B --before-context, -C --context, -m --max-count, -g --glob, -t --file-type, -J --jobs, -M --file-magic = value
  -f --file, --ignore-files?, --include-from, --exclude-from, --from = read
  * if -e --regexp -f --file = read...
  * = value read...

ag, ack
  ! reader:searches
  --pager = sh
  --ackrc = config
  --output = write
  -f --file, --ignore-file = read
  * = value read...

awk, gawk, mawk, nawk, original-awk, bwk
  ! stop alike
  -F --field-separator, -v --assign = value
  -f --file, -i --include, -l --load, -E --exec = filter-file
  -W = refuse
  -e --source = awk
  -D --debug = +shell
  -o? --pretty-print?, -p? --profile?, -d? --dump-variables? = write
  -b --characters-as-bytes, -c --traditional, -C --copyright, -h --help, -M --bignum, -n --non-decimal-data, -N --use-lc-numeric, -O --optimize
  -P --posix, -r --re-interval, -s --no-optimize, -S --sandbox, -t --lint-old, -V --version, -g --gen-pot, -L? --lint?, -I --trace, -k --csv
  * if -f --file -E --exec -e --source = read...
  * = awk read...

sed, gsed
  ! alike reader:in-place
  -n --quiet --silent, -E -r --regexp-extended, -s --separate, -u --unbuffered, -z --null-data, --posix, --debug, --sandbox, --follow-symlinks
  -l --line-length = value
  -e --expression = sed
  -f --file = filter-file
  -i? --in-place?
  * if -e --expression -f --file = read...
  * = sed read...

sort
  -b --ignore-leading-blanks, -d --dictionary-order, -f --ignore-case, -g --general-numeric-sort, -i --ignore-nonprinting, -M --month-sort
  -h --human-numeric-sort, -n --numeric-sort, -R --random-sort, -r --reverse, -V --version-sort, -c --check?, -C, -m --merge, -s --stable
  -u --unique, -z --zero-terminated
  -k --key, -t --field-separator, -S --buffer-size, --sort, --parallel, --batch-size = value
  --random-source = read
  --files0-from = list-of-files
  -T --temporary-directory, -o --output = write
  --compress-program = program
  * = read...

uniq
  -c --count, -d --repeated, -D, -i --ignore-case, -u --unique, -z --zero-terminated, --all-repeated?, --group?
  -f --skip-fields, -s --skip-chars, -w --check-chars = value
  * = read write

cut
  -n, -s --only-delimited, -z --zero-terminated, --complement
  -b --bytes, -c --characters, -d --delimiter, -f --fields, --output-delimiter = value
  * = read...

xxd
  -a -autoskip, -b -bits, -e, -E -EBCDIC, -i -include, -p -ps -plain -postscript, -r -revert, -u -upper, -h -help, -d, -C -capitalize, -v -version
  -c -cols, -g -groupsize, -l -len, -n -name, -o -offset, -s -seek, -R = value
  * = read write

paste, join, fold, fmt, column, expand, unexpand, rev, od, hexdump, iconv, tsort, shuf, pr, look
  -o --output = write
  * = read...

base64, base32, basenc
  ! alike
  -d -D --decode, -i --ignore-garbage, --base64, --base64url, --base32, --base32hex, --base16, --base2msbf, --base2lsbf, --z85
  -w --wrap = value
  * = read...

tr
  -c -C --complement, -d --delete, -s --squeeze-repeats, -t --truncate-set1
  * = value...

jq, gojq, jaq
  ! alike
  -n --null-input, -r --raw-output, -c --compact-output, -s --slurp, -R --raw-input, -e --exit-status, -S --sort-keys, -C --color-output
  -M --monochrome-output, -a --ascii-output, -j --join-output, --tab, --stream, --seq, -h --help, -V --version, --raw-output0, --unbuffered
  --arg, --argjson = value value
  --slurpfile, --rawfile = value read
  --indent = value
  -f --from-file, -L --library-path = read
  --args, --jsonargs
  * if -f --from-file = read...
  * = code:jq read...

yq, xq, tomlq
  ! reader:yq alike
  -i --inplace --in-place, -n --null-input, -P --prettyPrint, -r --unwrapScalar --raw-output, -j --tojson, -C --colors, -M --no-colors, -e --exit-status
  -N --no-doc, -v --verbose, -y --yaml-output, -Y, -x --xml-output, -c --compact-output, -S --sort-keys
  -o --output-format, -p --input-format, -I --indent, -w --width, --xml-root, --arg = value
  -s --split-exp, --split-exp-file = split
  -f --from-file, --expression-file = read
  * = value...

dasel, htmlq
  -f --file, -i --in = rw
  -o --out --output = write
  * = value...

xmllint
  ! single
  -output --output = write
  -shell --shell = +shell
  -noent --noent, -xinclude --xinclude, -load-trace --load-trace, -valid --valid, -postvalid --postvalid, -loaddtd --loaddtd, -dtdattr --dtdattr = +anything
  -path --path, -dtdvalid --dtdvalid, -schema --schema, -relaxng --relaxng, -schematron --schematron, -catalogs --catalogs = read
  -noout --noout, -format --format, -nonet --nonet, -html --html, -recover --recover, -huge --huge, -nowarning --nowarning, -c14n --c14n
  -xpath --xpath, -encode --encode, -pattern --pattern, -maxmem --maxmem, -pretty --pretty, -dtdvalidfpi --dtdvalidfpi = value
  * = read...

mlr
  ! runs:self runs:sh
  --prepipe, --prepipex, --load, --mload = sh
  --from = read
  * = value rw...

fzf, sk, peco, dialog, whiptail
  --preview, --execute = sh
  --bind = hidden
"""
