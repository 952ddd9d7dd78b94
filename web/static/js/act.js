// Sending an action. It carries the state that was on the screen when it was
// pressed, so an old page cannot act, and a key of its own, so that the same
// press counts once however often the network tries.
import { lang, t } from "./words.js";

const newKey = () => (crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join(""));

/** on says which night and which run of the server a press was made upon, so
 *  that a page left over from the last one cannot act. */
export const on = (snap) => ({ session: snap?.session, run: snap?.run });

/** post sends JSON and answers {ok, status, body}; a broken line is tried
 *  again with the same body for up to four seconds. */
export async function post(path, body, method = "POST") {
  const until = performance.now() + 4000;
  for (;;) {
    try {
      const res = await fetch(`${path}${path.includes("?") ? "&" : "?"}lang=${lang}`, {
        method,
        headers: { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout ? AbortSignal.timeout(4000) : undefined,
      });
      const answer = await res.json().catch(() => ({}));
      return { ok: res.ok, status: res.status, body: answer, message: answer?.error?.message };
    } catch {
      if (performance.now() > until) return { ok: false, status: 0, body: {}, message: t("error.network") };
      await new Promise((r) => setTimeout(r, 300));
    }
  }
}

/** act sends one action that was decided while looking at state `snap`. */
export const act = (action, snap) => post("/api/actions", { ...action, seq: snap?.seq, session: snap?.session, key: newKey() });

/** busy runs a press: the button shows a spinner, cannot be pressed twice, and
 *  a refusal is said in the given place. */
export async function busy(button, job, refused) {
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    const res = await job();
    if (res && !res.ok) refused?.(res.message ?? t("error.network"), res);
    return res;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

// A finger that bounces sends two taps, and by the second the table has moved:
// the button under it may be another's pass, or the same rank once more. Such a
// second half of a double tap counts for nothing on a button that sends. Buttons
// that only set something, as plus and minus, may be tapped as fast as one likes.
const bounce = 350; // ms
const near = 40; // px
const sends = ".go, .key, .guess, .undo, .phone .minor, dialog .minor";
let tapped = { at: -Infinity, x: 0, y: 0 }, kind = "";
addEventListener("pointerdown", (e) => { kind = e.pointerType; }, true);
addEventListener("click", (e) => {
  const button = e.target.closest?.("button");
  if (!button || e.detail === 0) return; // a key, or a screen reader
  const again = e.detail > 1 || (e.pointerType || kind) !== "mouse";
  if (again && e.timeStamp - tapped.at < bounce && Math.hypot(e.clientX - tapped.x, e.clientY - tapped.y) < near && button.matches(sends)) {
    e.stopImmediatePropagation();
    e.preventDefault();
    return;
  }
  tapped = { at: e.timeStamp, x: e.clientX, y: e.clientY };
}, true);

/** twice makes a button ask for a second tap: the first turns it into
 *  "again: …" for five seconds. button.calm() takes the first tap back, for when
 *  the button has come to mean something else. */
export function twice(button, job) {
  let armed = 0;
  const label = () => button.querySelector(".label") ?? button;
  const calm = () => {
    clearTimeout(armed);
    armed = 0;
    button.classList.remove("armed");
    if (button.dataset.label) label().textContent = button.dataset.label;
    delete button.dataset.label;
  };
  button.addEventListener("click", () => {
    if (!armed) {
      button.dataset.label = label().textContent;
      label().textContent = t("twice", { what: button.dataset.label });
      button.classList.add("armed");
      armed = setTimeout(calm, 5000);
      return;
    }
    calm();
    job();
  });
  button.addEventListener("blur", calm);
  button.calm = calm;
  return button;
}
