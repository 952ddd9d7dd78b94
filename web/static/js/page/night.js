// "/night/ID": the night summed up: who won and lost, who pays whom and why,
// the chips over the night as a plot.
import { $, h, put, s } from "../dom.js";
import { foot, head, page } from "../chrome.js";
import { clock, day, num, signed, t } from "../words.js";

const id = page.param;
const main = $("#main");
head({ seats: [] });
foot();
const res = await fetch(`/api/sessions/${encodeURIComponent(id)}/settle?lang=${page.lang}`);
if (!res.ok) put(main, h("p", { class: "prompt" }, t("night.none")));
else show(await res.json());

function show(n) {
  const worth = h("input", { class: "field", id: "worth", type: "text", inputmode: "decimal", placeholder: "0.10 €", value: localStorage.getItem("lansquenet.worth") ?? "" });
  const pays = h("ol", { class: "explain" });
  const money = () => {
    const m = /^\s*([\d.,]+)\s*(.*)$/.exec(worth.value);
    return m && Number(m[1].replace(",", ".")) > 0 ? { k: Number(m[1].replace(",", ".")), unit: m[2].trim() } : null;
  };
  const inMoney = (chips) => {
    const m = money();
    return m ? ` (${(chips * m.k).toLocaleString(page.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}${m.unit ? " " + m.unit : ""})` : "";
  };
  const settle = () => put(pays, n.payments.length ? n.payments.map((p) => h("li", {}, h("b", {}, t("night.pays", { from: p.from, to: p.to, n: p.amount }) + inMoney(p.amount)), h("br"), h("span", { class: "dim" }, p.why))) : h("li", {}, t("night.even")));
  worth.addEventListener("input", () => { localStorage.setItem("lansquenet.worth", worth.value); settle(); });
  settle();
  const fact = (key, value) => value === null || value === undefined || value === "" ? null : h("div", { class: "fact" }, h("b", {}, value), h("span", {}, t(key)));
  put(main,
    h("h2", {}, t("night.title", { day: day(n.began) })),
    h("div", { class: "buttons" }, h("a", { class: "button", href: "/replay/" + id }, t("night.replay")), h("a", { class: "button", href: `/api/sessions/${id}/report.pdf?lang=${page.lang}` }, t("night.pdf")),
      h("a", { class: "button", href: `/api/sessions/${id}/report.csv?lang=${page.lang}` }, t("night.csv")), h("a", { class: "button", href: `/api/sessions/${id}/journal?download=1` }, t("night.journal"))),
    h("section", {}, h("div", { class: "scrollx", tabindex: "0" }, h("table", {}, h("caption", { class: "vh" }, t("night.players")),
      h("thead", {}, h("tr", {}, ["player", "bought", "cashed", "left", "net"].map((k) => h("th", { scope: "col" }, t("night." + k))))),
      h("tbody", {}, n.players.map((p) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, p.name)), h("td", {}, num(p.bought)), h("td", {}, num(p.cashed)), h("td", {}, num(p.has)), h("td", { class: p.net > 0 ? "up" : p.net < 0 ? "down" : "" }, signed(p.net)))))))),
    h("section", { class: "list" }, h("h3", {}, t("night.settle")), h("p", { class: "hint" }, t("night.odd")), h("div", { class: "fieldline" }, h("label", { for: "worth" }, t("night.worth")), worth), pays),
    h("section", { class: "list" }, h("h3", {}, t("night.chips")), plot(n)),
    h("section", { class: "facts" },
      fact("night.coups", num(n.coups)), fact("night.hour", n.coups_an_hour ? num(Math.round(n.coups_an_hour)) : ""),
      fact("night.longest", n.longest?.coups ? t("night.longest.of", { name: n.longest.banker, n: n.longest.coups }) : ""), fact("night.biggest", n.biggest ? num(n.biggest) : ""),
      fact("night.doublets", num(n.doublets)), fact("night.luck", n.bank_expected ? t("night.luck.of", { won: num(n.bank_won), due: n.bank_expected.toLocaleString(page.lang, { maximumFractionDigits: 1 }) }) : "")),
    h("section", {}, h("h3", {}, t("night.head")), h("p", { class: "mono" }, n.head)));
}

// Each player has a colour and a dash of his own, and his name at the end of
// the line, so that colour is never alone.
const dashes = ["", "8 4", "2 4", "12 4 2 4", "", "8 4", "2 4", "12 4 2 4"];

function plot(n) {
  const W = 900, H = 320, L = 44, R = 150, T = 16, B = 28;
  const pts = n.points;
  if (!pts.length) return h("p", {}, "–");
  const most = Math.max(1, ...pts.flatMap((p) => Object.values(p.chips)));
  const x = (i) => L + ((W - L - R) * i) / Math.max(1, pts.length - 1);
  const y = (v) => H - B - ((H - T - B) * v) / most;
  const step = 10 ** Math.floor(Math.log10(most)), ticks = [];
  for (let v = 0; v <= most; v += most / step < 3 ? step / 2 : step) ticks.push(v);
  const names = n.players.map((p) => p.name);
  const ends = names.map((name, i) => ({ name, i, y: y(pts.at(-1).chips[name] ?? 0) })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < ends.length; i++) ends[i].y = Math.max(ends[i].y, ends[i - 1].y + 15);
  return s("svg", { class: "plot", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": t("night.chips") },
    ticks.map((v) => [s("path", { class: "axis", d: `M${L} ${y(v)}H${W - R}` }), s("text", { x: L - 6, y: y(v) + 4, "text-anchor": "end" }, num(v))]),
    names.map((name, i) => s("path", { class: "line p" + (i % 8), "stroke-dasharray": dashes[i % 8] || null, d: pts.map((p, j) => (j ? "L" : "M") + x(j).toFixed(1) + " " + y(p.chips[name] ?? 0).toFixed(1)).join("") })),
    ends.map((e) => s("text", { class: "who", x: W - R + 8, y: e.y + 4 }, e.name.length > 18 ? e.name.slice(0, 17) + "…" : e.name)),
    s("text", { x: L, y: H - 8 }, clock(pts[0].at)), s("text", { x: W - R, y: H - 8, "text-anchor": "end" }, clock(pts.at(-1).at)));
}
