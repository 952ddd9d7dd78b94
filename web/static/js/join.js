// The short code that the host shows, typed in.
import { h, say } from "./dom.js";
import { busy, post } from "./act.js";
import { t } from "./words.js";

export async function join(code, note) {
  const res = await post("/api/join", { code });
  if (res.ok) location.replace(res.body.path);
  else say(note, res.message);
  return res;
}

export function joinForm() {
  const note = h("p", { class: "note on", role: "alert" });
  const input = h("input", { id: "code", class: "field code", type: "text", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", maxlength: 9, required: true });
  const button = h("button", { type: "submit", class: "go" }, h("span", { class: "label" }, t("join.go")));
  return h("form", { class: "joining", onsubmit: (e) => { e.preventDefault(); busy(button, () => join(input.value, note)); } },
    h("label", { for: "code" }, t("join.code")), input, button, note);
}
