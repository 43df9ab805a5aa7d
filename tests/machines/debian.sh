#!/usr/bin/env bash
# The tests on another Debian, with its own Python, in a folder of its own (a chroot). As root; not part of CI.
#   bash tests/machines/debian.sh FOLDER [RELEASE] [WORDS FOR PYTEST…]
# RELEASE is testing if it is not said. Needs the package debootstrap and 1.5 GB; about 5 minutes the first time,
# 2 for the packages of the tests, and then what the tests take. Without browser, kernel, node and openscad: what
# wants those is skipped. Delete the folder when done.
set -euo pipefail
root=$(realpath -m "${1:?which folder?}")
release=${2:-testing}
shift $(($# > 2 ? 2 : $#))
project=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")

if [[ ! -x $root/usr/bin/python3 ]]; then
    debootstrap --variant=minbase --include=python3,python3-venv,make,git,ca-certificates,fonts-dejavu-core \
        "$release" "$root"
fi
cp /etc/resolv.conf "$root/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" # those that this machine trusts
rm -rf "$root/src"
mkdir -p "$root/src" "$root/proc" "$root/dev"
git -C "$project" archive HEAD | tar -x -C "$root/src"

mounted=()
leave() { for ((at = ${#mounted[@]} - 1; at >= 0; at--)); do umount "${mounted[at]}"; done; }
trap leave EXIT
for place in proc dev dev/pts; do
    mount --bind "/$place" "$root/$place"
    mounted+=("$root/$place")
done

inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }
inside python3 --version
inside make -C /src --no-print-directory dev
inside sh -c 'cd /src && exec .venv/bin/python -m pytest -q "$@"' sh "$@"
