// "/host": what does the table need from me now? One big answer to that, the
// taking back always in the same corner, everything rare one level down.
import { $, arrange, h, put, say, s } from "../dom.js";
import { foot, head, headline, page, stale } from "../chrome.js";
import { live } from "../live.js";
import { draw, skeleton } from "../table.js";
import { control, keeper, rankPad } from "../choices.js";
import { act, busy, on, post, twice } from "../act.js";
import { clock, index, t, num } from "../words.js";
import { openForm } from "../open.js";
import { askPIN } from "../login.js";
import { soundSwitch, tell } from "../sound.js";

const main = $("#main");
head();
foot(soundSwitch());

/* ---- the desk ---- */

// Which choices stand one level down, and in which drawer. Everything else is
// in front, in the order in which the engine lists it.
const drawers = {
  cards: ["correct", "burn", "shuffle", "shoe_out", "void"],
  people: ["chips", "sit", "rise"],
  night: ["time_up", "close"],
};
const rare = new Map(Object.entries(drawers).flatMap(([d, list]) => list.map((x) => [x, d])));
const corner = "undo";
const opening = new Set(["open"]);

function desk() {
  document.body.classList.add("desk");
  const view = h("div", { class: "view" });
  skeleton(view);
  const prompt = $(".prompt", view);
  const front = h("div", { class: "front" });
  const note = h("p", { class: "note", role: "alert" });
  const notices = h("div", { class: "notices", role: "status" });
  const back = h("button", { class: "undo", type: "button" }, s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M9 5L4 10l5 5M4 10h9a6 6 0 0 1 0 12h-3" })), h("span", { class: "label" }));
  const openDrawers = {};
  const drawer = (name, ...kids) => {
    const body = h("div", { class: "inner" }, kids);
    const el = h("details", { class: "drawer" }, h("summary", {}, t("drawer." + name)), body);
    openDrawers[name] = { el, body };
    return el;
  };
  const joinBox = h("div", {}), camBox = h("div", {}), journalBox = h("div", {});
  const tools = h("div", { class: "tools" },
    drawer("cards"), drawer("people"), drawer("phones", joinBox), drawer("camera", camBox), drawer("journal", journalBox), drawer("night"));
  const hand = h("section", { class: "hand", "aria-label": t("host.hand") }, notices, prompt, front, note, tools,
    h("div", { class: "corner" }, back));
  put(main, view, hand);

  let snap = null, drawn = "", noteTimer = 0, undoAt = "";
  const kept = keeper();
  const refused = (text) => {
    say(note, text);
    note.classList.add("on");
    clearTimeout(noteTimer);
    noteTimer = setTimeout(() => { note.classList.remove("on"); say(note, ""); }, 8000);
  };
  const opts = { snap: () => snap, refused, done: () => { note.classList.remove("on"); say(note, ""); } };
  twice(back, () => busy(back, () => act({ do: corner }, snap), refused));

  function choose() {
    const all = snap.choices;
    const undoNow = snap.session + "/" + snap.seq;
    if (undoNow !== undoAt) back.calm(); // a second tap would take back something else
    undoAt = undoNow;
    const now = JSON.stringify([snap.session, snap.undo_of, all, snap.camera]);
    if (now === drawn && !kept.spent() && !Object.values(openDrawers).some((d) => d.spent?.())) return; // a heartbeat of the camera does not move a button
    drawn = now;
    const fresh = all.every((c) => opening.has(c.do)); // no night, or one that is over
    document.body.classList.toggle("fresh", !!fresh);
    if (fresh) {
      if (!$(".opening", front)) put(front, openForm({ snap: () => snap, refused, done: opts.done }));
      tools.hidden = back.hidden = true;
      return;
    }
    tools.hidden = back.hidden = false;
    const here = all.filter((c) => !rare.has(c.do) && c.do !== corner);
    const cards = here.filter((c) => c.ranks && !c.seat);
    const watched = snap.camera === "ok" || snap.camera === "starting";
    const kids = [];
    const lead = here[0];
    const several = new Set(here.map((c) => c.seat).filter(Boolean)).size > 1;
    for (const c of here) {
      const el = kept.control(c, { ...opts, big: c === lead, named: several, suits: true });
      if (cards.includes(c) && watched) kids.push(h("details", { class: "byhand cards", open: $(".byhand.cards", front)?.open }, h("summary", {}, t("card.byhand")), el));
      else kids.push(el);
    }
    const mine = [], others = [];
    here.forEach((c, i) => (c.seat === lead?.seat || !c.seat ? mine : others).push(kids[i]));
    arrange(front, mine, others.length ? h("details", { class: "byhand others", open: $(".byhand.others", front)?.open ?? others.length <= 3 }, h("summary", {}, t("host.others")), h("div", { class: "inner" }, others)) : null);
    kept.turn();
    for (const [name, list] of Object.entries(drawers)) {
      const cs = all.filter((c) => list.includes(c.do));
      openDrawers[name].el.hidden = !cs.length;
      fillDrawer(openDrawers[name], cs);
    }
    const undo = all.find((c) => c.do === corner);
    back.disabled = !undo;
    say($(".label", back), undo ? t("undo.of", { what: t("act." + snap.undo_of) }) : t("undo.none"));
  }

  // A drawer offers one control for each kind of thing; a kind that comes once
  // for each seat asks first for whom. What the host has picked and typed in it
  // stays while others act.
  function fillDrawer(drawer, cs) {
    const tools = (drawer.kinds ??= new Map());
    drawer.spent = () => [...tools.values()].some((x) => x.made?.sent);
    const kinds = [...new Set(cs.map((c) => c.do))];
    for (const k of [...tools.keys()]) if (!kinds.includes(k)) tools.delete(k);
    arrange(drawer.body, kinds.map((k) => {
      const list = cs.filter((c) => c.do === k), said = JSON.stringify(list);
      const was = tools.get(k);
      if (was && was.said === said && !was.made?.sent) return was.el;
      const now = tool(k, list, was?.made?.sent ? undefined : was);
      now.said = said;
      tools.set(k, now);
      return now.el;
    }));
  }

  // tool is one kind of thing: its element, and the control made for the picked
  // choice if there is one.
  function tool(k, list, was) {
    const slot = h("div", {});
    const self = { made: null };
    const make = (c, values) => put(slot, (self.made = control(c, opts, values)));
    let seats = null;
    if (list.length === 1 && !list[0].seat) make(list[0], was?.made?.values);
    else {
      const pick = (c, values) => {
        self.seat = c.seat;
        for (const [i, b] of [...seats.children].entries()) b.setAttribute("aria-pressed", String(list[i] === c));
        make(c, values);
      };
      seats = h("div", { class: "toggles", role: "group", "aria-label": t("pick.seat") },
        list.map((c) => h("button", { type: "button", "aria-pressed": "false", onclick: () => pick(c) }, h("bdi", {}, c.seat))));
      const again = was?.made && list.find((c) => c.seat === was.seat);
      if (again) pick(again, was.made.values);
    }
    self.el = h("section", { class: "tool" }, h("h3", {}, t("tool." + k)), h("p", { class: "hint" }, t("hint." + k)), h("div", {}, seats, slot));
    return self;
  }

  phones(joinBox, () => snap, refused);
  journal(journalBox, openDrawers.journal.el, () => snap);
  camera(camBox, openDrawers.camera.el, () => snap);
  const sheet = unsureSheet(refused);

  live({
    stale,
    show(now, before) {
      if (before && before.host && !now.host) return location.reload(); // the login ran out
      snap = now;
      headline(snap);
      draw(view, { ...snap, prompt: undefined }, before);
      say(prompt, snap.prompt);
      choose();
      sheet(snap);
      put(notices, [...(snap.notice ?? []), ...(snap.host?.troubles ?? []), snap.trouble, snap.host?.camera_trouble].filter(Boolean).map((x) => h("p", {}, x)));
      joinBox.update?.();
      tell(snap, before);
    },
  });
}

/* ---- a card the reader would not decide alone ---- */

function unsureSheet(refused) {
  const box = h("dialog", { class: "sheet", "aria-labelledby": "unsure-title" });
  box.addEventListener("cancel", (e) => e.preventDefault());
  document.body.append(box);
  let showing = null;
  return (snap) => {
    const u = snap.host?.unsure;
    if (!u) {
      if (box.open) box.close();
      showing = null;
      return;
    }
    if (showing === u.i + snap.run) return;
    showing = u.i + snap.run;
    const note = h("p", { class: "note on", role: "alert" });
    const say1 = (b, rank) => busy(b, () => post("/api/camera/answer", { i: u.i, rank, ...on(snap) }), (text) => { say(note, text); refused(text); });
    put(box, h("h2", { id: "unsure-title" }, t("unsure.title")),
      u.picture ? h("img", { class: "evidence", alt: t("unsure.picture"), src: "/api/camera/unsure.jpg?i=" + u.i }) : null,
      h("div", { class: "guesses" }, (u.guess ?? []).slice(0, 3).map((r) => h("button", { type: "button", class: "guess", "data-rank": r, onclick: (e) => say1(e.currentTarget, r) }, h("span", { class: "label" }, index(r))))),
      h("details", { open: !(u.guess ?? []).length }, h("summary", {}, t("unsure.all")), rankPad(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"], (b, r) => say1(b, r))),
      h("button", { type: "button", class: "minor", onclick: (e) => say1(e.currentTarget, "") }, t("unsure.none")), note);
    if (!box.open) box.showModal();
  };
}

/* ---- phones ---- */

function phones(box, snap, refused) {
  const list = h("div", { class: "phones" });
  const code = h("div", { class: "invite" });
  put(box, h("p", { class: "hint" }, t("hint.phones")), list, code);
  let drawn = "";
  box.update = () => {
    const state = snap();
    const now = JSON.stringify([on(state), state.seats.map((x) => x.name), state.host?.joined]);
    if (now === drawn) return;
    drawn = now;
    put(list, state.seats.filter((x) => !x.left).map((x) => {
      const n = state.host?.joined?.[x.name] ?? 0;
      const revoke = twice(h("button", { type: "button", class: "minor", hidden: !n }, h("span", { class: "label" }, t("phones.revoke"))), () => busy(revoke, () => post("/api/revoke", { seat: x.name, ...on(state) }), refused));
      return h("div", { class: "phone" }, h("b", {}, h("bdi", {}, x.name)), h("span", { class: "dim" }, n ? t("phones.joined", { n }) : ""),
        h("button", { type: "button", onclick: (e) => busy(e.currentTarget, async () => {
          const res = await post("/api/invite", { seat: x.name, ...on(state) });
          if (!res.ok) return res;
          const img = h("img", { alt: t("phones.qr", { name: x.name }), src: "data:image/svg+xml," + encodeURIComponent(res.body.qr) });
          put(code, h("h3", {}, h("bdi", {}, x.name)), img, h("p", {}, t("phones.scan")), h("p", { class: "code" }, res.body.code.replace(/(...)/, "$1 ")), h("p", { class: "dim" }, t("phones.till", { at: clock(res.body.till), url: location.host + "/join" })));
          code.scrollIntoView({ block: "nearest" });
          return res;
        }, refused) }, t("phones.show")), revoke);
    }));
  };
}

/* ---- the journal, searched ---- */

function journal(box, drawer, snap) {
  const find = h("input", { type: "search", class: "field", "aria-label": t("journal.find"), placeholder: t("journal.find") });
  const list = h("ol", { class: "history" });
  const links = h("p", {});
  put(box, find, list, links);
  let steps = [], session = "";
  async function load() {
    const now = snap();
    if (!now?.session) return;
    if (session !== now.session) steps = [];
    session = now.session;
    for (;;) {
      const res = await fetch(`/api/sessions/${session}/replay?after=${steps.at(-1)?.seq ?? 0}&lang=${page.lang}`);
      if (!res.ok) return;
      const got = (await res.json()).steps;
      steps.push(...got);
      if (got.length < 200) break;
    }
    put(links, h("a", { href: "/replay/" + session }, t("night.replay")), " · ", h("a", { href: "/night/" + session }, t("night.report")));
    show();
  }
  function show() {
    const q = find.value.trim().toLocaleLowerCase(page.lang);
    const rows = [];
    for (let i = steps.length - 1; i >= 0 && rows.length < 80; i--) {
      const st = steps[i];
      const row = (at, text) => {
        if (!q || text.toLocaleLowerCase(page.lang).includes(q) || String(st.seq) === q) rows.push(h("li", {}, h("time", {}, clock(at)), h("span", {}, text, " ", h("a", { href: `/replay/${session}#${st.seq}`, class: "dim" }, "№ " + num(st.seq)))));
      };
      const told = st.table.history.filter((x) => x.seq === st.seq);
      // What became of the camera afterwards has a time of its own.
      for (const x of told.filter((x) => x.do === "camera").reverse()) row(x.at, x.text);
      row(st.at, told.filter((x) => x.do !== "camera").map((x) => x.text).join(" ") || t("act." + st.action.do));
    }
    put(list, rows.length ? rows : h("li", {}, t("journal.nothing")));
  }
  find.addEventListener("input", show);
  drawer.addEventListener("toggle", () => drawer.open && load());
}

/* ---- what the camera sees ---- */

function camera(box, drawer, snap) {
  const img = h("img", { class: "seen", alt: t("camera.alt"), hidden: true });
  const line = h("p", { class: "hint" });
  put(box, line, img, h("p", {}, h("a", { class: "button", href: "/camera" }, t("camera.setup"))));
  let url = null;
  async function look() {
    if (!drawer.open || document.hidden) return setTimeout(look, 700);
    const c = snap()?.camera ?? "off";
    say(line, t("camera." + c) + (snap()?.host?.fps ? " · " + t("camera.fps", { n: Math.round(snap().host.fps) }) : ""));
    try {
      const res = await fetch("/api/camera/frame.jpg", { cache: "no-store" });
      if (res.ok) {
        const next = URL.createObjectURL(await res.blob());
        img.src = next;
        img.hidden = false;
        if (url) URL.revokeObjectURL(url);
        url = next;
      } else img.hidden = true;
    } catch { /* the next look will tell */ }
    setTimeout(look, 200);
  }
  look();
}

if (page.host) desk();
else askPIN();
