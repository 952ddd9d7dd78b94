# Buttons and lamps of both layouts on one simulated chip.
# Modules: configfs irq_sim gpio-sim
chip header 58 pinctrl-bcm2711
printf 'layout = "console"\nbuzzer = "GPIO12"\n' > /tmp/console.toml
watching /tmp/console.toml; check console.script; watched
say "== idle"; watching /tmp/console.toml; sleep 30; watched

printf 'layout = "seats"\nseats = 4\n' > /tmp/seats.toml
watching /tmp/seats.toml; check seats.script; watched

say "== a line that another program holds"
printf 'layout = "console"\n[lines]\nbanco = ""\npass = ""\nbank = ""\nundo = ""\ndeal = ""\n[lamps]\n"no card" = ""\n"bank won" = ""\n"punters won" = ""\n"ask host" = ""\n' > /tmp/one.toml
su -s /bin/sh table -c "exec guest watch -config /tmp/one.toml > /tmp/other 2>&1" & other=$!
until grep -q READY /tmp/other; do usleep 50000; done
watching /tmp/console.toml
check busy.script
kill -TERM $other; wait $other
check freed.script
watched

watching /tmp/console.toml
check vanish.script
watched

say "== no chip at all"
unchip header 2> /dev/null
watching /tmp/console.toml; check nochip.script
say "== and one that is plugged in later"
chip header 58 pinctrl-bcm2711
check plugged.script; watched
finish
