// The table as everybody sees it: the coup, the prompt, the seats, what was
// told. It draws a snapshot; it knows no rule of any game. Cards say by their
// role where they lie, seats by their fields what they hold.
import { $, h, put, say, keyed } from "./dom.js";
import { back, card, mini, same } from "./cards.js";
import { pile } from "./chips.js";
import { over } from "./chrome.js";
import { arrive, count, fly, twin } from "./motion.js";
import { sideOf } from "./roads.js";
import { clock, has, num, pct, t } from "./words.js";

/** skeleton builds the parts a table page has; where they stand is CSS. */
export function skeleton(root) {
  const side = (name) =>
    h("section", { class: "side " + name, "aria-label": t("side." + name) },
      h("h2", {}, t("side." + name)),
      h("div", { class: "place" }),
      h("div", { class: "odds" },
        h("span", { class: "left" }), h("span", { class: "pct" }),
        h("div", { class: "bar", "aria-hidden": "true" }, h("div", { class: "fill" }))));
  put(root,
    h("div", { class: "coup" },
      side("bank"),
      h("div", { class: "mid" },
        h("div", { class: "money" },
          h("div", { class: "sum bank" }, h("span", {}, t("money.bank")), h("b", { class: "n" })),
          h("div", { class: "sum covered" }, h("span", {}, t("money.covered")), h("b", { class: "n" })),
          h("div", { class: "sum aside", hidden: true }, h("span", {}, t("money.aside")), h("b", { class: "n" })),
          h("div", { class: "sum open" }, h("span", {}, t("money.open")), h("b", { class: "n" }))),
        h("div", { class: "cover", "aria-hidden": "true" }),
        h("p", { class: "outcome", "aria-hidden": "true" }),
        h("div", { class: "row", role: "list", "aria-label": t("cards.since") })),
      side("punters")),
    h("p", { class: "prompt", role: "status", "aria-live": "polite" }),
    h("p", { class: "ended", hidden: true }, h("a", { class: "button" }, t("night.report"))),
    h("ol", { class: "seats", "aria-label": t("seats") }),
    h("section", { class: "told", tabindex: "0", "aria-label": t("history") }, h("h2", {}, t("history")), h("ol", { class: "history" })));
}

// Where cards lie, by their role: on the great places, or open beside them.
const onGreat = new Set(["bank", "punters"]);
const beside = new Set(["punters", "middle"]);

/** lying are the cards of the row: those that have no other place. */
const lying = (snap, elsewhere) =>
  (snap.table ?? []).filter((c) => !onGreat.has(c.role) && !c.role.startsWith("seat:") && !elsewhere?.some((o) => o.n === c.n));

function great(place, c, label) {
  const was = place.card;
  if (c && same(c, was)) return;
  place.card = c;
  put(place, c ? card(c) : back(label));
  if (c && was !== undefined) arrive(place.firstElementChild);
}

/** open cards of a game in which the other side has more than one: each with
 *  what is bet on it, smaller the more there are. */
function spread(place, cards) {
  if (!place.classList.contains("spread")) put(place);
  place.classList.add("spread");
  place.card = undefined;
  place.dataset.many = cards.length > 6 ? "many" : cards.length > 2 ? "some" : "few";
  keyed(place, cards, (c) => c.rank + c.suit + c.role,
    (c) => { const el = h("div", { class: "lay" }, mini(c), h("span", { class: "own" }), h("b", { class: "bet" })); queueMicrotask(() => arrive(el)); return el; },
    (el, c) => {
      say(el.children[1], c.owner ?? "");
      say(el.children[2], c.bet ? num(c.bet) : "");
      el.classList.toggle("out", !!c.out);
    });
}

function side(el, c, odds, leftOf, label, many) {
  const place = $(".place", el);
  if (many) spread(place, many);
  else {
    if (place.classList.contains("spread")) { place.classList.remove("spread"); put(place); place.card = undefined; }
    great(place, c, label);
  }
  say($(".left", el), c && leftOf !== undefined ? t("cards.left", { n: leftOf }) : "");
  say($(".pct", el), odds === undefined ? "" : pct(odds));
  $(".odds", el).hidden = odds === undefined;
  $(".fill", el).style.width = (odds ?? 0) * 100 + "%";
}

/** besides is what a seat has in bets with others than the bank. */
const besides = (seat) => (seat.bets ?? []).reduce((n, b) => n + (b.against ? b.amount : 0), 0);

