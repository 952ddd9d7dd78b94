# The real program on what says it is a Pi 5, 4, Zero 2 W and 3: the device
# tree's words and the GPIO chip with the name, lines and line names of each.
# Modules: configfs irq_sim gpio-sim

# be MODEL REVISION COMPATIBLE...
be() {
  d=/sys/firmware/devicetree/base; umount $d 2> /dev/null; mount -t tmpfs dt $d; mkdir -p $d/system
  printf '%s\0' "$1" > $d/model; printf "$2" > $d/system/linux,revision; shift 2
  : > $d/compatible; for c; do printf '%s\0' "$c" >> $d/compatible; done
}

# board NAME LINES LABEL: a short night on this board.
board() {
  say "######## $(tr '\0' ' ' < /proc/device-tree/model), $2 lines called $3"
  chip header $2 $3
  rm -rf /data/nights
  as_table lansquenet wiring --config /tmp/pi.toml --check | grep -E '^(ok|BAD)' | tail -2
  hosting /tmp/pi.toml; check pi.script; stopped TERM
  as_table lansquenet replay latest --json --data /data/nights | tail -1 > /tmp/final
  case $(cat /tmp/final) in
  '{"final":{"game":"lansquenet","phase":"closed","banker":"B","chips":{"A":96,"B":104},'*'"winners":["B"]'*) echo "FINAL RIGHT on $1" ;;
  *) cat /tmp/final; failed="$failed $1" ;;
  esac
  unchip header
}

printf '[buttons]\nlayout = "console"\nunit = 2\n' > /tmp/pi.toml
be "Raspberry Pi 5 Model B Rev 1.0" '\x00\xc0\x41\x70' raspberrypi,5-model-b brcm,bcm2712
board "Pi 5" 54 pinctrl-rp1
be "Raspberry Pi 4 Model B Rev 1.5" '\x00\xc0\x31\x15' raspberrypi,4-model-b brcm,bcm2711
board "Pi 4" 58 pinctrl-bcm2711
be "Raspberry Pi Zero 2 W Rev 1.0" '\x00\x90\x21\x20' raspberrypi,model-zero-2-w brcm,bcm2837
board "Zero 2 W" 54 pinctrl-bcm2835
be "Raspberry Pi 3 Model B Rev 1.2" '\x00\xa0\x20\x82' raspberrypi,3-model-b brcm,bcm2837
board "Pi 3" 54 pinctrl-bcm2835

# Traps of other libraries: a chip with fewer lines than a Pi's, and root
# without /dev/gpiomem. Neither may end in a panic or a bus error.
board "Pi 3, a chip of 28 lines" 28 pinctrl-bcm2835
as_table() { sh -c "cd /data; $*"; }
hosting() { : > /tmp/out; LANSQUENET_WEB_HOST_PIN=24681357 lansquenet run --config $1 --data /data/nights --listen 127.0.0.1:8080 --camera none > /tmp/out 2>&1 & program=$!; }
board "Pi 3, as root without /dev/gpiomem" 54 pinctrl-bcm2835
finish
