// @ts-check
// The two last touches as bands: where each may lie; gold where both may.
import { attr, s } from "../../lib/dom.js";
import { duration, t } from "../../lib/words.js";

const WIDE = 350;
const MOST = 150; // of the width that the bands take

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
 * Draw *two* marks that are too close into *strip*.
 *
 * @param {Element} strip
 * @param {Api.Mark[]} two
 * @param {number} u_ns what both together are sure to
 */
export function draw(strip, two, u_ns) {
  const [first, second] = two;
  const apart_ns = second.t_ns - first.t_ns;
  const scale = (WIDE - MOST) / Math.max(u_ns + apart_ns, 1);
  const half = (u_ns / 2) * scale;
  const middle = WIDE / 2;
  const [a, b] = [middle - (apart_ns * scale) / 2, middle + (apart_ns * scale) / 2];
  const band = (/** @type {string} */ name, /** @type {number} */ x, /** @type {number} */ width) =>
    s("rect", { class: name, x, y: 38, width: Math.max(0, width), height: 28 });
  const mark = (/** @type {number} */ x) => s("line", { class: "hand", x1: x, x2: x, y1: 34, y2: 70 });
  const name = (/** @type {number} */ x, /** @type {string} */ who, /** @type {string} */ anchor) =>
    s("text", { class: "name", x, y: 24, "text-anchor": anchor }, who);
  strip.replaceChildren(
    s("line", { class: "axis", x1: 0, x2: WIDE, y1: 52, y2: 52 }),
    band("band", a - half, 2 * half),
    band("band", b - half, 2 * half),
    band("both", b - half, a - b + 2 * half),
    mark(a),
    mark(b),
    name(a - 4, first.player, "end"),
    name(b + 4, second.player, "start"),
    s("text", { class: "apart", x: middle, y: 83, "text-anchor": "middle" }, duration(apart_ns)),
  );
  attr(
    strip,
    "aria-label",
    t("{a} and {b}, {margin} apart; each may lie anywhere in its band", {
      a: first.player,
      b: second.player,
      margin: duration(apart_ns),
    }),
  );
}
