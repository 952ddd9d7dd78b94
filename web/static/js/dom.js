// Small helpers over the DOM. Text always goes in as text, never as markup, so
// a guest called "<img onerror=…>" is a guest.

const SVG = "http://www.w3.org/2000/svg";

function fill(el, attrs, kids) {
  for (const [k, v] of Object.entries(attrs ?? {})) {
    if (v === null || v === undefined || v === false) continue;
    if (k.startsWith("on")) el.addEventListener(k.slice(2), v);
    else if (k === "class") el.setAttribute("class", Array.isArray(v) ? v.filter(Boolean).join(" ") : v);
    else if (k === "value") el.value = v;
    else el.setAttribute(k, v === true ? "" : v);
  }
  for (const kid of kids.flat(Infinity)) {
    if (kid === null || kid === undefined || kid === false || kid === "") continue;
    el.append(kid instanceof Node ? kid : String(kid));
  }
  return el;
}

/** h("p", {class: "x"}, "text", child) makes an element. */
export const h = (tag, attrs, ...kids) => fill(document.createElement(tag), attrs, kids);

/** s is h for SVG. */
export const s = (tag, attrs, ...kids) => fill(document.createElementNS(SVG, tag), attrs, kids);

export const $ = (sel, from = document) => from.querySelector(sel);

/** put replaces what an element holds. */
export function put(el, ...kids) {
  el.replaceChildren();
  return fill(el, {}, kids);
}

/** arrange is put for elements that may be there already: when nothing changes
 *  nothing is touched, and whoever was typing goes on typing. */
export function arrange(el, ...kids) {
  const list = kids.flat(Infinity).filter(Boolean);
  if (list.length === el.childNodes.length && list.every((k, i) => k === el.childNodes[i])) return;
  const at = document.activeElement;
  el.replaceChildren(...list);
  if (at !== document.activeElement && el.contains(at)) at.focus({ preventScroll: true });
}

/** say sets an element's text only when it changed, so that a live region
 *  speaks once. */
export function say(el, text) {
  if (el && el.textContent !== text) el.textContent = text;
}

/** data reads a block of JSON that the server wrote into the page. */
export function data(id) {
  const el = document.getElementById(id);
  return el && el.textContent.trim() ? JSON.parse(el.textContent) : null;
}

/** keyed brings the children of a list in line with items, keeping the element
 *  of an item that stays: nothing moves that did not change. */
export function keyed(list, items, key, make, update) {
  const old = new Map([...list.children].map((el) => [el.dataset.key, el]));
  let at = list.firstElementChild;
  for (const [i, item] of items.entries()) {
    const k = String(key(item, i));
    let el = old.get(k);
    if (el) old.delete(k);
    else {
      el = make(item, i);
      el.dataset.key = k;
    }
    if (el !== at) list.insertBefore(el, at);
    else at = at.nextElementSibling;
    update(el, item, i);
  }
  for (const el of old.values()) el.remove();
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
