// The table seen from above: seats stand around an oval in their real order. The
// first sits below, the next to his right, and so on against the clock, as the
// deal goes. Places are in rem of the wall's frame of 120 by 67.5.
import { put, s } from "./dom.js";

const W = 120, H = 67.5;
const cx = 60, top = 5.3, bottom = 52.5; // of the line that the seats stand on
const R = (bottom - top) / 2, flat = 27.4; // its round ends, half its straight sides
const round = 4 * flat + 2 * Math.PI * R;
const rail = -1.3, brass = .75, edge = 1.1, line = 3.6; // how far inside that line

/** at is the point `way` rem along the line from the middle below, against the
 *  clock, and which way it goes on there (0 to the right, in degrees). `in_` is
 *  how far inside the line. */
function at(way, in_ = 0) {
  const r = R - in_, mid = top + R;
  let w = ((way % round) + round) % round;
  if (w <= flat) return { x: cx + w, y: mid + r, turn: 0 };
  w -= flat;
  const arc = Math.PI * R;
  if (w <= arc) return { x: cx + flat + r * Math.sin(w / R), y: mid + r * Math.cos(w / R), turn: -(w / R) * 180 / Math.PI };
  w -= arc;
  if (w <= 2 * flat) return { x: cx + flat - w, y: mid - r, turn: 180 };
  w -= 2 * flat;
  if (w <= arc) return { x: cx - flat - r * Math.sin(w / R), y: mid - r * Math.cos(w / R), turn: 180 - (w / R) * 180 / Math.PI };
  return { x: cx - flat + w - arc, y: mid + r, turn: 0 };
}

/** felt is the table itself. */
export function felt() {
  const oval = (in_, cls) => s("rect", { x: cx - flat - R + in_, y: top + in_, width: 2 * (flat + R - in_), height: 2 * (R - in_), rx: R - in_, class: cls });
  return s("svg", { class: "felt", viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" },
    s("defs", {},
      s("radialGradient", { id: "cloth", cx: ".5", cy: ".42", r: ".62" }, s("stop", { offset: 0, class: "lit" }), s("stop", { offset: 1, class: "shade" })),
      s("pattern", { id: "weave", width: 4, height: 4, patternUnits: "userSpaceOnUse" }, s("path", { d: "M2 .9L3.1 2 2 3.1.9 2z", class: "weave" }))),
    oval(rail, "rail"), oval(rail + .35, "gleam"), oval(brass, "brass"), oval(edge, "cloth"), oval(edge, "woven"), oval(line, "betting"),
    s("g", { class: "way" }));
}

/** ring puts the seats of a list around the felt. */
export function ring(list, felt) {
  const seats = [...list.children], n = seats.length;
  if (!n) return;
  const step = round / n;
  const width = Math.max(8, Math.min(18, step * .88, n > 8 ? 14.8 : 18));
  list.style.setProperty("--seat", width + "rem");
  list.dataset.room = width > 16 ? "wide" : width > 12 ? "some" : "tight";
  seats.forEach((el, i) => {
    const p = at(i * step);
    el.style.setProperty("--x", Math.max(width / 2 + 1, Math.min(W - width / 2 - 1, p.x)).toFixed(2) + "rem");
    el.style.setProperty("--y", p.y.toFixed(2) + "rem");
    // Where its stake lies: towards the middle.
    el.dataset.side = p.y > top + R + 1 ? "below" : "above";
    const out = p.x - cx;
    el.style.setProperty("--in", (-Math.sign(out) * Math.max(0, Math.abs(out) - 42) * .48).toFixed(2) + "rem");
  });
  if (felt.n === n) return;
  felt.n = n;
  // Arrows between the seats say which way it goes round.
  put(felt.querySelector(".way"), seats.map((_, i) => {
    const p = at((i + .5) * step, line);
    return s("path", { d: "M-.7 -.75L.7 0-.7 .75", transform: `translate(${p.x.toFixed(2)} ${p.y.toFixed(2)}) rotate(${p.turn.toFixed(1)})` });
  }));
}
