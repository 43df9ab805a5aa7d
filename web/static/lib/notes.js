// @ts-check
// Notes above a page: what went wrong, and that the stream is lost.
import { h, maybe } from "./dom.js";
import { t } from "./words.js";

export const notes = maybe(".notes");
/** @type {HTMLElement | null} */
let lost = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Show *sentence* above the page; it goes by itself after *for_ms*, or when told.
 *
 * @param {string} sentence
 * @param {number} [for_ms]
 */
export function say(sentence, for_ms = 9000) {
  if (!notes) return;
  /** @type {HTMLElement} */
  const note = h(
    "div",
    { class: "note", role: "status" },
    h("p", {}, sentence),
    h("button", { type: "button", click: () => note.remove() }, t("Close")),
  );
  notes.append(note);
  setTimeout(() => note.remove(), for_ms);
}

/**
 * Say when the stream of a page is lost, and when it is back.
 *
 * @param {{ watch(watcher: (connected: boolean, why: string | null) => unknown): unknown }} live
 */
export function watchLost(live) {
  live.watch((connected, why) => {
    clearTimeout(waiting);
    if (connected) {
      if (lost) say(t("Connected again."), 2500);
      lost?.remove();
      lost = null;
    } else {
      // A blink is not worth a word.
      waiting = setTimeout(() => {
        if (!notes) return;
        lost?.remove();
        lost = h(
          "div",
          { class: "note waiting", role: "status" },
          h("p", {}, why ?? t("Not connected. Trying again…")),
        );
        notes.prepend(lost);
      }, 700);
    }
  });
}
