#!/usr/bin/env bash
# What is released is what is tried: the wheel and the Debian packages that lie in DIST, in clean chroots of Debian 12, 13 and
# testing (or of the RELEASEs named), each in a network of its own that leads nowhere. Part of `make release`; .ci/run tries one.
#   bash tests/machines/released.sh DIST [RELEASE…]
# As root, or with sudo. Needs debootstrap and iproute2; a clean system of each release is kept in the cache, and a copy of it used.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
dist=$(realpath "${1:?which folder?}")
releases=("${@:2}")
((${#releases[@]})) || releases=(bookworm trixie testing)
cache=${LASTNOSE_MACHINES:-${XDG_CACHE_HOME:-$HOME/.cache}/lastnose/machines}
architecture=$(dpkg --print-architecture)
address=192.168.77.5 # of the only interface, without a way out: the table has to ask the kernel for it

as_root() { if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi; }
for tool in debootstrap ip unshare setpriv; do
    PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || { echo "This needs $tool: sudo apt-get install debootstrap iproute2" >&2; exit 1; }
done
as_root unshare --mount --net --pid --fork true || { echo "Chroots with a network of their own cannot be had here: that takes root." >&2; exit 1; }

scratch=$(mktemp -d)
leave() { as_root rm -rf "$scratch"; }
trap leave EXIT

# The wheels of the locks for the release's Python: what pip would fetch there.
wheels_for() { # ROOT FOLDER
    local python platforms=() at
    python=$(as_root chroot "$1" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    for at in manylinux2014 manylinux_2_17 manylinux_2_26 manylinux_2_27 manylinux_2_28 manylinux_2_31 manylinux_2_34; do
        platforms+=(--platform "${at}_$(uname -m)")
    done
    .venv/bin/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
        --implementation cp --python-version "$python" "${platforms[@]}" --dest "$2" \
        -r requirements.lock -r requirements-hall.lock
}

# In namespaces of its own, which end with it: nothing of it is left on this machine.
begin() {
    ip link set lo up
    ip address add "$address/24" dev lo
    mount -t proc proc "$root/proc"
    for place in dev dev/pts; do mount --bind "/$place" "$root/$place"; done
    exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh /machine/inside.sh
}
export -f begin

failed=()
for release in "${releases[@]}"; do
    clean=$cache/$release-$architecture root=$scratch/$release log=$scratch/$release.log
    if [[ ! -e $clean/.ready ]]; then
        mkdir -p "$cache"
        as_root rm -rf "$clean"
        as_root debootstrap --variant=minbase --include=python3,python3-venv,passwd,udev "$release" "$clean" >"$log" || { tail -n 20 "$log"; exit 1; }
        as_root touch "$clean/.ready"
    fi
    as_root cp -a --reflink=auto "$clean" "$root"
    mkdir "$scratch/machine-$release"
    wheels_for "$root" "$scratch/machine-$release/wheels"
    cp "$dist"/lastnose-*.whl "$dist"/lastnose_*_"$architecture".deb "$dist"/lastnose-hall_*_"$architecture".deb \
        tests/machines/{inside.sh,two_rounds.py,invited.py,filtered.py} tests/support/pico.py "$scratch/machine-$release/"
    echo "$address" >"$scratch/machine-$release/network"
    as_root mv "$scratch/machine-$release" "$root/machine"
    as_root chown -R root: "$root/machine"
    as_root env root="$root" address="$address" PATH="$PATH:/usr/sbin:/sbin" \
        unshare --mount --net --pid --fork --kill-child bash -euc "$(declare -f begin); begin" </dev/null 2>&1 | tee "$log" || true
    grep -q "MACHINE at .*: all is well" "$log" || failed+=("$release")
    as_root rm -rf "$root"
done
if ((${#failed[@]})); then
    echo "Not fit to be released, on Debian ${failed[*]}." >&2
    exit 1
fi
echo "Tried as released, on Debian ${releases[*]}: all is well."
