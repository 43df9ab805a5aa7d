// @ts-check
// The two last touches as bands: where each may lie; gold where both may.
import { attr, s } from "../../lib/dom.js";
import { t } from "../../lib/words.js";

const WIDE = 350;
const ROOM = 200; // of it for both bands

/**
 * Return the two marks that are too close, the earlier one first.
 *
 * @param {Api.PhotoFinish} finish
 */
export function pair({ marks }) {
  const close = marks.filter((mark) => mark.last).sort((a, b) => a.t_ns - b.t_ns);
  return close.length > 1 ? close.slice(-2) : [];
}

/**
 * Return where *two* marks and their bands lie, each band as [left, width]: as wide as its own stamp is unsure.
 *
 * The halves of both add up to *u_ns*: what the stamps leave of it is shared, and what a clock adds that both have
 * counts for neither. *both* is where the one and the other may lie.
 *
 * @param {Pick<Api.Mark, "t_ns" | "u_ns">[]} two
 * @param {number} u_ns what both together are sure to
 */
export function places(two, u_ns) {
  const own = two[0].u_ns + two[1].u_ns;
  const halves = two.map((one) => (own > u_ns ? (one.u_ns * u_ns) / own : one.u_ns + (u_ns - own) / 2));
  const apart_ns = two[1].t_ns - two[0].t_ns;
  const scale = ROOM / Math.max(2 * Math.max(...halves) + apart_ns, 1);
  const at = [-1, 1].map((side) => WIDE / 2 + (side * apart_ns * scale) / 2);
  const bands = at.map((x, i) => [x - halves[i] * scale, 2 * halves[i] * scale]);
  const left = Math.max(...bands.map(([x]) => x));
  const right = Math.min(...bands.map(([x, width]) => x + width));
  return { at, bands, both: [left, Math.max(0, right - left)] };
}

/**
 * Draw *two* marks that are too close into *strip*.
 *
 * @param {Element} strip
 * @param {Api.Mark[]} two
 * @param {number} u_ns what both together are sure to
 * @param {string} margin how far they are apart
 */
export function draw(strip, two, u_ns, margin) {
  const [first, second] = two;
  const { at, bands, both } = places(two, u_ns);
  const [a, b] = at;
  const band = (/** @type {string} */ name, /** @type {number[]} */ [x, width]) =>
    s("rect", { class: name, x, y: 38, width, height: 28 });
  const mark = (/** @type {number} */ x) =>
    s("line", { class: "pf-hand", "stroke-width": 3, x1: x, x2: x, y1: 34, y2: 70 });
  const name = (/** @type {number} */ x, /** @type {string} */ who, /** @type {string} */ anchor) =>
    s("text", { class: "pf-name", "font-size": 15, x, y: 24, "text-anchor": anchor }, who);
  strip.replaceChildren(
    s("line", { class: "pf-axis", x1: 0, x2: WIDE, y1: 52, y2: 52 }),
    ...bands.map((one) => band("band", one)),
    band("pf-both", both),
    mark(a),
    mark(b),
    name(a - 4, first.player, "end"),
    name(b + 4, second.player, "start"),
    s("text", { class: "apart", x: WIDE / 2, y: 83, "text-anchor": "middle" }, margin),
  );
  attr(
    strip,
    "aria-label",
    t("{a} and {b}, {margin} apart; each may lie anywhere in its band", {
      a: first.player,
      b: second.player,
      margin,
    }),
  );
}
