// A rack is a number and a pile that tells the same: the pile's height follows
// the chips, its colours the worth of each chip.
import { s } from "./dom.js";

const colours = [25, 25, 25, 5, 5, 5, 5, 1, 1, 1];

/** pile draws chips seen a little from above; `most` is the amount of the
 *  highest pile beside it, which has `high` chips. From bottom to top a pile
 *  runs from the dear colours to the small ones, as a tidy player stacks them. */
export function pile(n, most, high = 12, cls = "") {
  const count = n <= 0 ? 0 : Math.max(1, Math.round((high * n) / Math.max(most, n)));
  const step = 7, w = 60, h = 30 + step * (high - 1);
  const g = Array.from({ length: count }, (_, i) => {
    const y = h - 12 - i * step;
    const v = count === 1 ? 1 : colours[Math.floor((i * colours.length) / count)];
    return s("g", { class: "chip c" + v },
      s("path", { d: `M3 ${y - 6}v6a27 9 0 0 0 54 0v-6z`, class: "rim" }),
      s("path", { d: `M12 ${y + 1}l1 6M30 ${y + 3}v6M48 ${y + 1}l-1 6`, class: "dash" }),
      s("ellipse", { cx: 30, cy: y - 6, rx: 27, ry: 8.6, class: "face" }),
      i === count - 1 ? s("ellipse", { cx: 30, cy: y - 6, rx: 18, ry: 5.4, class: "ring" }) : null);
  });
  return s("svg", { class: "pile " + cls, viewBox: `0 0 ${w} ${h}`, "aria-hidden": "true", preserveAspectRatio: "xMidYMax meet" }, g);
}

/** disc is one chip seen from above, for the flight from one place to another
 *  and for buttons. */
export function disc(v, cls = "") {
  return s("svg", { class: `disc c${v} ${cls}`, viewBox: "0 0 60 60", "aria-hidden": "true" },
    s("circle", { cx: 30, cy: 30, r: 28, class: "face" }),
    s("circle", { cx: 30, cy: 30, r: 23.5, class: "dashes" }),
    s("circle", { cx: 30, cy: 30, r: 17, class: "ring" }));
}
