#!/bin/sh
# initrd.sh OUT KERNELDIR BUSYBOX INIT "MODULES" [FILE...]: a guest's whole
# userland: busybox, modules in load order with what they need, INIT as /init,
# every FILE in /bin, and the libraries of this machine that a FILE is linked to.
set -eu
PATH=$PATH:/usr/sbin:/sbin # of who is not root, too: modprobe
out=$1 kernel=$2 busybox=$3 init=$4 modules=$5; shift 5
kver=$(cat "$kernel/kver")
w=$(mktemp -d); chmod 755 "$w"; trap 'rm -rf "$w"' EXIT
mkdir -p "$w/bin" "$w/dev" "$w/proc" "$w/sys" "$w/tmp" "$w/mod" "$w/etc" "$w/data"
cp "$busybox" "$w/bin/busybox"; ln -s busybox "$w/bin/sh"
cp "$init" "$w/init"; chmod +x "$w/init"
printf 'root:x:0:0::/:/bin/sh\ntable:x:1000:1000::/data:/bin/sh\n' > "$w/etc/passwd"
printf 'root:x:0:\ntable:x:1000:\ngpio:x:993:table\ni2c:x:994:table\ninput:x:995:table\nvideo:x:44:table\n' > "$w/etc/group"
: > "$w/mod/order"; : > "$w/mod/params"
for m in $modules; do # NAME or NAME:PARAMETER
  case $m in *:*) echo "${m%%:*}.ko ${m#*:}" >> "$w/mod/params"; m=${m%%:*} ;; esac
  modprobe -d "$kernel/root" -S "$kver" --show-depends "$m" | while read -r verb file _; do
    [ "$verb" = insmod ] || continue
    base=$(basename "$file" .xz)
    [ -e "$w/mod/$base" ] && continue
    case $file in *.xz) xz -dc "$file" > "$w/mod/$base" ;; *) cp "$file" "$w/mod/$base" ;; esac
    echo "$base" >> "$w/mod/order"
  done
done
for f in "$@"; do
  cp "$f" "$w/bin/"
  { ldd "$f" 2> /dev/null || true; } | grep -o '/[^ ]*' | while read -r lib; do
    [ -e "$w$lib" ] || { mkdir -p "$w$(dirname "$lib")"; cp -L "$lib" "$w$lib"; }
  done
done
# Not compressed: an emulated processor takes longer to unpack than QEMU to read.
(cd "$w" && find . | cpio -o -H newc --quiet) > "$out"
