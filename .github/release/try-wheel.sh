#!/usr/bin/env bash
# Installs the one wheel of a folder in a clean environment, away from the sources, and tries what a user would.
#     try-wheel.sh DIST [PYTHON]
set -euo pipefail

dist=$(cd "$1" && pwd)
python=${2:-python3}
sources=$(cd "$(dirname "$0")/../.." && pwd)
examples=$sources/examples/skills
wheels=("$dist"/*.whl)
if [ "${#wheels[@]}" != 1 ] || ! [ -f "${wheels[0]}" ]; then
    echo "try-wheel: $dist holds no wheel, or more than one" >&2
    exit 2
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
"$python" -I -m venv venv
venv/bin/python -I -m pip install --quiet --disable-pip-version-check "${wheels[0]}"
sluicegate=$place/venv/bin/sluicegate

ends() {
    local wanted=$1 code=0
    shift
    "$@" >out 2>err || code=$?
    [ "$code" = "$wanted" ] || { echo "try-wheel: '$*' ended with $code, not $wanted" >&2; cat out err >&2; exit 1; }
}

venv/bin/python -I -m pip check --disable-pip-version-check
ends 0 "$sluicegate" --version
ends 0 "$sluicegate" doctor
ends 0 "$sluicegate" spec
ends 0 "$sluicegate" rules pipe-to-shell
ends 0 "$sluicegate" scan "$examples/changelog-writer"
ends 1 "$sluicegate" scan "$examples/invoice-reader" -o report.html -o report.sarif -o report.json --certificate certificate.json
ends 0 "$python" -I "$sources/spec/check.py" certificate.json
ends 0 venv/bin/python -I -c 'import sys, sluicegate; sys.exit(sluicegate.scan(sys.argv[1]).decision.name != "SAFE")' "$examples/changelog-writer"
echo "try-wheel: ${wheels[0]##*/} works with $("$python" -V)"
