// What may be done now, as controls. The engine lists the choices; here each
// becomes a button, a row of ranks or names, or an amount to set. Which fields
// an action has besides its seat is the contract's table of actions, as data.
import { h, put } from "./dom.js";
import { index, num, t, has, cardName } from "./words.js";
import { disc } from "./chips.js";
import { suitPath } from "./cards.js";
import { act, busy, twice } from "./act.js";
import { s } from "./dom.js";

const numbers = { limits: ["min", "max"], sit: ["chips"], correct: ["card"] };
const texts = { void: ["reason"], sit: ["name"] };
const maySkip = { burn: "rank" };
/** Actions that need a second tap: they end or undo what cannot be redone. */
export const grave = new Set(["void", "undo", "close", "time_up", "shoe_out", "rise", "correct"]);

// What a field of numbers begins with, where it is not the amount last used;
// which numbers are no chips; how long a text may be.
const starts = { min: () => 1, max: () => 10, card: (c) => c.max };
const plain = new Set(["card"]);
const longest = { name: 32, reason: 120 };

const remembered = new Map();

/** label is what the button says it will do. */
export function label(c, v = {}) {
  const args = { ...v, seat: c.seat, n: v.amount ?? v.chips ?? v.min, rank: v.rank ? index(v.rank) : "" };
  for (const key of [`do.${c.do}.${"n" in args && args.n !== undefined ? "n" : v.rank ? "rank" : "none"}`, "do." + c.do]) if (has(key)) return t(key, args);
  return c.do;
}

const clamp = (n, c) => Math.max(c.min ?? 0, Math.min(c.max ?? Infinity, n));

/** keeper makes controls and keeps them from one snapshot to the next, so that
 *  nobody loses what he is setting because somebody else has acted. A choice that
 *  stays keeps its control; one that only got other bounds keeps its values; one
 *  that was sent begins anew. */
export function keeper() {
  let last = new Map(), now = new Map();
  const unsent = (el) => (el && !el.sent ? el : undefined);
  return {
    control(c, opts) {
      const same = JSON.stringify([c, !!opts.big, !!opts.named]), who = JSON.stringify([c.do, c.seat]);
      const el = unsent(last.get(same)) ?? control(c, opts, unsent(last.get(who))?.values);
      now.set(same, el).set(who, el);
      return el;
    },
    /** turn ends one drawing; what it did not ask for is forgotten. */
    turn() { last = now; now = new Map(); },
    /** spent says whether one of the controls has been sent. */
    spent: () => [...last.values()].some((el) => el.sent),
  };
}

/** control makes the control of one choice.
 *  opts: snap() the state on screen, refused(text), done(), big, named (say whose);
 *  before: the values that an earlier control of this choice had. The element
 *  has .values, and .sent once it was pressed and not refused. */
export function control(c, opts, before = {}) {
  const v = {};
  const box = h("div", { class: ["choice", "do-" + c.do, opts.big && "big"].filter(Boolean).join(" "), role: "group" });
  box.values = v;
  if (opts.named && c.seat) box.append(h("span", { class: "for" }, h("bdi", {}, c.seat)));

  const send = (button, more = {}) =>
    busy(button, async () => {
      const a = { do: c.do, ...(c.seat ? { seat: c.seat } : {}), ...v, ...more };
      if (a.amount !== undefined) remembered.set(c.do, a.amount);
      box.sent = true;
      const res = await act(a, opts.snap());
      box.sent = res.ok;
      if (res.ok) opts.done?.(res);
      return res;
    }, opts.refused);
  const go = (text, more, cls = "") => {
    const b = h("button", { type: "button", class: "go " + cls }, h("span", { class: "label" }, text));
    if (grave.has(c.do)) twice(b, () => send(b, more));
    else b.addEventListener("click", () => send(b, more));
    return b;
  };

  const fields = numbers[c.do] ?? (c.max || c.amounts ? ["amount"] : []);
  const words = texts[c.do] ?? [];

  // Only certain amounts: a button each, nothing to set.
  if (c.amounts && !c.ranks && !c.against) {
    box.append(h("div", { class: "amounts" }, c.amounts.map((n) => go(label(c, { amount: n }), { amount: n }))));
    return box;
  }
  // Ranks alone: each rank is the button.
  if (c.ranks && !fields.length) {
    box.append(h("p", { class: "caption" }, label(c)), rankPad(c.ranks, (b, rank, suit) => send(b, suit ? { rank, suit } : { rank }), { suits: opts.suits, grave: grave.has(c.do) }));
    if (maySkip[c.do]) box.append(go(t("do.unseen"), {}, "minor"));
    return box;
  }

  let button = null;
  const relabel = () => {
    if (!button || button.classList.contains("armed")) return;
    button.querySelector(".label").textContent = label(c, v);
    const missing = words.some((f) => !v[f]?.trim()) || (c.ranks && !v.rank) || (c.do in pickRank && !v.rank) || (c.against && !v.against);
    button.disabled = !!missing;
  };
  if (c.ranks || c.do in pickRank) box.append(toggles(t("pick.rank"), c.ranks ?? allRanks, (r) => index(r), (r) => { v.rank = r; relabel(); }, (r) => cardName(r), before.rank));
  if (c.against) box.append(toggles(t("pick.against"), c.against, (x) => x, (x) => { v.against = x; relabel(); }, undefined, before.against));
  for (const f of words) {
    const input = h("input", { type: "text", maxlength: longest[f] ?? 120, autocomplete: "off", "aria-label": t("field." + f), placeholder: t("field." + f), class: "field" });
    input.addEventListener("input", () => { v[f] = input.value.trim(); relabel(); });
    if (before[f]) input.value = v[f] = before[f];
    box.append(input);
    if (has("suggest." + c.do)) box.append(h("div", { class: "quick" }, t("suggest." + c.do).split("|").map((w) =>
      h("button", { type: "button", onclick: () => { input.value = v[f] = w; relabel(); } }, w))));
  }
  for (const f of fields) {
    const start = clamp(before[f] ?? starts[f]?.(c) ?? remembered.get(c.do) ?? (c.max <= 20 ? c.max : 10), c);
    box.append(stepper(t(has("field." + c.do + "." + f) ? `field.${c.do}.${f}` : "field." + f), start, c, (n) => { v[f] = n; relabel(); }, plain.has(f)));
  }
  button = go(label(c, v), {});
  relabel();
  box.append(button);
  return box;
}

