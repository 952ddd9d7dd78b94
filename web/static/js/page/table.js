// "/": the table in a hand, reading only.
import { $, h } from "../dom.js";
import { foot, head, headline, stale } from "../chrome.js";
import { live } from "../live.js";
import { draw, skeleton } from "../table.js";
import { roads } from "../roads.js";
import { soundSwitch, tell } from "../sound.js";

const main = $("#main");
head();
foot(soundSwitch());
main.classList.add("board");
skeleton(main);
const road = h("section", { class: "roads", hidden: true });
main.append(road);
live({
  stale,
  show(snap, before) {
    headline(snap);
    draw(main, snap, before);
    roads(road, snap.road);
    tell(snap, before);
  },
});
