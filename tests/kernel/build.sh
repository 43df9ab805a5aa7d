#!/usr/bin/env bash
# Build the test kernel once, into a cache outside the checkout, and print its directory.
#
# User-mode Linux with gpio-sim, from Debian's linux-source-6.1 or -6.12, whichever is there. The directory is named after the source's
# version and the contents of uml.patch and uml.fragment; it holds `linux` and `press` (the program that drives
# the lines). A second run is instant; two at once wait for each other. About 3 minutes on 2 cores.
# `build.sh --where` prints the directory without building.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
line=6.1
[[ -r /usr/src/linux-source-6.1.tar.xz || ! -r /usr/src/linux-source-6.12.tar.xz ]] || line=6.12
source_tar=${LASTNOSE_KERNEL_SOURCE:-/usr/src/linux-source-$line.tar.xz}

version=$(dpkg-query -W -f '${Version}' "linux-source-$line" 2>/dev/null || true)
version=${version:-unknown}
recipe=$(cat "$here/uml.patch" "$here/uml.fragment" | sha256sum | cut -c1-12)
driver=$(sha256sum <"$here/press.c")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lastnose
home=$cache/kernel-$version-$recipe

if [[ ${1:-} == --where ]]; then
    echo "$home"
    exit 0
fi

missing() {
    echo "The test kernel needs $1. On Debian: apt install linux-source-6.1 (13: -6.12) flex bison bc gcc make patch libelf-dev xz-utils" >&2
    exit 1
}

# Said before minutes of building: the processor, or what may be traced, is not for every kernel of this kind.
must_run_here() {
    command -v gcc >/dev/null || missing gcc
    gcc -O2 -Wall -Wextra -Werror -o "$home/host" "$here/host.c"
    "$home/host" >&2
}

build_kernel() {
    [[ -r $source_tar ]] || missing "$source_tar"
    for tool in flex bison bc gcc make patch xz; do
        command -v "$tool" >/dev/null || missing "$tool"
    done
    echo "Building the test kernel in $home (about 3 minutes, once) …" >&2
    work=$home/work
    rm -rf "$work"
    mkdir -p "$work"
    # Other machines' code and the largest headers are not needed, and unpacking them takes longer than the build.
    tar -C "$work" --strip-components=1 -xf "$source_tar" \
        --exclude='*/drivers/gpu/drm/amd/include/*' --exclude='*/Documentation/devicetree/*' \
        --exclude='*/arch/arm/boot/*' --exclude='*/arch/arm64/boot/*' --exclude='*/tools/testing/*'
    set +e # a list after || would ignore errors inside it
    (
        set -e
        cd "$work"
        patch -s -p1 <"$here/uml.patch"
        mkdir B
        make -s O=B ARCH=um defconfig
        ARCH=um scripts/kconfig/merge_config.sh -m -O B B/.config "$here/uml.fragment"
        make -s O=B ARCH=um olddefconfig
        make -s O=B ARCH=um -j"$(nproc)" linux
        strip -o "$home/linux.new" B/linux
    ) >"$home/build.log" 2>&1
    status=$?
    set -e
    if ((status != 0)); then
        tail -n 30 "$home/build.log" >&2
        echo "The test kernel did not build; the whole story is in $home/build.log" >&2
        exit 1
    fi
    mv "$home/linux.new" "$home/linux"
    rm -rf "$work"
}

build_driver() {
    command -v gcc >/dev/null || missing gcc
    gcc -O2 -Wall -Wextra -Werror -o "$home/press.new" "$here/press.c"
    mv "$home/press.new" "$home/press"
    echo "$driver" >"$home/press.source"
}

mkdir -p "$home"
exec 9>"$home/lock"
flock 9
must_run_here
[[ -x $home/linux ]] || build_kernel
[[ -x $home/press && $(cat "$home/press.source" 2>/dev/null) == "$driver" ]] || build_driver
echo "$home"
