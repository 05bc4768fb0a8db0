#!/usr/bin/env bash
# Installs the Sluicegate that this action came with, in an environment of its own, and says where its command is.
# Works from a folder outside the repository, and with -I, so that no file of the repository is imported.
set -euo pipefail

python=${SLUICEGATE_PYTHON:-python3}
home=$RUNNER_TEMP/sluicegate
mkdir -p "$home"
cd "$home"
if ! "$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "::error title=Sluicegate::Python 3.11 or later is needed: add a step with actions/setup-python before this one."
    exit 2
fi
if ! [ -x "$home/venv/bin/sluicegate" ]; then
    "$python" -I -m venv "$home/venv"
    # The constraint holds for what builds the package, too.
    PIP_CONSTRAINT=$GITHUB_ACTION_PATH/constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
        "$home/venv/bin/python" -I -m pip install --quiet "$GITHUB_ACTION_PATH"
fi
"$home/venv/bin/sluicegate" --version
echo "sluicegate=$home/venv/bin/sluicegate" >>"$GITHUB_OUTPUT"
