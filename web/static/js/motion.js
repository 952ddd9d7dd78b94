// Things that travel: chips from a stake to a rack, the card that decides to
// its twin. A number changes when its chips arrive. With reduced motion nothing
// travels and the numbers are simply right.
import { calm, h } from "./dom.js";
import { disc } from "./chips.js";
import { num } from "./words.js";

const middle = (el) => {
  const r = el.getBoundingClientRect();
  return { x: r.left + r.width / 2, y: r.top + r.height / 2, w: r.width };
};

/** fly sends `count` chips from one element to another. */
export function fly(from, to, amount, ms = 700) {
  if (calm() || !from || !to || document.hidden) return;
  const a = middle(from), b = middle(to);
  if (!a.w || !b.w) return;
  const worth = [500, 100, 25, 5, 1].find((w) => amount >= w) ?? 1;
  const count = Math.max(1, Math.min(6, Math.ceil(Math.log2(amount + 1))));
  for (let i = 0; i < count; i++) {
    const el = h("div", { class: "flying", "aria-hidden": "true" }, disc(worth));
    document.body.append(el);
    const lift = -40 - 14 * i;
    const at = (p, dy = 0) => `translate(${p.x}px, ${p.y + dy}px) translate(-50%, -50%)`;
    const mid = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    el.animate(
      [{ transform: at(a), opacity: 0 }, { opacity: 1, offset: 0.12 }, { transform: at(mid, lift), offset: 0.55 }, { transform: at(b), opacity: 1, offset: 0.94 }, { transform: at(b), opacity: 0 }],
      { duration: ms, delay: i * 60, easing: "cubic-bezier(.45,.05,.3,1)", fill: "both" },
    ).finished.then(() => el.remove(), () => el.remove());
  }
}

/** count lets a number run to its new value. */
export function count(el, to, ms = 650) {
  const from = Number(el.dataset.n ?? to);
  el.dataset.n = to;
  clearInterval(el.running);
  if (from === to || calm() || document.hidden) {
    el.textContent = num(to);
    return;
  }
  const start = performance.now();
  el.running = setInterval(() => {
    const k = Math.min(1, (performance.now() - start) / ms);
    el.textContent = num(Math.round(from + (to - from) * (1 - (1 - k) ** 3)));
    if (k === 1) clearInterval(el.running);
  }, 33);
}

/** arrive lets an element come in from above, as a card is laid down. */
export function arrive(el, ms = 320) {
  if (calm() || document.hidden) return;
  el.animate([{ transform: "translateY(-28%) rotate(-3deg)", opacity: 0 }, { transform: "none", opacity: 1 }],
    { duration: ms, easing: "cubic-bezier(.2,.8,.3,1)" });
}

/** twin flies a copy of the deciding card onto the card it matches. */
export function twin(from, to, ms = 800) {
  if (calm() || !from || !to || document.hidden) return;
  const a = from.getBoundingClientRect(), b = to.getBoundingClientRect();
  if (!a.width || !b.width) return;
  const el = h("div", { class: "flying twin", "aria-hidden": "true" }, from.cloneNode(true));
  el.style.width = a.width + "px";
  document.body.append(el);
  const k = b.width / a.width;
  el.animate(
    [{ transform: `translate(${a.left}px, ${a.top}px)` },
      { transform: `translate(${a.left}px, ${a.top - 24}px) scale(1.08)`, offset: 0.25 },
      { transform: `translate(${b.left + b.width * 0.16}px, ${b.top + b.height * 0.1}px) scale(${k})`, offset: 0.8 },
      { transform: `translate(${b.left + b.width * 0.16}px, ${b.top + b.height * 0.1}px) scale(${k})`, opacity: 0 }],
    { duration: ms * 1.6, easing: "cubic-bezier(.4,0,.2,1)", fill: "both" },
  ).finished.then(() => el.remove(), () => el.remove());
}
