# The real program with its reader, and cameras that fail: a loopback into which a
# rendered night is played, vivid, unplugged and plugged in elsewhere, a network
# camera that cannot be reached, and a child like rpicam-vid that is killed.
# Modules: configfs v4l2loopback vivid:node_types=0x1

# udev names cameras as on a real machine: by what they are, whatever their number.
cat > /bin/udev << 'END'
#!/bin/sh
rm -rf /dev/v4l; mkdir -p /dev/v4l/by-id
for d in /sys/class/video4linux/video*; do
  case $(cat $d/name) in
  *Dummy*) ln -s /dev/${d##*/} /dev/v4l/by-id/usb-loopback-video-index0 ;;
  *vid-cap) ln -s /dev/${d##*/} /dev/v4l/by-id/usb-vivid-video-index0 ;;
  esac
done
chgrp video /dev/video*; chmod 660 /dev/video*
ls -l /dev/v4l/by-id | sed -n 's/.*usb-/# usb-/p'
END
cat > /bin/rpicam-vid << 'END'
#!/bin/sh
sleep 1 # it takes its time
echo $$ > /tmp/child
exec guest tap 127.0.0.1:9000
END
chmod +x /bin/udev /bin/rpicam-vid
udev
printf '[camera]\nwidth = 640\nheight = 480\nfps = 10\n' > /tmp/camera.toml
say "$(lansquenet-cam version | tr '\n' ' ')"

printf '[camera]\nsource = "v4l2:/dev/v4l/by-id/usb-vivid-video-index0"\nwidth = 640\nheight = 480\n[camera.controls]\npower_line = 1\n' > /tmp/doctor.toml
as_table lansquenet-cam doctor --config /tmp/doctor.toml > /tmp/doctor; grep camera /tmp/doctor
grep -q '^ok *camera .*640×480.*MJPG was asked for' /tmp/doctor || failed="$failed doctor"

# filming SCRIPT SOURCE: the program looks through a camera that the script feeds.
filming() {
  : > /tmp/out; chmod 666 /tmp/out; rm -rf /tmp/fed /tmp/bad /data/nights; say "== $1"
  { guest script /bin/$1 /tmp/out || touch /tmp/bad; } & feeding=$!
  until [ -e /tmp/fed ] || [ -e /tmp/bad ]; do usleep 50000; done
  # As systemd does, the program is started again when it was killed.
  while [ -e /tmp/fed ]; do
    LANSQUENET_WEB_HOST_PIN=24681357 su -p -s /bin/sh table -c "cd /data; exec lansquenet-cam run --config /tmp/camera.toml --data /data/nights --listen 127.0.0.1:8080 --camera $2 >> /tmp/out 2>&1"
    say "the program ended with $?"
  done & service=$!
  wait $feeding
  rm /tmp/fed; killall lansquenet-cam; wait $service
  [ -e /tmp/bad ] && failed="$failed $1" && tail -5 /tmp/out
}

# journalled LOSSES: the night's journal has so many losses, each with its return.
journalled() {
  as_table lansquenet verify latest --data /data/nights || failed="$failed verify"
  as_table lansquenet replay latest --data /data/nights > /tmp/replay
  grep '(camera)' /tmp/replay
  [ $(grep -c '(camera) .*\(is gone\|no more pictures\)' /tmp/replay) = $1 ] && [ $(grep -c '(camera) .*\(is back\|gives pictures\)' /tmp/replay) = $1 ] || failed="$failed journal"
}
filming loopback.script v4l2:/dev/v4l/by-id/usb-loopback-video-index0
journalled 2
filming unplug.script v4l2:$(readlink /dev/v4l/by-id/usb-vivid-video-index0)
filming network.script http://127.0.0.1:9000/video
journalled 3
filming child.script rpicam
journalled 2
finish
