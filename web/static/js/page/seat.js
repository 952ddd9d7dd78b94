// "/seat/NAME": a guest's own phone. Above the fold: my chips and stake, the
// prompt, my buttons; when it is not my turn the coup takes their place.
import { $, arrange, h, put, say } from "../dom.js";
import { foot, head, headline, page, stale } from "../chrome.js";
import { live } from "../live.js";
import { asks, draw, skeleton } from "../table.js";
import { keeper } from "../choices.js";
import { count } from "../motion.js";
import { pile } from "../chips.js";
import { clock, num, signed, t } from "../words.js";
import { soundSwitch, tell } from "../sound.js";
import { joinForm } from "../join.js";

const me = page.param;
const mine = page.seat === me || page.host; // the host may act for anybody
const main = $("#main");
head();
foot(soundSwitch());

const view = h("div", { class: "view" });
skeleton(view);
const prompt = $(".prompt", view);
const front = h("div", { class: "front" });
const note = h("p", { class: "note", role: "alert" });
const chips = h("b", { class: "n" }), stake = h("b", { class: "n" }), won = h("b", { class: "n" }), heap = h("span", { class: "pilebox" });
const cell = (key, el, cls) => h("div", { class: "cell " + cls }, h("span", {}, t(key)), el);
const desk = h("section", { class: "mydesk", "aria-label": me }, h("h2", {}, h("bdi", {}, me)), heap, cell("me.chips", chips, "chips"), cell("me.stake", stake, "stake"), cell("me.net", won, "net"));
const past = h("ol", { class: "history" });
const mypast = h("details", { class: "drawer" }, h("summary", {}, t("me.history")), past);
put(main, desk, prompt, mine || page.seat ? null : h("div", { class: "panel" }, h("p", {}, t("join.need")), joinForm()), front, note, view, mypast);

let snap = null, drawn = "", wasTurn = null, timer = 0;
const kept = keeper();
const refused = (text) => {
  say(note, text);
  note.classList.add("on");
  clearTimeout(timer);
  timer = setTimeout(() => { note.classList.remove("on"); say(note, ""); }, 8000);
};

function choose(seat) {
  const list = mine ? snap.choices.filter((c) => c.seat === me && !hostly.has(c.do)) : [];
  const now = JSON.stringify([snap.session, seat?.turn, list]);
  if (now === drawn && !kept.spent()) return;
  drawn = now;
  document.body.classList.toggle("myturn", !!seat?.turn);
  document.body.classList.toggle("acting", list.length > 0);
  arrange(front, list.map((c, i) => kept.control(c, { snap: () => snap, refused, big: i === 0, done: () => { note.classList.remove("on"); say(note, ""); } })));
  kept.turn();
}
// What the host alone may send though it is about a seat.
const hostly = new Set(["chips", "rise"]);

live({
  stale,
  show(now, before) {
    snap = now;
    headline(snap);
    const seat = snap.seats.find((x) => x.name === me);
    document.body.classList.toggle("noseat", !seat);
    count(chips, seat?.chips ?? 0);
    count(stake, seat?.stake ?? 0);
    say(won, seat ? signed(seat.chips + seat.stake + seat.cashed - seat.bought) : "–");
    for (const el of [chips, stake, won]) el.style.setProperty("--len", num(el === stake ? seat?.stake ?? 0 : seat?.chips ?? 0).length);
    if (seat && heap.n !== seat.chips) { heap.n = seat.chips; put(heap, pile(seat.chips, Math.max(...snap.seats.map((x) => x.chips)), 12)); }
    draw(view, { ...snap, prompt: undefined }, before);
    say(prompt, seat || !snap.seats.length ? asks(snap) : t("me.away", { name: me }));
    choose(seat);
    const turn = !!seat?.turn;
    if (mine && turn && wasTurn === false) navigator.vibrate?.(200);
    wasTurn = turn;
    const rows = snap.history.filter((x) => x.who?.includes(me)).reverse();
    put(past, rows.map((x) => h("li", {}, h("time", {}, clock(x.at)), h("span", {}, x.text))));
    tell(snap, before);
  },
});
