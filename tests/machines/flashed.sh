#!/usr/bin/env bash
# What is released is what is flashed: lastnose-pico.uf2 of DIST on an emulated Pico (rp2040js), and a round of Pig played through it,
# judged by the wheel of DIST in a venv of its own. Nothing of the checkout is imported. Part of `make release`; no root, a minute.
#   bash tests/machines/flashed.sh DIST
# Needs node 18 or newer and npm. A Pico 2 cannot be emulated: its file is only looked at.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
dist=$(realpath "${1:?which folder?}")
for tool in node npm; do
    command -v "$tool" >/dev/null || { echo "This needs $tool: sudo apt-get install nodejs npm" >&2; exit 1; }
done
(cd "$dist" && grep -E '  lastnose(-[^ ]*\.whl|-pico2?\.uf2)$' SHA256SUMS | sha256sum --check --quiet)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r tests/machines/pico requirements.lock "$scratch/"
cp "$dist"/lastnose-*.whl "$dist/lastnose-pico.uf2" "$scratch/"
cd "$scratch"
npm ci --silent --prefix pico
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps lastnose-*.whl
timeout 600 venv/bin/python pico/round.py lastnose-pico.uf2
