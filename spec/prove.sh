#!/bin/sh
# Prove everything: `make prove`. Needs Coq 8.16 or later and OCaml, which comes with it; installs them with apt where it
# may, else says what is missing. Writes only to build/prove. The steps are in spec/prove.py.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
[ -x .venv/bin/python ] && python=.venv/bin/python

missing() {
    echo "make prove: coqc is missing$1. Install Coq 8.16 or later: 'apt install coq' or 'opam install coq'." >&2
    echo "Without it, 'make verify' still checks production against vectors written by the proven functions." >&2
    exit 2
}

if ! command -v coqc >/dev/null 2>&1; then
    command -v apt-get >/dev/null 2>&1 || missing ""
    [ "$(id -u)" = 0 ] || missing ", and only root can install it here"
    echo "Coq is missing; installing it with apt (about 140 MB)"
    apt-get -o DPkg::Lock::Timeout=300 -q update || missing ", and apt cannot reach its registry"
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -q -y install --no-install-recommends coq ||
        missing ", and apt cannot install it"
fi
# Another version than those that have proven everything may still do; if it does not, this is the first thing to know.
version=$(coqc --version | sed -n 's/.*version \([0-9]*\.[0-9]*\).*/\1/p')
seen=$(sed -n 's/^seen = \[\(.*\)\]$/\1/p' spec/coq/proven.toml 2>/dev/null | tr -d '",')
case " $seen " in
*" $version "*) ;;
*) echo "make prove: Coq $version has not been tried here; everything was proven with: ${seen:-none}" >&2 ;;
esac
exec "$python" spec/prove.py "$@"
