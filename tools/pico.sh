#!/usr/bin/env bash
# MicroPython 1.25 with our firmware frozen in, for Pico and Pico 2, as UF2s in FOLDER, with the licences of what is in them. Built of
# Debian 13's packages and sources alone, in a clean system of it that is kept in the cache. Part of `make release`.
#   bash tools/pico.sh FOLDER
# As root, or with sudo. Needs debootstrap, 4 GB, and a quarter of an hour the first time. A frozen main.py could not be replaced
# by `lastnose box flash`: tools/release.py adds it as a file, in a file system of its own, so that no file of before is run either.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(realpath -m "${1:?which folder?}")
root=${LASTNOSE_MACHINES:-${XDG_CACHE_HOME:-$HOME/.cache}/lastnose/machines}/pico
PATH=$PATH:/usr/sbin

as_root() { if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi; }
command -v debootstrap >/dev/null || { echo "This needs debootstrap: sudo apt-get install debootstrap" >&2; exit 1; }
as_root true || { echo "A clean system cannot be made here: that takes root." >&2; exit 1; }
inside() { as_root chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

mkdir -p "$(dirname "$root")" "$folder"
if [[ ! -e $root/.ready ]]; then
    as_root rm -rf "$root"
    as_root debootstrap --variant=minbase trixie "$root" >/dev/null
    as_root cp /etc/resolv.conf "$root/etc/"
    sed 's/^deb /deb-src /' "$root/etc/apt/sources.list" | as_root tee -a "$root/etc/apt/sources.list" >/dev/null
    inside apt-get update -qq
    inside apt-get install -qq --no-install-recommends gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib \
        pico-sdk-source tinyusb-source picotool pioasm cmake make python3 gcc g++ libc6-dev dpkg-dev ca-certificates >/dev/null
    inside touch /.ready
fi

as_root rm -rf "$root/src"
as_root mkdir -p "$root/src/firmware"
as_root cp firmware/*.py "$root/src/firmware/"
as_root rm "$root/src/firmware/main.py"
inside bash -euo pipefail -s <<'BUILD' >"$folder/pico.log" 2>&1 || { tail -n 20 "$folder/pico.log" >&2; exit 1; }
cd /src
apt-get source -qq --download-only micropython mbedtls
ls micropython_1.25.*.dsc || { echo "This Debian has another MicroPython than the one that was tried and is named in the papers: 1.25."; exit 1; }
for source in *.dsc; do dpkg-source --no-check -x "$source"; done
micropython=$(echo /src/micropython-*/) mbedtls=$(echo /src/mbedtls-*/)
cd "$micropython"
rm -rf lib/mbedtls lib/pico-sdk lib/tinyusb
cp -r "$mbedtls" lib/mbedtls
ln -s /usr/src/pico-sdk lib/pico-sdk
ln -s /usr/src/tinyusb lib/tinyusb
mkdir -p lib/micropython-lib
touch lib/micropython-lib/README.md
# An RP2040 reads a constant of frozen machine code from the next address that is a multiple of four. This MicroPython lays such code at
# multiples of two: half of the functions would take something else for their constants.
sed -i 's/aligned (2)/aligned (4)/' tools/mpy-tool.py
cat >/src/manifest.py <<'MANIFEST'
import os

freeze("$(PORT_DIR)/modules")
freeze("/src/firmware", tuple(sorted(os.listdir("/src/firmware"))))
MANIFEST
make -C mpy-cross -j2
for board in RPI_PICO RPI_PICO2; do
    cmake -S ports/rp2 -B "/src/$board" -DPICO_BUILD_DOCS=0 -DMICROPY_BOARD="$board" -DMICROPY_BOARD_DIR="$PWD/ports/rp2/boards/$board" \
        -DPICO_SDK_PATH_OVERRIDE=/usr/src/pico-sdk -DMICROPY_FROZEN_MANIFEST=/src/manifest.py
    make -C "/src/$board" -j2
    arm-none-eabi-nm "/src/$board/firmware.elf" | grep ' t fun_data_' >/src/machine-code
    ! grep -v '^.......[048c] ' /src/machine-code || { echo "Machine code for $board lies where its constants are misread."; exit 1; }
done
for part in micropython mbedtls; do
    echo "==== $part"
    cat /src/$part-*/debian/copyright
done >/src/licences
for package in pico-sdk-source tinyusb-source libnewlib-arm-none-eabi gcc-arm-none-eabi; do
    echo "==== $package"
    cat "/usr/share/doc/$package/copyright"
done >>/src/licences
BUILD
for board in RPI_PICO RPI_PICO2; do cp "$root/src/$board/firmware.uf2" "$folder/$board.uf2"; done
cp "$root/src/licences" "$folder/LICENCES.txt"
rm "$folder/pico.log"
echo "$folder has RPI_PICO.uf2, RPI_PICO2.uf2 and LICENCES.txt."
