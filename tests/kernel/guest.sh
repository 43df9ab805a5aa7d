#!/bin/sh
# The guest's first process: a Pi of 28 simulated lines, one measurement after the other, then off.
# The host (tests/bench/kernel_rig.py) sets LASTNOSE_ROOT, _PYTHON, _DRIVER, _PARTS, _SCRATCH and _TOLD before.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev 2>/dev/null
mount -t tmpfs tmpfs "$LASTNOSE_SCRATCH"
# As 6.12 with a newer mount wants it said, or as 6.1 does, for which the first is a folder that is not there.
mount -t hostfs -o "hostfs=$LASTNOSE_TOLD" none "$LASTNOSE_TOLD" 2>/dev/null ||
    mount -t hostfs -o "$LASTNOSE_TOLD" none "$LASTNOSE_TOLD"
mount -t configfs none /sys/kernel/config
cd "$LASTNOSE_SCRATCH" || echo o >/proc/sysrq-trigger
export HOME=$LASTNOSE_SCRATCH TMPDIR=$LASTNOSE_SCRATCH

chip=/sys/kernel/config/gpio-sim/rpi
mkdir -p $chip/bank0
echo 28 >$chip/bank0/num_lines
echo pinctrl-bcm2835 >$chip/bank0/label
echo 1 >$chip/live
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$LASTNOSE_ROOT RPI_LGPIO_REVISION=902120

"$LASTNOSE_PYTHON" "$LASTNOSE_ROOT/tests/kernel/guest.py" $LASTNOSE_PARTS 2>&1
echo o >/proc/sysrq-trigger
sleep 5
