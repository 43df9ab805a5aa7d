// @ts-check
// What lies in hands at the end, drawn: dominoes and playing cards by the names the table gives them.
import { card } from "../lib/cards.js";
import { s } from "../lib/dom.js";
import { t } from "../lib/words.js";

/** @type {Record<number, number[]>} */
const NINE = {
  0: [],
  1: [5],
  2: [1, 9],
  3: [1, 5, 9],
  4: [1, 3, 7, 9],
  5: [1, 3, 5, 7, 9],
  6: [1, 3, 4, 6, 7, 9],
  7: [1, 3, 4, 5, 6, 7, 9],
  8: [1, 2, 3, 4, 6, 7, 8, 9],
  9: [1, 2, 3, 4, 5, 6, 7, 8, 9],
};
/** @type {Record<number, number[]>} */
const ROWS = { 10: [4, 2, 4], 11: [4, 3, 4], 12: [4, 4, 4], 13: [4, 5, 4], 14: [5, 4, 5], 15: [5, 5, 5] };
const INKS = [
  "#888",
  "#2f6fb3",
  "#2f8f5b",
  "#b5531c",
  "#6b4fa0",
  "#1b7f8c",
  "#8a5a10",
  "#a2357a",
  "#4b5563",
  "#a86f12",
  "#2b5f9e",
  "#217a4b",
  "#8f4315",
  "#573f8a",
  "#166873",
  "#6f480c",
];

/**
 * Return the pips of *n* on a half that begins at *y*, as places.
 *
 * @param {number} n
 * @param {number} y
 */
function pips(n, y) {
  if (n <= 9) return NINE[n].map((at) => [10 + ((at - 1) % 3) * 10, y + 10 + Math.floor((at - 1) / 3) * 10, 3.6]);
  return ROWS[n].flatMap((count, row) =>
    Array.from({ length: count }, (_, i) => [20 + (i - (count - 1) / 2) * 7, y + 9 + row * 11, 2.7]),
  );
}

/**
 * @param {number} n
 * @param {number} y
 */
const dots = (n, y) => pips(n, y).map(([cx, cy, r]) => s("circle", { cx, cy, r, fill: INKS[n] }));

/** @param {number} height */
const rounded = (height) => s("rect", { class: "cd-face", x: 0.75, y: 0.75, width: 38.5, height, rx: 7 });

/**
 * Return the two halves of a tile ("5-3").
 *
 * @param {string} name
 */
export const halves = (name) => name.split("-").map(Number);

/**
 * Return a tile as SVG.
 *
 * @param {string} name
 */
export function tile(name) {
  const [high, low] = halves(name);
  return s(
    "svg",
    { viewBox: "0 0 40 80", class: "tile", role: "img", "aria-label": name },
    rounded(78.5),
    s("path", { d: "M7 40H33", stroke: "#cfc7b8" }),
    ...dots(high, 0),
    ...dots(low, 40),
  );
}

/**
 * Return half a tile as SVG.
 *
 * @param {number} n
 */
export const half = (n) =>
  s("svg", { viewBox: "0 0 40 40", class: "tile", role: "img", "aria-label": String(n) }, rounded(38.5), ...dots(n, 0));

/**
 * Return a piece as SVG, *drawn* as "tiles" or "cards".
 *
 * @param {string} name
 * @param {Page.Drawn} drawn
 */
export function piece(name, drawn) {
  if (drawn === "tiles") return tile(name);
  return card(name === "Joker" ? { rank: name, suit: "" } : { rank: name.slice(0, -1), suit: name.slice(-1) });
}

/** Return a card that is still wanted, as SVG. */
export const wanted = () =>
  s(
    "svg",
    { viewBox: "0 0 50 70", class: "wanted", role: "img", "aria-label": t("a card that is missing") },
    s("rect", { x: 1.5, y: 1.5, width: 47, height: 67, rx: 6 }),
  );

/**
 * Return what stands for a hand: a piece to draw, groups of cards ("=3 /4 /*"), or nothing.
 *
 * @param {string} name
 */
export function pictured(name) {
  if (/^\d+-\d+$/.test(name)) return tile(name);
  return /^[=/]/.test(name) ? groups(name.split(" ")) : null;
}

const [WIDE, HIGH, STEP, RISE, GAP] = [13, 18, 9, 2, 7];

/**
 * Return groups of cards in little: alike ("=3") they lie level, in a row ("/4") they climb; "/*" is open at its end.
 *
 * @param {string[]} all
 */
function groups(all) {
  const made = [];
  let x = 1;
  const size = (/** @type {string} */ one) => (one.slice(1) === "*" ? 6 : Number(one.slice(1)));
  const top = Math.max(...all.map((one) => (one[0] === "/" ? (size(one) - 1) * RISE : 0)));
  for (const one of all) {
    const n = size(one);
    for (let i = 0; i < n; i += 1) {
      const y = 1 + (one[0] === "/" ? top - i * RISE : top / 2);
      made.push(
        s("rect", {
          class: one.endsWith("*") && i > 2 ? "gr-open" : "gr-card",
          x: x + i * STEP,
          y,
          width: WIDE,
          height: HIGH,
          rx: 2.5,
        }),
      );
      if (one[0] === "=") made.push(s("circle", { class: "gr-same", cx: x + i * STEP + 4.6, cy: y + 5, r: 2 }));
    }
    x += (n - 1) * STEP + WIDE + GAP;
  }
  return s("svg", { viewBox: `0 0 ${x - GAP + 1} ${HIGH + top + 2}`, width: x - GAP + 1, class: "groups" }, ...made);
}

/**
 * Return how many points *n* are, in words.
 *
 * @param {number} n
 */
export const pointed = (n) => (n === 1 ? t("1 point") : t("{n} points", { n }));

/**
 * Return who deals and who starts *line*.
 *
 * @param {Api.SheetRow | undefined} line
 * @param {Api.Snapshot} state
 */
export function dealt(line, state) {
  if (!line?.dealer || !line.starter) return null; // or one of them has left
  const name = (/** @type {number | null} */ seat) => state.rows.find((row) => row.seat === seat)?.player;
  return t("{dealer} deals, {starter} starts.", { dealer: name(line.dealer), starter: name(line.starter) });
}
