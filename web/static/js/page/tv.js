// "/tv": what is happening, and who is ahead of whom, read from four metres.
import { $, h, put, say } from "../dom.js";
import { head, headline, page, stale } from "../chrome.js";
import { live } from "../live.js";
import { draw, skeleton } from "../table.js";
import { felt, ring } from "../ring.js";
import { roads } from "../roads.js";
import { t } from "../words.js";
import { soundSwitch, tell } from "../sound.js";

const main = $("#main");
head();
skeleton(main);
const cloth = felt();
main.prepend(cloth);
const last = h("p", { class: "last" });
const road = h("section", { class: "roads", hidden: true });
const marks = h("p", { class: "marks" });
const join = h("figure", { class: "joinqr" }, h("img", { src: "/api/qr.svg", alt: t("tv.qr") }), h("figcaption", {}, t("tv.join"), h("br"), h("b", {}, (page.base ?? location.origin).replace(/^https?:\/\//, ""))));
main.append(h("div", { class: "strip" }, h("div", { class: "words" }, last, marks), road, join));
const light = new URLSearchParams(location.search).has("light");
$("#foot").prepend(soundSwitch(), h("a", { href: light ? "/tv" : "/tv?light" }, t(light ? "tv.dark" : "tv.light")));

let quiet = 0;
const awake = () => {
  document.body.classList.remove("dim");
  clearTimeout(quiet);
  quiet = setTimeout(() => document.body.classList.add("dim"), 10 * 60 * 1000);
};
addEventListener("pointermove", awake);
awake();

live({
  stale,
  show(snap, before) {
    if (!before || before.seq !== snap.seq) awake();
    headline(snap, true);
    draw(main, snap, before, 6);
    ring($(".seats", main), cloth);
    say(last, snap.history.at(-1)?.text ?? "");
    roads(road, snap.road, 15);
    put(marks, h("span", { class: "mark cam " + snap.camera }, t("camera." + snap.camera)), snap.head ? h("span", { class: "mark" }, t("journal.head", { head: snap.head.slice(0, 8) })) : null);
    tell(snap, before);
  },
});

// A television keeps its screen on while there is a night.
async function stayOn() {
  try { if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen"); } catch { /* not offered on plain http */ }
}
document.addEventListener("visibilitychange", stayOn);
stayOn();
