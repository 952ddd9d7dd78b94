// "/camera": the host sees what the camera sees, draws the frame around the place
// where cards are dealt, tests with a few cards, and teaches a deck.
import { $, h, put, s, say } from "../dom.js";
import { foot, head, headline, page, stale } from "../chrome.js";
import { live } from "../live.js";
import { busy, post, twice } from "../act.js";
import { rankPad } from "../choices.js";
import { cardName, clock, has, index, num, t } from "../words.js";
import { frame } from "../region.js";
import { askPIN } from "../login.js";

const main = $("#main");
const tall = 120; // pixels of a card's height that are enough
const patience = 8000; // ms until a card that isn't seen may be said to be missed
const ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

const said = (n) => t(n.key, n.args);
const label = (text) => h("span", { class: "label" }, text);

/** section is a part of the page with a heading; fill(…) replaces its body when
 *  what it is made of has changed, so that nothing moves under a finger. */
function section(name, title) {
  const body = h("div", { class: "inner" });
  const el = h("section", { class: "panel " + name, "aria-labelledby": "part-" + name }, h("h2", { id: "part-" + name }, title), body);
  let was = "";
  return {
    el,
    fill(made, make) {
      const now = JSON.stringify(made);
      if (now === was) return;
      was = now;
      put(body, make());
    },
  };
}

