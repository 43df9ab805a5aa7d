// @ts-check
// Where one question takes the place of another, a second tap of a quick finger was meant for the one before.
import { $$, attr } from "./dom.js";

const FRESH_MS = 500;
/** @type {WeakMap<Element, { what: string; timer?: ReturnType<typeof setTimeout> }>} */
const shown = new WeakMap();

/**
 * Let the buttons of *root* be pressed only when people can have seen that it asks *what* instead of something else.
 *
 * @param {HTMLElement} root
 * @param {string} what "" for nothing
 */
export function asks(root, what) {
  const before = shown.get(root);
  if (before?.what === what) return;
  clearTimeout(before?.timer);
  const hold = (/** @type {string | null} */ held) => {
    for (const button of $$("button", root)) attr(button, "aria-disabled", held);
  };
  const changed = Boolean(before?.what && what);
  hold(changed ? "true" : null);
  shown.set(root, { what, timer: changed ? setTimeout(() => hold(null), FRESH_MS) : undefined });
}

/**
 * Return what a press of *button* does: *does*, once it may be pressed.
 *
 * @param {Element} button
 * @param {() => unknown} does
 */
export const once = (button, does) => () => button.getAttribute("aria-disabled") !== "true" && does();
