# The real program with its reader and a real V4L2 camera: a loopback into which
# a rendered night is played, stopped and gone on with, and vivid, unplugged.
# OpenCV's libraries come from the machine that runs the bench, read only.
# Modules: configfs virtio_pci 9pnet_virtio 9p v4l2loopback vivid:node_types=0x1
mkdir -p /host; mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=262144,cache=loose host /host || failed="$failed 9p"
mount --bind /dev /host/dev; mount --bind /proc /host/proc; mount -t sysfs sys /host/sys; mount -t tmpfs tmp /host/tmp; chmod 1777 /host/tmp
mv /bin/lansquenet-cam /host/tmp/; mkdir /host/tmp/nights; chown 1000:1000 /host/tmp/nights
node() { for d in /sys/class/video4linux/video*; do case $(cat $d/name) in *"$1"*) echo /dev/${d##*/}; return;; esac; done; }
ln -s "$(node Dummy)" /dev/loop-camera; ln -s "$(node vid-cap)" /dev/vivid-camera
chgrp video /dev/video*; chmod 660 /dev/video*
printf '[camera]\nwidth = 640\nheight = 480\nfps = 15\n' > /host/tmp/camera.toml

# Everything is read once, so that the program starts as fast as from a disk.
say "$(guest enter /host /tmp/lansquenet-cam version | tr '\n' ' ')"

# filming DEVICE SCRIPT: the program looks through a camera; the script feeds it.
filming() {
  : > /tmp/out; rm -f /tmp/fed; say "== $2"
  { guest script /bin/$2 /tmp/out || touch /tmp/bad; } & feeding=$!
  until [ -e /tmp/fed ]; do usleep 50000; done
  LANSQUENET_WEB_HOST_PIN=24681357 guest enter /host /tmp/lansquenet-cam run --config /tmp/camera.toml --data /tmp/nights --listen 127.0.0.1:8080 --camera v4l2:$1 > /tmp/out 2>&1 & program=$!
  wait $feeding
  kill -TERM $program; wait $program; say "the program ended with $?"
  [ -e /tmp/bad ] && failed="$failed $2" && tail -5 /tmp/out
}
filming /dev/loop-camera camera.script
rm -r /host/tmp/nights/*
filming /dev/vivid-camera unplug.script
finish
