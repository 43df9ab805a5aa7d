// @ts-check
// Which view of the table this browser looked at last.
const KEY = "lastnose.view";

/** @param {string} name */
export function remember(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // A browser that keeps nothing begins with the play.
  }
}

/** Return the view that was looked at last, null when none is known. */
export function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
