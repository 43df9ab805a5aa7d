#!/usr/bin/env bash
# A whole machine with Debian 13 and systemd, in which inside.sh tries the Debian package. As root; not part of CI.
#   bash tests/machines/machine.sh FOLDER PACKAGE.deb [kvm|tcg]
# The package's name says which machine: amd64 or arm64. Needs debootstrap, e2fsprogs, kmod, cpio and qemu-system-x86 or -arm;
# for the other machine than one's own also qemu-user-static, registered with binfmt_misc. 4 GB; the first time
# debootstrap's minutes (README.md). With the module of lines.sh beside it, it plays on GPIO lines too.
# kvm only for one's own machine, where it works. Delete the folder when done.
set -euo pipefail
folder=$(realpath -m "${1:?which folder?}")
package=$(realpath "${2:?which package?}")
source "$(dirname "${BASH_SOURCE[0]}")/unit.sh"
architecture=$(dpkg-deb --field "$package" Architecture)
root=$folder/$architecture

if [[ ! -e $root/.ready ]]; then
    mkdir -p "$folder"
    debootstrap --arch="$architecture" --variant=minbase --include=systemd,systemd-sysv,udev,dbus,kmod,python3,passwd \
        trixie "$root"
    cp /etc/resolv.conf "$root/etc/"
    # INITRD=No: Debian's own initial file system, with the drivers of all disks, takes half an hour to make, emulated.
    chroot "$root" env DEBIAN_FRONTEND=noninteractive INITRD=No \
        apt-get install --yes -qq --no-install-recommends "linux-image-$architecture" initramfs-tools avahi-daemon
    touch "$root/.ready"
fi

# The initial file system of the machine: what it needs to find its disk. A module for a processor that is another is refused.
small_initrd() {
    local at=$root.small version=$1
    rm -rf "$at"
    mkdir -p "$at"/{bin,dev,root,usr/lib}
    cp "$root"/usr/lib/klibc/bin/{sh,mount,insmod,run-init} "$at/bin/"
    cp "$root"/usr/lib/klibc-*.so "$at/usr/lib/"
    printf '#!/bin/sh\nmount -t devtmpfs dev /dev\n' >"$at/init"
    for module in virtio_blk crc32c_generic ext4; do modprobe -d "$root" -S "$version" --show-depends "$module"; done |
        awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
        xz -dc "$file" >"$at/$(basename "$file" .xz)"
        echo "insmod /$(basename "$file" .xz)" >>"$at/init"
    done
    printf 'mount -t ext4 /dev/vda /root\nmount -o move /dev /root/dev\nexec run-init /root /sbin/init\n' >>"$at/init"
    chmod +x "$at/init"
    (cd "$at" && find . | cpio --quiet -o -H newc) >"$root.initrd"
}

put_in "$root" "$package" StandardOutput=tty StandardError=tty TTYPath=/dev/console
[[ ! -e $root.ko ]] || cp "$root.ko" "$root/machine/lines.ko"
# Emulated, a start takes longer than the service allows a Pi.
slow=$root/usr/local/lib/systemd/system/lastnose.service.d
mkdir -p "$slow"
printf '[Service]\nTimeoutStartSec=15min\nWatchdogSec=2min\n' >"$slow/slow.conf"
ln -sf /dev/null "$root/etc/systemd/system/serial-getty@.service" # nobody logs in where the machine speaks

rm -f "$root.img"
mke2fs -q -t ext4 -d "$root" "$root.img" 3G
kernel=$(ls "$root"/boot/vmlinuz-* | tail -n 1)
small_initrd "${kernel##*/vmlinuz-}"
case ${3:-tcg} in
    tcg) pace=(-accel "tcg,thread=multi" -smp 2) ;;
    kvm) pace=(-accel kvm -cpu host) ;;
esac
qemu=("${pace[@]}" -m 1024 -nographic -no-reboot -nic none -drive "file=$root.img,format=raw,if=virtio,cache=unsafe"
    -kernel "$kernel" -initrd "$root.initrd")
case $architecture in
    amd64)
        qemu=(qemu-system-x86_64 "${qemu[@]}" -append "root=/dev/vda rw console=ttyS0 quiet panic=-1")
        ;;
    arm64) qemu=(qemu-system-aarch64 -M virt -cpu cortex-a72 "${qemu[@]}" -append "root=/dev/vda rw console=ttyAMA0 quiet panic=-1") ;;
esac
"${qemu[@]}" </dev/null | tee "$root.log"
grep -q "MACHINE at .*: all is well" "$root.log"
