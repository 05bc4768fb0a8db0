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

npx
  ! stop runs:node
  -y --yes, --no, --no-install, -q --quiet, --ignore-existing, --prefer-offline, --offline, --silent
  -p --package, -w --workspace, --cache = value
  -c --call = sh
  --registry = url
  * = argv@

bunx
  ! stop runs:node
  --bun, --silent, --verbose
  -p --package = value
  * = argv@

pnpx
  ! stop runs:node
  --package = value
  * = argv@

npm
  ! sub
  --prefix = chdir
  -w --workspace, --loglevel, --cache, --tag, --omit, --include = value
  --registry, --proxy, --https-proxy = url
  --script-shell, --shell, --node-options, --globalconfig, --userconfig, --git, --npm-path, --viewer, --editor = refuse
  -g --global, -D --save-dev, -E --save-exact, -O --save-optional, -s --silent, -q --quiet, -y --yes, -f --force, --dry-run
  --ignore-scripts, --if-present, -ws --workspaces, --legacy-peer-deps, --no-audit, --no-fund, --json, --production, -v --version

npm exec, npm x
  ! stop runs:node alike
  --no
  -p --package = value
  -c --call = sh
  * = argv@

npm explore
  ! runs:sh

npm run, npm run-script, pnpm run, yarn run
  ! sub

npm run *, npm run-script *, pnpm run *, yarn run *
  * = value...

npm install, npm i, npm ci, npm publish, npm config, npm token, npm access, npm audit, npm cache, npm version, npm dist-tag, npm view, npm ls, npm outdated, npm update, npm uninstall, npm pack, npm init, npm link, npm owner, npm team, npm whoami, npm login, npm logout
  * = value...

npm test, npm start, npm install-test
  * = value...

pnpm
  ! sub
  -C --dir = chdir
  --filter, -F, --loglevel = value
  -w --workspace-root, -r --recursive, -s --silent

pnpm exec
  ! stop runs:node
  -c --shell-mode = +shell
  --parallel, --no-bail
  * = argv@

pnpm dlx
  ! stop runs:node
  --package = value
  * = argv@

pnpm install, pnpm add, pnpm remove, pnpm test
  * = value...

yarn
  ! sub
  --cwd = chdir
  -s --silent

yarn exec
  ! stop runs:node
  * = argv@

yarn dlx
  ! stop runs:node
  -q --quiet
  -p --package = value
  * = argv@

yarn install, yarn add, yarn remove, yarn test
  * = value...

pip, pip3
  ! sub alike
  -r --requirement, -c --constraint, --cert, --client-cert = read
  -i --index-url, --extra-index-url, -f --find-links, --proxy = url
  -t --target, --prefix, --root, --log, -d --dest, --cache-dir, --report, --src = write
  -e --editable, --no-binary, --only-binary, --platform, --python-version, --implementation, --abi, --upgrade-strategy = value
  --retries, --timeout, --exists-action, --trusted-host, --use-feature, --progress-bar, --no-build-isolation-for = value
  -q --quiet, -v --verbose, -U --upgrade, -y --yes, --user, --no-deps, --pre, --require-hashes, --no-input, --isolated, -V --version
  --python = program
  --global-option, --install-option, --config-settings, -C, --build-option = refuse

pip install, pip3 install, pip download, pip wheel, pip3 download, pip3 wheel
  ! alike
  * = remote...

pip show, pip list, pip freeze, pip check, pip uninstall, pip3 show, pip3 list, pip3 freeze, pip3 check, pip3 uninstall, pip index
  ! alike
  * = value...

uv
  ! sub
  -q --quiet, -v --verbose, --offline, -n --no-cache, --no-config, --no-progress, --native-tls
  --directory, --project = chdir
  --config-file = config
  --cache-dir = write

uv run
  ! stop runs:python
  --no-sync, --frozen, --isolated, --locked, --no-project, --no-dev, --all-extras, --no-editable, -m --module, -s --script
  --with, --extra, --group, --package, -p --python = value
  --with-requirements, --env-file, --with-editable = config
  * = argv@

uvx, uv tool run
  ! stop runs:python alike
  -q --quiet, -v --verbose, --offline, -n --no-cache, --isolated
  --from, --with, -p --python = value
  * = argv@

uv tool, pipx, poetry, hatch, pdm, rye, pipenv, conda, mamba, micromamba, pixi, bundle
  ! sub
  -q --quiet, -v --verbose

pipx run
  ! stop runs:python
  --no-cache, --verbose, --pypackages
  --spec, --python, --with = value
  * = argv@

conda run, mamba run, micromamba run
  ! stop runs:python alike
  -n --name, -p --prefix = value
  --no-capture-output, --live-stream, -v --verbose
  --cwd = chdir
  * = argv@

