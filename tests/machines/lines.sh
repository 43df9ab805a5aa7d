#!/usr/bin/env bash
# Simulated GPIO lines for the kernel of a machine of machine.sh: Debian's comes without gpio-sim. As root; not part of CI.
#   bash tests/machines/lines.sh FOLDER [amd64|arm64]
# Builds the module from Debian's own source, in a chroot of one's own architecture, and puts it beside the machine,
# which machine.sh has made: FOLDER/ARCHITECTURE.ko. 2.5 GB; delete FOLDER/build when done.
set -euo pipefail
folder=$(realpath -m "${1:?which folder?}")
architecture=${2:-$(dpkg --print-architecture)}
version=$(basename "$(ls -d "$folder/$architecture"/lib/modules/* | tail -n 1)")
root=$folder/build
case $architecture in
    amd64) makes=(ARCH=x86 CROSS_COMPILE=x86_64-linux-gnu-) compiler=gcc-x86-64-linux-gnu ;;
    arm64) makes=(ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-) compiler=gcc-aarch64-linux-gnu ;;
esac

[[ -e $root/usr/bin/dpkg ]] || debootstrap --variant=minbase trixie "$root"
cp /etc/resolv.conf "$root/etc/"
echo "deb http://deb.debian.org/debian-security trixie-security main" >"$root/etc/apt/sources.list.d/security.list"
mounted=()
leave() { for ((at = ${#mounted[@]} - 1; at >= 0; at--)); do umount "$root/${mounted[at]}"; done; }
trap leave EXIT
for place in proc dev; do
    mount --bind "/$place" "$root/$place"
    mounted+=("$place")
done
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

inside dpkg --add-architecture "$architecture"
inside apt-get update -qq
inside apt-get install --yes -qq --no-install-recommends linux-source-6.12 make xz-utils libelf1t64 "$compiler"
# Only unpacked: they would want a compiler of the other machine.
inside sh -euc 'cd /var/cache/apt/archives && apt-get download -qq "linux-headers-$1:$2" "linux-headers-${1%-*}-common" "linux-kbuild-${1%-*}"
    for one in linux-headers-*.deb linux-kbuild-*.deb; do dpkg -x "$one" /; done' sh "$version" "$architecture"

rm -rf "$root/lines"
mkdir "$root/lines"
tar -xJf "$root"/usr/src/linux-source-6.12.tar.xz --strip-components=3 -C "$root/lines" --wildcards \
    '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c'
# One module of both; what a module may not call is called by what it may.
sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' "$root/lines/irq_sim.c"
printf 'obj-m := lines.o\nlines-y := gpio-sim.o irq_sim.o\n' >"$root/lines/Makefile"
inside make -C "/usr/src/linux-headers-$version" M=/lines "${makes[@]}" modules
cp "$root/lines/lines.ko" "$folder/$architecture.ko"
