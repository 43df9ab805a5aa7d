#!/usr/bin/env bash
# The printed circuits of hardware/build, judged by KiCad 9 (its design rules, every severity) and written as a maker wants them:
# FOLDER/KIT has the Gerbers, the drill file, the nets as IPC-D-356, and a picture. Part of `make pcb` and `make release`.
#   bash tools/circuit.sh FOLDER
# By a kicad-cli of this machine, if it is 9 or newer; else, as root or with sudo, in a clean Debian 13 that is kept in the cache:
# that needs debootstrap, 1.4 GB, and two minutes the first time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(realpath -m "${1:?which folder?}")
root=${LASTNOSE_MACHINES:-${XDG_CACHE_HOME:-$HOME/.cache}/lastnose/machines}/circuit
PATH=$PATH:/usr/sbin

as_root() { if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi; }
inside() { as_root chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

version=$(kicad-cli version 2>/dev/null || echo 0)
if ((${version%%.*} >= 9)); then
    at=$(mktemp -d)
    trap 'rm -rf "$at"' EXIT
    kicad() { (cd "$at" && kicad-cli "$@"); }
else
    command -v debootstrap >/dev/null || { echo "This needs KiCad 9, or debootstrap to get it: sudo apt-get install debootstrap" >&2; exit 1; }
    as_root true || { echo "There is no KiCad 9 here, and a clean Debian that has it takes root." >&2; exit 1; }
    if [[ ! -e $root/.ready ]]; then
        mkdir -p "$(dirname "$root")"
        as_root rm -rf "$root"
        as_root debootstrap --variant=minbase trixie "$root" >/dev/null
        as_root cp /etc/resolv.conf "$root/etc/"
        inside apt-get update -qq
        inside apt-get install -qq --no-install-recommends kicad >/dev/null 2>&1
        inside touch /.ready
    fi
    at=$root/circuit
    as_root rm -rf "$at"
    as_root install -d -o "$(id -u)" "$at"
    kicad() { inside sh -c 'cd /circuit && exec kicad-cli "$@"' kicad-cli "$@"; }
fi

for file in hardware/build/*/circuit.kicad_pcb; do
    kit=$(basename "$(dirname "$file")")
    mkdir -p "$at/$kit"
    cp "$file" "$at/$kit.kicad_pcb"
    kicad pcb drc --severity-all --exit-code-violations -o "$kit.rpt" "$kit.kicad_pcb" >/dev/null || { cat "$at/$kit.rpt" >&2; exit 1; }
    kicad pcb export gerbers --layers F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,Edge.Cuts -o "$kit/" "$kit.kicad_pcb" >/dev/null
    kicad pcb export drill -o "$kit/" "$kit.kicad_pcb" >/dev/null
    kicad pcb export ipcd356 -o "$kit/$kit.d356" "$kit.kicad_pcb" >/dev/null
    kicad pcb render --width 1200 --height 1000 -o "$kit/$kit.png" "$kit.kicad_pcb" >/dev/null
    mkdir -p "$folder/$kit"
    rm -f "$folder/$kit"/*
    cp "$file" "$folder/$kit/$kit.kicad_pcb"
    for made in "$at/$kit"/*; do
        case $made in
            *.gbrjob) ;; # says nothing that the others do not, but the hour
            *.png | *.d356) cp "$made" "$folder/$kit/" ;;
            *) sed '/TF.CreationDate/d; /^G04 Created by KiCad/d; /^; DRILL file/d' "$made" >"$folder/$kit/$(basename "$made")" ;;
        esac
    done
    echo "$kit: KiCad finds nothing."
done
as_root rm -rf "$at"
