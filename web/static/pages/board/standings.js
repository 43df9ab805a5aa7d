// @ts-check
// Who stands where, over the whole screen: bands by letters, not a list; by rank where points count. For 2 as for 26.

import { keyOf, letters } from "../../games/rows.js";
import { firstIn, h, lastIn, match, put } from "../../lib/dom.js";
import { ems, folded, unit_px } from "../../lib/fit.js";
import { t, trueMinus } from "../../lib/words.js";

const ROOM = 80;
const LARGEST = 13;
const BOLD = 650; // as the style has names
const READABLE = 2; // below this size a name is rather cut, to so many ems
const CUT = 11;
const AROUND = 1.6; // what stands beside a name in its column, in ems: its mark, and room
const LEAST_PART = 0.6; // of the others' size: so small may be a name that is far longer than they are
const [FEWEST, LEAST, LARGE] = [2, 2.8, 4]; // below a verdict: how many, and how large their names
const WORD = 6; // and their letters

/** @typedef {{ key: string; rows: Api.PlayerRow[]; word: Api.PlayerRow | null; says: string; style: string }} Band */

/**
 * Return what *row* is called among others with as many letters.
 *
 * @param {Api.PlayerRow} row
 */
function called(row) {
  const left = row.word.length - row.letters.length;
  if (!row.letters.length) return t("no letter");
  if (left === 1) return t("one to go");
  return row.letters.length === 1 ? t("one letter") : t("{n} letters", { n: row.letters.length });
}

/**
 * Whether *row* has one letter to go.
 *
 * @param {Api.PlayerRow} row
 */
export const inDanger = (row) =>
  !row.out && row.word.length > 1 && row.letters.length > 0 && row.word.length - row.letters.length === 1;

/**
 * Return *rows* in bands, those who stand best first, those who are out last.
 *
 * @param {Api.PlayerRow[]} rows
 * @returns {Band[]}
 */
export function bandsOf(rows) {
  /** @type {Map<string, Band>} */
  const found = new Map();
  const scored = rows.some((row) => row.score != null);
  const order = [...rows].sort(
    (a, b) =>
      Number(b.winner) - Number(a.winner) ||
      Number(a.out && !a.winner) - Number(b.out && !b.winner) ||
      (scored ? 0 : a.letters.length - b.letters.length) ||
      a.seat - b.seat,
  );
  for (const row of order) {
    const out = row.out && !row.winner;
    const key = row.winner ? "won" : out ? "out" : String(row.letters.length);
    const whole = Boolean(row.word.length) && (!out || row.letters.length === row.word.length);
    const style = row.winner ? "won" : out ? "out" : inDanger(row) ? "near" : "";
    const says = row.winner ? t("wins") : out ? t("out") : row.word.length ? called(row) : "";
    const band = found.get(key) ?? { key, rows: [], word: whole && !row.winner ? row : null, says, style };
    band.rows.push(row);
    found.set(key, band);
  }
  return [...found.values()];
}

/**
 * Return the columns and the size of names with which *bands* fill a screen *wide* and *high* units large, and whether
 * long names stand in two lines there.
 *
 * @param {number[]} sizes how many are in each band
 * @param {number} longest the longest name, in ems
 * @param {number} wide
 * @param {number} high
 * @param {number} [folded] the longest name in two lines
 */
export function filling(sizes, longest, wide, high, folded = longest) {
  let best = { columns: 1, size: 0, lines: 1, folds: false };
  for (const folds of folded < longest ? [false, true] : [false])
    for (let columns = 1; columns <= 6; columns++) {
      const lines = sizes.reduce((sum, n) => sum + Math.ceil(n / columns), 0);
      const room = (high / lines) * (folds ? 0.38 : 0.62);
      const size = Math.min(LARGEST, room, wide / columns / ((folds ? folded : longest) + 1.5));
      // Two lines a name must be worth it.
      if (size > best.size * (folds && !best.folds ? 1.15 : 1) + 0.05) best = { columns, size, lines, folds };
    }
  return best;
}

/**
 * Return what the longest of *lengths* counts as: of many, one that is far longer than all others is rather smaller
 * than let make all of them small.
 *
 * @param {number[]} lengths
 */
function nearlyLongest(lengths) {
  const [longest = 1, second = longest] = [...lengths].sort((a, b) => b - a);
  return lengths.length > 10 ? Math.max(second, (LEAST_PART + 0.02) * longest) : longest;
}

