#!/bin/sh
# The first part of every guest's /init.
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /tmp
ip link set lo up
chown 1000:1000 /data; chmod 1777 /tmp
say() { read -r up _ < /proc/uptime; echo "[$up] $*"; }
while read -r m; do insmod "/mod/$m" $(sed -n "s/^$m //p" /mod/params) || say "module $m does not load"; done < /mod/order
mount -t configfs none /sys/kernel/config
say "kernel $(uname -r) $(uname -m), modules $(cut -d' ' -f1 /proc/modules | tr '\n' ' ')"
failed=
sims=/sys/kernel/config/gpio-sim

# chip NAME LINES LABEL: a GPIO chip whose lines are called GPIO0, GPIO1, … and
# are pulled up, as with buttons to ground; its users are the group gpio.
chip() {
  mkdir -p $sims/$1/bank0; echo "$2" > $sims/$1/bank0/num_lines; echo "$3" > $sims/$1/bank0/label
  i=0; while [ $i -lt "$2" ]; do mkdir -p $sims/$1/bank0/line$i; echo GPIO$i > $sims/$1/bank0/line$i/name; i=$((i+1)); done
  echo 1 > $sims/$1/live
  for f in /sys/devices/platform/$(cat $sims/$1/dev_name)/gpiochip*/sim_gpio*/pull; do echo pull-up > $f; done
  chgrp gpio /dev/gpiochip*; chmod 660 /dev/gpiochip*
}
unchip() { echo 0 > $sims/$1/live; rmdir $sims/$1/bank0/line* $sims/$1/bank0 $sims/$1; }

# as_table COMMAND...: as a user without rights but for the group gpio and the
# like, as the service does.
as_table() { su -s /bin/sh table -c "cd /data; $*"; }

# watching CONFIG [FLAGS]: starts a panel in the background; its output is
# /tmp/out.
watching() {
  : > /tmp/out; chmod 666 /tmp/out
  su -s /bin/sh table -c "exec guest watch -config $* > /tmp/out 2>&1" & watcher=$!
  until grep -q READY /tmp/out; do kill -0 $watcher 2> /dev/null || { cat /tmp/out; break; }; usleep 50000; done
}
watched() { kill -TERM $watcher; wait $watcher; grep CPU /tmp/out; }

# check SCRIPT: works a script against what watching started.
check() {
  say "== $1"
  guest script /bin/$1 /tmp/out || failed="$failed $1"
}
# hosting CONFIG: starts the real program as a user without rights.
hosting() {
  : > /tmp/out; chmod 666 /tmp/out
  LANSQUENET_WEB_HOST_PIN=24681357 su -p -s /bin/sh table -c "cd /data; exec lansquenet run --config $1 --data /data/nights --listen 127.0.0.1:8080 --camera none > /tmp/out 2>&1" & program=$!
}
stopped() { kill -$1 $program; wait $program; say "the program ended with $?"; }

# used SECONDS MOST: the program's processor use over a while, at most MOST per cent.
used() {
  most=$2
  a=$(cut -d' ' -f14,15 /proc/$program/stat); sleep $1; b=$(cut -d' ' -f14,15 /proc/$program/stat)
  set -- $1 $a $b; say "USED $(( ($4 + $5 - $2 - $3) * 100 / $1 )) hundredths of a per cent of a core over $1 s"
  [ $(( ($4 + $5 - $2 - $3) )) -lt $(( $1 * most )) ] || failed="$failed idle"
}

finish() {
  [ -z "$failed" ] && echo "BENCH PASS" || echo "BENCH FAIL:$failed"
  sync; poweroff -f; sleep 60
}