const allRanks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const pickRank = { correct: true };

/** rankPad is a key for each rank; with suits also a row to say the suit. */
export function rankPad(ranks, press, { suits = false, guess = [] } = {}) {
  let suit = "";
  const marks = suits && h("div", { class: "suits", role: "radiogroup", "aria-label": t("pick.suit") }, ["", "clubs", "diamonds", "hearts", "spades"].map((x) =>
    h("button", { type: "button", role: "radio", "aria-checked": String(x === suit), "aria-label": x ? t("suit." + x) : t("suit.none"), class: x,
      onclick: (e) => { suit = x; for (const b of e.currentTarget.parentNode.children) b.setAttribute("aria-checked", String(b === e.currentTarget)); } },
    x ? s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, s("path", { d: suitPath(x) })) : "–")));
  return h("div", { class: "pad" },
    h("div", { class: "ranks" }, ranks.map((r) =>
      h("button", { type: "button", class: guess.includes(r) ? "key guess" : "key", "aria-label": cardName(r), "data-rank": r, onclick: (e) => press(e.currentTarget, r, suit) }, h("span", { class: "label" }, index(r))))),
    marks);
}

function toggles(name, list, show, pick, aria, first = list.length === 1 ? list[0] : undefined) {
  const box = h("div", { class: "toggles", role: "radiogroup", "aria-label": name });
  put(box, list.map((x) => h("button", { type: "button", role: "radio", "aria-checked": "false", "aria-label": aria?.(x), onclick: (e) => {
    for (const b of box.children) b.setAttribute("aria-checked", String(b === e.currentTarget));
    pick(x);
  } }, show(x))));
  if (list.includes(first)) box.children[list.indexOf(first)].click();
  return box;
}

const quick = [1, 5, 10, 25, 100];

/** stepper sets an amount with one thumb: minus, plus, chips, the rest. */
export function stepper(name, start, { min = 0, max = 1e9 } = {}, change, plain = false) {
  let n = start;
  const input = h("input", { type: "number", inputmode: "numeric", min, max, step: 1, value: start, "aria-label": name });
  const set = (x) => {
    n = Math.max(min, Math.min(max, Math.round(x) || 0));
    input.value = n;
    change(n);
  };
  input.addEventListener("input", () => { const x = Number(input.value); if (Number.isInteger(x) && x >= min && x <= max) { n = x; change(n); } });
  input.addEventListener("change", () => set(Number(input.value)));
  input.addEventListener("focus", () => input.select());
  const el = h("div", { class: "stepper" },
    h("span", { class: "name" }, name),
    h("div", { class: "line" },
      h("button", { type: "button", class: "step", "aria-label": t("less"), onclick: () => set(n - 1) }, "−"),
      input,
      h("button", { type: "button", class: "step", "aria-label": t("more"), onclick: () => set(n + 1) }, "+")),
    plain ? null : h("div", { class: "quick" },
      quick.filter((q) => q >= min && q <= max).map((q) => h("button", { type: "button", "aria-label": t("set.to", { n: q }), onclick: () => set(q) }, disc([500, 100, 25, 5, 1].find((w) => q >= w)), h("span", {}, num(q)))),
      max < 1e9 ? h("button", { type: "button", class: "rest", onclick: () => set(max) }, t("all.of", { n: max })) : null));
  change(n);
  return el;
}
