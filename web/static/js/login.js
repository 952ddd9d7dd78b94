// The PIN that opens the host's pages.
import { $, h, put, say } from "./dom.js";
import { busy, post } from "./act.js";
import { t } from "./words.js";

/** askPIN shows the form in place of a host's page, and the page when it fits. */
export function askPIN() {
  const note = h("p", { class: "note on", role: "alert" });
  const input = h("input", { type: "password", inputmode: "numeric", autocomplete: "current-password", required: true, maxlength: 72, id: "pin", class: "field pin" });
  const button = h("button", { class: "go", type: "submit" }, h("span", { class: "label" }, t("login.go")));
  const login = async (pin) => {
    const res = await post("/api/login", { pin });
    if (res.ok) {
      history.replaceState(null, "", location.pathname + location.search);
      location.reload();
    } else say(note, res.message);
  };
  put($("#main"), h("form", { class: "panel narrow login", onsubmit: (e) => { e.preventDefault(); busy(button, () => login(input.value)); } },
    h("h2", {}, t("login.title")), h("p", {}, t("login.where")), h("label", { for: "pin" }, t("login.pin")), input, button, note));
  input.focus();
  const given = /^#pin=(.+)$/.exec(location.hash);
  if (given) login(decodeURIComponent(given[1]));
}
