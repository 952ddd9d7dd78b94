// "/replay/ID": what happened there? Two people who disagree step through the
// night. It shows the same table as the live page, made of the journal alone.
import { $, h, put, say } from "../dom.js";
import { foot, head, headline, page } from "../chrome.js";
import { draw, skeleton } from "../table.js";
import { roads } from "../roads.js";
import { clock, num, t } from "../words.js";
import { steps as load } from "../steps.js";

const id = page.param;
const main = $("#main");
head();
foot(h("a", { href: "/night/" + id }, t("night.report")));

const view = h("div", { class: "view board" });
skeleton(view);
const road = h("section", { class: "roads", hidden: true });
const did = h("p", { class: "did", role: "status", "aria-live": "polite" });
const hash = h("p", { class: "mono" });
const picture = h("figure", { class: "proof", hidden: true }, h("figcaption", {}, t("replay.picture")), h("img", { class: "evidence", alt: t("replay.picture") }));
const slide = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": t("replay.jump") });
const at = h("span", { class: "at" });
const play = h("button", { type: "button", class: "go play" }, h("span", { class: "label" }, t("replay.play")));
const speed = h("select", { class: "sound", "aria-label": t("replay.speed") }, [0.5, 1, 2, 4, 8].map((x) => h("option", { value: x, selected: x === 2 }, "× " + num(x).replace("1", x === 0.5 ? "½" : "1"))));
speed.firstElementChild.textContent = "× ½";
const button = (key, sign, go) => h("button", { type: "button", "aria-label": t(key), title: t(key), onclick: () => { stop(); go(); } }, sign);
const player = h("div", { class: "player" }, slide,
  h("div", { class: "buttons" }, button("replay.coup.back", "⏮", () => coup(-1)), button("replay.back", "◀", () => show(k - 1)), play, button("replay.on", "▶", () => show(k + 1)), button("replay.coup.on", "⏭", () => coup(1)), speed, at));
put(main, h("h2", { class: "vh" }, t("replay.title")), did, view, picture, road, hash, player);

// What the camera keeps a picture of.
const pictured = new Set(["card"]);

let list = [], k = 0, timer = 0;

function show(n, animate = true) {
  n = Math.max(1, Math.min(list.length, n));
  const before = animate && n === k + 1 ? list[k - 1]?.table ?? null : null;
  k = n;
  const step = list[k - 1];
  if (!step) return;
  document.documentElement.dataset.seq = step.seq;
  headline(step.table);
  draw(view, { ...step.table, prompt: undefined }, before);
  roads(road, step.table.road);
  const now = step.table.history.filter((x) => x.seq === step.seq).map((x) => x.text).join(" ");
  say(did, clock(step.at, true) + " · " + (now || t("act." + step.action.do)));
  say($(".prompt", view), step.table.prompt);
  say(at, t("replay.at", { k: step.seq, n: list.length }));
  say(hash, t("replay.hash") + " " + step.hash);
  slide.value = k;
  history.replaceState(null, "", "#" + step.seq);
  picture.hidden = true;
  if (page.host && pictured.has(step.action.do)) {
    const img = $("img", picture);
    img.onload = () => { picture.hidden = false; };
    img.src = `/api/sessions/${id}/picture/${step.seq}`;
  }
}

function coup(d) {
  const now = list[k - 1]?.table.coups ?? 0;
  const i = list.findIndex((x) => x.table.coups === Math.max(0, now + d));
  show(i < 0 ? (d > 0 ? list.length : 1) : i + 1, false);
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  say($(".label", play), t("replay.play"));
}
function run() {
  if (k >= list.length) return stop();
  const wait = Math.min(2500, Math.max(250, new Date(list[k].at) - new Date(list[k - 1].at))) / Number(speed.value);
  timer = setTimeout(() => { show(k + 1); run(); }, wait);
}
play.addEventListener("click", () => {
  if (timer) return stop();
  if (k >= list.length) show(1, false);
  say($(".label", play), t("replay.pause"));
  run();
});
slide.addEventListener("input", () => { stop(); show(Number(slide.value), false); });
addEventListener("keydown", (e) => {
  if (e.target.closest("input, select, button")) return;
  if (e.key === "ArrowRight") { stop(); show(k + 1); }
  if (e.key === "ArrowLeft") { stop(); show(k - 1); }
  if (e.key === " ") { e.preventDefault(); play.click(); }
});

for await (const got of load(id)) {
  if (!got) { put(main, h("p", { class: "prompt" }, t("night.none"))); break; }
  list = got;
  slide.max = list.length;
  if (!k) show(1, false);
  else say(at, t("replay.at", { k, n: list.length }));
}
const asked = Number(location.hash.slice(1));
if (list.length) show(asked > 0 && asked <= list.length && asked !== 1 ? asked : k || 1, false);
