// @ts-check
// What is being set up, kept in this tab until it starts: nothing typed is ever lost.
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
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still sets up a game.
  }
}

/** Forget the draft: its game has started. */
export function forget() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There was nothing to forget.
  }
}
