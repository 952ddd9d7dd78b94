// Sending an action. It carries the state that was on the screen when it was
// pressed, so an old page cannot act, and a key of its own, so that the same
// press counts once however often the network tries.
import { lang, t } from "./words.js";

const newKey = () => (crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join(""));

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
export const act = (action, snap) => post("/api/actions", { ...action, seq: snap?.seq, key: newKey() });

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

/** twice makes a button ask for a second tap: the first turns it into
 *  "again: …" for five seconds. */
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
  return button;
}
