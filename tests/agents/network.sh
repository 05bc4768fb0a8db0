#!/bin/sh
# Runs a command in a network of its own: sh network.sh COMMAND... In it, evil-N.example and docs-N.example are this machine, for N from 0 to 7.
set -eu
[ "${1:-}" ] || { echo "usage: sh network.sh COMMAND..." >&2; exit 2; }
inside='ip link set lo up
names=$(mktemp); echo "127.0.0.1 localhost" >"$names"
for at in 0 1 2 3 4 5 6 7; do
  for name in evil docs; do
    address=203.0.113.$((at * 2 + $([ $name = docs ] && echo 11 || echo 10)))
    ip addr add "$address/32" dev lo
    echo "$address $name-$at.example" >>"$names"
  done
done
mount --bind "$names" /etc/hosts; rm "$names"
exec "$@"'
exec unshare --map-root-user --net --mount --pid --fork --mount-proc --kill-child sh -euc "$inside" network "$@"
