// @ts-check
// Three views of one table: for who plays, who hosts, who is curious. On a phone one at a time, and it is remembered.
import { $$, attr } from "../../lib/dom.js";
import { keep, kept, VIEW } from "../../lib/kept.js";

const VIEWS = ["play", "host", "figures"];
const WIDE = matchMedia("(min-width: 62rem)");
/** @type {(() => void)[]} */
const listeners = [];

/** Return whether people see the view *name* now. */
export const seen = (/** @type {string} */ name) => WIDE.matches || document.body.dataset.view === name;

/**
 * Call *listener* whenever another view is seen.
 *
 * @param {() => void} listener
 */
export function onView(listener) {
  listeners.push(listener);
}

/** @param {string} name */
function turn(name) {
  document.body.dataset.view = name;
  // Alone on the page, a view's heading is the page's.
  for (const heading of $$(".view .before h2")) attr(heading, "aria-level", WIDE.matches ? null : "1");
  for (const heading of $$("#view-figures h3")) attr(heading, "aria-level", WIDE.matches ? null : "2");
  for (const tab of $$(".tabs button")) attr(tab, "aria-current", tab.dataset.view === name ? "true" : null);
  for (const listener of listeners) listener();
}

/** A game has begun: whatever was looked at before, the page shows what to do now. */
export function toPlay() {
  keep(VIEW, "play");
  if (!document.body.dataset.view || document.body.dataset.view === "play") return;
  turn("play");
  scrollTo(0, 0);
}

/** Make the tabs work, and show the view that was seen last. */
export function views() {
  const name = kept(VIEW);
  turn(name && VIEWS.includes(name) ? name : "play");
  for (const tab of $$(".tabs button"))
    tab.addEventListener("click", () => {
      turn(tab.dataset.view ?? "play");
      keep(VIEW, tab.dataset.view ?? "play");
      scrollTo(0, 0);
    });
  WIDE.addEventListener("change", () => turn(document.body.dataset.view ?? "play"));
}
