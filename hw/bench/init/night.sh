# The real program hosts a whole night: presses by the kernel, cards and seats
# by HTTP, killed in the middle of a coup, and its final and journal checked.
# Modules: configfs irq_sim gpio-sim
chip header 58 pinctrl-bcm2711

printf '[buttons]\nlayout = "console"\nunit = 2\n[buttons.lamps]\n"seat 1" = "GPIO19"\n"seat 2" = "GPIO20"\n"seat 3" = "GPIO21"\n' > /tmp/night.toml
as_table lansquenet wiring --config /tmp/night.toml --check | tail -3
hosting /tmp/night.toml; check night1.script
used 20 1
stopped KILL; say "killed in the middle of a coup"
hosting /tmp/night.toml; check night2.script; stopped TERM

as_table lansquenet verify latest --data /data/nights || failed="$failed verify"
as_table lansquenet replay latest --json --data /data/nights | tail -1 > /tmp/final
cat /tmp/final
want='{"final":{"game":"lansquenet","phase":"closed","banker":"C","chips":{"A":108,"B":90,"C":102},"bank":0,"stakes":{},"cards":["K","2","2"],"coups":2,"winners":["A"],"seq":19,"head":"'
case $(cat /tmp/final) in "$want"*) ;; *) failed="$failed final" ;; esac
grep -c WARN /tmp/out; grep -v 'level=INFO' /tmp/out | tail -5

say "== seats"
rm -r /data/nights
printf '[buttons]\nlayout = "seats"\nseats = 3\nunit = 2\n' > /tmp/seats.toml
hosting /tmp/seats.toml; check night3.script; stopped TERM
finish