/** others are the open cards besides the bank's when there is no common one. */
function others(snap) {
  if (snap.punters_card) return null;
  const bets = {};
  for (const seat of snap.seats)
    for (const b of seat.bets ?? []) if (!b.against) bets[b.rank] = (bets[b.rank] ?? 0) + b.amount;
  const out = [];
  for (const seat of snap.seats) if (seat.card) out.push({ ...seat.card, role: "seat", owner: seat.name, bet: bets[seat.card.rank] || seat.stake - besides(seat) });
  for (const c of snap.table ?? [])
    if (beside.has(c.role) || (!c.role && bets[c.rank]))
      if (!out.some((o) => o.rank === c.rank)) out.push({ ...c, bet: bets[c.rank] });
  return out.length ? out : null;
}

/** asks is what the table waits for, said to guests: only the host opens a night. */
export const asks = (snap) => (snap.seats?.length ? snap.prompt : t("idle"));

/** prompt says it. */
export function prompt(el, text) {
  say(el, text);
  el.classList.toggle("long", text.length > 62);
}

/** draw brings the page in line with a snapshot; before is the one it replaces,
 *  null on a fresh page, and says what has moved. At most `shown` cards lie in the
 *  row; those before them are counted. */
export function draw(root, snap, before, shown = 9) {
  const open = snap.seats?.length > 0;
  root.classList.toggle("idle", !open);
  const coup = $(".coup", root);
  const many = open ? others(snap) : null;
  const row = lying(snap, many);
  const bankEl = $(".side.bank", root), puntEl = $(".side.punters", root);
  const aside = (snap.seats ?? []).reduce((n, x) => n + besides(x), 0);
  const staked = (snap.seats ?? []).reduce((n, x) => n + x.stake, 0) - aside;
  const running = snap.bank_card && (snap.punters_card || many) && snap.odds && (snap.bank || staked);
  side(bankEl, snap.bank_card, running ? snap.odds.bank : undefined, snap.bank_card && snap.left?.[snap.bank_card.rank], t("card.none"));
  side(puntEl, snap.punters_card, running ? snap.odds.punters : undefined, snap.punters_card && snap.left?.[snap.punters_card.rank], t("card.none"), many);
  coup.classList.toggle("bare", !row.length);
  coup.classList.toggle("cleared", over(snap) && !row.length && !snap.bank_card && !snap.punters_card);

  $(".money", root).hidden = !snap.bank && !staked && !aside;
  cover($(".cover", root), snap);
  count($(".sum.bank .n", root), snap.bank ?? 0);
  count($(".sum.covered .n", root), staked);
  say($(".sum.covered span", root), t(snap.bank ? "money.covered" : "money.staked"));
  count($(".sum.aside .n", root), aside);
  $(".sum.aside", root).hidden = !aside;
  count($(".sum.open .n", root), snap.open ?? 0);
  $(".sum.open", root).hidden = !snap.open;
  $(".sum.bank", root).hidden = !snap.bank && !!many;

  const list = $(".row", root);
  const hidden = Math.max(0, row.length - shown);
  list.dataset.hidden = hidden ? "+" + hidden : "";
  keyed(list, row.slice(hidden), (c) => c.n, (c) => {
    const el = h("div", { role: "listitem", class: "lay" }, mini(c));
    if (before) queueMicrotask(() => arrive(el));
    return el;
  }, (el, c) => {
    el.className = ["lay", c.n === row.at(-1)?.n && "newest", c.role].filter(Boolean).join(" ");
    if (el.rank !== c.rank + c.suit) { el.rank = c.rank + c.suit; put(el, mini(c)); }
  });

  if (snap.prompt !== undefined) prompt($(".prompt", root), asks(snap));
  const ended = $(".ended", root);
  ended.hidden = !over(snap) || !snap.session;
  if (!ended.hidden) ended.firstElementChild.href = "/night/" + snap.session;
  seats($(".seats", root), snap);
  history($(".history", root), snap.history ?? []);
  if (before && before.session === snap.session) moved(root, snap, before);
  settled(root, snap);
  coup.dataset.due = snap.card_due ? "yes" : "";
}

/** cover shows how much of the bank is covered, and by whom: a piece for each
 *  stake, the open rest dashed. */
function cover(el, snap) {
  el.hidden = !snap.bank;
  const pieces = snap.seats.map((x) => ({ name: x.name, n: x.stake - besides(x) })).filter((x) => x.n > 0);
  const covered = pieces.reduce((n, x) => n + x.n, 0);
  const whole = Math.max(snap.bank, covered);
  keyed(el, pieces, (x) => x.name, () => h("div", { class: "piece" }, h("bdi", {}), h("b", {})), (piece, x) => {
    piece.style.flexGrow = x.n / whole;
    say(piece.firstElementChild, x.name);
    say(piece.lastElementChild, num(x.n));
  });
  el.style.setProperty("--rest", Math.max(0, whole - covered) / whole);
  el.classList.toggle("full", covered >= whole);
}

