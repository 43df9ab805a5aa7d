#!/bin/sh
# What is tried in the machine, as root: install, doctor, set up, two rounds, update, take back, remove, purge.
# Without systemd (in a chroot) the table is started by hand under the service's own filter, and set up in a folder. The
# first thing that is not so ends it. The package lies beside this file; an older one in the folder older is installed first,
# and updated. With the file network beside it (released.sh), which has this machine's address, the table finds that, joins
# a hall and flashes a pretended Pico; then the wheel does the same from a venv, of the packages in the folder wheels.
set -eu
here=$(dirname "$0")
package=$(ls "$here"/lastnose_*.deb)
hall_package=$(ls "$here"/lastnose-hall_*.deb 2>/dev/null || true)
network=$(cat "$here/network" 2>/dev/null || true)
older=$(ls "$here"/older/lastnose_*.deb 2>/dev/null || true)
data=/var/lib/lastnose
unit=/usr/lib/systemd/system/lastnose.service
table=
hall=
pico=
[ -d /run/systemd/system ] && systemd=yes || systemd=

step() { printf '\nMACHINE at %s s: %s\n' "$(cut -d. -f1 /proc/uptime)" "$*"; }
ended() {
    status=$?
    for one in $table $hall $pico; do kill "$one" || true; done
    [ "$status" = 0 ] && step "all is well" && return
    step "FAILED, status $status"
    [ -z "$systemd" ] || journalctl --no-pager -u lastnose -n 40 || true
}
trap ended EXIT
install() { DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends --reinstall "$1"; }
began() { systemctl show -p ExecMainStartTimestampMonotonic --value lastnose; }
rounds() { # what was judged; a round that a restart ends before anybody touched is added to it, and says no more
    lastnose export --data "$data" --json | python3 -c 'import json, sys
judged = [one for one in json.load(sys.stdin)["events"] if one["type"] == "judged"]
print(*(json.dumps(one) for one in judged if not one["verdict"].get("void")), sep="\n")'
}
page() { python3 -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:$1/', timeout=60)" 2>/dev/null; }
must_run() { # asked for four minutes: some machines are slow
    for _ in $(seq 240); do
        if page "$1"; then return; fi
        sleep 1
    done
    return 1
}
begin() {
    if [ "$systemd" ]; then
        lastnose setup-pi --source mock --profile mock:4
    else
        [ -d "$data" ] || install_data
        setpriv --reuid lastnose --regid lastnose --init-groups env HOME="$data" python3 "$here/filtered.py" "$unit" \
            lastnose run --source mock --profile mock:4 --lan --port 8080 --data "$data" >/tmp/said 2>&1 &
        table=$!
    fi
    must_run 8080
}
install_data() { mkdir -m 750 "$data" && chown lastnose: "$data"; }
end() {
    [ -z "$table" ] || { kill "$table" && wait "$table" || true; }
    table=
}
finds_its_address() { # without a default route: what is printed, and the QR code of the page
    grep -q "http://$network:8080/" /tmp/said || { cat /tmp/said && return 1; }
    python3 -c "import urllib.request as ask; ask.urlopen(ask.Request('http://127.0.0.1:8080/api/v1/qr.svg', headers={'Authorization': 'Bearer $token'}), timeout=60)"
}
lacks_a_server() { # one sentence, exit 2, and nothing begun
    status=0
    "$1" hall run --data /tmp/none >/tmp/said 2>&1 || status=$?
    cat /tmp/said
    [ "$status" = 2 ] && [ "$(wc -l </tmp/said)" = 1 ] && [ ! -e /tmp/none ]
}
joins_a_hall() { # a table of the program comes into a hall of the same, and all of its log arrives
    rm -rf /tmp/hall /tmp/member
    "$1" hall run --data /tmp/hall --port 8100 >/tmp/said 2>&1 &
    hall=$!
    must_run 8100
    invitation=$(python3 "$here/invited.py" http://127.0.0.1:8100 "$("$1" token machine --data /tmp/hall)")
    "$1" run --source mock --profile mock:4 --port 8081 --data /tmp/member --hall "$invitation" &
    table=$!
    must_run 8081
    python3 "$here/two_rounds.py" http://127.0.0.1:8081 "$("$1" token machine --data /tmp/member)"
    for _ in $(seq 60); do
        "$1" hall status --at http://127.0.0.1:8100/ --json >/tmp/status || true
        if python3 "$here/invited.py" /tmp/status; then break; fi
        sleep 1
    done
    python3 "$here/invited.py" /tmp/status
    end
    kill "$hall" && wait "$hall" || true
    hall=
}
flashes_a_pico() { # PROGRAM PYTHON: a pretended one, whose files are then the program's
    rm -rf /tmp/pico /tmp/port # the port of the one before is nobody’s
    mkdir /tmp/pico
    "$2" "$here/pico.py" /tmp/pico >/tmp/port &
    pico=$!
    for _ in $(seq 60); do [ -s /tmp/port ] && break || sleep 1; done
    "$1" box flash "$(cat /tmp/port)"
    [ -s /tmp/pico/main.py ] && [ -s /tmp/pico/sampler.py ]
    kill "$pico" && wait "$pico" || true
    pico=
}

step "a machine: $(uname -srm), $(python3 --version), systemd: ${systemd:-no}"
[ ! -e /usr/bin/lastnose ] || apt-get purge --yes -qq lastnose # left by an earlier try
rm -rf /tmp/pi
step "install ${older:-$package}"
install "${older:-$package}"
lastnose --version
[ -z "$systemd" ] || [ "$(systemctl show -p ActiveState --value lastnose)" = inactive ] # it waits for its set-up
getent passwd lastnose

step "doctor"
lastnose doctor --source mock --data /tmp/doctor

step "set up: seen, and done in a folder"
mkdir -p /tmp/pi/proc/device-tree /tmp/pi/boot/firmware /tmp/pi/etc/NetworkManager
printf 'Raspberry Pi 5' >/tmp/pi/proc/device-tree/model
printf '[all]\n' >/tmp/pi/boot/firmware/config.txt
lastnose setup-pi --root /tmp/pi --profile home6 --access-point --dry-run
lastnose setup-pi --root /tmp/pi --profile home6 --access-point --yes
grep -x dtparam=i2c_arm=on /tmp/pi/boot/firmware/config.txt
lastnose setup-pi --root /tmp/pi --undo
[ "$(cat /tmp/pi/boot/firmware/config.txt)" = "[all]" ]

step "two rounds on simulated noses"
begin
[ -z "$systemd" ] || systemctl is-active lastnose
token=$(lastnose token machine --data "$data")
python3 "$here/two_rounds.py" http://127.0.0.1:8080 "$token"
if [ "$network" ]; then
    step "its own address, under the service's own filter"
    finds_its_address
fi
end
before=$(rounds)
[ "$before" ]

step "an update, from $(lastnose --version): evenings and choice stay, and the service begins again"
since=$([ -z "$systemd" ] || began)
install "$package"
lastnose --version
[ -z "$systemd" ] || must_run 8080
[ -z "$systemd" ] || [ "$(began)" != "$since" ]
[ "$(rounds)" = "$before" ]

if [ "$network" ]; then
    step "a hall: what is missing, its package, a table that joins"
    lacks_a_server lastnose
    install "$hall_package"
    joins_a_hall lastnose
    apt-get purge --yes -qq lastnose-hall

    step "a pretended Pico"
    own=/usr/lib/lastnose/python$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    PYTHONPATH="/usr/lib/lastnose/common:$own" flashes_a_pico lastnose python3
fi

if [ "$systemd" ] && [ -e "$here/lines.ko" ]; then
    step "two rounds on simulated lines of this kernel, on which the service waits as it would on a Pi"
    modprobe configfs
    insmod "$here/lines.ko"
    mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
    chip=/sys/kernel/config/gpio-sim/header
    mkdir -p $chip/bank0
    echo 28 >$chip/bank0/num_lines
    echo pinctrl-bcm2835 >$chip/bank0/label # so it is a Pi's header
    echo 1 >$chip/live
    udevadm settle
    bank=$(cat $chip/bank0/chip_name)
    [ "$(stat -c %G:%a "/dev/$bank")" = gpio:660 ] # the package's udev rule
    systemctl stop lastnose
    lastnose setup-pi --source gpiochip --profile home4
    must_run 8080
    lastnose doctor || true # it misses the screen, as it should
    python3 "$here/two_rounds.py" http://127.0.0.1:8080 "$token" "/sys/devices/platform/$(cat $chip/dev_name)/$bank"
    systemctl stop lastnose
    lastnose setup-pi --source mock --profile mock:4
    must_run 8080
fi

if [ "$systemd" ]; then
    step "set up otherwise: port 80; then take back"
    lastnose setup-pi --port 80
    must_run 80
    systemctl show -p ExecStart --value lastnose | grep -q mock:4
    lastnose doctor
    lastnose setup-pi --undo
    [ ! -e /etc/lastnose ] && [ ! -e /etc/systemd/system/lastnose.service.d ]
    [ "$(systemctl show -p ActiveState --value lastnose)" = inactive ]
    begin
fi

step "remove: the evenings stay"
apt-get remove --yes -qq lastnose
[ ! -e /etc/lastnose ] && [ ! -e /usr/lib/lastnose ] && [ ! -e /usr/bin/lastnose ]
[ -e "$data/lastnose.sqlite" ]

step "purge: nothing is left"
apt-get purge --yes -qq lastnose
[ ! -e "$data" ]
if getent passwd lastnose; then exit 1; fi

if [ "$network" ]; then
    step "the wheel, in a venv: install, doctor, a hall with two rounds, a pretended Pico"
    rm -rf /tmp/venv
    python3 -m venv /tmp/venv
    /tmp/venv/bin/pip install --quiet --no-index --find-links "$here/wheels" "$(ls "$here"/lastnose-*.whl)"
    program=/tmp/venv/bin/lastnose
    $program --version
    $program doctor --source mock --data /tmp/doctor
    lacks_a_server $program
    /tmp/venv/bin/pip install --quiet --no-index --find-links "$here/wheels" "$(ls "$here"/lastnose-*.whl)[hall]"
    joins_a_hall $program
    flashes_a_pico $program /tmp/venv/bin/python
fi
