// The head and foot that every page shares, and the page's own data.
import { $, data, h, put, say } from "./dom.js";
import { has, t } from "./words.js";

export const page = data("page") ?? {};

// The phases in which there is nothing left but to settle up.
const ended = { closed: true };

/** over says that the night is closed: nothing is played any more. */
export const over = (snap) => !!ended[snap.phase];

/** where is the night in a few words: the coup, or that there is none. */
export const where = (snap) =>
  !snap.game ? t("brand") : over(snap) ? t("night.over") : t("coup.n", { k: snap.coups + (snap.card_due || snap.result === "" ? 1 : 0) || 1 });
export const what = (snap, brief) =>
  snap.game ? [t("game." + snap.game), snap.profile && (brief ? t("profile." + snap.profile) : t("house", { what: t("profile." + snap.profile) }))].filter(Boolean).join(" · ") : "";
export const who = (snap) => (snap.banker ? t(snap.sales ? "bank.sold" : "bank.of", { name: snap.banker, n: snap.sales }) : "");

export function head(snapLike) {
  const top = $("#top");
  put(top,
    h("h1", { class: "where" }), h("span", { class: "what" }), h("span", { class: "who" }),
    h("span", { class: "live", role: "status" }, t("live.ok")));
  if (snapLike) headline(snapLike);
}

/** headline says what is played; brief is for a wall, where seats stand around it. */
export function headline(snap, brief = false) {
  say($("#top .where"), where(snap));
  say($("#top .what"), what(snap, brief));
  say($("#top .who"), who(snap));
}

export function stale(on) {
  say($("#top .live"), t(on ? "live.stale" : "live.ok"));
}

/** foot adds the links between pages before the languages. */
export function foot(...more) {
  const here = location.pathname;
  const link = (href, key) => h("a", { href, "aria-current": href === here ? "page" : null }, t(key));
  $("#foot").prepend(h("nav", { "aria-label": t("pages") }, link("/", "nav.table"), link("/tv", "nav.tv"), link("/host", "nav.host"),
    page.seat ? h("a", { href: "/seat/" + encodeURIComponent(page.seat) }, page.seat) : link("/join", "nav.join"), link("/nights", "nav.nights"), more));
  for (const a of $("#foot").querySelectorAll(".langs a")) a.href = a.getAttribute("href") + location.hash.replace(/^#pin=.*/, "");
}

/** word looks a key up with a fallback for what an engine may add later. */
export const word = (key, otherwise) => (has(key) ? t(key) : otherwise);
