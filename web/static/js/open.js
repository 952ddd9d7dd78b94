// Opening a night: the game, whose rules, the house's own rules with a sentence
// each, and the seats in their order, from the last night where there was one.
import { h, put } from "./dom.js";
import { act, busy } from "./act.js";
import { index, t, has, num } from "./words.js";
import { lang } from "./words.js";

const keep = "lansquenet.seats";
const lastSeats = () => {
  try { return JSON.parse(localStorage.getItem(keep)) ?? []; } catch { return []; }
};

export function openForm({ snap, refused, done }) {
  const form = h("form", { class: "opening" });
  const state = { book: null, game: "", profile: "", rules: {}, seats: [], banker: "" };
  const old = snap()?.seats?.map((x) => ({ name: x.name, chips: 100 })) ?? [];
  state.seats = old.length ? old : lastSeats().length ? lastSeats() : [{ name: "", chips: 100 }, { name: "", chips: 100 }, { name: "", chips: 100 }];

  const gameBox = h("div", { class: "pick" }), profileBox = h("div", { class: "pick" }), profileWord = h("p", { class: "hint" }), gameWord = h("p", { class: "hint" });
  const rulesBox = h("div", { class: "rules" }), seatsBox = h("ol", { class: "sitting" }), bankerBox = h("select", { class: "field", id: "banker" });
  const changedWord = h("span", { class: "dim" });
  const button = h("button", { type: "submit", class: "go big" }, h("span", { class: "label" }, t("open.go")));
  const profileSet = h("fieldset", {}, h("legend", {}, t("open.profile")), profileBox, profileWord);

  put(form, h("h2", {}, t("open.title")),
    h("fieldset", {}, h("legend", {}, t("open.game")), gameBox, gameWord),
    profileSet,
    h("fieldset", {}, h("legend", {}, t("open.seats")), h("p", { class: "hint" }, t("open.order")), seatsBox,
      h("button", { type: "button", class: "minor", onclick: () => { state.seats.push({ name: "", chips: state.seats.at(-1)?.chips ?? 100 }); seats(); seatsBox.lastElementChild.querySelector("input").focus(); } }, t("open.addseat"))),
    h("div", { class: "fieldline" }, h("label", { for: "banker" }, t("open.banker")), bankerBox),
    h("details", { class: "drawer" }, h("summary", {}, t("open.rules"), " ", changedWord), rulesBox),
    button);

  const radio = (list, now, key, set) => list.map((x) => h("button", { type: "button", role: "radio", "aria-checked": String(x === now), onclick: () => set(x) }, t(key + x)));

  function draw() {
    const g = state.book.games.find((x) => x.name === state.game);
    put(gameBox, radio(state.book.games.map((x) => x.name), state.game, "game.", (x) => { state.game = x; state.profile = (state.book.games.find((y) => y.name === x).profiles ?? [])[0] ?? ""; state.rules = {}; draw(); }));
    gameBox.setAttribute("role", "radiogroup");
    gameWord.textContent = t("game.about." + state.game);
    profileSet.hidden = !g.profiles?.length;
    if (g.profiles?.length) {
      profileBox.setAttribute("role", "radiogroup");
      put(profileBox, radio(g.profiles, state.profile, "profile.", (x) => { state.profile = x; state.rules = {}; draw(); }));
      profileWord.textContent = t("profile.about." + state.profile);
    }
    const defaults = g.defaults[state.profile];
    put(rulesBox, g.options.map((key) => rule(state.book.options.find((o) => o.key === key), defaults[key])));
    changed();
  }

  function changed() {
    const n = Object.keys(state.rules).length;
    changedWord.textContent = n ? t("open.changed", { n }) : "";
  }

  function rule(o, normal) {
    const id = "rule-" + o.key;
    const set = (v) => {
      if (JSON.stringify(v) === JSON.stringify(normal)) delete state.rules[o.key];
      else state.rules[o.key] = v;
      row.classList.toggle("changed", o.key in state.rules);
      changed();
    };
    const now = state.rules[o.key] ?? normal;
    let field;
    if (o.values) field = h("select", { id, class: "field", onchange: () => set(field.value) }, o.values.map((v) => h("option", { value: v, selected: v === now }, t("value." + o.key + "." + v))));
    else if (o.on_off) field = h("select", { id, class: "field", onchange: () => set(field.value === "true") }, ["true", "false"].map((v) => h("option", { value: v, selected: v === String(now) }, t("value." + v))));
    else if (o.ranks) field = h("div", { class: "toggles", id, role: "group", "aria-label": t("rule." + o.key) }, state.book.ranks.map((r) => h("button", { type: "button", "aria-pressed": String(now.includes(r)), onclick: (e) => {
      const on = e.currentTarget.getAttribute("aria-pressed") !== "true";
      e.currentTarget.setAttribute("aria-pressed", String(on));
      set(state.book.ranks.filter((x, i) => field.children[i].getAttribute("aria-pressed") === "true"));
    } }, index(r))));
    else if (o.time) field = h("input", { id, class: "field", type: "time", value: now, onchange: () => set(field.value) });
    else field = h("input", { id, class: "field", type: "number", min: o.min, max: o.max, step: 1, value: now, onchange: () => set(Number(field.value)) });
    const row = h("div", { class: "rule" }, h("label", { for: id }, t("rule." + o.key)), field, h("p", { class: "hint" }, t("rule.about." + o.key)));
    row.classList.toggle("changed", o.key in state.rules);
    return row;
  }

  function seats() {
    put(seatsBox, state.seats.map((seat, i) => {
      const name = h("input", { class: "field", type: "text", value: seat.name, maxlength: 32, autocomplete: "off", "aria-label": t("open.name", { n: i + 1 }), placeholder: t("open.name", { n: i + 1 }), oninput: () => { seat.name = name.value.trim(); bankers(); } });
      const chips = h("input", { class: "field chipsin", type: "number", inputmode: "numeric", min: 0, max: 1e9, step: 1, value: seat.chips, "aria-label": t("open.chips"), oninput: () => { seat.chips = Number(chips.value); } });
      const move = (d, key, sign) => h("button", { type: "button", class: "tiny", disabled: i + d < 0 || i + d >= state.seats.length, "aria-label": t(key), onclick: () => { state.seats.splice(i + d, 0, state.seats.splice(i, 1)[0]); seats(); } }, sign);
      return h("li", {}, name, chips, move(-1, "open.up", "↑"), move(1, "open.down", "↓"),
        h("button", { type: "button", class: "tiny", disabled: state.seats.length <= 2, "aria-label": t("open.remove"), onclick: () => { state.seats.splice(i, 1); seats(); } }, "×"));
    }));
    bankers();
  }
  function bankers() {
    const names = state.seats.map((x) => x.name).filter(Boolean);
    if (!names.includes(state.banker)) state.banker = "";
    put(bankerBox, h("option", { value: "" }, t("open.drawn")), names.map((n) => h("option", { value: n, selected: n === state.banker }, n)));
  }
  bankerBox.addEventListener("change", () => { state.banker = bankerBox.value; });

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    busy(button, async () => {
      const a = { do: "open", game: state.game, seats: state.seats.filter((x) => x.name) };
      if (state.profile) a.profile = state.profile;
      if (Object.keys(state.rules).length) a.rules = state.rules;
      if (state.banker) a.banker = state.banker;
      const res = await act(a, snap());
      if (res.ok) {
        localStorage.setItem(keep, JSON.stringify(a.seats));
        done?.();
      }
      return res;
    }, refused);
  });

  fetch("/api/rules?lang=" + lang).then((r) => r.json()).then((book) => {
    state.book = book;
    state.game = book.games[0].name;
    state.profile = book.games[0].profiles?.[0] ?? "";
    seats();
    draw();
  });
  return form;
}
