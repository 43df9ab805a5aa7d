// @ts-check
// Small hands for the document: touch only what changed, so that focus, open dialogs and fingers stay where they are.
import { trueMinus } from "./words.js";

// Scripts have drawn once the document says that it is there: until then a page shows its bar and its title only.
globalThis.document?.addEventListener?.("DOMContentLoaded", () => document.documentElement.classList.add("drawn"));

/**
 * Return what *selector* finds first, or null where a page need not have it.
 *
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement | null}
 */
export const maybe = (selector, root = document) => root.querySelector(selector);

/**
 * Return what *selector* finds first; it has to be there.
 *
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export function $(selector, root = document) {
  const found = maybe(selector, root);
  if (!found) throw new Error(`There is no ${selector}`);
  return found;
}

/**
 * Return all that *selector* finds.
 *
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export const $$ = (selector, root = document) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

/** The field that a selector finds; it has to be there. */
export const input = /** @type {(selector: string, root?: ParentNode) => HTMLInputElement} */ ($);

/** The dialog that a selector finds; it has to be there. */
export const modal = /** @type {(selector: string, root?: ParentNode) => HTMLDialogElement} */ ($);

/** The first child of *element*. */
export const firstIn = (/** @type {Element} */ element) => /** @type {HTMLElement} */ (element.firstElementChild);

/** The last child of *element*. */
export const lastIn = (/** @type {Element} */ element) => /** @type {HTMLElement} */ (element.lastElementChild);

/** The children of *element*. */
export const childrenOf = (/** @type {Element} */ element) => /** @type {HTMLElement[]} */ ([...element.children]);

/** Return the JSON that the page holds in the script *selector*. */
export const held = (/** @type {string} */ selector) => JSON.parse($(selector).textContent ?? "null");

/**
 * Make an element; a property that is a function is a listener, `class` and others are attributes.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Page.Props} [props]
 * @param {...(Node | string | null | undefined)} children
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/**
 * Make an SVG element; text is its content.
 *
 * @param {string} tag
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {...(Node | string)} children
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return /** @type {SVGElement} */ (element);
}

/**
 * Set the text of *element* if it differs; return whether it did.
 *
 * @param {Element} element
 * @param {string | number | null | undefined} words
 */
export function put(element, words) {
  const next = typeof words === "number" ? trueMinus(words) : (words ?? "");
  if (element.textContent === next) return false;
  element.textContent = next;
  return true;
}

/**
 * Set or remove an attribute if it differs.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function attr(element, name, value) {
  if (value == null || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value))
    element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Make the children of *parent* match *items*: one child a key, kept when the key stays.
 *
 * @template T
 * @template {HTMLElement | SVGElement} E
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {(item: T, index: number) => unknown} key
 * @param {(item: T, index: number) => E} make
 * @param {(child: E, item: T, index: number) => unknown} [update]
 */
export function match(parent, items, key, make, update) {
  const old = new Map(/** @type {E[]} */ ([...parent.children]).map((child) => [child.dataset.key, child]));
  const names = items.map((item, index) => String(key(item, index)));
  const stay = new Set(names);
  // What is gone goes first: else what stays would be moved, and what is moved loses the cursor.
  for (const [name, child] of old) if (!stay.has(name ?? "")) child.remove();
  let place = parent.firstElementChild;
  for (const [index, item] of items.entries()) {
    const name = names[index];
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
}

/**
 * Make *parent* a list of plain sentences.
 *
 * @param {Element} parent
 * @param {readonly string[]} lines
 */
export function sentences(parent, lines) {
  match(
    parent,
    lines,
    (line, i) => `${i}:${line}`,
    (line) => h("li", {}, line),
  );
}

const DURATION = /((?:±[\u202f\u00a0 ]?)?\d[\d.,\u202f\u00a0 ]*[\u202f\u00a0 ]?(?:µs|ms|s)(?![\p{L}]))/u;

/**
 * Make *parent* a list of sentences with their times set in bold.
 *
 * @param {Element} parent
 * @param {readonly string[]} lines
 */
export function proof(parent, lines) {
  match(
    parent,
    lines,
    (line, i) => `${i}:${line}`,
    (line) =>
      h(
        "li",
        /[.!?…:]$/u.test(line) ? {} : { class: "open" },
        ...line.split(DURATION).map((part, i) => (i % 2 ? h("b", {}, part) : part)),
      ),
  );
}

/**
 * Wait for a style, unless it is there.
 *
 * @param {string} href
 */
export function styled(href) {
  if (maybe(`link[href="${href}"]`)) return null;
  return new Promise((ready) =>
    document.head.append(h("link", { rel: "stylesheet", href, load: ready, error: ready })),
  );
}
