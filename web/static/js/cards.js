// Cards, drawn: warm paper, one great index that can be read across a room, the
// suit below it where the camera read one. Vectors only, in the viewer's own
// indices.
import { s } from "./dom.js";
import { cardName, index } from "./words.js";

const W = 250, H = 350;

// Suits in a box of 100 by 100.
const suits = {
  hearts: "M50 92C44 82 6 58 6 31 6 16 17 7 29 7c10 0 17 6 21 14 4-8 11-14 21-14 12 0 23 9 23 24 0 27-38 51-44 61z",
  diamonds: "M50 3c9 17 21 33 36 47-15 14-27 30-36 47-9-17-21-33-36-47C29 36 41 20 50 3z",
  spades: "M50 4c6 14 43 34 43 58 0 13-9 20-20 20-8 0-14-4-18-10 1 11 5 18 12 24H33c7-6 11-13 12-24-4 6-10 10-18 10C16 82 7 75 7 62 7 38 44 18 50 4z",
  clubs: "M50 5a22 22 0 0 1 17 36c-1 1-2 2-3 2 3-1 6-2 9-2a21 21 0 1 1-18 32c1 10 5 17 11 23H34c6-6 10-13 11-23a21 21 0 1 1-18-32c3 0 6 1 9 2l-3-2A22 22 0 0 1 50 5z",
};
export const suitPath = (suit) => suits[suit];
const red = { hearts: true, diamonds: true };

// A small device above the court cards and the ace, so that they differ from
// the numbers at a glance: a crown, a coronet, a feather, a star.
const devices = {
  K: "M-30 14h60v8h-60zM-32 8l-6-30 18 14 20-22 20 22 18-14-6 30z",
  Q: "M-28 14h56v7h-56zM-30 9q-8-16-4-26 8 12 15 13 4-14 19-20 15 6 19 20 7-1 15-13 4 10-4 26z",
  J: "M-26 18c10-30 30-40 54-42-4 20-16 36-42 42l-8 8zM-18 14C-6 2 6-6 18-14",
  A: "M0-26l6 20 20 6-20 6-6 20-6-20-20-6 20-6z",
};

// Letters that reach below the line are set a little higher.
const rise = { J: 0.13, Q: 0.09, "Д": 0.05 };

function suitMark(suit, x, y, size, cls) {
  const k = size / 100;
  return s("path", { d: suits[suit], class: cls, transform: `translate(${x - size / 2} ${y - size / 2}) scale(${k})` });
}

/** card draws a card face up. c is {rank, suit}; suit may be missing. */
export function card(c, cls = "") {
  const ix = index(c.rank);
  const color = red[c.suit] ? "red" : c.suit ? "black" : "plain";
  const wide = [...ix].length > 1;
  const corner = (turn) =>
    s("g", { transform: turn ? `rotate(180 ${W / 2} ${H / 2})` : null },
      s("text", { x: wide ? 36 : 32, y: 50, class: wide ? "corner wide" : "corner", "text-anchor": "middle" }, ix),
      c.suit ? suitMark(c.suit, wide ? 36 : 32, 76, 26, "mark") : null);
  const lone = !c.suit;
  return s("svg", { class: ["card", color, cls].join(" "), viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": cardName(c.rank, c.suit) },
    s("rect", { x: 1.5, y: 1.5, width: W - 3, height: H - 3, rx: 20, class: "paper" }),
    s("rect", { x: 11, y: 11, width: W - 22, height: H - 22, rx: 13, class: "frame" }),
    devices[c.rank] && !lone ? s("path", { d: devices[c.rank], class: "device", transform: `translate(${W / 2} 48) scale(.7)` }) : null,
    devices[c.rank] && lone ? s("path", { d: devices[c.rank], class: "device", transform: `translate(${W / 2} 62) scale(1)` }) : null,
    s("text", { x: W / 2, y: (lone ? 250 : 212) - 196 * (rise[ix] ?? 0) * (lone ? 0.5 : 1), class: ["great", wide && "wide"].filter(Boolean).join(" "), "text-anchor": "middle" }, ix),
    c.suit ? suitMark(c.suit, W / 2, 274, 74, "mark") : s("path", { d: "M0-9L26 0 0 9-26 0z", class: "mark", transform: `translate(${W / 2} 288)` }),
    corner(false), corner(true));
}

/** back draws the place of a card that is not there yet: its outline, or with
 *  a face-down pattern the card that everybody waits for. */
export function back(label, cls = "") {
  return s("svg", { class: "card empty " + cls, viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label },
    s("rect", { x: 4, y: 4, width: W - 8, height: H - 8, rx: 18, class: "outline" }),
    s("path", { d: "M125 120l34 55-34 55-34-55z", class: "lozenge" }));
}

/** mini is a small card for rows and racks: the index and, when read, the suit. */
export function mini(c, cls = "") {
  const color = red[c.suit] ? "red" : c.suit ? "black" : "plain";
  return s("svg", { class: ["card", "mini", color, cls].join(" "), viewBox: "0 0 100 132", role: "img", "aria-label": cardName(c.rank, c.suit) },
    s("rect", { x: 1, y: 1, width: 98, height: 130, rx: 11, class: "paper" }),
    s("text", { x: 50, y: (c.suit ? 70 : 90) - 52 * (rise[index(c.rank)] ?? 0), class: ["small", [...index(c.rank)].length > 1 && "wide"].filter(Boolean).join(" "), "text-anchor": "middle" }, index(c.rank)),
    c.suit ? suitMark(c.suit, 50, 103, 38, "mark") : null);
}

export const same = (a, b) => !!a && !!b && a.rank === b.rank && (a.suit ?? "") === (b.suit ?? "");
