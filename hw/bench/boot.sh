#!/bin/sh
# boot.sh ARCH KERNELDIR INITRD [QEMU ARGUMENTS]: boots the guest by plain
# emulation, which needs no rights, and shows its console.
#
# The guest's clock counts instructions, two nanoseconds each, and jumps over
# idle time (-icount). So a busy machine changes nothing of what the guest sees,
# half a minute of waiting passes in a moment, and the processor use measured is
# that of a core of 500 million instructions a second, slower than a Pi Zero 2 W's.
set -eu
arch=$1 kernel=$2 initrd=$3; shift 3
case $arch in
amd64) qemu="qemu-system-x86_64 -M q35 -cpu max" tty=ttyS0 ;;
arm64) qemu="qemu-system-aarch64 -M virt -cpu ${CPU:-cortex-a72}" tty=ttyAMA0 ;;
esac
exec timeout "${LIMIT:-2700}" $qemu -accel tcg -icount shift=1,sleep=off -smp 1 -m "${MEM:-512}" -nodefaults -no-reboot -display none -serial stdio \
  -kernel "$kernel/root/boot/vmlinuz-$(cat "$kernel/kver")" -initrd "$initrd" \
  -append "console=$tty quiet loglevel=4 panic=-1 mitigations=off nokaslr" "$@" < /dev/null
