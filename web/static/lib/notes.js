// @ts-check
// Notes above a page: what went wrong, and that the stream is lost.
import { UNSENT, UNSURE } from "./api.js";
import { h, maybe } from "./dom.js";
import { t } from "./words.js";

const LOST = new Set([UNSENT, UNSURE]);
export const notes = maybe(".notes");
/** @type {HTMLElement | null} */
let lost = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
/** @type {Map<string, { stay: (for_ms: number) => void; gone: () => void }>} What stands there, by its sentence. */
const standing = new Map();

/**
 * Show *sentence* above the page, once; it goes by itself after *for_ms*, or when told.
 *
 * @param {string} sentence
 * @param {number} [for_ms]
 */
export function say(sentence, for_ms = 9000) {
  const there = standing.get(sentence);
  if (there || !notes) return there?.stay(for_ms);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const stay = (/** @type {number} */ ms) => {
    clearTimeout(timer);
    timer = setTimeout(gone, ms);
  };
  const gone = () => {
    clearTimeout(timer);
    note.remove();
    standing.delete(sentence);
  };
  /** @type {HTMLElement} */
  const note = h(
    "div",
    { class: LOST.has(sentence) ? "note unsent" : "note", role: "status" },
    h("p", {}, sentence),
    h("button", { type: "button", click: gone }, t("Close")),
  );
  notes.append(note);
  standing.set(sentence, { stay, gone });
  stay(for_ms);
}

/**
 * Take the note *sentence* away: it holds no more.
 *
 * @param {string} sentence
 */
export const unsay = (sentence) => standing.get(sentence)?.gone();

/** Something has got through again: whatever was not sent before is no news any more. */
export const sent = () => LOST.forEach(unsay);

/**
 * Say when the stream of a page is lost, and when it is back.
 *
 * @param {{ watch(watcher: (connected: boolean, why: string | null) => unknown): unknown }} live
 */
export function watchLost(live) {
  live.watch((connected, why) => {
    clearTimeout(waiting);
    if (connected) {
      sent();
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
