// Small hands for the document: touch only what changed, so that focus, open dialogs and fingers stay where they are.
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Make an element; a property that is a function is a listener, `class` and others are attributes. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Make an SVG element. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Set the text of *element* if it differs; return whether it did. */
export function put(element, words) {
  const next = words == null ? "" : String(words);
  if (element.textContent === next) return false;
  element.textContent = next;
  return true;
}

/** Set or remove an attribute if it differs. */
export function attr(element, name, value) {
  if (value == null || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value);
}

/** Make the children of *parent* match *items*: one child a key, kept when the key stays. */
export function match(parent, items, key, make, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let place = parent.firstElementChild;
  for (const [index, item] of items.entries()) {
    const name = String(key(item, index));
    let child = old.get(name);
    if (child) old.delete(name);
    else {
      child = make(item, index);
      child.dataset.key = name;
    }
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
    update?.(child, item, index);
  }
  for (const child of old.values()) child.remove();
}

/** Make *parent* a list of plain sentences. */
export const sentences = (parent, lines) => match(parent, lines, (line, i) => `${i}:${line}`, (line) => h("li", {}, line));

const DURATION = /((?:± ?)?\d[\d.,\u202f\u00a0 ]*[\u202f\u00a0 ]?(?:µs|ms|s)(?![\p{L}]))/u;

/** Make *parent* a list of sentences with their times set in bold. */
export function proof(parent, lines) {
  match(parent, lines, (line, i) => `${i}:${line}`, (line) =>
    h("li", /[.!?…:]$/u.test(line) ? {} : { class: "open" }, ...line.split(DURATION).map((part, i) => (i % 2 ? h("b", {}, part) : part))));
}
