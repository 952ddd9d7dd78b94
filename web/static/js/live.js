// The page's one line to the table. Each message is a whole snapshot, so after
// any silence the next one makes the page right; nothing has to be caught up.
//
// It reads the stream through fetch rather than EventSource, because then the
// server's heartbeats can be heard: a page that hears nothing for three seconds
// says so, and one that wakes up connects anew at once.
import { data } from "./dom.js";
import { lang } from "./words.js";

const silent = 2600; // ms without a word from the server until the page is stale
const retry = [100, 250, 500, 800];

/** live calls show(snapshot, before) for each snapshot, the page's own first,
 *  and stale(true or false) when the table is lost or found again. */
export function live({ show, stale, path = "/api/stream" }) {
  let last = null, heard = performance.now(), lost = false, tries = 0, abort = null, timer = 0;

  const mark = (now) => {
    if (now !== lost) {
      lost = now;
      document.documentElement.toggleAttribute("data-stale", now);
      stale?.(now);
    }
  };
  const take = (snap) => {
    const before = last;
    last = snap;
    document.documentElement.dataset.seq = snap.seq;
    show(snap, before);
  };

  async function connect() {
    clearTimeout(timer);
    abort?.abort();
    const mine = (abort = new AbortController());
    try {
      const res = await fetch(`${path}?lang=${lang}`, { signal: mine.signal, headers: { Accept: "text/event-stream" }, cache: "no-store" });
      if (!res.ok) throw new Error(res.status);
      const reader = res.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done || mine.signal.aborted) break;
        heard = performance.now();
        rest += value;
        const events = rest.split("\n\n");
        rest = events.pop();
        let newest = null;
        for (const e of events) {
          const text = e.split("\n").filter((l) => l.startsWith("data:")).map((l) => l.slice(5)).join("\n");
          if (text) newest = text;
        }
        if (newest) take(JSON.parse(newest));
        mark(false);
        tries = 0;
      }
    } catch { /* lost: the next try is below, the stale mark comes by the clock */ }
    if (!mine.signal.aborted) {
      timer = setTimeout(connect, retry[Math.min(tries++, retry.length - 1)] + Math.random() * 100);
    }
  }

  setInterval(() => {
    const quiet = performance.now() - heard;
    if (quiet > silent) mark(true);
    if (quiet > 2 * silent) {
      heard = performance.now() - silent; // one new try, not one each tick
      connect();
    }
  }, 250);
  const wake = () => {
    if (document.visibilityState === "visible" && performance.now() - heard > 1500) connect();
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", wake);
  addEventListener("online", connect);
  addEventListener("pagehide", () => abort?.abort());

  const first = data("snapshot");
  if (first) take(first);
  connect();
  return { get last() { return last; }, get lost() { return lost; }, connect };
}