pipenv run, poetry run, pdm run, rye run, pixi run, bundle exec
  ! stop runs:python alike
  * = argv@

hatch run
  ! stop runs:sh
  * = argv-sh@

nix-shell
  --run, --command = sh
  -p --packages, -E --expr = code:other

nix, nix-build, nix-env, tox, nox, pre-commit, direnv, mise, asdf, devbox, devenv, flox
  ! runs:self

perl
  ! stop runs:perl
  -a, -c, -n, -p, -s, -S, -t, -T, -u, -U, -v, -V?, -w, -W, -X, -l?, -0?, -i?, -F?, -C?, -d?, -D?, -x?
  -e, -E = code:perl
  -I = read
  -m, -M = code:perl
  * if -e -E = magic-file...
  * = code-file value...

ruby, irb, jruby, mruby, truffleruby
  ! stop runs:ruby
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

ghc, runghc, ghci, stack, cabal, ocaml, erl, escript, elixir, iex, mix, sbcl, clisp, guile, racket, gsi, emacs, emacsclient, tclsh, wish, swipl, gst, gforth, osascript, java, dotnet, mono, go, cargo, rustup, swift, zig, nim, crystal, dart, flutter
  ! runs:self
  -e --eval, -x --execute = code:other

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

ninja, meson, cmake, ctest, just, task, rake, gradle, gradlew, mvn, mvnw, ant, sbt, lein, bazel, bazelisk, buck, buck2, scons, waf, invoke, fab, doit, snakemake, nextflow, grunt, gulp, turbo, nx, lerna, vagrant, packer, ansible, ansible-playbook, salt, puppet, chef-client, terraform, tofu, pulumi, cdk, serverless
  ! runs:self

gcc, g++, cc, c++, clang, clang++, ld, as, cpp, rustc, javac, tsc, m4, latex, pdflatex, xelatex, lualatex, tex, luatex, gs, ghostscript
  ! runs:self

vim, vi, nvim, ex, view, rvim, rview, gvim, vimdiff, gview, evim, eview
  ! reader:editor flag:+ runs:self alike
  -c --cmd = editor-command
  -S, -s, -u, -U, -i, --startuptime, --listen, --server = script
  -w, -W = write
  -o?, -O?, -p?, -d, -e, -E, -n, -R, -m, -M, -b, -l, -N, -V?, -Z, -y, -v, -x, -X, -C, -t = value
  --remote, --remote-send, --remote-expr, --serverlist, --servername, -q, -T, -L, -r = value
  * = edited...

nano, pico, micro, kak, kakoune, helix, hx, joe, jed, mg, ne, ed, red, mcedit, dit, amp, code, subl, gedit, kate
  ! runs:self flag:+
  * = edited...

less, more, most, pg, lv, w3m, lynx, links, elinks
  ! reader:editor flag:+
  -o, -O, --log-file, --LOG-FILE = write
  -k --lesskey-file, --lesskey-src, --lesskey-content, -cfg, -cfg? = config
  -t --tag, -T --tag-file, -p --pattern, -P --prompt, -x --tabs, -y --max-forw-scroll, -z --window, -b --buffers, -h, -j, -D = value
  * = read...

man, apropos, whatis, mandb
  -P --pager, -H --html, --preprocessor = sh
  -C --config-file = config
  -l --local-file = read
  -k --apropos, -f --whatis, -a --all, -w --where --path, -W, -K --global-apropos, -7, -d --debug, -i, -I, -c, -u, -q, -Z, -t, -X
  -L --locale, -m --systems, -M --manpath, -s -S --sections, -e --extension, -E --encoding, -r --prompt, -R --recode, -p, -T = value
  * if -l --local-file = read...
  * = value...

psql, pgcli
  ! runs:self
  -c --command = code:sql
  -f --file = script
  -h --host = host
  -p --port, -U --username, -d --dbname, -v --set --variable, -F --field-separator, -P --pset, -R --record-separator = value
  -o --output, -L --log-file = write
  -A --no-align, -a --echo-all, -b, -E, -e, -H --html, -l --list, -n, -q --quiet, -s, -S, -t --tuples-only, -w, -W, -x --expanded, -X --no-psqlrc, -z, -0, -1
  * = value...

mysql, mariadb, sqlite3, sqlite, duckdb, redis-cli, mongosh, mongo, clickhouse, cqlsh, sqlcmd, isql, usql, mycli
  ! runs:self
  -e --execute, -c --command, --eval, -q --query, -cmd --cmd = code:sql
  -f --file, -init --init-command = script
  -h --host = host
  -P --port, -u -U --user, -d --database, -v --set --variable, -p = value
"""