/** @param {Api.PlayerRow} row */
const small = (row) => row.notes.join(", ") || (row.score == null ? "" : trueMinus(row.score));

/**
 * Show *rows* in *root*; *last* were last just now.
 *
 * @param {HTMLElement} root
 * @param {Api.PlayerRow[]} rows
 * @param {Set<number>} last
 * @param {boolean} watching whether noses count now
 */
export function standings(root, rows, last, watching) {
  const found = bandsOf(rows);
  const u = unit_px();
  const words = found.some((band) => band.word || band.says);
  const notes = rows.some((row) => small(row));
  const beside = (/** @type {Api.PlayerRow} */ row) => (small(row) ? 0.45 * ems(root, small(row)) + 0.5 : 0);
  const high = Math.max(20, (root.clientHeight || ROOM * u) / u) - 2 * found.length;
  const wide = Math.max(30, (root.clientWidth || 150 * u) / u) - (words ? 27 : 0);
  const lengths = rows.map((row) => ems(root, row.player, BOLD) + beside(row));
  const most = nearlyLongest(lengths);
  const sizes = found.map((band) => band.rows.length);
  const halves = notes ? most : nearlyLongest(rows.map((row) => folded(row.player, BOLD)));
  const whole = filling(sizes, Math.max(2, most), wide, high, Math.max(2, halves));
  const { columns, size, folds } = whole.size < READABLE ? filling(sizes, Math.min(most, CUT), wide, high) : whole;
  root.style.setProperty("--cols", String(columns));
  root.style.setProperty("--size", `${(size * u).toFixed(1)}px`);
  root.classList.toggle("bare", !words);
  root.classList.toggle("noted", notes);
  root.classList.toggle("folds", folds);
  const room = wide / columns / size - AROUND;
  const part = (/** @type {Api.PlayerRow} */ row) => {
    const own = folds ? folded(row.player, BOLD) : ems(root, row.player, BOLD);
    return Math.max(LEAST_PART, Math.min(1, (room - beside(row)) / own));
  };
  match(
    root,
    found,
    (band) => band.key,
    () => h("div", { class: "bd" }, h("div", { class: "bd-what" }, h("span", { class: "word" }), h("small")), h("ul")),
    (element, band) => {
      element.className = `bd ${band.style}`;
      element.style.flexGrow = String(Math.ceil(band.rows.length / columns));
      const what = firstIn(element);
      const word = firstIn(what);
      word.hidden = !band.word;
      if (band.word) letters(word, { ...band.word, new: false });
      put(lastIn(what), band.says);
      names(lastIn(element), band.rows, last, watching, part);
    },
  );
}

/**
 * @param {HTMLElement} list
 * @param {Api.PlayerRow[]} rows
 * @param {Set<number>} last
 * @param {boolean} watching
 * @param {(row: Api.PlayerRow) => number} part of the others' size, so that a name has room
 */
function names(list, rows, last, watching, part) {
  match(
    list,
    rows,
    (row) => row.seat,
    () => h("li", {}, h("i"), h("bdi"), h("small")),
    (item, row) => {
      const name = /** @type {HTMLElement} */ (item.children[1]);
      put(name, row.player);
      name.style.setProperty("--part", part(row).toFixed(2));
      put(lastIn(item), small(row));
      firstIn(item).hidden = !watching || row.out;
      for (const [style, on] of Object.entries({
        last: last.has(row.seat),
        down: row.held || row.pressed,
        deals: row.dealer,
      }))
        item.classList.toggle(style, Boolean(on));
    },
  );
}

/**
 * Show some of *rows* in one line below a verdict: all if they have room, else whom it concerns.
 *
 * @param {HTMLElement} root
 * @param {Api.PlayerRow[]} rows
 * @param {Set<number>} last
 * @param {number} most
 */
export function few(root, rows, last, most) {
  const weight = (/** @type {Api.PlayerRow} */ row) =>
    Number(row.winner) * 8 + Number(last.has(row.seat)) * 4 + Number(inDanger(row)) * 2 + Number(!row.out);
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
      const says = row.winner ? t("wins") : row.out ? t("out") : inDanger(row) ? t("one to go") : "";
      put(lastIn(item), says);
      for (const [style, on] of Object.entries({
        last: last.has(row.seat),
        near: inDanger(row),
        out: row.out && !row.winner,
        won: row.winner,
      }))
        item.classList.toggle(style, Boolean(on));
    },
  );
}