function seats(list, snap) {
  const most = Math.max(1, ...snap.seats.map((x) => x.chips));
  const mostStaked = Math.max(10, ...snap.seats.map((x) => x.stake));
  list.dataset.many = snap.seats.length > 6 ? "many" : "";
  keyed(list, snap.seats.filter((x) => !x.left), (x) => x.name, (x) =>
    h("li", { class: "seat" },
      h("span", { class: "name" }, h("bdi", {}, x.name)),
      h("span", { class: "word" }),
      h("span", { class: "pilebox" }),
      h("b", { class: "chips", "aria-label": "" }),
      h("span", { class: "spot" },
        h("span", { class: "stake" }, h("span", { class: "stakepile" }), h("b", { class: "n" })),
        h("span", { class: "held" }))),
    (el, x) => {
      el.classList.toggle("turn", !!x.turn);
      el.classList.toggle("banker", !!x.banker);
      if (x.turn) el.setAttribute("aria-current", "true"); else el.removeAttribute("aria-current");
      say($(".word", el), [x.banker && t("seat.banker"), x.turn && t("seat.turn")].filter(Boolean).join(" · "));
      const chips = $(".chips", el);
      count(chips, x.chips);
      chips.style.setProperty("--len", num(x.chips).length);
      chips.setAttribute("aria-label", t("chips", { n: x.chips }));
      if (el.n !== x.chips || el.most !== most) {
        el.n = x.chips; el.most = most;
        put($(".pilebox", el), pile(x.chips, most));
      }
      // Bets on several cards are told one by one.
      el.classList.toggle("betting", !x.card && !!x.bets?.length);
      const stake = $(".stake", el);
      const aside = besides(x), n = x.stake - aside;
      stake.classList.toggle("none", !n);
      if (el.staked !== n + "/" + mostStaked) {
        el.staked = n + "/" + mostStaked;
        put($(".stakepile", el), n ? pile(n, mostStaked, 8) : null);
      }
      say($(".n", stake), n ? num(n) : "–");
      stake.setAttribute("aria-label", n ? t("stake.of", { n }) : t("stake.none"));
      const held = JSON.stringify([x.card, x.bets]);
      if (el.held !== held) {
        el.held = held;
        // What stands on the seat's own card is its stake already. Where there is
        // no room for each bet with another player, their sum is shown.
        put($(".held", el), x.card ? mini(x.card) : null,
          (x.bets ?? []).filter((b) => !b.against && b.rank !== x.card?.rank).map((b) => h("span", { class: "bet" }, mini(b), num(b.amount))),
          (x.bets ?? []).filter((b) => b.against).map((b) => h("span", { class: "bet against" }, "⇄\u00a0" + num(b.amount), h("bdi", {}, b.against))),
          aside ? h("span", { class: "bet together", role: "img", "aria-label": t("money.aside") + " " + num(aside) }, "⇄\u00a0" + num(aside)) : null);
      }
    });
}

function history(list, told) {
  const newest = told.slice(-40).reverse();
  keyed(list, newest, (x) => x.seq + ":" + x.i, (x) =>
    h("li", {}, h("time", { datetime: x.at }, clock(x.at)), h("span", {})),
  (el, x) => say(el.lastElementChild, x.text));
}

/** moved lets chips travel from where they were to where they are. */
function moved(root, snap, before) {
  const seatEl = new Map([...root.querySelectorAll(".seat")].map((el) => [el.dataset.key, el]));
  const was = new Map(before.seats.map((x) => [x.name, x]));
  const bank = $(".sum.bank .n", root);
  for (const x of snap.seats) {
    const old = was.get(x.name), el = seatEl.get(x.name);
    if (!old || !el) continue;
    const rack = $(".chips", el), stake = $(".stake", el);
    const free = x.chips - old.chips, put = x.stake - old.stake;
    if (put > 0) fly(rack, stake, put);
    else if (free > 0) fly(old.stake ? stake : bank, rack, free);
    else if (put < 0) fly(stake, bank, -put);
    if (free < 0 && put <= 0) fly(rack, bank, -free);
  }
}

/** settled shows whose the coup was: by colour, pattern, word and place. */
function settled(root, snap) {
  const done = !snap.running && snap.result && (snap.table ?? []).length > 0;
  const who = done ? snap.result : "";
  const key = who ? snap.coups + who : "";
  if (root.dataset.result === who && root.resultKey === key) return;
  const first = root.resultKey === undefined;
  root.resultKey = key;
  root.dataset.result = who;
  say($(".outcome", root), who && has("result." + who) ? t("result." + who) : "");
  if (!who || first) return;
  const winner = $(`.side.${sideOf(who)} .card`, root);
  twin($(".row .newest .card", root), winner);
  root.classList.add("moment");
  setTimeout(() => root.classList.remove("moment"), 2400);
}
