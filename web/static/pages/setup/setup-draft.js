// @ts-check
// What is being set up, kept in this tab until it starts: nothing typed is ever lost.
import * as browser from "../../lib/kept.js";

const KEY = "lastnose.setup";

/**
 * Return the draft of this tab, or null.
 *
 * @returns {Page.Draft | null}
 */
export function load() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keep *draft* for this tab.
 *
 * @param {Page.Draft} draft
 */
export function keep(draft) {
  browser.keep(KEY, JSON.stringify(draft), "sessionStorage");
}

/** Forget the draft: its game has started. */
export function forget() {
  browser.keep(KEY, "", "sessionStorage");
}
