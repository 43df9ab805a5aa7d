// @ts-check
// Words as large as the line and the limit allow, measured once: projectors and names differ.
const WIDTH = 0.94;
const LIMIT = 23.4;
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
 * Return *name*, cut where it is wider than *room* pixels; *style* is its weight and size.
 *
 * @param {string} name
 * @param {number} room
 * @param {string} style
 */
export function clipped(name, room, style) {
  let shown = name;
  while (shown.length > 2 && widthOf(shown, style) > room) shown = `${[...shown].slice(0, -2).join("").trimEnd()}…`;
  return shown;
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
