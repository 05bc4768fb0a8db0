"""Programs that install packages, and run what is in them."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
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
  -C --prefix = chdir
  --pack-destination = write
  -w --workspace, --loglevel, --cache, --tag, --omit, --include = value
  --registry, --proxy, --https-proxy = url
  --script-shell, --shell, --node-options, --globalconfig, --userconfig, --git, --npm-path, --viewer, --editor = refuse
  -g --global, -D --save-dev, -E --save-exact, -O --save-optional, -s --silent, -q --quiet, -y --yes, -f --force, --dry-run
  --ignore-scripts, --if-present, -ws --workspaces, --legacy-peer-deps, --no-audit, --no-fund, --json, --production, -v --version

npm exec
  ! stop runs:node
  --no
  -p --package = value
  -c --call = sh
  * = argv@

npm explore
  ! runs:sh

npm run, pnpm run, yarn run
  ! sub

npm run *, pnpm run *, yarn run *
  ! runs:self
  * = value...

npm install, npm ci, npm publish, npm update, npm pack, npm link, npm view, npm install-ci-test, npm install-test, npm diff
  * = package...

npm init
  ! runs:node
  * = package...

npm config, npm token, npm access, npm audit, npm cache, npm version, npm dist-tag, npm ls, npm outdated, npm uninstall, npm owner, npm team, npm whoami, npm login, npm logout, npm adduser, npm bugs, npm completion, npm dedupe, npm deprecate, npm docs, npm doctor, npm explain, npm find-dupes, npm fund, npm get, npm help, npm help-search, npm hook, npm ll, npm org, npm ping, npm pkg, npm prefix, npm profile, npm prune, npm query, npm rebuild, npm repo, npm root, npm sbom, npm search, npm set, npm shrinkwrap, npm star, npm stars, npm undeprecate, npm unpublish, npm unstar, npm trust
  * = value...

npm edit
  ! runs:sh

npm test, npm start, npm stop, npm restart, pnpm test, pnpm t, pnpm start
  ! runs:self
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

pnpm install, pnpm i, pnpm add, pnpm update, pnpm up, pnpm link, pnpm publish, pnpm import, pnpm fetch
  * = package...

pnpm create, pnpm init
  ! runs:node
  * = package...

pnpm remove, pnpm rm, pnpm uninstall, pnpm un, pnpm list, pnpm ls, pnpm ll, pnpm why, pnpm outdated, pnpm audit, pnpm store, pnpm prune, pnpm rebuild, pnpm pack, pnpm config, pnpm setup, pnpm env, pnpm root, pnpm bin, pnpm licenses, pnpm patch, pnpm patch-commit, pnpm deploy, pnpm dedupe, pnpm doctor, pnpm help, pnpm server, pnpm unlink, pnpm view, pnpm info, pnpm login, pnpm logout, pnpm whoami, pnpm version
  * = value...

pnpm *
  ! runs:sh
  * = package...

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

yarn install, yarn add, yarn up, yarn upgrade, yarn link, yarn publish
  * = package...

yarn create, yarn init
  ! runs:node
  * = package...

yarn remove
  * = value...

yarn test, yarn start
  ! runs:self
  * = value...

pip, pip3
  ! sub alike
  -r --requirement, -c --constraint, -e --editable = remote
  --cert, --client-cert = read
  -i --index-url, --extra-index-url, -f --find-links, --proxy = url
  -t --target, --prefix, --root, --log, -d --dest, --cache-dir, --report, --src, -w --wheel-dir = write
  --no-binary, --only-binary, --platform, --python-version, --implementation, --abi, --upgrade-strategy = value
  --retries, --timeout, --exists-action, --trusted-host, --use-feature, --progress-bar, --no-build-isolation-for = value
  -q --quiet, -v --verbose, -U --upgrade, -y --yes, --user, --no-deps, --pre, --require-hashes, --no-input, --isolated, -V --version
  --python = program
  --global-option, --install-option, --config-settings, -C, --build-option = refuse

pip install, pip3 install, pip download, pip wheel, pip3 download, pip3 wheel
  ! alike
  * = package...

pip show, pip list, pip freeze, pip check, pip uninstall, pip3 show, pip3 list, pip3 freeze, pip3 check, pip3 uninstall, pip index
  ! alike
  * = value...

pip config, pip3 config
  ! alike
  --editor = program
  * = value...

uv
  ! sub
  -q --quiet, -v --verbose, --offline, -n --no-cache, --no-config, --no-progress, --native-tls
  --directory, --project = chdir
  --config-file = config
  --cache-dir = write

uv pip
  -t --target, --prefix, -o --output-file = write
  -r --requirement --requirements, -c --constraint --constraints, -e --editable = remote
  -i --index-url, --extra-index-url, -f --find-links, --index, --default-index = url
  * = package...

uv venv
  --python, -p, --prompt = value
  * = write...

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
"""
