// The page's own words, from the catalogue that came with it. Plurals follow
// Intl.PluralRules: a key with forms is an object {one, few, many, other}.
import { data } from "./dom.js";

const page = data("page") ?? {};
export const lang = page.lang ?? "en";
const words = page.words ?? {};
const plural = new Intl.PluralRules(lang);
// The sentences have their thousands apart in every language; so do the numbers.
const integer = new Intl.NumberFormat(lang, { maximumFractionDigits: 0, useGrouping: "always" });
const share = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 0 });
const share1 = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 1 });
const plus = new Intl.NumberFormat(lang, { maximumFractionDigits: 1, useGrouping: "always", signDisplay: "exceptZero" });

export const num = (n) => integer.format(n);
export const pct = (x) => share.format(x);
export const pct1 = (x) => share1.format(x);
export const signed = (n) => plus.format(n);
export const clock = (at, sec = false) =>
  new Date(at).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", second: sec ? "2-digit" : undefined, hourCycle: "h23" });
export const day = (at) =>
  new Date(at).toLocaleDateString(lang, { weekday: "long", day: "numeric", month: "long", year: "numeric" });

export const has = (key) => key in words;

/** t("cards.left", {n: 3}) is the sentence; {n} also picks the plural form. */
export function t(key, args = {}) {
  let w = words[key];
  if (w === undefined) return key;
  if (typeof w === "object") w = w[plural.select(args.n ?? 0)] ?? w.other;
  return w.replace(/\{(\w+)\}/g, (_, name) => {
    const v = args[name];
    return typeof v === "number" ? num(v) : (v ?? "");
  });
}

/** index is a rank as printed on this viewer's cards: Q, D or Д. */
export const index = (rank) => words["rank." + rank] ?? rank;

/** cardName is how a card is read out. */
export const cardName = (rank, suit) =>
  suit ? t("card.of", { rank: t("rankname." + rank), suit: t("suit." + suit) }) : t("rankname." + rank);
