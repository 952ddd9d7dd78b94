// "/nights": every night that the journal holds, the newest first.
import { $, h, put } from "../dom.js";
import { foot, head } from "../chrome.js";
import { clock, day, t } from "../words.js";

head({ seats: [] });
foot();
const list = h("div", { class: "list" });
put($("#main"), h("h2", {}, t("nights.title")), list);
const nights = await fetch("/api/sessions").then((r) => r.json());
put(list, nights.length ? nights.map((n) => h("a", { class: "night", href: "/night/" + n.id },
  h("b", {}, day(n.began)), h("span", { class: "dim" }, n.closed ? clock(n.last) : t("nights.open")),
  h("span", { class: "dim" }, clock(n.began) + " – " + clock(n.last) + " · " + t("nights.entries", { n: n.entries })),
  h("span", { class: "mono" }, n.head.slice(0, 12) + "…"))) : h("p", {}, t("nights.none")));
