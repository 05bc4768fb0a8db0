"""Programs that run code of a language: code on the command line is the author's, and the label says the language."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
sh, bash, dash, zsh, ksh, mksh, pdksh, ash, yash, posh, rksh, lksh, oksh, zsh5, osh
  ! reader:sh runs:sh

fish, csh, tcsh, elvish, nu, xonsh, pwsh, powershell, rc, es, ion
  ! stop runs:sh shell strict alike
  -l --login, -f, -i --interactive, -N --no-config, -NoProfile, -NonInteractive
  -c --command, -Command = hidden
  -File = script
  * = script value...

python, pypy, ipython, micropython, jython
  ! stop reader:python runs:python
  -b, -B, -d, -E, -h, -i, -I, -O, -OO, -P, -q, -s, -S, -u, -v, -V --version, -x, -R
  -W, -X, --check-hash-based-pycs = value
  * = code-file value...

node, nodejs
  ! stop runs:node attached alike
  -e --eval, -p --print, -pe = code:node
  -r --require, --import, --loader, --experimental-loader = code:node
  -C --conditions, --input-type, --stack-trace-limit = value
  -c --check, -i --interactive, -v --version, -h --help, --test, --watch, --no-warnings, --inspect?, --inspect-brk?
  --env-file, --env-file-if-exists = config
  * if -e --eval -p --print -pe = value...
  * = code-file value...

deno
  ! sub runs:node
  -q --quiet, -V --version, -h --help

deno eval
  -p --print, -T --ts, --ext?
  * = code:node value...

bun, tsx, ts-node, ts-node-esm, swc-node, esno, babel-node, zx, electron, qjs, d8, jsc, rhino, nashorn
  ! stop runs:node
  -e --eval, -p --print = code:node
  -r --require, --preload, --import = code:node
  * = code-file value...

nix-shell
  --run, --command = sh
  -p --packages, -E --expr = code:other

nix, nix-build, nix-env, tox, nox, pre-commit, direnv, mise, asdf, devbox, devenv, flox
  ! runs:self

perl
  ! stop runs:perl reader:edits
  -a, -c, -n, -p, -s, -S, -t, -T, -u, -U, -v, -V?, -w, -W, -X, -l?, -0?, -i?, -F?, -C?, -d?, -D?, -x?
  -e, -E = code:perl
  -I = read
  -m, -M = code:perl
  * if -e -E = magic-file...
  * = code-file value...

ruby, irb, jruby, mruby, truffleruby
  ! stop runs:ruby reader:edits
  -a, -c, -l, -n, -p, -s, -S, -v --version, -w, -W?, -y, -0?, -i?, -F?, -K?, -x?, -T?, -d --debug, --disable?, --enable?
  -e = code:ruby
  -I, -C = read
  -r = code:ruby
  -E --encoding = value
  * if -e = magic-file...
  * = code-file value...

php, hhvm
  ! stop runs:php
  -a --interactive, -i --info, -l --syntax-check, -m --modules, -n, -q, -s, -v --version, -w, -e
  -B --process-begin, -E --process-end, -r --run, -R --process-code = code:php
  -f --file, -F --process-file = code-file
  -t --docroot = read
  -S --server = value
  -c, -d --define, -z --zend-extension = config
  * if -r -B -R -E -f -F = value...
  * = code-file value...

lua, luajit, texlua, rscript, Rscript, R, julia, octave, matlab, gnuplot, maxima, sage, scala, groovy, jshell, kotlin, clojure, bb
  ! stop runs:self
  -e --eval, -E, -r, --execute, -p --print = code:other
  * if -e --eval -E -r --execute = value...
  * = code-file value...

ghc, runghc, ghci, stack, cabal, ocaml, erl, escript, elixir, iex, mix, sbcl, clisp, guile, racket, gsi, emacs, emacsclient, tclsh, wish, swipl, gst, gforth, osascript, java, dotnet, mono, cargo, swift, zig, nim, crystal, dart, flutter
  ! runs:self
  -e --eval, -x --execute = code:other

go
  ! runs:self single
  -C = chdir
  -o, -coverprofile, -cpuprofile, -memprofile, -blockprofile, -mutexprofile, -trace, -outputdir, -pkgdir = write
  -modfile, -overlay = read
  -exec, -toolexec, -vettool, -linkshared = command-line

rustup
  ! sub runs:self
  -v --verbose, -q --quiet

rustup run
  ! stop runs:self
  --install
  * = value argv@

rustup *
  ! runs:self

make, gmake, bmake, remake, mingw32-make
  ! reader:make runs:self
  -C --directory = chdir
  -f --file --makefile, -I --include-dir = code-file
  -E --eval = code:other
  -o --old-file --assume-old, -W --what-if --new-file --assume-new = value
  -j? --jobs?, -l? --load-average?, -O? --output-sync?, --debug?
  -b, -B --always-make, -d, -e --environment-overrides, -i --ignore-errors, -k --keep-going, -L, -n --just-print --dry-run --recon
  -m, -p --print-data-base, -q --question, -r --no-builtin-rules, -R, -s --silent --quiet, -S, -t --touch, -v, -w --print-directory
  * = value...

ninja, meson, ctest, just, task, rake, gradle, gradlew, mvn, mvnw, ant, sbt, lein, bazel, bazelisk, buck, buck2, scons, waf, invoke, fab, doit, snakemake, nextflow, grunt, gulp, turbo, nx, lerna, vagrant, packer, ansible, ansible-playbook, salt, puppet, chef-client, pulumi, cdk, serverless
  ! runs:self

cmake
  ! runs:self reader:cmake

terraform, tofu, terragrunt
  ! runs:self single alike
  -chdir = chdir
  -out, -state-out, -backup, -generate-config-out, -plugin-dir, -log-path = write
  -var-file, -state, -backend-config = read
  -from-module = package
  -var, -target, -replace, -parallelism, -lock-timeout = value

pytest, py.test
  ! alike
  -o --override-ini, -p, -k, -m, -n --numprocesses, -W --pythonwarnings, -r, --tb, --durations, --maxfail, --cov, --timeout, --color, --ignore = value
  -c --config-file, --rootdir, --confcutdir = read
  --junitxml --junit-xml, --basetemp, --log-file, --report-log, --html, --debug? = write
  -q --quiet, -v --verbose, -x --exitfirst, -s, -l --showlocals, --lf --last-failed, --ff --failed-first, --pdb, --co --collect-only, -h --help
  * = perhaps...

gcc, g++, cc, c++, clang, clang++
  ! runs:self alike
  -wrapper = refuse

ld, as, cpp, rustc, javac, tsc, m4, latex, pdflatex, xelatex, lualatex, tex, luatex, gs, ghostscript
  ! runs:self

vim, vi, view, rvim, rview, gvim, vimdiff, gview, evim, eview
  ! reader:editor flag:+ runs:self alike
  -c --cmd = editor-command
  -S, -s, -u, -U, --listen, --server = script
  -w, -W, --startuptime = write
  -i, -r = rw
  -q = read
  -V? = verbose-file
  -e, -E = +shell
  -o?, -O?, -p?, -d, -n, -R, -m, -M, -b, -l, -N, -Z, -y, -v, -x, -X, -C, -L, --clean, --noplugin, --not-a-term, --serverlist
  -t, -T, --servername = value
  --remote-send, --remote-expr = hidden
  --remote, --remote-silent, --remote-wait, --remote-tab = edited
  * = edited...

nvim
  ! reader:editor flag:+ runs:self
  -c --cmd = editor-command
  -l, -S, -s, -u, -U, --listen, --server = script
  -w, -W, --startuptime = write
  -i, -r = rw
  -q = read
  -V? = verbose-file
  -e, -E, -es, -Es, --embed = +shell
  -o?, -O?, -p?, -d, -n, -R, -m, -M, -b, -N, -Z, -y, -v, -x, -X, -C, -L, --clean, --noplugin, --headless
  -t, -T = value
  --remote-send, --remote-expr = hidden
  --remote, --remote-silent, --remote-wait, --remote-tab = edited
  * = edited...

ex, ed, red
  ! reader:editor flag:+ runs:self runs:sh
  -c --cmd, -p --prompt = editor-command
  -s --quiet, -e, -E, -R, -n, -v, -G --traditional, -r, -V?
  * = edited...

nano, pico, rnano
  ! reader:editor flag:+ runs:self
  -s --speller = program
  -f --rcfile = config
  -C --backupdir = write
  -o --operatingdir = read
  -r --fill, -T --tabsize, -Q --quotestr, -X --wordchars, -Y --syntax, -J --guidestripe = value
  -B --backup, -l --linenumbers, -v --view, -w --nowrap, -x --nohelp, -i --autoindent, -m --mouse, -R --restricted, -S --softwrap, -I --ignorercfiles
  * = edited...

micro, kak, kakoune, helix, hx, joe, jed, mg, ne, mcedit, dit, amp, code, subl, gedit, kate
  ! runs:self flag:+
  * = edited...

less, more, most, pg, lv
  ! reader:editor flag:+
  -o, -O, --log-file, --LOG-FILE = write
  -k --lesskey-file, --lesskey-src, --lesskey-content = config
  --cmd = editor-command
  -T --tag-file = read
  -t --tag, -p --pattern, -P --prompt, -x --tabs, -y --max-forw-scroll, -z --window, -b --buffers, -h, -j, -D = value
  * = read...

man, apropos, whatis, mandb
  -P --pager, --preprocessor = sh
  -H? --html? = sh
  -C --config-file = config
  -l --local-file = read
  -k --apropos, -f --whatis, -a --all, -w --where --path, -W, -K --global-apropos, -7, -d --debug, -i, -I, -c, -u, -q, -Z, -t, -X
  -L --locale, -m --systems, -M --manpath, -s -S --sections, -e --extension, -E --encoding, -r --prompt, -R --recode, -p, -T = value
  * if -l --local-file = read...
  * = perhaps...

sqlite3, sqlite, duckdb
  ! runs:self single alike
  -cmd --cmd, -c, -s = code:sql
  -init --init = script
  -A --A = rw
  -separator, -newline, -nullvalue, -vfs, -mmap, -lookaside, -maxsize, -pagecache = value
  -bail, -batch, -box, -column, -csv, -echo, -header, -noheader, -html, -interactive, -json, -line, -list, -markdown, -quote, -readonly, -safe, -table, -version
  * = rw code:sql...
"""
