#!/usr/bin/env bash
# The service under a real systemd without an emulated machine: Debian 13 starts in namespaces of its own, on this machine's
# kernel, and inside.sh tries the Debian package in it. As root, with the cgroups of version 2; not part of CI.
#   bash tests/machines/container.sh FOLDER PACKAGE.deb [OLDER.deb]
# It has no network and no devices, may load no module, and neither udev's rules nor lines are tried. Delete the folder when done.
set -euo pipefail
package=$(realpath "${2:?which package?}")
source "$(dirname "${BASH_SOURCE[0]}")/unit.sh"
root=$(realpath -m "${1:?which folder?}")/systemd
if [[ ! -e $root/.ready ]]; then
    debootstrap --variant=minbase --include=systemd,systemd-sysv,udev,dbus,kmod,python3,passwd,avahi-daemon trixie "$root"
    touch "$root/.ready"
fi
put_in "$root" "$package" StandardOutput=append:/machine/said StandardError=append:/machine/said
mkdir "$root/machine/older"
[[ -z ${3:-} ]] || cp "$3" "$root/machine/older/"

# The first process of the container: what systemd expects to find, and nothing of this machine that it could change.
begin() {
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --bind "$root/proc/sys" "$root/proc/sys"
    mount -o remount,bind,ro "$root/proc/sys"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    mount -t tmpfs -o mode=755 dev "$root/dev"
    for node in null zero full random urandom tty; do
        touch "$root/dev/$node"
        mount --bind "/dev/$node" "$root/dev/$node"
    done
    touch "$root/dev/console"
    mount --bind /dev/null "$root/dev/console"
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    for place in dev/shm run tmp; do mount -t tmpfs -o mode=755 tmpfs "$root/$place"; done
    chmod 1777 "$root/tmp" "$root/dev/shm"
    exec setpriv --bounding-set -sys_module,-sys_time,-sys_rawio,-syslog \
        env -i container=lastnose PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" /sbin/init
}
export -f begin
export root
tree=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/lastnose-machine
mkdir -p "$tree"
trap 'find "$tree" -depth -type d -exec rmdir {} +' EXIT # the folders of its units are in it
(
    echo "$BASHPID" >"$tree/cgroup.procs"
    exec unshare --pid --mount --uts --ipc --net --cgroup --fork --kill-child bash -euc begin
) || true # systemd that powers off ends by a signal
cat "$root/machine/said"
grep -q "MACHINE at .*: all is well" "$root/machine/said"