function setup() {
  const note = h("p", { class: "note", role: "alert" });
  const notice = h("p", { class: "done", role: "status" });
  let view = null, timer = 0;
  const refused = (text) => {
    say(note, text);
    note.classList.add("on");
    clearTimeout(timer);
    timer = setTimeout(() => note.classList.remove("on"), 9000);
  };
  /** press sends something to the camera and shows what it looks like then. */
  const press = (button, path, body, then) => busy(button, async () => {
    const res = await post("/api/camera/" + path, body);
    if (res.ok) {
      note.classList.remove("on");
      if (res.body.state) show(res.body);
      then?.(res.body);
    }
    return res;
  }, refused);

  /* the picture with what was found in it */
  const img = h("img", { alt: t("camera.alt"), hidden: true });
  const marks = s("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  const around = frame(async (region) => {
    const res = await post("/api/camera/region", { region });
    if (!res.ok) return refused(res.message);
    say(notice, t("camera.region.saved"));
    mat = null;
    show(res.body);
  });
  let mat = null, matSays = [];
  const picture = h("div", { class: "picture" }, img, marks, around.el);
  const outline = (q, name) => s("polygon", { points: q.map((p) => p.join(",")).join(" "), class: name });

  /* where cards are dealt */
  const where = section("where", t("camera.region"));
  const find = h("button", { type: "button", class: "go" }, label(t("camera.mat.find")));
  find.addEventListener("click", () => press(find, "mat", {}, (m) => {
    mat = m.found ? m.quad : null;
    matSays = m.found ? [] : m.why.map(said);
    say(notice, m.found ? t("camera.mat.found") : "");
    look();
  }));
  const whole = h("button", { type: "button" }, label(t("camera.region.whole")));
  whole.addEventListener("click", () => press(whole, "region", { region: null }, () => { mat = null; say(notice, t("camera.region.saved")); }));
  const why = h("div", { class: "why", role: "status" });
  where.fill(1, () => [h("p", { class: "hint" }, t("camera.region.how")), h("div", { class: "buttons" }, find, whole), why]);

  const now = section("now", t("camera.now"));
  const trial = section("trial", t("camera.trial"));
  const deck = section("deck", t("camera.deck"));
  const lesson = section("lesson", t("camera.lesson"));
  const facts = section("itself", t("camera.facts"));
  put(main, h("div", { class: "stage" }, h("h2", { class: "vh" }, t("camera.title")), picture, notice, note, now.el),
    h("div", { class: "parts" }, where.el, trial.el, deck.el, lesson.el, facts.el, h("p", {}, h("a", { class: "button", href: "/host" }, t("camera.back")))));

  function show(v) {
    view = v;
    const busyWith = v.trial ? "trial" : v.lesson ? "lesson" : "";
    if ((document.body.dataset.doing ?? "") !== busyWith) scrollTo({ top: 0 }); // what was pressed may have been far below
    document.body.dataset.doing = busyWith;
    trial.el.hidden = busyWith !== "" && busyWith !== "trial";
    lesson.el.hidden = busyWith !== "" && busyWith !== "lesson";
    deck.el.hidden = facts.el.hidden = busyWith !== "";
    where.el.hidden = busyWith === "trial";
    around.show(v.region);
    put(marks, (v.cards ?? []).map((q) => outline(q, "found")), mat ? outline(mat, "mat") : null);
    put(why, matSays.map((text) => h("p", {}, text)));
    drawNow(v);
    drawTrial(v);
    drawDeck(v);
    drawLesson(v);
    drawFacts(v);
  }

  /* how it sees, in words */
  function drawNow(v) {
    const lost = v.state !== "ok" && v.trouble.key ? said(v.trouble) : "";
    const px = v.card_pixels;
    now.fill([lost, v.flaws, px], () => h("ul", { class: "words" },
      lost ? h("li", { class: "poor" }, lost) : null,
      v.flaws?.length ? v.flaws.map((f) => h("li", { class: "poor" }, said(f))) : h("li", { class: "well" }, t("camera.fine")),
      px ? h("li", { class: px < tall ? "poor" : "well" }, t(px < tall ? "camera.size.small" : "camera.size.good", { n: px, least: tall })) : h("li", {}, t("camera.nocard"))));
  }

  /* a test with some cards */
  const start = (text) => {
    const b = h("button", { type: "button", class: "go" }, label(text));
    b.addEventListener("click", () => press(b, "trial", { do: "start" }));
    return b;
  };
  let since = 0, waitsFor = -1;
  function drawTrial(v) {
    const c = v.trial;
    if (!c) {
      trial.fill(["idle", v.busy], () => [h("p", { class: "hint" }, t("camera.trial.how")), v.busy ? h("p", { class: "waits" }, t("camera.wait")) : start(t("camera.trial.start"))]);
      return;
    }
    const reads = c.reads ?? [];
    const open = reads.findIndex((r) => !r.judged);
    if (reads.length !== waitsFor) {
      waitsFor = reads.length;
      since = performance.now();
    }
    const late = open < 0 && performance.now() - since > patience;
    trial.fill([open, reads, c.verdict, c.verdict ? c.lying > 0 : late], () =>
      c.verdict ? verdict(c) : open >= 0 ? question(reads[open], c.of) : [
        h("p", { class: "count" }, t("camera.trial.n", { k: reads.length + 1, n: c.of })), h("p", { class: "ask", role: "status" }, t("camera.trial.lay." + reads.length)),
        h("p", { class: "waits" }, t("camera.trial.waits")), late ? minor(t("camera.trial.missed"), { do: "missed", i: reads.length }) : null, stop()]);
  }
  const minor = (text, body) => {
    const b = h("button", { type: "button", class: "minor" }, label(text));
    b.addEventListener("click", () => press(b, "trial", body));
    return b;
  };
  const stop = () => minor(t("camera.trial.stop"), { do: "end" });
  function question(r, of) {
    const judge = (b, rank) => press(b, "trial", { do: "judge", i: r.i, rank });
    const key = (rank) => h("button", { type: "button", class: "guess", "data-rank": rank, onclick: (e) => judge(e.currentTarget, rank) }, h("span", { class: "label" }, index(rank)));
    const pad = rankPad(ranks, (b, rank) => judge(b, rank));
    const other = h("div", { class: "pad", hidden: r.sure || r.back }, h("p", {}, t("camera.trial.which")), pad);
    const yes = h("button", { type: "button", class: "go" }, label(t("camera.trial.yes")));
    yes.addEventListener("click", () => judge(yes, r.sure ? r.rank : ""));
    const no = h("button", { type: "button", onclick: () => { other.hidden = !other.hidden; } }, label(t("camera.trial.no")));
    const nothing = h("button", { type: "button", class: "minor" }, label(t("camera.trial.nothing")));
    nothing.addEventListener("click", () => judge(nothing, ""));
    return [
      h("p", { class: "count" }, t("camera.trial.n", { k: r.i + 1, n: of })),
      h("img", { class: "evidence", alt: t("unsure.picture"), src: "/api/camera/picture/trial/" + r.i }),
      r.sure ? h("p", { class: "ask" }, t("camera.trial.isit", { card: cardName(r.rank, r.suit) })) : h("p", { class: "ask" }, t(r.back ? "camera.trial.back" : "camera.trial.unsure")),
      r.sure ? h("p", { class: "hint" }, t(r.confidence >= 0.99 ? "camera.trial.sure" : "camera.trial.almost")) : null,
      r.sure || r.back ? h("div", { class: "buttons" }, yes, no) : h("div", { class: "guesses" }, (r.guess ?? []).map(key)),
      other, r.back ? null : nothing, stop()];
  }
  function verdict(c) {
    const result = (r) => {
      const really = r.really ? t("rankname." + r.really) : t("camera.result.none");
      if (r.missed) return [t("camera.trial.n", { k: r.i + 1, n: c.of }), t("camera.result.missed"), "poor"];
      if (!r.really && !r.back) return [really, t("camera.result.phantom"), "poor"];
      if (r.back) return r.really ? [really, t("camera.result.unseen"), "poor"] : [really, t("camera.result.right"), "well"];
      if (!r.sure) return [really, t("camera.result.asked"), ""];
      return r.rank === r.really ? [cardName(r.rank, r.suit), t("camera.result.right"), "well"] : [really, t("camera.result.wrong", { card: t("rankname." + r.rank) }), "poor"];
    };
    const end = h("button", { type: "button", class: "go" }, label(t("camera.trial.end")));
    end.addEventListener("click", () => press(end, "trial", { do: "end" }));
    const again = h("button", { type: "button" }, label(t("camera.trial.again")));
    again.addEventListener("click", () => press(again, "trial", { do: "end" }, () => press(again, "trial", { do: "start" })));
    return [h("p", { class: "verdict " + c.verdict, role: "status" }, t("camera.verdict." + c.verdict)),
      c.advice?.length ? h("ul", { class: "words" }, c.advice.map((n) => h("li", {}, said(n)))) : null,
      h("ol", { class: "results" }, c.reads.map((r) => {
        const [what, how, mark] = result(r);
        return h("li", { class: mark }, h("b", {}, what), " – ", how);
      })),
      c.lying > 0 ? h("p", { class: "waits" }, t("camera.trial.clear")) : null,
      h("div", { class: "buttons" }, end, again)];
  }

  /* the deck, and teaching one */
  let kept = "";
  function drawDeck(v) {
    deck.fill([v.deck, v.decks], () => {
      const use = (name) => {
        const b = h("button", { type: "button", "aria-pressed": String(v.deck === name) }, label(name || t("camera.deck.builtin")));
        b.addEventListener("click", () => press(b, "deck", { deck: name }));
        return b;
      };
      return [h("p", { class: "hint" }, t("camera.deck.how")), h("p", { id: "which" }, t("camera.deck.choose")),
        h("div", { class: "toggles", role: "group", "aria-labelledby": "which" }, ["", ...(v.decks ?? [])].map(use))];
    });
  }
  const packCard = (pack, c) => {
    const style = pack.replace(/\d+$/, "");
    if (!has(`pack.${style}.${c.suit}`)) return cardName(c.rank, c.suit);
    const rank = has(`pack.${style}.${c.rank}`) ? t(`pack.${style}.${c.rank}`) : t("rankname." + c.rank);
    return t("pack.card", { rank, suit: t(`pack.${style}.${c.suit}`) });
  };
  const teach = (name, text, body, then) => {
    const b = h("button", { type: "button", class: name }, label(text));
    b.addEventListener("click", () => press(b, "lesson", body, then));
    return b;
  };
  function drawLesson(v) {
    const c = v.lesson;
    if (!c) return drawLessonForm(v);
    lesson.fill(c, () => {
      const card = (x) => packCard(c.pack, x);
      const last = c.last && h("div", { class: "last" },
        c.last.has ? h("img", { alt: t("camera.lesson.alt"), src: `/api/camera/picture/lesson/${c.last.i}?n=${c.last.taken}` }) : null,
        h("p", {}, t(c.last.has ? "camera.lesson.last" : "camera.lesson.leftout", { card: card(c.last) })), teach("minor", t("camera.lesson.goback"), { do: "back", i: c.last.i }));
      const trouble = c.trouble.key ? h("p", { class: "poor", role: "status" }, said(c.trouble)) : c.like ? h("div", { class: "twins" },
        h("p", { class: "poor", role: "status" }, t("camera.lesson.like", { card: card(c.like) })), h("div", { class: "buttons" }, teach("", t("camera.lesson.again", { card: card(c.like) }), { do: "again", i: c.like.i }))) : null;
      const leave = twice(h("button", { type: "button", class: "minor" }, label(t("camera.lesson.stop"))), () => press(leave, "lesson", { do: "stop" }));
      const progress = [h("progress", { max: c.of, value: c.done, "aria-label": t("camera.lesson.n", { k: c.done, n: c.of }) }), h("p", { class: "count" }, t("camera.lesson.n", { k: c.done, n: c.of }))];
      if (c.next) return [h("p", {}, t("camera.lesson.lay")), h("p", { class: "ask big", role: "status" }, card(c.next)), trouble,
        c.done === 0 ? h("p", { class: "hint" }, t("camera.lesson.how")) : null, progress,
        h("div", { class: "buttons" }, teach("go", t("camera.lesson.snap"), { do: "snap", i: c.next.i }), teach("", t("camera.lesson.skip"), { do: "skip", i: c.next.i })), last, leave];
      return [trouble,
        c.checked && !c.twins?.length ? h("p", { class: "well", role: "status" }, t("camera.lesson.good")) : null,
        (c.twins ?? []).map(([a, b]) => h("div", { class: "twins" }, h("p", { class: "poor" }, t("camera.lesson.twins", { a: card(a), b: card(b) })),
          h("div", { class: "buttons" }, [a, b].map((x) => teach("", t("camera.lesson.again", { card: card(x) }), { do: "again", i: x.i }))))),
        c.left?.length ? h("p", { class: "hint" }, c.left.length > 8 ? t("camera.lesson.missing.n", { n: c.left.length }) : t("camera.lesson.missing", { cards: c.left.map(card).join(", ") })) : null,
        c.checked ? teach("go", t("camera.lesson.keep"), { do: "finish" }, () => { kept = c.deck; show(view); }) : null, last, leave];
    });
  }
  function drawLessonForm(v) {
    lesson.fill(["idle", v.busy, kept, v.deck === kept, v.packs], () => {
      const done = kept ? h("p", { class: "well", role: "status" }, t("camera.lesson.kept", { deck: kept })) : null;
      const use = kept && v.deck !== kept ? h("button", { type: "button", class: "go" }, label(t("camera.deck.use", { deck: kept }))) : null;
      use?.addEventListener("click", () => press(use, "deck", { deck: kept }));
      if (v.busy) return [done, use, h("p", { class: "waits" }, t("camera.wait"))];
      const name = h("input", { class: "field", id: "deck-name", maxlength: 40, required: true, autocomplete: "off" });
      const pack = h("select", { class: "field", id: "deck-pack" }, (v.packs ?? []).map((p) => h("option", { value: p }, t("pack." + p))));
      const go = h("button", { type: "submit", class: "go" }, label(t("camera.lesson.start")));
      const begin = (button, replace) => busy(button, async () => {
        const res = await post("/api/camera/lesson", { do: "start", deck: name.value.trim(), pack: pack.value, replace });
        if (res.ok) { kept = ""; show(res.body); }
        return res;
      }, (text, res) => { refused(text); over.hidden = res.body?.error?.code !== "deck_exists"; });
      const over = twice(h("button", { type: "button", hidden: true }, label(t("camera.lesson.replace"))), () => begin(over, true));
      name.addEventListener("input", () => { over.hidden = true; });
      return [done, use, h("form", { class: "inner", onsubmit: (e) => { e.preventDefault(); begin(go, false); } },
        h("label", { for: "deck-name" }, t("camera.lesson.name")), name, h("label", { for: "deck-pack" }, t("camera.lesson.pack")), pack, go, over)];
    });
  }

  /* the camera itself */
  function drawFacts(v) {
    const rows = [
      ["camera.fact.state", t("camera.state." + v.state)],
      ["camera.fact.device", v.device || v.source],
      ["camera.fact.size", v.w ? [t("camera.fact.size.n", { w: String(v.w), h: String(v.h) }), v.codec].filter(Boolean).join(", ") : ""],
      ["camera.fact.rate", v.rate ? [t("camera.fps", { n: v.rate }), v.promised ? t("camera.fact.promised", { n: num(v.promised) }) : ""].join(" ") : ""],
      ["camera.fact.controls", (v.controls ?? []).map((c) => `${c.name} ${c.value}`).join(", ")],
      ["camera.fact.differs", (v.differs ?? []).join("; ")],
    ].filter(([, text]) => text);
    const spells = (v.spells ?? []).slice(-12).reverse();
    facts.fill([rows, spells], () => [h("dl", {}, rows.map(([key, text]) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, text)))),
      h("h3", {}, t("camera.spells")),
      spells.length ? h("ol", { class: "spells" }, spells.map((x) => h("li", {}, h("time", {}, clock(x.at, true)), " ", h("b", {}, t(x.lost ? "camera.spell.lost" : "camera.spell.found")), x.lost ? h("span", { class: "dim" }, " ", x.note) : null))) : h("p", { class: "hint" }, t("camera.spells.none"))]);
  }

  /* looking again and again */
  async function look() {
    const res = await fetch("/api/camera", { cache: "no-store" });
    if (res.status === 401 || res.status === 403) return location.reload();
    if (res.status === 404) return false;
    if (res.ok) show(await res.json());
    return true;
  }
  let url = null;
  async function film() {
    const res = await fetch("/api/camera/frame.jpg", { cache: "no-store" });
    img.hidden = !res.ok;
    if (!res.ok) return;
    const next = URL.createObjectURL(await res.blob());
    img.src = next;
    await img.decode().catch(() => {}); // the next picture may be whole
    if (url) URL.revokeObjectURL(url);
    url = next;
  }
  async function again(job, pause) {
    let go = true;
    try {
      if (!document.hidden) go = (await job()) !== false;
    } catch { /* the next look will tell */ }
    if (go) setTimeout(() => again(job, pause), pause);
    else put(main, h("p", { class: "panel narrow" }, t("camera.none")), h("p", { class: "narrow" }, h("a", { class: "button", href: "/host" }, t("camera.back"))));
  }
  again(look, 350);
  again(film, 150);
  live({ stale, show: (snap, before) => { if (before?.host && !snap.host) location.reload(); headline(snap); } });
}

head();
foot();
if (page.host) setup();
else askPIN();
