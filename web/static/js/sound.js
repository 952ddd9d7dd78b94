// A soft click for a card, one chord for each side, and, if wanted, the last
// word spoken. All of it made here: no file is fetched. Off until switched on.
import { h } from "./dom.js";
import { lang, t } from "./words.js";

let level = localStorage.getItem("lansquenet.sound") ?? "off";
let ctx = null;

function tone(freq, at, length, gain) {
  const o = ctx.createOscillator(), g = ctx.createGain();
  o.type = "sine";
  o.frequency.value = freq;
  g.gain.setValueAtTime(0, at);
  g.gain.linearRampToValueAtTime(gain, at + 0.012);
  g.gain.exponentialRampToValueAtTime(0.0001, at + length);
  o.connect(g).connect(ctx.destination);
  o.start(at);
  o.stop(at + length);
}

function click() {
  const n = Math.floor(ctx.sampleRate * 0.03), buf = ctx.createBuffer(1, n, ctx.sampleRate), d = buf.getChannelData(0);
  for (let i = 0; i < n; i++) d[i] = (Math.random() * 2 - 1) * (1 - i / n) ** 3;
  const src = ctx.createBufferSource(), f = ctx.createBiquadFilter(), g = ctx.createGain();
  f.type = "bandpass";
  f.frequency.value = 1800;
  g.gain.value = 0.25;
  src.buffer = buf;
  src.connect(f).connect(g).connect(ctx.destination);
  src.start();
}

const chords = { bank: [196, 246.9, 293.7], doublet: [196, 246.9, 293.7, 392], punters: [261.6, 329.6, 392] };

/** tell makes heard what changed between two snapshots. */
export function tell(snap, before) {
  if (level === "off" || !before || before.session !== snap.session || snap.seq <= before.seq) return;
  ctx ??= new AudioContext();
  if (snap.table.length > before.table.length) click();
  const over = snap.coups > before.coups && chords[snap.result];
  if (over) over.forEach((f, i) => tone(f, ctx.currentTime + 0.05 * i, 1.4, 0.09));
  if (level === "voice" && "speechSynthesis" in window) {
    const fresh = snap.history.filter((x) => x.seq > before.seq).map((x) => x.text);
    const text = [...fresh, snap.prompt !== before.prompt ? snap.prompt : ""].filter(Boolean).join(" ");
    if (text) {
      speechSynthesis.cancel();
      const u = new SpeechSynthesisUtterance(text);
      u.lang = lang;
      speechSynthesis.speak(u);
    }
  }
}

/** soundSwitch is the choice for the foot of a page. */
export function soundSwitch() {
  const pick = h("select", { class: "sound", "aria-label": t("sound"), onchange: () => {
    level = pick.value;
    localStorage.setItem("lansquenet.sound", level);
    if (level !== "off") { ctx ??= new AudioContext(); ctx.resume(); }
  } }, ["off", "on", "voice"].map((v) => h("option", { value: v, selected: v === level }, t("sound." + v))));
  return pick;
}
