// The roads of the night, as baccarat players know them. The bead road fills
// columns of six; in the big road a column is a run of one side, and what the
// bank won by a doublet carries a stroke.
import { h, put, s } from "./dom.js";
import { t } from "./words.js";

const cell = 18, rows = 6;

function grid(cols) {
  const w = cols * cell, hh = rows * cell;
  let d = "";
  for (let x = 0; x <= cols; x++) d += `M${x * cell} 0V${hh}`;
  for (let y = 0; y <= rows; y++) d += `M0 ${y * cell}H${w}`;
  return s("path", { d, class: "grid" });
}

/** sides says whose a result is, how it is drawn, and whether it carries a
 *  stroke; a result that is not here is nobody's. */
const sides = {
  bank: { side: "bank", r: 7.5 },
  doublet: { side: "bank", r: 7.5, stroke: true },
  punters: { side: "punters", r: 6 },
};
export const sideOf = (result) => sides[result]?.side;

function dot(step, x, y) {
  const look = sides[step.r] ?? { r: 4 };
  const cx = x * cell + cell / 2, cy = y * cell + cell / 2;
  return s("g", {},
    s("circle", { cx, cy, r: look.r, class: "dot " + step.r }),
    look.stroke ? s("path", { d: `M${cx - 3.5} ${cy}h7`, class: "tick" }) : null);
}

function draw(label, places, minimum) {
  const cols = Math.max(minimum, ...places.map((p) => p.x + 1));
  return h("div", {}, h("h3", {}, label),
    h("div", { class: "scroll", tabindex: "0", role: "img", "aria-label": label },
      s("svg", { viewBox: `0 0 ${cols * cell} ${rows * cell}`, width: cols * cell, height: rows * cell }, grid(cols), places.map((p) => dot(p.step, p.x, p.y)))));
}

export const bead = (steps) => steps.map((step, i) => ({ step, x: Math.floor(i / rows), y: i % rows }));

/** bigRoad: down while one side wins, a new column when the other does; a run
 *  that meets the floor or an older run turns right ("dragon tail"). */
export function bigRoad(steps) {
  const taken = new Set(), out = [];
  let column = -1, x = 0, y = 0, last = null, tail = false;
  for (const step of steps) {
    const now = sideOf(step.r);
    if (!now) continue;
    if (now !== last) {
      column++;
      x = column; y = 0; tail = false;
      while (taken.has(x + ":" + y)) { x++; column = x; }
    } else if (!tail && y + 1 < rows && !taken.has(x + ":" + (y + 1))) y++;
    else {
      tail = true; // it turned right and goes on to the right
      x++;
    }
    taken.add(x + ":" + y);
    out.push({ step, x, y });
    last = now;
  }
  return out;
}

export function roads(el, steps, minimum = 16) {
  el.hidden = !steps?.length;
  if (el.hidden || el.seen === JSON.stringify(steps)) return;
  el.seen = JSON.stringify(steps);
  put(el, draw(t("road.bead"), bead(steps), minimum), draw(t("road.big"), bigRoad(steps), minimum));
  for (const sc of el.querySelectorAll(".scroll")) sc.scrollLeft = sc.scrollWidth;
}
