#!/usr/bin/env bash
# Lists what the one wheel of a folder installs, as CycloneDX, from an environment with nothing else in it.
#     sbom.sh DIST OUTPUT PYTHON      PYTHON has pip and cyclonedx-bom
set -euo pipefail

sources=$(cd "$(dirname "$0")/../.." && pwd)
wheels=("$1"/*.whl)
output=$2
python=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

"$python" -m venv --without-pip "$place/venv"
"$python" -m pip --quiet --disable-pip-version-check --python "$place/venv/bin/python" install -c "$sources/constraints.txt" "${wheels[@]}"
# The version is read from the code when the package is built; the tool wants to see it written.
version=$("$place/venv/bin/python" -I -c 'import sluicegate; print(sluicegate.__version__)')
sed "s/^dynamic = .*/version = \"$version\"/" "$sources/pyproject.toml" >"$place/pyproject.toml"
mkdir -p "$(dirname "$output")"
"$python" -m cyclonedx_py environment --output-reproducible --pyproject "$place/pyproject.toml" --of JSON -o "$output" "$place/venv/bin/python"
