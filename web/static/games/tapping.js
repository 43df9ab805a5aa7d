// @ts-check
// Pieces to tap, each as often as it is there: cards stand by suit, tiles as they come.
import { attr, childrenOf, h, match, put } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { half, halves, piece, pointed } from "./pieces.js";

const MANY = 60; // tiles that are too many for a thumb: one half first, then the other

const SUITS = ["S", "H", "D", "C"];

/**
 * Draw *names* (each once) into *grid*; *says(name)* tells about one, *tap(name)* is called.
 *
 * @param {HTMLElement} grid
 * @param {string[]} names
 * @param {Page.Drawn} drawn
 * @param {(name: string) => { taken: number; more?: string }} says
 * @param {(name: string) => void} tap
 */
export function tapping(grid, names, drawn, says, tap) {
  grid.className = `se-pieces ${drawn}`;
  const rows = drawn === "cards" ? SUITS.map((suit) => names.filter((name) => name.endsWith(suit))) : [names];
  match(
    grid,
    rows,
    (_, i) => i,
    () => h("div"),
    (row, some) =>
      match(
        row,
        some,
        (name) => name,
        (name) =>
          h("button", { type: "button", class: "se-piece" }, piece(name, drawn), h("b", { "aria-hidden": "true" })),
        (button, name) => {
          const { taken, more } = says(name);
          const [picture, count] = childrenOf(button);
          const times = taken > 1 ? `×${taken}` : "";
          attr(picture, "aria-hidden", "true");
          attr(button, "aria-label", [picture.getAttribute("aria-label"), more, times].filter(Boolean).join(", "));
          attr(button, "aria-pressed", String(taken > 0));
          put(count, times);
          button.onclick = () => tap(name);
        },
      ),
  );
}

/**
 * Return *taken* after a tap on *name*: one more while there are more *there*, else none of it.
 *
 * @param {string[]} taken
 * @param {string} name
 * @param {number} there
 */
export function tapped(taken, name, there) {
  const so_far = taken.filter((one) => one === name).length;
  return so_far < there ? [...taken, name] : taken.filter((one) => one !== name);
}

/**
 * Return what *pieces* cost, by the map *worth*.
 *
 * @param {string[]} pieces
 * @param {Map<string, number>} worth
 */
export const summed = (pieces, worth) => pieces.reduce((all, name) => all + (worth.get(name) ?? 0), 0);

/**
 * Let what is left be chosen from *stock* into *mine*; *again()* draws it again.
 *
 * @param {HTMLElement} parts
 * @param {HTMLElement} grid
 * @param {{ pieces: string[]; drawn: Page.Drawn; worth: Map<string, number> }} given
 * @param {Page.Tapped} mine
 * @param {() => void} again
 */
export function choosing(parts, grid, { pieces, drawn, worth }, mine, again) {
  const whole = pieces.length <= MANY || drawn !== "tiles";
  attr(parts, "hidden", whole);
  const numbers = whole ? [] : [...new Set(pieces.flatMap(halves))].sort((a, b) => a - b);
  match(
    parts,
    numbers,
    (n) => n,
    (n) => h("button", { type: "button", class: "se-piece" }, half(n)),
    (button, n) => {
      attr(button, "aria-pressed", String(n === mine.half));
      button.onclick = () => {
        mine.half = n === mine.half ? null : n;
        again();
      };
    },
  );
  const shown = [...new Set(pieces)].filter(
    (name) => whole || mine.pieces.includes(name) || (mine.half !== null && halves(name).includes(mine.half)),
  );
  attr(grid, "hidden", false);
  attr(grid, "aria-label", t("Tap what you hold"));
  const times = (/** @type {string[]} */ all, /** @type {string} */ name) => all.filter((one) => one === name).length;
  tapping(
    grid,
    shown,
    drawn,
    (name) => ({ taken: times(mine.pieces, name), more: pointed(worth.get(name) ?? 0) }),
    (name) => {
      mine.pieces = tapped(mine.pieces, name, times(pieces, name));
      again();
    },
  );
}
