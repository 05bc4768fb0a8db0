"""git and its subcommands."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
git
  ! sub reader:git
  -C = chdir
  -c = git-config
  --git-dir, --work-tree = rw
  --namespace, --attr-source, --list-cmds = value
  --config-env, --exec-path?, --super-prefix = refuse
  -p --paginate, -P --no-pager, --bare, --no-replace-objects, --no-lazy-fetch, --no-optional-locks, --no-advice, -v --version, -h --help
  --literal-pathspecs, --glob-pathspecs, --noglob-pathspecs, --icase-pathspecs, --html-path, --man-path, --info-path

git clone
  ! reader:git-clone
  -u --upload-pack = command-line
  -c --config = git-config
  --template = config
  --bundle-uri = url
  --reference, --reference-if-able = read
  --separate-git-dir = write
  -b --branch, -o --origin, --depth, --shallow-since, --shallow-exclude, --filter, -j --jobs, --server-option, --ref-format = value
  -l --local, -s --shared, -q --quiet, -v --verbose, -n --no-checkout, --bare, --mirror, --single-branch, --no-tags, --recursive
  --recurse-submodules?, --sparse, --progress, --no-single-branch, --dissociate, --no-hardlinks, --shallow-submodules
  * = git-remote write

git fetch, git pull, git ls-remote, git fetch-pack
  --upload-pack, --exec = command-line
  --depth, --deepen, --shallow-since, --shallow-exclude, -j --jobs, --refmap, -o --server-option, --filter, -s --strategy, -X --strategy-option = value
  -a --all, -q --quiet, -v --verbose, -p --prune, -P --prune-tags, -t --tags, -n --no-tags, -f --force, -k --keep, -u --update-head-ok, --ff-only
  --ff, --no-ff, --squash, --rebase?, -r, --no-rebase, --autostash, --dry-run, --atomic, --unshallow, --progress, --no-commit, --no-edit, -e --edit
  -h --heads, --refs, --symref, --get-url, --exit-code, --recurse-submodules?, --multiple, --append, --porcelain, --stat, -4 --ipv4, -6 --ipv6
  * = git-remote git-refspec...

git push, git send-pack
  ! alike
  --receive-pack, --exec = command-line
  -o --push-option, --recurse-submodules = value
  -f --force, --force-with-lease?, --force-if-includes, -d --delete, --all --branches, --mirror, --tags, --follow-tags, -u --set-upstream
  --prune, --dry-run, -n, -q --quiet, -v --verbose, --porcelain, --progress, --atomic, --no-verify, --thin, --no-thin, --signed?, -4 --ipv4, -6 --ipv6
  --repo = git-remote
  * if --repo = git-refspec...
  * = git-remote git-refspec...

git commit
  -m --message, --author, --date, -C --reuse-message, -c --reedit-message, --fixup, --squash, --cleanup, --trailer = value
  -F --file, -t --template, --pathspec-from-file = read
  -a --all, -p --patch, -s --signoff, -n --no-verify, -v --verbose, -q --quiet, -e --edit, -i --include, -o --only, --amend, --no-edit
  --allow-empty, --allow-empty-message, --dry-run, --short, --branch, --porcelain, --long, -z --null, --reset-author, --no-post-rewrite
  -S? --gpg-sign?, --no-gpg-sign, -u? --untracked-files?, --status, --no-status, --pathspec-file-nul, --no-signoff
  * = value...

git mv
  ! reader:into
  -f --force, -k, -n --dry-run, -v --verbose
  * = rw... into

git rm
  -f --force, -n --dry-run, -r, --cached, --ignore-unmatch, --sparse, -q --quiet, --pathspec-file-nul
  --pathspec-from-file = list-of-written
  * = git-written...

git restore
  -s --source, --conflict, -U --unified, --inter-hunk-context = value
  -p --patch, -W --worktree, -S --staged, -q --quiet, --progress, --no-progress, -2 --ours, -3 --theirs, -m --merge, --ignore-unmerged, --ignore-skip-worktree-bits
  --overlay, --no-overlay, --recurse-submodules?, --pathspec-file-nul
  --pathspec-from-file = list-of-written
  * = git-written...

git checkout
  ! reader:git-checkout
  -b, -B, --orphan, --conflict, -U --unified, --inter-hunk-context = value
  --pathspec-from-file = list-of-written
  -q --quiet, -f --force, -2 --ours, -3 --theirs, -p --patch, -t --track?, --no-track, -l, -d --detach, -m --merge, --guess, --no-guess, --progress
  --overwrite-ignore, --ignore-skip-worktree-bits, --ignore-other-worktrees, --recurse-submodules?, --overlay, --no-overlay, --pathspec-file-nul

git add, git reset, git switch, git clean, git stash, git branch, git tag, git merge, git revert, git cherry-pick, git status, git diff, git show, git log, git blame, git shortlog, git reflog, git describe, git rev-parse, git rev-list, git ls-files, git ls-tree, git cat-file, git whatchanged, git range-diff, git name-rev, git for-each-ref, git show-ref, git symbolic-ref, git merge-base, git diff-tree, git diff-index, git diff-files
  -m --message, -F --file, -b, -B, -c, -C, -n --max-count, -L, -S, -G, -s --source, --since, --until, --after, --before, --author = value
  --committer, --grep, --format, --pretty, --date, -e --exclude, --sort, --points-at, --contains, --merged, --strategy, -X --strategy-option = value
  -U --unified, -O, --diff-filter, --stat, --word-diff, --color, --abbrev, --encoding, --skip, --orphan, --conflict, -u --local-user = value
  --output, --output-directory = write
  --ext-diff, --textconv, -x, --patch-with-stat, --pathspec-from-file
  -q --quiet, -f --force, -d --delete --dir, -D, -v --verbose, -a --all, -p --patch, -r --remotes --recursive, -i --interactive, -t --track, --hard, --soft
  --mixed, --keep, --merge, --ours, --theirs, --staged --cached, --oneline, --graph, --name-only, --name-status, --numstat, --shortstat, -z, -w, -N, -A
  * = git-object...

git bisect
  ! sub

git rebase
  -x --exec = sh
  --onto, -s --strategy, -X --strategy-option, -C, --whitespace, --empty = value
  -i --interactive, --continue, --abort, --skip, --quit, --edit-todo, --root, --autosquash, --autostash, -f --force-rebase, -q --quiet, -v --verbose
  --keep-base, -n --no-stat, -r --rebase-merges?, --update-refs, --committer-date-is-author-date, --no-ff, --no-verify, --show-current-patch

git bisect run
  ! stop
  * = argv

git bisect start, git bisect good, git bisect bad, git bisect reset, git bisect log, git bisect skip, git bisect new, git bisect old
  * = value...

git submodule
  ! sub
  -q --quiet, --cached

git submodule foreach
  ! reader:git-foreach

git submodule add
  -b --branch, --name, --reference, --depth = value
  -f --force
  * = git-remote write

git submodule update, git submodule init, git submodule status, git submodule sync, git submodule deinit, git submodule summary
  -f --force, --init, --remote, --recursive, --merge, --rebase, -N --no-fetch, --checkout, --all, -j --jobs
  --depth, --reference = value
  * = value...

git grep
  -O? --open-files-in-pager? = git-pager
  -e, -m --max-count, -A --after-context, -B --before-context, -C --context, --max-depth, --threads = value
  -f = read
  -i --ignore-case, -n --line-number, -l --files-with-matches, -L, -c --count, -w --word-regexp, -v --invert-match, -E, -F, -P, -G, -r, -q, -a, -I, -h, -H, -z, -o, -W, -p
  --no-index, --untracked, --cached, --recurse-submodules, --no-recursive, --recursive, --no-exclude-standard, --exclude-standard
  * = perhaps...

git difftool, git mergetool
  -x --extcmd = sh
  -t --tool = refuse
  -y --no-prompt, -g --gui, -d --dir-diff, --symlinks, --tool-help, --trust-exit-code

git archive
  --remote = git-remote
  --exec = command-line
  -o --output = write
  --add-file = read
  --format, --prefix, --mtime, --add-virtual-file = value
  -v --verbose, -l --list, --worktree-attributes
  * = value...

git filter-branch, git filter-repo
  ! runs:sh
  --setup, --subdirectory-filter, --env-filter, --tree-filter, --index-filter, --parent-filter, --msg-filter, --commit-filter, --tag-name-filter = sh
  --blob-callback, --commit-callback, --message-callback, --filename-callback, --tag-callback, --refname-callback = code:python

git config
  --file, -f, --blob = rw
  --global, --system, --local, --worktree, --get, --get-all, --get-regexp, --unset, --unset-all, --add, --replace-all, -l --list, -e --edit
  --rename-section, --remove-section, --show-origin, --show-scope, --name-only, -z --null, --bool, --int, --path, --includes, --no-includes
  --type, --default, --comment, --value, --url = value
  * = value...

git remote
  ! sub
  -v --verbose

git remote add, git remote set-url
  -t, -m, --mirror? = value
  -f, --tags, --no-tags, --push, --add, --delete
  * = value git-remote value

git remote show, git remote remove, git remote rm, git remote rename, git remote get-url, git remote prune, git remote update
  -n, -p --prune, --push, --all, --dry-run
  * = value...

git init, git init-db
  ! reader:git-clone
  --template = config
  --separate-git-dir = write
  -b --initial-branch, --object-format, --ref-format = value
  -q --quiet, --bare, --shared?
  * = write

git worktree
  ! sub

git worktree add
  -b, -B, --reason = value
  -f --force, --detach, --checkout, --no-checkout, --lock, -q --quiet, --track, --orphan
  * = write value

git worktree *
  -f --force, -v --verbose, --porcelain, -z, -n --dry-run
  --reason, --expire = value
  * = rw...

git apply, git am
  ! reader:git-apply
  --directory, -p, -C, --whitespace, --exclude, --include, --patch-format = value
  --build-fake-ancestor = write
  --unsafe-paths, --numstat, --summary, -q --quiet, --resolved, --keep-cr, --no-keep-cr, -i --interactive, --abort, --quit, --show-current-patch?
  --check, --index, --cached, -3 --3way, -R --reverse, --reject, -v --verbose, --stat, --continue, --abort, --skip, -s --signoff, -k --keep
  * = read...

git bundle
  ! sub

git bundle create
  -q --quiet, --progress, --all-progress, --all-progress-implied, --version
  * = write value...

git bundle verify, git bundle unbundle, git bundle list-heads
  -q --quiet, --progress
  * = read value...

git format-patch
  ! reader:writes-here
  -o --output-directory, --output = write
  --signature-file, --description-file = read
  -n --numbered, -N --no-numbered, -s --signoff, --stdout, --cover-letter, -k --keep-subject, --no-binary, --zero-commit, -p --no-stat, --root, --thread?, --attach?
  --start-number, -v --reroll-count, --subject-prefix, --suffix, --base, --in-reply-to, --to, --cc, --from, --signature, --rfc, --max-count = value
  * = value...

git checkout-index
  --prefix = write
  -u --index, -q --quiet, -f --force, -a --all, -n --no-create, --temp, --stdin, -z, --stage
  * = git-written...

git merge-file
  -L, --marker-size = value
  -p --stdout, -q --quiet, --ours, --theirs, --union, --diff3, --zdiff3, --object-id
  * = rw read read

git fast-export
  --export-marks = write
  --import-marks, --import-marks-if-exists = read

git index-pack
  -o, --keep?, --promisor? = write
  * = rw...

git pack-objects
  * = beside...

git mailsplit
  -o = write
  -b, -d, -f, --keep-cr, --mboxrd
  * = read...

git mailinfo
  -k, -b, -u, -n, -m --message-id, --scissors, --no-scissors
  --encoding, --quoted-cr = value
  * = write...

git interpret-trailers
  ! runs:sh
  --where, --if-exists, --if-missing, --trailer = value
  --in-place, --trim-empty, --only-trailers, --only-input, --unfold, --parse, --no-divider, --divider
  * if --in-place = rw...
  * = read...

git read-tree
  --index-output = write
  --prefix, --exclude-per-directory = value
  -m, --reset, -u, -i, -n --dry-run, -v, -q --quiet, --trivial, --aggressive, --empty, --no-sparse-checkout, --recurse-submodules?
  * = value...

git credential-store
  --file = rw
  * = value...

git bugreport, git diagnose
  -o --output-directory = write
  -s --suffix, --mode, --diagnose = value

git send-email, git imap-send, git p4, git svn, git instaweb, git daemon, git web--browse, git hook, git fast-import, git credential, git credential-cache, git gui, git citool, git request-pull, git quiltimport, git cvsimport, git cvsserver, git cvsexportcommit, git upload-pack, git receive-pack, git http-backend, git for-each-repo, git maintenance, git merge-index, git lfs, git help
  ! runs:sh
"""
