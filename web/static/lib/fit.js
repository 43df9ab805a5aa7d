// @ts-check
// Words as large as the line and the limit allow, measured once: projectors and names differ.
import { attr, put, s } from "./dom.js";

const WIDTH = 0.94;
const LIMIT = 23.4;
const SQUEEZED = 0.4;
const [NAME_ROW, SMALLEST] = [20, 12]; // how high a name above its row is, and its least size, in pixels
/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/**
 * Return how wide *words* are, in ems of *element*'s own face.
 *
 * @param {Element} element
 * @param {string} words
 * @param {number} [weight] the element's own if it is not told
 */
export function ems(element, words, weight) {
  const { fontFamily, fontWeight } = getComputedStyle(element);
  ruler ??= /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  ruler.font = `${weight ?? fontWeight} 100px ${fontFamily}`;
  return ruler.measureText(words).width / 100;
}

/**
 * Return how many pixels *words* are wide in the page's face; *style* is their weight and size.
 *
 * @param {string} words
 * @param {string} style
 */
export function widthOf(words, style) {
  ruler ??= /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  ruler.font = `${style} ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(words).width;
}

/**
 * Return how wide *name* is in two lines, in ems of the page's face: no word is broken but where it has a hyphen.
 *
 * @param {string} name
 * @param {number} weight
 */
export function folded(name, weight) {
  const parts = name.split(/(?<=[\s/\-‐־])/u);
  const wide = (/** @type {string[]} */ some) => widthOf(some.join("").trim(), `${weight} 100px`) / 100;
  return Math.min(...parts.map((_, i) => Math.max(wide(parts.slice(0, i)), wide(parts.slice(i)))));
}

/**
 * Write *name* into *element*, whole in its title too; the style learns in `--ems` how wide it is in two lines, so that
 * it can be as small as that takes rather than be broken inside a word.
 *
 * @param {HTMLElement} element
 * @param {string} name
 * @param {number} weight as the style has it
 */
export function named(element, name, weight) {
  attr(element, "title", name);
  if (put(element, name)) element.style.setProperty("--ems", Math.max(1, folded(name, weight)).toFixed(2));
}

/**
 * Return the rows of a chart whose *names* stand at its left, how much room that takes, and how high all are.
 *
 * A name wider than its part of the chart stands above its row, whole.
 *
 * @param {string[]} names
 * @param {{ style: string; wide: number; part: number; size: number; weight: number; row: number }} given the names'
 *   class, the chart's width in pixels, the names' part of it, how large and heavy they are, and how high a row is
 */
export function namedRows(names, { style, wide, part, size, weight, row }) {
  let [high, left] = [0, 0];
  const rows = names.map((words) => {
    const own = widthOf(words, `${weight} ${size}px`);
    const above = own > wide * part;
    if (!above) left = Math.max(left, own);
    const top = above ? high + NAME_ROW : high;
    high = top + row;
    const y = top + row / 2;
    const name = s("text", { class: style, x: 0, y: (above ? top - NAME_ROW / 2 : y) + 5 }, words);
    if (own > wide) name.style.fontSize = `${Math.max(SMALLEST, Math.floor((size * wide) / own))}px`;
    return { y, name };
  });
  return { rows, left, high };
}

/** One hundredth of the screen, as the style has it: of its height, or less where it is narrow. */
export const unit_px = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--u-px")) || 1;

/** Say in the style how large a hundredth is; to be called when the screen changes. */
export function measure() {
  const u = Math.max(4.5, Math.min(innerHeight / 100, (innerWidth * 0.75) / 100));
  document.documentElement.style.setProperty("--u-px", String(u));
  document.documentElement.style.setProperty("--u", `${u}px`);
}

/**
 * Return the size of a headline of *words_em* ems, in units: one line if it stays large, else as many as it needs.
 *
 * @param {number} words_em
 * @param {number} room how wide the line is, in units
 * @param {number} [limit]
 */
export function headlineSize(words_em, room, limit = LIMIT) {
  const one = Math.min(limit, (room * WIDTH) / Math.max(0.1, words_em));
  if (one >= limit * 0.5) return one;
  // Broken lines are never quite full.
  for (const [lines, high] of [
    [2, 0.56],
    [3, 0.4],
  ]) {
    const size = Math.min(limit * high, (room * WIDTH * lines * 0.86) / words_em);
    if (size >= limit * high * 0.8) return size;
  }
  return Math.min(limit * 0.32, (room * WIDTH * 3 * 0.86) / words_em);
}

/**
 * Set *element* as large as its words and the screen allow.
 *
 * @param {HTMLElement} element
 * @param {number} [limit] in hundredths of the screen
 */
export function fit(element, limit = LIMIT) {
  const u = unit_px();
  const spacing = 0.028 * (element.textContent?.length ?? 0);
  const size = headlineSize(ems(element, element.textContent ?? "") - spacing, element.clientWidth / u, limit);
  element.style.fontSize = `${(size * u).toFixed(1)}px`;
}

/**
 * Let what is in *root* have room there: all that is measured in hundredths of the screen shrinks until it has.
 *
 * @param {HTMLElement} root
 */
export function squeeze(root) {
  root.style.removeProperty("--u");
  for (let part = 0.95; part > SQUEEZED && root.scrollHeight > root.clientHeight + 1; part -= 0.05)
    root.style.setProperty("--u", `${(part * unit_px()).toFixed(2)}px`);
}
