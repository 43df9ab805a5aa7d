// @ts-check
// Some of the players below a verdict, in one line: all if they have room, else whom it concerns.

import { keyOf, letters } from "../../games/rows.js";
import { firstIn, h, lastIn, match, put } from "../../lib/dom.js";
import { ems, folded, unit_px } from "../../lib/fit.js";
import { t } from "../../lib/words.js";

const BOLD = 650; // as the style has names
const [FEWEST, LEAST, LARGE] = [2, 2.8, 4]; // how many, and how large their names
const WORD = 6; // and their letters

/**
 * Whether *row* has one letter to go.
 *
 * @param {Api.PlayerRow} row
 */
export const inDanger = (row) => !row.out && row.word.length > 1 && row.word.length - row.letters.length === 1;

/**
 * Show some of *rows* in one line below a verdict: all if they have room, else whom it concerns.
 *
 * @param {HTMLElement} root
 * @param {Api.PlayerRow[]} rows
 * @param {number[]} last
 * @param {number} most
 */
export function few(root, rows, last, most) {
  const weight = (/** @type {Api.PlayerRow} */ row) =>
    Number(row.winner) * 8 + Number(last.includes(row.seat)) * 4 + Number(inDanger(row)) * 2 + Number(!row.out);
  const chosen = (/** @type {number} */ n) =>
    [...rows]
      .sort((a, b) => weight(b) - weight(a) || a.seat - b.seat)
      .slice(0, n)
      .sort((a, b) => a.seat - b.seat);
  const wide = (root.clientWidth || 130 * unit_px()) / unit_px();
  const sizeOf = (/** @type {Api.PlayerRow[]} */ some, /** @type {(name: string) => number} */ length) =>
    (wide / some.length - 3) / Math.max(1, ...some.map((row) => length(row.player)));
  const whole = (/** @type {string} */ name) => ems(root, name, BOLD);
  const halved = (/** @type {string} */ name) => folded(name, BOLD);
  let shown = chosen(most);
  // Names of two lines at the most, as small as can be read from afar.
  while (shown.length > FEWEST && sizeOf(shown, halved) < LEAST) shown = chosen(shown.length - 1);
  const size = Math.min(LARGE, Math.max(LEAST, sizeOf(shown, whole)), Math.max(2.2, sizeOf(shown, halved)));
  root.style.setProperty("--n", String(Math.max(1, shown.length)));
  root.style.setProperty("--name", size.toFixed(2));
  const slots = Math.max(1, ...shown.map((row) => row.word.length));
  root.style.setProperty("--word", Math.min(WORD, (wide / shown.length - 2) / slots).toFixed(2));
  match(
    root,
    shown,
    keyOf,
    () => h("li", {}, h("span", { class: "word" }), h("bdi"), h("small")),
    (item, row) => {
      const word = firstIn(item);
      if (row.score != null) {
        word.className = "score";
        put(word, row.score);
      } else letters(word, row);
      put(/** @type {Element} */ (item.children[1]), row.player);
      const says = row.winner ? t("wins") : row.out ? t("out") : inDanger(row) ? t("One to go") : "";
      put(lastIn(item), says);
      for (const [style, on] of Object.entries({
        last: last.includes(row.seat),
        near: inDanger(row),
        out: row.out && !row.winner,
        won: row.winner,
      }))
        item.classList.toggle(style, Boolean(on));
    },
  );
}
