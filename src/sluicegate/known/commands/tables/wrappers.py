"""Programs that run another program: what stands before it, and where it begins."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
env
  ! stop reader:env
  -i --ignore-environment, -0 --null, -v --debug, --list-signal-handling, -
  -u --unset, -a --argv0 = value
  -C --chdir = chdir
  --block-signal?, --default-signal?, --ignore-signal?
  * = assign... argv

nice
  ! stop
  -n --adjustment = value
  -#
  * = argv

setsid
  ! stop
  -c --ctty, -f --fork, -w --wait
  * = argv

unbuffer
  ! stop
  -p
  * = argv

xvfb-run
  ! stop
  -a --auto-servernum, -l --listen-tcp
  -e --error-file, -f --auth-file = write
  -n --server-num, -p --xauth-protocol, -s --server-args, -w --wait = value
  * = argv

fakeroot
  ! stop shell
  * = argv

run-one, run-this-one, keep-one-running, run-one-constantly, run-one-until-success, run-one-until-failure
  ! stop alike
  * = argv

chronic, ifne
  ! stop alike
  -e, -v, -n
  * = argv

logsave
  ! stop
  -a, -s, -v
  * = write argv

runcon
  ! stop
  -c --compute
  -t --type, -u --user, -r --role, -l --range = value
  * = value argv

envdir
  ! stop
  * = rw argv

softlimit
  ! stop
  -a, -c, -d, -f, -l, -m, -o, -p, -r, -s, -t = value
  * = argv

tini, dumb-init, catatonit
  ! stop alike
  -s, -v, -vv, -vvv, -w, -g, -c --single-child
  -p, -e, -r --rewrite = value
  * = argv

podman unshare, buildah unshare
  ! stop alike
  --rootless-netns
  * = argv

ip
  ! reader:ip

nohup, dbus-run-session, catchsegv, proxychains, proxychains4, torsocks, torify, rlwrap, eatmydata, ccache, distcc
  ! stop alike
  * = argv

time, gtime, command
  ! stop alike
  -p --portability, -v --verbose, -q --quiet, -a --append, -l
  -f --format = value
  -o --output = write
  * = argv

timeout
  ! stop
  -k --kill-after, -s --signal = value
  -v --verbose, -p --foreground --preserve-status, -f
  * = value argv

stdbuf
  ! stop
  -i --input, -o --output, -e --error = value
  * = argv

ionice
  ! stop
  -c --class, -n --classdata, -p --pid, -P --pgid, -u --uid = value
  -t --ignore
  * = argv

chrt
  ! stop
  -b --batch, -d --deadline, -f --fifo, -i --idle, -o --other, -r --rr, -R --reset-on-fork, -a --all-tasks, -v --verbose
  -T --sched-runtime, -P --sched-period, -D --sched-deadline, -p --pid = value
  * = value argv

taskset
  ! stop
  -a --all-tasks, -c --cpu-list
  * = value argv

numactl
  ! stop
  -i --interleave, -m --membind, -N --cpunodebind, -C --physcpubind, -p --preferred, -w --weighted-interleave = value
  -l --localalloc, -a --all, -b --balancing
  * = argv

choom
  ! stop
  -p --pid, -n --adjust = value
  * = argv

prlimit
  ! stop
  -p --pid, -o --output = value
  --noheadings, --raw, --verbose
  -n?
  -c? --core?, -d? --data?, -e? --nice?, -f? --fsize?, -i? --sigpending?, -l? --memlock?, -m? --rss?, --nofile?
  -q? --msgqueue?, -r? --rtprio?, -s? --stack?, -t? --cpu?, -u? --nproc?, -v? --as?, -x? --locks?, -y? --rttime?
  * = argv

linux32, linux64, i386, i486, i586, i686, x86_64, uname26
  ! stop shell alike
  -B --32bit, -F --fdpic-funcptrs, -I --short-inode, -L --addr-compat-layout, -R --addr-no-randomize
  -S --whole-seconds, -T --sticky-timeouts, -X --read-implies-exec, -Z --mmap-page-zero, -3 --3gb, --4gb, -v --verbose
  * = argv

setarch
  ! stop shell reader:setarch
  -B --32bit, -F --fdpic-funcptrs, -I --short-inode, -L --addr-compat-layout, -R --addr-no-randomize
  -S --whole-seconds, -T --sticky-timeouts, -X --read-implies-exec, -Z --mmap-page-zero, -3 --3gb, --4gb, -v --verbose
  * = argv

flock
  ! stop
  -s --shared, -x -e --exclusive, -u --unlock, -n --nb --nonblock, -o --close, -F --no-fork, --verbose
  -w --wait --timeout, -E --conflict-exit-code = value
  -c --command = sh
  * = write argv-c

xargs
  ! reader:xargs
  -0 --null, -o --open-tty, -p --interactive, -r --no-run-if-empty, -t --verbose, -x --exit, --show-limits
  -a --arg-file = read
  -d --delimiter, -E, -I, -J, -L, -n --max-args, -P --max-procs, -s --max-chars, -R, -S = value
  --process-slot-var = exports
  -e? --eof?, -i? --replace?, -l? --max-lines?

find
  ! single plain reader:find

fd, fdfind
  ! reader:fd
  -H --hidden, -I --no-ignore, -u --unrestricted, -s --case-sensitive, -i --ignore-case, -g --glob, -F --fixed-strings
  -a --absolute-path, -l --list-details, -L --follow, -p --full-path, -0 --print0, -1, -q --quiet, --prune, --one-file-system
  -d --max-depth, --min-depth, --exact-depth, -E --exclude, -t --type, -e --extension, -S --size, -o --owner = value
  --changed-within, --changed-before, -c --color, -j --threads, --max-results, --and, --format, --batch-size = value
  --ignore-file = read
  -C --base-directory = chdir
  --search-path = read
  * = value read...

tmux
  ! sub runs:sh
  -2, -C, -D, -l, -N, -u, -U, -v, -V
  -c = sh
  -f = refuse
  -L, -T = value
  -S = rw

tmux new-session, tmux new, tmux new-window, tmux neww, tmux split-window, tmux splitw, tmux respawn-pane, tmux respawnp, tmux respawn-window, tmux respawnw, tmux display-popup, tmux popup, tmux pipe-pane, tmux pipep
  ! stop runs:sh alike
  -A, -a, -b, -d, -D, -E, -f, -h, -I, -k, -O, -o, -P, -S, -v, -X, -Z, -B, -C, -N
  -F, -l, -n, -p, -s, -t, -w, -x, -y, -T = value
  -c = chdir
  -e = assign
  * = argv-sh

tmux run-shell, tmux run, tmux if-shell, tmux if
  ! stop runs:sh alike
  -b, -C, -F
  -d, -t, -c = value
  * = sh sh sh

screen
  ! stop single runs:sh
  -A, -a, -d, -D, -dm, -i, -L, -ls, -list, -m, -O, -q, -Q, -r, -R, -RR, -U, -v, -wipe, -x
  -S -dmS -dRS, -t, -p, -T, -h, -e, -Logfile = value
  -c = refuse
  * = argv

sluicegate
  ! sub

sluicegate run
  ! runs:other
  -p --policy = read
  * = code-file

parallel, sem, parset, env_parallel
  ! reader:parallel

sudo
  ! stop
  -A --askpass, -b --background, -B --bell, -E --preserve-env?, -H --set-home, -k --reset-timestamp
  -K --remove-timestamp, -l --list, -n --non-interactive, -N --no-update, -P --preserve-groups, -S --stdin, -v --validate
  -C --close-from, -g --group, -h --host, -p --prompt, -r --role, -t --type, -T --command-timeout, -U --other-user = value
  -u --user = value
  -D --chdir = chdir
  -i --login, -s --shell = +shell
  -e --edit, -R --chroot = refuse
  * = assign... argv

doas
  ! stop
  -n, -L
  -u = value
  -s = +shell
  -C = refuse
  * = argv

pkexec
  ! stop
  --disable-internal-agent, --keep-cwd
  --user = value
  * = argv

gosu, su-exec, setuidgid, envuidgid
  ! stop alike
  * = value argv

chpst
  ! stop
  * = argv

su
  ! reader:su
  -c --command, --session-command = sh
  -s --shell = program
  -l --login, -m -p --preserve-environment, -f --fast, -P --pty, -T --no-pty, -
  -g --group, -G --supp-group, -w --whitelist-environment = value
  * = value

runuser
  ! reader:su
  -u --user, -g --group, -G --supp-group, -w --whitelist-environment = value
  -l --login, -m -p --preserve-environment, -f --fast, -P --pty, -T --no-pty, -
  -c --command, --session-command = sh
  -s --shell = program
  * = value

sg
  ! stop shell
  -
  * = value argv-line

newgrp
  ! runs:sh

setpriv
  ! stop
  --reuid, --regid, --ruid, --euid, --rgid, --egid, --groups, --inh-caps, --ambient-caps, --bounding-set, --securebits = value
  --pdeathsig, --ptracer, --selinux-label, --apparmor-profile, --landlock-access, --landlock-rule = value
  --clear-groups, --keep-groups, --init-groups, --no-new-privs --nnp, --reset-env, -d --dump
  * = argv

capsh
  ! runs:sh
  --user, --uid, --gid = value

chroot
  ! stop shell
  --groups, --userspec = value
  --skip-chdir
  * = read argv@

unshare
  ! stop shell
  -c --map-current-user, -r --map-root-user, -f --fork, --keep-caps, -#, --map-auto, --forward-signals
  -i? --ipc?, -m? --mount?, -n? --net?, -p? --pid?, -u? --uts?, -U? --user?, -C? --cgroup?, -T? --time?
  --map-user, --map-group, --map-users, --map-groups, --propagation, --setgroups, -S --setuid, -G --setgid = value
  --monotonic, --boottime = value
  --kill-child?, --mount-proc?
  -w --wd = chdir
  -R --root = refuse
  * = argv

nsenter
  ! stop shell
  -t --target, -S --setuid, -G --setgid = value
  -a --all, -F --no-fork, --preserve-credentials, -e --env, -Z --follow-context, --keep-caps, -c --join-cgroup, --user-parent
  -m? --mount?, -u? --uts?, -i? --ipc?, -n? --net?, -p? --pid?, -U? --user?, -C? --cgroup?, -T? --time?
  -r? --root?, -w? --wd?, -W? --wdns?
  * = argv@

bwrap
  ! stop
  --bind, --bind-try, --dev-bind, --dev-bind-try, --ro-bind, --ro-bind-try = rw value
  --overlay-src = rw
  --overlay = rw rw value
  --bind-data, --ro-bind-data, --file, --symlink, --chmod = value value
  --setenv = exports value
  --unsetenv, --chdir, --proc, --dev, --tmpfs, --tmp-overlay, --ro-overlay, --mqueue, --dir, --remount-ro, --hostname = value
  --uid, --gid, --argv0, --perms, --size, --seccomp, --add-seccomp-fd, --block-fd, --userns-block-fd, --sync-fd = value
  --info-fd, --json-status-fd, --userns, --userns2, --pidns, --lock-file, --cap-add, --cap-drop, --exec-label = value
  --file-label = value
  --args = refuse
  --unshare-all, --unshare-user, --unshare-user-try, --unshare-ipc, --unshare-pid, --unshare-net, --unshare-uts
  --unshare-cgroup, --unshare-cgroup-try, --share-net, --disable-userns, --assert-userns-disabled, --clearenv, --as-pid-1
  --new-session, --die-with-parent, --level-prefix
  * = argv@

firejail, minijail0, systemd-nspawn, proot
  ! stop shell alike
  * = argv@

switch_root
  ! stop
  * = read argv@

pivot_root
  * = rw rw

systemd-run
  ! stop
  -u --unit, -p --property, --description, --slice, --uid, --gid, --nice, --service-type, -M --machine, -H --host = value
  --on-active, --on-boot, --on-startup, --on-unit-active, --on-unit-inactive, --on-calendar, --timer-property = value
  --path-property, --socket-property, --background, --job-mode = value
  --working-directory = chdir
  -E --setenv = exports
  --user, --system, --scope, -r --remain-after-exit, --send-sighup, -P --pipe, -t --pty, -q --quiet, -G --collect
  --wait, --no-block, -d --same-dir, --no-ask-password, --slice-inherit
  -S --shell = +shell
  * = argv

systemd-inhibit, caffeinate, cpulimit, trickle, faketime, entr, inotifyrun, daemonize, start-stop-daemon, setlock, xterm, uxterm, rxvt, urxvt, konsole, gnome-terminal, xfce4-terminal, alacritty, kitty, foot, wezterm, terminator, dbus-launch, xinit, startx, watchexec, nodemon, concurrently, foreman, honcho, overmind, pm2, forever, aws-vault, chamber, doppler, asciinema, ttyrec, cgexec, inotifywait, sudoedit, vipw, vigr, rbenv, pyenv, nodenv, goenv, jenv, plenv, envchain, with-contenv, s6-setuidgid, s6-envdir, sandbox-exec, launchctl, infisical, sops, dotenv, dotenvx, supervisord, act
  ! runs:sh

strace
  ! stop
  -c --summary-only, -C --summary, -d --debug, -D --daemonize, -f --follow-forks, -F, -h, -i --instruction-pointer, -k --stack-trace
  -n --syscall-number, -N, -q --quiet, -r --relative-timestamps, -t --absolute-timestamps, -T --syscall-times, -v --no-abbrev
  -w --summary-wall-clock, -x, -xx, -y --decode-fds, -Y --decode-pids, -z --successful-only, -Z --failed-only, -ff, -tt, -ttt
  -yy, --output-append-mode, -A, --output-separately, --seccomp-bpf
  -a --columns, -b --detach-on, -e --trace, -I --interruptible, -O --summary-syscall-overhead, -p --attach = value
  -P --trace-path, -s --string-limit, -S --summary-sort-by, -u --user, -U --summary-columns, -X --const-print-style = value
  -E --env = assign
  -o --output = trace-output
  * = argv

ltrace
  ! stop
  -c, -C, -f, -i, -L, -q, -r, -S, -t, -tt, -T, -V, -h, -b
  -a, -A, -D, -e, -l, -n, -p, -s, -u, -w, -x, -F = value
  -o = write
  * = argv

watch
  ! stop reader:watch
  -b --beep, -c --color, -C --no-color, -d? --differences?, -e --errexit, -g --chgexit, -p --precise, -r --no-rerun
  -t --no-title, -w --no-wrap, -x --exec
  -n --interval, -q --equexit, -s --shotsdir = value
  * = argv-sh

script
  ! reader:script
  -c --command = sh
  -a --append, -e --return, -f --flush, --force, -q --quiet
  -E --echo, -m --logging-format, -o --output-limit = value
  -I --log-in, -O --log-out, -B --log-io, -T --log-timing, -t? --timing? = write
  * = write

hyperfine
  ! reader:hyperfine
  -w --warmup, -r --runs, -m --min-runs, -M --max-runs, -P --parameter-scan, -L --parameter-list, -n --command-name, -u --time-unit = value
  -i? --ignore-failure?, -N, --show-output
  -s --setup, -p --prepare, -c --cleanup, -C --conclude = sh
  -S --shell = program
  --export-asciidoc, --export-csv, --export-json, --export-markdown, --export-orgmode, --output = write

busybox, toybox, coreutils, uutils
  ! stop alike
  --coreutils-prog, --coreutils-prog-shebang = refuse
  --list, --list-full, --install, --help
  -s
  * = applet

ld.so
  ! stop reader:ld.so

run-parts
  ! stop runs:sh
  --test, --list, --report, --reverse, --exit-on-error, --new-session, --stdin, --lsbsysinit, --debug
  -v --verbose, -V --version, -h --help
  -a --arg, -u --umask, --regex = value
  * = script

crontab, at, batch, atq, incrontab, dtach, abduco, nohup.sh
  ! runs:sh

valgrind
  ! reader:options-then-program

gdb, lldb, cgdb
  ! runs:self single alike
  -ex --ex --eval-command, -iex --iex, -o --one-line, -O --one-line-before-file, -k, -K, -Q = hidden
  -x --command, -ix, -s --source, -S = script
  -n --nx, -nh, -nx, -q -quiet --quiet, -batch --batch, -silent --silent, --args, -args, -se, -tui --tui, -nw --nw
  -p --pid, -cd --cd, -d --directory, -e --exec, -c --core, -tty --tty, -b, -l = value
  * = perhaps...

perf
  ! sub runs:self

perf stat, perf record, perf trace
  ! stop alike
  -a --all-cpus, -d --detailed, -v --verbose, -q --quiet, -g, -B --big-num, -A --no-aggr, -n --null, -S --sync, -s --summary
  -f --force, -h --help, -R --raw-samples, -T --timestamp, -N --no-buildid-cache, --no-inherit, --table, --per-core, --per-socket
  -e --event, -p --pid, -t --tid, -C --cpu, -r --repeat, -I --interval-print, -x --field-separator, -F --freq = value
  -c --count, -G --cgroup, -D --delay, -M --metrics, -m --mmap-pages, -j --branch-filter, -u --uid, --call-graph, --filter = value
  -o --output = write
  --pre, --post = sh
  * = argv

rr, heaptrack, bpftrace, dtrace, dtruss, gcore, expect, expectk
  ! runs:self

git-shell, rbash, lesspipe, xdg-open, open, gio, start, sensible-browser, sensible-editor, sensible-pager, select-editor
  ! runs:sh

su-to-root, gksu, kdesu, machinectl, run0, login, rsh, rexec, rlogin
  ! runs:sh
"""
