// A night's steps, page by page; each value is the list as far as it is there,
// null when there is no such night.
import { lang } from "./words.js";

export async function* steps(id) {
  const all = [];
  for (;;) {
    const res = await fetch(`/api/sessions/${encodeURIComponent(id)}/replay?after=${all.at(-1)?.seq ?? 0}&lang=${lang}`);
    if (!res.ok) return yield null;
    const got = await res.json();
    all.push(...got.steps);
    yield all;
    if (!got.steps.length || all.length >= got.entries) return;
  }
}
