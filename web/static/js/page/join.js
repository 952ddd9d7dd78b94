// "/join": where the QR code leads. With an invitation behind "#" it sits the
// phone down at once, else it asks for the short code.
import { $, h, put } from "../dom.js";
import { foot, head, page } from "../chrome.js";
import { t } from "../words.js";
import { join, joinForm } from "../join.js";

head({ seats: [] });
foot();
const note = h("p", { class: "note on", role: "alert" });
put($("#main"), h("div", { class: "panel narrow" }, h("h2", {}, t("join.title")), h("p", {}, t("join.how")), joinForm(), note,
  h("p", {}, h("a", { href: "/" }, t("join.watch")))));
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", "/join");
  join(token, note);
} else if (page.seat) location.replace("/seat/" + encodeURIComponent(page.seat));
