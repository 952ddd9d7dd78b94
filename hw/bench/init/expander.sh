# Ten seats on two port expanders over the kernel's I²C, with and without their
# interrupt line, and a USB number pad made with uinput.
# Modules: configfs irq_sim gpio-sim i2c-dev mcp_sim uinput evdev
chip header 58 pinctrl-bcm2711
chgrp i2c /dev/i2c-*; chmod 660 /dev/i2c-*
mcp=/sys/module/mcp_sim/parameters
printf 'layout = "seats"\nseats = 10\nexpanders = ["0x20", "0x21"]\ninterrupt = "GPIO4"\n' > /tmp/expander.toml
watching /tmp/expander.toml -turn 10; check expander.script; say "with interrupt"; watched
grep -v interrupt /tmp/expander.toml > /tmp/polled.toml
watching /tmp/polled.toml -turn 10; check expander.script; watched
say "== idle, polled"; watching /tmp/polled.toml; sleep 30; watched
say "== idle, with interrupt"; watching /tmp/expander.toml; sleep 30; watched

say "== number pad"
printf 'layout = "none"\nkeypad = "auto"\n' > /tmp/pad.toml
watching /tmp/pad.toml; check pad.script; watched
finish
