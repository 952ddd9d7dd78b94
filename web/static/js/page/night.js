// "/night/ID": the night summed up: who won and lost, who pays whom and why,
// the chips over the night as a plot.
import { $, h, put, s } from "../dom.js";
import { foot, head, page } from "../chrome.js";
import { day, num, signed, t } from "../words.js";

const id = page.param;
const main = $("#main");
head({ seats: [] });
foot();
// Each player has a colour and a dash of his own, and his name at the end of
// the line, so that colour is never alone.
const dashes = ["", "8 4", "2 4", "12 4 2 4", "14 4", "4 8", "2 2", "16 4 4 4"];

const worth = localStorage.getItem("lansquenet.worth") ?? "";
const answer = await ask(money(worth));
if (!answer) put(main, h("p", { class: "prompt" }, t("night.none")));
else show(answer);

/** money reads what a chip is worth: "0.10 €" is {chips: 1, minor: 10, unit: "€"}.
 *  Worths of parts of the smallest coin are kept whole by counting more chips. */
function money(text) {
  const m = /^\s*([\d]+(?:[.,]\d{1,6})?)\s*(.*)$/.exec(text);
  if (!m) return null;
  let minor = Number(m[1].replace(",", ".")) * 100, chips = 1;
  while (Math.abs(minor - Math.round(minor)) > 1e-6 && chips < 1e5) { minor *= 10; chips *= 10; }
  return Math.round(minor) > 0 ? { chips, minor: Math.round(minor), unit: m[2].trim() } : null;
}

async function ask(m) {
  const res = await fetch(`/api/sessions/${encodeURIComponent(id)}/settle?lang=${page.lang}${m ? `&chips=${m.chips}&minor=${m.minor}` : ""}`);
  return res.ok ? res.json() : null;
}

function show(n) {
  let m = money(worth);
  const input = h("input", { class: "field", id: "worth", type: "text", inputmode: "decimal", placeholder: "0.10 €", value: worth });
  const pays = h("ol", { class: "explain" });
  // Coins come as whole smallest ones; they are shown with two places.
  const sum = (v) => (m ? (v / 100).toLocaleString(page.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) + (m.unit ? " " + m.unit : "") : num(v));
  const settle = () => put(pays, n.payments.length
    ? n.payments.map((p) => h("li", {}, h("b", {}, t("night.pays", { from: p.from, to: p.to, n: sum(p.amount) })), h("br"), h("span", { class: "dim" }, t("night.pays.why", { from: p.from, to: p.to, lost: sum(p.lost), won: sum(p.won) }))))
    : h("li", {}, t("night.even")));
  input.addEventListener("change", async () => {
    localStorage.setItem("lansquenet.worth", input.value);
    const now = money(input.value), got = await ask(now);
    if (got) { n = got; m = now; settle(); }
  });
  settle();
  const fact = (key, value) => value === null || value === undefined || value === "" ? null : h("div", { class: "fact" }, h("b", {}, value), h("span", {}, t(key)));
  const luck = n.players.some((p) => p.luck !== null);
  put(main,
    h("h2", {}, t("night.title", { day: day(n.began) })),
    h("div", { class: "buttons" }, h("a", { class: "button", href: "/replay/" + id }, t("night.replay")), h("a", { class: "button", href: `/api/sessions/${id}/report.pdf?lang=${page.lang}` }, t("night.pdf")),
      h("a", { class: "button", href: `/api/sessions/${id}/report.csv?lang=${page.lang}` }, t("night.csv")), h("a", { class: "button", href: `/api/sessions/${id}/journal?download=1` }, t("night.journal"))),
    h("section", {}, h("div", { class: "scrollx", tabindex: "0", role: "region", "aria-label": t("night.players") }, h("table", {}, h("caption", { class: "vh" }, t("night.players")),
      h("thead", {}, h("tr", {}, ["player", "bought", "cashed", "left", "net"].map((k) => h("th", { scope: "col" }, t("night." + k))), luck ? h("th", { scope: "col" }, t("night.luck")) : null)),
      h("tbody", {}, n.players.map((p) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, p.name)), h("td", {}, num(p.bought)), h("td", {}, num(p.cashed)), h("td", {}, num(p.has)), h("td", { class: p.net > 0 ? "up" : p.net < 0 ? "down" : "" }, signed(p.net)), luck ? h("td", {}, p.luck === null ? "–" : signed(p.luck)) : null)))))),
    h("section", { class: "list" }, h("h3", {}, t("night.settle")), h("p", { class: "hint" }, t("night.odd")), h("div", { class: "fieldline" }, h("label", { for: "worth" }, t("night.worth")), input), pays),
    h("section", { class: "list" }, h("h3", {}, t("night.chips")), plot(n)),
    h("section", { class: "facts" },
      fact("night.coups", num(n.coups)), fact("night.hour", n.coups_an_hour ? num(Math.round(n.coups_an_hour)) : ""),
      fact("night.longest", n.longest?.coups ? t("night.longest.of", { name: n.longest.banker, n: n.longest.coups }) : ""), fact("night.biggest", n.biggest.moved ? num(n.biggest.moved) : ""),
      fact("night.doublets", num(n.doublets))),
    h("section", {}, h("h3", {}, t("night.head")), h("p", { class: "mono" }, n.head)));
}

function plot(n) {
  const W = 900, H = 320, L = 52, R = 150, T = 16, B = 20;
  const pts = n.points;
  if (pts.length < 2) return h("p", { class: "dim" }, "–");
  const all = pts.flatMap((p) => Object.values(p.net));
  const lo = Math.min(0, ...all), hi = Math.max(1, ...all);
  const x = (i) => L + ((W - L - R) * i) / (pts.length - 1);
  const y = (v) => T + ((H - T - B) * (hi - v)) / (hi - lo);
  const step = [1, 2, 5].map((k) => k * 10 ** Math.floor(Math.log10((hi - lo) / 2))).findLast((k) => (hi - lo) / k >= 2) ?? 1;
  const ticks = [];
  for (let v = Math.ceil(lo / step) * step; v <= hi; v += step) ticks.push(v);
  const names = n.players.map((p) => p.name);
  const ends = names.map((name, i) => ({ name, i, y: y(pts.at(-1).net[name] ?? 0) })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < ends.length; i++) ends[i].y = Math.max(ends[i].y, ends[i - 1].y + 16);
  return s("svg", { class: "plot", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": t("night.chips") },
    ticks.map((v) => [s("path", { class: v === 0 ? "axis zero" : "axis", d: `M${L} ${y(v)}H${W - R}` }), s("text", { x: L - 8, y: y(v) + 4, "text-anchor": "end" }, signed(v))]),
    names.map((name, i) => s("path", { class: "line p" + (i % 8), "stroke-dasharray": dashes[i % 8] || null, d: pts.map((p, j) => (j ? "L" : "M") + x(j).toFixed(1) + " " + y(p.net[name] ?? 0).toFixed(1)).join("") })),
    ends.map((e) => s("text", { class: "who", x: W - R + 8, y: e.y + 4 }, e.name.length > 18 ? e.name.slice(0, 17) + "…" : e.name)));
}
