# To be sourced: put_in ROOT PACKAGE OUTPUT… lays the package and what tries it into the system below ROOT, and lets
# its systemd run inside.sh at its start and power off. The OUTPUT lines of the unit say where that writes.
put_in() {
    local root=$1 package=$2 here
    here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
    shift 2
    rm -rf "$root/machine"
    mkdir "$root/machine"
    cp "$package" "$here/inside.sh" "$here/two_rounds.py" "$root/machine/"
    cat >"$root/etc/systemd/system/machine.service" <<UNIT
[Unit]
Description=Try the package of Last Nose, then power off
After=multi-user.target avahi-daemon.service
[Service]
Type=oneshot
ExecStart=/bin/sh /machine/inside.sh
ExecStopPost=/bin/systemctl poweroff --no-block
$(printf '%s\n' "$@")
Environment=LANG=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin
UNIT
    mkdir -p "$root/etc/systemd/system/default.target.wants"
    ln -sf ../machine.service "$root/etc/systemd/system/default.target.wants/machine.service"
}
