#!/bin/sh
# The guest's first process: a Pi of 28 simulated lines, one measurement after the other, then off.
# Host side: companion/kernel_rig.py, which passes LASTNOSE_* on the kernel's command line.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev 2>/dev/null
mount -t tmpfs tmpfs /tmp
mount -t configfs none /sys/kernel/config
cd /tmp || exit 1

chip=/sys/kernel/config/gpio-sim/rpi
mkdir -p $chip/bank0
echo 28 >$chip/bank0/num_lines
echo pinctrl-bcm2835 >$chip/bank0/label
echo 1 >$chip/live
export LASTNOSE_SIM=/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank0/chip_name)
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$LASTNOSE_ROOT RPI_LGPIO_REVISION=902120

for part in $(echo "$LASTNOSE_PARTS" | tr , ' '); do
    "$LASTNOSE_PYTHON" "$LASTNOSE_ROOT/tests/kernel/guest.py" "$part" 2>&1
done
echo o >/proc/sysrq-trigger
sleep 5
