#!/usr/bin/env bash
# A whole machine with Debian 13 and systemd, in which inside.sh tries the Debian package. As root; not part of CI.
#   bash tests/machines/machine.sh FOLDER PACKAGE.deb [kvm|tcg]
# The package's name says which machine: amd64 or arm64. Needs debootstrap, e2fsprogs and qemu-system-x86 or -arm;
# for the other machine than one's own also qemu-user-static, registered with binfmt_misc. 4 GB; the first time
# debootstrap's minutes (README.md). With the module of lines.sh beside it, it plays on GPIO lines too. kvm only for one's own machine, where it works. Delete the folder when done.
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
    chroot "$root" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes -qq --no-install-recommends "linux-image-$architecture" initramfs-tools avahi-daemon
    touch "$root/.ready"
fi

put_in "$root" "$package" StandardOutput=tty StandardError=tty TTYPath=/dev/console
[[ ! -e $root.ko ]] || cp "$root.ko" "$root/machine/lines.ko"

rm -f "$root.img"
mke2fs -q -t ext4 -d "$root" "$root.img" 3G
kernel=$(ls "$root"/boot/vmlinuz-* | tail -n 1)
# Emulated, its clock counts instructions: it neither stumbles when this machine is busy nor waits when it idles.
case ${3:-tcg} in
    tcg) pace=(-accel tcg -icount "shift=2,sleep=off" -rtc clock=vm) ;;
    kvm) pace=(-accel kvm -cpu host) ;;
esac
qemu=("${pace[@]}" -m 1024 -nographic -no-reboot -nic none -drive "file=$root.img,format=raw,if=virtio"
    -kernel "$kernel" -initrd "${kernel/vmlinuz/initrd.img}")
case $architecture in
    amd64)
        qemu=(qemu-system-x86_64 "${qemu[@]}" -append "root=/dev/vda rw console=ttyS0 quiet")
        ;;
    arm64) qemu=(qemu-system-aarch64 -M virt -cpu cortex-a72 "${qemu[@]}" -append "root=/dev/vda rw console=ttyAMA0 quiet") ;;
esac
"${qemu[@]}" </dev/null | tee "$root.log"
grep -q "MACHINE at .*: all is well" "$root.log"
