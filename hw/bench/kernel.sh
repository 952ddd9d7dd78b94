#!/bin/sh
# kernel.sh ARCH DIR: a Debian kernel for the bench, unpacked in DIR; nothing is
# installed on this machine. ARCH is amd64 or arm64.
#
# Debian builds its kernels without gpio-sim, so that it is compiled here as a
# module out of Debian's own kernel source, with irq_sim which it needs. For
# arm64 the cross compiler aarch64-linux-gnu-gcc-12 must be installed.
set -eu
arch=$1 dir=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$dir"; dir=$(cd "$dir" && pwd)
want="$arch $(cat "$0" "$here"/modules/* | sha256sum | cut -c1-16)"
[ "$(cat "$dir/ready" 2>/dev/null)" = "$want" ] && exit 0
rm -f "$dir/ready"
PATH=$PATH:/usr/sbin:/sbin # of who is not root, too: depmod, modprobe
t0=$(date +%s); lap() { echo "kernel $arch [$(($(date +%s) - t0)) s] $*"; }

# A private apt of the foreign architecture, so that this machine's own package
# state is neither needed nor touched.
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/deb"; : > "$dir/apt/status"
apt="-o APT::Architecture=$arch -o APT::Architectures::=$arch -o Dir::State=$dir/apt -o Dir::State::status=$dir/apt/status
  -o Dir::Cache=$dir/apt/cache -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 -q"
meta=linux-image-6.12-$arch
apt-get $apt update > "$dir/apt/log" 2>&1 || true # some other source of this machine's may be away
apt-cache $apt show $meta > /dev/null 2>&1 || meta=linux-image-$arch   # Debian 13's own kernel is 6.12
image=$(apt-cache $apt depends $meta | awk '/Depends: linux-image-[0-9]/ {print $2; exit}')
[ -n "$image" ] || { cat "$dir/apt/log"; echo "kernel.sh: apt has no kernel for $arch"; exit 1; }
kver=${image#linux-image-}; base=${kver%-"$arch"}; series=$(echo "$base" | cut -d. -f1-2)
lap "index read, kernel $kver"
(cd "$dir/deb" && apt-get $apt download "$image" linux-headers-"$kver" linux-headers-"$base"-common linux-source-"$series" busybox-static) > /dev/null
# The build tools have to run here, whatever the guest is.
own=$apt; [ "$arch" = "$(dpkg --print-architecture)" ] || own="-o APT::Sandbox::User=root -q"
(cd "$dir/deb" && apt-get $own download linux-kbuild-"$base" > /dev/null) ||
  { echo "kernel.sh: linux-kbuild-$base is not to be had; run apt-get update"; exit 1; }
lap "downloaded"
rm -rf "$dir/root" "$dir/build"; mkdir -p "$dir/root" "$dir/build" "$dir/src"
for d in "$dir"/deb/linux-image-"$kver"_*.deb "$dir"/deb/linux-headers-"$base"-common_*.deb \
  "$dir"/deb/linux-headers-"$kver"_*.deb "$dir"/deb/linux-kbuild-"$base"_*.deb; do dpkg-deb -x "$d" "$dir/root"; done
dpkg-deb -x "$dir"/deb/linux-source-"$series"_*.deb "$dir/src"
tar -xJf "$dir/src/usr/src/linux-source-$series.tar.xz" -C "$dir/build" --strip-components=3 --wildcards \
  '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c' || true # tar grumbles that a pattern's folder is no match
dpkg-deb --fsys-tarfile "$dir"/deb/busybox-static_*.deb | tar -xO --wildcards '*/bin/busybox' > "$dir/busybox"; chmod +x "$dir/busybox"
rm -rf "$dir/src"
lap "unpacked"

# The loopback camera of Debian 13: 0.12 of Debian 12 does not compile for 6.12.
mkdir -p "$dir/apt13/lists/partial" "$dir/apt13/cache/archives/partial"; : > "$dir/apt13/status"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/$' || echo http://deb.debian.org/debian/)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > "$dir/apt13/sources.list"
apt13="-o Dir::Etc::sourcelist=$dir/apt13/sources.list -o Dir::Etc::sourceparts=- -o Dir::State=$dir/apt13 -o Dir::State::status=$dir/apt13/status
  -o Dir::Cache=$dir/apt13/cache -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 -q"
apt-get $apt13 update > "$dir/apt/log" 2>&1 || { cat "$dir/apt/log"; exit 1; }
(cd "$dir/deb" && apt-get $apt13 download v4l2loopback-dkms > /dev/null)
dpkg-deb --fsys-tarfile "$dir"/deb/v4l2loopback-dkms_*.deb | tar -x -C "$dir/build" --strip-components=4 --wildcards './usr/src/v4l2loopback-*/v4l2loopback*.[ch]'

cd "$dir/build"
mv irq_sim.c irq_sim_core.c
# irq_to_desc is not exported to modules; generic_handle_irq runs the same
# handler and is.
sed -i 's/handle_simple_irq(irq_to_desc(\([a-z]*\)))/generic_handle_irq(\1)/' irq_sim_core.c
cp "$here"/modules/* .
headers=$dir/root/usr/src/linux-headers-$kver
sed -i "s#^include /usr/src/#include $dir/root/usr/src/#" "$headers/Makefile" # it names its home by absolute path
rm -f "$headers/vmlinux"                                                     # without it no BTF, which needs pahole
cross=; [ "$arch" = arm64 ] && cross="ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-"
make -s -C "$headers" M="$PWD" $cross modules
mkdir -p "$dir/root/lib/modules/$kver/extra"
cp ./*.ko "$dir/root/lib/modules/$kver/extra/"
depmod -b "$dir/root" "$kver"
echo "$kver" > "$dir/kver"
echo "$want" > "$dir/ready"
lap "modules built"
