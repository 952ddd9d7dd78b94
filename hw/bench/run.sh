#!/bin/sh
# run.sh [NAME...]: the bench without hardware. Each NAME is a guest (init/NAME.sh);
# without one, those that run in every CI. Needs the Debian packages named in
# README.md beside this file; downloads and builds are kept in .cache/bench.
set -eu
[ $# -gt 0 ] || set -- buttons night expander camera
here=$(cd "$(dirname "$0")" && pwd); top=$(cd "$here/../.." && pwd)
cache=${BENCH_CACHE:-$top/.cache/bench}; arch=${BENCH_ARCH:-amd64}
mkdir -p "$cache/$arch"
t0=$(date +%s)
sh "$here/kernel.sh" "$arch" "$cache/$arch"
export GOARCH=$arch CGO_ENABLED=0
(cd "$top" && go build -ldflags '-s -w' -o "$cache/$arch/bin/" ./hw/bench/guest ./cmd/lansquenet)
case " $* " in *" camera "*)
  (cd "$top" && CGO_ENABLED=1 go build -o "$cache/$arch/bin/lansquenet-cam" ./cmd/lansquenet)
  (cd "$top" && go run ./vision/scene/clip -cards 7S,QH,9C,7D -size 640x480 -fps 10 -wide 380 "$cache/$arch/night") ;;
esac
bad=
for name; do
  w=$cache/$arch/$name; mkdir -p "$w"
  cat "$here/init/common.sh" "$here/init/$name.sh" > "$w/init"
  extra=; [ "$name" = camera ] && extra="$cache/$arch/bin/lansquenet-cam $cache/$arch/night.mjpeg"
  modules=$(sed -n 's/^# Modules: //p' "$here/init/$name.sh")
  sh "$here/initrd.sh" "$w/initrd" "$cache/$arch" "$cache/$arch/busybox" "$w/init" "$modules" "$cache/$arch/bin/guest" "$cache/$arch/bin/lansquenet" $extra "$here"/scripts/*
  MEM=512; [ "$name" = camera ] && MEM=2048
  echo "=== $name on $arch"
  MEM=$MEM sh "$here/boot.sh" "$arch" "$cache/$arch" "$w/initrd" 2>&1 | tee "$w/console.log" || true
  grep -q '^BENCH PASS' "$w/console.log" || bad="$bad $name"
done
echo "bench: $(($(date +%s) - t0)) s"
[ -z "$bad" ] || { echo "bench failed:$bad"; exit 1; }
echo "bench passed"
