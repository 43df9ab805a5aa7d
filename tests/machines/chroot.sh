#!/usr/bin/env bash
# inside.sh in a chroot of Debian 13 (or another RELEASE), without systemd: minutes, and no virtual machine. As root; not part of CI.
#   bash tests/machines/chroot.sh FOLDER PACKAGE.deb [RELEASE]
# For the other machine than one's own: qemu-user-static, registered with binfmt_misc. Delete the folder when done.
set -euo pipefail
package=$(realpath "${2:?which package?}")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
architecture=$(dpkg-deb --field "$package" Architecture)
release=${3:-trixie}
root=$(realpath -m "${1:?which folder?}")/$release-$architecture
if [[ ! -e $root/.ready ]]; then
    mkdir -p "$root"
    debootstrap --arch="$architecture" --variant=minbase --include=python3,passwd,udev "$release" "$root"
    touch "$root/.ready"
fi
rm -rf "$root/machine"
mkdir "$root/machine"
cp "$package" "$here/inside.sh" "$here/two_rounds.py" "$root/machine/"
mounted=()
leave() { for ((at = ${#mounted[@]} - 1; at >= 0; at--)); do umount "$root/${mounted[at]}"; done; }
trap leave EXIT
for place in proc dev dev/pts; do
    mount --bind "/$place" "$root/$place"
    mounted+=("$place")
done
chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh /machine/inside.sh 2>&1 | tee "$root.log"
grep -q "MACHINE at .*: all is well" "$root.log"
