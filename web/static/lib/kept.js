// @ts-check
// What this browser keeps for a page, in words: nothing where it may keep nothing, and every page goes on without.

/** @typedef {"localStorage" | "sessionStorage"} Box the browser's own, or this tab's */

/** Which view of the table was looked at last. */
export const VIEW = "lastnose.view";

/**
 * Return what is kept under *key*, "" for nothing.
 *
 * @param {string} key
 * @param {Box} [box]
 */
export function kept(key, box = "localStorage") {
  try {
    return window[box].getItem(key) ?? "";
  } catch {
    return "";
  }
}

/**
 * Keep *words* under *key*, where that can be; "" is nothing.
 *
 * @param {string} key
 * @param {string} words
 * @param {Box} [box]
 */
export function keep(key, words, box = "localStorage") {
  try {
    if (words) window[box].setItem(key, words);
    else window[box].removeItem(key);
  } catch {
    // It may keep nothing, or not so much.
  }
}
