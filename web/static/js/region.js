// The frame around the part of the picture that is read: its corners are dragged
// with a finger, or moved with the arrow keys.
import { h } from "./dom.js";
import { t } from "./words.js";

const smallest = 0.2; // of the picture's width and height
const settled = 500; // ms after the last arrow key until it counts as set

// Which sides of the frame a handle moves: -1 the left or upper, 1 the right or
// lower one, 0 both.
const handles = { topleft: [-1, -1], topright: [1, -1], bottomright: [1, 1], bottomleft: [-1, 1], move: [0, 0] };

const clamp = (v, low, high) => Math.min(high, Math.max(low, v));

/** along moves one side or both of a stretch [from, length] within 0…1. */
function along(side, [from, length], d) {
  if (side === 0) return [clamp(from + d, 0, 1 - length), length];
  if (side > 0) return [from, clamp(length + d, smallest, 1 - from)];
  const end = from + length, start = clamp(from + d, 0, end - smallest);
  return [start, end - start];
}

/** frame makes the frame over a picture; save(region) is called when it was moved.
 *  show(region) puts it where the server says, unless a finger holds it. */
export function frame(save) {
  let region = { x: 0, y: 0, w: 1, h: 1 }, held = false, timer = 0;
  const el = h("div", { class: "region" });
  const place = () => {
    for (const [k, v] of Object.entries({ left: region.x, top: region.y, width: region.w, height: region.h })) el.style.setProperty(k, v * 100 + "%");
  };
  const move = (name, from, dx, dy) => {
    const [sx, sy] = handles[name];
    const [x, w] = along(sx, [from.x, from.w], dx), [y, hh] = along(sy, [from.y, from.h], dy);
    region = { x, y, w, h: hh };
    place();
  };
  const done = () => {
    held = false;
    save(region);
  };
  for (const name of Object.keys(handles)) {
    const button = h("button", { type: "button", class: "handle " + name, "aria-label": t("camera.handle." + name), title: t("camera.handle.keys") });
    let from = null, start = null;
    button.addEventListener("pointerdown", (e) => {
      button.setPointerCapture(e.pointerId);
      clearTimeout(timer);
      held = true;
      from = region;
      start = [e.clientX, e.clientY];
    });
    button.addEventListener("pointermove", (e) => {
      if (!from) return;
      const box = el.parentElement.getBoundingClientRect();
      move(name, from, (e.clientX - start[0]) / box.width, (e.clientY - start[1]) / box.height);
    });
    const up = () => {
      const moved = from && from !== region;
      from = null;
      if (moved) done();
      else held = false;
    };
    button.addEventListener("pointerup", up);
    button.addEventListener("pointercancel", up);
    button.addEventListener("keydown", (e) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      if (!way) return;
      e.preventDefault();
      held = true;
      const step = e.shiftKey ? 0.05 : 0.01;
      move(name, region, way[0] * step, way[1] * step);
      clearTimeout(timer);
      timer = setTimeout(done, settled);
    });
    el.append(button);
  }
  place();
  return {
    el,
    show(r) {
      if (held) return;
      region = r;
      place();
    },
  };
}
